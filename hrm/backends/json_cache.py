"""Measurements of this computer in small JSON files, written atomically; damaged files are set aside.

Each has a checksum of its content: a figure with another digit in it would still be JSON.
"""

import contextlib
import json
import logging
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hrm.atomic import write_text
from hrm.message import pack, unpack

_log = logging.getLogger(__name__)

PROBE, TUNING = "probe.json", "tuning.json"  # The files' names
_CHECKSUM = "checksum"


def cache_folder() -> Path:
    """Returns the folder of the files: `HRM_CACHE_DIR`, or the system's folder for caches."""
    override = os.environ.get("HRM_CACHE_DIR")
    if override:
        return Path(override)
    import platformdirs  # noqa: PLC0415 (a bare GPU machine has none, and sets the variable)

    return Path(platformdirs.user_cache_dir("hrm", appauthor=False))


@dataclass(frozen=True, slots=True)
class JsonCache:
    """One JSON file that holds one object; messages in it stay messages."""

    path: Path

    @classmethod
    def named(cls, name: str, folder: Path | None = None) -> "JsonCache":
        """Returns the file of a name in a folder, None for `cache_folder()`."""
        return cls((folder or cache_folder()) / name)

    def read(self) -> dict[str, Any]:
        """Returns what is stored, {} where there is no file.

        Raises:
            ValueError, KeyError, TypeError, OSError: the file cannot be read; see `set_aside`.
        """
        try:
            plain = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except RecursionError as error:
            raise ValueError(f"{self.path} is nested too deeply") from error
        if not isinstance(plain, dict):
            raise TypeError(f"{self.path} holds no object")
        # without one its own letters may be damaged, and a file of an older version is measured anew too
        if plain.pop(_CHECKSUM, None) != _checksum(plain):
            raise ValueError(f"{self.path} is damaged")
        entries: dict[str, Any] = unpack(plain)
        return entries

    def read_or_set_aside(self) -> dict[str, Any]:
        """Returns the stored object; {} where the file is missing or damaged."""
        try:
            return self.read()
        except (ValueError, KeyError, TypeError, OSError) as error:
            _log.warning("%s is set aside and measured anew: %s", self.path, error)
            self.set_aside()
            return {}

    def set_aside(self) -> Path:
        """Renames a damaged file, so that a person can look at it; returns its new name."""
        aside = self.path.with_suffix(".json.bak")
        with contextlib.suppress(OSError):
            self.path.replace(aside)
        return aside

    def write(self, values: dict[str, Any]) -> bool:
        """Stores an object in place of the earlier one; False where the folder cannot be written to."""
        try:
            plain = json.loads(json.dumps(pack(values)))
            write_text(self.path, json.dumps({**plain, _CHECKSUM: _checksum(plain)}, indent=1))
        except OSError as error:
            _log.warning("%s cannot be written: %s", self.path, error)
            return False
        return True


def _checksum(plain: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(plain, sort_keys=True).encode())
