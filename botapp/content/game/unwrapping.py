"""A cast of another spell told as that spell's own effects, where that comes to the same."""

from dataclasses import replace

from botapp.content.game.targeting import ON_THE_GROUND
from botapp.fight.spells import Affects, Effect, EffectKind, Shape


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
    everyone = Affects.ALL, ()
    whom = effect.affects, effect.among
    alike = whom == everyone or (cast.affects, cast.among) in (everyone, whom)
    aside = effect.affects in (Affects.CASTER, Affects.CAUSE) or effect.kind in ON_THE_GROUND
    return effect.shape is Shape.POINT and alike and not aside and _stays_the_same(effect)
