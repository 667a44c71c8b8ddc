"""Drawings of `resources/arena`: SVG files of named groups of paths (M, L, C, Z), ellipses and rectangles.

A fill or a stroke is a colour or a name that the caller has a colour for. Where no fill is said, what has a
stroke's width is a stroke and everything else is filled, both in `INK`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from xml.etree import ElementTree

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from botapp.arena.window import lettering, tones

INK = "ink"
_LINE = 0.028
_SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Part:
    """A shape of a drawing; `fill` and `stroke` are "" where it has none."""

    shape: QPainterPath
    fill: str
    stroke: str
    width: float


@cache
def drawings(name: str) -> Mapping[str, tuple[Part, ...]]:
    """Returns the drawings of a file of `resources/arena` by their names."""
    svg = ElementTree.fromstring(files("resources").joinpath("arena", name).read_bytes())
    return {group.attrib["id"]: tuple(map(_part, group)) for group in svg.iter(f"{_SVG}g")}


def draw(painter: QPainter, parts: tuple[Part, ...], colours: Mapping[str, QColor]) -> None:
    """Draws the parts of a drawing one over the other; `colours` are those of names."""
    for part in parts:
        stroke, fill = (colours.get(name) or QColor(name) for name in (part.stroke, part.fill))
        painter.setPen(tones.pen(stroke, part.width) if part.stroke else Qt.PenStyle.NoPen)
        painter.setBrush(fill if part.fill else Qt.BrushStyle.NoBrush)
        painter.drawPath(part.shape)


def _part(element: ElementTree.Element) -> Part:
    said = element.attrib
    thick = "stroke-width" in said
    fill = said.get("fill", "none" if thick else INK)
    stroke = said.get("stroke", INK if thick else "")
    return Part(
        _shape(element), "" if fill == "none" else fill, stroke, float(said.get("stroke-width", _LINE))
    )


def _shape(element: ElementTree.Element) -> QPainterPath:
    if element.tag == f"{_SVG}path":
        return lettering.traced(element.attrib["d"])
    shape = QPainterPath()

    def sizes(*names: str) -> list[float]:
        return [float(element.attrib[name]) for name in names]

    if element.tag == f"{_SVG}ellipse":
        x, y, *axes = sizes("cx", "cy", "rx", "ry")
        shape.addEllipse(QPointF(x, y), *axes)
    else:
        (round_,) = sizes("rx")
        shape.addRoundedRect(QRectF(*sizes("x", "y", "width", "height")), round_, round_)
    return shape
