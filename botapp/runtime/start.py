"""What a worker process is started with, the code it ends with to be started again, and its file of faults.

The app knows this of its worker, and need not import the search for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botapp.host.logs import log_dir
from botapp.host.settings import EngineSettings, Settings
from hrm.backends import Ladder

RESTART_CODE = 75
"""The worker's exit code when its device has to be opened anew (`EX_TEMPFAIL` of sysexits.h)."""
LOADING_THREAD = "loads the model"  # Name of the worker's thread that loads a model
ENGINE_STARTS = r" worker \d+ starts$"
"""Fits the line that each worker begins with in the file of native faults."""


def fault_file() -> Path:
    """Returns the file that says where the worker was when a native fault ended it."""
    return log_dir() / "worker-fault.log"


@dataclass(frozen=True, slots=True)
class OtherAdviser:
    """An adviser in place of the one in the settings, as a tournament from pixels has it.

    Attributes:
        model: whether a model advises, else the search alone.
        options: override the settings. Of a model `weights` (a file), `device`, `precision`, `steps`, `exit`;
            of the search what `botapp.advisor.bare.bare_advisor` takes; of both `decision_ms`.
    """

    model: bool
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Start:
    """What a worker is started with.

    Attributes:
        preview: name of the shared memory for the Vision panel's picture, "" for no picture.
        app_pid: the app's process, whose windows are never watched.
        record: file that every reading is added to, None for none.
        ladder: where the model goes on after a fault, None to begin where the settings say.
        other: an adviser in place of the one in the settings, None for none.
        hide_cards: whether drivers see no graphics card, since they ended the last worker.
        fight: number of the fight that the last worker watched: it goes on if it is the same one.
    """

    settings: Settings
    preview: str
    app_pid: int
    record: Path | None = None
    ladder: Ladder | None = None
    other: OtherAdviser | None = None
    hide_cards: bool = False
    fight: int = 0


def searches(other: OtherAdviser | None, wish: EngineSettings) -> bool:
    """Tells whether the search advises alone, without a model; `other` overrides the settings."""
    return wish.adviser == "search" if other is None else not other.model
