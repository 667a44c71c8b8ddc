"""How far the advice can be trusted in fights of a pool, against the search.

`python -m botapp.learning.trust --states N` plays fights of every kind, lets the model and the search
judge the same states, and prints regret, calibration, and how far from training the features went. The
limits of `botapp.advisor.domain` rest on it. Next hop: `botapp/advisor/LOG.md`.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from botapp.advisor.domain import TrainingDomain
from botapp.advisor.model import load_weights, tensors
from botapp.advisor.search_stage import search_state
from botapp.advisor.tokens import encode
from botapp.arena.players import GreedyPlayer
from botapp.arena.scenarios import Pool, adventure, duel, outcome, team
from botapp.content.play_styles import play_style_of
from botapp.fight.rules import apply, legal_actions, observation
from botapp.fight.state import FightState
from botapp.learning.labels import label
from botapp.search.options import SearchOptions
from botapp.search.turn import Budget, evaluate_candidates

Floats = npt.NDArray[np.float64]

EQUAL = 0.05
"""Regrets, in percent points of winning, that count as none."""
_BINS = 10
_STRIDE, _SLIP, _LONGEST = 7, 0.15, 120


@dataclass(frozen=True, slots=True)
class Judged:
    """One state judged by both.

    Attributes:
        shares: the model's, of its candidates, calibrated, (N,).
        regrets: the search's, against all that is legal, in percent points of winning, (N,).
        deviations: see `Guard.deviations`.
        withheld: whether the guard would withhold the advice.
    """

    shares: Floats
    regrets: Floats
    deviations: tuple[float, ...]
    withheld: bool

    def taken(self) -> Floats:
        """Returns the chance of each candidate to be what the search takes, equal ones alike, (N,)."""
        best = self.regrets <= EQUAL
        chances: Floats = best / max(1, best.sum())
        return chances


def states(pool: Pool, seed: int) -> Iterator[FightState]:
    """Yields states that players meet in duels, adventures and team fights, played greedily with slips."""
    greedy = GreedyPlayer()
    while True:
        rng = random.Random(seed)
        state = (duel, adventure, team)[seed % 3](seed, pool=pool)
        for step in range(_LONGEST):
            actor = state.actor
            monster = seed % 3 == 1 and actor.team == 1
            if step % _STRIDE == seed % _STRIDE and not monster and actor.summoner is None:
                yield observation(state, actor.team)
            slip = rng.random() < _SLIP
            state = apply(state, rng.choice(legal_actions(state)) if slip else greedy.choose(state, rng), rng)
            if outcome(state) is not None:
                break
        seed += 1


@torch.no_grad()
def judge(weights: Path | None, count: int, seed: int, pool: Pool, budget: int) -> list[Judged]:
    """Lets the model (one step) and the search (`budget` states a decision) judge `count` states."""
    model, calibration = load_weights(weights)
    guard = TrainingDomain(model)
    found: list[Judged] = []
    for state in states(pool, seed):
        try:
            encoded = encode(search_state(state, SearchOptions(calibration.rollout_actions)))
        except ValueError:
            continue
        labelled = label(encoded, evaluate_candidates(state, Budget(states=budget), play_style_of))
        if labelled is None:
            continue
        given = tensors([encoded])
        x, mask = model.embed(*given)
        carry, _ = model.core(model.core.start(1, x.shape[1]), x, mask)
        logits = model.choose(model.readout(carry.z_H)[0], given[3])[0, : len(encoded.candidates)]
        found.append(
            Judged(
                shares=calibration.shares(logits.double(), 1).numpy(),
                regrets=labelled.regrets.astype(float),
                deviations=guard.deviations(encoded),
                withheld=bool(guard.refusal(encoded)),
            )
        )
        if len(found) == count:
            return found
    return found


def report(judged: Sequence[Judged]) -> dict[str, Any]:
    """Returns regret, calibration and deviations as JSON takes them."""
    best = [int(j.shares.argmax()) for j in judged]
    shares = np.array([j.shares.max() for j in judged])
    right = np.array([j.taken()[i] for j, i in zip(judged, best, strict=True)])
    regrets = np.array([j.regrets[i] for j, i in zip(judged, best, strict=True)])
    bins = np.minimum((shares * _BINS).astype(int), _BINS - 1)
    farthest = np.array([j.deviations for j in judged]).max(axis=0)
    gaps = [abs((shares - right)[bins == b].sum()) for b in range(_BINS)]
    return {
        "states": len(judged),
        "regret": round(float(np.minimum(regrets, 30).mean()), 3),
        "confidence": round(float(shares.mean()), 3),
        "right": round(float(right.mean()), 3),
        "ece": round(float(sum(gaps)) / len(judged), 3),
        "farthest context, fighter, option": [round(float(far), 2) for far in farthest],
        "withheld": sum(j.withheld for j in judged),
    }


def main(arguments: list[str] | None = None) -> int:
    """Holds the advice against the search from the command line and prints the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.trust", description=main.__doc__)
    parser.add_argument("--weights", type=Path, default=None, help="file of weights; the app's if left out")
    parser.add_argument("--states", type=int, default=300)
    parser.add_argument("--seed", type=int, default=70_000, help="of the first fight")
    parser.add_argument("--pool", choices=("seen", "unseen", "any", "wild"), default="seen")
    parser.add_argument("--budget", type=int, default=150, help="states the search evaluates for a decision")
    options = parser.parse_args(arguments)
    if options.states < 1:
        parser.error("--states must be at least 1")
    torch.set_num_threads(1)
    judged = judge(options.weights, options.states, options.seed, options.pool, options.budget)
    print(json.dumps(report(judged), indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
