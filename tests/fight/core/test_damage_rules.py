"""The rules of damage beyond dice and stats, with numbers worked out by hand; see docs of `core.damage`."""

import pytest
from casts import at, cast, duel, hit, lost

from botapp.fight.spells import Affects, Basis, Effect, EffectKind, Element, Shape, Stats

BIG = {"hp": 2000, "max_hp": 2000}


def dealt(effect, caster=None, target=None, far=1, **rules):
    """The HP that an effect takes with these sheets."""
    state = duel(
        effect,
        far=far,
        caster={"stats": caster or Stats()},
        target={**BIG, "stats": target or Stats()},
        **rules,
    )
    return lost(cast(state, at(far, 0)))


def healed(effect, caster, target=None):
    patient = {"hp": 100, "max_hp": 2000, "stats": target or Stats()}
    state = duel(effect, caster={"stats": caster}, target=patient)
    return cast(state, at(1, 0)).fighters[1].hp - 100


@pytest.mark.parametrize(
    ("stats", "expected"),
    [
        (Stats(strength=-40), 25), (Stats(strength=-40, power=60), 30), (Stats(strength=60, power=-500), 25),
        (Stats(intelligence=-90, strength=100), 50),
    ],
)  # fmt: skip
def test_a_negative_stat_counts_as_none(stats, expected):
    assert dealt(hit(25), stats) == expected


def test_a_negative_intelligence_takes_nothing_off_a_heal():
    heal = Effect(EffectKind.HEAL, 40, 40, affects=Affects.ALL)
    assert healed(heal, Stats(intelligence=-70, heals=5)) == 45
    assert healed(heal, Stats(intelligence=50, power=300, heals=5)) == 65


def test_heals_change_in_the_end_by_who_gives_and_by_who_gets_them():
    heal = Effect(EffectKind.HEAL, 40, 40, affects=Affects.ALL)
    assert healed(heal, Stats(intelligence=50, heals=5, final_heals=10)) == 71
    assert healed(heal, Stats(intelligence=50, heals=5, final_heals=10), Stats(heals_received=-30)) == 49
    assert healed(heal, Stats(), Stats(heals_received=-130)) == 0
    part = Effect(EffectKind.HEAL, 10, 10, affects=Affects.ALL, percent_of=Basis.TARGET_MAX_HP)
    assert healed(part, Stats(final_heals=50), Stats(heals_received=50)) == 300


def test_armor_is_a_fixed_resistance_to_all_elements():
    for element in Element:
        assert dealt(hit(40, element=element), target=Stats(armor=15)) == 25
    assert dealt(hit(10), target=Stats(armor=15)) == 0
    assert dealt(hit(40), target=Stats(armor=15, resistance=(20,) * 5)) == 20


@pytest.mark.parametrize(("luck", "expected"), [(-1, 10), (1, 30), (-2, 10)])
def test_luck_makes_the_dice_of_its_bearer_fall_on_one_face(luck, expected):
    assert {dealt(hit(10, 30), Stats(luck=luck)) for _ in range(5)} == {expected}
    assert dealt(hit(20), target=Stats(luck=luck)) == 20


def test_nothing_stays_nothing_whatever_is_fixed():
    assert dealt(hit(0), Stats(strength=300, damage=80)) == 0
    assert dealt(hit(0, crit_low=0, crit_high=0), Stats(damage=80, crit_damage=40), crit=100) == 0
    assert dealt(hit(1), Stats(damage=80)) == 81
    assert healed(Effect(EffectKind.HEAL, 0, 0, affects=Affects.ALL), Stats(heals=80)) == 0


@pytest.mark.parametrize(
    ("area", "expected"),
    [
        ({"shape": Shape.RING, "radius": 3}, 100), ({"shape": Shape.CIRCLE, "radius": 3}, 70),
        ({"shape": Shape.CIRCLE, "radius": 3, "inner": 2}, 90),
        ({"shape": Shape.CROSS, "radius": 3, "inner": 3}, 100),
        ({"shape": Shape.CIRCLE, "radius": 9, "fall_off": 25, "inner": 1}, 50),
    ],
)  # fmt: skip
def test_fall_off_counts_from_an_areas_innermost_cells(area, expected):
    state = duel(hit(100, **area), far=4, target=BIG)
    assert lost(cast(state, at(1, 0))) == expected


def test_critical_resistance_comes_off_critical_hits_alone():
    mail = Stats(crit_resistance=30, fixed_resistance=(10, 0, 0, 0, 0), resistance=(25, 0, 0, 0, 0))
    blow = hit(40, crit_low=60, crit_high=60)
    assert dealt(blow, Stats(power=100, crit_damage=20), mail) == (80 - 10) * 75 // 100
    assert dealt(blow, Stats(power=100, crit_damage=20), mail, crit=100) == (120 + 20 - 10 - 30) * 75 // 100
    assert dealt(blow, None, Stats(crit_resistance=500), crit=100) == 0
    assert dealt(blow, None, Stats(crit_resistance=-15), crit=100) == 75


def test_a_buff_may_change_critical_resistance():
    weaken = Effect(EffectKind.BUFF, -15, -15, stat="crit_resistance", affects=Affects.ALL)
    state = cast(duel(weaken, hit(10, order=1), target=BIG, crit=100), at(1, 0))
    assert lost(state) == 25 and state.fighters[1].stats.crit_resistance == -15


@pytest.mark.parametrize(
    ("caster", "target", "rules", "far", "expected"),
    [
        (Stats(final_damage=30), Stats(), {}, 1, 130), (Stats(final_damage=-40), Stats(), {}, 1, 60),
        (Stats(spell_damage=20, weapon_damage=70), Stats(), {}, 1, 120),
        (Stats(spell_damage=20, weapon_damage=70), Stats(), {"weapon": True}, 1, 170),
        (Stats(melee_damage=11, ranged_damage=44), Stats(), {}, 1, 111),
        (Stats(melee_damage=11, ranged_damage=44), Stats(), {}, 2, 144),
        (Stats(), Stats(spell_resistance=20, weapon_resistance=60), {}, 1, 80),
        (Stats(), Stats(spell_resistance=20, weapon_resistance=60), {"weapon": True}, 1, 40),
        (Stats(), Stats(melee_resistance=35, ranged_resistance=-15), {}, 1, 65),
        (Stats(), Stats(melee_resistance=35, ranged_resistance=-15), {}, 3, 115),
        (Stats(spell_damage=-100), Stats(), {}, 1, 0), (Stats(), Stats(melee_resistance=140), {}, 1, 0),
    ],
)  # fmt: skip
def test_percentages_of_spells_weapons_melee_and_range(caster, target, rules, far, expected):
    assert dealt(hit(100), caster, target, far, **rules) == expected


def test_percentages_come_last_one_after_the_other():
    # 10 * 3.5 + 7 = 42; final 5 %: 44; weapon 25 %: 55; melee 15 %: 63; kept 0.88 * 0.95: 52
    caster = Stats(strength=250, damage=7, final_damage=5, weapon_damage=25, melee_damage=15)
    target = Stats(weapon_resistance=12, melee_resistance=5)
    assert dealt(hit(10), caster, target, weapon=True) == 52
    # both resistances at once: 14 * 0.72 is 10; one after the other it were 12, then 9
    assert dealt(hit(14), None, Stats(spell_resistance=10, melee_resistance=20)) == 10


def test_percentages_count_for_shares_neither_nor_for_heals():
    half = hit(50, percent_of=Basis.TARGET_MAX_HP)
    assert dealt(half, Stats(final_damage=100)) == 1000
    assert healed(Effect(EffectKind.HEAL, 10, 10, affects=Affects.ALL), Stats(final_damage=100)) == 10


@pytest.mark.parametrize("element", Element)
def test_the_mean_is_the_mean_of_all_faces(element):
    caster = Stats(power=37, damage=3, final_damage=9, ranged_damage=13)
    target = Stats(ranged_resistance=7, resistance=(10,) * 5, fixed_resistance=(2,) * 5)
    rolls = [dealt(hit(low, element=element), caster, target, 2) for low in range(10, 15)]
    assert abs(dealt(hit(10, 14, element=element), caster, target, 2) - sum(rolls) / 5) <= 0.5
