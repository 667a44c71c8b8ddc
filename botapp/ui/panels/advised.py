"""What the Decision panel shows of a decision below its headline."""

from itertools import zip_longest

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from botapp.advisor.decision import Decision, ScoredAction
from botapp.advisor.groups import AlikeGroup, listed
from botapp.fight.state import FightState
from botapp.runtime.messages import Snapshot
from botapp.ui import outcomes, words
from botapp.ui.remedies import remedies_for_chance
from botapp.ui.translation import counted, mark, tr, tr_counted
from botapp.ui.widgets.bars import Bar, ConfidenceBars, standing
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.figures import Answers, Figure, Passage, WayOut
from botapp.ui.widgets.labels import button, label

CHANCE = mark("How likely your side is to win this fight, if it goes on as advised.")
FACTS_SHOWN = 5
_SHOWN, _ORDERS = 5, 3


class Advised(QWidget):
    """The chance of winning, the best actions, first and final answer, what comes of it, what was assumed.

    Signals:
        asked: the person wants to do something about what is not known: a `RemedyKind`.

    Attributes:
        listed: what the bars show, actions that are worth the same as one.
        ways_out: what brings a chance of winning: of one's own class or level, and of the others.
    """

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.chance = Figure(tr("Chance of winning"), centred=True)
        self.chance.setToolTip(tr(CHANCE))
        self.untold = label("", "warn", wrap=True)
        self.ways_out = WayOut(), WayOut()
        for way in self.ways_out:
            way.asked.connect(self.asked)
        self.swing = label(role="muted", wrap=True)
        self.best = label(role="caption", wrap=True)
        self.bars = ConfidenceBars()
        self.listed: tuple[AlikeGroup, ...] = ()
        self.expected = Passage(tr("What it should do"))
        self.alternative = Passage(tr("Second choice"), "muted")
        self.plan = Passage(tr("The rest of the turn"))
        self.answers = Answers()
        self.facts = Passage(tr("Assumed, not seen"), "muted")
        self.unsure = button(tr("What is not sure, and what it costs"), lambda: self.asked.emit("start"))
        ways = row_of(*self.ways_out, None, spacing=8)
        parts = self.chance, self.untold, ways, self.swing
        box = column_of(*parts, into=self, margins=(0, 0, 0, 0), spacing=6)
        box.addSpacing(10)
        box.addWidget(self.best)
        box.addWidget(self.bars, 10)
        for passage in (self.expected, self.alternative, self.plan):
            box.addWidget(passage)
        box.addSpacing(6)
        box.addLayout(self.answers.box)
        box.addWidget(self.facts)
        box.addWidget(self.unsure, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)

    def show_decision(self, shown: Snapshot, decision: Decision, why: str) -> None:
        """Shows a snapshot's decision; `why` is what has changed the chance of winning, "" for nothing."""
        state = shown.state
        names = words.names_of(decision, state)
        self._show_chance(decision, state)
        self.swing.setText(why)
        self.swing.setVisible(bool(why))
        self._show_best(decision, state, names)
        self.answers.show_decision(decision, names)
        effects = outcomes.expectations(decision.expected)
        if outcomes.waiting(shown):
            effects = "\n".join(filter(None, (tr(outcomes.WAIT), effects)))
        self.expected.show_text(effects)
        self.alternative.show_text(outcomes.alternative(decision, state, names))
        lines = shown.turn.lines if shown.turn is not None else ()
        rest = words.turn(lines[0], state)[1:] if lines else []
        self.plan.show_text("\n".join(rest) or outcomes.plan(decision.plan))
        assumed = (
            [*map(tr, shown.sheet), *words.assumptions(state, shown.level)] if state else decision.assumed
        )
        self.facts.show_text(_facts(list(assumed)))

    def dim(self, dimmed: bool) -> None:
        """Shows what no longer holds in another colour."""
        answers = self.answers.reflex, self.answers.deliberate, self.answers.verdict
        for widget in (self.chance, *answers, self.expected, self.alternative, self.plan):
            widget.setEnabled(not dimmed)
        self.bars.show_bars(self.bars.bars, dimmed=dimmed)

    def _show_chance(self, decision: Decision, state: FightState | None) -> None:
        why = words.untold(state)
        self.untold.setText(why)
        self.untold.setVisible(bool(why))
        self.chance.setVisible(not why)
        for way, remedy in zip_longest(self.ways_out, remedies_for_chance(state)):
            way.offer(remedy)
        word, shade = standing(decision.value)
        self.chance.show_value(words.percent(decision.chance), word, decision.value, shade)

    def _show_best(self, decision: Decision, state: FightState | None, names: words.Names) -> None:
        placing = state is not None and state.placing
        if remedies_for_chance(state):
            text = tr("Best places first") if placing else tr("Best actions first")
        elif placing:
            text = tr("Best places, with the chance of winning from each")
        else:
            text = tr("Best actions, with the chance of winning after each")
        self.best.setText(text)
        first, best = decision.first_known, decision.best
        self.listed = tuple(listed(names.groups, decision, _SHOWN))
        self.bars.show_bars(
            tuple(
                Bar(
                    words.or_others(names(group.best), len(group.choices) - 1),
                    outcomes.chance_beside(best, group.best, names.state),
                    tr("first answer")
                    if len(decision.trace) > 1 and first.action == group.best.action
                    else "",
                    told_apart(best, group, names),
                    _shorter(group, names),
                    outcomes.beside(best, group.best, names.state),
                )
                for group in self.listed
            )
        )


def _shorter(group: AlikeGroup, names: words.Names) -> tuple[str, ...]:
    whole, short = names(group.best), names.short(group.best)
    longest = words.or_others(whole, len(group.choices) - 1)
    return tuple(way for way in dict.fromkeys((whole, short)) if len(way) < len(longest))


def told_apart(best: ScoredAction, group: AlikeGroup, names: words.Names) -> str:
    choice = group.best
    other = [] if choice == best else outcomes.differences(best, choice)
    orders = ", ".join(map(names.short, group.orders[:_ORDERS]))
    turned = tr("The same turn in another order begins with: {actions}", actions=orders) if orders else ""
    return "\n".join(filter(None, ("  ·  ".join(other), turned, _searched(choice))))


def _searched(choice: ScoredAction) -> str:
    if choice.value is None:
        return ""
    if not choice.visits:
        return tr("Estimated: there was no time to play on from it.")
    return tr_counted(
        choice.visits,
        "Played on from {visits} time, {actions} in the turn",
        "Played on from {visits} times, {actions} in the turn",
        visits=choice.visits,
        actions=counted(len(choice.line), "{number} action", "{number} actions", number=len(choice.line)),
    )


def _facts(assumed: list[str]) -> str:
    if not assumed:
        return tr("Nothing: everything was seen or is known.")
    lines = [f"•  {fact}" for fact in assumed[:FACTS_SHOWN]]
    if len(assumed) > FACTS_SHOWN:
        lines.append("•  " + tr("and {number} more (State panel)", number=len(assumed) - FACTS_SHOWN))
    return "\n".join(lines)
