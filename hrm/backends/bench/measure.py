"""`python -m hrm.backends.bench.measure`: memory, streaming and CPU substitution measured here, as JSON.

`checkpoint` saves a model from each device here and loads it on each. `estimate` says what a step takes
before a model is loaded. `stream` runs a model of several times its memory cap plain and streamed, and
compares outputs, peak and time. `safe` times a step plain, wrapped, run operator by operator, and with one
operator moved to the CPU. Benchmarks, not tests.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from hrm.backends.engines.cpu_fallback import CpuFallbackStep, FailingOperatorFinder
from hrm.backends.errors import InferenceError
from hrm.backends.memory.estimate import CUBLAS_WORKSPACE, Estimate, estimate, estimate_core
from hrm.backends.memory.streaming import Streamed, map_weights
from hrm.checkpoint import load_model, save_model
from hrm.config import PRESETS, Config
from hrm.model import HRM, Carry, Core

OPERATOR = "aten::mm"
"""The operator that `safe` moves to the CPU: the most frequent heavy one of a step."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns 0 on success, 1 if an answer or a peak is wrong, 2 if it cannot run."""
    options = _parser().parse_args(arguments)
    try:
        found = {"checkpoint": checkpoint, "estimate": _estimate, "stream": stream, "safe": safe}[
            options.command
        ](options)
    except InferenceError as error:
        print(f"measure {options.command}: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found, indent=2))
    return 0 if found.get("equal", True) and found.get("within", True) else 1


def stream(options: argparse.Namespace) -> dict[str, Any]:
    """Runs a model plain and streamed on the same inputs."""
    config = Config(
        hidden_size=options.hidden,
        num_heads=max(1, options.hidden // 64),
        H_layers=options.layers,
        L_layers=options.layers,
        seq_len=options.tokens,
        forward_dtype="float32",
    )
    torch.manual_seed(0)
    device = torch.device(options.device)
    with device:
        core = Core(config).eval()
        x = torch.randn(1, options.tokens, options.hidden)
    need = estimate(core, core.start(1, options.tokens), x)
    plain, plain_s = _steps(core, x, options.steps)
    core.to("cpu")
    work = need.activations + need.inputs + (2 * CUBLAS_WORKSPACE if device.type == "cuda" else 0)
    cap = options.cap_mb << 20
    with tempfile.TemporaryDirectory() as folder:
        host = None
        if options.mapped:
            path = Path(folder) / "core.safetensors"
            save_model(path, core, config)
            core = _emptied(core)
            host = map_weights(path)
        if device.type == "cuda":
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats(device)
        streamed = Streamed(core, options.device, cap, work=work, host=host)
        _steps(core, x, 1)
        moved = streamed.moved
        answer, streamed_s = _steps(core, x, options.steps)
        peak = torch.cuda.max_memory_allocated(device) if device.type == "cuda" else streamed.plan.peak
        sent = (streamed.moved - moved) / options.steps
        misses = streamed.misses
        layer = max(streamed.plan.layers)
        resident = streamed.plan.resident
        streamed.close()
    return {
        "device": _title(device),
        "weights_bytes": need.weights,
        "cap_bytes": cap,
        "times_the_cap": need.weights / cap,
        "layer_bytes": layer,
        "layers": len(streamed.plan.layers),
        "layers_kept": resident,
        "peak_bytes": peak,
        "peak_is": "measured" if device.type == "cuda" else "planned",
        "within": peak <= cap,
        "equal": all(torch.equal(a, b) for a, b in zip(plain, answer, strict=True)),
        "plain_ms": plain_s * 1000,
        "streamed_ms": streamed_s * 1000,
        "slowdown": streamed_s / plain_s,
        "sent_bytes_a_step": sent,
        "sent_gb_per_s": sent / streamed_s / 1e9,
        "not_sent_ahead": misses,
        "from": "a mapped file" if options.mapped else "RAM",
    }


def _emptied(core: Core) -> Core:
    """Returns a core without weights, with the same rotary tables: a card's differ from a processor's."""
    with torch.device("meta"):
        empty = Core(core.config).eval()
    for name in set(dict(core.named_buffers())) - set(core.state_dict()):
        empty.register_buffer(name, core.get_buffer(name), persistent=False)
    return empty


def safe(options: argparse.Namespace) -> dict[str, Any]:
    """Times the variants of a step in interleaved rounds; ratios are to the plain step of the same round."""
    config = replace(PRESETS[options.preset], seq_len=options.tokens)
    torch.manual_seed(0)
    device = torch.device(options.device)
    with device:
        core = Core(config).eval()
        x = torch.randn(1, options.tokens, config.hidden_size)
    carry = core.start(1, options.tokens)

    def watched() -> Any:
        with FailingOperatorFinder(device.type):
            return core(carry, x)

    variants: dict[str, Callable[[], Any]] = {
        "plain": partial(core, carry, x),
        "wrapped": partial(CpuFallbackStep(core, options.device), carry, x),
        "watched": watched,
    }
    times: dict[str, list[float]] = {name: [] for name in (*variants, "one_operator_on_the_cpu")}
    calls_on_cpu = 0
    for _ in range(options.rounds):
        for name, variant in variants.items():
            times[name].append(_timed(variant, device))
        if device.type != "cpu":
            fallback_step = CpuFallbackStep(core, options.device, {OPERATOR})
            times["one_operator_on_the_cpu"].append(_timed(partial(fallback_step, carry, x), device))
            calls_on_cpu = fallback_step.fallbacks[OPERATOR]
            fallback_step.close()
    found: dict[str, Any] = {"device": _title(device), "tokens": options.tokens, "rounds": options.rounds}
    for name, values in times.items():
        if values:
            ratios = [value / plain for value, plain in zip(values, times["plain"], strict=True)]
            found[name] = {"ms": statistics.median(values) * 1000, "ratio": statistics.median(ratios)}
    if calls_on_cpu:
        found["one_operator_on_the_cpu"] |= {"operator": OPERATOR, "calls": calls_on_cpu}
    return found


def checkpoint(options: argparse.Namespace) -> dict[str, Any]:
    """Writes a model's weights from each device and loads them on each, in a file for each direction."""
    config = PRESETS[options.preset]
    torch.manual_seed(0)
    model = HRM(config).eval()
    expected = {name: value.clone() for name, value in model.state_dict().items()}
    devices = ["cpu", *(f"cuda:{number}" for number in range(torch.cuda.device_count()))]
    directions: dict[str, bool] = {}
    with tempfile.TemporaryDirectory() as folder:
        for source in devices:
            path = Path(folder) / "model.safetensors"
            save_model(path, model.to(source), config)
            for target in devices:
                found = load_model(path).to(target).state_dict()
                directions[f"{source} to {target}"] = all(
                    torch.equal(found[name].cpu(), value) for name, value in expected.items()
                )
    return {"preset": options.preset, "directions": directions, "equal": all(directions.values())}


def _estimate(options: argparse.Namespace) -> dict[str, Any]:
    found: Estimate = estimate_core(PRESETS[options.preset], options.tokens, options.batch, options.precision)
    return {**asdict(found), "weights": found.weights, "total": found.total}


@torch.inference_mode()
def _steps(core: Core, x: Tensor, count: int) -> tuple[list[Tensor], float]:
    """Takes steps; returns the last one's answer on the CPU and the seconds of one."""
    carry: Carry = core.start(*x.shape[:2])
    _wait(x.device)
    begun = time.perf_counter()
    for _ in range(count):
        carry, q = core(carry, x)
    _wait(x.device)
    return [tensor.cpu() for tensor in (*carry, q)], (time.perf_counter() - begun) / count


@torch.inference_mode()
def _timed(variant: Callable[[], Any], device: torch.device) -> float:
    _wait(device)
    begun = time.perf_counter()
    variant()
    _wait(device)
    return time.perf_counter() - begun


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def _title(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hrm.backends.bench.measure", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("checkpoint", help="weights written on each device, loaded on each other")
    command.add_argument("--preset", choices=sorted(PRESETS), default="reference")
    command = commands.add_parser("estimate", help="what a step takes, before a model is loaded")
    command.add_argument("--preset", choices=sorted(PRESETS), default="reference")
    command.add_argument("--tokens", type=int, default=64)
    command.add_argument("--batch", type=int, default=1)
    command.add_argument("--precision", choices=("fp32", "bf16", "fp16"), default="fp32")
    command = commands.add_parser("stream", help="a model of several times its cap, plain and streamed")
    command.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    command.add_argument("--hidden", type=int, default=512)
    command.add_argument("--layers", type=int, default=8, help="layers of each of the two levels")
    command.add_argument("--tokens", type=int, default=64)
    command.add_argument("--steps", type=int, default=3)
    command.add_argument("--cap-mb", type=int, default=64)
    command.add_argument("--mapped", action="store_true", help="weights from a memory-mapped file")
    command = commands.add_parser("safe", help="what keeping an operator off the card costs")
    command.add_argument("--device", default="cuda:0" if torch.cuda.is_available() else "cpu")
    command.add_argument("--preset", choices=sorted(PRESETS), default="reference")
    command.add_argument("--tokens", type=int, default=64)
    command.add_argument("--rounds", type=int, default=20)
    return parser


if __name__ == "__main__":
    sys.exit(main())
