"""`python -m hrm`: the command line of the library."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hrm.config import PRESETS, read_change


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns 0 on success, 1 if a check failed, 2 with the reason on stderr otherwise."""
    options = _parser().parse_args(arguments)
    from hrm import commands  # noqa: PLC0415 (help should not wait for torch)
    from hrm.tensor_file import NonFiniteWeightsError  # noqa: PLC0415 (as above)

    try:
        status = int(commands.COMMANDS[options.command](options))
        sys.stdout.flush()
        return status
    except (ValueError, OSError) as error:
        print(f"hrm {options.command}: {error}", file=sys.stderr)
        return 1 if isinstance(error, NonFiniteWeightsError) else 2
    except KeyboardInterrupt:
        print(f"hrm {options.command}: interrupted", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hrm", description="Hierarchical Reasoning Models.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    parity = commands.add_parser("parity", help="compare the model with numbers the reference produced")
    parity.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parity.add_argument("--json", action="store_true", help="one JSON object a file")

    _train(commands.add_parser("train", help="train on a puzzle; resumes where the directory has a state"))

    evaluate = commands.add_parser("evaluate", help="measure a model on puzzles; prints JSON")
    _model(evaluate)
    evaluate.add_argument("--data", type=Path, help="puzzles; the task's own dev set unless given")
    evaluate.add_argument("--limit", type=int, help="only the first N puzzles")
    evaluate.add_argument("--batch", type=_positive, default=256)
    evaluate.add_argument(
        "--views",
        type=_positive,
        default=1,
        help="run so many equivalent forms of each puzzle at once; the first to halt gives the answer",
    )
    evaluate.add_argument("--steps", type=_positive, help="steps taken, or at most (16 unless given)")
    how = evaluate.add_mutually_exclusive_group()
    how.add_argument("--early-exit", action="store_true", help="stop each puzzle where the Q-head says so")
    how.add_argument(
        "--curve", action="store_true", help="accuracy after every step, and of early exit by rule"
    )

    solve = commands.add_parser("solve", help="watch a puzzle being solved, step by step")
    _model(solve)
    solve.add_argument("puzzle", help="81 digits (0 or . for blanks), or a file, or - for stdin")
    solve.add_argument("--steps", type=_positive, default=64, help="steps at most")

    inspect = commands.add_parser("inspect", help="print the contents of a checkpoint")
    inspect.add_argument("checkpoint", type=Path)
    inspect.add_argument("--json", action="store_true")

    convert = commands.add_parser("convert", help="turn a checkpoint into our safetensors")
    convert.add_argument("source", type=Path, help="an official .pt, or safetensors")
    convert.add_argument("target", type=Path, help="a .safetensors file")
    convert.add_argument(
        "--to", choices=("fp32", "bf16", "int8", "int4"), default="fp32", help="how weights are stored"
    )
    convert.add_argument(
        "--group", type=int, choices=(32, 64), default=32, help="with int4: numbers that share a scale"
    )
    convert.add_argument("--halt-threshold", type=float, help="note the halt probability to stop at")

    mazes = commands.add_parser("mazes", help="generate 30x30 mazes with their shortest paths")
    mazes.add_argument("target", type=Path, help="a CSV file")
    mazes.add_argument("--count", type=_positive, default=1000)
    mazes.add_argument("--seed", type=int, default=0)
    return parser


def _train(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--task", choices=("sudoku", "maze"), default="sudoku")
    add("--preset", choices=tuple(PRESETS), default="reference")
    add("--out", type=Path, required=True, help="directory of the run")
    add("--steps", type=_positive, required=True, help="optimiser steps in all")
    add("--start", type=Path, help="a checkpoint whose weights to begin with")
    add("--data", type=Path, help="puzzles; the task's own unless given")
    add("--dev", type=Path, help="puzzles to measure on")
    add("--dev-limit", type=_positive, help="only the first N of them")
    add("--minutes", type=float, help="stop with a checkpoint after so long; the same command resumes")
    add("--horizon", type=float, help="minutes of the whole run; it ends then, and the rate falls with time")
    add("--device", default="auto")
    add(
        "--precision",
        choices=("float32", "bfloat16", "float16"),
        help="of activations; by device unless given",
    )
    add("--compile", action="store_true", help="use torch.compile")
    add("--graph", action="store_true", help="record a step as a CUDA graph: one launch for each")
    add("--log-every", type=int, default=50)
    add("--checkpoint-every", type=int, default=500)
    add("--evaluate-every", type=int, default=0)
    add("--seed", type=int, default=0)
    add("--batch", type=_positive, help="rows of the global batch")
    add("--lr", type=float)
    add("--warmup", type=int)
    add("--lr-floor", type=float, help="share of the peak rate that a cosine ends at")
    add("--lr-hold", type=float, help="share of the run before the rate begins to fall")
    add("--weight-decay", type=float)
    add("--ema", type=float)
    add("--optimizer", choices=("adam-atan2", "muon", "adamw"))
    add("--loss", choices=("stablemax", "softmax"), dest="token_loss")
    add("--puzzle-lr", type=float, help="the puzzle table's rate, as a multiple of the network's")
    add("--hints", type=float, help="share of rows shown part of their answer at the start of the run")
    add("--guard", type=float, help="go back to an earlier state where the loss grows by this factor")
    add(
        "--growth",
        type=_growth,
        metavar="SHARE:H:L,...",
        help="from which share of the run on how many H and L cycles are run, e.g. 0:2:2,0.5:3:6",
    )
    add(
        "--set",
        action="append",
        default=[],
        type=_change,
        metavar="FIELD=VALUE",
        help="change the configuration",
    )


def _model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", choices=("sudoku", "maze"), default="sudoku")
    parser.add_argument("--weights", type=Path, help="a checkpoint; the shipped one of the task unless given")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--halt-threshold", type=float, help="halt probability to stop at, 0..1")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not at least 1")
    return number


def _growth(text: str) -> tuple[tuple[float, int, int], ...]:
    try:
        parts = [part.split(":") for part in text.split(",")]
        return tuple((float(share), int(slow), int(fast)) for share, slow, fast in parts)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not SHARE:H:L,...") from None


def _change(text: str) -> tuple[str, Any]:
    try:
        return read_change(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
