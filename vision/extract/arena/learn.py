"""Makes the digit templates of a profile from pictures with their truth.

    python -m vision.extract.arena.learn FOLDER [--profile arena]

FOLDER holds pairs NAME.png, NAME.json, as `python -m botapp.arena.window.render --out --truth` writes them.
A template is the mean of all pieces of ink labelled with its digit, of large digits and of small ones
apart: drawn with few pixels, a 3 looks more like an 8. Have pictures from 640x400 to 2560x1440.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import profiles
from vision.extract.arena import glyphs
from vision.extract.arena.hud import REACH
from vision.frame import Rect
from vision.profiles.arena import DigitsRule
from vision.profiles.profile import Profile

SMALL_PX = 11.0  # A digit lower than this is small


def labelled(
    profile: Profile, image: npt.NDArray[np.uint8], truth: dict[str, Any]
) -> Iterator[tuple[int, glyphs.Ink, bool]]:
    """Yields (digit, picture, whether it is small) for every piece of every number in the truth."""
    assert profile.fight is not None
    client = Rect(0, 0, image.shape[1], image.shape[0])
    unit = profile.unit(client)
    wanted: list[tuple[DigitsRule, Rect, int]] = [
        (rule, rule.region.pixels(client, unit), truth[name])
        for name, rule in profile.fight.numbers.items()
        if truth.get(name) is not None
    ]
    bar = profile.fight.spell_bar
    for index, spell in enumerate(truth["spells"]):
        if spell["cooldown"]:
            slot = bar.slot(index)
            middle = replace(slot, w=bar.cooldown.w, h=bar.cooldown.h)
            wanted.append((bar.cooldown, middle.pixels(client, unit), spell["cooldown"]))
    for rule, box, number in wanted:
        patch = image[box.y : box.bottom, box.x : box.right]
        found = glyphs.pieces(glyphs.ink(patch, rule.colours, REACH), rule.cap * unit)
        digits = [int(digit) for digit in str(number)]
        if found is not None and len(found) == len(digits):
            small = rule.cap * unit < SMALL_PX
            yield from ((digit, piece.picture, small) for digit, piece in zip(digits, found, strict=True))


def learn(profile: Profile, folder: Path) -> tuple[npt.NDArray[np.uint8], list[list[int]]]:
    """Returns the templates, uint8, shape (2, 10, rows, columns), and how many pieces each was made of.

    The first ten are large digits, the second ten small ones.

    Raises:
        ValueError: a digit occurs in no picture.
    """
    sums = np.zeros((2, 10, *glyphs.SIZE))
    counts = [[0] * 10, [0] * 10]
    for path in sorted(folder.glob("*.json")):
        image = cv2.imread(str(path.with_suffix(".png")))
        if image is None:
            raise ValueError(f"{path.with_suffix('.png')} cannot be read as a picture")
        truth = json.loads(path.read_text(encoding="utf-8"))
        for digit, picture, small in labelled(profile, np.asarray(image, np.uint8), truth):
            sums[int(small), digit] += picture
            counts[int(small)][digit] += 1
    for size, found in zip(("large", "small"), counts, strict=True):
        if not all(found):
            raise ValueError(f"{folder}: no picture shows a {size} digit {found.index(0)}; draw more of them")
    means = sums / np.array(counts)[:, :, None, None]
    return np.round(np.clip(means, 0, 1) * 255).astype(np.uint8), counts


def main(arguments: list[str] | None = None) -> int:
    """Writes `NAME-digits.npy` beside the profile; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m vision.extract.arena.learn", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--profile", default="arena")
    parser.add_argument("--out", type=Path, help="by default beside the profile")
    asked = parser.parse_args(arguments)
    try:
        templates, counts = learn(profiles.load(asked.profile), asked.folder)
    except ValueError as error:
        parser.error(str(error))
    out = asked.out or Path(str(profiles.folder())) / f"{asked.profile}-digits.npy"
    np.save(out, templates)
    print(f"{out}: {sum(map(sum, counts))} pieces, by digit {counts[0]}, small ones {counts[1]}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
