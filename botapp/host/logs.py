"""Where the log file is, and how the app's processes write to it. No Qt.

The app's process owns the file; the worker's lines reach it as `LogLine`s (`botapp.runtime.process`).
"""

import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

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


def set_up(level: int = logging.INFO) -> bool:
    """Sends this process's log to the file, at most 3 MB in all; returns False where it cannot be written."""
    logging.raiseExceptions = False  # a full disk, or Windows with the file open twice: no traceback for that
    root = logging.getLogger()
    root.setLevel(level)
    if any(isinstance(handler, RotatingFileHandler) for handler in root.handlers):
        return True
    try:
        log_dir().mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(log_file(), maxBytes=1_000_000, backupCount=2, encoding="utf-8")
    except OSError:
        return False
    handler.setFormatter(logging.Formatter(FORMAT))
    root.addHandler(handler)
    return True
