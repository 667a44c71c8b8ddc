"""Measures the lattice in parts over frames, and again every few frames while no fighters are found on it."""

import numpy as np
import numpy.typing as npt

from vision.calibration import BoardCalibration, BoardCalibrations
from vision.extract.dofus import lattice
from vision.extract.dofus.parts import WorkInParts
from vision.extract.dofus.search import AGAIN, Still
from vision.frame import Rect
from vision.profiles.profile import Profile
from vision.view import Lattice

LIKELY = 0.5  # How sure a lattice is that needs no fighters
_BORDERED = 0.1  # How sure one is that fighters on it may prove
SUPPOSED = 0.0  # The contrast of one that was not measured
_BEGIN = 2
"""The frame without it from which it is measured: two frames long, and the next one looks for it. All of the
first frame is read at once."""


class LatticeSearch:
    """Measures where cells repeat.

    Attributes:
        is_first: whether nothing of this client area has been read yet.
        is_gridded: whether cells were measured the last time: a fight's board shows some, maps may too.
    """

    def __init__(self, profile: Profile, calibrations: BoardCalibrations, ui: str) -> None:
        self._profile, self._calibrations, self._ui = profile, calibrations, ui
        self.is_gridded = False
        self._still, self._rests = Still(), False
        self.begin_anew()

    def begin_anew(self) -> None:
        """Takes the next frame for the first one of another client area."""
        self.is_first = True
        self.end()

    def end(self) -> None:
        """Measures nothing more for some frames, as fighters are found on a lattice."""
        self._missed = 0  # Frames since without them
        self._measuring: WorkInParts[lattice.MeasuredLattice | None] | None = None
        self._measured: lattice.MeasuredLattice | None = None

    @property
    def is_unfinished(self) -> bool:
        """Whether more would be known of the same frame, read again."""
        begins = self._missed % AGAIN == _BEGIN - 1 and not self._rests
        return begins or self._measuring is not None or self._measured is not None

    def expected(self, client: Rect) -> tuple[Lattice, BoardCalibration | None]:
        """Returns where the board should lie, and what the player has accepted of that."""
        accepted = self._calibrations.find(self._profile.name, client, self._ui)
        return accepted.placed(client) if accepted is not None else self._profile.lattice(client), accepted

    def go_on(
        self, bgra: npt.NDArray[np.uint8], client: Rect, calm: bool, counted: bool
    ) -> lattice.MeasuredLattice | None:
        """Goes on with measuring; returns the lattice on which the board is to be searched now.

        Where cells are too faint to be a board's, that is where the board should lie in a fight: its fighters
        may prove it. Without enough of them nothing is returned.

        Args:
            calm: whether the HUD shows that there is no fight.
            counted: whether the timeline shows fighters of both sides, and enough to prove a board.
        """
        self._missed = _BEGIN if self.is_first else self._missed + 1
        fit, self._measured = self._measured, None
        if fit is not None:
            return fit
        if self._missed % AGAIN == _BEGIN:
            self._rests = calm and not self.is_first and self._still.holds(bgra)
            if self._rests:
                self._missed -= 1  # it is due in the next picture as well
                return None
            self._still.look(bgra)
            self._measuring = WorkInParts(lattice.find(bgra, client, self.expected(client)[0]))
        if self._measuring is None or not self._measuring.go_on(to_the_end=self.is_first):
            return None
        fit, self._measuring = self._measuring.result, None
        self.is_gridded = fit is not None and fit.confidence >= LIKELY
        if fit is None or fit.confidence < _BORDERED:
            fit = lattice.MeasuredLattice(self.expected(client)[0], SUPPOSED, 0.0) if counted else None
        if self.is_first:
            return fit
        self._measured = fit
        return None
