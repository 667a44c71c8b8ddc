"""The part of a plot that pyqtgraph draws; loading it takes longer than all the other widgets together.

Next hop: none; `botapp.ui.widgets.plot` loads this module for the first plot that is drawn.
"""

import os

os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")

import pyqtgraph as pg
from PySide6.QtCore import Qt

from botapp.ui import theme
from botapp.ui.translation import typography

_SIDES = ("left", "bottom")
_TICK_DENSITY = {"left": 0.6, "bottom": 1.0}
"""A low plot has no room for more figures one above the other."""


class _Axis(pg.AxisItem):
    """An axis whose figures have the language's decimal sign."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Returns the words of the ticks."""
        return [typography().figure(text) for text in super().tickStrings(values, scale, spacing)]


def plot_area() -> pg.PlotWidget:
    """Returns an empty plot in the theme's colours, without antialiasing, menus or mouse."""
    area = pg.PlotWidget(background=theme.colour("surface"), axisItems={side: _Axis(side) for side in _SIDES})
    area.setAntialiasing(False)
    area.setFrameShape(area.Shape.NoFrame)
    item = area.getPlotItem()
    item.hideButtons()
    item.setMenuEnabled(False)
    item.setMouseEnabled(x=False, y=False)
    item.showGrid(y=True, alpha=0.18)
    item.getViewBox().setDefaultPadding(0.02)
    for side in _SIDES:
        axis = item.getAxis(side)
        axis.setPen(theme.colour("border"))
        axis.setTextPen(theme.colour("muted"))
        axis.setTickFont(theme.font(0.85))
        axis.enableAutoSIPrefix(False)
        axis.setTickDensity(_TICK_DENSITY[side])
    return area


def add_line(area: pg.PlotWidget, shade: str, width: int, *, dashed: bool) -> pg.PlotDataItem:
    """Adds a line without points, in one of the theme's colours."""
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    return area.plot(pen=pg.mkPen(theme.colour(shade), width=width, style=style), antialias=False)


def add_mark(area: pg.PlotWidget) -> pg.InfiniteLine:
    """Adds an upright line that marks a place along the plot."""
    mark = pg.InfiniteLine(pen=pg.mkPen(theme.colour("text"), width=2))
    area.addItem(mark, ignoreBounds=True)
    return mark
