"""Draws arena pictures with their truth, for learning and for measuring the reader.

    python tests/vision/pictures.py FOLDER [--seeds 0:60] [--sizes 1280x720,1920x1080]

Each seed gets its own turn, selected spell and number of actions, so that states differ.
"""

import argparse
import os
from pathlib import Path


def arguments(seed: int, size: str, folder: Path) -> list[str]:
    """Returns the arguments of the arena's render command for one picture."""
    name = folder / f"{size}-{seed:04d}"
    made = ["--seed", str(seed), "--size", size, "--out", f"{name}.png", "--truth", f"{name}.json"]
    made += ["--turn", ("mine", "other", "mine")[seed % 3], "--actions", str(seed * 7 % 60)]
    if seed % 3 == 2:
        made += ["--spell", str(seed % 5)]
    if seed % 4 == 3:
        made += ["--language", "fr"]
    return made


def draw(folder: Path, seeds: range, sizes: list[str]) -> None:
    """Draws one picture for each seed and size."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from botapp.arena.window.render import main

    folder.mkdir(parents=True, exist_ok=True)
    for size in sizes:
        for seed in seeds:
            main(arguments(seed, size, folder))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", default="0:60")
    parser.add_argument("--sizes", default="1280x720,1600x900,1920x1080")
    asked = parser.parse_args()
    first, last = (int(part) for part in asked.seeds.split(":"))
    draw(asked.folder, range(first, last), asked.sizes.split(","))
