"""Folders that libraries fill by themselves: measured, trimmed to a size, cleared.

They are the caches of compilers (Triton, Inductor, MIOpen) and the usage reports that ONNX Runtime wrote
before they were switched off.

A stale cache is a known cause of kernels that fail after a driver's update. Nothing is removed but what lies
in a folder that the user owns and that is reached without a link; links in it are removed, not followed. Next
hop: `botapp caches` and `python -m hrm.backends caches` print and clear them.
"""

import getpass
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hrm.backends.errors import ConfigurationError
from hrm.message import say

USAGE_REPORTS = "onnxruntime-usage"
"""What ONNX Runtime 1.29 and later writes on Linux for its maker. botapp to 0.2.0 let it; other programs
that use ONNX Runtime may fill it again."""


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
    user_caches = at("XDG_CACHE_HOME", home / ".cache")
    inductor = Path(tempfile.gettempdir()) / f"torchinductor_{user}"
    return {
        "triton": at("TRITON_CACHE_DIR", triton_home / ".triton" / "cache"),
        "inductor": at("TORCHINDUCTOR_CACHE_DIR", inductor),
        "miopen-kernels": at("MIOPEN_CUSTOM_CACHE_DIR", home / ".cache" / "miopen"),
        "miopen-find": at("MIOPEN_USER_DB_PATH", home / ".config" / "miopen"),
        USAGE_REPORTS: user_caches / "Microsoft" / "DeveloperTools" / ".onnxruntime",
    }


def clear(name: str, environment: Mapping[str, str] | None = None, home: Path | None = None) -> Cache:
    """Empties a cache; returns what was in it.

    Raises:
        ConfigurationError: there is no cache of that name, or its folder is not one that may be emptied.
        OSError: a file in it cannot be removed.
    """
    path = _own_folder(name, environment, home)
    before = _measured(name, path)
    if path.exists():
        shutil.rmtree(path)
    return before


def refusal(name: str, environment: Mapping[str, str] | None = None, home: Path | None = None) -> str:
    """Returns why a cache's folder may not be emptied, "" if it may."""
    try:
        _own_folder(name, environment, home)
    except ConfigurationError as error:
        return error.message
    return ""


def trim(
    name: str, limit: int, environment: Mapping[str, str] | None = None, home: Path | None = None
) -> Cache:
    """Takes the oldest entries out of a cache until it holds no more than a size; returns what it took out.

    An entry is a file or folder at the top: a compiler keeps what belongs to one kernel in one entry.

    Args:
        limit: bytes that may stay.
        environment, home: as for `caches`.

    Raises:
        ConfigurationError: as `clear` does, or the limit is below 0.
        OSError: a file in it cannot be removed.
    """
    if limit < 0:
        raise ConfigurationError(f"a cache cannot hold {limit} bytes")
    path = _own_folder(name, environment, home)
    entries = sorted(path.iterdir(), key=_last_used) if path.exists() else []
    left, files, taken = _measured(name, path).size, 0, 0
    for entry in entries:
        if left <= limit:
            break
        gone = _measured(name, entry)
        if entry.is_dir() and not _is_link(entry.lstat()):
            shutil.rmtree(entry)
        else:
            entry.unlink()
        left, files, taken = left - gone.size, files + gone.files, taken + gone.size
    return Cache(name, path, files, taken)


def find_mode(environment: Mapping[str, str] | None = None) -> str:
    """Returns how MIOpen looks for the algorithm of a new convolution, which fills its find cache."""
    mode = (os.environ if environment is None else environment).get("MIOPEN_FIND_MODE", "")
    return f"MIOPEN_FIND_MODE={mode}" if mode else "MIOPEN_FIND_MODE is not set: MIOpen's own choice"


def text(folders: list[Cache]) -> str:
    return "\n".join(
        f"{cache.name:<15} {cache.size / 1e6:9.1f} MB in {cache.files:6} files  {cache.path}"
        for cache in folders
    )


def secure_inductor_folder(fallback: Path) -> None:
    """Has torch.compile use a folder of the user's own, since it runs the code that it finds there.

    Its default is under the temporary directory, where another user can have made the folder first.

    Args:
        fallback: the folder to use if the default one is a link or another user's.
    """
    if not os.environ.get("TORCHINDUCTOR_CACHE_DIR") and refusal("inductor"):
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(fallback)


def _own_folder(name: str, environment: Mapping[str, str] | None, home: Path | None) -> Path:
    """Returns a cache's folder after checking that it may be emptied; it need not exist."""
    paths = places(environment, home)
    if name not in paths:
        raise ConfigurationError(
            say("there is no cache {name}", name=repr(name)),
            say("choose one of {names}", names=", ".join(paths)),
        )
    path = paths[name].absolute()
    own = Path.home().resolve()
    if path == path.parent or path.is_mount() or path.resolve() in (own, *own.parents):
        raise ConfigurationError(
            say("the cache {name} is set to {path}, which is more than a cache", name=name, path=str(path)),
            say("correct the variable that says so"),
        )
    link = _first_link(path)
    if link is not None:
        raise ConfigurationError(
            say("the cache {name} is reached by the link {path}", name=name, path=str(link)),
            say("look at the folder it leads to and empty that by hand"),
        )
    if path.exists() and not (path.is_dir() and _owned(path.lstat())):
        raise ConfigurationError(
            say("the cache {name} at {path} is not a folder of this user's", name=name, path=str(path)),
            say("its owner can remove it"),
        )
    return path


def _first_link(path: Path) -> Path | None:
    """Returns the first link on the way to a path, None without one; the system's own links are passed over.

    These are links above the path that root made in a folder of root's, such as macOS' /tmp.
    """
    here = Path(path.anchor)
    for part in path.relative_to(path.anchor).parts:
        parent, here = here.stat(), here / part
        try:
            stat_of = here.lstat()
        except OSError:
            return None
        if _is_link(stat_of):
            by_root = stat_of.st_uid == 0 and parent.st_uid == 0 and not parent.st_mode & 0o022
            if not by_root or here == path or not hasattr(os, "getuid") or os.getuid() == 0:
                return here
    return None


def _is_link(stat_of: os.stat_result) -> bool:
    return stat.S_ISLNK(stat_of.st_mode) or bool(getattr(stat_of, "st_reparse_tag", 0))


def _owned(stat_of: os.stat_result) -> bool:
    """Whether the user owns it; Windows' owners are not compared."""
    return not hasattr(os, "getuid") or stat_of.st_uid == os.getuid()


def _last_used(path: Path) -> float:
    """Returns when the newest file of an entry was written; links are not followed."""
    times = [path.lstat().st_mtime]
    if not _is_link(path.lstat()) and path.is_dir():
        files = (Path(folder) / name for folder, _, names in os.walk(path) for name in names)
        times = [file.lstat().st_mtime for file in files] or times
    return max(times)


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
