"""Before the fight: whose start cells are whose, and when nothing can be said of the own place."""

from dataclasses import replace

import pytest
from flawless import view_of

from botapp.arena.scenarios import adventure
from botapp.fight.placement import placing, start_cells
from botapp.tracking.placing import own_starts
from botapp.tracking.situation import build
from botapp.tracking.spellbook import preset
from vision.view import Phase, Seen

STATE = placing(adventure(5))
CHOOSING = STATE.changed(current=STATE.order.index(0))


def seen(under=False, **changes):
    """What a screen shows while fighter 0 chooses; start cells under fighters only where `under`."""
    taken = set() if under else {fighter.cell for fighter in STATE.fighters}
    lit = {
        "red_start": frozenset(STATE.map.red_starts) - taken,
        "blue_start": frozenset(STATE.map.blue_starts) - taken,
    }
    view = replace(view_of(STATE, 0), phase=Seen(Phase.PLACEMENT, 1.0), turn=Seen(), highlights=lit)
    return replace(view, **changes)


def situation(bestiary, view, previous=None):
    return build(view, preset(STATE.fighter(0).kind), bestiary, previous)


@pytest.mark.parametrize("under", [False, True])
def test_a_screen_with_start_cells_gives_the_state_in_which_the_player_chooses(under, bestiary):
    state = situation(bestiary, seen(under)).state
    assert state.placing
    assert state.actor.cell == STATE.fighter(0).cell
    assert set(start_cells(state)) == set(start_cells(CHOOSING))
    assert {f.cell for f in state.fighters} == {f.cell for f in STATE.fighters}
    assert dict(state.actor.cooldowns) == dict(STATE.fighter(0).cooldowns)


def test_spells_that_are_grey_before_the_fight_and_points_that_are_not_shown_are_those_of_the_sheet(bestiary):
    grey = tuple(replace(slot, usable=Seen(False, 1.0)) for slot in seen().spells)
    actor = situation(bestiary, seen(spells=grey, ap=Seen(), mp=Seen())).state.actor
    book = preset(STATE.fighter(0).kind)
    assert (actor.ap, actor.mp, actor.casts) == (book.base_ap, book.base_mp, ())
    assert dict(actor.cooldowns) == dict(STATE.fighter(0).cooldowns)


UNSAID = {
    "no start cells": {"highlights": {}},
    "no enemy": {"enemies": ()},
    "own fighter": {"player": None},
    "board": {"cell_confidence": 0.2},
    "HP": {"hp": Seen()},
}


@pytest.mark.parametrize("changes", UNSAID.values(), ids=UNSAID.keys())
def test_without_what_it_stands_on_nothing_is_said_of_the_place(changes, bestiary):
    found = situation(bestiary, seen(**changes))
    assert found.state is None
    assert found.withheld.startswith("The fight has not begun")


def test_while_another_chooses_one_waits(bestiary):
    assert situation(bestiary, seen(turn=Seen("other", 1.0))).not_my_turn


def test_start_cells_of_the_others_alone_are_not_taken_for_the_own_ones():
    view = seen()
    assert own_starts(replace(view, highlights={"blue_start": view.highlights["blue_start"]})) is None
    ours, theirs = own_starts(replace(view, highlights={"red_start": view.highlights["red_start"]}))
    assert (ours, theirs) == (view.highlights["red_start"], frozenset())


def test_sides_that_stand_among_each_others_start_cells_cannot_be_told_apart():
    player, enemy = seen().player, seen().enemies[0]
    lit = {"red_start": frozenset({100, 300}), "blue_start": frozenset({101, 301})}
    view = seen(
        highlights=lit, player=replace(player, cell=114), enemies=(replace(enemy, cell=286),), allies=()
    )
    assert own_starts(view) is None


def test_a_flash_in_the_middle_of_a_fight_is_no_placement(bestiary):
    fight = situation(bestiary, view_of(STATE.changed(placing=False, current=CHOOSING.current), 0))
    assert fight.state is not None
    flash = seen(highlights={"red_start": seen().highlights["red_start"]})
    assert situation(bestiary, flash, fight).state is None
