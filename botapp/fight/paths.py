"""Where a fighter can walk: 1 MP a cell, taken cells block, enemies hold those who leave them.

A fighter that leaves a cell next to enemies loses MP and AP to their grip (tackle) before the step is paid.
Next hop: `botapp.fight.rules` turns every reachable cell into a `Move`.
"""

from collections.abc import Collection
from dataclasses import dataclass

from botapp.fight.board import CELLS, neighbours
from botapp.fight.sight import Terrain, terrain
from botapp.fight.state import Fighter, FightState

UNREACHED = CELLS
"""A walking distance longer than any way on the board."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A way to a cell and what is left at its end. `path` leaves the starting cell out."""

    path: tuple[int, ...]
    mp: int
    ap: int


def grips(state: FightState, fighter: Fighter) -> dict[int, float]:
    """Returns, by cell next to an enemy, the share of MP and AP the fighter keeps when it leaves that cell.

    Cells that nobody holds the fighter on are left out.
    """
    kept: dict[int, float] = {}
    flee = max(0, fighter.stats.flee) + 2
    for enemy in state.fighters:
        if enemy.team == fighter.team or enemy.hp <= 0:
            continue
        ratio = flee / (2 * (max(0, enemy.stats.lock) + 2))
        if ratio < 1:
            for cell in neighbours(enemy.cell):
                kept[cell] = kept.get(cell, 1.0) * ratio
    return kept


def after_grip(points: int, kept: float) -> int:
    """Returns the MP or AP left of `points` on leaving a cell where the share `kept` is kept."""
    return points - int(points * (1 - kept) + 0.5)


def walks(state: FightState, fighter: Fighter) -> dict[int, Walk]:
    """Returns the best way to every cell in reach, the fighter's own left out.

    The best way leaves the most MP, then the most AP.
    """
    if fighter.mp <= 0:
        return {}
    steps = terrain(state.map.cells).steps
    held = grips(state, fighter)
    blocked = {f.cell for f in state.fighters if f.hp > 0}
    found: dict[int, Walk] = {fighter.cell: Walk((), fighter.mp, fighter.ap)}
    frontier: list[list[int]] = [[] for _ in range(fighter.mp + 1)]
    frontier[fighter.mp].append(fighter.cell)
    for mp in range(fighter.mp, 0, -1):
        for cell in frontier[mp]:
            walk = found[cell]
            if walk.mp != mp:
                continue
            left, ap = mp, walk.ap
            if cell in held:
                left, ap = after_grip(left, held[cell]), after_grip(ap, held[cell])
            if left <= 0:
                continue
            left -= 1
            for step in steps[cell]:
                if step in blocked:
                    continue
                known = found.get(step)
                if known is None or (left, ap) > (known.mp, known.ap):
                    found[step] = Walk((*walk.path, step), left, ap)
                    frontier[left].append(step)
    del found[fighter.cell]
    return found


def reachable(state: FightState, fighter: Fighter) -> dict[int, tuple[int, ...]]:
    """Returns the path to every cell the fighter can walk to with the MP it has, its own cell left out."""
    return {cell: walk.path for cell, walk in walks(state, fighter).items()}


def walking_distances(ground: Terrain, start: int, blocked: Collection[int] = ()) -> list[int]:
    """Returns the number of steps from `start` to each of the 560 cells, `UNREACHED` where there is no way.

    Args:
        ground: the map's terrain.
        start: where to count from; it need not be free.
        blocked: cells that cannot be walked through; they get the distance of being next to them.
    """
    distances = [UNREACHED] * CELLS
    distances[start] = 0
    edge = [start]
    steps = 0
    while edge:
        steps += 1
        further = []
        for cell in edge:
            for near in ground.steps[cell]:
                if distances[near] == UNREACHED:
                    distances[near] = steps
                    if near not in blocked:
                        further.append(near)
        edge = further
    return distances
