"""Measures the reader on pictures with their truth, and prints a table by size.

    python -m vision.scoring.accuracy FOLDER [--profile arena] [--json]

FOLDER holds pairs NAME.png, NAME.json, as `python -m botapp.arena.window.render --out --truth` writes them.
Each picture is read by a fresh `Reader`; times are of a second reading with the first one's caches cleared.
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision import profiles
from vision.capture.image_file import open_image
from vision.extract import Reader
from vision.scoring.score import score, score_cells


def measure(folder: Path, profile: str) -> dict[str, Any]:
    """Returns, by picture size: the number of pictures, shares of outcomes, time, and faults.

    Raises:
        ValueError: there are no pictures, or one cannot be read.
    """
    fields: dict[str, Counter[str]] = defaultdict(Counter)
    cells: dict[str, Counter[str]] = defaultdict(Counter)
    times: dict[str, list[float]] = defaultdict(list)
    faults: dict[str, list[str]] = defaultdict(list)
    rules = profiles.load(profile)
    for path in sorted(folder.glob("*.json")):
        frame = open_image(path.with_suffix(".png"))
        truth = json.loads(path.read_text(encoding="utf-8"))
        view = Reader(rules).read(frame)
        size = f"{frame.rect.width}x{frame.rect.height}"
        for name, outcome in score(view, truth).items():
            fields[size][outcome] += 1
            if outcome != "right":
                faults[size].append(f"{path.stem}: {name}: {outcome}")
        if truth["phase"] == "fight":
            cells[size] += score_cells(view, truth)
        times[size].append(view.elapsed_ms)
    if not fields:
        raise ValueError(f"{folder}: there are no pictures with a truth beside them")
    return {
        size: {
            "pictures": len(times[size]),
            "fields": _shares(fields[size]),
            "cells": _shares(cells[size]),
            "first_ms": float(np.median(times[size])),
            "faults": faults[size],
        }
        for size in fields
    }


def _shares(counts: Counter[str]) -> dict[str, float]:
    total = max(1, sum(counts.values()))
    return {outcome: counts[outcome] / total for outcome in ("right", "wrong", "withheld")} | {"count": total}


def main(arguments: list[str] | None = None) -> int:
    """Prints the table; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m vision.scoring.accuracy", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--profile", default="arena")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        found = measure(asked.folder, asked.profile)
    except ValueError as error:
        parser.error(str(error))
    if asked.json:
        print(json.dumps(found, indent=1))
        return 0
    print(f"{'size':>11} {'pictures':>8} {'what':>7} {'count':>7} {'right':>9} {'wrong':>9} {'withheld':>9}")
    for size, row in found.items():
        for what in ("fields", "cells"):
            shares = row[what]
            print(
                f"{size:>11} {row['pictures']:>8} {what:>7} {shares['count']:>7} {shares['right']:>9.3%} "
                f"{shares['wrong']:>9.3%} {shares['withheld']:>9.3%}"
            )
    for size, row in found.items():
        for fault in row["faults"][:12]:
            print(f"{size}: {fault}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
