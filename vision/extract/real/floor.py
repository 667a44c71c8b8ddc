"""Finds the floor of a real board by its own colours: tiles on the lattice, like those fighters stand on.

Boards are of grass, wood, sand or stone, lit unevenly, and tiled in two tones by turns; highlights are paint
over them. The colours that explain most tiles about the fighters are the floor's; from there the floor grows,
tile by tile, by what its neighbours look like. Next hop: `vision.extract.real.terrain`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.real.tiles import Edges
from vision.screen import HighlightRule
from vision.view import CELLS, ROW_LENGTH, Highlight

Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Paints = Sequence[Mapping[Highlight, HighlightRule]]
"""Sets of highlights of which only one is shown at a time."""

_LIKE = 24.0
_SHADE = (0.74, 1.2)
_PAINTED = 22.0
_OFF_COLOUR = 0.15
_SLACK = 0.06
_FAR = 999.0
_CLEAR_OF_FLOOR = 36.0
_MUCH = 0.45
_RIVAL = (1.4, 6.0)
_TILED = 0.55
_EVEN = 0.48
_EVEN_PAINT = 0.7
_RIM = 30.0
_NEAR = 6
_MIN_SUPPORT = 3
_BARE = 0.25
_GUESSES = 60
_TWO_TONES = 60.0
_UNLIKELY = 0.6
_ROUNDS = 60
_SAME_PAINT = 12.0
_LIKE_CORNER = 12.0
_PLAIN_CORNER = 0.7
_CORNER_ENDED = 0.4
_CORNER_EDGES = ((0, 1), (0, 2), (1, 3))
_AT_ONCE = 2048


@dataclass(frozen=True, slots=True)
class Look:
    """What the cells look like.

    Attributes:
        seen: each cell's median colour (RGB), shape (560, 3).
        even: how much of each cell is of that colour (0..1), shape (560,).
        edges: the cells' edges.
        corners: the median colour (RGB) of each cell's upper, left and right quarter, shape (560, 3, 3).
        plain: how much of each of these quarters is of that colour (0..1), shape (560, 3).
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
        cells: which cells show it.
        partly: which of them show it in a corner only.
        doubtful: which other cells show it in a corner, but are open to the outside: it may be there.
        colours: its colour (RGB) at each cell, shape (560, 3).
    """

    cells: Flags
    partly: Flags
    doubtful: Flags
    colours: Numbers


def painted(seen: Numbers, floor: Numbers, rules: Mapping[Highlight, HighlightRule]) -> npt.NDArray[np.int64]:
    """Returns which highlight is painted over a floor.

    Args:
        seen: colours (RGB), shape (..., 3).
        floor: the floor's colours there, same shape.
        rules: the highlights.

    Returns:
        The highlight's place in `rules`, -1 for the bare floor, -2 for something else or in doubt.
    """
    flat, under = seen.reshape(-1, 3), floor.reshape(-1, 3)
    parts = [
        _painted(flat[start : start + _AT_ONCE], under[start : start + _AT_ONCE], tuple(rules.values()))
        for start in range(0, max(1, len(flat)), _AT_ONCE)
    ]
    return np.concatenate(parts).reshape(seen.shape[:-1])


def _painted(seen: Numbers, floor: Numbers, rules: tuple[HighlightRule, ...]) -> npt.NDArray[np.int64]:
    """Does what `painted` does for colours in a row, shape (n, 3)."""
    bare = apart(seen, floor)
    found = np.where(bare <= _LIKE, -1, -2)
    if not rules:
        return found
    rest, paint = _fit(seen, floor, rules)
    places = np.arange(len(seen))
    best = rest.argmin(axis=1)
    least, amount = rest[places, best], paint[places, best]
    clear = (
        (least < np.maximum(_PAINTED, _OFF_COLOUR * amount))
        & (amount > _CLEAR_OF_FLOOR)
        & (least < _MUCH * amount)
        & (least < 0.7 * bare)
    )
    if len(rules) > 1:
        second = np.partition(rest, 1, axis=1)[:, 1]
        clear &= second > _RIVAL[0] * least + _RIVAL[1]
    return np.asarray(np.where(clear, best, found))


def shown(seen: Numbers, floor: Numbers, sets: Paints) -> npt.NDArray[np.int64]:
    """Returns what a floor shows by the best of several sets of highlights, as `painted` does."""
    return np.asarray(np.maximum.reduce([painted(seen, floor, rules) for rules in sets]))


def _fit(seen: Numbers, floor: Numbers, rules: tuple[HighlightRule, ...]) -> tuple[Numbers, Numbers]:
    """Returns how far colours are from each paint over the floor and how much lies there, (n, rules)."""
    colours, least, most = _colours(rules)
    step, whole = (seen - floor).T[:, :, None, None], colours - floor.T[:, :, None, None]
    far = np.maximum(_dot(whole, whole), 1.0)
    share = _dot(step, whole) / far
    left = step - share * whole
    rest = np.where((share > least) & (share < most), np.sqrt(_dot(left, left)), np.float32(_FAR))
    nearest = rest.argmin(axis=2)[..., None]
    rest, amount = (np.take_along_axis(one, nearest, axis=2)[..., 0] for one in (rest, share * np.sqrt(far)))
    return rest, np.where(rest < _FAR, amount, np.float32(0))


@lru_cache(maxsize=16)
def _colours(rules: tuple[HighlightRule, ...]) -> tuple[Numbers, Numbers, Numbers]:
    """Returns the paints' colours, shape (3, 1, rules, colours), and from and to where they may be opaque.

    A paint with fewer colours than others has its last one more than once.
    """
    many = max(len(rule.colours) for rule in rules)
    colours = [rule.colours + rule.colours[-1:] * (many - len(rule.colours)) for rule in rules]
    opacity = np.array([rule.opacity for rule in rules], np.float32)[:, :, None]
    laid_out = np.array(colours, np.float32).transpose(2, 0, 1)[:, None]
    return laid_out, opacity[:, 0] - np.float32(_SLACK), opacity[:, 1] + np.float32(_SLACK)


def _dot(one: Numbers, two: Numbers) -> Numbers:
    """Returns the products of vectors whose parts lie along the first axis."""
    return np.asarray(one[0] * two[0] + one[1] * two[1] + one[2] * two[2], np.float32)


def apart(seen: Numbers, floor: Numbers) -> Numbers:
    """Returns how far colours are from the floor's in any light that shadows leave, the more the darker."""
    light = (seen * floor).sum(axis=-1) / np.maximum((floor**2).sum(axis=-1), 1.0)
    light = np.clip(light, *_SHADE)
    left = seen - light[..., None] * floor
    return np.asarray(np.sqrt((left**2).sum(axis=-1)) / np.minimum(light, 1.0), np.float32)


def find(look: Look, usable: Flags, standing: list[int], sets: Paints) -> Floor | None:
    """Returns the floor, None where no colour explains enough tiles.

    Args:
        look: what the cells look like.
        usable: which cells can be seen.
        standing: the cells that fighters stand on.
        sets: the highlights.
    """
    taken = np.zeros(CELLS, bool)
    taken[standing] = True
    rimmed = look.even >= _EVEN_PAINT
    rimmed &= (np.abs(look.edges.rim - look.seen[:, None]).max(axis=2) > _RIM).sum(axis=1) >= 3
    near = usable & (_is_tile(look) | rimmed) & ~taken & (_distance(standing) <= _NEAR)
    sides = [_tones(look.seen[near & (parity == _PARITY)], sets) for parity in (0, 1)]
    if not all(len(tones) for tones, _ in sides):
        return None
    (even, even_votes), (odd, odd_votes) = sides
    apart_by = np.sqrt(((even[:, None] - odd[None]) ** 2).sum(axis=2))
    pairs = (even_votes[:, None] + odd_votes[None]) * np.where(apart_by <= _TWO_TONES, 1.0, _UNLIKELY)
    first, second = np.unravel_index(int(pairs.argmax()), pairs.shape)
    return _grown(look, usable, taken, np.stack([even[first], odd[second]]), sets)


def _tones(colours: Numbers, sets: Paints) -> tuple[Numbers, Numbers]:
    """Returns colours that the floor may have, by how many tiles of one tone each explains.

    Args:
        colours: the tiles', shape (tiles, 3).
        sets: the highlights that may be painted over them.

    Returns:
        The colours, shape (n, 3), and their votes, shape (n,); none for too few tiles.
    """
    if len(colours) < _MIN_SUPPORT:
        return np.zeros((0, 3), np.float32), np.zeros(0, np.float32)
    shape = (len(colours), *colours.shape)
    explained = shown(np.broadcast_to(colours[None], shape), np.broadcast_to(colours[:, None], shape), sets)
    bare = explained == -1
    votes = (explained >= -1).sum(axis=1) + _BARE * bare.sum(axis=1)
    best = np.argsort(-votes, kind="stable")[:_GUESSES]
    tones = np.stack([np.median(colours[bare[guess]], axis=0) for guess in best])
    return np.asarray(tones, np.float32), np.asarray(votes[best], np.float32)


def _is_tile(look: Look) -> Flags:
    """Returns which cells look like a bare tile: edges all about, one colour within."""
    score = look.edges.clear.mean(axis=1)
    return np.asarray((score >= _TILED) & (look.even >= _EVEN) & (score + 0.5 * look.even >= 1.0))


def _grown(
    look: Look,
    usable: Flags,
    taken: Flags,
    tones: Numbers,
    sets: Paints,
) -> Floor:
    """Lets the floor grow from the fighters' cells over what looks like the floor beside it."""
    tile = _is_tile(look)
    cells = taken.copy()
    bare, partly = np.zeros(CELLS, bool), np.zeros(CELLS, bool)
    corners = np.zeros(CELLS, bool)
    colours = tones[_PARITY]
    for _ in range(_ROUNDS):
        colours = _local(look.seen, bare, tones)
        state = shown(look.seen, colours, sets)
        rim_bare = (apart(look.edges.rim, colours[:, None]) <= _RIM).sum(axis=1) >= 3
        paint = (state >= 0) & (look.even >= _EVEN_PAINT)
        lit = paint & (
            tile | rim_bare | (_beside(look.seen, look.seen, cells & paint) & ~grid.flooded(~cells))
        )
        beside = np.append(cells, False)[grid.NEIGHBOURS].any(axis=1)
        grown = cells | (usable & beside & ~taken & (lit | (tile & (state == -1))))
        now_bare = grown & (state == -1) & ~taken
        if (grown == cells).all() and (now_bare == bare).all():
            corners = usable & beside & ~cells & _shows_a_corner(look, cells, paint, colours)
            sure = corners & ~grid.flooded(~cells)
            if not sure.any():
                break
            grown, partly = grown | sure, partly | sure
        cells, bare = grown, now_bare
    return Floor(cells, partly, corners, colours)


def _beside(colours: Numbers, seen: Numbers, lit: Flags) -> Flags:
    """Returns which colours, shape (560, 3), are those of a lit cell beside them."""
    near = np.concatenate([seen, np.zeros((1, 3), np.float32)])[grid.NEIGHBOURS]
    alike = np.abs(near - colours[:, None]).max(axis=2) <= _SAME_PAINT
    return np.asarray((alike & np.append(lit, False)[grid.NEIGHBOURS]).any(axis=1))


def _shows_a_corner(look: Look, cells: Flags, paint: Flags, colours: Numbers) -> Flags:
    """Returns which cells show the floor, bare or lit, in a quarter between two clear edges of its tile.

    What stands in front of a cell hides its middle, but seldom all of what lies above and beside it.
    """
    under = np.broadcast_to(colours[:, None], look.corners.shape)
    lightness = np.abs(look.corners.mean(axis=2) - under.mean(axis=2))
    bare = (apart(look.corners, under) <= _LIKE_CORNER) & (lightness <= _LIKE)
    lit = [_beside(corner, look.seen, cells & paint) for corner in look.corners.transpose(1, 0, 2)]
    edged = (look.edges.clear[:, _CORNER_EDGES] >= _CORNER_ENDED).all(axis=2)
    floored = bare | np.stack(lit, axis=1)
    return np.asarray((floored & edged & (look.plain >= _PLAIN_CORNER)).any(axis=1))


def _local(seen: Numbers, bare: Flags, tones: Numbers) -> Numbers:
    """Returns the floor's colour expected at each cell: that of the bare floor of its tone around it."""
    weights = np.append(bare, False)[_ALIKE].astype(np.float32)
    near = np.concatenate([seen, np.zeros((1, 3), np.float32)])[_ALIKE]
    total = weights.sum(axis=1, keepdims=True)
    mean = (near * weights[..., None]).sum(axis=1) / np.maximum(total, 1)
    trust = np.minimum(total / 3, 1.0)
    return np.asarray(trust * mean + (1 - trust) * tones[_PARITY], np.float32)


def _distance(standing: list[int]) -> npt.NDArray[np.int64]:
    """Returns how many steps each cell is from the nearest fighter."""
    if not standing:
        return np.zeros(CELLS, np.int64)
    away = np.abs(_PLACES[:, None] - _PLACES[standing][None]).sum(axis=2)
    return np.asarray(away.min(axis=1))


def _places() -> npt.NDArray[np.int64]:
    cell = np.arange(CELLS)
    row, col = cell // ROW_LENGTH, cell % ROW_LENGTH
    return np.stack([col + (row + 1) // 2, col - row // 2], axis=1)


def _alike() -> npt.NDArray[np.int64]:
    """Returns the cells of the same tone within two steps of each, 560 where there is none."""
    found = []
    at = {tuple(place): index for index, place in enumerate(_PLACES.tolist())}
    steps = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0) and (x + y) % 2 == 0]
    for x, y in steps:
        found.append([at.get((place[0] + x, place[1] + y), CELLS) for place in _PLACES.tolist()])
    return np.array(found).T


_PLACES = _places()
_PARITY = (np.arange(CELLS) // ROW_LENGTH) % 2
_ALIKE = _alike()
