"""What hurts through another spell weighs as much as what hurts by itself; what waits on somebody counts."""

from dataclasses import replace

import pytest
from desk import Desk
from fights import HIT, fight, fighter, spell

from botapp.fight.actions import Cast, EndTurn
from botapp.fight.rules import apply_expected
from botapp.fight.spells import Affects, Effect, EffectKind, Shape, Trigger
from botapp.search.core import requests as ask_for
from botapp.search.policy_fight import DefaultPolicy

HERE, THERE = 286, 315
CASTS = Effect(EffectKind.CAST, affects=Affects.ALL, payload=(HIT,))
POISON = replace(HIT, trigger=(Trigger.TURN_BEGIN,), listens=3)


def duel(*effects, **changes):
    own = fighter(0, 0, HERE, (spell(effects=effects, **changes),))
    return fight(own, fighter(1, 1, THERE, (spell(effects=effects, **changes),)))


@pytest.mark.parametrize(
    ("effect", "as_much_as"),
    [
        (CASTS, HIT),
        (replace(CASTS, payload=(CASTS,)), HIT),
        (replace(CASTS, kind=EffectKind.CAST_BY, payload=(replace(HIT, affects=Affects.ALL),)), HIT),
        (replace(CASTS, payload=(replace(HIT, shape=Shape.CIRCLE, radius=2),)),
         replace(HIT, shape=Shape.CIRCLE, radius=2)),
        (POISON, HIT),
    ],
)  # fmt: skip
def test_a_blow_through_another_spell_is_a_blow(effect, as_much_as):
    for what in (ask_for.POWERS, ask_for.STRIKES):
        found = Desk(duel(effect)).answers(what, 2)
        assert found == Desk(duel(as_much_as)).answers(what, 2)
        assert max(found) > 0
    assert Desk(duel(effect)).terms() == Desk(duel(as_much_as)).terms()


def test_what_hurts_only_its_caster_is_no_blow():
    price = replace(HIT, affects=Affects.CASTER)
    assert Desk(duel(price)).answers(ask_for.POWERS, 2) == [0, 0]
    assert Desk(duel(HIT, price)).terms() == Desk(duel(HIT)).terms()


@pytest.mark.parametrize("more", [(), (Effect(EffectKind.SHIELD, 5, 5, affects=Affects.CASTER),)])
def test_the_default_policy_strikes_with_a_spell_that_casts_another(more):
    state = duel(replace(CASTS, payload=(HIT, *more)))
    assert DefaultPolicy(state).action(state) == Cast("jab", THERE)


def score(effect):
    """How much better off the caster's side is once it has cast."""
    state = duel(effect)
    desk = Desk(state)
    before = desk.score()
    desk.load(apply_expected(state, Cast("jab", THERE)))
    return desk.score() - before


def test_damage_that_is_to_come_counts_before_it_comes():
    assert score(replace(HIT, trigger=(Trigger.HEALED,), listens=3)) == 0
    once = score(replace(HIT, delay=1))
    assert 0 < once < score(POISON)
    assert score(replace(CASTS, trigger=(Trigger.TURN_BEGIN,), listens=3)) == pytest.approx(score(POISON))
    assert score(replace(HIT, kind=EffectKind.HEAL, delay=1, affects=Affects.ALL)) == 0


def test_a_poison_that_has_struck_is_worth_less_from_turn_to_turn():
    state = duel(POISON)
    desk = Desk(state)
    state = apply_expected(state, Cast("jab", THERE))
    worth = []
    for _ in range(6):
        desk.load(state)
        worth.append(desk.answers(ask_for.BUFF_VALUES, 2)[1])
        state = apply_expected(state, EndTurn())
    assert worth[0] < worth[1] == worth[2] < worth[3] == worth[4] < worth[5] == 0
    assert state.fighter(1).hp == 70
