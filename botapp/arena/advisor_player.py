"""Players by an advisor: the model's advice, or that of the search alone."""

import random
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from botapp.advisor.decision import Decision
from botapp.fight.actions import Action, Ready
from botapp.fight.rules import observation
from botapp.fight.state import FightState

_SHARE, _SMALLEST_SHARE = 0.4, 0.1
"""Of what is left of a turn's time, and of the whole of it, for an advisor's next decision."""
_LEAST_MS = 1.0


class PlayingAdvisor(Protocol):
    """What a player needs of an advisor."""

    budget_ms: float

    def decide(self, state: FightState, planned: tuple[Action, ...] = ()) -> Decision:
        """Returns the decision for the current actor of a state."""
        ...


class AdvisorPlayer:
    """Plays what an advisor decides; what it thought best for the rest of a turn it looks at again.

    Args:
        advisor: an `Advisor` or a `BareAdvisor`.
        ms: milliseconds for a whole turn; each decision gets a share of what is left, and a tenth of the
            turn at the least while that much is left.
        decision_ms: milliseconds for each decision. With neither of both there is no limit, and the same
            seed is the same fight.
        share: what a decision gets of what is left of a turn's time, 0..1.

    Raises:
        ValueError: both are given.
    """

    def __init__(
        self,
        advisor: PlayingAdvisor,
        ms: float | None = None,
        decision_ms: float | None = None,
        share: float = _SHARE,
    ) -> None:
        if ms is not None and decision_ms is not None:
            raise ValueError("ms is for a turn, decision_ms for each decision: give one of them")
        self._advisor = advisor
        self._ms = ms
        self._decision_ms = decision_ms
        self._of_rest = share
        self._turn = (-1, -1)
        self._left = 0.0
        self._planned: tuple[Action, ...] = ()

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action advised; the enemies' traps are not shown to the advisor.

        Before the fight it takes the place it has.
        """
        if state.placing:
            return Ready()
        begun = perf_counter()
        if (state.turn, state.current) != self._turn:
            self._turn, self._planned = (state.turn, state.current), ()
            self._left = self._ms or 0.0
        self._advisor.budget_ms = (self._decision_ms or 0.0) if self._ms is None else self._share(self._ms)
        best = self._advisor.decide(observation(state, state.actor.team), self._planned).best
        self._planned = best.line[1:]
        self._left -= (perf_counter() - begun) * 1000
        return best.action

    def _share(self, whole: float) -> float:
        """Returns the milliseconds for the next decision of a turn of so many."""
        return max(self._of_rest * self._left, min(_SMALLEST_SHARE * whole, self._left), _LEAST_MS)


@lru_cache(maxsize=4)
def model_advisor(device: str, precision: str, options: tuple[tuple[str, Any], ...]) -> Any:
    """Returns a model's advisor, which is slow to make and keeps nothing of a fight.

    It runs on plain torch, whatever a benchmark found faster on this computer.

    Args:
        device: where it runs, "auto" for the best there is.
        precision: what it computes in, "auto" for what the app would choose.
        options: further arguments of `create_advisor`.

    Raises:
        ValueError: the device or the precision asked for cannot be had; the text says why.
    """
    from botapp.advisor import own_weights  # noqa: PLC0415 - torch is loaded only where the model plays
    from botapp.advisor.advisor import create_advisor  # noqa: PLC0415 (as above)
    from botapp.advisor.device import exact, stored_config  # noqa: PLC0415 (as above)
    from hrm.backends import choose  # noqa: PLC0415 (as above)

    placed = choose("auto", device, precision)
    config = stored_config(Path(dict(options).get("weights", own_weights.weights_for(placed.backend))))
    if precision == "auto" and config is not None:
        placed = exact(placed, config)
    devices = ("auto", placed.device, placed.device.removesuffix(":0"))
    if device not in devices or precision not in ("auto", placed.precision):
        raise ValueError(f"the model cannot play on {device} in {precision}: {placed.reason}")
    return create_advisor(**{"placement": placed, **dict(options)})
