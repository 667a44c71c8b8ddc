"""Percentiles of measured times. Next hop: the benchmarks and the probe's timed step report them."""

import math
from collections.abc import Sequence

import numpy as np


def percentile(times: Sequence[float], share: float) -> float:
    """Returns the time below which a share (0..1) of the times lie, interpolated; NaN for no times."""
    return float(np.quantile(times, share)) if len(times) else math.nan
