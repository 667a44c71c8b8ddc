"""Block shapes of our kernels by the number of rows, as data, measured by `bench/gpu_bench.py`.

At batch 1 there are few rows, so blocks are small enough that every multiprocessor gets one; weights are
then read from the cache by several. They were found by timing some 2,000 shapes on an H200 (docs/log).
"""

from dataclasses import dataclass, replace
from typing import Literal

from hrm.backends.architectures import architecture, local_memory

Kernel = Literal["project", "gate", "add", "attend"]


@dataclass(frozen=True, slots=True)
class Tile:
    """A block of a kernel: rows by columns of what it writes, depth of what it sums over at a time.

    `warps` work on it together; `stages` loads are in flight at once; a long sum may run in two halves side
    by side (`split`), so that one product need not wait for the other.
    """

    rows: int
    columns: int
    depth: int
    warps: int
    stages: int
    split: int = 1


NARROWEST = 16  # Columns of the narrowest block, as matrix units have it

FEW, SOME, MANY = 96, 256, 4096
"""Rows up to which blocks are small, middling, and large enough to fill a card."""

TILES: dict[Kernel, tuple[Tile, Tile, Tile]] = {
    "project": (Tile(32, 32, 128, 4, 4), Tile(32, 64, 128, 4, 4), Tile(64, 64, 64, 4, 4)),
    "gate": (Tile(32, 32, 128, 4, 3), Tile(32, 64, 64, 4, 4), Tile(64, 64, 64, 4, 3)),
    "add": (Tile(16, 32, 128, 4, 4), Tile(32, 32, 128, 4, 4), Tile(64, 32, 128, 4, 3)),
    "attend": (Tile(16, 64, 0, 4, 2), Tile(32, 64, 0, 4, 2), Tile(32, 64, 0, 4, 2)),
}
"""By kernel: for few, some and many rows. Swept on an H200 over 560 rows: none is 5 % faster (docs/log).

Attention has no blocks of 64 rows: Hopper then multiplies out of registers, which the compiler may refill
too early (Triton issue 9433). On RDNA 3 and 4 blocks of more than 16 keys do not fit in the registers:
compiled for gfx1101, 64 keys keep up to 1,526 of them in memory, 16 none (`python -m hrm.backends kernels`).
"""

LARGEST: dict[Kernel, Tile] = {
    "project": Tile(128, 256, 64, 8, 3),
    "gate": Tile(128, 128, 64, 8, 3),
    "add": Tile(64, 128, 64, 4, 4),
    "attend": Tile(32, 64, 0, 2, 2),
}
"""Above `MANY` rows, on Hopper alone: swept on an H200 over 16,384 rows, 1.55 times as fast a step."""


def tile_for(kernel: Kernel, rows: int, columns: int, depth: int, chip: str = "") -> Tile:
    """Returns the block for a kernel over so many rows; its columns and depth divide those given.

    Args:
        kernel: which.
        rows, columns, depth: of the product, or attention's length (all its rows, if above `MANY`) and head.
        chip: the card's: where its local memory is too small fewer loads are in flight; "" for an H200.
    """
    few, some, many = TILES[kernel]
    if rows > MANY and chip in ("", "sm_90"):
        many = LARGEST[kernel]
    tile = few if rows <= FEW else some if rows <= SOME else many
    if kernel == "attend":
        known = architecture(chip)
        return replace(tile, columns=16, stages=1) if known is not None and known.matrix == "WMMA" else tile
    fitting = _divisor(depth // tile.split, tile.depth)
    tile = replace(tile, columns=_divisor(columns, tile.columns), depth=fitting)
    if not chip:
        return tile
    loaded = (tile.rows + tile.columns * (2 if kernel == "gate" else 1)) * tile.depth * tile.split * 2
    return replace(tile, stages=max(1, min(tile.stages, local_memory(chip) // loaded)))


def _divisor(size: int, wanted: int) -> int:
    while size % wanted:
        wanted //= 2
    return wanted


@dataclass(frozen=True, slots=True)
class KernelLayout:
    """The blocks of a step that is one launch: rows by columns by depth of each part of a block.

    `warps` make up a program and `each` programs run on a multiprocessor; `stages` loads are in flight at
    once; the sums of `out` and `down` run in `split` halves.
    """

    project: tuple[int, int, int]
    attend: tuple[int, int]
    out: tuple[int, int, int]
    gate: tuple[int, int, int]
    down: tuple[int, int, int]
    warps: int = 4
    stages: int = 4
    split: int = 1
    each: int = 1


LAYOUTS = (
    KernelLayout((32, 32, 128), (16, 64), (16, 16, 128), (32, 32, 128), (16, 16, 128), split=2),
    KernelLayout((32, 64, 128), (16, 64), (32, 16, 128), (32, 64, 64), (32, 16, 128), split=2),
    KernelLayout((128, 64, 64), (32, 64), (64, 64, 64), (128, 64, 64), (64, 64, 64), warps=8),
)
"""For few, some and many rows. Swept on an H200 over 64 rows only: no gain beyond noise (docs/log/hrm.md)."""


def layout_for(rows: int, hidden: int, inner: int) -> KernelLayout:
    """Returns the blocks for so many rows; their columns and depths divide the model's widths."""
    layout = LAYOUTS[0 if rows <= FEW else 1 if rows <= SOME else 2]

    def fitting(shape: tuple[int, int, int], columns: int, depth: int) -> tuple[int, int, int]:
        return shape[0], _divisor(columns, shape[1]), _divisor(depth, shape[2])

    return replace(
        layout,
        project=fitting(layout.project, 3 * hidden, hidden),
        out=fitting(layout.out, hidden, hidden // layout.split),
        gate=fitting(layout.gate, inner, hidden),
        down=fitting(layout.down, hidden, inner // layout.split),
    )
