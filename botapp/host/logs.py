"""Where the log file is, and how the app's processes write to it. No Qt.

The app's process owns the file; the worker's lines reach it as `LogLine`s (`botapp.runtime.process`).
"""

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Literal

import platformdirs

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_dir() -> Path:
    """Returns the folder of the log files: beside the settings under `BOTAPP_CONFIG_DIR`, or the system's."""
    override = os.environ.get("BOTAPP_CONFIG_DIR")
    if override:
        return Path(override) / "logs"
    return Path(platformdirs.user_log_dir("botapp", appauthor=False))


def log_file() -> Path:
    """Returns the app's log file, whether or not there is one yet."""
    return log_dir() / "botapp.log"


class _PrivateFile(RotatingFileHandler):
    """A log that its person alone can read: there are paths in it."""

    def _open(self) -> TextIOWrapper:
        return open_private(Path(self.baseFilename), "a")


def open_private(path: Path, mode: Literal["a", "w"]) -> TextIOWrapper:
    """Opens a text file that only its owner can read, making its folder.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = open(path, mode, encoding="utf-8", buffering=1, opener=_private)  # noqa: SIM115
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), 0o600)  # it may be of an earlier version, which left it to all
    return file


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def set_up(level: int = logging.INFO) -> str:
    """Sends this process's log to the file, at most 3 MB in all; returns why it cannot be written, or ""."""
    logging.raiseExceptions = False  # a full disk, or Windows with the file open twice: no traceback for that
    root = logging.getLogger()
    root.setLevel(level)
    if is_kept():
        return ""
    try:
        log_dir().mkdir(parents=True, exist_ok=True)
        handler = _PrivateFile(log_file(), maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    except OSError as error:
        root.addHandler(logging.NullHandler())  # else every warning would go to the terminal
        return error.strerror or str(error)
    handler.setFormatter(logging.Formatter(FORMAT))
    root.addHandler(handler)
    return ""


def is_kept() -> bool:
    return any(isinstance(handler, RotatingFileHandler) for handler in logging.getLogger().handlers)
