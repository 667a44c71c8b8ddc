"""Figures collected while the app runs: durations with their percentiles, memory, what the graphics card did.

Plain Python, no Qt. `botapp.ui.bridge` feeds them from every snapshot; the Latency and Memory panels and the
report read them.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from botapp.host.statistics import percentiles
from botapp.review.course import Course
from botapp.runtime.messages import MemoryStatus, Snapshot
from botapp.ui.translation import mark

KEPT = 20_000
RECENT = 600
Figures = npt.NDArray[np.float64]
STAGES = ("capture", "vision", "situation", "search", "encode", "think", "decode")
DECIDING = ("search", "encode", "think", "decode")  # The stages of a decision, which is their sum
WHOLE = "decision"


_LEAST_SPAN_S = 0.3  # Pictures that came within less say nothing of how many come a second


class Quantiles(NamedTuple):
    """The middle and the tails of some durations, in milliseconds."""

    p50: float
    p95: float
    p99: float


class DurationSamples:
    """The last durations of one stage, in milliseconds, with the time they were taken at.

    The room for `kept` of them is taken at once, so that a long run does not grow.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._times = np.zeros(kept)
        self._values = np.zeros(kept)
        self._times.fill(np.nan)
        self._values.fill(np.nan)
        self.count = 0

    def add(self, value_ms: float, at_s: float | None = None) -> None:
        slot = self.count % len(self._values)
        self._times[slot] = time.monotonic() if at_s is None else at_s
        self._values[slot] = value_ms
        self.count += 1

    @property
    def last(self) -> float | None:
        """The newest duration in milliseconds, None before the first."""
        return float(self._values[(self.count - 1) % len(self._values)]) if self.count else None

    def recent(self, number: int = RECENT) -> tuple[Figures, Figures]:
        """Returns up to `number` newest times in s and durations in ms, oldest first."""
        number = min(number, self.count, len(self._values))
        slots = np.arange(self.count - number, self.count) % len(self._values)
        return self._times[slots], self._values[slots]

    def quantiles(self, number: int = KEPT, since_s: float = -inf) -> Quantiles | None:
        """Returns p50, p95 and p99 over the newest `number` durations, those since a time; None for none."""
        times, values = self.recent(number)
        quantiles = percentiles(values[times >= since_s])
        return Quantiles(quantiles["p50"], quantiles["p95"], quantiles["p99"]) if quantiles else None


@dataclass(frozen=True, slots=True)
class MemoryPoint:
    """Memory at one time: the worker's and the app's own resident bytes, and the device's where known."""

    at_s: float
    worker: int
    app: int
    device: MemoryStatus


class History:
    """Everything the panels draw over time, for the whole run."""

    def __init__(self) -> None:
        self.stages: dict[str, DurationSamples] = {}
        self.to_overlay = DurationSamples()
        self.loop_delay = DurationSamples()
        self.memory: deque[MemoryPoint] = deque(maxlen=RECENT)
        self.snapshots = 0
        self.course = Course()
        self._frames: deque[tuple[float, int]] = deque(maxlen=64)

    def add(self, snapshot: Snapshot, now_s: float) -> None:
        """Takes in what a snapshot says of durations and frames; `now_s` is `time.monotonic()`."""
        self.snapshots += 1
        self.course.add(snapshot)
        for name, value in snapshot.stages_ms:
            self.stages.setdefault(name, DurationSamples()).add(value, now_s)
        spent = [value for name, value in snapshot.stages_ms if name in DECIDING]
        if spent:
            self.stages.setdefault(WHOLE, DurationSamples()).add(sum(spent), now_s)
        if self._frames and snapshot.frames < self._frames[-1][1]:
            self._frames.clear()
        self._frames.append((now_s, snapshot.frames))

    def add_memory(self, point: MemoryPoint) -> None:
        self.memory.append(point)

    def fps(self, now_s: float, span_s: float = 3.0) -> float | None:
        """Returns the frames a second over the last `span_s`, None where nothing is coming in."""
        recent = [(at, frames) for at, frames in self._frames if now_s - at <= span_s]
        if len(recent) < 2 or recent[-1][0] - recent[0][0] < _LEAST_SPAN_S:
            return None
        return (recent[-1][1] - recent[0][1]) / (recent[-1][0] - recent[0][0])

    def ordered_stages(self) -> Iterable[tuple[str, DurationSamples]]:
        """Yields the stages in the order a frame goes through them, unknown ones last."""
        known = [name for name in (*STAGES, WHOLE) if name in self.stages]
        for name in known + [name for name in self.stages if name not in known]:
            yield name, self.stages[name]


@dataclass(frozen=True, slots=True)
class CardFigure:
    """One figure of a card."""

    key: str  # Its name in the report, unit included
    title: str
    unit: str  # Of the plot that it is drawn in; figures of one unit share a plot
    shade: str
    read: Callable[[MemoryStatus], float | None]  # Takes it off a reading; None where it is unknown


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
    pairs = ((point.at_s, figure.read(point.device)) for point in points)
    return [(at, value) for at, value in pairs if value is not None]


def card_summary(points: Iterable[MemoryPoint]) -> dict[str, dict[str, float]]:
    """Returns least, mean, most and last of each figure that was known over the points, by its key."""
    listed = list(points)
    summary = {}
    for figure in FIGURES:
        values = [value for _, value in series(listed, figure)]
        if values:
            parts = {"least": min(values), "mean": sum(values) / len(values), "most": max(values)}
            summary[figure.key] = {
                name: round(value, 1) for name, value in {**parts, "last": values[-1]}.items()
            }
    return summary
