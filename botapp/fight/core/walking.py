"""Where a fighter can walk: 1 MP a cell, taken cells block, enemies hold those who leave them.

A fighter that leaves a cell next to enemies loses MP and AP to their grip (tackle) before the step is paid.
Next hop: `botapp.fight.core.actions` walks, `botapp.search.core.policy` looks for places.
"""

from collections.abc import Iterator
from typing import Any

from botapp.fight.core.cells import OFF_BOARD, distance, has_cell
from botapp.fight.core.compiler import array_of, compiled
from botapp.fight.core.layout import (
    AP,
    CELL,
    FIGHTER,
    FIGHTERS,
    FIRST,
    FLEE,
    HP,
    INVISIBLE,
    LOCK,
    MARKS,
    MP,
    QUEUE,
    REACH_AP,
    REACH_CELLS,
    REACH_COUNT,
    REACH_FROM,
    REACH_MP,
    ROOTED,
    STATES,
    TEAM,
    UNLOCKABLE,
    WALKABLE,
    WAY,
)
from botapp.fight.core.marks import knows_trap

_SLIPPERY = 1 << ROOTED | 1 << UNLOCKABLE | 1 << INVISIBLE
"""Whoever is in one of these states leaves its enemies for free."""

_UNKNOWN, _CLOSED = -1, -2


def _beside() -> Iterator[int]:
    """Yields the neighbours of each cell in the order (1, 0), (-1, 0), (0, 1), (0, -1)."""
    for row in range(40):
        for right in range(row % 2, 14 + row % 2):
            for down, place in ((1, right), (-1, right - 1), (-1, right), (1, right - 1)):
                on_board = 0 <= row + down < 40 and 0 <= place < 14
                yield (row + down) * 14 + place if on_board else OFF_BOARD


_BESIDE = array_of(_beside())


@compiled
def neighbour(cell: int, way: int) -> int:
    """Returns the cell one step away in one of four ways, `OFF_BOARD` where the board ends."""
    beside: int = _BESIDE[4 * cell + way]
    return beside


@compiled
def holds_somebody(s: Any, f: int, enemy: int) -> bool:
    """Tells whether a living enemy has a grip on a fighter that leaves a cell next to it."""
    if s[enemy + TEAM] == s[f + TEAM] or s[enemy + HP] <= 0 or (s[enemy + STATES] >> INVISIBLE) & 1:
        return False
    return max(0, s[f + FLEE]) + 2 < 2 * (max(0, s[enemy + LOCK]) + 2)


@compiled
def kept_on_leaving(s: Any, f: int, cell: int) -> float:
    """Returns the share of MP and AP that a fighter keeps when it leaves a cell, 1 where nobody holds it."""
    kept = 1.0
    if s[f + STATES] & _SLIPPERY:
        return kept
    for number in range(s[FIGHTERS]):
        enemy = FIRST + number * FIGHTER
        if holds_somebody(s, f, enemy) and distance(s[enemy + CELL], cell) == 1:
            kept *= (max(0, s[f + FLEE]) + 2) / (2 * (max(0, s[enemy + LOCK]) + 2))
    return kept


@compiled
def after_grip(points: int, kept: float) -> int:
    """Returns the MP or AP left of `points` on leaving a cell where the share `kept` is kept."""
    return points - int(points * (1 - kept) + 0.5)


@compiled
def reach(s: Any, b: Any, f: int) -> None:
    """Writes where a fighter can walk to `REACH_*`: the best way to every cell, its own left out.

    The best way leaves the most MP, then the most AP. It never leads over a trap that the fighter's side has
    laid, but may end on one; nobody knows where the enemies' are.
    """
    for cell in range(560):
        s[REACH_MP + cell] = _UNKNOWN
    s[REACH_COUNT] = 0
    start, mp = s[f + CELL], s[f + MP]
    if mp <= 0:
        return
    gripped = False
    slippery = s[f + STATES] & _SLIPPERY != 0
    for number in range(s[FIGHTERS]):
        other = FIRST + number * FIGHTER
        if s[other + HP] > 0 and other != f:
            far = distance(s[other + CELL], start)
            if far <= mp:
                s[REACH_MP + s[other + CELL]] = _CLOSED
            if far <= mp + 1 and not slippery and holds_somebody(s, f, other):
                gripped = True
    s[REACH_MP + start] = mp
    s[REACH_AP + start] = s[f + AP]
    if gripped and _can_be_held(s, f, start, mp):
        _reach_held(s, b, f, start, mp)
    else:
        _reach_freely(s, b, f, start)


@compiled
def _can_be_held(s: Any, f: int, start: int, mp: int) -> bool:
    """Tells whether an enemy holds the fighter on a free cell at most `mp` away."""
    for number in range(s[FIGHTERS]):
        enemy = FIRST + number * FIGHTER
        if holds_somebody(s, f, enemy):
            for way in range(4):
                cell = neighbour(s[enemy + CELL], way)
                if cell != OFF_BOARD and distance(cell, start) <= mp and s[REACH_MP + cell] != _CLOSED:
                    return True
    return False


@compiled
def _reach_freely(s: Any, b: Any, f: int, start: int) -> None:
    """Finds the ways of a fighter that nobody holds, the nearest cells first."""
    found = 0
    cell, index = start, -1
    while True:
        left = s[REACH_MP + cell] - 1
        if left < 0:
            break
        if cell == start or not (s[MARKS] and knows_trap(s, s[f + TEAM], cell)):
            for way in range(4):
                near = neighbour(cell, way)
                if near != OFF_BOARD and s[REACH_MP + near] == _UNKNOWN and has_cell(b, WALKABLE, near):
                    s[REACH_MP + near] = left
                    s[REACH_AP + near] = s[f + AP]
                    s[REACH_FROM + near] = cell
                    s[REACH_CELLS + found] = near
                    found += 1
        index += 1
        if index >= found:
            break
        cell = s[REACH_CELLS + index]
    s[REACH_COUNT] = found


@compiled
def _reach_held(s: Any, b: Any, f: int, start: int, mp: int) -> None:
    """Finds the best ways where leaving some cells costs more: from the most MP left to the fewest."""
    found = 0
    waiting = 1
    s[QUEUE] = start
    s[QUEUE + 1] = mp
    for level in range(mp, 0, -1):
        index = -1
        while True:
            index += 1
            if index >= waiting:
                break
            cell = s[QUEUE + 2 * index]
            if s[QUEUE + 2 * index + 1] != level or s[REACH_MP + cell] != level:
                continue
            if cell != start and s[MARKS] and knows_trap(s, s[f + TEAM], cell):
                continue
            left, ap = level, s[REACH_AP + cell]
            kept = kept_on_leaving(s, f, cell)
            if kept < 1.0:
                left, ap = after_grip(left, kept), after_grip(ap, kept)
                if left <= 0:
                    continue
            left -= 1
            for way in range(4):
                near = neighbour(cell, way)
                if near == OFF_BOARD or not has_cell(b, WALKABLE, near):
                    continue
                known = s[REACH_MP + near]
                if known == _CLOSED or known > left or (known == left and s[REACH_AP + near] >= ap):
                    continue
                if known == _UNKNOWN:
                    s[REACH_CELLS + found] = near
                    found += 1
                s[REACH_MP + near] = left
                s[REACH_AP + near] = ap
                s[REACH_FROM + near] = cell
                if waiting < 1120:
                    s[QUEUE + 2 * waiting] = near
                    s[QUEUE + 2 * waiting + 1] = left
                    waiting += 1
    s[REACH_COUNT] = found


@compiled
def path_to(s: Any, f: int, cell: int) -> int:
    """Writes the way to a cell in reach to `WAY`, how many cells first; returns how many."""
    count = 0
    at = cell
    while at != s[f + CELL]:
        count += 1
        at = s[REACH_FROM + at]
    s[WAY] = count
    at = cell
    for place in range(count, 0, -1):
        s[WAY + place] = at
        at = s[REACH_FROM + at]
    return count
