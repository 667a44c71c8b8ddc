"""Spells that change the damage, heals, cost or cooldown of a spell: a state that its caster is in.

While the caster is in the state, the dice of the spell raised are higher, or a part of what it cost comes
back, more is taken, or it cannot be cast; however often it is given, it counts once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from botapp.content.game.effect_ids import EFFECT_IDS, How
from botapp.content.game.lines import SpellLevel
from botapp.fight.spells import Affects, Asks, Basis, Condition, Effect, EffectKind

Boosts = Mapping[tuple[int, int], int]
"""By how much dice grow, by the effect's number and the spell whose dice they are."""

RAISED = {293: (EffectKind.DAMAGE, EffectKind.STEAL), 2935: (EffectKind.HEAL,)}
"""The kinds of effects that each of these effect numbers raises."""

CHEAPER, DEARER, COOLDOWN = 285, 296, 1045
_MOST_SPELLS = 600


class _Levels(Protocol):
    def level(self, spell: int, grade: int) -> SpellLevel | None:
        """Returns a spell at a grade, None where it is not there."""
        ...


def boost_state(number: int, spell: int) -> str:
    """Returns the state of a caster whose spell an effect of this number has raised."""
    return f"#{number}-{spell}"


def boosts_among(data: _Levels, spells: Iterable[tuple[int, int]]) -> Boosts:
    """Returns which of a fighter's spells raise which others, those that they cast among both.

    Args:
        data: the game's data.
        spells: numbers and grades of the fighter's spells.
    """
    waiting, known = list(spells), set[tuple[int, int]]()
    found: dict[tuple[int, int], int] = {}
    while waiting and len(known) < _MOST_SPELLS:
        one = waiting.pop()
        level = None if one in known else data.level(*one)
        known.add(one)
        for line in () if level is None else level.lines:
            row = EFFECT_IDS.get(line.number)
            if row is not None and row.how in (How.CAST, How.MARK):
                waiting.append((line.first, max(1, line.second)))
            elif row is not None and row.how in (How.BOOST, How.COOLDOWN):
                key = (line.number, line.first)
                found[key] = max(found.get(key, 0), line.third)
    there = {spell for spell, _ in known}
    return {key: amount for key, amount in found.items() if key[1] in there and amount > 0}


def raised(effects: list[Effect], spell: int, boosts: Boosts) -> list[Effect]:
    """Returns a spell's effects, each that may be raised as two: with the caster's state and without it."""
    for number, kinds in RAISED.items():
        amount = boosts.get((number, spell))
        if amount:
            state = boost_state(number, spell)
            effects = [one for effect in effects for one in _as_two(effect, kinds, amount, state)]
    return effects


def paid(spell: int, boosts: Boosts) -> list[Effect]:
    """Returns what comes back or is taken once a spell was cast whose cost an effect has changed."""
    found = []
    for number in (CHEAPER, DEARER):
        amount = boosts.get((number, spell), 0)
        if amount:
            state = Condition(Asks.STATE, state=boost_state(number, spell), of_caster=True)
            change = Effect(EffectKind.GIVE_AP, amount, amount)
            if number == DEARER:
                change = Effect(EffectKind.BUFF, -amount, -amount, stat="ap", turns=1)
            found.append(replace(change, affects=Affects.CASTER, conditions=((state,),)))
    return found


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
