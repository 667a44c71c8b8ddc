"""A drawn board: cells, fighters and a turn over them; cells can be pointed at by mouse and arrows."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from PySide6.QtCore import QEvent, QMarginsF, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from botapp.advisor.grounds import may_tell_chance
from botapp.advisor.groups import occupant
from botapp.fight.state import CellFlag, Fighter, FightState
from botapp.runtime.turns import TurnLine
from botapp.ui import theme, words
from botapp.ui.heat import CellHeat
from botapp.ui.names import named
from botapp.ui.overlay import paint
from botapp.ui.overlay.geometry import OverlayGeometry
from botapp.ui.overlay.marks import TurnMarks, marks
from botapp.ui.overlay.scene import EMPTY, OverlayScene
from botapp.ui.painting import outlined
from botapp.ui.translation import tr, tr_counted
from botapp.ui.widgets.canvas import diamonds
from vision.view import CELLS, ROW_LENGTH, Lattice

BOARD_LEAST = 120  # Height in which a board can be read well, in logical pixels
_MARGIN = 12.0
_SMALL, _READABLE = 14.0, 20.0
"""With cells less high than the first, in pixels, a part of the board is shown instead, up to the second."""
_AROUND = QMarginsF(3.0, 1.5, 3.0, 1.5)
_WITH_FIGURES, _WITH_VISITS = 13.0, 26.0
"""From which height of a cell on, in pixels, the chance of winning is written on it, and the rollouts too."""
_ARROWS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: -2 * ROW_LENGTH,
    Qt.Key.Key_Down: 2 * ROW_LENGTH,
}
_WHOLE = Lattice((0.0, 0.0), 2.0, 1.0)


class BoardView(QWidget):
    """Shows a state from above, as the game draws it, with a turn.

    Signals:
        picked: a cell was clicked, or chosen by Enter.
        pointed: the cell under the mouse or the cursor, -1 for none.

    Attributes:
        state: what is shown, None for nothing.
        aims: cells that can be picked, lit.
        heat: what the search found of cells, painted over them.
        pointed_at: the cell pointed at, -1 for none.
    """

    picked = Signal(int)
    pointed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.state: FightState | None = None
        self.line: TurnLine | None = None
        self.aims: frozenset[int] = frozenset()
        self.heat: dict[int, CellHeat] = {}
        self.pointed_at = -1
        self.setAccessibleName(tr("Board"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, BOARD_LEAST)
        self.lattice = _WHOLE
        self._ground = QPixmap()
        self._ground_of: tuple[object, ...] = ()

    def sizeHint(self) -> QSize:
        return QSize(560, 280)

    def show_turn(
        self, state: FightState | None, line: TurnLine | None, aims: frozenset[int] = frozenset()
    ) -> None:
        if (state, line, aims) == (self.state, self.line, self.aims):
            return
        self.state, self.line, self.aims = state, line, aims
        self._fit()
        self.update()

    def show_heat(self, heat: Iterable[CellHeat]) -> None:
        """Paints what the search found of cells over them; nothing where there is none."""
        by_cell = {cell_heat.cell: cell_heat for cell_heat in heat}
        if by_cell != self.heat:
            self.heat = by_cell
            self._fit()
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.lattice.cell_at(event.position().x(), event.position().y())
        self.point_at(-1 if cell is None else cell)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if not self.hasFocus():
            self.point_at(-1)

    def cell_at(self, at: QPoint | None) -> int:
        """Returns the cell at a place, for None the one that the arrows point at; -1 for none."""
        if at is None:
            return self.pointed_at
        cell = self.lattice.cell_at(at.x(), at.y())
        return -1 if cell is None else cell

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.lattice.cell_at(event.position().x(), event.position().y())
        if cell is not None and event.button() is Qt.MouseButton.LeftButton:
            self.point_at(cell)
            self.picked.emit(cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves the cursor by arrows, from one lit cell to the next by Space, and picks by Enter."""
        key = Qt.Key(event.key())
        if key in _ARROWS and self.state is not None:
            start = self.pointed_at if self.pointed_at >= 0 else self.state.actor.cell
            moved = start + _ARROWS[key]
            if 0 <= moved < CELLS:
                self.point_at(moved)
        elif key is Qt.Key.Key_Space and self.aims:
            ordered = sorted(self.aims)
            self.point_at(next((cell for cell in ordered if cell > self.pointed_at), ordered[0]))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.pointed_at >= 0:
            self.picked.emit(self.pointed_at)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.point_at(-1)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.state is None:
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font(1.1))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), int(flags), tr("The board appears here in a fight."))
        else:
            self._paint_cells(painter, self.state)
            self._paint_heat(painter)
            turn = None if self.heat else self.line  # whose labels would lie over the figures
            scene = self._scene(turn, self.state) if turn is not None else EMPTY
            words_only = replace(scene, marks=replace(scene.marks, steps=()))
            ways_only = replace(scene, marks=TurnMarks(scene.marks.steps))
            paint.paint(painter, ways_only, theme.colour("accent"), 1.0)
            for fighter in sorted((f for f in self.state.fighters if f.alive), key=lambda f: f.cell):
                self._paint_fighter(painter, fighter, self.state)
            paint.paint(painter, words_only, theme.colour("accent"), 1.0)
            self._paint_figures(painter)
        if self.hasFocus():
            outlined(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), theme.colour("info"))
        painter.end()

    def _paint_cells(self, painter: QPainter, state: FightState) -> None:
        """Paints the ground, which is drawn anew only when it has changed, and what is aimed at."""
        shades = theme.colour("floor"), theme.colour("border", 0.35)
        drawn = state.map.cells, self.lattice, self.size(), self.devicePixelRatioF(), shades
        if drawn != self._ground_of:
            self._ground, self._ground_of = self._drawn_ground(state.map.cells, *shades), drawn
        painter.drawPixmap(0, 0, self._ground)
        painter.fillPath(diamonds(self.lattice, self.aims, 1.0, 0.84), theme.colour("info", 0.35))
        if self.pointed_at >= 0:
            painter.setPen(QPen(theme.colour("text"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(diamonds(self.lattice, [self.pointed_at], 1.0, 0.94))

    def _drawn_ground(self, cells: bytes, floor_shade: QColor, hole_shade: QColor) -> QPixmap:
        ratio = self.devicePixelRatioF()
        ground = QPixmap(self.size() * ratio)
        ground.setDevicePixelRatio(ratio)
        ground.fill(Qt.GlobalColor.transparent)
        painter = QPainter(ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(*self.lattice.origin_px)
        painter.scale(self.lattice.cell_h, self.lattice.cell_h)
        for shapes, shade in zip(_ground(cells), (floor_shade, hole_shade), strict=True):
            for shape in shapes:
                painter.fillPath(shape, shade)
        painter.end()
        return ground

    def _paint_heat(self, painter: QPainter) -> None:
        """Tints each cell by how near it comes to the best; what was not played on has an edge only."""
        for cell_heat in self.heat.values():
            shape = diamonds(self.lattice, [cell_heat.cell], 1.0, 0.86)
            if cell_heat.points is None:
                painter.setPen(QPen(theme.colour("muted", 0.6), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawPath(shape)
            else:
                near, far = theme.colour("good"), theme.colour("bad")
                painter.fillPath(shape, _between(far, near, cell_heat.share))

    def _paint_figures(self, painter: QPainter) -> None:
        height = self.lattice.cell_h
        if self.state is None or not may_tell_chance(self.state):
            return
        for cell_heat in self.heat.values():
            if cell_heat.points is None or height < _WITH_FIGURES or cell_heat.cell == self.state.actor.cell:
                continue
            x, y = self.lattice.centre(cell_heat.cell)
            both = height >= _WITH_VISITS
            room = QRectF(x - self.lattice.cell_w / 2, y - height / 2, self.lattice.cell_w, height)
            font = theme.font(1.0, bold=True)
            font.setPixelSize(max(8, round(height * (0.36 if both else 0.5))))
            painter.setFont(font)
            painter.setPen(theme.colour("background"))
            figure = words.number(100 * cell_heat.choice.chance)
            above = room.adjusted(0, height * 0.12, 0, -height * 0.42) if both else room
            painter.drawText(above, Qt.AlignmentFlag.AlignCenter, figure)
            if both:
                font = theme.font(1.0)
                font.setPixelSize(max(8, round(height * 0.26)))
                painter.setFont(font)
                below = room.adjusted(0, height * 0.5, 0, -height * 0.12)
                painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(cell_heat.choice.visits))

    def _scene(self, line: TurnLine, state: FightState) -> OverlayScene:
        """Returns a turn as the overlay would draw it; ways lie under the fighters, words over them."""
        drawn = marks(line, state, self.lattice, OverlayGeometry(0, 0, self.width(), self.height()))
        return OverlayScene(marks=drawn, unit=self.lattice.cell_h / 2, room=(self.width(), self.height()))

    def _paint_fighter(self, painter: QPainter, fighter: Fighter, state: FightState) -> None:
        x, y = self.lattice.centre(fighter.cell)
        own, ours = fighter.id == state.actor.id, fighter.team == state.actor.team
        shade = theme.colour("accent" if own else "ally" if ours else "enemy")
        size = self.lattice.cell_h * 0.46
        middle = QPointF(x, y - size * 0.35)
        painter.setPen(QPen(theme.colour("background"), 1.5))
        painter.setBrush(shade)
        painter.drawEllipse(middle, size, size)
        font = theme.font(1.0, bold=True)
        font.setPixelSize(max(7, round(size * 1.1)))
        painter.setFont(font)
        painter.setPen(theme.colour("background"))
        ground = QRectF(middle.x() - size, middle.y() - size, 2 * size, 2 * size)
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, named(fighter.name)[:1])
        track = QRectF(x - size, y - size * 1.75, 2 * size, max(2.0, size * 0.28))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(10, 14, 24))
        painter.drawRect(track.adjusted(-1, -1, 1, 1))
        track.setWidth(track.width() * fighter.hp / max(1, fighter.max_hp))
        painter.setBrush(shade)
        painter.drawRect(track)

    def point_at(self, cell: int) -> None:
        if cell == self.pointed_at:
            return
        self.pointed_at = cell
        at = occupant(self.state, cell)
        lines = [tr("{who}: {hp} HP", who=named(at.name), hp=at.hp)] if at is not None else []
        if cell in self.heat:
            lines.append(_found(self.heat[cell], self.state))
        self.setToolTip("\n".join(lines))
        self.pointed.emit(cell)
        self.update()

    def _fit(self) -> None:
        """Finds where the part of the board that is in use has most room, in the middle.

        Where its cells would be too small to read, it is the part with the fighters, the turn and what can be
        picked, larger.
        """
        if self.state is None:
            return
        standing = [fighter.cell for fighter in self.state.fighters if fighter.alive]
        whole = _bounds([cell for cell, flag in enumerate(self.state.map.cells) if flag] + standing)
        steps = self.line.steps if self.line is not None else ()
        ends = [cell for step in steps for cell in (step.origin, step.action.target) if cell is not None]
        busy = [*standing, *self.aims, *self.heat, *(cell for cell in ends if 0 <= cell < CELLS)]
        across, down = self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN
        scale, part = max(1.0, _scale(whole, across, down)), whole
        if scale < _SMALL:
            part = _bounds(busy).marginsAdded(_AROUND).intersected(whole)
            scale = max(scale, min(_READABLE, _scale(part, across, down)))
        wide, high = across / scale, down / scale
        x = _middle(part.left(), part.right(), whole.left(), whole.right(), wide)
        y = _middle(part.top(), part.bottom(), whole.top(), whole.bottom(), high) - high / 2
        top = whole.top() - (high - whole.height()) / 2 if high >= whole.height() else y
        origin = self.width() / 2 - scale * x, _MARGIN - scale * top
        self.lattice = Lattice(origin, 2.0 * scale, scale)
        self.update()


@lru_cache(maxsize=4)
def _ground(cells: bytes) -> tuple[list[QPainterPath], list[QPainterPath]]:
    """Returns the cells of a map's floor and its holes, in heights of a cell: good for each part and size.

    A path for each: one path of all of them takes four times as long to fill.
    """
    floor, holes = [], []
    for cell, flag in enumerate(cells):
        if flag & CellFlag.WALKABLE:
            floor.append(diamonds(_WHOLE, [cell], 1.0, 0.94))
        elif flag & CellFlag.SIGHT:
            holes.append(diamonds(_WHOLE, [cell], 1.0, 0.94))
    return floor, holes


def _bounds(cells: Sequence[int]) -> QRectF:
    """Returns the rectangle around cells, with room for who stands on them, in heights of a cell."""
    centres = [_WHOLE.centre(cell) for cell in cells]
    left, right = min(x for x, _ in centres) - 1, max(x for x, _ in centres) + 1
    top, bottom = min(y for _, y in centres) - 1.2, max(y for _, y in centres) + 0.8
    return QRectF(left, top, right - left, bottom - top)


def _scale(part: QRectF, across: float, down: float) -> float:
    """Returns how many pixels high a cell is where a part of the board just has room."""
    return min(across / part.width(), down / part.height())


def _middle(first: float, last: float, least: float, most: float, seen: float) -> float:
    """Returns the middle of what is seen: that of a part, with nothing beyond a board that has more."""
    if seen >= most - least:
        return (least + most) / 2
    return max(least + seen / 2, min((first + last) / 2, most - seen / 2))


def _between(far: QColor, near: QColor, share: float) -> QColor:
    parts = ((far.red(), near.red()), (far.green(), near.green()), (far.blue(), near.blue()))
    mixed = QColor(*(round(a + (b - a) * share) for a, b in parts))
    mixed.setAlphaF(0.75)
    return mixed


def _found(heat: CellHeat, state: FightState | None) -> str:
    action = words.headline(heat.choice, state)
    if heat.points is None:
        return tr("{action}: seen by the search, not played on", action=action)
    return tr_counted(
        heat.choice.visits,
        "{action}: {share} to win, {number} rollout",
        "{action}: {share} to win, {number} rollouts",
        number=heat.choice.visits,
        action=action,
        share=words.chance(heat.choice.chance, state),
    )
