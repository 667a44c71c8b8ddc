"""The stages that a frame goes through, as functions, and the clock that times them.

They come in from outside, so that tests can run the loop without a window or a model.
"""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from botapp.advisor.decision import Decision, ScoredAction
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.message import error_text, mark, say
from botapp.runtime.messages import DeviceStatus, MemoryStatus
from botapp.runtime.turns import Threat
from botapp.runtime.watch import Sight
from botapp.tracking.situation import Situation
from vision.frame import Frame, Rect
from vision.view import FightView

Result = TypeVar("Result")

_log = logging.getLogger(__name__)
_REPEAT_LOG_S = 30.0
_LISTED = ("capture", "vision", "situation")  # A decision says itself what its stages cost
_DECIDING = ("decision", "plan", "threat")  # The stages that search and think

_FAILURES: Mapping[str, str] = {
    "capture": mark("The window cannot be captured: {problem} See the log for details."),
    "vision": mark("The picture cannot be read: {problem} See the log for details."),
    "situation": mark("The state of the fight cannot be worked out: {problem} See the log for details."),
    "decision": mark("The advice failed: {problem} See the log for details."),
    "plan": mark("The rest of the turn cannot be predicted: {problem}"),
    "threat": mark("What the enemy threatens cannot be worked out: {problem}"),
    "memory": mark("The memory in use cannot be measured: {problem}"),
}
"""What is shown when a stage raised; failures of planning and of memory reporting are only logged."""


class NoAdvisor(Exception):
    """Nothing can advise; the text names what is missing and the remedy."""


class StageError(Exception):
    """A stage failed; the text is the reason for a person."""


@dataclass(frozen=True, slots=True)
class Advising:
    """The stages that search and think, and where."""

    # Thinks about a state, and about what was planned before for the rest of its turn; raises `NoAdvisor`
    # when there is nothing to think with, `Withheld` for a state that no advice is given for
    decide: Callable[[FightState, Sequence[Action]], Decision]
    # Takes what is called with a model's first answer while it thinks on; None turns it off
    hear: Callable[[Callable[[ScoredAction], object] | None], object] = lambda _: None
    # Looks ahead to the rest of the turn; asked while a decision's state is on screen again
    plan: Callable[[FightState, Decision], Decision] = lambda _, decision: decision
    # Thinks on about a state that is decided, until a time of `time.perf_counter`; returns a deeper decision
    # where there is one, None else
    think_on: Callable[[FightState, Decision, float], Decision | None] = lambda _, __, ___: None
    # Looks into the turn of an enemy; is given what is known of the fight and the id of the person's fighter
    threat: Callable[[FightState, int], Threat | None] = lambda _, __: None
    # Looks into the turn of the enemy that comes after an own turn; is given what is known of the fight and
    # the turn's actions
    reply: Callable[[FightState, Sequence[Action]], Threat | None] = lambda _, __: None
    device: Callable[[], DeviceStatus | None] = lambda: None  # Where the advisor runs


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages that a frame goes through, each as a function."""

    look: Callable[[], Sight]
    read: Callable[[Frame], FightView]
    # Makes a state of what was read and of what is known from the frames before
    situate: Callable[[FightView], Situation]
    advising: Advising
    # Says whose screen the last picture shows in place of the watched client's
    clients: Callable[[], tuple[str, ...]] = tuple
    # Says where the last reading has the spells on the bar, by key
    slots: Callable[[], tuple[tuple[str, Rect], ...]] = tuple
    # Tells whether the person has confirmed where the board of a reading is, or need not
    board_confirmed: Callable[[FightView], bool] = lambda _: True
    # Puts the picture where the Vision panel finds it; returns the number it can be found by
    show: Callable[[Frame], int] = lambda _: -1
    note: Callable[[FightView], None] = lambda _: None  # Is given every reading
    # Is given the picture of each new decision; returns the file name under which it is kept, "" for none
    keep: Callable[[Frame], str] = lambda _: ""
    memory: Callable[[], MemoryStatus | None] = lambda: None


class StageClock:
    """Times stages; whatever one raises is logged, the same not again for half a minute.

    Attributes:
        costs_ms: by stage, what seeing cost in this frame, in order; to be emptied for the next.
        deciding_s: processor time spent on searching and thinking since the start.
    """

    def __init__(self) -> None:
        self.costs_ms: dict[str, float] = {}
        self.deciding_s = 0.0
        self._logged: dict[str, float] = {}

    @contextmanager
    def stage(self, stage: str) -> Iterator[None]:
        """Times a stage.

        Raises:
            NoAdvisor: it raised that.
            StageError: it raised anything else.
        """
        start, worked = time.perf_counter(), time.process_time()
        try:
            yield
        except NoAdvisor:
            raise
        except Exception as error:
            text = say(_FAILURES[stage], problem=f"{type(error).__name__}: {error_text(error)}.")
            now = time.monotonic()
            self._logged = {failure: until for failure, until in self._logged.items() if until > now}
            if text not in self._logged:
                self._logged[text] = now + _REPEAT_LOG_S
                _log.exception(text)
            raise StageError(text) from error
        finally:
            if stage in _LISTED:
                self.costs_ms[stage] = (time.perf_counter() - start) * 1e3
            if stage in _DECIDING:
                self.deciding_s += time.process_time() - worked

    def result_of(self, stage: str, work: Callable[[], Result]) -> Result | None:
        """Returns the result of a stage that a frame can do without, None where it failed."""
        try:
            with self.stage(stage):
                return work()
        except StageError:
            return None
