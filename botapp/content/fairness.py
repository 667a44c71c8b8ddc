"""Is a map fair: do both sides start with as many cells, as far from the enemy, seeing as much?"""

from dataclasses import dataclass

from botapp.fight.board import CELLS, distance
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
    found = []
    for own, other in ((0, 1), (1, 0)):
        camp = camps[own]
        walk = sum(nearest[other][cell] for cell in camp) / len(camp)
        sight = sum(len(seen_from(board.cells, cell)) for cell in camp) / len(camp)
        first = sum(1 for cell in floor if nearest[own][cell] < nearest[other][cell])
        found.append(Side(walk, sight, first))
    return found[0], found[1]


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
    found = flaws(board)
    if found:
        return found
    near = min(distance(a, b) for a in board.red_starts for b in board.blue_starts)
    if near < NEAREST_START:
        found.append(f"start cells of both sides are only {near} cells apart, {NEAREST_START} is the least")
    red, blue = sides(board)
    if abs(red.walk - blue.walk) > WALK_DIFFERENCE:
        found.append(f"red walks {red.walk:.1f} cells to the enemy and blue {blue.walk:.1f}: move a camp")
    if abs(red.sight - blue.sight) > SIGHT_DIFFERENCE * max(red.sight, blue.sight):
        found.append(f"red sees {red.sight:.0f} cells and blue {blue.sight:.0f}: move a wall")
    if abs(red.ground - blue.ground) > GROUND_DIFFERENCE * len(floor_of(board)):
        found.append(f"red is first at {red.ground} cells and blue at {blue.ground}: move a camp")
    return found
