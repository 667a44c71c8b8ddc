"""The spells' icons: a tinted tile with a drawn sign, from the icon data of `resources/arena/spells.toml`.

A sign is drawn in a box from (-1, -1) to (1, 1).
"""

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen

from botapp.arena.window import signs, tones
from botapp.arena.window.signs import line, polygon


def _drop(painter: QPainter, x: float, y: float, size: float) -> None:
    path = QPainterPath(QPointF(x, y - size))
    path.cubicTo(x + size * 0.9, y, x + size * 0.8, y + size * 0.9, x, y + size * 0.9)
    path.cubicTo(x - size * 0.8, y + size * 0.9, x - size * 0.9, y, x, y - size)
    painter.drawPath(path)


def _sword(p: QPainter) -> None:
    polygon(p, (0.62, -0.78), (0.78, -0.62), (-0.12, 0.3), (-0.3, 0.12))
    line(p, 0.16, (-0.5, 0.02), (-0.02, 0.5))
    line(p, 0.2, (-0.34, 0.34), (-0.66, 0.66))


def _arrow(p: QPainter) -> None:
    line(p, 0.15, (-0.66, 0.66), (0.5, -0.5))
    polygon(p, (0.76, -0.76), (0.2, -0.58), (0.58, -0.2))
    line(p, 0.13, (-0.72, 0.34), (-0.4, 0.4), (-0.34, 0.72))


def _flame(p: QPainter) -> None:
    path = QPainterPath(QPointF(0.06, -0.85))
    path.cubicTo(0.1, -0.35, 0.66, -0.15, 0.56, 0.35)
    path.cubicTo(0.48, 0.85, -0.48, 0.85, -0.56, 0.32)
    path.cubicTo(-0.6, 0.0, -0.4, -0.12, -0.32, -0.36)
    path.cubicTo(-0.2, -0.2, -0.12, -0.1, -0.1, 0.04)
    path.cubicTo(0.06, -0.2, 0.1, -0.5, 0.06, -0.85)
    p.drawPath(path)


def _water(p: QPainter) -> None:
    _drop(p, 0, 0.02, 0.72)


def _wave(p: QPainter) -> None:
    for y in (-0.42, 0.02, 0.46):
        line(p, 0.2, *[(x / 10, y + 0.13 * math.sin(x * 0.95)) for x in range(-7, 8)])


def _rock(p: QPainter) -> None:
    polygon(
        p, (-0.62, 0.5), (-0.5, -0.2), (-0.05, -0.64), (0.44, -0.4), (0.66, 0.2), (0.4, 0.6), (-0.3, 0.66)
    )


def _heart(p: QPainter) -> None:
    path = QPainterPath(QPointF(0, 0.7))
    path.cubicTo(-1.0, 0.05, -0.72, -0.72, -0.3, -0.62)
    path.cubicTo(-0.1, -0.6, 0, -0.42, 0, -0.32)
    path.cubicTo(0, -0.42, 0.1, -0.6, 0.3, -0.62)
    path.cubicTo(0.72, -0.72, 1.0, 0.05, 0, 0.7)
    p.drawPath(path)


def _shield(p: QPainter) -> None:
    path = QPainterPath(QPointF(0, -0.72))
    path.cubicTo(0.22, -0.52, 0.4, -0.48, 0.6, -0.48)
    path.cubicTo(0.62, 0.1, 0.4, 0.52, 0, 0.76)
    path.cubicTo(-0.4, 0.52, -0.62, 0.1, -0.6, -0.48)
    path.cubicTo(-0.4, -0.48, -0.22, -0.52, 0, -0.72)
    p.drawPath(path)


def _bolt(p: QPainter) -> None:
    polygon(p, (0.2, -0.82), (-0.46, 0.12), (-0.06, 0.12), (-0.22, 0.82), (0.48, -0.18), (0.06, -0.18))


def _star(p: QPainter) -> None:
    points = []
    for i in range(10):
        reach = 0.78 if i % 2 == 0 else 0.34
        angle = math.radians(-90 + i * 36)
        points.append((reach * math.cos(angle), reach * math.sin(angle)))
    polygon(p, *points)


def _burst(p: QPainter) -> None:
    points = []
    for i in range(16):
        reach = 0.8 if i % 2 == 0 else 0.42
        angle = math.radians(i * 22.5)
        points.append((reach * math.cos(angle), reach * math.sin(angle)))
    polygon(p, *points)


def _fang(p: QPainter) -> None:
    for side in (-1, 1):
        path = QPainterPath(QPointF(side * 0.6, -0.6))
        path.quadTo(side * 0.66, 0.3, side * 0.24, 0.74)
        path.quadTo(side * 0.06, 0.1, side * 0.14, -0.6)
        path.closeSubpath()
        p.drawPath(path)


def _chain(p: QPainter) -> None:
    p.save()
    p.setPen(QPen(p.brush().color(), 0.19))
    p.setBrush(Qt.BrushStyle.NoBrush)
    for x, y in ((-0.36, 0.36), (0.0, 0.0), (0.36, -0.36)):
        p.drawEllipse(QPointF(x, y), 0.26, 0.26)
    p.restore()


def _arc(p: QPainter) -> None:
    line(p, 0.15, *[(x / 10, 0.5 - 1.05 * (1 - (x / 7) ** 2)) for x in range(-7, 7)])
    polygon(p, (0.5, 0.24), (0.86, 0.2), (0.72, 0.76))


def _snare(p: QPainter) -> None:
    line(p, 0.16, (-0.7, 0.1), (-0.5, 0.52), (0, 0.68), (0.5, 0.52), (0.7, 0.1))
    for x, y in ((-0.56, 0.3), (-0.2, 0.52), (0.2, 0.52), (0.56, 0.3)):
        polygon(p, (x - 0.16, y), (x - x * 0.3, y - 0.56), (x + 0.16, y))


def _dagger(p: QPainter) -> None:
    polygon(p, (0.7, -0.74), (0.5, -0.14), (-0.04, 0.3), (-0.22, 0.08), (0.12, -0.48))
    line(p, 0.15, (-0.34, -0.02), (0.08, 0.42))
    line(p, 0.22, (-0.24, 0.24), (-0.56, 0.58))


def _spark(p: QPainter) -> None:
    polygon(
        p,
        (0, -0.85),
        (0.17, -0.17),
        (0.85, 0),
        (0.17, 0.17),
        (0, 0.85),
        (-0.17, 0.17),
        (-0.85, 0),
        (-0.17, -0.17),
    )
    p.drawEllipse(QPointF(0.52, -0.52), 0.13, 0.13)
    p.drawEllipse(QPointF(-0.52, 0.52), 0.1, 0.1)


def _cross(p: QPainter) -> None:
    for turn in range(4):
        p.save()
        p.rotate(90 * turn)
        path = QPainterPath(QPointF(-0.16, -0.16))
        path.cubicTo(-0.34, -0.46, -0.1, -0.56, 0.02, -0.9)
        path.cubicTo(0.12, -0.56, 0.34, -0.46, 0.16, -0.16)
        p.drawPath(path)
        p.restore()
    p.drawEllipse(QPointF(0, 0), 0.2, 0.2)


def _comet(p: QPainter) -> None:
    p.drawEllipse(QPointF(-0.28, 0.28), 0.42, 0.42)
    for a, b in ((-0.42, 0.0), (-0.06, 0.22), (0.2, 0.5)):
        line(p, 0.13, (a + 0.18, b - 0.36), (a + 0.74, b - 0.92))


def _swamp(p: QPainter) -> None:
    p.drawEllipse(QPointF(0, 0.4), 0.76, 0.3)
    for x, y, size in ((-0.3, -0.1, 0.17), (0.12, -0.36, 0.23), (0.4, 0.0, 0.13)):
        p.drawEllipse(QPointF(x, y), size, size)


def _fist(p: QPainter) -> None:
    for index in range(4):
        p.drawRoundedRect(QRectF(-0.64 + index * 0.31, -0.52 + 0.05 * (index % 3), 0.28, 0.62), 0.12, 0.12)
    p.drawRoundedRect(QRectF(-0.62, -0.04, 1.18, 0.62), 0.24, 0.24)


def _eye(p: QPainter) -> None:
    path = QPainterPath(QPointF(-0.82, 0))
    path.quadTo(0, -0.86, 0.82, 0)
    path.quadTo(0, 0.86, -0.82, 0)
    path.addEllipse(QPointF(0, 0), 0.3, 0.3)
    p.drawPath(path)
    p.drawEllipse(QPointF(0, 0), 0.14, 0.14)


SIGNS: dict[str, Callable[[QPainter], None]] = {
    "sword": _sword,
    "wave": _wave,
    "chain": _chain,
    "shield": _shield,
    "heart": _heart,
    "arrow": _arrow,
    "bolt": _bolt,
    "arc": _arc,
    "snare": _snare,
    "dagger": _dagger,
    "spark": _spark,
    "burst": _burst,
    "cross": _cross,
    "comet": _comet,
    "drop": _water,
    "star": _star,
    "swamp": _swamp,
    "fang": _fang,
    "fist": _fist,
    "rock": _rock,
    "flame": _flame,
    "eye": _eye,
    **signs.SIGNS,
}


def paint(painter: QPainter, box: QRectF, sign: str, colour: str, grey: bool = False) -> None:
    """Draws a spell's tile; `grey` draws it without colour, as what cannot be cast now."""
    tint = tones.greyed(colour) if grey else QColor(colour)
    ink = tones.greyed("#fff3dc") if grey else QColor("#fff3dc")
    shade = QLinearGradient(box.topLeft(), box.bottomRight())
    shade.setColorAt(0, tones.lighter(tint, 0.05 if grey else 0.22))
    shade.setColorAt(1, tones.darker(tint, 0.42))
    painter.save()
    painter.setPen(QPen(tones.darker(tint, 0.65), max(1.0, box.width() * 0.035)))
    painter.setBrush(shade)
    painter.drawRoundedRect(box, box.width() * 0.14, box.width() * 0.14)
    painter.translate(box.center())
    painter.scale(box.width() / 2, box.width() / 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.faded("#ffffff", 0.05 if grey else 0.13))
    painter.drawEllipse(QPointF(0, 0), 0.8, 0.8)
    painter.scale(0.74, 0.74)
    for ink_now, shift in ((tones.darker(tint, 0.7), 0.07), (ink, 0.0)):
        painter.save()
        painter.translate(shift * 0.6, shift)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink_now)
        SIGNS[sign](painter)
        painter.restore()
    painter.restore()
