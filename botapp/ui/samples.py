"""Figures collected while the app runs: durations with their percentiles, and how memory went.

Plain Python, no Qt. `botapp.ui.bridge` feeds them from every snapshot; the Latency and Memory panels and the
report read them.
"""

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from botapp.host.statistics import percentiles
from botapp.review.course import Course
from botapp.runtime.messages import MemoryStatus, Snapshot

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
        found = percentiles(values[times >= since_s])
        return Quantiles(found["p50"], found["p95"], found["p99"]) if found else None


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
