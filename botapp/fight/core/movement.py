"""Movement: 1 MP a cell, taken cells block, enemies hold those who leave them.

A fighter that leaves a cell next to enemies loses MP and AP to their grip (tackle) before the step is paid.
"""

from collections.abc import Iterator

from botapp.fight.core.cells import OFF_BOARD, distance, has_cell
from botapp.fight.core.compiler import array_of, compiled
from botapp.fight.core.fight import LONGEST_WAY, Fight, Fighter
from botapp.fight.core.kinds import INVISIBLE, ROOTED, UNLOCKABLE
from botapp.fight.core.marks import knows_trap
from botapp.fight.core.spellbook import Book

_SLIPPERY = 1 << ROOTED | 1 << UNLOCKABLE | 1 << INVISIBLE
"""A fighter in one of these states leaves its enemies for free."""
_UNKNOWN, _CLOSED = -1, -2


def _beside() -> Iterator[int]:
    """Yields the neighbours of each cell in the order (1, 0), (-1, 0), (0, 1), (0, -1)."""
    for row in range(40):
        for right in range(row % 2, 14 + row % 2):
            for down, place in ((1, right), (-1, right - 1), (-1, right), (1, right - 1)):
                on_board = 0 <= row + down < 40 and 0 <= place < 14
                yield ((row + down) * 14 + place if on_board else OFF_BOARD)


_BESIDE = array_of(_beside())


@compiled
def neighbour(cell: int, way: int) -> int:
    """Returns the cell one step away in one of four ways, `OFF_BOARD` where the board ends."""
    beside: int = _BESIDE[4 * cell + way]
    return beside


@compiled
def is_locked(fighter: Fighter, enemy: Fighter) -> bool:
    """Tells whether a living enemy has a grip on a fighter that leaves a cell next to it."""
    if enemy.team == fighter.team or enemy.hp <= 0 or (enemy.states >> INVISIBLE) & 1:
        return False
    return max(0, fighter.flee) + 2 < 2 * (max(0, enemy.lock) + 2)


@compiled
def kept_on_leaving(fight: Fight, fighter: Fighter, cell: int) -> float:
    """Returns the share of MP and AP that a fighter keeps on leaving a cell, 1 where no enemy holds it."""
    share = 1.0
    if fighter.states & _SLIPPERY:
        return share
    for number in range(fight.fighter_count):
        enemy = fight.fighters[number]
        if is_locked(fighter, enemy) and distance(enemy.cell, cell) == 1:
            share *= (max(0, fighter.flee) + 2) / (2 * (max(0, enemy.lock) + 2))
    return share


@compiled
def after_grip(points: int, share: float) -> int:
    """Returns the MP or AP left of `points` on leaving a cell where a share is kept."""
    return points - int(points * (1 - share) + 0.5)


@compiled
def reach(fight: Fight, book: Book, fighter: Fighter) -> None:
    """Writes where a fighter can walk to `fight.reach`: the best way to every cell, its own left out.

    The best way leaves the most MP, then the most AP. It never leads over a trap that the fighter's side has
    laid, but may end on one; where the enemies' are is not known.
    """
    for cell in range(560):
        fight.reach.mp[cell] = _UNKNOWN
    fight.reach.count = 0
    start, mp = fighter.cell, fighter.mp
    if mp <= 0:
        return
    gripped = False
    slippery = fighter.states & _SLIPPERY != 0
    for number in range(fight.fighter_count):
        other = fight.fighters[number]
        if other.hp > 0 and other.number != fighter.number:
            far = distance(other.cell, start)
            if far <= mp:
                fight.reach.mp[other.cell] = _CLOSED
            if far <= mp + 1 and not slippery and is_locked(fighter, other):
                gripped = True
    fight.reach.mp[start] = mp
    fight.reach.ap[start] = fighter.ap
    if gripped and _can_be_held(fight, fighter, start, mp):
        _reach_held(fight, book, fighter, start, mp)
    else:
        _reach_freely(fight, book, fighter, start)


@compiled
def _can_be_held(fight: Fight, fighter: Fighter, start: int, mp: int) -> bool:
    """Tells whether an enemy holds the fighter on a free cell at most `mp` away."""
    for number in range(fight.fighter_count):
        enemy = fight.fighters[number]
        if is_locked(fighter, enemy):
            for way in range(4):
                cell = neighbour(enemy.cell, way)
                if cell != OFF_BOARD and distance(cell, start) <= mp and fight.reach.mp[cell] != _CLOSED:
                    return True
    return False


@compiled
def _reach_freely(fight: Fight, book: Book, fighter: Fighter, start: int) -> None:
    """Finds the ways of a fighter that no enemy holds, the nearest cells first."""
    count = 0
    cell, index = start, -1
    while True:
        left = fight.reach.mp[cell] - 1
        if left < 0:
            break
        if cell == start or not (fight.mark_count and knows_trap(fight, fighter.team, cell)):
            for way in range(4):
                near = neighbour(cell, way)
                if near != OFF_BOARD and fight.reach.mp[near] == _UNKNOWN and has_cell(book.walkable, near):
                    fight.reach.mp[near] = left
                    fight.reach.ap[near] = fighter.ap
                    fight.reach.before[near] = cell
                    fight.reach.cells[count] = near
                    count += 1
        index += 1
        if index >= count:
            break
        cell = fight.reach.cells[index]
    fight.reach.count = count


@compiled
def _reach_held(fight: Fight, book: Book, fighter: Fighter, start: int, mp: int) -> None:
    """Finds the best ways where leaving some cells costs more: from the most MP left to the fewest."""
    count = 0
    waiting = 1
    fight.queue[0] = start
    fight.queue[1] = mp
    for level in range(mp, 0, -1):
        index = -1
        while True:
            index += 1
            if index >= waiting:
                break
            cell = fight.queue[2 * index]
            if fight.queue[2 * index + 1] != level or fight.reach.mp[cell] != level:
                continue
            if cell != start and fight.mark_count and knows_trap(fight, fighter.team, cell):
                continue
            left, ap = level, fight.reach.ap[cell]
            share = kept_on_leaving(fight, fighter, cell)
            if share < 1.0:
                left, ap = after_grip(left, share), after_grip(ap, share)
                if left <= 0:
                    continue
            left -= 1
            for way in range(4):
                near = neighbour(cell, way)
                if near == OFF_BOARD or not has_cell(book.walkable, near):
                    continue
                known = fight.reach.mp[near]
                if known == _CLOSED or known > left or (known == left and fight.reach.ap[near] >= ap):
                    continue
                if known == _UNKNOWN:
                    fight.reach.cells[count] = near
                    count += 1
                fight.reach.mp[near] = left
                fight.reach.ap[near] = ap
                fight.reach.before[near] = cell
                if waiting < 1120:
                    fight.queue[2 * waiting] = near
                    fight.queue[2 * waiting + 1] = left
                    waiting += 1
    fight.reach.count = count


@compiled
def path_to(fight: Fight, fighter: Fighter, cell: int) -> int:
    """Writes the way to a cell to `fight.way`; returns how many cells it has.

    That is 0 where `reach` did not find the cell, whose entry in `before` is another state's then, and where
    the way is longer than `fight.way` can hold.
    """
    count = 0
    if 0 <= cell < 560 and fight.reach.mp[cell] >= 0:
        at = cell
        while at != fighter.cell and count <= LONGEST_WAY:
            count += 1
            at = fight.reach.before[at]
    if count > LONGEST_WAY:
        count = 0
    fight.way.length = count
    at = cell
    for place in range(count, 0, -1):
        fight.way.cells[place - 1] = at
        at = fight.reach.before[at]
    return count
