"""A person's entries as files: one each, written atomically, the state before kept beside.

    FOLDER/monster-golem.toml              as it is now
    FOLDER/history/monster-golem.1.toml    as it was once

Nothing is ever overwritten or deleted without a copy in `history`.
"""

import contextlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import platformdirs
import psutil
import tomlkit

from botapp.content.formats import FORMAT
from botapp.content.knowledge.entry import EntryKind, KnowledgeError
from botapp.host.files import open_regular, write_whole
from botapp.host.message import say

_FILE = re.compile(r"(class|spell|monster|map)-([a-z][a-z0-9_-]*)\.toml")
_VERSION = re.compile(r"\.(\d+)\.toml$")
_NOTE = re.compile(r"\.import\.([0-9]{1,10})\.toml")
_LARGEST = 16 << 20
PICTURES = "pictures"  # The folder of the public database's pictures, in that of a person's entries

Stored = tuple[EntryKind, str, Mapping[str, Any]]  # An entry's kind, key and table


def knowledge_dir() -> Path:
    """Returns the folder of a person's entries: beside the settings under `BOTAPP_CONFIG_DIR`, or the
    system's own for an app's data.
    """
    override = os.environ.get("BOTAPP_CONFIG_DIR")
    folder = Path(override) if override else Path(platformdirs.user_data_dir("botapp", appauthor=False))
    return folder / "knowledge"


class Shelf:
    """The files in one folder; it need not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, kind: EntryKind, key: str) -> Path:
        """Returns where an entry is kept."""
        return self.folder / f"{kind.value}-{key}.toml"

    def files(self) -> list[tuple[EntryKind, str, Path]]:
        """Returns kind, key and file of all entries, in alphabetical order of the files."""
        try:
            paths = sorted(self.folder.iterdir())
        except OSError:
            return []
        named = [(_FILE.fullmatch(path.name), path) for path in paths]
        return [(EntryKind(name[1]), name[2], path) for name, path in named if name]

    def stamp(self) -> tuple[tuple[str, int, int], ...]:
        """Returns what changes whenever a file in the folder itself does: names, times and sizes."""
        files = []
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        if entry.is_file():
                            state = entry.stat()
                            files.append((entry.name, state.st_mtime_ns, state.st_size))
        except OSError:
            return ()
        return tuple(sorted(files))

    def write(self, kind: EntryKind, key: str, table: Mapping[str, Any]) -> None:
        """Writes an entry; what was there before goes into the history.

        Raises:
            KnowledgeError: the folder cannot be written to.
        """
        path = self.path(kind, key)
        with _said(path):
            self._keep(path)
            write_file(path, [(kind, key, table)])

    def write_all(self, entries: Sequence[Stored]) -> None:
        """Writes several entries, all of them or none.

        They are noted in one file first: where the process is killed from then on, `unfinished` has them.

        Raises:
            KnowledgeError: the folder cannot be written to.
        """
        note = self.folder / f".import.{os.getpid()}.toml"
        with _said(self.folder):
            try:
                write_file(note, entries)
                self._replace(entries)
            finally:
                note.unlink(missing_ok=True)

    def unfinished(self) -> list[Path]:
        """Returns the notes of `write_all` whose process was killed."""
        paths = []
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                named = _NOTE.fullmatch(path.name)
                if named and not psutil.pid_exists(int(named[1])):
                    paths.append(path)
        return sorted(paths)

    def finish(self, note: Path, entries: Sequence[Stored]) -> None:
        """Writes what a note of `unfinished` has and drops the note.

        Raises:
            KnowledgeError: the folder cannot be written to.
        """
        with _said(self.folder):
            self._replace(entries)
            note.unlink(missing_ok=True)

    def _replace(self, entries: Sequence[Stored]) -> None:
        """Writes entries one after the other; where one cannot be written, those before are undone."""
        done: list[tuple[Path, Path | None]] = []
        try:
            for kind, key, table in entries:
                path = self.path(kind, key)
                done.append((path, self._keep(path)))
                write_file(path, [(kind, key, table)])
        except OSError:
            for path, saved in reversed(done):
                if saved is not None:
                    saved.replace(path)
                else:
                    path.unlink(missing_ok=True)
            raise

    def remove(self, kind: EntryKind, key: str) -> None:
        """Takes an entry off the shelf; the history has it from then on.

        Raises:
            KnowledgeError: the folder cannot be written to.
        """
        path = self.path(kind, key)
        with _said(path):
            self._keep(path)
            path.unlink(missing_ok=True)

    def versions(self, kind: EntryKind, key: str) -> list[tuple[int, Path]]:
        """Returns the numbers and files of an entry's earlier states, the earliest first."""
        start = f"{kind.value}-{key}."
        versions = []
        with contextlib.suppress(OSError):
            for path in (self.folder / "history").iterdir():
                number = _VERSION.search(path.name)
                if number and path.name == f"{start}{number[1]}.toml":
                    versions.append((int(number[1]), path))
        return sorted(versions)

    def _keep(self, path: Path) -> Path | None:
        """Copies a file into the history under the next free number; returns the copy, None for no file."""
        if not path.exists():
            return None
        history = self.folder / "history"
        history.mkdir(parents=True, exist_ok=True)
        number = 1
        while True:
            try:
                with (history / f"{path.stem}.{number}.toml").open("xb") as copy, path.open("rb") as now:
                    shutil.copyfileobj(now, copy)
            except FileExistsError:
                number += 1
                continue
            shutil.copystat(path, history / f"{path.stem}.{number}.toml")
            return history / f"{path.stem}.{number}.toml"


def read_file(path: Path) -> bytes:
    """Returns what is in a content file of a person's.

    Raises:
        KnowledgeError: it cannot be opened, or is far too large.
    """
    try:
        with open_regular(path) as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise KnowledgeError(
            say(
                "{file} cannot be opened ({problem}). Give the path of a TOML file.",
                file=str(path),
                problem=error.strerror,
            )
        ) from error
    if len(data) > _LARGEST:
        raise KnowledgeError(
            say("{file} is larger than 16 MB. Choose a file written by the export.", file=str(path))
        )
    return data


def write_file(path: Path, entries: Iterable[Stored]) -> None:
    """Writes a content file that holds these entries, through a temporary file in the same folder.

    Raises:
        OSError: it cannot be written there.
    """
    document = tomlkit.document()
    document.add(tomlkit.comment("botapp knowledge; the format is told in resources/arena/README.md"))
    document["format"] = FORMAT
    for kind, key, table in entries:
        section = document.setdefault(kind.section, tomlkit.table(is_super_table=True))
        section[key] = tomlkit.table()
        for name, value in table.items():
            section[key][name] = _inline(value)
    write_whole(path, tomlkit.dumps(document))


def _inline(value: object) -> Any:
    """Returns a value as TOML writes it within a table: no tables of their own below it."""
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        for name, inner in value.items():
            table[name] = _inline(inner)
        return table
    if isinstance(value, list | tuple):
        array = tomlkit.array()
        for inner in value:
            array.append(_inline(inner))
        return array.multiline(any(isinstance(inner, Mapping) for inner in value))
    return value


@contextlib.contextmanager
def _said(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise KnowledgeError(
            say(
                "{file} cannot be written ({problem}). Make room, or correct the permissions.",
                file=str(path),
                problem=error.strerror,
            )
        ) from error
