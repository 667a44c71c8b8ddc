"""Training: `python -m botapp.learning.train --data DIR --out FILE --minutes M` makes weights of the data.

`--model` says which (lite, full, or a baseline), `--start` goes on from other weights. The averaged weights
are stored as they are shipped, given temperatures that fit held-out fights, and graded. Next hop:
`botapp.learning.figures`.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from botapp.advisor.calibration import Calibration
from botapp.advisor.model import (
    AdvisorModel,
    full,
    lite,
    load_weights,
    read_notes,
    recalibrate,
    save_weights,
)
from botapp.advisor.weights_file import Form, pack, unpack
from botapp.learning.baselines import one_pass, plain
from botapp.learning.figures import picture, report
from botapp.learning.grading import answer, calibrate
from botapp.learning.imitation import Imitation, Recipe, compile_blocks, fit_scales
from botapp.learning.samples import DataError, TrainingSamples, load
from hrm.config import Config
from hrm.model import count_parameters
from hrm.reasoner import pick_device
from hrm.training.loop import METRICS_FILE, LoopConfig, TrainingLoop

_WARM_UPS = 2
_NEVER = 10**9


@dataclass(frozen=True, slots=True)
class ModelKind:
    """A model that can be trained: its configuration, its usual recipe, and how it is stored and used."""

    config: Callable[[], Config]
    recipe: Recipe
    form: Form = "fp16"
    parts: int = 1
    rollout_actions: int = 24
    log_every: int = 50
    watch_every: int = 500


KINDS = {
    "lite": ModelKind(lite, Recipe()),
    "full": ModelKind(
        full,
        Recipe(tokens=24_576, lr=3e-4, warmup=100, ema=0.997),
        form="int8",
        parts=2,
        rollout_actions=96,
        log_every=10,
        watch_every=100,
    ),
    "one-pass": ModelKind(lambda: one_pass(lite()), Recipe(steps=1)),
    "plain": ModelKind(lambda: plain(lite()), Recipe(steps=1)),
}


@dataclass(frozen=True, slots=True)
class Run:
    """What to train.

    Attributes:
        data: folders of shards.
        out: file for the weights; parts are numbered.
        kind: one of `KINDS`.
        minutes: for all but the grading: reading, compiling, training.
        recipe: how to train, None for the kind's own.
        start: weights to go on from, their scales and configuration kept; None for fresh ones.
        steps: exactly so many optimiser steps, whatever the minutes.
        compiled: run the blocks through torch.compile.
        changes: fields of the configuration to change, of fresh weights only.
    """

    data: Sequence[Path]
    out: Path
    kind: str = "lite"
    minutes: float = 4.0
    recipe: Recipe | None = None
    start: Path | None = None
    device: str = "auto"
    seed: int = 0
    steps: int | None = None
    compiled: bool = False
    changes: Mapping[str, Any] = field(default_factory=dict)


def train(run: Run) -> dict[str, Any]:
    """Trains weights and writes them.

    Returns:
        The figures on held-out fights, and what made them.

    Raises:
        DataError, ShardError: the data cannot be used.
        CheckpointError: the weights to start from cannot be used.
    """
    begun = time.monotonic()
    kind = KINDS[run.kind]
    recipe = run.recipe or kind.recipe
    device = pick_device(run.device)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    samples = load(run.data).to(device)
    training, held_out = samples.split(recipe.held_out)
    torch.manual_seed(run.seed)
    if run.start is None:
        model = AdvisorModel(replace(kind.config(), **run.changes)).to(device)
    else:
        model = load_weights(run.start)[0].to(device)
    fit_scales(model, samples, fresh=run.start is None)
    watched = held_out[torch.randperm(len(held_out)).to(device)]
    task = Imitation(model, samples, training, watched, recipe, run.seed)
    config = _loop_config(run, kind, recipe, device.type == "cuda")
    with tempfile.TemporaryDirectory() as folder:
        loop = TrainingLoop(model, task, Path(folder), config)
        if run.compiled:
            compile_blocks(model)
            _warm_up(task)
        ready = time.monotonic() - begun
        if config.horizon is not None:
            loop.config = replace(config, horizon=max(1.0, config.horizon - ready))
        result = loop.run()
        log = [json.loads(line) for line in (Path(folder) / METRICS_FILE).read_text().splitlines()]
    assert loop.ema is not None
    averaged = AdvisorModel(model.config).to(device)
    averaged.load_state_dict(loop.ema.average)
    notes = {
        "kind": run.kind,
        "parameters": count_parameters(averaged),
        "states": len(training),
        "optimiser_steps": result["step"],
        "seconds_before": round(ready, 1),
        "training_seconds": result["seconds"],
        "recipe": asdict(recipe),
        "start": None if run.start is None else run.start.name,
        "seed": run.seed,
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu",
    }
    save_weights(
        run.out,
        averaged,
        Calibration(epsilon=recipe.epsilon, rollout_actions=kind.rollout_actions),
        notes,
        kind.form,
        kind.parts,
    )
    figures = measure(run.out, samples, held_out)
    if kind.form == "int8":
        figures["bf16"] = _in_bf16(averaged, samples, held_out, recipe.epsilon)
    return {**figures, "log": log, "seconds": round(time.monotonic() - begun, 1)}


def measure(weights: Path, samples: TrainingSamples, held_out: Tensor) -> dict[str, Any]:
    """Grades weights as stored on half of the held-out fights, with temperatures fitted on the other half.

    The temperatures and the figures are stored with the weights.
    """
    model, before = load_weights(weights)
    figures, calibration = _graded(model, samples, held_out, before.epsilon)
    notes = read_notes(weights)
    kept = {key: figures[key] for key in ("states", "by_step", "early_exit", "difficulty")}
    recalibrate(
        weights, replace(calibration, rollout_actions=before.rollout_actions), {**notes, "figures": kept}
    )
    return {"notes": notes, "held_out": figures}


def _graded(
    model: AdvisorModel, samples: TrainingSamples, held_out: Tensor, epsilon: float
) -> tuple[dict[str, Any], Calibration]:
    model = model.to(held_out.device).eval()
    answers = answer(model, samples, held_out, model.config.halt_max_steps)
    fitted = samples.halves(answers.rows.to(held_out.device)).cpu()
    if fitted.all() or not fitted.any():
        raise DataError(
            "there are too few held-out fights to fit on some and measure on others; generate more"
        )
    calibration = calibrate(answers.where(fitted), epsilon)
    measured = answers.where(~fitted)
    return report(measured, calibration, samples.kinds.cpu()[measured.rows]), calibration


def _in_bf16(
    model: AdvisorModel, samples: TrainingSamples, held_out: Tensor, epsilon: float
) -> dict[str, Any]:
    """Grades the weights as bf16 would store them: what int8 is held against."""
    model.load_state_dict(unpack(pack(model.state_dict(), "bf16")))
    figures, _ = _graded(model, samples, held_out, epsilon)
    return {"by_step": figures["by_step"], "early_exit": figures["early_exit"]}


def _loop_config(run: Run, kind: ModelKind, recipe: Recipe, on_gpu: bool) -> LoopConfig:
    timed = run.steps is None
    return LoopConfig(
        steps=run.steps or _NEVER,
        lr=recipe.lr,
        warmup=recipe.warmup if timed else min(recipe.warmup, max(1, (run.steps or 0) // 10)),
        lr_floor=0.02,
        weight_decay=recipe.weight_decay,
        guard=2.0 if timed else None,
        clip=1.0,
        ema=recipe.ema,
        precision="bfloat16" if on_gpu else "float32",
        log_every=kind.log_every if timed else 1,
        checkpoint_every=0,
        evaluate_every=kind.watch_every,
        horizon=run.minutes * 60 if timed else None,
        seed=run.seed,
    )


def _warm_up(task: Imitation) -> None:
    """Computes a loss of every shape there is, so that all compiling is done before the clock runs."""
    for group in task.groups:
        for again in range(_WARM_UPS):
            loss, _ = task.group_loss(group, torch.Generator().manual_seed(again))
            loss.backward()  # type: ignore[no-untyped-call]
    task.model.zero_grad(set_to_none=True)


def _change(text: str) -> tuple[str, int]:
    """Reads `hidden_size=64`."""
    name, _, number = text.partition("=")
    if name not in {field.name for field in fields(Config)} or not number.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not FIELD=NUMBER with a field of hrm.config.Config")
    return name, int(number)


def main(arguments: list[str] | None = None) -> int:
    """Trains the advisor's weights from the command line and prints the figures by step as JSON."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.train", description=main.__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of shards")
    parser.add_argument(
        "--out", type=Path, required=True, help="safetensors file to write; parts are numbered"
    )
    parser.add_argument("--model", choices=tuple(KINDS), default="lite")
    parser.add_argument("--start", type=Path, default=None, help="weights to go on from")
    parser.add_argument("--metrics", type=Path, default=None, help="JSON file for the figures")
    parser.add_argument("--picture", type=Path, default=None, help="SVG file for the curves")
    parser.add_argument("--minutes", type=float, default=4.0, help="reading and compiling included")
    parser.add_argument("--steps", type=int, default=None, help="optimiser steps, instead of minutes")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    for name, kind, text in (
        ("tokens", int, "of a batch, padding included"),
        ("lr", float, "peak learning rate"),
        ("ema", float, "decay of the averaged weights"),
        ("temperature", float, "of the search, in percent points of winning"),
        ("epsilon", float, "percent points that a good answer may cost"),
        ("regret-weight", float, "share of the expected regret in the loss"),
        ("held-out", float, "share of the fights kept for grading"),
    ):
        parser.add_argument(f"--{name}", type=kind, default=None, help=text)
    parser.add_argument("--act-steps", type=int, default=None, help="ACT steps graded on each batch")
    parser.add_argument("--compile", action="store_true", help="use torch.compile")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_change,
        metavar="FIELD=NUMBER",
        help="change the configuration of fresh weights",
    )
    parser.add_argument(
        "--measure-only",
        action="store_true",
        help="train nothing: grade the weights at --out on held-out fights, fit their temperatures anew",
    )
    parser.add_argument("--threads", type=int, default=None, help="of torch on a CPU")
    options = parser.parse_args(arguments)
    if options.threads:
        torch.set_num_threads(options.threads)
    names = ("tokens", "lr", "ema", "temperature", "epsilon", "regret_weight", "held_out")
    changes = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    if options.act_steps is not None:
        changes["steps"] = options.act_steps
    recipe = replace(KINDS[options.model].recipe, **changes)
    try:
        if options.measure_only:
            samples = load(options.data).to(pick_device(options.device))
            figures = measure(options.out, samples, samples.held(recipe.held_out))
        else:
            figures = train(
                Run(
                    data=options.data,
                    out=options.out,
                    kind=options.model,
                    minutes=options.minutes,
                    recipe=recipe,
                    start=options.start,
                    device=options.device,
                    seed=options.seed,
                    steps=options.steps,
                    compiled=options.compile,
                    changes=dict(options.set),
                )
            )
    except ValueError as error:
        parser.error(str(error))
    if options.metrics:
        options.metrics.parent.mkdir(parents=True, exist_ok=True)
        options.metrics.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    if options.picture:
        picture(figures["held_out"], options.picture)
    print(json.dumps(figures["held_out"]["by_step"]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
