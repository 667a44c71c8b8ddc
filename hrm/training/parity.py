"""Compares our model with figures computed by the reference implementation.

A parity file has the reference's weights and configuration, one batch, and the reference's results on it:
every step of evaluation, three steps of training, and every gradient of the second.

Steps amplify rounding: in one file the reference is itself 4e-5 away from float64 after four steps. So the
last bits matter, and two things of the CPU decide them: the order in which its matrix library sums (MKL's is
another on AMD), and how many numbers it takes at once in attention's softmax: the files' rows of 9 to 13 are
shorter than AVX-512's 16, so they were computed one by one, while AVX2 takes eight at once. Where torch's way
fails, sums are taken one by one (`SequentialSums`), which agrees to 4e-7; the report says which was used.
"""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from hrm.checkpoint import load_strictly, stored_config
from hrm.model import HRM
from hrm.tensor_file import CheckpointError, read
from hrm.training.act import ActStep, ActTrainer

EVAL_TOLERANCE = 1e-5
TRAIN_TOLERANCE = 1e-4
_PUZZLE_GRADIENT = "puzzle_emb.local_weights"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One quantity of ours and the reference's: the largest absolute error, and over the largest value."""

    quantity: str
    max_abs: float
    max_rel: float
    tolerance: float

    @property
    def passed(self) -> bool:
        """Whether the relative error is within the tolerance (a NaN is not)."""
        return self.max_rel <= self.tolerance


@dataclass(frozen=True, slots=True)
class ParityReport:
    """Every comparison of one file, and how sums were taken: "torch" or "sequential"."""

    path: str
    arithmetic: str
    comparisons: tuple[Comparison, ...]

    @property
    def passed(self) -> bool:
        """Whether there is a quantity to compare, and every one is within its tolerance."""
        return bool(self.comparisons) and all(comparison.passed for comparison in self.comparisons)

    @property
    def worst(self) -> float:
        """The largest relative error in units of its tolerance."""
        return max((entry.max_rel / entry.tolerance for entry in self.comparisons), default=math.inf)

    def to_json(self) -> str:
        """One JSON object: path, passed, arithmetic, max_rel, and the comparisons."""
        rows = [{**asdict(entry), "passed": entry.passed} for entry in self.comparisons]
        return json.dumps(
            {
                "path": self.path,
                "passed": self.passed,
                "arithmetic": self.arithmetic,
                "max_rel": max((entry.max_rel for entry in self.comparisons), default=math.inf),
                "comparisons": rows,
            }
        )


def check(path: Path) -> ParityReport:
    """Runs our model on a parity file's weights and batch, in fp32 on the CPU, and compares.

    Raises:
        hrm.tensor_file.CheckpointError: the file is missing, damaged, lacks a part or does not fit.
    """
    tensors, metadata = read(path)
    if "config" not in metadata:
        raise CheckpointError(f"{path} is no parity file: its metadata has no config")
    batch = {key.removeprefix("batch/"): value for key, value in tensors.items() if key.startswith("batch/")}
    lacking = {"inputs", "labels", "puzzle_identifiers"} - set(batch)
    if lacking:
        raise CheckpointError(f"{path} is no parity file: batch/{min(lacking)} is missing")
    model = HRM(stored_config(path, {}, metadata))
    weights = {
        key.removeprefix("state_dict/"): tensors[key] for key in tensors if key.startswith("state_dict/")
    }
    load_strictly(model, weights, str(path))
    trainer = ActTrainer(model)
    try:
        return _report(str(path), trainer, batch, tensors)
    except (RuntimeError, LookupError, TypeError) as error:
        problem = " ".join(str(error).split())[:200]
        raise CheckpointError(f"{path} is no parity file: its batch cannot be run ({problem})") from error


def _report(
    path: str, trainer: ActTrainer, batch: dict[str, Tensor], tensors: dict[str, Tensor]
) -> ParityReport:
    """Compares in torch's order of summation and, where that fails, one product after the other as well."""
    report = _compare(path, "torch", trainer, batch, tensors)
    if not report.passed and torch.backends.mkldnn.is_available():
        with SequentialSums():
            sequential = _compare(path, "sequential", trainer, batch, tensors)
        report = min(report, sequential, key=lambda made: made.worst)
    return report


class SequentialSums(TorchFunctionMode):
    """Sums one product after the other, in linear layers (by oneDNN) and in attention."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Replaces `linear` and `scaled_dot_product_attention` of torch, and nothing else."""
        if func is functional.linear:
            return _OneDnnLinear.apply(*args, **(kwargs or {}))  # type: ignore[no-untyped-call]
        if func is functional.scaled_dot_product_attention:
            return _sequential_attention(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {}))


def _sequential_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None) -> Tensor:
    """Attends as torch does where a row is shorter than a vector: exponentials and sums one by one."""
    scores = _product(query, key.mT) / math.sqrt(query.shape[-1])
    if attn_mask is not None:
        scores = scores.masked_fill(~attn_mask, -math.inf)
    powers = (scores - scores.amax(-1, keepdim=True)).double().exp().float()
    total = _product(powers, torch.ones_like(powers[..., :1, :].mT))
    return _product(powers, value) * (1 / total)


def _product(left: Tensor, right: Tensor) -> Tensor:
    """Multiplies matrices by one fused multiply-add after the other (float64, rounded each time)."""
    total = left.new_zeros(())
    for k in range(left.shape[-1]):
        total = (left[..., k, None].double() * right[..., None, k, :].double() + total.double()).float()
    return total


class _OneDnnLinear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        ctx.save_for_backward(x, weight)
        ctx.has_bias = bias is not None
        product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
        return product

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        x, weight = ctx.saved_tensors
        flat = gradients[0].flatten(0, -2)
        return gradients[0] @ weight, flat.T @ x.flatten(0, -2), flat.sum(0) if ctx.has_bias else None


def _compare(
    path: str, arithmetic: str, trainer: ActTrainer, batch: dict[str, Tensor], expected: dict[str, Tensor]
) -> ParityReport:
    made = (*_evaluation(trainer, batch, expected), *_training(trainer, batch, expected))
    return ParityReport(path, arithmetic, made)


def _evaluation(
    trainer: ActTrainer, batch: dict[str, Tensor], expected: dict[str, Tensor]
) -> Iterator[Comparison]:
    trainer.eval()
    progress = trainer.start(batch)
    for step in _steps(expected, "eval"):
        with torch.no_grad():
            taken: ActStep = trainer(progress, batch)
        progress = taken.progress
        ours = {
            "logits": taken.logits,
            "q_halt_logits": taken.q[:, 0],
            "q_continue_logits": taken.q[:, 1],
            **progress.carry._asdict(),
            "halted": progress.halted,
            "steps": progress.steps,
        }
        yield from _compare_all(f"eval/step{step}/", ours, expected, EVAL_TOLERANCE)


def _training(
    trainer: ActTrainer, batch: dict[str, Tensor], expected: dict[str, Tensor]
) -> Iterator[Comparison]:
    trainer.train()
    progress = trainer.start(batch)
    for step in _steps(expected, "train"):
        trainer.zero_grad()
        taken: ActStep = trainer(progress, batch)
        taken.loss.backward()
        progress = taken.progress
        ours = {"loss": taken.loss, "halted": progress.halted, "steps": progress.steps}
        ours |= {f"metrics/{key}": value for key, value in taken.metrics.items()}
        ours |= {f"grad/{key}": value for key, value in _gradients(trainer.model).items()}
        yield from _compare_all(f"train/step{step}/", ours, expected, TRAIN_TOLERANCE)


def _gradients(model: HRM) -> dict[str, Tensor]:
    gradients = {
        f"inner.{key}": parameter.grad
        for key, parameter in model.named_parameters()
        if parameter.grad is not None
    }
    if model.config.puzzle_emb_ndim and model.puzzle_emb.used is not None:
        rows = model.puzzle_emb.used[1].grad
        if rows is not None:
            gradients[_PUZZLE_GRADIENT] = rows
    return gradients


def _steps(expected: dict[str, Tensor], mode: str) -> range:
    found = {
        int(key.split("/")[1].removeprefix("step")) for key in expected if key.startswith(f"{mode}/step")
    }
    return range(1, max(found, default=0) + 1)


def _compare_all(
    prefix: str, ours: dict[str, Tensor], expected: dict[str, Tensor], tolerance: float
) -> Iterator[Comparison]:
    for key in sorted(expected):
        if not key.startswith(prefix):
            continue
        name = key.removeprefix(prefix)
        if name not in ours or ours[name].numel() != expected[key].numel():
            yield Comparison(key, math.inf, math.inf, tolerance)
            continue
        mine = ours[name].detach().to(expected[key].dtype).double().flatten()
        theirs = expected[key].double().flatten()
        error = float((mine - theirs).abs().max())
        scale = float(theirs.abs().max())
        yield Comparison(key, error, error / scale if scale else (0.0 if error == 0 else math.inf), tolerance)
