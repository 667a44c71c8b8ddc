"""Follows recorded views with whatever program it is started in, pass by pass, and tells what each one cost.

It imports what every program of ours has, so that an older one can be measured with it: started by its
path, with PYTHONPATH naming the program.
"""

import hashlib
import json
import pickle
import sys
import time
from pathlib import Path
from typing import Any

from botapp.tracking import continuity
from botapp.tracking.state_tracker import StateTracker

_TOLD = ("id", "kind", "cell", "hp", "max_hp", "ap", "mp", "shield", "eroded", "casts", "cooldowns")


def main() -> None:
    """Answers each line on the standard input with a pass over the views in the file named."""
    fights = pickle.loads(Path(sys.argv[1]).read_bytes())
    program: Any = continuity
    follow = program.follow
    costs: list[float] = []

    def timed(*given: Any) -> Any:
        started = time.thread_time_ns()
        followed = follow(*given)
        costs.append((time.thread_time_ns() - started) / 1e6)
        return followed

    program.follow = timed
    for _ in sys.stdin:
        costs.clear()
        updates: list[float] = []
        beliefs = []
        for views in fights:
            tracker = StateTracker()
            for view in views:
                started = time.thread_time_ns()
                tracked = tracker.situate(view)
                updates.append((time.thread_time_ns() - started) / 1e6)
                beliefs.append(_digest(tracked.situation.picture))
        print(json.dumps({"update_ms": updates, "follow_ms": costs, "beliefs": beliefs}), flush=True)


def _digest(state: Any) -> str:
    """Returns what is believed as a short text, equal for equal beliefs."""
    if state is None:
        return ""
    fighters = [
        [
            *(getattr(fighter, name) for name in _TOLD),
            [(buff.stat, buff.amount, buff.turns) for buff in fighter.buffs],
        ]
        for fighter in state.fighters
    ]
    marks = [(mark.cell, mark.turns) for mark in state.marks]
    told = repr((fighters, marks, state.order, state.current, state.turn))
    return hashlib.sha256(told.encode()).hexdigest()[:12]


if __name__ == "__main__":
    main()
