"""How fast the rules and the search run on one core, by the processor's own time.

As a program of its own it prints its figures as JSON: that is how the interpreted code is measured, which
one process cannot have beside the compiled one.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, cycle, islice
from time import process_time
from typing import Any, NamedTuple

from botapp.advisor.bare import ROLLOUT_ACTIONS, BareAdvisor
from botapp.arena.player_spec import make_player
from botapp.arena.scenarios import LARGEST_TEAM, outcome, team
from botapp.fight.core import requests as ask_for
from botapp.fight.core.compiler import decimals, whole_numbers
from botapp.fight.core.fight import STATE
from botapp.fight.core.pack import pack
from botapp.fight.core.packed import Packed
from botapp.fight.rules import apply, observation
from botapp.fight.state import FightState
from botapp.host.children import tied
from botapp.host.statistics import percentiles
from botapp.search.options import NODE_BUDGET
from botapp.search.tree import TurnSearch
from botapp.search.turn import Budget, evaluate_candidates

ACTIONS = 200  # Actions played of each fight before the next one begins

_FIGHTS = 4
_STRIDE = 12
_FROM_A_FIGHT = 4
_LARGEST_SEED = 2**31 - 2


class Scale(NamedTuple):
    """How much is measured."""

    seconds: float = 3.0  # Of processor time for each rate, at least
    fights: int = 4  # Team fights of each size that rollouts are taken from
    decisions: int = 200  # States that `bare` decides on, and that are judged
    judged: int = 3000


INTERPRETED_SCALE = Scale(seconds=1.0, fights=1, decisions=12, judged=300)
"""The interpreted code takes some hundred times as long."""


def measure_speed(scale: Scale, seed: int = 1) -> dict[str, Any]:
    """Times the rules and the search, warm, as they run in this process.

    Args:
        scale: how much is measured.

    Returns:
        "actions_per_s": actions a second in random play within the rules, all legal ones looked at before
        each, by size of the teams; "rollout_action_us": microseconds for an action of a rollout, in fights of
        2v2 to 4v4; "judgements_per_s": how often a second all legal actions of a state are scored with a
        budget of `scale.judged` states, and "states_per_s" that times the budget; "bare_96_p50_ms" and
        "bare_96_p95_ms": a decision of `bare` with 96 rollout actions. States that are judged or decided on
        come from fights of teams of 1 to 4, played by greedy sides.
    """
    fights = (team(number, 1 + number % LARGEST_TEAM) for number in count(seed))
    curriculum = list(islice(_middles(fights, seed), scale.decisions))
    judgements = _rate(_judgement(curriculum, scale.judged), scale.seconds)
    decision = percentiles(_decisions(curriculum)) or {}
    return {
        "actions_per_s": {
            f"{size}v{size}": round(_rate(_random_play(size, seed), scale.seconds))
            for size in range(1, LARGEST_TEAM + 1)
        },
        "rollout_action_us": round(1e6 / _rate(_rollouts(scale.fights, seed), scale.seconds), 1),
        "states_per_s": round(judgements * scale.judged),
        "judgements_per_s": round(judgements, 2),
        "bare_96_p50_ms": decision.get("p50"),
        "bare_96_p95_ms": decision.get("p95"),
    }


def measure_interpreted(seed: int = 1) -> dict[str, Any]:
    """Returns the same of the interpreted code, measured in a process of its own."""
    ran = subprocess.run(
        tied([sys.executable, "-m", "botapp.bench.speed", str(seed), *map(str, INTERPRETED_SCALE)]),
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "BOTAPP_INTERPRETED": "1"},
    )
    figures: dict[str, Any] = json.loads(ran.stdout)
    return figures


def _rate(work: Callable[[], tuple[int, float]], seconds: float) -> float:
    """Returns how many units a second some work does, warm; it returns how many it did, and in what time."""
    work()
    done, spent = 0, 0.0
    while spent < seconds or not done:
        units, took = work()
        done, spent = done + units, spent + took
    return done / max(spent, 1e-9)


def _random_play(size: int, seed: int) -> Callable[[], tuple[int, float]]:
    """Returns what plays several fights at random, at most `ACTIONS` actions of each."""
    starts = [pack(team(seed + number, size, size)) for number in range(_FIGHTS)]
    s, nothing = whole_numbers(STATE), decimals(1)
    dice = seed

    def play() -> tuple[int, float]:
        nonlocal dice
        actions, begun = 0, process_time()
        for start in starts:
            dice = dice % _LARGEST_SEED + 1
            actions += _played(s, start, nothing, dice)
        return actions, process_time() - begun

    return play


def _played(s: Any, start: Packed, nothing: Any, dice: int) -> int:
    return int(ask_for.ask(ask_for.PLAY, s, start.s, start.b, nothing, s, ACTIONS, dice, 0))


def _rollouts(fights: int, seed: int) -> Callable[[], tuple[int, float]]:
    """Returns what searches the next state of a team fight as `bare` does, and times the rollouts."""
    sizes = range(2, LARGEST_TEAM + 1)
    starts = [team(seed + number, size, size) for size in sizes for number in range(fights)]
    middles = cycle(list(_middles(starts, seed)))

    def play_on() -> tuple[int, float]:
        state = next(middles)
        search = TurnSearch(observation(state, state.actor.team), NODE_BUDGET)
        search.grow(NODE_BUDGET // sum(fighter.hp > 0 for fighter in state.fighters))
        begun = process_time()
        search.play_on(ROLLOUT_ACTIONS)
        return search.played_actions, process_time() - begun

    return play_on


def _middles(starts: Iterable[FightState], seed: int) -> Iterator[FightState]:
    greedy = make_player("greedy")
    for number, start in enumerate(starts):
        rng, state = random.Random(seed + number), start
        for step in range(_STRIDE * _FROM_A_FIGHT):
            if outcome(state) is not None:
                break
            if step % _STRIDE == 0:
                yield state
            state = apply(state, greedy.choose(state, rng), rng)


def _judgement(chosen: Sequence[FightState], judged: int) -> Callable[[], tuple[int, float]]:
    states = cycle(chosen)
    budget = Budget(states=judged)

    def judge() -> tuple[int, float]:
        state = next(states).changed()
        begun = process_time()
        evaluate_candidates(state, budget)
        return 1, process_time() - begun

    return judge


def _decisions(chosen: Sequence[FightState]) -> list[float]:
    """Returns what decisions of `bare` cost in milliseconds, the second time that each state is met."""
    advisor = BareAdvisor()
    costs = []
    for state in [*chosen, *chosen]:
        begun = process_time()
        decision = advisor.decide(state.changed())
        if decision.stop != "only-choice":
            costs.append((process_time() - begun) * 1000)
    return costs[len(costs) // 2 :]


if __name__ == "__main__":
    seed, seconds, *counts = sys.argv[1:]
    print(json.dumps(measure_speed(Scale(float(seconds), *map(int, counts)), int(seed))))
