"""What a spell comes to: its effects and those of the spells that it casts, each with its targets.

Casts within casts are followed as deep as `DEEPEST`. Those who weigh a spell look at its acts, those who play
it at its effects.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from botapp.fight.core import spellbook as at
from botapp.fight.spells import Affects, Asks, Effect, EffectKind, Shape, Spell, State, Trigger

DEEPEST = 4
"""How many casts within each other are followed."""
_MOST_ACTS = 96

_CASTS = (EffectKind.CAST, EffectKind.CAST_BY, EffectKind.CAST_ON_CELL)
_MARKS = (EffectKind.GLYPH, EffectKind.TRAP)
_HURTING = (EffectKind.DAMAGE, EffectKind.STEAL)
_GOOD = (EffectKind.HEAL, EffectKind.SHIELD, EffectKind.GIVE_AP, EffectKind.GIVE_MP)
_WELCOME = (State.INVULNERABLE, State.INVISIBLE, State.UNLOCKABLE, State.FOCUSED)
_RARE = (
    Asks.STATE,
    Asks.KIND,
    Asks.OWN_SUMMON,
    Asks.SUMMONER,
    Asks.SHIELDED,
    Asks.FULL_OF_SUMMONS,
    Asks.CALLED,
)
_CERTAIN = frozenset((Trigger.TURN_BEGIN, Trigger.TURN_END))
_OWN_SIDE = (Affects.TEAM, Affects.ALLIES)
_NOT_IN_THE_AREA = (Affects.CASTER, Affects.CAUSE)


class Act(NamedTuple):
    """Something that a spell does to a fighter.

    Attributes:
        root: the spell's own effect that it comes of.
        area: the effect in whose area the fighters stand that it is aimed at, None where it needs none.
        does: the effect itself, `root` where no cast stands between.
        side: `AT_FOES`, `AT_OWN_SIDE` or `AT_ITSELF`.
        percent: how likely it happens, as far as one can tell; 0 where something else must happen first, or
            where only the aim is known.
        asks: whether it asks for a state, a kind of fighter or the like that is rarely there.
    """

    root: Effect
    area: Effect | None
    does: Effect
    side: int
    percent: int
    asks: bool = False


def helps(effect: Effect) -> bool:
    """Tells whether the effect is good for those it reaches."""
    if effect.kind is EffectKind.BUFF:
        return effect.low + effect.high > 0
    if effect.kind is EffectKind.STATE:
        return effect.state in _WELCOME
    if effect.kind in _CASTS:
        return any(map(helps, effect.payload))
    return effect.kind in _GOOD


def acts_of(effects: Sequence[Effect], on_own_cell: bool = False) -> tuple[Act, ...]:
    """Returns what effects come to, in their order.

    Args:
        effects: those of a spell, or of a mark.
        on_own_cell: whether they can only be aimed at the caster's own cell.
    """
    return tuple(islice(_acts(effects, on_own_cell, 0), _MOST_ACTS))


def areas_of(acts: Sequence[Act]) -> tuple[tuple[Effect, bool], ...]:
    """Returns the distinct areas of acts: an effect that has each, and whether it is for the own side."""
    areas: dict[tuple[object, ...], tuple[Effect, bool]] = {}
    for act in acts:
        if act.area is not None:
            helps_there = act.side == at.AT_OWN_SIDE
            area = act.area.shape, act.area.radius, act.area.inner, act.area.cells
            areas.setdefault((*area, helps_there), (act.area, helps_there))
    return tuple(areas.values())


@lru_cache(maxsize=1 << 12)
def spell_use(spell: Spell) -> int:
    """Returns what the spell is for, as `USE_*` bits."""
    acts = acts_of(spell.effects, spell.max_range == 0)
    aimed = [act for act in acts if act.area is not None]
    sides = {act.side for act in aimed}
    kinds = set(_kinds_on_the_board(spell.effects, 0))
    bits = {
        at.USE_HURTS: any(map(_strikes, acts)),
        at.USE_HARMS: at.AT_FOES in sides,
        at.USE_HELPS: at.AT_OWN_SIDE in sides,
        at.USE_ITSELF: any(act.side == at.AT_ITSELF for act in acts),
        at.USE_JUMPS: EffectKind.TELEPORT in kinds,
        at.USE_SUMMONS: EffectKind.SUMMON in kinds,
        at.USE_TRAPS: EffectKind.TRAP in kinds,
        at.USE_MOVES: any(act.does.kind in (EffectKind.PUSH, EffectKind.PULL) for act in acts),
        at.USE_WIDE: any(act.area is not None and act.area.shape is not Shape.POINT for act in aimed),
    }
    return sum(bit for bit, holds in bits.items() if holds)


def attacks(spell: Spell) -> bool:
    """Tells whether a spell is an attack, which the pacified cannot cast and the invisible are seen by."""
    own = any(effect.kind in _HURTING for effect in spell.effects)
    return own or bool(spell_use(spell) & at.USE_HURTS)


def _strikes(act: Act) -> bool:
    return act.does.kind in _HURTING and act.side == at.AT_FOES and act.percent > 0 and not act.asks


def _kinds_on_the_board(effects: Sequence[Effect], deep: int) -> Iterator[EffectKind]:
    """Returns the kinds of effects, those of spells cast at the cell among them."""
    for effect in effects:
        yield effect.kind
        if effect.kind is EffectKind.CAST_ON_CELL and deep < DEEPEST:
            yield from _kinds_on_the_board(effect.payload, deep + 1)


def _acts(effects: Sequence[Effect], on_own_cell: bool, deep: int) -> Iterator[Act]:
    for effect in sorted(effects, key=lambda effect: effect.order):
        if effect.kind in (EffectKind.TELEPORT, EffectKind.SUMMON):
            continue
        if effect.kind not in (*_CASTS, *_MARKS):
            aim = None if effect.affects in _NOT_IN_THE_AREA else effect
            yield Act(effect, aim, effect, _side(effect), _likelihood(effect, effects), _asks(effect))
        elif deep < DEEPEST:
            for act in _acts(effect.payload, on_own_cell, deep + 1):
                if effect.kind in _MARKS:
                    yield _from_mark(effect, act)
                else:
                    yield from _from_cast(effect, act, _likelihood(effect, effects), on_own_cell)


def _side(effect: Effect) -> int:
    if effect.affects in _NOT_IN_THE_AREA:
        return at.AT_ITSELF
    return _side_meant(effect, at.AT_OWN_SIDE if helps(effect) else at.AT_FOES)


def _side_meant(effect: Effect, otherwise: int) -> int:
    """Returns which side an effect is for, `otherwise` where it reaches both."""
    if effect.affects is Affects.ENEMIES:
        return at.AT_FOES
    return at.AT_OWN_SIDE if effect.affects in _OWN_SIDE else otherwise


def _likelihood(effect: Effect, effects: Sequence[Effect]) -> int:
    """Returns how likely an effect happens among others, in percent, as far as one can tell."""
    if effect.trigger and _CERTAIN.isdisjoint(effect.trigger):
        return 0
    if effect.group:
        weights = [(other.group, other.chance) for other in effects if other.group]
        own = sum(chance for group, chance in weights if group == effect.group)
        return round(100 * own / max(1, sum(chance for _, chance in weights)))
    return effect.chance or 100


def _asks(effect: Effect) -> bool:
    """Tells whether an effect's conditions ask for something that is rarely there."""
    return any(all(c.asks in _RARE and not c.unless for c in clause) for clause in effect.conditions)


def _from_mark(mark: Effect, act: Act) -> Act:
    """Returns what a mark does as an act of its spell: who stands in a glyph's area is aimed at."""
    aimed = mark.kind is EffectKind.GLYPH and mark.affects is not Affects.CASTER
    side = act.side
    if side == at.AT_ITSELF or mark.affects is Affects.CASTER:
        side = at.AT_OWN_SIDE if aimed and helps(act.does) else at.AT_ITSELF
    return Act(mark, mark if aimed and side != at.AT_ITSELF else None, act.does, side, 0)


def _from_cast(cast: Effect, act: Act, percent: int, on_own_cell: bool) -> Iterator[Act]:
    """Returns what a spell cast by another one does as acts of that other one."""
    likely, asks = act.percent * percent // 100, act.asks or _asks(cast)
    around = act.area is not None and act.area.shape is not Shape.POINT
    if cast.kind is EffectKind.CAST_ON_CELL or (cast.affects is Affects.CASTER and on_own_cell):
        yield Act(cast, act.area, act.does, act.side, likely, asks)
    elif cast.affects is Affects.CASTER:
        yield Act(cast, None, act.does, act.side if around else at.AT_ITSELF, likely, asks)
    elif cast.affects is not Affects.CAUSE:
        by_target = cast.kind is EffectKind.CAST_BY
        on_target = by_target and act.does.affects in (Affects.ALL, Affects.TEAM, Affects.CASTER)
        if not on_target and (by_target or act.side == at.AT_ITSELF):
            if not by_target:
                yield Act(cast, None, act.does, at.AT_ITSELF, likely, asks)
            sides = {_side_meant(cast, side) for side in (at.AT_FOES, at.AT_OWN_SIDE)}
            yield from (Act(cast, cast, act.does, side, 0) for side in sorted(sides))
        else:
            own = at.AT_OWN_SIDE if helps(act.does) else at.AT_FOES
            side = _side_meant(cast, own if on_target else act.side)
            wide = around and cast.shape is Shape.POINT and not on_target
            yield Act(cast, act.area if wide else cast, act.does, side, likely, asks)
