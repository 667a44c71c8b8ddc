"""Reads a frame of a real client: first where the client is, then its HUD and its board.

Next hop: `botapp.advisor.situation`.
"""

import numpy as np
import numpy.typing as npt

from vision.extract.client import find_client
from vision.extract.real.model import HudSeen
from vision.profiles import Profile
from vision.screen import ScreenRules
from vision.view import FightView


class RealReader:
    """Reads frames of one real client."""

    def __init__(self, profile: Profile, rules: ScreenRules) -> None:
        self._profile = profile
        self._rules = rules

    def read(self, pixels: npt.NDArray[np.uint8]) -> FightView:
        """Reads a picture in BGRA that shows the client and perhaps more."""
        bgr = np.ascontiguousarray(pixels[..., :3])
        client = find_client(bgr, self._profile)
        if client is None:
            return FightView(reason=f"no client area of {self._profile.name} is found in the picture")
        hud = HudSeen()
        return FightView(
            client=client,
            phase=hud.phase,
            turn=hud.turn,
            hp=hud.hp,
            max_hp=hud.max_hp,
            ap=hud.ap,
            mp=hud.mp,
            timer_s=hud.timer_s,
            turn_number=hud.turn_number,
            fighters_shown=hud.fighters_shown,
            reason=hud.reason or f"the board of {self._profile.name} is not found in the picture",
        )
