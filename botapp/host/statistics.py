"""Percentiles of measured durations, summed up in one way everywhere."""

import numpy as np
import numpy.typing as npt


def percentiles(values: npt.ArrayLike) -> dict[str, float | int] | None:
    """Returns count, p50, p95 and p99, or None without values."""
    array = np.asarray(values, float)
    if not array.size:
        return None
    p50, p95, p99 = np.percentile(array, (50, 95, 99))
    return {"count": array.size, "p50": round(p50, 2), "p95": round(p95, 2), "p99": round(p99, 2)}
