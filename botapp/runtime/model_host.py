"""The model where it can run: loaded along the fallback ladder, and moved down it when its place fails.

A failure that leaves the device usable is answered here, within the decision; one that does not asks the
app for a new process by leaving with `RESTART_CODE`. Every change of place is announced, so that the app
knows where to go on should the whole process die. Imported where a model advises, as it loads torch.
"""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import psutil
import torch

from botapp.advisor import own_weights
from botapp.advisor.advisor import create_advisor
from botapp.advisor.decision import Decision, ScoredAction, Withheld
from botapp.advisor.deliberating import DeliberatingAdvisor, Thinking
from botapp.advisor.device import place, stored_config
from botapp.advisor.embedding import LENGTHS
from botapp.advisor.thinking_on import ThinkingOn
from botapp.arena.scenarios import duel
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.cores import usual_threads
from botapp.host.message import error_text, mark, say
from botapp.host.settings import EngineSettings
from botapp.runtime.messages import DeviceStatus, PlanAnnounced
from botapp.runtime.stages import NoAdvisor
from botapp.runtime.start import RESTART_CODE
from hrm.backends import DevicePlan, Ladder, fault_of_error
from hrm.backends.errors import DeviceError, sort_error
from hrm.backends.memory.estimate import CUBLAS_WORKSPACE, estimate_core
from hrm.backends.memory.telemetry import read

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer", Decision, Decision | None)
_PLACE_FAULTS = (RuntimeError, MemoryError, ImportError, OSError)
_DTYPES = ("fp32", "bf16", "fp16")


class Fit(NamedTuple):
    """Whether a model fits, None where that is not known, and why in words."""

    fits: bool | None = None
    why: str = ""


def fit(plan: DevicePlan, weights: Path, cap: int = 0) -> Fit:
    """Returns whether a model fits into the memory that is free, and how much it takes.

    Args:
        plan: where it is to run.
        weights: its file, of which the configuration alone is read.
        cap: bytes that it may take at most, 0 for no cap.
    """
    config = stored_config(weights)
    if config is None:
        return Fit()
    precision = plan.precision if plan.precision in _DTYPES else "fp32"
    needed = estimate_core(config, LENGTHS[-1], precision=precision).total
    on_card = plan.backend != "cpu"
    if on_card:
        needed += CUBLAS_WORKSPACE
    free = read(plan.device).free if on_card else int(psutil.virtual_memory().available)
    values = {"needed": max(1, needed >> 20), "free": None if free is None else free >> 20}
    if cap and cap < needed:
        why = say(
            "Does not fit: the model's weights and a step need {needed:,} MB and may take {cap:,} MB; "
            "it runs in parts, more slowly.",
            cap=cap >> 20,
            **values,
        )
        return Fit(False, why)
    if free is None:
        return Fit(
            None,
            say(
                "The model's weights and a step need {needed:,} MB; how much is free is not known here.",
                **values,
            ),
        )
    if free < needed:
        text = mark(
            "Does not fit: the model's weights and a step need {needed:,} MB, and {free:,} MB are free. "
            "Close other programs."
        )
        return Fit(False, say(text, **values))
    return Fit(
        True,
        say(
            "Fits: the model's weights and a step need {needed:,} MB of {free:,} MB that are free; "
            "the libraries that run them take some 200 MB of the computer's memory.",
            **values,
        ),
    )


class ModelHost:
    """Holds the model's advisor, wherever it runs now.

    Attributes:
        trouble: why there is no advisor, in words; "" while there is one.
        device: where it runs, None while there is none.
        fit: whether it fits into the memory of where it is being loaded.
    """

    def __init__(
        self, announce: Callable[[PlanAnnounced], object], given: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Prepares; `load` makes the advisor.

        Args:
            announce: called with every change of device.
            given: overrides of the settings, see `botapp.runtime.start.OtherAdviser`.
        """
        self.trouble = ""
        self.device: DeviceStatus | None = None
        self.fit = Fit()
        self._announce = announce
        self._advisor: DeliberatingAdvisor | None = None
        self._thinking_on: tuple[DeliberatingAdvisor, ThinkingOn] | None = None
        self._given = given
        self._ladder: Ladder | None = None
        self._wish = EngineSettings()

    def load(self, wish: EngineSettings, ladder: Ladder | None = None) -> None:
        """Loads the model where it is wished for, or as near below as it loads; else notes why not.

        Args:
            ladder: where to go on after a fault; None begins at the top.
        """
        self.close()
        self._wish = wish
        if ladder is None:
            device = self._given.get("device", wish.device)
            precision = self._given.get("precision", wish.precision)
            ladder = Ladder.of(place(wish.backend, device, precision, level=wish.level, **self._weights()))
        self._climb(ladder)

    def tune(self, wish: EngineSettings) -> None:
        """Takes over what needs no loading: the limits of a decision."""
        self._wish = wish
        if self._advisor is None:
            return
        self._advisor.budget_ms = self._given.get("decision_ms", float(wish.latency_budget_ms))
        self._advisor.thinking = replace(
            self._advisor.thinking,
            max_steps=self._given.get("steps", wish.step_limit),
            halt_threshold=wish.halt_threshold if self._given.get("exit", True) else math.inf,
        )

    def _weights(self) -> dict[str, Any]:
        """Returns the file of the weights as an argument, nothing for the app's own."""
        file = self._given.get("weights")
        return {} if file is None else {"weights": Path(file)}

    def decide(self, state: FightState, planned: Sequence[Action] = ()) -> Decision:
        """Thinks about a state, elsewhere where the place it runs at fails.

        What was planned before for the rest of the turn is looked at in any case.

        Raises:
            NoAdvisor: there is no place left to think at; the text says why.
            botapp.advisor.decision.Withheld: there is no advice for this state; the text says why.
            SystemExit: the device can only be used again by a new process.
        """
        return self._asked(lambda advisor: advisor.decide(state, planned))

    def plan(self, state: FightState, decision: Decision) -> Decision:
        """Returns the decision with the rest of its turn, as far as its time budget has room for.

        Raises:
            NoAdvisor: there is no place left to think at.
            SystemExit: the device can only be used again by a new process.
        """
        return self._asked(lambda advisor: advisor.plan(state, decision))

    def think_on(self, state: FightState, decision: Decision, until: float) -> Decision | None:
        """Thinks on about a state until a time; returns a deeper decision where there is one.

        Raises:
            NoAdvisor: there is no place left to think at.
            SystemExit: the device can only be used again by a new process.
        """
        return self._asked(lambda advisor: self._further(advisor).think(state, decision, until))

    def hear(self, tell: Callable[[ScoredAction], object] | None) -> None:
        """Passes the first answer of each decision to `tell` while the model thinks on; None turns it off."""
        if self._advisor is not None:
            self._advisor.on_reflex = tell

    def close(self) -> None:
        if self._advisor is not None:
            self._advisor.close()
        self._advisor = self.device = self._thinking_on = None

    def _further(self, advisor: DeliberatingAdvisor) -> ThinkingOn:
        if self._thinking_on is None or self._thinking_on[0] is not advisor:
            further = ThinkingOn(advisor.timed_options, advisor.baseline, advisor.judge)
            self._thinking_on = advisor, further
        return self._thinking_on[1]

    def _asked(self, question: Callable[[DeliberatingAdvisor], _Answer]) -> _Answer:
        while self._advisor is not None:
            try:
                return question(self._advisor)
            except _PLACE_FAULTS as error:
                self._move_down(error)
        raise NoAdvisor(self.trouble)

    def _climb(self, ladder: Ladder | None) -> None:
        """Loads at the first place, from the ladder's current one down, where the model loads and answers."""
        while ladder is not None:
            self._ladder = ladder
            self._announce(PlanAnnounced(ladder))
            try:
                self._open(ladder)
            except _PLACE_FAULTS as error:
                _log.exception("the model cannot run on %s", ladder.current.device)
                self._note(error)
                ladder = ladder.after(fault_of_error(error))
            except Exception as error:
                _log.exception("the model cannot be loaded")
                self._note(error)
                return
            else:
                return

    def _open(self, ladder: Ladder) -> None:
        cap = self._wish.memory_cap_mb << 20
        threads = self._wish.cpu_threads or usual_threads()
        weights = self._weights().get("weights") or own_weights.weights_for(ladder.current.backend)
        self.fit = fit(ladder.current, Path(weights), cap)
        if self.fit.why:
            _log.info(self.fit.why)
        advisor = create_advisor(
            placement=ladder.current,
            memory_cap=cap,
            thinking=Thinking(beside=threads > 1, threads=threads),
            **self._weights(),
        )
        with suppress(Withheld):
            advisor.decide(duel(0))  # the first decision is slow, so it is made before one is asked for
        got = ladder.current
        self._advisor, self.trouble = advisor, ""
        self.device = replace(_status(got, advisor), fits=self.fit.fits, room=self.fit.why)
        self.tune(self._wish)
        _log.info(
            say(
                "model running on {device} in {precision}: {reason}",
                device=got.device,
                precision=advisor.precision,
                reason=got.reason,
            )
        )
        for measure in advisor.measures:
            _log.info(say("For speed: {measures}", measures=measure))
        for reason in advisor.left_out:
            _log.info(say("Left out: {reason}", reason=reason))

    def _move_down(self, error: BaseException) -> None:
        assert self._ladder is not None
        _log.error(
            say(
                "the model failed on {device}: {problem}",
                device=self._ladder.current.device,
                problem=error_text(error),
            )
        )
        ladder = self._ladder.after(fault_of_error(error))
        if isinstance(sort_error(error), DeviceError) and self._ladder.current.backend != "cpu":
            if ladder is not None:
                self._announce(PlanAnnounced(ladder))
            raise SystemExit(RESTART_CODE) from error
        self.close()
        self._note(error)
        self._climb(ladder)

    def _note(self, error: BaseException) -> None:
        self.trouble = error_text(error) or type(error).__name__


def _status(got: DevicePlan, advisor: DeliberatingAdvisor) -> DeviceStatus:
    return DeviceStatus(
        got.asked,
        got.backend,
        got.device,
        advisor.precision,
        got.reason,
        got.engine,
        advisor.measures,
        got.level,
        advisor.left_out,
        got.probed or got.backend == "cpu",
        _title(got.device),
    )


def _title(device: str) -> str:
    """Returns a card's own name, "" where torch does not know it."""
    if not device.startswith("cuda"):
        return ""
    try:
        return str(torch.cuda.get_device_properties(device).name)
    except (RuntimeError, AssertionError, OSError, ValueError):
        return ""
