"""Trying out other weights: `python -m botapp.learning.tuning --change heuristic.THREAT=0.8 --fights 40`.

The search with the changed weights fights the search as it is, mirrored, each with the same number of
states. `--fit` tells instead how fast the share of winning grows with the evaluation. What was tried, and
what came of it, stands in LOG.md beside this file.
"""

import argparse
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

from botapp.arena.elo import strength
from botapp.arena.fixtures import SCENARIOS, begin, parse_sizes
from botapp.arena.match import play
from botapp.arena.players import Player
from botapp.arena.scenarios import outcome
from botapp.arena.search_player import SearchPlayer
from botapp.fight.actions import Action
from botapp.fight.rules import apply
from botapp.fight.state import FightState
from botapp.search.static_evaluation import StaticEvaluation

Changes = Mapping[tuple[ModuleType, str], float]
_MODULES = ("static_evaluation", "heuristic", "tree", "rollouts", "greedy")


def parse_change(text: str) -> tuple[tuple[ModuleType, str], float]:
    """Reads a change such as "heuristic.THREAT=0.8".

    Raises:
        ValueError: it is no change of a number in one of the modules; the text says so.
    """
    name, _, value = text.partition("=")
    place, _, weight = name.partition(".")
    if place in _MODULES:
        module = import_module(f"botapp.search.{place}")
        known = getattr(module, weight, None)
        if isinstance(known, int | float):
            return (module, weight), type(known)(float(value))
    raise ValueError(f"{text!r}: expected MODULE.WEIGHT=NUMBER with a module of {', '.join(_MODULES)}")


@contextmanager
def changed(changes: Changes) -> Iterator[None]:
    """Puts other weights in place for a while."""
    kept = {key: getattr(*key) for key in changes}
    try:
        for (module, weight), value in changes.items():
            setattr(module, weight, value)
        yield
    finally:
        for (module, weight), value in kept.items():
            setattr(module, weight, value)


class ChangedPlayer:
    """Plays as another player does with other weights."""

    def __init__(self, player: Player, changes: Changes) -> None:
        self._player = player
        self._changes = changes

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns what the player chooses with the other weights."""
        with changed(self._changes):
            return self._player.choose(state, rng)


def compare(changes: Changes, seeds: Sequence[int], budget: int, scenario: str, sizes: Sequence[int]) -> str:
    """Lets the changed search fight the search as it is; returns the changed one's share in words."""
    found = []
    for seed in seeds:
        points = 0.0
        for side in (0, 1):
            players: dict[int, Player] = {
                side: ChangedPlayer(SearchPlayer(budget), changes),
                1 - side: SearchPlayer(budget),
            }
            won = play(begin(scenario, seed, sizes), players, random.Random(seed)).winner
            points += 0.5 if won < 0 else float(won == side)
        found.append(points / 2)
    held = strength(found)
    return f"{held.share:.3f} of the points, 95 % between {held.low:.3f} and {held.high:.3f}"


def fit(seeds: Sequence[int], budget: int, scenario: str, sizes: Sequence[int]) -> float:
    """Returns the steepness at which `StaticEvaluation.share` fits best how fights of the search end.

    The evaluation is taken at the beginning of each turn; the slope is that of a logistic regression without
    an intercept, by Newton's method.
    """
    points: list[tuple[float, float]] = []
    for seed in seeds:
        state, rng, met = begin(scenario, seed, sizes), random.Random(seed), []
        static, player, turn = StaticEvaluation(state, 0), SearchPlayer(budget), (0, 0)
        while (won := outcome(state)) is None:
            if (state.turn, state.current) != turn:
                turn = state.turn, state.current
                met.append(static.lead(static.score(state)))
            state = apply(state, player.choose(state, rng), rng)
        if won >= 0:
            points += [(lead, float(won == 0)) for lead in met]
    slope = 1.0
    for _ in range(50):
        shares = [(lead, 1 / (1 + math.exp(-slope * lead)), won) for lead, won in points]
        slant = sum(lead * (won - share) for lead, share, won in shares)
        bend = sum(lead * lead * share * (1 - share) for lead, share, won in shares)
        slope += max(-2.0, min(2.0, slant / max(bend, 1e-9)))
    return slope


def main(arguments: Sequence[str] | None = None) -> int:
    """Tries out weights from the command line."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.tuning", description=main.__doc__)
    parser.add_argument("--change", action="append", default=[], metavar="MODULE.WEIGHT=NUMBER")
    parser.add_argument("--fit", action="store_true", help="fit the steepness of the share of winning")
    parser.add_argument("--fights", type=int, default=40)
    parser.add_argument("--seed", type=int, default=10_000)
    parser.add_argument("--budget", type=int, default=300, help="states for a decision")
    parser.add_argument("--scenario", choices=SCENARIOS, default="team")
    parser.add_argument("--sizes", default="")
    options = parser.parse_args(arguments)
    try:
        changes = dict(map(parse_change, options.change))
        sizes = parse_sizes(options.sizes)
    except ValueError as error:
        parser.error(str(error))
    if options.fit:
        seeds = range(options.seed, options.seed + options.fights)
        print(f"steepness {fit(seeds, options.budget, options.scenario, sizes):.2f}")
    else:
        seeds = range(options.seed, options.seed + max(1, options.fights // 2))
        print(compare(changes, seeds, options.budget, options.scenario, sizes))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
