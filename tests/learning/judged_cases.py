"""States like the generator's, made of numbers: the best option is the one with the largest column."""

from pathlib import Path

import numpy as np

from botapp.advisor.features import CANDIDATE, FIGHTER, GLOBAL
from botapp.learning.shards import About, path_of, write

WORTH = 3
"""The column of an option that says what it is worth."""


def judged(fights: range, states: int = 12, options: tuple[int, int] = (2, 60), seed: int = 0):
    """Returns arrays of format 2: `states` of each fight, each with some options."""
    rng = np.random.default_rng((seed, fights.start))
    count = len(fights) * states
    option_counts = rng.integers(*options, count, endpoint=True).astype(np.int32)
    fighter_counts = rng.integers(2, 9, count, endpoint=True).astype(np.int32)
    tokens = rng.normal(size=(option_counts.sum(), len(CANDIDATE))).astype(np.float16)
    starts = np.concatenate(([0], np.cumsum(option_counts)[:-1]))
    static = 10 * tokens[:, WORTH].astype(np.float32)
    return {
        "context": rng.normal(size=(count, len(GLOBAL))).astype(np.float16),
        "fighters": rng.normal(size=(fighter_counts.sum(), len(FIGHTER))).astype(np.float16),
        "fighter_counts": fighter_counts,
        "options": tokens,
        "option_counts": option_counts,
        "regrets": np.repeat(np.maximum.reduceat(static, starts), option_counts) - static,
        "outcomes": rng.choice((-1.0, 0.0, 1.0), count).astype(np.float32),
        "fights": np.repeat(np.array(fights, np.int32), states),
        "sizes": np.ones((count, 2), np.int8),
        "kind": rng.integers(0, 3, count).astype(np.int8),
    }


def write_judged(folder: Path, fights: range, **how) -> dict[str, np.ndarray]:
    """Writes a shard of such states; returns its arrays."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = judged(fights, **how)
    write(path_of(folder, fights.start, 0), arrays, About({}, tuple(fights)))
    return arrays
