"""Measures a model's accuracy on puzzles, by the number of steps it may take."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hrm.act import Halting, Stepper, deliberate
from hrm.model import HRM
from hrm.tasks import Puzzles
from hrm.tasks.puzzles import Augment

_ALL_CELLS = 0.9999


@dataclass(frozen=True, slots=True)
class Score:
    """The results on a set of puzzles."""

    exact: NDArray[np.bool_]  # (N,) bool, the whole grid right
    cells: NDArray[np.float64]  # (N,) share of cells right
    steps: NDArray[np.int64]  # (N,) steps taken

    def summary(self) -> dict[str, float | int]:
        return {
            "exact_accuracy": round(float(self.exact.mean()), 4),
            "cell_accuracy": round(float(self.cells.mean()), 4),
            "mean_steps": round(float(self.steps.mean()), 3),
            "puzzles": len(self.exact),
        }


@torch.inference_mode()
def evaluate(
    model: HRM, puzzles: Puzzles, *, max_steps: int = 16, halting: Halting | None = None, batch: int = 256
) -> Score:
    """Runs a model on puzzles, each until `halting` stops it (None: for all steps)."""
    halting = halting or Halting(early=False)
    stepper = Stepper(model, model.read)
    exact, cells, steps = [], [], []
    for tokens, labels in _batches(model, puzzles, batch):
        outcome = deliberate(
            stepper.step,
            model.start(len(tokens), model.config.positions),
            model.embed(tokens),
            max_steps=max_steps,
            halting=halting,
        )
        right = outcome.answer[0].argmax(-1) == labels
        exact.append(right.all(-1).cpu().numpy())
        cells.append(right.double().mean(-1).cpu().numpy())
        steps.append(np.array(outcome.steps))
    return Score(np.concatenate(exact), np.concatenate(cells), np.concatenate(steps))


@torch.inference_mode()
def evaluate_views(
    model: HRM,
    puzzles: Puzzles,
    augment: Augment,
    *,
    views: int,
    max_steps: int = 16,
    halting: Halting | None = None,
    batch: int = 256,
    seed: int = 0,
) -> Score:
    """Runs a model on several equivalent forms of each puzzle at once; the first to halt gives the answer.

    If none halts, the one with the highest halt logit does. The steps of the score are those of each form.
    """
    halting = halting or Halting(early=False)
    rng = np.random.default_rng(seed)
    count = len(puzzles)
    cells, steps = np.zeros(count), np.zeros(count, dtype=np.int64)
    for first in range(0, count, max(1, batch // views)):
        live = np.arange(first, min(count, first + max(1, batch // views)))
        forms = np.repeat(live, views)
        mixed = Puzzles(*augment(puzzles.inputs[forms], puzzles.labels[forms], rng))
        ((tokens, labels),) = _batches(model, mixed, len(forms))
        carry, x = model.start(len(tokens), model.config.positions), model.embed(tokens)
        for index in range(1, max_steps + 1):
            carry, q = model(carry, x)
            shares = (model.read(carry.z_H).argmax(-1) == labels).double().mean(-1).view(-1, views)
            q_logits = (q / halting.scale(index)).view(-1, views, 2)
            surest = q_logits[..., 0].argmax(1, keepdim=True)
            cells[live], steps[live] = shares.gather(1, surest)[:, 0].cpu().numpy(), index
            best = q_logits.gather(1, surest[..., None].expand(-1, -1, 2))[:, 0].tolist()
            running = [row for row, logits in enumerate(best) if not halting.halts(index, *logits)]
            if not running:
                break
            live = live[running]
            rows = (torch.tensor(running)[:, None] * views + torch.arange(views)).flatten().to(x.device)
            carry, x, labels = carry.rows(rows), x[rows], labels[rows]
    return Score(cells > _ALL_CELLS, cells, steps)


@dataclass(frozen=True, slots=True)
class Curve:
    """Every step of every puzzle."""

    exact: NDArray[np.bool_]  # (N, T) bool, the whole grid right
    q: NDArray[np.float32]  # (N, T, 2), the logits of halt and continue
    cells: NDArray[np.float32]  # (N, T), share of cells right

    def by_step(self) -> list[float]:
        """Exact accuracy after each step, had all rows stopped there."""
        return [round(float(share), 4) for share in self.exact.mean(0)]

    def early(self, halting: Halting) -> tuple[float, float]:
        """Exact accuracy and mean steps under a rule of halting, worked out from the records."""
        right, taken = 0, 0
        for exact, q in zip(self.exact, self.q, strict=True):
            halts = (
                index
                for index in range(1, len(exact) + 1)
                if halting.halts(index, *(float(logit) / halting.scale(index) for logit in q[index - 1]))
            )
            stop = next(halts, len(exact))
            right += bool(exact[stop - 1])
            taken += stop
        return right / len(self.exact), taken / len(self.exact)

    def threshold(self) -> float:
        """The lowest halt probability to stop at that loses at most 0.01 of accuracy against all steps."""
        floor = float(self.exact[:, -1].mean()) - 0.01
        candidates = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
        return next((share for share in candidates if self.early(Halting(share))[0] >= floor), 1.0)


@torch.inference_mode()
def trace(model: HRM, puzzles: Puzzles, *, max_steps: int = 16, batch: int = 256) -> Curve:
    """Runs every step for every puzzle and records what each would have answered."""
    exact, cells, q = [], [], []
    for tokens, labels in _batches(model, puzzles, batch):
        carry, x = model.start(len(tokens), model.config.positions), model.embed(tokens)
        shares, q_logits = [], []
        for _ in range(max_steps):
            carry, logits = model(carry, x)
            shares.append((model.read(carry.z_H).argmax(-1) == labels).float().mean(-1))
            q_logits.append(logits)
        cells.append(torch.stack(shares, 1).cpu().numpy())
        exact.append(cells[-1] > _ALL_CELLS)
        q.append(torch.stack(q_logits, 1).cpu().numpy())
    return Curve(np.concatenate(exact), np.concatenate(q), np.concatenate(cells))


def _batches(model: HRM, puzzles: Puzzles, batch: int) -> list[tuple[Tensor, Tensor]]:
    device = model.q_head.weight.device
    inputs, labels = (
        torch.as_tensor(side, device=device).long() for side in (puzzles.inputs, puzzles.labels)
    )
    return list(zip(torch.split(inputs, batch), torch.split(labels, batch), strict=True))
