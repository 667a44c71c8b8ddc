"""Trying out other weights: `python -m botapp.learning.tuning --change heuristic.THREAT=0.8 --fights 40`.

The search with the changed weights fights the search as it is, mirrored, each with the same number of
states. Compiled code holds its weights, so the changed search is a process of its own that compiles it anew:
a minute before the first fight, none with BOTAPP_INTERPRETED=1, where all that follows takes much longer.
`--fit` tells instead how fast the share of winning grows with the evaluation. What was tried, and what came
of it, stands in LOG.md beside this file.
"""

import argparse
import math
import multiprocessing
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from multiprocessing.connection import Connection
from types import ModuleType, TracebackType

from botapp.arena.elo import strength
from botapp.arena.fixtures import SCENARIOS, begin, parse_sizes
from botapp.arena.match import play
from botapp.arena.players import Player
from botapp.arena.scenarios import outcome
from botapp.arena.search_player import SearchPlayer
from botapp.fight.actions import Action
from botapp.fight.core.cache import FOLDER_VARIABLE
from botapp.fight.rules import apply
from botapp.fight.state import FightState
from botapp.search.tree import TurnSearch

_PACKAGE = "botapp.search.core"
_MODULES = (
    "blows",
    "expansion",
    "heuristic",
    "judging",
    "outlooks",
    "policy",
    "rollouts",
    "schedule",
    "static",
    "values",
)


def parse_change(text: str) -> tuple[ModuleType, str, float]:
    """Reads a change such as "heuristic.THREAT=0.8": the module, the weight's name and its new value.

    Raises:
        ValueError: it is no change of a number in one of the modules; the text says so.
    """
    name, _, value = text.partition("=")
    place, _, weight = name.partition(".")
    if place in _MODULES:
        module = import_module(f"{_PACKAGE}.{place}")
        known = getattr(module, weight, None)
        if isinstance(known, int | float):
            return module, weight, type(known)(float(value))
    raise ValueError(f"{text!r}: expected MODULE.WEIGHT=NUMBER with a module of {', '.join(_MODULES)}")


def put_in_place(module: ModuleType, weight: str, value: float) -> None:
    """Changes a weight where it is defined and imported, for code that is compiled from then on."""
    known = getattr(module, weight)
    for name, other in list(sys.modules.items()):
        if name.startswith(_PACKAGE) and getattr(other, weight, None) is known:
            setattr(other, weight, value)


class ChangedPlayer:
    """The player `search` with other weights, in a process of its own; close it by `with`.

    Args:
        changes: as `parse_change` reads them.
        budget: states for a decision.
    """

    def __init__(self, changes: Sequence[str], budget: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._folder = tempfile.TemporaryDirectory(prefix="botapp-tuning-", ignore_cleanup_errors=True)
        self._player, there = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(there, tuple(changes), budget), daemon=True)
        before = os.environ.get(FOLDER_VARIABLE)
        os.environ[FOLDER_VARIABLE] = self._folder.name
        try:
            self._process.start()
        finally:
            del os.environ[FOLDER_VARIABLE]
            if before is not None:
                os.environ[FOLDER_VARIABLE] = before
        there.close()

    def __enter__(self) -> "ChangedPlayer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._player.close()
        self._process.join()
        self._folder.cleanup()

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns what the search chooses with the other weights."""
        self._player.send(state)
        action: Action = self._player.recv()
        return action


def _serve(asked: Connection, changes: Sequence[str], budget: int) -> None:
    """Chooses with changed weights in state after state, until nobody asks any more."""
    for change in changes:
        put_in_place(*parse_change(change))
    player, rng = SearchPlayer(budget), random.Random(0)
    try:
        while True:
            asked.send(player.choose(asked.recv(), rng))
    except EOFError:
        return


def compare(
    changes: Sequence[str], seeds: Sequence[int], budget: int, scenario: str, sizes: Sequence[int]
) -> str:
    """Lets the changed search fight the search as it is; returns the changed one's share in words."""
    found = []
    with ChangedPlayer(changes, budget) as other:
        for seed in seeds:
            points = 0.0
            for side in (0, 1):
                players: dict[int, Player] = {side: other, 1 - side: SearchPlayer(budget)}
                won = play(begin(scenario, seed, sizes), players, random.Random(seed)).winner
                points += 0.5 if won < 0 else float(won == side)
            found.append(points / 2)
    held = strength(found)
    return f"{held.share:.3f} of the points, 95 % between {held.low:.3f} and {held.high:.3f}"


def fit(seeds: Sequence[int], budget: int, scenario: str, sizes: Sequence[int]) -> float:
    """Returns the steepness at which `TurnSearch.share` fits best how fights of the search end.

    The static evaluation is taken at the beginning of each turn; the slope is that of a logistic regression
    without an intercept, by Newton's method.
    """
    points: list[tuple[float, float]] = []
    for seed in seeds:
        state, rng, met = begin(scenario, seed, sizes), random.Random(seed), []
        player, turn = SearchPlayer(budget), (0, 0)
        while (won := outcome(state)) is None:
            if (state.turn, state.current) != turn:
                turn = state.turn, state.current
                search = TurnSearch(state, 0)
                lead = search.lead(search.root.terms[0])
                met.append(lead if state.actor.team == 0 else -lead)
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
        for change in options.change:
            parse_change(change)
        sizes = parse_sizes(options.sizes)
    except ValueError as error:
        parser.error(str(error))
    if options.fit:
        seeds = range(options.seed, options.seed + options.fights)
        print(f"steepness {fit(seeds, options.budget, options.scenario, sizes):.2f}")
    else:
        seeds = range(options.seed, options.seed + max(1, options.fights // 2))
        print(compare(options.change, seeds, options.budget, options.scenario, sizes))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
