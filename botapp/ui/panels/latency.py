"""The Latency panel: what each stage costs, with its tails, and how that went over the last minute."""

import time
from typing import TYPE_CHECKING

from botapp.host.settings import Settings
from botapp.runtime.messages import Snapshot
from botapp.ui import words
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import RECENT, WHOLE, DurationSamples, History
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import Column
from botapp.ui.widgets.labels import scrolled
from botapp.ui.widgets.plot import INTERVAL_MS, PLOT_LEAST, Plot
from botapp.ui.widgets.table import Cell, FigureTable

if TYPE_CHECKING:
    import pyqtgraph as pg

SPAN_S = 60.0
SLOW_MS = {"to_overlay": 200.0, "loop": 30.0}
MODEL_STAGES = ("encode", "think")  # Stages that there are only where a model advises
_LINES = ((WHOLE, "violet"), ("vision", "info"), ("capture", "good"))


@panel
class LatencyPanel(Panel):
    """A row for each stage with its last duration and p50, p95, p99, and a plot of the costly ones."""

    key = "latency"
    title = mark("Latency")
    order = 80
    sentences = (
        (
            mark("p50, p95, p99"),
            mark("Half, 95 of 100 and 99 of 100 times of a stage are shorter than this, in milliseconds."),
        ),
        (
            mark("On screen"),
            mark("From taking the picture until its advice is drawn on the game."),
        ),
    )
    interval_ms = INTERVAL_MS

    def __init__(self, history: History, budget_ms: float = 50.0) -> None:
        super().__init__(history)
        self.budget_ms = budget_ms
        self.table = FigureTable(tr(self.title), [tr("ms, last minute"), "p50", "p95", "p99"])
        self.table.explain(
            {
                1: tr("Half of the times are shorter (p50, the median)."),
                2: tr("19 of 20 times are shorter (p95)."),
                3: tr("99 of 100 times are shorter (p99)."),
            }
        )
        self.plot = Plot(tr("ms, last minute"), _dress)
        self.plot.setMinimumHeight(PLOT_LEAST)
        inner = Column()
        inner.box.addWidget(self.table)
        inner.box.addWidget(self.plot, 1)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(scrolled(inner, by_keys=True))

    def apply(self, settings: Settings) -> None:
        self.budget_ms = settings.engine.latency_budget_ms

    def render_snapshot(self, snapshot: Snapshot) -> None:
        history = self.history
        rows = []
        for name, samples in history.ordered_stages():
            if name not in MODEL_STAGES or snapshot.device is None or snapshot.device.model:
                title, does = words.STAGES.get(name, (name, ""))
                rows.append(
                    self._row(tr(title), samples, self.budget_ms if name == WHOLE else None, tr(does))
                )
        whole = tr("From the capture of a frame until its advice is on the overlay.")
        rows.append(self._row(tr("On screen"), history.to_overlay, SLOW_MS["to_overlay"], whole))
        loop = tr("How far the app's own event loop lags behind.")
        rows.append(self._row(tr("This app"), history.loop_delay, SLOW_MS["loop"], loop))
        self.table.show_rows(rows)
        self.table.show_whole()
        now = time.monotonic()
        lines = [(name, history.stages[name], shade) for name, shade in _LINES if name in history.stages]
        drawn = [(tr(words.STAGES[name][0]), samples, shade) for name, samples, shade in lines]
        drawn.append((tr("On screen"), history.to_overlay, "accent"))
        highest = [samples.quantiles(RECENT, now - SPAN_S) for _, samples, _ in drawn]
        self.plot.area.setYRange(0, max([q.p99 for q in highest if q] or [1.0]) * 1.2, padding=0)
        for name, samples, shade in drawn:
            times, values = samples.recent()
            shown = now - times <= SPAN_S
            line = self.plot.line(name, shade, width=1)
            line.setData(times[shown] - now, values[shown])

    @staticmethod
    def _row(
        name: str, samples: DurationSamples, limit_ms: float | None, about: str = ""
    ) -> tuple[Cell, ...]:
        figures = samples.quantiles(RECENT, time.monotonic() - SPAN_S) or (None, None, None)
        slow = limit_ms is not None and figures[1] is not None and figures[1] > limit_ms
        limit = words.milliseconds(limit_ms)
        tip = tr("Should stay under {limit} at p95", limit=limit) if slow else ""
        return (
            Cell(name, "text", tip=about),
            Cell(_figure(figures[0]), tip=tr("Last: {figure}", figure=words.milliseconds(samples.last))),
            Cell(_figure(figures[1]), "bad" if slow else "text", tip=tip),
            Cell(_figure(figures[2]), "muted"),
        )


def _dress(area: "pg.PlotWidget") -> None:
    area.setXRange(-SPAN_S, 0, padding=0.01)
    area.setLimits(yMin=0)


def _figure(value_ms: float | None) -> str:
    return words.number(value_ms, 1) if value_ms is not None else "–"
