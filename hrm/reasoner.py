"""The high-level interface: tokens in, the answer and its deliberation steps out. Built on `hrm.act`."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hrm.act import Deliberation, DeliberationStep, Halting, Outputs, Stepper, StopReason, deliberate
from hrm.config import PRESETS, Config, preset
from hrm.model import HRM, Carry

Watch = Callable[[float, NDArray[np.int64]], None]
Tokens = Sequence[int] | Sequence[Sequence[int]] | NDArray[np.integer] | Tensor


@dataclass(frozen=True, slots=True)
class TokenDeliberation:
    """The outcome of deliberating on one sequence of tokens."""

    answer: NDArray[np.int64]  # The token chosen at each position after the last step, (seq_len,)
    reflex: NDArray[np.int64]  # The same after the first step (System 1)
    trace: tuple[DeliberationStep, ...]  # One entry for each step: the Q-head's output and the time
    stop: StopReason  # Why it ended: "halted", "step-limit" or "budget"
    confidence: NDArray[np.float32]  # The softmax share of each token of `answer`, (seq_len,)
    history: tuple[NDArray[np.int64], ...] = ()  # The answer after every step

    @property
    def steps(self) -> int:
        return len(self.trace)


class Reasoner:
    """A token model on a device, with its limit of steps and its rule to halt."""

    def __init__(self, model: HRM, device: torch.device, max_reasoning_steps: int, halting: Halting) -> None:
        self.model = model.to(device).eval()
        self.device = device
        self.max_reasoning_steps = max_reasoning_steps
        self.halting = halting
        self._stepper = Stepper(self.model, self.model.read).eval()

    @property
    def config(self) -> Config:
        return self.model.config

    def think(
        self, inputs: Tokens, budget_ms: float = math.inf, watch: Watch | None = None
    ) -> TokenDeliberation:
        """Thinks about one sequence of `config.seq_len` tokens, for `budget_ms` at most or one step.

        `watch` is called after each step with the halt probability and the answer so far, (seq_len,).

        Raises:
            ValueError: the input has another length, or a token outside the vocabulary.
        """
        tokens = self._tokens(inputs)
        if len(tokens) != 1:
            raise ValueError(f"think takes one sequence, not {len(tokens)}; use think_batch")
        outcome = self._deliberate(tokens, budget_ms, keep_history=True, watch=watch)
        return _row(outcome, 0, tuple(logits[0].argmax(-1).cpu().numpy() for (logits,) in outcome.history))

    def think_batch(self, inputs: Tokens, budget_ms: float = math.inf) -> list[TokenDeliberation]:
        """Thinks about several sequences at once, each stopping on its own; `budget_ms` is for all."""
        outcome = self._deliberate(self._tokens(inputs), budget_ms)
        return [_row(outcome, row) for row in range(len(outcome.steps))]

    @torch.inference_mode()
    def _deliberate(
        self, tokens: Tensor, budget_ms: float, keep_history: bool = False, watch: Watch | None = None
    ) -> Deliberation:
        carry = self.model.start(len(tokens), self.config.positions)

        def step(carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
            carry, q, outputs = self._stepper.step(carry, x, mask)
            if watch is not None:
                watch(float(q[0, 0].sigmoid()), outputs[0][0].argmax(-1).cpu().numpy())
            return carry, q, outputs

        return deliberate(
            step,
            carry,
            self.model.embed(tokens),
            max_steps=self.max_reasoning_steps,
            halting=self.halting,
            budget_ms=budget_ms,
            keep_history=keep_history,
        )

    def _tokens(self, inputs: Tokens) -> Tensor:
        tokens = torch.as_tensor(inputs, dtype=torch.long)
        tokens = tokens[None] if tokens.dim() == 1 else tokens
        if tokens.dim() != 2 or tokens.shape[1] != self.config.seq_len:
            raise ValueError(
                f"a sequence has {self.config.seq_len} tokens; the input's shape is {tuple(tokens.shape)}"
            )
        if len(tokens) == 0 or not 0 <= int(tokens.min()) <= int(tokens.max()) < self.config.vocab_size:
            raise ValueError(
                f"tokens are 0 to {self.config.vocab_size - 1}, and there is at least one sequence"
            )
        return tokens.to(self.device)


def _row(outcome: Deliberation, row: int, history: tuple[NDArray[np.int64], ...] = ()) -> TokenDeliberation:
    (logits,), (first,) = outcome.answer, outcome.reflex
    shares, answer = logits[row].float().softmax(-1).max(-1)
    return TokenDeliberation(
        answer=answer.cpu().numpy(),
        reflex=first[row].argmax(-1).cpu().numpy(),
        trace=outcome.traces[row],
        stop=outcome.stops[row],
        confidence=shares.cpu().numpy(),
        history=history,
    )


def default_halting(model: HRM, threshold: float | None = None) -> Halting:
    """Returns the halting rule: a threshold where given, else the one that the model was trained for.

    That is q_halt > q_continue or, where only q_halt was trained, a halt probability of at least 0.5.
    """
    return Halting(0.5 if threshold is None and not model.config.q_continue else threshold)


def pick_device(device: str = "auto") -> torch.device:
    """Turns a device name into a device; "auto" takes a CUDA or ROCm card where torch sees one, else the CPU.

    Raises:
        ValueError: torch does not know such a device, or cannot reach it.
    """
    if device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise ValueError(
            f'device {device!r} cannot be used ({reason}); try device="auto" or "cpu"'
        ) from error
    return torch.device(device)


def create_model(
    preset_or_path: str | Path = "advisor-lite",
    device: str = "auto",
    max_reasoning_steps: int = 8,
    *,
    halt_threshold: float | None = None,
    seed: int | None = None,
    **changes: Any,
) -> Reasoner:
    """Makes a model with fresh or stored weights, ready for inference.

    Args:
        preset_or_path: a preset's name (fresh weights), or a checkpoint file to load.
        device: "auto", "cpu", "cuda", "cuda:1", ... (ROCm cards are called cuda too).
        halt_threshold: stop once the probability of halt reaches it; None: once halt outweighs continue.
        seed: makes fresh weights repeatable, without touching torch's own generator.
        changes: fields of `Config` to change, e.g. `vocab_size=6, seq_len=900`.

    Raises:
        ValueError: no such preset, an impossible configuration or device.
        hrm.tensor_file.CheckpointError: the file is missing, damaged or of another shape.
    """
    where = pick_device(device)
    name = str(preset_or_path)
    if name not in PRESETS and (Path(name).suffix or Path(name).exists()):
        from hrm.checkpoint import load_model  # noqa: PLC0415 (checkpoints are not needed for fresh weights)

        model = load_model(Path(name), **changes)
    else:
        config = preset(name, **changes)
        with torch.random.fork_rng(devices=[], enabled=seed is not None):
            if seed is not None:
                torch.manual_seed(seed)
            model = HRM(config)
    return Reasoner(model, where, max_reasoning_steps, default_halting(model, halt_threshold))
