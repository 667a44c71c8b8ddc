"""`python -m hrm.backends.bench.gpu_bench`: the kernels' benchmark on one GPU.

Our kernels are compared with torch in fp32, several times over, before anything is timed; then every
variant of the step is timed at each length, with its peak memory. `--skip compiled` leaves out torch.compile,
whose tuning takes minutes (`TORCHINDUCTOR_COORDINATE_DESCENT_TUNING=1` tunes it further). On a CPU (`--dry`)
the same code runs without kernels and graphs, as a smoke test.
"""

import argparse
import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from hrm.act import Stepper
from hrm.backends.bench import workloads
from hrm.backends.engines.devices import synchronize
from hrm.backends.engines.graphs import CapturedStep
from hrm.backends.engines.torch_engine import TorchEngine
from hrm.backends.errors import sort_error
from hrm.backends.latency import percentile, times_ms
from hrm.config import Config, read_change
from hrm.model import HRM, Carry

_PRODUCTS = {torch.ops.aten.mm.default: 0, torch.ops.aten.bmm.default: 0, torch.ops.aten.addmm.default: 1}
"""Where the first operand stands."""

Operands = tuple[Tensor, Tensor]


class _Noted(TorchDispatchMode):
    """Notes the operands of each product."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.found: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        first = _PRODUCTS.get(func)
        if first is not None:
            left, right = args[first : first + 2]
            self.found.append((tuple(left.shape), tuple(right.shape), right.data_ptr()))
        return func(*args, **(kwargs or {}))


def products_of(step: Callable[[], object], device: str, dtype: torch.dtype) -> list[Operands]:
    """Returns random operands for each matrix product of a step, in their order."""
    with _Noted() as noted:
        step()
    seconds: dict[int, Tensor] = {}
    for _, shape, place in noted.found:
        if place not in seconds:
            seconds[place] = torch.randn(shape, device=device, dtype=dtype)
    return [
        (torch.randn(shape, device=device, dtype=dtype), seconds[place]) for shape, _, place in noted.found
    ]


@torch.inference_mode()
def products_ms(products: list[Operands], device: str, repeats: int = 50) -> float:
    """Returns the median time of all products in a row, in milliseconds."""

    def run() -> None:
        for left, right in products:
            torch.matmul(left, right)

    again = run
    for _ in range(3):
        run()
    if device != "cpu":
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            run()
        again = graph.replay
    return percentile(times_ms(again, device, repeats), 0.5)


_MEGABYTE = 1 << 20
_IN_A_ROW = 20  # Steps queued without synchronising between them, to measure the cost of synchronising

_REPEATS = 6  # Runs of a kernel on the same inputs: different answers indicate a race


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the benchmark; returns 0 if the kernels are correct, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m hrm.backends.bench.gpu_bench", description=__doc__)
    parser.add_argument("--dry", action="store_true", help="run on the CPU, to see that it runs")
    parser.add_argument("--tokens", type=int, nargs="*", default=[64, 128, 560])
    parser.add_argument("--batches", type=int, nargs="*", default=[1], help="rows of a step")
    parser.add_argument("--steps", type=int, default=300, help="steps timed of each variant")
    parser.add_argument("--preset", default="reference")
    parser.add_argument(
        "--set",
        type=read_change,
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change the preset",
    )
    parser.add_argument("--only", default="", help="only variants with this in their name")
    parser.add_argument("--skip", default="none", help="no variant with this in its name")
    parser.add_argument("--no-check", action="store_true", help="leave the checks of our kernels out")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    options = parser.parse_args(arguments)
    device = "cpu" if options.dry else "cuda:0"
    title = "cpu" if options.dry else torch.cuda.get_device_name(device)
    report: dict[str, Any] = {"torch": torch.__version__, "device": title}
    if not options.dry and not options.no_check:
        report["kernels"] = []
        for row in check_kernels(device):
            report["kernels"].append(row)
            _write(options.out, report)
    report["steps"] = []
    for batch, tokens in itertools.product(options.batches, options.tokens):
        for row in time_steps(tokens, batch, options, device):
            report["steps"].append(row)
            _write(options.out, report)
    _write(options.out, report)
    return 0 if all(kernel["ok"] for kernel in report.get("kernels", ())) else 1


def check_kernels(device: str, dtype: torch.dtype = torch.bfloat16) -> Iterator[dict[str, Any]]:
    """Compares each of our steps with torch's in fp32 on random inputs; yields and prints a row each.

    Triton's interpreter, which runs the kernels on a CPU (`TRITON_INTERPRET=1`), supports fp16 and no bf16.
    """
    small = Config(hidden_size=128, num_heads=2, mlp_inner=256, L_layers=2, H_layers=1, seq_len=100)
    shapes = (
        (small, 1, 100, False),
        (small, 1, 100, True),
        (replace(small, pos_encodings="none"), 3, 70, False),
        (replace(small, num_heads=4), 2, 33, True),
        (replace(small, hidden_size=512, num_heads=8, mlp_inner=1536, seq_len=560), 1, 560, False),
    )
    for config, batch, length, masked in shapes:
        model = HRM(config).to(device).eval()
        plain = Stepper(model, model.read)
        given = [torch.randn(batch, length, config.hidden_size, device=device) for _ in range(3)]
        mask = torch.rand(batch, length, device=device) < 0.7
        mask[:, 0] = True
        hidden_from = mask if masked else None
        with torch.inference_mode():
            expected = plain(*given, hidden_from)
            model.dtype = dtype
            model.L_level.to(dtype)
            model.H_level.to(dtype)
            halves = [value.to(dtype) for value in given]
            torch_error = relative_error(plain(*halves, hidden_from)[0], expected[0])
        for kernels, make in _kernels(plain).items():
            row: dict[str, Any] = {
                "kernels": kernels,
                "hidden": config.hidden_size,
                "batch": batch,
                "length": length,
                "masked": masked,
                "torch_error": torch_error,
            }
            try:
                row |= _repeated(make(), halves, hidden_from, expected[0])
                row["ok"] = row["same"] and row["error"] < 1.5 * torch_error + 1e-3
            except Exception as error:
                row |= {"ok": False, "trouble": sort_error(error).what[:300]}
            _print(json.dumps(row))
            yield row


def _kernels(stepper: Stepper) -> dict[str, Callable[[], Any]]:
    from hrm.backends.kernels.fused import FusedStep  # noqa: PLC0415 (Triton is not everywhere)
    from hrm.backends.kernels.persistent import PersistentStep, can_persist  # noqa: PLC0415 (as above)

    makers: dict[str, Callable[[], Any]] = {"fused": lambda: FusedStep(stepper)}
    if can_persist(stepper):
        makers["one launch"] = lambda: PersistentStep(stepper)
    return makers


@torch.inference_mode()
def _repeated(
    step: Any, given: Sequence[Tensor], mask: Tensor | None, expected: Tensor
) -> dict[str, float | bool]:
    z_H, z_L, x = given
    answers = [step(z_H, z_L, x, mask)[0].clone() for _ in range(_REPEATS)]
    same = all(torch.equal(answers[0], answer) for answer in answers)
    return {"error": max(relative_error(answer, expected) for answer in answers), "same": same}


def time_steps(tokens: int, batch: int, options: argparse.Namespace, device: str) -> Iterator[dict[str, Any]]:
    """Times every variant of the step at one length and batch; yields and prints a row each.

    The first row is the step's matrix products alone, see `hrm.backends.bench.gpu_bench`.
    """
    workload = workloads.reference(tokens, options.preset, **dict(options.set))
    x, _ = workload.inputs[0]
    with torch.inference_mode():
        expected = workload.stepper(*workload.stepper.core.start(1, x.shape[1]), x, None)
    with torch.no_grad():
        dtype = torch.float32 if device == "cpu" else torch.bfloat16
        many = x.clone().expand(batch, -1, -1)
        products = products_of(
            lambda: workload.stepper(*workload.stepper.core.start(batch, x.shape[1]), many, None),
            device,
            dtype,
        )
    row = {"tokens": tokens, "batch": batch, "variant": "products alone", "products": len(products)}
    row["p50_ms"] = round(products_ms(products, device, max(3, options.steps // 5)), 4)
    del products
    _print(json.dumps(row))
    yield row
    for name, make in _variants(workload.stepper, device):
        if options.only not in name or options.skip in name:
            continue
        row = {"tokens": tokens, "batch": batch, "variant": name}
        try:
            row |= timed(make, x, device, options.steps, expected, batch)
        except Exception as error:
            row["trouble"] = sort_error(error).what[:300]
        _print(json.dumps(row))
        yield row


def _variants(stepper: Stepper, device: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    def torch_engine(level: str, *without: str, precision: str = "bf16") -> Callable[[], Any]:
        return lambda: TorchEngine(stepper, device, precision, level=level, without=without)

    if device == "cpu":
        yield "eager fp32", torch_engine("conservative", precision="fp32")
        yield "int8", torch_engine("conservative", precision="int8")
        return
    yield "eager fp32", torch_engine("conservative", precision="fp32")
    yield "eager bf16", torch_engine("balanced", "graph")
    yield "graph bf16", torch_engine("balanced")
    yield "compiled in a graph, bf16", torch_engine("aggressive", "fused")
    yield "our kernels in a graph, bf16", _ours(stepper, device, "fused")
    yield "one launch in a graph, bf16", _ours(stepper, device, "one launch")


def _ours(stepper: Stepper, device: str, kernels: str) -> Callable[[], Any]:
    """Returns how to make an engine with our kernels, by their name in `_kernels`."""

    def make() -> Any:
        engine = TorchEngine(stepper, device, "bf16", level="aggressive")
        engine._run = CapturedStep(_kernels(engine._stepper)[kernels](), feed_back=2)
        return engine

    return make


@torch.inference_mode()
def timed(
    make: Callable[[], Any], x: Tensor, device: str, steps: int, expected: tuple[Tensor, ...], batch: int = 1
) -> dict[str, Any]:
    """Loads an engine, compares a step with the expected one, and times steps one by one, synchronised.

    Args:
        x: the input, [1, positions, width].
        device: where it runs.
        steps: how many are timed.
        expected: what a step of `x` returns.
        batch: rows of a step; each is `x`.
    """
    _reset(device)
    before = torch.cuda.memory_allocated(device) if device != "cpu" else 0
    begun = time.perf_counter()
    engine = make()
    x = x.to(engine.state_device).expand(batch, -1, -1).contiguous()
    carry = engine.start(batch, x.shape[1])
    for _ in range(3):
        first, _, outputs = engine.step(carry, x)
        error = relative_error(first.z_H.cpu(), expected[0])
        answers = outputs[0].argmax(-1).cpu() == expected[3].argmax(-1)
    load_s = time.perf_counter() - begun
    state = Carry(*(part.clone() for part in carry))

    def step() -> None:
        nonlocal state
        state, _, _ = engine.step(state, x)

    times = times_ms(step, engine.state_device, steps, warm_up=steps // 5)
    begun = time.perf_counter()
    for _ in range(_IN_A_ROW):
        step()
    synchronize(engine.state_device)
    flowing = (time.perf_counter() - begun) * 1000 / _IN_A_ROW
    peak = torch.cuda.max_memory_allocated(device) - before if device != "cpu" else None
    row = {
        "p50_ms": round(percentile(times, 0.5), 4),
        "p95_ms": round(percentile(times, 0.95), 4),
        "p99_ms": round(percentile(times, 0.99), 4),
        "in_a_row_ms": round(flowing, 4),
        "error": round(error, 5),
        "agreement": round(float(answers.float().mean()), 4),
        "peak_mb": None if peak is None else round(peak / _MEGABYTE, 1),
        "load_s": round(load_s, 1),
        "applied": list(engine.plan.applied),
    }
    engine.close()
    return row


def _reset(device: str) -> None:
    if device != "cpu":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)


def relative_error(ours: Tensor, expected: Tensor) -> float:
    """Returns the error's root mean square over that of the expected values."""
    wide = expected.float().cpu()
    return float((ours.float().cpu() - wide).square().mean().sqrt() / wide.square().mean().sqrt())


def _write(path: Path | None, report: dict[str, Any]) -> None:
    """Writes the results so far: the run may be cut short."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(report, indent=1), encoding="utf-8")


def _print(words: str) -> None:
    print(words, flush=True)


if __name__ == "__main__":
    sys.exit(main())
