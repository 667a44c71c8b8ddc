"""Reads the digits of a strip of text with a small convolutional network, column by column.

The network was trained on drawn text only, see `botapp.learning.digits.train`; it gives the probability of
each character at every other column of a strip.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from itertools import groupby

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus.percentiles import percentiles
from vision.profiles import folder
from vision.view import SURE

Array = npt.NDArray[np.float32]

STRIP = (24, 96)  # Rows and columns of a strip

CAP = 14  # Height of a digit in a strip, about its middle row

STRIDE = 2  # Columns of a strip for each column of an answer

SECONDS, OTHER, BLANK = 10, 11, 12
"""The classes after the ten digits: the letter after a timer, another or ambiguous character, nothing."""


NEAREST = 4.2  # Least number of columns between the middles of two characters

_CONTEXT = 12  # Columns to each side that the network's output depends on (half its receptive field)

_FAINT = (
    0.55  # How sure a character beside a sure one is at least; with 0.5 and 0.6 some of 14 pictures differ
)
_WIDEST = 3.4  # Columns that one character has at most, else it is several 1s; 3.1 to 3.4 are alike
_STROKE = 0.5  # Of the most ink of a column of several 1s that a stroke has; to 0.55 alike
_SHARE = (1.7, 3.2)  # Columns for each of several 1s; up to 2.2, and 2.9 to 3.5, read 14 pictures alike
_FRINGE = 0.5  # Of the digits' ink that what is beside them has at most; up to 0.8 alike
_LEVELS = (0.2, 0.993)  # Shares of a strip's pixels; 0.1 and 0.99 to 0.996 read 98 pictures alike


@dataclass(frozen=True, slots=True)
class Character:
    """A character of a strip: its class, the column of its middle, its probability (0..1) and its sum."""

    meaning: int
    x: float
    sure: float
    mass: float = 1.0


def level(strip: npt.NDArray[np.floating]) -> Array:
    """Returns a strip with its background near 0 and its brightest text near 1."""
    ordered = np.sort(strip, axis=None)
    low, high = (float(ordered[round(share * (ordered.size - 1))]) for share in _LEVELS)
    return np.asarray(np.clip((strip - low) / max(high - low, 24.0), -1, 1.5), np.float32)


class Network:
    """The network: three 3x3 convolutions with max pooling of the rows, then two along the columns."""

    def __init__(self, weights: Mapping[str, npt.NDArray[np.floating]]) -> None:
        self._layers = [
            (
                np.ascontiguousarray(weights[f"w{i}"].transpose(2, 3, 1, 0), np.float32),
                np.asarray(weights[f"b{i}"], np.float32),
            )
            for i in range(len(weights) // 2)
        ]

    def columns(self, strips: Array, reach: float = STRIP[1] / 2) -> Array:
        """Returns the probability of each meaning, shape (strips, columns / STRIDE, 13).

        Args:
            strips: strips as `strip` cuts them, shape (strips, *STRIP).
            reach: columns to each side of the middle that are read; the others are blank.
        """
        answer = np.zeros((len(strips), STRIP[1] // STRIDE, len(self._layers[-1][1])), np.float32)
        answer[..., BLANK] = 1.0
        first = max(0, int(STRIP[1] / 2 - reach - _CONTEXT) // STRIDE)
        last = answer.shape[1] - first
        answer[:, first:last] = self._read(strips[:, :, first * STRIDE : last * STRIDE])
        return answer

    def _read(self, strips: Array) -> Array:
        seen = strips[..., None]
        for index, (weight, bias) in enumerate(self._layers):
            seen = _convolve(seen, weight, bias)
            if index < 3:
                seen = np.maximum(seen[:, ::2], seen[:, 1::2])
            if index == 0:
                seen = np.maximum(seen[:, :, ::2], seen[:, :, 1::2])
            if index < len(self._layers) - 1:
                np.maximum(seen, 0, out=seen)
        scores = seen[:, 0]
        scores = np.exp(scores - scores.max(axis=2, keepdims=True))
        return np.asarray(scores / scores.sum(axis=2, keepdims=True), np.float32)


def _convolve(seen: Array, weight: Array, bias: Array) -> Array:
    """Convolves (strips, rows, columns, channels) with (rows, columns, channels, out), sides padded with 0.

    Rows are padded too while there are more of them than the kernel has.
    """
    tall, wide, channels, out = weight.shape
    many, height, width = seen.shape[:3]
    rows, sides = tall // 2 if height > tall else 0, wide // 2
    padded = np.zeros((many, height + 2 * rows, width + 2 * sides, channels), np.float32)
    padded[:, rows : rows + height, sides : sides + width] = seen
    beside = np.concatenate([padded[:, :, column : column + width] for column in range(wide)], axis=3)
    height += 2 * rows - tall + 1
    kernel = weight.reshape(tall, wide * channels, out)
    answer = np.empty((many, height * width, out), np.float32)
    answer[:] = bias
    for row in range(tall):
        answer += beside[:, row : row + height].reshape(many, height * width, -1) @ kernel[row]
    return answer.reshape(many, height, width, out)


@lru_cache(maxsize=1)
def network() -> Network:
    """Returns the network of `resources/profiles/digits.npz`."""
    data = (folder() / "digits.npz").read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as file:
        return Network({name: file[name] for name in file.files})


def characters(probable: Array) -> list[Character]:
    """Splits a strip's columns into characters, left to right.

    A faint character in the columns beside a sure one is dropped; one too near to be another is merged with
    it and lowers its probability.

    Args:
        probable: the probability of each meaning by column, as `Network.columns` returns it.
    """
    line: list[Character] = []
    meanings = probable.argmax(axis=1).tolist()
    column = 0
    for blank, touching in groupby(meanings, BLANK.__eq__):
        part = []
        for meaning, run in groupby(touching):
            width = len(list(run))
            if not blank:
                part.append(_character(column, probable[column : column + width, meaning], meaning))
            column += width
        part = _without_overlaps(part)
        surest = max((character.sure for character in part), default=0.0)
        line += [character for character in part if character.sure >= _FAINT or surest < SURE]
    return line


def split_ones(line: list[Character], strip: Array) -> list[Character]:
    """Returns characters, with a 1 that is too wide split into its strokes.

    The network merges adjacent 1s, as there is almost no gap between them. A wide character that is not
    clearly strokes becomes `OTHER`.

    Args:
        line: what `characters` returned.
    """
    answer: list[Character] = []
    for character in line:
        if character.meaning >= SECONDS or character.mass <= _WIDEST:
            answer.append(character)
            continue
        places = _strokes(strip, character) if character.meaning == 1 else []
        share = character.mass / max(1, len(places))
        if _SHARE[0] <= share <= _SHARE[1]:
            answer += [replace(character, x=place, mass=share) for place in places]
        else:
            answer.append(replace(character, meaning=OTHER))
    return answer


def without_fringes(line: list[Character], strip: Array) -> list[Character]:
    """Returns characters without a faint `OTHER` at either end that has less than half of the digits' ink.

    Around a number there may be what its text is written on, such as a heart's outline.

    Args:
        line: what `split_ones` returned.
    """
    most = [float(_columns_of(strip, character)[1].max()) for character in line]  # 0 to 1
    least = _FRINGE * min(
        (ink for ink, character in zip(most, line, strict=True) if character.meaning < SECONDS), default=0.0
    )

    def is_fringe(index: int) -> bool:
        edge = line[index]
        return edge.meaning == OTHER and edge.sure < SURE and edge.mass < _WIDEST and most[index] < least

    first = 1 if line and is_fringe(0) else 0
    last = len(line) - 1 if len(line) > first + 1 and is_fringe(-1) else len(line)
    return line[first:last]


def _columns_of(strip: Array, character: Character) -> tuple[int, Array]:
    """Returns the first column of a character and the mean ink of each of its columns."""
    reach = character.mass * STRIDE / 2 + 1
    left = max(0, round(character.x - reach))
    rows = slice((STRIP[0] - CAP) // 2, (STRIP[0] + CAP) // 2)
    return left, np.asarray(strip[rows, left : round(character.x + reach)].mean(axis=0), np.float32)


def _strokes(strip: Array, character: Character) -> list[float]:
    left, ink = _columns_of(strip, character)
    dark = np.flatnonzero(ink >= _STROKE * ink.max())
    runs = np.split(dark, np.flatnonzero(np.diff(dark) > 1) + 1)
    return [left + 0.5 + float((run * ink[run]).sum() / ink[run].sum()) for run in runs]


def _without_overlaps(part: list[Character]) -> list[Character]:
    """Returns touching characters; of two too near to each other only the more probable one."""
    apart: list[Character] = []
    for new in part:
        if not apart or new.x - apart[-1].x >= NEAREST:
            apart.append(new)
            continue
        old = apart.pop()
        best = max(old, new, key=lambda character: character.mass)
        apart.append(replace(best, sure=best.sure * best.mass / (old.mass + new.mass)))
    return apart


def _character(start: int, chances: Array, meaning: int) -> Character:
    """Returns the character of some columns, from `start` on."""
    mass = float(chances.sum())
    x = start + float((np.arange(len(chances)) * chances).sum()) / mass
    return Character(meaning, (x + 0.5) * STRIDE, float(chances.max()), mass)


def ground(ink: Array) -> float:
    """Returns the brightness of the background, with which a strip is padded."""
    return float(percentiles(ink.ravel(), (20,))[0])


def strip(ink: Array, x: float, y: float, cap: float, wide: float = 1.0, beyond: float = 0.0) -> Array:
    """Cuts a strip of `STRIP` out of ink (0..255), about the point (x, y), digits `cap` pixels high.

    Args:
        ink: the ink of each pixel (0..255).
        x: the column of the strip's middle.
        y: the row of its middle.
        cap: a digit's height in pixels.
        wide: the digits' width relative to usual ones; they are scaled to the usual width.
        beyond: the brightness outside the picture, see `ground`.
    """
    down, across = cap / CAP, wide * cap / CAP
    half_w, half_h = STRIP[1] * across / 2, STRIP[0] * down / 2
    if down <= 1:
        move = np.array(
            [[across, 0, x - half_w + 0.5 * across - 0.5], [0, down, y - half_h + 0.5 * down - 0.5]]
        )
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        cut = cv2.warpAffine(ink, move, STRIP[::-1], flags=flags, borderValue=(beyond,))
        return level(np.asarray(cut, np.float32))
    size = (round(2 * half_w), round(2 * half_h))
    move = np.array([[1, 0, x - half_w], [0, 1, y - half_h]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = cv2.warpAffine(ink, move, size, flags=flags, borderValue=(beyond,))
    return level(np.asarray(cv2.resize(cut, STRIP[::-1], interpolation=cv2.INTER_AREA), np.float32))
