"""Procedural maps: a patch of the board with a ragged outline, walls and holes, drawn from a recipe's seed.

Most maps look the same for both sides: turned by half a turn (cell n becomes 559 - n) or mirrored left to
right. The others are drawn anew until they are fair.
"""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from botapp.fight.board import CELLS, ROW_LENGTH, distance, neighbours
from botapp.fight.ground import UNREACHED, seen_from, walking_distances
from botapp.fight.state import CellFlag, FightMap

START_CELLS = 8  # How many start cells each side has on the app's own maps

NEAREST_START = 6  # The least distance between a red and a blue start cell, in cells

WALK_DIFFERENCE = 0.5
"""How much the two sides' mean walking distances to the nearest enemy start cell may differ, in cells."""

SIGHT_DIFFERENCE = 0.1
"""How much the numbers of cells that both sides see from their start cells may differ, as a share."""

GROUND_DIFFERENCE = 0.1
"""How much the numbers of cells that each side reaches first may differ, as a share of the floor."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one side has of a map."""

    walk: float  # Mean walking distance from its start cells to the nearest enemy start cell, in cells
    sight: float  # Mean number of cells seen from one of its start cells
    ground: int  # How many cells it reaches before the enemy does


def sides(board: FightMap) -> tuple[Side, Side]:
    """Returns what the red and the blue side have; every start cell must reach every other."""
    floor = floor_of(board)
    camps = (board.red_starts, board.blue_starts)
    nearest = [walking_distances(board.cells, *camp) for camp in camps]
    pair = []
    for own, other in ((0, 1), (1, 0)):
        camp = camps[own]
        walk = sum(nearest[other][cell] for cell in camp) / len(camp)
        sight = sum(len(seen_from(board.cells, cell)) for cell in camp) / len(camp)
        first = sum(1 for cell in floor if nearest[own][cell] < nearest[other][cell])
        pair.append(Side(walk, sight, first))
    return pair[0], pair[1]


def floor_of(board: FightMap) -> list[int]:
    return [cell for cell in range(CELLS) if board.cells[cell] & CellFlag.WALKABLE]


def flaws(board: FightMap) -> list[str]:
    """Returns what makes a map unplayable, in words: start cells that are missing, closed or cut off."""
    floor = set(floor_of(board))
    red, blue = board.red_starts, board.blue_starts
    if len(red) != len(blue) or not red:
        return [f"red has {len(red)} start cells and blue {len(blue)}: give both as many, at least one"]
    closed = [cell for cell in (*red, *blue) if cell not in floor]
    if closed:
        return [f"the start cell {closed[0]} is not floor: choose another one"]
    if len({*red, *blue}) < len(red) + len(blue):
        return ["a start cell is given twice: every one must be another cell"]
    away = walking_distances(board.cells, red[0])
    lost = [cell for cell in sorted(floor) if away[cell] >= UNREACHED]
    if lost:
        return [f"cell {lost[0]} cannot be reached from the start cell {red[0]}: join the two parts"]
    return []


def faults(board: FightMap) -> list[str]:
    """Returns what makes a map unplayable or unfair, in words; nothing for a good map."""
    faulty = flaws(board)
    if faulty:
        return faulty
    near = min(distance(a, b) for a in board.red_starts for b in board.blue_starts)
    if near < NEAREST_START:
        faulty.append(f"start cells of both sides are only {near} cells apart, {NEAREST_START} is the least")
    red, blue = sides(board)
    if abs(red.walk - blue.walk) > WALK_DIFFERENCE:
        faulty.append(f"red walks {red.walk:.1f} cells to the enemy and blue {blue.walk:.1f}: move a camp")
    if abs(red.sight - blue.sight) > SIGHT_DIFFERENCE * max(red.sight, blue.sight):
        faulty.append(f"red sees {red.sight:.0f} cells and blue {blue.sight:.0f}: move a wall")
    if abs(red.ground - blue.ground) > GROUND_DIFFERENCE * len(floor_of(board)):
        faulty.append(f"red is first at {red.ground} cells and blue at {blue.ground}: move a camp")
    return faulty


FORMS = ("lens", "oval", "square", "hourglass")  # How wide the patch is from its first row to its last

PATTERNS = ("scattered", "pillars", "hedges", "pond", "ruins")  # How walls and holes lie on it

SYMMETRIES = ("turn", "mirror", "free")
THEMES = ("clearing", "grass", "wood", "sand", "stone", "night")
"""Looks of a map; the arena's window draws those it does not know as "clearing"."""

FEWEST_ROWS, MOST_ROWS = 20, 28
_MIDDLE = 6.5
_CENTRE_ROW = 19.5
_GAP = (8, 14)
_FLOOR_CELLS = (150, 380)
_WALKABLE = int(CellFlag.WALKABLE)


@dataclass(frozen=True, slots=True)
class MapRecipe:
    """What a map is drawn from; the same recipe is the same map on every machine."""

    key: str
    seed: int
    form: str = "lens"  # One of `FORMS`
    pattern: str = "scattered"  # One of `PATTERNS`
    symmetry: str = "turn"  # One of `SYMMETRIES`; "free" is fair without being symmetric
    rows: int = MOST_ROWS  # How many of the board's rows it takes, around the middle
    walls: int = 6  # How many clusters of walls are tried
    holes: int = 3  # How many clusters of holes are tried


def wild_recipe(seed: int) -> MapRecipe:
    """Returns a recipe with everything drawn from the seed: one of a great many maps that have no name."""
    dice = random.Random(f"recipe {seed}")
    return MapRecipe(
        key=f"wild-{seed}",
        seed=seed,
        form=dice.choice(FORMS),
        pattern=dice.choice(PATTERNS),
        symmetry=dice.choice(SYMMETRIES),
        rows=2 * dice.randint(FEWEST_ROWS // 2 + 1, MOST_ROWS // 2),
        walls=dice.randint(3, 8),
        holes=dice.randint(0, 4),
    )


def opposite(cell: int) -> int:
    """Returns the cell that lies where this one does after half a turn of the board."""
    return CELLS - 1 - cell


def mirrored(cell: int) -> int | None:
    """Returns the cell on the other side of the board's upright middle line, None where there is none."""
    row, col = divmod(cell, ROW_LENGTH)
    other = ROW_LENGTH - 1 - row % 2 - col
    return row * ROW_LENGTH + other if other >= 0 else None


_IMAGES: dict[str, Callable[[int], int | None]] = {
    "turn": opposite,
    "mirror": mirrored,
    "free": lambda cell: cell,
}


@lru_cache(maxsize=256)
def build_map(recipe: MapRecipe) -> FightMap:
    """Returns the recipe's map: connected, with `START_CELLS` start cells a side, fair to both.

    Red and blue start cells of the same index are each other's image, or on a free map equally far off.
    """
    dice = random.Random(f"map {recipe.key} {recipe.seed}")
    image = _IMAGES[recipe.symmetry]
    while True:
        cells = bytearray(CELLS)
        outline = _outline(recipe, image, dice)
        for cell in outline:
            cells[cell] = CellFlag.FLOOR
        if not _FLOOR_CELLS[0] <= len(outline) <= _FLOOR_CELLS[1] or not _connected(cells):
            continue
        for flag, cluster in _clusters(recipe, outline, dice):
            _place(cells, flag, {c for near in cluster for c in (near, image(near)) if c in outline})
        board = _with_starts(recipe, bytes(cells), image, dice)
        if board is not None and not faults(board):
            return board


def _outline(recipe: MapRecipe, image: Callable[[int], int | None], dice: random.Random) -> set[int]:
    inside: set[int] = set()
    shift = dice.uniform(-0.6, 0.6)
    half = recipe.rows / 2
    first = int(_CENTRE_ROW + 0.5 - half)
    for row in range(first, first + recipe.rows):
        edge = 1 - abs(row - _CENTRE_ROW) / half
        shift = max(-1.2, min(1.2, shift + dice.uniform(-0.4, 0.4)))
        reach = _half_width(recipe.form, edge) + dice.uniform(-0.5, 0.5)
        for col in range(ROW_LENGTH):
            if abs(col + (row % 2) * 0.5 - _MIDDLE - shift * (1 - 0.2 * edge)) <= reach:
                inside.add(row * ROW_LENGTH + col)
    return _symmetric(inside, image, recipe.symmetry)


def _symmetric(inside: set[int], image: Callable[[int], int | None], symmetry: str) -> set[int]:
    """Returns one half of the cells with its image: the upper half turned, the left one mirrored."""
    if symmetry == "turn":
        inside = {cell for cell in inside if cell < CELLS // 2}
    elif symmetry == "mirror":
        inside = {c for c in inside if 2 * (c % ROW_LENGTH) + c // ROW_LENGTH % 2 <= 2 * _MIDDLE}
    return inside | {there for cell in inside if (there := image(cell)) is not None}


def _half_width(form: str, edge: float) -> float:
    """Returns half the width in cells of a form, at 0 for its ends to 1 for its middle."""
    if form == "oval":
        return 2.2 + 4.3 * math.sqrt(1 - (1 - edge) ** 2)
    if form == "square":
        return 5.6
    if form == "hourglass":
        return 6.4 - 2.6 * edge
    return 3.2 + 3.4 * min(1.0, 1.6 * edge)


def _clusters(
    recipe: MapRecipe, outline: set[int], dice: random.Random
) -> list[tuple[CellFlag, tuple[int, ...]]]:
    """Returns walls and holes to try, each as its flag and its cells."""
    inner = sorted(cell for cell in outline if all(near in outline for near in neighbours(cell)))
    wanted = [CellFlag.NONE] * recipe.walls + [CellFlag.SIGHT] * recipe.holes
    clusters = [(flag, _heap(dice.choice(inner), dice)) for flag in wanted]
    if recipe.pattern == "pillars":
        step = dice.choice((3, 4))
        clusters += [
            (CellFlag.NONE, (cell,))
            for cell in inner
            if cell // ROW_LENGTH % (2 * step) == step and cell % ROW_LENGTH % 3 == 1
        ]
    elif recipe.pattern == "hedges":
        clusters += [(CellFlag.NONE, _hedge(dice.choice(inner), dice)) for _ in range(3)]
    elif recipe.pattern == "pond":
        middle = min(inner, key=lambda cell: (abs(cell // ROW_LENGTH - 19), abs(cell % ROW_LENGTH - 6)))
        heart = _disc(middle, dice.choice((1, 2)))
        clusters.insert(0, (CellFlag.SIGHT, heart))
    elif recipe.pattern == "ruins":
        corners = [dice.choice(inner) for _ in range(3)]
        clusters += [(CellFlag.NONE, _corner(cell, dice)) for cell in corners]
    return clusters


def _heap(cell: int, dice: random.Random) -> tuple[int, ...]:
    heap = [cell]
    for _ in range(dice.choice((0, 0, 1, 1, 2))):
        heap.append(dice.choice(neighbours(heap[-1])))
    return tuple(heap)


def _disc(middle: int, radius: int) -> tuple[int, ...]:
    return tuple(cell for cell in range(CELLS) if distance(middle, cell) <= radius)


def _hedge(cell: int, dice: random.Random) -> tuple[int, ...]:
    way = dice.randrange(4)
    line = _row(cell, way, dice.randint(4, 5))
    gap = dice.randrange(1, len(line)) if len(line) > 2 else len(line)
    return line[:gap] + line[gap + 1 :]


def _corner(cell: int, dice: random.Random) -> tuple[int, ...]:
    """Returns what is left of a house: two walls that meet."""
    ways = dice.sample(range(4), 2)
    return tuple(dict.fromkeys(_row(cell, ways[0], 3) + _row(cell, ways[1], 2)))


def _row(cell: int, way: int, length: int) -> tuple[int, ...]:
    """Returns cells in a row, the `way`-th neighbour of each being the next, as far as the board goes."""
    row = [cell]
    while len(row) < length and len(neighbours(row[-1])) == 4:
        row.append(neighbours(row[-1])[way])
    return tuple(row)


def _place(cells: bytearray, flag: CellFlag, cluster: set[int]) -> None:
    """Puts a cluster on the floor unless it cuts something off."""
    before = bytes(cells)
    for cell in cluster:
        cells[cell] = flag
    if not _connected(cells):
        cells[:] = before


def _connected(cells: bytearray) -> bool:
    walkable = [cell for cell in range(CELLS) if cells[cell] & _WALKABLE]
    away = walking_distances(bytes(cells), walkable[0])
    return all(away[cell] < UNREACHED for cell in walkable)


def _with_starts(
    recipe: MapRecipe, cells: bytes, image: Callable[[int], int | None], dice: random.Random
) -> FightMap | None:
    """Returns the map with start cells, None where it offers none that are far enough apart."""
    walkable = [cell for cell in range(CELLS) if cells[cell] & _WALKABLE]
    dice.shuffle(walkable)
    for anchor in walkable:
        others = [image(anchor)] if recipe.symmetry != "free" else walkable[:12]
        away = walking_distances(cells, anchor)
        for other in others:
            if other is None or not _GAP[0] <= away[other] <= _GAP[1] + 2:
                continue
            if not _GAP[0] <= distance(anchor, other) <= _GAP[1]:
                continue
            red = _camp(cells, anchor, other)
            blue = (
                _camp(cells, other, anchor)
                if recipe.symmetry == "free"
                else tuple(there for cell in red if (there := image(cell)) is not None)
            )
            if len(red) == len(blue) == START_CELLS and _apart(red, blue):
                return FightMap(recipe.key, cells, red, blue)
    return None


def _camp(cells: bytes, anchor: int, enemy: int) -> tuple[int, ...]:
    away = walking_distances(cells, anchor)
    far_off = [
        cell
        for cell in range(CELLS)
        if cells[cell] & _WALKABLE and away[cell] < 8 and distance(cell, enemy) >= NEAREST_START + 1
    ]
    return tuple(sorted(far_off, key=lambda cell: (away[cell], cell))[:START_CELLS])


def _apart(red: tuple[int, ...], blue: tuple[int, ...]) -> bool:
    return min(distance(a, b) for a in red for b in blue) >= NEAREST_START
