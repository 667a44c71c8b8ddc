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
from botapp.fight.shapes import disc
from botapp.fight.sight import BITS, Terrain, cells_of, mask_of, terrain
from botapp.fight.standing import standing
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
    return {cell: Walk(way.path, *found.points(fighter, cell)) for cell, way in found.ways.items()}


class Reach:
    """Where a fighter can walk. It is shared: nothing in it must be changed.

    Attributes:
        ways: the best way to every cell in reach.
        moves: the same, in the order in which they were found.
        left: the MP and AP left at its end where an enemy may hold the fighter; None where each step just
            costs 1 MP.
    """

    __slots__ = ("left", "moves", "ways")

    def __init__(self, ways: dict[int, Move], left: dict[int, tuple[int, int]] | None = None) -> None:
        self.ways = ways
        self.moves = tuple(ways.values())
        self.left = left

    def points(self, fighter: Fighter, cell: int) -> tuple[int, int]:
        """Returns the MP and AP that the fighter has left once it has walked to a cell in reach."""
        if self.left is not None:
            return self.left[cell]
        return fighter.mp - len(self.ways[cell].path), fighter.ap


_NOWHERE = Reach({})


def reach(state: FightState, fighter: Fighter) -> Reach:
    """Returns the best way to every cell in reach, as `walks` does, for reading only."""
    known: tuple[Fighter, Reach] | None = state.memo.get("reach")
    if known is None or known[0] is not fighter:
        known = state.memo["reach"] = (fighter, _reach(state, fighter))
    return known[1]


def _reach(state: FightState, fighter: Fighter) -> Reach:
    mp, start = fighter.mp, fighter.cell
    if mp <= 0:
        return _NOWHERE
    near = disc(start, mp)
    there = standing(state)
    blocked = there.taken & near & ~BITS[start]
    ground = terrain(state.map.cells)
    traps = mask_of(trap_cells(state, fighter.team)) if state.marks else 0
    if there.teams[1 - fighter.team] & disc(start, mp + 1):
        free = near & ~blocked
        held = tuple(entry for entry in grips(state, fighter).items() if free & BITS[entry[0]])
        if held:
            return _held_ways(ground, start, mp, fighter.ap, blocked, held, traps)
    if not blocked and not traps:
        return _tree(ground, start).within(mp)
    return _open_ways(ground, start, mp, blocked, traps)


class _Tree:
    """The ways of a fighter that is alone on the map; it grows as far as somebody has wanted to walk.

    Attributes:
        over: the set of cells that the way to each cell leads over.
    """

    __slots__ = ("_edge", "_ground", "_reaches", "over")

    def __init__(self, ground: Terrain, start: int) -> None:
        self._ground = ground
        self._edge: list[tuple[int, tuple[int, ...]]] = [(start, ())]
        self._reaches = [_NOWHERE]
        self.over = {start: 0}

    def within(self, mp: int) -> Reach:
        """Returns the ways that take at most `mp` MP."""
        while len(self._reaches) <= mp:
            self._grow()
        return self._reaches[mp]

    def _grow(self) -> None:
        over, steps = self.over, self._ground.steps
        ways = dict(self._reaches[-1].ways)
        further = []
        for cell, way in self._edge:
            crossed = over[cell] | BITS[cell]
            for near in steps[cell]:
                if near not in over:
                    over[near] = crossed
                    longer = (*way, near)
                    ways[near] = Move(longer)
                    further.append((near, longer))
        self._edge = further
        self._reaches.append(Reach(ways))


_tree = lru_cache(maxsize=1 << 12)(_Tree)


@lru_cache(maxsize=1 << 11)
def _open_ways(ground: Terrain, start: int, mp: int, blocked: int, ends: int) -> Reach:
    """Finds the ways of a fighter that nobody holds; none leads over one of the `ends`.

    Where nothing is in the way they are those of the tree.
    """
    tree = _tree(ground, start)
    free, over = tree.within(mp).ways, tree.over
    barred = (blocked | ends) & ~BITS[start]
    ways: dict[int, Move] = {}
    seen = {start, *cells_of(blocked)}
    edge: list[tuple[int, tuple[int, ...]]] = [(start, ())]
    for _ in range(mp):
        further = []
        for cell, way in edge:
            for near in ground.steps[cell]:
                if near not in seen:
                    seen.add(near)
                    move = Move((*way, near)) if over[near] & barred else free[near]
                    ways[near] = move
                    if not BITS[near] & ends:
                        further.append((near, move.path))
        edge = further
    return Reach(ways)


@lru_cache(maxsize=1 << 10)
def _held_ways(
    ground: Terrain,
    start: int,
    mp: int,
    ap: int,
    blocked: int,
    held: tuple[tuple[int, float], ...],
    ends: int,
) -> Reach:
    """Finds the best ways where leaving some cells costs more; `held` as in `grips`, `ends` as above."""
    kept = dict(held)
    steps = ground.steps
    closed = frozenset(cells_of(blocked))
    ways: dict[int, tuple[int, ...]] = {start: ()}
    points: dict[int, tuple[int, int]] = {start: (mp, ap)}
    frontier: list[list[int]] = [[] for _ in range(mp + 1)]
    frontier[mp].append(start)
    for level in range(mp, 0, -1):
        for cell in frontier[level]:
            left = points[cell]
            if left[0] != level or (BITS[cell] & ends and cell != start):
                continue
            share = kept.get(cell)
            if share is not None:
                left = after_grip(left[0], share), after_grip(left[1], share)
                if left[0] <= 0:
                    continue
            left = left[0] - 1, left[1]
            for step in steps[cell]:
                if step in closed:
                    continue
                known = points.get(step)
                if known is None or left > known:
                    points[step] = left
                    ways[step] = (*ways[cell], step)
                    frontier[left[0]].append(step)
    del ways[start]
    return Reach({cell: Move(way) for cell, way in ways.items()}, points)


def reachable(state: FightState, fighter: Fighter) -> dict[int, tuple[int, ...]]:
    """Returns the path to every cell the fighter can walk to with the MP it has, its own cell left out."""
    return {cell: way.path for cell, way in reach(state, fighter).ways.items()}


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
