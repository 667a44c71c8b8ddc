"""Reads the arena's chronicle: who cast which spell at whom, by the colours of the chips before each line."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from vision.frame import Rect
from vision.profiles.arena import FightRules
from vision.profiles.fields import RGB
from vision.profiles.profile import Profile
from vision.view import ChronicleLine

Image = npt.NDArray[np.uint8]
Colour = npt.NDArray[np.float64]

_WORDS = "words"
_TOLERANCE = 6.0
"""Largest distance (Euclidean, 0..441) of a chip from its colour; spells of one fighter differ by 14."""


class LogReader:
    """Reads the chronicle of one profile."""

    def __init__(self, profile: Profile, fight: FightRules) -> None:
        self._profile = profile
        self._rule = fight.log
        self._marks = _Colours({"even": fight.log.even, "odd": fight.log.odd, _WORDS: fight.log.words})
        self._chips = _Colours({"taken_back": fight.log.taken_back})
        self._kinds = _Colours(fight.kinds)
        self._spells = _Colours(fight.spells)

    def read(self, pixels: Image, client: Rect) -> tuple[ChronicleLine, ...] | None:
        """Returns the lines, newest last; None where one has a mark and the next older one has none.

        None too where the log is written in words: that is read elsewhere (`vision.text`).
        """
        unit = self._profile.unit(client)
        left, top, _, height = self._rule.region.box(client, unit)
        step = height / self._rule.lines
        if self._marks.one(_at(pixels, left + self._rule.mark * unit, top + step * 0.5)) == _WORDS:
            return None
        lines = [self._line(pixels, left, top + step * (row + 0.5), unit) for row in range(self._rule.lines)]
        read = [line for line in lines if line is not None]
        return tuple(read) if read == lines[: len(read)] else None

    def _line(self, pixels: Image, left: float, y: float, unit: float) -> ChronicleLine | None:
        mark = self._marks.one(_at(pixels, left + self._rule.mark * unit, y))
        if mark is None:
            return None
        caster, spell, target = (_at(pixels, left + x * unit, y) for x in self._rule.chips)
        kind = self._kinds.one(caster)
        if kind is None:
            back = self._chips.one(caster) is not None
            return ChronicleLine(mark == "odd", taken_back=back)
        return ChronicleLine(mark == "odd", kind, self._spells.near(spell), self._kinds.one(target))


class _Colours:
    """Named colours."""

    def __init__(self, colours: Mapping[str, RGB]) -> None:
        self._names = tuple(colours)
        self._rgb = np.array([colours[name] for name in self._names], np.float64)

    def near(self, rgb: Colour) -> frozenset[str]:
        away = np.linalg.norm(self._rgb - rgb, axis=1)
        return frozenset(self._names[place] for place in np.nonzero(away <= _TOLERANCE)[0])

    def one(self, rgb: Colour) -> str | None:
        """Returns the name of the only colour within the tolerance, None for none or several."""
        name = self.near(rgb)
        return next(iter(name)) if len(name) == 1 else None


def _at(pixels: Image, x: float, y: float) -> Colour:
    """Returns the colour (red, green, blue) at a place; black outside the picture."""
    row, column = int(y), int(x)
    if 0 <= row < pixels.shape[0] and 0 <= column < pixels.shape[1]:
        return pixels[row, column, 2::-1].astype(np.float64)
    return np.zeros(3)
