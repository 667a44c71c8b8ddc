"""Hop 6: a fight state becomes a `Decision`: searched, encoded, thought about step by step, decoded.

The first step's answer is kept as the reflex, the last one's is the advice. Next hop: `botapp.runtime`.
"""

import math
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
import torch

from botapp.advisor.bare import by_value
from botapp.advisor.calibration import Calibration
from botapp.advisor.decision import Decision, ScoredAction, TraceStep, Withheld
from botapp.advisor.deliberating import SLICES, DeliberatingAdvisor, Looks
from botapp.advisor.device import place
from botapp.advisor.domain import TrainingDomain
from botapp.advisor.expectations import alternative, expectations
from botapp.advisor.model import AdvisorModel, load_weights, tensors, weights_for
from botapp.advisor.thinker import is_thinker, load_thinker
from botapp.advisor.tokens import BUCKETS, Encoded, blank, encode
from botapp.advisor.turn_advisor import TurnAdvisor, heat, scored_action, since
from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.search.learned import LearnedEvaluation
from botapp.search.options import SearchOptions
from botapp.search.result import SearchResult
from hrm.act import Deliberation, Halting, deliberate
from hrm.backends import DevicePlan, open_engine
from hrm.backends.errors import PrecisionError

TOP = 5
_STEPS = 2
_MOST_ROLLOUT_ACTIONS = 128
"""Actions of the others that rollouts take where there is time for them: as many as in training."""
_CPU_THREADS = 1
"""A second thread saves a fifth on idle cores, and costs tenfold while the game and the app want them too."""

Shares = npt.NDArray[np.float64]


class Advisor(TurnAdvisor):
    """The model on a device with the limits of its thinking; those may be changed between two decisions.

    Attributes:
        placement: where the model runs, what was asked for, and why.
        max_steps: ACT steps at most.
        budget_ms: wall time for a whole decision, the search included; at least one step is always taken.
        halt_threshold: the probability of halt (0..1) at which thinking ends.
        withholds: whether a state too far from what the model was trained on gets no advice of the model's.
        falls_back: whether the search advises there alone, as `bare` does, rather than nobody.
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
        falls_back: bool = False,
    ) -> None:
        """Loads the model where `placement` says.

        Raises:
            ValueError: `max_steps` is below 1.
            hrm.backends.errors.InferenceError: the model cannot run there; which kind says why.
        """
        if max_steps < 1:
            raise ValueError(f"max_steps is {max_steps}; at least one step is needed")
        # Weights that were trained without rollouts get none.
        most = _MOST_ROLLOUT_ACTIONS if calibration.rollout_actions else 0
        super().__init__(budget_ms, SearchOptions(calibration.rollout_actions), SearchOptions(most))
        self.placement = placement
        self.max_steps = max_steps
        self.halt_threshold = halt_threshold
        self.withholds = withholds
        self.falls_back = falls_back
        self._calibration = calibration
        self._guard = TrainingDomain(model)
        self._engine = open_engine(model.stepper(), placement, memory_cap)
        self._model = model.to(self._engine.state_device).eval()

    def _choose(
        self, state: FightState, search: SearchResult, begun: float
    ) -> tuple[Decision, dict[str, float]]:
        started = perf_counter()
        encoded = encode(search)
        refusal = self._guard.refusal(encoded) if self.withholds else ""
        if refusal and self.falls_back:
            return by_value(state, search, "beyond-model"), {"encode": since(started)}
        if refusal:
            raise Withheld(refusal)
        encoded_at = perf_counter()
        deliberation = self._think(encoded, begun)
        thought_at = perf_counter()
        decision = self._decode(state, search, encoded, deliberation)
        if len(decision.candidates) == 1:
            decision = replace(decision, trace=(), stop="only-choice")
        return decision, {
            "encode": (encoded_at - started) * 1000,
            "think": (thought_at - encoded_at) * 1000,
            "decode": since(thought_at),
        }

    @property
    def measures(self) -> tuple[str, ...]:
        """What was done for speed where the model runs, in words."""
        plan = getattr(self._engine, "plan", None)
        return plan.applied if plan is not None else ()

    @property
    def precision(self) -> str:
        """The precision that the model runs in: fp32 where int8 was planned and no matrix gains from it."""
        return self._engine.precision

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
            self._think(blank(bucket), perf_counter())

    @torch.inference_mode()
    def _think(self, encoded: Encoded, begun: float) -> Deliberation:
        """Thinks within what is left of the budget of a decision that began at `begun`, in seconds."""
        x, mask = self._model.embed(*tensors([encoded], self._engine.state_device))
        deliberation = deliberate(
            self._engine.step,
            self._engine.start(1, x.shape[1]),
            x,
            mask,
            max_steps=self.max_steps,
            halting=Halting(self.halt_threshold, temperatures=self._calibration.halt),
            budget_ms=self.budget_ms if self.budget_ms > 0 else math.inf,
            spent_ms=since(begun),
            keep_history=True,
        )
        if not all(math.isfinite(step.q_halt) for step in deliberation.trace):
            raise PrecisionError(
                say(
                    "{precision} gives no numbers on {device}",
                    precision=self.placement.precision,
                    device=self.placement.device,
                )
            )
        return deliberation

    @torch.inference_mode()
    def _decode(
        self, state: FightState, search: SearchResult, encoded: Encoded, deliberation: Deliberation
    ) -> Decision:
        options = torch.from_numpy(encoded.options)[None].to(self._engine.state_device)
        shares: Shares = np.empty(0)
        bests: list[ScoredAction] = []
        trace = []
        for step, (logits, value) in zip(deliberation.trace, deliberation.history, strict=True):
            told = self._model.choose(logits, options)[0, : len(search.candidates)].double().cpu()
            shares = self._calibration.shares(told, step.index).numpy()
            top = int(shares.argmax())
            bests.append(scored_action(state, search, search.candidates[top], shares[top]))
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
        found = [scored_action(state, search, *one) for one in zip(search.candidates, shares, strict=True)]
        candidates = tuple(found[i] for i in np.argsort(-shares, kind="stable"))
        choices = candidates[:TOP]
        return Decision(
            choices=choices,
            reflex=bests[0],
            value=trace[-1].value,
            trace=tuple(trace),
            stop=deliberation.stop,
            heat=heat(found),
            expected=expectations(state, choices[0].action),
            alternative=alternative(state, *choices[:2]) if len(choices) > 1 else None,
            candidates=candidates,
        )


def create_advisor(
    weights: str | Path | None = None,
    device: str = "auto",
    precision: str = "auto",
    max_steps: int | None = None,
    budget_ms: float = 50.0,
    halt_threshold: float = 0.5,
    *,
    backend: str = "auto",
    memory_cap: int = 0,
    placement: DevicePlan | None = None,
    withholds: bool = True,
    looks: Looks = "model",
    price: float | None = None,
    learned: LearnedEvaluation | None = None,
    falls_back: bool = False,
) -> Advisor | DeliberatingAdvisor:
    """Makes an advisor that is ready to think.

    Args:
        weights: a safetensors file, None for the one that comes with the app: `lite` on a CPU, else `full`.
        device: "auto", or a name such as "cpu" or "cuda:1".
        precision: "auto", "fp32", "bf16" or "fp16".
        max_steps: ACT steps at most, None for as many as suit the weights.
        budget_ms: time for a whole decision, 0 for no limit.
        halt_threshold: the probability of halt (0..1) at which thinking ends.
        backend: "auto", "rocm", "cuda", "directml" or "cpu".
        memory_cap: bytes of the device's memory that may be taken, 0 for no cap.
        placement: where to run, in place of `backend`, `device` and `precision`.
        withholds: whether a state too far from what the model was trained on gets no advice of the model's.
        falls_back: whether the search advises there alone, as `bare` does, rather than nobody.
        looks, price, learned: see `DeliberatingAdvisor`; for its weights only.

    Raises:
        hrm.checkpoint.CheckpointError: the weights are missing or damaged; the text names the file and the
        remedy.
        hrm.backends.errors.InferenceError: the model cannot run where it should; which kind says why.
        ValueError: a setting makes no sense.
    """
    path = Path(weights) if weights is not None else None
    placement = placement or place(backend, device, precision, path)
    file = path or weights_for(placement.backend)
    if placement.device == "cpu" and torch.get_num_threads() > _CPU_THREADS:
        torch.set_num_threads(_CPU_THREADS)
    if is_thinker(file):
        return DeliberatingAdvisor(
            *load_thinker(file),
            placement,
            max_steps or SLICES,
            budget_ms,
            halt_threshold,
            memory_cap,
            looks=looks,
            price=price,
            learned=learned,
        )
    model, calibration = load_weights(file)
    advisor = Advisor(
        model,
        calibration,
        placement,
        max_steps or _STEPS,
        budget_ms,
        halt_threshold,
        memory_cap,
        withholds=withholds,
        falls_back=falls_back,
    )
    advisor.warm_up()
    return advisor
