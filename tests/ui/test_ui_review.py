"""The page of kept fights: the list, stepping through a fight, practising from it, exporting and deleting."""

import gzip
from dataclasses import replace

import cv2
import pytest
from kept_fights import fight
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from test_ui_keyboard import nameless, reached
from ui_factories import (
    FakeArena,
    feed,
    searched,
    settle,
    snapshot,
    state,
)

from botapp.host.settings import Settings
from botapp.review.form import read_fight, to_bytes
from botapp.review.shelf import FightShelf
from botapp.ui import arenas, translation
from botapp.ui.review import film
from botapp.ui.review.page import ReviewPage
from vision.view import FightView, Phase, Seen

NOW = 1_795_428_000.0


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    shelf = FightShelf()
    shelf.folder.mkdir()
    for day, result in ((0, "won"), (1, "lost")):
        summary = replace(fight().summary, result=result, begun=NOW + 86_400 * day)
        shelf.free_path(summary.begun).write_bytes(to_bytes(replace(fight(), summary=summary)))
    return shelf


@pytest.fixture
def page(qtbot, shelf):
    page = ReviewPage(Settings, shelf)
    qtbot.addWidget(page)
    page.show()
    return page


@pytest.fixture
def opened(page, qtbot):
    qtbot.keyClick(page.fights.table, Qt.Key.Key_Return)
    assert page.viewer.fight is not None
    return page


def answer(qtbot, words):
    def press():
        question = QApplication.activeModalWidget()
        assert isinstance(question, QMessageBox)
        next(button for button in question.buttons() if button.text() == words).click()

    QTimer.singleShot(0, press)


@pytest.mark.slow
def test_the_list_says_of_each_fight_how_it_went(page):
    newest, oldest = page.fights.table.texts()
    assert newest[1:5] == ["Ember Mage", "Toad, Moss Shaman", "Lost", str(fight().summary.rounds)]
    assert oldest[3] == "Won"
    summary = fight().summary
    counts = " · ".join(map(str, summary.grades.values()))
    assert newest[5:] == [f"{100 * summary.accuracy:.0f}%", counts, f"{100 * summary.lost:.0f}"]
    assert page.fights.room.text().startswith("Fights: 2")


@pytest.mark.slow
def test_a_file_that_cannot_be_read_is_named_and_left(page, shelf):
    (shelf.folder / "20200101-000000.fight").write_bytes(b"nonsense")
    page.fights.refresh()
    assert "20200101-000000.fight: it is damaged" in page.fights.trouble.text()
    assert len(page.fights.table.texts()) == 2


@pytest.mark.slow
def test_advice_that_was_not_played_yet_counts_as_no_action(page):
    *before, last = fight().moments
    page.show_fight(replace(fight(), moments=(*before, replace(last, done=None, lines=last.lines[:1]))))
    viewer = page.viewer
    viewer.transport.slider.setValue(1)
    assert viewer.headline.text().endswith("action 2 of 2")
    viewer.transport.slider.setValue(2)
    assert viewer.headline.text() == f"Round {last.turn}, the last advice"
    assert [row.isVisible() for row in viewer.rows] == [True, False, False]


@pytest.mark.slow
def test_a_fight_is_stepped_through_by_buttons_arrows_and_slider(opened, qtbot):
    viewer = opened.viewer
    seen = [viewer.board.state]
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right):
        qtbot.keyClick(viewer.transport.slider, key)
        seen.append(viewer.board.state)
    assert seen == [moment.state for moment in (*fight().moments, fight().moments[-1])]
    qtbot.mouseClick(viewer.transport.steps["first"], Qt.MouseButton.LeftButton)
    assert viewer.at == 0 and not viewer.transport.steps["left"].isEnabled()
    viewer.transport.slider.setValue(1)
    assert viewer.headline.text() == f"Round {fight().moments[1].turn}, action 2 of 3"
    assert viewer.here.value() == 2
    qtbot.keyClick(viewer.transport.slider, Qt.Key.Key_End)
    assert viewer.at == 2


@pytest.mark.slow
def test_a_mistake_opens_the_board_where_it_was_made(opened, qtbot):
    viewer, moment = opened.viewer, fight().moments[1]
    assert viewer.advised.text().startswith("Advised: ")
    assert len(viewer.mistakes.table.texts()) == 1
    viewer.mistakes.table.selectRow(0)
    assert viewer.at == 1 and viewer.board.state == moment.state
    assert viewer.board.line.choice == moment.done
    assert viewer.done.text().startswith("You: End the turn")
    qtbot.mouseClick(viewer.rows[0], Qt.MouseButton.LeftButton)
    assert viewer.board.line == moment.lines[0]


@pytest.mark.slow
def test_the_fight_that_is_watched_is_under_way_in_the_list_and_when_it_is_opened(qtbot, shelf):
    summary = replace(fight().summary, result="unfinished", begun=NOW + 86_400 * 2)
    watched = shelf.free_path(summary.begun)
    watched.write_bytes(to_bytes(replace(fight(), summary=summary)))
    page = ReviewPage(Settings, shelf, under_way=lambda: watched)
    qtbot.addWidget(page)
    page.show()
    assert page.fights.table.texts()[0][3] == "Under way"
    page.open_file(watched)
    assert page.viewer.mistakes.summary.text().startswith("Under way")
    assert page.title.text().endswith("Under way")
    page.open_file(min(shelf.folder.glob("*.fight")))
    assert page.viewer.mistakes.summary.text().startswith("Won")


@pytest.mark.slow
def test_the_turns_of_a_moment_begin_below_each_other(page, qtbot):
    page.show_fight(fight())
    page.viewer.transport.slider.setValue(1)
    settle()
    rows = [row for row in (*page.viewer.rows, page.viewer.own_row) if row.isVisible()]
    assert len(rows) > 1 and len({row.steps.x() for row in rows}) == 1


@pytest.mark.slow
def test_departures_that_cost_nothing_are_counted_and_not_listed(page):
    first, departed, last = fight().moments
    page.show_fight(replace(fight(), moments=(first, replace(departed, cost=0.001), last)))
    assert page.viewer.mistakes.table.texts() == []
    assert page.viewer.mistakes.others.text() == "1 other departure was about as good as the advice."
    page.show_fight(replace(fight(), moments=(first, last)))
    assert page.viewer.mistakes.others.text() == "No departure from the advice was seen."
    page.show_fight(replace(fight(), moments=(first, replace(departed, cost=None), last)))
    assert [row[3:] for row in page.viewer.mistakes.table.texts()] == [["", "–"]]


@pytest.mark.slow
def test_a_position_is_practised_in_the_arena(opened, qtbot, shelf):
    opened.viewer.go(1)
    with qtbot.waitSignal(opened.practice_asked) as asked:
        qtbot.keyClick(opened.viewer, Qt.Key.Key_P)
    assert asked.args[0] == fight().moments[1].state


@pytest.mark.slow
@pytest.mark.parametrize("suffix", film.SUFFIXES)
def test_the_animated_picture_shows_each_turn_and_what_was_not_as_advised(
    opened, tmp_path, monkeypatch, qtbot, suffix
):
    target = tmp_path / f"fight{suffix}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (str(target), ""))
    qtbot.mouseClick(opened.save_picture, Qt.MouseButton.LeftButton)
    done, found = cv2.imreadanimation(str(target))
    assert done and len(found.frames) == len(film.scenes(fight().moments)) == 3
    assert found.frames[0].shape[:2] == (film.SIZE.height(), film.SIZE.width())
    assert target.stat().st_size < 400_000
    assert str(target) in opened.note.text()


def test_a_film_leaves_out_what_was_done_as_advised_within_a_turn():
    moment = replace(fight().moments[0], cost=0.0)
    rest = [replace(moment, turn=turn) for turn in (1, 1, 1, 2, 2, 3, 3)]
    departed = replace(fight().moments[1], turn=2)
    assert film.scenes([*rest[:4], departed, *rest[4:]]) == [0, 3, 4, 6, 7]


@pytest.mark.slow
def test_another_ending_is_refused_in_words(opened, tmp_path, monkeypatch, qtbot):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (str(tmp_path / "fight.avi"), ""))
    qtbot.mouseClick(opened.save_picture, Qt.MouseButton.LeftButton)
    assert ".gif or .webp" in opened.note.text() and not (tmp_path / "fight.avi").exists()


@pytest.mark.slow
def test_an_exported_file_has_names_of_people_only_when_asked(opened, tmp_path, monkeypatch, qtbot):
    viewer = opened.viewer
    own = tuple(f.changed(name="Gertrude") if f.player else f for f in fight().moments[0].state.fighters)
    moment = replace(fight().moments[0], state=fight().moments[0].state.changed(fighters=own))
    viewer.fight = replace(fight(), moments=(moment,))
    for asked in (False, True):
        target = tmp_path / f"{asked}.fight"
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", lambda *given, to=target: (str(to.with_suffix("")), "")
        )
        opened.with_names.setChecked(asked)
        qtbot.mouseClick(opened.save_file, Qt.MouseButton.LeftButton)
        assert (b"Gertrude" in gzip.decompress(target.read_bytes())) is asked
        assert len(read_fight(target).moments) == 1


@pytest.mark.slow
def test_deleting_asks_first(page, qtbot, shelf):
    answer(qtbot, "Cancel")
    qtbot.mouseClick(page.fights.delete_all, Qt.MouseButton.LeftButton)
    assert len(shelf.paths()) == 2
    answer(qtbot, "Delete")
    qtbot.mouseClick(page.fights.delete, Qt.MouseButton.LeftButton)
    assert [entry.summary.result for entry in shelf.entries()] == ["won"]
    answer(qtbot, "Delete all")
    qtbot.mouseClick(page.fights.delete_all, Qt.MouseButton.LeftButton)
    assert shelf.paths() == [] and page.fights.empty.isVisible()
    assert not page.fights.delete_all.isEnabled()


@pytest.mark.slow
def test_every_field_has_a_name_and_is_reached_by_tab(opened):
    assert nameless(opened) == []
    viewer = opened.viewer
    assert {viewer.transport.slider, viewer.mistakes.table, viewer.practise, viewer.rows[0]} <= set(
        reached(opened)
    )


@pytest.mark.slow
def test_the_app_keeps_the_fight_it_watches_and_shows_it(start, qtbot, monkeypatch):
    app, (worker,) = start()
    turns = [state(turn=number) for number in (1, 2, 3)]
    over = FightView(phase=Seen(Phase.NOT_FIGHT, 1.0))
    seen = [snapshot(n, state=turn, decision=searched()) for n, turn in enumerate(turns, 1)]
    feed(qtbot, app, worker, *seen, snapshot(4, advice="none", capture="no-fight", view=over, state=None))
    app.recorder.writer.submit(lambda: None).result()
    app.pages.open_review()
    page = app.pages.review
    ((_, own, opponents, result, *_),) = page.fights.table.texts()
    assert (own, opponents, result) == ("ember mage", "Thorn Beast, Bog Crawler", "Won")
    begun = []
    monkeypatch.setattr(arenas, "begin", lambda arguments: begun.append(arguments) or FakeArena())
    qtbot.keyClick(page.fights.table, Qt.Key.Key_Return)
    qtbot.mouseClick(page.viewer.practise, Qt.MouseButton.LeftButton)
    assert begun[0][-2] == "--state"


@pytest.mark.slow
def test_a_departure_of_the_fight_that_is_watched_opens_on_the_board(start, qtbot):
    app, (worker,) = start()
    own, *others = state(turn=1).fighters
    walked = state(turn=1, fighters=(replace(own, cell=271, mp=1), *others))
    feed(
        qtbot,
        app,
        worker,
        *(snapshot(n, state=s, decision=searched()) for n, s in ((1, state()), (2, walked))),
    )
    app.window.course.opened.emit(app.bridge.history.course.departures()[0])
    viewer = app.pages.review.viewer
    assert (viewer.at, len(viewer.fight.moments), viewer.board.state) == (0, 2, state())


@pytest.mark.slow
def test_fights_are_no_longer_kept_once_that_is_switched_off(start, qtbot):
    app, (worker,) = start()
    app.pages.open_review()
    qtbot.mouseClick(app.pages.review.fights.keep, Qt.MouseButton.LeftButton)
    assert app.settings.review.keep is False
    feed(qtbot, app, worker, *(snapshot(n, state=state(turn=n), decision=searched()) for n in (1, 2, 3)))
    app.recorder.writer.submit(lambda: None).result()
    assert FightShelf().paths() == []


def test_the_figures_beside_the_curve_have_their_room_when_it_is_first_drawn(qtbot, shelf):
    translation.use("fr")
    page = ReviewPage(Settings, shelf)
    qtbot.addWidget(page)
    page.show()
    page.open_file(shelf.paths()[0])
    page.grab()
    axis = page.viewer.plot.area.getAxis("left")
    first = axis.width()
    settle()
    page.grab()
    assert axis.width() == first, "else 100 % is left out of the first picture"
