"""The workloads that engines are measured on: a model, inputs, and how to read its answer.

`reference` has fresh weights and the reference's size; a shipped model has trained weights and real inputs,
so that an engine's effect on the answers can be measured too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from hrm.act import Outputs, Stepper
from hrm.checkpoint import load_model
from hrm.config import preset
from hrm.model import HRM
from hrm.tasks import TASKS

Read = Callable[[Outputs, int], Tensor]


@dataclass(frozen=True, slots=True)
class Workload:
    """A model to measure on."""

    name: str
    stepper: Stepper
    # Embedded input and mask, each of one row and all of one shape
    inputs: tuple[tuple[Tensor, Tensor | None], ...]
    read: Read  # Turns a step's outputs for input `i` into the answers whose agreement is counted
    steps: int = 1  # Steps to take on each input when answers are compared
    trained: bool = False  # Whether the weights are trained; if not, agreement means nothing


def reference(tokens: int = 64, name: str = "reference", **changes: Any) -> Workload:
    """Makes a model of a preset's size with fresh weights, for inputs of so many positions in all.

    Args:
        changes: to its fields, see `hrm.config.preset`.
    """
    torch.manual_seed(0)
    config = preset(name, seq_len=tokens, **changes)
    model = HRM(preset(name, seq_len=tokens - config.puzzle_len, **changes)).eval()
    ids = torch.randint(model.config.vocab_size, (1, model.config.seq_len))
    with torch.inference_mode():
        x = model.embed(ids)
    return Workload(f"{name}, {tokens} tokens", Stepper(model, model.read).eval(), ((x, None),), _tokens)


def sudoku(weights: Path, count: int = 3, steps: int = 4) -> Workload:
    """Loads the shipped sudoku model and the first puzzles of its set of hard ones."""
    grid = TASKS["sudoku"]
    model = load_model(weights).eval()
    if grid.dev_file is None:
        raise ValueError("no puzzles come with sudoku")
    puzzles = torch.as_tensor(grid.load(grid.dev_file).take(slice(count)).inputs).long()
    with torch.inference_mode():
        embedded = model.embed(puzzles)
    inputs = tuple((x[None].clone(), None) for x in embedded)
    return Workload("sudoku", Stepper(model, model.read).eval(), inputs, _tokens, steps, trained=True)


def _tokens(outputs: Outputs, index: int) -> Tensor:
    return outputs[0].argmax(-1).flatten()
