"""How even the classes are: every class fights every other one, both played greedily, sides swapped.

python -m botapp.arena.balance [--fights 20] [--player greedy] [--workers 2] [--seed 0] [--json]
"""

import argparse
import json
import random
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from multiprocessing import get_context

from botapp.arena.match import play
from botapp.arena.player_spec import PLAYERS, make_player
from botapp.arena.scenarios import duel
from botapp.content.library import classes
from botapp.fight.rules import DRAW
from botapp.host.children import end_with_parent

EVEN = (0.35, 0.65)
"""The shares of points between which a class counts as even with the others."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One fight: the class on each side, and its seed."""

    red: str
    blue: str
    seed: int
    player: str


@dataclass(frozen=True, slots=True)
class Balance:
    """What each class got against each other one, as a share of the points; half a point for a draw."""

    shares: dict[tuple[str, str], float]
    fights: int

    def overall(self) -> dict[str, float]:
        """Returns what each class got against all others."""
        found: dict[str, list[float]] = {}
        for (kind, _), share in self.shares.items():
            found.setdefault(kind, []).append(share)
        return {kind: sum(shares) / len(shares) for kind, shares in found.items()}

    def text(self) -> str:
        """Returns a table for a person."""
        overall = self.overall()
        lines = [" " * 8 + "".join(f"{kind:>8}" for kind in overall) + f"{'all':>8}"]
        for kind, share in overall.items():
            cells = "".join(
                f"{'-':>8}" if other == kind else f"{self.shares[kind, other]:8.0%}" for other in overall
            )
            mark = "" if EVEN[0] <= share <= EVEN[1] else "  uneven"
            lines.append(f"{kind:8}{cells}{share:8.0%}{mark}")
        return "\n".join(lines)


def measure(
    kinds: Sequence[str], fights: int, seed: int = 0, workers: int = 1, player: str = "greedy"
) -> Balance:
    """Lets every class fight every other one.

    Args:
        kinds: the classes.
        fights: how many fights a pair has; each seed is fought twice, the sides swapped.
        seed: the first fight's seed.
        workers: processes to play in; 1 stays in this one.
        player: who plays both sides, one of `botapp.arena.player_spec.PLAYERS`.
    """
    pairs = list(combinations(kinds, 2))
    pairings = [
        Pairing(*(pair if index % 2 == 0 else pair[::-1]), seed + index // 2, player)
        for pair in pairs
        for index in range(fights)
    ]
    if workers == 1:
        points = [_points(pairing) for pairing in pairings]
    else:
        with ProcessPoolExecutor(workers, get_context("spawn"), end_with_parent) as pool:
            points = list(pool.map(_points, pairings, chunksize=8))
    won: dict[tuple[str, str], float] = dict.fromkeys(
        [pair for one, other in pairs for pair in ((one, other), (other, one))], 0.0
    )
    for pairing, red in zip(pairings, points, strict=True):
        won[pairing.red, pairing.blue] += red
        won[pairing.blue, pairing.red] += 1 - red
    return Balance({pair: total / fights for pair, total in won.items()}, len(pairings))


def _points(pairing: Pairing) -> float:
    """Plays a fight and returns what the red side got."""
    player = make_player(pairing.player)
    state = duel(pairing.seed, pairing.red, pairing.blue, pool="any")
    result = play(state, {0: player, 1: player}, random.Random(pairing.seed))
    return 0.5 if result.winner == DRAW else float(result.winner == 0)


def main(arguments: list[str] | None = None) -> int:
    """Prints the table; returns 1 where a class is uneven."""
    parser = argparse.ArgumentParser(prog="python -m botapp.arena.balance", description=__doc__)
    parser.add_argument("--fights", type=int, default=20, help="fights of each pair")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--player", choices=PLAYERS, default="greedy")
    parser.add_argument("--only", nargs="*", choices=list(classes()), help="these classes")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    found = measure(asked.only or list(classes()), asked.fights, asked.seed, asked.workers, asked.player)
    overall = found.overall()
    if asked.json:
        shares = {f"{one}-{other}": share for (one, other), share in found.shares.items()}
        print(json.dumps({"fights": found.fights, "overall": overall, "shares": shares}, indent=1))
    else:
        print(found.text())
    return int(any(not EVEN[0] <= share <= EVEN[1] for share in overall.values()))


if __name__ == "__main__":
    raise SystemExit(main())
