"""Fights of spells made of anything at all."""

import random

from casts import HERE, at
from fights import fight, fighter, spell

from botapp.fight.spells import (
    Affects,
    Asks,
    Basis,
    Condition,
    Effect,
    EffectKind,
    Element,
    Shape,
    State,
    Trigger,
    Who,
)

CASTS = (EffectKind.CAST, EffectKind.CAST_BY, EffectKind.CAST_ON_CELL)
MARKS = (EffectKind.GLYPH, EffectKind.TRAP)
PLAIN = tuple(kind for kind in EffectKind if kind not in (*CASTS, *MARKS, EffectKind.SUMMON))
STATES = (State.ROOTED, State.PACIFIED, "#drunk")


def condition(dice):
    asks = dice.choice(list(Asks))
    return Condition(
        asks,
        dice.choice(STATES) if asks is Asks.STATE else None,
        "test" if asks is Asks.KIND else "",
        dice.randint(1, 100) if asks is Asks.HP_BELOW else 0,
        dice.random() < 0.5,
        dice.random() < 0.5,
    )


def effect(dice, kinds=(*PLAIN, *CASTS * 3)):
    kind, shape = dice.choice(kinds), dice.choice(list(Shape))
    low, group = dice.randint(0, 8), dice.choice([0, 0, 1, 2])
    parts = PLAIN if kind in CASTS else tuple(one for one in PLAIN if one is not EffectKind.TELEPORT)
    payload = dice.randint(1, 3) if kind in (*CASTS, *MARKS) else 0
    return Effect(
        kind,
        low,
        low + dice.randint(0, 3),
        dice.choice(list(Element)),
        shape,
        dice.randint(0, 3),
        turns=dice.randint(0, 3),
        stat=dice.choice(["power", "ap", "resistance"]) if kind is EffectKind.BUFF else "",
        state=dice.choice(STATES) if kind in (EffectKind.STATE, EffectKind.END_STATE) else None,
        affects=dice.choice(list(Affects)),
        payload=tuple(effect(dice, parts) for _ in range(payload)),
        inner=dice.randint(0, 1),
        fall_off=dice.choice([0, 10, 25]),
        fall_steps=dice.randint(0, 4),
        cells=((0, 0), (1, -1)) if shape is Shape.LISTED else (),
        among=tuple(dice.sample(list(Who), dice.choice([0, 0, 3]))),
        conditions=tuple((condition(dice),) for _ in range(dice.choice([0, 0, 1, 2]))),
        trigger=tuple(dice.sample(list(Trigger), dice.choice([0, 0, 1, 2]))),
        trigger_state="#drunk",
        listens=dice.randint(0, 3),
        delay=dice.choice([0, 0, 0, 1]),
        group=group,
        chance=dice.randint(1, 60) if group else dice.choice([0, 0, 50]),
        dispellable=dice.random() < 0.7,
        tag="mine" if kind is EffectKind.END_TAGGED else dice.choice(["", "mine"]),
        order=dice.randint(0, 2),
        percent_of=dice.choice([Basis.POINTS, Basis.POINTS, *Basis]),
    )


def wild_duel(seed):
    """Three fighters close together; each has two spells."""
    dice = random.Random(seed)
    kinds = (*PLAIN, *CASTS * 3, *MARKS)
    spells = [
        spell(
            f"s{n}", tuple(effect(dice, kinds) for _ in range(dice.randint(1, 4))), ap=2, min_range=0, crit=20
        )
        for n in range(2)
    ]
    ally = fighter(2, 1, at(0, 2), spells, summoner=1)
    return fight(fighter(0, 0, HERE, spells, player=True), fighter(1, 1, at(1, 0), spells), ally)
