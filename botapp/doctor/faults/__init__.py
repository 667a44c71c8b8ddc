"""The faults a doctor must name, each with its detector: a function of a `Machine` that gives findings.

A fault is reported by its own detector and by no other.
"""

from collections.abc import Callable, Iterable, Mapping

from botapp.doctor.faults.access import device_nodes, integrated_first, override, wsl
from botapp.doctor.faults.running import crash, memory_full, precision, silent_fallback
from botapp.doctor.faults.settings import environment, kernel_parameters
from botapp.doctor.faults.software import clashing_packages, no_code, versions, wrong_torch
from botapp.doctor.finding import Finding
from botapp.doctor.machine import Machine

Detector = Callable[[Machine], Iterable[Finding]]

DETECTORS: Mapping[str, Detector] = {
    "wrong-torch": wrong_torch,
    "device-nodes": device_nodes,
    "no-code": no_code,
    "crash": crash,
    "integrated-first": integrated_first,
    "override": override,
    "wsl": wsl,
    "versions": versions,
    "memory-full": memory_full,
    "silent-fallback": silent_fallback,
    "precision": precision,
    "clashing-packages": clashing_packages,
    "kernel-parameters": kernel_parameters,
    "environment": environment,
}
"""The twelve faults, then what else is judged, by the name their findings carry."""

_WORST_FIRST = ("error", "warning", "note")


def diagnose(machine: Machine, detectors: Mapping[str, Detector] = DETECTORS) -> list[Finding]:
    """Returns what is wrong with a machine, the worst first."""
    found = [finding for detect in detectors.values() for finding in detect(machine)]
    return sorted(found, key=lambda finding: _WORST_FIRST.index(finding.severity))
