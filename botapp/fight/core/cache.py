"""Where compiled code is kept: in a folder of the user's, named by all that the code depends on.

Numba itself only notices a change in the file of the function that Python calls, not in those that this one
calls: a folder named by a hash of all compiled sources does. Next hop: `botapp.fight.core.compiler`.
"""

import hashlib
import os
import platform
import sys
from functools import cache
from pathlib import Path

FOLDER_VARIABLE = "BOTAPP_COMPILED"
"""Names another folder for compiled code."""

_READY = "ready"
_SOURCES = ("fight/core", "search/core")


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
def key(*versions: str) -> str:
    """Returns what tells this code on this processor from any other: 16 hexadecimal digits.

    Args:
        *versions: of whatever compiles it, and how.
    """
    package = Path(__file__).parents[2]
    hashed = hashlib.blake2b(digest_size=8)
    for folder in _SOURCES:
        for file in sorted((package / folder).glob("*.py")):
            hashed.update(file.name.encode() + b"\0" + file.read_bytes())
    for fact in (sys.version, platform.machine(), *versions):
        hashed.update(fact.encode() + b"\0")
    return hashed.hexdigest()


def writable_folder(name: str) -> Path:
    """Returns the folder for compiled code of this key, made if it was not there.

    Raises:
        OSError: nothing can be written there.
    """
    folder = base_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / f".probe-{os.getpid()}"
    probe.write_bytes(b"")
    probe.unlink()
    return folder


def is_ready(folder: Path) -> bool:
    """Tells whether all has been compiled into a folder."""
    return (folder / _READY).exists()


def note_ready(folder: Path) -> None:
    """Notes that all has been compiled into a folder, and removes what older versions left beside it."""
    (folder / _READY).write_bytes(b"")
    for other in folder.parent.iterdir():
        if other != folder and is_ready(other) and not other.is_symlink():
            for file in other.iterdir():
                file.unlink(missing_ok=True)
            other.rmdir()
