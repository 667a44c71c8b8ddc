"""Looks for the signs of a fight every few pictures, as each look takes as long as a frame may."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import signs
from vision.extract.dofus.model import HudSeen
from vision.extract.dofus.search import AGAIN, Still
from vision.extract.dofus.signs import Signs
from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.profiles.profile import Profile
from vision.view import Phase


class SignsOverTime:
    """Remembers the signs that were seen last."""

    def __init__(self, profile: Profile, rules: ScreenRules) -> None:
        self._profile, self._rules = profile, rules
        self._found: Signs | None = None
        self._age = 0
        self._still = Still()

    def look(self, pixels: npt.NDArray[np.uint8], client: Rect, hud: HudSeen, clear: bool) -> Signs:
        """Returns the signs of a fight in a picture in BGRA, none where it is clear that one is on.

        Where the HUD shows that there is none, they wait until more of the picture changes than people do.
        Without a HUD the board may be of any size, and lie beside what was taken for the client area.
        """
        if clear:
            self._found = None
            return Signs()
        signs_seen = self._found
        if signs_seen is not None and self._age >= AGAIN:
            calm = hud.phase.value is Phase.NOT_FIGHT and not signs_seen.any
            if calm and self._still.holds(pixels):  # hardly a pixel has changed
                return signs_seen
        if signs_seen is None or self._age >= AGAIN:
            self._still.look(pixels)
            area = Rect(0, 0, pixels.shape[1], pixels.shape[0])
            if hud.has_vitals:
                area = client._replace(height=round(client.height * (1 - self._profile.board.bottom)))
            expected = self._profile.lattice(client.moved(-area.x, -area.y))
            seen = cv2.cvtColor(pixels[area.y : area.bottom, area.x : area.right], cv2.COLOR_BGRA2BGR)
            signs_seen, self._age = signs.find(np.asarray(seen, np.uint8), expected, self._rules), 0
        self._found, self._age = signs_seen, self._age + 1
        return signs_seen
