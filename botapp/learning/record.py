"""Records deliberations on all cores: `python -m botapp.learning.record --out DIR --seconds S`.

Fights of the seeds from `--seed` on are played until the time is up; each shard is an .npz file of the
records of some fights, see `botapp.learning.recorded`. Next hop: `botapp.learning.think` trains on them.
"""

import argparse
import json
import os
import sys
import time
import traceback
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np

from botapp.arena.workers import SpreadError, spread
from botapp.learning.recorded import DEEP_ACTIONS, Arrays, RecordingPlan, joined, records, stacked

_PER_SHARD = 512
_MOST_FIGHTS = 1_000_000
_TOLD_EVERY_S = 20.0
_MOST_FAILED = 20


def play(plan: RecordingPlan, fight: int) -> Arrays | str:
    """Returns the records of a fight, or how it failed: one fight shall not end the work."""
    try:
        return stacked(records(plan, fight))
    except Exception:
        return traceback.format_exc()


def generate(folder: Path, plan: RecordingPlan, seed: int, workers: int, seconds: float) -> dict[str, float]:
    """Records fights until the time is up, and writes shards; returns how many, and how fast.

    Raises:
        SpreadError: the workers cannot do it, or fight after fight fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    begun = told = time.monotonic()
    waiting: list[Arrays] = []
    fights = states = failed = shards = 0
    tasks = range(seed, seed + _MOST_FIGHTS)
    with closing(spread(partial(play, plan), tasks, workers, seconds=seconds)) as results:
        for _, found in results:
            if isinstance(found, str):
                failed += 1
                print(found, file=sys.stderr)
                if failed > max(_MOST_FAILED, fights):
                    raise SpreadError(f"{failed} fights failed; the last: {found.splitlines()[-1]}")
                continue
            fights += 1
            if found:
                waiting.append(found)
                states += len(found["fight"])
            if sum(len(part["fight"]) for part in waiting) >= _PER_SHARD:
                _write(folder / f"records-{seed}-{shards:05d}.npz", waiting)
                waiting, shards = [], shards + 1
            if time.monotonic() - told > _TOLD_EVERY_S:
                told = time.monotonic()
                rate = states / (told - begun) / workers
                print(f"{fights} fights, {states} states, {rate:.2f} a second and worker", file=sys.stderr)
    if waiting:
        _write(folder / f"records-{seed}-{shards:05d}.npz", waiting)
    spent = time.monotonic() - begun
    return {
        "fights": fights,
        "states": states,
        "failed": failed,
        "seconds": round(spent, 1),
        "states_a_second_and_worker": round(states / spent / workers, 3),
    }


def _write(path: Path, parts: list[Arrays]) -> None:
    temporary = path.with_suffix(".tmp.npz")
    np.savez(temporary, **joined(list(parts)))  # type: ignore[arg-type]
    temporary.replace(path)


def main(arguments: list[str] | None = None) -> int:
    """Records deliberations on all cores."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.record", description=main.__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the shards")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=70_000_000, help="the first fight's number")
    parser.add_argument("--pool", choices=("seen", "unseen"), default="seen")
    parser.add_argument("--states", type=int, default=6, help="of a fight, at most")
    parser.add_argument(
        "--deep-actions", type=int, default=DEEP_ACTIONS, help="of the others, in the deep search"
    )
    parser.add_argument("--far-actions", type=int, default=0, help="in rollouts over several rounds")
    parser.add_argument("--far-rounds", type=int, default=3)
    parser.add_argument("--weights", type=Path, default=None, help="of a model that looks, too")
    parser.add_argument("--evaluation", default="learned", help="learned, none, or a file of weights")
    parser.add_argument("--replies", type=int, default=0, help="states evaluated for a turn of the others")
    given = parser.parse_args(arguments)
    weights = None if given.weights is None else given.weights.read_bytes()
    plan = RecordingPlan(
        given.pool,
        given.states,
        given.deep_actions,
        given.far_actions,
        given.far_rounds,
        weights=weights,
        evaluation=given.evaluation,
        replies=given.replies,
    )
    try:
        print(json.dumps(generate(given.out, plan, given.seed, given.workers, given.seconds)))
    except (SpreadError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
