"""Runs the headless demo for hours and writes its cost down minute by minute; ends with 1 where it grew.

    python -m tests.attack.soak --minutes 120 --picture docs/soak.svg     two hours, nothing else running
    python -m tests.attack.soak --minutes 1440 --rows out/soak.jsonl      a day
    python -m tests.attack.soak --minutes 60 --kill-every 300             the worker killed every 5 minutes

Wanted: over the second half no process grows by more than 1 % an hour, and after a kill the screen is read
again within 5 s, so that advice is back as soon as it is one's turn.
"""

import argparse
import itertools
import json
import os
import signal
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from botapp.runtime import first_start

first_start.begin()  # as `botapp run` does: else this process, whose memory is measured, compiles the rules

from botapp.demo import run as demo  # noqa: E402
from botapp.host.settings_file import load  # noqa: E402
from botapp.host.statistics import percentiles  # noqa: E402
from botapp.runtime.messages import Snapshot  # noqa: E402
from hrm.training.plot import draw  # noqa: E402

MOST_GROWN = 0.01
BACK_WITHIN_S = 5.0


class MinuteDiary(demo.Diary):
    """A diary of the demo that writes a line of figures for each minute."""

    rows: list[dict[str, Any]]
    written: Path

    def begin(self, written: Path, kill_every_s: float) -> None:
        self.rows, self.written = [], written
        self._at, self._before = time.monotonic(), dict.fromkeys(("frames", "dropped", "decisions"), 0)
        self._costs: list[float] = []
        self._kill_every_s, self._killed_at = kill_every_s, 0.0
        self._worker: int | None = None
        self._lock = threading.Lock()
        self.away: list[float] = []
        self.blind: list[float] = []

    def note(self, snapshot: Snapshot) -> None:
        super().note(snapshot)
        with self._lock:
            self._costs.append(sum(cost for _, cost in snapshot.stages_ms))
            if self._killed_at and len(self.blind) == len(self.away):
                self.blind.append(time.monotonic() - self._killed_at)
            if self._killed_at and snapshot.decision is not None:
                self.away.append(time.monotonic() - self._killed_at)
                self._killed_at = 0.0

    def weigh(self, **pids: int | None) -> None:
        super().weigh(**pids)
        self._worker = pids.get("worker") or self._worker
        now = time.monotonic()
        if now - self._at >= 60:
            self._write(now, pids)
        due = self._kill_every_s and now - self.begun > self._kill_every_s * (len(self.away) + 1)
        if due and not self._killed_at and self._worker is not None and psutil.pid_exists(self._worker):
            self._killed_at = now
            os.kill(self._worker, signal.SIGKILL)

    def _write(self, now: float, pids: dict[str, int | None]) -> None:
        with self._lock:
            costs, self._costs = self._costs, []
        counts = {name: self.counts[name] - self._before[name] for name in self._before}
        self._before = {name: self.counts[name] for name in self._before}
        row = {
            "minute": len(self.rows) + 1,
            "fps": round(counts["frames"] / (now - self._at), 2),
            "dropped": counts["dropped"],
            "decisions": counts["decisions"],
            "latency_ms": percentiles(costs)["p95"] if costs else None,
            "restarts": self.restarts,
            "memory_mb": {n: round(self.memory[n][-1][1] / 2**20, 1) for n in pids if self.memory[n]},
        }
        self._at = now
        self.stages.clear()  # some 4 MB an hour of the app's memory would be this diary's own
        for points in (*self.memory.values(), *self.processor.values()):
            del points[1:-1]
        self.rows.append(row)
        with self.written.open("a") as file:
            file.write(json.dumps(row) + "\n")


def growth(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Returns by how much each process grew in an hour of the second half: the median slope, as a share."""
    half = rows[len(rows) // 2 :]
    found = {}
    for name in half[0]["memory_mb"] if half else {}:
        points = [(row["minute"], row["memory_mb"][name]) for row in half if name in row["memory_mb"]]
        slopes = [(b - a) / (y - x) for (x, a), (y, b) in itertools.combinations(points, 2)]
        found[name] = 60 * statistics.median(slopes or [0.0]) / points[0][1]
    return found


def picture(rows: Sequence[dict[str, Any]], path: Path) -> None:
    def line(name: str, values: Sequence[float | None]) -> tuple[str, list[tuple[float, float]]]:
        return name, [(row["minute"], v) for row, v in zip(rows, values, strict=True) if v is not None]

    names = rows[0]["memory_mb"]
    draw(
        [
            ("memory in MB by minute", [line(n, [row["memory_mb"].get(n) for row in rows]) for n in names]),
            ("pictures a second by minute", [line("fps", [row["fps"] for row in rows])]),
            ("look, read, decide: p95 in ms", [line("p95", [row["latency_ms"] for row in rows])]),
        ],
        path,
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--speed", type=float, default=2.0, help="of the arena")
    parser.add_argument("--kill-every", type=float, default=0.0, help="seconds between kills of the worker")
    parser.add_argument("--rows", type=Path, default=Path("out/soak.jsonl"))
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    options.rows.parent.mkdir(parents=True, exist_ok=True)
    options.rows.unlink(missing_ok=True)
    diaries: list[MinuteDiary] = []

    def diary() -> MinuteDiary:
        made = MinuteDiary()
        made.begin(options.rows, options.kill_every)
        diaries.append(made)
        return made

    demo.Diary = diary  # type: ignore[assignment, misc]
    from botapp.ui.app import main as app_main

    code = demo.run(
        demo.DemoOptions(load().settings, seconds=options.minutes * 60 + 10, speed=options.speed), app_main
    )
    (kept,) = diaries
    if not kept.rows:
        print("It ended within a minute.", file=sys.stderr)
        return 1
    if options.picture is not None:
        picture(kept.rows, options.picture)
    grown = growth(kept.rows)
    for name, share in grown.items():
        print(f"{name}: {share:+.1%} an hour over the second half")
    print(f"pictures a second: {min(row['fps'] for row in kept.rows)} at least; faults: {kept.restarts}")
    if options.kill_every:
        blind, away = (max(times, default=0) for times in (kept.blind, kept.away))
        print(f"killed {len(kept.away)} times, the screen is read again after {blind:.1f} s at most")
        print(f"the next advice comes {away:.1f} s after a kill at most, the others' turns among them")
    grew = not options.kill_every and any(share > MOST_GROWN for share in grown.values())
    slow = any(seconds > BACK_WITHIN_S for seconds in kept.blind)
    return code or int(grew or slow)


if __name__ == "__main__":
    sys.exit(main())
