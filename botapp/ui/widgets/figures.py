"""Cards of the Decision panel: a large figure with its meter, and one of the two answers.

Next hop: `botapp.ui.panels.decision`.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from botapp.advisor.decision import Choice
from botapp.ui import theme, words
from botapp.ui.widgets.bars import Meter
from botapp.ui.widgets.labels import label


class Figure(QFrame):
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
        """Shows the figure, a word on it, and the meter at a share in one of the theme's colours."""
        self.figure.setText(figure)
        self.word.setText(word)
        self.meter.show_value(share, shade)

    def clear_value(self) -> None:
        """Shows that there is none."""
        self.figure.setText("–")
        self.word.setText("")
        self.meter.show_value(None, "accent")


class Answer(QFrame):
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
        """Shows an answer in words."""
        self.text.setText(text)
        self.share.setText(words.percent(choice.confidence))

    def clear_choice(self) -> None:
        """Shows that there is none."""
        self.text.setText("–")
        self.share.setText("")
