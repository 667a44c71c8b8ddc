"""What a run showed, as figures: how often vision was right, how the fights ended, what things cost.

Vision's readings are held against the arena's own log here and nowhere else, after the run. Pure functions
over lines and numbers.
"""

import json
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from vision.scoring.score import score, score_cells
from vision.view import FightView

CALM_NS = 80_000_000
"""A reading is judged only when nothing shown changed for so long before and after its capture."""

SAMPLE_S = 10.0
MINUTE_S = 60.0
PACKAGES = ("botapp", "torch", "numpy", "PySide6-Essentials", "mss", "opencv-python-headless", "onnxruntime")
Truth = Mapping[str, Any]


def memory(points: Sequence[tuple[float, int]], settled_s: float) -> dict[str, Any]:
    """Returns how one process's resident memory went, in bytes.

    Args:
        points: (seconds since the start, bytes), in order, at least one.
        settled_s: when everything was loaded, in seconds since the start.

    Returns:
        "start" (once everything was loaded), "minute" (after the first minute, None in a shorter run), "end",
        "peak", "growth" (the end's share above "minute") and "samples" ([seconds, bytes] every ten seconds).
    """
    end = points[-1][1]
    minute = _first_from(points, MINUTE_S)
    samples = [points[0]]
    for at, rss in points:
        if at - samples[-1][0] >= SAMPLE_S:
            samples.append((at, rss))
    return {
        "start": _first_from(points, settled_s) or end,
        "minute": minute,
        "end": end,
        "peak": max(rss for _, rss in points),
        "growth": round(end / minute - 1, 4) if minute else None,
        "samples": [[round(at, 1), rss] for at, rss in samples],
    }


def busy_share(points: Sequence[tuple[float, float]], settled_s: float) -> float | None:
    """Returns what one process took of a core once everything was loaded, None where that never came.

    Args:
        points: (seconds since the start, seconds of processor time so far), in order; a process that was
            started anew counts from nothing again.
        settled_s: when everything was loaded, in seconds since the start.
    """
    counted = [point for point in points if point[0] >= settled_s]
    if len(counted) < 2:
        return None
    spent = sum(max(0.0, later - earlier) for (_, earlier), (_, later) in pairwise(counted))
    return round(spent / (counted[-1][0] - counted[0][0]), 4)


def _first_from(points: Sequence[tuple[float, int]], seconds: float) -> int | None:
    return next((rss for at, rss in points if at >= seconds), None)


def log_lines(path: Path) -> list[dict[str, Any]]:
    """Returns the lines of an arena log; a last line that was cut off is left out."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def matched(views: Iterable[FightView], lines: Iterable[Truth]) -> Iterator[tuple[FightView, Truth]]:
    """Pairs each reading with what was on the screen when its picture was taken.

    A reading is left out when anything shown changed within `CALM_NS` of its capture: it is not known then
    which of the two pictures was taken.

    Args:
        lines: the arena's log, in order.
    """
    shown = [line for line in lines if line["event"] == "shown"]
    times = [int(line["t_ns"]) for line in shown]
    for view in views:
        index = bisect_right(times, view.captured_ns) - 1
        if index < 0 or view.captured_ns - times[index] < CALM_NS:
            continue
        if index + 1 < len(times) and times[index + 1] - view.captured_ns < CALM_NS:
            continue
        yield view, shown[index]


@dataclass(slots=True)
class Tally:
    """Counts of fields read right, wrong and withheld."""

    right: int = 0
    wrong: int = 0
    withheld: int = 0

    def add(self, outcome: str, count: int = 1) -> None:
        setattr(self, outcome, getattr(self, outcome) + count)

    def to_json(self) -> dict[str, float | int]:
        total = self.right + self.wrong + self.withheld
        return {
            "total": total,
            "right": self.right,
            "wrong": self.wrong,
            "withheld": self.withheld,
            "right_share": round(self.right / total, 5) if total else 0.0,
            "wrong_share": round(self.wrong / total, 5) if total else 0.0,
        }


@dataclass(slots=True)
class Accuracy:
    """How vision did over many readings: all fields together, by field, and the board's cells."""

    readings: int = 0
    fields: Tally = field(default_factory=Tally)
    cells: Tally = field(default_factory=Tally)
    by_field: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    examples: list[dict[str, Any]] = field(default_factory=list)

    def add(self, view: FightView, truth: Truth) -> None:
        """Judges one reading; the first few wrong fields are kept as examples."""
        self.readings += 1
        for name, outcome in score(view, truth).items():
            self.fields.add(outcome)
            self.by_field[_group(name)].add(outcome)
            if outcome == "wrong" and len(self.examples) < 20:
                self.examples.append({"seq": view.seq, "field": name, "shown_t_ns": truth["t_ns"]})
        if truth["phase"] == "fight":
            for outcome, count in score_cells(view, truth).items():
                self.cells.add(outcome, count)

    def to_json(self) -> dict[str, Any]:
        return {
            "readings": self.readings,
            "fields": self.fields.to_json(),
            "cells": self.cells.to_json(),
            "by_field": {name: tally.to_json() for name, tally in sorted(self.by_field.items())},
            "wrong_examples": self.examples,
        }


def _group(name: str) -> str:
    """Returns a field's name without its numbers, so that "enemy 2 hp" counts as "enemy hp"."""
    return " ".join(part for part in name.split() if not part.isdigit())


def fights(lines: Iterable[Truth]) -> dict[str, Any]:
    """Returns how the fights in an arena log ended, with their seeds."""
    results: dict[int, dict[str, Any]] = {}
    for line in lines:
        if line["event"] == "shown":
            results.setdefault(line["fight"], {"seed": line["seed"], "result": "unfinished"})
        elif line["event"] == "fight-end":
            if line["winner"] == -1:
                result = "draw"
            else:
                result = "won" if line["winner"] == line["player_team"] else "lost"
            results[line["fight"]] = {"seed": line["seed"], "result": result, "turns": line["turns"]}
    count = Counter(entry["result"] for entry in results.values())
    return {
        **{name: count[name] for name in ("won", "lost", "draw", "unfinished")},
        "each": [results[number] for number in sorted(results)],
    }
