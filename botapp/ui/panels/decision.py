"""The Decision panel: what to do, how sure the model is, what comes of it, and what was assumed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from botapp.advisor.decision import Choice, Decision
from botapp.engine.messages import AdviceState, Snapshot
from botapp.fight.state import FightState
from botapp.ui import outcomes, theme, words
from botapp.ui.panels.base import Panel
from botapp.ui.samples import History
from botapp.ui.translation import from_worker, mark, tr
from botapp.ui.widgets.bars import Bar, ConfidenceBars, Meter, standing
from botapp.ui.widgets.labels import Chip, Headline, label

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
        self.confidence = _Figure(tr("Confidence"))
        self.value = _Figure(tr("Expected outcome"), centred=True)
        self.bars = ConfidenceBars()
        self.reflex = _Answer(tr("Reflex"))
        self.deliberate = _Answer(tr("Deliberate"))
        self.verdict = label(role="muted", wrap=True)
        self.expected = label(wrap=True)
        self.alternative = label(role="muted", wrap=True)
        self.plan = label(wrap=True)
        self.facts = label(role="muted", wrap=True)
        self._kept: Snapshot | None = None
        self._withheld_ns: int | None = None
        self._lay_out()
        self._show_nothing("none", tr("The engine is starting."))
        self.state_chip.show_text(tr("Starting"), "info")

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the decision, dimmed where it no longer holds, or why there is none."""
        reason = words.explain(snapshot.capture, snapshot.advice, from_worker(snapshot.reason))
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
        self.facts.setText(_facts(words.assumptions(state) if state else list(decision.assumed)))

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
        self.bars.show_bars(
            tuple(
                Bar(
                    words.headline(choice, state),
                    choice.confidence,
                    reflex if choice.action == decision.reflex.action else "",
                )
                for choice in decision.choices
            ),
            dimmed=dimmed,
        )
        self.reflex.show_choice(words.headline(decision.reflex, state), decision.reflex)
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
        self.expected.setText(outcomes.expectations(decision.expected))
        self.alternative.setText(outcomes.alternative(decision.alternative, state))
        self.plan.setText(outcomes.plan(decision.plan))

    def _show_nothing(self, advice: AdviceState, reason: str) -> None:
        self.state_chip.show_text(tr(words.ADVICE[advice]), SHADES[advice])
        self.kind_chip.hide()
        self.headline.setText(reason)
        self.headline.setEnabled(False)
        self.details.setText("")
        self.confidence.clear_value()
        self.value.clear_value()
        self.bars.show_bars(())
        self.reflex.clear_choice()
        self.deliberate.clear_choice()
        self.verdict.setText("")
        for text in (self.expected, self.alternative, self.plan, self.facts):
            text.setText("–")
        self._dim(False)

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
        box.addWidget(self._advice())
        box.addLayout(figures)
        box.addSpacing(10)
        box.addWidget(label(tr("Best actions"), "caption"))
        box.addWidget(self.bars, 10)
        for caption, text in (
            (tr("Expected of the best one"), self.expected),
            (tr("Instead"), self.alternative),
            (tr("The rest of the turn"), self.plan),
        ):
            box.addSpacing(6)
            box.addWidget(label(caption, "caption"))
            box.addWidget(text)
        box.addSpacing(6)
        box.addWidget(label(tr("Reflex against deliberation"), "caption"))
        box.addLayout(answers)
        box.addWidget(self.verdict)
        box.addSpacing(6)
        box.addWidget(label(tr("Assumed, not seen"), "caption"))
        box.addWidget(self.facts)
        box.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inner)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(scroll)
        self.setMinimumSize(320, 240)

    def _advice(self) -> QWidget:
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


class _Figure(QFrame):
    """A caption, a large figure, a word beside it and a meter below."""

    def __init__(self, caption: str, *, centred: bool = False) -> None:
        super().__init__()
        self.setObjectName("card")
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 10, 12, 12)
        box.setSpacing(4)
        self.figure = label("–")
        self.figure.setFont(theme.font(1.7, bold=True, mono=True))
        self.word = label("", "muted")
        self.meter = Meter(centred=centred)
        line = QHBoxLayout()
        line.addWidget(self.figure)
        line.addStretch()
        line.addWidget(self.word)
        box.addWidget(label(caption, "caption"))
        box.addLayout(line)
        box.addWidget(self.meter)

    def show_value(self, figure: str, word: str, share: float, shade: str) -> None:
        self.figure.setText(figure)
        self.word.setText(word)
        self.meter.show_value(share, shade)

    def clear_value(self) -> None:
        self.figure.setText("–")
        self.word.setText("")
        self.meter.show_value(None, "accent")


class _Answer(QFrame):
    """One of the two answers: its caption, its words and its confidence."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        self.setObjectName("card")
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 10, 12, 10)
        box.setSpacing(3)
        self.text = QLabel("–")
        self.text.setWordWrap(True)
        self.text.setMinimumHeight(2 * self.text.fontMetrics().lineSpacing())
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.share = label("", "muted")
        line = QHBoxLayout()
        line.addWidget(label(caption, "caption"))
        line.addStretch()
        line.addWidget(self.share)
        box.addLayout(line)
        box.addWidget(self.text)

    def show_choice(self, text: str, choice: Choice) -> None:
        self.text.setText(text)
        self.share.setText(words.percent(choice.confidence))

    def clear_choice(self) -> None:
        self.text.setText("–")
        self.share.setText("")


def _facts(assumed: list[str]) -> str:
    if not assumed:
        return tr("Nothing: every fact was seen or is known.")
    lines = [f"•  {fact}" for fact in assumed[:FACTS_SHOWN]]
    if len(assumed) > FACTS_SHOWN:
        lines.append("•  " + tr("and {number} more (State panel)", number=len(assumed) - FACTS_SHOWN))
    return "\n".join(lines)
