"""From picking the game's window to the first advice in at most three clicks, on a drawn Unity window."""

import json

import madeup_game as made
import pytest
from drawn_client import TITLE, DrawnWorker, picture
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from ui_factories import FakeLook, feed, offer

from botapp.content.knowledge.base import knowledge
from botapp.content.knowledge.entry import EntryKind
from botapp.host.settings import Settings
from botapp.tracking import boards, first_fight, game_pictures, learnt_names
from botapp.tracking.learnt_names import Learnt
from botapp.tracking.names import Names
from botapp.ui import pages, translation
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame, Rect


@pytest.fixture(scope="module")
def drawn():
    pixels = picture()
    view = Reader(profiles.load("dofus-unity")).read(Frame(pixels, Rect(0, 0, 1280, 720), 0, 0))
    return pixels, view


@pytest.fixture
def game(start, drawn, tmp_path, monkeypatch):
    """The app with the made-up game's data and pictures, and a drawn Unity window to pick."""
    pixels, view = drawn
    monkeypatch.setattr(DrawnWorker, "pixels", pixels)
    monkeypatch.setattr(pages, "look_for_windows", lambda: FakeLook(offer(7, TITLE, "dofus")))
    monkeypatch.setattr(pages, "knowledge", knowledge)
    base = knowledge()
    base.import_game([made.write(tmp_path / "game", made.small())])
    _keep_pictures(base, view)

    def run(language="en"):
        translation.use(language)
        app, _ = start(
            settings=Settings(
                ui={"language": language, "layout": "engineer"}, capture={"target": "dofus-unity"}
            ),
            worker=DrawnWorker,
        )
        return app, app.bridge.worker

    return run


def _keep_pictures(base, view):
    """Keeps two signatures as the database's pictures: the first spell and a variant of the second pair."""
    shown = [slot.icon for slot in view.spells if slot.icon]
    icons = [["game-1001", shown[0]], ["game-1004", shown[1]]]
    base.pictures_folder.mkdir(parents=True)
    written = {"version": 1, "icons": icons, "portraits": []}
    (base.pictures_folder / game_pictures.INDEX).write_text(json.dumps(written), "utf-8")


class _Hand:
    """The player's hand: counts its clicks."""

    def __init__(self, qtbot):
        self.qtbot, self.clicks = qtbot, 0

    def press(self, button):
        assert button.isVisible() and button.isEnabled(), button.text()
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        self.clicks += 1


def look(qtbot, app, worker, times=1):
    for _ in range(times):
        feed(qtbot, app, worker, worker.look())


@pytest.mark.slow
def test_three_clicks_at_most_lead_from_the_window_to_the_first_advice(game, qtbot):
    app, worker = game("fr")
    hand = _Hand(qtbot)
    look(qtbot, app, worker)
    app.pages.pick_window()
    app.pages.picker.accept()
    page = app.pages.game
    assert page is not None and page.tabs.currentWidget() is page.start
    assert page.start.who.classes.currentData() == "locksmith"
    assert not page.start.yes_board.isEnabled()  # no picture of a fight yet
    look(qtbot, app, worker, 3)
    page.frame_asked.emit()
    qtbot.waitUntil(lambda: page.start.in_fight)
    qtbot.waitUntil(lambda: page.start.who.level.value() == worker.text.level.value)
    level = page.start.who.level.value()
    assert any("game-1004" in key for key in _bar(page)), "the icon's spell goes before the pair's first one"
    before = worker.states[-1].actor
    assert before.level == level and {"stats", "spells"} <= before.assumed, "used before it is confirmed"
    assert {spell.key.rsplit("-", 1)[0] for spell in before.spells} == {"game-1001", "game-1004"}
    assert f"niveau {level}" in app.window.notice.text.text()
    assert f"niveau {level}" in app.window.decision.advised.facts.text()
    assert app.window.decision.unconfirmed.isVisibleTo(app.window)
    assert f"plateau et votre niveau ({level})" in app.window.decision.unconfirmed.text()
    qtbot.waitUntil(lambda: not _cut_off(page))
    hand.press(page.start.yes_board)
    hand.press(page.start.who.yes)
    assert hand.clicks <= 3 and app.pages.game is None, "it was opened for these two questions"
    assert f"niveau {level} sont confirmés" in app.window.notice.text.text()
    look(qtbot, app, worker, 3)
    decided = worker.states[-1]
    assert decided is not None and decided.actor.level == level
    assert app.bridge.latest.advice == "fresh" and app.bridge.latest.decision is not None
    assert {spell.key.rsplit("-", 1)[0] for spell in decided.actor.spells} == {"game-1001", "game-1004"}
    entry = knowledge().get(EntryKind.CLASS, app.settings.advisor.player_class)
    assert entry.own and entry.name == "Brinka" and entry.value.hp == decided.actor.max_hp == 5006
    assert boards.load().value.layouts
    assert not app.window.decision.unconfirmed.text()
    assert "200" not in app.window.notice.text.text()  # that of the usual class has gone
    hand.press(app.window.notice.action)
    page = app.pages.game
    page.frame_asked.emit()
    qtbot.waitUntil(lambda: page.start.in_fight)
    assert page.start.confirmed.board and page.start.confirmed.character and page.start.unsure.doubts
    page.start.who.level.setValue(level + 1)
    hand.press(page.start.who.yes)
    assert page.isVisible(), "no question was open: another level is entered"


def _cut_off(page):
    """Returns the wrapped texts of the questions and the list that have less height than they need."""
    shown = [one for one in page.start.findChildren(QLabel) if one.wordWrap() and one.isVisible()]
    return [one.text() for one in shown if one.height() < one.heightForWidth(one.width())]


def _bar(page):
    entry = page.base.game.class_called("locksmith")
    bar = first_fight.spells_on_bar(page.start.seen.view, page.start.names)
    return [f"game-{n}" for n in page.base.game.spells_with(entry, page.start.who.level.value(), bar)]


@pytest.mark.long
def test_what_is_not_sure_is_in_one_list_with_its_cost_and_a_way_to_it(game, qtbot):
    app, worker = game()
    app.pages.pick_window()
    app.pages.picker.accept()
    page = app.pages.game
    look(qtbot, app, worker, 3)
    page.frame_asked.emit()
    qtbot.waitUntil(lambda: page.start.in_fight)
    bar = first_fight.spells_on_bar(page.start.seen.view, page.start.names)
    assert 0 < bar.count(None) < len(bar) == 9
    assert f"{bar.count(None)} of 9 icons" in translation.tr(doubt_of(page, "icons").what)
    assert "fighters" in translation.tr(doubt_of(page, "portraits").what)
    assert {"board", "character", "icons", "portraits"} <= {doubt.place for doubt in page.start.unsure.doubts}
    assert all(doubt.cost for doubt in page.start.unsure.doubts)
    shown = {label.text() for label in page.start.findChildren(QLabel)}
    assert {translation.tr(doubt.cost) for doubt in page.start.unsure.doubts} <= shown
    page.start.yes_board.click()
    assert not any(doubt.place == "board" for doubt in page.start.unsure.doubts)
    page.start.place_asked.emit("portraits")
    assert page.tabs.currentWidget() is page.portraits


def doubt_of(page, place):
    return next(doubt for doubt in page.start.unsure.doubts if doubt.place == place)


@pytest.mark.slow
def test_a_name_learnt_off_the_screen_is_kept_told_once_and_undone(game, qtbot, drawn):
    app, worker = game()
    icon = next(slot.icon for slot in drawn[1].spells[3:] if slot.icon)
    one = Learnt("icons", icon, "game-1002", "Wrench throw")
    with qtbot.waitSignal(app.bridge.learnt):
        worker.deliver(one)
    look(qtbot, app, worker)
    notice = app.window.notice
    assert "Wrench throw" in notice.text.text()
    assert learnt_names.load().value.names.find("icons", icon)[0] == "game-1002"
    notice.action.click()
    kept = learnt_names.load().value
    assert kept.names == Names() and kept.refuses(icon, "game-1002")
    assert "Relearn" in {type(message).__name__ for message in worker.sent}
    look(qtbot, app, worker)
    assert "Wrench throw" not in notice.text.text()


@pytest.mark.long
def test_a_confirmed_game_is_not_asked_about_again(game, qtbot):
    app, worker = game()
    app.pages.pick_window()
    app.pages.picker.accept()
    look(qtbot, app, worker, 2)
    page = app.pages.game
    page.frame_asked.emit()
    qtbot.waitUntil(lambda: page.start.in_fight)
    page.start.yes_board.click()
    page.start.who.yes.click()
    app.pages.pick_window()
    app.pages.picker.accept()
    assert app.pages.game is None
    look(qtbot, app, worker)


@pytest.mark.slow
def test_class_and_level_are_said_before_a_game_is_open_and_stay_when_it_is(game, qtbot):
    app, _ = game()
    app.take_settings(app.settings.changed("capture.target", "arena"))
    app.window.controls.game.trigger()
    page = app.pages.game
    page.tabs.setCurrentWidget(page.start)
    assert page.start.isVisible() and not page.start.yes_board.isEnabled()
    assert "Choose your class and level now" in page.start.headline.text()
    page.start.who.classes.setCurrentIndex(page.start.who.classes.findData("locksmith"))
    page.start.who.classes.activated.emit(page.start.who.classes.currentIndex())
    page.start.who.level.setValue(87)
    app.watching._follow("dofus-unity")
    page = app.pages.game
    assert page.settings.capture.target == "dofus-unity" and page.tabs.currentWidget() is page.start
    assert page.start.who.classes.currentData() == "locksmith" and page.start.who.level.value() == 87
    app.take_settings(app.settings.changed("capture.target", "arena"))
    page = app.pages.game
    qtbot.mouseClick(page.start.who.yes, Qt.MouseButton.LeftButton)
    entry = knowledge().get(EntryKind.CLASS, app.settings.advisor.player_class)
    assert entry.own and entry.value.level == 87
    assert "You are ready" in page.start.headline.text() and page.isVisible()
