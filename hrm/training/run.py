"""`python -m hrm train`: from a preset and a recipe to weights, metrics and a plot.

Needs torch, numpy and safetensors alone, so that it runs on a bare GPU machine.
"""

import json
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from hrm.checkpoint import load_strictly
from hrm.config import Precision, preset
from hrm.model import HRM, count_parameters
from hrm.small_weights import widen
from hrm.tasks import TASKS
from hrm.tensor_file import read
from hrm.training.distributed import World, connect
from hrm.training.loop import METRICS_FILE, LoopConfig, Pace, TrainingLoop
from hrm.training.plot import draw_run
from hrm.training.puzzles import PuzzleTraining, TrainingRecipe

_TRM = TrainingRecipe(batch=768, ema=0.999)
RECIPES: dict[str, TrainingRecipe] = {
    "reference": TrainingRecipe(lr=7e-5),
    "dual-process": TrainingRecipe(lr=7e-5),
    "trm": _TRM,
    "trm-mlp": _TRM,
    "advisor-lite": TrainingRecipe(batch=64, lr=1e-3, warmup=100, weight_decay=0.1, ema=0.99),
}


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A training run as asked for; `recipe` and `changes` are what differs from the preset's.

    `start` is a checkpoint whose weights to begin with, where the directory has no state yet.
    """

    task: str
    preset: str
    directory: Path
    pace: Pace
    start: Path | None = None
    data: Path | None = None
    dev: Path | None = None
    dev_limit: int | None = None
    recipe: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)
    device: str = "auto"
    precision: Precision | None = None
    compiled: bool = False
    recorded: bool = False
    seed: int = 0


def train(run: TrainingRun) -> dict[str, Any]:
    """Trains, or resumes where the directory has a state.

    Returns:
        Where the run is: step, finished, seconds, the last evaluation, and what it ran on.

    Raises:
        ValueError: an impossible configuration, batch, device or data file.
        hrm.tensor_file.CheckpointError: the state in the directory cannot be used.
    """
    world = connect(run.device)
    try:
        done = _train(run, world)
        world.wait_for_all()
        return done
    finally:
        world.close()


def _train(run: TrainingRun, world: World) -> dict[str, Any]:
    grid = TASKS[run.task]
    data, dev = run.data or grid.train_file, run.dev or (grid.dev_file if run.data is None else None)
    if data is None:
        raise ValueError(f"no data comes with the task {run.task}; name a file with --data")
    recipe = replace(RECIPES.get(run.preset, TrainingRecipe()), **run.recipe)
    config = preset(run.preset, **{"vocab_size": grid.vocab_size, "seq_len": grid.seq_len, **run.changes})
    precision, why = choose_precision(world.device, run.precision)
    if run.recorded and (world.device.type != "cuda" or world.size > 1 or precision == "float16"):
        raise ValueError(
            "--graph takes a CUDA or ROCm card, one process, and bfloat16 or float32; leave it out here"
        )
    if world.device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    torch.manual_seed(run.seed)
    model = HRM(config)
    if run.start is not None:
        load_strictly(model, widen(read(run.start)[0]), str(run.start))
    model = model.to(world.device)
    puzzles = grid.load(data)
    tested = grid.load(dev).take(slice(run.dev_limit)) if dev else None
    task = PuzzleTraining(
        model,
        grid,
        puzzles,
        tested,
        recipe,
        seed=run.seed,
        world=world,
        compiled=run.compiled,
        recorded=run.recorded,
    )
    settings = LoopConfig(run.pace, recipe, precision, run.seed)
    about = {
        "preset": run.preset,
        "parameters": count_parameters(model),
        "puzzles": len(puzzles),
        "device": str(world.device),
        "precision": f"{precision} ({why})",
        "processes": world.size,
        "backend": f"{world.backend} ({world.reason})",
    }
    if world.is_leader:
        print(json.dumps(about), file=sys.stderr, flush=True)
    result = TrainingLoop(model, task, run.directory, settings, world=world).run()
    if world.is_leader:
        draw_run(run.directory / METRICS_FILE, run.directory / "curves.svg")
    return {**result, **about}


def choose_precision(device: torch.device, asked: Precision | None) -> tuple[Precision, str]:
    if asked is not None:
        return asked, "as asked"
    if device.type != "cuda":
        return "float32", f"half precision is no faster on {device.type}"
    if torch.cuda.is_bf16_supported(including_emulation=False):
        return "bfloat16", "the card computes it"
    return "float32", "the card has no bfloat16"
