"""Temporary folders that hold a lock while they are used, so that what a killed process left can be told."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_NAME = re.compile(r"botapp-(?:demo|runtime|pixels)-[a-z0-9_]{8}")
_LOCK = ".in-use"


@contextmanager
def temporary_folder(kind: str) -> Iterator[Path]:
    """Makes a folder for the length of the block, after removing those no longer in use.

    Args:
        kind: what it is for: demo, runtime or pixels.
    """
    clear_rooms()
    with tempfile.TemporaryDirectory(prefix=f"botapp-{kind}-", ignore_cleanup_errors=True) as folder:
        lock = _locked(Path(folder), os.O_CREAT)
        try:
            yield Path(folder)
        finally:
            if lock is not None:
                os.close(lock)


def clear_rooms() -> int:
    """Removes the folders that killed processes have left; returns how many there were.

    A folder goes only if it is this user's own and no link, has one of our names and the lock in it, and
    no process holds that. Windows has no such locks: there they stay until the system clears them.
    """
    cleared = 0
    if sys.platform == "win32":
        return cleared
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) is None or not entry.is_dir(follow_symlinks=False):
                continue
            if entry.stat(follow_symlinks=False).st_uid != os.getuid():
                continue
            lock = _locked(Path(entry.path))
            if lock is not None:
                shutil.rmtree(entry.path, ignore_errors=True)
                os.close(lock)
                cleared += 1
    return cleared


def _locked(folder: Path, flags: int = 0) -> int | None:
    """Takes a folder's lock, which goes with this process; None where there is none or it is taken."""
    if sys.platform == "win32":
        return None
    import fcntl  # noqa: PLC0415 - not on Windows

    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW | flags, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
