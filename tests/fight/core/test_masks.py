"""Whom an effect reaches: every inclusion and every condition of the real game's masks that we know."""

import pytest
from casts import HERE, at, cast, duel, give, hit, lost, refused
from fights import fight, fighter, spell

from botapp.fight.core.capacity import CapacityError
from botapp.fight.core.pack import pack
from botapp.fight.spells import Affects, Asks, Buff, Condition, Effect, EffectKind, Shape, State, Stats, Who

EVERYWHERE = {"shape": Shape.EVERYWHERE, "fall_off": 0}


def crowd(effect, **caster):
    """One of each: the caster, its summon, a totem, allies and enemies, players and monsters."""
    jab = spell("jab", (effect,), min_range=0, max_range=9)
    dead_wood = {"ap": 0, "mp": 0, "base_ap": 0, "base_mp": 0}
    return fight(
        fighter(0, 0, HERE, [jab], **{"player": True, **caster}),
        fighter(1, 0, at(1, 0), summoner=0),
        fighter(2, 0, at(2, 0), summoner=0, **dead_wood),
        fighter(3, 0, at(3, 0), player=True, shield=5),
        fighter(4, 0, at(4, 0)),
        fighter(5, 1, at(0, 1), player=True, hp=40),
        fighter(6, 1, at(0, 2)),
        fighter(7, 1, at(0, 3), summoner=6),
        fighter(8, 1, at(0, 4), summoner=6, **dead_wood),
    )


def reached(effect, **caster):
    before = crowd(effect, **caster)
    state = cast(before, HERE)
    return [f.id for f, b in zip(state.fighters, before.fighters, strict=True) if f.has(State.FOCUSED)]


def mark(*clauses, **fields):
    return give(**{"affects": Affects.ALL, "conditions": clauses, **EVERYWHERE, **fields})


@pytest.mark.parametrize(("who", "number"), list(zip(Who, (0, 3, 4, 1, 2, 5, 6, 7, 8), strict=True)))
def test_everyone_is_one_of_nine(who, number):
    assert reached(mark(among=(who,))) == [number]
    assert reached(give(among=(who,), **EVERYWHERE)) == [number]


def test_several_may_be_named():
    assert reached(mark(among=(Who.CASTER, Who.ENEMY_MONSTER, Who.ALLIED_PLAYER))) == [0, 3, 6]


@pytest.mark.parametrize(
    ("asks", "ids"),
    [
        (Condition(Asks.SUMMON), [1, 2, 7, 8]),
        (Condition(Asks.OWN_SUMMON), [1, 2]),
        (Condition(Asks.FAMILY), [0, 1, 2]),
        (Condition(Asks.FAMILY, unless=True), [3, 4, 5, 6, 7, 8]),
        (Condition(Asks.PLAYER), [0, 3, 5]),
        (Condition(Asks.ALLY), [0, 1, 2, 3, 4]),
        (Condition(Asks.CASTER), [0]),
        (Condition(Asks.SHIELDED), [3]),
        (Condition(Asks.HP_BELOW, percent=41), [5]),
        (Condition(Asks.HP_BELOW, percent=40, unless=True), [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (Condition(Asks.FULL_OF_SUMMONS), [0, 6]),
        (Condition(Asks.KIND, kind="test"), [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (Condition(Asks.KIND, kind="other"), []),
        (Condition(Asks.PLAYER, of_caster=True), [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (Condition(Asks.PLAYER, of_caster=True, unless=True), []),
    ],
)
def test_a_condition(asks, ids):
    assert reached(mark((asks,))) == ids


def test_a_summon_knows_its_summoner():
    state = crowd(hit())
    totem = mark((Condition(Asks.SUMMONER),))
    jab = spell("jab", (totem,), min_range=0)
    pets = [f.changed(spells=(jab,)) if f.id == 1 else f for f in state.fighters]
    after = cast(state.changed(fighters=tuple(pets), current=1), at(1, 0))
    assert [f.id for f in after.fighters if f.has(State.FOCUSED)] == [0]


def test_all_clauses_must_hold_and_one_part_of_each():
    hurt, player, own = Condition(Asks.HP_BELOW, percent=50), Condition(Asks.PLAYER), Condition(Asks.FAMILY)
    assert reached(mark((hurt,), (player,))) == [5]
    assert reached(mark((hurt, own))) == [0, 1, 2, 5]


@pytest.mark.parametrize("state", [State.ROOTED, "#drunk"])
def test_states_of_target_and_caster(state):
    has, lacks = Condition(Asks.STATE, state), Condition(Asks.STATE, state, unless=True)
    drunk = (Buff(0, 2, state=state),)
    assert lost(cast(duel(hit(conditions=((has,),))), at(1, 0))) == 0
    assert lost(cast(duel(hit(conditions=((lacks,),))), at(1, 0))) == 10
    assert lost(cast(duel(hit(conditions=((has,),)), target={"buffs": drunk}), at(1, 0))) == 10
    of_caster = Condition(Asks.STATE, state, of_caster=True)
    assert lost(cast(duel(hit(conditions=((of_caster,),)), target={"buffs": drunk}), at(1, 0))) == 0
    assert lost(cast(duel(hit(conditions=((of_caster,),)), caster={"buffs": drunk}), at(1, 0))) == 10


def test_conditions_hold_for_the_caster_alone_and_for_the_board_too():
    drunk = Condition(Asks.STATE, "#drunk", of_caster=True)
    itself = give(affects=Affects.CASTER, conditions=((drunk,),))
    jump = Effect(EffectKind.TELEPORT, conditions=((drunk,),))
    sober = duel(itself, jump, far=5)
    assert not cast(sober, at(2, 0)).fighters[0].has(State.FOCUSED)
    assert cast(sober, at(2, 0)).fighters[0].cell == HERE
    tipsy = duel(itself, jump, far=5, caster={"buffs": (Buff(0, 2, state="#drunk"),)})
    assert cast(tipsy, at(2, 0)).fighters[0].has(State.FOCUSED)
    assert cast(tipsy, at(2, 0)).fighters[0].cell == at(2, 0)


def test_a_spell_may_need_one_state_or_another():
    either = (Condition(Asks.STATE, "#masked"), Condition(Asks.STATE, State.FOCUSED))
    assert refused(duel(hit(), criterion=(either,)), at(1, 0)) == "forbidden-state"
    for state in ("#masked", State.FOCUSED):
        ready = duel(hit(), criterion=(either,), caster={"buffs": (Buff(0, 2, state=state),)})
        assert refused(ready, at(1, 0)) == ""


def test_states_of_a_spells_own_are_required_and_forbidden():
    armed = {"buffs": (Buff(0, 2, state="#armed"),)}
    assert refused(duel(hit(), required_states=("#armed",)), at(1, 0)) == "required-state"
    assert refused(duel(hit(), required_states=("#armed",), caster=armed), at(1, 0)) == ""
    assert refused(duel(hit(), forbidden_states=("#armed",), caster=armed), at(1, 0)) == "forbidden-state"


def test_fifty_five_named_states_fit_and_no_more():
    fits = duel(*(give(f"#{number}") for number in range(55)))
    held = cast(fits, at(1, 0)).fighters[1].states
    assert held == {f"#{number}" for number in range(55)}
    with pytest.raises(CapacityError, match="states: 63"):
        pack(duel(*(give(f"#{number}") for number in range(56))))


def test_room_for_more_summons_counts():
    room = reached(mark((Condition(Asks.FULL_OF_SUMMONS),)), stats=Stats(summons=3))
    assert room == [6]
