"""How a worker ended: in words for a person, and as a fault of the place where its model ran."""

import signal
import sys
from dataclasses import dataclass

from botapp.host.message import mark, say
from botapp.runtime.start import RESTART_CODE, fault_file
from hrm.backends.faults import Fault, fault_of_exit


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
