"""Percentiles of measured durations, summed up in one way everywhere."""

from collections.abc import Sequence

import numpy as np


def percentiles(values: Sequence[float]) -> dict[str, float | int] | None:
    """Returns count, p50, p95 and p99, or None without values."""
    if not values:
        return None
    p50, p95, p99 = np.percentile(np.asarray(values, float), (50, 95, 99))
    return {"count": len(values), "p50": round(p50, 2), "p95": round(p95, 2), "p99": round(p99, 2)}
