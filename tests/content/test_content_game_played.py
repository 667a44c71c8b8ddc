"""What a translated spell of the game does when it is cast."""

import madeup_game as made
import pytest
from fights import fight, fighter
from game_spells import HERE, THERE, Game, dice, only, played

from botapp.content.game.spells import NOT, WHOLLY
from botapp.fight.actions import Cast, EndTurn
from botapp.fight.rules import IllegalAction, apply, legal_actions
from botapp.fight.sheet import as_changed
from botapp.fight.spells import (
    Basis,
    Buff,
    EffectKind,
    Shape,
    State,
    Stats,
)


def test_damage_goes_by_the_sheet_as_in_the_game(game):
    after = played(game.make(made.effect(97, 20, 20)), {"stats": Stats(strength=100, damage=5)})
    assert after.fighter(1).hp == 500 - (20 * 2 + 5)


def test_a_poison_strikes_at_the_beginning_of_its_bearers_turns_as_long_as_it_listens(game):
    state = played(
        game.make(made.effect(96, 30, 30, triggers="TB", effectTriggerDuration=2, criticalEffect=()))
    )
    assert state.fighter(1).hp == 500
    seen = []
    for _ in range(4):
        state = apply(apply(state, EndTurn(), dice), EndTurn(), dice)
        seen.append(500 - state.fighter(1).hp)
    assert seen == [30, 60, 60, 60]


def test_attackers_of_the_marked_are_healed(game):
    found = game.make(made.effect(786, 0, 0, 50, triggers="D", effectTriggerDuration=2))
    state = played(found, {"hp": 50})
    state = apply(state, Cast("hit", THERE), dice)
    assert state.fighter(1).hp == 490
    assert state.fighter(0).hp == 55


@pytest.mark.parametrize(
    ("number", "amount", "hp"),
    [(1017, 2, 93), (1019, 2, 93), (1223, 50, 95)],
    ids=["the bearer casts", "who hurt it casts", "half is thrown back"],
)
def test_who_hurts_the_bearer_is_hurt(game, number, amount, hp):
    game.add(2, [made.effect(97, 7, 7)])
    found = game.make(made.effect(number, amount, 1, triggers="D", effectTriggerDuration=3))
    state = apply(played(found), Cast("hit", THERE), dice)
    assert (state.fighter(1).hp, state.fighter(0).hp) == (490, hp)
    assert number != 1223 or game.make(made.effect(1223, 30)).verdict == NOT


def test_a_replacing_summon_kills_and_stands_in_the_place(game):
    state = played(game.make(made.effect(405, 9, 1)))
    assert state.fighter(1).hp == 0
    assert [f.cell for f in state.fighters if f.name == "Mouse"] == [THERE]


def test_a_trap_casts_its_spell_on_who_steps_in(game):
    game.add(2, [made.effect(97, 40, 40, zone="C1")])
    found = game.make(made.effect(400, 2, 1), needFreeCell=True)
    trap = only(found)
    assert (trap.kind, trap.turns, trap.payload[0].shape) == (EffectKind.TRAP, 0, Shape.CIRCLE)


def test_the_effects_of_a_spell_end_when_another_one_says_so(game):
    game.add(2, [made.effect(406, 0, 0, 1)])
    found = game.make(
        made.effect(116, 2, duration=5), made.effect(1160, 2, 1, triggers="D", effectTriggerDuration=5)
    )
    state = played(found)
    assert state.fighter(1).stats.range == -2
    state = apply(state, Cast("hit", THERE), dice)
    assert state.fighter(1).stats.range == 0


def test_more_life_is_a_shield_of_its_size(game):
    state = played(game.make(made.effect(1078, 20, duration=3)))
    assert state.fighter(1).shield == 100
    assert only(game.make(made.effect(125, 40, duration=3))).percent_of is Basis.POINTS


def test_a_state_that_is_switched_off_ends(game):
    found = game.make(made.effect(950, 0, 0, 97, duration=5), made.effect(952, 0, 0, 97, duration=1))
    assert [(effect.kind, effect.state) for effect in found.spell.effects] == [
        (EffectKind.STATE, State.ROOTED), (EffectKind.END_STATE, State.ROOTED),
    ]  # fmt: skip


@pytest.mark.parametrize("number", [401, 402, 1091, 1165])
def test_glyphs_and_auras_strike_who_begins_a_turn_in_them(game, number):
    game.add(2, [made.effect(97, 20, 20, targetMask="A")])
    found = game.make(made.effect(number, 2, 1, duration=2, zone="C1"))
    glyph = only(found)
    assert (glyph.kind, glyph.radius, glyph.turns) == (EffectKind.GLYPH, 1, 2)
    assert apply(played(found), EndTurn(), dice).fighter(1).hp == 480


def test_a_rune_does_nothing_until_it_is_set_off_and_that_is_named(game):
    found = game.make(made.effect(97, 5, 5), made.effect(2022, 2, 1, duration=2))
    assert found.verdict == WHOLLY
    assert [effect.kind for effect in found.spell.effects] == [EffectKind.DAMAGE]
    assert game.make(made.effect(97, 5, 5), made.effect(2023)).left_out == ("runes",)


def test_a_spell_that_costs_less_is_cast_for_less(game):
    found = game.make(
        made.effect(97, 5, 5), made.effect(285, 1, 0, 1, targetMask="C", duration=3), apCost=3,
        maxCastPerTurn=0,
    )  # fmt: skip
    assert found.verdict == WHOLLY
    state = played(found, {"ap": 9, "base_ap": 9})
    assert state.fighter(0).ap == 6
    assert apply(state, Cast("game-1-1", THERE), dice).fighter(0).ap == 4
    poor = state.changed(fighters=(state.fighter(0).changed(ap=2), state.fighter(1)))
    assert Cast("game-1-1", THERE) in legal_actions(poor)
    strange = Game().make(made.effect(97, 5), made.effect(285, 77, 0, 1, targetMask="C"))
    assert [effect.kind for effect in strange.spell.effects] == [EffectKind.DAMAGE]


def test_a_spell_that_costs_more_needs_as_much(game):
    found = game.make(
        made.effect(97, 5, 5), made.effect(296, 1, 0, 1, targetMask="C", duration=3), apCost=3,
        maxCastPerTurn=0,
    )  # fmt: skip
    state = played(found, {"ap": 9, "base_ap": 9})
    assert apply(state, Cast("game-1-1", THERE), dice).fighter(0).ap == 2
    poor = state.changed(fighters=(state.fighter(0).changed(ap=3), state.fighter(1)))
    assert Cast("game-1-1", THERE) not in legal_actions(poor)


@pytest.mark.parametrize(
    ("number", "amount", "before", "now"),
    [
        (280, 2, {"minRange": 1, "range": 5}, {"min_range": 3}),
        (295, 1, {"minRange": 2, "range": 5}, {"min_range": 1}),
        (281, 3, {"minRange": 1, "range": 5}, {"max_range": 8}),
        (2905, 0, {"minRange": 0, "range": 5}, {"max_range": 0}),
        (2906, 4, {"minRange": 1, "range": 5}, {"min_range": 4}),
        (287, 15, {"criticalHitProbability": 10}, {"crit": 25}),
        (287, 15, {"criticalHitProbability": 0}, {"crit": 0}),
        (289, 1, {"castTestLos": True}, {"needs_sight": False}),
        (290, 1, {"maxCastPerTurn": 2}, {"casts_per_turn": 3}),
        (291, 1, {"maxCastPerTarget": 1}, {"casts_per_target": 2}),
        (297, 1, {"needTakenCell": True}, {"needs_taken_cell": False}),
        (299, 1, {"needFreeCell": False}, {"needs_free_cell": True}),
        (314, 1, {"needTakenCell": False}, {"needs_taken_cell": True}),
    ],
)
def test_a_spell_is_another_one_while_its_caster_is_in_the_state(number, amount, before, now):
    of_all = (0, 1) if number in (280, 289) else (1,)
    for spell_number in of_all:
        line = made.effect(number, spell_number, 0, amount, targetMask="C", duration=2)
        found = Game().make(made.effect(97, 5, 5), line, **before)
        assert found.verdict == WHOLLY
        (given,) = (effect for effect in found.spell.effects if effect.kind is EffectKind.STATE)
        caster = fighter(0, 0, HERE, [found.spell], buffs=(Buff(0, 2, state=given.state),))
        changed = as_changed(caster, found.spell)
        assert {name: getattr(changed, name) for name in now} == now
        assert as_changed(fighter(0, 0, HERE, [found.spell]), found.spell) == found.spell


def test_a_spell_that_too_many_others_change_is_judged_in_part():
    lines = [made.effect(number, 1, 0, 1, targetMask="C", duration=2) for number in (280, 281, 285, 287, 290)]
    assert Game().make(made.effect(97, 5, 5), *lines).verdict == WHOLLY
    more = made.effect(289, 1, 0, 1, targetMask="C", duration=2)
    found = Game().make(made.effect(97, 5, 5), *lines, more)
    assert found.left_out == ("changes of spells' costs, ranges or dice",)
    assert len(found.spell.changes) == 5


def test_heals_received_damage_reduction_and_luck_are_stats(game):
    less = only(game.make(made.effect(1159, 70, targetMask="A", triggers="H", effectTriggerDuration=2)))
    assert (less.stat, less.low, less.turns, less.trigger) == ("heals_received", -30, 2, ())
    assert only(game.make(made.effect(2972, 50, duration=1))).low == -50
    assert only(game.make(made.effect(781, 0, 0, 1, targetMask="A"))).low == -1
    armor = made.effect(265, 0, 0, 12, targetMask="C", triggers="D", effectTriggerDuration=2)
    state = played(game.make(armor), {"level": 200})
    assert state.fighter(0).stats.armor == 132


def test_a_heal_of_the_damage_that_sets_it_off(game):
    found = game.make(
        made.effect(2973, 25, targetMask="A", triggers="D", effectTriggerDuration=2), made.effect(97, 40, 40)
    )
    assert played(found).fighter(1).hp == 500 - 40 + 10


def test_who_was_just_called_is_reached_where_it_stands(game):
    called = made.effect(950, 0, 0, 700, targetMask="a,U", zone="C2", duration=2)
    found = game.make(made.effect(181, 9, 1), called)
    start = fight(fighter(0, 0, HERE, [found.spell]), fighter(1, 1, THERE + 28))
    state = apply(start, Cast("game-1-1", THERE), dice)
    assert [f.has("#700") for f in state.fighters] == [False, False, True]


def test_a_cooldown_that_is_set_keeps_the_spell_from_being_cast(game):
    found = game.make(
        made.effect(97, 5, 5), made.effect(1045, 1, 0, 2, targetMask="C"), apCost=1, maxCastPerTurn=0
    )
    assert found.verdict == WHOLLY
    state = played(found)
    for _ in range(2):
        with pytest.raises(IllegalAction):
            apply(state, Cast("game-1-1", THERE), dice)
        state = apply(apply(state, EndTurn(), dice), EndTurn(), dice)
    assert apply(state, Cast("game-1-1", THERE), dice).fighter(1).hp == 490
    assert game.make(made.effect(97, 5), made.effect(1045, 1, 0, 0, targetMask="C")).left_out == (
        "changes of cooldowns",
    )
