"""The caches that compilers fill (Triton, Inductor, MIOpen): measured, trimmed to a size, cleared.

A stale cache is a known cause of kernels that fail after a driver's update. Next hop: `botapp caches` and
`python -m hrm.backends caches` print and clear them.
"""

import getpass
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hrm.backends.errors import ConfigurationError
from hrm.message import say


@dataclass(frozen=True, slots=True)
class Cache:
    """A cache: what fills it, its folder, and how many files and bytes are in it."""

    name: str
    path: Path
    files: int
    size: int


def caches(environment: Mapping[str, str] | None = None, home: Path | None = None) -> list[Cache]:
    """Finds and measures the caches.

    Args:
        environment: the variables that move them; None for this process's.
        home: the user's home folder; None for the real one.
    """
    return [_measured(name, path) for name, path in places(environment, home).items()]


def places(environment: Mapping[str, str] | None = None, home: Path | None = None) -> dict[str, Path]:
    """Returns the folder of each cache, whether or not there is one."""
    variables = os.environ if environment is None else environment
    home = home or Path.home()

    def at(variable: str, default: Path) -> Path:
        return Path(variables[variable]).expanduser() if variables.get(variable) else default

    triton_home = at("TRITON_HOME", home)
    user = re.sub(r"[^\w.-]", "_", _user())
    inductor = Path(tempfile.gettempdir()) / f"torchinductor_{user}"
    return {
        "triton": at("TRITON_CACHE_DIR", triton_home / ".triton" / "cache"),
        "inductor": at("TORCHINDUCTOR_CACHE_DIR", inductor),
        "miopen-kernels": at("MIOPEN_CUSTOM_CACHE_DIR", home / ".cache" / "miopen"),
        "miopen-find": at("MIOPEN_USER_DB_PATH", home / ".config" / "miopen"),
    }


def clear(name: str, environment: Mapping[str, str] | None = None, home: Path | None = None) -> Cache:
    """Empties a cache; returns what was in it.

    Raises:
        ConfigurationError: there is no cache of that name, or its folder is not one that may be emptied.
        OSError: a file in it cannot be removed.
    """
    path = _place(name, environment, home)
    before = _measured(name, path)
    if path.is_dir():
        shutil.rmtree(path)
    return before


def trim(
    name: str, limit: int, environment: Mapping[str, str] | None = None, home: Path | None = None
) -> Cache:
    """Takes the oldest entries out of a cache until it holds no more than a size; returns what it took out.

    An entry is a file or folder at the top: a compiler keeps what belongs to one kernel in one entry.

    Args:
        name: of the cache.
        limit: bytes that may stay.
        environment, home: as for `caches`.

    Raises:
        ConfigurationError: as `clear` does, or the limit is below 0.
        OSError: a file in it cannot be removed.
    """
    if limit < 0:
        raise ConfigurationError(f"a cache cannot hold {limit} bytes")
    path = _place(name, environment, home)
    entries = sorted(path.iterdir(), key=_last_used) if path.is_dir() else []
    left, files, taken = _measured(name, path).size, 0, 0
    for entry in entries:
        if left <= limit:
            break
        gone = _measured(name, entry)
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
        left, files, taken = left - gone.size, files + gone.files, taken + gone.size
    return Cache(name, path, files, taken)


def find_mode(environment: Mapping[str, str] | None = None) -> str:
    """Says how MIOpen looks for the algorithm of a new convolution, which fills its find cache."""
    mode = (os.environ if environment is None else environment).get("MIOPEN_FIND_MODE", "")
    return f"MIOPEN_FIND_MODE={mode}" if mode else "MIOPEN_FIND_MODE is not set: MIOpen's own choice"


def text(found: list[Cache]) -> str:
    """Returns the caches in lines for a terminal."""
    return "\n".join(
        f"{cache.name:<15} {cache.size / 1e6:9.1f} MB in {cache.files:6} files  {cache.path}"
        for cache in found
    )


def _place(name: str, environment: Mapping[str, str] | None, home: Path | None) -> Path:
    """Returns a cache's folder, which is one that may be emptied."""
    found = places(environment, home)
    if name not in found:
        raise ConfigurationError(
            say("there is no cache {name}", name=repr(name)),
            say("choose one of {names}", names=", ".join(found)),
        )
    path = found[name].resolve()
    if path == path.parent or path == Path.home().resolve() or path.is_mount():
        raise ConfigurationError(
            say("the cache {name} is set to {path}, which is more than a cache", name=name, path=str(path)),
            say("correct the variable that says so"),
        )
    return path


def _last_used(path: Path) -> float:
    """Returns when the newest file of an entry was written."""
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else []
    return max((file.stat().st_mtime for file in files), default=path.lstat().st_mtime)


def _measured(name: str, path: Path) -> Cache:
    if path.is_file() or path.is_symlink():
        return Cache(name, path, 1, path.lstat().st_size)
    sizes = []
    for folder, _, names in os.walk(path):
        for entry in names:
            try:
                sizes.append((Path(folder) / entry).lstat().st_size)
            except OSError:
                continue
    return Cache(name, path, len(sizes), sum(sizes))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid()) if hasattr(os, "getuid") else "user"
