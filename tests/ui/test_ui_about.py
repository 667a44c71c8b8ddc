"""The About page: which version this is, how strong, how to report a fault, and whose licences there are."""

import pytest
from loopback import LoopbackServer, send
from PySide6.QtWidgets import QLabel, QPushButton

from botapp.arena.measured import measured
from botapp.host.licences import dependencies
from botapp.host.settings import Settings
from botapp.host.versions import versions
from botapp.ui import translation
from botapp.ui.settings import about
from botapp.ui.settings.about import AboutPage, folders, keeping, strength_text
from botapp.ui.settings.page import GROUPS, SettingsPage


def texts(page):
    return [label.text() for label in page.findChildren(QLabel)]


@pytest.fixture
def page(qtbot):
    made = SettingsPage(Settings())
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.slow
def test_version_report_and_every_licence_are_on_the_page(page):
    page.pages.turn_to(page.pages.list.count() - 1)
    shown = texts(page)
    assert f"botapp {versions()['botapp']}" in shown
    assert not any("botapp doctor" in text for text in shown)
    for package in dependencies():
        assert any(f"{package.name} {package.version}  ·  " in text for text in shown)


@pytest.mark.slow
def test_the_button_leads_to_the_diagnosis_and_settings_open_again_at_a_group(page):
    page.pages.turn_to(page.pages.list.count() - 1)
    about = page.pages.stack.currentWidget()
    assert isinstance(about, AboutPage)
    assert page.current_group() in GROUPS
    about.report.click()
    assert page.pages.stack.currentWidget() is page.health


@pytest.mark.slow
def test_strength_is_told_as_elo_with_its_interval_in_the_language_in_use(qtbot):
    shown = [one for one in measured() if one.about]
    learned, plain = shown[0], shown[-1]
    assert strength_text(learned) == (
        "The search as the app uses it, with its learned evaluation, against the search with a hand-made "
        "evaluation: +143 Elo (+104 to +181), 69.5% of the points (64.6% to 74.0%) in 226 fights, "
        "150 ms a turn."
    )
    assert "between fighters drawn at random" in strength_text(shown[1])
    assert "classes and maps that nothing was learnt from" in strength_text(shown[2])
    assert "-0 " not in "".join(map(strength_text, shown))
    assert "+778 Elo (+626 to +929)" in strength_text(plain)
    translation.use("fr")
    assert "69,5\u00a0% des points" in strength_text(learned)
    page = AboutPage()
    qtbot.addWidget(page)
    assert strength_text(learned) in texts(page)


def test_what_is_kept_on_this_computer_is_named_once_with_its_folder(qtbot, monkeypatch, tmp_path):
    for name, at in (("BOTAPP_CONFIG_DIR", "own"), ("BOTAPP_COMPILED", "built"), ("HRM_CACHE_DIR", "none")):
        monkeypatch.setenv(name, str(tmp_path / at))
    (tmp_path / "own" / "knowledge").mkdir(parents=True)
    (tmp_path / "built").mkdir()
    assert [folder for _, folder in folders()] == [tmp_path / "own", tmp_path / "built"]
    (tmp_path / "built" / "code").write_bytes(bytes(2_500_000))
    card = keeping()
    qtbot.addWidget(card)
    assert "2.5 MB" in texts(card) and str(tmp_path / "own") in texts(card)


def test_reports_that_onnx_runtime_left_are_deleted_with_a_button(qtbot, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert keeping().findChildren(QPushButton) == []
    left = tmp_path / "Microsoft" / "DeveloperTools" / ".onnxruntime"
    left.mkdir(parents=True)
    (left / "deviceid").write_text("5f0c")
    card = keeping()
    qtbot.addWidget(card)
    assert any(str(left) in text for text in texts(card))
    card.findChildren(QPushButton)[0].click()
    assert not left.exists()
    assert any("Deleted" in text for text in texts(card))


class Releases(LoopbackServer):
    body, asked = b'{"tag_name": "v0.9.0", "html_url": "https://example.org/0.9.0"}', 0

    def answer(self, request):
        self.asked += 1
        send(request, self.body)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_newer_version_is_looked_for_when_the_button_is_pressed_and_only_then(qtbot, language):
    translation.use(language)
    server = Releases()
    page = SettingsPage(Settings(ui={"releases": server.address}))
    qtbot.addWidget(page)
    page.pages.turn_to(len(GROUPS) + 1)
    page.show()
    card = page.findChild(AboutPage).newer
    card._version = "0.2.0"
    qtbot.wait(50)
    assert server.address in card.about.text() and server.asked == 0 and card.found.isHidden()
    card.look.click()
    assert not card.look.isEnabled()
    qtbot.waitUntil(card.look.isEnabled)
    assert server.asked == 1 and "0.9.0" in card.found.text() and "https://example.org" in card.found.text()
    server.body = b'{"tag_name": "v0.2.0"}'
    card.look.click()
    qtbot.waitUntil(card.look.isEnabled)
    assert card.found.text() == translation.tr("You have the newest version, {own}.", own="0.2.0")
    server.close()
    card.look.click()
    qtbot.waitUntil(card.look.isEnabled)
    assert server.address in card.found.text() and "\n" not in card.found.text()
    assert card.found.property("role") == "bad"


def test_without_an_address_the_button_says_where_to_enter_one(qtbot, monkeypatch):
    monkeypatch.setattr(about, "published_address", str)
    card = about.NewerCard(str)
    qtbot.addWidget(card)
    assert not card.look.isEnabled() and "Advanced settings" in card.about.text()
