"""The state tracker: what is remembered from frame to frame, and what a change of the profile rebuilds."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flawless import view_of

import botapp
from botapp.arena.scenarios import adventure
from botapp.fight.board import distance
from botapp.host.settings import Settings
from botapp.tracking import boards, player_profile, settling, state_tracker
from botapp.tracking import names as names_file
from botapp.tracking.names import Names
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.spellbook import presets
from botapp.tracking.state_tracker import NO_CLASS, StateTracker
from vision.calibration import BoardCalibration, BoardCalibrations
from vision.frame import Frame, Rect
from vision.signature import signature
from vision.view import FightView, Lattice, Phase, Seen, SpellSlot

BLANK = Frame(np.zeros((400, 640, 4), np.uint8), Rect(0, 0, 640, 400), 5, 7)


def picture(seed):
    return np.random.default_rng(seed).integers(0, 255, (24, 24, 3), np.uint8)


def seen_view():
    """A flawless view of a fight of the class ember, in the player's turn."""
    for seed in range(20):
        state = adventure(seed, "ember")
        if state.actor.id == 0:
            return view_of(state, 0)
    raise AssertionError("the player never begins")


def test_a_frame_becomes_a_view_and_a_reason():
    tracker = StateTracker()
    tracked = tracker.update(BLANK)
    assert tracked.state is None
    assert tracked.withheld
    assert (tracked.view.seq, tracked.view.captured_ns) == (7, 5)
    assert tracker.last_read[0] is BLANK


def test_fights_are_counted_from_a_number_and_what_is_forgotten_twice_is_one_fight():
    tracker, view = StateTracker(fight=4), seen_view()
    for fight in (4, 5):
        assert tracker.situate(view).situation.memory.fight == fight
        tracker.forget()
        tracker.forget()


def test_a_view_becomes_a_state_and_what_was_known_stays_known_until_it_is_forgotten():
    tracker, view = StateTracker(), seen_view()
    first = tracker.situate(view)
    assert first.withheld == ""
    assert first.state.actor.hp == view.hp.value
    unread = replace(view, max_hp=Seen())
    assert tracker.situate(unread).assumed == ()
    tracker.forget()
    assert "maximum HP" in tracker.situate(unread).assumed[0]


def test_what_a_walk_or_an_effect_hides_for_less_than_a_second_is_no_reason_to_say_so():
    tracker, view = StateTracker(), seen_view()

    def at(seconds, **changes):
        return tracker.situate(replace(view, captured_ns=int(seconds * 1e9), **changes)).situation

    first = at(0)
    hidden = at(0.4, player=None)
    assert hidden.settling and hidden.state is None
    assert hidden.picture == first.state
    assert at(0.8, phase=Seen(Phase.UNKNOWN, 0.2)).settling
    lasting = at(1.2, player=None)
    assert not lasting.settling and "own fighter" in lasting.withheld
    assert at(1.4).state is not None
    assert not at(1.6, phase=Seen(Phase.NOT_FIGHT, 1.0)).settling
    assert not at(1.7, player=None).settling


def test_no_advice_is_asked_for_a_cell_that_the_player_only_walks_across():
    tracker, view = StateTracker(), seen_view()
    start, lit = view.player.cell, sorted(view.highlights["reachable"])
    across, goal = lit[0], lit[-1]

    def at(seconds, cell, **changes):
        there = replace(view.player, cell=cell)
        shown = replace(view, player=there, highlights={}, captured_ns=int(seconds * 1e9), **changes)
        return tracker.situate(shown).situation

    assert at(0, start).state is not None
    walking = at(0.1, across)
    assert walking.settling and walking.state is None
    assert at(0.5, goal).settling
    paid = at(0.6, goal, mp=Seen(view.mp.value - 1, 1.0))
    assert paid.state is not None and paid.state.actor.cell == goal
    assert at(0.7, across, mp=Seen(view.mp.value - 1, 1.0)).settling
    assert at(1.1, across, mp=Seen(view.mp.value - 1, 1.0)).settling
    moved_for_nothing = at(1.2, across, mp=Seen(view.mp.value - 1, 1.0))
    assert moved_for_nothing.state is not None and moved_for_nothing.state.actor.cell == across


def test_a_walk_that_begins_as_the_rounds_number_comes_into_sight_is_seen_as_one():
    tracker, view = StateTracker(), seen_view()
    across = replace(view.player, cell=sorted(view.highlights["reachable"])[0])
    before = replace(view, highlights={}, turn_number=Seen(), captured_ns=0)
    assert tracker.situate(before).situation.state is not None
    walks = replace(before, player=across, turn_number=Seen(3, 1.0), captured_ns=100_000_000)
    assert tracker.situate(walks).situation.settling


def test_a_walk_after_a_cast_that_a_window_hid_is_seen_as_one():
    tracker, view = StateTracker(), seen_view()
    start, lit = view.player.cell, sorted(view.highlights["reachable"])

    def at(seconds, cell, ap, **changes):
        there = replace(view.player, cell=cell)
        shown = replace(view, player=there, highlights={}, captured_ns=int(seconds * 1e9), ap=Seen(ap, 1.0))
        return tracker.situate(replace(shown, **changes)).situation

    before, after = view.ap.value, view.ap.value - 3
    assert at(0, start, before).state is not None
    assert at(1.0, start, after, turn=Seen()).state is None  # a window lies over button and timeline
    assert at(2.0, start, after, turn=Seen()).state is None
    assert at(2.1, lit[0], after).settling
    arrived = at(2.2, lit[-1], after, mp=Seen(view.mp.value - 1, 1.0))
    assert arrived.state is not None and arrived.state.actor.cell == lit[-1]


def test_who_comes_into_sight_on_a_walk_is_not_advised_on_the_way():
    tracker, view = StateTracker(PlayerProfile(player_class="ember")), seen_view()
    across, goal = sorted(view.highlights["reachable"])[:2]

    def at(seconds, cell, **changes):
        there = None if cell is None else replace(view.player, cell=cell)
        shown = replace(view, player=there, highlights={}, captured_ns=int(seconds * 1e9), **changes)
        return tracker.situate(shown).situation

    at(0, None)
    assert at(2.0, across).settling and at(2.1, across).settling
    assert at(2.2, goal).settling and at(2.4, goal).settling
    assert at(2.5, goal).state.actor.cell == goal


@pytest.mark.parametrize(("paid", "on_its_way"), [(1, True), (2, False)])
def test_who_comes_into_sight_further_away_than_it_has_paid_for_is_on_its_way(paid, on_its_way):
    tracker, view = StateTracker(PlayerProfile(player_class="ember")), seen_view()
    start, left = view.player.cell, Seen(view.mp.value - paid, 1.0)
    came_by = next(cell for cell in sorted(view.highlights["reachable"]) if distance(cell, start) == 2)
    assert at(tracker, view, 0).state is not None
    at(tracker, view, 0.5, player=None, mp=left)
    seen = at(tracker, view, 2.0, player=replace(view.player, cell=came_by), mp=left)
    assert (seen.state is None, seen.settling) == (on_its_way, on_its_way)
    assert at(tracker, view, 2.3, player=replace(view.player, cell=came_by), mp=left).state is not None


def test_a_fight_that_begins_like_the_last_one_is_advised_on_at_once():
    tracker, view = StateTracker(PlayerProfile(player_class="ember")), seen_view()
    elsewhere = replace(view.player, cell=sorted(view.highlights["reachable"])[-1])
    for tenth in range(5):
        at(tracker, view, tenth / 10)
    at(tracker, view, 2.0, phase=Seen(Phase.NOT_FIGHT, 1.0), player=None)
    placing = {"player": elsewhere, "phase": Seen(Phase.PLACEMENT, 1.0), "turn": Seen()}
    for tenth in range(5):
        at(tracker, view, 4 + tenth / 10, **placing)
    assert at(tracker, view, 4.5, player=elsewhere).state is not None


def test_what_was_read_once_and_then_bridged_is_no_place_to_advise_on():
    tracker, view = StateTracker(PlayerProfile(player_class="ember")), seen_view()
    at(tracker, view, 0, player=None)
    assert at(tracker, view, 2.0).state is None
    assert [
        at(tracker, view, 2.0 + 0.1 * n, remembered=frozenset({"player"})).state for n in range(1, 9)
    ] == [None] * 8
    assert [at(tracker, view, 3.0 + 0.1 * n).state is None for n in range(4)][-1] is False


def test_who_stood_there_before_its_turn_is_advised_at_once():
    tracker, view = StateTracker(PlayerProfile(player_class="ember")), seen_view()
    at(tracker, view, 0, player=None, turn=Seen("other", 1.0))
    for tenth in range(5):
        at(tracker, view, 1 + tenth / 10, turn=Seen("other", 1.0))
    assert at(tracker, view, 1.5).state is not None


def at(tracker, view, seconds, **changes):
    """Returns the situation after a view `seconds` after the first, without what it lights up."""
    shown = replace(view, highlights={}, captured_ns=int(seconds * 1e9), **changes)
    return tracker.situate(shown).situation


def test_the_class_seen_last_is_played_while_none_is_seen():
    tracker, view = StateTracker(), seen_view()
    hidden = replace(view, player=replace(view.player, kind=Seen()))
    assert tracker.situate(hidden).withheld == NO_CLASS
    tracker.situate(view)
    tracker.forget()
    assert tracker.situate(hidden).state.actor.kind == "ember"
    tracker.relearn(tracker.profile)
    assert tracker.situate(hidden).withheld == NO_CLASS


def test_the_class_that_the_arena_shows_goes_before_the_one_told():
    other = next(key for key in presets() if key != "ember")
    tracker = StateTracker(PlayerProfile(player_class=other))
    found = tracker.situate(seen_view()).situation
    assert (found.state.actor.kind, found.shown_class) == ("ember", "ember")
    game = StateTracker(PlayerProfile("dofus-2", player_class=other))
    found = game.situate(seen_view()).situation
    assert (found.state.actor.kind, found.shown_class) == (other, "")


def test_what_was_made_of_a_fight_with_another_class_is_forgotten_once_the_arena_shows_its_own():
    tracker, view = StateTracker(PlayerProfile(player_class="leech")), seen_view()
    hidden = replace(view, player=replace(view.player, kind=Seen()))
    before = at(tracker, hidden, 0)
    assert before.state.actor.kind == "leech", "as many spells, and nothing on the screen tells"
    found = at(tracker, view, 1)
    assert (found.state.actor.kind, found.memory.fight) == ("ember", before.memory.fight + 1)


@pytest.mark.parametrize("written", ["leech", "Leech", "SANGSUE", "Sangsüe"])
def test_the_class_in_the_windows_title_is_played_in_any_language(written):
    tracker = StateTracker(PlayerProfile("dofus-2"))
    tracker.own.game_class = written
    assert tracker.situate(seen_view()).state.actor.kind == "leech"
    tracker.own.game_class = "Nobody's"
    tracker.forget()
    assert tracker.situate(seen_view()).state.actor.kind == "ember"


def test_a_class_that_was_chosen_goes_before_the_windows_title():
    tracker = StateTracker(PlayerProfile("dofus-2", player_class="warden"))
    tracker.own.game_class = "leech"
    assert tracker.situate(seen_view()).state.actor.kind == "warden"


def test_a_class_that_does_not_exist_withholds_the_state_with_a_message():
    withheld = StateTracker(PlayerProfile("dofus-2", player_class="plumber")).situate(seen_view()).withheld
    assert withheld.template.startswith("No class is called")
    assert withheld.values["name"] == "plumber"
    arena = StateTracker(PlayerProfile(player_class="plumber")).situate(seen_view())
    assert arena.state.actor.kind == "ember", "the arena's class plays, whatever was chosen for the game"


def test_a_sheet_that_is_missing_withholds_the_state_with_a_message(tmp_path):
    profile = PlayerProfile("dofus-2", sheet=tmp_path / "gone.json")
    withheld = StateTracker(profile).situate(seen_view()).withheld
    assert "gone.json" in withheld
    assert withheld.template.startswith("{file} cannot be opened")


def test_names_tell_who_a_portrait_is_and_what_a_slot_holds():
    view, icon, portrait = seen_view(), signature(picture(1)), signature(picture(2))
    enemies = tuple(replace(enemy, kind=Seen(), portrait=portrait) for enemy in view.enemies[:1])
    spells = (SpellSlot(0, Seen(False, 1.0), Seen(3, 1.0), icon=icon),)
    view = replace(view, enemies=enemies, spells=spells)
    tracker = StateTracker()
    unnamed = tracker.situate(view)
    assert unnamed.named.spells == ()
    assert "kind" in next(f for f in unnamed.state.fighters if f.team).assumed
    book = tracker.own.book
    assert book is not None
    last = book.spells[-1].key
    tracker.apply(PlayerProfile(names=Names({portrait: "boar"}, {icon: last})))
    named = tracker.situate(view)
    assert next(f for f in named.state.fighters if f.team).kind == "boar"
    assert dict(named.state.actor.cooldowns) == {last: 3}
    assert named.view is view


def test_the_reader_is_made_anew_only_where_what_it_reads_by_may_have_changed(monkeypatch):
    made = []

    class FakeReader:
        def __init__(self, profile, calibrations):
            made.append((profile.name, calibrations))

        def explain(self, wanted):
            assert not wanted

        def read(self, _):
            return FightView(phase=Seen(Phase.UNKNOWN, 1.0))

    monkeypatch.setattr(state_tracker, "Reader", FakeReader)
    tracker = StateTracker()
    accepted = BoardCalibrations((BoardCalibration("arena", (640, 400), Lattice((1.0, 1.0), 40.0, 20.0)),))
    steps = (
        (lambda: None, 1),
        (tracker.forget, 1),
        (lambda: tracker.apply(PlayerProfile(player_class="ember")), 1),
        (lambda: tracker.apply(PlayerProfile(client="dofus-2")), 2),
        (lambda: tracker.apply(PlayerProfile(client="dofus-2", calibrations=accepted)), 3),
        (tracker.change_window, 4),
        (lambda: tracker.relearn(tracker.profile), 5),
    )
    for change, readers in steps:
        change()
        tracker.update(BLANK)
        assert len(made) == readers
    assert made[0] == ("arena", BoardCalibrations())
    assert made[-1] == ("dofus-2", accepted)


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    return tmp_path


def test_a_profile_is_what_the_settings_and_the_files_beside_them_say(config):
    named = Names({signature(picture(1)): "boar"}, {})
    lattice = Lattice((10.0, 20.0), 40.0, 20.0)
    accepted = BoardCalibrations((BoardCalibration("dofus-2", (1280, 720), lattice),))
    names_file.save(named)
    boards.save(accepted)
    settings = Settings(
        capture={"target": "dofus-2"}, advisor={"player_class": "ember", "spellbook": "me.json"}
    )
    loaded = player_profile.load(settings)
    assert loaded.messages == ()
    assert loaded.profile == PlayerProfile("dofus-2", "ember", Path("me.json"), named, accepted)


def test_files_that_cannot_be_read_are_told_and_cost_only_themselves(config):
    (config / "names.toml").write_text("broken [[[")
    boards.FILE.path.write_text("broken [[[")
    loaded = player_profile.load(Settings())
    assert loaded.profile == PlayerProfile()
    assert ["names.toml" in loaded.messages[0], "calibration.toml" in loaded.messages[1]] == [True, True]


@pytest.mark.slow
def test_nobody_else_in_the_app_puts_a_state_together():
    """Only the tracker calls what makes a state of a view."""
    root = Path(botapp.__file__).parent
    wanted = {("botapp.tracking.situation", "build"), ("botapp.tracking.picture_names", "recognise")}
    texts = {path: path.read_text("utf-8") for path in root.rglob("*.py")}
    callers = {
        path.relative_to(root).as_posix()
        for path, text in texts.items()
        if any(module in text and name in text for module, name in wanted)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and any((node.module, a.name) in wanted for a in node.names)
    }
    assert callers == {"tracking/state_tracker.py"}


@pytest.mark.parametrize(
    ("client", "area", "confirmed"),
    [
        ("arena", Rect(0, 0, 640, 400), True),
        ("dofus-unity", None, True),
        ("dofus-unity", Rect(0, 0, 640, 400), True),
        ("dofus-unity", Rect(0, 0, 1280, 800), True),
        ("dofus-unity", Rect(0, 0, 640, 480), False),
        ("dofus-2", Rect(0, 0, 640, 400), False),
    ],
)
def test_a_board_is_confirmed_for_its_client_and_shape_of_window(client, area, confirmed):
    lattice = Lattice((1.0, 1.0), 40.0, 20.0)
    accepted = BoardCalibrations((BoardCalibration("dofus-unity", (640, 400), lattice),))
    assert PlayerProfile(client=client, calibrations=accepted).board_confirmed(area) is confirmed


@pytest.mark.parametrize(("hidden_ms", "comes_by"), [(500, False), (1500, True)])
def test_after_long_out_of_sight_the_player_may_only_come_by_where_it_stood(hidden_ms, comes_by):
    view = view_of(adventure(2, "ember"), 0)
    stood = settling.placed(None, view)
    unseen = settling.placed(stood, replace(view, player=None, captured_ns=view.captured_ns + 10**8))
    again = settling.placed(unseen, replace(view, captured_ns=view.captured_ns + hidden_ms * 10**6))
    assert (again.sudden, again.stands) == (comes_by, not comes_by)
