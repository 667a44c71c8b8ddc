"""What a worker process is started with, and how it ended: in words, and as a fault of where its model ran.

The app knows this of its worker, and need not import the search for it.
"""

import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botapp.host.logs import log_dir
from botapp.host.message import mark, say
from botapp.host.settings import EngineSettings, Settings
from hrm.backends import Ladder
from hrm.backends.faults import Fault, fault_of_exit

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
    """An adviser in place of the one in the settings, as a tournament from pixels has it."""

    model: bool  # Whether a model advises, else the search alone
    # Override the settings. Of a model `weights` (a file), `device`, `precision`, `steps`, `exit`; of the
    # search what `botapp.advisor.bare.bare_advisor` takes; of both `decision_ms`
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Start:
    """What a worker is started with."""

    settings: Settings
    preview: str  # Name of the shared memory for the Vision panel's picture, "" for no picture
    app_pid: int  # The app's process, whose windows are never watched
    record: Path | None = None  # File that every reading is added to, None for none
    # Where the model goes on after a fault, None to begin where the settings say
    ladder: Ladder | None = None
    other: OtherAdviser | None = None  # An adviser in place of the one in the settings, None for none
    hide_cards: bool = False  # Whether drivers see no graphics card, since they ended the last worker
    fight: int = 0  # Number of the fight that the last worker watched: it goes on if it is the same one


def searches(other: OtherAdviser | None, wish: EngineSettings) -> bool:
    """Tells whether the search advises alone, without a model; `other` overrides the settings."""
    return wish.adviser == "search" if other is None else not other.model


@dataclass(frozen=True, slots=True)
class Ending:
    """What went wrong, in words; `fault` is None where nothing is held against the place it ran at."""

    text: str
    fault: Fault | None


def ending(code: int | None) -> Ending | None:
    """Tells how a process ended by its exit code; None for a normal end."""
    if code == RESTART_CODE:
        return Ending(say("The graphics card failed and has to be reopened."), None)
    text = describe_exit(code)
    return Ending(text, fault_of_exit(1 if code is None else code)) if text else None


def describe_exit(code: int | None) -> str:
    """Says in words how a process ended, naming a signal or a Windows fault; "" for a normal end."""
    if code == 0:
        return ""
    if code is None:
        return say("The engine stopped for an unknown reason.")
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = say("signal {number}", number=-code)
        meaning = say(_SIGNALS[name]) if name in _SIGNALS else say("a signal")
        return say(
            "The engine was stopped by {name} ({meaning}). {file} shows where.",
            name=name,
            meaning=meaning,
            file=str(fault_file()),
        )
    if sys.platform == "win32" and code in _WINDOWS_FAULTS:
        return say(
            "The engine stopped with {name} ({meaning}). {file} shows where.",
            name=f"0x{code:08X}",
            meaning=say(_WINDOWS_FAULTS[code]),
            file=str(fault_file()),
        )
    return say("The engine stopped with exit code {code}. See the log for details.", code=code)


_SIGNALS = {
    "SIGSEGV": mark("invalid memory access, usually a driver's fault"),
    "SIGABRT": mark("a library aborted"),
    "SIGKILL": mark("killed, usually because memory ran out"),
    "SIGBUS": mark("bus error, usually because shared memory is full"),
    "SIGILL": mark("an instruction this processor does not support"),
    "SIGFPE": mark("an arithmetic error in a library"),
    "SIGTERM": mark("stopped by another program"),
}
_WINDOWS_FAULTS = {
    0xC0000005: mark("access violation, usually a driver's fault"),
    0xC000001D: mark("an instruction this processor does not support"),
    0xC00000FD: mark("stack overflow"),
    0xC0000409: mark("a library aborted"),
    0xC000013A: mark("stopped from the console"),
}
