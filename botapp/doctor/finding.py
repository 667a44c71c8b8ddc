"""What the doctor says of one fault, in plain values."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
"""error: the card cannot be used so; warning: it works badly or may fail; note: good to know."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that was found, and the way out.

    Attributes:
        fault: which of the faults it is, such as "device-nodes".
        title: the fault in a sentence.
        severity: how bad it is.
        fix: what to do, step by step; commands stand alone on their line.
        verify: a command that shows whether the fix worked.
        relogin: whether one must log out and in again (or restart) for the fix to count.
    """

    fault: str
    title: str
    severity: Severity
    evidence: tuple[str, ...]
    fix: tuple[str, ...]
    verify: str
    relogin: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"evidence": list(self.evidence), "fix": list(self.fix)}
