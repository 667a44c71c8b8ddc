"""Reads the board of a real client over the frames: its lattice, its cells and who stands on them.

Once borders have been seen on a lattice it is taken to stay where it is: the frames after are read on it at
known pixels. Where no border lies on it any more it is looked for anew, now and then. Which cell is which may
stay open by whole cells until the person has said so once; where the board is zoomed in or out, it is not
known at all. Next hop: `vision.extract.dofus.reader`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.calibration import BoardCalibrations
from vision.extract.dofus import cells, fighters, lattice, reach
from vision.extract.dofus.borders import BorderReader
from vision.extract.dofus.cells import CellReader, CellsSeen
from vision.extract.dofus.fighters import Sides
from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.profiles.profile import Profile
from vision.view import CELLS, CellKind, Lattice, Seen

Picture = npt.NDArray[np.uint8]

_BOTTOM = 0.87
_LIKELY = 0.5
_BORDERED = 0.1
_EXACT = 5.0
_SAME_CELL = 0.25
_SAME_SHAPE = 0.012
_PATIENCE = 8
"""How many frames pass between two searches for a board that is not where it was."""


@dataclass(frozen=True, slots=True)
class DofusBoardSeen:
    """What the board shows.

    Attributes:
        lattice: where its cells lie.
        ambiguous: other lattices that the picture allows, a cell away; none where the numbering is sure.
        sides: who stands on it.
        fight: how sure it is that this is a fight (0..1).
        cells: what the cells are and how they are painted.
        numbered: whether the cells' ids can be told, but for those a cell away.
    """

    lattice: Seen[Lattice]
    ambiguous: tuple[Lattice, ...]
    sides: Sides
    fight: float
    cells: CellsSeen
    numbered: bool


@dataclass(slots=True)
class _Locked:
    """A lattice that borders lie on, for one client area and frame size."""

    client: Rect
    size: tuple[int, int]
    fit: lattice.MeasuredLattice
    ambiguous: tuple[Lattice, ...]
    numbered: bool
    reader: CellReader


class DofusBoardReader:
    """Reads the boards of one profile."""

    def __init__(
        self, profile: Profile, rules: ScreenRules, calibrations: BoardCalibrations, ui: str = ""
    ) -> None:
        """Prepares what does not change between frames.

        Args:
            profile: whose board it is.
            rules: how it looks.
            calibrations: what the person accepted before.
            ui: which layout of the interface is shown.
        """
        self._profile = profile
        self._rules = rules
        self._calibrations = calibrations
        self._ui = ui
        self._borders = BorderReader(rules)
        self._locked: _Locked | None = None
        self._sought: tuple[Rect, tuple[int, int]] | None = None
        self._missed = 0

    def read(self, bgra: Picture, client: Rect, panel: Rect | None = None) -> DofusBoardSeen | None:
        """Reads the board of a client area, None where none is found.

        Args:
            bgra: the frame, uint8, shape (height, width, 4), contiguous.
            client: the client area in it.
            panel: a part of the frame that lies over the board.
        """
        size = (bgra.shape[0], bgra.shape[1])
        end = min(_BOTTOM, 1 - self._profile.board.bottom)
        area = Rect(client.x, client.y, client.width, round(client.height * end))
        if self._sought != (client, size):
            self._sought, self._locked, self._missed = (client, size), None, 0
        known = None
        if self._locked is not None:
            known = self._on(bgra, area, self._locked, panel)
            if known.fight:
                self._missed = 0
                return known
        self._missed += 1
        if self._missed % _PATIENCE != 1:
            return known
        found = self._found(bgra, client, area, panel)
        return found if found is not None and (found.fight or known is None) else known

    def _found(self, bgra: Picture, client: Rect, area: Rect, panel: Rect | None) -> DofusBoardSeen | None:
        """Looks for the board, and keeps it where borders lie on its lattice."""
        accepted = self._calibrations.find(self._profile.name, client, self._ui)
        prior = accepted.placed(client) if accepted is not None else self._profile.lattice(client)
        fit = lattice.find(bgra, client, self._profile, prior)
        if fit is None or fit.confidence < _BORDERED:
            return None
        if accepted is not None and lattice.is_zoomed(fit.lattice, prior):
            accepted, prior = None, self._profile.lattice(client)
            fit = lattice.renumbered(fit, prior)
        if fit.surplus < _EXACT:
            borders = fighters.believed(self._borders.find(bgra, fit.lattice, area))
            fit = lattice.on(fit, fighters.aligned(fit.lattice, borders))
        misplaced = lattice.is_zoomed(fit.lattice, prior) or not _is_shaped(client, self._rules.letterbox)
        sure = not misplaced and fit.apart <= _SAME_CELL and (self._rules.rows_sure or accepted is not None)
        others = () if sure else lattice.others(fit, prior)
        size = (bgra.shape[0], bgra.shape[1])
        numbered = not misplaced and fit.apart <= _SAME_CELL
        reader = CellReader(self._rules, fit.lattice, area, size)
        known = _Locked(client, size, fit, others, numbered, reader)
        board = self._on(bgra, area, known, panel)
        if board.fight:
            self._locked = known
        elif fit.confidence < _LIKELY or misplaced:
            return None
        return board

    def _on(self, bgra: Picture, area: Rect, known: _Locked, panel: Rect | None) -> DofusBoardSeen:
        """Reads who stands on a lattice and what its cells show."""
        fit = known.fit
        borders = fighters.believed(self._borders.find(bgra, fit.lattice, area, aligned=True))
        marked = self._rules.border.mark is not None
        sides = fighters.settle(borders, fit.lattice, marked)
        confidence = min(0.99, max(fit.confidence, 0.9 if borders else 0.0))
        own = sides.player is not None or bool(sides.candidates)
        fight = 0.9 if own and sides.enemies else 0.4 if borders else 0.0
        seen = cells.NOTHING
        if fight:
            seen = known.reader.read(bgra, [border.cell for border in borders], panel)
            sides = by_reach(sides, seen)
        return DofusBoardSeen(
            Seen(fit.lattice, confidence), known.ambiguous, sides, fight, seen, known.numbered
        )


def _is_shaped(client: Rect, letterbox: float) -> bool:
    """Tells whether a client area has the shape that its client keeps, if it keeps any."""
    return letterbox <= 0 or abs(client.width / client.height / letterbox - 1) <= _SAME_SHAPE


def by_reach(sides: Sides, seen: CellsSeen) -> Sides:
    """Returns the sides with that candidate as the player which the reachable cells clearly lie about."""
    if not sides.candidates:
        return sides
    lit = np.zeros(CELLS, bool)
    for name in ("reachable", "tackled"):
        lit[list(seen.highlights.get(name, ()))] = True
    free = seen.kinds == CellKind.WALKABLE
    free[[one.cell for one in (*sides.candidates, *sides.enemies) if one.cell is not None]] = False
    cell = reach.whose(lit, free, [one.cell for one in sides.candidates if one.cell is not None])
    return fighters.chosen(sides, cell)
