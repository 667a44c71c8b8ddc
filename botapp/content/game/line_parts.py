"""Parts of a spell's effects: dice, critical hits, chance, lines that repeat others, casts within casts."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from botapp.content.game.effect_ids import EFFECT_IDS, How
from botapp.content.game.lines import GameLine
from botapp.content.game.targeting import ON_THE_GROUND
from botapp.fight.spells import Affects, Basis, Effect, EffectKind, Shape


def diced(line: GameLine, critical: GameLine | None, kind: EffectKind, basis: Basis = Basis.POINTS) -> Effect:
    """Returns an effect with a line's dice, and those of its critical hit where they differ."""
    low, high = _dice(line)
    crit_low, crit_high = (None, None) if critical is None else _dice(critical)
    if (crit_low, crit_high) == (low, high):
        crit_low = crit_high = None
    return Effect(kind, low, high, crit_low=crit_low, crit_high=crit_high, percent_of=basis)


def _dice(line: GameLine) -> tuple[int, int]:
    low = max(0, line.first)
    return low, max(low, line.second)


def added(effect: Effect, amount: int) -> Effect:
    """Returns an effect whose dice are higher by an amount; no dice stay none."""
    return replace(
        effect,
        low=effect.low + amount if effect.low else 0,
        high=effect.high + amount if effect.high else 0,
        crit_low=None if effect.crit_low is None else effect.crit_low + amount,
        crit_high=None if effect.crit_high is None else effect.crit_high + amount,
    )


def negative(effect: Effect) -> Effect:
    crit_low = None if effect.crit_high is None else -effect.crit_high
    crit_high = None if effect.crit_low is None else -effect.crit_low
    return replace(effect, low=-effect.high, high=-effect.low, crit_low=crit_low, crit_high=crit_high)


def taken(spare: list[GameLine], line: GameLine) -> GameLine | None:
    """Takes the line of a critical hit that stands for a usual one out of those that are left."""
    for index, other in enumerate(spare):
        same_target = other.number == line.number and other.mask == line.mask
        if same_target and other.triggers == line.triggers and other.third == line.third:
            return spare.pop(index)
    return None


def told_once(lines: Sequence[GameLine]) -> Sequence[GameLine]:
    """Returns lines without those that tell of one spell after the other what the first tells of them all."""
    of_all = [line._replace(order=0) for line in lines if not line.first and _changes_a_spell(line)]
    if not of_all:
        return lines
    return [line for line in lines if not line.first or line._replace(order=0, first=0) not in of_all]


def _changes_a_spell(line: GameLine) -> bool:
    """Tells whether a line's first number is the spell that it changes, 0 for all."""
    row = EFFECT_IDS.get(line.number)
    return row is not None and row.how in (How.CHANGE, How.RANGE)


def does_nothing(line: GameLine) -> bool:
    """Tells whether a line only shows something."""
    row = EFFECT_IDS.get(line.number)
    return row is not None and row.how is How.NOTHING


def chances_of(lines: Sequence[GameLine]) -> Iterable[dict[str, Any]]:
    """Returns each line's part in chance: one of several groups happens, a lone one by its percent."""
    groups = [0 if not line.weight else line.group or 10_000 + index for index, line in enumerate(lines)]
    lone = len(set(groups) - {0}) == 1
    for line, group in zip(lines, groups, strict=True):
        if not group:
            yield {}
        elif lone:
            yield {} if line.weight >= 10_000 else {"chance": max(1, line.weight // 100)}
        else:
            yield {"group": group, "chance": line.weight}


def unwrapped(cast: Effect) -> tuple[Effect, ...]:
    """Returns a cast of another spell as that spell's own effects, as far as they come to the same.

    The search looks at what a spell does itself when it weighs threats: casts within casts are slower and
    count for less.
    """
    if cast.kind is EffectKind.CAST_ON_CELL:
        bare = all(_stays_the_same(effect) for effect in cast.payload)
        asked = tuple(tuple(replace(c, of_caster=True) for c in clause) for clause in cast.conditions)
        if not bare:
            return (cast,)
        return tuple(replace(effect, conditions=(*asked, *effect.conditions)) for effect in cast.payload)
    if cast.kind is not EffectKind.CAST or cast.affects in (Affects.CASTER, Affects.CAUSE):
        return (cast,)
    own = tuple(effect for effect in cast.payload if _is_for_who_stands_there(effect, cast))
    rest = tuple(effect for effect in cast.payload if effect not in own)
    own_now = tuple(
        replace(
            effect,
            affects=cast.affects if effect.affects is Affects.ALL and not effect.among else effect.affects,
            among=cast.among if effect.affects is Affects.ALL and not effect.among else effect.among,
            conditions=(*cast.conditions, *effect.conditions),
        )
        for effect in own
    )
    return (*own_now, replace(cast, payload=rest)) if rest else own_now


def _stays_the_same(effect: Effect) -> bool:
    """Tells whether an effect of another spell cast at the cell may be the spell's own."""
    free = effect.kind not in (EffectKind.TELEPORT, EffectKind.SUMMON)
    return free and not effect.group and not effect.chance


def _is_for_who_stands_there(effect: Effect, cast: Effect) -> bool:
    """Tells whether an effect of another spell cast at a fighter may be the spell's own."""
    all_fighters = Affects.ALL, ()
    affected = effect.affects, effect.among
    alike = affected == all_fighters or (cast.affects, cast.among) in (all_fighters, affected)
    aside = effect.affects in (Affects.CASTER, Affects.CAUSE) or effect.kind in ON_THE_GROUND
    return effect.shape is Shape.POINT and alike and not aside and _stays_the_same(effect)
