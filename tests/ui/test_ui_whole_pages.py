"""No text of a page or a dialog is cut on a small screen, in both languages, at 100 and at 200 %: each label,
button, choice, header, tab and cell is measured with its longest words, also where one has to scroll to it.
"""

from dataclasses import replace

import madeup_game as made
import pytest
from kept_fights import fight
from measuring import cut, cut_fields, whole
from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from test_ui_comparison import compared
from test_ui_game import picture
from test_ui_lesson import faulty
from test_ui_whole_texts import longest
from ui_factories import FakeLook, snapshot

from botapp.content.knowledge.base import KnowledgeBase
from botapp.host.settings import Settings
from botapp.review.form import to_bytes
from botapp.review.shelf import FightShelf
from botapp.ui import translation
from botapp.ui.compact.window import CompactWindow
from botapp.ui.crash import CrashDialog
from botapp.ui.explain import Explanation
from botapp.ui.game.effects import KINDS
from botapp.ui.game.page import GamePage
from botapp.ui.game.spellform import SpellDialog
from botapp.ui.panels.base import panels
from botapp.ui.picking.picker import WindowPicker
from botapp.ui.review.page import ReviewPage
from botapp.ui.settings.device import GraphicsCards
from botapp.ui.settings.editors import ChoiceEditor
from botapp.ui.settings.page import SettingsPage
from botapp.ui.settings.rows import OFFERED
from botapp.ui.welcome import Welcome
from botapp.ui.widgets import labels

SCREENS = ((1280, 664), (640, 304))
"""Room for a dialog at 1280x720, and at 1280x720 at 200 %, in logical pixels: what `fitting` leaves."""
DEVICE = snapshot(1).device


@pytest.fixture(params=["en", "fr"])
def language(request):
    translation.use(request.param)
    return request.param


@pytest.fixture(params=SCREENS, ids=["100", "200"])
def room(request, monkeypatch):
    width, height = request.param

    class Screen:
        @staticmethod
        def availableSize():
            return QSize(width, height + 2 * labels.TITLE_HEIGHT)

    class Desktop(QGuiApplication):
        @staticmethod
        def primaryScreen():
            return Screen

    monkeypatch.setattr(labels, "QGuiApplication", Desktop)
    return request.param


def longest_choices(page):
    """Takes the longest of each choice."""
    for editor in page.findChildren(ChoiceEditor):
        texts = [editor.combo.itemText(row) for row in range(editor.combo.count())]
        editor.combo.blockSignals(True)
        editor.combo.setCurrentIndex(texts.index(max(texts, key=len)))
        editor.combo.blockSignals(False)


@pytest.mark.long
def test_the_settings(qtbot, language, room):
    page = SettingsPage(Settings(hotkeys=OFFERED, ui={"releases": "https://codeberg.org/api/v1/repos/a/b"}))
    qtbot.addWidget(page)
    page.show_device(DEVICE)
    page.undo.offer(translation.tr("All settings and the panels are back to their defaults."), lambda: None)
    page.restart_row.show()
    problem = translation.tr("{keys} is taken by another program", keys="Ctrl+Shift+F10")
    page.show_key_problems({"window": problem, "overlay_minimal": problem})
    found = []
    for row in range(page.pages.list.count()):
        page.pages.turn_to(row)
        for more in page.advanced.values():
            more.setChecked(True)
        longest_choices(page)
        found += whole(qtbot, page, room, page.pages.list.item(row).text())
    assert not found, "\n".join(found)


@pytest.mark.long
def test_the_first_steps(qtbot, language, room, monkeypatch):
    monkeypatch.setattr(GraphicsCards, "ask", lambda self: None)
    page = Welcome(lambda: Settings(engine={"adviser": "model"}), found="Brinka  ·  DOFUS (Unity)")
    qtbot.addWidget(page)
    page.show_device(DEVICE)
    problem = translation.tr("{keys} is taken by another program", keys="Ctrl+Shift+F10")
    page.keys.show_problems({"window": problem})
    found = []
    for number in range(4):
        page.show_page(number)
        longest_choices(page)
        found += whole(qtbot, page, room, f"page {number + 1}")
    assert not found, "\n".join(found)


@pytest.mark.long
def test_the_persons_game(qtbot, language, room, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    base = KnowledgeBase(tmp_path / "knowledge")
    base.import_game([made.write(tmp_path / "game", made.small())])
    settings = Settings(advisor={"player_class": "ember"}, capture={"target": "dofus-unity"})
    page = GamePage(settings, base)
    qtbot.addWidget(page)
    page.show_frame(picture()[0])
    found = []
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        found += whole(qtbot, page, room, page.tabs.tabText(tab))
    assert not found, "\n".join(found)


@pytest.mark.long
def test_the_persons_game_before_it_is_open(qtbot, language, room, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    page = GamePage(Settings(), KnowledgeBase(tmp_path / "knowledge"))
    qtbot.addWidget(page)
    found = []
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        found += whole(qtbot, page, room, page.tabs.tabText(tab))
    assert not found, "\n".join(found)


@pytest.mark.long
def test_kept_fights(qtbot, language, room, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    shelf = FightShelf()
    shelf.folder.mkdir()
    for day, result in enumerate(("won", "lost", "unfinished")):
        summary = replace(faulty().summary, result=result, begun=1_795_428_000.0 + 86_400 * day)
        shelf.free_path(summary.begun).write_bytes(to_bytes(replace(faulty(), summary=summary)))
    page = ReviewPage(Settings, shelf)
    qtbot.addWidget(page)
    found = whole(qtbot, page, room, "list")
    page.show_progress()
    found += whole(qtbot, page, room, "progress")
    page.show_fight(faulty())
    for at in range(len(fight().moments)):
        page.show_fight(faulty(), at)
        found += whole(qtbot, page, room, f"moment {at}")
    page.show_lesson()
    found += whole(qtbot, page, room, "lesson")
    assert not found, "\n".join(found)


@pytest.mark.long
def test_the_other_dialogs(qtbot, language, room, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    form = SpellDialog({"effects": [{"kind": kind} for kind in KINDS]}, lambda table: "")
    dialogs = {
        "F1": Explanation([kind.key for kind in panels()]),
        "comparison": compared(qtbot),
        "picker": WindowPicker(FakeLook(), "arena", None),
        "spell": form,
        "crash": CrashDialog(),
    }
    found = []
    for name, dialog in dialogs.items():
        found += whole(qtbot, dialog, room, name)
        dialog.hide()  # the picker is deleted where it is closed
        if name != "comparison":  # which `compared` gave to qtbot
            dialog.deleteLater()
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_the_small_window(qtbot, language):
    window = CompactWindow()
    qtbot.addWidget(window)
    window.show()
    said = (
        longest(1),
        snapshot(2, advice="not-my-turn", decision=None),
        snapshot(3, capture="no-window", advice="none", decision=None, state=None),
    )
    found = []
    for one in said:
        window.show_snapshot(one)
        qtbot.wait(20)
        found += [*cut(window), *cut_fields(window)]
    assert not found, "\n".join(found)
