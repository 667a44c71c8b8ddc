"""What the doctor says of one fault, in plain values."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
"""error: the card cannot be used so; warning: it works badly or may fail; note: good to know."""
PAGE = (
    "docs/troubleshooting.md"  # has a heading for each fault: more of its cause, and how to check the repair
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that was found, and the way out.

    Attributes:
        fault: which of the faults it is, such as "device-nodes".
        title: the fault and its cause in a sentence.
        fix: what to do, step by step; commands stand alone on their line.
    """

    fault: str
    title: str
    severity: Severity
    evidence: tuple[str, ...]
    fix: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        lists = {"evidence": list(self.evidence), "fix": list(self.fix)}
        return asdict(self) | lists | {"page": f"{PAGE}#{self.fault}"}
