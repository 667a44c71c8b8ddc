"""Fighters drawn at random, so that what is learned is the game and not the few classes there are.

Next hop: `botapp.learning.outcomes` has some of its fights fought by them.
"""

import random
from dataclasses import replace

from botapp.content.library import classes
from botapp.fight.core.content import spell_use
from botapp.fight.core.layout import USE_HURTS
from botapp.fight.state import Fighter, FightState

_OWN_SPELLS = 0.3
"""The share of fighters that keep their class's spells."""
_SPELLS = 4, 8
_BLOWS = 2
_HP = 0.6, 1.6
_AP, _MP = (6, 12), (3, 6)


def with_drawn_fighters(state: FightState, rng: random.Random) -> FightState:
    """Returns a fight's beginning with other spells, points, stats and HP for each fighter.

    Spells are drawn from those of all classes for training, two blows among them at the least; stats are
    those of a class, HP 0.6 to 1.6 times what they were.
    """
    return replace(state, fighters=tuple(_drawn(fighter, rng) for fighter in state.fighters))


def _drawn(fighter: Fighter, rng: random.Random) -> Fighter:
    known = [template for _, template in sorted(classes().items()) if not template.unseen]
    hp = max(1, round(fighter.max_hp * rng.uniform(*_HP)))
    ap, mp = rng.randint(*_AP), rng.randint(*_MP)
    spells, stats = fighter.spells, fighter.stats
    if rng.random() >= _OWN_SPELLS:
        there = {spell.key: spell for template in known for spell in template.spells}
        blows = [spell for spell in there.values() if spell_use(spell) & USE_HURTS]
        picked = {spell.key: spell for spell in rng.sample(blows, _BLOWS)}
        picked |= {
            spell.key: spell for spell in rng.sample(list(there.values()), rng.randint(*_SPELLS) - _BLOWS)
        }
        spells = tuple(picked.values())
        stats = rng.choice(known).stats
    return replace(
        fighter, hp=hp, max_hp=hp, ap=ap, base_ap=ap, mp=mp, base_mp=mp, spells=spells, stats=stats
    )
