"""The arena's own letters and digits: strokes, so that every machine shows the same text without any font.

Each glyph is a stroke drawing in a box one cap height tall, written as a small path language (M, L, C and Z
with absolute coordinates). Capitals only: `draw` turns small letters into capitals.
"""

import re
import tomllib
import unicodedata
from functools import lru_cache
from importlib.resources import files

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker

from botapp.arena.window.layout import Box

_STROKES = tomllib.loads(files("resources").joinpath("arena", "letters.toml").read_text("utf-8"))
GLYPHS: dict[str, str] = _STROKES["glyphs"]
MARKS: dict[str, str] = _STROKES["marks"]
_DIGIT_W = 0.5
_WIDTHS = {"A": 0.6, "I": 0.12, "J": 0.38, "M": 0.68, "W": 0.84, "1": 0.5}
_SPACE_W = 0.22
_GAP = 0.13
_EM = 64.0


def traced(drawing: str, across: float = 1.0, down: float = 1.0) -> QPainterPath:
    """Returns a drawing of M, L, C and Z with absolute coordinates as a path, its sizes times two factors."""
    path = QPainterPath()
    for letter, rest in re.findall(r"([MLCZ])([^MLCZ]*)", drawing):
        numbers = [float(text) * (down if i % 2 else across) for i, text in enumerate(rest.split())]
        if letter == "M":
            path.moveTo(*numbers)
        elif letter == "L":
            path.lineTo(*numbers)
        elif letter == "C":
            path.cubicTo(*numbers)
        else:
            path.closeSubpath()
    return path


def _sketch(drawing: str, shrink: float) -> QPainterPath:
    """Returns a drawing as a path `_EM` units high, its heights made smaller by `shrink`."""
    return traced(drawing, _EM, _EM * shrink)


def _advance(char: str, sketch: QPainterPath) -> float:
    if char.isdigit():
        return _DIGIT_W
    return _WIDTHS.get(char) or sketch.boundingRect().right() / _EM


def letters(text: str) -> str:
    """Returns the glyphs that a text is drawn with, accents apart from their letters."""
    capitals = text.upper().replace("’", "'").replace("Œ", "OE")
    return unicodedata.normalize("NFD", capitals)


@lru_cache(maxsize=256)
def _word(text: str, weight: float, grown: float = 0.0) -> tuple[QPainterPath, float]:
    """Returns a text's shape with cap height `_EM` at (0, 0), thicker by `grown` all round, and its width."""
    stroker = QPainterPathStroker()
    stroker.setWidth((weight + 2 * grown) * _EM)
    stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    outline = QPainterPath()
    outline.setFillRule(Qt.FillRule.WindingFill)
    x = weight / 2
    shrink = 1 - weight
    previous_width = 0.0
    for char in letters(text):
        if char in MARKS:
            mark = stroker.createStroke(_sketch(MARKS[char], 1.0))
            middle = x - (_GAP + weight) - previous_width / 2
            outline.addPath(mark.translated(middle * _EM, weight / 2 * _EM))
            continue
        if char not in GLYPHS:
            x += _SPACE_W + _GAP
            continue
        sketch = _sketch(GLYPHS[char], shrink)
        previous_width = _advance(char, sketch)
        outline.addPath(stroker.createStroke(sketch).translated(x * _EM, weight / 2 * _EM))
        x += previous_width + _GAP + weight
    return outline, max(0.0, x - _GAP - weight / 2)


def width(text: str, height: float, weight: float = 0.17) -> float:
    """Returns how wide a text is at a cap height, in pixels."""
    return _word(text, weight)[1] * height


def draw(
    painter: QPainter,
    text: str,
    at: tuple[float, float],
    height: float,
    colour: QColor | str,
    *,
    align: float = 0.5,
    weight: float = 0.17,
    outline: QColor | str | None = None,
    outline_width: float = 0.1,
) -> None:
    """Draws a text.

    Args:
        painter: where to.
        text: letters, digits and common signs; anything else leaves a space.
        at: the point that the text is centred on vertically, and starts, centres or ends at by `align`.
        height: height of a capital or digit, in pixels.
        align: 0 starts at the point, 0.5 is centred on it, 1 ends there.
        weight: thickness of the strokes, in heights.
        outline: colour of a line around the letters, None for none.
        outline_width: thickness of that line on each side, in heights.
    """
    path, wide = _word(text, weight)
    painter.save()
    painter.translate(at[0] - wide * height * align, at[1] - height / 2)
    painter.scale(height / _EM, height / _EM)
    if outline is not None:
        painter.fillPath(_word(text, weight, outline_width)[0], QColor(outline))
    painter.fillPath(path, QColor(colour))
    painter.restore()


def fit(text: str, height: float, room: float, weight: float = 0.17) -> float:
    """Returns the largest cap height up to `height` at which a text is no wider than `room` pixels."""
    wide = width(text, height, weight)
    return height if wide <= room else height * room / wide


def rectangle(box: Box) -> QRectF:
    return QRectF(box.x, box.y, box.w, box.h)
