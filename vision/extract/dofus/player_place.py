"""The player among the fighters of its side, and where it stands while little or nothing of it is seen.

What tells it, in the order in which it is asked: the cells lit about one of the fighters; a ring that may be
its own where it stood; a cell out of sight about which cells are lit; the cell where it stood, while AP and
MP stay the same.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus import fighters, reach
from vision.extract.dofus.cells import CellsSeen
from vision.extract.dofus.fighters import Sides, cells_of
from vision.extract.dofus.model import DofusBoardSeen, HudSeen
from vision.extract.dofus.scored import Ring
from vision.view import CellKind, FighterSeen, Highlight

_LIKE_ITS_OWN = 0.25
"""The least probability that a ring is the player's where it stood before."""
_FEW_LIT = 5
"""Fewer cells that look reachable are none where a spell's range is lit."""
_STAYING, _AT_REST = 0.9, 6
"""The share of its confidence that a player out of sight keeps, and frames at one place that tell of rest."""


def by_reach(sides: Sides, seen: CellsSeen, own: int = 0) -> Sides:
    """Returns the sides with one candidate as the player: the one whose reach or spell range is highlighted.

    Args:
        own: how many of the player's side the timeline shows, 0 where it is not found; with fewer candidates
            the player may be one whose border is hidden, unless the reach fits no other cell.
    """
    if not sides.candidates:
        return sides
    starts = sorted(cells_of(sides.candidates))
    walkable = seen.kinds == CellKind.WALKABLE
    free = _without_fighters(walkable, (*sides.candidates, *sides.enemies))
    lit, unknown = _lit(seen, "reachable", "tackled"), seen.kinds == CellKind.UNKNOWN
    if len(sides.candidates) < own:
        return fighters.with_player(sides, reach.only_owner(lit, free, starts, unknown))
    cell = reach.owner(lit, free, starts, unknown)
    if cell is None and not seen.highlights.get("reachable"):
        cell = reach.caster(_lit(seen, "range", "no_sight", "area"), walkable, starts)
    return fighters.with_player(sides, cell)


def unseen_player(
    sides: Sides,
    mp: int | None,
    seen: CellsSeen,
    empty: npt.NDArray[np.bool_],
    covered: npt.NDArray[np.bool_],
) -> int | None:
    """Returns the cell of a player out of sight by the cells that are lit about it, None where in doubt.

    Args:
        mp: the player's MP, None where they are not read.
        empty: cells that show their floor, shape (560,).
        covered: cells under a window, of which it is not known whether they are lit, shape (560,).
    """
    standing = sides.others
    taken = sorted(cells_of(standing))
    walkable = (seen.kinds == CellKind.WALKABLE) & ~covered
    unknown = (seen.kinds == CellKind.UNKNOWN) | covered
    hidden = ~empty & (walkable | unknown | (seen.kinds == CellKind.OUTSIDE))
    hidden[taken] = False
    lit = _lit(seen, "reachable", "tackled")
    if np.count_nonzero(lit) >= _FEW_LIT:
        free = _without_fighters(walkable, standing)
        return reach.hidden_owner(lit, mp, free, unknown, taken, hidden) if mp else None
    lit = _lit(seen, "range", "no_sight", "area")
    return reach.hidden_caster(lit, walkable, taken, hidden, whole=not covered.any())


def _without_fighters(
    walkable: npt.NDArray[np.bool_], standing: Sequence[FighterSeen]
) -> npt.NDArray[np.bool_]:
    return walkable & ~grid.marked(cells_of(standing))


def _lit(seen: CellsSeen, *names: Highlight) -> npt.NDArray[np.bool_]:
    """Returns which cells are highlighted in one of several ways, shape (560,)."""
    return grid.marked(cell for name in names for cell in seen.highlights.get(name, ()))


class PlayerOnBoard:
    """Tells the player among the fighters found, over frames."""

    def __init__(self) -> None:
        self._cell: int | None = None
        self._judged: tuple[CellsSeen, tuple[int | None, ...]] | None = None
        self._is_another = False

    def forget(self) -> None:
        """Forgets where the player stood."""
        self._cell = None

    def unless_of_another(self, sides: Sides, seen: CellsSeen) -> Sides:
        """Returns the sides without the player found where the reachable cells belong to a fighter near it.

        The real player stands there then, its border hidden.
        """
        cell = sides.player.cell if sides.player is not None else None
        if cell is None or not seen.highlights.get("reachable"):
            return sides
        standing = (*sides.allies, *sides.enemies)
        where = (cell, *(ring.cell for ring in standing))
        if self._judged is None or self._judged[1] != where or not seen.shows_same(self._judged[0]):
            free = _without_fighters(seen.kinds == CellKind.WALKABLE, standing)
            free[cell] = False
            lit = _lit(seen, "reachable", "tackled")
            self._judged = (seen, where)
            self._is_another = reach.is_of_another(lit, free, cell, seen.kinds == CellKind.UNKNOWN)
        return fighters.without_player(sides) if self._is_another else sides

    def where_it_was(self, sides: Sides, rings: Sequence[Ring]) -> Sides:
        """Returns the sides with the player where it stood before, if a ring like its own is still there."""
        if sides.player is not None:
            self._cell = sides.player.cell
            return sides
        there = (ring for ring in rings if ring.team == "own" and ring.cell == self._cell)
        is_there = any(ring.mark >= _LIKE_ITS_OWN for ring in there)
        return fighters.with_player(sides, self._cell) if is_there else sides


class AmongOwn:
    """Tells the player among the fighters of its side by where they stood when it was told last.

    It stands where it stood; or, where all are in sight, it is the one that stands elsewhere: in its own turn
    the others do not walk.
    """

    def __init__(self) -> None:
        self._last: tuple[int, frozenset[int]] | None = None

    def follow(self, sides: Sides, own: int, placing: bool = False) -> Sides:
        """Takes in a frame of a fight; returns the sides, with the player where it is told.

        Args:
            own: how many of the player's side the timeline shows, 0 where that is not known.
            placing: whether places are being chosen, which all may change for each other's.
        """
        if placing:
            self._last = None
            return sides
        if sides.player is None and self._last is not None:
            standing = cells_of(sides.candidates)
            cell, others = self._last
            moved = standing - others
            if cell in standing:
                sides = fighters.with_player(sides, cell)
            elif 0 < own <= len(standing) and others <= standing and len(moved) == 1:
                sides = fighters.with_player(sides, next(iter(moved)))
        if sides.player is not None and sides.player.cell is not None:
            self._last = sides.player.cell, cells_of(sides.allies)
        return sides

    def forget(self) -> None:
        """Forgets who the player was."""
        self._last = None


class PlayerAtRest:
    """Remembers where the player stands while a body or a window hides it.

    It has not moved as long as AP and MP are what they were, in each frame, and its cell is not seen empty.
    It has to be seen there for some frames: MP are paid before a walk ends.
    """

    def __init__(self) -> None:
        self._last: tuple[FighterSeen, tuple[int, int], int] | None = None

    def follow(self, sides: Sides, hud: HudSeen, board: DofusBoardSeen) -> Sides:
        """Takes in a frame of a fight; returns the sides, with the player where it stays."""
        ap, mp = hud.ap.value, hud.mp.value
        if ap is None or mp is None:
            self._last = None
            return sides
        player = sides.player
        if player is not None and player.cell is not None:
            stays = self._last is not None and (self._last[0].cell, self._last[1]) == (player.cell, (ap, mp))
            self._last = player, (ap, mp), self._last[2] + 1 if self._last is not None and stays else 1
        elif self._last is not None:
            last, points, frames = self._last
            assert last.cell is not None
            taken = any(ring.cell == last.cell for ring in (*sides.allies, *sides.enemies))
            if frames < _AT_REST or points != (ap, mp) or board.empty[last.cell] or taken:
                self._last = None
            elif not sides.candidates and board.numbered and board.lattice.value is not None:
                px = board.lattice.value.centre(last.cell)
                return replace(sides, player=replace(last, px=px, confidence=_STAYING * last.confidence))
        return sides

    def forget(self) -> None:
        """Forgets the player's place."""
        self._last = None


class PlayerOutOfSight:
    """Finds a player out of sight by the cells lit about it in its own turn, once two frames say the same."""

    def __init__(self) -> None:
        self._looked: tuple[CellsSeen, int | None, Sides] | None = None
        self._cell: int | None = None

    def follow(self, sides: Sides, mp: int | None, board: DofusBoardSeen) -> Sides:
        """Takes in a frame of the player's turn; returns the sides, with the player where it is told.

        Args:
            mp: the player's MP, None where they are not read.
        """
        if sides.player is not None or not board.numbered or board.lattice.value is None:
            self._looked = self._cell = None
            return sides
        before, seen = self._cell, board.cells
        if self._looked is None or self._looked[0] is not seen or self._looked[1:] != (mp, sides):
            self._looked = seen, mp, sides
            self._cell = unseen_player(sides, mp, seen, board.empty, board.covered)
        if self._cell is None or self._cell != before:
            return sides
        return fighters.with_unseen(sides, self._cell, board.lattice.value)
