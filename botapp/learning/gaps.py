"""What a screen never shows, hidden at random: the model has to live with gaps, so it learns with them.

Next hop: `botapp.learning.fights` has encoded the state with gaps, while the search saw the whole one.
"""

import random
from dataclasses import replace

from botapp.fight.state import Fighter, FightState
from botapp.tracking.priors import prior

_BAR_PIXELS = 36
_UNRECOGNISED = 0.2
_SHEET_UNKNOWN = 0.25
_BAR_ONLY = 0.6
_FULL_POINTS = 0.5


def hide(state: FightState, rng: random.Random) -> FightState:
    """Returns the state as the current actor's player might know it: own side whole, enemies with gaps."""
    team = state.actor.team
    return replace(state, fighters=tuple(f if f.team == team else _veiled(f, rng) for f in state.fighters))


def _veiled(enemy: Fighter, rng: random.Random) -> Fighter:
    if enemy.hp <= 0:
        return enemy
    if rng.random() < _UNRECOGNISED:
        return _stranger(enemy, rng)
    if rng.random() < _SHEET_UNKNOWN:
        guess = prior(enemy.level)
        enemy = replace(enemy, stats=guess.stats, assumed=enemy.assumed | {"stats"})
    if rng.random() < _BAR_ONLY:
        shown = round(_BAR_PIXELS * enemy.hp / enemy.max_hp) / _BAR_PIXELS
        enemy = replace(enemy, hp=max(1, round(shown * enemy.max_hp)))
    if rng.random() < _FULL_POINTS:
        enemy = replace(enemy, ap=enemy.base_ap, mp=enemy.base_mp, cooldowns=(), shield=0)
    return enemy


def _stranger(enemy: Fighter, rng: random.Random) -> Fighter:
    """Returns an enemy whose kind was not recognised: its place and its bar's length are all there is."""
    guess = prior(max(1, round(enemy.level * rng.uniform(0.7, 1.3))))
    share = enemy.hp / enemy.max_hp
    return Fighter(
        id=enemy.id,
        name=guess.name,
        kind=guess.kind,
        team=enemy.team,
        cell=enemy.cell,
        level=guess.level,
        hp=max(1, round(share * guess.max_hp)),
        max_hp=guess.max_hp,
        ap=guess.ap,
        mp=guess.mp,
        base_ap=guess.ap,
        base_mp=guess.mp,
        spells=guess.spells,
        stats=guess.stats,
        assumed=guess.assumed | {"kind"},
    )
