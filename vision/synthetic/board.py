"""Samples a board: floor, holes, obstacles, fighters, highlights, on the documented lattice.

560 cells, 14 a row, odd rows moved by half a cell.
"""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from vision.synthetic.board_looks import USUAL, BoardLook
from vision.synthetic.canvas import Point
from vision.synthetic.scenery import Dice
from vision.view import CELLS, ROW_LENGTH, CellKind, Lattice


@dataclass(slots=True)
class DrawnFighter:
    """A fighter."""

    cell: int  # Where it stands
    team: str
    life: float  # Its share of life, 0..1
    playing: bool = False
    face: int | None = None  # Seed of its body and its portrait, so that they stay its own; None for any
    # How far it is from its cell's middle, in cells' widths and heights: it walks
    off: tuple[float, float] = (0.0, 0.0)
    # Whether it stands on a jagged ring in place of its border, where the client has those
    ringed: bool = False
    dead: bool = False  # Whether it has died: it has a card and stands nowhere

    def feet(self, lattice: Lattice) -> Point:
        """Returns where its feet are, in pixels."""
        x, y = lattice.centre(self.cell)
        return x + self.off[0] * lattice.cell_w, y + self.off[1] * lattice.cell_h

    def dice(self, otherwise: Dice) -> Dice:
        return otherwise if self.face is None else np.random.default_rng(self.face)


@dataclass(slots=True)
class DrawnFight:
    """A sampled board; `cells` are `CellKind`s by cell.

    `opacity` is that of highlighted cells, which then fill theirs (0..1); None for the client's usual one.
    `look` is how it is drawn.
    """

    lattice: Lattice
    cells: np.ndarray
    fighters: list[DrawnFighter] = field(default_factory=list)
    highlights: dict[str, set[int]] = field(default_factory=dict)
    opacity: float | None = None
    look: BoardLook = USUAL


def place(cell: int) -> tuple[int, int]:
    """Returns a cell's place along the two diagonals."""
    row, col = divmod(cell, ROW_LENGTH)
    return col + (row + 1) // 2, col - row // 2


def cell_of(x: int, y: int) -> int | None:
    """Returns the cell at a place, None off the board."""
    if not (0 <= x + y <= 2 * ROW_LENGTH - 1 and 0 <= x - y < CELLS // ROW_LENGTH):
        return None
    return (x - y) * ROW_LENGTH + (x + y) // 2


def beside(cell: int) -> list[int]:
    x, y = place(cell)
    cells = (cell_of(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    return [other for other in cells if other is not None]


def lay_out(dice: Dice, lattice: Lattice, whole: bool, last: int = 36) -> DrawnFight:
    """Returns a board with floor, obstacles and holes; `whole` fills nearly the whole map to a last row."""
    cells = np.full(CELLS, CellKind.OUTSIDE, np.uint8)
    if whole:
        margin = int(dice.integers(0, 3))
        for cell in range(CELLS):
            row, col = divmod(cell, ROW_LENGTH)
            if margin * 2 <= row <= last - margin * 2 and margin <= col < ROW_LENGTH - margin:
                cells[cell] = CellKind.WALKABLE
    else:
        for _ in range(int(dice.integers(1, 4))):
            x, y = place(int(dice.integers(14, 25)) * ROW_LENGTH + int(dice.integers(4, 9)))
            across, along = (int(n) for n in dice.integers(3, 7, 2))
            for dx in range(-across, across + 1):
                for dy in range(-along, along + 1):
                    inner = cell_of(x + dx, y + dy)
                    if inner is not None and 3 <= inner // ROW_LENGTH <= last:
                        cells[inner] = CellKind.WALKABLE
    floor = np.flatnonzero(cells == CellKind.WALKABLE)
    for _ in range(int(dice.integers(0, 9))):
        kind = CellKind.OBSTACLE if dice.random() < 0.6 else CellKind.HOLE
        spot = int(dice.choice(floor))
        for _ in range(int(dice.integers(1, 4))):
            cells[spot] = kind
            inside = [other for other in beside(spot) if cells[other] == CellKind.WALKABLE]
            if not inside:
                break
            spot = inside[int(dice.integers(len(inside)))]
    return DrawnFight(lattice, cells)


def place_fighters(dice: Dice, fight: DrawnFight, sides: list[str]) -> None:
    floor = _connected(fight)
    chosen = dice.choice(floor, len(sides), replace=False).tolist()
    for cell, team in zip(chosen, sides, strict=True):
        life = 1.0 if dice.random() < 0.35 else float(dice.uniform(0.06, 1))
        fight.fighters.append(DrawnFighter(int(cell), team, life))


def add_highlights(
    dice: Dice, fight: DrawnFight, known: Collection[str], mode: str, mp: int, everywhere: bool = False
) -> None:
    """Highlights cells: "walk", "aim", "start" or "none"; only meanings that the client knows.

    A spell aimed `everywhere` lights all of the board.
    """
    taken = {fighter.cell for fighter in fight.fighters}
    own = fight.fighters[0].cell
    if mode == "walk":
        reach = set(_reach(fight, own, mp)) - taken
        near = [cell for f in fight.fighters if f.team == "enemy" for cell in beside(f.cell)]
        blocked = (
            {cell for cell in reach if cell in near and dice.random() < 0.7} if "tackled" in known else set()
        )
        fight.highlights = {"reachable": reach - blocked, "tackled": blocked}
    elif mode == "aim":
        x, y = place(own)
        far = int(dice.integers(2, 7))
        far = CELLS if everywhere else far
        disc = {c for c in floor_cells(fight) if 1 <= abs(place(c)[0] - x) + abs(place(c)[1] - y) <= far}
        side = float(dice.uniform(-2, 2))
        hidden = (
            {c for c in disc if (place(c)[0] - x) * side > abs(place(c)[1] - y) + 1}
            if "no_sight" in known
            else set()
        )
        area: set[int] = set()
        if dice.random() < 0.4 and disc - hidden:
            aim = int(dice.choice(sorted(disc - hidden)))
            area = {aim, *(c for c in beside(aim) if fight.cells[c] == CellKind.WALKABLE)}
        fight.highlights = {"range": disc - hidden - area, "no_sight": hidden - area, "area": area}
    elif mode == "start":
        floor = floor_cells(fight)
        picks = dice.choice(floor, min(len(floor), 16), replace=False).tolist()
        fight.highlights = {"red_start": set(picks[:8]), "blue_start": set(picks[8:])}
        for fighter in fight.fighters:
            fight.highlights["red_start" if fighter.team == "enemy" else "blue_start"].add(fighter.cell)
            fight.highlights["blue_start" if fighter.team == "enemy" else "red_start"].discard(fighter.cell)
    fight.highlights = {name: cells for name, cells in fight.highlights.items() if cells}


def group_starts(dice: Dice, fight: DrawnFight) -> None:
    """Has the start cells of each team stand side by side, as most maps have them."""
    starts = fight.highlights
    for name, side in (("red_start", True), ("blue_start", False)):
        fighters = {f.cell for f in fight.fighters if (f.team == "enemy") == side}
        taken = set().union(*(cells for other, cells in starts.items() if other != name))
        taken |= {fighter.cell for fighter in fight.fighters} - fighters
        free = set(floor_cells(fight)) - taken
        group = set(fighters)
        while len(group) < max(5, len(fighters)):
            edge = sorted({other for cell in group for other in beside(cell) if other in free - group})
            if not edge:
                break
            group.add(int(dice.choice(edge)))
        starts[name] = group


def floor_cells(fight: DrawnFight) -> list[int]:
    return [int(c) for c in np.flatnonzero(fight.cells == CellKind.WALKABLE)]


def _connected(fight: DrawnFight) -> list[int]:
    left, best = set(floor_cells(fight)), [0]
    while left:
        reached, edge = set(), deque([next(iter(left))])
        while edge:
            cell = edge.popleft()
            if cell in left:
                left.discard(cell)
                reached.add(cell)
                edge.extend(beside(cell))
        best = sorted(reached) if len(reached) > len(best) else best
    return best


def _reach(fight: DrawnFight, start: int, steps: int) -> list[int]:
    taken = {fighter.cell for fighter in fight.fighters}
    known, edge = {start: 0}, deque([start])
    while edge:
        cell = edge.popleft()
        for other in beside(cell):
            if (
                known[cell] < steps
                and other not in known
                and other not in taken
                and fight.cells[other] == CellKind.WALKABLE
            ):
                known[other] = known[cell] + 1
                edge.append(other)
    return list(known)
