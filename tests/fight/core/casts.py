"""Casts on the arrays, seen from outside: a state goes in, the state after an action comes out."""

from fights import fight, fighter, spell
from layout import DICE, HASH_A, HASH_B, SEED, TAPE, TAPE_AT, WAY

from botapp.fight.board import to_cell, to_xy
from botapp.fight.core import requests as ask_for
from botapp.fight.core.casting import CONDITIONS
from botapp.fight.core.compiler import decimals
from botapp.fight.core.pack import pack, unpack
from botapp.fight.spells import Effect, EffectKind, State

HERE = to_cell(15, 0)


def at(dx, dy, cell=HERE):
    """The cell (dx, dy) away."""
    x, y = to_xy(cell)
    return to_cell(x + dx, y + dy)


def asked(what, packed, *numbers):
    """What the core answers through the one entry that Python has to it."""
    x, y, z = (*numbers, 0, 0, 0)[:3]
    return ask_for.ask(what, packed.s, packed.s, packed.b, decimals(1), packed.s, x, y, z)


def after(state, what, *numbers, dice=None):
    """The state after an action of the core; dice on their mean, or as told, each 0 to 1."""
    packed = pack(state)
    s = packed.s
    if dice is not None:
        s[DICE], s[SEED] = TAPE, 1
        for place, value in enumerate(dice):
            s[TAPE_AT + place] = int(value * 2**31)
    asked(ask_for.REHASH, packed)
    asked(what, packed, *numbers)
    hashes = s[HASH_A], s[HASH_B]
    asked(ask_for.REHASH, packed)
    assert (s[HASH_A], s[HASH_B]) == hashes
    return unpack(packed, s)


def cast(state, target, slot=0, dice=None):
    """The state after the actor has cast a spell, by its slot, at a cell."""
    assert not refused(state, target, slot)
    return after(state, ask_for.CAST, slot, target, dice=dice)


def refused(state, target, slot=0):
    """Why the actor may not cast a spell at a cell, "" where it may."""
    caster = state.fighters.index(state.actor)
    return CONDITIONS[asked(ask_for.REFUSAL, pack(state), caster, slot, target)]


def end(state):
    return after(state, ask_for.END)


def walk(state, *cells):
    """The state after the actor has walked along some cells."""
    packed = pack(state)
    packed.s[WAY : WAY + 1 + len(cells)] = [len(cells), *cells]
    assert asked(ask_for.WALK, packed) == 0
    return unpack(packed, packed.s)


def duel(*effects, far=1, caster=None, target=None, others=(), **rules):
    """A fight of a caster of one spell on HERE against a target `far` cells ahead."""
    jab = spell("jab", effects, min_range=0, max_range=20, **rules)
    return fight(
        fighter(0, 0, HERE, [jab], **(caster or {})),
        fighter(1, 1, at(far, 0), [spell("poke", (hit(10),))], **(target or {})),
        *others,
    )


def hit(low=10, high=None, **fields):
    return Effect(EffectKind.DAMAGE, low, low if high is None else high, **fields)


def give(state=State.FOCUSED, **fields):
    return Effect(EffectKind.STATE, **{"state": state, "turns": 2, **fields})


def lost(state, number=1):
    return state.fighters[number].max_hp + state.fighters[number].eroded - state.fighters[number].hp
