"""Spells that change the damage, heals, cost, range, limits or cooldown of a spell: a state of its caster.

While the caster is in the state, the dice of the spell are higher, it is another spell where its cost, range
or conditions are changed, or it cannot be cast; however often the state is given, it counts once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from botapp.content.game.effect_ids import EFFECT_IDS, How
from botapp.content.game.lines import SpellLevel
from botapp.fight.spells import Asks, Basis, Condition, Effect, EffectKind, SpellChange

Boosts = Mapping[tuple[int, int], int]
"""By how much a spell changes, by the effect's number and the spell that is changed, 0 for all spells."""

RAISED = {293: (EffectKind.DAMAGE, EffectKind.STEAL), 2935: (EffectKind.HEAL,)}
"""The kinds of effects that each of these effect numbers raises."""

COOLDOWN = 1045
_MOST_SPELLS = 600
_MADE: Mapping[int, tuple[str, int]] = {
    2906: ("min_range", 0),
    2905: ("max_range", 0),
    280: ("min_range", 1),
    295: ("min_range", -1),
    281: ("max_range", 1),
    285: ("ap", -1),
    296: ("ap", 1),
    287: ("crit", 1),
    290: ("casts_per_turn", 1),
    291: ("casts_per_target", 1),
}
"""The number of a spell that each of these effect numbers changes, and whether it is added to (1), taken off
(-1) or set (0); in the order in which they count."""
_CONDITIONS: Mapping[int, tuple[str, int]] = {
    289: ("needs_sight", 0),
    297: ("needs_taken_cell", 0),
    299: ("needs_free_cell", 1),
    314: ("needs_taken_cell", 1),
    798: ("needs_taken_cell", 1),
}
"""The condition of a spell that each of these makes or lifts."""
_ORDER = (*_MADE, *_CONDITIONS)
_SETS = frozenset(number for number, (_, sign) in _MADE.items() if sign == 0)
OF_SPELLS = (How.BOOST, How.CHANGE, How.COOLDOWN, How.RANGE)
"""The ways of effect numbers whose first number is the spell that they change; a range of all spells is a
stat."""


class _Levels(Protocol):
    def level(self, spell: int, grade: int) -> SpellLevel | None:
        """Returns a spell at a grade, None where it is not there."""
        ...


def boost_state(number: int, spell: int) -> str:
    """Returns the state of a caster whose spell an effect of this number has raised."""
    return f"#{number}-{spell}"


def boosts_among(data: _Levels, spells: Iterable[tuple[int, int]]) -> Boosts:
    """Returns which of a fighter's spells raise which others, those that they cast among both."""
    waiting, known = list(spells), set[tuple[int, int]]()
    boosted: dict[tuple[int, int], int] = {}
    while waiting and len(known) < _MOST_SPELLS:
        waiting_spell = waiting.pop()
        level = None if waiting_spell in known else data.level(*waiting_spell)
        known.add(waiting_spell)
        for line in () if level is None else level.lines:
            row = EFFECT_IDS.get(line.number)
            if row is not None and row.how in (How.CAST, How.MARK):
                waiting.append((line.first, max(1, line.second)))
            elif row is not None and row.how in OF_SPELLS:
                if row.how is How.RANGE and not line.first:
                    continue  # a change of the stat
                key = (line.number, line.first)
                boosted[key] = max(boosted.get(key, 0), line.third)
    there = {spell for spell, _ in known} | {0}
    return {
        key: amount
        for key, amount in boosted.items()
        if key[1] in there and (amount > 0 or (amount == 0 and key[0] in _SETS))
    }


def raised(effects: list[Effect], spell: int, boosts: Boosts) -> list[Effect]:
    """Returns a spell's effects, each that may be raised as two: with the caster's state and without it."""
    for number, kinds in RAISED.items():
        amount = boosts.get((number, spell))
        if amount:
            state = boost_state(number, spell)
            effects = [part for effect in effects for part in _as_two(effect, kinds, amount, state)]
    return effects


def changes_of(spell: int, boosts: Boosts) -> tuple[SpellChange, ...]:
    """Returns what states of its caster change of a spell's cost, range, limits and conditions."""
    mine = [key for key in boosts if key[0] in _ORDER and key[1] in (0, spell)]
    return tuple(_change(key, boosts[key]) for key in sorted(mine, key=lambda key: _ORDER.index(key[0])))


def _change(key: tuple[int, int], amount: int) -> SpellChange:
    number, state = key[0], boost_state(*key)
    if number in _CONDITIONS:
        return SpellChange(state, *_CONDITIONS[number], sets=True)
    name, sign = _MADE[number]
    return SpellChange(state, name, sign * amount if sign else amount, sets=not sign)


def _as_two(effect: Effect, kinds: tuple[EffectKind, ...], amount: int, state: str) -> tuple[Effect, ...]:
    if effect.kind not in kinds or effect.percent_of is not Basis.POINTS:
        return (effect,)
    plain = Condition(Asks.STATE, state=state, of_caster=True, unless=True)
    higher = Condition(Asks.STATE, state=state, of_caster=True)
    return (
        replace(effect, conditions=(*effect.conditions, (plain,))),
        replace(
            effect,
            low=effect.low + amount,
            high=effect.high + amount,
            crit_low=None if effect.crit_low is None else effect.crit_low + amount,
            crit_high=None if effect.crit_high is None else effect.crit_high + amount,
            conditions=(*effect.conditions, (higher,)),
        ),
    )
