"""A probe's report as values: one entry for each check, and a summary."""

from dataclasses import asdict, dataclass
from typing import Any

from hrm.backends.architectures import Precision
from hrm.backends.placement import BackendInfo, DeviceInfo
from hrm.backends.probing.proof import Proof

FORMAT = 4
_FASTEST = ("auto", "fast")
_REQUIRED = ("allocate", "matmul", "attention", "step")


@dataclass(frozen=True, slots=True)
class ProbeCheck:
    """The outcome of one check.

    Attributes:
        name: as `hrm.backends.probing.checks` calls it.
        device: as torch calls it, "" where it is about none.
        precision, attention, engine: what was tried, "" where it is about none.
        reason: why it did not: what the child process said, or the signal that ended it.
        seconds: how long it took.
        level: the optimisation level, "" for the lowest.
    """

    name: str
    device: str
    precision: str
    attention: str
    engine: str
    ok: bool
    reason: str
    answer: dict[str, Any]
    seconds: float
    level: str = ""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """The results of a probe."""

    key: str  # Of the system that was probed; for another key the probe must run again
    checks: tuple[ProbeCheck, ...]  # The outcome of every check, in order
    probed_s: float  # When, in seconds since 1970
    cached: bool = False
    message: str = ""  # A problem with the cached file, "" if there was none

    @property
    def backends(self) -> list[BackendInfo]:
        """The backends, as `hrm.backends.probing.available` lists them; empty if that check crashed."""
        listed = self.find("enumerate")
        if listed is None or not listed.ok:
            return []
        return [
            BackendInfo(
                entry["name"],
                entry["usable"],
                entry["reason"],
                tuple(DeviceInfo(**device) for device in entry["devices"]),
            )
            for entry in listed.answer["backends"]
        ]

    @property
    def proved(self) -> dict[str, Precision]:
        """By device, the fastest precision whose step was correct."""
        best: dict[str, tuple[float, Precision]] = {}
        for check in self.checks:
            if check.name == "step" and check.ok:
                entry = (float(check.answer["p50_ms"]), check.precision)
                best[check.device] = min(best.get(check.device, entry), entry)  # type: ignore[assignment]
        return {device: precision for device, (_, precision) in best.items()}

    @property
    def proof(self) -> Proof:
        """The findings about cards; a CPU is timed on the model itself (`hrm.backends.bench.tuning`)."""
        tried = [check for check in self.checks if check.device not in ("", "cpu")]
        failed: dict[tuple[str, str], str] = {}
        for check in tried:
            if (
                not check.ok
                and not check.level
                and check.name in _REQUIRED
                and check.attention not in _FASTEST
            ):
                failed.setdefault((check.device, check.precision), check.reason)
        return Proof(
            {device: best for device, best in self.proved.items() if device != "cpu"},
            failed,
            frozenset(check.device for check in tried if check.ok and check.level == "balanced"),
            frozenset((c.device, c.precision) for c in tried if c.ok and c.attention == "fast"),
        )

    def find(self, name: str, device: str = "") -> ProbeCheck | None:
        """Returns the first check of a name (and device), None if it was not run."""
        return next((c for c in self.checks if c.name == name and c.device in (device, "")), None)

    def failed(self) -> list[ProbeCheck]:
        return [check for check in self.checks if not check.ok]

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self), "proved": self.proved}


def text(report: ProbeReport) -> str:
    lines = [report.message] if report.message else []
    for check in report.checks:
        graph = "graph" if check.level else ""
        parts = (check.device, check.precision, check.attention, check.engine, graph)
        about = " ".join(part for part in parts if part)
        took = f"{check.answer['p50_ms']} ms a step" if "p50_ms" in check.answer else ""
        lines.append(f"{'ok  ' if check.ok else 'NOT '} {check.name:<10} {about:<22} {check.reason or took}")
    lines.append("from the cache" if report.cached else "probed now")
    return "\n".join(lines)
