"""The ground of a board: what the network says of each cell, held against the floor's own colours.

The network tells floor, blocks, holes and what lies outside by their form, and not all that is paved belongs
to the board: the floor is what is connected with the fighters' cells and has the colours around them, bare or
painted. The ground does not change during a fight, so it is surveyed only occasionally.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus.grounds_seen import GROUND, GROUNDS, PAINT, Scores
from vision.extract.dofus.paint import Paints, best_painted
from vision.view import CELLS, SURE, CellKind

Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_CERTAIN = 0.995
"""From this probability on a cell has no paint though its colour looks like one over the floor: the network
gives up to 0.99 to lit cells that stand alone."""
_MIN_FLOOR = 8  # Fewer cells about the fighters are no board: something else was taken for fighters
_FEW_BARE = 0.1
"""With a smaller share of the floor without paint all of it is taken for bare: a board that looks green all
over is no reach, which is 84 cells at most with 6 MP. A range over all of it is not read then."""
_DARKEST = 0.5  # Less of the floor's light is no shadow but another colour
_SHADES = (0.9, 0.8, 0.7, 0.6)  # Shares of light that are tried on lit cells
_FAR = 4  # More than twice so many steps away the floor's light tells little
_PARITY = grid.ROWS % 2  # A floor has two tones, which alternate


@dataclass(frozen=True, slots=True)
class Ground:
    """The board without fighters and highlights."""

    cells: npt.NDArray[np.uint8]  # `CellKind` by cell id, uint8, shape (560,)
    usable: Flags  # Which cells are visible, shape (560,)
    floor: Numbers  # The expected colour (RGB) of bare floor at each cell in full light, shape (560, 3)
    light: Numbers  # The light on each cell, 1 for full, shape (560,)

    @property
    def is_floor(self) -> Flags:
        """Which cells are floor, shape (560,)."""
        return np.asarray(self.cells == CellKind.WALKABLE, np.bool_)

    @property
    def confidence(self) -> float:
        """The classified share of the visible board (0..1)."""
        board = int(np.count_nonzero(self.usable & (self.cells != CellKind.OUTSIDE)))
        unknown = int(np.count_nonzero(self.usable & (self.cells == CellKind.UNKNOWN)))
        return 1.0 - unknown / board if board else 0.0


def survey(
    scores: Scores, seen: Numbers, even: Flags, usable: Flags, standing: list[int], sets: Paints
) -> Ground | None:
    """Returns the ground as one picture shows it, None where there is too little floor about the fighters.

    Args:
        scores: the network's, see `GroundReader.steps`.
        seen: each cell's middle colour (RGB), shape (560, 3).
        even: which cells have that colour nearly all over, shape (560,).
        standing: the cells that fighters stand on.
        sets: the highlights that may be painted over the floor.
    """
    ground, unpainted = scores[:, GROUND], scores[:, PAINT.start]
    taken = grid.marked(standing)
    sure = usable & (ground.max(axis=1) >= SURE)
    walkable = (sure & _is_likeliest(ground, "walkable")) | taken
    bare = _bare(walkable, even & ~taken, unpainted, seen, sets)
    floor = _about_fighters(walkable, bare, seen, even & (unpainted > 1 - SURE), taken, sets)
    if floor.sum() < _MIN_FLOOR:
        return None
    bare &= floor
    colours = _local_colours(seen, bare)
    patches = walkable & (_share(seen, colours) >= _DARKEST)  # or a mark on it
    cells = _kinds(ground, sure, walkable, floor, patches)
    cells[~usable & ~taken] = CellKind.UNKNOWN
    cells[floor] = CellKind.WALKABLE
    light = np.clip(_share(colours, _tones(seen, bare)), _DARKEST, 1.0)
    colours /= light[:, None]
    light = np.where(bare, np.clip(_share(seen, colours), _DARKEST, 1.0), light)
    painted = floor & even & (unpainted <= 1 - SURE)
    return Ground(cells, usable, colours, _with_shadows(light, painted, seen, colours, sets))


def _is_likeliest(ground: Scores, name: str) -> Flags:
    return np.asarray(ground.argmax(axis=1) == GROUNDS.index(name), np.bool_)


def _bare(walkable: Flags, clear: Flags, unpainted: Numbers, seen: Numbers, sets: Paints) -> Flags:
    """Returns which walkable cells are bare floor: neither painted nor taken.

    Args:
        clear: those of one colour nearly all over that no fighter stands on.
        unpainted: the probability that a cell has no paint, shape (560,).
        seen: each cell's middle colour.
        sets: the highlights that may be painted over the floor.
    """
    bare = walkable & clear & (unpainted >= SURE)
    if bare.sum() < _FEW_BARE * walkable.sum():
        bare = walkable & clear
    lit = best_painted(seen, _tones(seen, bare), sets) >= 0
    return np.asarray(bare & (~lit | (unpainted >= _CERTAIN)), np.bool_)


def _kinds(
    ground: Scores, sure: Flags, walkable: Flags, floor: Flags, patches: Flags
) -> npt.NDArray[np.uint8]:
    """Returns what each cell is beside the floor, `CellKind`, shape (560,).

    Args:
        walkable: those that are walkable by it.
        floor: those of them that belong to the board.
        patches: those of them that may be a patch of the floor, where they lie inside it.
    """
    cells = np.zeros(CELLS, np.uint8)
    open_ground = ground[:, GROUNDS.index("hole")] + ground[:, GROUNDS.index("outside")] >= SURE
    outside = grid.flooded(~floor & ~_is_likeliest(ground, "hole"))
    cells[sure & _is_likeliest(ground, "obstacle")] = CellKind.OBSTACLE
    cells[open_ground & outside] = CellKind.OUTSIDE
    cells[open_ground & ~outside] = CellKind.HOLE
    cells[walkable & ~floor] = CellKind.UNKNOWN
    cells[patches & ~floor & ~grid.flooded(~floor)] = CellKind.WALKABLE
    near = grid.beside(floor)
    cells[(cells == CellKind.UNKNOWN) & ~near & ~grid.beside(near)] = CellKind.OUTSIDE
    return cells


def _with_shadows(light: Numbers, painted: Flags, seen: Numbers, colours: Numbers, sets: Paints) -> Numbers:
    """Returns the light on each cell, where painted ones that show no paint in it may lie in a shadow."""
    for shade in _SHADES:
        dark = painted & (best_painted(seen / light[:, None], colours, sets) < 0)
        fits = best_painted(seen[dark] / shade, colours[dark], sets) >= 0
        light[np.flatnonzero(dark)[fits]] = shade
    return light.astype(np.float32)


def _about_fighters(
    walkable: Flags, bare: Flags, seen: Numbers, judged: Flags, taken: Flags, sets: Paints
) -> Flags:
    """Returns the floor: the walkable cells connected with the fighters' over cells of their colours.

    Of cells that are not judged by colour the network's word is all there is: a body or a plant lies over
    them, or paint that it is sure of. One cell may be unknown: the floor goes on beyond it.
    """
    floor = taken.copy()
    while True:
        one_step = grid.beside(floor)
        reach = (one_step | grid.beside(one_step)) & walkable & ~floor
        near = np.flatnonzero(reach & judged)
        known = bare & (floor | reach)
        known = known if known.any() else bare  # a reach or a range is lit all about the fighters
        fits = one_step & reach & ~judged
        fits[near] = best_painted(seen[near], _about(seen, known, near), sets) >= -1
        if not fits.any():
            return floor
        floor = floor | fits


def _local_colours(seen: Numbers, bare: Flags) -> Numbers:
    """Returns the expected floor colour of each cell, shape (560, 3): that of the bare cells about it, where
    there is none that of the cells nearer to some, and of all bare ones at last.
    """
    every = np.arange(CELLS)
    colours = _about(seen, bare, every)
    known = np.asarray(np.append(bare, False)[_ALIKE].any(axis=1), np.bool_)
    for _ in range(_FAR):
        mean, count = _means(colours, known, every)
        new = ~known & (count > 0)
        if not new.any():
            break
        colours, known = np.where(new[:, None], mean, colours), known | new
    return colours


def _about(seen: Numbers, bare: Flags, cells: npt.NDArray[np.int64]) -> Numbers:
    """Returns the mean colour of the bare cells of the same tone within two steps of some cells; where they
    are fewer than three, rather that of all of the tone.
    """
    mean, count = _means(seen, bare, cells)
    trust = np.minimum(count / 3, 1.0)[:, None]
    return np.asarray(trust * mean + (1 - trust) * _tones(seen, bare)[cells], np.float32)


def _means(colours: Numbers, known: Flags, cells: npt.NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """Returns the mean of known colours of the same tone within two steps of cells, and their count."""
    near = _ALIKE[cells]
    weights = np.append(known, False)[near].astype(np.float32)
    count = weights.sum(axis=1)
    there = np.concatenate([colours, np.zeros((1, 3), np.float32)])[near]
    return (there * weights[..., None]).sum(axis=1) / np.maximum(count, 1)[:, None], count


def _tones(seen: Numbers, bare: Flags) -> Numbers:
    """Returns the middle colour of the bare cells of each cell's tone, shape (560, 3)."""
    return np.stack([_middle(seen, bare & tone, bare) for tone in (_PARITY == 0, _PARITY == 1)])[_PARITY]


def _share(seen: Numbers, colours: Numbers) -> Numbers:
    """Returns how much of a colour's light others have, shape (560,)."""
    return np.asarray((seen * colours).sum(axis=1) / np.maximum((colours**2).sum(axis=1), 1.0), np.float32)


def _middle(seen: Numbers, of: Flags, otherwise: Flags) -> Numbers:
    some = of if of.any() else otherwise
    return np.asarray(np.median(seen[some], axis=0) if some.any() else np.zeros(3), np.float32)


def _alike() -> npt.NDArray[np.int64]:
    """Returns the cells of the same tone within two steps of each, 560 where there is none."""
    alike = []
    at = {tuple(place): index for index, place in enumerate(grid.DIAGONALS.tolist())}
    steps = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0) and (x + y) % 2 == 0]
    for x, y in steps:
        alike.append([at.get((place[0] + x, place[1] + y), CELLS) for place in grid.DIAGONALS.tolist()])
    return np.array(alike).T


_ALIKE = _alike()
