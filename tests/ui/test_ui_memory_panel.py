"""The Memory panel tells what is taken and what the card does, now and over time; unknown is said so."""

import time

import pytest
from PySide6.QtGui import QFontMetricsF
from ui_factories import SEARCHING, snapshot

from botapp.runtime.messages import MemoryStatus
from botapp.ui import theme
from botapp.ui.panels.memory import MemoryPanel
from botapp.ui.samples import History, MemoryPoint, card_summary
from botapp.ui.widgets.plot import Plot


@pytest.mark.slow
def test_memory_says_unknown_where_nobody_knows_and_nothing_of_a_card_that_is_none(shown):
    history = History()
    history.add_memory(MemoryPoint(1.0, 400 << 20, 150 << 20, MemoryStatus(400 << 20)))
    panel = shown(MemoryPanel(history), snapshot())
    rows = {row[0]: row[1:] for row in panel.table.texts()}
    assert set(rows) == {"Engine", "This app"} and not panel.meter.isVisible()
    assert rows["Engine"][0] == "400\u00a0MB"
    assert panel.device.whole_text() == "Device: processor"
    history.add_memory(MemoryPoint(2.0, 400 << 20, 150 << 20, MemoryStatus(400 << 20, 8 << 30)))
    panel.render_snapshot(snapshot(2))
    rows = {row[0]: row[1:] for row in panel.table.texts()}
    assert rows["Device, total"] == ["8.00\u00a0GB", "unknown"] and panel.meter.isVisible()
    assert rows["Device, in use"] == ["unknown", "unknown"]


def test_memory_shows_the_device_and_our_share(shown):
    history = History()
    status = MemoryStatus(1 << 30, 16 << 30, 4 << 30, 1 << 30)
    history.add_memory(MemoryPoint(1.0, 1 << 30, 150 << 20, status))
    panel = shown(MemoryPanel(history), snapshot())
    assert panel.table.texts()[2] == ["Device, our share", "1.00\u00a0GB", "1.00\u00a0GB"]
    assert "Device, our share" in panel.plot.lines()


@pytest.mark.slow
def test_memory_shows_what_the_card_does_live_and_over_time(shown):
    history = History()
    for at, watts in ((1.0, 60.0), (2.0, 65.4)):
        status = MemoryStatus(1 << 30, 16 << 30, 4 << 30, 1 << 30, watts, 51.0, 0.37, 2124.0)
        history.add_memory(MemoryPoint(at, 1 << 30, 150 << 20, status))
    panel = shown(MemoryPanel(history), snapshot())
    rows = {row[0]: row[1:] for row in panel.table.texts()}
    assert rows["Power"] == ["65\u00a0W", "60\u00a0W"]
    assert rows["Card load"][0] == "37\u00a0%"
    assert rows["Card memory"][0] == "25\u00a0%"
    assert rows["Temperature"][0] == "51\u00a0°C"
    assert rows["Clock"][0] == "2,124\u00a0MHz"
    assert len(panel.card_plots) == 4 and all(plot.isVisibleTo(panel) for plot in panel.card_plots.values())
    _, drawn = panel.card_plots["W"].line("Power", "good").getData()
    assert list(drawn) == [60.0, 65.4]
    found = card_summary(history.memory)
    assert found["power_w"] == {"least": 60.0, "mean": 62.7, "most": 65.4, "last": 65.4}


@pytest.mark.slow
def test_the_plots_of_memory_hold_what_they_draw_and_show_one_moment_at_one_place(shown):
    history, now = History(), time.monotonic()
    for ago in range(590, -1, -10):
        status = MemoryStatus(900 << 20, 16 << 30, 4 << 30, 3 << 30, 250.0, 51.0, 0.37, 2124.0)
        history.add_memory(MemoryPoint(now - ago, 900 << 20, 150 << 20, status))
    panel = shown(MemoryPanel(history), snapshot())
    _, share = panel.plot.lines()["Device, our share"].getData()
    low, high = panel.plot.area.viewRange()[1]
    assert low <= min(share) and max(share) <= high
    plots = (panel.plot, *panel.card_plots.values())
    assert len({plot.area.getPlotItem().getAxis("left").width() for plot in plots}) == 1
    below = panel.plot.area.getPlotItem().getAxis("bottom")
    assert below.tickStrings([-480.0, -120.0], below.scale, 120.0) == ["−8\u00a0min", "−2\u00a0min"]


@pytest.mark.parametrize("top", [0.7, 4.0, 95.0, 950.0, 3800.0])
def test_figures_at_the_left_of_a_low_plot_have_room(shown, top):
    plot = Plot("MiB")
    axis = plot.area.getPlotItem().getAxis("left")
    line = QFontMetricsF(theme.font(0.85)).height()
    for size in (36, 100, 400):
        ((spacing, _),) = axis.tickSpacing(0, top, size)
        assert line <= spacing / top * size <= max(3 * line, 1.5 * size)


def test_memory_says_that_there_is_no_model(shown):
    panel = shown(MemoryPanel(History()), snapshot(device=SEARCHING))
    assert panel.device.whole_text() == "Device: processor, no model"


def test_memory_of_a_processor_shows_no_card(shown):
    history = History()
    history.add_memory(MemoryPoint(1.0, 1 << 30, 150 << 20, MemoryStatus(1 << 30)))
    panel = shown(MemoryPanel(history), snapshot())
    assert panel.card_plots == {}
    assert len(panel.table.texts()) == 2
    assert card_summary(history.memory) == {}


def test_memory_without_a_reading_stays_empty(shown):
    assert shown(MemoryPanel(History()), snapshot(device=None)).table.texts() == []
