"""F1: every number on the screen in a sentence, the panels that are shown first."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QPushButton, QVBoxLayout, QWidget

from botapp.ui.grading import ACCURACY, FAULTS
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import card, fitting, label, scrolled

WINDOW, BY_HAND = "window", "by hand"
Sentences = tuple[tuple[str, str], ...]

TITLES = {
    "decision": mark("Decision"),
    "turns": mark("Turns"),
    "course": mark("Fight"),
    "threat": mark("Threat"),
    "reasoning": mark("Reasoning"),
    "state": mark("State"),
    "vision": mark("Vision"),
    "latency": mark("Latency"),
    "memory": mark("Memory"),
    "log": mark("Log"),
    WINDOW: mark("Along the lower edge"),
    BY_HAND: mark("Mouse and keys"),
}
"""The panels by key, in the order in which they are explained."""

SENTENCES: Mapping[str, Sentences] = {
    "decision": (
        (
            mark("Percentage beside an action"),
            mark("How likely your side is to win the fight after that action, played on as advised."),
        ),
        (
            mark("Points less"),
            mark("By how many hundredths a second choice is less likely to win than the advised action."),
        ),
        (
            mark("HP worse off, turns later"),
            mark(
                "Shown where two actions win equally often: how the turn that begins with this one ends "
                "beside the advised turn, in HP, kills, AP kept and turns until the win."
            ),
        ),
        (
            mark("Damage, AP, MP, HP healed"),
            mark("What the action is expected to do, the mean over the dice; a kill says how likely it is."),
        ),
        (
            mark("Sure, fairly sure, close choice"),
            mark(
                "How far the next best choice lies behind: sure by more than the error of such a difference, "
                "fairly sure by more than half of it, else close; the figures are in its tooltip. The chance "
                "of winning has no part in it: a choice can be sure in a fight that is nearly lost."
            ),
        ),
        (
            mark("Depth"),
            mark(
                "How often it has looked further since its first advice. It thinks on until you act, until "
                "every end of your turn that it tells apart was played on from, or as long as settings allow."
            ),
        ),
        (
            mark("Assumed, not seen"),
            mark("What the screen does not show and the advice takes from your game's data or the usual."),
        ),
    ),
    "turns": (
        (
            mark("Percentage of a turn"),
            mark("How likely your side is to win after the whole turn, action by action as listed."),
        ),
        (
            mark("What if?"),
            mark("The chance of winning after an action of your own choice, worked out when you ask."),
        ),
        (
            mark("Every cell"),
            mark(
                "On each cell the chance of winning after the best action aimed at it, below it how often "
                "the fight was played on from there; a cell with an edge alone was seen, not played on."
            ),
        ),
    ),
    "course": (
        (
            mark("The curve"),
            mark("Your chance of winning at each of your actions, in the order in which you played them."),
        ),
        (
            mark("Cost"),
            mark("How many points of the chance of winning an action of yours gave away against the advice."),
        ),
        (
            mark("Round"),
            mark("One turn of every fighter. The number beside the timeline counts rounds, from 1."),
        ),
        (mark("Blunder, mistake, inaccuracy"), FAULTS),
        (mark("Accuracy"), ACCURACY),
    ),
    "threat": (
        (
            mark("That would take"),
            mark(
                "What the turn expected of the enemy costs your side: damage, AP and MP, means over the dice."
            ),
        ),
        (
            mark("Your chance after it"),
            mark("How likely your side is to win once that turn has been played, as the search values it."),
        ),
    ),
    "reasoning": (
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
    ),
    "state": (
        (
            mark("HP, AP, MP, shield"),
            mark("What each fighter has left now, as it was read or is known; assumed ones are marked."),
        ),
    ),
    "vision": (
        (
            mark("Cells"),
            mark("How sure the reading of the board's cells is, over all cells."),
        ),
        (
            mark("Milliseconds in the picture's line"),
            mark("How long it took to read the picture."),
        ),
    ),
    "latency": (
        (
            mark("p50, p95, p99"),
            mark("Half, 95 of 100 and 99 of 100 times of a stage are shorter than this, in milliseconds."),
        ),
        (
            mark("On screen"),
            mark("From taking the picture until its advice is drawn on the game."),
        ),
    ),
    "memory": (
        (
            mark("Engine, this app"),
            mark("What the process that thinks and the one with this window take of the computer's memory."),
        ),
        (
            mark("Device"),
            mark("What the graphics card has, what all programs use of it, and botapp's own share."),
        ),
    ),
    "log": (
        (
            mark("Time of a line"),
            mark("When it happened, by this computer's clock."),
        ),
    ),
    WINDOW: (
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
    BY_HAND: (
        (
            mark("Right button, menu key, Shift+F10"),
            mark(
                "On an action, a turn, a cell of the board or a kept moment: try it out, see why it is not "
                "advised, copy the position, play it in the practice arena."
            ),
        ),
        (
            mark("Ctrl+Shift+C, Ctrl+Shift+V"),
            mark(
                "Copy position and Paste position. A position is one line of text, without the names of "
                "people unless you ask for them; pasted, it opens in the practice arena. In the arena itself "
                "Ctrl+C and Ctrl+V do the same."
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
}


class Explanation(QDialog):
    """The sentences, those of the panels that are shown first."""

    def __init__(self, shown: Collection[str], parent: QWidget | None = None) -> None:
        """Makes the page; `shown` are the keys of the panels on the screen."""
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - What the numbers mean"))
        inner = QWidget()
        around = QVBoxLayout(self)
        around.addWidget(scrolled(inner, by_keys=True), 1)  # first: a tree that gets a parent is styled anew
        box = column_of(into=inner, margins=(4, 0, 12, 4), spacing=10)
        for key in sorted(TITLES, key=lambda key: key not in (*shown, WINDOW, BY_HAND)):
            box.addWidget(_explained(tr(TITLES[key]), SENTENCES[key]))
        box.addStretch()
        close = QPushButton(tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.close)
        around.setContentsMargins(14, 14, 14, 12)
        around.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(fitting(720, 620))


def _explained(title: str, sentences: Sentences) -> QWidget:
    frame, box = card(spacing=6)
    box.addWidget(label(title, "accent"))
    grid = QGridLayout()
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, 190)
    for row, (figure, sentence) in enumerate(sentences):
        grid.addWidget(label(tr(figure), "caption", wrap=True), row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(tr(sentence), wrap=True), row, 1, Qt.AlignmentFlag.AlignTop)
    box.addLayout(grid)
    return frame
