"""Puts a scene on a surface, and says which pixels it covers where no compositor can blend.

Next hop: `botapp.ui.overlay.window` is the surface.
"""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPainterPathStroker, QPen, QRegion
from PySide6.QtGui import QPolygonF as Polygons

from botapp.ui import theme
from botapp.ui.overlay.geometry import Point, Polygon
from botapp.ui.overlay.scene import BADGE_WIDTH, OverlayScene

_DARK = QColor(10, 14, 24)
_LIGHT = QColor(255, 255, 255)
_WARNING = QColor("#ffc75f")


@dataclass(frozen=True, slots=True)
class _Box:
    """A ground with lines of text on it."""

    rect: QRectF
    lines: tuple[str, ...]


def paint(
    painter: QPainter, scene: OverlayScene, colour: QColor, opacity: float, *, solid: bool = False
) -> None:
    """Draws the scene. `solid` draws outlines only, for a window that is cut to its shapes."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not solid)
    painter.setOpacity(1.0 if solid else opacity)
    _paint_heat(painter, scene, colour, solid=solid)
    line = max(2.0, scene.unit * 0.22)
    if scene.source is not None and scene.target is not None:
        _stroke(painter, _closed(scene.source), _alpha(colour, 0.9), max(1.5, line * 0.5))
    if scene.aim is not None:
        path = QPainterPath(QPointF(*scene.aim[0]))
        path.lineTo(QPointF(*scene.aim[1]))
        _stroke(painter, path, _alpha(colour, 0.85), line * 0.6, dashed=not solid)
    if len(scene.path) > 1:
        _stroke(painter, _route(scene.path), _alpha(_DARK, 0.55), line * 1.9)
        _stroke(painter, _route(scene.path), colour, line)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_LIGHT)
        for x, y in scene.path[1:]:
            painter.drawEllipse(QPointF(x, y), line * 0.75, line * 0.5)
    if scene.target is not None:
        if not solid:
            painter.fillPath(_closed(scene.target), _alpha(colour, 0.26))
        _stroke(painter, _closed(scene.target), _alpha(_DARK, 0.7), line * 1.9)
        _stroke(painter, _closed(scene.target), colour, line)
    for box in _boxes(scene):
        _paint_box(painter, box, _WARNING if scene.warning else colour)


def covered(scene: OverlayScene) -> QRegion:
    """Returns the pixels that `paint` touches with `solid`, for the mask of a window without a compositor."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    line = max(2.0, scene.unit * 0.22)
    for outline, width in (
        *((_closed(cell), 2.0) for cell, _ in scene.heat),
        *((_closed(cell), line) for cell in (scene.source,) if cell and scene.target),
        *((_closed(cell), line * 1.9) for cell in (scene.target,) if cell),
        *((_route(points), line * 1.9) for points in (scene.path,) if len(points) > 1),
        *((_route(points), line * 0.6) for points in (scene.aim,) if points),
    ):
        stroker = QPainterPathStroker(_pen(_DARK, width))
        path.addPath(stroker.createStroke(outline))
    region = QRegion()
    for polygon in path.toFillPolygons():
        region = region.united(QRegion(polygon.toPolygon(), Qt.FillRule.WindingFill))
    for box in _boxes(scene):
        rounded = QPainterPath()
        rounded.addRoundedRect(box.rect, _radius(box), _radius(box))
        region = region.united(QRegion(rounded.toFillPolygon().toPolygon()))
    return region


def bounds(scene: OverlayScene) -> QRectF:
    """Returns a rectangle around everything that `paint` draws."""
    found = QRectF()
    shapes = [scene.target or (), scene.source or (), scene.path, scene.aim or ()]
    shapes += [cell for cell, _ in scene.heat]
    for points in shapes:
        if points:
            found = found.united(Polygons([QPointF(*point) for point in points]).boundingRect())
    for box in _boxes(scene):
        found = found.united(box.rect)
    margin = scene.unit
    return found.adjusted(-margin, -margin, margin, margin) if not found.isEmpty() else found


def _boxes(scene: OverlayScene) -> list[_Box]:
    """Returns the badge and the pill, as large as their texts."""
    boxes = []
    if scene.badge:
        bold, plain = (QFontMetricsF(theme.font(s, bold=b)) for s, b in ((1.25, True), (1.0, False)))
        lines = (
            bold.elidedText(scene.badge[0], Qt.TextElideMode.ElideRight, scene.badge_width),
            *scene.badge[1:],
        )
        width = max(bold.horizontalAdvance(lines[0]), *(plain.horizontalAdvance(t) for t in lines))
        height = bold.height() + plain.height() * (len(lines) - 1)
        boxes.append(_Box(QRectF(*scene.badge_at, width + 30, height + 16), lines))
    if scene.pill and scene.target is not None:
        metrics = QFontMetricsF(theme.font(1.0, bold=True))
        middle, lowest = scene.target[1][0], scene.target[1][1]
        width, height = metrics.horizontalAdvance(scene.pill) + 18, metrics.height() + 6
        boxes.append(_Box(QRectF(middle - width / 2, lowest + 4, width, height), (scene.pill,)))
    return boxes


def _paint_box(painter: QPainter, box: _Box, colour: QColor) -> None:
    pill = _is_pill(box)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_alpha(_DARK, 0.86))
    painter.drawRoundedRect(box.rect, _radius(box), _radius(box))
    if pill:
        painter.setPen(colour)
        painter.setFont(theme.font(1.0, bold=True))
        painter.drawText(box.rect, Qt.AlignmentFlag.AlignCenter, box.lines[0])
        return
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(box.rect.x() + 7, box.rect.y() + 8, 4, box.rect.height() - 16), 2, 2)
    top = box.rect.y() + 8
    for row, text in enumerate(box.lines):
        font = theme.font(1.25 if row == 0 else 1.0, bold=row == 0)
        height = QFontMetricsF(font).height()
        painter.setFont(font)
        painter.setPen(_LIGHT if row == 0 else colour)
        painter.drawText(
            QRectF(box.rect.x() + 19, top, box.rect.width() - 22, height), Qt.AlignmentFlag.AlignVCenter, text
        )
        top += height


def _is_pill(box: _Box) -> bool:
    return box.rect.height() < 30 and len(box.lines) == 1 and box.rect.width() < BADGE_WIDTH


def _radius(box: _Box) -> float:
    return box.rect.height() / 2 if _is_pill(box) else 7.0


def _paint_heat(painter: QPainter, scene: OverlayScene, colour: QColor, *, solid: bool) -> None:
    for cell, share in scene.heat:
        if solid:
            _stroke(painter, _closed(cell), _alpha(colour, 0.4 + 0.6 * share), 2.0)
        else:
            painter.fillPath(_closed(cell), _alpha(colour, 0.10 + 0.32 * share))


def _stroke(
    painter: QPainter, path: QPainterPath, colour: QColor, width: float, *, dashed: bool = False
) -> None:
    pen = _pen(colour, width)
    if dashed:
        pen.setDashPattern([2.5, 2.5])
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawPath(path)


def _pen(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen


def _closed(points: Polygon) -> QPainterPath:
    path = _route(points)
    path.closeSubpath()
    return path


def _route(points: tuple[Point, ...]) -> QPainterPath:
    path = QPainterPath(QPointF(*points[0]))
    for point in points[1:]:
        path.lineTo(QPointF(*point))
    return path


def _alpha(colour: QColor, alpha: float) -> QColor:
    made = QColor(colour)
    made.setAlphaF(alpha)
    return made
