"""Compares our model with figures computed by the reference implementation.

A parity file has the reference's weights and configuration, one batch, and the reference's results on it:
every step of evaluation, three steps of training, and every gradient of the second.

Every step starts from the reference's own states after the step before. A thought multiplies rounding by
about three each step: after four steps in a row the reference itself is 4e-5 away from float64, and the order
in which a processor sums decided the verdict. Within one step the files are at most 3.9e-6 from float64. A
fault of the model shows in the first step that has it, and what a step hands on is compared as well. Where
fp32 fails, float64, which is the same on every processor, is tried; the report says which was used.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from hrm.checkpoint import load_strictly, stored_config
from hrm.model import HRM, Carry
from hrm.tensor_file import CheckpointError, read
from hrm.training.act import ActStep, ActTrainer, Progress

EVAL_TOLERANCE = 1e-5
TRAIN_TOLERANCE = 1e-4
ARITHMETIC = ("float32", "float64")
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
    """Every comparison of one file, and the number type it was computed in: "float32" or "float64"."""

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
    config = stored_config(path, {}, metadata)
    weights = {
        key.removeprefix("state_dict/"): tensors[key] for key in tensors if key.startswith("state_dict/")
    }
    reports = []
    for arithmetic in ARITHMETIC:
        model = HRM(config)
        load_strictly(model, weights, str(path))
        model.dtype = getattr(torch, arithmetic)
        trainer = ActTrainer(model.to(model.dtype))
        try:
            made = (*_evaluation(trainer, batch, tensors), *_training(trainer, batch, tensors))
            reports.append(ParityReport(str(path), arithmetic, made))
        except (RuntimeError, LookupError, TypeError) as error:
            problem = " ".join(str(error).split())[:200]
            raise CheckpointError(f"{path} is no parity file: its batch cannot be run ({problem})") from error
        if reports[-1].passed:
            break
    return min(reports, key=lambda report: report.worst)


def _evaluation(
    trainer: ActTrainer, batch: dict[str, Tensor], expected: dict[str, Tensor]
) -> Iterator[Comparison]:
    trainer.eval()
    progress = trainer.start(batch)
    for step in _steps(expected, "eval"):
        with torch.no_grad():
            taken: ActStep = trainer(_resumed(progress, expected), batch)
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
        taken: ActStep = trainer(_resumed(progress, expected), batch)
        taken.loss.backward()
        progress = taken.progress
        ours = {"loss": taken.loss, "halted": progress.halted, "steps": progress.steps}
        ours |= {f"metrics/{key}": value for key, value in taken.metrics.items()}
        ours |= {f"grad/{key}": value for key, value in _gradients(trainer.model).items()}
        yield from _compare_all(f"train/step{step}/", ours, expected, TRAIN_TOLERANCE)


def _resumed(progress: Progress, expected: dict[str, Tensor]) -> Progress:
    """Puts the reference's states after as many steps in place of ours, row by row.

    The files hold them for evaluation; training's rows go through the same ones, the weights being the same.
    """
    states = []
    for name, ours in progress.carry._asdict().items():
        states.append(ours.clone())
        for row, step in enumerate(progress.steps.tolist()):
            theirs = expected.get(f"eval/step{step}/{name}")
            if theirs is not None and theirs.shape == ours.shape:
                states[-1][row] = theirs[row].to(ours.dtype)
    return progress._replace(carry=Carry(*states))


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
    steps = {
        int(key.split("/")[1].removeprefix("step")) for key in expected if key.startswith(f"{mode}/step")
    }
    return range(1, max(steps, default=0) + 1)


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
