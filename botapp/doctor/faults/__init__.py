"""The faults that the doctor names: the modules of this package hold their detectors, under `@fault`.

A fault is reported by its own detector and by no other.
"""

from collections.abc import Callable, Iterable, Mapping

from botapp.doctor.finding import Finding
from botapp.doctor.machine import Machine
from botapp.host.registry import Registry

Detector = Callable[[Machine], Iterable[Finding]]
FAULTS: Registry[tuple[int, Detector]] = Registry("botapp.doctor.faults")

_WORST_FIRST = ("error", "warning", "note")


def fault(name: str, order: int = 100) -> Callable[[Detector], Detector]:
    """Registers a detector: a function of a `Machine` that yields the findings of a fault.

    Args:
        order: of two that are as bad, the one of the lower number is named first: its remedy may mend both.
    """

    def register(detect: Detector) -> Detector:
        FAULTS.add(name, (order, detect))
        return detect

    return register


def detectors() -> dict[str, Detector]:
    """Returns every detector by its fault, in their order."""
    ordered = sorted(FAULTS.all().items(), key=lambda item: item[1][0])
    return {name: detect for name, (_, detect) in ordered}


def diagnose(machine: Machine, detect_by: Mapping[str, Detector] | None = None) -> list[Finding]:
    """Returns what is wrong with a machine, the worst first; `detect_by` are all detectors unless given."""
    each = detectors() if detect_by is None else detect_by
    found = [finding for detect in each.values() for finding in detect(machine)]
    return sorted(found, key=lambda finding: _WORST_FIRST.index(finding.severity))
