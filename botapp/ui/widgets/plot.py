"""A pyqtgraph plot in the theme's colours, without antialiasing, menus or mouse: cheap on slow cores.

The legend is a line above the plot, so that it never lies over the data.
"""

import os

os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from botapp.ui import theme
from botapp.ui.translation import typography
from botapp.ui.widgets.labels import label

_SIDES = ("left", "bottom")
INTERVAL_MS = 1000
"""How often a plot is redrawn at most."""


class _Axis(pg.AxisItem):
    """An axis whose figures have the language's decimal sign."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Returns the words of the ticks."""
        return [typography().figure(text) for text in super().tickStrings(values, scale, spacing)]


class Plot(QWidget):
    """Lines over a plain ground. `caption` names the unit and the horizontal axis."""

    def __init__(self, caption: str) -> None:
        super().__init__()
        self._lines: dict[str, pg.PlotDataItem] = {}
        self._legend = QHBoxLayout()
        self._legend.setSpacing(12)
        self._legend.addStretch()
        self._legend.addWidget(label(caption, "muted", scale=0.9))
        axes = {side: _Axis(side) for side in _SIDES}
        self.area = pg.PlotWidget(background=theme.colour("surface"), axisItems=axes)
        self.area.setAntialiasing(False)
        self.area.setFrameShape(self.area.Shape.NoFrame)
        self.area.setMinimumHeight(56)
        item = self.area.getPlotItem()
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
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addLayout(self._legend)
        box.addWidget(self.area, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def line(self, name: str, shade: str, *, width: int = 2, dashed: bool = False) -> pg.PlotDataItem:
        """Returns the line with this name, made on first use in one of the theme's colours."""
        if name not in self._lines:
            style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
            pen = pg.mkPen(theme.colour(shade), width=width, style=style)
            self._lines[name] = self.area.plot(pen=pen, antialias=False)
            entry = label(f"{'┄' if dashed else '●'} {name}", scale=0.9)
            entry.setStyleSheet(f"color: {theme.colour(shade).name()};")
            self._legend.insertWidget(len(self._lines) - 1, entry)
        return self._lines[name]

    def lines(self) -> dict[str, pg.PlotDataItem]:
        """Returns the lines made so far, by name."""
        return self._lines
