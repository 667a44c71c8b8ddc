"""What it costs to believe: the state tracker over flawless views of fights, this program's and another's.

`python -m botapp.bench.belief --against FOLDER` plays fights of the arena, records what a reader without a
fault would see of them, and lets this program and the one in the folder follow the very same views in turn,
pass by pass. The first pass warms up. Some fights are seen after every action, others after every second
one or every fourth; half of them have a log.
"""

import argparse
import json
import os
import pickle
import random
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from botapp.arena.players import GreedyPlayer
from botapp.arena.scenarios import adventure, outcome, team
from botapp.bench import following
from botapp.bench.flawless import view_of
from botapp.fight.actions import Cast
from botapp.fight.rules import apply
from botapp.fight.state import FightState
from botapp.host.children import tied
from botapp.host.statistics import percentiles
from vision.view import ChronicleLine, FightView, Seen

_PLAYER = 0
_STRIDES = (1, 2, 4)
"""Actions from one picture to the next, by fight."""
_FRAMES = 2
"""Views of each picture: on the second everybody has come to rest."""
_FRAME_NS = 400_000_000
_LINES = 8
"""Lines of the log that a client shows."""


def recorded(number: int, actions: int) -> list[FightView]:
    """Returns the views of a fight.

    Args:
        number: of the fight; it says who fights, how often it is seen and whether there is a log.
        actions: how many actions are played at most.
    """
    rng, greedy = random.Random(number), GreedyPlayer()
    state = team(number, number % 4 + 1) if number % 5 else adventure(number)
    stride = _STRIDES[number % len(_STRIDES)]
    log: list[ChronicleLine] | None = [] if number % 2 else None
    views: list[FightView] = []
    for played in range(actions):
        if played % stride == 0:
            shown = replace(
                view_of(state, _PLAYER),
                shield=Seen(state.fighter(_PLAYER).shield, 1.0),
                log=None if log is None else tuple(log[-_LINES:]),
            )
            views += [replace(shown, captured_ns=_FRAME_NS * (len(views) + n)) for n in range(_FRAMES)]
        action = greedy.choose(state, rng)
        if log is not None and isinstance(action, Cast):
            log.append(_line(state, action, len(log)))
        state = apply(state, action, rng)
        if outcome(state) is not None or not state.fighter(_PLAYER).alive:
            break
    return views


def _line(state: FightState, cast: Cast, number: int) -> ChronicleLine:
    hit = next((f.kind for f in state.fighters if f.alive and f.cell == cast.target), None)
    return ChronicleLine(number % 2 == 1, state.actor.kind, frozenset({cast.spell}), hit)


def measure(fights: int, actions: int, passes: int, against: Path | None) -> dict[str, Any]:
    """Returns milliseconds of own processor time of an update and of a conclusion, by program.

    Args:
        fights: how many fights are seen.
        actions: actions of each at most.
        passes: how often each program follows them.
        against: folder of another program; None for this one alone.
    """
    here = Path(following.__file__).parents[2]
    programs = {"this": here} | ({} if against is None else {"other": against})
    with tempfile.TemporaryDirectory(prefix="botapp-bench-") as folder:
        views = Path(folder) / "views.pickle"
        views.write_bytes(pickle.dumps([recorded(number, actions) for number in range(fights)]))
        workers = {name: _started(program, views) for name, program in programs.items()}
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in workers}
        for _ in range(passes + 1):
            for name, worker in workers.items():
                found[name].append(_pass(worker))
        for worker in workers.values():
            worker.communicate()
    told = {name: _figures(answers[1:]) for name, answers in found.items()}
    if against is not None:
        this, other = (found[name][0]["beliefs"] for name in ("this", "other"))
        told["beliefs"] = {
            "views": len(this),
            "equal": sum(one == another for one, another in zip(this, other, strict=True)),
        }
    return told


def _started(program: Path, views: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        tied([sys.executable, "-P", following.__file__, str(views)]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=program,
        env={**os.environ, "PYTHONPATH": str(program)},
    )


def _pass(worker: "subprocess.Popen[str]") -> dict[str, Any]:
    assert worker.stdin is not None and worker.stdout is not None
    worker.stdin.write("again\n")
    worker.stdin.flush()
    answer: dict[str, Any] = json.loads(worker.stdout.readline())
    return answer


def _figures(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns percentiles over all views, each at the least that it cost in any pass."""
    least = {key: np.min([answer[key] for answer in answers], axis=0) for key in ("update_ms", "follow_ms")}
    return {
        key: {**(percentiles(costs) or {}), "most": round(costs.max(), 2)} for key, costs in least.items()
    }


def main(arguments: list[str] | None = None) -> int:
    """Times the state tracker over the same views in this program and another, and prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m botapp.bench.belief", description=main.__doc__)
    parser.add_argument("--fights", type=int, default=24)
    parser.add_argument("--actions", type=int, default=60, help="of each fight at most")
    parser.add_argument("--passes", type=int, default=3, help="over all views, by each program in turn")
    parser.add_argument("--against", type=Path, help="folder of another program")
    given = parser.parse_args(arguments)
    print(json.dumps(measure(given.fights, given.actions, given.passes, given.against), indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
