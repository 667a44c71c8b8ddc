"""Where a fighter can walk: 1 MP a cell, taken cells block, enemies hold those who leave them.

A fighter that leaves a cell next to enemies loses MP and AP to their grip (tackle) before the step is paid.
Next hop: `botapp.fight.rules` turns every reachable cell into a `Move`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from botapp.fight.actions import Move
from botapp.fight.board import CELLS, neighbours
from botapp.fight.marks import trap_cells
from botapp.fight.shapes import ring
from botapp.fight.sight import BITS, Terrain, cells_of, terrain
from botapp.fight.state import Fighter, FightState, State

UNREACHED = CELLS
"""A walking distance longer than any way on the board."""


@dataclass(frozen=True, slots=True)
class Walk:
    """A way to a cell and what is left at its end. `path` leaves the starting cell out."""

    path: tuple[int, ...]
    mp: int
    ap: int


_SLIPPERY = (State.ROOTED, State.UNLOCKABLE, State.INVISIBLE)
"""Whoever is in one of these states leaves its enemies for free."""


def grips(state: FightState, fighter: Fighter) -> dict[int, float]:
    """Returns, by cell next to an enemy, the share of MP and AP the fighter keeps when it leaves that cell.

    Cells that nobody holds the fighter on are left out. An invisible enemy holds nobody.
    """
    kept: dict[int, float] = {}
    if fighter.buffs and any(map(fighter.has, _SLIPPERY)):
        return kept
    flee = max(0, fighter.stats.flee) + 2
    for enemy in state.fighters:
        if enemy.team == fighter.team or enemy.hp <= 0:
            continue
        ratio = flee / (2 * (max(0, enemy.stats.lock) + 2))
        if ratio < 1 and not (enemy.buffs and enemy.has(State.INVISIBLE)):
            for cell in neighbours(enemy.cell):
                kept[cell] = kept.get(cell, 1.0) * ratio
    return kept


def after_grip(points: int, kept: float) -> int:
    """Returns the MP or AP left of `points` on leaving a cell where the share `kept` is kept."""
    return points - int(points * (1 - kept) + 0.5)


def walks(state: FightState, fighter: Fighter) -> dict[int, Walk]:
    """Returns the best way to every cell in reach, the fighter's own left out.

    The best way leaves the most MP, then the most AP. It never leads over a trap that the fighter's side has
    laid, but may end on one; nobody knows where the enemies' are.
    """
    found = reach(state, fighter)
    if found.held:
        return dict(found.walks)
    ap = fighter.ap
    return {cell: Walk(walk.path, walk.mp, ap) for cell, walk in found.walks.items()}


class Reach:
    """Where a fighter can walk. It is shared: nothing in it must be changed.

    Attributes:
        walks: the best way to every cell in reach; its AP count only where the fighter is held.
        moves: a move along each of them.
        held: whether an enemy holds the fighter anywhere in reach.
    """

    __slots__ = ("held", "moves", "walks")

    def __init__(self, walks: dict[int, Walk], held: bool) -> None:
        self.walks = walks
        self.moves = tuple(Move(walk.path) for walk in walks.values())
        self.held = held


_NOWHERE = Reach({}, False)


def reach(state: FightState, fighter: Fighter) -> Reach:
    """Returns the best way to every cell in reach, as `walks` does, for reading only."""
    mp = fighter.mp
    if mp <= 0:
        return _NOWHERE
    near = ring(fighter.cell, 0, mp, False, False)
    blocked = 0
    for other in state.fighters:
        if other.hp > 0:
            blocked |= BITS[other.cell]
    blocked &= near & ~BITS[fighter.cell]
    crossed = near & ~blocked
    held = tuple(entry for entry in grips(state, fighter).items() if crossed & BITS[entry[0]])
    ap = fighter.ap if held else 0
    traps = trap_cells(state, fighter.team)
    return _reach(terrain(state.map.cells), fighter.cell, mp, ap, blocked, held, traps)


@lru_cache(maxsize=1 << 14)
def _reach(
    ground: Terrain,
    start: int,
    mp: int,
    ap: int,
    blocked: int,
    held: tuple[tuple[int, float], ...],
    ends: frozenset[int],
) -> Reach:
    """Finds the ways over open ground; `held` as in `grips`, `ends` are cells that no way leads over."""
    kept = dict(held)
    steps = ground.steps
    closed = frozenset(cells_of(blocked))
    found = {start: Walk((), mp, ap)}
    frontier: list[list[int]] = [[] for _ in range(mp + 1)]
    frontier[mp].append(start)
    for points in range(mp, 0, -1):
        for cell in frontier[points]:
            walk = found[cell]
            if walk.mp != points or (cell in ends and cell != start):
                continue
            left, ap = points, walk.ap
            if cell in kept:
                left, ap = after_grip(left, kept[cell]), after_grip(ap, kept[cell])
            if left <= 0:
                continue
            left -= 1
            for step in steps[cell]:
                if step in closed:
                    continue
                known = found.get(step)
                if known is None or (left, ap) > (known.mp, known.ap):
                    found[step] = Walk((*walk.path, step), left, ap)
                    frontier[left].append(step)
    del found[start]
    return Reach(found, bool(held))


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
