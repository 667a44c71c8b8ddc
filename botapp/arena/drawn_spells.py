"""Spells drawn at random: those of the content changed in all that spells may differ in, and made-up ones."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from botapp.content.library import classes, monsters
from botapp.fight.core.acts import spell_use
from botapp.fight.core.spellbook import USE_HURTS
from botapp.fight.spells import Affects, Effect, EffectKind, Element, Shape, Spell, State, Summon

_BLOWS = 2
_MADE_UP = 0.4  # The share of spells that no content has
_AS_WRITTEN = 0.25  # The share of the others that stay as the content has them
_STRENGTH = 0.3  # Standard deviation of the logarithm of what a spell's dice are changed by
_DAMAGE_AN_AP = 4.0
_IN_HP = {EffectKind.DAMAGE, EffectKind.STEAL, EffectKind.HEAL, EffectKind.SHIELD}
_STATS_IN_HP = {"damage", "heals", "crit_damage", "push_damage", "push_resistance", "crit_resistance"}
_ZONES = (
    (Shape.POINT, 0), (Shape.POINT, 0), (Shape.CROSS, 1), (Shape.CROSS, 2), (Shape.CIRCLE, 1),
    (Shape.CIRCLE, 2), (Shape.CIRCLE, 3), (Shape.LINE, 2), (Shape.LINE, 3), (Shape.T, 1), (Shape.SQUARE, 1),
    (Shape.RING, 2), (Shape.CONE, 2), (Shape.DIAGONAL, 1),
)  # fmt: skip
_BUFFS = {
    "ap": 1, "mp": 1, "range": 2, "strength": 60, "intelligence": 60, "chance": 60, "agility": 60,
    "power": 50, "damage": 4, "resistance": 12, "lock": 20, "flee": 20, "crit": 15, "erosion": 15,
    "wisdom": 60, "final_damage": 15,
}  # fmt: skip
"""What made-up spells change, and by how much about."""


def drawn_spells(count: int, scale: float, rng: random.Random) -> tuple[Spell, ...]:
    """Returns so many spells, two blows among them at the least.

    Args:
        count: how many, two or more.
        scale: HP and damage are so many times those of the arena's classes.
    """
    blows, spells = written_spells()
    drawn = []
    for number in range(count):
        blow = number < _BLOWS
        if rng.random() < _MADE_UP:
            drawn.append(_made_up(f"drawn_{number}", blow, scale, rng))
        else:
            written = rng.choice(blows if blow else spells)
            drawn.append(replace(_varied(written, scale, rng), key=f"drawn_{number}"))
    return tuple(drawn)


@cache
def written_spells() -> tuple[Sequence[Spell], Sequence[Spell]]:
    known = [owner for _, owner in sorted((classes() | monsters()).items()) if not owner.unseen]
    there = {spell.key: spell for template in known for spell in template.spells}
    return [spell for spell in there.values() if spell_use(spell) & USE_HURTS], list(there.values())


def _made_up(key: str, blow: bool, scale: float, rng: random.Random) -> Spell:
    ap = rng.choice((2, 3, 3, 4, 4, 5))
    least, most = rng.choice(((1, 1), (1, 2), (1, 4), (1, 6), (2, 6), (3, 8), (0, 3), (0, 6)))
    shape, radius = rng.choice(_ZONES)
    amount = _DAMAGE_AN_AP * ap * scale * math.exp(rng.gauss(0, _STRENGTH)) / (1.25 if radius else 1)
    main, cooldown = (_blow if blow else rng.choice(_KINDS))(amount, rng)
    if main.kind is EffectKind.TELEPORT:
        least, most = 1, max(3, most)
    if main.affects is Affects.CASTER:
        least = most = 0
    effects = [replace(main, shape=shape, radius=radius) if main.kind in _ZONED else main]
    if main.kind in _IN_HP and rng.random() < 0.4:
        effects.append(_rider(rng))
    return Spell(
        key,
        key,
        ap,
        least,
        most,
        tuple(effects),
        in_line=rng.random() < 0.25,
        needs_sight=rng.random() < 0.85,
        needs_taken_cell=main.kind is EffectKind.SWAP,
        needs_free_cell=main.kind is EffectKind.TRAP,
        boostable_range=most > 1 and rng.random() < 0.5,
        crit=rng.choice((0, 10, 25)),
        casts_per_turn=rng.choice((0, 0, 1, 2)),
        casts_per_target=rng.choice((0, 0, 1, 2)),
        cooldown=cooldown or rng.choice((0, 0, 0, 2, 3)),
    )


_ZONED = {EffectKind.DAMAGE, EffectKind.HEAL, EffectKind.SHIELD, EffectKind.REMOVE_AP, EffectKind.REMOVE_MP,
          EffectKind.BUFF, EffectKind.GLYPH, EffectKind.TRAP}  # fmt: skip

Made = tuple[Effect, int]  # What a made-up spell does, and its cooldown, 0 where it need not have one


def _blow(amount: float, rng: random.Random) -> Made:
    low, high = round(0.85 * amount), round(1.15 * amount)
    return Effect(EffectKind.DAMAGE, low, high, rng.choice(list(Element))), 0


def _theft(amount: float, rng: random.Random) -> Made:
    return replace(_blow(0.7 * amount, rng)[0], kind=EffectKind.STEAL), 0


def _help(amount: float, rng: random.Random) -> Made:
    affects = rng.choice((Affects.TEAM, Affects.CASTER, Affects.ALLIES))
    kind = rng.choice((EffectKind.HEAL, EffectKind.SHIELD))
    effect = Effect(kind, round(1.7 * amount), round(2.3 * amount), affects=affects, turns=rng.randint(1, 3))
    return effect, rng.randint(2, 5)


def _change(amount: float, rng: random.Random) -> Made:
    stat, usual = rng.choice(list(_BUFFS.items()))
    sign, affects = rng.choice(((1, Affects.TEAM), (1, Affects.CASTER), (-1, Affects.ENEMIES)))
    size = sign * max(1, round(usual * rng.uniform(0.5, 2)))
    effect = Effect(EffectKind.BUFF, size, size, turns=rng.randint(1, 3), stat=stat, affects=affects)
    return effect, rng.randint(2, 5)


def _condition(amount: float, rng: random.Random) -> Made:
    affects = rng.choice((Affects.CASTER, Affects.ENEMIES, Affects.TEAM))
    state = rng.choice(list(State))
    return Effect(EffectKind.STATE, turns=rng.randint(1, 2), state=state, affects=affects), rng.randint(3, 6)


def _on_the_ground(amount: float, rng: random.Random) -> Made:
    blow = replace(_blow(amount, rng)[0], shape=Shape.CIRCLE, radius=1)
    payload = (blow, _rider(rng)) if rng.random() < 0.3 else (blow,)
    if rng.random() < 0.5:
        return Effect(EffectKind.TRAP, turns=0, payload=payload), 2
    glyph = Effect(EffectKind.GLYPH, turns=rng.randint(1, 3), payload=payload, affects=Affects.ENEMIES)
    return glyph, 3


def _robbery(amount: float, rng: random.Random) -> Made:
    kind = rng.choice((EffectKind.REMOVE_AP, EffectKind.REMOVE_MP, EffectKind.STEAL_AP, EffectKind.STEAL_MP))
    return Effect(kind, 1, rng.randint(1, 3), affects=Affects.ENEMIES), rng.choice((0, 2))


def _move(amount: float, rng: random.Random) -> Made:
    return Effect(rng.choice((EffectKind.TELEPORT, EffectKind.SWAP))), rng.randint(2, 4)


_KINDS: tuple[Callable[[float, random.Random], Made], ...] = (
    _blow, _theft, _help, _help, _change, _change, _condition, _condition, _on_the_ground, _robbery, _move,
)  # fmt: skip


def _rider(rng: random.Random) -> Effect:
    kind, cells = rng.choice((EffectKind.PUSH, EffectKind.PULL)), rng.randint(1, 3)
    push = Effect(kind, cells, cells)
    return rng.choice((push, push, _robbery(0, rng)[0], _change(0, rng)[0], _condition(0, rng)[0]))


def _varied(spell: Spell, scale: float, rng: random.Random) -> Spell:
    """Returns a spell for a level, most often one that was changed in all that may differ between spells."""
    if rng.random() < _AS_WRITTEN:
        return replace(spell, effects=_scaled(spell.effects, scale, scale, {}))
    elements = list(Element)
    rng.shuffle(elements)
    dice = math.exp(rng.gauss(0, _STRENGTH))
    effects = _scaled(spell.effects, scale * dice, scale, dict(zip(Element, elements, strict=True)))
    if rng.random() < 0.25:
        effects = _reshaped(effects, *rng.choice(_ZONES))
    longest = spell.max_range
    if longest > 0:
        longest = max(1, longest + rng.choice((-2, -1, 0, 0, 1, 2, 4)))
    return replace(
        spell,
        ap=max(1, min(8, spell.ap + rng.choice((-1, 0, 0, 1)))),
        min_range=min(spell.min_range, longest),
        max_range=longest,
        effects=effects,
        in_line=spell.in_line != (rng.random() < 0.12),
        needs_sight=spell.needs_sight != (rng.random() < 0.1),
        boostable_range=spell.boostable_range != (rng.random() < 0.15),
        crit=rng.choice((spell.crit, 0, rng.randint(5, 30))),
        crit_bonus=round(spell.crit_bonus * scale),
        casts_per_turn=rng.choice((spell.casts_per_turn, spell.casts_per_turn, 1, 2, 3)),
        casts_per_target=rng.choice((spell.casts_per_target, spell.casts_per_target, 1, 2)),
        cooldown=rng.choice((spell.cooldown, spell.cooldown, 0, 2, 4)),
    )


def _scaled(
    effects: tuple[Effect, ...], hp: float, scale: float, elements: dict[Element, Element]
) -> tuple[Effect, ...]:
    """Returns effects with what counts in HP times `hp`, of buffs times `scale`, and in other elements."""
    return tuple(_one_scaled(effect, hp, scale, elements) for effect in effects)


def _one_scaled(effect: Effect, hp: float, scale: float, elements: dict[Element, Element]) -> Effect:
    factor = hp if effect.kind in _IN_HP else scale if effect.stat in _STATS_IN_HP else 1.0
    changes: dict[str, Any] = {"element": elements.get(effect.element, effect.element)}
    if factor != 1.0:
        for name in ("low", "high", "crit_low", "crit_high"):
            value = getattr(effect, name)
            changes[name] = None if value is None else round(value * factor)
    if effect.payload:
        changes["payload"] = _scaled(effect.payload, hp, scale, elements)
    if effect.summon is not None:
        changes["summon"] = _grown(effect.summon, scale)
    return replace(effect, **changes)


def _grown(summon: Summon, scale: float) -> Summon:
    spells = tuple(
        replace(spell, effects=_scaled(spell.effects, scale, scale, {})) for spell in summon.spells
    )
    return replace(summon, hp=max(1, round(summon.hp * scale)), spells=spells)


def _reshaped(effects: tuple[Effect, ...], shape: Shape, radius: int) -> tuple[Effect, ...]:
    return tuple(
        replace(effect, shape=shape, radius=radius) if effect.kind in _IN_HP else effect for effect in effects
    )
