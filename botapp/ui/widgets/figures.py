"""Parts of the Decision panel: a large figure with its meter, an answer, and a captioned text."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from botapp.ui import theme, words
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
