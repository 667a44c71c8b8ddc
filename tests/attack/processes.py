"""Kills while files are written, disks that are full or read-only, workers and demos that die or are slow.

Nothing is lost or left.
"""

import contextlib
import ctypes
import os
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import psutil

from hrm import atomic
from tests.attack.tally import Tally

_BACK_S = 60.0
_HANGS_S = 120
_MOMENT_S = 0.6
"""Less than `botapp.runtime.process.Limits.stopped_s`."""


def fork(work: Callable[[], None]) -> int:
    """Runs something in a fork of this process; returns its number.

    It ends with 0, with 3 after an OSError, with 4 after another error, and by SIGALRM where it hangs.
    """
    pid = os.fork()
    if pid:
        return pid
    signal.alarm(_HANGS_S)
    atomic._cleared.clear()  # as in a process of its own
    try:
        work()
        os._exit(0)
    except OSError:
        os._exit(3)
    except BaseException:
        os._exit(4)


def in_child(work: Callable[[], None], killed_after_s: float | None = None) -> int:
    """Runs something in a fork of this process, killed after a time if given; returns how it ended."""
    pid = fork(work)
    if killed_after_s is not None:
        time.sleep(killed_after_s)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Writers:
    """What the app writes, each with how it is read again; every round writes something else."""

    def __init__(self, folder: Path) -> None:
        import torch

        from botapp.content.knowledge.base import KnowledgeBase
        from botapp.content.knowledge.entry import EntryKind, KnowledgeError
        from botapp.host import settings_file
        from botapp.host.settings import Settings
        from botapp.tracking import boards
        from botapp.tracking import names as names_file
        from botapp.tracking.names import Names
        from botapp.ui.layout import DockLayout, Keeper
        from hrm import tensor_file
        from hrm.backends.json_cache import JsonCache
        from vision.calibration import BoardCalibration, BoardCalibrations
        from vision.view import Lattice

        folder.mkdir(parents=True)
        self.folder = folder
        many = {f"{number:02x}" * 96: "boar" for number in range(64)}
        base = KnowledgeBase(folder / "knowledge")
        for ap in (4, 5):
            sections = "".join(
                f"[spells.gulp-{n}]\nname = 'Gulp {n}'\nap = {ap}\nrange = [1, 2]\n"
                "effects = [{kind = 'damage', low = 10, high = 14}]\n"
                for n in range(6)
            )
            (folder / f"export-{ap}.toml").write_text(f"format = 2\n{sections}")

        def imported(round_: int) -> None:
            try:
                base.import_(folder / f"export-{4 + round_ % 2}.toml")
            except KnowledgeError as error:
                raise OSError(str(error)) from error

        def whole_import() -> None:
            base.reload()
            own = [entry.value.ap for entry in base.entries(EntryKind.SPELL) if entry.own]
            assert len(own) == 6 and len(set(own)) == 1, f"half an import: {own}"
            assert not base.problems, base.problems
            shutil.rmtree(folder / "knowledge" / "history", ignore_errors=True)
            assert not list((folder / "knowledge").glob(".import.*")), "a note is left"

        def quiet(messages: object) -> None:
            assert not messages, messages

        def settings(round_: int) -> None:
            settings_file.save(Settings().changed("engine.step_limit", 1 + round_ % 16))

        def weights(round_: int) -> None:
            tensor_file.save(folder / "w.safetensors", {"w": torch.full((200, 200), float(round_))}, {})

        def whole_weights() -> None:
            if (folder / "w.safetensors").exists():
                found = tensor_file.read(folder / "w.safetensors")[0]["w"]
                assert found.eq(found[0, 0]).all()

        def board(round_: int) -> None:
            layout = BoardCalibration("dofus-2", (1280, 720), Lattice((float(round_ % 100), 1.0), 40.0, 20.0))
            boards.save(BoardCalibrations((layout,) * 30))

        def arranged(round_: int) -> None:
            Keeper(folder).save(DockLayout(b"a" * (round_ % 50 + 1) * 100, b"b" * 5000))

        def whole_layout() -> None:
            path = folder / "layout.json"
            assert not path.exists() or Keeper(folder).load() is not None

        cache = JsonCache(folder / "probe.json")
        self.all: dict[str, tuple[Callable[[int], object], Callable[[], object]]] = {
            "settings": (settings, lambda: quiet(settings_file.load().messages)),
            "names": (lambda _: names_file.save(Names(many)), lambda: quiet(names_file.load().messages)),
            "boards": (board, lambda: quiet(boards.load().messages)),
            "layout": (arranged, whole_layout),
            "weights": (weights, whole_weights),
            "cache": (lambda r: cache.write({"round": [r] * 2000}), cache.read),
            "import": (imported, whole_import),
        }
        for write, read in self.all.values():
            write(0)
            read()

    def left_over(self) -> list[str]:
        rooms = [self.folder, self.folder / "knowledge", Path(os.environ["BOTAPP_CONFIG_DIR"])]
        return [path.name for room in rooms for path in room.glob(".*.tmp")]

    def cleared(self) -> None:
        for room in (self.folder, self.folder / "knowledge", Path(os.environ["BOTAPP_CONFIG_DIR"])):
            atomic.clear_left_over(room)


def kills(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Kills processes while they write: each file is the old one or the new one, the rest is cleared."""
    writers = Writers(folder)
    most = 0
    for number in range(count):
        name = dice.choice(list(writers.all))
        write, read = writers.all[name]

        def work(write: Callable[[int], object] = write) -> None:
            for round_ in range(10_000):
                write(round_)

        in_child(work, dice.uniform(0.0, 0.03))
        most = max(most, len(writers.left_over()))
        with tally.trying(f"{name} {number}"):
            read()
    writers.cleared()
    if writers.left_over():
        tally.breaks(f"left over: {writers.left_over()[:3]}")
    tally.notes = f"at most {most} files of the killed at once, none in the end"


def disks(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Writes where there is room for a part only, or none at all: an error in words; the old file stays."""
    from botapp.runtime.readings import Recorder
    from vision.view import FightView

    writers = Writers(folder)

    def record(_: int) -> None:
        recorder = Recorder(folder / "readings.jsonl")
        for seq in range(20):
            recorder.add(FightView(seq=seq))
        recorder.close()

    writers.all["record"] = (record, lambda: None)
    for number in range(count):
        name = dice.choice(list(writers.all))
        write, read = writers.all[name]
        room = dice.choice([0, 1, 100, 1000, 5000, 20_000])

        def work(write: Callable[[int], object] = write, room: int = room, number: int = number) -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            write(number + 1)

        ended = in_child(work)
        tally.said += ended == 3
        with tally.trying(f"{name} {number} with room for {room} bytes"):
            assert ended in (0, 3), f"ended with {ended}"
            read()
    if writers.left_over():
        tally.breaks(f"left over: {writers.left_over()[:3]}")


def read_only(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Writes where nothing can be written, as root neither: an error in words; the old file stays."""
    writers = Writers(folder)
    if not can_mount(folder):
        tally.notes = "mounting is not allowed here"
        return
    for number in range(count):
        name = dice.choice(list(writers.all))
        write, read = writers.all[name]

        def work(write: Callable[[int], object] = write, number: int = number) -> None:
            for room in (folder, Path(os.environ["BOTAPP_CONFIG_DIR"]), Path(os.environ["HRM_CACHE_DIR"])):
                _make_read_only(room)
            write(2 * number + 1)

        with tally.trying(f"{name} {number} on a read-only disk"):
            ended = in_child(work)
            assert ended == (0 if name in _SPARED else 3), f"ended with {ended}"
            read()
    tally.notes = "the rest could not be written and said so"


_SPARED = ("cache", "layout")
"""What is kept for comfort only."""
_NEW_MOUNTS = 0x0002_0000
_READ_ONLY, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 32, 4096, 16384, 1 << 18


def can_mount(folder: Path) -> bool:
    return sys.platform == "linux" and in_child(lambda: _make_read_only(folder)) == 0


def _make_read_only(folder: Path) -> None:
    """Makes a folder read-only for this process and those it starts.

    Raises:
        OSError: it is not allowed to.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    place = str(folder).encode()
    for failed in (
        libc.unshare(_NEW_MOUNTS),
        libc.mount(b"none", b"/", None, _RECURSIVE | _PRIVATE, None),
        libc.mount(place, place, None, _BIND, None),
        libc.mount(b"none", place, None, _REMOUNT | _BIND | _READ_ONLY, None),
    ):
        if failed:
            raise OSError(ctypes.get_errno(), "mount")


def mount_small(folder: Path, kilobytes: int) -> None:
    """Mounts an empty disk of so many KB, for this process and those it starts.

    Raises:
        OSError: it is not allowed to.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    folder.mkdir(parents=True, exist_ok=True)
    for failed in (
        libc.unshare(_NEW_MOUNTS),
        libc.mount(b"none", b"/", None, _RECURSIVE | _PRIVATE, None),
        libc.mount(b"tmpfs", str(folder).encode(), b"tmpfs", 0, f"size={kilobytes}k".encode()),
    ):
        if failed:
            raise OSError(ctypes.get_errno(), "mount")


def workers(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Ends, stops and slows workers: each is back by itself, soon, and the app's end of it never fails.

    One that only stands still for a moment goes on as it is. The search is compiled first: else each
    worker begins as at a first start.
    """
    from botapp.host.settings import Settings
    from botapp.runtime.process import Limits, WorkerProcess

    if folder.name == "warm":
        subprocess.run([sys.executable, "-m", "botapp", "compile"], check=True)
        return
    folder.mkdir(parents=True)
    worker = WorkerProcess(Settings(), record=folder / "readings.jsonl", limits=Limits(faults=count + 2))
    worker.start()
    away = []
    try:
        _snapshot(worker)
        for number in range(count):
            kind = dice.choice([signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGSTOP, None])
            pid = worker.pid
            if pid is None:
                tally.breaks("it has no process")
                break
            if kind is None:
                _hold_up(pid, dice.uniform(0.2, _MOMENT_S))
                worker.latest.take()
                tally.expect(_snapshot(worker) and worker.pid == pid, f"slow worker {number} was replaced")
                continue
            begun = time.monotonic()
            os.kill(pid, kind)
            while worker.pid in (pid, None) and time.monotonic() - begun < _BACK_S:
                time.sleep(0.02)
            worker.latest.take()
            back = _snapshot(worker)
            away.append(time.monotonic() - begun)
            tally.expect(back and worker.running, f"after {kind.name} number {number} it did not come back")
            if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                tally.breaks(f"after {kind.name} the old one is still there")
    finally:
        worker.stop()
    if away:
        tally.notes = f"back after {statistics.median(away):.1f} s in the middle, {max(away):.1f} s at most"
    left = [path.name for path in Path("/dev/shm").glob(f"botapp-{os.getpid()}-*")]
    if left:
        tally.breaks(f"shared memory is left: {left}")


def _hold_up(pid: int, seconds: float) -> None:
    """Has a process stand still for so long."""
    os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def _snapshot(worker: object) -> bool:
    return worker.latest.take(wait_s=_BACK_S) is not None  # type: ignore[attr-defined]


def demos(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Kills headless demos: what they started ends with them, what they left goes at the next start."""
    from botapp.demo.display import missing_packages

    if folder.name == "warm" or missing_packages():
        return
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    command = [sys.executable, "-m", "botapp", "run", "--demo", "--speed", "4"]
    for number in range(count):
        demo = subprocess.Popen(
            [*command, "--seconds", "60"],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(dice.uniform(2, 25))
        started = psutil.Process(demo.pid).children(recursive=True)
        demo.kill()
        demo.wait()
        _, alive = psutil.wait_procs(started, timeout=15)
        tally.expect(not alive, f"demo {number}: {[one.name() for one in alive]} are still there")
    subprocess.run(
        [*command, "--seconds", "3"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip
    left = [path.name for path in Path(tempfile.gettempdir()).glob("botapp-*")]
    tally.expect(not left, f"folders are left: {left}")
