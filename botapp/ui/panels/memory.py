"""The Memory panel: memory of the device and of both processes, and what a card does, over ten minutes."""

import time

from botapp.runtime.messages import Snapshot
from botapp.ui import words
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import FIGURES, CardFigure, History, MemoryPoint, series
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.bars import Meter
from botapp.ui.widgets.boxes import Column
from botapp.ui.widgets.labels import Elided, scrolled
from botapp.ui.widgets.plot import PLOT_LEAST, Plot
from botapp.ui.widgets.table import Cell, FigureTable

_MIB = 1 << 20
_LEAST_SPAN_S = 10.0


@panel
class MemoryPanel(Panel):
    """Device total, used and our share, resident memory of worker and app, and a plot."""

    key = "memory"
    title = mark("Memory")
    order = 90
    sentences = (
        (
            mark("Engine, this app"),
            mark("What the process that thinks and the one with this window take of the computer's memory."),
        ),
        (
            mark("Device"),
            mark("What the graphics card has, what all programs use of it, and botapp's own share."),
        ),
    )
    interval_ms = 1000

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.device = Elided(tr("Device: {name}", name=tr(words.UNKNOWN)), "muted")
        self.meter = Meter()
        self.table = FigureTable(tr(self.title), [tr("Memory"), tr("Now"), tr("At start")])
        self.plot = Plot(tr("MB"))
        self.plot.setMinimumHeight(PLOT_LEAST)
        self._inner = Column()
        for part in (self.device, self.meter, self.table):
            self._inner.box.addWidget(part)
        self._inner.box.addWidget(self.plot, 1)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(scrolled(self._inner, by_keys=True))
        self.card_plots: dict[str, Plot] = {}

    def render_snapshot(self, snapshot: Snapshot) -> None:
        if snapshot.device is not None:
            self.device.set_text(tr("Device: {name}", name=words.device(snapshot.device)))
        points = list(self.history.memory)
        if not points:
            return
        first, last = next((point for point in points if point.worker), points[0]), points[-1]
        now, start = last.device, first.device
        of_a_card = (
            (tr("Device, total"), now.device_total, start.device_total),
            (tr("Device, in use"), now.device_used, start.device_used),
            (tr("Device, our share"), now.device_ours, start.device_ours),
        )
        processes = ((tr("Engine"), last.worker, first.worker), (tr("This app"), last.app, first.app))
        none_known = all(value is None for _, *values in of_a_card for value in values)
        rows = processes if none_known else of_a_card + processes
        self.meter.setVisible(not none_known)
        does = [(figure, figure.read(now), figure.read(start)) for figure in FIGURES]
        self.table.show_rows(
            [(Cell(name), _bytes(value), _bytes(before, "muted")) for name, value, before in rows]
            + [
                (Cell(tr(figure.title)), _figure(figure, value), _figure(figure, before, "muted"))
                for figure, value, before in does
                if value is not None
            ]
        )
        self.table.show_whole()
        total, used = now.device_total, now.device_used
        self.meter.show_value(used / total if total and used is not None else None, "accent")
        self._plot_card(points)
        self._plot([(p.at_s, p.worker, p.app, p.device.device_ours) for p in points])

    def _plot_card(self, points: list[MemoryPoint]) -> None:
        now = time.monotonic()
        span = max(now - points[0].at_s, _LEAST_SPAN_S)
        tops: dict[str, float] = {}
        for figure in FIGURES:
            known = series(points, figure)
            if known:
                line = self._card_plot(figure.unit).line(tr(figure.title), figure.shade)
                line.setData([at - now for at, _ in known], [value for _, value in known])
                tops[figure.unit] = max(tops.get(figure.unit, 0.0), *(value for _, value in known))
        for unit, plot in self.card_plots.items():
            plot.setVisible(unit in tops)
            plot.show_span(span)
            plot.area.setYRange(0, 100 if unit == "%" else max(tops.get(unit, 1.0), 1.0) * 1.15, padding=0)

    def _card_plot(self, unit: str) -> Plot:
        """Returns the plot for a unit, made on first use: most computers have nothing to draw there."""
        if unit not in self.card_plots:
            self.card_plots[unit] = Plot(unit)
            self.card_plots[unit].setMinimumHeight(PLOT_LEAST)
            self._inner.box.addWidget(self.card_plots[unit], 1)
        return self.card_plots[unit]

    def _plot(self, points: list[tuple[float, int, int, int | None]]) -> None:
        now = time.monotonic()
        across = [at - now for at, *_ in points]
        self.plot.line(tr("Engine"), "info").setData(across, [p[1] / _MIB for p in points])
        self.plot.line(tr("This app"), "good").setData(across, [p[2] / _MIB for p in points])
        ours = [(at - now, share / _MIB) for at, _, _, share in points if share is not None]
        if ours:
            line = self.plot.line(tr("Device, our share"), "accent")
            line.setData([at for at, _ in ours], [share for _, share in ours])
        top = max(max(worker, app, share or 0) for _, worker, app, share in points)
        self.plot.show_span(max(-across[0], _LEAST_SPAN_S))
        self.plot.area.setYRange(0, top / _MIB * 1.15, padding=0)


def _figure(figure: CardFigure, value: float | None, shade: str = "text") -> Cell:
    if value is None:
        return Cell(tr(words.UNKNOWN), "faint")
    return Cell(f"{words.number(value)}\u00a0{figure.unit}", shade)


def _bytes(value: int | None, shade: str = "text") -> Cell:
    return Cell(words.mebibytes(value), shade if value is not None else "faint")
