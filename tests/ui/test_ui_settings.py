"""The settings page shows every option, greys what does not work here, and tells each valid change."""

import json
import sys

import psutil
import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QColorDialog, QPushButton
from ui_factories import SEARCHING

from botapp.host import settings_file
from botapp.host.message import pack
from botapp.host.settings import Settings, options
from botapp.runtime.messages import DeviceStatus
from botapp.ui import translation
from botapp.ui.settings.device import BackendProbe, ProbedBackend, parse
from botapp.ui.settings.editors import ChoiceEditor
from botapp.ui.settings.page import GROUPS, SettingsPage
from hrm.message import say as hrm_say

BACKENDS = (
    ProbedBackend("auto", True, "takes cpu here", (("cpu", "A CPU"),)),
    ProbedBackend("rocm", False, "the installed torch is not built for ROCm (AMD)"),
    ProbedBackend("cuda", True, "", (("cuda:0", "A card"), ("cuda:1", "Another"))),
    ProbedBackend("directml", False, "it exists on Windows only"),
    ProbedBackend("cpu", True, "always works", (("cpu", "A CPU"),)),
)


@pytest.fixture(scope="module")
def one_page(keep):
    translation.use("en")
    yield from keep(SettingsPage(Settings()))


@pytest.fixture
def page(one_page, qtbot):
    """The page with the settings of a first start; it is made once, which takes longer than all else here."""
    one_page.show_settings(Settings())
    one_page.show_backends([ProbedBackend(backend.name, True, "", ()) for backend in BACKENDS])
    one_page.show_device(None)
    for shown in (one_page.restart_row, one_page.trouble, one_page.undo):
        shown.hide()
    one_page.show_group("engine")
    one_page.show()
    return one_page


@pytest.fixture
def changes(page):
    heard = []
    page.changed.connect(heard.append)
    yield heard
    page.changed.disconnect(heard.append)


@pytest.mark.slow
def test_every_option_has_an_editor_in_its_group(page):
    for row in range(page.pages.list.count()):
        page.pages.turn_to(row)
    assert set(page.editors) == {option.key for option in options()}
    assert {option.group for option in options()} == set(GROUPS)


@pytest.mark.slow
def test_a_number_is_told_at_once(page, changes):
    page.editor("engine.latency_budget_ms").spin.setValue(80)
    assert changes[-1].engine.latency_budget_ms == 80


@pytest.mark.slow
def test_a_fraction_is_told_by_slider_and_by_figure(page, changes):
    editor = page.editor("engine.halt_threshold")
    editor.slider.setValue(75)
    assert changes[-1].engine.halt_threshold == 0.75
    editor.spin.setValue(0.3)
    assert changes[-1].engine.halt_threshold == 0.3
    assert editor.slider.value() == 30


def test_a_switch_a_choice_a_text_and_a_colour_are_told(page, changes, monkeypatch, qtbot):
    page.editor("overlay.show_heat").switch.click()
    assert changes[-1].overlay.show_heat is False
    combo = page.editor("ui.theme").combo
    combo.setCurrentIndex(combo.findData("light"))
    assert changes[-1].ui.theme == "light"
    line = page.editor("capture.title").line
    line.setText("My game")
    line.editingFinished.emit()
    assert changes[-1].capture.title == "My game"
    monkeypatch.setattr(QColorDialog, "getColor", staticmethod(lambda colour, *_: type(colour)("#ff8800")))
    page.editor("overlay.colour").button.click()
    assert changes[-1].overlay.colour == "#ff8800"


def test_the_class_is_picked_among_those_there_are(page, changes):
    combo = page.editor("advisor.player_class").combo
    keys = [combo.itemData(index) for index in range(combo.count())]
    assert keys[0] == "" and {"warden", "ember"} <= set(keys)
    combo.setCurrentIndex(combo.findData("warden"))
    assert changes[-1].advisor.player_class == "warden"


def test_limits_of_the_settings_are_those_of_the_editors(page):
    spin = page.editor("engine.step_limit").spin
    assert (spin.minimum(), spin.maximum()) == (1, 16)


def test_a_value_outside_its_limits_is_refused_in_words(page, changes):
    option = page.editor("engine.step_limit").option
    page._change(option, 99)
    assert changes == [] and page.trouble.isVisible() and "step_limit" in page.trouble.text()


def test_unusable_backends_are_greyed_with_their_reason(page):
    page.show_backends(BACKENDS)
    combo = page.editor("engine.backend").combo
    model = combo.model()
    usable = {combo.itemData(i): model.item(i).isEnabled() for i in range(combo.count())}
    assert usable == {"auto": True, "rocm": False, "cuda": True, "directml": False, "cpu": True}
    assert "not built for ROCm" in model.item(combo.findData("rocm")).toolTip()
    assert "DirectML" in page.backend_notes.text()


def test_devices_are_those_of_the_backend(page):
    page.show_backends(BACKENDS)
    device = page.editor("engine.device").combo
    backend = page.editor("engine.backend").combo
    backend.setCurrentIndex(backend.findData("cuda"))
    assert [device.itemData(i) for i in range(device.count())] == ["auto", "cuda:0", "cuda:1"]
    backend.setCurrentIndex(backend.findData("cpu"))
    assert [device.itemData(i) for i in range(device.count())] == ["auto", "cpu"]


def test_a_device_that_is_not_there_stays_visible(page):
    page.show_settings(Settings(engine={"device": "cuda:7"}))
    page.show_backends(BACKENDS)
    assert page.editor("engine.device").combo.currentData() == "cuda:7"


def test_asked_in_use_and_why(page):
    assert "not reported it yet" in page.device.in_use.text()
    page.show_device(
        DeviceStatus("rocm auto auto", "cpu", "cpu", "fp32", "rocm cannot be used: no card; using cpu")
    )
    assert page.device.asked.text().startswith("ROCm")
    assert page.device.in_use.text() == "Processor (CPU)  ·  fp32  ·  torch"
    assert "no card" in page.device.why.text()


def test_a_card_in_use_is_called_by_its_name(page):
    card = DeviceStatus(
        "auto auto auto", "rocm", "cuda:0", "bf16", "bf16 is fast on gfx1101", title="AMD Radeon RX 7800 XT"
    )
    page.show_device(card)
    assert page.device.in_use.text() == "ROCm (AMD)  ·  AMD Radeon RX 7800 XT  ·  bf16"


def test_where_the_search_advises_alone_the_model_s_settings_can_be_chosen_all_the_same(page, changes):
    page.editor("engine.adviser").combo.setCurrentIndex(0)
    assert changes[-1].engine.adviser == "search"
    page.show_device(SEARCHING)
    assert page.device.asked.text() == "The search alone"
    assert page.device.in_use.text() == "Processor (CPU)  ·  no model"
    assert "No model" in page.device.why.text()
    of_model = [page.editor(f"engine.{name}") for name in ("backend", "step_limit", "cpu_threads")]
    assert all(editor.isEnabled() for editor in of_model) and page.trials.isVisible()
    assert page.of_model.isVisible()
    assert page.editor("engine.latency_budget_ms").isEnabled()
    page.editor("engine.adviser").combo.setCurrentIndex(1)
    assert changes[-1].engine.adviser == "model"
    assert not page.of_model.isVisible()


def test_what_is_done_for_speed_is_shown_with_what_is_not(page):
    page.show_device(
        DeviceStatus(
            "auto auto auto", "rocm", "cuda:0", "bf16", "bf16 is fast on gfx1101", level="balanced",
            measures=("at most 80% of the card's memory", "plain attention"),
            left_out=("graph capture: on AMD cards only once a child process proved it",),
        )
    )  # fmt: skip
    assert page.device.applied.text() == "Balanced  ·  at most 80% of the card's memory  ·  plain attention"
    assert "graph capture" in page.device.left_out.text()


def test_what_a_trial_found_starts_the_engine_again(page, qtbot):
    with qtbot.waitSignal(page.restart_asked):
        page.trials._answered({"checks": [], "proved": {"cuda:0": "bf16"}})


def test_a_setting_that_needs_a_restart_says_so_and_offers_it(page, qtbot, changes):
    assert page.restart_row.isHidden()
    page.editor("engine.memory_cap_mb").spin.setValue(2048)
    assert not page.restart_row.isHidden() and changes[-1].engine.memory_cap_mb == 2048
    with qtbot.waitSignal(page.restart_asked):
        page.restart_row.findChild(QPushButton).click()
    assert page.restart_row.isHidden()


def test_what_a_player_can_leave_alone_is_shown_on_request(page):
    basic, advanced = page.editor("engine.latency_budget_ms"), page.editor("engine.halt_threshold")
    assert basic.isVisible() and not advanced.isVisible()
    page.advanced["engine"].click()
    assert basic.isVisible() and advanced.isVisible()
    page.advanced["engine"].click()
    for group in GROUPS:
        page.show_group(group)
    assert {option.group for option in options() if option.advanced} == set(page.advanced)


def test_groups_turn_the_pages(page):
    page.show_group("overlay")
    assert page.current_group() == "overlay"
    assert page.pages.stack.currentIndex() == list(GROUPS).index("overlay")


@pytest.mark.slow
def test_the_page_speaks_french(qtbot):
    translation.use("fr")
    page = SettingsPage(Settings())
    qtbot.addWidget(page)
    assert page.pages.list.item(0).text() == "Réflexion"
    assert page.editor("engine.backend").combo.itemText(0) == "Automatique"
    assert page.editor("engine.step_limit").spin.suffix() == " étapes"
    assert isinstance(page.editor("engine.device"), ChoiceEditor)


def test_a_child_process_answers_which_backends_work(qtbot):
    answer = (
        '[{"name": "cpu", "usable": true, "reason": "ok", "devices": [{"name": "cpu", "title": "A CPU"}]}]'
    )
    probe = BackendProbe((sys.executable, "-c", f"print('noise'); print('''{answer}''')"))
    with qtbot.waitSignal(probe.answered, timeout=20_000) as heard:
        probe.ask()
        probe.ask()
    assert heard.args[0] == (ProbedBackend("cpu", True, "ok", (("cpu", "A CPU"),)),)


@pytest.mark.slow
@pytest.mark.parametrize("command", [(sys.executable, "-c", "raise SystemExit(3)"), ("/no/such/program",)])
def test_a_child_that_fails_is_said_in_words(qtbot, page, command):
    probe = BackendProbe(command)
    probe.failed.connect(page.show_probe_trouble)
    with qtbot.waitSignal(probe.failed, timeout=20_000):
        probe.ask()
    assert "botapp doctor" in page.backend_notes.text()


def test_a_question_still_open_is_ended_with_the_app(qtbot):
    probe = BackendProbe((sys.executable, "-c", "import time; time.sleep(60)"))
    probe.ask()
    (child,) = (one for one in psutil.Process().children() if "time.sleep(60)" in " ".join(one.cmdline()))
    probe.close()
    probe.close()
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_a_backends_reason_keeps_its_template_and_values_across_the_process():
    reason = hrm_say("torch {version} reaches {number} device(s)", version="2.13.0", number=1)
    entry = {
        "name": "cuda",
        "usable": True,
        "reason": reason,
        "devices": [{"name": "cuda:0", "title": "H200"}],
    }
    (backend,) = parse("noise\n" + json.dumps(pack([entry])))
    assert backend.reason == "torch 2.13.0 reaches 1 device(s)"
    assert backend.reason.template == reason.template
    assert backend.reason.values == {"version": "2.13.0", "number": 1}


@pytest.mark.parametrize("text", ["", "no json", "{}", '[{"name": "cpu"}]'])
def test_a_broken_answer_is_an_error(text):
    with pytest.raises((ValueError, KeyError, TypeError)):
        if not parse(text):
            raise ValueError("empty")


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr_FR", "de_DE", "tr_TR", "en_US"])
def test_decimals_are_taken_with_a_point_and_a_comma_in_every_language(
    qtbot, language, tmp_path, monkeypatch
):
    """Through the settings page and its file, which has a point in every language."""
    before = QLocale()
    QLocale.setDefault(QLocale(language))
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    try:
        page = SettingsPage(Settings())
        qtbot.addWidget(page)
        heard = []
        page.changed.connect(heard.append)
        spin = page.editor("overlay.opacity").spin
        for typed in ("0,65", "0.75"):
            spin.selectAll()
            qtbot.keyClicks(spin, typed)
            qtbot.keyClick(spin, Qt.Key.Key_Return)
        assert [one.overlay.opacity for one in heard] == [0.65, 0.75]
        settings_file.save(heard[-1])
        assert "opacity = 0.75" in settings_file.settings_path().read_text("utf-8")
        again = SettingsPage(settings_file.load().settings)
        qtbot.addWidget(again)
        assert again.editor("overlay.opacity").spin.text() == f"0{QLocale(language).decimalPoint()}75"
    finally:
        QLocale.setDefault(before)
