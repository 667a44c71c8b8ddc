"""Fights in which both sides win about half, as small searches play them, for what compares players.

The HP of team 0 (against monsters: of the monsters) are scaled until that is so. Seeds on which that cannot
be had, or whose fights mostly end undecided, tell players apart badly and are left out.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import Literal

from botapp.arena.player_spec import policy_of
from botapp.arena.scenarios import Pool, adventure, team
from botapp.fight.rules import DRAW
from botapp.fight.state import FightState
from botapp.search.whole_fights import WholeFight

PoolName = Literal["unseen", "drawn", "seen", "monsters"]
QUICK = "quick:states=60,evaluation=learned,ends=2"
_GREEDY = "greedy"
_FIGHTS = 16
"""Fights of each step: the share of fights won is off by an eighth."""
_STEPS = 7
_LOWEST, _HIGHEST = 0.25, 4.0
_NEAR = 0.15
"""How far from a half the share of fights won may be."""
_STALLING = 0.5
"""Share of undecided fights from which on a seed is left out."""


def fight_of(pool: PoolName, size: int, seed: int) -> FightState:
    """Returns the fight of a seed as it is written; against monsters the player is alone."""
    if pool == "monsters":
        return adventure(seed)
    arena_pool: Pool = pool
    return team(seed, size, pool=arena_pool)


def scaled(state: FightState, share: float, pool: PoolName) -> FightState:
    """Returns a fight with the HP of team 0, or of the monsters, times a share."""
    side = 1 if pool == "monsters" else 0
    fighters = tuple(
        one.changed(hp=max(1, round(one.hp * share)), max_hp=max(1, round(one.max_hp * share)))
        if one.team == side
        else one
        for one in state.fighters
    )
    return state.changed(fighters=fighters)


def even_share(pool: PoolName, size: int, seed: int, shares: Path | None = None) -> float | None:
    """Returns the share of HP that evens a fight out; None where there is none.

    Args:
        pool, size, seed: which fight.
        shares: a file of shares found before: {"POOL SIZE SEED": share or null}.
    """
    if shares is not None:
        known = _known(shares)
        if (key := f"{pool} {size} {seed}") in known:
            return known[key]
    return _found(pool, size, seed)


@cache
def _known(path: Path) -> dict[str, float | None]:
    found: dict[str, float | None] = json.loads(path.read_text("utf-8"))
    return found


@cache
def _found(pool: PoolName, size: int, seed: int) -> float | None:
    low, high, share = _LOWEST, _HIGHEST, 1.0
    harder = pool == "monsters"
    for step in range(_STEPS):
        won, draws = _won(pool, size, seed, share, step)
        if abs(won - 0.5) <= _NEAR:
            return share if draws <= _STALLING else None
        if (won > 0.5) != harder:
            high = share
        else:
            low = share
        share = math.sqrt(low * high)
    return None


def _won(pool: PoolName, size: int, seed: int, share: float, step: int) -> tuple[float, float]:
    """Returns the points of team 0 and the draws, as shares of some fights."""
    state = scaled(fight_of(pool, size, seed), share, pool)
    red, blue = policy_of(QUICK), policy_of(_GREEDY if pool == "monsters" else QUICK)
    fight = WholeFight(state, red, blue)
    winners = [fight.play(1000 * seed + _FIGHTS * step + number).winner for number in range(_FIGHTS)]
    draws = winners.count(DRAW)
    return (winners.count(0) + draws / 2) / _FIGHTS, draws / _FIGHTS
