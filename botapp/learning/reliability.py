"""Whether chances that are said come true: what was said and what came of it, by tenths."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Cases of like confidence: their share of all, their mean confidence, how often they came true."""

    share: float
    confidence: float
    right: float


def reliability(confidences: npt.NDArray[Any], came: npt.NDArray[Any]) -> list[Bin]:
    """Sorts cases into ten equal bins of what was told, 0..1; empty ones are left out.

    Args:
        confidences: confidences, (N,).
        came: what came of each, 0..1, (N,).
    """
    bins = np.minimum((confidences * _BINS).astype(int), _BINS - 1)
    filled = []
    for number in range(_BINS):
        inside = bins == number
        if inside.any():
            filled.append(
                Bin(float(inside.mean()), float(confidences[inside].mean()), float(came[inside].mean()))
            )
    return filled


def calibration_error(confidences: npt.NDArray[Any], came: npt.NDArray[Any]) -> float:
    """Returns the expected calibration error over ten bins, weighted by their sizes."""
    return sum(
        bucket.share * abs(bucket.confidence - bucket.right) for bucket in reliability(confidences, came)
    )
