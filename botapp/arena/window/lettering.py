"""The arena's own letters and digits: strokes, so that every machine shows the same text without any font.

Each glyph is a stroke drawing in a box one cap height tall, written as a small path language (M, L, C and Z
with absolute coordinates). Capitals only: `draw` turns small letters into capitals.
"""

import re
import unicodedata
from functools import lru_cache

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPainterPathStroker

from botapp.arena.window.layout import Box

GLYPHS: dict[str, str] = {
    "0": "M.25 0 C.5 0 .52 .28 .52 .5 C.52 .72 .5 1 .25 1 C0 1 -.02 .72 -.02 .5 C-.02 .28 0 0 .25 0 Z",
    "1": "M.06 .2 L.3 0 L.3 1",
    "2": "M.01 .24 C.05 -.08 .5 -.1 .5 .27 C.5 .55 .05 .72 0 1 L.51 1",
    "3": "M.01 .1 C.15 -.06 .48 -.04 .48 .23 C.48 .44 .32 .47 .17 .47 "
    "C.34 .47 .52 .52 .52 .74 C.52 1.06 .12 1.08 -.01 .87",
    "4": "M.38 1 L.38 0 L-.02 .7 L.54 .7",
    "5": "M.46 0 L.07 0 L.03 .45 C.2 .33 .52 .36 .52 .67 C.52 1.05 .12 1.08 -.01 .87",
    "6": "M.43 .03 C.12 .08 -.01 .38 -.01 .66 C-.01 1.11 .52 1.11 .52 .68 C.52 .29 .05 .29 -.01 .62",
    "7": "M-.01 0 L.51 0 L.17 1",
    "8": "M.25 .46 C-.05 .46 -.05 0 .25 0 C.55 0 .55 .46 .25 .46 C-.1 .46 -.1 1 .25 1 C.6 1 .6 .46 .25 .46 Z",
    "9": "M.07 .97 C.38 .92 .51 .62 .51 .34 C.51 -.11 -.02 -.11 -.02 .32 C-.02 .71 .45 .71 .51 .38",
    "A": "M0 1 L.3 0 L.6 1 M.1 .68 L.5 .68",
    "B": "M0 0 L0 1 L.24 1 C.58 1 .58 .47 .24 .47 L0 .47 M0 0 L.22 0 C.5 0 .5 .47 .22 .47",
    "C": "M.54 .16 C.34 -.08 -.02 .0 0 .5 C-.02 1 .34 1.08 .54 .84",
    "D": "M0 0 L0 1 L.2 1 C.66 1 .66 0 .2 0 Z",
    "E": "M.46 0 L0 0 L0 1 L.46 1 M0 .48 L.38 .48",
    "F": "M.45 0 L0 0 L0 1 M0 .5 L.36 .5",
    "G": "M.54 .16 C.34 -.08 -.02 .0 0 .5 C-.02 1 .36 1.08 .56 .84 L.56 .54 L.34 .54",
    "H": "M0 0 L0 1 M.54 0 L.54 1 M0 .48 L.54 .48",
    "I": "M.06 0 L.06 1",
    "J": "M.36 0 L.36 .7 C.36 1.08 .04 1.06 -.02 .8",
    "K": "M0 0 L0 1 M.5 0 L.02 .56 M.18 .42 L.54 1",
    "L": "M0 0 L0 1 L.44 1",
    "M": "M0 1 L.03 0 L.34 .62 L.65 0 L.68 1",
    "N": "M0 1 L0 0 L.54 1 L.54 0",
    "O": "M.31 0 C.52 0 .62 .22 .62 .5 C.62 .78 .52 1 .31 1 C.1 1 0 .78 0 .5 C0 .22 .1 0 .31 0 Z",
    "P": "M0 1 L0 0 L.24 0 C.58 0 .58 .55 .24 .55 L0 .55",
    "Q": "M.31 0 C.52 0 .62 .22 .62 .5 C.62 .78 .52 1 .31 1 C.1 1 0 .78 0 .5 C0 .22 .1 0 .31 0 Z "
    "M.4 .74 L.62 1.04",
    "R": "M0 1 L0 0 L.24 0 C.58 0 .58 .53 .24 .53 L0 .53 M.26 .54 L.52 1",
    "S": "M.47 .14 C.36 -.06 .02 -.06 .02 .24 C.02 .56 .5 .42 .5 .76 C.5 1.07 .1 1.06 -.01 .86",
    "T": "M0 0 L.54 0 M.27 0 L.27 1",
    "U": "M0 0 L0 .64 C0 1.12 .54 1.12 .54 .64 L.54 0",
    "V": "M0 0 L.29 1 L.58 0",
    "W": "M0 0 L.2 1 L.42 .3 L.64 1 L.84 0",
    "X": "M0 0 L.54 1 M.54 0 L0 1",
    "Y": "M0 0 L.28 .5 L.56 0 M.28 .5 L.28 1",
    "Z": "M.01 0 L.5 0 L0 1 L.52 1",
    "-": "M.04 .54 L.36 .54",
    "+": "M.02 .54 L.46 .54 M.24 .32 L.24 .76",
    "/": "M.36 -.04 L0 1.04",
    "%": "M.56 .02 L.08 .98 M.13 .08 C-.05 .08 -.05 .36 .13 .36 C.31 .36 .31 .08 .13 .08 Z "
    "M.52 .64 C.34 .64 .34 .92 .52 .92 C.7 .92 .7 .64 .52 .64 Z",
    ".": "M.05 .99 L.06 1",
    ",": "M.1 .94 L.04 1.14",
    ":": "M.05 .34 L.06 .35 M.05 .93 L.06 .94",
    "'": "M.06 0 L.04 .2",
    "!": "M.06 0 L.06 .64 M.06 .98 L.06 1",
    "?": "M0 .2 C.04 -.08 .46 -.08 .46 .24 C.46 .48 .22 .44 .22 .68 M.22 .98 L.22 1",
    "(": "M.18 -.06 C-.04 .2 -.04 .84 .18 1.1",
    ")": "M.02 -.06 C.24 .2 .24 .84 .02 1.1",
    "·": "M.06 .54 L.07 .54",
    "×": "M.04 .36 L.38 .74 M.38 .36 L.04 .74",
    "→": "M0 .54 L.6 .54 M.4 .3 L.62 .54 L.4 .78",
}
MARKS = {
    "\u0300": "M-.12 -.32 L.06 -.2",
    "\u0301": "M.12 -.32 L-.06 -.2",
    "\u0302": "M-.14 -.2 L0 -.33 L.14 -.2",
    "\u0308": "M-.13 -.26 L-.12 -.26 M.12 -.26 L.13 -.26",
    "\u0327": "M.02 1.06 L-.04 1.24",
}
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
        colour: fill.
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
    """Returns a layout box as a Qt rectangle."""
    return QRectF(box.x, box.y, box.w, box.h)
