"""Fights that the default policy plays by itself, hundreds a second on a core, for the learned evaluation.

They are played weakly but there is no end to them: from them it learns what fighters, spells and places are
worth at all, from the search's own fights (`botapp.learning.outcomes`) what that is worth to good players.
"""

import random
from dataclasses import replace

import numpy as np

from botapp.arena.drawn_fighters import with_drawn_fighters
from botapp.arena.scenarios import LARGEST_TEAM, Pool, adventure, team
from botapp.content.play_styles import play_style_of
from botapp.fight.rules import DRAW
from botapp.fight.spells import Buff, State
from botapp.fight.state import CellFlag, Fighter, FightState
from botapp.learning.outcomes import Played, as_played
from botapp.learning.rows import Rows, padded
from botapp.search.policy_fight import PolicyFight

_TIMES = 3  # Fights between the same fighters, each from other places, with other HP and dice
_STATES = 10  # States kept of a fight at most
_ROUNDS = 40
_WILD = 0.7
_ADVENTURES = 0.15
_UNEQUAL = 0.2
_AS_WRITTEN = 0.1  # The share of fights between the content's own fighters
_SCATTERED = 0.5  # The share of fights that begin anywhere on the board, some fighters hurt or in some state
_STATE = 0.15  # The share of their fighters that are in some state
_SEEDS = 2**31 - 1


def play_quickly(number: int) -> list[Played]:
    """Plays some fights between the fighters that a number draws; the same number gives the same states."""
    rng = random.Random(f"quick {number}")
    state = _begin(rng, number)
    fights = []
    for _ in range(_TIMES):
        begun = scattered(state, rng) if rng.random() < _SCATTERED else state
        fights.append(_played(begun, number, rng))
    return fights


def _begin(rng: random.Random, number: int) -> FightState:
    pool: Pool = "wild" if rng.random() < _WILD else "seen"
    if rng.random() < _ADVENTURES:
        state = adventure(number, pool=pool)
    else:
        red = rng.randint(1, LARGEST_TEAM)
        blue = rng.randint(1, LARGEST_TEAM) if rng.random() < _UNEQUAL else red
        state = team(number, red, blue, pool=pool)
    return state if rng.random() < _AS_WRITTEN else with_drawn_fighters(state, rng)


def scattered(state: FightState, rng: random.Random) -> FightState:
    """Returns a fight that begins anywhere on the board, some fighters hurt or in some state."""
    floor = [cell for cell, flag in enumerate(state.map.cells) if flag == CellFlag.FLOOR]
    cells = rng.sample(floor, len(state.fighters))
    fighters = (
        replace(fighter, cell=cell, hp=_hp_left(fighter, rng), buffs=_in_some_state(fighter, rng))
        for fighter, cell in zip(state.fighters, cells, strict=True)
    )
    return replace(state, fighters=tuple(fighters), current=rng.randrange(len(state.order)))


def _hp_left(fighter: Fighter, rng: random.Random) -> int:
    return fighter.hp if rng.random() < 0.5 else max(1, round(fighter.hp * rng.uniform(0.1, 1)))


def _in_some_state(fighter: Fighter, rng: random.Random) -> tuple[Buff, ...]:
    if rng.random() >= _STATE:
        return ()
    return (Buff(fighter.id, rng.randint(1, 2), state=rng.choice(list(State))),)


def _played(state: FightState, number: int, rng: random.Random) -> Played:
    fight = PolicyFight(state, play_style_of)
    positions: list[tuple[Rows, Rows]] = []
    won: int | None = None
    while won is None and fight.round <= _ROUNDS:
        taken = padded(*fight.inputs())
        if taken is not None:
            positions.append(taken)
        won = fight.play_turn(rng.randrange(_SEEDS))
    if len(positions) > _STATES:
        positions = rng.sample(positions, _STATES)
    return as_played(
        number, positions, [np.nan] * len(positions), 0.5 if won is None or won == DRAW else 1.0 - won
    )
