"""The commands of `python -m hrm`: each takes its options and returns the exit status. For `hrm.cli`."""

import json
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hrm import checkpoint, small_weights, tensor_file
from hrm.act import Halting
from hrm.model import HRM
from hrm.reasoner import Reasoner, default_halting, pick_device
from hrm.tasks import TASKS, GridTask, maze
from hrm.training.evaluation import evaluate, evaluate_views, trace
from hrm.training.parity import check

WEIGHTS = Path(__file__).resolve().parents[1] / "resources" / "weights"
_RECIPE = (
    "batch",
    "lr",
    "warmup",
    "lr_floor",
    "lr_hold",
    "weight_decay",
    "ema",
    "optimizer",
    "token_loss",
    "puzzle_lr",
    "hints",
    "growth",
    "guard",
)


def run_parity(options: Namespace) -> int:
    """Compares parity files; 1 if any quantity is past its tolerance."""
    reports = [check(path) for path in options.files]
    for report in reports:
        if options.json:
            print(report.to_json())
            continue
        print(f"{report.path} ({report.arithmetic} sums)")
        for entry in report.comparisons:
            mark = "ok" if entry.passed else f"PAST {entry.tolerance:g}"
            print(f"  {entry.quantity:<72} abs {entry.max_abs:.2e}  rel {entry.max_rel:.2e}  {mark}")
        print(f"  {'passed' if report.passed else 'FAILED'}")
    return 0 if all(report.passed for report in reports) else 1


def run_train(options: Namespace) -> int:
    from hrm.training.loop import Pace  # noqa: PLC0415 (torch.distributed is slow to import)
    from hrm.training.run import TrainingRun, train  # noqa: PLC0415 (as above)

    recipe = {key: getattr(options, key) for key in _RECIPE if getattr(options, key) is not None}
    result = train(
        TrainingRun(
            task=options.task,
            preset=options.preset,
            directory=options.out,
            pace=Pace(
                options.steps,
                options.log_every,
                options.checkpoint_every,
                options.evaluate_every,
                None if options.minutes is None else options.minutes * 60,
                None if options.horizon is None else options.horizon * 60,
            ),
            start=options.start,
            data=options.data,
            dev=options.dev,
            dev_limit=options.dev_limit,
            recipe=recipe,
            changes=dict(options.set),
            device=options.device,
            precision=options.precision,
            compiled=options.compile,
            recorded=options.graph,
            seed=options.seed,
        )
    )
    print(json.dumps(result))
    return 0


def run_evaluate(options: Namespace) -> int:
    grid = TASKS[options.task]
    model, halting = _load(grid, options)
    data = options.data or grid.dev_file
    if data is None:
        raise ValueError(f"no puzzles come with the task {grid.name}; name a file with --data")
    puzzles = grid.load(data).take(slice(options.limit))
    steps = options.steps or model.config.halt_max_steps
    begun = time.perf_counter()
    if options.curve:
        curve = trace(model, puzzles, max_steps=steps, batch=options.batch)
        result: dict[str, Any] = {
            "exact_accuracy_by_step": curve.by_step(),
            "early_exit": _rules(curve.early, halting),
            "threshold_for_one_point": curve.threshold(),
            "puzzles": len(puzzles),
        }
    else:
        rule = halting if options.early_exit else Halting(early=False)
        how: dict[str, Any] = {"max_steps": steps, "halting": rule, "batch": options.batch}
        if options.views > 1:
            score = evaluate_views(model, puzzles, grid.augment, views=options.views, **how)
        else:
            score = evaluate(model, puzzles, **how)
        result = score.summary()
    print(json.dumps({**result, "seconds": round(time.perf_counter() - begun, 2)}))
    return 0


def run_solve(options: Namespace) -> int:
    grid = TASKS[options.task]
    puzzle = grid.parse(_puzzle_text(options.puzzle))
    model, halting = _load(grid, options)
    print(f"the puzzle\n{grid.render(puzzle, puzzle)}\n", flush=True)
    before, index, begun = puzzle, 0, time.perf_counter()

    def show(halt: float, answer: NDArray[np.int64]) -> None:
        nonlocal before, index
        grown, index = answer.astype(np.int32), index + 1
        changed, seconds = int((grown != before).sum()), time.perf_counter() - begun
        print(f"step {index}  halt {halt:6.1%}  {changed} cells changed  {seconds:.1f} s", flush=True)
        if changed:
            print(f"{grid.render(grown, puzzle)}\n", flush=True)
        before = grown

    outcome = Reasoner(model, pick_device(options.device), options.steps, halting).think(puzzle, watch=show)
    sure = outcome.stop == "halted"
    print(
        "sure enough to stop"
        if sure
        else f"not sure of it after {outcome.steps} steps; more may help (--steps)"
    )
    return 0


def run_inspect(options: Namespace) -> int:
    """Prints the contents of a checkpoint; 1 if its weights are not all finite."""
    about = checkpoint.describe(options.checkpoint)
    if options.json:
        print(json.dumps(about))
    else:
        _print_contents(about)
    tensor_file.require_finite(tensor_file.read(options.checkpoint)[0], str(options.checkpoint))
    return 0


def _print_contents(about: dict[str, Any]) -> None:
    print(f"{about['path']}: {about['bytes']:,} bytes, {about['numbers']:,} numbers")
    print(f"prefix of keys: {about['prefix'] or 'none'}")
    for key, value in {**about["config"], **about["metadata"]}.items():
        print(f"  {key} = {value}")
    for key, tensor in about["tensors"].items():
        print(f"  {key:<56} {tensor['dtype']:<9} {tuple(tensor['shape'])}")


def run_convert(options: Namespace) -> int:
    tensors, metadata = tensor_file.read(options.source)
    wide = small_weights.widen(checkpoint.strip_prefix(tensors), str(options.source))
    tensor_file.require_finite(wide, str(options.source))
    checkpoint.require_token_model(wide, str(options.source))
    config = checkpoint.stored_config(options.source, wide, metadata)
    with torch.device("meta"):
        model = HRM(config)
    checkpoint.load_strictly(model, wide, str(options.source), assign=True)
    notes = {**metadata, "config": config.to_json(), "stored": options.to}
    if options.halt_threshold is not None:
        notes["halt_threshold"] = str(options.halt_threshold)
    if options.to == "int4":
        notes["group"] = str(options.group)
    stored = wide if options.to == "fp32" else small_weights.shrink(wide, options.to, options.group)
    tensor_file.save(options.target, stored, notes)
    print(f"{options.target}: {options.target.stat().st_size:,} bytes, weights as {options.to}")
    return 0


def run_mazes(options: Namespace) -> int:
    maze.save(options.target, maze.generate_many(options.count, options.seed))
    print(f"{options.target}: {options.count} mazes")
    return 0


def _load(grid: GridTask, options: Namespace) -> tuple[HRM, Halting]:
    path = options.weights or WEIGHTS / f"{grid.name}.safetensors"
    model = checkpoint.load_model(path)
    if (model.config.vocab_size, model.config.seq_len) != (grid.vocab_size, grid.seq_len):
        raise ValueError(
            f"{path} is for {model.config.vocab_size} tokens and {model.config.seq_len} cells; "
            f"{grid.name} has {grid.vocab_size} and {grid.seq_len}"
        )
    noted = tensor_file.read_metadata(path).get("halt_threshold")
    asked = options.halt_threshold if options.halt_threshold is not None else noted
    return model.to(pick_device(options.device)).eval(), default_halting(
        model, None if asked is None else float(asked)
    )


def _rules(early: Callable[[Halting], tuple[float, float]], own: Halting) -> dict[str, dict[str, float]]:
    rules = {"own rule": own} | {f"halt >= {share}": Halting(share) for share in (0.5, 0.8, 0.9, 0.95, 0.99)}
    scores = {name: early(rule) for name, rule in rules.items()}
    return {
        name: {"exact_accuracy": round(exact, 4), "mean_steps": round(steps, 3)}
        for name, (exact, steps) in scores.items()
    }


def _puzzle_text(puzzle: str) -> str:
    if puzzle == "-":
        return sys.stdin.read()
    path = Path(puzzle)
    return path.read_text(encoding="utf-8") if len(puzzle) < 80 and path.is_file() else puzzle


COMMANDS: dict[str, Callable[[Namespace], int]] = {
    "parity": run_parity,
    "train": run_train,
    "evaluate": run_evaluate,
    "solve": run_solve,
    "inspect": run_inspect,
    "convert": run_convert,
    "mazes": run_mazes,
}
