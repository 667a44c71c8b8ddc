"""A pyqtgraph plot in the theme's colours, without antialiasing, menus or mouse: cheap on slow cores."""

import os

os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy

from botapp.ui import theme

INTERVAL_MS = 500
"""How often a plot is redrawn at most."""


class Plot(pg.PlotWidget):
    """Lines over a plain ground. `unit` names the vertical axis, `across` the horizontal one."""

    def __init__(self, unit: str, across: str, *, legend: bool = False) -> None:
        super().__init__(background=None)
        self.setAntialiasing(False)
        self.setFrameShape(self.Shape.NoFrame)
        self.setMinimumHeight(90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        item = self.getPlotItem()
        item.hideButtons()
        item.setMenuEnabled(False)
        item.setMouseEnabled(x=False, y=False)
        item.showGrid(y=True, alpha=0.18)
        font = theme.font(0.85)
        for side, text in (("left", unit), ("bottom", across)):
            axis = item.getAxis(side)
            axis.setPen(theme.colour("border"))
            axis.setTextPen(theme.colour("muted"))
            axis.setTickFont(font)
            axis.enableAutoSIPrefix(False)
            item.setLabel(side, text, color=theme.colour("muted").name(), **{"font-size": "8pt"})
        item.getViewBox().setDefaultPadding(0.02)
        if legend:
            made = item.addLegend(offset=(-6, 4), labelTextColor=theme.colour("muted"), labelTextSize="8pt")
            made.setBrush(theme.colour("surface", 0.8))
        self._lines: dict[str, pg.PlotDataItem] = {}

    def line(self, name: str, shade: str, *, width: int = 2, dashed: bool = False) -> pg.PlotDataItem:
        """Returns the line with this name, made on first use in one of the theme's colours."""
        if name not in self._lines:
            style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
            pen = pg.mkPen(theme.colour(shade), width=width, style=style)
            self._lines[name] = self.plot(pen=pen, name=name, antialias=False)
        return self._lines[name]

    def lines(self) -> dict[str, pg.PlotDataItem]:
        """Returns the lines made so far, by name."""
        return self._lines
