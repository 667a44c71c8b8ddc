"""The sheet against the screen: another character's withholds the advice, a small difference is told."""

from dataclasses import replace

import madeup_game as made
import numpy as np
import pytest
from flawless import view_of

from botapp.advisor.grounds import guesses, may_tell_chance, why_untold
from botapp.arena.scenarios import adventure
from botapp.content.knowledge.entry import EntryKind
from botapp.host.translation import Translator
from botapp.tracking.names import Names
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.sheet_fit import is_misfit
from botapp.tracking.state_tracker import StateTracker
from botapp.tracking.text_log import TextLog
from vision.signature import signature
from vision.view import Phase, Seen, SpellSlot


def own_turn(**changes):
    """A flawless view in the player's turn, of class ember; its kind is not read."""
    states = (adventure(seed, "ember") for seed in range(20))
    view = view_of(next(state for state in states if state.actor.id == 0), 0)
    return replace(view, player=replace(view.player, kind=Seen()), **changes)


@pytest.fixture
def bob(game):
    """The key of a character of level 120 that knows two spells, and its maximum HP."""
    table = game.game.usual_character(game.game.classes[0], 120, [1001, 1004])
    game.save(game.draft(EntryKind.CLASS, "my-bob", {**table, "name": "Bob", "name_fr": "Bob"}))
    return "my-bob", table["hp"]


def played(key, client="dofus-unity", level=None, **profile):
    tracker = StateTracker(PlayerProfile(client, key, **profile), TextLog(threaded=False))
    tracker.text.level.value = level
    return tracker


def hp(now, most):
    return {"hp": Seen(now, 0.99), "max_hp": Seen(most, 0.99)}


def test_a_character_of_the_game_is_not_advised_in_an_arena_fight_of_another_class(bob):
    shown = replace(own_turn(), player=replace(own_turn().player, kind=Seen("ember", 1.0)))
    found = played(bob[0], "arena").situate(shown).situation
    assert found.state.actor.kind == "ember" and not found.sheet
    hidden = played(bob[0], "arena").situate(own_turn()).situation
    assert hidden.state is None and is_misfit(hidden.withheld)
    assert "6 spells and your sheet has 2" in hidden.withheld


def test_fewer_spells_than_fitted_before_are_under_a_window(bob):
    view = own_turn(**hp(bob[1], bob[1]))
    tracker = played(bob[0], "arena")
    two, one = replace(view, spells=view.spells[:2]), replace(view, spells=view.spells[:1])
    assert tracker.situate(two).state is not None
    assert tracker.situate(one).state is not None
    assert is_misfit(played(bob[0], "arena").situate(one).withheld)


@pytest.mark.parametrize(("level", "misfit", "told"), [(120, False, 0), (121, False, 1), (51, True, 0)])
def test_a_level_on_the_screen_is_held_against_the_sheets(bob, level, misfit, told):
    found = played(bob[0], level=level).situate(own_turn(**hp(bob[1], bob[1]))).situation
    assert (found.state is None, is_misfit(found.withheld), len(found.sheet)) == (misfit, misfit, told)


def test_other_hp_than_the_sheets_are_told_and_far_others_withhold(bob):
    tracker = played(bob[0])
    found = tracker.situate(own_turn(**hp(bob[1] + 4, bob[1] + 4))).situation
    assert found.state.actor.max_hp == bob[1] + 4
    assert str(bob[1] + 4) in found.sheet[0] and str(bob[1]) in found.sheet[0]
    assert "écran" in Translator("fr")(found.sheet[0])
    assert is_misfit(played(bob[0]).situate(own_turn(**hp(3 * bob[1], 3 * bob[1]))).withheld)


def test_hp_that_erosion_has_taken_are_no_difference(bob):
    tracker = played(bob[0])
    assert not tracker.situate(own_turn(**hp(bob[1], bob[1]))).situation.sheet
    assert not tracker.situate(own_turn(**hp(bob[1] - 300, bob[1] - 50))).situation.sheet
    assert not played(bob[0]).situate(own_turn(**hp(bob[1] - 300, bob[1] - 50))).situation.sheet


def test_icons_of_another_class_withhold_and_name_it(game, bob, tmp_path):
    brought = made.small()
    brought["breeds"].append(made.breed(2, "Baker", "Boulanger", [2001]))
    brought["spell-variants"].append(made.variants(2, 2001, 2002))
    made.brought(game, tmp_path, brought)
    drawn = np.random.default_rng(1).integers(0, 255, (3, 24, 24, 3), np.uint8)
    icons = {number: signature(drawn[place]) for place, number in enumerate((1001, 2001, 2002))}
    names = Names(icons={icon: f"game-{number}" for number, icon in icons.items()})
    own = own_turn(**hp(bob[1], bob[1]))
    foreign = replace(own, spells=tuple(SpellSlot(n, icon=icons[2001 + n]) for n in range(2)))
    found = played(bob[0], names=names).situate(foreign).situation
    assert found.state is None and is_misfit(found.withheld) and "Baker / Boulanger" in found.withheld
    single = replace(own, spells=(SpellSlot(0, icon=icons[2001]), SpellSlot(1, icon=icons[1001])))
    assert played(bob[0], names=names).situate(single).state is not None


def test_a_placement_is_compared_too_and_another_screen_is_not(bob):
    view = own_turn(**hp(3 * bob[1], 3 * bob[1]))
    assert not is_misfit(played(bob[0]).situate(replace(view, phase=Seen(Phase.NOT_FIGHT, 1.0))).withheld)


def test_a_chance_is_told_where_all_that_counts_is_known(bob):
    known = played(bob[0]).situate(own_turn(**hp(bob[1], bob[1])))
    assert may_tell_chance(known.state) and not why_untold(known.state) and may_tell_chance(None)


def test_no_chance_is_told_for_a_guessed_level_an_example_class_or_unknown_enemies(game, bob):
    view = own_turn(**hp(bob[1], bob[1]))
    unnamed = replace(view, enemies=tuple(replace(enemy, kind=Seen()) for enemy in view.enemies))
    stranger = replace(
        view, enemies=tuple(replace(enemy, kind=Seen("monster-9", 1.0)) for enemy in view.enemies)
    )
    for key, shown, remedies in (
        ("locksmith", view, ["level"]),
        ("ember", view, ["class"]),
        (bob[0], unnamed, ["fighters"]),
        (bob[0], stranger, ["fighters"]),
        ("locksmith", unnamed, ["level", "fighters"]),
    ):
        state = played(key).situate(shown).state
        assert [guess.remedy for guess in guesses(state)] == remedies, key
        assert not may_tell_chance(state) and why_untold(state)
    read = played("locksmith", level=120).situate(view).state
    assert may_tell_chance(read), "a level that the screen writes is no guess"
