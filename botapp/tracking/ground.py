"""The board under the fighters, carried from frame to frame: what hides a cell does not change it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from botapp.fight.state import CellFlag
from botapp.tracking.identity import Sighting
from vision.view import CellKind, FightView

_FLAGS = np.zeros(256, np.uint8)
_FLAGS[CellKind.WALKABLE], _FLAGS[CellKind.HOLE] = CellFlag.FLOOR, CellFlag.SIGHT
_NEW_BOARD = 0.15
"""The share of cells that a spell's flash may hide or colour; another board differs in more."""
_COVERS_NS, _FLICKERS_NS = 1_000_000_000, 250_000_000
"""For how long a number that rises may cover floor, and for how long something may look like floor."""
_SEVERAL = 2  # One fighter may stand alike by chance, two hardly do


@dataclass(frozen=True, slots=True)
class Ground:
    """The board as remembered."""

    cells: bytes = b""  # 560 `CellFlag` bytes, empty where none was seen yet
    # (cell, since when) of those that look like floor and were none, or the other way round
    otherwise: tuple[tuple[int, int], ...] = ()
    # Cells lit as if in the player's reach during the last turn of another fighter: by the floor's colour, or
    # by the reach of a fighter under the mouse
    always_lit: frozenset[int] = frozenset()
    traps: frozenset[int] = frozenset()  # Cells that have shown a trap of the player's side in this fight

    def is_same(self, cells: bytes) -> bool:
        """Tells whether `cells` is the board remembered, or there is none to compare with."""
        if not self.cells:
            return True
        return _is_alike(np.frombuffer(self.cells, np.uint8), np.frombuffer(cells, np.uint8))

    def read(self, view: FightView, sightings: Sequence[Sighting]) -> bytes:
        """Returns the board as 560 `CellFlag` bytes; doubtful cells are as remembered, those stood on floor.

        Floor that looks like something else is doubtful for a second, as a number may rise over it, and what
        looks like floor where there was none for a quarter of one.

        Args:
            sightings: the others as last seen.
        """
        cells = _FLAGS[view.cells]
        if self.cells:
            before = np.frombuffer(self.cells, np.uint8)
            known = view.cells != CellKind.UNKNOWN
            if _is_alike(before, np.where(known, cells, before)) or goes_on(view, sightings):
                cells = np.where(known, cells, before)
                since, now = dict(self.otherwise), view.captured_ns
                for cell in self._otherwise(view):
                    least = _COVERS_NS if before[cell] & CellFlag.WALKABLE else _FLICKERS_NS
                    if now - since.get(cell, now) < least:
                        cells[cell] = before[cell]
        for seen in view.fighters:
            if seen.cell is not None:
                cells[seen.cell] = CellFlag.FLOOR
        return cells.tobytes()

    def after(self, view: FightView, cells: bytes, mine: bool) -> "Ground":
        """Returns the board after a view of which `read` has made `cells`, in the player's turn or not."""
        since = dict(self.otherwise)
        return Ground(
            cells,
            tuple((cell, since.get(cell, view.captured_ns)) for cell in self._otherwise(view)),
            self.always_lit if mine else view.highlights.get("reachable", frozenset()),
            self.traps | view.signs.get("trap", frozenset()),
        )

    def _otherwise(self, view: FightView) -> list[int]:
        if not self.cells:
            return []
        changed = (np.frombuffer(self.cells, np.uint8) ^ _FLAGS[view.cells]) & CellFlag.WALKABLE
        return [int(cell) for cell in np.flatnonzero((changed != 0) & (view.cells != CellKind.UNKNOWN))]


def goes_on(view: FightView, sightings: Sequence[Sighting]) -> bool:
    """Tells whether it is the fight remembered for sure: two others at least stand where they stood before.

    A window over part of the board makes it look like another one.

    Args:
        sightings: the others as last seen.
    """
    before = {(seen.team, seen.cell) for seen in sightings if seen.cell is not None}
    return sum((fighter.team, fighter.cell) in before for fighter in view.others) >= _SEVERAL


def _is_alike(before: npt.NDArray[np.uint8], now: npt.NDArray[np.uint8]) -> bool:
    """Tells whether two boards differ in no more cells than an effect hides."""
    return int(np.count_nonzero(before != now)) <= _NEW_BOARD * max(1, int(np.count_nonzero(before)))
