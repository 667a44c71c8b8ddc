"""What more thinking brings: regret against the search and fights won, by the number of steps.

`python -m botapp.learning.thinking --weights W --states N --fights N` lets a model think about states of
fights that no model was trained on, known as they are, and holds the answer of each step against the search;
between the steps lies what early exit does at several thresholds. Then the model fights greedy players with 1
to 8 steps a decision. A state is called hard where the reflex, which is the first step's answer, costs more
than `EPSILON` points of winning: there is something left to think about. (How close the search finds the two
best actions would not tell: mostly they are the same two spells in another order.)
Next hop: the figures in the README.
"""

import argparse
import json
import math
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from botapp.advisor.calibration import Calibration, at
from botapp.advisor.model import AdvisorModel, load_weights, tensors
from botapp.advisor.search_stage import search_state
from botapp.advisor.tokens import encode
from botapp.arena.pairing import run
from botapp.arena.players import GreedyPlayer
from botapp.arena.scenarios import Pool, outcome
from botapp.arena.workers import SpreadError, spread
from botapp.content.play_styles import play_style_of
from botapp.fight.rules import apply, legal_actions, observation
from botapp.fight.state import FightState
from botapp.learning.fights import begin
from botapp.learning.labels import Label, label
from botapp.search.options import SearchOptions
from botapp.search.turn import Budget, evaluate_candidates
from hrm.act import sigmoid
from hrm.backends import choose, open_engine
from hrm.backends.errors import InferenceError
from hrm.training.plot import Line, draw

Numbers = npt.NDArray[np.float64]

EPSILON = 1.0
"""Percent points of winning that a reflex may cost in an easy state."""
EXIT = 0.5
"""The probability of halt at which the app stops thinking, as `botapp.advisor.advisor.Advisor` has it."""
THRESHOLDS = (0.4, EXIT, 0.6, 0.7, 0.8, 0.9)
STEPS = 8

_PER_FIGHT = 4
_SLIP = 0.1
_ROWS = 256


@dataclass(frozen=True, slots=True)
class Question:
    """A fight to take states from: its seed, its pool, the search's budget, the rollouts."""

    seed: int
    pool: Pool
    search_states: int
    rollout_actions: int = 0


@dataclass(frozen=True, slots=True)
class StepAnswers:
    """What a model says of M states after each of T steps.

    Attributes:
        regrets: of the best candidate, percent points of winning, (M, T).
        halts: probability of halt, 0..1, (M, T).
    """

    regrets: Numbers
    halts: Numbers

    def steps(self, threshold: float) -> npt.NDArray[np.intp]:
        """Returns the steps taken where thinking ends at a probability of halt, (M,); 1 for the reflex."""
        halted = self.halts >= threshold
        halted[:, -1] = True
        taken: npt.NDArray[np.intp] = halted.argmax(axis=1) + 1
        return taken

    def at_exit(self, threshold: float) -> Numbers:
        """Returns the regret of the answers that early exit gives, (M,)."""
        rows = np.arange(len(self.regrets))
        found: Numbers = self.regrets[rows, self.steps(threshold) - 1]
        return found

    def among(self, rows: npt.NDArray[np.bool_]) -> "StepAnswers":
        """Returns the answers for some states, (M,)."""
        return StepAnswers(self.regrets[rows], self.halts[rows])

    @property
    def hard(self) -> npt.NDArray[np.bool_]:
        """Whether the reflex costs more than `EPSILON`, (M,)."""
        return self.regrets[:, 0] > EPSILON


def judged(question: Question) -> list[Label]:
    """Plays a fight greedily with slips and returns a few of its states, judged by the search."""
    rng = random.Random(f"thinking {question.seed}")
    _, state = begin(question.seed, question.pool)
    greedy = GreedyPlayer()
    visited: list[FightState] = []
    while outcome(state) is None:
        legal = legal_actions(state)
        if len(legal) > 1:
            visited.append(observation(state, state.actor.team))
        state = apply(state, rng.choice(legal) if rng.random() < _SLIP else greedy.choose(state, rng), rng)
    picked = rng.sample(visited, min(_PER_FIGHT, len(visited)))
    labels = (_judge(known, question) for known in picked)
    return [replace(found, encoded=replace(found.encoded, candidates=())) for found in labels if found]


def _judge(state: FightState, question: Question) -> Label | None:
    """Lets the search judge a state; None where there are too many fighters or is no choice."""
    try:
        encoded = encode(search_state(state, SearchOptions(question.rollout_actions)))
    except ValueError:
        return None
    return label(encoded, evaluate_candidates(state, Budget(states=question.search_states), play_style_of))


def gather(
    pool: Pool, count: int, seed: int, search_states: int, workers: int, rollout_actions: int = 0
) -> list[Label]:
    """Returns judged states of the fights of the seeds from `seed` on, as many as asked for or a few less."""
    questions = [
        Question(seed + n, pool, search_states, rollout_actions) for n in range(math.ceil(count / _PER_FIGHT))
    ]
    found = {question.seed: labels for question, labels in spread(judged, questions, workers)}
    return [one for number in sorted(found) for one in found[number]][:count]


@torch.inference_mode()
def think(
    model: AdvisorModel, calibration: Calibration, labels: Sequence[Label], device: str, precision: str
) -> StepAnswers:
    """Lets a model take `STEPS` steps about every state, however sure it is.

    Raises:
        hrm.backends.errors.InferenceError: the model cannot run there.
    """
    engine = open_engine(model.stepper(), choose("auto", device, precision))
    model = model.to(engine.state_device).eval()
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, one in enumerate(labels):
        alike[len(one.encoded.options), len(one.encoded.fighters)].append(index)
    regrets, halts = np.zeros((len(labels), STEPS)), np.zeros((len(labels), STEPS))
    for indices in alike.values():
        for first in range(0, len(indices), _ROWS):
            rows = indices[first : first + _ROWS]
            given = tensors([labels[row].encoded for row in rows], engine.state_device)
            x, mask = model.embed(*given)
            carry = engine.start(len(rows), x.shape[1])
            for step in range(STEPS):
                carry, q, outputs = engine.step(carry, x, mask)
                temperature = at(calibration.halt, step + 1)
                halts[rows, step] = [sigmoid(logit / temperature) for logit in q[:, 0].tolist()]
                told = model.choose(outputs[0].float(), given[3]).cpu().numpy()
                regrets[rows, step] = _chosen(told, [labels[row] for row in rows])
    engine.close()
    return StepAnswers(regrets, halts)


def _chosen(logits: npt.NDArray[np.float32], labels: Sequence[Label]) -> list[float]:
    """Returns the regret of each state's likeliest candidate, of those the search scored."""
    found = []
    for row, one in zip(logits, labels, strict=True):
        own = row[: len(one.regrets)]
        found.append(float(one.regrets[int(np.where(one.scored, own, -np.inf).argmax())]))
    return found


def figures(answers: StepAnswers) -> dict[str, Any]:
    """Returns what more thinking brings, as JSON takes it; regrets are means in percent points of winning."""
    hard, easy = answers.among(answers.hard), answers.among(~answers.hard)
    return {
        "states": len(answers.regrets),
        "by_step": [
            {
                "step": step + 1,
                "regret": _mean(answers.regrets[:, step]),
                "good": _mean(answers.regrets[:, step] <= EPSILON),
            }
            for step in range(STEPS)
        ],
        "early_exit": [_exit(answers, threshold) for threshold in THRESHOLDS],
        "hard": {"share": _mean(answers.hard), **_group(hard)},
        "easy": {"share": _mean(~answers.hard), **_group(easy)},
    }


def _exit(answers: StepAnswers, threshold: float) -> dict[str, Any]:
    return {
        "threshold": threshold,
        "mean_steps": _mean(answers.steps(threshold)),
        "regret": _mean(answers.at_exit(threshold)),
    }


def _group(answers: StepAnswers) -> dict[str, Any]:
    """Returns the figures of the hard or the easy states, at the app's threshold."""
    if not len(answers.regrets):
        return {"states": 0}
    return {
        "states": len(answers.regrets),
        "mean_steps": _mean(answers.steps(EXIT)),
        "regret_of_reflex": _mean(answers.regrets[:, 0]),
        "regret_at_exit": _mean(answers.at_exit(EXIT)),
        "regret_of_last": _mean(answers.regrets[:, -1]),
    }


def _mean(values: npt.NDArray[Any]) -> float:
    return round(float(values.mean()), 4)


def fight(
    options: dict[str, str], fights: int, seed: int, workers: int, scenario: str, out: Path
) -> list[dict[str, Any]]:
    """Lets the model fight greedy players with 1 to `STEPS` steps a decision, and with early exit.

    Args:
        options: the model's weights, device and precision, as a player's options.
        fights: for each number of steps; mirrored.
        seed: of the first fight.
        workers: processes.
        scenario: one of `botapp.arena.fixtures.SCENARIOS`.
        out: each tournament is kept beside it, so that a run that was ended goes on where it was.
    """
    ways = [(step, False) for step in range(1, STEPS + 1)] + [(STEPS, True)]
    answers = []
    for steps, early in ways:
        name = f"{out.stem}-{'exit' if early else steps}.json"
        how = {**options, "steps": str(steps), "exit": "on" if early else "off"}
        player = "lite:" + ",".join(f"{key}={value}" for key, value in how.items())
        result = run(player, "greedy", fights, seed, workers, scenario, out=out.with_name(name)).to_json()
        kept = ("fights", "a_wins", "b_wins", "draws", "a_win_rate", "a_points", "a_points_interval")
        answers.append({"steps": steps, "early_exit": early, **{key: result[key] for key in kept}})
    return answers


def plot(found: dict[str, Any], picture: Path) -> None:
    """Draws regret by step, early exit between the steps, and the share of fights won by steps."""
    regrets: list[Line] = []
    for pool, told in found["regret"].items():
        regrets.append((pool, [(row["step"], row["regret"]) for row in told["by_step"]]))
        points = sorted((row["mean_steps"], row["regret"]) for row in told["early_exit"])
        regrets.append((f"{pool}, early exit", points))
    panels = [("regret (percent points of winning) by steps", regrets)]
    if found["fights"]:
        won = [(row["steps"], row["a_win_rate"]) for row in found["fights"] if not row["early_exit"]]
        panels.append(("share of fights won against greedy by steps", [("won", won)]))
    draw(panels, picture)


def main(arguments: list[str] | None = None) -> int:
    """Measures what more thinking brings, prints it as JSON and draws it."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.thinking", description=main.__doc__)
    parser.add_argument("--weights", type=Path, help="file of weights; the app's if left out")
    parser.add_argument("--states", type=int, default=400, help="of each pool, seen and unseen")
    parser.add_argument("--fights", type=int, default=0, help="against greedy, for each number of steps")
    parser.add_argument("--scenario", choices=("duel", "team", "adventure"), default="duel")
    parser.add_argument("--seed", type=int, default=90_000_000, help="of the first fight")
    parser.add_argument("--search-states", type=int, default=400, help="states evaluated to judge one")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--precision", default="auto")
    parser.add_argument("--out", type=Path, default=Path("out/thinking.json"), help="the plot lies beside it")
    given = parser.parse_args(arguments)
    try:
        model, calibration = load_weights(given.weights)
        given.out.parent.mkdir(parents=True, exist_ok=True)
        regret = {}
        for pool in ("seen", "unseen"):
            labels = gather(
                pool,
                given.states,
                given.seed,
                given.search_states,
                given.workers,
                calibration.rollout_actions,
            )
            regret[pool] = figures(think(model, calibration, labels, given.device, given.precision))
        options = {"device": given.device}
        if given.precision != "auto":
            options["precision"] = given.precision
        if given.weights is not None:
            options["weights"] = str(given.weights)
        fights = []
        if given.fights:
            fights = fight(options, given.fights, given.seed, given.workers, given.scenario, given.out)
    except (ValueError, OSError, SpreadError, InferenceError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    found = {"regret": regret, "fights": fights, "search_states": given.search_states, "seed": given.seed}
    given.out.write_text(json.dumps(found, indent=1), encoding="utf-8")
    plot(found, given.out.with_suffix(".svg"))
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
