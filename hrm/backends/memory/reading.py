"""A reading of a card's memory and power, the card's address, and the interface of telemetry sources."""

from dataclasses import dataclass, replace
from typing import Protocol

STATES = ("power_w", "temperature_c", "busy", "clock_mhz")  # What a card does now, besides its memory


@dataclass(frozen=True, slots=True)
class CardAddress:
    """Where a card is."""

    pci: str | None = None  # Its PCI address as sysfs writes it (0000:03:00.0)
    luid: int | None = None  # Windows' id of it
    shared: bool = False  # Its memory is the computer's own


@dataclass(frozen=True, slots=True)
class Reading:
    """A card's memory and what it does at one moment; None is unknown."""

    total: int | None = None  # Bytes of its own memory; of the computer's that it may use, where it has none
    used: int | None = None  # Bytes of it in use, by every program
    ours: int | None = None  # Bytes that this process holds there
    spilled: int | None = None  # Bytes of the computer's RAM that the card uses
    power_w: float | None = None
    temperature_c: float | None = None
    busy: float | None = None  # The share of the last moment in which it computed, 0..1
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
