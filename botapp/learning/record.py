"""Records deliberations on all cores: `python -m botapp.learning.record --out DIR --seconds S`.

Fights are played until the time is up; a folder that holds records gets those of the fights that follow.
`botapp.learning.shards` keeps them, `botapp.learning.think` trains on them.
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
from typing import get_args

from botapp.arena.scenarios import FIRST_TRAINING_SEED
from botapp.arena.workers import SpreadError, spread
from botapp.learning.recorded import Arrays, RecordedPool, RecordingPlan, records, stacked
from botapp.learning.shards import ShardWriter

_MOST_FIGHTS = 10_000_000
_REPORT_EVERY_S = 20.0
_MOST_FAILED = 20
_FIRST_MEASURING = 600_000_000


def play(plan: RecordingPlan, fight: int) -> Arrays | str:
    """Returns the records of a fight, or its traceback: a fight that fails does not end the recording."""
    try:
        return stacked(records(plan, fight))
    except Exception:
        return traceback.format_exc()


def generate(folder: Path, plan: RecordingPlan, first: int, workers: int, seconds: float) -> dict[str, float]:
    """Records fights until the time is up; returns how many there were, and how fast.

    Args:
        folder: where the shards are kept.
        first: number of the first fight; where the folder holds fights from there on, those after them.

    Raises:
        SpreadError: the workers cannot do it, or fight after fight fails.
        ValueError: the folder holds records that were made otherwise.
    """
    writer = ShardWriter(folder, plan, first)
    begun = reported = time.monotonic()
    fights = states = failed = 0
    tasks = range(writer.next_fight, writer.next_fight + _MOST_FIGHTS)
    with closing(spread(partial(play, plan), tasks, workers, seconds=seconds)) as results:
        for fight, arrays in results:
            if isinstance(arrays, str):
                failed += 1
                print(arrays, file=sys.stderr)
                if failed > max(_MOST_FAILED, fights):
                    raise SpreadError(f"{failed} fights failed; the last: {arrays.splitlines()[-1]}")
                continue
            fights += 1
            states += writer.add(fight, arrays)
            if time.monotonic() - reported > _REPORT_EVERY_S:
                reported = time.monotonic()
                rate = states / (reported - begun) / workers
                print(f"{fights} fights, {states} states, {rate:.2f} a second and worker", file=sys.stderr)
    writer.flush()
    spent = time.monotonic() - begun
    return {
        "fights": fights,
        "states": states,
        "failed": failed,
        "seconds": round(spent, 1),
        "states_a_second_and_worker": round(states / spent / workers, 3),
    }


def main(arguments: list[str] | None = None) -> int:
    """Records deliberations on all cores."""
    usual = RecordingPlan()
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.record", description=main.__doc__)
    parser.add_argument(
        "--out",
        type=Path,
        default=None,
        help="folder of the shards; by default records in the user's data",
    )
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--pool", choices=get_args(RecordedPool), default=usual.pool)
    parser.add_argument("--seed", type=int, default=None, help="the first fight's number")
    parser.add_argument("--states", type=int, default=usual.states, help="of a fight, at most")
    parser.add_argument(
        "--deep-actions", type=int, default=usual.deep_actions, help="of the others, in the deep search"
    )
    parser.add_argument("--deep-replies", type=int, default=usual.deep_replies, help="see --replies, there")
    parser.add_argument("--far-actions", type=int, default=0, help="in rollouts over several rounds")
    parser.add_argument("--far-rounds", type=int, default=usual.far_rounds)
    parser.add_argument("--branches", type=int, default=usual.branches, help="moments where looks are tried")
    parser.add_argument("--weights", type=Path, default=None, help="of a model that looks, too")
    parser.add_argument("--evaluation", default="learned", help="learned, none, or a file of weights")
    parser.add_argument(
        "--replies", type=int, default=usual.replies, help="states evaluated for a turn of the others"
    )
    given = vars(parser.parse_args(arguments))
    out, seconds, workers, seed = (given.pop(name) for name in ("out", "seconds", "workers", "seed"))
    weights = given.pop("weights")
    if out is None:
        from botapp.content.knowledge.shelf import knowledge_dir  # noqa: PLC0415 - not on a bare machine

        out = knowledge_dir().parent / "records"
    plan = RecordingPlan(**given, weights=None if weights is None else weights.read_bytes())
    if seed is None:
        seed = 2 * FIRST_TRAINING_SEED if plan.pool == "training" else _FIRST_MEASURING
    try:
        print(json.dumps(generate(out, plan, seed, workers, seconds)))
    except (SpreadError, OSError, ValueError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
