"""Reads numbers about an anchor, each picture of one only once: a timer shows the same seconds every turn."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from vision.extract.dofus import numbers
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.search import crop, crop_bgr
from vision.profiles.hud import FieldRule
from vision.view import Seen

_REMEMBERED = 100  # Pictures of one number that are kept, more than a timer has seconds


class NumberReader:
    """Reads the numbers of one client's HUD; keeps what their last pictures said."""

    def __init__(self) -> None:
        self._memory: dict[str, dict[tuple[HudAnchor, bytes], Seen[int]]] = {}

    def read(
        self, part: npt.NDArray[np.uint8], anchor: HudAnchor, fields: Mapping[str, FieldRule]
    ) -> dict[str, Seen[int]]:
        """Returns the numbers by name, without those that are too small or beyond the picture.

        Args:
            part: BGR or BGRA, uint8, shape (height, width, 3 or 4).
        """
        by_name = {}
        for name, rule in fields.items():
            window = numbers.window(part, anchor, rule)
            if window is None:
                continue
            memory = self._memory.setdefault(name, {})
            key = (anchor, crop(part, window).tobytes())
            if key not in memory:
                place = anchor.moved(-window.x, -window.y)
                if len(memory) >= _REMEMBERED:
                    memory.pop(next(iter(memory)))
                memory[key] = numbers.read(crop_bgr(part, window), place, rule)
            by_name[name] = memory[key]
        return by_name
