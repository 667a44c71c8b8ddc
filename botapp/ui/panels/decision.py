"""The Decision panel: what to do, how sure the model is, what comes of it, and what was assumed."""

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from botapp.advisor.decision import Decision, ScoredAction
from botapp.fight.state import FightState
from botapp.runtime.messages import AdviceState, Snapshot
from botapp.ui import outcomes, words
from botapp.ui.panels.base import Panel
from botapp.ui.samples import History
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.bars import Bar, ConfidenceBars, standing
from botapp.ui.widgets.figures import AnswerFigure, Figure, Passage
from botapp.ui.widgets.labels import Chip, Headline, label, scrolled

EXPECTED_OUTCOME = mark("How the fight is expected to end: -1 is lost, 0 even, +1 won.")
FACTS_SHOWN = 5
PATIENCE_MS = 800
SHADES: dict[AdviceState, str] = {
    "fresh": "good",
    "thinking": "info",
    "not-my-turn": "muted",
    "withheld": "warn",
    "none": "muted",
}
_KINDS = {"move": "good", "cast": "violet", "end_turn": "muted"}


class DecisionPanel(Panel):
    """The advice in words, its confidence and value, the top five, reflex against deliberate answer."""

    key = "decision"
    title = mark("Decision")

    def __init__(self, history: History, parent: QWidget | None = None) -> None:
        super().__init__(history, parent)
        self.state_chip = Chip(dot=True)
        self.kind_chip = Chip()
        self.headline = Headline()
        self.details = label(role="muted", wrap=True)
        self.confidence = Figure(tr("Confidence"))
        self.value = Figure(tr("Expected outcome"), centred=True)
        self.bars = ConfidenceBars()
        self.reflex = AnswerFigure(tr("Reflex"))
        self.deliberate = AnswerFigure(tr("Deliberate"))
        self.verdict = label(role="muted", wrap=True)
        self.expected = Passage(tr("Expected of the best one"))
        self.alternative = Passage(tr("Instead"), "muted")
        self.plan = Passage(tr("The rest of the turn"))
        self.facts = Passage(tr("Assumed, not seen"), "muted")
        self.advised = QWidget()
        for widget, tip in (
            (self.confidence, tr("How sure the model is that this is the best action.")),
            (self.value, tr(EXPECTED_OUTCOME)),
            (self.reflex, tr("The model's choice after its first reasoning step.")),
            (self.deliberate, tr("The model's choice after its last reasoning step.")),
        ):
            widget.setToolTip(tip)
        self._kept: Snapshot | None = None
        self._withheld_ns: int | None = None
        self._lay_out()
        self._show_nothing("none", tr("The engine is starting."))
        self.state_chip.show_text(tr("Starting"), "info")

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the decision, dimmed where it no longer holds, or why there is none."""
        reason = words.explain(snapshot.capture, snapshot.advice, tr(snapshot.reason))
        if snapshot.decision is not None:
            self._kept = snapshot
        kept = self._kept
        fresh = snapshot.advice == "fresh" and snapshot.decision is not None
        waiting = self._waits(snapshot)
        if kept is None or kept.decision is None or not (fresh or waiting):
            self._show_nothing(snapshot.advice, reason)
            return
        decision, state = kept.decision, kept.state
        self.state_chip.show_text(tr(words.ADVICE[snapshot.advice]), SHADES[snapshot.advice])
        self.kind_chip.show_text(words.kind(decision.action), _KINDS[decision.action_type])
        self.kind_chip.setVisible(fresh)
        if fresh or snapshot.advice == "withheld":
            self.headline.setText(words.headline(decision.best, state))
            self.details.setText(words.details(decision.best, state))
        else:
            self.headline.setText(reason)
            self.details.setText(tr("The last advice is kept below."))
        self.headline.setEnabled(fresh)
        self._show_figures(decision, dimmed=not fresh)
        self._show_answers(decision, state, dimmed=not fresh)
        self._show_outcome(decision, state)
        self.facts.show_text(_facts(words.assumptions(state) if state else list(decision.assumed)))
        self.advised.show()

    def _waits(self, snapshot: Snapshot) -> bool:
        """Tells whether the last advice stays, dimmed: another plays, or the screen is unclear for a moment.

        An animation that hides a fighter withholds the advice for a few frames; that is not worth a word.
        """
        if snapshot.capture != "watching":
            return False
        if snapshot.advice != "withheld":
            self._withheld_ns = None
            return snapshot.advice in ("not-my-turn", "thinking")
        if self._withheld_ns is None:
            self._withheld_ns = snapshot.captured_ns
        return (snapshot.captured_ns - self._withheld_ns) / 1e6 < PATIENCE_MS

    def _show_figures(self, decision: Decision, *, dimmed: bool) -> None:
        share = decision.confidence
        shade = "good" if share >= 0.6 else "warn" if share >= 0.3 else "bad"
        self.confidence.show_value(words.percent(share), "", share, shade)
        word, shade = standing(decision.value)
        self.value.show_value(words.number(decision.value, 2, sign=True), word, decision.value, shade)
        self._dim(dimmed)

    def _show_answers(self, decision: Decision, state: FightState | None, *, dimmed: bool) -> None:
        reflex = tr("reflex")
        texts = words.headlines(decision.choices, state)
        told = {choice.action: text for choice, text in zip(decision.choices, texts, strict=True)}
        self.bars.show_bars(
            tuple(
                Bar(
                    told[choice.action],
                    choice.confidence,
                    reflex if choice.action == decision.reflex.action else "",
                    _searched(choice),
                )
                for choice in decision.choices
            ),
            dimmed=dimmed,
        )
        self.reflex.show_choice(
            told.get(decision.reflex.action) or words.headline(decision.reflex, state), decision.reflex
        )
        self.deliberate.show_choice(words.headline(decision.best, state), decision.best)
        steps = len(decision.trace)
        if decision.changed_mind:
            text = tr("Thinking for {steps} steps changed the answer.", steps=steps)
        elif steps > 1:
            text = tr("Thinking for {steps} steps confirmed the reflex.", steps=steps)
        elif steps:
            text = tr("One step was enough.")
        else:
            text = tr(words.STOP[decision.stop])
        self.verdict.setText(text)

    def _show_outcome(self, decision: Decision, state: FightState | None) -> None:
        self.expected.show_text(outcomes.expectations(decision.expected))
        self.alternative.show_text(outcomes.alternative(decision.alternative, decision.best, state))
        self.plan.show_text(outcomes.plan(decision.plan))

    def _show_nothing(self, advice: AdviceState, reason: str) -> None:
        self.state_chip.show_text(tr(words.ADVICE[advice]), SHADES[advice])
        self.kind_chip.hide()
        self.headline.setText(reason)
        self.headline.setEnabled(False)
        self.details.setText(tr("Advice appears here as soon as there is some."))
        self.advised.hide()

    def _dim(self, dimmed: bool) -> None:
        figures = (self.confidence, self.value, self.reflex, self.deliberate, self.verdict)
        for widget in (*figures, self.expected, self.alternative, self.plan):
            widget.setEnabled(not dimmed)

    def _lay_out(self) -> None:
        chips = QHBoxLayout()
        chips.setSpacing(8)
        chips.addWidget(self.state_chip)
        chips.addWidget(self.kind_chip)
        chips.addStretch()
        figures = QHBoxLayout()
        figures.setSpacing(10)
        figures.addWidget(self.confidence, 1)
        figures.addWidget(self.value, 1)
        answers = QGridLayout()
        answers.setHorizontalSpacing(10)
        answers.addWidget(self.reflex, 0, 0)
        answers.addWidget(self.deliberate, 0, 1)
        answers.setColumnStretch(0, 1)
        answers.setColumnStretch(1, 1)
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(16, 14, 16, 14)
        box.setSpacing(6)
        box.addLayout(chips)
        box.addWidget(self._headline())
        box.addWidget(self.advised, 1)
        box.addStretch()
        advised = QVBoxLayout(self.advised)
        advised.setContentsMargins(0, 0, 0, 0)
        advised.setSpacing(6)
        advised.addLayout(figures)
        advised.addSpacing(10)
        advised.addWidget(label(tr("Best actions"), "caption"))
        advised.addWidget(self.bars, 10)
        for passage in (self.expected, self.alternative, self.plan):
            advised.addWidget(passage)
        advised.addSpacing(6)
        advised.addWidget(label(tr("Reflex and deliberation"), "caption"))
        advised.addLayout(answers)
        advised.addWidget(self.verdict)
        advised.addWidget(self.facts)
        advised.addStretch(1)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(scrolled(inner))
        self.setMinimumSize(320, 240)

    def _headline(self) -> QWidget:
        """Returns the headline and its details in a frame of one height, so that nothing jumps."""
        frame = QWidget()
        lines = self.headline.fontMetrics().lineSpacing(), self.details.fontMetrics().lineSpacing()
        frame.setMinimumHeight(lines[0] + lines[1] + 14)
        box = QVBoxLayout(frame)
        box.setContentsMargins(0, 4, 0, 0)
        box.setSpacing(4)
        box.addWidget(self.headline)
        box.addWidget(self.details)
        box.addStretch()
        return frame


def _searched(choice: ScoredAction) -> str:
    """Returns what the search found of a candidate, "" where it says nothing."""
    if choice.value is None:
        return ""
    return tr(
        "Search: {value} of fights won, {visits} rollouts, {actions} actions in the turn",
        value=words.percent(choice.value),
        visits=choice.visits,
        actions=len(choice.line),
    )


def _facts(assumed: list[str]) -> str:
    if not assumed:
        return tr("Nothing: everything was seen or is known.")
    lines = [f"•  {fact}" for fact in assumed[:FACTS_SHOWN]]
    if len(assumed) > FACTS_SHOWN:
        lines.append("•  " + tr("and {number} more (State panel)", number=len(assumed) - FACTS_SHOWN))
    return "\n".join(lines)
