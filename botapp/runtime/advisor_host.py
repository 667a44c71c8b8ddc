"""Who advises, as the settings say: the search alone, or the model with the search.

The search needs no torch, so that the model's host is imported only where a model advises.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol

import psutil

from botapp.advisor.bare import BareAdvisor, SearchAdvisor, bare_advisor
from botapp.advisor.decision import Decision, ScoredAction
from botapp.advisor.thinking_on import ThinkingOn
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.cores import usual_threads
from botapp.host.message import error_text, say
from botapp.host.settings import EngineSettings
from botapp.runtime import first_start
from botapp.runtime.messages import DeviceStatus, PlanAnnounced
from botapp.runtime.stages import NoAdvisor
from botapp.runtime.start import LOADING_THREAD, OtherAdviser, searches
from hrm.backends.fallback import Ladder

if TYPE_CHECKING:
    from botapp.runtime.model_host import ModelHost

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
LOADING = say("The model is being loaded; until then the search advises alone.")
_WAITS_S = 1.0  # How long loading waits for the first advice, which it would only delay
_NEEDED_MB = 400  # Free memory below which the model is not loaded: torch and the weights take some 300 MB


class Host(Protocol):
    """What holds an advisor, and answers for it."""

    trouble: str
    device: DeviceStatus | None

    def tune(self, wish: EngineSettings) -> None: ...

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Advises on a state; what was planned before for the rest of the turn is looked at in any case."""
        ...

    def hear(self, tell: Callable[[ScoredAction], object] | None) -> None:
        """Passes the first answer of each decision to `tell`; None turns it off."""
        ...

    def plan(self, state: FightState, decision: Decision) -> Decision:
        """Returns the decision with the rest of its turn."""
        ...

    def think_on(self, state: FightState, decision: Decision, until: float) -> Decision | None:
        """Thinks on about a state until a time; returns a deeper decision where there is one."""
        ...

    def close(self) -> None: ...


class SearchHost:
    """Holds the advisor without a model, which runs anywhere.

    Args:
        decision_ms: time for a decision in place of the settings', in milliseconds of wall time.
    """

    def __init__(self, advisor: BareAdvisor, decision_ms: float | None = None) -> None:
        self.trouble = ""
        self.device: DeviceStatus | None = SEARCHING
        self._advisor = advisor
        self._decision_ms = decision_ms
        self.decide, self.plan, self.close = advisor.decide, advisor.plan, advisor.close
        self.think_on = ThinkingOn(advisor.timed_options, advisor.baseline).think

    def hear(self, tell: Callable[[ScoredAction], object] | None) -> None:
        """Tells nothing: the search answers once."""

    def tune(self, wish: EngineSettings) -> None:
        given = self._decision_ms
        self._advisor.budget_ms = float(wish.latency_budget_ms) if given is None else given


class AdvisorHost:
    """Holds the advisor in use.

    Where a model is wished for, the search alone advises until it is loaded, and where it cannot run: the
    device's status says which and why.
    """

    def __init__(
        self,
        announce: Callable[[PlanAnnounced], object],
        other: OtherAdviser | None = None,
        handed_over: Callable[[], object] = lambda: None,
    ) -> None:
        """Prepares; `load` makes the advisor.

        Args:
            announce: called with every change of the device that a model runs on.
            other: an adviser in place of the one in the settings.
            handed_over: is called when the model has taken over from the search, or the search from it.
        """
        self._announce = announce
        self._handed_over = handed_over
        self._other = other
        self._host: Host | None = None
        self._wish = EngineSettings()
        self._loading: _Loading | None = None

    @property
    def device(self) -> DeviceStatus | None:
        """Where the advisor runs, None while there is none; a model that has loaded meanwhile takes over."""
        self._settle()
        device = self._host.device if self._host is not None else None
        coming = self._loading.coming if self._loading is not None else None
        if device is None or coming is None:
            return device
        return replace(device, fits=coming.fit.fits, room=coming.fit.why)

    @property
    def trouble(self) -> str:
        """Why there is no advisor, in words; "" while there is one."""
        return self._host.trouble if self._host is not None else say("The engine is starting.")

    def load(self, wish: EngineSettings, ladder: Ladder | None = None, *, aside: bool = False) -> None:
        """Makes the advisor that is wished for; where a model cannot be loaded the search advises.

        Args:
            ladder: where the model goes on after a fault; None begins at the top.
            aside: whether the search advises while the model is loaded in a thread of its own.
        """
        self.close()
        self._wish = wish
        if searches(self._other, wish):
            threads = wish.cpu_threads or usual_threads()
            advisor = SearchAdvisor(threads=threads) if self._other is None else _search_of(self._other)
            self._host = SearchHost(advisor, self._decision_ms)
            self._host.tune(wish)
            return
        self._loading = _Loading(self._announce, self._other, wish, ladder)
        if aside:
            self._search_alone(LOADING)
            return
        self._loading.run()
        self._settle()

    def tune(self, wish: EngineSettings) -> None:
        """Takes over what needs no loading: the limits of a decision."""
        self._wish = wish
        if self._host is not None:
            self._host.tune(wish)

    def hear(self, tell: Callable[[ScoredAction], object] | None) -> None:
        """Passes the model's first answer to `tell` while it thinks on; None turns it off."""
        self._settle()
        if self._host is not None:
            self._host.hear(tell)

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Advises on a state; what was planned before for the rest of the turn is looked at in any case.

        Where the model has no place left to think at, the search advises from now on.

        Raises:
            NoAdvisor: nothing was loaded.
            botapp.advisor.decision.Withheld: there is no advice for this state; the text says why.
            SystemExit: the device can only be used again by a new process.
        """
        self._settle()
        decision = self._asked(lambda host: host.decide(state, planned))
        if self._loading is not None:
            self._loading.begin()
        return decision

    def plan(self, state: FightState, decision: Decision) -> Decision:
        """Returns the decision with the rest of its turn, as far as its time budget has room for.

        Raises:
            NoAdvisor: nothing was loaded.
            SystemExit: the device can only be used again by a new process.
        """
        return self._asked(lambda host: host.plan(state, decision))

    def think_on(self, state: FightState, decision: Decision, until: float) -> Decision | None:
        """Thinks on about a state until a time; returns a deeper decision where there is one."""
        return self._host.think_on(state, decision, until) if self._host is not None else None

    def close(self) -> None:
        """Gives back what the advisor holds; a model that is being loaded is closed when it is."""
        if self._loading is not None:
            self._loading.drop()
            self._loading = None
        if self._host is not None:
            self._host.close()
            self._host = None

    def _asked(self, question: Callable[[Host], Decision]) -> Decision:
        if self._host is None:
            raise NoAdvisor(self.trouble)
        try:
            return question(self._host)
        except NoAdvisor as error:
            self._search_alone(error_text(error))
            self._handed_over()
            return question(self._host)

    def _search_alone(self, why: str) -> None:
        if self._host is not None:
            self._host.close()
        host = SearchHost(SearchAdvisor(), self._decision_ms)
        host.device = replace(SEARCHING, asked="model", reason=why, loading=why == LOADING)
        host.tune(self._wish)
        self._host = host

    @property
    def _decision_ms(self) -> float | None:
        """The time for a decision in place of the settings', in milliseconds; None for theirs."""
        return None if self._other is None else self._other.options.get("decision_ms")

    def _settle(self) -> None:
        """Hands over to a model that has loaded; notes why where it could not be loaded."""
        loading = self._loading
        if loading is None:
            return
        if not loading.done:
            loading.begin_late()
            return
        self._loading = None
        if loading.host is not None and not loading.trouble:
            if self._host is not None:
                self._host.close()
            self._host = loading.host
            self._host.tune(self._wish)
        else:
            self._search_alone(
                say("The model cannot run: {problem} The search advises alone.", problem=loading.trouble)
            )
        self._handed_over()


def _search_of(other: OtherAdviser) -> BareAdvisor:
    options = {
        name: value for name, value in other.options.items() if name not in ("ms", "decision_ms", "share")
    }
    return bare_advisor(**options)


class _Loading:
    """A model that is being loaded, in a thread of its own once the first advice is out."""

    def __init__(
        self,
        announce: Callable[[PlanAnnounced], object],
        other: OtherAdviser | None,
        wish: EngineSettings,
        ladder: Ladder | None,
    ) -> None:
        self.host: Host | None = None
        self.trouble: str = ""
        self.done = False
        self._given = announce, other, wish, ladder
        self._thread: Thread | None = None
        self.coming: ModelHost | None = None
        self._dropped = False
        self._late = monotonic() + _WAITS_S

    def begin(self) -> None:
        if self._thread is None and not self.done and not first_start.pending():
            self._thread = Thread(target=self.run, name=LOADING_THREAD, daemon=True)
            self._thread.start()

    def begin_late(self) -> None:
        """Begins once no decision has been asked for in a while."""
        if monotonic() >= self._late:
            self.begin()

    def drop(self) -> None:
        """Closes the model once it is loaded: another adviser was chosen."""
        self._dropped = True
        if self.done and self.host is not None:
            self.host.close()

    def run(self) -> None:
        announce, other, wish, ladder = self._given
        try:
            self.trouble = too_little_memory()
            if not self.trouble:
                from botapp.runtime.model_host import ModelHost  # noqa: PLC0415 - it loads torch

                host = self.coming = ModelHost(announce, other.options if other is not None else {})
                host.load(wish, ladder)
                self.host, self.trouble = host, host.trouble
        except (ImportError, OSError) as error:
            _log.exception("the model cannot be loaded")
            self.trouble = say(
                "PyTorch cannot be loaded ({problem}). Install it again with `make torch`, or see "
                "`botapp doctor`.",
                problem=error_text(error),
            )
        except Exception as error:
            _log.exception("the model cannot be loaded")
            self.trouble = error_text(error) or type(error).__name__
        self.done = True
        if self._dropped and self.host is not None:
            self.host.close()


def too_little_memory() -> str:
    """Returns why the model does not fit into the computer's memory, "" where it does."""
    free = psutil.virtual_memory().available >> 20
    if free >= _NEEDED_MB:
        return ""
    return say(
        "{free} MB of memory are free, and it needs {needed}. Close other programs, then choose the model "
        "again in the settings.",
        free=free,
        needed=_NEEDED_MB,
    )
