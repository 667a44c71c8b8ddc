"""Finds the floor of a DOFUS board by colour: tiles of the colours around the fighters.

Boards are of grass, wood, sand or stone, unevenly lit, and tiled in two alternating tones; highlights are
painted over them. The pair of colours that explains most tiles near the fighters is the floor's; from there
the floor grows tile by tile (region growing by local colour).
"""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus.paint import LIKE, Paints, best_painted, colour_distance
from vision.extract.dofus.percentiles import percentiles
from vision.extract.dofus.tiles import Edges
from vision.view import CELLS, ROW_LENGTH

Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Cells = npt.NDArray[np.int64]

_TILED = 0.55
_EVEN = 0.48
_EVEN_PAINT = 0.7
_RIM = 30.0
_NEAR = 6
_MIN_SUPPORT = 3
_BARE = 0.25
_GUESSES = 60
_RIMS = 8  # Colours about painted tiles that are tried as the floor's; they are all alike on one board
_TWO_TONES = 60.0
_UNLIKELY = 0.6
_ROUNDS, _AT_ONCE = 60, 10
_SAME_PAINT = 12.0
_LIKE_CORNER = 12.0
_PLAIN_CORNER = 0.7
_CORNER_ENDED = 0.4
_WHOLE = 0.8
_SAME_TONE = 12.0
_DARKEST = 0.5
_CORNER_EDGES = ((0, 1), (0, 2), (1, 3))


@dataclass(frozen=True, slots=True)
class CellColours:
    """The colours of the cells.

    Attributes:
        seen: each cell's median colour (RGB), shape (560, 3).
        even: the share of each cell with that colour (0..1), shape (560,).
        edges: the cells' edges.
        corners: the median colour (RGB) of each cell's upper, left and right quarter, shape (560, 3, 3).
        plain: the share of each of these quarters with that colour (0..1), shape (560, 3).
    """

    seen: Numbers
    even: Numbers
    edges: Edges
    corners: Numbers
    plain: Numbers


@dataclass(frozen=True, slots=True)
class Floor:
    """The floor.

    Attributes:
        cells: the cells where it is visible.
        partly: those of them where only a corner of it is visible.
        ambiguous: other cells with a corner of it that are open to the outside, and so may not be floor.
        colours: its colour (RGB) at each cell in full light, shape (560, 3).
        light: the light on each cell, 1 for full, shape (560,).
    """

    cells: Flags
    partly: Flags
    ambiguous: Flags
    colours: Numbers
    light: Numbers


def find(
    appearance: CellColours, usable: Flags, standing: list[int], sets: Paints
) -> Generator[None, None, Floor | None]:
    """Finds the floor in parts of a few milliseconds; returns None where no colour explains enough tiles.

    Args:
        appearance: the colours of the cells.
        usable: which cells are visible.
        standing: the cells that fighters stand on.
    """
    taken = np.zeros(CELLS, bool)
    taken[standing] = True
    rimmed = appearance.even >= _EVEN_PAINT
    rimmed &= (np.abs(appearance.edges.rim - appearance.seen[:, None]).max(axis=2) > _RIM).sum(axis=1) >= 3
    near = usable & (_is_tile(appearance) | rimmed) & ~taken & (_distance(standing) <= _NEAR)
    sides = [
        tones_of(appearance.seen[near & side], appearance.edges.rim[near & rimmed & side].mean(axis=1), sets)
        for side in (_PARITY == 0, _PARITY == 1)
    ]
    if not all(len(tones) for tones, _ in sides):
        return None
    (even, even_votes), (odd, odd_votes) = sides
    apart_by = np.sqrt(((even[:, None] - odd[None]) ** 2).sum(axis=2))
    pairs = (even_votes[:, None] + odd_votes[None]) * np.where(apart_by <= _TWO_TONES, 1.0, _UNLIKELY)
    first, second = np.unravel_index(int(pairs.argmax()), pairs.shape)
    yield
    return (yield from _grown(appearance, usable, taken, np.stack([even[first], odd[second]]), sets))


def tones_of(colours: Numbers, rims: Numbers, sets: Paints) -> tuple[Numbers, Numbers]:
    """Returns candidate colours of one tone of the floor, by the number of tiles that each explains.

    Where a spell's range lights most of the board, no tile need be bare: the floor is then seen about the
    painted parts alone. It counts where it explains more tiles than the colour of any, as that of cells in
    sight does not explain those out of sight.

    Args:
        colours: the tiles', shape (tiles, 3).
        rims: the colours about painted tiles, shape (n, 3).
        sets: the highlights that may be painted over them.

    Returns:
        The colours, shape (n, 3), and their votes, shape (n,); none for too few tiles.
    """
    if len(colours) < _MIN_SUPPORT:
        return np.zeros((0, 3), np.float32), np.zeros(0, np.float32)
    guesses = np.concatenate([colours, rims[:: max(1, len(rims) // _RIMS)]])
    shape = (len(guesses), *colours.shape)
    explained = best_painted(
        np.broadcast_to(colours[None], shape), np.broadcast_to(guesses[:, None], shape), sets
    )
    bare = explained == -1
    votes = (explained >= -1).sum(axis=1) + _BARE * bare.sum(axis=1)
    best = np.argsort(-votes, kind="stable")[:_GUESSES]
    tones = np.stack(
        [
            percentiles(colours[bare[guess]].T, (50,))[0] if bare[guess].any() else guesses[guess]
            for guess in best
        ]
    )
    return np.asarray(tones, np.float32), np.asarray(votes[best], np.float32)


def _is_tile(appearance: CellColours) -> Flags:
    """Returns which cells are a bare tile: clear edges on all sides, one colour within."""
    score = appearance.edges.clear.mean(axis=1)
    return np.asarray((score >= _TILED) & (appearance.even >= _EVEN) & (score + 0.5 * appearance.even >= 1.0))


def _grown(
    appearance: CellColours,
    usable: Flags,
    taken: Flags,
    tones: Numbers,
    sets: Paints,
) -> Generator[None, None, Floor]:
    """Grows the floor from the fighters' cells over neighbours of its local colour, in parts."""
    tile = _is_tile(appearance)
    cells = taken.copy()
    bare, partly = np.zeros(CELLS, bool), np.zeros(CELLS, bool)
    corners = np.zeros(CELLS, bool)
    light = np.ones(CELLS, np.float32)
    for number in range(_ROUNDS):
        if number % _AT_ONCE == _AT_ONCE - 1:
            yield
        beside = grid.beside(cells)
        near = np.flatnonzero(cells | beside)
        colours = _local_colours(appearance.seen / light[:, None], bare, tones, near)
        state, lit, paint = _painted(appearance, light, colours, near, tile, cells, sets)
        grown = cells | (usable & beside & ~taken & (lit | (tile & (state == -1))))
        now_bare = grown & (state == -1) & ~taken
        if (grown == cells).all() and (now_bare == bare).all():
            beyond = _beyond(appearance, cells, tones, sets) & usable & ~taken
            if beyond.any():
                cells, bare = cells | beyond, bare | beyond
                continue
            dark = usable & beside & ~cells & (state < -1) & (light == 1) & _is_whole(appearance)
            shaded = _shaded(appearance.seen, dark, cells & (bare | paint), light)
            if (shaded != light).any():
                light = shaded
                continue
            corners = usable & beside & ~cells & _shows_corner(appearance, cells, paint, colours)
            sure = corners & ~grid.flooded(~cells)
            if not sure.any():
                break
            grown, partly = grown | sure, partly | sure
        cells, bare = grown, now_bare
    colours = _local_colours(appearance.seen / light[:, None], bare, tones, np.arange(CELLS))
    return Floor(cells, partly, corners, colours, _light(appearance.seen, colours, bare, light))


def _beyond(appearance: CellColours, cells: Flags, tones: Numbers, sets: Paints) -> Flags:
    """Returns the bare tiles two cells from the floor, where plants or a body hide the cell between."""
    beside = grid.beside(cells) & ~cells
    beyond = grid.beside(beside) & ~beside & ~cells & _is_whole(appearance)
    some = np.flatnonzero(beyond)
    beyond[some] = best_painted(appearance.seen[some], tones[_PARITY[some]], sets) == -1
    return beyond


def _painted(
    appearance: CellColours,
    light: Numbers,
    colours: Numbers,
    near: Cells,
    tile: Flags,
    cells: Flags,
    sets: Paints,
) -> tuple[Cells, Flags, Flags]:
    """Returns what is painted over the floor and beside it: the state by `best_painted`, -2 elsewhere, which
    cells are a highlighted tile, and which have a highlight's colour.

    Args:
        appearance: the colours of the cells.
        light: the light on each cell.
        colours: the floor's colours, shape (560, 3).
        near: the floor and the cells beside it, the only ones to judge.
        tile: which cells are a bare tile.
        cells: which are the floor so far.
    """
    state = np.full(CELLS, -2)
    state[near] = best_painted(appearance.seen[near] / light[near, None], colours[near], sets)
    paint = (state >= 0) & (appearance.even >= _EVEN_PAINT)
    in_part = (state >= 0) & tile & ~paint  # a body or a plant over part of it
    if in_part.any():
        paint |= in_part & _beside(appearance.seen, appearance.seen, cells & paint)
    lit = np.zeros(CELLS, bool)
    some = np.flatnonzero(paint)
    rim = colour_distance(appearance.edges.rim[some], colours[some, None]) <= _RIM
    lit[some] = tile[some] | (rim.sum(axis=1) >= 3)
    if (paint & ~lit).any():
        alike = paint & ~lit & _beside(appearance.seen, appearance.seen, cells & paint)
        lit |= alike & ~grid.flooded(~cells) if alike.any() else alike
    return state, lit, paint


def _is_whole(appearance: CellColours) -> Flags:
    """Returns which cells are a tile of one colour between four clear edges."""
    return np.asarray((appearance.edges.clear >= _WHOLE).all(axis=1) & (appearance.even >= _WHOLE))


def _shaded(seen: Numbers, dark: Flags, known: Flags, light: Numbers) -> Numbers:
    """Returns the light on cells where dark ones look like a known neighbour of their tone in less light.

    Trees and walls cast shadows over bare and highlighted tiles alike.
    """
    cells = np.flatnonzero(dark)
    there = np.append(known, False)[_ALIKE[cells]]
    near = np.concatenate([seen, np.zeros((1, 3), np.float32)])[_ALIKE[cells]]
    apart = colour_distance(np.broadcast_to(seen[cells, None], near.shape), near)
    apart = np.where(there, apart, np.inf)
    best = apart.argmin(axis=1)
    like = np.take_along_axis(near, best[:, None, None], axis=1)[:, 0]
    share = (seen[cells] * like).sum(axis=1) / np.maximum((like**2).sum(axis=1), 1.0)
    share *= np.append(light, 1.0)[_ALIKE[cells, best]]
    good = (apart.min(axis=1) <= _SAME_TONE) & (share >= _DARKEST)
    answer = light.copy()
    answer[cells[good]] = share[good]
    return answer


def _light(seen: Numbers, colours: Numbers, bare: Flags, light: Numbers) -> Numbers:
    share = (seen * colours).sum(axis=1) / np.maximum((colours**2).sum(axis=1), 1.0)
    return np.asarray(np.where(bare, np.clip(share, _DARKEST, 1.0), light), np.float32)


def _beside(colours: Numbers, seen: Numbers, lit: Flags) -> Flags:
    """Returns which colours, shape (560, 3), match those of a highlighted neighbour."""
    near = np.concatenate([seen, np.zeros((1, 3), np.float32)])[grid.NEIGHBOURS]
    alike = np.abs(near - colours[:, None]).max(axis=2) <= _SAME_PAINT
    return np.asarray((alike & grid.at_neighbours(lit)).any(axis=1))


def _shows_corner(appearance: CellColours, cells: Flags, paint: Flags, colours: Numbers) -> Flags:
    """Returns which cells show the floor, bare or highlighted, in a quarter between two clear edges.

    An obstacle in front of a cell hides its middle, but rarely all of its upper and side corners.
    """
    under = np.broadcast_to(colours[:, None], appearance.corners.shape)
    lightness = np.abs(appearance.corners.mean(axis=2) - under.mean(axis=2))
    bare = (colour_distance(appearance.corners, under) <= _LIKE_CORNER) & (lightness <= LIKE)
    lit = [
        _beside(corner, appearance.seen, cells & paint) for corner in appearance.corners.transpose(1, 0, 2)
    ]
    edged = (appearance.edges.clear[:, _CORNER_EDGES] >= _CORNER_ENDED).all(axis=2)
    floored = bare | np.stack(lit, axis=1)
    return np.asarray((floored & edged & (appearance.plain >= _PLAIN_CORNER)).any(axis=1))


def _local_colours(seen: Numbers, bare: Flags, tones: Numbers, cells: Cells) -> Numbers:
    """Returns the expected floor colour: of some cells the mean of nearby bare floor of their tone, shape
    (560, 3), of the others their tone.
    """
    colours = np.asarray(tones[_PARITY], np.float32)
    alike = _ALIKE[cells]
    weights = np.append(bare, False)[alike].astype(np.float32)
    near = np.concatenate([seen, np.zeros((1, 3), np.float32)])[alike]
    total = weights.sum(axis=1, keepdims=True)
    mean = (near * weights[..., None]).sum(axis=1) / np.maximum(total, 1)
    trust = np.minimum(total / 3, 1.0)
    colours[cells] = trust * mean + (1 - trust) * colours[cells]
    return colours


def _distance(standing: list[int]) -> npt.NDArray[np.int64]:
    """Returns each cell's distance to the nearest fighter, in steps."""
    if not standing:
        return np.zeros(CELLS, np.int64)
    away = np.abs(grid.DIAGONALS[:, None] - grid.DIAGONALS[standing][None]).sum(axis=2)
    return np.asarray(away.min(axis=1))


def _alike() -> npt.NDArray[np.int64]:
    """Returns the cells of the same tone within two steps of each, 560 where there is none."""
    found = []
    at = {tuple(place): index for index, place in enumerate(grid.DIAGONALS.tolist())}
    steps = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0) and (x + y) % 2 == 0]
    for x, y in steps:
        found.append([at.get((place[0] + x, place[1] + y), CELLS) for place in grid.DIAGONALS.tolist()])
    return np.array(found).T


_PARITY = (np.arange(CELLS) // ROW_LENGTH) % 2
_ALIKE = _alike()
