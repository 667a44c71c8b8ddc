"""A row for a whole turn: its chance of winning, what it costs against the best, and its actions."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy

from botapp.advisor.grounds import may_tell_chance
from botapp.advisor.wording import ONLY_ESTIMATED
from botapp.fight.state import FightState
from botapp.runtime.turns import TurnLine
from botapp.ui import outcomes, theme, words
from botapp.ui.translation import counted, tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import label, set_role

_ACTION_LEAST = 100
"""Width of a turn's actions at least, in logical pixels; below, a row has not got its place yet."""
_ROW_SIDES = 32  # What of a row's width is neither figures nor actions


class TurnRow(QPushButton):
    """Attributes: `line`, the turn that is shown, None before the first."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("turn")
        self.setCheckable(True)
        room = self.sizePolicy()
        room.setHorizontalPolicy(QSizePolicy.Policy.Preferred)  # a button's own is at least its hint
        self.setSizePolicy(room)
        self.setAccessibleName(tr("Turn"))
        self.chance = label(scale=1.15)
        self.chance.setFont(theme.font(1.15, bold=True, mono=True))
        self.cost = label(role="muted", scale=0.9)
        self.steps = label(wrap=True)
        self.steps.setMinimumWidth(_ACTION_LEAST)
        self.step_texts: tuple[str, ...] = ()
        self.line: TurnLine | None = None
        figures = column_of(self.chance, self.cost, None, spacing=0)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 10, 6)
        row.setSpacing(_ROW_SIDES - 20)
        row.addLayout(figures)
        row.addWidget(self.steps, 1)
        for part in (self.chance, self.cost, self.steps):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        line_up((self,))

    def show_line(
        self,
        line: TurnLine,
        state: FightState | None,
        best: TurnLine,
        names: words.Names | None = None,
    ) -> None:
        """Shows a turn, with what it costs against the best one, or what else tells the two apart.

        `names` are those of the decision: its first action is called by them.
        """
        self.line = line
        guess = outcomes.guessed(best.choice, line.choice)
        self.chance.setText(words.chance(None if guess else line.chance, state))
        points = words.points(best.chance, line.chance, state)
        differences = outcomes.differences(best.choice, line.choice)
        if line is best:
            text, differences = tr("best"), []
        elif guess:
            text, differences = tr(ONLY_ESTIMATED), []
        elif points:
            text = tr(_cost(points))
        else:
            alike = tr("as good") if may_tell_chance(state) else ""
            text = (differences or [outcomes.beside(best.choice, line.choice, None)])[0] or alike
        if line.worst is not None and line.worst < line.chance and may_tell_chance(state):
            differences.append(
                tr("{share} to win if the dice fall badly (worst tenth)", share=words.percent(line.worst))
            )
        self.cost.setText(text)
        self.setToolTip("\n".join(differences))
        set_role(self.cost, "good" if line is best or points < 0 else "muted")
        self.step_texts = tuple(words.turn(line, state, names=names))
        self.fit()
        self.setAccessibleName(f"{self.chance.text()}, {text}: {'   '.join(self.step_texts)}")
        self.updateGeometry()

    def put_away(self) -> None:
        self.line = None
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Writes the actions, each in one piece unless it is longer than a line has room."""
        letters, room = self.steps.fontMetrics(), self.width() - _ROW_SIDES
        room -= max(self.figures_width, self.cost.minimumWidth())
        parts = [
            part if _ACTION_LEAST <= room < letters.horizontalAdvance(part) else _whole(part)
            for part in self.step_texts
        ]
        text = "   ".join(parts)
        if text != self.steps.text():
            self.steps.setText(text)
            self.updateGeometry()

    @property
    def figures_width(self) -> int:
        """How wide its figures are, or would be with points of two digits."""
        usual = self.cost.fontMetrics().horizontalAdvance(tr(_cost(88)))
        return max(self.cost.sizeHint().width(), self.chance.sizeHint().width(), usual + 4)

    def sizeHint(self) -> QSize:
        return self._row.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        """Narrower than its words, which are broken then."""
        return self._row.totalMinimumSize()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(self._row.totalHeightForWidth(width), 44)


def _whole(part: str) -> str:
    return part.replace(" ", "\u00a0").replace("-", "\u2011")


def line_up(rows: Sequence[TurnRow]) -> None:
    width = max((row.figures_width for row in rows), default=0)
    for row in rows:
        row.cost.setMinimumWidth(width)
        row.fit()


def _cost(points: int) -> str:
    """Returns what a turn costs against the best, in points; less than 0 where it is better."""
    if points > 0:
        return counted(points, "{number} point less", "{number} points less", number=points)
    return counted(-points, "{number} point more", "{number} points more", number=-points)
