"""Files opened without waiting for a pipe, written whole or not at all, and set aside, not overwritten."""

import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import BinaryIO

from botapp.host.message import say
from hrm import atomic

_READABLE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: Path) -> BinaryIO:
    """Opens a file for reading; a pipe, a device or a folder is refused at once instead of waited for.

    Raises:
        OSError: it cannot be opened, or is no regular file.
    """
    file = open(os.open(path, _READABLE), "rb")  # noqa: PTH123, SIM115 (the caller closes it)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(22, say("it is no regular file"), str(path))
    return file


def write_whole(path: Path, data: str | bytes) -> None:
    """Writes a file, text as UTF-8, through a temporary one in the same folder: no half of it is ever there.

    What a killed process leaves of a new one is cleared by the next that writes there.

    Raises:
        OSError: the folder cannot be written to.
    """
    content = data.encode() if isinstance(data, str) else data
    atomic.write_whole(path, lambda temporary: temporary.write_bytes(content))


def why_unwritable(folder: Path) -> str:
    """Returns why no file can be made in a folder, which is made if it is not there; "" where one can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return error.strerror or str(error)


def set_aside(path: Path, *, move: bool) -> Path:
    """Keeps a file as .bak, .bak1, ... without ever overwriting one, and returns the new path.

    Raises:
        OSError: it cannot be copied or renamed.
    """
    number = 0
    while (backup := path.with_name(f"{path.name}.bak{number or ''}")).exists():
        number += 1
    if move:
        path.rename(backup)
    else:
        shutil.copy2(path, backup)
    return backup
