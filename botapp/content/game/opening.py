"""Files, folders and zips that may hold the game's data: opened by one rule, within one set of bounds.

Pipes, devices and what links lead to that is neither file nor folder are never waited for. Nothing is ever
unpacked to the disk.
"""

import lzma
import os
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, NoReturn

from botapp.host.files import open_regular
from botapp.host.message import error_text, one_line, say

LARGEST_IMPORT = 3 << 30  # Bytes of all files of one import, unpacked
MOST_FILES = 50_000
LARGEST_INDEX = 16 << 20
"""Bytes of a zip's list of files: it is read whole before anything can be told of them."""
MOST_RECORDS = 1_000_000  # Records of one import; the game has some 70,000
LONGEST_S = 600.0
"""Seconds of reading in one import; the game's data take less than a minute on a slow computer."""
DAMAGED = (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, struct.error)
"""What is raised over packed bytes that are not what they should be."""


class GameDataError(ValueError):
    """Data of the game that cannot be read; the text names the file and what to do."""


class Opened(NamedTuple):
    """A file to read."""

    name: str  # How it is called in errors
    size: int  # Bytes, unpacked
    named: bool  # Whether the player gave it by name: then it must be of the game
    open: Callable[[], IO[bytes]]


class Effort:
    """What one import has cost until now; its bounds are the same whatever is read."""

    def __init__(self) -> None:
        self._until = time.monotonic() + LONGEST_S
        self._records = 0

    def record(self, file: Opened) -> None:
        """Counts a record of a file.

        Raises:
            GameDataError: there are far too many.
        """
        self._records += 1
        if self._records > MOST_RECORDS:
            raise _far_too_much(file.name)

    def check(self, file: Opened) -> None:
        """Sees to it that the reading ends in time.

        Raises:
            GameDataError: it has taken too long.
        """
        if time.monotonic() > self._until:
            raise GameDataError(
                say(
                    "{file}: the reading took longer than {minutes} minutes and was stopped. Choose the "
                    "game's data alone, on a disk of this computer.",
                    file=file.name,
                    minutes=round(LONGEST_S / 60),
                )
            )


def files_in(paths: Iterable[Path]) -> list[Opened]:
    """Returns all files that may hold data: those given, those in folders and in zips.

    Raises:
        GameDataError: one cannot be read, or there is too much.
    """
    opened: list[Opened] = []
    size = 0
    for path in paths:
        for file in _files_of(path):
            opened.append(file)
            size += file.size
            if len(opened) > MOST_FILES or size > LARGEST_IMPORT:
                raise _far_too_much(str(path))
    if not opened:
        raise GameDataError(say("There is no file to read. Choose the folder, or the files themselves."))
    return opened


def _far_too_much(name: str) -> GameDataError:
    return GameDataError(
        say("{file}: far too much data. Choose the folder of the game's data alone.", file=name)
    )


def _files_of(path: Path) -> Iterator[Opened]:
    try:
        if path.is_dir():
            yield from _in_folder(path)
            return
        yield from _of_file(path, named=True)
    except OSError as error:
        refuse_file(Path(error.filename or path), error)


def _in_folder(folder: Path) -> Iterator[Opened]:
    count = 0
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            path = Path(place, name)
            count += 1
            if count > MOST_FILES:
                raise _far_too_much(str(folder))
            if path.is_file():
                yield from _of_file(path, named=False)


def _of_file(path: Path, *, named: bool) -> Iterator[Opened]:
    """Returns a file, or those in it where it is a zip.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        packed = (named or path.suffix.lower() == ".zip") and zipfile.is_zipfile(file)
        if packed:
            _check_index(path, file)
    if packed:
        yield from _in_zip(path)
    else:
        yield Opened(str(path), size, named, lambda: open_regular(path))


def _check_index(path: Path, file: BinaryIO) -> None:
    """Sees to it that a zip's list of files is not far too long to be read.

    Raises:
        GameDataError: it is.
    """
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - (1 << 16) - 22))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    size = int.from_bytes(tail[at + 12 : at + 16], "little")
    if size > LARGEST_INDEX or tail[max(0, at - 20) : at].startswith(b"PK\x06\x07"):
        raise GameDataError(
            say("{file} is far too large a zip. Unpack it and choose the folder.", file=str(path))
        )


def _in_zip(path: Path) -> list[Opened]:
    """Returns the files in a zip.

    Raises:
        GameDataError: it is damaged or locked, or a name in it leads elsewhere.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (*DAMAGED, NotImplementedError) as error:
        raise GameDataError(
            say("{file} is a damaged zip ({problem}). Save it anew.", file=str(path), problem=one_line(error))
        ) from error
    opened = []
    for info in archive.infolist():
        if info.is_dir():
            continue
        parts = info.filename.replace("\\", "/").split("/")
        if ".." in parts or parts[0] == "" or ":" in parts[0]:
            raise GameDataError(
                say(
                    "{file}: the name {name} in it leads out of the zip. Do not use this file.",
                    file=str(path),
                    name=repr(info.filename)[:80],
                )
            )
        if info.flag_bits & 1:
            raise GameDataError(say("{file} is locked with a password. Unpack it first.", file=str(path)))
        opened.append(_in_archive(path, archive, info))
    return opened


def _in_archive(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Opened:
    def opened() -> IO[bytes]:
        try:
            return archive.open(info)
        except NotImplementedError as error:
            raise GameDataError(
                say(
                    "{file} is packed in a way that is not known here ({problem}). Unpack the zip and choose "
                    "the folder.",
                    file=f"{path}: {info.filename}",
                    problem=one_line(error),
                )
            ) from error

    return Opened(f"{path}: {info.filename}", info.file_size, False, opened)


def refuse_file(path: Path, error: OSError) -> NoReturn:
    """Raises a `GameDataError` over a file that cannot be opened or read."""
    raise GameDataError(
        say(
            "{file} cannot be opened ({problem}). Check its path and its permissions.",
            file=str(path),
            problem=error_text(error) or type(error).__name__,
        )
    ) from error
