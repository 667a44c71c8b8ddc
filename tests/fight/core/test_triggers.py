"""Effects that wait on somebody: what sets them off, on whom, how long they wait, and how chains end."""

import pytest
from casts import at, cast, duel, end, give, hit, lost, walk
from fights import fighter

from botapp.fight.spells import (
    Affects,
    Basis,
    Buff,
    Effect,
    EffectKind,
    Element,
    Shape,
    Stats,
    Summon,
    Trigger,
)

TURNS = {"listens": 3}


def waits(*trigger, **fields):
    """A state that comes to whom it reaches once something happens to that one."""
    return give("#hit", turns=3, trigger=trigger, **{**TURNS, **fields})


def set_off(state, number=1):
    return state.fighters[number].has("#hit")


def test_poison_at_the_beginning_of_each_turn():
    state = cast(duel(hit(5, trigger=(Trigger.TURN_BEGIN,), listens=2)), at(1, 0))
    assert lost(state) == 0
    assert [lost(state := end(state)) for _ in range(6)] == [5, 5, 10, 10, 10, 10]
    assert state.fighters[1].buffs == ()


def test_poison_at_the_end_of_each_turn():
    state = end(cast(duel(hit(5, trigger=(Trigger.TURN_END,), **TURNS)), at(1, 0)))
    assert lost(state) == 0
    assert lost(end(state)) == 5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trigger", "effect"),
    [
        (Trigger.DAMAGE, hit()), (Trigger.MELEE, hit()), (Trigger.FROM_ENEMY, hit()),
        (Trigger.EARTH, hit(element=Element.EARTH)), (Trigger.NEUTRAL, hit()),
        (Trigger.FIRE, hit(element=Element.FIRE)), (Trigger.WATER, hit(element=Element.WATER)),
        (Trigger.AIR, hit(element=Element.AIR)),
        (Trigger.HEALED, Effect(EffectKind.HEAL, 1, 1, affects=Affects.ALL)),
        (Trigger.AP_LOST, Effect(EffectKind.REMOVE_AP, 4, 4)),
        (Trigger.MP_LOST, Effect(EffectKind.REMOVE_MP, 3, 3)),
        (Trigger.MOVED, Effect(EffectKind.PUSH, 2, 2)), (Trigger.PUSHED, Effect(EffectKind.PUSH, 2, 2)),
        (Trigger.MOVED, Effect(EffectKind.SWAP)), (Trigger.SWAPPED, Effect(EffectKind.SWAP)),
        (Trigger.TELEPORTED, Effect(EffectKind.MIRROR_TARGET)),
        (Trigger.DISPELLED, Effect(EffectKind.DISPEL, 1, 1)),
    ],
)  # fmt: skip
def test_what_happens_to_the_bearer(trigger, effect):
    assert set_off(cast(duel(waits(trigger), effect), at(1, 0)))
    others = [one for one in Trigger if one is not trigger]
    for other in others:
        if not set_off(cast(duel(waits(other, trigger_state="#x"), effect), at(1, 0))):
            break
    else:
        raise AssertionError("everything sets it off")


def test_a_pull_a_far_hit_and_a_friends_blow():
    assert set_off(cast(duel(waits(Trigger.PULLED), Effect(EffectKind.PULL, 1, 1), far=3), at(3, 0)))
    assert set_off(cast(duel(waits(Trigger.RANGED), hit(), far=3), at(3, 0)))
    assert not set_off(cast(duel(waits(Trigger.MELEE), hit(), far=3), at(3, 0)))
    friend = {"team": 0}
    state = duel(waits(Trigger.FROM_ALLY), hit(), others=(fighter(2, 1, at(9, 0)),))
    state = state.changed(fighters=tuple(f.changed(**friend) if f.id == 1 else f for f in state.fighters))
    assert set_off(cast(state, at(1, 0)))


def test_the_damage_of_a_push_and_no_other():
    wall = fighter(2, 1, at(2, 0))
    push = Effect(EffectKind.PUSH, 3, 3)
    assert set_off(cast(duel(waits(Trigger.PUSH_DAMAGE), push, others=(wall,)), at(1, 0)))
    assert not set_off(cast(duel(waits(Trigger.PUSH_DAMAGE), hit()), at(1, 0)))
    assert not set_off(cast(duel(waits(Trigger.DAMAGE), push, others=(wall,)), at(1, 0)))


def test_a_shield_that_takes_it_all_keeps_it_waiting():
    assert not set_off(cast(duel(waits(Trigger.DAMAGE), hit(), target={"shield": 50}), at(1, 0)))


def test_states_that_come_and_go():
    came, went = (
        waits(Trigger.STATE_GAINED, trigger_state="#x"),
        waits(Trigger.STATE_LOST, trigger_state="#x"),
    )
    assert set_off(cast(duel(came, give("#x")), at(1, 0)))
    assert not set_off(cast(duel(came, give("#y")), at(1, 0)))
    state = cast(duel(went, give("#x", turns=1)), at(1, 0))
    assert not set_off(state)
    assert set_off(end(end(state)))
    assert set_off(cast(duel(went, give("#x"), Effect(EffectKind.END_STATE, state="#x")), at(1, 0)))
    gone = cast(duel(went, give("#x"), Effect(EffectKind.DISPEL, 2, 2)), at(1, 0))
    assert set_off(gone)
    assert not set_off(cast(duel(went, give("#y"), Effect(EffectKind.END_STATE, state="#y")), at(1, 0)))


def test_death_lets_the_dead_do_one_thing_more():
    blast = Effect(
        EffectKind.CAST_BY,
        trigger=(Trigger.DEATH,),
        payload=(hit(20, shape=Shape.CIRCLE, radius=1, fall_off=0),),
    )
    state = cast(duel(blast, hit(500), others=(fighter(2, 1, at(2, 0)),)), at(1, 0))
    assert state.fighters[1].hp == 0 and [lost(state, 0), lost(state, 2)] == [20, 20]


def test_what_the_caster_does():
    on_me = {"affects": Affects.CASTER}
    assert set_off(cast(duel(waits(Trigger.KILLS, **on_me), hit(500)), at(1, 0)), 0)
    assert not set_off(cast(duel(waits(Trigger.KILLS, **on_me), hit(5)), at(1, 0)), 0)
    crit = duel(waits(Trigger.CRITICAL, **on_me), hit(5), crit=50, ap=1)
    assert not set_off(first := cast(crit, at(1, 0), dice=[0.9]), 0)
    assert not set_off(cast(first, at(1, 0), dice=[0.9]), 0)
    assert set_off(cast(first, at(1, 0), dice=[0.1]), 0)
    pet = Summon("imp", "Imp", 5, 20, 4, 3)
    call = duel(waits(Trigger.SUMMONS, **on_me), Effect(EffectKind.SUMMON, summon=pet))
    assert set_off(cast(call, at(0, 1)), 0)
    assert set_off(cast(duel(waits(Trigger.TELEPORTED, **on_me), Effect(EffectKind.TELEPORT)), at(0, 1)), 0)


def test_who_strikes_is_struck():
    thorns = Effect(
        EffectKind.CAST_BY, trigger=(Trigger.DAMAGE,), listens=3,
        payload=(hit(50, percent_of=Basis.DAMAGE_TAKEN, affects=Affects.CAUSE),),
    )  # fmt: skip
    state = cast(duel(thorns, hit(30), caster={"stats": Stats(strength=100)}), at(1, 0))
    assert (lost(state, 1), lost(state, 0)) == (60, 30)
    idle = cast(duel(hit(5, affects=Affects.CAUSE)), at(1, 0))
    assert lost(idle) == lost(idle, 0) == 0


def test_an_effect_does_not_set_itself_off():
    echo = hit(3, trigger=(Trigger.DAMAGE,), listens=3)
    assert lost(cast(duel(echo, hit(10)), at(1, 0))) == 13


def test_two_that_set_each_other_off_come_to_an_end():
    one, other = hit(1, trigger=(Trigger.DAMAGE,)), hit(1, trigger=(Trigger.DAMAGE,), element=Element.AIR)
    state = cast(duel(one, other, hit(1), target={"hp": 5000, "max_hp": 5000}), at(1, 0))
    assert 3 <= lost(state) < 500


def test_it_waits_as_long_as_it_listens():
    state = cast(duel(waits(Trigger.DAMAGE, listens=1)), at(1, 0))
    assert state.fighters[1].buffs[0] == Buff(0, 1, effect=state.fighters[0].spells[0].effects[0])
    state = end(end(state))
    assert state.fighters[1].buffs == ()
    forever = cast(duel(waits(Trigger.DAMAGE, listens=0)), at(1, 0))
    for _ in range(8):
        forever = end(forever)
    assert len(forever.fighters[1].buffs) == 1


def test_a_death_by_poison_hands_the_turn_on():
    state = cast(duel(hit(500, trigger=(Trigger.TURN_BEGIN,)), others=(fighter(2, 1, at(9, 0)),)), at(1, 0))
    state = end(state)
    assert state.fighters[1].hp == 0 and state.actor.id == 2


def test_walking_sets_nothing_off():
    state = walk(cast(duel(waits(Trigger.MOVED, affects=Affects.CASTER)), at(1, 0)), at(0, 1))
    assert state.fighters[0].cell == at(0, 1) and not set_off(state, 0)
