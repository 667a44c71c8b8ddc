"""Finds the connected components of a mask, labelling only regions that may hold a large enough one.

Most of a mask is empty or specks. Blocks of 8 by 8 pixels that hold a pixel of the mask are grouped first; a
component lies within one group, so only groups of sufficient size are labelled.
Used by `vision.extract.dofus.anchors` and `vision.extract.dofus.cards`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int32]

_BLOCK = 8  # A row of a block is one word of 64 bits
_MANY = 64  # With more groups the whole mask is labelled at once


@dataclass(frozen=True, slots=True)
class Blobs:
    """The connected patches of a mask."""

    stats: Numbers  # Left, top, width, height and area of each, in pixels, shape (n, 5)
    _labels: tuple[tuple[int, int, Numbers], ...]
    _owner: Numbers

    def patch(self, index: int) -> Picture:
        """Returns the mask (0 or 1) of one patch in its box."""
        region, label = (int(value) for value in self._owner[index])
        left, top, labels = self._labels[region]
        x, y, wide, tall = (int(value) for value in self.stats[index, :4])
        part = labels[y - top : y - top + tall, x - left : x - left + wide]
        return np.asarray(part == label, np.uint8)


def find(mask: Picture, wide: float = 0.0, tall: float = 0.0) -> Blobs:
    """Returns the 4-connected components; ones below the given size may be missing.

    Args:
        mask: 0 or 255, uint8, shape (height, width).
        wide: least width of a component in pixels.
        tall: least height in pixels.
    """
    blobs, owner = [np.zeros((0, 5), np.int32)], [np.zeros((0, 2), np.int32)]
    labels: list[tuple[int, int, Numbers]] = []
    for left, top, part in _regions(mask, wide, tall):
        _, marked, stats, _ = cv2.connectedComponentsWithStats(part, connectivity=4, ltype=cv2.CV_32S)
        here = np.asarray(stats[1:], np.int32) + np.array((left, top, 0, 0, 0), np.int32)
        blobs.append(here)
        numbers = np.arange(1, len(here) + 1, dtype=np.int32)
        owner.append(np.stack([np.full_like(numbers, len(labels)), numbers], axis=1))
        labels.append((left, top, np.asarray(marked, np.int32)))
    return Blobs(np.concatenate(blobs), tuple(labels), np.concatenate(owner))


def _regions(mask: Picture, wide: float, tall: float) -> Iterator[tuple[int, int, Picture]]:
    """Yields parts of a mask that together hold all large patches, each with its left and top."""
    blocks = _blocks(mask)
    _, groups, stats, _ = cv2.connectedComponentsWithStats(blocks, connectivity=8, ltype=cv2.CV_32S)
    large = (stats[:, 2] * _BLOCK >= wide) & (stats[:, 3] * _BLOCK >= tall)
    room = int((stats[1:, 2] * stats[1:, 3])[large[1:]].sum())
    if np.count_nonzero(large[1:]) > _MANY or room > blocks.size / 2:
        yield 0, 0, mask
        return
    for index in np.flatnonzero(large[1:]) + 1:
        x, y, across, down = (int(value) for value in stats[index, :4])
        part = mask[y * _BLOCK : (y + down) * _BLOCK, x * _BLOCK : (x + across) * _BLOCK]
        own = (groups[y : y + down, x : x + across] == index).astype(np.uint8)
        own = own.repeat(_BLOCK, axis=0).repeat(_BLOCK, axis=1)[: part.shape[0], : part.shape[1]]
        yield x * _BLOCK, y * _BLOCK, part * own


def _blocks(mask: Picture) -> Picture:
    """Returns which blocks hold a pixel of a mask, 0 or 1; the last ones may extend past its edges."""
    height, width = mask.shape
    down, across = -height % _BLOCK, -width % _BLOCK
    whole = np.asarray(cv2.copyMakeBorder(mask, 0, down, 0, across, cv2.BORDER_CONSTANT, value=0), np.uint8)
    rows = whole.view(np.uint64).reshape(-1, _BLOCK, whole.shape[1] // _BLOCK)
    return np.asarray(np.bitwise_or.reduce(rows, axis=1) != 0, np.uint8)
