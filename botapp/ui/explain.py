"""F1: every number on the screen in a sentence, the panels that are shown first."""

from collections.abc import Collection

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from botapp.ui.panels.base import panels
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import card_of, close_button, fitting, label, scrolled

Sentences = tuple[tuple[str, str], ...]

ALWAYS: tuple[tuple[str, Sentences], ...] = (
    (
        mark("Along the lower edge"),
        (
            (
                mark("Pictures a second"),
                mark("How many pictures of the game were read in the last second."),
            ),
            (
                mark("Age of the advice"),
                mark("How long ago the picture was taken that the advice is for."),
            ),
            (
                mark("Last decision"),
                mark("Time from the fight as read to the newest advice in words; Latency has a row for it."),
            ),
            (
                mark("VRAM, degrees"),
                mark("The card's memory in use and free, and how warm it is, where the driver says so."),
            ),
        ),
    ),
    (
        mark("Mouse and keys"),
        (
            (
                mark("Right button, menu key, Shift+F10"),
                mark(
                    "On an action, a turn, a cell of the board or a kept moment: try it out, see why it is "
                    "not advised, copy the position, play it in the practice arena."
                ),
            ),
            (
                mark("Ctrl+Shift+C, Ctrl+Shift+V"),
                mark(
                    "Copy position and Paste position. A position is one line of text, without the names of "
                    "people unless you ask for them; pasted, it opens in the practice arena. In the arena "
                    "itself Ctrl+C and Ctrl+V do the same."
                ),
            ),
            (
                mark("Ctrl+Z in the practice arena"),
                mark(
                    "Takes your last action back, and what the others did since; the same action brings the "
                    "same dice again. Fights says that actions were taken back and leaves that fight out of "
                    "your weeks."
                ),
            ),
        ),
    ),
)
"""What is explained beside the panels: titles, each with its sentences."""


class Explanation(QDialog):
    """The sentences, those of the panels that are shown first."""

    def __init__(self, shown: Collection[str], parent: QWidget | None = None) -> None:
        """Makes the page; `shown` are the keys of the panels on the screen."""
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - What the numbers mean"))
        inner = QWidget()
        around = QVBoxLayout(self)
        around.addWidget(scrolled(inner, by_keys=True), 1)  # first: a tree that gets a parent is styled anew
        kinds = panels()
        seen = [(kind.title, kind.sentences) for kind in kinds if kind.key in shown]
        others = [(kind.title, kind.sentences) for kind in kinds if kind.key not in shown]
        cards = [_explained(tr(title), sentences) for title, sentences in (*seen, *ALWAYS, *others)]
        column_of(*cards, None, into=inner, margins=(4, 0, 12, 4), spacing=10)
        around.setContentsMargins(14, 14, 14, 12)
        around.addWidget(close_button(self), 0, Qt.AlignmentFlag.AlignRight)
        self.resize(fitting(720, 620))


def _explained(title: str, sentences: Sentences) -> QWidget:
    grid = QGridLayout()
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, 190)
    for row, (figure, sentence) in enumerate(sentences):
        grid.addWidget(label(tr(figure), "caption", wrap=True), row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(tr(sentence), wrap=True), row, 1, Qt.AlignmentFlag.AlignTop)
    return card_of(label(title, "accent"), grid, spacing=6)
