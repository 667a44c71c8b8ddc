"""The folder of kept fights: lists them, keeps it within its size, takes fights out of it.

Nothing there is touched but files that are called as ours are.
"""

import json
import os
import re
import shutil
import time
from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from botapp.content.state_json import state_to_json
from botapp.fight.state import FightState
from botapp.host.files import write_whole
from botapp.host.message import error_text
from botapp.review.form import SUFFIX, read_summary
from botapp.review.kept_fight import Summary
from botapp.runtime.kept_pictures import NAME as PICTURE
from botapp.runtime.kept_pictures import fights_dir, waiting_dir

_NAME = re.compile(r"[0-9]{8}-[0-9]{6}(-[0-9]{1,4})?" + re.escape(SUFFIX))
POSITION = "position.json"  # The position that is practised, for the arena


@dataclass(frozen=True, slots=True)
class ShelvedFight:
    """A file of the shelf."""

    path: Path
    size: int  # Of it and its pictures, in bytes
    summary: Summary | None = None  # What it holds, None where it cannot be read
    problem: str = ""  # Why not, in words; "" where it can


class FightShelf:
    """The kept fights in a folder, the app's own where none is given."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = fights_dir() if folder is None else folder
        self._given: set[Path] = set()

    def paths(self) -> list[Path]:
        """Returns the files, the newest first."""
        try:
            paths = [path for path in self.folder.iterdir() if _NAME.fullmatch(path.name)]
        except OSError:
            return []
        return sorted(paths, key=lambda path: path.name, reverse=True)

    def entries(self) -> list[ShelvedFight]:
        """Returns what there is, the newest first; a file that cannot be read says why."""
        return [entry for path in self.paths() if (entry := _entry(path)) is not None]

    def free_path(self, begun: float) -> Path:
        """Returns a new file's path for a fight that began then, in seconds since 1970; never one twice.

        The process's number is in it: two apps keep fights of the same second under different names.
        """
        stem = time.strftime("%Y%m%d-%H%M%S", time.localtime(begun))
        number = os.getpid()
        while (path := self.folder / f"{stem}-{number % 10_000}{SUFFIX}") in self._given or path.exists():
            number += 1
        self._given.add(path)
        return path

    def trim(self, most_bytes: int) -> int:
        """Takes out the oldest fights until the others take no more than so much; the newest one stays."""
        taken, room = 0, most_bytes
        for index, path in enumerate(self.paths()):
            room -= _size(path)
            if room < 0 and index:
                self.remove(path)
                taken += 1
        return taken

    def remove(self, path: Path) -> None:
        """Takes out a fight and its pictures; one that is in use elsewhere stays."""
        with suppress(OSError):
            path.unlink(missing_ok=True)
        shutil.rmtree(pictures_of(path), ignore_errors=True)

    def clear(self) -> None:
        for path in self.paths():
            self.remove(path)
        drop_waiting()
        with suppress(OSError):
            (self.folder / POSITION).unlink(missing_ok=True)

    def put_position(self, state: FightState) -> Path:
        """Writes down a position to be practised; returns its file.

        Raises:
            OSError: the folder cannot be written to.
        """
        path = self.folder / POSITION
        write_whole(path, json.dumps(state_to_json(state)))
        return path


def pictures_of(path: Path) -> Path:
    """Returns the folder of a fight's pictures, whether or not there is one."""
    return path.with_suffix(".pictures")


def claim(name: str, path: Path) -> None:
    """Puts a picture that waits beside its fight; one that is gone is not missed."""
    if not PICTURE.fullmatch(name):
        return
    with suppress(OSError):
        pictures_of(path).mkdir(parents=True, exist_ok=True)
        (waiting_dir() / name).rename(pictures_of(path) / name)


def drop_waiting() -> None:
    shutil.rmtree(waiting_dir(), ignore_errors=True)


def drop_others(names: Container[str], path: Path) -> None:
    """Deletes the pictures of a fight that are not called so."""
    with suppress(OSError):
        for picture in pictures_of(path).iterdir():
            if PICTURE.fullmatch(picture.name) and picture.name not in names:
                picture.unlink()


def _entry(path: Path) -> ShelvedFight | None:
    """Returns what a file holds; None where another program has taken it away meanwhile."""
    try:
        return ShelvedFight(path, _size(path), read_summary(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return ShelvedFight(path, _size(path), problem=error_text(error))


def _size(path: Path) -> int:
    """Returns what a fight and its pictures take, in bytes."""
    total = 0
    with suppress(OSError):
        total += path.stat().st_size
    with suppress(OSError):
        total += sum(picture.stat().st_size for picture in pictures_of(path).iterdir())
    return total
