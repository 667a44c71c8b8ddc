"""Files that are written whole or not at all, so that a process killed in between leaves the old one.

What such a process leaves of a new one carries its process id, and is cleared by the next that writes in the
same folder.
"""

import contextlib
import errno
import os
import re
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path

_LEFT_OVER = re.compile(r"\..+\.([0-9]{1,10})\.[0-9a-f]{8}\.tmp")
_A_DAY = 86_400.0
_cleared: set[Path] = set()  # The folders that this process has cleared


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Writes a file beside its final path, then renames it, making the folder.

    Args:
        path: of the file; one that is there is replaced.

    Raises:
        OSError: it cannot be written, or is a pipe, a device or a folder; nothing is left of it then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    if path.parent not in _cleared:
        _cleared.add(path.parent)
        clear_left_over(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    try:
        write(temporary)
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Writes a text file whole or not at all; raises OSError if it cannot."""
    write_whole(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def clear_left_over(folder: Path) -> int:
    """Removes what killed writers have left of their new files; returns how many there were.

    Nothing else is touched: the files carry the id of a process of this computer that is gone, and are ours.
    """
    cleared = 0
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            named = _LEFT_OVER.fullmatch(entry.name)
            with contextlib.suppress(OSError):
                if named and entry.is_file(follow_symlinks=False) and _is_over(int(named[1]), entry):
                    Path(entry.path).unlink()
                    cleared += 1
    return cleared


def is_running(pid: int) -> bool:
    """Tells whether a process runs; on Windows, where asking would end it, it is taken to."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return pid > 0


def _is_over(pid: int, entry: "os.DirEntry[str]") -> bool:
    """Tells whether a file is no longer written: its writer is gone, or on Windows it is a day old."""
    state = entry.stat(follow_symlinks=False)
    if sys.platform == "win32":
        return time.time() - state.st_mtime > _A_DAY
    return state.st_uid == os.getuid() and not is_running(pid)
