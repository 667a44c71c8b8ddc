"""The window itself: mouse, keyboard, painting, resizing, the log's lines and the link."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import io
import itertools
import json
import random
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from botapp.arena.options import ArenaOptions
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import adventure
from botapp.arena.window import layout, main
from botapp.arena.window.journal import Journal
from botapp.arena.window.link import Link
from botapp.arena.window.widget import ArenaWidget
from botapp.content.nameless import without_names
from botapp.content.position_line import from_text
from botapp.content.state_json import action_to_json
from botapp.fight.actions import Cast, Move
from botapp.fight.rules import legal_actions

SEED = next(seed for seed in range(100) if adventure(seed, "ember").actor.id == 0)
FAST = {"speed": 40.0, "player_class": "ember", "seed": SEED, "size": (800, 500)}


@pytest.fixture
def opened(qtbot, tmp_path):
    """Opens arena windows and closes them; each has a log at `window.log`."""
    windows = []

    def open_window(**options):
        log = tmp_path / f"log{len(windows)}.jsonl"
        journal = Journal(log)
        window = ArenaWidget(ArenaOptions(**{**FAST, **options}), journal)
        window.log = log
        windows.append((window, journal))
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        qtbot.waitUntil(lambda: window.bout.free, timeout=10_000)
        return window

    yield open_window
    for window, journal in windows:
        window.close()
        QApplication.processEvents()
        journal.close()


def lines(window, event):
    return [
        entry for entry in map(json.loads, window.log.read_text().splitlines()) if entry["event"] == event
    ]


def point(at):
    return QPoint(round(at[0]), round(at[1]))


def click_cell(qtbot, window, cell):
    qtbot.mouseClick(window, Qt.MouseButton.LeftButton, pos=point(window.scene.places.lattice.centre(cell)))


def first_walk(window):
    return max(
        (a for a in legal_actions(window.bout.fight.state) if isinstance(a, Move)), key=lambda a: len(a.path)
    )


def until_cast(qtbot, window, spell):
    """Plays until the person can hit an enemy with a spell; returns the slot and the target."""
    dice = random.Random(1)
    for _ in range(60):
        qtbot.waitUntil(lambda: window.bout.free, timeout=10_000)
        state = window.bout.fight.state
        enemies = {f.cell for f in state.fighters if f.team != state.actor.team and f.alive}
        for action in legal_actions(state):
            if isinstance(action, Cast) and action.spell == spell and action.target in enemies:
                return [s.key for s in state.actor.spells].index(spell), action.target
        window.bout.submit(GreedyPlayer().choose(state, dice), time.monotonic())
        window.refresh()
    raise AssertionError("nobody came into range")


@pytest.mark.slow
def test_a_spell_is_selected_by_key_or_click_and_cast_by_click(qtbot, opened):
    window = opened()
    slot, target = until_cast(qtbot, window, "spark")
    key = Qt.Key(Qt.Key.Key_1 + slot)
    qtbot.keyClick(window, key)
    assert window.bout.selected == "spark"
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.bout.selected is None
    qtbot.keyClick(window, key)
    qtbot.mouseClick(window, Qt.MouseButton.RightButton, pos=QPoint(5, 5))
    assert window.bout.selected is None
    qtbot.mouseClick(window, Qt.MouseButton.LeftButton, pos=point(window.scene.places.slot(slot).centre))
    assert window.bout.selected == "spark"
    click_cell(qtbot, window, 0)
    assert window.bout.selected is None
    qtbot.keyClick(window, key)
    assert window.bout.selected == "spark"
    ap = window.bout.fight.state.actor.ap
    click_cell(qtbot, window, target)
    assert window.bout.fight.state.fighter(window.bout.fight.player).ap < ap
    assert window.bout.selected is None


@pytest.mark.slow
@pytest.mark.parametrize("how", [Qt.Key.Key_Space, Qt.Key.Key_F1, "button"])
def test_the_turn_ends_by_key_or_button(qtbot, opened, how):
    window = opened()
    if how == "button":
        at = window.scene.places.from_bottom(layout.BUTTON).centre
        qtbot.mouseClick(window, Qt.MouseButton.LeftButton, pos=point(at))
    else:
        qtbot.keyClick(window, how)
    assert window.bout.fight.state.actor.id != window.bout.fight.player
    qtbot.waitUntil(lambda: window.bout.free, timeout=10_000)


def test_opponents_and_autopilot_are_chosen_by_key_or_button_and_other_clicks_do_nothing(qtbot, opened):
    window = opened()
    state = window.bout.fight.state
    click_cell(qtbot, window, 0)
    qtbot.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert window.bout.fight.state is state
    qtbot.keyClick(window, Qt.Key.Key_A)
    assert window.bout.autopilot
    at = window.scene.places.from_bottom(layout.AUTOPILOT).centre
    qtbot.mouseClick(window, Qt.MouseButton.LeftButton, pos=point(at))
    assert not window.bout.autopilot
    qtbot.keyClick(window, Qt.Key.Key_O)
    assert window.bout.opponents == "hard"
    box = window.scene.places.opponents()
    qtbot.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(*map(round, box.centre)))
    assert window.bout.opponents == "easy"
    qtbot.waitUntil(lambda: window.look()[1].pointed.button == "opponents")


@pytest.mark.slow
def test_the_mouse_shows_the_way_and_what_it_points_at(qtbot, opened):
    window = opened()
    walk = first_walk(window)
    qtbot.mouseMove(window, point(window.scene.places.lattice.centre(walk.target)))
    qtbot.waitUntil(lambda: window.look()[1].highlights.path == walk.path)
    qtbot.mouseMove(window, point(window.scene.places.slot(1).centre))
    qtbot.waitUntil(lambda: window.look()[1].pointed.slot == 1)
    qtbot.mouseMove(window, point(window.scene.places.from_bottom(layout.BUTTON).centre))
    qtbot.waitUntil(lambda: window.look()[1].pointed.button == "end")


@pytest.mark.slow
def test_an_idle_window_is_not_painted_again(qtbot, opened, monkeypatch):
    window = opened()
    qtbot.wait(300)
    painted = []
    monkeypatch.setattr(window.scene, "paint", lambda *rest: painted.append(rest))
    for _ in range(5):
        window.refresh()
    QApplication.processEvents()
    assert len(painted) <= 1


@pytest.mark.slow
def test_the_window_can_be_resized_and_the_picture_follows(qtbot, opened):
    window = opened()
    window.resize(1000, 640)
    qtbot.waitUntil(lambda: window.scene.places.width == 1000 and window.scene.finished, timeout=5000)
    target = first_walk(window).target
    click_cell(qtbot, window, target)
    qtbot.waitUntil(lambda: window.bout.shown.fighter(window.bout.fight.player).cell == target)
    qtbot.waitUntil(lambda: any(e["client"] == [1000, 640] and e["settled"] for e in lines(window, "shown")))
    window.resize(10, 10)
    assert (window.width(), window.height()) == (640, 400)


@pytest.mark.slow
def test_the_log_follows_the_picture(qtbot, opened):
    window = opened()
    walk = first_walk(window)
    click_cell(qtbot, window, walk.target)
    qtbot.waitUntil(lambda: window.bout.free)
    qtbot.waitUntil(lambda: lines(window, "shown")[-1]["player"]["cell"] == walk.target)
    shown = lines(window, "shown")
    assert shown[0]["turn"] in ("mine", "other") and shown[0]["seed"] == SEED
    assert all(a["t_ns"] < b["t_ns"] for a, b in itertools.pairwise(shown))
    plain = [{k: v for k, v in entry.items() if k != "t_ns"} for entry in shown]
    assert all(a != b for a, b in itertools.pairwise(plain))
    (action,) = lines(window, "action")
    assert action["who"] == "player" and action["action"] == action_to_json(walk)


@pytest.mark.slow
@pytest.mark.parametrize("leave", ["key", pytest.param("click", marks=pytest.mark.long)])
def test_a_whole_fight_ends_on_a_result_that_space_or_a_click_leaves(qtbot, opened, leave):
    window = opened(speed=400.0)
    dice = random.Random(1)
    fight = window.bout.number
    while window.bout.fight.winner is None:
        qtbot.waitUntil(lambda: window.bout.free or window.bout.fight.winner is not None, timeout=10_000)
        if window.bout.free:
            window.bout.submit(GreedyPlayer().choose(window.bout.fight.state, dice), time.monotonic())
            window.refresh()
    qtbot.waitUntil(lambda: lines(window, "shown")[-1]["phase"] == "not-fight")
    assert lines(window, "fight-end")[-1]["fight"] == fight
    if leave == "key":
        qtbot.keyClick(window, Qt.Key.Key_Space)
    else:
        qtbot.mouseClick(window, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    assert window.bout.number == fight + 1
    assert window.bout.fight.winner is None


class Asking:
    """A link over strings: ask, and read the answer."""

    def __init__(self, window):
        self.out = io.StringIO()
        self.link = Link(window.bout, io.StringIO(), self.out)
        self.link.obeyed.connect(window.refresh)

    def ask(self, message):
        self.link.obey(message if isinstance(message, str) else json.dumps(message))
        return json.loads(self.out.getvalue().splitlines()[-1])


@pytest.mark.slow
def test_the_link_obeys_only_on_autopilot_in_turn_and_by_the_rules(qtbot, opened):
    window = opened()
    link = Asking(window)
    walk = {"id": 1, "action": action_to_json(first_walk(window))}
    assert link.ask(walk) == {"id": 1, "accepted": False, "reason": "autopilot is off"}
    assert link.ask({"id": 2, "autopilot": True}) == {"id": 2, "accepted": True, "reason": ""}
    assert window.bout.autopilot
    wrong = link.ask({"id": 3, "action": {"type": "move", "path": [0]}})
    assert not wrong["accepted"] and wrong["reason"]
    assert link.ask(walk)["accepted"]
    assert link.ask({"id": 4, "action": {"type": "end_turn"}})["reason"] == "busy"
    qtbot.waitUntil(lambda: window.bout.free)
    assert link.ask({"id": 5, "action": {"type": "end_turn"}})["accepted"]
    assert link.ask({"id": 6, "action": {"type": "end_turn"}})["reason"] == "not your turn"
    assert link.ask({"id": 7, "autopilot": False})["accepted"]


def test_the_link_answers_what_it_cannot_follow(qtbot, opened):
    window = opened(autopilot=True)
    strange = ('{"id": 9}', '{"id": 9, "autopilot": "yes"}', '{"id": 9, "action": {"type": "dance"}}')
    for message in ("not json", "[1]", *strange):
        answer = Asking(window).ask(message)
        assert not answer["accepted"] and answer["reason"]
        assert answer["id"] == (9 if "id" in message else None)


def test_the_end_of_the_links_input_or_output_is_told(qtbot, opened):
    window = opened()
    link = Link(window.bout, io.StringIO('\n{"id": 1, "autopilot": true}\n'), io.StringIO())
    with qtbot.waitSignal(link.ended):
        link.start()
    assert window.bout.autopilot

    class Gone(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    broken = Link(window.bout, io.StringIO(), Gone())
    with qtbot.waitSignal(broken.ended):
        broken.obey("{}")


def run_arena(options, talk="", timeout=60):
    code = (
        "import sys; from botapp.arena.options import ArenaOptions; from pathlib import Path\n"
        f"from botapp.arena.window import main; sys.exit(main(ArenaOptions({options})))"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        input=talk,
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )


@pytest.mark.long
def test_the_process_answers_on_stdout_and_nothing_else_and_leaves_with_its_driver(tmp_path):
    log = tmp_path / "log.jsonl"
    talk = '{"id": 1, "action": {"type": "end_turn"}}\n{"id": 2, "autopilot": true}\n'
    ended = run_arena(f"link=True, speed=40.0, log=Path({str(log)!r})", talk)
    assert ended.returncode == 0
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert [answer["accepted"] for answer in answers] == [False, True]
    assert all("t_ns" in json.loads(line) for line in log.read_text().splitlines())


@pytest.mark.slow
def test_main_plays_the_fights_asked_for_says_what_is_wrong_and_returns(qapp, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("signal.signal", lambda *rest: None)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    qapp.setQuitOnLastWindowClosed(False)
    log = tmp_path / "log.jsonl"
    options = ArenaOptions(**FAST, fights=1, turn_seconds=0.01, log=log, position=(10, 20))
    assert main(replace(options, speed=1000.0)) == 0
    (end,) = [e for e in map(json.loads, log.read_text().splitlines()) if e["event"] == "fight-end"]
    assert end["seed"] == SEED
    assert main(replace(options, fights=None, link=True)) == 0
    missing = tmp_path / "no" / "log.jsonl"
    capsys.readouterr()
    assert main(replace(options, log=missing)) == 2
    assert str(missing) in capsys.readouterr().err
    assert main(replace(options, player_class="wizard")) == 2
    assert "wizard" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux alone has a disk that is always full")
def test_a_log_for_which_there_is_no_room_ends_with_a_word_and_the_game_goes_on(capsys):
    journal = Journal(Path("/dev/full"))
    for _ in range(3):
        journal.tell({"event": "over"})
    journal.close()
    said = capsys.readouterr().err.splitlines()
    assert said == ["arena: the log ends here: the disk is full; make room on it"]


def press(qtbot, window, key, *more):
    modifiers = Qt.KeyboardModifier.ControlModifier
    for one in more:
        modifiers |= one
    qtbot.keyClick(window, key, modifiers)


@pytest.mark.slow
def test_ctrl_z_and_the_plate_take_back_the_last_own_action(qtbot, opened):
    window = opened()
    begun = window.bout.fight.state
    for undo in (
        lambda: press(qtbot, window, Qt.Key.Key_Z),
        lambda: qtbot.mouseClick(
            window, Qt.MouseButton.LeftButton, pos=point(window.scene.places.take_back().centre)
        ),
    ):
        click_cell(qtbot, window, first_walk(window).target)
        qtbot.waitUntil(lambda: window.bout.free and window.bout.fight.state != begun)
        undo()
        assert window.bout.shown == window.bout.fight.state == begun
    assert len(lines(window, "taken-back")) == 2
    press(qtbot, window, Qt.Key.Key_Z)
    assert window.bout.fight.state == begun


@pytest.mark.slow
def test_a_position_is_copied_from_one_arena_and_pasted_into_another(qtbot, opened):
    first, second = opened(), opened(seed=SEED + 1, player_class="ranger")
    click_cell(qtbot, first, first_walk(first).target)
    qtbot.waitUntil(lambda: first.bout.free)
    press(qtbot, first, Qt.Key.Key_C)
    press(qtbot, second, Qt.Key.Key_V)
    assert second.bout.fight.state == first.bout.fight.state
    assert second.trouble is None
    QApplication.clipboard().setText("no position")
    press(qtbot, second, Qt.Key.Key_V)
    assert "botapp://position/" in second.trouble.text()
    assert second.bout.fight.state == first.bout.fight.state
    second.trouble.close()


@pytest.mark.slow
def test_names_of_people_go_with_a_position_only_where_that_is_asked_for(qtbot, opened):
    window = opened()
    state = window.bout.fight.state
    named = state.changed(fighters=tuple(f.changed(name=f"Zoe {f.id}") for f in state.fighters))
    window.bout.begin_at(named, time.monotonic())
    press(qtbot, window, Qt.Key.Key_C)
    assert from_text(QApplication.clipboard().text()) == without_names(named)
    press(qtbot, window, Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)
    assert from_text(QApplication.clipboard().text()) == named
