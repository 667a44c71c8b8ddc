"""Files that are written whole or not at all, so that a process killed in between leaves the old one."""

import os
from collections.abc import Callable
from pathlib import Path


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Writes a file beside its final path, then renames it, making the folder.

    Args:
        path: of the file; one that is there is replaced.
        write: is called with the path to write to.

    Raises:
        OSError: it cannot be written; nothing is left of it then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
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
