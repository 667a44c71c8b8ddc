"""Draws characters in many fonts, to make pictures of numbers from.

The fonts are those of the machine (Debian's `fonts-*` packages); none is shipped. A font that lacks digits
or draws two of them alike is left out.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

CAP = 40  # Height of a digit in the drawn characters, in pixels

DIGITS = "0123456789"
OTHERS = "/-+%:.,ABDEFGHJKLMNPRSTUVXYZabdeghjkmnrtuvyz"
UNWANTED = re.compile(
    r"Symbol|Math|D050000L|Z003|Isabella|Emoji|Aoyagi|Italic|Oblique|It$|Noto(?!Sans-|SansDisplay|Serif-)"
)


@dataclass(frozen=True, slots=True)
class Face:
    """One font's characters: ink 0..255, each as high as the line, and how far each moves the pen."""

    name: str
    pictures: dict[str, npt.NDArray[np.uint8]]


def fonts(folders: list[Path]) -> list[Path]:
    """Returns the font files below folders, each named font once."""
    by_family: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in {".ttf", ".otf"} and not UNWANTED.search(path.stem):
                by_family.setdefault(path.stem, path)
    return list(by_family.values())


def faces(folders: list[Path]) -> list[Face]:
    """Draws the characters of every font that can be used.

    OpenCV mixes up the characters of fonts that take the place of a discarded one, so all are kept until
    the end.
    """
    alive, usable = [], []
    for path in fonts(folders):
        try:
            font = cv2.FontFace(str(path))
            alive.append(font)
            size = _size(font)
            pictures = {char: _draw(font, char, size) for char in DIGITS + OTHERS + "s"}
        except (cv2.error, ValueError):
            continue
        if _is_usable(pictures):
            usable.append(Face(path.stem, pictures))
    return usable


def _size(font: "cv2.FontFace") -> int:
    """Returns the font size at which a digit is `CAP` pixels high."""
    rows = np.flatnonzero(_canvas(font, "0", 100).max(axis=1) > 100)
    if not rows.size:
        raise ValueError("no ink")
    return max(10, round(100 * CAP / int(rows[-1] - rows[0] + 1)))


def _canvas(font: "cv2.FontFace", text: str, size: int) -> npt.NDArray[np.uint8]:
    image = np.zeros((300, 400), np.uint8)
    cv2.putText(image, text, (100, 200), (255,), font, size)
    return image


def _draw(font: "cv2.FontFace", char: str, size: int) -> npt.NDArray[np.uint8]:
    """Returns a character on a line of 2 x CAP rows, its foot at row 1.5 x CAP, cut to its ink."""
    image = _canvas(font, char, size)
    columns = np.flatnonzero(image.max(axis=0) > 60)
    if not columns.size:
        raise ValueError(f"no ink for {char}")
    foot = 200
    line = image[foot - 3 * CAP // 2 : foot + CAP // 2, columns[0] : columns[-1] + 1]
    return np.ascontiguousarray(line)


def _is_usable(pictures: dict[str, npt.NDArray[np.uint8]]) -> bool:
    """Tells whether the ten digits stand on the line, are as high as each other and all different."""
    small = []
    for char in DIGITS:
        rows = np.flatnonzero(pictures[char].max(axis=1) > 100)
        if not rows.size or not 0.9 * CAP < rows[-1] - rows[0] + 1 < 1.12 * CAP:
            return False
        if abs(rows[-1] - 3 * CAP // 2) > 0.08 * CAP or not 4 < pictures[char].shape[1] < 1.3 * CAP:
            return False
        small.append(cv2.resize(pictures[char], (16, 24), interpolation=cv2.INTER_AREA).astype(np.float32))
    return all(np.abs(small[i] - small[j]).mean() > 12 for i in range(len(small)) for j in range(i))
