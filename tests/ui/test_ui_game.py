"""The page of the person's game: names, spells and the board's place are kept, and the worker is told."""

import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog

from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import EntryKind
from botapp.host.settings import Settings
from botapp.runtime.messages import FrameSeen
from botapp.tracking import boards, names
from botapp.tracking.spellbook import preset
from botapp.ui import translation
from botapp.ui.game.page import GamePage
from botapp.ui.game.spellform import SpellDialog
from vision.frame import Rect
from vision.signature import signature
from vision.view import CardSeen, FightView, Lattice, Phase, Seen, SpellSlot

LATTICE = Lattice((60.0, 40.0), 40.0, 20.0)
SIZE = (640, 480)


def picture():
    """A frame with two portraits and two icons on it, and what was read off it."""
    dice = np.random.default_rng(5)
    pixels = np.full((SIZE[1], SIZE[0], 3), 60, np.uint8)
    boxes = [Rect(20 + 60 * place, 10, 40, 40) for place in range(4)]
    for box in boxes:
        rough = dice.integers(0, 255, (6, 6, 3)).astype(np.uint8)
        pixels[box.y : box.bottom, box.x : box.right] = cv2.resize(
            rough, (40, 40), interpolation=cv2.INTER_CUBIC
        )
    marks = [signature(pixels[b.y : b.bottom, b.x : b.right]) for b in boxes]
    cards = (
        CardSeen(boxes[0], "enemy", False, portrait=marks[0]),
        CardSeen(boxes[1], "own", True, portrait=marks[1]),
        CardSeen(boxes[0], "enemy", False, portrait=marks[0]),
    )
    slots = tuple(SpellSlot(place, icon=marks[2 + place], box=boxes[2 + place]) for place in range(2))
    view = FightView(client=Rect(0, 0, *SIZE), lattice=Seen(LATTICE, 0.9), timeline=cards, spells=slots)
    return FrameSeen(pixels, view), marks


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def page(qtbot, folder):
    settings = Settings().changed("advisor.player_class", "ember").changed("capture.target", "dofus-unity")
    made = GamePage(settings, KnowledgeBase(folder / "knowledge"))
    qtbot.addWidget(made)
    made.tabs.setCurrentWidget(made.spells)
    made.show()
    return made


@pytest.fixture
def learnt(page):
    heard = []
    page.learnt.connect(lambda: heard.append(1))
    return heard


def choose(combo, key):
    combo.setCurrentIndex(combo.findData(key))
    combo.activated.emit(combo.currentIndex())


@pytest.mark.slow
def test_a_portrait_named_once_is_kept_and_told_to_the_worker(page, learnt):
    seen, marks = picture()
    page.show_frame(seen)
    assert list(page.portraits.choices) == [marks[0]]
    choose(page.portraits.choices[marks[0]], "boar")
    assert names.load().value.portraits == {marks[0]: "boar"}
    assert learnt
    page.show_frame(seen)
    assert page.portraits.choices[marks[0]].currentData() == "boar"
    choose(page.portraits.choices[marks[0]], "")
    assert not names.load().value.portraits


@pytest.mark.slow
def test_an_icon_may_be_any_spell_of_the_class_that_is_played(page, learnt):
    seen, marks = picture()
    page.show_frame(seen)
    combo = page.icons.choices[marks[3]]
    keys = {combo.itemData(index) for index in range(combo.count())}
    assert keys == {"", *(spell.key for spell in preset("ember").spells)}
    choose(combo, "meteor")
    assert names.load().value.icons == {marks[3]: "meteor"}


@pytest.mark.slow
def test_without_a_picture_it_says_what_to_do(page):
    page.show_frame(FrameSeen(None, None, "No picture of a game has been taken yet."))
    assert not page.portraits.choices and "Refresh" in page.portraits.note.text()
    assert "No picture" in page.note.text()


@pytest.mark.slow
def test_the_app_s_class_cannot_be_changed_but_copied(page, learnt, folder):
    tab = page.spells
    assert tab.sheet.fields["hp"].isReadOnly() and tab.name.isReadOnly() and not tab.spells.add.isEnabled()
    tab.copy.click()
    assert tab.entry.own and not tab.sheet.fields["hp"].isReadOnly() and learnt
    tab.sheet.fields["hp"].setValue(1234)
    tab.sheet.fields["resistance fire"].setValue(22)
    again = KnowledgeBase(folder / "knowledge").get(EntryKind.CLASS, tab.key)
    assert again.value.hp == 1234 and again.value.stats.resistance[2] == 22


@pytest.mark.slow
def test_the_order_of_the_spells_is_that_of_the_bar(page, folder):
    page.spells.copy.click()
    spells = page.spells.spells
    before = list(spells.keys)
    spells.table.selectRow(0)
    spells.down.click()
    assert page.spells.entry.table["spells"] == [before[1], before[0], *before[2:]]
    spells.remove.click()
    assert before[0] not in page.spells.entry.table["spells"]
    page.spells.undo.button.click()
    assert page.spells.entry.table["spells"] == [before[1], before[0], *before[2:]]


@pytest.mark.slow
def test_a_class_that_was_deleted_can_be_brought_back(page, learnt):
    tab = page.spells
    tab.copy.click()
    tab.use.click()
    key, table = tab.key, tab.entry.table
    tab.delete.click()
    assert key not in {entry.key for entry in tab.base.entries(EntryKind.CLASS)}
    assert page.settings.advisor.player_class == "" and tab.undo.isVisible()
    tab.undo.button.click()
    assert tab.key == key and tab.entry.table == table
    assert page.settings.advisor.player_class == key and not tab.undo.isVisible()


@pytest.mark.slow
def test_a_changed_spell_is_the_person_s_and_the_app_s_stays(page, folder):
    page.spells.copy.click()
    tab = page.spells
    key = tab.spells.keys[0]
    shipped = tab.base.get(EntryKind.SPELL, key)
    form = SpellDialog(shipped.table, lambda table: tab.keep_spell(key, table))
    form.ap.setValue(5)
    form.effects.add()
    form.accept()
    assert form.result() == SpellDialog.DialogCode.Accepted
    changed = tab.base.get(EntryKind.SPELL, tab.entry.table["spells"][0])
    assert (
        changed.own and changed.value.ap == 5 and len(changed.value.effects) == len(shipped.value.effects) + 1
    )
    assert tab.base.get(EntryKind.SPELL, key).value.ap == shipped.value.ap
    form.deleteLater()


@pytest.mark.long
def test_a_form_that_is_not_touched_says_the_same_spell(page):
    for entry in page.base.entries(EntryKind.SPELL)[::4]:
        form = SpellDialog(entry.table, lambda table: "")
        assert page.base.draft(EntryKind.SPELL, entry.key, form.table()).value == entry.value, entry.key
        form.deleteLater()


@pytest.mark.slow
def test_a_wrong_spell_is_refused_in_the_form(page):
    page.spells.copy.click()
    tab = page.spells
    form = SpellDialog({"name": "", "ap": 3, "range": [1, 2], "effects": []}, lambda t: tab.keep_spell("", t))
    form.accept()
    assert form.result() != SpellDialog.DialogCode.Accepted and "name" in form.trouble.text()
    form.name.setText("Odd")
    form.low.setValue(9)
    form.accept()
    assert form.trouble.text() and form.result() != SpellDialog.DialogCode.Accepted
    form.deleteLater()


@pytest.mark.slow
def test_the_class_to_play_goes_to_the_settings(page):
    heard = []
    page.changed.connect(heard.append)
    page.spells.classes.setCurrentRow(
        next(row for row in range(page.spells.classes.count())
             if page.spells.classes.item(row).data(Qt.ItemDataRole.UserRole) == "warden")
    )  # fmt: skip
    page.spells.use.click()
    assert heard[-1].advisor.player_class == "warden"
    assert not page.spells.use.isEnabled()


@pytest.mark.slow
def test_export_and_import_bring_the_spells_along(page, tmp_path, monkeypatch, folder):
    page.spells.copy.click()
    page.spells.sheet.fields["hp"].setValue(999)
    key, file = page.spells.key, tmp_path / "mine.toml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(lambda *_: (str(file), "")))
    page.spells.export_spells()
    other = KnowledgeBase(tmp_path / "other")
    other.import_(file)
    assert other.get(EntryKind.CLASS, key).value.hp == 999
    file.write_text("[classes.x]\nname = 3\n", "utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(file), "")))
    page.spells.import_spells()
    assert not page.spells.trouble.isHidden() and "mine.toml" in page.spells.trouble.text()


@pytest.mark.slow
def test_a_lattice_moved_by_a_cell_is_accepted_and_placed_there_from_then_on(page, qtbot, learnt):
    seen, _ = picture()
    page.show_frame(seen)
    page.tabs.setCurrentWidget(page.board)
    editor = page.board.editor
    qtbot.keyClick(editor, Qt.Key.Key_Right)
    qtbot.keyClick(editor, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert editor.lattice.origin_px == (100.0, 39.0)
    page.board.accept.click()
    assert learnt
    kept = boards.load().value.find("dofus-unity", Rect(0, 0, *SIZE))
    assert kept.placed(Rect(0, 0, *SIZE)).origin_px == (100.0, 39.0)
    page.show_frame(seen)
    assert editor.lattice.origin_px == (100.0, 39.0)
    page.board.forget.click()
    assert editor.lattice.origin_px == LATTICE.origin_px
    page.board.undo.button.click()
    assert editor.lattice.origin_px == (100.0, 39.0)


@pytest.mark.slow
def test_a_lattice_is_dragged_and_resized(page, qtbot):
    seen, _ = picture()
    page.show_frame(seen)
    page.tabs.setCurrentWidget(page.board)
    editor = page.board.editor
    before = editor.lattice
    middle = QPoint(editor.width() // 2, editor.height() // 2)
    qtbot.mousePress(editor, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(editor, middle + QPoint(30, 0))
    qtbot.mouseRelease(editor, Qt.MouseButton.LeftButton, pos=middle + QPoint(30, 0))
    assert editor.lattice.origin_px[0] > before.origin_px[0]
    centre = editor.lattice.centre(280)
    qtbot.keyClick(editor, Qt.Key.Key_Plus)
    assert editor.lattice.cell_w > before.cell_w
    assert editor.lattice.centre(280) == pytest.approx(centre)


@pytest.mark.slow
def test_the_arena_s_board_needs_nobody(qtbot, folder):
    page = GamePage(Settings(), KnowledgeBase(folder / "knowledge"))
    qtbot.addWidget(page)
    page.show_frame(picture()[0])
    assert not page.board.accept.isEnabled() and "arena" in page.board.state.text()


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_said(page, folder, monkeypatch):
    seen, marks = picture()
    page.show_frame(seen)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(names, "save", refuse)
    monkeypatch.setattr(boards, "save", refuse)
    choose(page.portraits.choices[marks[0]], "boar")
    assert "Permission denied" in page.trouble.text() and not page.names.portraits
    page.board.accept.click()
    assert "Permission denied" in page.board.trouble.text()


@pytest.mark.slow
def test_it_speaks_french(qtbot, folder):
    translation.use("fr")
    page = GamePage(Settings(), KnowledgeBase(folder / "knowledge"))
    qtbot.addWidget(page)
    page.show_frame(picture()[0])
    assert [page.tabs.tabText(index) for index in range(6)] == [
        "Premier conseil", "Mon personnage", "Mes sorts", "Barre de sorts", "Combattants", "Plateau",
    ]  # fmt: skip
    assert page.spells.name.text() in {entry.name_fr for entry in page.base.entries(EntryKind.CLASS)}


@pytest.mark.slow
def test_what_is_read_is_listed_and_saved_as_a_report(page, qtbot, monkeypatch, tmp_path):
    seen, _ = picture()
    assert not page.reading.save.isEnabled()
    page.show_frame(
        FrameSeen(seen.pixels, replace(seen.view, phase=Seen(Phase.FIGHT, 0.99), ap=Seen(6, 0.97)))
    )
    table = page.reading.table
    rows = {table.item(row, 1).text(): table.item(row, 2).text() for row in range(table.rowCount())}
    assert rows["Phase"] == "fight" and rows["AP"] == "6" and rows["HP"] == "not read"
    page.reading.sent.setChecked(True)
    target = tmp_path / "kept"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    page.reading.save.click()
    assert zipfile.is_zipfile(tmp_path / "kept.zip") and "kept.zip" in page.reading.note.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "none" / "x.zip"), ""))
    (tmp_path / "none").write_text("a file in the way")
    page.reading.save.click()
    assert "could not be saved" in page.reading.note.text()
