"""Hop 6: a fight state becomes a `Decision`: encode, think step by step, put the answer in words.

The first step's answer is kept as the reflex, the last one's is the advice. Next hop: `botapp.runtime`.
"""

import math
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from botapp.advisor.calibration import Calibration
from botapp.advisor.continuation import rest_of_turn
from botapp.advisor.decision import Decision, Planned, ScoredAction, TraceStep, Withheld
from botapp.advisor.device import place
from botapp.advisor.domain import TrainingDomain
from botapp.advisor.expectations import alternative, expectations
from botapp.advisor.model import AdvisorModel, load_weights, tensors, weights_for
from botapp.advisor.tokens import BUCKETS, Encoded, blank, encode
from botapp.advisor.wording import assumptions, label, spell_name
from botapp.fight.actions import Action
from botapp.fight.rules import observation
from botapp.fight.state import FightState
from botapp.host.message import error_text, say
from hrm.act import Deliberation, Halting, deliberate
from hrm.backends import DevicePlan, open_engine
from hrm.backends.errors import PrecisionError

TOP = 5
PLACING = say("The fight has not begun: fighters are still choosing their places.")
_MOST_ROLLOUT_ACTIONS = 128
"""Actions of the others that are played in reply where there is time for them: as many as in training."""
_THINKING_SHARE, _THINKING_MS = 0.4, 40.0
"""The part of a time budget that is kept for thinking, and of how much at most: no reply is played then."""
_CPU_THREADS = 1
"""A second thread saves a fifth on idle cores, and costs tenfold while the game and the app want them too."""

Shares = npt.NDArray[np.float64]


class Advisor:
    """The model on a device with its habits of thinking; those may be changed between two decisions.

    Attributes:
        placement: where the model runs, what was asked for, and why.
        max_steps: ACT steps at most.
        budget_ms: time for a whole decision, encoding included; at least one step is always taken.
        halt_threshold: the probability of halt (0..1) at which thinking ends.
        withholds: whether a state too far from what the model was trained on gets no advice.
        replies: actions of the others that are played in reply before thinking begins, without a time
            budget; with one, as many as it has room for. 0 for weights that know none.
    """

    def __init__(
        self,
        model: AdvisorModel,
        calibration: Calibration,
        placement: DevicePlan,
        max_steps: int = 2,
        budget_ms: float = 50.0,
        halt_threshold: float = 0.5,
        memory_cap: int = 0,
        *,
        withholds: bool = True,
    ) -> None:
        """Loads the model where `placement` says.

        Raises:
            ValueError: `max_steps` is below 1.
            hrm.backends.errors.InferenceError: the model cannot run there; which kind says why.
        """
        if max_steps < 1:
            raise ValueError(f"max_steps is {max_steps}; at least one step is needed")
        self.placement = placement
        self.max_steps = max_steps
        self.budget_ms = budget_ms
        self.halt_threshold = halt_threshold
        self.withholds = withholds
        self.rollout_actions = calibration.rollout_actions
        self._calibration = calibration
        self._guard = TrainingDomain(model)
        self._engine = open_engine(model.stepper(), placement, memory_cap)
        self._model = model.to(self._engine.state_device).eval()

    def decide(self, state: FightState) -> Decision:
        """Advises the current actor of a state, the other side's traps left out.

        Raises:
            Withheld: there is nothing to decide, or no advice to stand by; the text says why.
        """
        begun = time.perf_counter()
        if state.placing:
            raise Withheld(PLACING)
        return self._decide(observation(state, state.actor.team), begun)

    decide_action = decide

    def plan(self, state: FightState, decision: Decision) -> Decision:
        """Returns the decision with the rest of its turn, as far as its time budget has room for.

        Args:
            state: what was decided about.
            decision: what was decided, without a plan.
        """
        cost = sum(spent for _, spent in decision.timings_ms)
        begun = time.perf_counter() - cost / 1000

        def ask(expected_state: FightState) -> Planned | None:
            if 0 < self.budget_ms < _since(begun) + cost:
                return None
            try:
                choice = self._decide(expected_state, begun).best
            except Withheld:
                return None
            return Planned(choice, expected_state, expectations(expected_state, choice.action))

        return replace(decision, plan=rest_of_turn(state, decision.action, ask))

    def _decide(self, state: FightState, begun: float) -> Decision:
        """Decides within what is left of a budget that began to run at `begun`, in seconds."""
        started = time.perf_counter()
        try:
            encoded = encode(state, *self._rollout_budget(begun))
        except ValueError as error:
            raise Withheld(error_text(error)) from error
        refusal = self._guard.refusal(encoded) if self.withholds else ""
        if refusal:
            raise Withheld(refusal)
        encode_ms = _since(started)
        if len(encoded.candidates) == 1:
            return _only_choice(state, encoded, encode_ms)
        thought = self._think(encoded, begun)
        thought_ms = _since(started)
        decision = self._decode(state, encoded, thought)
        timings = (
            ("encode", encode_ms),
            ("think", thought_ms - encode_ms),
            ("decode", _since(started) - thought_ms),
        )
        return replace(decision, timings_ms=timings)

    def _rollout_budget(self, begun: float) -> tuple[int, float]:
        """Returns how many actions of the others may be played in reply, and until when, in seconds."""
        if self.budget_ms <= 0 or not self.rollout_actions:
            return self.rollout_actions, math.inf
        left = self.budget_ms - min(_THINKING_SHARE * self.budget_ms, _THINKING_MS) - _since(begun)
        return _MOST_ROLLOUT_ACTIONS, max(0.0, left) / 1000

    @property
    def measures(self) -> tuple[str, ...]:
        """What was done for speed where the model runs, in words."""
        plan = getattr(self._engine, "plan", None)
        return plan.applied if plan is not None else ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the level was not done, each with the reason."""
        plan = getattr(self._engine, "plan", None)
        return plan.left_out if plan is not None else ()

    def close(self) -> None:
        """Gives the device's memory back; the advisor cannot be used any more."""
        self._engine.close()

    def warm_up(self) -> None:
        """Thinks once about nothing at the usual sizes, so that the first decision is a fast one."""
        for bucket in BUCKETS[:2]:
            self._think(blank(bucket), time.perf_counter())

    @torch.inference_mode()
    def _think(self, encoded: Encoded, begun: float) -> Deliberation:
        """Thinks within what is left of the budget of a decision that began at `begun`, in seconds."""
        x, mask = self._model.embed(*tensors([encoded], self._engine.state_device))
        thought = deliberate(
            self._engine.step,
            self._engine.start(1, x.shape[1]),
            x,
            mask,
            max_steps=self.max_steps,
            halting=Halting(self.halt_threshold, temperatures=self._calibration.halt),
            budget_ms=self.budget_ms if self.budget_ms > 0 else math.inf,
            spent_ms=_since(begun),
            keep_history=True,
        )
        if not all(math.isfinite(step.q_halt) for step in thought.trace):
            raise PrecisionError(
                say(
                    "{precision} gives no numbers on {device}",
                    precision=self.placement.precision,
                    device=self.placement.device,
                )
            )
        return thought

    @torch.inference_mode()
    def _decode(self, state: FightState, encoded: Encoded, thought: Deliberation) -> Decision:
        actions = [candidate.action for candidate in encoded.candidates]
        options = torch.from_numpy(encoded.options)[None].to(self._engine.state_device)
        shares: list[Shares] = []
        bests: list[ScoredAction] = []
        trace = []
        for step, (logits, value) in zip(thought.trace, thought.history, strict=True):
            told = self._model.choose(logits, options)[0, : len(actions)].double().cpu()
            shares.append(self._calibration.shares(told, step.index).numpy())
            top = int(shares[-1].argmax())
            bests.append(_choice(state, actions[top], shares[-1][top]))
            trace.append(
                TraceStep(
                    index=step.index,
                    q_halt=step.q_halt,
                    q_continue=step.q_continue,
                    best=bests[-1],
                    value=float(self._calibration.expected(value[0], step.index)),
                    elapsed_ms=step.elapsed_ms,
                )
            )
        final = shares[-1]
        order = np.argsort(-final, kind="stable")[:TOP]
        choices = tuple(_choice(state, actions[i], final[i]) for i in order)
        return Decision(
            choices=choices,
            reflex=bests[0],
            value=trace[-1].value,
            trace=tuple(trace),
            stop=thought.stop,
            heat=_heat(actions, final),
            assumed=assumptions(state),
            expected=expectations(state, choices[0].action),
            alternative=alternative(state, *choices[:2]),
        )


def _since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1000


def _choice(state: FightState, action: Action, share: float) -> ScoredAction:
    return ScoredAction(action, float(share), label(state, action), spell_name(state, action))


def _heat(actions: list[Action], shares: Shares) -> tuple[tuple[int, float], ...]:
    """Sums the shares by target cell, the warmest cell first."""
    cells: dict[int, float] = {}
    for action, share in zip(actions, shares, strict=True):
        if action.target is not None:
            cells[action.target] = cells.get(action.target, 0.0) + float(share)
    return tuple(sorted(cells.items(), key=lambda item: -item[1]))


def _only_choice(state: FightState, encoded: Encoded, encode_ms: float) -> Decision:
    """Decides without thinking; the value is the balance of both sides' HP."""
    action = encoded.candidates[0].action
    only = _choice(state, action, 1.0)
    own = sum(f.hp + f.shield for f in state.fighters if f.team == state.actor.team)
    everyone = sum(f.hp + f.shield for f in state.fighters)
    return Decision(
        choices=(only,),
        reflex=only,
        value=2 * own / everyone - 1,
        trace=(),
        stop="only-choice",
        heat=_heat([action], np.ones(1)),
        assumed=assumptions(state),
        timings_ms=(("encode", encode_ms), ("think", 0.0), ("decode", 0.0)),
    )


def create_advisor(
    weights: str | Path | None = None,
    device: str = "auto",
    precision: str = "auto",
    max_steps: int = 2,
    budget_ms: float = 50.0,
    halt_threshold: float = 0.5,
    *,
    backend: str = "auto",
    memory_cap: int = 0,
    placement: DevicePlan | None = None,
    withholds: bool = True,
) -> Advisor:
    """Makes an advisor that is ready to think.

    Args:
        weights: a safetensors file, None for the one that comes with the app: `lite` on a CPU, else `full`.
        device: "auto", or a name such as "cpu" or "cuda:1".
        precision: "auto", "fp32", "bf16" or "fp16".
        max_steps: ACT steps at most.
        budget_ms: time for a whole decision, 0 for no limit.
        halt_threshold: the probability of halt (0..1) at which thinking ends.
        backend: "auto", "rocm", "cuda", "directml" or "cpu".
        memory_cap: bytes of the device's memory that may be taken, 0 for no cap.
        placement: where to run, in place of `backend`, `device` and `precision`.
        withholds: whether a state too far from what the model was trained on gets no advice.

    Raises:
        hrm.checkpoint.CheckpointError: the weights are missing or damaged; the text names the file and the
        remedy.
        hrm.backends.errors.InferenceError: the model cannot run where it should; which kind says why.
        ValueError: a setting makes no sense.
    """
    path = Path(weights) if weights is not None else None
    placement = placement or place(backend, device, precision, path)
    model, calibration = load_weights(path or weights_for(placement.backend))
    if placement.device == "cpu" and torch.get_num_threads() > _CPU_THREADS:
        torch.set_num_threads(_CPU_THREADS)
    advisor = Advisor(
        model,
        calibration,
        placement,
        max_steps,
        budget_ms,
        halt_threshold,
        memory_cap,
        withholds=withholds,
    )
    advisor.warm_up()
    return advisor
