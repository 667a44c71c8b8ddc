"""Training data: states met in fights, each candidate scored by the search teacher, and how the fight ended.

`python -m botapp.advisor.dataset --fights N --workers W --seed S --out DIR` writes one safetensors shard for
every few fights and leaves those that are there alone, so that it can be stopped and run again. Numpy and the
standard library only. Next hop: `botapp.advisor.train`.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

from botapp.advisor.encoding import Encoded, encode
from botapp.learning.gaps import hide
from botapp.arena.players import GreedyPlayer
from botapp.arena.scenarios import adventure, duel, outcome
from botapp.arena.search import SearchPlayer
from botapp.fight.actions import Action, Cast, Move
from botapp.fight.rules import apply
from botapp.fight.state import FightState

FORMAT = 1
Arrays = dict[str, npt.NDArray[np.generic]]

_HIDDEN_SHARE = 0.5
_DUEL_SHARE = 0.6
_PERCENT = 100


@dataclass(frozen=True, slots=True)
class Plan:
    """What to generate.

    Attributes:
        fights: fights in all.
        per_shard: fights in a file.
        seed: fight n starts from seed + n.
        budget: states the teacher looks at for a decision.
    """

    fights: int
    per_shard: int
    seed: int
    budget: int
    out: Path

    def shards(self) -> list[int]:
        """Returns the numbers of the shards that are not there yet."""
        count = -(-self.fights // self.per_shard)
        return [n for n in range(count) if not self.path(n).exists()]

    def path(self, shard: int) -> Path:
        """Returns where a shard goes."""
        return self.out / f"shard-{shard:05d}.safetensors"


@dataclass(frozen=True, slots=True)
class Sample:
    """One state: its tokens, and the teacher's score of each candidate as regret, 0 for the best.

    Regrets are in percent points of winning.
    """

    encoded: Encoded
    regrets: npt.NDArray[np.float32]
    team: int
    fight: int


def samples(plan: Plan, fight: int) -> Iterator[tuple[Sample, int]]:
    """Yields the states of one fight, each with the outcome for its actor: 1 won, -1 lost, 0 a draw."""
    rng = random.Random(f"fight {plan.seed + fight}")
    teacher = SearchPlayer(plan.budget)
    state = _start(plan.seed + fight, rng)
    habits = [_Habit(rng), _Habit(rng)]
    found: list[Sample] = []
    while (won := outcome(state)) is None:
        scores = teacher.evaluate_candidates(state)
        if len(scores) > 1:
            sample = label(hide(state, rng) if rng.random() < _HIDDEN_SHARE else state, scores, fight)
            if sample is not None:
                found.append(sample)
        state = apply(state, habits[state.actor.team].choose(state, scores, rng), rng)
    for sample in found:
        yield sample, 0 if won < 0 else 1 if won == sample.team else -1


def _start(seed: int, rng: random.Random) -> FightState:
    if rng.random() < _DUEL_SHARE:
        return duel(seed)
    return adventure(seed)


class _Habit:
    """How a side plays in one fight: mostly by the teacher, by greed, or with slips."""

    def __init__(self, rng: random.Random) -> None:
        self._greed = rng.choice((0.0, 0.0, 0.3, 1.0))
        self._slip = rng.choice((0.0, 0.05, 0.2, 0.4))
        self._greedy = GreedyPlayer()

    def choose(self, state: FightState, scores: list[tuple[Action, float]], rng: random.Random) -> Action:
        if rng.random() < self._slip:
            return rng.choice(scores)[0]
        if rng.random() < self._greed:
            return self._greedy.choose(state, rng)
        return max(scores, key=lambda scored: scored[1])[0]


def label(state: FightState, scores: list[tuple[Action, float]], fight: int) -> Sample | None:
    """Encodes a state and gives each candidate its regret; None where fewer than two have a score."""
    encoded = encode(state)
    by_key = {_key(action): _PERCENT * score for action, score in scores}
    best = max(by_key.values())
    regrets = np.array(
        [best - by_key.get(_key(candidate.action), -np.inf) for candidate in encoded.candidates], np.float32
    )
    if np.isfinite(regrets).sum() < 2:
        return None
    return Sample(encoded, regrets, state.actor.team, fight)


def _key(action: Action) -> tuple[str, int]:
    if isinstance(action, Move):
        return "move", action.target
    return (action.spell, action.target) if isinstance(action, Cast) else ("end", -1)


def write_shard(task: tuple[Plan, int]) -> tuple[int, int]:
    """Generates one shard and writes it whole; returns its number and its count of states."""
    plan, shard = task
    contexts, fighters, options, regrets, outcomes, fights = [], [], [], [], [], []
    first = shard * plan.per_shard
    for fight in range(first, min(plan.fights, first + plan.per_shard)):
        for sample, won in samples(plan, fight):
            scored = np.isfinite(sample.regrets)
            contexts.append(sample.encoded.context)
            fighters.append(sample.encoded.fighters[sample.encoded.fighter_mask])
            options.append(sample.encoded.options[: len(scored)][scored])
            regrets.append(sample.regrets[scored])
            outcomes.append(won)
            fights.append(fight)
    arrays: Arrays = {
        "context": np.stack(contexts).astype(np.float16),
        "fighters": np.concatenate(fighters).astype(np.float16),
        "fighter_counts": np.array([len(f) for f in fighters], np.int32),
        "options": np.concatenate(options).astype(np.float16),
        "option_counts": np.array([len(o) for o in options], np.int32),
        "regrets": np.concatenate(regrets).astype(np.float32),
        "outcomes": np.array(outcomes, np.float32),
        "fights": np.array(fights, np.int32),
    }
    unfinished = plan.path(shard).with_suffix(f".{os.getpid()}.part")
    save_file(arrays, unfinished, {"format": str(FORMAT), "budget": str(plan.budget), "seed": str(plan.seed)})
    unfinished.replace(plan.path(shard))
    return shard, len(contexts)


def generate(plan: Plan, workers: int, minutes: float | None = None, quiet: bool = False) -> dict[str, float]:
    """Writes the shards that are missing, on `workers` processes, for `minutes` at most.

    Returns:
        The states written now, the shards written and left, and the seconds it took.
    """
    plan.out.mkdir(parents=True, exist_ok=True)
    for left_over in plan.out.glob("*.part"):
        left_over.unlink()
    begun = time.monotonic()
    todo = plan.shards()
    states = done = 0
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    with get_context("spawn").Pool(workers) as pool:
        for _, count in pool.imap_unordered(write_shard, [(plan, shard) for shard in todo]):
            states, done = states + count, done + 1
            if not quiet:
                _progress(done, len(todo), states, begun)
            if minutes is not None and time.monotonic() - begun > minutes * 60:
                pool.terminate()
                break
    return {
        "states": states,
        "shards": done,
        "shards_left": len(todo) - done,
        "seconds": round(time.monotonic() - begun, 1),
    }


def _progress(done: int, todo: int, states: int, begun: float) -> None:
    spent = time.monotonic() - begun
    end = "\n" if done == todo or not sys.stderr.isatty() else ""
    start = "\r" if sys.stderr.isatty() else ""
    if end == "" or done % 50 == 0 or done == todo:
        print(
            f"{start}{done}/{todo} shards, {states} states, {states / spent:.0f}/s",
            end=end,
            file=sys.stderr,
            flush=True,
        )


def main(arguments: list[str] | None = None) -> int:
    """Generates a dataset from the command line."""
    parser = argparse.ArgumentParser(prog="python -m botapp.advisor.dataset", description=main.__doc__)
    parser.add_argument("--fights", type=int, default=400, help="fights in all")
    parser.add_argument("--per-shard", type=int, default=4, help="fights in a file")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--seed", type=int, default=1_000_000, help="fight n starts from seed + n")
    parser.add_argument("--budget", type=int, default=800, help="states the teacher looks at for a decision")
    parser.add_argument("--minutes", type=float, default=None, help="stop after so long; run again to go on")
    parser.add_argument("--out", type=Path, required=True, help="folder of the shards")
    options = parser.parse_args(arguments)
    plan = Plan(options.fights, options.per_shard, options.seed, options.budget, options.out)
    print(json.dumps(generate(plan, options.workers, options.minutes)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
