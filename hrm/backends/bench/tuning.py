"""Stores the fastest engine, precision and number of threads of a model on this computer's CPU.

Stored under the processor, the packages and the model's configuration, so that another computer or another
version measures anew.
"""

import contextlib
import hashlib
import json
import os
import platform
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from hrm.backends.architectures import Precision
from hrm.backends.json_cache import TUNING, JsonCache
from hrm.backends.placement import DevicePlan, EngineName
from hrm.config import Config
from hrm.message import say

if TYPE_CHECKING:  # the benchmark needs psutil; reading its results does not
    from hrm.backends.bench.benchmark import Result

LEAST_THREADS_GAIN = 1.3  # How many times faster than one thread several must be to be chosen


def remember(config: Config, result: "Result", folder: Path | None = None) -> DevicePlan | None:
    """Stores the fastest device plan that a benchmark found on the CPU; None where it cannot be stored.

    More threads than one must be much faster: a step slows down tenfold when a game wants the cores too.
    """
    on_cpu = on_the_cpu(result)
    best = on_cpu.best()
    single = [row for row in on_cpu.rows if row.device_plan.threads <= 1 and on_cpu.fits(row)]
    thrifty = min(single, key=lambda row: row.share(0.5), default=best)
    if thrifty.share(0.5) < LEAST_THREADS_GAIN * best.share(0.5):
        best = thrifty
    device_plan = best.device_plan
    cache = JsonCache.named(TUNING, folder)
    entry = {
        "engine": device_plan.engine,
        "precision": device_plan.precision,
        "threads": device_plan.threads,
        "faster": round(on_cpu.faster(best), 3),
    }
    if not cache.write(cache.read_or_set_aside() | {_key(config): entry}):
        return None
    return device_plan


def remembered(config: Config, device_plan: DevicePlan, folder: Path | None = None) -> DevicePlan:
    """Returns a CPU's device plan with what the benchmark found fastest for this model, if anything."""
    if device_plan.backend != "cpu":
        return device_plan
    entry: Any = JsonCache.named(TUNING, folder).read_or_set_aside().get(_key(config))
    try:
        engine, precision = entry["engine"], entry["precision"]
        threads, faster = int(entry["threads"]), float(entry["faster"])
    except (TypeError, KeyError, ValueError):
        return device_plan
    if engine not in get_args(EngineName) or precision not in get_args(Precision):
        return device_plan
    why = say(
        "a benchmark here found {engine} in {precision} {times:.1f} times as fast as plain torch",
        engine=engine,
        precision=precision,
        times=faster,
    )
    return replace(device_plan, engine=engine, precision=precision, threads=threads, reason=why)


def on_the_cpu(result: "Result") -> "Result":
    return replace(result, rows=tuple(row for row in result.rows if row.device_plan.backend == "cpu"))


def _key(config: Config) -> str:
    packages = [_version(name) for name in ("torch", "onnxruntime", "onnxruntime-directml")]
    about = [platform.machine(), _processor(), os.cpu_count(), packages, config.to_json()]
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()[:16]


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith(("model name", "flags")):
                return line.partition(":")[2].strip()
    return platform.processor()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
