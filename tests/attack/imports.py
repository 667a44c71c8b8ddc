"""Bad data of the game: imports are whole or refused in one clear line, and what was in use before stays."""

import contextlib
import json
import os
import resource
import signal
import sys
import time
import zipfile
from pathlib import Path
from random import Random

from tests.attack.damage import spoilt, twisted
from tests.attack.tally import Tally

sys.path.insert(0, str(Path(__file__).parents[1]))
_FILLINGS = (b" ", b"\n", b"{},", b"[],", b"0,", b'"",', b"[[[],[]]],", b'{"id":1},')


def imports(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    import madeup_game as made

    from botapp.content.game.importing import import_game
    from botapp.content.game.reading import GameDataError
    from botapp.content.game.store import GameStore, current

    kept, source, path = folder / "kept", folder / "source", folder / "data.json"
    made.write(source, made.small())
    import_game([source], kept)
    whole = made.small()
    for number in range(count):
        kind = number % 4
        data = json.dumps(twisted(whole, dice)).encode()
        if kind == 1:
            data = spoilt(json.dumps(whole).encode(), dice)
        elif kind == 2:
            data = _packed(data, dice, folder)
        elif kind == 3:
            data = spoilt(data, dice)
        path.write_bytes(data)
        with tally.trying(f"import {number}", GameDataError):
            import_game([path], kept)
        left = [one.name for one in kept.iterdir() if one.suffix == ".part"]
        if left:
            tally.breaks(f"left over: {left}")
        if number % 16 == 0:
            with tally.trying(f"what is in use after import {number}"):
                store = GameStore(_there(current(kept)))
                assert store.monsters() and store.classes(), "a good import is gone"
                store.close()


def _there(path: Path | None) -> Path:
    assert path is not None, "no import is in use"
    return path


def _packed(data: bytes, dice: Random, folder: Path) -> bytes:
    """Returns data as a zip, often damaged, at times packed in a way that nobody knows."""
    path = folder / "packed.zip"
    with zipfile.ZipFile(
        path, "w", dice.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
    ) as z:
        z.writestr("data.json", data)
    packed = bytearray(path.read_bytes())
    if dice.random() < 0.3:
        for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            place = packed.index(mark) + at
            packed[place : place + 2] = dice.choice([1, 6, 93, 98, 99]).to_bytes(2, "little")
    return spoilt(bytes(packed), dice) if dice.random() < 0.6 else bytes(packed)


def bombs(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Imports zips of 900 MB of nothing, pipes and devices: each ends within seconds."""
    from botapp.content.game.importing import import_game
    from botapp.content.game.reading import GameDataError
    from botapp.content.knowledge.entry import KnowledgeError
    from botapp.content.knowledge.shelf import read_file

    folder.mkdir(parents=True)
    os.mkfifo(folder / "pipe.json")
    (folder / "circle.json").symlink_to(folder / "circle.json")
    odd = [
        folder / "pipe.json",
        folder / "circle.json",
        Path("/dev/zero"),
        Path("/dev/null"),
        Path("/dev/tty"),
    ]
    longest = 0.0
    for path in odd:
        with tally.trying(f"import of {path.name}", GameDataError):
            import_game([path], folder / "kept")
        with tally.trying(f"own entries of {path.name}", KnowledgeError):
            read_file(path)
    megabytes = 900 if count > 1 else 20
    for number in range(count):
        filling = dice.choice(_FILLINGS) if number >= len(_FILLINGS) else _FILLINGS[number]
        path = folder / "bomb.zip"
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
            archive.open("bomb.json", "w") as file,
        ):
            file.write(b"[")
            for _ in range(megabytes):
                file.write(filling * ((1 << 20) // len(filling)))
            file.write(b"0]")
        begun = time.process_time()
        with contextlib.suppress(GameDataError):
            import_game([path], folder / "kept")
        took = time.process_time() - begun
        longest = max(longest, took)
        tally.expect(took < 15, f"{megabytes} MB of {filling!r}: {took:.0f} s")
    tally.notes = f"{longest:.1f} s at most for {megabytes} MB"


def imports_cut_short(tally: Tally, dice: Random, count: int, folder: Path) -> None:
    """Imports where there is room for a part only, and kills imports: the former stays, nothing is left."""
    import madeup_game as made

    from botapp.content.game.importing import import_game
    from botapp.content.game.reading import GameDataError
    from botapp.content.game.store import GameStore, current
    from hrm.atomic import clear_left_over
    from tests.attack.processes import in_child

    kept = folder / "kept"
    small = made.write(folder / "small", made.small())
    large = made.write(folder / "large", made.large(3, 8, 2, 60))
    import_game([small], kept)
    for number in range(count):
        room = dice.choice([0, 1, 1000, 4096, 40_000, 200_000]) if number % 2 else None

        def work(room: int | None = room) -> None:
            if room is None:
                import_game([large], kept, replace=True)
                return
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            try:
                import_game([large], kept, replace=True)
            except GameDataError as error:
                raise OSError(str(error)) from error

        ended = in_child(work, dice.uniform(0.0, 0.6) if room is None else None)
        tally.said += ended == 3
        with tally.trying(f"cut short {number} with {room}"):
            assert room is None or ended in (0, 3), f"ended with {ended}"
            store = GameStore(_there(current(kept)))
            assert store.monsters()
            store.close()
    import_game([small], kept, replace=True)
    clear_left_over(kept)  # as each process does at its first writing; this one wrote before the kills
    left = [one.name for one in kept.iterdir() if one.suffix in (".part", ".tmp")]
    tally.expect(not left, f"left over: {left[:3]}")
