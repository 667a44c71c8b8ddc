"""The level that is used before the player confirms one: what tells it, what is held, what goes before it."""

from dataclasses import replace

import pytest
from flawless import view_of

from botapp.arena.scenarios import adventure
from botapp.content.game.sheets import usual_sheet
from botapp.content.knowledge.entry import EntryKind
from botapp.tracking.first_fight import Confirmed, doubts
from botapp.tracking.levels import NO_GUESS, LevelFollower, LevelGuess, level_by_hp
from botapp.tracking.names import Names
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.state_tracker import StateTracker
from botapp.tracking.text_log import LevelOnHud, TextLog
from botapp.ui import words
from vision.view import FightView, Phase, Seen

FIGHT = FightView(phase=Seen(Phase.FIGHT, 1.0))


def hp_of(level):
    return usual_sheet(level)[0]


def showing(hp, view=FIGHT, **changes):
    return replace(view, max_hp=Seen(hp, 0.99) if hp else Seen(), **changes)


def test_usual_points_change_at_their_level():
    points = [usual_sheet(level)[1:3] for level in (1, 39, 40, 59, 60, 189, 190)]
    assert points == [(6, 3), (6, 3), (7, 3), (7, 3), (7, 4), (11, 5), (11, 6)]


def own_turn():
    states = (adventure(seed, "ember") for seed in range(20))
    return view_of(next(state for state in states if state.actor.id == 0), 0)


def tracker(key="locksmith", level=None):
    made_up = StateTracker(PlayerProfile(client="dofus-unity", player_class=key), TextLog(threaded=False))
    made_up.text.level.value = level
    return made_up


def test_the_usual_hp_of_a_level_tell_that_level():
    assert [level_by_hp(hp_of(level)) for level in range(1, 201)] == list(range(1, 201))
    assert (level_by_hp(1), level_by_hp(99_999)) == (1, 200)


def test_a_level_on_the_screen_goes_before_the_hp_and_the_hp_before_nothing():
    follower = LevelFollower()
    assert follower.follow(showing(None), None) == NO_GUESS == LevelGuess(200, "none")
    assert follower.follow(showing(hp_of(60)), None) == LevelGuess(60, "hp")
    assert follower.follow(showing(hp_of(60)), 51) == LevelGuess(51, "screen")
    assert follower.follow(showing(None), 51) == LevelGuess(51, "screen")


def test_erosion_and_blessings_move_no_level_within_a_fight():
    follower = LevelFollower()
    for _ in range(2):
        follower.follow(showing(1000), None)
    held = follower.guess
    for hp in (990, 990, 900, 500, 500, 1200, 1200, None, 1400, 1400):
        assert follower.follow(showing(hp), None) == held == LevelGuess(level_by_hp(1000), "hp")


def test_one_misread_figure_gives_way_to_the_next_and_moves_none_that_two_pictures_showed():
    follower = LevelFollower()
    assert follower.follow(showing(100), None).level == level_by_hp(100)
    assert follower.follow(showing(1000), None).level == level_by_hp(1000)
    follower.follow(showing(1000), None)
    for hp in (9000, 1000, 9000, 1000):
        assert follower.follow(showing(hp), None).level == level_by_hp(1000)


def test_a_figure_that_is_only_remembered_is_no_second_picture():
    follower = LevelFollower()
    follower.follow(showing(100), None)
    follower.follow(showing(100, remembered=frozenset({"max_hp"})), None)
    assert follower.follow(showing(1000), None).level == level_by_hp(1000)


@pytest.mark.parametrize("played", ["summon", "unsure"])
def test_a_summons_turn_never_sets_it(played):
    follower = LevelFollower()
    for _ in range(3):
        assert follower.follow(showing(300, played=played), None) == NO_GUESS
    follower.follow(showing(2000), None)
    for _ in range(3):
        assert follower.follow(showing(300, played=played), None) == LevelGuess(level_by_hp(2000), "hp")


def test_a_summons_hp_that_passed_for_the_players_give_way_to_the_players_own():
    follower = LevelFollower()
    for _ in range(3):
        follower.follow(showing(300), None)
    assert follower.follow(showing(2000), None).level == level_by_hp(300)
    assert follower.follow(showing(2000), None).level == level_by_hp(2000)
    for _ in range(3):
        assert follower.follow(showing(300), None).level == level_by_hp(2000)


def test_outside_of_fights_nothing_is_taken_and_the_next_fight_tells_anew():
    follower = LevelFollower()
    assert follower.follow(showing(1000, FightView(phase=Seen(Phase.NOT_FIGHT, 1.0))), None) == NO_GUESS
    for _ in range(2):
        follower.follow(showing(800), None)  # eroded: the app was started in the middle of it
    follower.next_fight()
    assert follower.follow(showing(None), None).level == level_by_hp(800)
    assert follower.follow(showing(1000), None).level == level_by_hp(1000)


def test_another_character_or_window_begins_from_nothing():
    follower = LevelFollower()
    follower.follow(showing(1000), None, "Brinka")
    assert follower.follow(showing(None), None, "").source == "hp"
    assert follower.follow(showing(None), None, "Olm") == NO_GUESS
    follower.follow(showing(1000), None, "Olm")
    follower.change_window()
    assert follower.follow(showing(None), None, "Olm") == NO_GUESS


def test_the_advice_is_for_the_estimated_level_at_once_and_says_so(game):
    mine, view = tracker(), showing(hp_of(40), own_turn())
    tracked = mine.situate(view)
    own = tracked.state.actor
    assert own.level == 40 and own.assumed >= {"level", "stats", "spells"}
    assert own.spells[0].key == "game-1001-1", "the grade that level 40 has"
    assert tracked.situation.level == LevelGuess(40, "hp")
    assert any("40, guessed from your maximum HP" in words.tr(fact) for fact in tracked.assumed)
    said = words.assumptions(tracked.state, tracked.situation.level)
    assert "level 40 by your maximum HP" in said[0] and sum(line.startswith("You") for line in said) == 1


def test_a_level_that_the_screen_shows_is_used_before_the_one_by_hp(game):
    mine, view = tracker(), showing(hp_of(40), own_turn())
    assert mine.situate(view).state.actor.level == 40
    mine.text.level.value = 90
    tracked = mine.situate(view)
    assert tracked.state.actor.level == 90 and "level" not in tracked.state.actor.assumed
    assert tracked.state.actor.spells[0].key == "game-1001-2"
    assert "level 90, which the screen shows" in words.assumptions(tracked.state, tracked.situation.level)[0]


def test_a_level_that_nothing_tells_is_200_and_what_that_costs_is_said(game):
    view = replace(own_turn(), max_hp=Seen())
    tracked = tracker().situate(view)
    assert tracked.state.actor.level == 200
    assert tracked.situation.level == NO_GUESS
    assert "the screen does not tell yours" in words.assumptions(tracked.state, NO_GUESS)[0]
    one = game.game.class_called("locksmith")
    told = doubts(view, Names(), game.game, one, 200, Confirmed(), {}, "en", NO_GUESS)
    doubt = next(doubt for doubt in told if doubt.place == "character")
    assert "cannot be told" in words.tr(doubt.what)
    assert "level 200" in words.tr(doubt.cost) and "much too high" in words.tr(doubt.cost)


def test_the_doubts_name_the_level_that_the_advice_uses(game):
    view, one = own_turn(), game.game.class_called("locksmith")
    for guess in (LevelGuess(40, "hp"), LevelGuess(51, "screen")):
        told = doubts(view, Names(), game.game, one, 133, Confirmed(), {}, "en", guess)
        doubt = next(doubt for doubt in told if doubt.place == "character")
        assert str(guess.level) in words.tr(doubt.what) and "133" not in words.tr(doubt.what + doubt.cost)


def test_what_the_player_has_confirmed_goes_before_any_estimate(game):
    one = game.game.class_called("locksmith")
    table = game.game.usual_character(one, 120, [1001, 1004])
    game.save(game.draft(EntryKind.CLASS, "my-brinka", {**table, "name": "Brinka", "name_fr": "Brinka"}))
    view = showing(table["hp"] - 10, own_turn())
    tracked = tracker("my-brinka", level=118).situate(view)
    assert tracked.state.actor.level == 120 and tracked.situation.level is None
    assert not tracked.state.actor.assumed
    mine = tracker("", level=118)
    mine.own.game_class = "Serrurier"
    assert mine.situate(view).state.actor.level == 120, "by the class in the title as well"


def test_no_estimate_touches_a_class_of_the_app(game):
    tracked = tracker("ember", level=51).situate(own_turn())
    assert tracked.situation.level is None and tracked.state.actor.assumed == {"kind"}


def test_a_better_founded_level_keeps_the_fight_and_what_was_cast_in_it(game):
    mine, view = tracker(), showing(hp_of(40), own_turn())
    mine.situate(view)
    memory = mine.situation.memory
    grown = replace(memory, own=replace(memory.own, casts=(("game-1001-1", 3),), ready=(("game-1001-1", 9),)))
    mine.situation = replace(mine.situation, memory=grown)
    mine.text.level.value = 90
    tracked = mine.situate(view)
    after = tracked.situation.memory
    assert after.fight == memory.fight
    assert after.own.casts == (("game-1001-2", 3),) and after.own.ready == (("game-1001-2", 9),)
    known = {f.id: f.kind for f in memory.believed.fighters}
    assert {f.id: f.kind for f in after.believed.fighters} == known
    assert after.believed.fighter(0).level == 90


def test_a_spell_on_the_bar_takes_its_pairs_place_and_stays_while_the_bar_is_hidden(game):
    mine, view = tracker(), showing(hp_of(90), own_turn())
    bare = [spell.key for spell in mine.situate(view).state.actor.spells]
    one, guess = game.game.class_called("locksmith"), mine.own.levels.guess
    mine.own.use(one, guess, [1004, None, 9999])
    assert [spell.key for spell in mine.own.book.spells] == [bare[0], "game-1004-1"]
    book = mine.own.book
    mine.own.use(one, guess, [])
    assert mine.own.book is book
    mine.own.use(one, guess, [1003])
    assert [spell.key for spell in mine.own.book.spells] == bare


def test_the_level_on_the_screen_is_read_anew_for_another_character(game):
    level_on_hud = LevelOnHud()
    level_on_hud.look(None, FIGHT, "Brinka", None)
    level_on_hud.value = 51
    for name, level in (("Brinka", 51), ("", 51), ("Olm", None)):
        level_on_hud.look(None, FIGHT, name, None)
        assert level_on_hud.value == level
