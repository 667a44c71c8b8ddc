"""Recorded deliberations: states of fights, what slices of search said of them, and what a deep search says.

A fight is played by quick players; of some of its states the turn is searched slice by slice several times
over, by the schedule, at random candidates and by the model where one is given, and everything that a
deliberation would have read is kept. A far longer search with other dice gives the values of the
candidates. At some moments every way to look is tried in turn, with the schedule afterwards: so each look
has a price in regret against the schedule's own.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from botapp.advisor.evidence import EVIDENCE, MOST, PROGRESS, Deliberated, EvidenceReading
from botapp.advisor.facts import MOST_FIGHTERS
from botapp.advisor.search_stage import room, search_state
from botapp.arena.players.base import Player
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import FIRST_TRAINING_SEED, LARGEST_TEAM, Pool, adventure, outcome, team
from botapp.fight.actions import Action
from botapp.fight.rules import DRAW, apply, observation
from botapp.fight.state import FightState
from botapp.learning.slips import slipped
from botapp.search.core.static import STEEPNESS
from botapp.search.learned import LearnedEvaluation, named
from botapp.search.options import REPLY_LOOKS, SearchOptions
from botapp.search.result import SearchResult, search_turn
from botapp.search.room import Saved
from botapp.search.tree import TurnSearch

SLICES = 8
READINGS = SLICES + 1
MODES = ("schedule", "random", "model")
PRICE = 0.05

_DRAWN, _ADVENTURES, _WILD = 0.6, 0.1, 0.3
"""Shares of the fights to train on: between drawn fighters; adventures; of the others, on wild maps."""
_ROUNDS = 30
_SLIPS = (0.0, 0.03, 0.1, 0.25)
DEEP_ACTIONS = 8_000  # Actions of the others in the deep search, where nothing else is asked for
_ACTIONS, _REPLIED = (96, 4000), (48, 1500)
"""Actions of the others that all slices of a state take together, at least and at most; where they reply."""
_NODES = 1000, 20_000
_BROAD = 300, 32, 4
"""From so many actions on rollouts begin at so many ends, and so many walks are tried: as `bare` does."""
_NARROW = 16, 2
_SCHEDULED = 0.5  # The share of slices that go by the schedule where looks are drawn at random
_FIRST = 8  # Looks are tried behind the best so many, by what is known at the time, and behind one more
_TRIED = 4
_DIFFERENT_DICE = 100_003
FAR = 0.5  # What rollouts over several rounds count for in a candidate's value; the deep search has the rest
_FAR = 6  # Candidates from which rollouts over several rounds begin, the best by the deep search
_SOFT = 12.0
"""How sharply the regret of an answer is that of its best candidate: logits for a difference of one in the
log odds."""

Arrays = dict[str, npt.NDArray[Any]]
Numbers = npt.NDArray[np.float64]
RecordedPool = Literal["training", "seen", "drawn", "unseen", "hour-veil"]
Pick = Callable[[EvidenceReading, Deliberated], int | None]


@dataclass(frozen=True, slots=True)
class RecordingPlan:
    """What all records of a data set have in common."""

    # Where fighters and maps come from; "training" for the mixture that models are trained on, most of it
    # between drawn fighters
    pool: RecordedPool = "training"
    states: int = 8
    deep_actions: int = DEEP_ACTIONS
    # The same of one whose rollouts go on for `far_rounds`, from the best few candidates only; 0 for none
    far_actions: int = 0
    far_rounds: int = 3
    # Moments of a state at which several ways to spend a slice are tried, 0 for none; they take a quarter of
    # the time, and where slices go has brought nothing measurable (docs/log/learning.md)
    branches: int = 0
    # The content of a file of weights; it then looks in the last of the deliberations
    weights: bytes | None = None
    evaluation: str = "learned"  # See `botapp.search.learned.named`
    replies: int = REPLY_LOOKS  # See `SearchOptions`
    deep_replies: int = 4 * REPLY_LOOKS


def begin(seed: int, pool: RecordedPool) -> FightState:
    """Returns the beginning of a seed's fight: mostly two teams of 1 to 4, now and then an adventure.

    Raises:
        ValueError: drawn fights of this seed are not for this purpose.
    """
    rng = random.Random(f"record {seed}")
    if (pool == "training") != (seed >= FIRST_TRAINING_SEED) and pool in ("training", "drawn"):
        raise ValueError(
            f"fight {2 * seed}: the pool {pool} has fights {'from' if pool == 'training' else 'below'} "
            f"{2 * FIRST_TRAINING_SEED}"
        )
    source: Pool = "seen" if pool == "training" else pool
    if pool == "training" and rng.random() < _DRAWN:
        source = "drawn"
    elif source == "seen" and rng.random() < _WILD:
        source = "wild"
    if rng.random() < _ADVENTURES:
        return adventure(seed, pool=source)
    return team(seed, rng.randint(1, LARGEST_TEAM), pool=source)


def records(plan: RecordingPlan, fight: int) -> list[Arrays]:
    """Plays a fight and records some of its states; two with one beginning have their sides swapped."""
    rng = random.Random(f"recorded {fight}")
    state = begin(fight // 2, plan.pool)
    sides = _players(plan, random.Random(f"sides {fight // 2}"))
    if fight % 2:
        sides.reverse()
    visited: list[FightState] = []
    while (won := outcome(state)) is None and state.turn <= _ROUNDS:
        visited.append(state)
        player, slip = sides[state.actor.team]
        action = slipped(state, rng) if rng.random() < slip else player.choose(state, rng)
        state = apply(state, action, rng)
    rng.shuffle(visited)
    arrays: list[Arrays] = []
    for seen in visited:
        if len(arrays) == plan.states:
            break
        recorded = record(plan, observation(seen, seen.actor.team), rng)
        if recorded is not None:
            result = 0 if won is None or won == DRAW else 1 if won == seen.actor.team else -1
            recorded["outcome"] = np.array(result, np.float32)
            recorded["fight"] = np.array(fight, np.int64)
            arrays.append(recorded)
    return arrays


@dataclass(frozen=True, slots=True)
class _QuickPlayer:
    """Plays the best action of a small search, without what advice needs besides."""

    rollout_actions: int
    learned: LearnedEvaluation | None

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action of the highest value; it never needs the dice."""
        options = SearchOptions(self.rollout_actions, learned=self.learned)
        return search_state(observation(state, state.actor.team), options).best().action


def _players(plan: RecordingPlan, rng: random.Random) -> list[tuple[Player, float]]:
    players: list[tuple[Player, float]] = []
    for _ in range(2):
        quick = rng.random()
        player: Player = GreedyPlayer()
        if quick < 0.7:
            player = _QuickPlayer(24 if quick < 0.5 else 96, named(plan.evaluation))
        players.append((player, rng.choice(_SLIPS)))
    return players


def record(plan: RecordingPlan, state: FightState, rng: random.Random) -> Arrays | None:
    """Records the deliberations about a state; None where there is nothing to choose."""
    total = _drawn(rng, _REPLIED if plan.replies else _ACTIONS)
    nodes = int(_drawn(rng, _NODES))
    ends, walks = _BROAD[1:] if total >= _BROAD[0] else _NARROW
    try:
        result = search_turn(state, room(state), _options(plan, nodes, walks, plan.replies))
    except ValueError:
        return None
    if len(result.candidates) < 2:
        return None
    matter = Deliberated(result, SLICES, total / SLICES, PRICE, ends)
    deep = _deep(plan, state, matter, 2 * nodes, walks)
    if deep is None:
        return None
    tree, unplayed = result.tree, result.tree.saved()
    far = _far(plan, result, matter, deep, unplayed)
    course = _Recorder(tree, total / SLICES, ends, (1 - FAR) * deep + FAR * far)
    picks: list[Pick] = [lambda _, __: None, _random_look(rng)]
    if plan.weights is not None:
        picks.append(_model_look(plan.weights))
    moments = {(rng.randrange(len(picks)), rng.randrange(SLICES)) for _ in range(plan.branches)}
    rows = []
    for mode, pick in enumerate(picks):
        tree.restore(unplayed)
        again = Deliberated(result, SLICES, total / SLICES, PRICE, ends)
        tried = {step for number, step in moments if number == mode}
        rows.append(course.run(again, pick, mode, tried, rng))
    count = len(matter.shown)
    facts = matter.facts
    return {
        "context": facts.context.astype(np.float16),
        "fighters": _padded(facts.fighters, MOST_FIGHTERS),
        "fighter_count": np.array(len(facts.fighters), np.int8),
        "candidates": _padded(facts.candidates, MOST),
        "candidate_count": np.array(count, np.int8),
        "deep": _filled(deep, -1e9),
        "far": _filled(far, -1e9),
        **{key: np.stack([row[key] for row in rows]) for key in rows[0]},
    }


def _options(plan: RecordingPlan, nodes: int, walks: int, replies: int) -> SearchOptions:
    return SearchOptions(nodes=nodes, walks=walks, learned=named(plan.evaluation), replies=replies)


def _deep(
    plan: RecordingPlan, state: FightState, matter: Deliberated, nodes: int, walks: int
) -> Numbers | None:
    """Returns the log odds of winning by each candidate after a long search; None where it has others."""
    tree = search_turn(state, room(state), _options(plan, nodes, walks, plan.deep_replies)).tree
    indices = np.array([matter.search.candidates[place].node.index for place in matter.shown])
    if (tree.hashes(indices) != matter.tree.hashes(indices)).any():
        return None
    tree.throw_other_dice(_DIFFERENT_DICE)
    tree.name([tree.node(int(index)) for index in indices], _BROAD[1])
    budget = plan.deep_actions
    tree.look(None, budget // 2, ends=_BROAD[1])
    for share, most in ((0.25, len(indices)), (0.25, 6)):
        best = np.argsort(-tree.standings().value, kind="stable")[:most]
        for number in best:
            tree.look(int(number), tree.played_actions + share * budget / len(best))
    chances: Numbers = STEEPNESS * tree.standings().value / tree.lead_unit
    return chances


def _far(
    plan: RecordingPlan, result: SearchResult, matter: Deliberated, deep: Numbers, unplayed: Saved
) -> Numbers:
    """Returns the log odds of winning by rollouts over several rounds, else by the deep search."""
    if not plan.far_actions:
        return deep
    tree = result.tree
    tree.restore(unplayed)
    tree.name([result.candidates[place].node for place in matter.shown])
    tree.throw_other_dice(2 * _DIFFERENT_DICE)
    best = np.argsort(-deep, kind="stable")[:_FAR]
    for number in best:
        tree.look(int(number), tree.played_actions + plan.far_actions / len(best), rounds=plan.far_rounds)
    tree.throw_other_dice(0)
    values = STEEPNESS * tree.standings().value / tree.lead_unit
    tree.restore(unplayed)
    far = deep + float((values - deep)[best].mean())
    far[best] = values[best]
    return far


@dataclass(frozen=True, slots=True)
class _Recorder:
    """How a state is searched slice by slice, and what its answers cost by the deep search."""

    tree: TurnSearch
    actions: float
    ends: int
    deep: Numbers

    def run(self, matter: Deliberated, pick: Pick, mode: int, tried: set[int], rng: random.Random) -> Arrays:
        """Deliberates once; at the moments `tried`, by slices done, all kinds of looks are tried first."""
        evidence = np.zeros((READINGS, MOST, len(EVIDENCE)), np.float16)
        progress = np.zeros((READINGS, len(PROGRESS)), np.float16)
        odds = np.full((READINGS, MOST), -1e9, np.float32)
        looked = np.full(READINGS, -1, np.int8)
        gains = np.full((READINGS, MOST), np.nan, np.float32)
        look: int | None = None
        count = len(matter.shown)
        for step in range(READINGS):
            reading = matter.read(look)
            evidence[step, :count] = reading.evidence
            progress[step] = reading.progress
            odds[step, :count] = reading.odds
            if step == SLICES:
                break
            if step in tried:
                self._try_looks(step, reading, gains[step], rng)
            look = pick(reading, matter)
            looked[step + 1] = -1 if look is None else look
            self._look(look, step)
        return {
            "evidence": evidence,
            "progress": progress,
            "odds": odds,
            "looked": looked,
            "gains": gains,
            "mode": np.array(mode, np.int8),
        }

    def _look(self, behind: int | None, step: int) -> None:
        self.tree.look(behind, self.actions * (step + 1), ends=self.ends)

    def _try_looks(
        self, step: int, reading: EvidenceReading, gains: npt.NDArray[np.float32], rng: random.Random
    ) -> None:
        """Writes how much less the answers cost from now on with a slice on a candidate than without it."""
        order = np.argsort(-reading.odds, kind="stable").tolist()
        options = rng.sample(order[:_FIRST], min(_TRIED, len(order[:_FIRST])))
        options += rng.sample(order[_FIRST:], 1) if len(order) > _FIRST else []
        before = self.tree.saved()
        usual = self._cost(None, step)
        for option in options:
            self.tree.restore(before)
            gains[option] = usual - self._cost(option, step)
        self.tree.restore(before)

    def _cost(self, behind: int | None, step: int) -> float:
        """Returns the mean regret of the answers after a slice behind a candidate and those that follow."""
        chances = 100 / (1 + np.exp(-np.clip(self.deep, -30, 30)))
        costs = []
        for later in range(step, SLICES):
            self._look(behind if later == step else None, later)
            odds = STEEPNESS * self.tree.standings().value / self.tree.lead_unit
            shares = np.exp(_SOFT * (odds - odds.max()))
            costs.append(chances.max() - (shares * chances).sum() / shares.sum())
        return float(np.mean(costs))


def _random_look(rng: random.Random) -> Pick:
    def pick(reading: EvidenceReading, _: Deliberated) -> int | None:
        if rng.random() < _SCHEDULED:
            return None
        order = np.argsort(-reading.odds, kind="stable")
        return int(order[min(int(rng.expovariate(0.4)), len(order) - 1)])

    return pick


def _model_look(weights: bytes) -> Pick:
    from botapp.learning.looking import looker  # noqa: PLC0415 - torch is loaded only where a model looks

    return looker(weights)


def _drawn(rng: random.Random, bounds: tuple[int, int]) -> float:
    low, high = bounds
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def _padded(rows: npt.NDArray[np.float32], size: int) -> npt.NDArray[np.float16]:
    padded = np.zeros((size, rows.shape[1]), np.float16)
    padded[: len(rows)] = rows
    return padded


def _filled(values: Numbers, rest: float) -> npt.NDArray[np.float32]:
    filled = np.full(MOST, rest, np.float32)
    filled[: len(values)] = values
    return filled


def joined(parts: list[Mapping[str, npt.NDArray[Any]]]) -> Arrays:
    return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]} if parts else {}


def stacked(rows: list[Arrays]) -> Arrays:
    """Returns records of one state each as arrays of many."""
    return {key: np.stack([arrays[key] for arrays in rows]) for key in rows[0]} if rows else {}
