"""What the cells lit about the player tell of its MP, and what they contradict."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from flawless import view_of
from own_turns import book_of, own_turn, situation_of

from botapp.fight.actions import EndTurn
from botapp.fight.board import distance, neighbours, to_cell, to_xy
from botapp.fight.rules import legal_actions
from botapp.fight.state import CellFlag
from botapp.tracking.doubts import NOT_FORCED, UNFIT, mp_by_reach, steps_to, ways_to_lit
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.situation import build
from botapp.tracking.state_tracker import StateTracker
from vision.frame import Frame
from vision.synthetic import screen
from vision.view import CellKind, FighterSeen, FightView, Seen, SpellSlot


def test_missing_mp_is_read_off_the_highlighted_cells(bestiary):
    state = own_turn(0)
    situation = situation_of(state, bestiary, mp=Seen())
    assert situation.state.actor.mp == state.actor.mp
    assert "mp" in situation.state.actor.assumed
    assert any("MP" in words for words in situation.assumed)
    dark = situation_of(state, bestiary, mp=Seen(), highlights={})
    assert dark.state is None and "Your MP cannot be read" in dark.withheld


def test_the_reach_beside_an_enemy_or_of_no_number_of_steps_tells_no_mp(bestiary):
    state = own_turn()
    near = frozenset(c for c in range(560) if distance(c, state.actor.cell) == 1 and state.map.cells[c] == 3)
    tackled = tuple(
        FighterSeen((0, 0), cell, "enemy", confidence=0.9) for cell in neighbours(state.actor.cell)[:1]
    )
    lit = {"reachable": near - {one.cell for one in tackled}}
    beside = situation_of(state, bestiary, mp=Seen(), highlights=lit, enemies=tackled)
    assert beside.state is None and "Your MP cannot be read" in beside.withheld
    part = frozenset(c for c in range(560) if distance(c, state.actor.cell) == 3 and state.map.cells[c] == 3)
    some = situation_of(state, bestiary, mp=Seen(), highlights={"reachable": part})
    assert some.state is None and "Your MP cannot be read" in some.withheld


@pytest.mark.parametrize("else_there, mp", [(CellKind.OUTSIDE, 6), (CellKind.UNKNOWN, None)])
def test_the_reach_tells_no_mp_where_fewer_would_do_over_floor_that_is_not_read(else_there, mp):
    """A row of six cells that turns back: as a fight begins no more of the board may be read."""
    start = 300
    x, y = to_xy(start)
    steps = ((1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (2, 2))
    row = [to_cell(x + across, y + along) for across, along in steps]
    kinds = np.full(560, else_there, np.uint8)
    kinds[[start, *row]] = CellKind.WALKABLE
    floor = bytes(CellFlag.FLOOR if kind == CellKind.WALKABLE else 0 for kind in kinds)
    view = FightView(cells=kinds, highlights={"reachable": frozenset(row)})
    assert mp_by_reach(view, floor, start, 6) == mp


def test_cells_that_are_not_lit_are_closed_to_walking(bestiary):
    state = own_turn(0)
    view = view_of(state, 0)
    lit = sorted(view.highlights["reachable"])
    doubtful = lit[-1]
    situation = build(
        replace(view, highlights={"reachable": frozenset(lit) - {doubtful}}), book_of(state), bestiary
    )
    targets = {action.target for action in legal_actions(situation.state) if hasattr(action, "path")}
    assert doubtful not in targets
    assert targets


def test_cells_under_the_range_of_the_spell_in_hand_stay_open_to_walking(bestiary):
    state = own_turn(0)
    view = view_of(state, 0)
    lit = view.highlights["reachable"]
    beside = frozenset(cell for cell in lit if distance(cell, state.actor.cell) == 1)
    painted = {"reachable": lit - beside, "range": beside}
    situation = build(replace(view, highlights=painted), book_of(state), bestiary)
    targets = {action.target for action in legal_actions(situation.state) if hasattr(action, "path")}
    assert beside and lit <= targets


def test_highlights_that_contradict_the_board_withhold_the_advice(bestiary):
    state = own_turn(0)
    view = view_of(state, 0)
    few = frozenset(sorted(view.highlights["reachable"])[:2])
    situation = build(replace(view, highlights={"reachable": few}), book_of(state), bestiary)
    assert (situation.state, situation.withheld) == (None, UNFIT)
    cells = view.cells.copy()
    cells[list(view.highlights["reachable"])] = CellKind.OUTSIDE
    shut_in = build(replace(view, cells=cells), book_of(state), bestiary)
    assert (shut_in.state, shut_in.withheld) == (None, UNFIT)


def test_floor_that_looks_lit_in_the_turns_of_others_neither_proves_nor_disproves_the_reach(bestiary):
    state = own_turn(0)
    view, book = view_of(state, 0), book_of(state)
    reach = view.highlights["reachable"]
    far = frozenset(cell for cell in range(560) if distance(cell, state.actor.cell) > state.actor.mp + 2)
    apart = build(replace(view, highlights={"reachable": reach | far}), book, bestiary)
    assert apart.state is not None, "no way leads over lit cells to those"
    near = frozenset(cell for cell in range(560) if distance(cell, state.actor.cell) <= state.actor.mp + 6)
    green = near - reach - {state.actor.cell}
    others = replace(view, turn=Seen("other", 1.0), highlights={"reachable": green})
    mine = replace(view, highlights={"reachable": reach | green})
    assert build(mine, book, bestiary).withheld == UNFIT
    assert build(mine, book, bestiary, build(others, book, bestiary)).state is not None
    unlit = replace(view, highlights={"reachable": green})
    open_still = build(unlit, book, bestiary, build(others, book, bestiary)).state
    assert open_still is not None and open_still.map.cells == build(view, book, bestiary).state.map.cells


def test_cells_that_a_body_hides_on_the_only_way_to_lit_ones_stay_open(bestiary):
    cells, start = bytes([3] * 560), 256
    steps = steps_to(cells, start, 3)
    beyond = frozenset(cell for cell, step in steps.items() if step == 3)
    needed = ways_to_lit(cells, start, 3, beyond)
    assert needed and all(0 < steps[cell] < 3 for cell in needed)
    near = frozenset(cell for cell, step in steps.items() if step in (1, 2))
    assert ways_to_lit(cells, start, 3, beyond | near) == frozenset()
    assert ways_to_lit(cells, start, 3, near) == frozenset()


def test_who_holds_the_player_back_explains_why_little_is_lit(bestiary):
    state = own_turn(0)
    beside = next(c for c in range(560) if distance(c, state.actor.cell) == 1 and state.map.cells[c] == 3)
    enemy = next(f for f in state.fighters if f.team == 1)
    fighters = tuple(replace(f, cell=beside) if f.id == enemy.id else f for f in state.fighters)
    view = view_of(replace(state, fighters=fighters), 0)
    strong = replace(view.enemies[0], kind=Seen("griffin", 0.9))
    lit = {"reachable": frozenset(c for c in range(560) if distance(c, state.actor.cell) == 1) - {beside}}
    situation = build(replace(view, enemies=(strong,), highlights=lit), book_of(state), bestiary)
    assert situation.withheld == ""
    assert situation.confidence < 0.6
    assert any("walk" in words for words in situation.assumed)


NO_WAY_OUT = {
    "AP that may be more": {"mp": Seen(0, 0.99), "ap": Seen(0, 0.6)},
    "MP that may be more": {"mp": Seen(0, 0.6), "ap": Seen(0, 0.99)},
    "spells that may be usable": {"mp": Seen(0, 0.99), "ap": Seen(6, 0.99), "grey": 0.6},
}


@pytest.mark.parametrize("changes", NO_WAY_OUT.values(), ids=NO_WAY_OUT)
def test_an_end_of_the_turn_forced_by_a_doubtful_reading_is_withheld(changes, bestiary):
    state = own_turn()
    grey = Seen(False, changes.get("grey", 0.99))
    bar = tuple(SpellSlot(i, grey, Seen(0, 1.0)) for i in range(len(book_of(state).spells)))
    read = {"spells": bar, "highlights": {}, "ap": changes["ap"], "mp": changes["mp"]}
    assert situation_of(state, bestiary, **read).withheld == NOT_FORCED
    sure = {name: Seen(seen.value, 0.99) for name, seen in read.items() if isinstance(seen, Seen)}
    bar = tuple(replace(slot, usable=Seen(False, 0.99)) for slot in bar)
    certain = situation_of(state, bestiary, **{**read, **sure, "spells": bar})
    assert legal_actions(certain.state) == (EndTurn(),)


def test_cells_that_looked_lit_in_the_turn_of_others_tell_no_mp(bestiary):
    state = own_turn()
    lit = frozenset(c for c in range(560) if distance(c, state.actor.cell) == 1 and state.map.cells[c] == 3)
    read = {"mp": Seen(), "highlights": {"reachable": lit}}
    told = situation_of(state, bestiary, **read)
    assert told.picture.actor.mp == 1
    theirs = situation_of(state, bestiary, turn=Seen("other", 0.9), **read)
    floor = situation_of(state, bestiary, theirs, **read)
    assert floor.state is None and "Your MP cannot be read" in floor.withheld


def test_a_fighter_shut_in_by_cells_that_may_be_misread_is_not_made_to_end_its_turn(bestiary):
    state = own_turn()
    cells = view_of(state, 0).cells.copy()
    cells[[c for c in range(560) if distance(c, state.actor.cell) == 1]] = CellKind.OUTSIDE
    read = {"cells": cells, "highlights": {}, "ap": Seen(0, 0.99), "mp": Seen(4, 0.99)}
    assert situation_of(state, bestiary, **read, cell_confidence=0.89).withheld == NOT_FORCED
    assert situation_of(state, bestiary, **read, cell_confidence=0.99).state is not None


@pytest.mark.slow
def test_green_cells_around_the_fighter_and_a_board_read_without_them_are_no_forced_end():
    pixels, label = screen.draw(4, "dofus-unity")
    tracker = StateTracker(PlayerProfile(client="dofus-unity", player_class="warden"))
    tracked = tracker.update(Frame.still(cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)))
    assert len(label["highlights"]["reachable"]) > 20
    assert tracked.state is None or len(legal_actions(tracked.state)) > 20


def test_grass_that_looks_lit_says_nothing_while_a_spells_range_is_painted(bestiary):
    state = own_turn(0)
    view, book = view_of(state, 0), book_of(state)
    far = [cell for cell in range(560) if distance(cell, state.actor.cell) > state.actor.mp + 4]
    walkable = [cell for cell in far if view.cells[cell] == CellKind.WALKABLE]
    reach, aimed = reach_from(view, walkable[0], state.actor.mp), frozenset(far[200:206])
    assert build(replace(view, highlights={"reachable": reach}), book, bestiary).withheld == UNFIT
    aiming = build(replace(view, highlights={"reachable": reach, "range": aimed}), book, bestiary)
    assert aiming.state is not None


def reach_from(view, start, steps):
    floor = bytes(int(kind == CellKind.WALKABLE) for kind in view.cells)
    return frozenset(steps_to(floor, start, steps)) - {start}


def test_cells_that_look_lit_but_are_no_reach_from_anywhere_contradict_nothing(bestiary):
    state = own_turn(0)
    view, book = view_of(state, 0), book_of(state)
    far = [cell for cell in range(560) if distance(cell, state.actor.cell) > state.actor.mp + 4]
    walkable = [cell for cell in far if view.cells[cell] == CellKind.WALKABLE]
    grass = frozenset(walkable[::3])
    assert build(replace(view, highlights={"reachable": grass}), book, bestiary).state is not None
    elsewhere = reach_from(view, walkable[0], state.actor.mp)
    assert build(replace(view, highlights={"reachable": elsewhere}), book, bestiary).withheld == UNFIT


@pytest.mark.parametrize("looks_like", [CellKind.UNKNOWN, CellKind.OUTSIDE])
def test_unread_cells_that_the_only_ways_to_lit_cells_lead_over_are_floor(bestiary, looks_like):
    """A block at the board's rim hides cells beside the player, so that they look like outside."""
    state = own_turn(0)
    view, book = view_of(state, 0), book_of(state)
    own, cells = state.actor.cell, view.cells.copy()
    beside = [cell for cell in neighbours(own) if cells[cell] == CellKind.WALKABLE]
    cells[beside] = looks_like
    lit = view.highlights["reachable"] - set(beside)
    hidden = replace(view, cells=cells, highlights={"reachable": lit})
    situation = build(hidden, book, bestiary)
    assert situation.state is not None
    assert any(situation.state.map.cells[cell] & 1 for cell in beside)
    unlit = build(replace(hidden, highlights={}), book, bestiary)
    assert not any(unlit.picture.map.cells[cell] & 1 for cell in beside)


def test_a_meadow_that_looks_lit_contradicts_no_reach_that_is_lit_whole(bestiary):
    state = next(
        state for state in map(own_turn, range(40)) if len(view_of(state, 0).highlights["reachable"]) > 12
    )
    view, book = view_of(state, 0), book_of(state)
    own, reach, cells = state.actor.cell, view.highlights["reachable"], view.cells.copy()
    edge = {near for cell in reach for near in neighbours(cell) if cells[cell] == CellKind.WALKABLE}
    beyond = [cell for cell in range(560) if distance(cell, own) in (6, 8, 10)]
    meadow = frozenset(beyond) | frozenset(cell for cell in edge if distance(cell, own) == state.actor.mp + 1)
    lit = replace(view, highlights={"reachable": reach | meadow})
    assert len(reach) < 0.6 * len(reach | meadow)
    assert build(lit, book, bestiary).state is not None
    more = reach_from(view, own, state.actor.mp + 3)
    assert build(replace(view, highlights={"reachable": more}), book, bestiary).withheld == UNFIT


def test_a_single_cell_of_grass_that_looks_lit_is_no_reach(bestiary):
    state = next(
        state
        for state in map(own_turn, range(40))
        if all(distance(enemy.cell, state.actor.cell) > 1 for enemy in view_of(state, 0).enemies)
    )
    view, book = view_of(state, 0), book_of(state)
    one = frozenset(sorted(view.highlights["reachable"])[:1])
    built = build(replace(view, highlights={"reachable": one}), book, bestiary)
    unlit = build(replace(view, highlights={}), book, bestiary)
    assert built.state is not None and built.state.map.cells == unlit.state.map.cells


def test_a_range_painted_over_far_more_cells_than_look_lit_tells_no_reach(bestiary):
    state = own_turn(0)
    view, book = view_of(state, 0), book_of(state)
    floor = [cell for cell in range(560) if view.cells[cell] == CellKind.WALKABLE]
    near = sorted(floor, key=lambda cell: distance(cell, state.actor.cell))[1:60]
    misread = frozenset(near[40:59:2])
    painted = {"reachable": misread, "range": frozenset(near) - misread}
    assert build(replace(view, highlights=painted), book, bestiary).state is not None
