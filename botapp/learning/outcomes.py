"""States of fights with how each fight ended, for the learned evaluation.

A state is taken at the beginning of each turn, which is where rollouts end too.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from botapp.arena.drawn_fighters import with_drawn_fighters
from botapp.arena.scenarios import LARGEST_TEAM, Pool, adventure, duel, outcome, team
from botapp.fight.actions import Action, EndTurn
from botapp.fight.core.capacity import CapacityError
from botapp.fight.rules import DRAW, apply, observation
from botapp.fight.state import FightState
from botapp.learning.contrasts import Contrast, contrast
from botapp.learning.rows import MOST_ROWS, Rows, padded
from botapp.learning.slips import slipped
from botapp.search.core.evaluation import INPUT, PAIR
from botapp.search.learned import load
from botapp.search.options import SearchOptions
from botapp.search.result import SearchResult, search_turn
from botapp.search.tree import TurnSearch

_ROUNDS = 40  # A fight still on after so many rounds counts as a draw
_ROOM = 40
_SLIPS = (0.0, 0.0, 0.03, 0.1)  # Shares of actions taken at random, one of them for each side of a fight
_KIND_SHARES = (0.1, 0.1, 0.8)
_WILD = 0.4  # The share of fights on maps that no other fight has
_DEEP = 2000, 480  # Actions of rollouts and nodes of a search that compares the ends of a turn


@dataclass(frozen=True, slots=True)
class Played:
    """A fight's states."""

    fight: int  # Its number, which is its seed
    rows: Rows  # [states, `MOST_ROWS`, `INPUT`], the team first; rows without a fighter have -1 there
    pairs: Rows  # [states, `MOST_ROWS`, `MOST_ROWS`, `PAIR`]
    # [states], how likely team 0 was to win by the search, not a number where none was made
    chances: npt.NDArray[np.float32]
    won: float  # 1 where team 0 won, 0 where it lost, 0.5 for a draw
    contrasts: tuple[Contrast, ...] = ()  # Of some turns, what a deeper search found of their ends


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """How fights are played."""

    rollout_actions: int = 96  # Of each decision
    nodes: int = 240  # Of each decision
    weights: str | None = None  # File of the evaluation by which one plays, None for the hand-made one
    pool: Pool = "seen"  # Where classes and maps come from
    contrasted: float = 0.0  # The share of turns whose ends are compared by a deeper search
    drawn: float = 0.7
    replies: int = 0  # States evaluated for the turn of each of the others in a rollout, see `SearchOptions`

    @property
    def budget(self) -> tuple[int, int]:
        """The actions of rollouts and the nodes of a usual decision."""
        return self.rollout_actions, self.nodes


def play(settings: PlaySettings, fight: int) -> Played:
    """Plays the fight of a seed; the same seed gives the same states.

    One that outgrows the room that the rules have counts as a draw.
    """
    rng = random.Random(f"outcome {fight}")
    state = _begin(rng, fight, settings.pool)
    if settings.pool == "seen" and rng.random() < settings.drawn:
        state = with_drawn_fighters(state, rng)
    learned = None if settings.weights is None else load(Path(settings.weights))
    slips = [rng.choice(_SLIPS) for _ in range(2)]
    positions: list[tuple[Rows, Rows]] = []
    chances: list[float] = []
    contrasts: list[Contrast] = []
    turn: tuple[int, int] | None = None
    while (won := outcome(state)) is None and state.turn <= _ROUNDS:
        team = state.actor.team
        begins = turn != (state.turn, state.actor.id)
        turn = state.turn, state.actor.id
        deep = begins and rng.random() < settings.contrasted
        actions, nodes = _DEEP if deep else settings.budget
        options = SearchOptions(actions, nodes, learned=learned, replies=settings.replies)
        result = searched(state, options)
        action, chance = _best(result)
        if deep and result is not None:
            ends = contrast(result, team, thrown=not settings.replies)
            if ends is not None:
                contrasts.append(ends)
        if begins:
            taken = padded(*TurnSearch(state, 0).inputs())
            if taken is not None:
                positions.append(taken)
                chances.append(chance if team == 0 else 1 - chance)
        if rng.random() < slips[team]:
            action = slipped(state, rng)
        try:
            state = apply(state, action, rng)
        except CapacityError:  # drawn fighters may lay more glyphs than there is room for
            break
    share = 0.5 if won is None or won == DRAW else 1.0 - won
    return replace(as_played(fight, positions, chances, share), contrasts=tuple(contrasts))


def as_played(
    fight: int, states: Sequence[tuple[Rows, Rows]], chances: Sequence[float], won: float
) -> Played:
    """Returns a fight's states together, each as `padded` has it."""
    rows = np.zeros((len(states), MOST_ROWS, INPUT), np.float16)
    pairs = np.zeros((len(states), MOST_ROWS, MOST_ROWS, PAIR), np.float16)
    for place, (row, pair) in enumerate(states):
        rows[place], pairs[place] = row, pair
    return Played(fight, rows, pairs, np.array(chances, np.float32), won)


def _begin(rng: random.Random, seed: int, pool: Pool) -> FightState:
    if pool == "seen" and rng.random() < _WILD:
        pool = "wild"
    kind = rng.choices(range(3), _KIND_SHARES)[0]
    if kind == 2:
        return team(seed, rng.randint(1, LARGEST_TEAM), pool=pool)
    scenario: Callable[..., FightState] = (duel, adventure)[kind]
    return scenario(seed, pool=pool)


def searched(state: FightState, options: SearchOptions) -> SearchResult | None:
    """Searches what a side knows of a state; None where it cannot be searched."""
    try:
        return search_turn(observation(state, state.actor.team), _ROOM, options)
    except ValueError:
        return None


def _best(result: SearchResult | None) -> tuple[Action, float]:
    if result is None:
        return EndTurn(), math.nan
    best = result.best()
    return best.action, result.chance(best)
