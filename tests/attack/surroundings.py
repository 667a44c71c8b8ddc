"""What the app keeps and trusts later, disks without room, starts at once, window managers, killed parents.

Nothing damaged is trusted, nothing is lost without a word, one of several starts, no click is taken, no child
is left.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import psutil

from tests.attack import processes
from tests.attack.damage import spoilt
from tests.attack.tally import Tally

ROOT = Path(__file__).parents[2]
_NUMBERS = (float("nan"), float("inf"), 1 + 1j, 7)


def trusted(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Damages what is written and read later: it is as it was, or not used, and made anew once."""
    from botapp.fight.core.cache import is_ready, note_ready, throw_away_damaged
    from hrm.backends.json_cache import JsonCache

    folder.mkdir(parents=True)
    kept = {"checks": [{"name": "product", "ok": True, "ms": 1.25}] * 20, "probed_s": 3.5}
    for number in range(count):
        if number % 2:
            path = folder / "probe.json"
            JsonCache(path).write(kept)
            path.write_bytes(spoilt(path.read_bytes(), dice))
            with tally.trying(f"measurements {number}"):
                assert JsonCache(path).read_or_set_aside() in ({}, kept), "other figures are trusted"
            continue
        code = folder / "0123456789abcdef"
        files = [code / "core_1" / name for name in ("ask.nbi", "ask.1.nbc", "request.1.nbc")]
        files[0].parent.mkdir(parents=True, exist_ok=True)
        for file in files:
            file.write_bytes(dice.randbytes(dice.choice([1, 100, 5000])))
        note_ready(code)
        hit = dice.choice([*files, code / "ready"])
        before = hit.read_bytes()
        hit.write_bytes(spoilt(before, dice))
        same = hit.read_bytes() == before
        with tally.trying(f"compiled code {number}"):
            assert is_ready(code) == same, f"{hit.name}: damaged code is taken"
            assert throw_away_damaged(code) != same and not throw_away_damaged(code)
            assert same or not hit.exists(), f"{hit.name} is kept"


def numbers(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Loads advisor's weights of which one number is none, or is of another kind: refused."""
    import torch

    from botapp.advisor.own_weights import DEFAULT_WEIGHTS
    from botapp.advisor.thinker import load_thinker
    from botapp.advisor.weights_file import read
    from hrm.small_weights import widen
    from hrm.tensor_file import CheckpointError, save

    folder.mkdir(parents=True)
    stored, metadata = read(DEFAULT_WEIGHTS, "no remedy")
    whole = widen(stored)
    path = folder / "w.safetensors"
    for _ in range(count):
        name, odd = dice.choice(sorted(whole)), dice.choice(_NUMBERS)
        value = whole[name].clone()
        if isinstance(odd, float):
            value.view(-1)[dice.randrange(value.numel())] = odd
        else:
            value = value.to(torch.complex64 if isinstance(odd, complex) else torch.int32)
        save(path, whole | {name: value}, {k: v for k, v in metadata.items() if k not in ("parts", "whole")})
        refused = tally.refused
        with tally.trying(f"{odd} in {name}", CheckpointError):
            load_thinker(path)
        if tally.refused == refused:
            tally.breaks(f"{odd} in {name} is taken")


def full(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Writes on a disk that is full by now: an error in words, the old file stays, and later it goes on."""
    from botapp.host.message import is_full

    folder.mkdir(parents=True)
    if not processes.can_mount(folder):
        tally.notes = "mounting is not allowed here"
        return

    def work() -> None:
        disk = folder / "disk"
        processes.mount_small(disk, 2048)
        for name in ("config", "cache"):
            (disk / name).mkdir()
        os.environ |= {"BOTAPP_CONFIG_DIR": str(disk / "config"), "HRM_CACHE_DIR": str(disk / "cache")}
        writers = processes.Writers(disk / "files")
        name = dice.choice(list(writers.all))
        write, read = writers.all[name]
        taken = disk / "taken"
        with taken.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
            file.truncate(max(0, file.tell() - dice.choice([0, 0, 4096, 16384])))
        said = False
        try:
            write(1)
        except OSError as error:
            said = is_full(error) or "full" in str(error)
            assert said, f"{name}: {error}"
        read()
        assert not writers.left_over(), f"{name}: {writers.left_over()}"
        taken.unlink()
        write(1)
        read()
        if said:
            raise OSError("it was said")

    for number in range(count):
        dice = random.Random(f"{dice.random()} {number}")
        ended = processes.in_child(work)
        tally.said += ended == 3
        tally.expect(ended in (0, 3), f"number {number} ended with {ended}")


def starts(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Starts several apps of the same settings at once: one is the first, also after a kill."""
    from tests.ui.test_ui_instance import APP

    for number in range(count):
        room = folder / str(number)
        room.mkdir(parents=True)
        running = [
            subprocess.Popen(
                [sys.executable, "-c", APP, str(room), "answers"],
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(dice.randint(2, 4))
        ]
        said = [one.stdout.readline().strip() for one in running if one.stdout is not None]
        tally.expect(said.count("first") == 1, f"{number}: {said}")
        for one in running:
            one.send_signal(dice.choice([signal.SIGKILL, signal.SIGTERM]))
            one.communicate()


def managers(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Clicks the arena through the overlay under each window manager, and hides it in every way."""
    from tests.ui import over_the_arena

    if folder.name == "warm":
        return
    left_out = []
    for manager in over_the_arena.MANAGERS:
        if over_the_arena.missing(manager):
            left_out.append(manager)
            continue
        (folder / manager).mkdir(parents=True)
        done = subprocess.run(
            [sys.executable, over_the_arena.__file__, manager, str(folder / manager)],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        found = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}
        tally.expect(bool(found), f"{manager}: {done.stderr[-200:]}")
        if found:
            clicked = found["under"] == ["game"] and found["selected"] and found["walked"]
            tally.expect(clicked, f"{manager}: clicks went to {found['under']}")
            for trouble, well in found["troubles"].items():
                tally.expect(well, f"{manager}: {trouble}")
    tally.notes = f"not installed: {', '.join(left_out)}" if left_out else "all six"


def parents(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Kills whatever has children at any moment: they end with it."""
    from tests.host.test_host_children import PARENTS

    if folder.name == "warm":
        return
    kinds = sorted(PARENTS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        arguments, variables, _ = PARENTS[kind]
        room = folder / str(number)
        hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        for name in ("BOTAPP_CONFIG_DIR", "XDG_DATA_HOME", "BOTAPP_COMPILED", "HRM_CACHE_DIR"):
            (room / name).mkdir(parents=True)
            environment[name] = str(room / name)
        parent = subprocess.Popen(
            [sys.executable, "-m", *arguments.split()],
            cwd=ROOT,
            env=environment | variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(dice.uniform(0.5, 20))
        try:
            started = psutil.Process(parent.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            started = []
        parent.kill()
        parent.wait()
        _, alive = psutil.wait_procs(started, timeout=15)
        left = [one.name() for one in alive if one.status() != psutil.STATUS_ZOMBIE]
        tally.expect(not left, f"{kind} {number}: {left} are still there")
