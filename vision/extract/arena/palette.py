"""Colour classification: a lookup table from every colour to the nearest palette entry."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.profiles.fields import RGB
from vision.view import Seen

Meanings = npt.NDArray[np.uint8]

_BITS = 6
_DROP = 8 - _BITS
_LEVELS = 1 << _BITS


class ColourTable:
    """Classifies colours by the nearest entry of a palette.

    Attributes:
        names: the meanings; a meaning's id is its place in here, from 1. Id 0 is no meaning.
    """

    def __init__(self, colours: Mapping[str, Sequence[RGB]], tolerance: float) -> None:
        """Builds the table.

        Args:
            tolerance: the largest distance (Euclidean, 0..441) from a colour to one of its meaning.
        """
        self.names = tuple(colours)
        shades = tuple(tuple((red, green, blue) for red, green, blue in some) for some in colours.values())
        self._table = _nearest(shades, tolerance)

    def id(self, name: str) -> int:
        """Returns a meaning's id, 255 for one that the palette does not have."""
        return self.names.index(name) + 1 if name in self.names else 255

    def ids(self, *names: str) -> npt.NDArray[np.uint8]:
        return np.array([self.id(name) for name in names], np.uint8)

    def read(self, bgr: npt.NDArray[np.uint8]) -> Meanings:
        """Returns the meaning of each pixel; `bgr` has 3 or 4 channels on its last axis."""
        level = bgr >> _DROP
        index = (level[..., 2].astype(np.int32) << (2 * _BITS)) | (level[..., 1].astype(np.int32) << _BITS)
        return np.asarray(self._table[index | level[..., 0]])

    def read_packed(self, pixels: npt.NDArray[np.uint32]) -> Meanings:
        """Returns the meaning of pixels packed as 0xAARRGGBB, in their shape."""
        index = (pixels >> (16 + _DROP - 2 * _BITS)) & (_LEVELS - 1 << 2 * _BITS)
        index |= (pixels >> (8 + _DROP - _BITS)) & (_LEVELS - 1 << _BITS)
        index |= (pixels >> _DROP) & (_LEVELS - 1)
        return np.asarray(self._table[index])


def majority(
    palette: ColourTable, kinds: int, meaning: Meanings, least: float, rival: float = 0.5
) -> Seen[str]:
    """Returns the kind of most pixels, None without a clear majority.

    Args:
        palette: its first `kinds` meanings are the kinds.
        least: how many pixels the kind must have.
        rival: the share of them that another kind may have at most.
    """
    votes = np.bincount(meaning.reshape(-1), minlength=kinds + 1)[1 : kinds + 1]
    order = np.argsort(votes)
    best, second = int(votes[order[-1]]), int(votes[order[-2]])
    if best < least or second > rival * best:
        return Seen()
    return Seen(palette.names[int(order[-1])], 1.0 - 0.5 * second / best)


@lru_cache(maxsize=32)
def _nearest(colours: tuple[tuple[RGB, ...], ...], tolerance: float) -> Meanings:
    """Returns the id of the nearest colour's meaning by (red, green, blue) level, 0 where none is near."""
    levels = (np.arange(_LEVELS, dtype=np.float32) + 0.5) * (1 << _DROP) - 0.5
    best = np.full((_LEVELS,) * 3, tolerance**2, np.float32)
    table = np.zeros((_LEVELS,) * 3, np.uint8)
    for number, shades in enumerate(colours, start=1):
        for red, green, blue in shades:
            distance = (
                ((levels - red) ** 2)[:, None, None]
                + ((levels - green) ** 2)[None, :, None]
                + ((levels - blue) ** 2)[None, None, :]
            )
            nearer = distance < best
            best[nearer] = distance[nearer]
            table[nearer] = number
    table.flags.writeable = False
    return table.reshape(-1)
