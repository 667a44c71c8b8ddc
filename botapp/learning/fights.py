"""Fights to learn from: who meets whom, how they play, and which of their states the search labels.

A fight is played first, by quick players; then some of its states, drawn at random, are judged. So a long
fight does not outweigh short ones, and the judgement, which is what takes time, is spent on many fights.
Next hop: `botapp.learning.generate` plays them on all cores.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from botapp.advisor.search_stage import search_state
from botapp.advisor.tokens import encode
from botapp.arena.players import GreedyPlayer, Player
from botapp.arena.scenarios import LARGEST_TEAM, Pool, adventure, duel, outcome, team
from botapp.arena.search_player import SearchPlayer
from botapp.content.play_styles import play_style_of
from botapp.fight.actions import Action, Cast, Move
from botapp.fight.rules import DRAW, apply, legal_actions, observation
from botapp.fight.state import FightState
from botapp.learning.gaps import hide
from botapp.learning.labels import Label, label
from botapp.search.options import SearchOptions
from botapp.search.turn import Budget, evaluate_candidates

KINDS = ("duel", "adventure", "team")
"""The kinds of fights, in the order of their codes."""

_KIND_SHARES = (0.35, 0.2, 0.45)
_WILD = 0.3
"""The share of fights on maps that no other fight has, where the seen pool is asked for."""
_JUDGED = 0.5, 32
"""Which share of a fight's states is judged, and how many at most."""
_RELABELLED = 0.8, 64
"""The same where a student plays: its thinking makes a state dear, so more of them are used."""
_ROUNDS = 30
"""A fight still on after so many rounds counts as a draw."""
_HIDDEN_SHARE = 0.5
_SLIPS = (0.0, 0.05, 0.15, 0.3)
_SLIP_KINDS = (0.5, 0.4, 0.1)
_GREED = 0.7
"""The share of sides that play by greed, of those that are no student's."""
_OTHER_STUDENT = 0.5
_ROLLOUT_ACTIONS = ((0, 16, 24, 32), (48, 64, 96, 128))
"""How many actions of rollouts a state is shown with, once of each row: judging it takes ten times as long as
encoding it, and the same weights then do for any number of them."""
_HASTE = 60
"""States the search evaluates for a decision where it plays."""


@dataclass(frozen=True, slots=True)
class Curriculum:
    """What all fights of a data set have in common.

    Attributes:
        search_states: states the search evaluates to judge one.
        pool: where classes and maps come from: seen ones are for training.
        student: the content of a file of weights; it then plays, and the states it comes to are judged.
        rollout_actions: actions of rollouts in each state shown, None for a mixture.
    """

    search_states: int = 400
    pool: Literal["seen", "unseen"] = "seen"
    student: bytes | None = None
    rollout_actions: int | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """A judged state of a fight.

    Attributes:
        label: the tokens and the regrets.
        fight: the fight's number, which is its seed.
        kind: code of the fight's kind, an index of `KINDS`.
        sizes: fighters alive on the actor's side and on the other, summons left out.
        outcome: 1 where the actor's team won, -1 where it lost, 0 for a draw.
    """

    label: Label
    fight: int
    kind: int
    sizes: tuple[int, int]
    outcome: int


@dataclass(frozen=True, slots=True)
class Habit:
    """How a side plays in one fight: as a player does, with slips.

    Attributes:
        player: whom it plays like.
        slip: the share of actions that are taken at random.
        watched: whether the states it decides in are judged.
    """

    player: Player
    slip: float
    watched: bool = True

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns a legal action for the current actor."""
        return slipped(state, rng) if rng.random() < self.slip else self.player.choose(state, rng)


def begin(seed: int, pool: Pool) -> tuple[int, FightState]:
    """Returns the kind of a seed's fight and its beginning; "seen" also has maps of the seed's own."""
    rng = random.Random(f"kind {seed}")
    kind = rng.choices(range(len(KINDS)), _KIND_SHARES)[0]
    if pool == "seen" and rng.random() < _WILD:
        pool = "wild"
    if kind == 2:
        return kind, team(seed, rng.randint(2, LARGEST_TEAM), pool=pool)
    scenario: Callable[..., FightState] = (duel, adventure)[kind]
    return kind, scenario(seed, pool=pool)


def samples(curriculum: Curriculum, fight: int) -> list[Sample]:
    """Plays the fight of a seed and returns its judged states; the same seed gives the same ones."""
    rng = random.Random(f"fight {fight}")
    kind, state = begin(fight, curriculum.pool)
    habits = _habits(curriculum, rng)
    visited: list[FightState] = []
    while (won := outcome(state)) is None and state.turn <= _ROUNDS:
        if habits[state.actor.team].watched:
            visited.append(state)
        state = apply(state, habits[state.actor.team].choose(state, rng), rng)
    share, most = _JUDGED if curriculum.student is None else _RELABELLED
    wanted = min(most, math.ceil(share * len(visited)))
    rng.shuffle(visited)
    found: list[Sample] = []
    used = 0
    for seen in visited:
        if used == wanted:
            break
        judged = _judged(seen, curriculum, rng)
        own = seen.actor.team
        result = 0 if won is None or won == DRAW else 1 if won == own else -1
        sizes = _alive(seen, own), _alive(seen, 1 - own)
        found += [Sample(one, fight, kind, sizes, result) for one in judged]
        used += bool(judged)
    return found


def _habits(curriculum: Curriculum, rng: random.Random) -> Sequence[Habit]:
    """Returns how both sides play."""
    if curriculum.student is None:
        return [Habit(_quick(rng), rng.choice(_SLIPS)) for _ in range(2)]
    from botapp.learning.student import student  # noqa: PLC0415 - it loads torch

    own = student(curriculum.student)
    if rng.random() < _OTHER_STUDENT:
        return [Habit(own, rng.choice(_SLIPS)) for _ in range(2)]
    sides = [Habit(own, rng.choice(_SLIPS)), Habit(_quick(rng), rng.choice(_SLIPS), watched=False)]
    return sides if rng.random() < 0.5 else sides[::-1]


def _quick(rng: random.Random) -> Player:
    return GreedyPlayer() if rng.random() < _GREED else SearchPlayer(_HASTE)


def slipped(state: FightState, rng: random.Random) -> Action:
    """Returns an action at random: a cast, a walk or the end of the turn, then one of those there are."""
    kinds: list[list[Action]] = [[], [], []]
    for action in legal_actions(state):
        kinds[0 if isinstance(action, Cast) else 1 if isinstance(action, Move) else 2].append(action)
    there = [(actions, weight) for actions, weight in zip(kinds, _SLIP_KINDS, strict=True) if actions]
    return rng.choice(rng.choices([a for a, _ in there], [w for _, w in there])[0])


def _judged(state: FightState, curriculum: Curriculum, rng: random.Random) -> list[Label]:
    """Lets the search judge a state that the model may see with gaps, and with more rollouts or fewer.

    Returns:
        The same judgement for each number of rollout actions; nothing where there is no choice to make,
        or there are too many fighters to encode.
    """
    known = observation(state, state.actor.team)
    shown = hide(known, rng) if rng.random() < _HIDDEN_SHARE else known
    rows = _ROLLOUT_ACTIONS if curriculum.rollout_actions is None else ((curriculum.rollout_actions,),)
    try:
        encoded = [encode(search_state(shown, SearchOptions(rng.choice(row)))) for row in rows]
    except ValueError:
        return []
    if len(encoded[0].candidates) < 2:
        return []
    scores = evaluate_candidates(known, Budget(states=curriculum.search_states), play_style_of)
    return [found for one in encoded if (found := label(one, scores)) is not None]


def _alive(state: FightState, side: int) -> int:
    return sum(1 for f in state.fighters if f.team == side and f.hp > 0 and f.summoner is None)
