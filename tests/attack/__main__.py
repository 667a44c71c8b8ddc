"""Attacks the app with bad inputs, kills, full disks and dying workers, and tells what it came to.

    python -m tests.attack                      all of it, about half an hour
    python -m tests.attack --scale 0.01         a hundredth of it, as `make test` runs it
    python -m tests.attack --only states --seed 7 --scale 10

Each attack has a process of its own, a fork of this one, with a home, a folder for temporary files and
settings of its own, and beside them files that are nobody's business: those must be as they were in the end.
The same seed tries the same. Ends with 1 where anything broke.
"""

import argparse
import hashlib
import importlib
import json
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path

from tests.attack import imports, inputs, processes, surroundings
from tests.attack.tally import Tally, carry_out, table, to_json

ATTACKS = {
    "pictures": (inputs.pictures, 10_000),
    "states": (inputs.states, 10_000),
    "files": (inputs.files, 10_000),
    "weights": (inputs.weights, 2_000),
    "devices": (inputs.devices, 1),
    "imports": (imports.imports, 2_000),
    "bombs": (imports.bombs, 8),
    "imports-cut": (imports.imports_cut_short, 200),
    "kills": (processes.kills, 2_000),
    "disks": (processes.disks, 1_000),
    "read-only": (processes.read_only, 200),
    "trusted": (surroundings.trusted, 2_000),
    "numbers": (surroundings.numbers, 500),
    "full": (surroundings.full, 500),
    "starts": (surroundings.starts, 50),
    "workers": (processes.workers, 50),
    "demos": (processes.demos, 5),
    "managers": (surroundings.managers, 1),
    "parents": (surroundings.parents, 16),
}
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


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=float, default=1.0, help="how much of it, 1 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", choices=ATTACKS, action="append", help="one attack; may be given several times"
    )
    options = parser.parse_args()
    names = options.only or [n for n in ATTACKS if n not in _LONG or options.scale >= FEWEST_OF_ALL]
    for module in _LOADED:
        importlib.import_module(module)
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        tallies = [_apart(name, options, Path(folder) / name) for name in names]
    print(table(tallies))
    return int(any(tally.broken for tally in tallies))


def _apart(name: str, options: argparse.Namespace, folder: Path) -> Tally:
    """Carries an attack out in a process of its own."""
    for room in ("home", "tmp", "config", "cache", "bystander", "work"):
        (folder / room).mkdir(parents=True)
    bystander = folder / "bystander"
    for number in range(20):
        (bystander / f"file-{number}").write_text(f"nobody's business {number}")
    for room in ("home", "tmp", "config", "cache"):
        (folder / room / "link").symlink_to(bystander)
    before = _known(bystander)
    environment = {
        "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"),
        "BOTAPP_CONFIG_DIR": str(folder / "config"),
        "HRM_CACHE_DIR": str(folder / "cache"), "OMP_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen",
        "BOTAPP_COMPILED": os.environ.get("BOTAPP_COMPILED", str(Path.home() / ".cache/botapp/compiled")),
    }  # fmt: skip
    sys.stderr.flush()
    ended = processes.in_child(lambda: _carry_out(name, options, folder, environment))
    said = (folder / "said").read_text("utf-8", "replace").strip()
    try:
        tally = Tally(**json.loads((folder / "tally.json").read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        tally = Tally(name)
        tally.breaks(f"ended with {ended}: {said[-600:]}")
    if "Traceback" in said and not tally.broken:
        tally.breaks(f"a traceback: {said[-600:]}")
    if _known(bystander) != before:
        tally.breaks("files outside our folders were touched")
    print(f"{name}: {tally.tried} tried in {tally.seconds} s", file=sys.stderr, flush=True)
    return tally


def _carry_out(name: str, options: argparse.Namespace, folder: Path, environment: dict[str, str]) -> None:
    """Carries an attack out in this process, which is its own, and notes what it said and came to."""
    for stream in (1, 2):
        os.dup2(os.open(folder / "said", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream)
    signal.alarm(_LONGEST_S)
    os.environ.update(environment)
    one_thread()
    tempfile.tempdir = None
    attack, count = ATTACKS[name]
    try:
        tally = carry_out(name, attack, options.seed, max(1, round(count * options.scale)), folder / "work")
    except BaseException:
        traceback.print_exc()
        raise
    (folder / "tally.json").write_text(to_json(tally), "utf-8")


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
