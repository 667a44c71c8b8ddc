"""The part of a plot that pyqtgraph draws; loading it takes longer than all the other widgets together."""

import math
import os

os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QSizePolicy

from botapp.ui import theme
from botapp.ui.translation import typography

_SIDES = ("left", "bottom")
_FIGURE_SIZE = 0.85
_MINUTES_FROM_S = 120.0
_GAP = 10
_LINE_OF_FIGURES = 1.15  # Heights of a line of text between two figures, one above the other


class _Axis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """An axis with figures in the language's own writing, and room between those one above the other."""

    unit = ""

    def boundingRect(self) -> QRectF:
        """Returns the room to draw in: with a grid pyqtgraph leaves out figures that reach beyond their axis,
        those at both ends among them.
        """
        room: QRectF = super().boundingRect()
        if self.orientation != "left":
            return room
        half = QFontMetricsF(theme.font(_FIGURE_SIZE)).height() / 2
        return room.adjusted(0, -half, 0, half)

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        """Returns how far apart ticks are, and where they begin: 1, 2 or 5 of a power of ten."""
        spacings: list[tuple[float, float]] = super().tickSpacing(minVal, maxVal, size)
        if self.orientation != "left" or maxVal <= minVal:
            return spacings
        line = QFontMetricsF(theme.font(_FIGURE_SIZE)).height() * _LINE_OF_FIGURES
        least = (maxVal - minVal) / max(size / line, 1)
        power = 10 ** math.floor(math.log10(least))
        return [(next(power * step for step in (1, 2, 5, 10, 20) if power * step >= least), 0)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        figures = (text.replace("-", "\u2212") for text in super().tickStrings(values, scale, spacing))
        return [typography().figure(text) + self.unit for text in figures]


def plot_area() -> pg.PlotWidget:
    """Returns an empty plot in the theme's colours, without antialiasing, menus or mouse."""
    axes = {side: _Axis(side) for side in _SIDES}
    area = pg.PlotWidget(background=theme.colour("surface"), axisItems=axes, enableMenu=False)
    area.setAntialiasing(False)
    area.setFrameShape(area.Shape.NoFrame)
    # QBoxLayout takes the hint of what has a height for its width for the least: plots lay over tables
    area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
    item = area.getPlotItem()
    item.hideButtons()
    item.setMouseEnabled(x=False, y=False)
    item.showGrid(y=True, alpha=0.18)
    item.getViewBox().setDefaultPadding(0.02)
    for side in _SIDES:
        axis = item.getAxis(side)
        axis.setPen(theme.colour("border"))
        axis.setTextPen(theme.colour("muted"))
        axis.setTickFont(theme.font(_FIGURE_SIZE))
        axis.enableAutoSIPrefix(False)
    return area


def show_span(area: pg.PlotWidget, seconds: float) -> None:
    """Shows the last seconds, up to now; from two minutes on the figures below are of minutes.

    The figures at the left take the same room in each such plot, so that one moment is one place in all.
    """
    item = area.getPlotItem()
    below = item.getAxis("bottom")
    below.unit, scale = ("\u00a0min", 1 / 60) if seconds >= _MINUTES_FROM_S else ("\u00a0s", 1.0)
    below.setScale(scale)
    keep_room(area, "00000")
    area.setXRange(-seconds, 0, padding=0.01)


def keep_room(area: pg.PlotWidget, widest: str, *, above: bool = False) -> None:
    """Gives the figures at the left the room of the widest: by itself an axis leaves out one for which there
    is none, and gets it at the next drawing only; `above` keeps half a line free for one at the upper end.
    """
    letters = QFontMetricsF(theme.font(_FIGURE_SIZE))
    item = area.getPlotItem()
    item.getAxis("left").setWidth(letters.horizontalAdvance(widest) + _GAP)
    if above:
        item.layout.setContentsMargins(1, letters.height() / 2, 1, 1)


def add_line(area: pg.PlotWidget, shade: str, width: int, *, dashed: bool) -> pg.PlotDataItem:
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    return area.plot(pen=pg.mkPen(theme.colour(shade), width=width, style=style), antialias=False)


def add_mark(area: pg.PlotWidget) -> pg.InfiniteLine:
    mark = pg.InfiniteLine(pen=pg.mkPen(theme.colour("text"), width=2))
    area.addItem(mark, ignoreBounds=True)
    return mark
