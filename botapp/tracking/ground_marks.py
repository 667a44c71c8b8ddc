"""Glyphs and traps where their signs are seen: one laid while something hid its cells was only guessed at.

The log tells that a glyph was laid, not where. The spell's flash and fighters hide signs at that moment, so
the cell believed may be another one; once more of the signs is seen, the mark is put where they are.
"""

from collections.abc import Iterable
from dataclasses import replace

from botapp.fight.board import distance, to_cell, to_xy
from botapp.fight.state import CellFlag, FightState, Mark, MarkKind
from botapp.tracking.picture import Picture
from botapp.tracking.picture_fit import hidden_by

_WIDEST = 12  # A mark is put no farther than this from where it was believed to lie
_WHOLE = 0.66
"""A mark that has no more of the shape that looks the same from four sides may be one that does not."""
_TURNS = ((1, 0, 0, 1), (0, 1, -1, 0), (-1, 0, 0, -1), (0, -1, 1, 0))


def put_right(state: FightState, picture: Picture) -> tuple[Mark, ...]:
    """Returns a believed state's marks, those whose signs are seen elsewhere put there.

    A mark moves where that leaves fewer signs without a mark and fewer clear cells without the sign they
    should show; none is added or taken away.
    """
    if not state.marks:
        return state.marks
    hidden = frozenset[int]().union(*(hidden_by(fighter.cell) for fighter in picture.state.fighters))
    marks, glyphs = list(state.marks), picture.glyphs or frozenset()
    team = next((fighter.team for fighter in state.fighters if fighter.id == picture.player), None)
    cases = (
        (MarkKind.GLYPH, True, glyphs & picture.own_glyphs, glyphs),
        (MarkKind.GLYPH, False, glyphs - picture.own_glyphs, glyphs),
        (MarkKind.TRAP, True, picture.traps, picture.traps),
    )
    for kind, own, shown, signs in cases:
        places = [
            place
            for place, mark in enumerate(marks)
            if mark.kind is kind and (state.fighter(mark.owner).team == team) is own
        ]
        for place in places if shown else ():
            laid = frozenset(cell for near in places if near != place for cell in marks[near].cells)
            marks[place] = _placed(marks[place], shown - laid, signs | hidden, state.map.cells)
    return tuple(marks)


def _placed(mark: Mark, strays: frozenset[int], shown: frozenset[int], board: bytes) -> Mark:
    """Returns a mark where it fits the signs best; as it is where no other place fits better.

    Args:
        strays: signs of its kind and side that lie on no other mark of theirs.
        shown: the cells where a sign of its kind is seen, or may be hidden.
        board: the flags of all cells.
    """
    best, least = mark, _off(mark.cells, strays, shown)
    shape = _shape(mark)
    round_one = len(mark.cells) > _WHOLE * len(shape) and _cells(mark.cell, shape, board) == mark.cells
    if not least or not round_one:
        return mark
    centres = {centre for cell in strays or shown for centre in _moved(cell, shape)}
    for centre in sorted(centres, key=lambda cell: (distance(mark.cell, cell), cell)):
        if distance(mark.cell, centre) > _WIDEST or not board[centre] & CellFlag.WALKABLE:
            continue
        cells = _cells(centre, shape, board)
        off = _off(cells, strays, shown)
        if off < least:
            best, least = replace(mark, cell=centre, cells=cells), off
    return best


def _off(cells: Iterable[int], strays: frozenset[int], shown: frozenset[int]) -> int:
    """Returns how many signs lie on no mark and how many clear cells of a mark show none."""
    here = frozenset(cells)
    return len(strays - here) + len(here - shown)


def _shape(mark: Mark) -> frozenset[tuple[int, int]]:
    """Returns the steps from a mark's centre to its cells; what the board cuts off on one side counts."""
    x, y = to_xy(mark.cell)
    steps = [(to_xy(cell)[0] - x, to_xy(cell)[1] - y) for cell in mark.cells]
    return frozenset((a * dx + b * dy, c * dx + d * dy) for dx, dy in steps for a, b, c, d in _TURNS)


def _cells(centre: int, shape: frozenset[tuple[int, int]], board: bytes) -> tuple[int, ...]:
    """Returns the cells of a shape that a mark covers: those that can be walked on."""
    return tuple(sorted(cell for cell in _moved(centre, shape) if board[cell] & CellFlag.WALKABLE))


def _moved(centre: int, shape: frozenset[tuple[int, int]]) -> list[int]:
    x, y = to_xy(centre)
    moved = (to_cell(x + dx, y + dy) for dx, dy in shape)
    return [cell for cell in moved if cell is not None]
