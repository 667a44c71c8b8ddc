"""Writes states to learn from, judged by the search, on all cores of this machine or of a Ray cluster.

`python -m botapp.learning.generate --out DIR --fights N --minutes M` plays the fights of the seeds S to
S + N - 1; run again, it plays those that are missing. With `--student WEIGHTS` the model plays, and the
search judges the states it comes to. Next hop: `botapp.learning.train`.
"""

import argparse
import hashlib
import json
import logging
import os
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from botapp.arena.workers import SpreadError, spread
from botapp.learning.fights import Curriculum, samples
from botapp.learning.shards import About, Arrays, ShardError, about, joined, pack, path_of, paths, write

_LOG = logging.getLogger(__name__)

PER_SHARD = 16
"""Fights in a file."""
_TOLD_EVERY_S = 10.0
_MOST_FAILED = 10
"""Fights that may fail when fewer than so many were played; later one in two may."""

Told = Callable[[int, int], None]


def play(curriculum: Curriculum, fight: int) -> Arrays | str:
    """Returns the judged states of a fight as arrays, or how it failed: one fight shall not end the work."""
    try:
        return pack(samples(curriculum, fight))
    except Exception:
        return traceback.format_exc()


class GenerationError(RuntimeError):
    """Fight after fight fails; the text has the last one's error."""


class Store:
    """The shards of one seed in a folder: which fights they have, and new ones added.

    Args:
        folder: where they lie; made if it is not there.
        seed: the first fight's number.
        curriculum: what its fights have in common.

    Raises:
        ShardError: a shard of this seed is damaged, or its fights were played otherwise.
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: Path, seed: int, curriculum: Curriculum) -> None:
        self._folder, self._seed = folder, seed
        self._plan = _plan(curriculum)
        self._waiting: list[tuple[int, Arrays]] = []
        self.done: set[int] = set()
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths(folder, seed):
            found = about(path)
            if found.plan != self._plan:
                raise ShardError(
                    f"{path} was made with {found.plan}, not {self._plan}; choose another folder or seed"
                )
            self.done.update(found.fights)

    def add(self, fight: int, arrays: Arrays) -> None:
        """Takes a fight; it is in a file once `PER_SHARD` of them are there, or `flush` is called."""
        self._waiting.append((fight, arrays))
        if len(self._waiting) == PER_SHARD:
            self.flush()

    def flush(self) -> None:
        """Writes what is not in a file yet."""
        if not self._waiting:
            return
        fights = tuple(fight for fight, _ in self._waiting)
        number = 0
        while (path := path_of(self._folder, self._seed, number)).exists():
            number += 1
        write(path, joined(arrays for _, arrays in self._waiting), About(self._plan, fights))
        self.done.update(fights)
        self._waiting = []


def _plan(curriculum: Curriculum) -> dict[str, Any]:
    weights = curriculum.student
    return {
        "search_states": curriculum.search_states,
        "pool": curriculum.pool,
        "rollout_actions": curriculum.rollout_actions,
        "student": None if weights is None else hashlib.sha256(weights).hexdigest(),
    }


def generate(
    folder: Path,
    fights: int,
    seed: int,
    curriculum: Curriculum,
    workers: int,
    seconds: float | None = None,
    address: str | None = None,
    told: Told | None = None,
) -> dict[str, float]:
    """Plays the fights that are missing and writes their states; Ctrl-C keeps what is there.

    Args:
        folder: where the shards go.
        fights: fights in all.
        seed: the first fight's number; each next one has the next.
        curriculum: what they have in common.
        workers: processes on this machine.
        seconds: how long, at most.
        address: a Ray cluster to play on instead.
        told: is given the fights and the states so far, after each fight.

    Returns:
        Fights and states written now, fights that failed, fights left, and the seconds it took.

    Raises:
        ShardError: the folder has fights of these numbers that were played otherwise.
        SpreadError: the workers or the cluster cannot do it.
        GenerationError: most fights fail.
    """
    begun = time.monotonic()
    store = Store(folder, seed, curriculum)
    todo = [fight for fight in range(seed, seed + fights) if fight not in store.done]
    played = states = failed = 0
    try:
        with closing(spread(partial(play, curriculum), todo, workers, address, seconds)) as results:
            for fight, arrays in results:
                if isinstance(arrays, str):
                    failed += 1
                    _LOG.warning("fight %d failed and is left out:\n%s", fight, arrays)
                    if failed > max(played, _MOST_FAILED):
                        last = arrays.splitlines()[-1]
                        raise GenerationError(f"{failed} fights failed, {played} did not; the last: {last}")
                    continue
                store.add(fight, arrays)
                played, states = played + 1, states + len(arrays.get("fights", ()))
                if told is not None:
                    told(played, states)
    except KeyboardInterrupt:
        pass
    finally:
        store.flush()
    spent = round(time.monotonic() - begun, 1)
    left = len(todo) - played - failed
    return {"fights": played, "states": states, "failed": failed, "fights_left": left, "seconds": spent}


def _teller() -> Told:
    """Returns what prints how far the work is, every few seconds."""
    begun = last = time.monotonic()

    def tell(fights: int, states: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _TOLD_EVERY_S:
            last = now
            print(
                f"{fights} fights, {states} states, {states / (now - begun):.1f}/s",
                file=sys.stderr,
                flush=True,
            )

    return tell


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def main(arguments: list[str] | None = None) -> int:
    """Writes states to learn from, judged by the search."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.generate", description=main.__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the shards")
    parser.add_argument("--fights", type=int, default=400, help="fights in all")
    parser.add_argument("--workers", type=int, default=_cores(), help="processes on this machine")
    parser.add_argument("--minutes", type=float, default=None, help="stop after so long; run again to go on")
    parser.add_argument("--seed", type=int, default=1_000_000, help="the first fight's number")
    parser.add_argument("--search-states", type=int, default=400, help="states evaluated to judge one")
    parser.add_argument("--pool", choices=("seen", "unseen"), default="seen", help="classes and maps")
    parser.add_argument("--student", type=Path, default=None, help="weights of the model that plays")
    parser.add_argument(
        "--rollout-actions",
        type=int,
        default=None,
        help="actions of rollouts in each state, a mixture if left out",
    )
    parser.add_argument("--ray", metavar="ADDRESS", default=None, help="play on a Ray cluster instead")
    options = parser.parse_args(arguments)
    try:
        weights = None if options.student is None else options.student.read_bytes()
        written = generate(
            options.out,
            options.fights,
            options.seed,
            Curriculum(options.search_states, options.pool, weights, options.rollout_actions),
            options.workers,
            None if options.minutes is None else 60 * options.minutes,
            options.ray,
            _teller(),
        )
    except (ShardError, SpreadError, GenerationError, ValueError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    print(json.dumps(written))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
