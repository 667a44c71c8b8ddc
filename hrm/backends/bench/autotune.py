"""`python -m hrm.backends.bench.autotune OUT`: searches block shapes for our kernels on an NVIDIA card.

Compiling takes far longer than running, so each candidate is compiled in one of many parallel processes and
runs only while it holds a lock: a hang or a crash costs one candidate, and no two are timed at once. A
candidate counts only if its output is correct and the same several times over. Results are written as they
come: `shapes.json` for `hrm.backends.bench.gpu_bench`, `autotune.json` with every figure.
"""

import argparse
import contextlib
import fcntl
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any

import torch

from hrm.backends.bench import workloads
from hrm.backends.bench.gpu_bench import relative_error, timed
from hrm.backends.engines.graphs import CapturedStep
from hrm.backends.engines.torch_engine import TorchEngine
from hrm.backends.errors import sort_error
from hrm.backends.kernels.tiles import LAYOUTS, KernelLayout, Tile, layout_for, tile_for
from hrm.backends.probing.child import ROOT, child_environment

LAUNCHES = 24
"""Launches of a kernel in the graph that times it: as many as in a step."""

KERNELS = ("project", "gate", "out", "down", "attend")
_TOLERANCE = 0.01
"""Largest relative error of a candidate against blocks known to be correct: both round to bf16."""

_SHARED_BYTES = 200 << 10
"""Largest use of a multiprocessor's shared memory by the loads in flight."""


def layouts(tokens: int) -> list[KernelLayout]:
    """Returns the layouts to try at a length, the shipped one first."""
    few, some, many = LAYOUTS
    shipped = layout_for(tokens, 512, 1536)
    if tokens > 256:
        small = replace(many, project=(64, 64, 64), gate=(64, 64, 64), warps=4, stages=3)
        return [
            shipped,
            replace(many, attend=(64, 64)),
            replace(many, project=(64, 128, 64), gate=(64, 64, 64)),
            replace(many, stages=3, out=(64, 32, 128), down=(64, 32, 128), each=1),
            replace(small, each=2),
            replace(small, out=(64, 32, 64), down=(64, 32, 64), each=2),
            replace(small, attend=(64, 64), each=2),
            replace(many, out=(32, 64, 64), down=(32, 64, 128), stages=3),
        ]
    wide = replace(some, project=(64, 32, 128), gate=(64, 32, 128), stages=3)
    return [
        shipped,
        replace(shipped, warps=8),
        replace(shipped, split=1),
        replace(shipped, stages=3),
        replace(shipped, out=(16, 32, 128), down=(16, 32, 128)),
        replace(few, each=2, stages=3) if tokens > 96 else replace(few, project=(64, 16, 128)),
        wide,
        replace(wide, out=(16, 16, 128), down=(16, 16, 128)),
        replace(shipped, out=(16, 16, 256), down=(16, 16, 256), stages=3),
    ]


def tiles(kernel: str, rows: int, columns: int, depth: int) -> list[Tile]:
    """Returns the tiles to try for a kernel: the shipped one, then others in an order drawn once."""
    name: Any = "add" if kernel in ("out", "down") else kernel
    found = []
    shapes = product((16, 32, 64, 128), (16, 32, 64, 128), (64, 128, 256), (4, 8), (2, 3, 4), (1, 2))
    for tile in (Tile(*shape) for shape in shapes):
        loads = tile.rows + tile.columns * (2 if kernel == "gate" else 1)
        if kernel == "attend":
            allowed = tile.depth == 64 and tile.split == 1 and tile.rows <= 64 and tile.columns >= 32
        else:
            blocks = -(-rows // tile.rows) * (columns // tile.columns)
            allowed = (
                60 <= blocks <= 400
                and depth % (tile.depth * tile.split) == 0
                and tile.stages >= 3
                and loads * tile.depth * 2 * tile.stages * tile.split <= _SHARED_BYTES
                and (tile.split == 1 or (name == "add" and tile.rows < 64))
                and tile.rows * tile.columns <= 2048 * tile.warps
                and (tile.warps == 4 or tile.rows * tile.columns >= 2048)
            )
        if allowed and tile.rows < 2 * max(rows, 16):
            found.append(tile)
    random.Random(0).shuffle(found)
    return [tile_for(name, rows, columns, depth), *found]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the search, or one part of it in a child process; 0 where something was found."""
    parser = argparse.ArgumentParser(prog="python -m hrm.backends.bench.autotune", description=__doc__)
    parser.add_argument("out", type=Path, help="a folder for what is found")
    parser.add_argument("--tokens", type=int, nargs="+", default=[64, 128, 560])
    parser.add_argument("--seconds", type=float, default=140.0, help="no candidate is begun after so long")
    parser.add_argument("--part", nargs=2, metavar=("KIND", "WHICH"), help="layout NUMBER, or tile KERNEL")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    if options.part is not None:
        kind, which = options.part
        with (options.out / "lock").open("w") as lock, torch.no_grad():
            part = _layout if kind == "layout" else _tiles
            for row in part(which, options.tokens[0], lock, time.monotonic() + options.seconds):
                print(json.dumps(row), flush=True)
        return 0
    rows = list(_gather(options))
    (options.out / "lock").unlink(missing_ok=True)
    shapes = best(rows)
    (options.out / "shapes.json").write_text(json.dumps(shapes, indent=1), encoding="utf-8")
    return 0 if shapes["tiles"] or shapes["layouts"] else 1


def best(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Returns the fastest right tile of each kernel and layout of each length, as JSON has them."""
    shapes: dict[str, dict[str, Any]] = {"tiles": {}, "layouts": {}}
    for row in sorted((row for row in rows if row.get("ok")), key=lambda row: float(row["time"])):
        shapes[row["kind"]].setdefault(str(row["key"]), row["shape"])
    return shapes


def _gather(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Starts a child for each part, longest first; yields and stores their rows as they come."""
    until = time.monotonic() + options.seconds
    parts = [
        (tokens, "layout", str(number))
        for tokens in reversed(options.tokens)
        for number in range(len(layouts(tokens)))
    ]
    parts += [(tokens, "tile", kernel) for tokens in reversed(options.tokens) for kernel in KERNELS]
    waiting, running, rows = parts, list[tuple[Any, Path]](), list[dict[str, Any]]()
    while (waiting or running) and time.monotonic() < until + 10:
        while waiting and len(running) < max(1, (os.cpu_count() or 2) - 2) and time.monotonic() < until:
            running.append(_start(*waiting.pop(0), options.out, until - time.monotonic()))
        for child, path in [part for part in running if part[0].poll() is not None]:
            running.remove((child, path))
            yield from _collect(path, rows, options.out)
        time.sleep(0.05)
    for child, path in running:
        child.kill()
        child.wait()
        yield from _collect(path, rows, options.out)


def _start(tokens: int, kind: str, which: str, out: Path, seconds: float) -> tuple[Any, Path]:
    path = out / f"{kind}-{which}-{tokens}.jsonl"
    command = [sys.executable, "-P", "-m", "hrm.backends.bench.autotune", str(out.resolve())]
    command += ["--part", kind, which]
    command += ["--tokens", str(tokens), "--seconds", str(seconds)]
    with path.open("w") as lines:
        child = subprocess.Popen(
            command, stdout=lines, stderr=subprocess.DEVNULL, env=child_environment(), cwd=ROOT
        )
    return child, path


def _collect(path: Path, rows: list[dict[str, Any]], out: Path) -> Iterator[dict[str, Any]]:
    """Yields the rows that a child printed; the last line of one that was killed may be half."""
    for line in path.read_text(encoding="utf-8").splitlines():
        with contextlib.suppress(ValueError):
            rows.append(json.loads(line))
            yield rows[-1]
    path.unlink()
    (out / "autotune.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")


@contextlib.contextmanager
def _locked(lock: Any) -> Iterator[None]:
    """Holds the lock on the card; other processes compile meanwhile."""
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)


def _layout(which: str, tokens: int, lock: Any, until: float) -> Iterator[dict[str, Any]]:
    """Yields the time of a layout, measured in an engine."""
    from hrm.backends.kernels.persistent import PersistentStep  # noqa: PLC0415 (Triton is not everywhere)

    workload = workloads.reference(tokens)
    x, _ = workload.inputs[0]
    expected = workload.stepper(*workload.stepper.core.start(1, tokens), x, None)
    layout = layouts(tokens)[int(which)]
    row: dict[str, Any] = {"kind": "layouts", "key": tokens, "shape": asdict(layout)}
    try:
        engine = TorchEngine(workload.stepper, "cuda:0", "bf16", level="aggressive")
        step = PersistentStep(engine._stepper, layouts=lambda *_: layout)
        engine._run = CapturedStep(step, feed_back=2)
        engine.step(engine.start(1, tokens), x)
        if time.monotonic() > until:
            return
        with _locked(lock):
            row |= timed(lambda: engine, x, "cuda:0", 150, expected)
        row |= {"time": row["p50_ms"], "ok": row["error"] < 2 * _TOLERANCE + 0.02}
    except Exception as error:
        row |= {"ok": False, "trouble": sort_error(error).what[:300]}
    yield row


def _tiles(kernel: str, tokens: int, lock: Any, until: float) -> Iterator[dict[str, Any]]:
    """Yields the time of each tile of a kernel, among launches replayed from a graph."""
    from hrm.backends.kernels.fused import FusedStep  # noqa: PLC0415 (Triton is not everywhere)

    engine = TorchEngine(workloads.reference(tokens).stepper, "cuda:0", "bf16", level="conservative")
    fused = FusedStep(engine._stepper)
    call, out, size = _call(fused, kernel, tokens)
    known = None
    for tile in tiles(kernel, *size):
        if time.monotonic() > until:
            break
        fused._tiles = _only("add" if kernel in ("out", "down") else kernel, size[2], tile)
        name = "add" if kernel in ("out", "down") else kernel
        row: dict[str, Any] = {"kind": "tiles", "key": f"{name} {size[0]} {size[1]} {size[2]}"}
        row["shape"] = asdict(tile)
        try:
            answers = []
            for _ in range(5):
                out.fill_(float("nan"))
                call()
                answers.append(out.clone())
            known = answers[0] if known is None else known
            row["error"] = max(relative_error(answer, known) for answer in answers)
            row["same"] = all(torch.equal(answers[0], answer) for answer in answers)
            with _locked(lock):
                row["time"] = _launch_us(call)
            row["ok"] = row["same"] and row["error"] < _TOLERANCE
        except Exception as error:
            row |= {"ok": False, "trouble": sort_error(error).what[:300]}
        yield row


def _only(kernel: str, depth: int, tile: Tile) -> Callable[..., Tile]:
    """Returns the tile choice with one kernel's tile replaced."""

    def choose(name: Any, rows: int, columns: int, deep: int) -> Tile:
        return tile if (name, deep) == (kernel, depth) else tile_for(name, rows, columns, deep)

    return choose


def _call(fused: Any, kernel: str, tokens: int) -> tuple[Callable[[], None], Any, tuple[int, int, int]]:
    """Returns a kernel's call on random inputs, what it writes, and its rows, columns and depth."""
    core = fused._core
    config, block = core.config, core.L_level.layers[0]
    hidden, inner = config.hidden_size, config.mlp_width
    attention, mlp = block.self_attn, block.mlp
    x = torch.randn(1, tokens, hidden, device="cuda:0", dtype=torch.bfloat16)
    buffers = fused._buffers_for(x)
    for name, buffer in buffers.items():
        buffers[name] = torch.rand_like(buffer) if name.endswith("squares") else torch.randn_like(buffer)
    qkv, gate = attention.qkv_proj.weight, mlp.gate_up_proj.weight
    calls: dict[str, Any] = {
        "project": (
            lambda: fused._launch_project(buffers, "sum", qkv, buffers["qkv"]),
            "qkv",
            (3 * hidden, hidden),
        ),
        "gate": (
            lambda: fused._launch_project(buffers, "mid", gate, buffers["gated"], gate=True),
            "gated",
            (inner, hidden),
        ),
        "out": (
            lambda: fused._launch_add(
                buffers, "sum", buffers["joined"], attention.o_proj.weight, "mid", normed=False
            ),
            "mid",
            (hidden, hidden),
        ),
        "down": (
            lambda: fused._launch_add(
                buffers, "mid", buffers["gated"], mlp.down_proj.weight, "sum", normed=False
            ),
            "sum",
            (hidden, inner),
        ),
        "attend": (
            lambda: fused._launch_attend(buffers["qkv"], buffers["joined"], x.shape, None),
            "joined",
            (config.head_dim, config.head_dim),
        ),
    }
    call, written, size = calls[kernel]
    return call, buffers[written], (tokens, *size)


def _launch_us(call: Callable[[], None]) -> float:
    """Times one of LAUNCHES, replayed from a graph: median of 15, in microseconds."""
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(LAUNCHES):
            call()
    times: list[float] = []
    for _ in range(18):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(begin.elapsed_time(end) * 1000 / LAUNCHES)
    return statistics.median(times[3:])


if __name__ == "__main__":
    sys.exit(main())
