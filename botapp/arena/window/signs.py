"""More signs for the spells' icons: pushes, summons, marks on the ground, states.

A sign is drawn in a box from (-1, -1) to (1, 1).
"""

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPolygonF

from botapp.arena.window import tones


def polygon(painter: QPainter, *points: tuple[float, float]) -> None:
    """Fills a polygon."""
    painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))


def line(painter: QPainter, width: float, *points: tuple[float, float]) -> None:
    """Draws an open line with round ends in the brush's colour."""
    pen = tones.pen(painter.brush().color(), width)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.save()
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))
    painter.restore()


def _outline(painter: QPainter, width: float, path: QPainterPath) -> None:
    painter.save()
    painter.setPen(tones.pen(painter.brush().color(), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.restore()


def _gust(p: QPainter) -> None:
    for y, reach in ((-0.42, 0.3), (0.0, 0.7), (0.42, 0.1)):
        line(p, 0.17, (-0.74, y), (reach - 0.16, y))
        polygon(p, (reach - 0.22, y - 0.24), (reach + 0.14, y), (reach - 0.22, y + 0.24))


def _hook(p: QPainter) -> None:
    path = QPainterPath(QPointF(0.16, -0.5))
    path.lineTo(0.16, 0.24)
    path.cubicTo(0.16, 0.86, -0.62, 0.86, -0.6, 0.2)
    _outline(p, 0.19, path)
    polygon(p, (-0.84, 0.26), (-0.58, -0.16), (-0.34, 0.26))
    _outline(p, 0.15, _circle(0.16, -0.64, 0.16))


def _circle(x: float, y: float, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(x, y), radius, radius)
    return path


def _blink(p: QPainter) -> None:
    p.drawEllipse(QPointF(-0.5, 0.46), 0.2, 0.2)
    for x, y, size in ((-0.18, 0.1, 0.11), (0.02, -0.16, 0.13)):
        p.drawEllipse(QPointF(x, y), size, size)
    polygon(
        p,
        (0.44, -0.84),
        (0.53, -0.53),
        (0.84, -0.44),
        (0.53, -0.35),
        (0.44, -0.04),
        (0.35, -0.35),
        (0.04, -0.44),
        (0.35, -0.53),
    )


def _rune(p: QPainter) -> None:
    _outline(p, 0.13, _circle(0, 0, 0.7))
    line(p, 0.14, (0, -0.5), (0.44, 0.26), (-0.44, 0.26), (0, -0.5))
    p.drawEllipse(QPointF(0, 0.04), 0.11, 0.11)


def _leaf(p: QPainter) -> None:
    path = QPainterPath(QPointF(0.72, -0.72))
    path.cubicTo(0.84, 0.3, 0.2, 0.72, -0.42, 0.5)
    path.cubicTo(-0.66, -0.14, -0.2, -0.72, 0.72, -0.72)
    p.drawPath(path)
    line(p, 0.13, (-0.76, 0.78), (-0.34, 0.4))


def _sprout(p: QPainter) -> None:
    line(p, 0.16, (0, 0.76), (0, -0.06))
    for side in (-1, 1):
        path = QPainterPath(QPointF(0, 0.04))
        path.cubicTo(side * 0.1, -0.5, side * 0.5, -0.7, side * 0.8, -0.62)
        path.cubicTo(side * 0.76, -0.1, side * 0.4, 0.14, 0, 0.04)
        p.drawPath(path)
    line(p, 0.14, (-0.44, 0.76), (0.44, 0.76))


def _hourglass(p: QPainter) -> None:
    for y in (-0.72, 0.72):
        line(p, 0.18, (-0.5, y), (0.5, y))
    polygon(p, (-0.44, -0.6), (0.44, -0.6), (0.06, 0), (0.44, 0.6), (-0.44, 0.6), (-0.06, 0))


def _veil(p: QPainter) -> None:
    path = QPainterPath(QPointF(0, -0.8))
    path.cubicTo(0.7, -0.7, 0.6, 0.2, 0.66, 0.76)
    path.quadTo(0.44, 0.5, 0.22, 0.76)
    path.quadTo(0, 0.5, -0.22, 0.76)
    path.quadTo(-0.44, 0.5, -0.66, 0.76)
    path.cubicTo(-0.6, 0.2, -0.7, -0.7, 0, -0.8)
    for side in (-1, 1):
        path.addEllipse(QPointF(side * 0.22, -0.22), 0.12, 0.15)
    p.drawPath(path)


def _anchor(p: QPainter) -> None:
    line(p, 0.17, (0, -0.4), (0, 0.7))
    line(p, 0.15, (-0.34, -0.2), (0.34, -0.2))
    _outline(p, 0.13, _circle(0, -0.58, 0.17))
    path = QPainterPath(QPointF(-0.62, 0.16))
    path.cubicTo(-0.56, 0.86, 0.56, 0.86, 0.62, 0.16)
    _outline(p, 0.17, path)
    for side in (-1, 1):
        polygon(p, (side * 0.8, 0.3), (side * 0.62, -0.04), (side * 0.42, 0.3))


def _rise(p: QPainter) -> None:
    for y in (-0.44, 0.06, 0.56):
        line(p, 0.2, (-0.5, y + 0.26), (0, y - 0.2), (0.5, y + 0.26))


def _gear(p: QPainter) -> None:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    teeth = []
    for step in range(32):
        reach = 0.8 if step % 4 in (0, 1) else 0.58
        angle = math.radians(step * 11.25)
        teeth.append(QPointF(reach * math.cos(angle), reach * math.sin(angle)))
    path.addPolygon(QPolygonF(teeth))
    path.addEllipse(QPointF(0, 0), 0.26, 0.26)
    p.drawPath(path)


def _web(p: QPainter) -> None:
    ends = [(0.8 * math.cos(math.radians(a)), 0.8 * math.sin(math.radians(a))) for a in range(0, 360, 60)]
    for x, y in ends:
        line(p, 0.09, (0, 0), (x, y))
    for share in (0.38, 0.72):
        ring = [(x * share, y * share) for x, y in ends]
        line(p, 0.09, *ring, ring[0])


def _feather(p: QPainter) -> None:
    path = QPainterPath(QPointF(0.74, -0.8))
    path.cubicTo(0.8, -0.1, 0.3, 0.36, -0.36, 0.44)
    path.cubicTo(-0.4, -0.2, 0.1, -0.7, 0.74, -0.8)
    p.drawPath(path)
    line(p, 0.11, (-0.74, 0.8), (-0.2, 0.26))
    line(p, 0.09, (-0.5, 0.2), (-0.28, 0.5))


def _jaws(p: QPainter) -> None:
    for way in (-1, 1):
        p.drawRoundedRect(QRectF(-0.76, 0.5 if way > 0 else -0.7, 1.52, 0.2), 0.1, 0.1)
        for x in (-0.54, -0.18, 0.18, 0.54):
            polygon(p, (x - 0.17, way * 0.52), (x, way * 0.08), (x + 0.17, way * 0.52))


SIGNS: dict[str, Callable[[QPainter], None]] = {
    "gust": _gust,
    "hook": _hook,
    "blink": _blink,
    "rune": _rune,
    "leaf": _leaf,
    "sprout": _sprout,
    "hourglass": _hourglass,
    "veil": _veil,
    "anchor": _anchor,
    "rise": _rise,
    "gear": _gear,
    "web": _web,
    "feather": _feather,
    "jaws": _jaws,
}
