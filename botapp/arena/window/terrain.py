"""What does not move: which cells are drawn as what, the floor, its holes and the slab it lies on.

A map marks obstacles and the outside alike (no flag). What can be reached from the lattice's border over
unmarked cells is outside; what is enclosed by the board is an obstacle and is drawn as a raised block.
"""

import math
import random
from functools import lru_cache

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from botapp.arena.window import tones
from botapp.arena.window.layout import ArenaLayout
from botapp.fight.board import CELLS, ROW_LENGTH, ROWS, XY, neighbours, to_cell
from botapp.fight.state import CellFlag
from vision.view import CellKind

BLOCK_RISE = 0.42
_SLAB = 0.42
_WALL = 0.30
_SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Steps to the cells beyond a diamond's four sides, clockwise from the upper right one."""


@lru_cache(maxsize=16)
def kinds(cells: bytes) -> tuple[CellKind, ...]:
    """Returns what each of the 560 cells is drawn as."""
    result = [CellKind.OUTSIDE] * CELLS
    for cell, flags in enumerate(cells):
        if flags & CellFlag.WALKABLE:
            result[cell] = CellKind.WALKABLE
        elif flags & CellFlag.SIGHT:
            result[cell] = CellKind.HOLE
        else:
            result[cell] = CellKind.OBSTACLE
    queue = [c for c in range(CELLS) if c // ROW_LENGTH in (0, ROWS - 1) or len(neighbours(c)) < 4]
    while queue:
        cell = queue.pop()
        if result[cell] is CellKind.OBSTACLE:
            result[cell] = CellKind.OUTSIDE
            queue.extend(neighbours(cell))
    return tuple(result)


def rim(kinds_of_cells: tuple[CellKind, ...]) -> list[int]:
    return [
        cell
        for cell, kind in enumerate(kinds_of_cells)
        if kind is not CellKind.OUTSIDE
        and any(_is(_towards(cell, *step), kinds_of_cells, CellKind.OUTSIDE) for step in _SIDES)
    ]


def corners(layout: ArenaLayout, cell: int, scale: float = 1.0) -> list[QPointF]:
    """Returns a cell's top, right, bottom and left corner, nearer to its centre by `scale`."""
    x, y = layout.lattice.centre(cell)
    w, h = layout.lattice.cell_w / 2 * scale, layout.lattice.cell_h / 2 * scale
    return [QPointF(x, y - h), QPointF(x + w, y), QPointF(x, y + h), QPointF(x - w, y)]


def diamond(layout: ArenaLayout, cell: int, scale: float = 1.0) -> QPolygonF:
    """Returns a cell's outline, made smaller around its centre by `scale`."""
    return QPolygonF(corners(layout, cell, scale))


def _towards(cell: int, dx: int, dy: int) -> int | None:
    x, y = XY[cell]
    return to_cell(x + dx, y + dy)


def _is(cell: int | None, kinds_of_cells: tuple[CellKind, ...], *wanted: CellKind) -> bool:
    return (CellKind.OUTSIDE if cell is None else kinds_of_cells[cell]) in wanted


def paint_floor(painter: QPainter, layout: ArenaLayout, cells: bytes, seed: int) -> None:
    """Paints the slab, the floor tiles and the holes, back to front."""
    kinds_of_cells = kinds(cells)
    board = [cell for cell in range(CELLS) if kinds_of_cells[cell] is not CellKind.OUTSIDE]
    _paint_rim(painter, layout, _outline(layout, board, kinds_of_cells))
    for cell in board:
        _paint_slab(painter, layout, cell, kinds_of_cells)
    for cell in board:
        dice = random.Random(seed * CELLS + cell)
        if kinds_of_cells[cell] is CellKind.HOLE:
            _paint_hole(painter, layout, cell, kinds_of_cells)
        else:
            _paint_tile(painter, layout, cell, dice)


def _outline(layout: ArenaLayout, board: list[int], kinds_of_cells: tuple[CellKind, ...]) -> QPainterPath:
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for cell in board:
        row, col = divmod(cell, ROW_LENGTH)
        x = 2 * col + row % 2
        corners = ((x, row - 1), (x + 1, row), (x, row + 1), (x - 1, row))
        for side, step in enumerate(_SIDES):
            if _is(_towards(cell, *step), kinds_of_cells, CellKind.OUTSIDE):
                onward.setdefault(corners[side], []).append(corners[(side + 1) % 4])
    (left, top), w, h = layout.lattice.origin_px, layout.lattice.cell_w / 2, layout.lattice.cell_h / 2
    path = QPainterPath()
    while onward:
        corner = next(iter(onward))
        loop = QPolygonF()
        while corner in onward:
            loop.append(QPointF(left + corner[0] * w, top + corner[1] * h))
            ends = onward[corner]
            following = ends.pop()
            if not ends:
                del onward[corner]
            corner = following
        path.addPolygon(loop)
        path.closeSubpath()
    return path


def _paint_rim(painter: QPainter, layout: ArenaLayout, outline: QPainterPath) -> None:
    unit = layout.lattice.cell_h
    shadow = outline.translated(0, unit * 0.55)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for step in range(6, 0, -1):
        pen = tones.pen(tones.faded("#060b10", 0.07), unit * 0.16 * step)
        painter.strokePath(shadow, pen)
    painter.fillPath(shadow, tones.faded("#060b10", 0.35))
    painter.strokePath(outline, tones.pen(QColor(tones.RIM), unit * 0.24))
    painter.strokePath(
        outline.translated(0, -unit * 0.05),
        tones.pen(tones.lighter(tones.RIM, 0.25), unit * 0.1),
    )


def _paint_slab(
    painter: QPainter, layout: ArenaLayout, cell: int, kinds_of_cells: tuple[CellKind, ...]
) -> None:
    _, right, bottom, left = corners(layout, cell)
    drop = QPointF(0, layout.lattice.cell_h * _SLAB)
    painter.setPen(Qt.PenStyle.NoPen)
    for neighbour, a, b, colour in (
        (_towards(cell, 0, -1), left, bottom, tones.SLAB_LEFT),
        (_towards(cell, 1, 0), bottom, right, tones.SLAB_RIGHT),
    ):
        if _is(neighbour, kinds_of_cells, CellKind.OUTSIDE):
            shade = QLinearGradient(a, a + drop)
            shade.setColorAt(0, QColor(colour))
            shade.setColorAt(1, tones.darker(colour, 0.45))
            painter.setBrush(shade)
            painter.drawPolygon(QPolygonF([a, b, b + drop, a + drop]))


def _paint_tile(painter: QPainter, layout: ArenaLayout, cell: int, dice: random.Random) -> None:
    tone = QColor(tones.FLOOR[(cell // ROW_LENGTH) % 2])
    tone = tones.blend(tone, "#fff2cc" if dice.random() < 0.5 else "#8a6f42", dice.random() * 0.09)
    top, right, bottom, left = corners(layout, cell)
    shade = QLinearGradient(top, bottom)
    shade.setColorAt(0, tones.darker(tone, 0.03))
    shade.setColorAt(1, tones.lighter(tone, 0.10))
    painter.setPen(QPen(QColor(tones.FLOOR_EDGE), max(1.0, layout.unit * 0.0013)))
    painter.setBrush(shade)
    painter.drawPolygon(QPolygonF([top, right, bottom, left]))
    painter.setPen(QPen(tones.faded("#fff4d6", 0.35), max(0.8, layout.unit * 0.0012)))
    top, right, _, left = corners(layout, cell, 0.93)
    painter.drawPolyline(QPolygonF([left, top, right]))
    _paint_wear(painter, layout, cell, dice, tone)


def _paint_wear(painter: QPainter, layout: ArenaLayout, cell: int, dice: random.Random, tone: QColor) -> None:
    x, y = layout.lattice.centre(cell)
    w, h = layout.lattice.cell_w, layout.lattice.cell_h
    painter.setPen(Qt.PenStyle.NoPen)
    for _ in range(dice.randrange(2, 6)):
        across, down = dice.uniform(-0.34, 0.34), dice.uniform(-0.34, 0.34)
        px, py = x + (across + down) * w / 2, y + (down - across) * h / 2
        painter.setBrush(tones.faded(tones.darker(tone, 0.5), 0.22))
        size = dice.uniform(0.015, 0.04) * w
        painter.drawEllipse(QPointF(px, py), size, size / 2)
    if dice.random() < 0.16:
        bend = dice.uniform(-0.1, 0.1)
        crack = QPolygonF(
            [
                QPointF(x - 0.22 * w, y + bend * h),
                QPointF(x - 0.05 * w, y + (bend + 0.08) * h),
                QPointF(x + 0.04 * w, y - 0.05 * h),
                QPointF(x + 0.2 * w, y + 0.04 * h),
            ]
        )
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(tones.faded(tones.darker(tone, 0.55), 0.4), max(0.8, w * 0.014)))
        painter.drawPolyline(crack)
    if dice.random() < 0.14:
        painter.setPen(QPen(tones.faded("#6f8f3c", 0.9), max(0.9, w * 0.016)))
        foot = QPointF(x + dice.uniform(-0.2, 0.2) * w, y + dice.choice((-0.22, 0.24)) * h)
        for lean in (-0.045, 0.0, 0.05):
            painter.drawLine(foot, foot + QPointF(lean * w, -0.07 * w))


def _paint_hole(
    painter: QPainter, layout: ArenaLayout, cell: int, kinds_of_cells: tuple[CellKind, ...]
) -> None:
    top, right, _, left = corners(layout, cell)
    shape = diamond(layout, cell)
    drop = QPointF(0, layout.lattice.cell_h * _WALL)
    painter.save()
    clip = QPainterPath()
    clip.addPolygon(shape)
    painter.setClipPath(clip)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tones.HOLE))
    painter.drawPolygon(shape)
    for neighbour, a, b, colour in (
        (_towards(cell, -1, 0), left, top, tones.HOLE_LEFT),
        (_towards(cell, 0, 1), top, right, tones.HOLE_RIGHT),
    ):
        if not _is(neighbour, kinds_of_cells, CellKind.HOLE):
            shade = QLinearGradient(a, a + drop)
            shade.setColorAt(0, QColor(colour))
            shade.setColorAt(1, tones.blend(colour, tones.HOLE, 0.7))
            painter.setBrush(shade)
            painter.drawPolygon(QPolygonF([a, b, b + drop, a + drop]))
    painter.restore()


def block_picture(layout: ArenaLayout, cell: int, seed: int) -> tuple[QPoint, QPixmap]:
    """Returns an obstacle's block as a picture, and where its upper left corner goes."""
    x, y = layout.lattice.centre(cell)
    w, h = layout.lattice.cell_w, layout.lattice.cell_h
    corner = QPoint(math.floor(x - w / 2) - 2, math.floor(y - h * (0.5 + BLOCK_RISE)) - 2)
    picture = QPixmap(math.ceil(w) + 5, math.ceil(h * (1 + BLOCK_RISE)) + 5)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(-corner)
        _paint_block(painter, layout, cell, seed)
    return corner, picture


def _paint_block(painter: QPainter, layout: ArenaLayout, cell: int, seed: int) -> None:
    dice = random.Random(seed * CELLS + cell)
    style = dice.choice((tones.STONE, tones.STONE, tones.MOSSY, tones.CRATE))
    rise = QPointF(0, -layout.lattice.cell_h * BLOCK_RISE * dice.uniform(0.88, 1.0))
    _, right, bottom, left = corners(layout, cell)
    line = tones.pen(tones.darker(style[2], 0.45), max(1.0, layout.unit * 0.0016))
    painter.setPen(line)
    for a, b, tone in ((left, bottom, style[1]), (bottom, right, style[2])):
        shade = QLinearGradient(a + rise, a)
        shade.setColorAt(0, QColor(tone))
        shade.setColorAt(1, tones.darker(tone, 0.28))
        painter.setBrush(shade)
        painter.drawPolygon(QPolygonF([a + rise, b + rise, b, a]))
    shade = QLinearGradient(left + rise, right + rise)
    shade.setColorAt(0, tones.lighter(style[0], 0.16))
    shade.setColorAt(1, QColor(style[0]))
    painter.setBrush(shade)
    painter.drawPolygon(diamond(layout, cell).translated(rise))
    _paint_block_detail(painter, layout, cell, rise, style, dice)


def _paint_block_detail(
    painter: QPainter,
    layout: ArenaLayout,
    cell: int,
    rise: QPointF,
    style: tuple[str, str, str],
    dice: random.Random,
) -> None:
    inner = [corner + rise for corner in corners(layout, cell, 0.74)]
    width = max(0.9, layout.unit * 0.0016)
    if style is tones.CRATE:
        painter.setPen(QPen(tones.darker(style[0], 0.4), width))
        painter.setBrush(tones.lighter(style[0], 0.08))
        painter.drawPolygon(QPolygonF(inner))
        for share in (0.33, 0.67):
            a = inner[0] + (inner[1] - inner[0]) * share
            b = inner[3] + (inner[2] - inner[3]) * share
            painter.drawLine(a, b)
        return
    painter.setPen(QPen(tones.faded(tones.lighter(style[0], 0.5), 0.6), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([inner[3], inner[0], inner[1]]))
    start = inner[3] + (inner[2] - inner[3]) * dice.uniform(0.2, 0.8)
    middle = inner[0] + (inner[2] - inner[0]) * dice.uniform(0.35, 0.65)
    painter.setPen(QPen(tones.faded(tones.darker(style[0], 0.5), 0.6), width))
    painter.drawPolyline(QPolygonF([start, middle, middle + QPointF(dice.uniform(2, 6), -3) * width]))
    if style is tones.MOSSY:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tones.faded("#57803a", 0.75))
        for _ in range(3):
            spot = inner[0] + (inner[2] - inner[0]) * dice.random()
            size = layout.lattice.cell_w * dice.uniform(0.05, 0.1)
            painter.drawEllipse(spot + QPointF(dice.uniform(-1, 1) * size * 2, 0), size, size / 2)
