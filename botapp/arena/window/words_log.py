"""The fight's log in words, in a window of its own at the left, as the real clients have one.

It is written in a font of the system, with names and spells bold and coloured; a long line goes on in the
next row. The app reads it off the pixels (`vision.text`), which is how that is tried as a whole.
"""

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from botapp.arena.window.layout import ArenaLayout, Box
from botapp.tracking.log_phrases import Part

ROWS = 12
_WIDTH, _HEIGHT, _ABOVE, _LEAST_WIDTH = 0.30, 0.30, 0.135, 0.17
_SIZE, _PITCH, _MARGIN = 0.0155, 1.5, 0.5
_GROUND = "#2b2d3d"
_COLOURS = {"plain": "#c4c4ca", "name": "#dcdce4", "spell": "#dee252", "number": "#7fc8ea", "icon": "#5abe46"}
_TIME = "#9696a2"
_BOLD = ("name", "spell")


def box(places: ArenaLayout) -> Box:
    """Returns where the log stands: at the left edge above the band."""
    unit = places.unit
    beside = (places.width - 1.26 * unit) / 2
    wide = max(_LEAST_WIDTH * unit, min(_WIDTH * unit, beside))
    return Box(0.004 * unit, places.height - (_ABOVE + _HEIGHT) * unit, wide, _HEIGHT * unit)


def paint(painter: QPainter, places: ArenaLayout, lines: Iterable[tuple[Part, ...]]) -> None:
    place = box(places)
    painter.save()
    painter.fillRect(QRectF(*place).toAlignedRect(), QColor(_GROUND))
    size = max(9, round(_SIZE * places.unit))
    fonts = {bold: _font(size, bold) for bold in (False, True)}
    metrics = {bold: QFontMetricsF(font) for bold, font in fonts.items()}
    margin = _MARGIN * size
    rows: list[list[tuple[float, Part]]] = []
    for line in lines:
        rows += _wrapped(line, place.w - 2 * margin, metrics)
    step = _PITCH * size
    fitting = int((place.h - margin) / step)
    for number, row in enumerate(rows[-fitting:]):
        y = round(place.y + margin / 2 + (number + 0.75) * step)
        for x, part in row:
            painter.setFont(fonts[part.role in _BOLD])
            painter.setPen(QColor(_TIME if part.text.startswith("[") else _COLOURS[part.role]))
            if part.role == "icon":
                painter.setBrush(QColor(_COLOURS["icon"]))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawEllipse(
                    QPointF(place.x + margin + x + size / 2, y - size * 0.36), size * 0.3, size * 0.42
                )
                continue
            painter.drawText(QPointF(round(place.x + margin + x), y), part.text)
    painter.restore()


def _font(size: int, bold: bool) -> QFont:
    font = QFont("Verdana")
    font.setStyleHint(QFont.StyleHint.SansSerif)
    font.setPixelSize(size)
    font.setBold(bold)
    return font


def _wrapped(
    line: tuple[Part, ...], room: float, metrics: dict[bool, QFontMetricsF]
) -> list[list[tuple[float, Part]]]:
    """Returns a line in rows: words with their places from the left."""
    rows: list[list[tuple[float, Part]]] = [[]]
    x = 0.0
    for part in line:
        words = [part.text] if part.role == "icon" else _words(part.text)
        measure = metrics[part.role in _BOLD]
        for word in words:
            wide = measure.height() * 0.8 if part.role == "icon" else measure.horizontalAdvance(word)
            full = x + wide > room and bool(rows[-1]) and part.role != "icon"
            if full:
                rows.append([])
                x, wide = 0.0, measure.horizontalAdvance(word.lstrip())
            rows[-1].append((x, Part(word.lstrip() if full else word, part.role)))
            x += wide
    return rows


def _words(text: str) -> list[str]:
    words, start = [], 0
    for at in range(1, len(text)):
        if text[at] == " " and text[at - 1] != " ":
            words.append(text[start:at])
            start = at
    return [*words, text[start:]]
