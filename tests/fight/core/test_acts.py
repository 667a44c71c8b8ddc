"""What a spell comes to: what the spells that it casts do counts as its own, aimed at whom it reaches."""

from dataclasses import replace

import pytest
from fights import HIT, fight, fighter, spell

from botapp.fight.actions import Cast
from botapp.fight.core import spellbook as at
from botapp.fight.core.acts import DEEPEST, acts_of, areas_of, spell_use
from botapp.fight.rules import IllegalAction, apply, expected
from botapp.fight.spells import (
    Affects,
    Asks,
    Buff,
    Condition,
    Effect,
    EffectKind,
    Shape,
    State,
    Summon,
    Trigger,
)

BLAST = replace(HIT, shape=Shape.CIRCLE, radius=2)
OWN = replace(HIT, affects=Affects.ALL)
GUARD = Effect(EffectKind.SHIELD, 5, 5, affects=Affects.CASTER)
IMP = Summon("imp", "Imp", 7, 30, 4, 3)
HERE, THERE = 286, 315


def casts(*payload, kind=EffectKind.CAST, **fields):
    return Effect(kind, payload=payload, **{"affects": Affects.ALL, **fields})


def use(*effects, **changes):
    return spell_use(spell(effects=effects, **changes))


def beside(*effects, state=None):
    caster = fighter(0, 0, HERE, (spell(effects=effects),), buffs=(Buff(0, 3, state=state),) if state else ())
    return fight(caster, fighter(1, 1, THERE))


@pytest.mark.parametrize(
    ("effects", "wanted"),
    [
        ((casts(HIT),), at.USE_HURTS | at.USE_HARMS),
        ((casts(casts(HIT)),), at.USE_HURTS | at.USE_HARMS),
        ((casts(BLAST),), at.USE_HURTS | at.USE_HARMS | at.USE_WIDE),
        ((casts(HIT, GUARD, affects=Affects.ENEMIES),), at.USE_HURTS | at.USE_HARMS | at.USE_ITSELF),
        ((casts(OWN, kind=EffectKind.CAST_BY),), at.USE_HURTS | at.USE_HARMS),
        ((casts(HIT, kind=EffectKind.CAST_BY, affects=Affects.ENEMIES),), at.USE_HARMS),
        ((casts(HIT, trigger=(Trigger.TURN_BEGIN,), listens=2),), at.USE_HURTS | at.USE_HARMS),
        ((casts(HIT, trigger=(Trigger.HEALED,), listens=2),), at.USE_HARMS),
        ((casts(replace(HIT, affects=Affects.CASTER), affects=Affects.CASTER),), at.USE_ITSELF),
        ((replace(HIT, affects=Affects.CASTER),), at.USE_ITSELF),
        ((Effect(EffectKind.GLYPH, payload=(casts(HIT),)),), at.USE_HARMS),
        ((casts(Effect(EffectKind.SUMMON, summon=IMP), kind=EffectKind.CAST_ON_CELL),), at.USE_SUMMONS),
    ],
)
def test_what_a_spell_is_for_that_casts_others(effects, wanted):
    assert use(*effects) == wanted


def test_a_spell_around_its_caster_is_aimed_at_those_around():
    around = casts(BLAST, kind=EffectKind.CAST_BY, affects=Affects.CASTER)
    assert use(around, min_range=0, max_range=0) == at.USE_HURTS | at.USE_HARMS | at.USE_WIDE
    assert use(around) == at.USE_HURTS


def test_casts_are_followed_so_deep_and_no_deeper():
    nested = [HIT]
    for _ in range(DEEPEST + 1):
        nested.append(casts(nested[-1]))
    assert [bool(use(effect) & at.USE_HURTS) for effect in nested] == [True] * (DEEPEST + 1) + [False]


def test_of_several_groups_one_happens():
    some = [replace(HIT, group=group, chance=weight) for group, weight in ((1, 30), (2, 10))]
    assert [act.percent for act in acts_of((casts(*some, chance=50),))] == [37, 12]


def test_what_asks_for_a_state_is_no_blow_by_itself():
    def asking(unless):
        return replace(HIT, conditions=((Condition(Asks.STATE, state="#rage", unless=unless),),))

    assert use(asking(unless=False)) == use(casts(asking(unless=False))) == at.USE_HARMS
    assert use(asking(unless=True)) == at.USE_HURTS | at.USE_HARMS


def test_whoever_hurts_by_another_spell_attacks():
    with pytest.raises(IllegalAction):
        apply(beside(casts(HIT), state=State.PACIFIED), Cast("jab", THERE), None)
    with pytest.raises(IllegalAction):
        apply(beside(HIT, state=State.PACIFIED), Cast("jab", THERE), None)


@pytest.mark.parametrize(
    "effect", [casts(HIT), casts(casts(HIT)), casts(OWN, kind=EffectKind.CAST_BY), casts(BLAST)]
)
def test_what_another_spell_does_is_expected(effect):
    plain = expected(beside(HIT), Cast("jab", THERE))[1]
    assert expected(beside(effect), Cast("jab", THERE))[1].damage == plain.damage == 10


def test_what_waits_is_expected_where_it_is_certain():
    def damage(*trigger):
        found = expected(beside(replace(HIT, trigger=trigger, listens=2)), Cast("jab", THERE))
        return found[1].damage if 1 in found else 0

    assert damage(Trigger.TURN_BEGIN) == 10
    assert damage(Trigger.HEALED) == 0


def test_effects_of_one_area_are_aimed_once():
    push = Effect(EffectKind.PUSH, 2, 2, shape=Shape.CIRCLE, radius=2)
    areas = areas_of(acts_of((BLAST, push, HIT, casts(replace(BLAST, radius=1)), GUARD)))
    assert [(area.shape, area.radius, helps) for area, helps in areas] == [
        (Shape.CIRCLE, 2, False), (Shape.POINT, 0, False), (Shape.CIRCLE, 1, False),
    ]  # fmt: skip
