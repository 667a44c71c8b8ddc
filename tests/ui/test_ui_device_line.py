"""The device line says where the advice is worked out, figures with units, and nothing that is not known."""

from dataclasses import replace

from ui_factories import changed, decision, snapshot

from botapp.runtime.messages import DeviceStatus, MemoryStatus
from botapp.ui import translation
from botapp.ui.device_line import DeviceLine, parts

GIB = 1 << 30
CARD = DeviceStatus("auto", "rocm", "cuda:0", "bf16", "", title="AMD Radeon RX 7800 XT")


def test_a_card_is_named_with_its_memory_time_and_temperature():
    memory = MemoryStatus(300 << 20, 16 * GIB, 2 * GIB, GIB, device_temperature_c=52.0)
    thought = changed(decision(), timings_ms=(("search", 40.0), ("think", 9.0)), step_ms=1.5)
    found = parts(snapshot(1, device=CARD, memory=memory), thought)
    assert found[:2] == ["AMD Radeon RX 7800 XT", "bf16"]
    assert found[2] == "VRAM 2.00\u00a0GB used, 14.00\u00a0GB free"
    assert found[3] == "last decision 49.0\u00a0ms" and found[4] == "52\u00a0°C"


def test_without_a_card_no_figure_of_one_is_made_up():
    searching = DeviceStatus("search", "cpu", "cpu", "", "", engine="search")
    found = parts(snapshot(1, device=searching, memory=MemoryStatus(300 << 20)), None)
    assert found == ["processor, no model", "engine 300\u00a0MB"]


def test_a_model_that_is_being_loaded_is_said_to_be():
    coming = DeviceStatus("model", "cpu", "cpu", "", "", engine="search", loading=True)
    assert parts(snapshot(1, device=coming, memory=None), None) == ["processor, the model is being loaded"]


def test_that_the_model_fits_is_said_of_a_cards_memory_and_that_it_does_not_of_any():
    here = DeviceStatus("model", "cpu", "cpu", "fp32", "", fits=True)
    rss, card = MemoryStatus(300 << 20), MemoryStatus(300 << 20, 16 * GIB, 2 * GIB, GIB)
    assert "the model fits" not in parts(snapshot(1, device=here, memory=rss), None)
    assert "the model fits" in parts(snapshot(1, device=replace(CARD, fits=True), memory=card), None)
    assert "the model does not fit" in parts(snapshot(1, device=replace(here, fits=False), memory=rss), None)


def test_the_time_of_the_search_is_that_of_the_whole_decision():
    alone = changed(decision(), adviser="search", timings_ms=(("search", 50.0), ("decode", 1.0)))
    translation.use("fr")
    assert parts(snapshot(1), alone)[-1] == "dernière décision 51,0\u00a0ms"


def test_a_decision_of_a_second_and_more_is_said_in_seconds():
    alone = changed(decision(), adviser="search", timings_ms=(("search", 2300.0),))
    translation.use("fr")
    assert parts(snapshot(1), alone)[-1] == "dernière décision 2,3\u00a0s"


def test_in_a_slim_window_the_line_breaks_between_figures_and_none_is_cut(qtbot):
    translation.use("fr")
    line = DeviceLine()
    qtbot.addWidget(line)
    memory = MemoryStatus(300 << 20, 16 * GIB, 2 * GIB, GIB, device_temperature_c=52.0)
    given = snapshot(1, device=replace(CARD, fits=True), memory=memory)
    line.show()
    line.show_snapshot(given)
    said = parts(given, given.decision)
    for width, lines in ((1600, (1,)), (420, (2, 3)), (60, (len(said),))):
        line.resize(width, 60)
        shown = line.text.text().split("\n")
        assert "  ·  ".join(shown) == line.whole_text() == "  ·  ".join(said)
        assert len(shown) in lines
        line.show_snapshot(snapshot(2, device=CARD, memory=None, decision=None))
        assert len(line.text.text().split("\n")) == len(shown), "what stands above would jump"
        line.show_snapshot(given)
        assert line.sizeHint().height() >= len(shown) * line.fontMetrics().height()
