"""Finds the rows of text in a panel: bands of ink, one under the other."""

from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]

_LEAST_CONTRAST, _SHARE = 24, 0.45
_INK_ROW, _LEAST_INK = 0.2, 0.035
_BAR = 2.4
_TALLEST, _SHORTEST, _TALLEST_ROW = 1.8, 0.55, 2.6
_BEYOND, _NEAR = 0.6, 0.4
_WIDEST_GAP = 5.0
_MARGIN = 0.14
_LEAST_HEIGHT, _TALLEST_LETTER, _ALL = 5, 64, 0.9


class Row(NamedTuple):
    """A row of text: its first and past the last line and column of ink, in pixels of the panel."""

    top: int
    bottom: int
    left: int
    right: int


def strength_of(panel: Picture) -> Picture:
    """Returns how unlike the panel's usual colour each pixel is, 0..255.

    Args:
        panel: BGR or BGRA, uint8, shape (height, width, 3 or 4).
    """
    unlike: Picture = np.zeros(panel.shape[:2], np.uint8)
    for channel in range(3):
        values = np.ascontiguousarray(panel[..., channel])
        counts = np.cumsum(np.bincount(values[::3, ::3].ravel(), minlength=256))
        ground = int(np.searchsorted(counts, counts[-1] / 2))
        apart = np.asarray(cv2.absdiff(values, np.full_like(values, ground)), np.uint8)
        np.maximum(unlike, apart, out=unlike)
    return unlike


def ink_of(strength: Picture) -> npt.NDArray[np.bool_]:
    """Returns which pixels of a panel are text, by what `strength_of` returns of it."""
    brightest = float(np.percentile(strength[::2, ::2], 99))
    return np.asarray(strength > max(_LEAST_CONTRAST, _SHARE * brightest), np.bool_)


def rows_of(ink: npt.NDArray[np.bool_]) -> list[Row]:
    """Returns the rows of text, the uppermost first; rows cut off by the panel's edges are left out."""
    ink = _without_bars(ink, min(_TALLEST_LETTER, max(1, round(_ALL * len(ink)))))
    profile = ink.sum(axis=1).astype(np.float32)
    if not profile.any():
        return []
    usual = float(np.percentile(profile[profile > 0], 75))
    first = _runs(profile > max(1.0, _INK_ROW * usual))
    first = [(start, end) for start, end in first if end - start >= _LEAST_HEIGHT]
    if not first:
        return []
    height = _usual_height(first, profile)
    ink = _without_bars(ink, round(_BAR * height))
    profile = ink.sum(axis=1).astype(np.float32)
    around = cv2.dilate(profile.reshape(-1, 1), np.ones((2 * round(_NEAR * height) + 1, 1), np.uint8))[:, 0]
    runs = _runs(profile > np.maximum(max(1.0, _LEAST_INK * usual), _INK_ROW * around))
    cores = [band for run in runs for band in _parted(run, profile, height)]
    cores = [(start, end) for start, end in cores if end - start >= _SHORTEST * height]
    edges = [0, *(_valley(profile, above[1], below[0]) for above, below in pairwise(cores)), len(profile)]
    rows = []
    for place, (start, end) in enumerate(cores):
        least, most = edges[place], edges[place + 1]
        reach = round(_BEYOND * height)
        top = start - _run_of_ink(profile[max(least, start - reach) : start][::-1])
        bottom = end + _run_of_ink(profile[end : min(most, end + reach)])
        if top <= 0 or bottom >= len(profile) or bottom - top > _TALLEST_ROW * height:
            continue
        left, right = _extent(ink[top:bottom], round(_WIDEST_GAP * height))
        rows.append(Row(top, bottom, left, right))
    return rows


def _extent(ink: npt.NDArray[np.bool_], gap: int) -> tuple[int, int]:
    """Returns the first and past the last column of a row's text; a scroll bar far beside it is none."""
    columns = np.flatnonzero(ink.any(axis=0))
    apart = np.flatnonzero(np.diff(columns) > gap)
    last = columns[apart[0]] if apart.size else columns[-1]
    return int(columns[0]), int(last) + 1


def _without_bars(ink: npt.NDArray[np.bool_], tall: int) -> npt.NDArray[np.bool_]:
    """Returns the ink without what goes on for more rows of pixels than letters do: scroll bars, edges."""
    bars = cv2.morphologyEx(ink.astype(np.uint8), cv2.MORPH_OPEN, np.ones((tall, 1), np.uint8))
    return np.asarray(ink & (bars == 0), np.bool_)


def _usual_height(runs: list[tuple[int, int]], profile: npt.NDArray[np.float32]) -> float:
    """Returns the height of the runs that half of the ink is in: short ones are parts of letters."""
    heights = np.array([end - start for start, end in runs])
    order = np.argsort(heights)
    ink = np.cumsum([float(profile[runs[place][0] : runs[place][1]].sum()) for place in order])
    return float(heights[order[int(np.searchsorted(ink, ink[-1] / 2))]])


def _valley(profile: npt.NDArray[np.float32], start: int, end: int) -> int:
    """Returns the row with least ink between two others; of several in a row the one in their middle."""
    if end <= start:
        return start
    between = profile[start:end]
    least = np.flatnonzero(between == between.min())
    return start + int(least[len(least) // 2])


def _run_of_ink(profile: npt.NDArray[np.float32]) -> int:
    blank = np.flatnonzero(profile <= 0)
    return int(blank[0]) if blank.size else len(profile)


def cut(panel: Picture, row: Row, least: int = 0) -> Picture:
    """Returns the picture of a row with a little around it, BGR, without columns before `least`."""
    margin = _margin(row)
    top, left = max(0, row.top - margin), max(least, left_of(row))
    return np.ascontiguousarray(panel[top : row.bottom + margin, left : row.right + 2 * margin, :3])


def left_of(row: Row) -> int:
    """Returns the first column of a row's picture."""
    return max(0, row.left - 2 * _margin(row))


def _margin(row: Row) -> int:
    return max(1, round(_MARGIN * (row.bottom - row.top)))


def _runs(flags: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Returns the runs of true values as (first, past the last)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _parted(run: tuple[int, int], profile: npt.NDArray[np.float32], height: float) -> list[tuple[int, int]]:
    """Returns a run that is taller than a row in parts, cut where the least ink is."""
    start, end = run
    if end - start <= _TALLEST * height:
        return [run]
    low, high = start + round(_SHORTEST * height), min(end, start + round(1.6 * height))
    at = low + int(profile[low:high].argmin())
    return [(start, at), *_parted((at + 1, end), profile, height)]
