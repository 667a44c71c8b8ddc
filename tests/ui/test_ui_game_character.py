"""A player brings the game's data, puts a character together and plays it, in either language."""

from pathlib import Path

import cv2
import madeup_game as made
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QScrollArea

from botapp.content.game.fetching import DownloadPlan
from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import EntryKind
from botapp.host.settings import Settings
from botapp.runtime.messages import FrameSeen
from botapp.tracking import names
from botapp.tracking.levels import LevelGuess
from botapp.ui import translation
from botapp.ui.game import bringing
from botapp.ui.game.page import GamePage
from vision.frame import Rect
from vision.signature import signature
from vision.view import CardSeen, FightView

CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
KEY = Qt.ItemDataRole.UserRole


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def base(folder):
    return KnowledgeBase(folder / "knowledge")


@pytest.fixture
def page(qtbot, base):
    made_page = GamePage(Settings(), base)
    qtbot.addWidget(made_page)
    made_page.tabs.setCurrentWidget(made_page.character)
    made_page.show()
    return made_page


@pytest.fixture
def game(folder):
    return made.write(folder / "game", made.small())


def bring(qtbot, page, path):
    with qtbot.waitSignal(page.character.data.bringer.ended, timeout=30_000):
        page.character.data.bring([path])


def spells(tab):
    items = [tab.spells.item(row) for row in range(tab.spells.count())]
    return {item.data(KEY): item for item in items}


@pytest.mark.slow
def test_the_data_are_brought_and_the_class_is_there(qtbot, page, game):
    tab = page.character
    assert tab.finder.isHidden() and tab.right.isHidden()
    (shown,) = (area for area in tab.findChildren(QScrollArea) if area.isVisible())
    assert shown.isAncestorOf(tab.data), "the page itself, nothing empty to scroll"
    bring(qtbot, page, game)
    assert [tab.finder.classes.item(row).text() for row in range(tab.finder.classes.count())] == ["Locksmith"]
    assert "Classes: 1" in tab.data.report.text()
    assert "changes of cooldowns" in tab.data.report.text()
    assert not tab.data.found.isHidden()
    assert tab.name.text() == "Locksmith"


@pytest.mark.slow
def test_data_that_cannot_be_read_are_told_and_change_nothing(qtbot, page, base, game, folder):
    bring(qtbot, page, game)
    (folder / "bad.json").write_text("[1, 2", "utf-8")
    bring(qtbot, page, folder / "bad.json")
    assert "bad.json is damaged" in page.character.data.trouble.text()
    assert len(base.game.classes) == 1
    assert page.character.data.folder.isEnabled()


@pytest.mark.slow
def test_a_class_is_found_by_its_name_or_one_of_its_spells_in_any_language(qtbot, page, folder):
    game = made.small()
    game["spells"][1]["name"]["de"] = "Schlüsselwurf"
    bring(qtbot, page, made.write(folder / "german", game))
    tab = page.character

    def found(query):
        tab.finder.search.setText(query)
        return [tab.finder.classes.item(row).text() for row in range(tab.finder.classes.count())]

    for query in ("schlusselwurf", "lancer de clef", "wrench"):
        assert found(query) == ["Locksmith · Wrench throw"]
    assert found("serru") == found("LOCK") == ["Locksmith"] and found("morsure") == found("wizard") == []
    translation.use("fr")
    tab.refresh()
    assert found("") == ["Serrurier"]


@pytest.mark.slow
def test_data_that_hold_less_are_asked_about_and_the_former_can_be_brought_back(
    qtbot, page, base, game, folder, monkeypatch
):
    tab, asked = page.character, []
    assert tab.data.back.isHidden()
    bring(qtbot, page, game)
    assert tab.data.back.isHidden()
    less = made.small()
    less["monsters"] = []
    poor = made.write(folder / "poor", less)
    answers = [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes]

    def answered(_parent, _title, text, *_):
        asked.append(text)
        return answers.pop(0)

    monkeypatch.setattr(QMessageBox, "question", answered)
    with qtbot.waitSignal(tab.data.bringer.poorer, timeout=30_000):
        tab.data.bring([poor])
    assert len(base.game.monsters) == 2
    assert "monsters that can be judged: 0 in place of 2" in asked[0]
    assert tab.data.folder.isEnabled()
    with qtbot.waitSignal(tab.data.bringer.ended, timeout=30_000):
        tab.data.bring([poor])
    assert base.game.monsters == []
    tab.data.back.click()
    assert len(base.game.monsters) == 2
    assert "1 class and 2 monsters, brought in on" in tab.data.standing.text()


@pytest.mark.slow
def test_a_character_is_put_together_and_played(qtbot, page, base, game):
    bring(qtbot, page, game)
    tab, chosen = page.character, []
    page.changed.connect(chosen.append)
    tab.sheet.fields["level"].setValue(100)
    assert tab.sheet.fields["hp"].value() == 1300
    listed = spells(tab)
    assert [number for number, item in listed.items() if item.checkState() == CHECKED] == [1001, 1003]
    assert "left out: changes of cooldowns" in listed[1003].text()
    listed[1004].setCheckState(CHECKED)
    assert listed[1003].checkState() == UNCHECKED
    tab.sheet.fields["strength"].setValue(777)
    tab.name.setText("Bob")
    tab.play.click()
    entry = base.get(EntryKind.CLASS, "my-bob")
    assert entry.own
    assert entry.table["spells"] == ["game-1001-2", "game-1004-1"]
    assert (entry.value.level, entry.value.stats.strength, entry.value.stats.dodge) == (100, 777, 16)
    assert chosen[-1].advisor.player_class == "my-bob"
    assert tab.finder.profiles.item(0).text() == "Bob"


@pytest.mark.slow
def test_a_lower_level_knows_fewer_spells_and_keeps_those_on_the_bar(qtbot, page, game):
    bring(qtbot, page, game)
    tab = page.character
    assert set(spells(tab)) == {1001, 1002, 1003, 1004}
    spells(tab)[1002].setCheckState(CHECKED)
    tab.sheet.fields["strength"].setValue(5)
    tab.sheet.fields["level"].setValue(40)
    listed = spells(tab)
    assert set(listed) == {1001, 1003, 1004}
    assert listed[1003].checkState() == CHECKED
    assert tab.sheet.fields["strength"].value() == 5
    tab.usual.click()
    assert tab.sheet.fields["strength"].value() == 180


@pytest.mark.slow
def test_a_new_character_begins_with_the_level_that_the_screen_tells(qtbot, page, game):
    def seen(level, by):
        page.show_frame(FrameSeen(None, None, guess=LevelGuess(level, by)))

    bring(qtbot, page, game)
    tab = page.character
    seen(40, "none")
    assert tab.level == 200
    seen(40, "hp")
    assert tab.level == 40 and tab.sheet.fields["strength"].value() == 180
    assert set(spells(tab)) == {1001, 1003, 1004}
    seen(51, "screen")
    assert tab.level == 51, "what is better founded goes on"
    tab.sheet.fields["level"].setValue(60)
    seen(52, "screen")
    assert tab.level == 60, "but not over what was entered"


@pytest.mark.slow
@pytest.mark.parametrize("entered", [True, False])
def test_no_suggestion_touches_entered_figures_or_a_kept_character(qtbot, page, game, entered):
    bring(qtbot, page, game)
    tab = page.character
    if entered:
        tab.sheet.fields["strength"].setValue(5)
    else:
        tab.play.click()
        tab.finder.profiles.itemClicked.emit(tab.finder.profiles.item(0))
    page.show_frame(FrameSeen(None, None, guess=LevelGuess(40, "hp")))
    assert tab.level == 200


@pytest.mark.slow
def test_one_click_changes_the_character(qtbot, page, game):
    bring(qtbot, page, game)
    tab, chosen = page.character, []
    for name, level in (("Low", 20), ("High", 200)):
        tab.sheet.fields["level"].setValue(level)
        tab.name.setText(name)
        tab.play.click()
    page.changed.connect(chosen.append)
    row = next(row for row in range(2) if tab.finder.profiles.item(row).text() == "Low")
    tab.finder.profiles.itemClicked.emit(tab.finder.profiles.item(row))
    assert [settings.advisor.player_class for settings in chosen] == ["my-low"]
    assert tab.level == 20
    assert tab.name.text() == "Low"
    tab.name.setText("Low")
    tab.sheet.fields["hp"].setValue(999)
    tab.play.click()
    assert tab.finder.profiles.count() == 2


@pytest.mark.slow
def test_a_portrait_is_a_monster_of_the_game_at_a_level(qtbot, page, base, game):
    bring(qtbot, page, game)
    dice = np.random.default_rng(5)
    pixels = np.full((200, 200, 3), 60, np.uint8)
    rough = dice.integers(0, 255, (6, 6, 3)).astype(np.uint8)
    pixels[10:50, 20:60] = cv2.resize(rough, (40, 40), interpolation=cv2.INTER_CUBIC)
    sign = signature(pixels[10:50, 20:60])
    card = CardSeen(Rect(20, 10, 40, 40), "enemy", False, portrait=sign)
    page.show_frame(FrameSeen(pixels, FightView(client=Rect(0, 0, 200, 200), timeline=(card,))))
    combo = page.portraits.choices[sign]
    combo.setCurrentIndex(combo.findText("Yard dog"))
    combo.activated.emit(combo.currentIndex())
    assert names.load().value.portraits == {sign: "monster-3001"}
    grade = page.portraits.grades[sign]
    assert [grade.itemText(row) for row in range(3)] == [
        "Near my level",
        "Level 20, 200 HP",
        "Level 40, 400 HP",
    ]
    grade.setCurrentIndex(2)
    grade.activated.emit(2)
    assert names.load().value.portraits == {sign: "monster-3001-2"}
    assert page.portraits.choices[sign].currentText() == "Yard dog"


class Database:
    """Stands in for a download; `asked` says what was asked of it."""

    def __init__(self, asked):
        self.asked = asked

    def __call__(self, folder, address, progress, stopped):
        self.folder, self.address = folder, address
        return self

    def plan(self):
        self.asked.append("plan")
        return DownloadPlan(self.address, {"breeds": 1}, 3, 12.0, 2.0)

    def fetch(self):
        self.asked.append("fetch")
        return made.write(self.folder, made.small())

    def clear(self):
        self.asked.append("clear")


@pytest.mark.slow
@pytest.mark.parametrize("agreed", [True, False])
def test_nothing_is_downloaded_before_the_player_has_agreed(qtbot, page, base, monkeypatch, agreed):
    told = []
    buttons = QMessageBox.StandardButton

    def answer(_parent, _title, text, *_):
        told.append(text)
        return buttons.Yes if agreed else buttons.No

    asked = []
    monkeypatch.setattr(bringing, "Fetcher", Database(asked))
    monkeypatch.setattr(QMessageBox, "question", answer)
    data = page.character.data
    assert asked == []
    with qtbot.waitSignal(data.bringer.ended if agreed else data.bringer.planned, timeout=30_000):
        data.download.click()
    assert "api.dofusdb.fr" in told[0]
    assert "3 pages, about 12 MB" in told[0]
    qtbot.waitUntil(data.download.isEnabled, timeout=30_000)
    qtbot.waitUntil(lambda: asked == (["plan", "fetch", "clear"] if agreed else ["plan"]))
    assert (base.game is not None) is agreed
