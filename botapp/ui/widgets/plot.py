"""A plot in the theme's colours; pyqtgraph, which draws it, is loaded with the first line that is drawn.

So the app's window need not wait for that; the axes come a moment after it. The legend is a line above the
plot, so that it never lies over the data.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from botapp.ui import theme
from botapp.ui.widgets.boxes import FlowLayout, column_of
from botapp.ui.widgets.labels import label

if TYPE_CHECKING:
    import pyqtgraph as pg

_LEAST_HEIGHT = 56
PLOT_LEAST = 120
"""Height of a plot beside a table with its caption and axis, in logical pixels; below, a panel scrolls."""
_SOON_MS = 150
INTERVAL_MS = 1000  # How often a plot is redrawn at most


class Plot(QWidget):
    """Lines over a plain ground. `caption` names the unit and the horizontal axis."""

    def __init__(self, caption: str, dress: "Callable[[pg.PlotWidget], object]" = lambda _: None) -> None:
        """Leaves the ground empty until something is drawn; `dress` sets up the axes once they are there."""
        super().__init__()
        self._dress = dress
        self._area: pg.PlotWidget | None = None
        self._lines: dict[str, pg.PlotDataItem] = {}
        legend = QWidget()
        self._legend = FlowLayout(legend)
        self._legend.setContentsMargins(0, 0, 0, 0)
        self._legend.addWidget(label(caption, "muted", scale=0.9))
        self._room = QVBoxLayout()
        column_of(legend, (self._room, 1), into=self, margins=(0, 0, 0, 0), spacing=2)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def showEvent(self, event: QShowEvent) -> None:
        """Creates the axes soon after the window is first shown."""
        super().showEvent(event)
        if self._area is None:
            QTimer.singleShot(_SOON_MS, self, self._make)

    @Slot()
    def _make(self) -> None:
        assert self.area is not None

    @property
    def area(self) -> "pg.PlotWidget":
        """The axes and what is drawn between them, made on first use."""
        if self._area is None:
            from botapp.ui.widgets.plot_area import plot_area  # noqa: PLC0415

            self._area = plot_area()
            self._area.setMinimumHeight(_LEAST_HEIGHT)
            self._room.addWidget(self._area)
            self._dress(self._area)
        return self._area

    def line(self, name: str, shade: str, *, width: int = 2, dashed: bool = False) -> "pg.PlotDataItem":
        """Returns the line with this name, made on first use in one of the theme's colours."""
        if name not in self._lines:
            from botapp.ui.widgets.plot_area import add_line  # noqa: PLC0415

            self._lines[name] = add_line(self.area, shade, width, dashed=dashed)
            entry = label(f"{'┄' if dashed else '●'} {name}", scale=0.9)
            entry.setStyleSheet(f"color: {theme.colour(shade).name()};")
            self._legend.addWidget(entry)
        return self._lines[name]

    def show_span(self, seconds: float) -> None:
        """Shows the last seconds up to now, in minutes where there are many."""
        from botapp.ui.widgets.plot_area import show_span  # noqa: PLC0415

        show_span(self.area, seconds)

    def mark(self) -> "pg.InfiniteLine":
        from botapp.ui.widgets.plot_area import add_mark  # noqa: PLC0415

        return add_mark(self.area)

    def lines(self) -> "dict[str, pg.PlotDataItem]":
        return self._lines
