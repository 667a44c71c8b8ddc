"""The probe: finds what works on this computer by checks, each in a child process with a time limit.

A check that fails ends the checks of that device and precision alone; a crash disables nothing else. The
report is cached under everything that could change it.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hrm.backends.architectures import half_precision
from hrm.backends.probing.cached import key_of, read_report, write_report
from hrm.backends.probing.child import ChildResult, run_child
from hrm.backends.probing.report import ProbeCheck, ProbeReport
from hrm.message import say

CHECKS = "hrm.backends.probing.checks"
"""The module that a child process runs; it is not imported here, for a check may crash."""

LIMITS_S = {"system": 20.0, "import": 60.0, "enumerate": 60.0, "step": 120.0}
LIMIT_S = 45.0
RunChild = Callable[..., ChildResult]
Progress = Callable[[str], None]


def probe_all(
    force: bool = False,
    folder: Path | None = None,
    run: RunChild = run_child,
    progress: Progress | None = None,
) -> ProbeReport:
    """Probes this computer, or reads the report of an earlier probe of the same system.

    Args:
        force: probe anew, as the settings page's button does.
        folder: of the cache; None for `hrm.backends.json_cache.cache_folder()`.
        run: runs a child; for tests.
        progress: is called with a line about the check that comes next.
    """
    probing = _Probing(run, progress or (lambda words: None))
    probing.check("system")
    probing.check("import")
    key = key_of({check.name: check.answer for check in probing.checks})
    message = ""
    if not force:
        cached, message = read_report(key, folder)
        if cached is not None:
            return cached
    probing.devices()
    report = ProbeReport(key, tuple(probing.checks), time.time(), message=message)
    write_report(report, folder)
    return report


def probe_check(name: str, device: str = "cpu", run: RunChild = run_child, **options: Any) -> ProbeCheck:
    """Runs one check in a child process; the options are those of `hrm.backends.probing.checks`."""
    asked = {"device": device, **options}
    limit = LIMITS_S.get(name, LIMIT_S)
    result = run(CHECKS, [name, json.dumps(asked)], limit)
    answer = result.answer or {}
    ok = result.fault is None and bool(answer.get("ok", True))
    reason = (
        "" if ok else result.fault.message if result.fault else answer.get("what", say("the check failed"))
    )
    tried = [str(options.get(part, "")) for part in ("precision", "attention", "engine", "level")]
    where = "" if name in ("system", "import", "enumerate") else device
    took = round(result.seconds, 2)
    return ProbeCheck(name, where, tried[0], tried[1], tried[2], ok, reason, answer, took, tried[3])


class _Probing:
    """Runs the checks one after the other and collects their outcomes."""

    def __init__(self, run: RunChild, progress: Progress) -> None:
        self.checks: list[ProbeCheck] = []
        self._run = run
        self._progress = progress

    def check(self, name: str, device: str = "cpu", **options: Any) -> bool:
        """Runs one check; returns whether it passed."""
        words = [name, device, *(str(value) for value in options.values())]
        self._progress(" ".join(words))
        self.checks.append(probe_check(name, device, self._run, **options))
        return self.checks[-1].ok

    def devices(self) -> None:
        """Lists the devices and checks each; the CPU is one of them."""
        if not self.checks[-1].ok or not self.check("enumerate"):
            return
        for entry in self.checks[-1].answer.get("backends", ()):
            if entry["name"] == "auto" or not entry["usable"]:
                continue
            for device in entry["devices"]:
                self._device(entry["name"], device["name"], device.get("architecture", ""))

    def _device(self, backend: str, device: str, chip: str) -> None:
        if backend == "directml":
            for precision in ("fp32", "fp16"):
                self.check("step", device, precision=precision, engine="onnx")
            return
        if backend == "cpu":
            self.check("step", device, precision="fp32")
            for precision in ("fp32", "int8"):
                self.check("step", device, precision=precision, engine="onnx")
            return
        if not self.check("allocate", device):
            return
        for precision in ("fp32", half_precision(chip)):
            passed = self.check("matmul", device, precision=precision)
            if passed and self.check("attention", device, precision=precision, attention="math"):
                fastest = "fast" if backend == "rocm" else "auto"
                self.check("attention", device, precision=precision, attention=fastest)
                if self.check("step", device, precision=precision) and backend == "rocm":
                    self.check("step", device, precision=precision, level="balanced", hip_graphs=True)
        self.check("conv2d", device)
