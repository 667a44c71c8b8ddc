"""Reads a whole frame with the arena's reader or the real clients', by the profile."""

import time
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from vision import reliability
from vision.calibration import BoardCalibrations
from vision.extract.arena.reader import ArenaReader
from vision.extract.dofus.reader import DofusReader
from vision.extract.dofus.shrink import enlarged, shrunk
from vision.frame import MIN_SIZE, Frame, Rect
from vision.message import say
from vision.profiles.profile import Profile
from vision.view import FightView


class Reader:
    """Reads frames of one client. Caches what does not change between frames; for one thread only."""

    def __init__(
        self,
        profile: Profile,
        calibration: BoardCalibrations | None = None,
        ui: str = "",
        adjusted: bool = True,
    ) -> None:
        """Prepares the palettes and templates of a profile.

        Args:
            calibration: the board's accepted place by layout; unused for the arena.
            ui: the player's name for the current layout of the interface, "" for the usual one.
            adjusted: whether to calibrate confidences (`vision.reliability`).
        """
        self.profile = profile
        self._curves = reliability.load(profile.name) if adjusted else {}
        self._arena = ArenaReader(profile, profile.fight) if profile.fight is not None else None
        known = calibration or BoardCalibrations()
        self._dofus = DofusReader(profile, profile.screen, known, ui) if profile.screen is not None else None

    def explain(self, wanted: bool) -> None:
        """Has each view say in `scores` how cells were judged, or no longer: the network is asked each time.

        No network reads the arena's board.
        """
        if self._dofus is not None:
            self._dofus.explain(wanted)

    def read(self, frame: Frame) -> FightView:
        """Reads a frame: BGRA, or anything that `normalised` turns into it.

        Returns:
            What the frame shows; where nothing can be read, the phase is `UNKNOWN` and `reason` explains why.
        """
        started = time.perf_counter()
        view = self._read(frame)
        elapsed_ms = (time.perf_counter() - started) * 1000
        return replace(view, seq=frame.seq, captured_ns=frame.captured_ns, elapsed_ms=elapsed_ms)

    def _read(self, frame: Frame) -> FightView:
        pixels = normalised(frame.pixels)
        if pixels is None:
            return FightView(reason=say("This is not a picture: BGRA with 8 bits a channel is needed."))
        height, width = pixels.shape[:2]
        client = Rect(0, 0, width, height)
        if width < MIN_SIZE[0] or height < MIN_SIZE[1]:
            return FightView(
                reason=say(
                    "The picture is too small to read: {size}, at least {least} is needed.",
                    size=f"{width}x{height}",
                    least=f"{MIN_SIZE[0]}x{MIN_SIZE[1]}",
                )
            )
        if self._dofus is not None:
            small, scale = shrunk(pixels)
            return reliability.calibrated(enlarged(self._dofus.read(small), scale), self._curves)
        assert self._arena is not None
        return self._arena.read(pixels, client)


def normalised(pixels: npt.NDArray[Any]) -> npt.NDArray[np.uint8] | None:
    """Returns a picture as contiguous BGRA uint8, shape (height, width, 4), or None for other data.

    Grey, BGR and 16-bit pictures are converted; BGRA is returned without a copy.
    """
    if pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3) or not pixels.size:
        return None
    if pixels.ndim == 2:
        pixels = pixels[..., None].repeat(3, axis=2)
    if pixels.shape[2] == 3:
        opaque = np.full((*pixels.shape[:2], 1), 255, np.uint8)
        pixels = np.concatenate([pixels, opaque], axis=2)
    if pixels.shape[2] != 4:
        return None
    return np.ascontiguousarray(pixels, np.uint8)
