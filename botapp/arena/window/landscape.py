"""The country around the board: a dusky clearing with flat bushes, trees, stones and flowers, from a seed."""

import math
import random

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen, QPolygonF, QRadialGradient

from botapp.arena.window import tones
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.terrain import kinds, rim

_GRASS = ("#34573f", "#1f3a34")
_LEAVES = ("#2d5a41", "#3c6b45", "#24503f", "#4a6f3d", "#6b6a35", "#7a5a34")
_TRUNK = "#3b2c26"


def paint(painter: QPainter, layout: ArenaLayout, cells: bytes, seed: int) -> None:
    """Paints the whole client area; nothing taller than grass comes near the board."""
    dice = random.Random(seed * 7919 + 17)
    size = QRectF(0, 0, layout.width, layout.height)
    ground = QLinearGradient(0, 0, 0, layout.height)
    ground.setColorAt(0, QColor(_GRASS[1]))
    ground.setColorAt(0.35, QColor(_GRASS[0]))
    ground.setColorAt(1, tones.darker(_GRASS[0], 0.25))
    painter.fillRect(size, ground)
    _patches(painter, layout, dice)
    _clearing(painter, layout)
    _grass(painter, layout, dice)
    _scatter(painter, layout, cells, dice)
    _vignette(painter, layout)


def _patches(painter: QPainter, layout: ArenaLayout, dice: random.Random) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for _ in range(70):
        x, y = dice.uniform(0, layout.width), dice.uniform(0, layout.height)
        tone = dice.choice(("#4d7a4a", "#1b332f", "#3f6b4d", "#27473b"))
        painter.setBrush(tones.faded(tone, dice.uniform(0.10, 0.28)))
        wide = dice.uniform(0.05, 0.22) * layout.unit
        painter.drawEllipse(QPointF(x, y), wide, wide * dice.uniform(0.3, 0.5))


def _clearing(painter: QPainter, layout: ArenaLayout) -> None:
    lattice = layout.lattice
    x, y = lattice.centre(20 * 14 + 6)
    painter.save()
    painter.translate(x, y)
    painter.scale(1, 0.52)
    reach = 8.3 * lattice.cell_w
    glow = QRadialGradient(QPointF(0, 0), reach)
    glow.setColorAt(0, tones.faded("#8a7a4c", 0.75))
    glow.setColorAt(0.7, tones.faded("#74703f", 0.45))
    glow.setColorAt(1, tones.faded("#5f6f3f", 0.0))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(glow)
    painter.drawEllipse(QPointF(0, 0), reach, reach)
    painter.restore()


def _grass(painter: QPainter, layout: ArenaLayout, dice: random.Random) -> None:
    unit = layout.unit
    for _ in range(int(520 * layout.width / layout.height / 1.78)):
        x, y = dice.uniform(0, layout.width), dice.uniform(0, layout.height)
        tone = dice.choice(("#557d45", "#2a4d3a", "#6b8a4a", "#3d6844"))
        painter.setPen(QPen(tones.faded(tone, 0.65), max(0.8, unit * 0.0018)))
        for lean in (-0.005, 0.0, 0.006):
            tall = dice.uniform(0.006, 0.014) * unit
            painter.drawLine(QPointF(x, y), QPointF(x + lean * unit, y - tall))
    painter.setPen(Qt.PenStyle.NoPen)
    for _ in range(42):
        x, y = dice.uniform(0, layout.width), dice.uniform(0, layout.height)
        painter.setBrush(tones.faded(dice.choice(("#e8e2c8", "#e2b84a", "#c88a9a")), 0.75))
        for _ in range(dice.randrange(1, 4)):
            spot = QPointF(x + dice.uniform(-1, 1) * unit * 0.012, y + dice.uniform(-1, 1) * unit * 0.006)
            painter.drawEllipse(spot, unit * 0.0026, unit * 0.002)


def _scatter(painter: QPainter, layout: ArenaLayout, cells: bytes, dice: random.Random) -> None:
    grounds = kinds(cells)
    lattice = layout.lattice
    board = [lattice.centre(cell) for cell in rim(grounds)]
    unit = layout.unit
    spots: list[tuple[float, float, float]] = []
    for _ in range(900):
        x, y = dice.uniform(-0.05, 1.05) * layout.width, dice.uniform(0.02, 0.99) * layout.height
        clear = min((math.hypot(x - bx, (y - by) * 1.7) for bx, by in board), default=unit) / unit
        if clear < 0.085:
            continue
        room = 0.05 + min(clear, 0.4) * 0.12
        if all(math.hypot(x - sx, (y - sy) * 1.6) > room * unit for sx, sy, _ in spots):
            spots.append((x, y, clear))
    for x, y, clear in sorted(spots, key=lambda spot: spot[1]):
        roll = dice.random()
        cut_off = any(abs(x - bx) < 0.1 * unit and 0 < y - by < 0.3 * unit for bx, by in board)
        if clear > 0.16 and not cut_off and roll < 0.45:
            _tree(painter, x, y, unit * dice.uniform(0.8, 1.15), dice)
        elif roll < 0.72:
            _bush(painter, x, y, unit * dice.uniform(0.6, 1.1) * min(1.0, clear * 6), dice)
        elif roll < 0.86:
            _stone(painter, x, y, unit * dice.uniform(0.5, 1.0), dice)
        else:
            _fern(painter, x, y, unit * dice.uniform(0.7, 1.1), dice)


def _shadow(painter: QPainter, x: float, y: float, wide: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.faded("#0a1715", 0.38))
    painter.drawEllipse(QPointF(x + wide * 0.12, y), wide, wide * 0.34)


def _crown(
    painter: QPainter, x: float, y: float, wide: float, tall: float, tone: str, dice: random.Random
) -> None:
    """Paints a heap of round leaves: a dark one below, the tone, and light on the upper left."""
    lumps = [
        (dice.uniform(-0.62, 0.62) * wide, dice.uniform(-0.5, 0.4) * tall, dice.uniform(0.36, 0.56))
        for _ in range(7)
    ]
    for colour, dx, dy, grow in (
        (tones.darker(tone, 0.4), 0.05, 0.12, 1.06),
        (QColor(tone), 0.0, 0.0, 1.0),
        (tones.lighter(tone, 0.14), -0.1, -0.13, 0.66),
        (tones.lighter(tone, 0.28), -0.17, -0.24, 0.3),
    ):
        heap = QPainterPath()
        heap.setFillRule(Qt.FillRule.WindingFill)
        for lump_x, lump_y, size in lumps:
            middle = QPointF(x + lump_x + dx * wide, y + lump_y + dy * tall)
            heap.addEllipse(middle, size * wide * grow, size * tall * grow)
        painter.fillPath(heap, colour)


def _tree(painter: QPainter, x: float, y: float, unit: float, dice: random.Random) -> None:
    tone = dice.choice(_LEAVES)
    _shadow(painter, x, y, unit * 0.06)
    if dice.random() < 0.35:
        _pine(painter, x, y, unit, tone)
        return
    trunk = [
        QPointF(x - unit * 0.016, y),
        QPointF(x - unit * 0.009, y - unit * 0.09),
        QPointF(x + unit * 0.009, y - unit * 0.09),
        QPointF(x + unit * 0.018, y),
    ]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(_TRUNK))
    painter.drawPolygon(QPolygonF(trunk))
    painter.setBrush(tones.lighter(_TRUNK, 0.18))
    painter.drawPolygon(QPolygonF([trunk[0], trunk[1], QPointF(x - unit * 0.002, y - unit * 0.09)]))
    _crown(painter, x, y - unit * 0.125, unit * 0.058, unit * 0.05, tone, dice)


def _pine(painter: QPainter, x: float, y: float, unit: float, tone: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(_TRUNK))
    painter.drawRect(QRectF(x - unit * 0.008, y - unit * 0.03, unit * 0.016, unit * 0.03))
    for step in range(4):
        low = y - unit * (0.02 + 0.036 * step)
        wide = unit * (0.056 - 0.011 * step)
        high = low - unit * 0.06
        painter.setBrush(tones.darker(tone, 0.28 - 0.06 * step))
        painter.drawPolygon(QPolygonF([QPointF(x - wide, low), QPointF(x, high), QPointF(x + wide, low)]))
        painter.setBrush(tones.lighter(tone, 0.02 + 0.05 * step))
        painter.drawPolygon(
            QPolygonF([QPointF(x - wide, low), QPointF(x, high), QPointF(x - wide * 0.1, low + unit * 0.006)])
        )


def _bush(painter: QPainter, x: float, y: float, unit: float, dice: random.Random) -> None:
    _shadow(painter, x, y, unit * 0.05)
    _crown(painter, x, y - unit * 0.018, unit * 0.042, unit * 0.026, dice.choice(_LEAVES), dice)


def _stone(painter: QPainter, x: float, y: float, unit: float, dice: random.Random) -> None:
    _shadow(painter, x, y, unit * 0.03)
    wide, tall = unit * 0.03, unit * dice.uniform(0.022, 0.045)
    tone = dice.choice(("#5d6570", "#6a6a66", "#525c63"))
    shape = [(-1, 0), (-0.75, -0.6), (-0.2, -1), (0.5, -0.8), (1, -0.1), (0.4, 0.25), (-0.5, 0.25)]
    points = [QPointF(x + px * wide, y + py * tall) for px, py in shape]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.darker(tone, 0.2))
    painter.drawPolygon(QPolygonF(points))
    painter.setBrush(tones.lighter(tone, 0.12))
    painter.drawPolygon(QPolygonF([*points[:4], QPointF(x + wide * 0.1, y - tall * 0.35)]))


def _fern(painter: QPainter, x: float, y: float, unit: float, dice: random.Random) -> None:
    tone = dice.choice(_LEAVES)
    for leaf in range(7):
        angle = math.radians(200 + leaf * 23)
        reach = unit * dice.uniform(0.028, 0.04)
        tip = QPointF(x + math.cos(angle) * reach, y + math.sin(angle) * reach * 0.9)
        blade = QPainterPath(QPointF(x, y))
        blade.quadTo(QPointF(x + (tip.x() - x) * 0.5, tip.y() - unit * 0.008), tip)
        blade.quadTo(QPointF(x + (tip.x() - x) * 0.6, tip.y() + unit * 0.012), QPointF(x, y))
        painter.fillPath(blade, tones.lighter(tone, 0.06 * (leaf % 3)))


def _vignette(painter: QPainter, layout: ArenaLayout) -> None:
    reach = math.hypot(layout.width, layout.height) / 2
    dusk = QRadialGradient(QPointF(layout.width / 2, layout.height * 0.48), reach)
    dusk.setColorAt(0.45, tones.faded("#0b1220", 0.0))
    dusk.setColorAt(1, tones.faded("#0b1220", 0.62))
    painter.fillRect(QRectF(0, 0, layout.width, layout.height), dusk)
