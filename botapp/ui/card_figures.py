"""What the graphics card did over the last ten minutes: memory, load, temperature, power and clock. No Qt."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from botapp.runtime.messages import MemoryStatus
from botapp.ui.samples import MemoryPoint
from botapp.ui.translation import mark


@dataclass(frozen=True, slots=True)
class CardFigure:
    """One figure of a card.

    Attributes:
        key: its name in the report, unit included.
        unit: of the plot that it is drawn in; figures of one unit share a plot.
        read: takes it off a reading; None where it is unknown.
    """

    key: str
    title: str
    unit: str
    shade: str
    read: Callable[[MemoryStatus], float | None]


def _filled(now: MemoryStatus) -> float | None:
    if not now.device_total or now.device_used is None:
        return None
    return 100 * now.device_used / now.device_total


def _busy(now: MemoryStatus) -> float | None:
    return None if now.device_busy is None else 100 * now.device_busy


FIGURES = (
    CardFigure("memory_percent", mark("Card memory"), "%", "accent", _filled),
    CardFigure("load_percent", mark("Card load"), "%", "info", _busy),
    CardFigure("temperature_c", mark("Temperature"), "°C", "warn", lambda now: now.device_temperature_c),
    CardFigure("power_w", mark("Power"), "W", "good", lambda now: now.device_power_w),
    CardFigure("clock_mhz", mark("Clock"), "MHz", "info", lambda now: now.device_clock_mhz),
)


def series(points: Iterable[MemoryPoint], figure: CardFigure) -> list[tuple[float, float]]:
    """Returns times in seconds and values of a figure, oldest first, where it was known."""
    found = ((point.at_s, figure.read(point.device)) for point in points)
    return [(at, value) for at, value in found if value is not None]


def card_summary(points: Iterable[MemoryPoint]) -> dict[str, dict[str, float]]:
    """Returns least, mean, most and last of each figure that was known over the points, by its key."""
    kept = list(points)
    summary = {}
    for figure in FIGURES:
        values = [value for _, value in series(kept, figure)]
        if values:
            parts = {"least": min(values), "mean": sum(values) / len(values), "most": max(values)}
            summary[figure.key] = {
                name: round(value, 1) for name, value in {**parts, "last": values[-1]}.items()
            }
    return summary
