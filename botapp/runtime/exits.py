"""How a worker ended: in words for a person, and as a fault of the place where its model ran.

Next hop: `botapp.runtime.process` tells it, and starts the next worker further down the ladder.
"""

import signal
import sys
from dataclasses import dataclass

from botapp.host.message import mark, say
from botapp.runtime.start import RESTART_CODE
from botapp.runtime.worker import fault_file
from hrm.backends.faults import Fault, fault_of_exit


@dataclass(frozen=True, slots=True)
class Ending:
    """What went wrong, in words; `fault` is None where nothing is held against the place it ran at."""

    text: str
    fault: Fault | None


def ending(code: int | None) -> Ending | None:
    """Tells how a process ended by its exit code; None for a normal end."""
    if code == RESTART_CODE:
        return Ending(say("The graphics card failed and has to be opened anew."), None)
    text = describe_exit(code)
    return Ending(text, fault_of_exit(1 if code is None else code)) if text else None


def describe_exit(code: int | None) -> str:
    """Says in words how a process ended, naming a signal or a Windows fault; "" for a normal end."""
    if code == 0:
        return ""
    if code is None:
        return say("The engine ended in an unknown way.")
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = say("signal {number}", number=-code)
        meaning = say(_SIGNALS[name]) if name in _SIGNALS else say("a signal")
        return say(
            "The engine was ended by {name} ({meaning}). {file} says where.",
            name=name,
            meaning=meaning,
            file=str(fault_file()),
        )
    if sys.platform == "win32" and code in _WINDOWS_FAULTS:
        return say(
            "The engine ended with {name} ({meaning}). {file} says where.",
            name=f"0x{code:08X}",
            meaning=say(_WINDOWS_FAULTS[code]),
            file=str(fault_file()),
        )
    return say("The engine ended with code {code}. The log has the details.", code=code)


_SIGNALS = {
    "SIGSEGV": mark("it touched memory that is not its own, which is most often a driver's fault"),
    "SIGABRT": mark("a library gave up"),
    "SIGKILL": mark("killed from outside, most often because the memory ran out"),
    "SIGBUS": mark("a broken memory access, most often a full shared memory"),
    "SIGILL": mark("an instruction that this processor does not know"),
    "SIGFPE": mark("a forbidden calculation in a library"),
    "SIGTERM": mark("asked to end from outside"),
}
_WINDOWS_FAULTS = {
    0xC0000005: mark("access violation, most often a driver's fault"),
    0xC000001D: mark("an instruction that this processor does not know"),
    0xC00000FD: mark("stack overflow"),
    0xC0000409: mark("a library gave up"),
    0xC000013A: mark("ended from the console"),
}
