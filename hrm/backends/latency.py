"""Times of steps, each waited for, and their percentiles."""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from hrm.backends.engines.devices import synchronize


def times_ms(step: Callable[[], object], device: str, repeats: int, warm_up: int = 0) -> list[float]:
    """Returns the milliseconds that each run of a step took, the device waited for before and after it.

    Args:
        step: what is timed; what it raises is passed on.
        device: where it runs, as torch names it.
        warm_up: runs before them that are not.
    """
    times = []
    for _ in range(warm_up + repeats):
        synchronize(device)
        begun = time.perf_counter()
        step()
        synchronize(device)
        times.append((time.perf_counter() - begun) * 1000)
    return times[warm_up:]


def percentile(times: Sequence[float], share: float) -> float:
    """Returns the time below which a share (0..1) of the times lie, interpolated; NaN for no times."""
    return float(np.quantile(times, share)) if len(times) else math.nan
