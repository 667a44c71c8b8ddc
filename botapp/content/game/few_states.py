"""Keeps the states that a fighter's spells speak of few: the rules have room for 62 in a whole fight.

Those that its spells mention least are taken as never there: nothing gives them, and what asks for one
reaches no fighter.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from botapp.content.game.spells import NEVER
from botapp.fight.spells import Conditions, Effect, EffectKind, Spell, StateName, Summon

_GIVING = (EffectKind.STATE, EffectKind.END_STATE)


def with_few_states(spells: Iterable[Spell], most: int) -> tuple[Spell, ...]:
    """Returns a fighter's spells, speaking of at most so many states that are only names.

    Args:
        most: how many such states may be left.
    """
    given = tuple(spells)
    counts = Counter(state for spell in given for state in _named(spell))
    if len(counts) <= most:
        return given
    rare = frozenset(state for state, _ in counts.most_common()[most:])
    return tuple(_without(spell, rare) for spell in given)


def _named(spell: Spell) -> Iterator[str]:
    """Returns the states that are only names, once for each time that a spell speaks of them."""
    yield from _asked(spell.criterion)
    yield from (change.state for change in spell.changes if isinstance(change.state, str))
    waiting = list(spell.effects)
    while waiting:
        effect = waiting.pop()
        waiting += effect.payload
        yield from _asked(effect.conditions)
        yield from (state for state in (effect.state, effect.trigger_state) if isinstance(state, str))
        for inner in effect.summon.spells if effect.summon is not None else ():
            yield from _named(inner)


def _asked(conditions: Conditions) -> Iterator[str]:
    return (c.state for clause in conditions for c in clause if isinstance(c.state, str))


def _without(spell: Spell, rare: Collection[StateName]) -> Spell:
    criterion = _met(spell.criterion, rare)
    if criterion is None:
        return replace(spell, effects=(), criterion=NEVER, changes=())
    changes = tuple(change for change in spell.changes if change.state not in rare)
    return replace(spell, effects=_kept(spell.effects, rare), criterion=criterion, changes=changes)


def _kept(effects: Iterable[Effect], rare: Collection[StateName]) -> tuple[Effect, ...]:
    """Returns the effects that can still happen."""
    remaining = []
    for effect in effects:
        conditions = _met(effect.conditions, rare)
        gives = effect.kind in _GIVING and effect.state in rare
        if conditions is None or gives or effect.trigger_state in rare:
            continue
        payload = _kept(effect.payload, rare)
        if effect.payload and not payload:
            continue
        summon = effect.summon and _pruned(effect.summon, rare)
        remaining.append(replace(effect, conditions=conditions, payload=payload, summon=summon))
    return tuple(remaining)


def _pruned(summon: Summon, rare: Collection[StateName]) -> Summon:
    return replace(summon, spells=tuple(_without(spell, rare) for spell in summon.spells))


def _met(conditions: Conditions, rare: Collection[StateName]) -> Conditions | None:
    """Returns what is left of conditions where some states are never there; None where they cannot hold."""
    left = []
    for clause in conditions:
        if any(condition.unless and condition.state in rare for condition in clause):
            continue
        rest = tuple(condition for condition in clause if condition.state not in rare)
        if not rest:
            return None
        left.append(rest)
    return tuple(left)
