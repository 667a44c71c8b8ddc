"""Summons: where they come in the order of turns, how many there may be, and how they end."""

import random

import pytest
from fights import fight, fighter, spell

from botapp.fight.actions import Cast, EndTurn
from botapp.fight.board import neighbours
from botapp.fight.rules import IllegalAction, apply, apply_expected, expected, legal_actions, winner
from botapp.fight.spells import Effect, EffectKind, Stats, Summon

dice = random.Random(0)
HERE, THERE = 286, 315
FREE = neighbours(HERE)
END = EndTurn()
IMP = Summon("imp", "Imp", 12, 30, 4, 3, (spell("bite", initial_cooldown=2),), Stats(agility=20))
CALL = spell("call", (Effect(EffectKind.SUMMON, summon=IMP),), ap=1)


def summoner(**changes):
    return fighter(0, 0, HERE, [CALL, spell("jab", min_range=0, ap=1)], **changes)


def start(**changes):
    return fight(summoner(**changes), fighter(1, 1, THERE, [spell(needs_sight=False)]))


def test_a_summon_stands_there_with_its_own_sheet_and_acts_right_after_its_summoner():
    state = start()
    after = apply(state, Cast("call", FREE[0]), dice)
    imp = after.fighter(2)
    assert (imp.cell, imp.team, imp.summoner, imp.hp, imp.base_ap, imp.base_mp) == (FREE[0], 0, 0, 30, 4, 3)
    assert (imp.stats, imp.spells, imp.cooldowns) == (IMP.stats, IMP.spells, (("bite", 2),))
    assert after.order == (0, 2, 1)
    assert after.actor.id == 0
    assert apply(after, END, dice).actor.id == 2
    assert apply_expected(state, Cast("call", FREE[0])) == after
    assert expected(state, Cast("call", FREE[0]))[0].summons == 1


def test_later_summons_come_after_earlier_ones():
    state = start(stats=Stats(summons=2))
    for cell in FREE[:2]:
        state = apply(state, Cast("call", cell), dice)
    assert state.order == (0, 2, 3, 1)


def test_there_may_be_only_so_many_at_once():
    state = apply(start(), Cast("call", FREE[0]), dice)
    assert not any(isinstance(a, Cast) and a.spell == "call" for a in legal_actions(state))
    with pytest.raises(IllegalAction, match="more than 1 summons") as refused:
        apply(state, Cast("call", FREE[1]), dice)
    assert refused.value.condition == "summons"
    gone = apply(state, Cast("jab", FREE[0]), dice)
    while gone.fighter(2).hp:
        gone = apply(gone, Cast("jab", FREE[0]), dice)
    assert apply(gone, Cast("call", FREE[0]), dice).fighter(3).summoner == 0


def test_a_taken_cell_is_refused():
    with pytest.raises(IllegalAction) as refused:
        apply(start(), Cast("call", THERE), dice)
    assert refused.value.condition == "free-cell"


def test_summons_die_with_their_summoner_and_cannot_fight_on_alone():
    state = apply(start(hp=5), Cast("call", FREE[0]), dice)
    mate = state.changed(fighters=(*state.fighters, fighter(3, 0, 20)), order=(*state.order, 3))
    theirs = apply(apply(mate, END, dice), END, dice)
    assert theirs.actor.id == 1
    after = apply(theirs, Cast("jab", HERE), dice)
    assert [f.hp for f in after.fighters[:3]] == [0, 100, 0]
    assert winner(after) is None
    alone = apply(apply(apply(state, END, dice), END, dice), Cast("jab", HERE), dice)
    assert winner(alone) == 1


def test_a_summon_of_a_summon_dies_with_both():
    parent = Summon("nest", "Nest", 12, 30, 4, 0, (CALL,))
    state = fight(
        fighter(0, 0, HERE, [spell("nest", (Effect(EffectKind.SUMMON, summon=parent),))], hp=5),
        fighter(1, 1, THERE, [spell(needs_sight=False)]),
    )
    nested = apply(apply(state, Cast("nest", FREE[0]), dice), END, dice)
    free = next(c for c in neighbours(FREE[0]) if c not in (HERE, THERE))
    both = apply(nested, Cast("call", free), dice)
    assert both.order == (0, 2, 3, 1)
    theirs = apply(apply(both, END, dice), END, dice)
    assert [f.hp for f in apply(theirs, Cast("jab", HERE), dice).fighters] == [0, 100, 0, 0]
