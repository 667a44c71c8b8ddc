"""What golden traces keep of states, actions and outcomes: every field there was when they were recorded.

A field that comes later is left out, so that it is neutral.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from botapp.fight.actions import Action, Cast, Move
from botapp.fight.spells import Buff, Effect, Stats
from botapp.fight.state import Fighter, FightState, Mark

STAT_NAMES = (
    "strength", "intelligence", "chance", "agility", "power", "damage", "heals", "wisdom", "lock", "flee",
    "range", "initiative", "resistance", "fixed_resistance", "crit", "crit_damage", "push_damage",
    "push_resistance", "withdraw", "dodge", "erosion", "summons",
)  # fmt: skip
"""The sheet as it was recorded: a stat that comes later is left out of the hashes."""

DIGITS = 4
"""Hexadecimal digits of a hash. Two different states have the same one once in 65,536, and an engine that
differs stays different for the steps that follow; hashes do not compress: eight would cost 160 KB more."""

OUTCOME_NAMES = (
    "damage", "heal", "shield", "ap", "mp", "ap_gain", "mp_gain", "moved", "cell", "marks", "summons",
)  # fmt: skip
"""The numbers of an `Outcome`; its buffs come on top."""


def state_hash(state: FightState) -> str:
    """Returns a hash of everything in a state that was recorded, as hexadecimal digits.

    Numbers must be plain: one of numpy's is another value here. Cooldowns and casts have no order.
    """
    return _digest(fields_of(state))


def fields_of(state: FightState) -> tuple[Any, ...]:
    """Returns everything in a state that was recorded, as plain numbers and texts; the map by its key."""
    return (
        state.map.key,
        state.order,
        state.current,
        state.turn,
        state.placing,
        tuple(map(_fighter, state.fighters)),
        tuple(map(_mark, state.marks)),
    )


def actions_hash(actions: Sequence[Action]) -> str:
    """Returns a hash of actions in their order, paths and all."""
    return _digest(tuple(map(_plain, actions)))


def outcome_numbers(outcome: Any) -> dict[str, Any]:
    """Returns what an `Outcome` says, what is as in an empty one left out; floats to 1e-9."""
    told = {name: getattr(outcome, name) for name in OUTCOME_NAMES}
    numbers = {name: round(value, 9) for name, value in told.items()}
    buffs = {"buffs": [list(_buff(buff)) for buff in outcome.buffs]}
    empty = {"cell": -1}
    return {name: value for name, value in (numbers | buffs).items() if value not in (empty.get(name, 0), [])}


def _digest(value: tuple[Any, ...]) -> str:
    return blake2b(repr(value).encode(), digest_size=4).hexdigest()[:DIGITS]


def _plain(action: Action) -> tuple[Any, ...]:
    if isinstance(action, Move):
        return ("move", action.path)
    if isinstance(action, Cast):
        return ("cast", action.spell, action.target)
    return (type(action).__name__, action.target)


def _fighter(one: Fighter) -> tuple[Any, ...]:
    return (
        *(one.id, one.name, one.kind, one.team, one.cell, one.level, one.hp, one.max_hp, one.ap, one.mp),
        *(one.base_ap, one.base_mp, one.shield, one.eroded, one.summoner, one.player),
        tuple([spell.key for spell in one.spells]),
        _stats(one.stats),
        tuple(sorted(one.cooldowns)),
        tuple(sorted(one.casts)),
        tuple(sorted(one.assumed)),
        tuple(map(_buff, one.buffs)),
    )


@lru_cache(maxsize=1 << 12)
def _stats(stats: Stats) -> tuple[Any, ...]:
    return tuple([getattr(stats, name) for name in STAT_NAMES])


def _buff(buff: Buff) -> tuple[Any, ...]:
    return (buff.caster, buff.turns, buff.stat, buff.amount, buff.state and buff.state.value)


def _mark(mark: Mark) -> tuple[Any, ...]:
    payload = tuple(map(_effect, mark.payload))
    return (mark.kind.value, mark.owner, mark.cell, mark.cells, mark.turns, payload, mark.name)


@lru_cache(maxsize=1 << 12)
def _effect(effect: Effect) -> tuple[Any, ...]:
    """Returns an effect of a payload, which holds no other one."""
    return (
        *(effect.kind.value, effect.low, effect.high, effect.crit_low, effect.crit_high),
        *(effect.element.value, effect.shape.value, effect.radius, effect.turns, effect.stat),
        *(effect.state and effect.state.value, effect.affects.value),
    )
