"""What the benchmark found best on this computer's CPU for a model, remembered: engine, precision, threads.

It is kept under the processor, the packages and the model's configuration, so that another computer or
another version asks anew. Before it: `hrm.backends.bench.benchmark`. Next hop: whoever places a model asks it.
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

from hrm.backends import json_cache as kept
from hrm.backends.architectures import Precision
from hrm.backends.placement import Choice, EngineName
from hrm.backends.probing.probe import cache_folder
from hrm.config import Config

if TYPE_CHECKING:  # the benchmark wants psutil; who only asks what it found does not
    from hrm.backends.bench.benchmark import Result

WORTH_THREADS = 1.3
"""How many times faster several threads must be than one to be taken."""


def remember(config: Config, result: "Result", folder: Path | None = None) -> Choice | None:
    """Keeps the best that a benchmark found on the CPU; returns it, None where it cannot be kept.

    More threads than one must pay well: they cost tenfold once a game and the app want the cores too.
    """
    on_cpu = on_the_cpu(result)
    best = on_cpu.best()
    single = [row for row in on_cpu.rows if row.choice.threads <= 1 and on_cpu.fits(row)]
    thrifty = min(single, key=lambda row: row.share(0.5), default=best)
    if thrifty.share(0.5) < WORTH_THREADS * best.share(0.5):
        best = thrifty
    choice = best.choice
    path = _path(folder)
    stored = _stored(path)
    stored[_key(config)] = {
        "engine": choice.engine,
        "precision": choice.precision,
        "threads": choice.threads,
        "faster": round(on_cpu.faster(best), 3),
    }
    try:
        kept.write(path, stored)
    except OSError:
        return None
    return choice


def remembered(config: Config, choice: Choice, folder: Path | None = None) -> Choice:
    """Returns a choice of the CPU as the benchmark found it best for this model, or as it is."""
    if choice.backend != "cpu":
        return choice
    found: Any = _stored(_path(folder)).get(_key(config))
    try:
        engine, precision = found["engine"], found["precision"]
        threads, faster = int(found["threads"]), float(found["faster"])
    except (TypeError, KeyError, ValueError):
        return choice
    if engine not in get_args(EngineName) or precision not in get_args(Precision):
        return choice
    why = f"a benchmark here found {engine} in {precision} {faster:.1f} times as fast as plain torch"
    return replace(choice, engine=engine, precision=precision, threads=threads, reason=why)


def on_the_cpu(result: "Result") -> "Result":
    """Returns a result with its rows on the CPU alone."""
    return replace(result, rows=tuple(row for row in result.rows if row.choice.backend == "cpu"))


def _path(folder: Path | None) -> Path:
    return (folder or cache_folder()) / "tuning.json"


def _stored(path: Path) -> dict[str, dict[str, object]]:
    """Reads what is kept; a file that cannot be read is set aside."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, OSError):
        with contextlib.suppress(OSError):
            path.replace(path.with_suffix(".json.bak"))
        return {}
    return found if isinstance(found, dict) else {}


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
