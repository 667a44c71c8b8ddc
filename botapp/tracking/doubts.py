"""When a state that was read contradicts itself: what the game lights up against the board as it was read.

An end of the turn is only forced where nothing doubtful forces it.
"""

from functools import lru_cache

import numpy as np

from botapp.fight.actions import EndTurn
from botapp.fight.board import CELLS, distance, neighbours
from botapp.fight.rules import legal_actions
from botapp.fight.state import CellFlag, FightState
from botapp.host.message import say
from vision.view import CellKind, FightView, Highlight

UNFIT = say(
    "The cells you can walk to do not match the board as it was read. If this stays, confirm the board's "
    "position."
)
NOT_FORCED = say("Only ending the turn seems possible, and the screen is not read well enough to be sure.")

FEWEST_SHARED = 0.6  # The share of lit cells that a walk must reach, and of cells in reach that must be lit
_FEWEST_LIT = 3  # Fewer lit cells may all lie beyond one whose kind is not known
_MANY_OPEN, _WHOLE, _HALF, _MOST_MP = 10, 0.9, 0.5, 12
"""Where so many cells can be walked to a single one is not all that is lit; where so many of them are lit,
as much beyond them is grass, unless all of it is the reach of more MP."""
_MOSTLY = 2  # Painted cells for each lit one that hide the reach; 1 and 4 change no state of 12 films
_FITS = 0.75
"""The share of cells in which the lit ones and a number of MP agree, where the lit ones alone tell the MP."""
_SURE, _SURE_OF_BOARD = 0.75, 0.95
"""A figure or slot, or a board, that is read with less confidence does not force anything."""
_OF_SPELLS: tuple[Highlight, ...] = ("range", "no_sight", "area")
_BOOST = 3  # MP beyond the sheet's own that equipment and spells may add where the MP are not read


def contradiction(
    view: FightView, state: FightState, base_mp: int, always_lit: frozenset[int] = frozenset()
) -> str:
    """Returns why the state cannot be what the screen shows, in words; "" where it can.

    Args:
        state: what was made of it, the player at turn.
        always_lit: cells that look lit in every fighter's turn.
    """
    if _unfit(view, state, base_mp, always_lit):
        return UNFIT
    if legal_actions(state) == (EndTurn(),) and _doubtful_end(view, state):
        return NOT_FORCED
    return ""


def steps_to(cells: bytes, start: int, most: int) -> dict[int, int]:
    """Returns every cell within so many steps on a board without fighters, and the steps to it."""
    reached = {start: 0}
    edge = [start]
    for step in range(1, most + 1):
        beside = {cell for at in edge for cell in neighbours(at) if cells[cell] & CellFlag.WALKABLE}
        edge = sorted(beside - reached.keys())
        reached |= dict.fromkeys(edge, step)
    return reached


def ways_to_lit(cells: bytes, start: int, most: int, lit: frozenset[int]) -> frozenset[int]:
    """Returns the unlit cells without which no shortest way of `most` steps leads to some lit cell."""
    steps = steps_to(cells, start, most)
    needed: set[int] = set()
    for step in range(most, 1, -1):
        for cell in [at for at in lit | needed if steps.get(at) == step]:
            before = {near for near in neighbours(cell) if steps.get(near) == step - 1}
            if not before & (lit | needed):
                needed |= before
    return frozenset(needed)


def floor_on_the_way(
    view: FightView, cells: bytes, start: int, mp: int, always_lit: frozenset[int] = frozenset()
) -> bytes:
    """Returns the board with those cells of unknown kind as floor that the only ways to lit cells lead over.

    Bodies and plants hide them. Beside the player the same holds for cells outside, which a block at the
    board's rim hides. Nothing changes where all lit cells can be walked to.

    Args:
        cells: the board's cells, one byte each.
        always_lit: cells that look lit in every fighter's turn, which tell nothing.
    """
    lit = lit_for_walking(view, cells, start, mp, always_lit)
    if not lit - steps_to(cells, start, mp).keys():
        return cells
    unread = _unread(view, start)
    return _with_floor(cells, unread & ways_to_lit(_with_floor(cells, unread), start, mp, lit))


def _unread(view: FightView, start: int) -> frozenset[int]:
    outside = (cell for cell in neighbours(start) if view.cells[cell] == CellKind.OUTSIDE)
    return frozenset((*np.flatnonzero(view.cells == CellKind.UNKNOWN).tolist(), *outside))


def _with_floor(cells: bytes, more: frozenset[int]) -> bytes:
    board = bytearray(cells)
    for cell in more:
        board[cell] |= CellFlag.FLOOR
    return bytes(board)


def lit_for_walking(
    view: FightView, cells: bytes, start: int, steps: int, always_lit: frozenset[int] = frozenset()
) -> frozenset[int]:
    """Returns the cells lit as those that the player can walk to.

    A way leads over lit cells, or such that a spell's range is painted over: of grass that looks lit farther
    off than so many steps only what joins on counts. Where nothing counts, all of it is returned if it looks
    like the reach from another cell; grass does not. While a spell's range is painted only what joins on
    counts, and nothing where most of what is lit is painted: clients show the range in place of the reach.
    A single cell where many can be walked to is grass, unless an enemy beside the player locks it.

    Args:
        cells: the board's cells, one byte each.
        steps: how far it walks at most.
        always_lit: cells that look lit in every fighter's turn, which tell nothing.
    """
    lit = view.highlights.get("reachable", frozenset()) - always_lit - {start}
    painted = painted_over(view)
    ways = lit | painted
    reached, edge = {start}, {start}
    while edge:
        edge = {cell for at in edge for cell in neighbours(at) if cell in ways} - reached
        reached |= edge
    if painted:
        return lit & reached if len(painted) < _MOSTLY * len(lit) else frozenset()
    near = frozenset(cell for cell in lit if cell in reached or distance(cell, start) <= steps)
    if len(near) == 1 and not _is_locked(view, start) and len(steps_to(cells, start, steps)) > _MANY_OPEN:
        near = frozenset()
    return near if near or not _is_a_reach(lit, cells, steps) else lit


def _is_locked(view: FightView, start: int) -> bool:
    return any(enemy.cell is not None and distance(enemy.cell, start) == 1 for enemy in view.enemies)


@lru_cache(maxsize=8)  # asked several times for each picture
def _is_a_reach(lit: frozenset[int], cells: bytes, steps: int) -> bool:
    """Returns whether most of some lit cells, and few others, are within so many steps of one that is not."""
    for start in range(CELLS):
        if start in lit or sum(distance(start, cell) <= steps for cell in lit) < _FITS * len(lit):
            continue
        ways = steps_to(cells, start, steps).keys() - {start}
        if len(lit & ways) >= _FITS * max(len(lit), len(ways)):
            return True
    return False


def mp_by_reach(
    view: FightView, cells: bytes, start: int, most: int, always_lit: frozenset[int] = frozenset()
) -> int | None:
    """Returns the MP by which a walk reaches the lit cells and no others, None where no number fits well.

    None beside an enemy: it locks, and fewer cells are lit than the MP would reach. None as well where
    fewer MP would do if cells of unknown kind are floor: as a fight begins little of the board may be read.

    Args:
        cells: the board's cells, one byte each.
        always_lit: cells that look lit in every fighter's turn, which tell nothing.
    """
    if _is_locked(view, start):
        return None
    lit = lit_for_walking(view, cells, start, most, always_lit)
    silent = painted_over(view) | always_lit | {start, *(fighter.cell for fighter in view.others)}
    steps = steps_to(cells, start, most)
    fits = []
    for mp in range(1, most + 1):
        ways = {cell for cell, step in steps.items() if step <= mp} - silent
        fits.append((len(lit & ways) / max(1, len(lit | ways)), mp))
    best, second = sorted(fits, reverse=True)[:2]
    if not lit or best[0] < _FITS or best[0] == second[0]:
        return None
    at_least = steps_to(_with_floor(cells, _unread(view, start)), start, most)
    return best[1] if any(at_least.get(cell) == best[1] for cell in lit) else None


def painted_over(view: FightView) -> frozenset[int]:
    """Returns the cells in the range of the spell in hand, which hides whether they can be walked to."""
    return frozenset().union(*(view.highlights.get(name, frozenset()) for name in _OF_SPELLS))


def _unfit(view: FightView, state: FightState, base_mp: int, always_lit: frozenset[int]) -> bool:
    """Tells whether many lit cells cannot be walked to, or many in reach are unlit though no fighter is near.

    A fighter near may hold the player back more than the rules know, so that less is lit.
    """
    steps = base_mp + _BOOST if view.mp.value is None else view.mp.value
    lit = lit_for_walking(view, state.map.cells, state.actor.cell, steps, always_lit)
    if not lit:
        return False
    taken = {fighter.cell for fighter in state.fighters if fighter.alive}
    ways = steps_to(state.map.cells, state.actor.cell, steps).keys() - taken
    unpainted = ways - painted_over(view) - always_lit
    if len(lit) >= _FEWEST_LIT and len(lit & ways) < FEWEST_SHARED * len(lit):
        whole = len(unpainted) >= _MANY_OPEN and len(lit & unpainted) >= _WHOLE * len(unpainted)
        whole &= len(lit & ways) >= _HALF * len(lit)
        if not whole or mp_by_reach(view, state.map.cells, state.actor.cell, _MOST_MP, always_lit):
            return True
    near = any(
        f.team != state.actor.team and distance(f.cell, state.actor.cell) <= steps + 1
        for f in state.fighters
        if f.alive
    )
    return not near and view.mp.value is not None and len(lit & unpainted) < FEWEST_SHARED * len(unpainted)


def _doubtful_end(view: FightView, state: FightState) -> bool:
    """Tells whether a reading that is not sure is among those that leave only the end of the turn."""
    if view.ap.confidence < _SURE:
        return True
    if any(slot.usable.value is False and slot.usable.confidence < _SURE for slot in view.spells):
        return True
    if view.mp.value == 0:
        return view.mp.confidence < _SURE
    beside = neighbours(state.actor.cell)
    unread = any(view.cells[cell] in (CellKind.UNKNOWN, CellKind.OUTSIDE) for cell in beside)
    taken = {fighter.cell for fighter in state.fighters if fighter.alive}
    shut = all(cell in taken or view.cells[cell] != CellKind.WALKABLE for cell in beside)
    return shut and unread and view.cell_confidence < _SURE_OF_BOARD
