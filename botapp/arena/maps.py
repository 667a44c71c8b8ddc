"""Procedural maps: a patch of the board with a ragged outline, walls and holes, the same for both sides.

A map looks the same turned by half a turn (cell n becomes 559 - n), so neither side has the better ground.
Next hop: `botapp.arena.scenarios` puts fighters on the start cells.
"""

import random

from botapp.fight.board import CELLS, ROW_LENGTH, distance, neighbours
from botapp.fight.paths import UNREACHED, walking_distances
from botapp.fight.sight import terrain
from botapp.fight.state import CellFlag, FightMap

FIRST_ROW = 6
LAST_ROW = 33
START_CELLS = 6
_MIDDLE = 6.75
_GAP = (8, 12)
_NEAREST_START = 6
_WALKABLE = int(CellFlag.WALKABLE)


def opposite(cell: int) -> int:
    """Returns the cell that lies where this one does after half a turn of the board."""
    return CELLS - 1 - cell


def build_map(rng: random.Random, key: str) -> FightMap:
    """Returns a connected map with `START_CELLS` start cells a side, about 8 to 12 cells apart."""
    while True:
        cells = bytearray(CELLS)
        outline = _outline(rng)
        for cell in outline:
            cells[cell] = CellFlag.FLOOR
        if not _connected(cells):
            continue
        _place_obstacles(cells, outline, rng)
        starts = _starts(cells, rng)
        if starts:
            return FightMap(key, bytes(cells), starts, tuple(opposite(cell) for cell in starts))


def _outline(rng: random.Random) -> set[int]:
    """Returns the cells of a patch that narrows towards its ends and drifts a little from row to row."""
    inside: set[int] = set()
    shift = rng.uniform(-0.6, 0.6)
    half_rows = (LAST_ROW - FIRST_ROW) / 2
    for row in range(FIRST_ROW, CELLS // ROW_LENGTH // 2):
        edge = (row - FIRST_ROW) / half_rows
        shift = max(-1.2, min(1.2, shift + rng.uniform(-0.4, 0.4))) * (1 - 0.2 * edge)
        half_width = 3.2 + 3.4 * min(1.0, 1.6 * edge) + rng.uniform(-0.5, 0.5)
        for col in range(ROW_LENGTH):
            if abs(col + (row % 2) * 0.5 - _MIDDLE - shift) <= half_width:
                cell = row * ROW_LENGTH + col
                inside.update((cell, opposite(cell)))
    return inside


def _place_obstacles(cells: bytearray, outline: set[int], rng: random.Random) -> None:
    """Puts walls and holes on the floor, in clusters, wherever they cut nothing off."""
    inner = sorted(cell for cell in outline if all(near in outline for near in neighbours(cell)))
    for flag, clusters in ((CellFlag.NONE, rng.randint(5, 8)), (CellFlag.SIGHT, rng.randint(2, 4))):
        for _ in range(clusters):
            cell = rng.choice(inner)
            for _ in range(rng.choice((1, 1, 2, 2, 3))):
                before = bytes(cells)
                cells[cell] = cells[opposite(cell)] = flag
                if not _connected(cells):
                    cells[:] = before
                cell = rng.choice(neighbours(cell))
                if cell not in outline:
                    break


def _connected(cells: bytearray) -> bool:
    walkable = [cell for cell in range(CELLS) if cells[cell] & _WALKABLE]
    seen, edge = {walkable[0]}, [walkable[0]]
    while edge:
        fresh = {n for c in edge for n in neighbours(c) if cells[n] & _WALKABLE and n not in seen}
        seen |= fresh
        edge = list(fresh)
    return len(seen) == len(walkable)


def _starts(cells: bytearray, rng: random.Random) -> tuple[int, ...]:
    """Returns the red side's start cells, blue's being opposite; none where the map offers none."""
    ground = terrain(bytes(cells))
    walkable = [cell for cell in range(CELLS) if cells[cell] & _WALKABLE]
    rng.shuffle(walkable)
    for anchor in walkable:
        if not _GAP[0] <= distance(anchor, opposite(anchor)) <= _GAP[1]:
            continue
        away = walking_distances(ground, anchor)
        if away[opposite(anchor)] > _GAP[1] + 2:
            continue
        near = sorted((cell for cell in walkable if away[cell] < UNREACHED), key=lambda c: (away[c], c))
        chosen: list[int] = []
        for cell in near:
            others = [opposite(c) for c in (*chosen, cell)]
            if all(distance(a, b) >= _NEAREST_START for a in (*chosen, cell) for b in others):
                chosen.append(cell)
            if len(chosen) == START_CELLS:
                return tuple(chosen)
    return ()
