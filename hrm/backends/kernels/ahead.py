"""Compiles our kernels for chips that need not be here: registers, local memory, the compiler's cache filled.

The steps themselves are run on the processor with Triton's driver replaced by one that names a chip, and
each launch replaced by its compilation: so the code, the tiles and the keys in Triton's cache are those of
a first start on such a card with the same Triton. That proves that it compiles, not that it runs.
"""

import contextlib
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
import triton  # type: ignore[import-not-found,unused-ignore]
from triton.backends.compiler import GPUTarget  # type: ignore[import-not-found,unused-ignore]

from hrm.act import Stepper
from hrm.backends.architectures import architecture, half_precision, local_memory
from hrm.backends.errors import ConfigurationError, sort_error
from hrm.backends.kernels import fused, persistent
from hrm.backends.kernels.fused import FusedStep, fits
from hrm.backends.kernels.persistent import PersistentStep
from hrm.backends.kernels.selection import LENGTHS, fits_single_launch
from hrm.backends.kernels.tiles import tile_for
from hrm.config import Config
from hrm.model import HRM

REGISTERS = 65_536
"""Registers of a multiprocessor of NVIDIA's: those of a program's threads together may not exceed them."""

_PROGRAMS = 132
_SINGLE_LAUNCH = "sm_90"
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """A kernel as compiled for a chip."""

    target: str
    kernel: str
    shape: str  # Its constants: widths and the sizes of its blocks
    warps: int
    registers: int | None  # Of each thread, None where unknown
    spilled: int | None  # Registers kept in memory for want of room, None where unknown
    local: int  # Bytes of local memory of a program
    limit: int  # Bytes that the chip has of it for a program
    problem: str = ""  # Why it cannot run there, "" if it can

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def compile_for(target: str, config: Config, lengths: Sequence[int]) -> list[CompiledKernel]:
    """Compiles every kernel of a step for a chip, at each length with a mask and without.

    Args:
        target: a chip such as "gfx1101" or "sm_90".
        lengths: positions; batch 1.

    Raises:
        ConfigurationError: no such chip is known, or our kernels are not for such a model.
    """
    chip = _target(target)
    torch.manual_seed(0)
    model = HRM(replace(config, seq_len=max(lengths)))
    stepper = Stepper(model, model.read).eval().requires_grad_(False)
    model.dtype = {"bf16": torch.bfloat16, "fp16": torch.float16}[half_precision(target)]
    model.L_level.to(model.dtype)
    model.high.to(model.dtype)
    if not fits(stepper):
        raise ConfigurationError(f"our kernels are not for a model of width {config.hidden_size}")
    single = target == _SINGLE_LAUNCH and fits_single_launch(stepper)
    by_name: dict[str, CompiledKernel] = {}
    with _compiling(chip, target, by_name), torch.inference_mode():
        tiles = partial(tile_for, chip=target)
        steps = [FusedStep(stepper, tiles=tiles)]
        if single:
            steps.append(PersistentStep(stepper, programs=_PROGRAMS))
        for step, length, masked in itertools.product(steps, lengths, (False, True)):
            if isinstance(step, PersistentStep) and length not in LENGTHS:
                continue
            x = torch.zeros(1, length, config.hidden_size, dtype=model.dtype)
            step(*model.start(1, length), x, torch.ones(1, length, dtype=torch.bool) if masked else None)
    return list(by_name.values())


def text(compiled: Sequence[CompiledKernel]) -> str:
    """Returns a table for a terminal, the worst of each kernel and chip, and what cannot run."""
    lines = [f"{'chip':<9} {'kernel':<18} {'tiles':>5} {'registers':>9} {'spilled':>7} {'local memory':>16}"]
    for (target, kernel), group in itertools.groupby(
        sorted(compiled, key=lambda entry: (entry.target, entry.kernel)),
        key=lambda entry: (entry.target, entry.kernel),
    ):
        there = list(group)
        registers, spilled = (
            max((value for entry in there if (value := getattr(entry, name)) is not None), default="?")
            for name in ("registers", "spilled")
        )
        local = max(entry.local for entry in there)
        room = f"{local:,} of {there[0].limit:,}"
        lines.append(f"{target:<9} {kernel:<18} {len(there):>5} {registers:>9} {spilled:>7} {room:>16}")
    problems: dict[tuple[str, str], list[CompiledKernel]] = {}
    for entry in compiled:
        if entry.problem:
            problems.setdefault((entry.target, entry.problem), []).append(entry)
    for (target, problem), those in problems.items():
        lines.append(
            f"NOT {target}: {len(those)} of them, such as {those[0].kernel} {those[0].shape}: {problem}"
        )
    return "\n".join(lines)


def wrong(compiled: Sequence[CompiledKernel]) -> list[CompiledKernel]:
    """Returns those that cannot run on a chip on which the app would use them."""
    return [
        kernel
        for kernel in compiled
        if kernel.problem and (known := architecture(kernel.target)) and known.triton
    ]


class _Absent:
    """Triton's driver of a card that is not there, as far as compiling asks for one."""

    def __init__(self, target: Any) -> None:
        self._target, self._number = target, next(_numbers)

    def get_current_target(self) -> Any:
        return self._target

    def get_current_device(self) -> int:
        """A number of its own: kernels keep what was compiled by it."""
        return self._number

    def get_current_stream(self, device: int) -> int:
        """None is needed."""
        return 0


@contextlib.contextmanager
def _compiling(chip: Any, target: str, by_name: dict[str, CompiledKernel]) -> Iterator[None]:
    kernels = [
        value
        for module in (fused, persistent)
        for value in vars(module).values()
        if isinstance(value, triton.runtime.JITFunction) and value.module == module.__name__
    ]
    for kernel in kernels:
        kernel.run = partial(_compiled, kernel, target, by_name)
    before = triton.runtime.driver._active  # asking for it by name would look for a card
    triton.runtime.driver.set_active(_Absent(chip))
    try:
        yield
    finally:
        triton.runtime.driver.set_active(before)
        for kernel in kernels:
            del kernel.run


def _compiled(
    kernel: Any,
    target: str,
    by_name: dict[str, CompiledKernel],
    *args: Any,
    grid: Any,
    warmup: bool,
    **options: Any,
) -> None:
    shape = " ".join(f"{name}={value}" for name, value in options.items() if name.isupper())
    name, warps, limit = kernel.__name__.strip("_"), int(options.get("num_warps", 4)), local_memory(target)
    key = f"{name} {shape} {options.get('num_stages')}"
    if key in by_name:
        return
    try:
        with _quiet():
            done = type(kernel).run(kernel, *args, grid=grid, warmup=True, **options)
    except Exception as error:  # compilers raise exceptions of any class
        known = architecture(target)
        what = sort_error(error).what
        if known is not None and not known.triton:
            what = f"this Triton has no code for {target}; the app does not use these kernels there"
        by_name[key] = CompiledKernel(target, name, shape, warps, None, None, 0, limit, what)
        return
    local = int(done.metadata.shared)
    registers, spilled = _from_amd(done) if target.startswith("gfx") else _from_nvidia(done)
    problem = ""
    if local > limit:
        problem = f"{local:,} bytes of local memory, and the chip has {limit:,}"
    elif target.startswith("sm") and registers is not None and registers * warps * 32 > REGISTERS:
        problem = f"{registers} registers for each of {warps * 32} threads, and there are {REGISTERS:,}"
    by_name[key] = CompiledKernel(target, name, shape, warps, registers, spilled, local, limit, problem)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps what the compiler's own libraries write to the error output: thousands of lines for a refusal."""
    sys.stderr.flush()
    stderr_copy = os.dup(2)
    with Path(os.devnull).open("wb") as nothing:
        os.dup2(nothing.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(stderr_copy, 2)
            os.close(stderr_copy)


def _from_amd(done: Any) -> tuple[int | None, int | None]:
    matches = [
        re.search(rf"\.{name}:\s+(\d+)", done.asm["amdgcn"]) for name in ("vgpr_count", "vgpr_spill_count")
    ]
    registers, spilled = (int(match[1]) if match else None for match in matches)
    return registers, spilled


def _from_nvidia(done: Any) -> tuple[int | None, int | None]:
    """Asks NVIDIA's `cuobjdump`, which comes with Triton; what it calls stack is spilled, 4 bytes each."""
    beside = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    tool = str(beside) if beside.is_file() else shutil.which("cuobjdump")
    if tool is None:
        return None, None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(done.asm["cubin"])
        said = subprocess.run(
            [tool, "-res-usage", str(path)], check=False, capture_output=True, text=True
        ).stdout
    match = re.search(r"REG:(\d+) STACK:(\d+)", said)
    return (int(match[1]), int(match[2]) // 4) if match else (None, None)


def _target(name: str) -> Any:
    known = architecture(name)
    if known is None:
        raise ConfigurationError(f"there is no chip {name!r} here", "name one such as gfx1101 or sm_90")
    if known.vendor == "AMD":
        return GPUTarget("hip", name, known.wave)
    return GPUTarget("cuda", int(name.removeprefix("sm_")), 32)
