"""`python -m hrm.backends.card`: one sitting on a GPU, for `bench_on_gpu.sh`.

The kernels of `hrm.backends.fused` are held to torch in fp32 before anything is timed; the tiles of each
kernel are swept inside a graph, as they run in earnest; then every way to take a step is timed at each
length, with its peak of memory. On a CPU (`--dry`) the same code runs without kernels and graphs, to see that
it runs. Next hop: a person copies the tiles into `hrm.backends.tiles` and the figures into hrm/LOG.md.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from hrm.act import Stepper
from hrm.backends import subjects
from hrm.backends.engines import TorchEngine
from hrm.backends.errors import sort_error
from hrm.backends.graphs import Captured
from hrm.backends.regions import synchronize
from hrm.backends.tiles import Tile, tile_for
from hrm.model import Carry

_MEGABYTE = 1 << 20
_ROWS, _COLUMNS, _DEPTHS, _WARPS, _STAGES = (16, 32, 64), (16, 32, 64), (64, 128, 256), (4,), (2, 4)
_LEAST_BLOCKS, _MOST_BLOCKS = 24, 1500
LAUNCHES = 24
"""How often a kernel stands in the graph that times it: as often as in a step."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the sitting; 0 if the kernels are right, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m hrm.backends.card", description=__doc__)
    parser.add_argument("--dry", action="store_true", help="run on the CPU, to see that it runs")
    parser.add_argument("--tokens", type=int, nargs="+", default=[64, 128, 560])
    parser.add_argument("--steps", type=int, default=300, help="steps timed of each way")
    parser.add_argument("--preset", default="reference")
    parser.add_argument("--tune", action="store_true", help="sweep the tiles of our kernels first")
    parser.add_argument("--only", default="", help="only ways with this in their name")
    parser.add_argument("--skip", default="none", help="no way with this in its name")
    parser.add_argument("--seconds", type=float, default=240.0, help="no new tile is tried after so long")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    options = parser.parse_args(arguments)
    device = "cpu" if options.dry else "cuda:0"
    report: dict[str, Any] = {"torch": torch.__version__, "device": _title(device)}
    tiles = None
    if not options.dry:
        report["kernels"] = check_kernels(device)
        _say(json.dumps(report["kernels"]))
    if options.tune and not options.dry:
        found = tune(options.tokens, options.preset, device, options.seconds)
        report["tiles"] = {name: asdict(tile) for name, tile in found.items()}
        tiles = _chosen(found)
    report["steps"] = [row for tokens in options.tokens for row in time_steps(tokens, options, device, tiles)]
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(report, indent=1), encoding="utf-8")
    return 0 if all(kernel["ok"] for kernel in report.get("kernels", ())) else 1


def check_kernels(device: str, dtype: torch.dtype = torch.bfloat16) -> list[dict[str, Any]]:
    """Holds the fused step to torch's in fp32 on fresh random inputs, with and without mask and rotation.

    Triton's interpreter, which runs the kernels on a CPU (`TRITON_INTERPRET=1`), knows fp16 and no bf16.
    """
    from hrm.backends.fused import FusedStep  # noqa: PLC0415 (Triton is not everywhere)
    from hrm.config import Config  # noqa: PLC0415
    from hrm.model import HRM  # noqa: PLC0415

    found = []
    small = Config(hidden_size=128, num_heads=2, mlp_inner=256, L_layers=2, H_layers=1, seq_len=100)
    shapes = (
        (small, 1, 100),
        (replace(small, pos_encodings="none"), 3, 70),
        (replace(small, num_heads=4), 2, 33),
    )
    aheads = (False, True) if _can_run_ahead(device) else (False,)
    for (config, batch, length), masked, ahead in product(shapes, (False, True), aheads):
        model = HRM(config).to(device).eval()
        plain = Stepper(model, model.read)
        given = [torch.randn(batch, length, config.hidden_size, device=device) for _ in range(3)]
        mask = torch.rand(batch, length, device=device) < 0.7
        mask[:, 0] = True
        with torch.inference_mode():
            expected = plain(*given, mask if masked else None)
            model.dtype = dtype
            model.L_level.to(dtype)
            model.H_level.to(dtype)
            halves = [value.to(dtype) for value in given]
            torchs = plain(*halves, mask if masked else None)
            z_H, z_L, x = halves
            ours = FusedStep(plain, ahead=ahead)(z_H, z_L, x, mask if masked else None)
        error, torch_error = _far(ours[0], expected[0]), _far(torchs[0], expected[0])
        found.append(
            {"hidden": config.hidden_size, "batch": batch, "length": length, "masked": masked, "ahead": ahead,
             "rotary": config.pos_encodings, "error": error, "torch_error": torch_error,
             "ok": error < 1.5 * torch_error + 1e-3}
        )  # fmt: skip
    return found


def time_steps(
    tokens: int, options: argparse.Namespace, device: str, tiles: Callable[..., Tile] | None = None
) -> Iterator[dict[str, Any]]:
    """Times every way to take a step at one length; yields a row each, and prints it as it comes."""
    subject = subjects.reference(tokens, options.preset)
    x, _ = subject.inputs[0]
    with torch.inference_mode():
        expected = subject.stepper(*subject.stepper.core.start(1, x.shape[1]), x, None)
    for name, make in _ways(subject.stepper, device, tiles):
        if options.only not in name or options.skip in name:
            continue
        row: dict[str, Any] = {"tokens": tokens, "way": name}
        try:
            row |= _timed(make, x, device, options.steps, expected)
        except Exception as error:
            row["trouble"] = sort_error(error).what[:300]
        _say(json.dumps(row))
        yield row


def _ways(
    stepper: Stepper, device: str, tiles: Callable[..., Tile] | None
) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yields every way to take a step, by name, each made when it is called."""

    def torchs(level: str, *without: str, precision: str = "bf16") -> Callable[[], Any]:
        return lambda: TorchEngine(stepper, device, precision, level=level, without=without)

    if device == "cpu":
        yield "eager fp32", torchs("conservative", precision="fp32")
        yield "int8", torchs("conservative", precision="int8")
        return
    yield "eager fp32", torchs("conservative", precision="fp32")
    yield "eager bf16", torchs("balanced", "graph")
    yield "graph bf16", torchs("balanced")
    yield "compiled in a graph, bf16", torchs("aggressive", "fused")
    yield "our kernels in a graph, bf16", torchs("aggressive")
    for ahead in (False, True) if _can_run_ahead(device) else (False,):
        for chosen, words in ((tile_for, "shipped tiles"), (tiles, "tuned tiles")):
            if chosen is not None and (ahead or words == "tuned tiles"):
                name = f"our kernels in a graph, bf16, {words}{', begun ahead' if ahead else ''}"
                yield name, _fused(stepper, device, chosen, ahead)


def _fused(stepper: Stepper, device: str, tiles: Callable[..., Tile], ahead: bool) -> Callable[[], Any]:
    def make() -> Any:
        from hrm.backends.fused import FusedStep  # noqa: PLC0415 (Triton is not everywhere)

        engine = TorchEngine(stepper, device, "bf16", level="aggressive")
        engine._run = Captured(FusedStep(engine._stepper, ahead=ahead, tiles=tiles), feed_back=2)
        return engine

    return make


@torch.inference_mode()
def _timed(
    make: Callable[[], Any], x: Tensor, device: str, steps: int, expected: tuple[Tensor, ...]
) -> dict[str, Any]:
    """Loads an engine, holds one step to the expected one, and times steps one by one, waited for."""
    _reset(device)
    held = torch.cuda.memory_allocated(device) if device != "cpu" else 0
    begun = time.perf_counter()
    engine = make()
    x = x.to(engine.home)
    carry = engine.start(1, x.shape[1])
    for _ in range(3):
        first, _, outputs = engine.step(carry, x)
        error = _far(first.z_H.cpu(), expected[0])
        answers = outputs[0].argmax(-1).cpu() == expected[3].argmax(-1)
    load_s = time.perf_counter() - begun
    times = []
    state = Carry(*(part.clone() for part in carry))
    for index in range(steps + steps // 5):
        synchronize(engine.home)
        begun = time.perf_counter()
        state, _, _ = engine.step(state, x)
        synchronize(engine.home)
        if index >= steps // 5:
            times.append((time.perf_counter() - begun) * 1000)
    times.sort()
    peak = torch.cuda.max_memory_allocated(device) - held if device != "cpu" else None
    row = {
        "p50_ms": round(statistics.median(times), 4),
        "p95_ms": round(times[int(0.95 * len(times))], 4),
        "p99_ms": round(times[int(0.99 * len(times))], 4),
        "error": round(error, 5),
        "agreement": round(float(answers.float().mean()), 4),
        "peak_mb": None if peak is None else round(peak / _MEGABYTE, 1),
        "load_s": round(load_s, 1),
        "applied": list(engine.plan.applied),
    }
    engine.close()
    return row


def tune(lengths: Sequence[int], preset: str, device: str, seconds: float) -> dict[str, Tile]:
    """Sweeps the tiles of each kernel at each length; returns the fastest by "kernel rows columns depth"."""
    from hrm.backends.fused import FusedStep  # noqa: PLC0415 (Triton is not everywhere)

    begun, found = time.monotonic(), {}
    share = seconds / (5 * len(lengths))
    for place, tokens in enumerate(lengths):
        subject = subjects.reference(tokens, preset)
        engine = TorchEngine(subject.stepper, device, "bf16", level="conservative")
        fused = FusedStep(engine._stepper)
        for number, (kernel, size, call) in enumerate(_kernels(fused, tokens, device)):
            until = begun + share * (5 * place + number + 1)
            best, least = tile_for(kernel, *size), float("inf")
            tiles = list(_tiles(kernel, *size))
            random.Random(0).shuffle(tiles)  # time may run out before all are tried
            for tile in tiles:
                if time.monotonic() > until:
                    break
                took = _kernel_us(call, tile)
                if took < least:
                    best, least = tile, took
            key = f"{kernel} {size[0]} {size[1]} {size[2]}"
            found[key] = best
            shipped = _kernel_us(call, tile_for(kernel, *size))
            _say(f"{key}: {least:.2f} us a launch with {best}; {shipped:.2f} as shipped")
        engine.close()
    return found


def _kernels(
    fused: Any, tokens: int, device: str
) -> Iterator[tuple[Any, tuple[int, int, int], Callable[[Tile], None]]]:
    """Yields each kernel of a block with its size, and a call of it with a tile, on random inputs."""
    core = fused._core
    block, config = core.L_level.layers[0], core.config
    x = torch.randn(1, tokens, config.hidden_size, device=device, dtype=torch.bfloat16)
    own = fused._own(x)
    for name, buffer in own.items():
        own[name] = torch.randn_like(buffer)

    def with_tile(call: Callable[[], None]) -> Callable[[Tile], None]:
        def run(tile: Tile) -> None:
            fused._tiles = lambda *size: tile
            call()

        return run

    hidden, inner = config.hidden_size, config.mlp_width
    attention, mlp = block.self_attn, block.mlp
    qkv = attention.qkv_proj.weight
    yield (
        "project",
        (tokens, 3 * hidden, hidden),
        with_tile(lambda: fused._projecting(own["sum"], qkv, own["qkv"], own["scale1"], norm=True)),
    )
    yield (
        "gate",
        (tokens, inner, hidden),
        with_tile(
            lambda: fused._projecting(
                own["mid"], mlp.gate_up_proj.weight, own["gated"], own["scale2"], norm=True, gate=True
            )
        ),
    )
    for h, weight in (("joined", attention.o_proj.weight), ("gated", mlp.down_proj.weight)):
        yield (
            "add",
            (tokens, hidden, own[h].shape[1]),
            with_tile(
                lambda h=h, weight=weight: fused._adding(  # type: ignore[misc]
                    own["sum"], own["scale1"], own[h], weight, own["mid"], True
                )
            ),
        )
    yield (
        "attend",
        (tokens, config.head_dim, config.head_dim),
        with_tile(lambda: fused._attending(own["qkv"], own["joined"], x.shape, None)),
    )


def _tiles(kernel: str, rows: int, columns: int, depth: int) -> Iterator[Tile]:
    """Yields the tiles worth trying: neither too few blocks for the card nor far too many."""
    depths = (0,) if kernel == "attend" else tuple(d for d in _DEPTHS if depth % d == 0)
    for shape in product(_ROWS, _COLUMNS, depths, _WARPS, _STAGES):
        tile = Tile(*shape)
        if kernel == "attend":
            if tile.columns >= 32 and tile.rows <= max(16, rows):
                yield tile
            continue
        blocks = -(-rows // tile.rows) * (columns // tile.columns)
        if _LEAST_BLOCKS <= blocks <= _MOST_BLOCKS and tile.rows < 2 * max(rows, 16):
            yield tile


def _kernel_us(call: Callable[[Tile], None], tile: Tile) -> float:
    """Times one launch among as many as a step has, replayed from a graph; infinite where it cannot run."""
    try:
        call(tile)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(LAUNCHES):
                call(tile)
        for _ in range(3):
            graph.replay()
        times: list[float] = []
        for _ in range(10):
            begin, end = _event(), _event()
            begin.record()
            graph.replay()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) * 1000 / LAUNCHES)
    except Exception:
        return float("inf")
    return statistics.median(times)


def _event() -> Any:
    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]


def _chosen(found: dict[str, Tile]) -> Callable[..., Tile]:
    def choose(kernel: str, rows: int, columns: int, depth: int) -> Tile:
        tuned = found.get(f"{kernel} {rows} {columns} {depth}")
        return tuned or tile_for(kernel, rows, columns, depth)  # type: ignore[arg-type]

    return choose


def _can_run_ahead(device: str) -> bool:
    if device == "cpu" or torch.version.hip:
        return False
    return torch.cuda.get_device_capability(device) >= (9, 0)


def _reset(device: str) -> None:
    if device != "cpu":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)


def _far(ours: Tensor, expected: Tensor) -> float:
    wide = expected.float().cpu()
    return float((ours.float().cpu() - wide).square().mean().sqrt() / wide.square().mean().sqrt())


def _title(device: str) -> str:
    return "cpu" if device == "cpu" else torch.cuda.get_device_name(device)


def _say(words: str) -> None:
    print(words, flush=True)


if __name__ == "__main__":
    sys.exit(main())
