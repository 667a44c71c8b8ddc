"""Draws a fight's board: floor, holes, obstacles, highlights, fighters on their borders, effects over them.

What is drawn is decided first (`Fight`), from the documented lattice: 560 cells, 14 a row, odd rows moved by
half a cell. Next hop: `vision.practice.screen` lays a client's HUD over it.
"""

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from vision.practice.canvas import RGB, Canvas, Face, Point, diamond, shaded, tone
from vision.practice.scenery import Dice, Palette, creature, person
from vision.view import CELLS, ROW_LENGTH, CellKind, Lattice

COLOURS: dict[str, dict[str, RGB]] = {
    "dofus-unity": {
        "reachable": (62, 152, 44),
        "tackled": (96, 22, 18),
        "range": (46, 96, 196),
        "no_sight": (110, 132, 176),
        "area": (214, 56, 44),
        "red_start": (204, 58, 30),
        "blue_start": (40, 80, 206),
    },
    "dofus-2": {
        "reachable": (0, 102, 0),
        "tackled": (102, 0, 0),
        "range": (34, 51, 153),
        "no_sight": (84, 109, 165),
        "area": (221, 17, 34),
        "red_start": (221, 34, 0),
        "blue_start": (0, 34, 221),
    },
    "dofus-retro": {
        "reachable": (0, 153, 0),
        "range": (36, 102, 150),
        "area": (230, 60, 40),
        "red_start": (255, 0, 0),
        "blue_start": (0, 0, 255),
    },
}
"""What the clients' highlights mean, as documented."""

OPACITY = {"dofus-unity": 0.92, "dofus-2": 0.55, "dofus-retro": 0.5}


@dataclass(slots=True)
class Standing:
    """A fighter: its cell, its side, what is left of its life (0..1)."""

    cell: int
    team: str
    life: float
    playing: bool = False


@dataclass(slots=True)
class Fight:
    """What a board shows; `cells` are `CellKind`s by cell."""

    lattice: Lattice
    cells: np.ndarray
    fighters: list[Standing] = field(default_factory=list)
    highlights: dict[str, set[int]] = field(default_factory=dict)


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
    """Returns a cell's neighbours."""
    x, y = place(cell)
    found = (cell_of(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    return [other for other in found if other is not None]


def lay_out(dice: Dice, lattice: Lattice, whole: bool) -> Fight:
    """Returns a board with floor, obstacles and holes; `whole` fills nearly the whole map."""
    cells = np.full(CELLS, CellKind.OUTSIDE, np.uint8)
    if whole:
        margin = int(dice.integers(0, 3))
        for cell in range(CELLS):
            row, col = divmod(cell, ROW_LENGTH)
            if margin * 2 <= row <= 36 - margin * 2 and margin <= col < ROW_LENGTH - margin:
                cells[cell] = CellKind.WALKABLE
    else:
        for _ in range(int(dice.integers(1, 4))):
            x, y = place(int(dice.integers(14, 25)) * ROW_LENGTH + int(dice.integers(4, 9)))
            across, along = (int(n) for n in dice.integers(3, 7, 2))
            for dx in range(-across, across + 1):
                for dy in range(-along, along + 1):
                    inner = cell_of(x + dx, y + dy)
                    if inner is not None and 3 <= inner // ROW_LENGTH <= 36:
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
    return Fight(lattice, cells)


def people(dice: Dice, fight: Fight, sides: list[str]) -> None:
    """Puts fighters on the largest connected part of the floor."""
    floor = _connected(fight, dice)
    chosen = dice.choice(floor, len(sides), replace=False).tolist()
    for cell, team in zip(chosen, sides, strict=True):
        life = 1.0 if dice.random() < 0.35 else float(dice.uniform(0.06, 1))
        fight.fighters.append(Standing(int(cell), team, life))


def light(dice: Dice, fight: Fight, client: str, mode: str, mp: int) -> None:
    """Highlights cells: "walk", "aim", "start" or "none"; meanings that the client lacks are left out."""
    taken = {fighter.cell for fighter in fight.fighters}
    own = fight.fighters[0].cell
    known = COLOURS[client]
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
        disc = {c for c in _floor(fight) if 1 <= abs(place(c)[0] - x) + abs(place(c)[1] - y) <= far}
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
        floor = _floor(fight)
        picks = dice.choice(floor, min(len(floor), 16), replace=False).tolist()
        fight.highlights = {"red_start": set(picks[:8]), "blue_start": set(picks[8:])}
        for fighter in fight.fighters:
            fight.highlights["red_start" if fighter.team == "enemy" else "blue_start"].add(fighter.cell)
            fight.highlights["blue_start" if fighter.team == "enemy" else "red_start"].discard(fighter.cell)
    fight.highlights = {name: cells for name, cells in fight.highlights.items() if cells}


def _floor(fight: Fight) -> list[int]:
    return [int(c) for c in np.flatnonzero(fight.cells == CellKind.WALKABLE)]


def _connected(fight: Fight, dice: Dice) -> list[int]:
    left, best = set(_floor(fight)), [0]
    while left:
        found, edge = set(), deque([next(iter(left))])
        while edge:
            cell = edge.popleft()
            if cell in left:
                left.discard(cell)
                found.add(cell)
                edge.extend(beside(cell))
        best = sorted(found) if len(found) > len(best) else best
    return best


def _reach(fight: Fight, start: int, steps: int) -> list[int]:
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


def paint(dice: Dice, canvas: Canvas, fight: Fight, palette: Palette, client: str) -> None:
    """Draws the board and all that stands on it, from back to front."""
    w, h = fight.lattice.cell_w, fight.lattice.cell_h
    floor = set(_floor(fight)) | {int(c) for c in np.flatnonzero(fight.cells == CellKind.OBSTACLE)}
    holes = {int(c) for c in np.flatnonzero(fight.cells == CellKind.HOLE)}
    _rim(dice, canvas, fight, floor | holes, palette)
    checked, patchy = dice.random() < 0.85, float(dice.uniform(0, 1))
    for cell in sorted(floor):
        _tile(dice, canvas, fight.lattice, cell, palette, checked, patchy, client)
    for cell in sorted(holes):
        _hole(dice, canvas, fight.lattice, cell, palette, cell - ROW_LENGTH in holes)
    meaning = {cell: name for name, cells in fight.highlights.items() for cell in cells}
    inset = float(dice.uniform(0.88, 0.97))
    for cell, name in sorted(meaning.items()):
        _highlight(
            dice,
            canvas,
            fight.lattice.centre(cell),
            (w * inset, h * inset),
            COLOURS[client][name],
            OPACITY[client],
        )
    for fighter in fight.fighters:
        _border(dice, canvas, fight.lattice, fighter, client)
    figures = dice.random() < 0.45 and client != "dofus-2"
    raised = {int(c): None for c in np.flatnonzero(fight.cells == CellKind.OBSTACLE)}
    standing = {fighter.cell: fighter for fighter in fight.fighters}
    rise = h * float(dice.uniform(0.3, 0.8))
    for cell in sorted(raised | standing, key=lambda c: c // ROW_LENGTH):
        x, y = fight.lattice.centre(cell)
        if cell in standing:
            draw = person if figures else creature
            draw(
                dice,
                canvas,
                (x, y + 0.05 * h),
                w,
                h * float(dice.uniform(1.5, 2.6) if figures else dice.uniform(0.7, 1.2)),
            )
        else:
            _block(dice, canvas, (x, y), (w, h), rise, palette.box)


def _rim(dice: Dice, canvas: Canvas, fight: Fight, ground: set[int], palette: Palette) -> None:
    """Draws what shows around a board's edge: a glow, or the sides of a slab."""
    lattice = fight.lattice
    kind = dice.integers(3)
    glow = tone(dice, ((150, 190, 40), (120, 190, 180), (40, 70, 60))[int(dice.integers(3))], 8)
    for cell in sorted(ground):
        x, y = lattice.centre(cell)
        if kind == 0:
            canvas.polygon(diamond((x, y), lattice.cell_w * 1.22, lattice.cell_h * 1.22), glow, 0.8)
        elif kind == 1:
            thick = lattice.cell_h * 0.5
            sides = [(x - lattice.cell_w / 2, y), (x, y + lattice.cell_h / 2), (x + lattice.cell_w / 2, y)]
            canvas.polygon([*sides, *((px, py + thick) for px, py in sides[::-1])], shaded(palette.seam, 0.8))


def _tile(
    dice: Dice,
    canvas: Canvas,
    lattice: Lattice,
    cell: int,
    palette: Palette,
    checked: bool,
    patchy: float,
    client: str,
) -> None:
    x, y = lattice.centre(cell)
    w, h = lattice.cell_w, lattice.cell_h
    row = cell // ROW_LENGTH
    dark = sum(place(cell)) % 2 == 0 if client == "dofus-unity" else row % 2 == 0
    base = palette.dark if checked and dark else palette.light
    canvas.polygon(
        diamond((x, y), w + 1, h + 1), shaded(palette.seam, 1.0 if client != "dofus-retro" else 1.9)
    )
    canvas.polygon(
        diamond((x, y), w * 0.985 - 0.8, h * 0.985 - 0.4), tone(dice, base, 3 + 5 * patchy), fade=0.05
    )
    for _ in range(int(dice.poisson(1.6 * patchy))):
        spot = (x + float(dice.uniform(-0.25, 0.25)) * w, y + float(dice.uniform(-0.2, 0.2)) * h)
        share = float(dice.uniform(0.85, 1.12))
        canvas.oval(
            spot,
            (w * float(dice.uniform(0.05, 0.3)), h * float(dice.uniform(0.05, 0.25))),
            shaded(base, share),
            0.7,
        )
    if dice.random() < 0.12 * patchy:
        for _ in range(6):
            dx, dy = dice.normal(0, 0.2, 2)
            canvas.oval(
                (x + float(dx) * w, y + float(dy) * h), (w * 0.05, h * 0.16), tone(dice, palette.plant, 12)
            )


def _hole(
    dice: Dice, canvas: Canvas, lattice: Lattice, cell: int, palette: Palette, open_above: bool
) -> None:
    x, y = lattice.centre(cell)
    w, h = lattice.cell_w, lattice.cell_h
    canvas.polygon(diamond((x, y), w, h), shaded(palette.seam, 0.28))
    for side in (-1, 1):
        wall = [
            (x + side * w / 2, y),
            (x, y - h / 2),
            (x, y - h / 6),
            (x + side * w / 2 * 0.66, y + h / 6 * 0.5),
        ]
        canvas.polygon(wall, shaded(palette.seam, 0.85 if side < 0 else 0.7), 0.8)


def _highlight(
    dice: Dice, canvas: Canvas, at: Point, size: tuple[float, float], colour: RGB, opacity: float
) -> None:
    canvas.polygon(diamond(at, *size), colour, opacity * float(dice.uniform(0.94, 1)))
    canvas.polygon(diamond(at, size[0] * 0.55, size[1] * 0.55), shaded(colour, 1.18), 0.35 * opacity)


def _block(
    dice: Dice, canvas: Canvas, at: Point, size: tuple[float, float], rise: float, colour: RGB
) -> None:
    (x, y), (w, h) = at, size
    left, right = (x - w / 2, y), (x + w / 2, y)
    front = (x, y + h / 2)
    top = tone(dice, colour, 6)
    canvas.polygon([left, front, (front[0], front[1] - rise), (left[0], left[1] - rise)], shaded(top, 0.7))
    canvas.polygon(
        [right, front, (front[0], front[1] - rise), (right[0], right[1] - rise)], shaded(top, 0.55)
    )
    canvas.polygon(diamond((x, y - rise), w, h), top)
    canvas.stroke(diamond((x, y - rise), w * 0.98, h * 0.98), shaded(top, 0.75), 1.0)


def _border(dice: Dice, canvas: Canvas, lattice: Lattice, fighter: Standing, client: str) -> None:
    at, (w, h) = lattice.centre(fighter.cell), (lattice.cell_w, lattice.cell_h)
    if client != "dofus-unity":
        size = (0.525 if client == "dofus-2" else 0.7) * float(dice.uniform(0.95, 1.05))
        wide = (0.033 if client == "dofus-2" else 0.055) * w
        colour: RGB = (250, 8, 8) if fighter.team != "enemy" else (6, 6, 245)
        if client == "dofus-retro":
            colour = (236, 48, 34) if fighter.team != "enemy" else (0, 0, 230)
        middle = (at[0], at[1])
        canvas.oval(middle, (size * w * 0.8, size * h * 0.8), (40, 20, 30), 0.15)
        canvas.ring(middle, (size * w, size * h), (230, 230, 230), wide + 2.2, 0.25)
        canvas.ring(middle, (size * w, size * h), tone(dice, colour, 4), wide)
        return
    size = 0.83 * float(dice.uniform(0.97, 1.03))
    enemy = fighter.team == "enemy"
    line: RGB = (214, 78, 26) if enemy else (36, 96, 200)
    canvas.polygon(diamond(at, w * 0.8, h * 0.8), line, 0.25)
    canvas.stroke(diamond(at, w * size, h * size), tone(dice, line, 6), max(1.6, 0.035 * w))
    if fighter.team == "own":
        corners = diamond(at, w * (size - 0.04), h * (size - 0.04))
        for index, corner in enumerate(corners):
            for other in (corners[index - 1], corners[(index + 1) % 4]):
                end = (corner[0] + (other[0] - corner[0]) * 0.26, corner[1] + (other[1] - corner[1]) * 0.26)
                canvas.stroke([corner, end], (236, 240, 238), 0.055 * w, closed=False)


def effects(dice: Dice, canvas: Canvas, fight: Fight) -> None:
    """Draws what passes over a board: floating numbers, glows, sparks."""
    w, h = fight.lattice.cell_w, fight.lattice.cell_h
    for _ in range(int(dice.integers(0, 4))):
        fighter = fight.fighters[int(dice.integers(len(fight.fighters)))]
        x, y = fight.lattice.centre(fighter.cell)
        spot = (x + float(dice.normal(0, 0.5)) * w, y - float(dice.uniform(0.2, 2.2)) * h)
        kind = dice.random()
        if kind < 0.6:
            colour = ((206, 52, 40), (60, 150, 60), (60, 110, 200), (120, 140, 40))[int(dice.integers(4))]
            text = str(dice.choice(["-", "", ""])) + str(int(dice.integers(1, 400)))
            canvas.write(
                text, spot, 0.55 * h, colour, Face("plain", 600), outline=(shaded(colour, 0.35), 0.06 * h)
            )
        elif kind < 0.8:
            colour = ((255, 220, 120), (120, 200, 255), (200, 120, 240), (60, 20, 20))[int(dice.integers(4))]
            for share in (1.0, 0.75, 0.5):
                canvas.oval(spot, (w * share, w * share * 0.7), colour, 0.2)
        else:
            for _ in range(15):
                dx, dy = dice.normal(0, 0.4, 2) * w
                canvas.oval(
                    (spot[0] + float(dx), spot[1] + float(dy)), (0.06 * w, 0.06 * w), (255, 240, 180), 0.8
                )
