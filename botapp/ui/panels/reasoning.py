"""The Reasoning panel: what System 1 said at once, what System 2 made of it step by step, and why it stopped.

Where the search advises alone it shows what that found instead.
"""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from botapp.advisor.decision import Decision
from botapp.advisor.groups import listed
from botapp.host.settings import Settings
from botapp.runtime.messages import Snapshot
from botapp.ui import outcomes, thinking_words, words
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import History
from botapp.ui.translation import counted, mark, tr, tr_counted
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.halting import HaltCurve
from botapp.ui.widgets.labels import label, scrolled, set_role
from botapp.ui.widgets.table import Cell, FigureTable

LEAST_HEIGHT = 92
"""Room for both answers, the reason for stopping and the curve beside them; the rest is scrolled to."""
_FOUND = 8  # Rows of what the search found
_BESIDE = 420  # From this width on the curve stands beside the words
WITH_FIGURES = 330  # From this height on the table of steps has room below the words


@panel
class ReasoningPanel(Panel):
    """What each step said, how sure the Q-head was after it that it can stop, and the reason for stopping.

    Attributes:
        short: both answers and the reason in three lines at most.
        found: of the search alone, a row for each of the best actions.
    """

    key = "reasoning"
    title = mark("Reasoning")
    order = 60
    place = "below"
    layouts = ("reasoning", "engineer")
    sentences = (
        (
            mark("System 1, the first answer"),
            mark("What the model answers at once, before the fight has been played on: its intuition."),
        ),
        (
            mark("System 2, the final answer"),
            mark("What it answers after looking step by step at what the search finds: its deliberation."),
        ),
        (
            mark("Halt and threshold"),
            mark(
                "Where the curve rises above the threshold, one more step is not worth its time. What comes "
                "after the first advice is thought on in any case, as long as you do not act."
            ),
        ),
        (
            mark("States searched"),
            mark("How many situations of your own turn the search has looked at."),
        ),
        (
            mark("Rollouts"),
            mark(
                "How many times the fight was played on from the end of a turn, the others' turns included."
            ),
        ),
    )
    of_decision = True

    def __init__(self, history: History, halt_threshold: float = 0.5) -> None:
        super().__init__(history)
        self.short = label(tr("No decision yet."), "muted", wrap=True)
        self.curve = HaltCurve()
        self.stop = label("", "muted", wrap=True)
        self.table = FigureTable(
            tr(self.title),
            ["#", tr("Answer"), tr("Looked at before"), tr("To win")],
            wide=1,
            text_columns=(0, 1, 2),
        )
        self.table.explain(
            {
                1: tr("What the model would have done after this step."),
                2: tr("Behind which action the fight was played on before this step."),
                3: tr("The chance of winning after that answer, by what is known of it now."),
            }
        )
        self.found = FigureTable(tr(self.title), [tr("Action"), tr("To win")], text_columns=(0,))
        self.found.explain({1: tr("The chance of winning after this action.")})
        self._halt_threshold = halt_threshold
        self._shown: Decision | None = None
        self.worth = label("", "muted", wrap=True)
        self.steps = label("", wrap=True)
        self.steps.hide()
        inner = QWidget()
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._pair.setSpacing(10)
        self._pair.addWidget(self.short, 3)
        self._pair.addWidget(self.curve, 2)
        column_of(
            self._pair,
            self.stop,
            self.worth,
            self.steps,
            self.table,
            self.found,
            None,
            into=inner,
            margins=(14, 10, 14, 10),
            spacing=8,
        )
        self.setMinimumHeight(LEAST_HEIGHT)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(scrolled(inner, by_keys=True))
        for part in (self.stop, self.curve, self.table, self.found):
            part.hide()

    def apply(self, settings: Settings) -> None:
        self._halt_threshold = settings.engine.halt_threshold
        if self._shown is not None:
            self._draw(self._shown)

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the newest decision's trace; without a new one the last stays."""
        decision = snapshot.decision
        if decision is None or decision == self._shown:
            return
        self._shown = decision
        names = words.names_of(decision, snapshot.state)
        self.short.setText("\n".join(thinking_words.in_short(decision, names)))
        set_role(self.short, "")
        steps = len(decision.trace)
        taken = [tr_counted(steps, "{steps} step", "{steps} steps", steps=steps)] if steps else []
        if decision.effort.step_ms:
            taken.append(tr("{time} a step", time=words.milliseconds(decision.effort.step_ms)))
        self.stop.setText("  ·  ".join([*taken, *([_searched(decision)] if decision.effort.nodes else [])]))
        self.stop.setVisible(bool(self.stop.text()))
        self.worth.setText(" ".join(thinking_words.comparison(decision, names)))
        self.worth.setVisible(steps > 1)
        self.steps.setText("\n".join(thinking_words.steps(decision, names)))
        self.steps.setVisible(steps > 0)
        self._show_parts(decision)
        self._draw(decision)
        self.table.show_rows(_rows(decision, names))
        self.found.show_rows(_found(decision, names))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves out the table where there is no height for it, and puts the curve below slim words."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._pair.setDirection(ways.LeftToRight if self.width() >= _BESIDE else ways.TopToBottom)
        if self._shown is not None:
            self._show_parts(self._shown)

    def _show_parts(self, decision: Decision) -> None:
        model = decision.adviser == "model"
        several = model and len(decision.trace) > 1
        self.curve.setVisible(several)
        self.table.setVisible(several and self.height() >= WITH_FIGURES)
        self.found.setVisible(not model)

    def _draw(self, decision: Decision) -> None:
        sure = tuple(step.q_halt for step in decision.trace)
        self.curve.show_steps(sure, self._halt_threshold, decision.effort.first_steps)


def _searched(decision: Decision) -> str:
    parts = (
        counted(
            decision.effort.nodes,
            "{number:,} state searched",
            "{number:,} states searched",
            number=decision.effort.nodes,
        ),
        counted(
            decision.effort.rollouts,
            "{number:,} rollout",
            "{number:,} rollouts",
            number=decision.effort.rollouts,
        ),
    )
    return ", ".join(map(tr, parts))


def _found(decision: Decision, names: words.Names) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for group in listed(names.groups, decision, _FOUND):
        advised = decision.best in group.choices
        other = [] if advised else outcomes.differences(decision.best, group.best)
        whole = words.or_others(names(group.best), len(group.choices) - 1)
        tip = "\n".join(filter(None, (whole, "  ·  ".join(other))))
        rows.append(
            (
                Cell(names.short(group.best), "accent" if advised else "text", bold=advised, tip=tip),
                Cell(words.percent(outcomes.chance_beside(decision.best, group.best, names.state))),
            )
        )
    return rows


def _rows(decision: Decision, names: words.Names) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    before = None
    for step in decision.trace:
        changed = before is not None and step.best.action != before
        before = step.best.action
        looked = tr("the best turns") if rows else "–"
        if step.looked is not None:
            looked = names.short(step.looked)
        rows.append(
            (
                Cell(str(step.index), "muted", tip=words.milliseconds(step.elapsed_ms)),
                Cell(
                    names.short(step.best),
                    "accent" if changed else "text",
                    bold=changed,
                    tip=names(step.best),
                ),
                Cell(looked, "muted"),
                Cell(words.percent(outcomes.chance_beside(decision.best, step.best, names.state))),
            )
        )
    return rows
