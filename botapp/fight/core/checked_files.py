"""Files of compiled code that are checked before they are run: damaged machine code would end the process.

Each file ends with a digest of what stands before it, which numba's reader passes over. A file that does not
agree with its digest is thrown away, and its function compiled anew. Apart from numba, the list that
`note_intact` writes has a digest of every file, so that a program knows at its start whether all is there.
"""

import hashlib
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

LIST = "ready"
"""The name of the list of a folder's files; where there is none, not everything has been compiled yet."""

_SIZE = 20
_METHODS = ("_load_index", "_load_data", "_open_for_write")
_log = logging.getLogger(__name__)

unkept: list[OSError] = []
"""What kept this process from keeping what it compiled."""


def is_intact(folder: Path) -> bool:
    """Tells whether all that was noted of a folder is there as it was written."""
    with suppress(OSError):
        return (folder / LIST).read_bytes() == _digests(folder) != b""
    return False


def is_damaged(folder: Path) -> bool:
    """Tells whether a folder was complete once and is not any more."""
    return (folder / LIST).exists() and not is_intact(folder)


def note_intact(folder: Path) -> None:
    """Notes the files of a folder that is complete.

    Raises:
        OSError: it cannot be written.
    """
    beside = folder / f".{LIST}-{os.getpid()}"
    try:
        beside.write_bytes(_digests(folder))
        beside.replace(folder / LIST)
    finally:
        beside.unlink(missing_ok=True)


def throw_away_damaged(folder: Path) -> bool:
    """Removes what is not as it was noted, so that it is compiled anew; returns whether there was any."""
    if not is_damaged(folder):
        return False
    noted: set[bytes] = set()
    with suppress(OSError):
        noted = set((folder / LIST).read_bytes().splitlines())
    for file in _files(folder):
        if _line(folder, file) not in noted:
            _throw_away(file)
    with suppress(OSError):
        (folder / LIST).unlink()
    return True


def check_files(dispatcher: Any) -> None:
    """Has numba check the files of a compiled function when it reads them; not with an unknown numba."""
    files = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if files is not None and all(callable(getattr(files, name, None)) for name in _METHODS):
        files.__class__ = _checked(type(files))


def _checked(kind: Any) -> Any:
    class CheckedFiles(kind):  # type: ignore[misc]
        """Numba's files of one function, each with a digest at its end."""

        def _load_index(self) -> Any:
            if not _agrees(Path(self._index_path)):
                _throw_away(Path(self._index_path))
            return super()._load_index()

        def _load_data(self, name: str) -> Any:
            path = Path(self._cache_path, name)
            if not _agrees(path):
                _throw_away(path)
            return super()._load_data(name)

        def _save_data(self, name: str, data: Any) -> None:
            _or_without(lambda: super(CheckedFiles, self)._save_data(name, data))

        def _save_index(self, overloads: Any) -> None:
            _or_without(lambda: super(CheckedFiles, self)._save_index(overloads))

        @contextmanager
        def _open_for_write(self, filepath: str) -> Iterator[Any]:
            with super()._open_for_write(filepath) as file:
                yield file
                file.flush()
                file.write(_digest(Path(file.name).read_bytes()))
                file.flush()
                os.fsync(file.fileno())

    return CheckedFiles


def _or_without(save: Callable[[], None]) -> None:
    """Saves a file; where there is no room for it the function is compiled at the next start again."""
    try:
        save()
    except OSError as error:
        _log.warning("compiled code cannot be kept: %s", error)
        unkept.append(error)


def _agrees(file: Path) -> bool:
    """Tells whether a file agrees with the digest at its end; one that is not there does."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return len(content) > _SIZE and _digest(content[:-_SIZE]) == content[-_SIZE:]


def _throw_away(file: Path) -> None:
    _log.warning("%s is damaged: it is thrown away and made again", file)
    with suppress(OSError):
        file.unlink()


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_SIZE).digest()


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.nb[ci]"))


def _digests(folder: Path) -> bytes:
    return b"".join(_line(folder, file) + b"\n" for file in _files(folder))


def _line(folder: Path, file: Path) -> bytes:
    """Returns a file's line of the list, b"" for one that cannot be read."""
    try:
        digest = _digest(file.read_bytes()).hex()
    except OSError:
        return b""
    return f"{file.relative_to(folder).as_posix()} {digest}".encode()
