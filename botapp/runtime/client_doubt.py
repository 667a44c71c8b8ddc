"""Whether the watched window is another client's than the settings say: asked while its HUD is not found.

Another client's reading takes 0.3 to 2 s, so one is tried at a time, ever more rarely, and none any more
once the watched client's HUD was found in this window.
"""

import time
from collections.abc import Callable

from botapp.tracking.clients import best, fit, other_clients, read_as
from botapp.tracking.player_profile import PlayerProfile
from vision.frame import Frame
from vision.view import FightView

_FIRST_S, _MOST_S = 0.5, 60.0
"""A window opens without a HUD for a moment; a player who stands in a menu for long costs hardly anything."""

_CERTAIN = 2  # A fight, or two parts of a HUD; a single figure may be a misreading

Read = Callable[[Frame, str, PlayerProfile], FightView]


class ClientDoubt:
    """Follows the pictures of one window.

    Args:
        read: as `botapp.tracking.clients.read_as`.
        clock: seconds.
    """

    def __init__(self, read: Read = read_as, clock: Callable[[], float] = time.monotonic) -> None:
        self._read, self._clock = read, clock
        self._certain = False
        self._views: dict[str, FightView] = {}
        self._wait_s, self._due = _FIRST_S, clock() + _FIRST_S
        self._found: tuple[str, ...] = ()

    def begin(self) -> None:
        """Begins anew: another window, or another client in the settings."""
        self._certain, self._views, self._found = False, {}, ()
        self._wait_s, self._due = _FIRST_S, self._clock() + _FIRST_S

    def follow(self, frame: Frame, view: FightView, profile: PlayerProfile) -> tuple[str, ...]:
        """Takes in a picture and what the watched client's reader found in it.

        Returns:
            The clients whose screen it is in place of the watched one: one, several where they fit alike;
            none while the watched one's HUD is found or no other's is.
        """
        seen = fit(view)
        if self._certain or seen:
            self._certain |= seen >= _CERTAIN
            self._found = ()
            return ()
        if self._clock() < self._due:
            return self._found
        left = [name for name in other_clients(profile.client) if name not in self._views]
        self._views[left[0]] = self._read(frame, left[0], profile)
        if len(left) == 1:
            self._found = best(self._views)
            self._views = {}
            self._wait_s = min(_MOST_S, 2 * self._wait_s)
            self._due = self._clock() + self._wait_s
        return self._found
