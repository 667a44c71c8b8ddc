"""A reading of a card's memory and power, the card's address, and the interface of telemetry sources."""

from dataclasses import dataclass, replace
from typing import Protocol

STATES = ("power_w", "temperature_c", "busy", "clock_mhz")  # What a card does now, besides its memory


@dataclass(frozen=True, slots=True)
class CardAddress:
    """Where a card is.

    Attributes:
        pci: its PCI address as sysfs writes it (0000:03:00.0).
        luid: Windows' id of it.
        shared: its memory is the computer's own.
    """

    pci: str | None = None
    luid: int | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A card's memory and what it does at one moment; None is unknown.

    Attributes:
        total: bytes of its own memory; of the computer's that it may use, where it has none.
        used: bytes of it in use, by every program.
        ours: bytes that this process holds there.
        spilled: bytes of the computer's RAM that the card uses.
        busy: the share of the last moment in which it computed, 0..1.
    """

    total: int | None = None
    used: int | None = None
    ours: int | None = None
    spilled: int | None = None
    power_w: float | None = None
    temperature_c: float | None = None
    busy: float | None = None
    clock_mhz: float | None = None
    source: str = "unknown"

    def filled_up(self, other: "Reading") -> "Reading":
        """Returns it with what it does not know and another source does; memory stays one source's."""
        own = {name: getattr(self, name) for name in STATES}
        return replace(self, **{name: getattr(other, name) for name, value in own.items() if value is None})

    @property
    def free(self) -> int | None:
        """Bytes of its own memory that no program uses."""
        return None if self.total is None or self.used is None else max(0, self.total - self.used)

    @property
    def filled(self) -> float | None:
        """How full its own memory is, 0..1."""
        return None if not self.total or self.used is None else self.used / self.total


class TelemetrySource(Protocol):
    """Reads the memory of a card."""

    def read(self, address: CardAddress) -> Reading | None:
        """Returns the reading of the card at an address; None where there is none."""
        ...
