"""Puts a scene on a surface, and says which pixels it covers where no compositor can blend."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPainterPathStroker,
    QPen,
    QRegion,
)
from PySide6.QtGui import QPolygonF as Polygons

from botapp.ui import theme
from botapp.ui.overlay.geometry import Box, Point, Polygon, hidden
from botapp.ui.overlay.marks import Bubble, CellNote, Shade, StepMark, bubble_radius
from botapp.ui.overlay.scene import Badge, OverlayScene
from botapp.ui.painting import rounded

_DARK = QColor(10, 14, 24)
_LIGHT = QColor(255, 255, 255)
_WARNING = QColor("#ffc75f")
_LOOKED_AT = QColor("#f2efe6")
"""Of a turn that is looked at and not advised: without a hue of its own, whichever one the advice has."""
_DOTS = [0.2, 2.8]
"""Its lines are dotted, those of the advice whole or dashed; in widths of the line. The dots' round ends
reach a width further, and their dark edges do not touch."""
_DASHES = [2.5, 2.5]
_EDGE = 3.0  # How much wider the dark edge of a line is
_SHADES: dict[Shade, QColor] = {
    "name": _LIGHT,
    "damage": QColor("#ff9d8f"),
    "kill": QColor("#ffd25a"),
    "heal": QColor("#7fe3a6"),
}
_ASIDE = 2.2  # How far beside a cell's middle a note begins, in half heights of a cell
_GAP = 8.0
_SMALL = 0.78
_HEAD = 1.3
"""How far a fighter of the game and its life bar reach above its body's box, in half heights of a cell."""
_LOWER = 0.8
"""Down to where the badge may go, as a share of the game's height: below is the bar with the spells."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line to draw; its dark edge, where it has one, is drawn first."""

    path: QPainterPath
    width: float
    alpha: float = 1.0
    edge: bool = False
    dashed: bool = False
    dotted: bool = False


Corner = Literal["own", "across", "below", "across below"]
"""Where the badge is: in its own place, on the other side of the game's window, or further down."""


class _Letters(NamedTuple):
    font: QFont
    metrics: QFontMetricsF


@lru_cache(maxsize=32)
def _letters(scale: float, *, bold: bool, pixels: int = 0) -> _Letters:
    """Returns a font, made once: looking one up takes as long as drawing with it."""
    font = theme.font(scale, bold=bold)
    if pixels:
        font.setPixelSize(pixels)
    return _Letters(font, QFontMetricsF(font))


def paint(
    painter: QPainter, scene: OverlayScene, colour: QColor, opacity: float, *, solid: bool = False
) -> None:
    """Draws the scene. `solid` draws outlines only, for a window that is cut to its shapes."""
    if scene.looked_at:
        colour = _LOOKED_AT
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not solid)
    painter.setOpacity(1.0 if solid else opacity)
    if not solid:
        for cell, share in scene.heat:
            painter.fillPath(_closed(cell), _alpha(colour, 0.10 + 0.32 * share))
        for cell in scene.alike:
            painter.fillPath(_closed(cell), _alpha(colour, 0.26))
        for step in scene.marks.steps[: 0 if scene.looked_at else 1]:
            painter.fillPath(_closed(step.cell), _alpha(colour, 0.26))
    for line in lines_of(scene, solid=solid):
        if line.edge:
            wide = line.width + _EDGE
            dots = _dots(line, wide) if line.dotted else []
            _stroke(painter, line.path, _alpha(_DARK, 0.65), wide, dots)
        dashes = _dots(line, line.width) if line.dotted else _DASHES if line.dashed and not solid else []
        _stroke(painter, line.path, _alpha(colour, line.alpha), line.width, dashes)
    for step in scene.marks.steps:
        _paint_head(painter, step, scene.unit, colour)
    for note, rect in placed_notes(scene):
        _paint_note(painter, note, rect, _note_letters(scene.unit))
    for bubble in scene.marks.bubbles:
        _paint_bubble(painter, bubble, scene.unit, colour)
    if scene.badge is not None:
        _paint_badge(painter, scene.badge, _WARNING if scene.badge.warning else colour)


def covered(scene: OverlayScene) -> QRegion:
    """Returns the pixels that `paint` touches with `solid`, for the mask of a window without a compositor."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for line in lines_of(scene, solid=True):
        wide = line.width + (_EDGE if line.edge else 0)
        stroker = QPainterPathStroker(_pen(_DARK, wide))
        if line.dotted:
            stroker.setDashPattern(_dots(line, wide))
        path.addPath(stroker.createStroke(line.path))
    for step in scene.marks.steps:
        if (head := _head(step, scene.unit)) is not None:
            path.addPath(head)
    for bubble in scene.marks.bubbles:
        radius = bubble_radius(scene.unit)
        path.addEllipse(QPointF(*bubble.at), radius, radius)
    region = QRegion()
    for polygon in path.toFillPolygons():
        region = region.united(QRegion(polygon.toPolygon(), Qt.FillRule.WindingFill))
    grounds = [(rect, rect.height() / 2) for _, rect in placed_notes(scene)]
    if scene.badge is not None:
        grounds.append((badge_rect(scene.badge), 7.0 * scene.badge.scale))
    for rect, radius in grounds:
        rounded = QPainterPath()
        rounded.addRoundedRect(rect, radius, radius)
        region = region.united(QRegion(rounded.toFillPolygon().toPolygon()))
    return region


def bounds(scene: OverlayScene) -> QRectF:
    painted = QRectF()
    shapes: list[tuple[Point, ...]] = [scene.source or (), *scene.alike, *(cell for cell, _ in scene.heat)]
    for step in scene.marks.steps:
        shapes += [step.route, step.cell]
    for points in shapes:
        if points:
            painted = painted.united(Polygons([QPointF(*point) for point in points]).boundingRect())
    for _, rect in placed_notes(scene):
        painted = painted.united(rect)
    if scene.slot is not None:
        painted = painted.united(QRectF(*scene.slot))
    if scene.badge is not None:
        painted = painted.united(badge_rect(scene.badge))
    margin = scene.unit + 4
    return painted.adjusted(-margin, -margin, margin, margin) if not painted.isEmpty() else painted


def badge_rect(badge: Badge) -> QRectF:
    metrics = [letters.metrics for letters in _badge_fonts(badge)]
    width = max(metric.horizontalAdvance(text) for metric, text in zip(metrics, _cut(badge), strict=True))
    height = sum(metric.height() for metric in metrics)
    return QRectF(*badge.at, width + 30 * badge.scale, height + 16 * badge.scale)


def in_corner(scene: OverlayScene, room: tuple[float, float], corner: Corner) -> OverlayScene:
    """Returns the scene with its badge in a corner of the game's window, of a width and a height, which stays
    where it is as the badge grows.
    """
    badge = scene.badge
    if badge is None:
        return scene
    at = _places(badge, room)[corner]
    return replace(scene, badge=replace(badge, at=at)) if at != badge.at else scene


def free_corner(scene: OverlayScene, room: tuple[float, float]) -> Corner:
    """Returns the badge's corner where it hides least of the turn that is drawn and of the fighters.

    It is the badge's own place if it hides nothing there; else the other side of the game's window is tried,
    then both sides further down.
    """
    badge, step_cells = scene.badge, [step.cell for step in scene.marks.steps]
    if badge is None or not step_cells:
        return "own"
    radius = bubble_radius(scene.unit)
    shown = [_box(rect) for _, rect in placed_notes(scene)]
    shown += [
        (bubble.at[0] - radius, bubble.at[1] - radius, 2 * radius, 2 * radius)
        for bubble in scene.marks.bubbles
    ]
    for cell in (scene.source or (), *step_cells):
        shown.append(_box(Polygons([QPointF(*point) for point in cell]).boundingRect()))
    ground = badge_rect(badge)
    size, head = (ground.width(), ground.height()), _HEAD * scene.unit
    bodies = [(left, top - head, wide, high + head) for left, top, wide, high in scene.marks.bodies]
    places = _places(badge, room)
    return min(places, key=lambda corner: hidden((*places[corner], *size), bodies, shown))


def _places(badge: Badge, room: tuple[float, float]) -> dict[Corner, Point]:
    ground = badge_rect(badge)
    x, y = badge.at
    across, down = room[0] - ground.width() - x, _LOWER * room[1] - ground.height()
    return {"own": (x, y), "across": (across, y), "below": (x, down), "across below": (across, down)}


def lines_of(scene: OverlayScene, *, solid: bool) -> Iterator[_Line]:
    """Yields all lines of a scene, what lies below first; the first step's are stronger.

    Those of a turn that is looked at are dotted, each dot with a dark edge, to be seen on any ground.
    """
    for line in _advised_lines(scene, solid=solid):
        yield replace(line, edge=True, dashed=False, dotted=True) if scene.looked_at else line


def _advised_lines(scene: OverlayScene, *, solid: bool) -> Iterator[_Line]:
    line = max(2.0, scene.unit * 0.2)
    if solid:
        for cell, _ in scene.heat:
            yield _Line(_closed(cell), 2.0, 0.6)
    for cell in scene.alike:
        yield _Line(_closed(cell), 1.5, 0.8)
    if scene.source is not None and scene.marks.steps:
        yield _Line(_closed(scene.source), max(1.5, line * 0.5), 0.9)
    for step in reversed(scene.marks.steps):
        strong = line if step.first else line * 0.7
        if len(step.route) > 1:
            path = _route(step.route) if step.walk else _shot(step.route, scene.unit)
            yield _Line(path, strong, 1.0 if step.first else 0.85, edge=True, dashed=not step.walk)
    for step in reversed(scene.marks.steps):
        yield _Line(_closed(step.cell), line if step.first else line * 0.5, edge=step.first)
    if scene.slot is not None:
        box = QPainterPath()
        box.addRoundedRect(QRectF(*scene.slot).adjusted(-2, -2, 2, 2), 5, 5)
        yield _Line(box, 3.0, edge=True)


def _shot(route: tuple[Point, ...], unit: float) -> QPainterPath:
    start, end = route
    long = math.dist(start, end)
    if long <= unit * 1.6:
        return _route(route)
    into = (long - unit * 0.8) / long
    return _route((start, (start[0] + (end[0] - start[0]) * into, start[1] + (end[1] - start[1]) * into)))


def _head(step: StepMark, unit: float) -> QPainterPath | None:
    if len(step.route) < 2:
        return None
    (x0, y0), (x1, y1) = step.route[-2:]
    way = math.atan2(y1 - y0, x1 - x0)
    size = max(8.0, unit * (0.75 if step.first else 0.6))
    path = QPainterPath(QPointF(x1, y1))
    for turn in (2.62, -2.62):
        path.lineTo(x1 + size * math.cos(way + turn), y1 + size * math.sin(way + turn))
    path.closeSubpath()
    return path


def _paint_head(painter: QPainter, step: StepMark, unit: float, colour: QColor) -> None:
    head = _head(step, unit)
    if head is not None:
        painter.setPen(QPen(_alpha(_DARK, 0.65), 1))
        painter.setBrush(colour)
        painter.drawPath(head)


def _paint_bubble(painter: QPainter, bubble: Bubble, unit: float, colour: QColor) -> None:
    radius = bubble_radius(unit)
    ground = QRectF(bubble.at[0] - radius, bubble.at[1] - radius, 2 * radius, 2 * radius)
    painter.setPen(QPen(_DARK if bubble.first else colour, 1.5))
    painter.setBrush(colour if bubble.first else _DARK)
    painter.drawEllipse(ground.adjusted(1, 1, -1, -1))
    painter.setFont(_letters(1.0, bold=True, pixels=round(radius * 1.25)).font)
    painter.setPen(_DARK if bubble.first else _LIGHT)
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, str(bubble.number))


def placed_notes(scene: OverlayScene) -> list[tuple[CellNote, QRectF]]:
    """Returns the notes with their grounds: below their cells, or above where they would hide fighters there.

    Where they would lie on each other or on a number they stand beside the cell, or are moved further down or
    up, whichever is nearer; one that would leave the scene's room is moved back into it.
    """
    metrics = _note_letters(scene.unit).metrics
    radius = bubble_radius(scene.unit)
    taken = [
        QRectF(x - radius, y - radius, 2 * radius, 2 * radius)
        for x, y in (bubble.at for bubble in scene.marks.bubbles)
    ]
    placed: list[tuple[CellNote, QRectF]] = []
    for note in sorted(scene.marks.notes, key=lambda place: place.at[1]):
        width = sum(metrics.horizontalAdvance(text) for text, _ in note.parts)
        width += _GAP * (len(note.parts) - 1) + 18
        below = QRectF(note.at[0] - width / 2, note.at[1], width, metrics.height() + 6)
        tried = [(_free(below, taken, scene.room), below)]
        if note.above is not None:
            above = QRectF(below)
            above.moveBottom(note.above)
            tried.append((_free(above, taken, scene.room, up=True), above))
            for side in (1, -1):
                beside = QRectF(below)
                aside = _ASIDE * scene.unit + width / 2
                beside.moveCenter(QPointF(note.at[0] + side * aside, (note.at[1] + note.above) / 2))
                tried.append((_free(beside, taken, scene.room), beside))
        written = [_box(place) for place in taken]
        rect, _ = min(
            tried,
            key=lambda place: (hidden(_box(place[0]), scene.marks.bodies, written), _moved(*place)),
        )
        taken.append(rect)
        placed.append((note, rect))
    return placed


def _moved(rect: QRectF, wished: QRectF) -> float:
    """Returns how far a ground is from where it should be, in whole heights."""
    return math.hypot(rect.left() - wished.left(), rect.top() - wished.top()) // rect.height()


def _free(
    ground: QRectF, taken: list[QRectF], room: tuple[float, float] | None, *, up: bool = False
) -> QRectF:
    rect = QRectF(ground)
    _move_clear(rect, taken, up=up)
    if room is None:
        return rect
    across, down = room
    rect.moveLeft(max(0.0, min(rect.left(), across - rect.width())))
    if rect.bottom() > down:
        rect.moveBottom(down)
        _move_clear(rect, taken, up=True)
    elif rect.top() < 0:
        rect.moveTop(0)
        _move_clear(rect, taken, up=False)
    return rect


def _move_clear(rect: QRectF, taken: list[QRectF], *, up: bool) -> None:
    for other in sorted(taken, key=lambda one: -one.bottom() if up else one.top()):
        if rect.intersects(other) and up:
            rect.moveBottom(other.top() - 2)
        elif rect.intersects(other):
            rect.moveTop(other.bottom() + 2)


def _box(rect: QRectF) -> Box:
    return rect.x(), rect.y(), rect.width(), rect.height()


def _note_letters(unit: float) -> _Letters:
    return _letters(round(max(0.8, min(1.0, unit / 14)), 2), bold=True)


def _paint_note(painter: QPainter, note: CellNote, rect: QRectF, letters: _Letters) -> None:
    rounded(painter, rect, _alpha(_DARK, 0.86))
    metrics = letters.metrics
    painter.setFont(letters.font)
    left = rect.x() + 9
    for text, shade in note.parts:
        painter.setPen(_SHADES[shade])
        place = QRectF(left, rect.y(), metrics.horizontalAdvance(text) + 4, rect.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
        left += metrics.horizontalAdvance(text) + _GAP


_SHARES = (1.0, 0.9, 0.8, 0.7)
"""Sizes that a line takes rather than be cut: a headline ends with the direction. Smaller is hard to read."""


def _badge_fonts(badge: Badge) -> list[_Letters]:
    sizes = [
        *[_SMALL] * bool(badge.label),
        1.25,
        *[1.0] * (len(badge.lines) - 1),
        *[_SMALL] * bool(badge.small),
    ]
    rows = zip(sizes, _badge_lines(badge), strict=True)
    return [_fitting(size * badge.scale, text, badge, bold=size > 1) for size, text in rows]


def _fitting(size: float, text: str, badge: Badge, *, bold: bool) -> _Letters:
    room = badge.width * badge.scale
    tried = [_letters(size * share, bold=bold) for share in _SHARES]
    return next((letters for letters in tried if letters.metrics.horizontalAdvance(text) <= room), tried[-1])


def _badge_lines(badge: Badge) -> tuple[str, ...]:
    return (*[badge.label] * bool(badge.label), *badge.lines, *[badge.small] * bool(badge.small))


def _cut(badge: Badge) -> list[str]:
    return [
        letters.metrics.elidedText(text, Qt.TextElideMode.ElideRight, badge.width * badge.scale)
        for letters, text in zip(_badge_fonts(badge), _badge_lines(badge), strict=True)
    ]


def _paint_badge(painter: QPainter, badge: Badge, colour: QColor) -> None:
    rect, scale = badge_rect(badge), badge.scale
    rounded(painter, rect, _alpha(_DARK, 0.86), 7 * scale)
    bar = QRectF(rect.x() + 7 * scale, rect.y() + 8 * scale, 4 * scale, rect.height() - 16 * scale)
    rounded(painter, bar, colour, 2 * scale)
    top = rect.y() + 8 * scale
    for row, (letters, text) in enumerate(zip(_badge_fonts(badge), _cut(badge), strict=True)):
        height = letters.metrics.height()
        painter.setFont(letters.font)
        line = row - bool(badge.label)
        faint = line in (-1, len(badge.lines))
        painter.setPen(_alpha(_LIGHT, 0.6) if faint else colour if line == 1 else _LIGHT)
        place = QRectF(rect.x() + 19 * scale, top, rect.width() - 22 * scale, height)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
        top += height


def _dots(line: _Line, wide: float) -> list[float]:
    """Returns the dots of a line for a pen of another width, which counts them in its own."""
    return [part * line.width / wide for part in _DOTS]


def _stroke(
    painter: QPainter, path: QPainterPath, colour: QColor, width: float, dashes: Sequence[float] = ()
) -> None:
    pen = _pen(colour, width)
    if dashes:
        pen.setDashPattern(dashes)
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
