"""A probe's report on disk, under a key of the system, drivers, cards, packages and environment variables."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hrm.backends.json_cache import PROBE, JsonCache
from hrm.backends.probing.environment import libraries, system
from hrm.backends.probing.report import FORMAT, ProbeCheck, ProbeReport
from hrm.message import say

_ENVIRONMENT = (
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "HSA_OVERRIDE_GFX_VERSION",
    "HSA_ENABLE_DXG_DETECTION",
    "PYTORCH_HIP_ALLOC_CONF",
    "TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL",
)


def cached_report(folder: Path | None = None) -> ProbeReport | None:
    """Returns the report of an earlier probe of the system as it is now; runs no check.

    The key is made in this process, which has torch loaded or is about to.

    Args:
        folder: of the cache; None for `hrm.backends.json_cache.cache_folder()`.
    """
    if not JsonCache.named(PROBE, folder).path.exists():
        return None
    try:
        about = {"system": system({}), "import": libraries({})}
    except (ImportError, OSError, RuntimeError):
        return None
    return read_report(key_of({name: {"ok": True, **answer} for name, answer in about.items()}), folder)[0]


def key_of(about: Mapping[str, Mapping[str, Any]]) -> str:
    """Returns the key of a system, by the answers of the checks "system" and "import"."""
    environment = {name: os.environ.get(name, "") for name in _ENVIRONMENT}
    text = json.dumps([FORMAT, about, environment], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_report(key: str, folder: Path | None = None) -> tuple[ProbeReport | None, str]:
    """Reads the cached report of a key; with a message if the file cannot be read, else ""."""
    cache = JsonCache.named(PROBE, folder)
    try:
        stored = cache.read()
        if not stored or stored["format"] != FORMAT or stored["key"] != key:
            return None, ""
        tried = tuple(ProbeCheck(**check) for check in stored["checks"])
        return ProbeReport(key, tried, float(stored["probed_s"]), cached=True), ""
    except (ValueError, KeyError, TypeError, OSError) as error:
        return None, say(
            "the cached probe could not be read ({problem}) and is kept as {file}",
            problem=type(error).__name__,
            file=str(cache.set_aside()),
        )


def write_report(report: ProbeReport, folder: Path | None = None) -> None:
    """Stores a report; if the folder is not writable, the next probe runs all checks again."""
    JsonCache.named(PROBE, folder).write(report.to_json())
