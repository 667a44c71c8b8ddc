"""Attacks the app with bad inputs, kills, full disks and dying workers, and tells what it came to.

    python -m tests.attack                      all of it, about half an hour
    python -m tests.attack --scale 0.01         a hundredth of it, as `make test` runs it
    python -m tests.attack --only states --seed 7 --scale 10
    python -m tests.attack --jobs 30 --count 10000 --json out/attack.json

The last makes 10,000 tries of each, by 30 processes.

Each attack is made in slices, each in a process of its own, a fork of this one, with a home, a folder for
temporary files and settings of its own, and beside them files that are no business of ours: those must be as
they were in the end. The same seed tries the same, however many processes share the slices. Attacks that need
Qt are left out, and named, where it is not installed. Ends with 1 where anything broke.
"""

import argparse
import hashlib
import importlib.util
import json
import math
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.attack import imports, inputs, processes, surroundings
from tests.attack.tally import Tally, carry_out, joined, table

ATTACKS = {
    "pictures": (inputs.pictures, 10_000, 500),
    "states": (inputs.states, 10_000, 500),
    "files": (inputs.files, 10_000, 500),
    "weights": (inputs.weights, 2_000, 500),
    "devices": (inputs.devices, 1, 1),
    "imports": (imports.imports, 2_000, 250),
    "bombs": (imports.bombs, 8, 8),
    "imports-cut": (imports.imports_cut_short, 200, 100),
    "kills": (processes.kills, 2_000, 500),
    "disks": (processes.disks, 1_000, 500),
    "read-only": (processes.read_only, 200, 200),
    "trusted": (surroundings.trusted, 2_000, 500),
    "numbers": (surroundings.numbers, 500, 100),
    "full": (surroundings.full, 500, 100),
    "starts": (surroundings.starts, 50, 10),
    "workers": (processes.workers, 50, 10),
    "demos": (processes.demos, 5, 5),
    "managers": (surroundings.managers, 1, 1),
    "parents": (surroundings.parents, 16, 16),
}
"""Of each attack: how many tries are all of it, and how many a slice has: up to a minute of work."""
_FIXED = ("devices", "bombs", "demos", "managers", "parents")
"""Those that try a list of things: `--count` does not change them."""
_NEED_QT = ("starts", "demos", "managers", "parents")
FEWEST_OF_ALL = 0.05
"""Below this scale attacks of many seconds each are left out."""
_LONG = ("demos", "managers", "parents")
_LONGEST_S = 7200
_LOADED = (
    "torch",
    "botapp.fight.rules",
    "botapp.runtime.process",
    "botapp.ui.layout",
    "vision.extract",
)
"""What many attacks want: loading it takes longer than a hundredth of most."""


@dataclass(frozen=True)
class _Slice:
    name: str
    number: int
    count: int


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--scale", type=float, default=1.0, help="how much of it, 1 for all")
    much.add_argument("--count", type=int, help="tries of each attack that does not go by a list")
    parser.add_argument("--first", type=int, default=0, help="the first slice; those before it are left out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="slices at a time")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after these no slice is begun")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    parser.add_argument(
        "--only", choices=ATTACKS, action="append", help="one attack; may be given several times"
    )
    options = parser.parse_args()
    names = options.only or [n for n in ATTACKS if n not in _LONG or options.scale >= FEWEST_OF_ALL]
    left_out = [n for n in names if n in _NEED_QT] if importlib.util.find_spec("PySide6") is None else []
    if left_out:
        print(f"left out, since Qt is not installed: {', '.join(left_out)}", file=sys.stderr)
        names = [name for name in names if name not in left_out]
    slices = [one for name in names for one in _slices(name, options) if one.number >= options.first]
    for module in _LOADED:
        importlib.import_module(module)
    one_thread()
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        tallies = _carry_out_all(slices, options, Path(folder))
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps([asdict(tally) for tally in tallies], indent=1))
    print(table(tallies))
    return int(any(tally.broken for tally in tallies))


def _slices(name: str, options: argparse.Namespace) -> list[_Slice]:
    _, of_all, most = ATTACKS[name]
    count = max(1, round(of_all * options.scale))
    if options.count is not None:
        count = of_all if name in _FIXED else options.count
    return [
        _Slice(name, number, min(most, count - done)) for number, done in enumerate(range(0, count, most))
    ]


def _carry_out_all(slices: list[_Slice], options: argparse.Namespace, folder: Path) -> list[Tally]:
    """Carries all slices out, `options.jobs` at a time; returns a tally for each attack."""
    waiting, running = list(reversed(slices)), {}
    last = time.monotonic() + options.seconds
    found: dict[str, list[Tally]] = {one.name: [] for one in slices}
    while waiting or running:
        if time.monotonic() > last and waiting:
            print(f"no time for {len(waiting)} slices", file=sys.stderr)
            waiting.clear()
        while waiting and len(running) < options.jobs:
            begun = _Apart(waiting.pop(), options, folder)
            running[begun.pid] = begun
        if not running:
            break
        pid, status = os.wait()
        tally = running.pop(pid).ended(os.waitstatus_to_exitcode(status))
        found[tally.name].append(tally)
        print(f"{tally.name}: {tally.tried} tried in {tally.seconds} s", file=sys.stderr, flush=True)
    return [joined(tallies) for tallies in found.values() if tallies]


class _Apart:
    """A slice of an attack in a process of its own, with its folders."""

    def __init__(self, slice_: _Slice, options: argparse.Namespace, folder: Path) -> None:
        self._slice = slice_
        self._folder = folder = folder / f"{slice_.name}-{slice_.number}"
        for room in ("home", "tmp", "config", "cache", "bystander", "work"):
            (folder / room).mkdir(parents=True)
        self._bystander = folder / "bystander"
        for number in range(20):
            (self._bystander / f"file-{number}").write_text(f"no business of ours {number}")
        for room in ("home", "tmp", "config", "cache"):
            (folder / room / "link").symlink_to(self._bystander)
        self._before = _known(self._bystander)
        compiled = os.environ.get("BOTAPP_COMPILED", str(Path.home() / ".cache/botapp/compiled"))
        environment = {
            "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"),
            "BOTAPP_CONFIG_DIR": str(folder / "config"),
            "HRM_CACHE_DIR": str(folder / "cache"), "OMP_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen",
            "BOTAPP_COMPILED": compiled,
        }  # fmt: skip
        sys.stderr.flush()
        self.pid = processes.fork(lambda: _carry_out(slice_, options.seed, folder, environment))

    def ended(self, code: int) -> Tally:
        """Returns what the slice came to, its process having ended with a code, and removes its folders."""
        said = (self._folder / "said").read_text("utf-8", "replace").strip()
        try:
            tally = Tally(**json.loads((self._folder / "tally.json").read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            tally = Tally(self._slice.name)
            tally.breaks(f"ended with {code}: {said[-600:]}")
        if "Traceback" in said and not tally.broken:
            tally.breaks(f"a traceback: {said[-600:]}")
        if _known(self._bystander) != self._before:
            tally.breaks("files outside our folders were touched")
        shutil.rmtree(self._folder, ignore_errors=True)
        return tally


def _carry_out(slice_: _Slice, seed: int, folder: Path, environment: dict[str, str]) -> None:
    """Carries a slice out in this process, which is its own, and notes what it said and came to."""
    for stream in (1, 2):
        os.dup2(os.open(folder / "said", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream)
    signal.alarm(_LONGEST_S)
    os.environ.update(environment)
    tempfile.tempdir = None
    attack = ATTACKS[slice_.name][0]
    try:
        tally = carry_out(slice_.name, attack, f"{seed} {slice_.number}", slice_.count, folder / "work")
    except BaseException:
        traceback.print_exc()
        raise
    (folder / "tally.json").write_text(json.dumps(asdict(tally)), "utf-8")


def one_thread() -> None:
    """Has torch compute in one thread: a fork of a process that has had several waits for theirs for ever.

    It is loaded by now, so the environment's number comes too late.
    """
    import torch

    torch.set_num_threads(1)


def _known(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


if __name__ == "__main__":
    sys.exit(main())
