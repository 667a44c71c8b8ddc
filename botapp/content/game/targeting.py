"""The targets of a line of a spell: its area, mask and triggers, and the effects for all of them."""

from dataclasses import dataclass, replace
from typing import Any

from botapp.content.game.grammar import AreaSpread, Mask, Triggers
from botapp.content.game.lines import GameLine
from botapp.content.game.wanted import Left
from botapp.fight.spells import Affects, Asks, Conditions, Effect, EffectKind, Shape, Who
from botapp.host.message import say

LONGEST = 63  # Turns that stand for no end
ON_THE_GROUND = (
    EffectKind.TELEPORT,
    EffectKind.GLYPH,
    EffectKind.TRAP,
    EffectKind.SUMMON,
    EffectKind.CAST_ON_CELL,
)
"""Kinds of effects that act on a cell, whether or not a fighter stands there."""


@dataclass(frozen=True, slots=True)
class Targeting:
    """A line's area, mask and triggers, read."""

    area: AreaSpread
    mask: Mask
    waits: Triggers

    @property
    def caster_alone(self) -> bool:
        return (self.mask.caster and self.mask.affects is None) or self.mask.among == (Who.CASTER,)

    @property
    def about_caster(self) -> bool:
        asked = all(c.of_caster for clause in self.mask.conditions for c in clause)
        return asked or self.caster_alone


def turns_of(turns: int) -> int:
    """Returns how long something lasts in the rules' words, where 0 has no end."""
    if turns < 0 or turns >= LONGEST:
        return 0
    return max(1, turns)


def placed(targeting: Targeting, line: GameLine, effect: Effect, spell: int, stacks: int) -> list[Effect]:
    """Returns an effect for every fighter that a line reaches: in its area, and the caster apart from it.

    Args:
        effect: what happens to each.
        spell: the number of the spell that the line belongs to.
        stacks: how often what that spell gives may lie on one fighter, 0 for no limit.

    Raises:
        Left: it acts on the ground, and should wait for something.
    """
    waits, mask, area = targeting.waits, targeting.mask, targeting.area
    common: dict[str, Any] = {
        "dispellable": line.dispellable == 1,
        "tag": effect.tag or str(spell),
        "conditions": mask.conditions,
        "stacks": stacks if effect.kind is EffectKind.BUFF or waits.triggers else 0,
    }
    if waits.triggers or line.delay:
        common |= {
            "trigger": waits.triggers,
            "trigger_state": waits.state,
            "listens": turns_of(line.listens or line.turns) if waits.triggers else 0,
            "delay": min(LONGEST, line.delay),
        }
    in_area: dict[str, Any] = {
        "shape": area.shape,
        "radius": area.radius,
        "inner": area.inner,
        "fall_off": area.fall_off,
        "fall_steps": area.fall_steps,
    }
    if effect.kind in ON_THE_GROUND:
        if not targeting.caster_alone:
            common["conditions"] = _of_caster(mask.conditions)
        if not waits.triggers and not line.delay:
            return [replace(effect, affects=Affects.ALL, **in_area, **common)]
        if effect.kind not in (EffectKind.GLYPH, EffectKind.TRAP) or not targeting.caster_alone:
            raise Left(say("what should happen on the ground later"))
        laid = replace(effect, affects=Affects.ALL, tag=common["tag"], **in_area)
        return [Effect(EffectKind.CAST_BY, affects=Affects.CASTER, payload=(laid,), **common)]
    if mask.cause:
        return [replace(effect, affects=Affects.CAUSE, **common)]
    reached = []
    if mask.among == (Who.CASTER,) and area.shape is Shape.EVERYWHERE:
        reached.append(replace(effect, affects=Affects.CASTER, **common))
    elif mask.affects is not None:
        reached.append(replace(effect, affects=mask.affects, among=mask.among, **in_area, **common))
    if mask.caster:
        reached.append(replace(effect, affects=Affects.CASTER, **common))
    return reached


_CASTER_ALONE = Mask(None, (), True, False, (), False, ())


def on_caster(targeting: Targeting) -> Targeting:
    mask = _CASTER_ALONE._replace(conditions=_of_caster(targeting.mask.conditions))
    return replace(targeting, area=AreaSpread(Shape.POINT), mask=mask)


def _of_caster(conditions: Conditions) -> Conditions:
    return tuple(clause for clause in conditions if all(c.of_caster or c.asks is Asks.CASTER for c in clause))
