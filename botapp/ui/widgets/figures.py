"""Parts of the Decision panel: a large figure with its meter, answers, a captioned text, a way out."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QPushButton, QWidget

from botapp.advisor.decision import Decision
from botapp.ui import outcomes, theme, thinking_words, words
from botapp.ui.remedies import Remedy
from botapp.ui.translation import tr
from botapp.ui.widgets.bars import Meter
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import label


class Figure(QFrame):
    """A caption, a large figure, a word beside it and a meter below."""

    def __init__(self, caption: str, *, centred: bool = False) -> None:
        super().__init__()
        self.setObjectName("card")
        box = column_of(into=self, margins=(12, 10, 12, 12), spacing=4)
        self.figure = label()
        self.figure.setFont(theme.font(1.7, bold=True, mono=True))
        self.word = label("", "muted")
        self.meter = Meter(centred=centred)
        line = row_of(self.figure, None, self.word)
        box.addWidget(label(caption, "caption", wrap=True))
        box.addLayout(line)
        box.addWidget(self.meter)

    def show_value(self, figure: str, word: str, share: float, shade: str) -> None:
        """Shows the figure, a word on it, and the meter at a share in one of the theme's colours."""
        self.figure.setText(figure)
        self.word.setText(word)
        self.meter.show_value(share, shade)


class AnswerFigure(QFrame):
    """One of the two answers: its caption, its words and the chance of winning after it."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        self.setObjectName("card")
        box = column_of(into=self, margins=(12, 10, 12, 10), spacing=3)
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setMinimumHeight(2 * self.text.fontMetrics().lineSpacing())
        self.text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.share = label("", "muted")
        line = row_of(label(caption, "caption"), None, self.share)
        box.addLayout(line)
        box.addWidget(self.text)

    def show_choice(self, text: str, chance: float | None) -> None:
        """Shows an answer in words, with its chance of winning, None where there is none to show."""
        self.text.setText(text)
        self.share.setText(words.percent(chance))


class Answers:
    """A model's first and final answer with what thinking on has brought; without a model that alone.

    Attributes:
        box: their layout.
    """

    def __init__(self) -> None:
        self.caption = label(tr("First and final answer"), "caption", wrap=True)
        self.reflex = AnswerFigure(tr("First answer"))
        self.reflex.setToolTip(tr("System 1: the model's choice at once, with what is known of it now."))
        self.deliberate = AnswerFigure(tr("Final answer"))
        self.deliberate.setToolTip(tr("System 2: the model's choice after its last reasoning step."))
        self.verdict = label(role="muted", wrap=True)
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._pair.setSpacing(10)
        self._pair.addWidget(self.reflex, 1)
        self._pair.addWidget(self.deliberate, 1)
        self.box = column_of(self.caption, self._pair, self.verdict, spacing=6)

    def stand(self, *, side_by_side: bool) -> None:
        ways = QBoxLayout.Direction
        self._pair.setDirection(ways.LeftToRight if side_by_side else ways.TopToBottom)

    def show_decision(self, decision: Decision, names: words.Names) -> None:
        first, best = decision.first_known, decision.best
        self.reflex.show_choice(names(first), outcomes.chance_beside(best, first, names.state))
        self.deliberate.show_choice(names(best), outcomes.chance_beside(best, best, names.state))
        self.verdict.setText(" ".join(thinking_words.comparison(decision, names)))
        for widget in (self.caption, self.reflex, self.deliberate):
            widget.setVisible(len(decision.trace) > 1)


class WayOut(QPushButton):
    """A button for what a person can do where something is not known, hidden where there is nothing.

    Signals:
        asked: it was taken: a `RemedyKind`. The arena, which takes a while, is not offered again at once.
    """

    asked = Signal(str)

    def __init__(self, role: str = "") -> None:
        super().__init__(tr("My game"))
        self.setAutoDefault(False)
        self.setObjectName(role)
        self._remedy: Remedy | None = None
        self.clicked.connect(self._ask)
        self.hide()

    def offer(self, remedy: Remedy | None) -> None:
        if remedy != self._remedy:
            self._remedy = remedy
            self.setEnabled(True)
            if remedy is not None:
                self.setText(tr(remedy.words))
        self.setVisible(remedy is not None)

    def _ask(self) -> None:
        if self._remedy is not None:
            self.setEnabled(self._remedy.kind != "arena")
            self.asked.emit(self._remedy.kind)


class Passage(QWidget):
    """A caption and what is said under it; there is neither while there is nothing to say."""

    def __init__(self, caption: str, role: str = "") -> None:
        super().__init__()
        self._text = label(role=role, wrap=True)
        column_of(label(caption, "caption"), self._text, into=self, margins=(0, 6, 0, 0), spacing=6)
        self.hide()

    def text(self) -> str:
        """Returns what is said, "" for nothing."""
        return self._text.text()

    def show_text(self, text: str) -> None:
        """Says something else; "" hides the caption too."""
        self._text.setText(text)
        self.setVisible(bool(text))
