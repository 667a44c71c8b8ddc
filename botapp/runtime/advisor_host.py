"""Who advises, as the settings say: the search alone, or the model with the search.

The search needs no torch, so that the model's host is imported only where a model advises. Next hop:
`botapp.advisor.bare`, or `botapp.runtime.model_host`.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from botapp.advisor.bare import BareAdvisor, SearchAdvisor
from botapp.advisor.decision import Decision
from botapp.arena.player_spec import parse
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.cores import usual_threads
from botapp.host.message import error_text, say
from botapp.host.settings import EngineSettings
from botapp.runtime.loop import NoAdvisor
from botapp.runtime.messages import DeviceStatus, PlanAnnounced
from botapp.runtime.start import searches
from hrm.backends.fallback import Ladder

_log = logging.getLogger(__name__)

SEARCHING = DeviceStatus(
    asked="search",
    backend="cpu",
    device="cpu",
    precision="",
    reason=say("No model advises: the search runs on the processor."),
    engine="search",
)
"""Where it runs while the search advises alone."""


class Host(Protocol):
    """What holds an advisor, and answers for it."""

    trouble: str
    device: DeviceStatus | None

    def tune(self, wish: EngineSettings) -> None:
        """Takes over the limits of a decision."""
        ...

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Advises on a state; what was planned before for the rest of the turn is looked at in any case."""
        ...

    def plan(self, state: FightState, decision: Decision) -> Decision:
        """Returns the decision with the rest of its turn."""
        ...

    def close(self) -> None:
        """Gives back what the advisor holds."""
        ...


class SearchHost:
    """Holds the advisor without a model, which runs anywhere.

    Args:
        advisor: it.
        decision_ms: time for a decision that goes before the settings', in milliseconds of wall time.
    """

    def __init__(self, advisor: BareAdvisor, decision_ms: float | None = None) -> None:
        self.trouble = ""
        self.device: DeviceStatus | None = SEARCHING
        self._advisor = advisor
        self._decision_ms = decision_ms
        self.decide, self.plan, self.close = advisor.decide, advisor.plan, advisor.close

    def tune(self, wish: EngineSettings) -> None:
        """Takes over the time for a decision."""
        given = self._decision_ms
        self._advisor.budget_ms = float(wish.latency_budget_ms) if given is None else given


class AdvisorHost:
    """Holds whoever advises now."""

    def __init__(self, announce: Callable[[PlanAnnounced], object], player: str = "") -> None:
        """Prepares; `load` makes the advisor.

        Args:
            announce: is told of every change of the place that a model runs at.
            player: word of the player that advises in place of the settings' adviser, a model or `bare`.

        Raises:
            botapp.arena.player_spec.OptionError: the word makes no sense.
        """
        self._announce = announce
        self._word = player
        self._player = parse(player) if player else None
        self._host: Host | None = None
        self._trouble: str = say("The engine is starting.")

    @property
    def device(self) -> DeviceStatus | None:
        """Where the advisor runs, None while there is none."""
        return self._host.device if self._host is not None else None

    @property
    def trouble(self) -> str:
        """Why there is no advisor, in words; "" while there is one."""
        return self._host.trouble if self._host is not None else self._trouble

    def load(self, wish: EngineSettings, ladder: Ladder | None = None) -> None:
        """Makes the advisor that is wished for; where a model cannot be loaded, why not is noted.

        Args:
            wish: the person's settings.
            ladder: where the model goes on after a fault; None begins at the top.
        """
        if self._host is not None:
            self._host.close()
            self._host = None
        if searches(self._word, wish):
            player = self._player
            threads = wish.cpu_threads or usual_threads()
            advisor = SearchAdvisor(threads=threads) if player is None else player.advisor()
            times = {} if player is None else dict(player.options)
            self._host = SearchHost(advisor, times.get("decision_ms"))
            self._host.tune(wish)
            return
        try:
            from botapp.runtime.model_host import ModelHost  # noqa: PLC0415 - it loads torch
        except (ImportError, OSError) as error:
            _log.exception("the model cannot be loaded")
            self._trouble = error_text(error)
            return
        host = ModelHost(self._announce, self._player)
        host.load(wish, ladder)
        self._host = host

    def tune(self, wish: EngineSettings) -> None:
        """Takes over what needs no loading: the limits of a decision."""
        if self._host is not None:
            self._host.tune(wish)

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Advises on a state; what was planned before for the rest of the turn is looked at in any case.

        Raises:
            NoAdvisor: there is no place to think at; the text says why.
            botapp.advisor.decision.Withheld: there is no advice for this state; the text says why.
            SystemExit: the device can only be used again by a new process.
        """
        return self._loaded().decide(state, planned)

    def plan(self, state: FightState, decision: Decision) -> Decision:
        """Returns the decision with the rest of its turn, as far as its time budget has room for.

        Raises:
            NoAdvisor: there is no place to think at.
            SystemExit: the device can only be used again by a new process.
        """
        return self._loaded().plan(state, decision)

    def _loaded(self) -> Host:
        if self._host is None:
            raise NoAdvisor(self._trouble)
        return self._host
