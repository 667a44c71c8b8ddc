"""Named regions of work, timed: count, mean, least and most, on whichever device the work is done.

A GPU works behind the program's back, so a region on one is closed by waiting for it; that is why nothing is
timed unless asked for. Next hop: `hrm.backends.bench.benchmark` and whoever wonders where the time goes.
"""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch


@dataclass(slots=True)
class Region:
    """What one region took so far, in milliseconds."""

    count: int = 0
    total_ms: float = 0.0
    min_ms: float = math.inf
    max_ms: float = 0.0

    @property
    def mean_ms(self) -> float:
        """The mean, 0 before the first time."""
        return self.total_ms / self.count if self.count else 0.0

    def add(self, took_ms: float) -> None:
        """Counts one more time."""
        self.count += 1
        self.total_ms += took_ms
        self.min_ms = min(self.min_ms, took_ms)
        self.max_ms = max(self.max_ms, took_ms)


class Regions:
    """Regions by name; `device` is waited for at both ends of each."""

    def __init__(self, device: str = "cpu", clock: Callable[[], float] = time.perf_counter) -> None:
        self.device = device
        self.found: dict[str, Region] = {}
        self._clock = clock

    @contextlib.contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Times what is done within it; regions may lie within each other."""
        synchronize(self.device)
        begun = self._clock()
        try:
            yield
        finally:
            synchronize(self.device)
            self.found.setdefault(name, Region()).add((self._clock() - begun) * 1000)

    def table(self) -> str:
        """Returns a line a region, the costliest first."""
        rows = sorted(self.found.items(), key=lambda item: -item[1].total_ms)
        return "\n".join(
            f"{name:<24} {took.count:6} times  mean {took.mean_ms:9.3f}  "
            f"min {took.min_ms:9.3f}  max {took.max_ms:9.3f} ms"
            for name, took in rows
        )


def on_card(device: torch.device) -> contextlib.AbstractContextManager[Any]:
    """Makes a card the current one: graphs, streams and Triton's kernels go to that, wherever tensors lie."""
    if device.type != "cuda":
        return contextlib.nullcontext()
    current: contextlib.AbstractContextManager[Any] = torch.cuda.device(device)
    return current


def synchronize(device: str) -> None:
    """Waits until a device has done all that it was given; a CPU always has."""
    if device.startswith("cuda"):
        torch.cuda.synchronize(device)


@contextlib.contextmanager
def stream(device: str) -> Iterator[None]:
    """Runs what is done within it on a stream of its own, after what was begun before; nothing on a CPU."""
    if not device.startswith("cuda"):
        yield
        return
    own: torch.cuda.Stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    current = torch.cuda.current_stream(device)
    own.wait_stream(current)
    with torch.cuda.stream(own):
        yield
    current.wait_stream(own)


def clean_up(device: str) -> None:
    """Gives memory that nothing uses any more back to the device."""
    if device.startswith("cuda"):
        torch.cuda.synchronize(device)
        torch.cuda.empty_cache()
