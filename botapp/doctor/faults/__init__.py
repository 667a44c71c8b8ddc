"""The faults that the doctor names: the modules of this package hold their detectors, under `@fault`.

A fault is reported by its own detector and by no other.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from botapp.doctor.machine import Machine
from botapp.host.registry import Registry

Severity = Literal["error", "warning", "note"]
"""error: the card cannot be used so; warning: it works badly or may fail; note: good to know."""
PAGE = "docs/troubleshooting.md"  # Has a heading for each fault: more of its cause and its repair
_WORST_FIRST = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that was found, and the way out."""

    title: str  # The fault and its cause in a sentence
    severity: Severity
    evidence: Sequence[str]
    fix: Sequence[str]  # What to do, step by step; a command stands alone on its line
    fault: str = ""  # Which of the faults it is, such as "device-nodes"; `diagnose` says it

    def to_json(self) -> dict[str, Any]:
        lists = {"evidence": list(self.evidence), "fix": list(self.fix)}
        return asdict(self) | lists | {"page": f"{PAGE}#{self.fault}"}


Detector = Callable[[Machine], Iterable[Finding]]
FAULTS: Registry[tuple[int, Detector]] = Registry("botapp.doctor.faults")


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
    findings = [replace(finding, fault=name) for name, detect in each.items() for finding in detect(machine)]
    return sorted(findings, key=lambda finding: _WORST_FIRST.index(finding.severity))
