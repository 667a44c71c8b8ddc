"""Where compiled code is kept: in a folder of the user's, named by all that the code depends on.

Numba itself only notices a change in the file of the function that Python calls, not in those that this one
calls: a folder named by a hash of all compiled sources does.

Damaged machine code would end the process, so each file ends with a digest of what stands before it, which
numba's reader passes over. A file that does not agree with its digest is thrown away, and its function
compiled anew. Apart from numba, the list that `note_intact` writes has a digest of every file, so that a
program knows at its start whether all is there.
"""

import errno
import hashlib
import logging
import os
import platform
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

FOLDER_VARIABLE = "BOTAPP_COMPILED"
"""Names another folder for compiled code."""

INTERPRETED_VARIABLE, MEANWHILE, CHECKED = "BOTAPP_INTERPRETED", "meanwhile", "checked"
"""Set to 1, the rules run as plain Python; the app sets it to `MEANWHILE` while they are being compiled.
Set to `CHECKED` they do so on arrays and records that refuse a place outside their bounds, where compiled
code reads and writes other memory."""

OPTIMISATION = "1"
"""How much numba optimises where `NUMBA_OPT` says nothing: more takes longer and gains nothing here."""

_KEY = re.compile("[0-9a-f]{16}")
_SOURCES = ("fight/core", "search/core")
_KEPT = 4
"""Folders of other versions that are kept: there may be several on one computer."""


def base_folder() -> Path:
    """Returns the folder that holds one folder for each version of the code."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        root = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Caches"
    else:
        root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "botapp" / "compiled"


@cache
def folder() -> Path:
    """Returns the folder for this code, compiled by these versions for this processor; numba is not loaded.

    Raises:
        ImportError: numba or llvmlite is not installed, or does not load.
    """
    from llvmlite import binding  # noqa: PLC0415 - where the rules are interpreted it need not be there

    processor = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    level = os.environ.get("NUMBA_OPT", OPTIMISATION)
    return base_folder() / key(version("numba"), version("llvmlite"), *processor, level)


def key(*versions: str, package: Path = Path(__file__).parents[2]) -> str:
    """Returns what tells this code on this processor from any other: 16 hexadecimal digits.

    Where the sources lie is part of it: numba looks for compiled code by their path, and would find none in
    the folder that another checkout of the same sources had filled.

    Args:
        *versions: of what compiles it, and how.
        package: where the sources are.
    """
    hashed = hashlib.blake2b(digest_size=8)
    for folder in _SOURCES:
        for file in sorted((package / folder).glob("*.py")):
            hashed.update(file.name.encode() + b"\0" + file.read_bytes())
    for fact in (str(package.absolute()), sys.version, platform.machine(), *versions):
        hashed.update(fact.encode() + b"\0")
    return hashed.hexdigest()


def make_writable(folder: Path) -> Path:
    """Returns a folder for compiled code, made if it was not there.

    Raises:
        OSError: nothing can be written there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / f".probe-{os.getpid()}"
    probe.write_bytes(b"")
    probe.unlink()
    return folder


def is_ready(folder: Path) -> bool:
    """Tells whether all has been compiled into a folder, and is still there as it was written."""
    return is_intact(folder)


def note_ready(folder: Path) -> None:
    """Notes that all has been compiled into a folder, and removes the oldest of what other versions left."""
    note_intact(folder)
    others = [other for other in folder.parent.iterdir() if other != folder and _is_ours(other)]
    others.sort(key=lambda other: (other / LIST).stat().st_mtime, reverse=True)
    for other in others[_KEPT:]:
        shutil.rmtree(other, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    """Tells whether a folder is one of compiled code, reached without a link."""
    return bool(_KEY.fullmatch(folder.name)) and not folder.is_symlink() and (folder / LIST).is_file()


LIST = "ready"
"""The name of the list of a folder's files; where there is none, not everything has been compiled yet."""

_SIZE = 20
_READABLE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_METHODS = ("_load_index", "_load_data", "_open_for_write")
_log = logging.getLogger(__name__)

unkept: list[OSError] = []
"""What kept this process from keeping what it compiled."""


def is_intact(folder: Path) -> bool:
    """Tells whether all that was noted of a folder is there as it was written."""
    with suppress(OSError):
        return _content(folder / LIST) == _digests(folder) != b""
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
        if (folder / LIST).is_dir():
            _remove(folder / LIST)
        beside.replace(folder / LIST)
    finally:
        beside.unlink(missing_ok=True)


def throw_away_damaged(folder: Path) -> bool:
    """Removes what is not as it was noted, so that it is compiled anew; returns whether there was any."""
    if not is_damaged(folder):
        return False
    noted: set[bytes] = set()
    with suppress(OSError):
        noted = set(_content(folder / LIST).splitlines())
    for file in _files(folder):
        if _line(folder, file) not in noted:
            _throw_away(file)
    _remove(folder / LIST)
    return True


def check_files(dispatcher: Any) -> None:
    """Makes numba check the files of a compiled function when it reads them; not with an unknown numba."""
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
        content = _content(file)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return len(content) > _SIZE and _digest(content[:-_SIZE]) == content[-_SIZE:]


def _throw_away(file: Path) -> None:
    _log.warning("%s is damaged: it is thrown away and made again", file)
    _remove(file)


def _remove(file: Path) -> None:
    """Removes what stands where one of our files should: a file, a pipe, a link, or a whole folder."""
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file, ignore_errors=True)
    with suppress(OSError):
        file.unlink(missing_ok=True)


def _content(file: Path) -> bytes:
    """Returns what is in a file; a pipe is not waited for.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    with os.fdopen(os.open(file, _READABLE), "rb") as file_object:
        if not stat.S_ISREG(os.fstat(file_object.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(file))
        return file_object.read()


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_SIZE).digest()


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.nb[ci]"))


def _digests(folder: Path) -> bytes:
    return b"".join(_line(folder, file) + b"\n" for file in _files(folder))


def _line(folder: Path, file: Path) -> bytes:
    """Returns a file's line of the list, b"" for one that cannot be read."""
    try:
        digest = _digest(_content(file)).hex()
    except OSError:
        return b""
    return f"{file.relative_to(folder).as_posix()} {digest}".encode()
