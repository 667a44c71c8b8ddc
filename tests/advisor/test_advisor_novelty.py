"""What the model was never trained on is named and lowers its confidence; too much of it withholds advice."""

from dataclasses import replace

import pytest
from advisor_cases import state_after

from botapp.advisor.decision import Novelty, Withheld
from botapp.advisor.encoding import encode
from botapp.advisor.model import load_weights
from botapp.advisor.novelty import TOO_FAR, TOO_FOREIGN, Guard, novelties
from botapp.advisor.wording import novelty
from botapp.arena.scenarios import adventure, duel, team
from botapp.fight.rules import placing
from botapp.fight.spells import Buff, Effect, EffectKind, Spell
from botapp.fight.state import FightState, Mark, MarkKind

HIT = Spell("hit", "Hit", 3, 1, 8, (Effect(EffectKind.DAMAGE, 10, 12),))
SHOVE = Spell("shove", "Shove", 3, 1, 8, (Effect(EffectKind.DAMAGE, 10, 12), Effect(EffectKind.PUSH, 2, 2)))
HOP = Spell("hop", "Hop", 2, 1, 4, (Effect(EffectKind.TELEPORT),))
TURRET = Spell("turret", "Turret", 2, 1, 4, (Effect(EffectKind.GLYPH, turns=2),))


@pytest.fixture(scope="module")
def guard():
    return Guard(load_weights()[0])


def fight(**changes) -> FightState:
    """A duel of fighters who only know how to hit; `changes` are the actor's."""
    state = duel(1)
    fighters = [f.changed(spells=(HIT,)) for f in state.fighters]
    fighters = [f.changed(**changes) if f.id == state.actor.id else f for f in fighters]
    return state.changed(fighters=tuple(fighters))


def test_a_fight_of_known_things_has_nothing_new():
    assert novelties(fight()) == ()


def test_own_spells_are_told_apart_by_how_much_of_them_is_known():
    assert novelties(fight(spells=(HIT, SHOVE, HOP))) == (
        Novelty("own-spells", ("Hop",)),
        Novelty("own-effects", ("Shove",)),
    )


def test_what_lies_about_stands_by_and_lasts_is_named_but_no_trap_of_the_enemy():
    state = fight()
    me, other = state.actor, next(f for f in state.fighters if f.id != state.actor.id)
    marks = (
        Mark(MarkKind.GLYPH, other.id, 100, (100,), 2, (), "Mire"),
        Mark(MarkKind.TRAP, other.id, 101, (101,), 0, (), "Snare"),
    )
    changed = {
        me.id: me.changed(buffs=(Buff(me.id, 2, "power", 10),)),
        other.id: other.changed(summoner=me.id, spells=(HOP,)),
    }
    state = state.changed(marks=marks, fighters=tuple(changed[f.id] for f in state.fighters))
    assert {n.about: n.names for n in novelties(state)} == {
        "spells": (other.name,),
        "marks": ("Mire",),
        "summons": (other.name,),
        "buffs": (me.name,),
    }


def test_every_novelty_has_words():
    for about in ("own-spells", "own-effects", "spells", "marks", "summons", "buffs"):
        said = novelty(Novelty(about, ("A", "B", "C")))
        assert "A, B and C" in said


def test_what_is_unknown_lowers_the_confidence_and_changes_no_choice(make_advisor):
    state = fight()
    other = next(f for f in state.fighters if f.id != state.actor.id)
    marked = state.changed(marks=(Mark(MarkKind.GLYPH, other.id, 3, (), 2, (), "Mire"),))
    advisor = make_advisor(max_steps=1)
    sure, doubting = advisor.decide(state), advisor.decide(marked)
    assert [c.action for c in doubting.choices] == [c.action for c in sure.choices]
    assert doubting.confidence < sure.confidence
    assert (sure.unknown, doubting.unknown) == ((), (Novelty("marks", ("Mire",)),))


def test_a_sheet_of_foreign_spells_gets_no_advice(make_advisor, guard):
    state = fight(spells=(HIT, HOP, TURRET))
    assert guard.refusal(state, encode(state)) == TOO_FOREIGN
    with pytest.raises(Withheld, match="too few of your spells"):
        make_advisor(withholds=True).decide(state)
    assert make_advisor().decide(state).choices
    known = fight(spells=(HIT, SHOVE, HOP))
    assert guard.refusal(known, encode(known)) == ""


def test_figures_far_from_training_get_no_advice(guard):
    state = fight()
    walls = state.changed(fighters=tuple(f.changed(shield=5000) for f in state.fighters))
    assert guard.refusal(walls, encode(walls)) == TOO_FAR
    assert all(
        far < near
        for far, near in zip(guard.deviations(encode(state)), guard.deviations(encode(walls)), strict=True)
    )


@pytest.mark.parametrize("scenario", [adventure, duel, team])
def test_the_arenas_own_fights_are_advised_on(guard, scenario):
    for seed in range(12):
        state = scenario(seed)
        if state.actor.team == 0:
            assert guard.refusal(state, encode(state)) == ""


def test_players_of_the_arena_are_advised_on_throughout_their_fights(guard):
    for seed in range(0, 12, 2):
        state = state_after(seed, 25)
        own = next(f for f in state.fighters if f.team == 0 and f.summoner is None)
        mine = state.changed(current=state.order.index(own.id))
        if own.hp > 0:
            assert guard.refusal(mine, encode(mine)) == ""


def test_before_the_fight_that_is_what_is_said(make_advisor):
    with pytest.raises(Withheld, match="still choosing their places"):
        make_advisor().decide(placing(duel(3)))


def test_nothing_to_decide_is_said_as_a_sentence(make_advisor):
    state = duel(3)
    over = replace(
        state, fighters=tuple(f if f.team == state.actor.team else f.changed(hp=0) for f in state.fighters)
    )
    with pytest.raises(Withheld, match=r"^There is nothing to decide: the fight is over\.$"):
        make_advisor().decide(over)
