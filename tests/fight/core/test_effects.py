"""What the newer kinds of effects do, each by a small example: moves, states, shares, payloads, chance."""

import json

import pytest
from casts import HERE, at, cast, duel, end, give, hit, lost
from fights import fighter
from hypothesis import given, settings
from hypothesis import strategies as st
from random_fights import RandomFight
from wild_effects import wild_duel

from botapp.content.errors import FieldError
from botapp.content.state_json import state_from_json, state_to_json
from botapp.fight.core.pack import pack, unpack
from botapp.fight.spells import Affects, Basis, Buff, Effect, EffectKind, Shape, State, Stats

ROOTS = {"buffs": (Buff(0, 3, state=State.ROOTED),)}


def cells(state):
    return [f.cell for f in state.fighters]


def test_areas_may_lose_less_or_nothing_with_distance():
    ring = {"shape": Shape.CIRCLE, "radius": 3}
    for fields, expected in (
        ({}, 80), ({"fall_off": 25}, 50), ({"fall_off": 0}, 100), ({"fall_off": 25, "fall_steps": 1}, 75),
    ):  # fmt: skip
        state = duel(hit(100, **ring, **fields), far=3, target={"hp": 200, "max_hp": 200})
        assert lost(cast(state, at(1, 0))) == expected


def test_effects_happen_in_their_order():
    shove = Effect(EffectKind.PUSH, 2, 2, order=2)
    swap = Effect(EffectKind.SWAP, order=1)
    assert cells(cast(duel(shove, swap), at(1, 0))) == [at(1, 0), at(-2, 0)]
    assert cells(cast(duel(shove, Effect(EffectKind.SWAP, order=3)), at(1, 0))) == [at(3, 0), HERE]


def test_swap_leaves_the_rooted_where_they_are():
    swap = Effect(EffectKind.SWAP)
    assert cells(cast(duel(swap, far=4), at(4, 0))) == [at(4, 0), HERE]
    assert cells(cast(duel(swap, far=4, target=ROOTS), at(4, 0))) == [HERE, at(4, 0)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (EffectKind.RETREAT, [at(-2, 0), at(4, 0)]),
        (EffectKind.ADVANCE, [at(2, 0), at(4, 0)]),
        (EffectKind.PUSH, [HERE, at(6, 0)]),
        (EffectKind.SHOVE, [HERE, at(6, 0)]),
        (EffectKind.PULL, [HERE, at(2, 0)]),
    ],
)
def test_steps_of_two_cells(kind, expected):
    assert cells(cast(duel(Effect(kind, 2, 2), far=4), at(4, 0))) == expected


def test_a_shove_hurts_nobody():
    wall = fighter(2, 1, at(2, 0))
    assert lost(cast(duel(Effect(EffectKind.PUSH, 3, 3), others=(wall,)), at(1, 0))) > 0
    assert lost(cast(duel(Effect(EffectKind.SHOVE, 3, 3), others=(wall,)), at(1, 0))) == 0


def test_mirrors():
    around = Effect(EffectKind.MIRROR_AROUND, shape=Shape.CIRCLE, radius=2, affects=Affects.ENEMIES)
    state = duel(Effect(EffectKind.MIRROR_CASTER), far=3)
    assert cells(cast(state, at(3, 0))) == [at(6, 0), at(3, 0)]
    assert cells(cast(duel(Effect(EffectKind.MIRROR_TARGET), far=3), at(3, 0))) == [HERE, at(-3, 0)]
    assert cells(cast(duel(around, far=3), at(2, 0))) == [HERE, at(1, 0)]
    beyond = fighter(2, 1, at(6, 0))
    state = duel(Effect(EffectKind.MIRROR_CASTER), far=3, others=(beyond,))
    assert cells(cast(state, at(3, 0))) == [at(6, 0), at(3, 0), HERE]
    assert cells(cast(duel(Effect(EffectKind.MIRROR_TARGET), target=ROOTS), at(1, 0))) == [HERE, at(1, 0)]


def test_kill():
    assert cast(duel(Effect(EffectKind.KILL)), at(1, 0)).fighters[1].hp == 0
    safe = {"buffs": (Buff(0, 2, state=State.INVULNERABLE),)}
    assert cast(duel(Effect(EffectKind.KILL), target=safe), at(1, 0)).fighters[1].hp == 100


def test_points_given_stop_at_the_most():
    state = cast(duel(Effect(EffectKind.GIVE_AP, 9, 9, affects=Affects.CASTER), ap=3), at(1, 0))
    assert state.fighters[0].ap == 12
    state = cast(duel(Effect(EffectKind.GIVE_MP, 1, 1, affects=Affects.CASTER)), at(1, 0))
    assert state.fighters[0].mp == 4


def test_a_state_ends_and_others_stay():
    both = {"buffs": (Buff(0, 3, state="#drunk"), Buff(1, 3, state=State.ROOTED))}
    state = cast(duel(Effect(EffectKind.END_STATE, state="#drunk"), target=both), at(1, 0))
    assert state.fighters[1].states == {State.ROOTED}


def test_dispelling_ends_or_shortens_what_can_be_dispelled():
    strong = Effect(EffectKind.BUFF, 50, 50, stat="power", turns=3, dispellable=False)
    weak = Effect(EffectKind.BUFF, 7, 7, stat="power", turns=3)
    ended = cast(duel(strong, weak, Effect(EffectKind.DISPEL, affects=Affects.ALL)), HERE)
    assert [b.amount for b in ended.fighters[0].buffs] == [50]
    shortened = cast(duel(weak, Effect(EffectKind.DISPEL, 2, 2, affects=Affects.ALL)), HERE)
    assert [b.turns for b in shortened.fighters[0].buffs] == [1]
    gone = cast(duel(weak, Effect(EffectKind.DISPEL, 3, 3, affects=Affects.ALL)), HERE)
    assert gone.fighters[0].buffs == () and gone.fighters[0].stats.power == 0


def test_tagged_effects_end_together():
    raged = Effect(EffectKind.BUFF, 20, 20, stat="power", tag="rage", affects=Affects.ALL)
    given = raged, give("#rage", tag="rage"), give("#calm")
    held = cast(duel(*given), at(1, 0)).fighters[1]
    assert held.states == {"#calm", "#rage"} and held.stats.power == 20
    held = cast(duel(*given, Effect(EffectKind.END_TAGGED, tag="rage", order=1)), at(1, 0)).fighters[1]
    assert held.states == {"#calm"} and held.stats.power == 0


@pytest.mark.parametrize(
    ("basis", "expected"),
    [
        (Basis.LEVEL, 5), (Basis.CASTER_HP, 30), (Basis.CASTER_MAX_HP, 45), (Basis.CASTER_MISSING_HP, 15),
        (Basis.CASTER_ERODED_HP, 4), (Basis.TARGET_HP, 40), (Basis.TARGET_MAX_HP, 50),
        (Basis.TARGET_ERODED_HP, 6), (Basis.DAMAGE_TAKEN, 0),
    ],
)  # fmt: skip
def test_shares_are_not_raised_by_stats(basis, expected):
    caster = {"hp": 60, "max_hp": 90, "eroded": 8, "stats": Stats(strength=300, damage=40)}
    target = {"hp": 80, "max_hp": 100, "eroded": 12}
    state = duel(hit(50, percent_of=basis), caster=caster, target=target)
    assert state.fighters[1].hp - cast(state, at(1, 0)).fighters[1].hp == expected
    resists = target | {"stats": Stats(resistance=(50, 0, 0, 0, 0))}
    half = duel(hit(50, percent_of=basis), caster=caster, target=resists)
    assert half.fighters[1].hp - cast(half, at(1, 0)).fighters[1].hp == expected // 2


def test_heals_and_shields_by_share():
    heal = Effect(EffectKind.HEAL, 10, 10, percent_of=Basis.TARGET_MAX_HP, affects=Affects.ALL)
    shield = Effect(EffectKind.SHIELD, 150, 150, percent_of=Basis.LEVEL, affects=Affects.ALL)
    healed = cast(duel(heal, shield, caster={"stats": Stats(heals=50)}, target={"hp": 20}), at(1, 0))
    assert (healed.fighters[1].hp, healed.fighters[1].shield) == (30, 15)


def test_one_of_a_spells_groups_happens_with_all_its_effects():
    heads = [hit(10, group=1, chance=30), give("#heads", group=1, chance=30)]
    tails = [hit(40, group=2, chance=40)]
    state = duel(*heads, *tails)
    assert lost(cast(state, at(1, 0))) == 10
    for die, hp, held in ((0.0, 10, True), (0.59, 10, True), (0.61, 40, False), (0.99, 40, False)):
        after_it = cast(state, at(1, 0), dice=[die])
        assert (lost(after_it), after_it.fighters[1].has("#heads")) == (hp, held)


def test_an_effect_may_have_a_chance_of_its_own():
    state = duel(hit(10, chance=30))
    assert lost(cast(state, at(1, 0))) == 0
    assert [lost(cast(state, at(1, 0), dice=[die])) for die in (0.29, 0.31)] == [10, 0]


def test_a_cast_does_its_payload_to_the_target_and_around_it():
    splash = hit(20, shape=Shape.CIRCLE, radius=1, affects=Affects.ENEMIES, fall_off=50)
    more = Effect(EffectKind.CAST, payload=(hit(5), splash, give("#wet", affects=Affects.CASTER)))
    near, friend = fighter(2, 1, at(2, 0)), fighter(3, 0, at(1, 1))
    state = cast(duel(more, others=(near, friend)), at(1, 0))
    assert [lost(state, number) for number in range(4)] == [0, 25, 10, 0]
    assert state.fighters[0].states == {"#wet"}


def test_a_target_casts_for_itself():
    blast = Effect(EffectKind.CAST_BY, payload=(hit(20, shape=Shape.CIRCLE, radius=1, inner=1, fall_off=0),))
    state = cast(duel(blast, others=(fighter(2, 1, at(2, 0)),), target={"stats": Stats(power=100)}), at(1, 0))
    assert [lost(state, number) for number in range(3)] == [40, 0, 40]


def test_a_cast_on_a_cell_needs_nobody_there():
    ring = hit(20, shape=Shape.RING, radius=1, fall_off=0, affects=Affects.ENEMIES)
    jump = Effect(EffectKind.TELEPORT)
    state = cast(duel(Effect(EffectKind.CAST_ON_CELL, payload=(ring, jump)), far=4), at(3, 0))
    assert (lost(state), state.fighters[0].cell) == (20, at(3, 0))


def test_a_payload_has_random_groups_too():
    either = Effect(EffectKind.CAST, payload=(hit(1, group=1, chance=1), hit(9, group=2, chance=3)))
    assert [lost(cast(duel(either), at(1, 0), dice=[die])) for die in (0.2, 0.3)] == [1, 9]
    assert lost(cast(duel(either), at(1, 0))) == 9


def test_delayed_effects_come_at_their_casters_turn():
    state = cast(duel(hit(10, delay=1), give("#late", delay=1, turns=1)), at(1, 0))
    target = state.fighters[1]
    assert lost(state) == 0 and target.states == frozenset() and [b.delay for b in target.buffs] == [1, 1]
    state = end(state)
    assert lost(state) == 0
    state = end(state)
    assert lost(state) == 10 and state.fighters[1].states == {"#late"}
    state = end(end(state))
    assert lost(state) == 10 and state.fighters[1].buffs == ()


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(0, 100_000), st.integers(0, 25))
def test_a_fight_of_any_effects_keeps_its_bounds_and_survives_json(seed, actions):
    random_fight = RandomFight(wild_duel(seed), seed)
    random_fight.play(actions)
    state = random_fight.state
    standing = [f.cell for f in state.fighters if f.hp > 0]
    assert len(standing) == len(set(standing))
    for one in state.fighters:
        assert 0 <= one.hp <= one.max_hp and one.ap >= 0 and one.mp >= 0 and one.shield >= 0
    packed = pack(state)
    assert unpack(packed, packed.s) == state
    again = state_from_json(json.loads(json.dumps(state_to_json(state))))
    assert again == state
    packed = pack(again)
    assert unpack(packed, packed.s) == state
    assert end(again) == end(state)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"state": "drunk", "kind": "state"}, 'state: expected one of .* or a name that begins with "#"'),
        ({"kind": "end_tagged"}, "tag: missing"),
        ({"group": 1}, "chance: missing"),
        ({"trigger": ["state_lost"]}, "trigger_state: missing"),
        ({"shape": "listed"}, "cells: expected cells"),
        ({"kind": "cast"}, "payload: expected at least one effect"),
        ({"conditions": [[{"asks": "state"}]]}, r"conditions\[0\]\[0\].state: missing"),
        ({"conditions": [[{"asks": "kind"}]]}, r"conditions\[0\]\[0\].kind: missing"),
        ({"cells": [[1]], "shape": "listed"}, r"cells\[0\]: expected two numbers"),
    ],
)
def test_an_effect_that_is_not_whole_is_named(changes, told):
    data = state_to_json(duel(hit()))
    data["fighters"][0]["spells"][0]["effects"][0].update(changes)
    with pytest.raises(FieldError, match=rf"effects\[0\].{told}"):
        state_from_json(data)
