"""What the hotkeys need of a system; `botapp.ui.hotkeys.x11` and `botapp.ui.hotkeys.windows` implement it."""

from collections.abc import Mapping
from typing import Literal, Protocol

from botapp.ui.hotkeys.combo import KeyCombo

Refusal = Literal["taken", "missing"]  # Another program has it; this keyboard has no such key


class KeyGrabber(Protocol):
    """Takes combinations from all other programs, and calls what it was made with at each press."""

    def grab(self, combos: Mapping[str, KeyCombo]) -> dict[str, Refusal]:
        """Takes these by name in place of those taken before; returns which could not be had.

        Raises:
            OSError: the system does not answer any more.
        """
        ...

    def close(self) -> None:
        """Gives all back."""
        ...
