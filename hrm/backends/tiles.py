"""The shapes of our kernels' blocks, by how many rows there are: data, to be measured by `bench_on_gpu.sh`.

At batch 1 there are few rows, so blocks are small that every multiprocessor gets one; weights are then read
from the cache by several. Before it: `hrm.backends.fused` launches with what is said here.
"""

from dataclasses import dataclass
from typing import Literal

Kernel = Literal["project", "gate", "add", "attend"]


@dataclass(frozen=True, slots=True)
class Tile:
    """A block of a kernel: rows by columns of what it writes, depth of what it sums over at a time.

    `warps` work on it together; `stages` loads are under way at once.
    """

    rows: int
    columns: int
    depth: int
    warps: int
    stages: int


FEW, SOME = 96, 256
"""Rows up to which blocks are small, and middling."""

TILES: dict[Kernel, tuple[Tile, Tile, Tile]] = {
    "project": (Tile(32, 32, 128, 4, 4), Tile(32, 64, 128, 4, 4), Tile(64, 64, 64, 4, 4)),
    "gate": (Tile(32, 32, 128, 4, 3), Tile(32, 64, 64, 4, 4), Tile(64, 64, 64, 4, 3)),
    "add": (Tile(16, 32, 128, 4, 4), Tile(32, 32, 128, 4, 4), Tile(64, 32, 128, 4, 3)),
    "attend": (Tile(16, 64, 0, 4, 2), Tile(32, 64, 0, 4, 2), Tile(64, 64, 0, 4, 2)),
}
"""By kernel: for few, some and many rows. Not yet tuned on a card."""


def tile_for(kernel: Kernel, rows: int, columns: int, depth: int) -> Tile:
    """Returns the block for a kernel over so many rows; its columns and depth divide those given."""
    few, some, many = TILES[kernel]
    found = few if rows <= FEW else some if rows <= SOME else many
    if kernel == "attend":
        return found
    return Tile(
        found.rows, _divisor(columns, found.columns), _divisor(depth, found.depth), found.warps, found.stages
    )


def _divisor(size: int, wanted: int) -> int:
    while size % wanted:
        wanted //= 2
    return wanted
