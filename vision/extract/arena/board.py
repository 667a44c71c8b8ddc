"""Classifies the 560 cells and their highlights by a few dozen pixels of each.

Pixels hidden by blocks and bodies are not counted, and a cell with too few others is UNKNOWN. Blocks and
the surroundings of the board have the same colours; a block is enclosed by the board.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.arena import paints
from vision.extract.arena.palette import ColourTable
from vision.frame import Rect
from vision.profiles.arena import FightRules
from vision.profiles.profile import Profile
from vision.view import CELLS, ROW_LENGTH, CellKind, Highlight, Lattice, Sign

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.float64]

_STEPS = 9
_REACH = 0.86
_BLOCK_RISE = 0.44
_MIN_SEEN = 5
_MIN_BOARD = 20
_MIN_LIT = 4
_MIN_SIGN = 5
_LIT = 5
_MAX_PANEL = 12


@dataclass(frozen=True, slots=True)
class ArenaBoardSeen:
    """The reading of the arena's board.

    A highlight with ambiguous cells is missing from `highlights`; so are those that only occur with a range,
    if there is none (a spell's flash has similar colours).
    """

    cells: npt.NDArray[np.uint8]
    confidence: float
    highlights: dict[Highlight, frozenset[int]]
    signs: dict[Sign, frozenset[int]]


class ArenaBoardReader:
    """Reads the board of one profile at one lattice and frame size."""

    def __init__(
        self,
        profile: Profile,
        fight: FightRules,
        palette: ColourTable,
        lattice: Lattice,
        width: int,
        height: int,
    ) -> None:
        self._palette = palette
        self._panel = paints.panel(profile)
        self._width = width
        self._highlights = tuple(fight.highlights)
        self._signs = tuple(fight.signs)
        self._sign = _LIT + len(self._highlights)
        points = grid.diamond(_STEPS, _REACH)
        self._points = points
        self._samples = grid.sample(lattice, points, width, height)
        self._behind_block = _hidden_by_block(points)
        self._body = _Body(points, fight, lattice)
        self._names = ("", *palette.names)
        self._groups = self._group()

    def _group(self) -> npt.NDArray[np.uint8]:
        """Returns the group by palette id: 0 other, 1 floor, 2 hole, 3 wall, 4 block, highlights, signs."""
        ids = {"floor": 1, "hole": 2, "wall": 3, "block": 4}
        ids |= {name: _LIT + number for number, name in enumerate(self._highlights)}
        ids |= {name: self._sign + number for number, name in enumerate(self._signs)}
        groups = np.zeros(256, np.uint8)
        groups[: len(self._names)] = [ids.get(name, 0) for name in self._names]
        return groups

    def under(self, boxes: Iterable[Rect]) -> Flags:
        """Returns which sample points lie in any of the boxes, shape (560, points)."""
        y, x = np.divmod(self._samples.index, self._width)
        hidden = np.zeros(x.shape, bool)
        for box in boxes:
            hidden |= (x >= box.x) & (x < box.right) & (y >= box.y) & (y < box.bottom)
        return hidden

    def gather(self, pixels: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
        """Returns the sampled pixels, shape (560, points); the board is the same while these are."""
        flat = pixels.reshape(-1)
        return np.where(self._samples.inside, flat[self._samples.index], np.uint32(0))

    def read(
        self,
        sampled: npt.NDArray[np.uint32],
        fighters: Mapping[int, str | None],
        places: Sequence[tuple[float, float]],
        hidden: Flags,
    ) -> ArenaBoardSeen:
        """Reads the board.

        Args:
            sampled: what `gather` returned.
            fighters: the highlight under each fighter by its cell, None where ambiguous.
            places: where fighters stand or walk, in pixels.
            hidden: sample points that lie under the HUD, shape (560, points).
        """
        standing = sorted(fighters)
        meaning = self._groups[self._palette.read_packed(sampled)]
        clear = ((sampled & 0xFFFFFF) != 0) & ~hidden & ~self._body.hide(places)
        panel = self._panel.read_packed(sampled) > 0
        clear[panel.sum(axis=1) > _MAX_PANEL] = False
        counts = _count(meaning, clear, self._sign + len(self._signs))
        blocks = _is_block(counts)
        clear &= ~_behind(blocks, self._behind_block)
        counts = _count(meaning, clear, self._sign + len(self._signs))
        cells = _decide(counts, blocks | _is_block(counts))
        cells[standing] = CellKind.WALKABLE
        known = cells != CellKind.UNKNOWN
        return ArenaBoardSeen(
            cells, float(known.mean()), self._highlighted(counts, cells, fighters), self._signed(counts)
        )

    def _highlighted(
        self, counts: Counts, cells: npt.NDArray[np.uint8], fighters: Mapping[int, str | None]
    ) -> dict[Highlight, frozenset[int]]:
        lit = counts[:, _LIT : self._sign]
        ground = np.maximum(1.0, counts[:, 1] + lit.sum(axis=1))
        share = lit / ground[:, None]
        possible = (cells == CellKind.WALKABLE) | (cells == CellKind.UNKNOWN)
        cells_by_meaning: dict[Highlight, frozenset[int]] = {}
        for column, name in enumerate(self._highlights):
            on = possible & (share[:, column] > 0.5) & (lit[:, column] >= _MIN_LIT)
            ambiguous = possible & (share[:, column] > 0.25) & ~on
            for cell, ground in fighters.items():
                on[cell] = ground == name
                ambiguous[cell] = ground is None and name != "reachable" and _any_near(on, cell, fighters)
            unknown = cells == CellKind.UNKNOWN
            beside = unknown & ~on & grid.beside(on)
            if on.any() and not ambiguous.any() and not beside.any():
                cells_by_meaning[name] = frozenset(np.nonzero(on)[0].tolist())
        if "range" not in cells_by_meaning:
            cells_by_meaning.pop("no_sight", None)
            cells_by_meaning.pop("area", None)
        return cells_by_meaning

    def _signed(self, counts: Counts) -> dict[Sign, frozenset[int]]:
        cells_by_sign: dict[Sign, frozenset[int]] = {}
        for column, name in enumerate(self._signs, start=self._sign):
            cells = np.nonzero(counts[:, column] >= _MIN_SIGN)[0]
            if cells.size:
                cells_by_sign[name] = frozenset(cells.tolist())
        return cells_by_sign


def _any_near(on: Flags, cell: int, fighters: Mapping[int, str | None]) -> bool:
    near = [int(n) for n in grid.NEIGHBOURS[cell] if n >= 0 and int(n) not in fighters]
    return bool(on[near].any())


class _Body:
    """The sample points that fighters may hide."""

    def __init__(self, points: grid.Points, fight: FightRules, lattice: Lattice) -> None:
        self._points = points * (lattice.cell_w, lattice.cell_h)
        self._centres = grid.centres(lattice)
        self._cell = (lattice.cell_w, lattice.cell_h)
        tall = fight.figure.tall * lattice.cell_h
        self._half = (0.44 * tall, 0.56 * tall)
        self._middle = fight.figure.drop * lattice.cell_h - 0.5 * tall
        bar = fight.bar
        self._bar = (0.5 * bar.width * lattice.cell_w + 2, 0.5 * bar.height * lattice.cell_h + 3)
        self._rise = bar.rise * lattice.cell_h
        self._shield = bar.shield.height * lattice.cell_h

    def hide(self, places: Sequence[tuple[float, float]]) -> Flags:
        """Returns the points under a body, its bar or its ring, for fighters at these pixels."""
        hidden = np.zeros((CELLS, len(self._points)), bool)
        for place in places:
            rows = np.abs(self._centres[:, 1] - place[1]) < 3 * self._cell[1]
            away = self._centres[rows, None, :] + self._points[None] - place
            x, y = away[..., 0], away[..., 1]
            body = (x / self._half[0]) ** 2 + ((y - self._middle) / self._half[1]) ** 2 < 1
            over = y + self._rise
            bar = (np.abs(x) < self._bar[0]) & (over > -self._bar[1]) & (over < self._bar[1] + self._shield)
            ring = np.abs(x) / self._cell[0] + np.abs(y) / self._cell[1] < 0.53
            hidden[rows] |= body | bar | ring
        return hidden


def _hidden_by_block(points: grid.Points) -> list[tuple[int, Flags]]:
    hidden = []
    for place, (across, down) in enumerate(((-0.5, 0.5), (0.5, 0.5), (0.0, 1.0))):
        top = np.abs(points[:, 0] - across) + np.abs(points[:, 1] - (down - _BLOCK_RISE)) <= 0.53
        low = np.abs(points[:, 0] - across) + np.abs(points[:, 1] - down) <= 0.53
        hidden.append((place, top | low))
    return hidden


def _behind(blocks: Flags, hidden: list[tuple[int, Flags]]) -> Flags:
    points = len(hidden[0][1])
    behind = np.zeros((CELLS, points), bool)
    beyond = np.arange(CELLS) + 2 * ROW_LENGTH
    front = np.stack([grid.NEIGHBOURS[:, 2], grid.NEIGHBOURS[:, 3], np.where(beyond < CELLS, beyond, -1)])
    for place, mask in hidden:
        blocked = (front[place] >= 0) & blocks[front[place]]
        behind[blocked] |= mask
    return behind


def _count(meaning: npt.NDArray[np.uint8], clear: Flags, groups: int) -> Counts:
    """Returns how many clear points of each cell are of each group, shape (560, groups)."""
    weights = np.where(clear, 1, 0)
    index = meaning.astype(np.int64) + np.arange(CELLS)[:, None] * groups
    counts = np.bincount(index.ravel(), weights.ravel(), CELLS * groups)
    return counts.astype(np.float64).reshape(CELLS, groups)


def _is_block(counts: Counts) -> Flags:
    seen = counts.sum(axis=1)
    ground = counts[:, 1] + counts[:, _LIT:].sum(axis=1)
    full = counts[:, 4] >= 0.55 * np.maximum(seen, 1)
    return np.asarray(full & (ground <= 0.12 * seen) & (seen >= _MIN_SEEN))


def _decide(counts: Counts, blocks: Flags) -> npt.NDArray[np.uint8]:
    """Returns the kind of each cell from its counts.

    The slab's sides below the board have the colours of a hole's walls: only a pit's dark bottom
    distinguishes a hole from the outside, unless the cell is enclosed.
    """
    seen = counts.sum(axis=1)
    ground = counts[:, 1] + counts[:, _LIT:].sum(axis=1)
    total = np.maximum(seen, 1)
    enough = seen >= _MIN_SEEN
    floor = enough & (ground >= 0.55 * total)
    beside_floor = grid.beside(floor)
    walkable = floor | (enough & (ground >= 0.3 * total) & beside_floor)
    pit = enough & (counts[:, 2] + counts[:, 3] >= 0.6 * total) & (ground <= 0.1 * total)
    deep = pit & (counts[:, 2] >= 0.15 * total)
    ambiguous = ~enough | (~walkable & (ground > 0.15 * total))
    other = ~walkable & ~deep & ~ambiguous
    outside = grid.flooded(other)
    maybe = grid.flooded(other | ambiguous)
    cells = np.zeros(CELLS, np.uint8)
    cells[walkable] = CellKind.WALKABLE
    cells[deep | (pit & ~maybe)] = CellKind.HOLE
    cells[outside] = CellKind.OUTSIDE
    cells[other & ~maybe & ~pit & blocks] = CellKind.OBSTACLE
    return _fill_outside(cells) if walkable.sum() >= _MIN_BOARD else np.zeros(CELLS, np.uint8)


def _fill_outside(cells: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Marks unknown cells not connected to the board as outside: the board is in one piece."""
    unknown = cells == CellKind.UNKNOWN
    inner = ~unknown & (cells != CellKind.OUTSIDE)
    cells[unknown & ~grid.connected(inner, unknown)] = CellKind.OUTSIDE
    return cells
