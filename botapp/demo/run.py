"""`botapp run --demo`: the practice arena beside the app, its advice played into it, and a report at the end.

The arena is another process with a window like any game's; the app sees no more of it than its pixels, and
hands it no more than the actions advised.
"""

import json
import math
import sys
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil

from botapp.arena.options import LANGUAGES
from botapp.demo.arena_process import ArenaProcess, Forwarder
from botapp.demo.display import display
from botapp.demo.report import Accuracy, busy_share, fights, log_lines, matched, memory
from botapp.host.files import write_whole
from botapp.host.rooms import temporary_folder
from botapp.host.settings import Settings, Value
from botapp.host.statistics import percentiles
from botapp.host.translation import ENGLISH, resolve
from botapp.host.versions import versions
from botapp.runtime import first_start
from botapp.runtime.app_options import AppOptions
from botapp.runtime.messages import DeviceStatus, Snapshot
from botapp.runtime.process import WorkerProcess
from botapp.runtime.readings import readings
from vision.window import UnsupportedSession, system

SCREEN = (2400, 1200)
_MARGIN = 24
_ROOMY = 1600  # From this width on there is room for margins
_ARENA_SHARE, _ARENA_LEAST = 0.55, (640, 400)
_SETTLE_S = 5.0
_WATCHED: dict[str, Value] = {"capture.target": "arena", "capture.title": "", "capture.follow": False}
"""Settings by which the demo finds its own arena and nothing else."""
_LOG, _READINGS = "arena.jsonl", "readings.jsonl"
BESIDE_REPORT = (_LOG, _READINGS)  # Files that a run leaves beside its report
AppMain = Callable[[AppOptions], int]


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """How one demo goes."""

    settings: Settings  # The app's; the demo watches the arena whatever they say
    messages: tuple[str, ...] = ()
    seconds: float | None = None  # End by itself after this long, None for no end
    # Where the report goes; the arena's log and the readings are left beside it. None for none
    report: Path | None = None
    screenshots: Path | None = None  # Folder for pictures, None for none
    seed: int = 1  # The first fight's
    speed: float = 1.0
    player_class: str = ""  # Who is played in the arena, "" for the arena's own choice
    placement: bool = False  # Whether places are chosen before each fight

    def beside_report(self, name: str) -> Path | None:
        """Returns a file beside the report, None without a report."""
        return self.report.with_name(name) if self.report is not None else None


@dataclass(frozen=True, slots=True)
class Places:
    """Where the two windows go: (x, y) and (width, height) in pixels of the screen."""

    arena_at: tuple[int, int]
    arena_size: tuple[int, int]
    app_at: tuple[int, int]
    app_size: tuple[int, int]


@dataclass(slots=True)
class Diary:
    """What went through the app during a run; filled from the worker's snapshots and once a second."""

    stages: "dict[str, array[float]]" = field(default_factory=lambda: defaultdict(lambda: array("d")))
    captures: Counter[str] = field(default_factory=Counter)
    advice: Counter[str] = field(default_factory=Counter)
    withheld: Counter[str] = field(default_factory=Counter)
    memory: dict[str, list[tuple[float, int]]] = field(default_factory=lambda: defaultdict(list))
    processor: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    last: Snapshot | None = None
    counts: Counter[str] = field(default_factory=Counter)
    restarts: int = 0
    device: DeviceStatus | None = None
    app: dict[str, Any] = field(default_factory=dict)
    begun: float = field(default_factory=time.monotonic)
    settled_s: float | None = None

    def note(self, snapshot: Snapshot) -> None:
        """Takes in one snapshot; called on the worker's reader thread."""
        self._count(snapshot)
        self.last, self.device = snapshot, snapshot.device
        if self.settled_s is None and snapshot.decisions:
            self.settled_s = time.monotonic() - self.begun + _SETTLE_S
        self.captures[snapshot.capture] += 1
        self.advice[snapshot.advice] += 1
        if snapshot.advice == "withheld":
            self.withheld[snapshot.reason] += 1
        for name, cost in snapshot.stages_ms:
            self.stages[name].append(cost)

    def _count(self, snapshot: Snapshot) -> None:
        """Adds what came since the last snapshot: each worker counts anew."""
        before = self.last
        if before is not None and snapshot.frames < before.frames:
            before = None
            self.restarts += 1
        for name in ("frames", "dropped", "decisions"):
            self.counts[name] += getattr(snapshot, name) - (getattr(before, name) if before else 0)

    def weigh(self, **pids: int | None) -> None:
        """Notes the resident memory of processes, in bytes, and the processor time they have had."""
        now = time.monotonic() - self.begun
        for name, pid in pids.items():
            if pid is None:
                continue
            try:
                process = psutil.Process(pid)
                rss, spent = process.memory_info().rss, process.cpu_times()
            except psutil.Error:
                continue
            if rss:
                self.memory[name].append((now, rss))
                self.processor[name].append((now, spent.user + spent.system))
        if self.last is not None:
            self.processor["deciding"].append((now, self.last.deciding_s))

    def memory_report(self) -> dict[str, dict[str, Any]]:
        """Returns how each process's memory went; all is loaded some seconds after the first decision."""
        return {name: memory(points, self._settled) for name, points in self.memory.items()}

    def processor_report(self) -> dict[str, float | None]:
        """Returns what each process takes of a core once settled, and "deciding" of the worker's."""
        return {name: busy_share(points, self._settled) for name, points in self.processor.items()}

    @property
    def _settled(self) -> float:
        return 0.0 if self.settled_s is None else self.settled_s


def run(options: DemoOptions, app_main: AppMain) -> int:
    """Runs the demo to its end; returns the app's exit code, 1 when the arena failed.

    Args:
        options: how it goes.

    A person may close the arena's window and the app goes on; an arena that fails ends the demo.

    Raises:
        NoDisplay: there is no display and none can be made.
    """
    first_start.settle()
    with display(*SCREEN) as virtual:
        places = arrange(*_screen())
        diary = Diary()
        with temporary_folder("demo") as folder, _arena(options, places) as arena:
            forwarder = Forwarder(arena)
            app_options = _app_options(options, places, diary, arena, forwarder)
            try:
                code = app_main(replace(app_options, state_dir=folder))
            finally:
                forwarder.stop()
            if _failed(arena):
                print(
                    f"botapp: the practice arena ended with code {arena.exit_code}, and the demo with it. "
                    "Run `botapp arena` to see why.",
                    file=sys.stderr,
                )
                code = code or 1
        if options.report is not None:
            written = report(options, diary, forwarder, virtual)
            print(summary(written, options.report))
        return code


def arrange(width: int, height: int) -> Places:
    """Puts the arena at the left and the app at the right of a screen of this size, side by side.

    The arena is read off its pixels, so that it may not be much smaller on a small screen.
    """
    margin = _MARGIN if width >= _ROOMY else _MARGIN // 3
    arena_w = max(_ARENA_LEAST[0], min(int(width * _ARENA_SHARE), max(1280, int(width * 0.45))))
    arena_h = min(height - 4 * margin, max(_ARENA_LEAST[1], int(arena_w / 16 * 9)))
    left = margin + arena_w + margin
    return Places(
        arena_at=(margin, margin * 2),
        arena_size=(arena_w, arena_h),
        app_at=(left, margin * 2),
        app_size=(width - left - margin, min(max(1080, height * 3 // 4), height - 4 * margin)),
    )


def report(
    options: DemoOptions, diary: Diary, forwarder: Forwarder, virtual: str | None = None
) -> dict[str, Any]:
    """Makes the report of a run and writes it to its file.

    Raises:
        OSError: the file cannot be written.
    """
    assert options.report is not None
    lines = log_lines(options.report.with_name(_LOG))
    accuracy, settled = Accuracy(), Accuracy()
    recorded = options.report.with_name(_READINGS)
    for view, truth in matched(readings(recorded) if recorded.exists() else (), lines):
        accuracy.add(view, truth)
        if truth["settled"]:
            settled.add(view, truth)
    counts = diary.counts
    content = {
        "seconds": round(time.monotonic() - diary.begun, 1),
        "seed": options.seed,
        "speed": options.speed,
        "virtual_display": virtual,
        "frames_captured": counts["frames"],
        "frames_dropped": counts["dropped"],
        "decisions": counts["decisions"],
        "worker_restarts": diary.restarts,
        "decisions_played": dict(forwarder.decided),
        "actions_refused": dict(forwarder.refused),
        "turns_given_up": forwarder.given_up,
        "stages_ms": {name: percentiles(costs) for name, costs in diary.stages.items()},
        "capture_to_overlay_ms": diary.app.get("capture_to_overlay_ms"),
        "event_loop_delay_ms": diary.app.get("event_loop_delay_ms"),
        "memory_bytes": diary.memory_report(),
        "processor_share": diary.processor_report(),
        "vision": accuracy.to_json(),
        "vision_settled": settled.to_json(),
        "fights": fights(lines),
        "capture_states": dict(diary.captures),
        "advice_states": dict(diary.advice),
        "withheld_because": dict(diary.withheld.most_common(10)),
        "device": asdict(diary.device) if diary.device else None,
        "app": diary.app,
        "versions": versions(),
    }
    write_whole(options.report, json.dumps(content, indent=2) + "\n")
    return content


def summary(content: dict[str, Any], path: Path) -> str:
    fought = content["fights"]
    vision, settled = content["vision"]["fields"], content["vision_settled"]["fields"]
    resident = ", ".join(
        f"{name} {values['start'] / 2**20:.0f} -> {values['end'] / 2**20:.0f} MB{_growth(values['growth'])}"
        for name, values in content["memory_bytes"].items()
    )
    return "\n".join(
        (
            f"{content['frames_captured']} frames, {content['frames_dropped']} dropped, "
            f"{content['decisions']} decisions in {content['seconds']:.0f} s",
            f"vision: {vision['right_share']:.2%} right, {vision['wrong_share']:.2%} wrong "
            f"of {vision['total']} fields; without animations {settled['right_share']:.2%} right, "
            f"{settled['wrong_share']:.2%} wrong of {settled['total']}",
            f"fights: {fought['won']} won, {fought['lost']} lost, {fought['draw']} drawn, "
            f"{fought['unfinished']} unfinished",
            f"capture to overlay p95 {_p95(content['capture_to_overlay_ms'])}, "
            f"event loop delay p95 {_p95(content['event_loop_delay_ms'])}",
            f"memory: {resident}",
            f"report: {path}",
        )
    )


def _growth(share: float | None) -> str:
    return "" if share is None else f" ({share:+.1%} after the first minute)"


def _p95(values: dict[str, float] | None) -> str:
    value = (values or {}).get("p95", math.nan)
    return "unknown" if math.isnan(value) else f"{value:.0f} ms"


def _screen() -> tuple[int, int]:
    try:
        size = system().screen()
    except UnsupportedSession:
        return 1920, 1080
    return size.width, size.height


def _failed(arena: ArenaProcess) -> bool:
    """Tells whether the arena ended otherwise than by its window being closed."""
    return arena.exit_code not in (None, 0)


@contextmanager
def _arena(options: DemoOptions, places: Places) -> Iterator[ArenaProcess]:
    width, height = places.arena_size
    x, y = places.arena_at
    arguments = ["--scenario", "adventure", "--seed", str(options.seed), "--speed", str(options.speed)]
    arguments += ["--autopilot", "--size", f"{width}x{height}", "--at", f"{x},{y}"]
    language = resolve(options.settings.ui.language)
    arguments += ["--language", language if language in LANGUAGES else ENGLISH]
    if options.placement:
        arguments.append("--placement")
    if options.player_class:
        arguments += ["--class", options.player_class]
    log = options.beside_report(_LOG)
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
        for before in (log, log.with_name(_READINGS)):
            before.unlink(missing_ok=True)
        arguments += ["--log", str(log)]
    arena = ArenaProcess(arguments)
    try:
        yield arena
    finally:
        arena.stop()


def _app_options(
    options: DemoOptions, places: Places, diary: Diary, arena: ArenaProcess, forwarder: Forwarder
) -> AppOptions:
    workers: list[WorkerProcess] = []

    def make_worker(settings: Settings) -> WorkerProcess:
        worker = WorkerProcess(settings, record=options.beside_report(_READINGS))
        worker.tap = take_in
        workers.append(worker)
        return worker

    def take_in(snapshot: Snapshot) -> None:
        diary.note(snapshot)
        forwarder.confirm(snapshot)

    def tick() -> bool:
        diary.weigh(app=psutil.Process().pid, worker=workers[-1].pid if workers else None, arena=arena.pid)
        return not _failed(arena)

    settings = options.settings
    for key, value in _WATCHED.items():
        settings = settings.changed(key, value)
    return AppOptions(
        settings=settings,
        messages=options.messages,
        seconds=options.seconds,
        screenshots=options.screenshots,
        play=forwarder.play,
        play_switched=forwarder.switch,
        play_at_start=True,
        finished=diary.app.update,
        tick=tick,
        size=places.app_size,
        position=places.app_at,
        worker=make_worker,
        held=tuple(_WATCHED),
    )
