"""How much of a time budget the search leaves to the stages after it: encode, think and decode."""

_LEAST_SHARE, _LEAST_MS = 0.4, 40.0
"""The share of the budget that is kept at least, and how much of it at most. A search that used all the rest
made the slowest advice of the demo 7 ms later (p95 of capture to overlay)."""

_MOST_SHARE = 0.6  # The share of the budget that is kept at most, however slow the later stages are

_MEAN_GAIN, _DEVIATION_GAIN = 0.125, 0.25
_DEVIATIONS = 2.0


class TimeReserve:
    """A running estimate of what the stages after the search take.

    Mean and mean deviation are updated as TCP estimates its timeout (V. Jacobson, 1988), so that the reserve
    grows on a busy machine, where the costs scatter, and shrinks on an idle one.

    Args:
        least_share: the share of a budget that is kept at least.
    """

    def __init__(self, least_share: float = _LEAST_SHARE) -> None:
        self._least_share = least_share
        self._mean: float | None = None
        self._deviation = 0.0

    def record(self, cost_ms: float) -> None:
        """Records how long the stages after a search took, in milliseconds."""
        if self._mean is None:
            self._mean, self._deviation = cost_ms, cost_ms / 2
            return
        off = cost_ms - self._mean
        self._deviation += _DEVIATION_GAIN * (abs(off) - self._deviation)
        self._mean += _MEAN_GAIN * off

    def of(self, budget_ms: float) -> float:
        """Returns how much of a decision's time budget to keep, in milliseconds."""
        least = min(self._least_share * budget_ms, _LEAST_MS)
        estimate = 0.0 if self._mean is None else self._mean + _DEVIATIONS * self._deviation
        return max(least, min(estimate, _MOST_SHARE * budget_ms))
