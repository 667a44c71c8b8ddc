"""What the rules promise whatever is in a fight: bounds, purity, same dice same end, no way around."""

import copy
import pickle
import random

import pytest
from arrays import walks
from hypothesis import example, given, settings
from hypothesis import strategies as st
from plain_sight import sees
from wild import KINDS, wild_fight, wild_state

from botapp.fight.actions import Cast, EndTurn, Move, Place, Ready
from botapp.fight.board import distance, in_line, neighbours, on_diagonal
from botapp.fight.marks import observation
from botapp.fight.ranges import reachable
from botapp.fight.refusals import hindrances
from botapp.fight.rules import IllegalAction, apply, apply_expected, expected, legal_actions, winner
from botapp.fight.sheet import max_range
from botapp.fight.spells import State
from botapp.fight.state import CellFlag, MarkKind

few = settings(max_examples=20, deadline=None)
seeds = st.integers(0, 100_000)
lengths = st.integers(0, 100)


def assert_sound(state):
    ids = [one.id for one in state.fighters]
    assert sorted(ids) == sorted(state.order)
    assert len(set(ids)) == len(ids)
    living = [one for one in state.fighters if one.alive]
    for one in state.fighters:
        assert 0 <= one.hp <= one.max_hp
        assert 0 <= one.ap <= max(12, one.base_ap)
        assert 0 <= one.mp <= max(6, one.base_mp)
        assert min(one.shield, one.eroded) >= 0
        limits = {s.key: max(s.cooldown, s.initial_cooldown) for s in one.spells}
        assert all(0 < turns <= limits[key] for key, turns in one.cooldowns)
        assert len({key for key, _ in one.cooldowns}) == len(one.cooldowns)
    for one in living:
        assert all(0 <= buff.turns <= 3 and state.fighter(buff.caster).alive for buff in one.buffs)
        if one.summoner is not None:
            assert state.fighter(one.summoner).alive
            assert one.team == state.fighter(one.summoner).team
    cells = [one.cell for one in living]
    assert len(cells) == len(set(cells))
    assert all(state.map.cells[cell] & 1 for cell in cells)
    for mark in state.marks:
        assert state.fighter(mark.owner).alive
        assert 0 <= mark.turns <= 3
        assert all(state.map.cells[cell] & 1 for cell in mark.cells)
    assert winner(state) is not None or state.actor.alive


def assert_order_keeps_summons_behind_their_summoners(state):
    by_id = {one.id: one for one in state.fighters}
    for before, after in zip(state.order, state.order[1:], strict=False):
        summoner = by_id[after].summoner
        if summoner is not None:
            family = {summoner, *(i for i in by_id if by_id[i].summoner == summoner)}
            nested = {i for i in by_id if by_id[i].summoner in family}
            assert before in family | nested


@pytest.mark.slow
@few
@given(seeds, lengths)
def test_nothing_ever_leaves_its_bounds(seed, actions):
    state = wild_state(seed, actions)
    assert_sound(state)
    assert_order_keeps_summons_behind_their_summoners(state)


@pytest.mark.slow
@few
@given(seeds, lengths)
def test_stats_are_the_first_ones_and_the_buffs(seed, actions):
    start, state = wild_fight(seed), wild_state(seed, actions)
    for one in start.fighters:
        now = state.fighter(one.id)
        if now.alive:
            for stat in ("power", "range", "lock", "summons"):
                added = sum(buff.amount for buff in now.buffs if buff.stat == stat)
                assert getattr(now.stats, stat) == getattr(one.stats, stat) + added


@pytest.mark.slow
@few
@given(seeds, lengths)
def test_every_legal_action_applies_is_foreseen_and_leaves_its_input_alone(seed, actions):
    state = wild_state(seed, actions)
    before = copy.deepcopy(state)
    dice = random.Random(seed)
    legal = legal_actions(state)
    for action in dice.sample(legal, min(40, len(legal))):
        assert_sound(apply(state, action, random.Random(1)))
        assert_sound(apply_expected(state, action))
        for outcome in expected(state, action).values():
            assert min(outcome.damage, outcome.heal, outcome.shield, outcome.ap, outcome.mp) >= 0
            assert min(outcome.ap_gain, outcome.mp_gain, outcome.moved) >= 0
    assert state == before


def refused(state, action):
    with pytest.raises(IllegalAction) as caught:
        apply(state, action, random.Random(0))
    assert caught.value.condition
    assert str(caught.value)


@pytest.mark.slow
@few
@given(seeds, lengths, st.data())
def test_what_is_not_legal_is_refused_and_says_why(seed, actions, data):
    state = wild_state(seed, actions)
    legal = set(legal_actions(state))
    keys = sorted({s.key for f in state.fighters for s in f.spells})
    for _ in range(20):
        cast = Cast(data.draw(st.sampled_from(keys)), data.draw(st.integers(0, 559)))
        if cast not in legal:
            refused(state, cast)
    refused(state, Place(0))
    refused(state, Ready())
    refused(state, "dance")
    refused(state, Cast(keys[0], 9999))


@pytest.mark.inner
@few
@given(seeds, lengths, st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_a_walk_is_allowed_where_its_mp_suffice_and_nowhere_else(seed, actions, turns):
    state = wild_state(seed, actions)
    if winner(state) is not None:
        return
    actor = state.actor
    path, cell = [], actor.cell
    for turn in turns:
        around = neighbours(cell)
        cell = around[turn % len(around)]
        path.append(cell)
    best = walks(state)
    try:
        after = apply(state, Move(tuple(path)), random.Random(0))
    except IllegalAction as error:
        assert error.condition in ("path", "walkable", "free-cell", "mp")
        return
    assert all(state.map.cells[cell] & 1 for cell in path)
    known = [m for m in state.marks if m.kind is MarkKind.TRAP]
    if not known:
        assert after.fighter(actor.id).cell == path[-1]
        assert path[-1] in best
        assert (best[path[-1]].mp, best[path[-1]].ap) >= (after.actor.mp, after.actor.ap)


SLIPPERY = (State.ROOTED, State.UNLOCKABLE, State.INVISIBLE)


def grips(state, fighter):
    """The share of MP and AP that a fighter keeps when it leaves a cell, by cell, where an enemy holds it."""
    kept = {}
    for enemy in state.fighters:
        if enemy.team == fighter.team or not enemy.alive or enemy.has(State.INVISIBLE):
            continue
        share = (max(0, fighter.stats.flee) + 2) / (2 * (max(0, enemy.stats.lock) + 2))
        for cell in neighbours(enemy.cell):
            kept[cell] = kept.get(cell, 1.0) * min(1.0, share)
    return {} if any(map(fighter.has, SLIPPERY)) else {cell: kept[cell] for cell in kept if kept[cell] < 1}


def after_grip(points, kept):
    return points - int(points * (1 - kept) + 0.5)


def plain_ways(state):
    """MP and AP left on each cell in reach, by looking at every step there is until nothing gets better."""
    actor, held = state.actor, grips(state, state.actor)
    taken = {f.cell for f in state.fighters if f.alive}
    traps = [mark for mark in state.marks if mark.kind is MarkKind.TRAP]
    ends = {cell for trap in traps if state.fighter(trap.owner).team == actor.team for cell in trap.cells}
    best = {actor.cell: (actor.mp, actor.ap)}
    waiting = [actor.cell]
    while waiting:
        cell = waiting.pop()
        if cell in ends and cell != actor.cell:
            continue
        mp, ap = best[cell]
        if cell in held:
            mp, ap = after_grip(mp, held[cell]), after_grip(ap, held[cell])
        for near in neighbours(cell):
            open_cell = near not in taken and state.map.cells[near] & CellFlag.WALKABLE
            if mp > 0 and open_cell and (near not in best or (mp - 1, ap) > best[near]):
                best[near] = (mp - 1, ap)
                waiting.append(near)
    del best[actor.cell]
    return best


@pytest.mark.inner
@few
@given(seeds, lengths)
def test_reach_is_what_a_plain_search_finds(seed, actions):
    state = wild_state(seed, actions)
    found = walks(state)
    assert {cell: (walk.mp, walk.ap) for cell, walk in found.items()} == plain_ways(state)
    assert set(reachable(state, state.actor)) == set(found)


def aims_at(state, spell, cell):
    """Whether each condition on the cell alone lets the actor aim there; costs and states left out."""
    actor = state.actor
    living = [f for f in state.fighters if f.alive]
    there = next((f for f in living if f.cell == cell), None)
    shown = there and (there.team == actor.team or not there.has(State.INVISIBLE))
    blocking = [f.cell for f in living if not f.has(State.INVISIBLE)]
    way_ok = not (spell.in_line or spell.on_diagonal) or (
        (spell.in_line and in_line(actor.cell, cell)) or (spell.on_diagonal and on_diagonal(actor.cell, cell))
    )
    used_up = there and actor.casts.count((spell.key, there.id)) >= (spell.casts_per_target or 99)
    return (
        bool(state.map.cells[cell] & CellFlag.WALKABLE)
        and spell.min_range <= distance(actor.cell, cell) <= max_range(actor, spell)
        and way_ok
        and (not spell.needs_sight or sees(state.map.cells, blocking, actor.cell, cell))
        and (not spell.needs_taken_cell or bool(shown))
        and (not spell.needs_free_cell or there is None)
        and not used_up
    )


@pytest.mark.slow
@few
@given(seeds, lengths, st.integers(0, 12))
def test_casts_are_what_each_condition_alone_allows(seed, actions, offset):
    state = wild_state(seed, actions)
    legal = set(legal_actions(state))
    if not legal:
        return
    for spell in state.actor.spells:
        ready = hindrances(state, state.actor)[spell.key] == ""
        for cell in range(offset, 560, 13):
            assert (Cast(spell.key, cell) in legal) == (ready and aims_at(state, spell, cell))


@pytest.mark.slow
@few
@given(seeds, lengths)
@example(7, 40)
def test_a_state_survives_pickle(seed, actions):
    state = wild_state(seed, actions)
    assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.slow
@few
@given(seeds, lengths)
def test_a_team_never_sees_the_others_traps(seed, actions):
    state = wild_state(seed, actions)
    for team in (0, 1):
        seen = observation(state, team)
        assert all(m.kind is MarkKind.GLYPH or state.fighter(m.owner).team == team for m in seen.marks)
        assert {m for m in state.marks if m.kind is MarkKind.GLYPH} <= set(seen.marks)


@pytest.mark.slow
def test_wild_fights_hold_everything_there_is():
    states = [wild_state(seed, 40) for seed in range(40)]
    fighters = [one for state in states for one in state.fighters]
    assert {e.kind for f in fighters for s in f.spells for e in s.effects} == set(KINDS)
    assert {b.state for f in fighters for b in f.buffs} >= set(State)
    assert {m.kind for state in states for m in state.marks} == set(MarkKind)
    assert any(f.summoner is not None for f in fighters)
    assert any(f.eroded for f in fighters)
    assert any(winner(wild_state(seed, 400)) is not None for seed in range(12))
    assert all(legal_actions(s)[-1] == EndTurn() for s in states if winner(s) is None)
