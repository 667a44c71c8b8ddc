from dataclasses import replace
from itertools import product

import pytest
from advisor_cases import state_after
from hypothesis import given
from hypothesis import strategies as st

from botapp.advisor.outlook import look
from botapp.advisor.threat import best_damage, casts_left, full_damage, spell_damage
from botapp.fight.actions import Cast
from botapp.fight.casting import target_mask
from botapp.fight.paths import walks
from botapp.fight.rules import Outcome, expected, legal_actions

SEEDS = [(seed, actions) for seed in range(6) for actions in (0, 9, 40)]


@given(
    st.lists(st.tuples(st.integers(1, 5), st.floats(0, 90), st.integers(0, 3)), max_size=4),
    st.integers(0, 12),
)
def test_the_best_damage_is_that_of_the_best_choice_of_casts(items, ap):
    choices = product(*(range(limit + 1) for _, _, limit in items))
    brute = 0.0
    for counts in choices:
        if sum(n * cost for n, (cost, _, _) in zip(counts, items, strict=True)) <= ap:
            brute = max(brute, sum(n * damage for n, (_, damage, _) in zip(counts, items, strict=True)))
    assert best_damage(tuple(items), ap) == pytest.approx(brute)


def test_a_free_cast_costs_nothing():
    assert best_damage(((0, 5.0, 2), (3, 10.0, 1)), 3) == 20.0


@pytest.mark.parametrize(("seed", "actions"), SEEDS)
def test_a_cell_is_hit_from_exactly_where_a_spell_can_be_cast(seed, actions):
    state = state_after(seed, actions)
    outlook = look(state)
    actor = state.actor
    for row, cell in enumerate(outlook.cells):
        moved = replace(actor, cell=int(cell), ap=int(outlook.ap[row]), mp=int(outlook.mp[row]))
        there = replace(state, fighters=tuple(moved if f.id == actor.id else f for f in state.fighters))
        for column, enemy in enumerate(outlook.enemies):
            can = any(
                target_mask(there, moved, spell) >> enemy.cell & 1 and spell_damage(spell, moved, enemy) > 0
                for spell in actor.spells
            )
            assert (outlook.hits[row, column] > 0) == can


@pytest.mark.parametrize(("seed", "actions"), SEEDS)
def test_danger_is_where_an_enemy_can_walk_and_cast(seed, actions):
    state = state_after(seed, actions)
    outlook = look(state)
    actor = state.actor
    for index, enemy in enumerate(outlook.enemies):
        turn = state.order.index(enemy.id)
        theirs = replace(state, current=turn)
        hit = False
        for cell in (enemy.cell, *walks(state, enemy)):
            moved = replace(enemy, cell=cell, casts=())
            there = replace(theirs, fighters=tuple(moved if f.id == enemy.id else f for f in state.fighters))
            hit = hit or any(
                target_mask(there, moved, spell) >> actor.cell & 1 and spell_damage(spell, moved, actor) > 0
                for spell in enemy.spells
            )
        assert (outlook.danger[index, 0] > 0) == hit


def test_no_hit_is_worth_more_than_a_whole_turn_of_casts():
    for seed, actions in SEEDS:
        outlook = look(state_after(seed, actions))
        assert (outlook.hits <= outlook.strike[None, :] + 1e-9).all()
        assert (outlook.danger <= outlook.worst[:, None] + 1e-9).all()


def test_the_damage_of_a_spell_is_what_the_rules_expect():
    for seed, actions in SEEDS:
        state = state_after(seed, actions)
        for action in legal_actions(state):
            if not isinstance(action, Cast):
                continue
            target = next((f for f in state.fighters if f.hp > 0 and f.cell == action.target), None)
            spell = next(s for s in state.actor.spells if s.key == action.spell)
            if target is not None and target.team != state.actor.team:
                told = expected(state, action).get(target.id, Outcome()).damage
                assert spell_damage(spell, state.actor, target) == pytest.approx(told)


def test_limits_and_cooldowns_bound_the_casts_left():
    state = state_after(1, 0)
    actor = state.actor
    target = next(f for f in state.fighters if f.team != actor.team)
    spell = replace(actor.spells[0], casts_per_turn=3, casts_per_target=2, cooldown=0)
    caster = replace(actor, spells=(spell,), cooldowns=(), casts=((spell.key, target.id), (spell.key, -1)))
    assert casts_left(caster, spell, target) == 1
    assert casts_left(replace(caster, casts=()), spell, target) == 2
    assert casts_left(replace(caster, casts=()), replace(spell, cooldown=2), target) == 1
    assert casts_left(replace(caster, cooldowns=((spell.key, 1),)), spell, target) == 0


def test_hope_needs_no_walk_where_an_enemy_can_be_hit_already():
    for seed, actions in SEEDS:
        state = state_after(seed, actions)
        outlook = look(replace(state, fighters=tuple(replace(f, cooldowns=()) for f in state.fighters)))
        hope, way = outlook.prospect.hope(outlook.cells)
        assert (hope >= 0).all()
        assert (hope[way == 0] > 0).all()
        most = max(
            full_damage(replace(outlook.actor, casts=()), e, outlook.actor.base_ap) for e in outlook.enemies
        )
        assert hope.max() <= most + 1e-9
