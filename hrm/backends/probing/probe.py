"""The probe: rung by rung, each in a child with a time limit, what works on this computer and what does not.

A rung that fails ends the climb for that device and precision alone; one probe's crash disables no other. The
answer is cached under everything that could change it; `remembered` finds it again without trying anything.
Next hop: the settings page shows it, and `hrm.backends.probing.choosing.choose` goes by its `proof`.
"""

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hrm.backends import json_cache as kept
from hrm.backends.architectures import Precision, half_precision
from hrm.backends.placement import BackendInfo, DeviceInfo
from hrm.backends.probing import checks as rungs
from hrm.backends.probing.child import Ended, run_child
from hrm.backends.probing.proof import Proof

LIMITS_S = {"system": 20.0, "import": 60.0, "enumerate": 60.0, "step": 120.0}
LIMIT_S = 45.0
FORMAT = 1
_NEEDED = ("allocate", "matmul", "attention", "step")
_ENVIRONMENT = (
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "HSA_OVERRIDE_GFX_VERSION",
    "HSA_ENABLE_DXG_DETECTION",
    "PYTORCH_HIP_ALLOC_CONF",
    "TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL",
)
Run = Callable[..., Ended]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Rung:
    """One rung that was tried.

    Attributes:
        name: as `hrm.backends.probing.checks` calls it.
        device: as torch calls it, "" where it is about none.
        precision, attention, engine: what was tried, "" where it is about none.
        ok: whether it held.
        reason: why not, in words: what the child said, or the signal that ended it.
        answer: what the child answered.
        seconds: how long it took.
        level: how much was done for speed, "" for the least.
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
    """What a probe found.

    Attributes:
        key: what it was found under; another key means it must be found anew.
        rungs: everything that was tried, in order.
        probed_s: when, in seconds since 1970.
        cached: whether it was read from the cache.
        message: what a person should know of the cache, "" as a rule.
    """

    key: str
    rungs: tuple[Rung, ...]
    probed_s: float
    cached: bool = False
    message: str = ""

    @property
    def backends(self) -> list[BackendInfo]:
        """What there is, as `hrm.backends.probing.choosing.available` tells it; empty if even that crashed."""
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
        """By device, the precision whose step was right and the fastest."""
        best: dict[str, tuple[float, Precision]] = {}
        for rung in self.rungs:
            if rung.name == "step" and rung.ok:
                entry = (float(rung.answer["p50_ms"]), rung.precision)
                best[rung.device] = min(best.get(rung.device, entry), entry)  # type: ignore[assignment]
        return {device: precision for device, (_, precision) in best.items()}

    @property
    def proof(self) -> Proof:
        """What it comes to for cards; a CPU is timed on the model itself (`hrm.backends.bench.tuning`)."""
        tried = [rung for rung in self.rungs if rung.device not in ("", "cpu")]
        failed: dict[tuple[str, str], str] = {}
        for rung in tried:
            if not rung.ok and not rung.level and rung.name in _NEEDED and rung.attention != "auto":
                failed.setdefault((rung.device, rung.precision), rung.reason)
        return Proof(
            {device: best for device, best in self.proved.items() if device != "cpu"},
            failed,
            frozenset(rung.device for rung in tried if rung.ok and rung.level == "balanced"),
            frozenset((r.device, r.precision) for r in tried if r.ok and r.attention == "auto"),
        )

    def find(self, name: str, device: str = "") -> Rung | None:
        """Returns the first rung of a name (and device), None if it was not tried."""
        return next((rung for rung in self.rungs if rung.name == name and rung.device in (device, "")), None)

    def failed(self) -> list[Rung]:
        """Returns the rungs that did not hold."""
        return [rung for rung in self.rungs if not rung.ok]

    def to_json(self) -> dict[str, Any]:
        """Returns everything as plain values."""
        return {"format": FORMAT, **asdict(self), "proved": self.proved}


def probe_all(
    force: bool = False,
    folder: Path | None = None,
    run: Run = run_child,
    progress: Progress | None = None,
) -> ProbeReport:
    """Probes this computer, or reads what an earlier probe found under the same circumstances.

    Args:
        force: probe anew, as the settings page's button does.
        folder: of the cache; None for `cache_folder()`.
        run: runs a child; for tests.
        progress: is told in words what is tried next.
    """
    climb = _Climb(run, progress or (lambda words: None))
    climb.try_rung("system")
    climb.try_rung("import")
    key = _key({rung.name: rung.answer for rung in climb.rungs})
    path = _path(folder)
    message = ""
    if not force:
        cached, message = _read(path, key)
        if cached is not None:
            return cached
    climb.devices()
    report = ProbeReport(key, tuple(climb.rungs), time.time(), message=message)
    _write(path, report)
    return report


def remembered(folder: Path | None = None) -> ProbeReport | None:
    """Returns what an earlier probe found under the circumstances of now; nothing is tried for it.

    It asks what the first two rungs ask, but in this process, which has torch loaded or is about to.
    """
    path = _path(folder)
    if not path.exists():
        return None
    try:
        about = {"system": rungs.system({}), "import": rungs.load({})}
    except (ImportError, OSError, RuntimeError):
        return None
    return _read(path, _key({name: {"ok": True, **answer} for name, answer in about.items()}))[0]


def probe_rung(name: str, device: str = "cpu", run: Run = run_child, **options: Any) -> Rung:
    """Tries one rung in a child; the options are those of `hrm.backends.probing.checks`."""
    asked = {"device": device, **options}
    limit = LIMITS_S.get(name, LIMIT_S)
    ended = run("hrm.backends.probing.checks", [name, json.dumps(asked)], limit)
    answer = ended.answer or {}
    ok = ended.fault is None and bool(answer.get("ok", True))
    reason = "" if ok else str(ended.fault or answer.get("what", "it did not hold"))
    tried = [str(options.get(part, "")) for part in ("precision", "attention", "engine", "level")]
    where = "" if name in ("system", "import", "enumerate") else device
    took = round(ended.seconds, 2)
    return Rung(name, where, tried[0], tried[1], tried[2], ok, reason, answer, took, tried[3])


class _Climb:
    """Climbs rung by rung, keeping what was tried."""

    def __init__(self, run: Run, progress: Progress) -> None:
        self.rungs: list[Rung] = []
        self._run = run
        self._progress = progress

    def try_rung(self, name: str, device: str = "cpu", **options: Any) -> bool:
        """Tries one rung; tells whether it held."""
        words = [name, device, *(str(value) for value in options.values())]
        self._progress(" ".join(words))
        self.rungs.append(probe_rung(name, device, self._run, **options))
        return self.rungs[-1].ok

    def devices(self) -> None:
        """Lists the devices and climbs on each; the CPU is one of them."""
        if not self.rungs[-1].ok or not self.try_rung("enumerate"):
            return
        for entry in self.rungs[-1].answer.get("backends", ()):
            if entry["name"] == "auto" or not entry["usable"]:
                continue
            for device in entry["devices"]:
                self._device(entry["name"], device["name"], device.get("architecture", ""))

    def _device(self, backend: str, device: str, chip: str) -> None:
        if backend == "directml":
            for precision in ("fp32", "fp16"):
                self.try_rung("step", device, precision=precision, engine="onnx")
            return
        if backend == "cpu":
            self.try_rung("step", device, precision="fp32")
            for precision in ("fp32", "int8"):
                self.try_rung("step", device, precision=precision, engine="onnx")
            return
        if not self.try_rung("allocate", device):
            return
        for precision in ("fp32", half_precision(chip)):
            held = self.try_rung("matmul", device, precision=precision)
            if held and self.try_rung("attention", device, precision=precision, attention="math"):
                self.try_rung("attention", device, precision=precision, attention="auto")
                if self.try_rung("step", device, precision=precision) and backend == "rocm":
                    self.try_rung("step", device, precision=precision, level="balanced", hip_graphs=True)
        self.try_rung("conv2d", device)


def cache_folder() -> Path:
    """Returns where what was measured on this computer is kept: `HRM_CACHE_DIR`, or the system's own."""
    override = os.environ.get("HRM_CACHE_DIR")
    if override:
        return Path(override)
    import platformdirs  # noqa: PLC0415 (a bare GPU machine has none, and sets the variable)

    return Path(platformdirs.user_cache_dir("hrm", appauthor=False))


def _path(folder: Path | None) -> Path:
    return (folder or cache_folder()) / "probe.json"


def _key(about: Mapping[str, Mapping[str, Any]]) -> str:
    """Names the circumstances: system, drivers, cards, packages and the environment that torch listens to."""
    environment = {name: os.environ.get(name, "") for name in _ENVIRONMENT}
    text = json.dumps([FORMAT, about, environment], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _read(path: Path, key: str) -> tuple[ProbeReport | None, str]:
    """Reads a cached report of this key; a file that cannot be read is set aside, and said so."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["format"] != FORMAT or stored["key"] != key:
            return None, ""
        tried = tuple(Rung(**rung) for rung in stored["rungs"])
        return ProbeReport(key, tried, float(stored["probed_s"]), cached=True), ""
    except FileNotFoundError:
        return None, ""
    except (ValueError, KeyError, TypeError, OSError) as error:
        aside = path.with_suffix(".json.bak")
        with contextlib.suppress(OSError):
            path.replace(aside)
        return None, f"the cached probe could not be read ({type(error).__name__}) and is kept as {aside}"


def _write(path: Path, report: ProbeReport) -> None:
    """Keeps a report; a folder that cannot be written to costs only the cache."""
    with contextlib.suppress(OSError):
        kept.write(path, report.to_json())


def text(report: ProbeReport) -> str:
    """Returns a report in lines for a terminal."""
    lines = [report.message] if report.message else []
    for rung in report.rungs:
        graph = "graph" if rung.level else ""
        parts = (rung.device, rung.precision, rung.attention, rung.engine, graph)
        about = " ".join(part for part in parts if part)
        took = f"{rung.answer['p50_ms']} ms a step" if "p50_ms" in rung.answer else ""
        lines.append(f"{'ok  ' if rung.ok else 'NOT '} {rung.name:<10} {about:<22} {rung.reason or took}")
    lines.append("from the cache" if report.cached else "probed now")
    return "\n".join(lines)
