"""Many fights between two players, mirrored: each seed is fought twice with the sides swapped.

Next hop: `botapp arena tournament`, and the figures in the README.
"""

import os
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from typing import Any, Literal

from botapp.arena.content import classes
from botapp.arena.match import play
from botapp.arena.players import Player, make_player
from botapp.arena.scenarios import adventure, duel
from botapp.fight.rules import DRAW

Scenario = Literal["duel", "adventure"]
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Fight:
    """One fight of a tournament as it came out; `a_team` is the side player A had, `winner` -1 for a draw."""

    seed: int
    a_team: int
    winner: int
    turns: int
    actions: int


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """What came of a tournament between the players `a` and `b`."""

    a: str
    b: str
    scenario: Scenario
    results: tuple[Fight, ...]

    @property
    def a_wins(self) -> int:
        """How many fights player A won."""
        return sum(1 for fight in self.results if fight.winner == fight.a_team)

    @property
    def draws(self) -> int:
        """How many fights nobody won."""
        return sum(1 for fight in self.results if fight.winner == DRAW)

    def to_json(self) -> dict[str, Any]:
        """Returns the result as a plain dict: fights, a_win_rate, draws, mean_turns and each fight."""
        fights = len(self.results)
        return {
            "a": self.a,
            "b": self.b,
            "scenario": self.scenario,
            "fights": fights,
            "a_wins": self.a_wins,
            "a_win_rate": self.a_wins / fights,
            "draws": self.draws,
            "mean_turns": sum(fight.turns for fight in self.results) / fights,
            "results": [asdict(fight) for fight in self.results],
        }


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    options: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class _Pairing:
    a: _Entry
    b: _Entry
    scenario: Scenario
    seed: int
    a_team: int


def run(
    a: str,
    b: str,
    fights: int,
    seed: int = 0,
    workers: int = 1,
    scenario: Scenario = "duel",
    a_options: Mapping[str, Any] | None = None,
    b_options: Mapping[str, Any] | None = None,
) -> TournamentResult:
    """Lets two players fight, each seed twice with the sides swapped.

    The same arguments give the same fights, however many workers there are.

    Args:
        a: name of a player, see `botapp.arena.players.PLAYERS`.
        b: name of the other player.
        fights: how many fights; of an odd number the last one is fought from one side only.
        seed: the first fight's seed; the next pair has the one after it.
        workers: processes to spread the fights over; 1 stays in this one.
        scenario: duels of two classes, or adventures where team 0 is one class alone against monsters (sides
            swapped there means that player A plays the monsters).
        a_options: what player A's constructor gets, such as {"budget": 200} for `search`.
        b_options: the same for player B.

    Raises:
        ValueError: fewer than one fight or worker, or an unknown player or scenario.
    """
    if fights < 1 or workers < 1:
        raise ValueError(f"a tournament needs at least 1 fight and 1 worker, got {fights} and {workers}")
    if scenario not in ("duel", "adventure"):
        raise ValueError(f"no scenario {scenario!r}; there are duel, adventure")
    first, second = _Entry(a, tuple((a_options or {}).items())), _Entry(b, tuple((b_options or {}).items()))
    pairings = [_Pairing(first, second, scenario, seed + index // 2, index % 2) for index in range(fights)]
    return TournamentResult(a, b, scenario, tuple(_play_all(pairings, workers)))


def _play_all(pairings: list[_Pairing], workers: int) -> Iterator[Fight]:
    if workers == 1:
        yield from map(_play, pairings)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _use_one_thread) as pool:
        yield from pool.map(_play, pairings)


def _use_one_thread() -> None:
    """Keeps numeric libraries of a worker process from competing with the other workers."""
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")


@cache
def _player(entry: _Entry) -> Player:
    return make_player(entry.name, **dict(entry.options))


def _play(pairing: _Pairing) -> Fight:
    seed = pairing.seed
    kinds = sorted(classes())
    state = duel(seed) if pairing.scenario == "duel" else adventure(seed, kinds[seed % len(kinds)])
    sides = {pairing.a_team: _player(pairing.a), 1 - pairing.a_team: _player(pairing.b)}
    result = play(state, sides, random.Random(seed))
    return Fight(seed, pairing.a_team, result.winner, result.turns, result.actions)
