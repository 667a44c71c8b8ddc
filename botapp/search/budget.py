"""How long a search may take, as a number of states or in seconds of wall time."""

from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to search: a number of states, or a time in seconds of wall time."""

    states: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if (self.states is None) == (self.seconds is None):
            raise ValueError("a budget is a number of states or a time, one of both")
        if (self.states or 0) < 0 or (self.seconds or 0) < 0:
            raise ValueError("the budget is a number of states or a time, 0 or more")

    def spent(self, share: float, begun: float, states: float) -> bool:
        """Tells whether a share of the budget, 0..1, is gone.

        Args:
            begun: when the search began, in seconds of `time.perf_counter`.
            states: how many states were evaluated.
        """
        if self.seconds is not None:
            return perf_counter() - begun >= share * self.seconds
        return states >= share * (self.states or 0)
