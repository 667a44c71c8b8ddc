"""The formulas of the rules' description, and what they do to a fighter."""

import random

import pytest
from arrays import arrays
from fights import fight, fighter, spell
from hypothesis import given
from hypothesis import strategies as st
from inner import call

from botapp.fight.actions import Cast, EndTurn
from botapp.fight.board import to_cell, to_xy
from botapp.fight.core import damage
from botapp.fight.core.fight import ROLLS
from botapp.fight.rules import apply, apply_expected, expected
from botapp.fight.spells import Effect, EffectKind, Element, Shape, Stats

dice = random.Random(0)
HERE, THERE = 286, 315
AIM = Cast("jab", THERE)


def struck(effects, caster=None, target=None, rng=dice, **changes):
    state = fight(
        fighter(0, 0, HERE, [spell(effects=effects, **changes)], **(caster or {})),
        fighter(1, 1, THERE, **(target or {})),
    )
    return state, apply(state, AIM, rng)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "raised", "fixed", "arrives", "off", "resisted", "hp"),
    [
        (10, 0, 0, 100, 0, 0, 10),
        (10, 155, 0, 100, 0, 0, 25),
        (10, 155, 7, 100, 0, 0, 32),
        (20, 0, 0, 90, 0, 0, 18),
        (20, 0, 0, 60, 0, 0, 12),
        (20, 0, 0, 100, 5, 0, 15),
        (20, 0, 0, 100, 50, 0, 0),
        (20, 0, 0, 100, 0, 25, 15),
        (20, 0, 0, 100, 0, -50, 30),
        (20, 0, 0, 100, 0, 120, 0),
        (30, 100, 4, 80, 6, 50, 22),
    ],
)
def test_damage_formula(base, raised, fixed, arrives, off, resisted, hp):
    assert damage.wound(base, raised, fixed, arrives, off, resisted) == hp


def test_a_tenth_is_lost_with_each_step_from_the_centre_four_at_most():
    burst = Effect(EffectKind.DAMAGE, 20, 20, shape=Shape.CIRCLE, radius=9)
    x, y = to_xy(THERE)
    others = [fighter(steps, 1, to_cell(x, y + steps)) for steps in (1, 2, 3, 4, 5)]
    state = fight(fighter(0, 0, HERE, [spell(effects=(burst,), max_range=9, needs_sight=False)]), *others)
    after = apply(state, AIM, dice)
    assert [100 - after.fighter(steps).hp for steps in (1, 2, 3, 4, 5)] == [18, 16, 14, 12, 12]


@pytest.mark.slow
def test_each_element_takes_its_own_stat_and_its_own_resistance():
    stats = Stats(strength=10, intelligence=20, chance=30, agility=40, power=100)
    a = arrays(fight(fighter(0, 0, HERE, stats=stats), fighter(1, 1, THERE)))
    raised = [call(damage.mastery, a.fighters[0], number) for number in range(len(Element))]
    assert raised == [110, 110, 120, 130, 140]
    sheet = Stats(resistance=(0, 10, 20, 30, 40))
    for element, left in zip(Element, (0, 10, 20, 30, 40), strict=True):
        _, after = struck((Effect(EffectKind.DAMAGE, 50, 50, element),), target={"stats": sheet})
        assert after.fighter(1).hp == 100 - 50 * (100 - left) // 100


def test_a_shield_takes_it_first_and_ends_with_its_bearers_next_turn():
    _, after = struck((Effect(EffectKind.DAMAGE, 30, 30),), target={"shield": 20})
    assert (after.fighter(1).hp, after.fighter(1).shield) == (90, 0)
    _, kept = struck((Effect(EffectKind.DAMAGE, 5, 5),), target={"shield": 20})
    assert kept.fighter(1).shield == 15
    assert apply(kept, EndTurn(), dice).fighter(1).shield == 0


def test_damage_erodes_a_tenth_of_itself_off_the_maximum():
    _, after = struck((Effect(EffectKind.DAMAGE, 40, 40),))
    target = after.fighter(1)
    assert (target.hp, target.max_hp, target.eroded) == (60, 96, 4)


def test_steal_gives_half_of_what_was_really_lost():
    _, after = struck((Effect(EffectKind.STEAL, 40, 40),), caster={"hp": 50}, target={"shield": 10})
    assert (after.fighter(0).hp, after.fighter(1).hp) == (65, 70)
    _, full = struck((Effect(EffectKind.STEAL, 40, 40),), caster={"hp": 95})
    assert full.fighter(0).hp == 100


def test_heal_uses_intelligence_and_heals_and_stops_at_the_maximum():
    heal = (Effect(EffectKind.HEAL, 10, 10, shape=Shape.CIRCLE, radius=2),)
    healer = {"hp": 20, "stats": Stats(intelligence=100, heals=5)}
    _, after = struck(heal, caster=healer, min_range=0)
    assert after.fighter(0).hp == 20 + 25 * 8 // 10
    _, nearly = struck(heal, caster={**healer, "hp": 95}, min_range=0)
    assert nearly.fighter(0).hp == 100


def test_a_critical_hit_adds_its_bonus_to_the_dice():
    effect = (Effect(EffectKind.DAMAGE, 10, 10),)
    assert struck(effect, crit=100, crit_bonus=7)[1].fighter(1).hp == 83
    assert struck(effect, crit=0, crit_bonus=7)[1].fighter(1).hp == 90


def test_a_critical_hit_has_dice_of_its_own_and_crit_damage():
    effect = (Effect(EffectKind.DAMAGE, 10, 10, crit_low=20, crit_high=20),)
    sheet = {"stats": Stats(damage=1, crit_damage=6)}
    assert struck(effect, sheet, crit=100, crit_bonus=7)[1].fighter(1).hp == 100 - 27
    assert struck(effect, sheet)[1].fighter(1).hp == 100 - 11


def test_the_casters_crit_counts_only_for_spells_that_have_one():
    effect = (Effect(EffectKind.DAMAGE, 10, 10),)
    lucky = {"stats": Stats(crit=99)}
    assert struck(effect, lucky, crit=1, crit_bonus=5)[1].fighter(1).hp == 85
    assert struck(effect, lucky, crit_bonus=5)[1].fighter(1).hp == 90


def test_a_players_resistance_counts_up_to_a_half():
    sheet = {"stats": Stats(resistance=(80, 0, 0, 0, 0))}
    effect = (Effect(EffectKind.DAMAGE, 40, 40),)
    assert struck(effect, target={**sheet, "player": True})[1].fighter(1).hp == 80
    assert struck(effect, target=sheet)[1].fighter(1).hp == 92


def test_erosion_grows_with_the_targets_own_up_to_a_half():
    effect = (Effect(EffectKind.DAMAGE, 40, 40),)
    for extra, eroded in ((0, 4), (15, 10), (90, 20), (-30, 0)):
        target = struck(effect, target={"stats": Stats(erosion=extra)})[1].fighter(1)
        assert (target.max_hp, target.eroded) == (100 - eroded, eroded)


def test_stolen_points_are_the_thiefs_at_once_up_to_the_most_there_can_be():
    steal = (Effect(EffectKind.STEAL_AP, 6, 6), Effect(EffectKind.STEAL_MP, 3, 3))
    thief = {"stats": Stats(withdraw=900), "ap": 11, "base_ap": 11, "mp": 3}
    _, after = struck(steal, thief, rng=random.Random(3))
    lost_ap, lost_mp = 6 - after.fighter(1).ap, 3 - after.fighter(1).mp
    assert lost_ap > 3
    assert after.fighter(0).ap == min(12, 11 - 3 + lost_ap)
    assert after.fighter(0).mp == min(6, 3 + lost_mp)
    assert apply(after, EndTurn(), dice).fighter(0).ap == 11


def removal_chance(caster, target, remaining):
    a = arrays(fight(caster, target))
    return call(damage.removal_chance, *a.fighters, remaining, 6)


@pytest.mark.slow
def test_withdraw_and_dodge_count_with_a_tenth_of_wisdom():
    caster = fighter(0, 0, HERE, stats=Stats(wisdom=20, withdraw=8))
    target = fighter(1, 1, THERE, stats=Stats(wisdom=50, dodge=15))
    assert removal_chance(caster, target, 6) == pytest.approx(0.5 * 10 / 20)


def test_removal_goes_point_by_point_and_lasts_into_the_targets_turn():
    effects = (Effect(EffectKind.REMOVE_AP, 12, 12), Effect(EffectKind.REMOVE_MP, 12, 12))
    _, after = struck(effects, caster={"stats": Stats(wisdom=900)})
    target = apply(after, EndTurn(), dice).actor
    assert target.id == 1
    assert target.ap < 6
    assert target.mp < 3
    assert min(target.ap, target.mp) >= 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("withdraw", "dodge", "remaining", "chance"),
    [(0, 0, 6, 0.5), (0, 0, 3, 0.25), (900, 0, 6, 0.9), (0, 900, 6, 0.1), (100, 50, 3, 0.5)],
)
def test_removal_chance(withdraw, dodge, remaining, chance):
    caster = fighter(0, 0, HERE, stats=Stats(wisdom=withdraw))
    target = fighter(1, 1, THERE, stats=Stats(wisdom=dodge))
    assert removal_chance(caster, target, remaining) == pytest.approx(chance)


kinds = st.sampled_from(list(EffectKind))
effects = st.builds(
    lambda kind, low, more, element, crit: Effect(
        kind, low, low + more, element, crit_low=crit, crit_high=None if crit is None else crit + 3
    ),
    kinds,
    st.integers(0, 12),
    st.integers(0, 8),
    st.sampled_from(list(Element)),
    st.none() | st.integers(0, 30),
)


@pytest.mark.inner
@given(effects, st.integers(0, 100), st.integers(0, 10), st.integers(0, 150), st.integers(-30, 60))
def test_the_expected_amount_is_the_mean_of_all_dice(effect, crit, bonus, raised, resisted):
    jab = spell(effects=(effect,), crit=crit, crit_bonus=bonus)
    caster = fighter(
        0, 0, HERE, [jab], stats=Stats(power=raised, intelligence=raised, crit_damage=raised // 5)
    )
    target = fighter(1, 1, THERE, stats=Stats(resistance=(resisted,) * 5))
    a = arrays(fight(caster, target))
    effect, pair = a.effect(), a.fighters

    def mean_of(critical):
        low, high = call(damage.faces, effect, bonus, critical, 0)
        faces = range(low, high + 1)
        return sum(call(damage.amount, a.fight, effect, face, *pair, 0, critical) for face in faces) / len(
            faces
        )

    mean = mean_of(0) * (1 - crit / 100) + mean_of(1) * crit / 100
    assert call(damage.expected_amount, a.fight, a.spell(), effect, *pair, 0) == pytest.approx(mean)


@pytest.mark.inner
@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 200), st.integers(0, 200))
def test_expected_removal_stays_within_what_there_is(tries, remaining, withdraw, dodge):
    caster = fighter(0, 0, HERE, stats=Stats(wisdom=withdraw))
    target = fighter(1, 1, THERE, stats=Stats(wisdom=dodge))
    a = arrays(fight(caster, target))
    mean = call(damage.expected_removed, float(tries), *a.fighters, remaining, 6)
    assert 0 <= mean <= min(tries, remaining)
    a.fight.dice, a.fight.seed = ROLLS, 1
    assert 0 <= call(damage.removed, a.fight, tries, *a.fighters, remaining, 6) <= min(tries, remaining)


def test_expected_tells_every_kind_without_dice():
    effects = (
        Effect(EffectKind.STEAL, 20, 20),
        Effect(EffectKind.DAMAGE, 5, 15),
        Effect(EffectKind.REMOVE_AP, 1, 1),
        Effect(EffectKind.REMOVE_MP, 1, 1),
        Effect(EffectKind.HEAL, 10, 10, shape=Shape.CIRCLE, radius=3),
        Effect(EffectKind.SHIELD, 10, 10, shape=Shape.CIRCLE, radius=3),
    )
    state, _ = struck(effects, caster={"hp": 95})
    outcomes = expected(state, AIM)
    enemy, own = outcomes[1], outcomes[0]
    assert (enemy.damage, enemy.ap, enemy.mp) == (30, 0.5, 0.5)
    assert (own.heal, own.shield, own.damage) == (5, 10, 0)
    assert expected(state, EndTurn()) == {}


def test_foresight_is_the_mean_result():
    state, _ = struck((Effect(EffectKind.DAMAGE, 5, 15), Effect(EffectKind.REMOVE_MP, 4, 4)))
    after = apply_expected(state, AIM).fighter(1)
    assert after.hp == 90
    assert after.mp == 3 - round(expected(state, AIM)[1].mp)
