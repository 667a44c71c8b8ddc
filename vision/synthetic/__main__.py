"""The commands for synthetic screens: `python -m vision.synthetic make | score | fit | damage`.

make DIR --count N --seed S [--client NAME]   writes pictures and DIR/labels.json
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2

from vision import profiles, reliability
from vision.extract.dofus import rings_seen
from vision.synthetic import clients, damage, fitting, scoring, screen

_FAULTS = 60


def make(folder: Path, count: int, seed: int, client: str) -> None:
    """Writes pictures of fights, one in ten of something else, with their labels beside them.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    labels: list[dict[str, Any]] = []
    for index in range(seed, seed + count):
        other = not client and index % 10 == 9
        picture, label = screen.draw_elsewhere(index) if other else screen.draw(index, client)
        name = f"{index:06d}.png"
        if not cv2.imwrite(str(folder / name), picture):
            raise OSError(f"{folder / name} cannot be written")
        labels.append({"file": name} | label)
    text = json.dumps(
        {"note": f"drawn by vision.synthetic, seeds from {seed} on", "screens": labels}, indent=1
    )
    (folder / "labels.json").write_text(text, encoding="utf-8")


def score(count: int, seed: int, client: str, file: Path | None, unlike: bool) -> None:
    """Prints how many fields were right, by client and field, and the reliability of the confidences.

    Raises:
        OSError: the file cannot be written.
    """
    summary = scoring.run(range(seed, seed + count), client, unlike=unlike).summary()
    if file is not None:
        file.write_text(json.dumps({"count": count, "seed": seed} | summary, indent=1), encoding="utf-8")
    print(f"{'client':>12} {'field':>18} {'count':>6} {'right':>8} {'withheld':>8} {'wrong':>8}")
    for name, fields in [*summary["clients"].items(), *summary["cells"].items()]:
        for field, counts in fields.items():
            total = max(1, sum(counts.values()))
            shares = [counts.get(outcome, 0) / total for outcome in ("right", "withheld", "wrong")]
            print(f"{name:>12} {field:>18} {total:>6}", *(f"{share:>8.2%}" for share in shares))
    print(f"{summary['accuracy']:.2%} of {sum(summary['total'].values())} fields right; {summary['total']}")
    print(f"{'said':>20} {'count':>6} {'said':>8} {'right':>8} {'gap':>8}")
    rows = [(f"{row['from']:.2f} to {row['to']:.2f}", row) for row in summary["reliability"]]
    for title, row in [*rows, *summary["by_field"].items()]:
        print(f"{title:>20} {row['count']:>6} {row['said']:>8.3f} {row['right']:>8.3f} {row['gap']:>+8.3f}")
    for fault in summary["wrong"][:_FAULTS]:
        print(f"wrong: {fault}")


def fit(count: int, seed: int, client: str, file: Path) -> None:
    """Measures the readers' uncalibrated confidences, and writes the calibration curves.

    Curves of other clients and fields in the file are kept.

    Raises:
        OSError: the file cannot be read or written.
    """
    seen = scoring.run(range(seed, seed + count), client, scoring.read_unadjusted)
    curves = fitting.curves(seen)
    before = file.read_text(encoding="utf-8") if file.is_file() else ""
    measured = {"count": count, "seed": seed, "client": client or "all"}
    file.write_text(fitting.to_text(curves, measured, before), encoding="utf-8")
    for name, fields in curves.items():
        for field, curve in fields.items():
            points = ", ".join(f"{reported:.2f} -> {right:.3f}" for reported, right in curve)
            print(f"{name:>12} {field:>15}: {points}")


def run_damage(count: int, seed: int, file: Path | None) -> bool:
    """Reads damaged inputs and prints the result; returns whether there was no fault.

    Raises:
        OSError: the file cannot be written.
    """
    report = damage.run(seed, count)
    if file is not None:
        file.write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(", ".join(f"{way} {number}" for way, number in sorted(report["ways"].items())))
    print(
        f"{count} inputs, {len(report['faults'])} faults; on one core slowest {report['slowest_s']} s "
        f"(99 % within {report['p99_s']} s), above ten million pixels {report['slowest_above_10_mp_s']} s; "
        f"by the clock slowest {report['slowest_by_the_clock_s']} s"
    )
    for fault in report["faults"][:_FAULTS]:
        print(fault)
    return not report["faults"]


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m vision.synthetic", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write pictures with their labels")
    making.add_argument("folder", type=Path)
    scored = commands.add_parser("score", help="read pictures as they are drawn")
    scored.add_argument("--json", type=Path, default=None, metavar="FILE")
    scored.add_argument(
        "--unlike", action="store_true", help="screens of other players: themes, glyphs, summons"
    )
    fitted = commands.add_parser("fit", help="measure how sure the readers are")
    fitted.add_argument("--out", type=Path, default=Path(str(profiles.folder())) / reliability.FILE)
    harmed = commands.add_parser("damage", help="read damaged inputs")
    harmed.add_argument("--json", type=Path, default=None, metavar="FILE")
    scored.add_argument(
        "--weights", type=Path, help="read with this network for rings, a file that vision.learn wrote"
    )
    for command in (making, scored, fitted):
        command.add_argument("--client", default="")
        command.add_argument(
            "--also",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="the drawing of a client that does not come with the app, its profile beside it",
        )
    for command, count in ((making, 20), (scored, 2000), (fitted, 3000), (harmed, 10_000)):
        command.add_argument("--count", type=int, default=count)
        command.add_argument("--seed", type=int, default=5_000_000 if command is fitted else 1_000_000)
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if asked.command != "damage":
        for file in asked.also:
            clients.add(file)
        known = (*clients.CLIENTS, *(() if asked.command == "make" else (scoring.ELSEWHERE,)))
        if asked.client and asked.client not in known:
            parser.error(f"no client {asked.client} is drawn; there are: {', '.join(known)}")
    if asked.command == "make":
        make(asked.folder, asked.count, asked.seed, asked.client)
        print(f"{asked.count} pictures and labels.json are in {asked.folder}")
    elif asked.command == "fit":
        fit(asked.count, asked.seed, asked.client, asked.out)
    elif asked.command == "damage":
        return 0 if run_damage(asked.count, asked.seed, asked.json) else 1
    else:
        if asked.weights is not None:
            rings_seen.use(asked.weights)
        score(asked.count, asked.seed, asked.client, asked.json, asked.unlike)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
