"""The commands of practice: `python -m vision.practice make | score | damage`.

make DIR --count N --seed S [--client NAME]   writes pictures and DIR/labels.json
"""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2

from vision.practice import screen


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
        {"note": f"drawn by vision.practice, seeds from {seed} on", "screens": labels}, indent=1
    )
    (folder / "labels.json").write_text(text, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m vision.practice", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write pictures with their labels")
    making.add_argument("folder", type=Path)
    making.add_argument("--client", choices=screen.CLIENTS, default="")
    making.add_argument("--count", type=int, default=20)
    making.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    make(asked.folder, asked.count, asked.seed, asked.client)
    print(f"{asked.count} pictures and labels.json are in {asked.folder}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
