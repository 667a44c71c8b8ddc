"""Where compiled code is kept: in a folder of the user's, named by all that the code depends on.

Numba itself only notices a change in the file of the function that Python calls, not in those that this one
calls: a folder named by a hash of all compiled sources does.
"""

import hashlib
import os
import platform
import re
import shutil
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from botapp.fight.core.checked_files import LIST, is_intact, note_intact

FOLDER_VARIABLE = "BOTAPP_COMPILED"
"""Names another folder for compiled code."""

INTERPRETED_VARIABLE, MEANWHILE = "BOTAPP_INTERPRETED", "meanwhile"
"""Set to 1, the rules run as plain Python; the app sets it to `MEANWHILE` while they are being compiled."""

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
        *versions: of whatever compiles it, and how.
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
