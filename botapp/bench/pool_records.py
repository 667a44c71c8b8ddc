"""Many fights of just one pool, played in compiled code, for an evaluation that knows nothing else.

Of each fight some states at the beginning of turns are kept, with who won: what `botapp.learning.evaluation`
learns from. A folder holds a file for every few thousand fights.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from botapp.arena.even import MONSTERS, QUICK
from botapp.arena.player_spec import policy_of
from botapp.arena.scenarios import LARGEST_TEAM, Pool, adventure, team
from botapp.fight.rules import DRAW
from botapp.learning.outcomes import Played, as_played
from botapp.learning.quick_fights import scattered
from botapp.learning.rows import Rows, padded
from botapp.search.whole_fights import WholeFight

PoolName = Literal["unseen", "drawn", "seen", "monsters"]
FIGHTS: Mapping[PoolName, tuple[str, Pool]] = {
    "unseen": ("team", "unseen"),
    "drawn": ("team", "drawn"),
    "seen": ("team", "seen"),
    "monsters": ("adventure", "seen"),
}
"""The scenario of each, and where fighters and maps come from."""
FIRST_SEED = 600_000_000  # Seeds of fights to learn from; those of fights that measure are below 500,000,000
_KEPT = 0.2  # The share of turns whose state is kept; a fight has some 20 to 100
_MOST = 8
_SCATTERED = 0.5
"""The share of fights that begin anywhere on the board, so that states are known that good play never meets.
"""


def play_some(pool: PoolName, sizes: Sequence[int], fights: range) -> list[Played]:
    """Plays the fights of some seeds; those of which no state was kept are left out."""
    return [played for seed in fights if len((played := play_one(pool, sizes, seed)).rows)]


def play_one(pool: PoolName, sizes: Sequence[int], seed: int) -> Played:
    """Plays the fight of a seed; the same seed gives the same states."""
    rng = random.Random(f"pool {seed}")
    scenario, source = FIGHTS[pool]
    size = rng.choice(sizes or range(1, LARGEST_TEAM + 1))
    state = adventure(seed, pool=source) if scenario == "adventure" else team(seed, size, pool=source)
    if rng.random() < _SCATTERED:
        state = scattered(state, rng)
    blue = MONSTERS if pool == "monsters" else QUICK
    fight = WholeFight(state, policy_of(QUICK), policy_of(blue))
    found: list[tuple[Rows, Rows]] = []
    turns = fight.turns(seed)
    while True:
        try:
            next(turns)
        except StopIteration as over:
            winner = over.value.winner
            break
        if rng.random() < _KEPT:
            seen = padded(*fight.inputs())
            if seen is not None:
                found.append(seen)
    if len(found) > _MOST:
        found = rng.sample(found, _MOST)
    return as_played(seed, found, [np.nan] * len(found), 0.5 if winner == DRAW else 1.0 - winner)


def write(fights: Sequence[Played], path: Path) -> None:
    np.savez(
        path,
        seeds=np.array([fight.fight for fight in fights]),
        counts=np.array([len(fight.rows) for fight in fights]),
        won=np.array([fight.won for fight in fights], np.float32),
        rows=np.concatenate([fight.rows for fight in fights]),
        pairs=np.concatenate([fight.pairs for fight in fights]),
    )


def read(paths: Iterable[Path]) -> Iterator[Played]:
    """Yields the fights in files that `write` wrote."""
    for path in paths:
        with np.load(path) as file:
            parts = {name: file[name] for name in ("seeds", "counts", "won", "rows", "pairs")}
        first = 0
        for seed, number, won in zip(parts["seeds"], parts["counts"], parts["won"], strict=True):
            last = first + int(number)
            rows, pairs = parts["rows"][first:last], parts["pairs"][first:last]
            nothing = np.full(int(number), np.nan, np.float32)
            yield Played(int(seed), rows, pairs, nothing, float(won))
            first = last
