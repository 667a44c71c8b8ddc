"""A fault of a running model as a value, made from an exception or from a process's exit code.

Nothing here touches a device or a process.
"""

import signal
from dataclasses import dataclass
from typing import Literal

from hrm.backends.errors import (
    InferenceError,
    NotAvailableError,
    OutOfMemoryError,
    PrecisionError,
    sort_error,
)
from hrm.message import Message, mark, say

FaultKind = Literal["crash", "hang", "out-of-memory", "precision", "library", "error"]

_BARE: dict[FaultKind, str] = {
    "crash": mark("crashed"),
    "hang": mark("hung"),
    "out-of-memory": mark("ran out of memory"),
    "precision": mark("gave wrong numbers"),
    "library": mark("could not be loaded"),
    "error": mark("failed"),
}
_DETAILED: dict[FaultKind, str] = {
    "crash": mark("crashed ({detail})"),
    "hang": mark("hung ({detail})"),
    "out-of-memory": mark("ran out of memory ({detail})"),
    "precision": mark("gave wrong numbers ({detail})"),
    "library": mark("could not be loaded ({detail})"),
    "error": mark("failed ({detail})"),
}
_SIGKILL = 9
_NT_STATUS = {
    0xC0000005: (say("access violation"), "crash"),
    0xC0000017: (say("no memory"), "out-of-memory"),
    0xC000001D: (say("illegal instruction"), "crash"),
    0xC0000094: (say("division by zero"), "crash"),
    0xC00000FD: (say("stack overflow"), "crash"),
    0xC0000135: (say("a DLL was not found"), "library"),
    0xC0000142: (say("a DLL would not start"), "library"),
    0xC0000374: (say("heap corruption"), "crash"),
    0xC0000409: (say("stack buffer overrun"), "crash"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the running model; `detail` is the text of the driver, the system or a library."""

    kind: FaultKind
    detail: str = ""

    @property
    def message(self) -> Message:
        """What happened, such as "crashed (SIGSEGV (11))"."""
        if self.detail:
            return Message(_DETAILED[self.kind], {"detail": self.detail})
        return Message(_BARE[self.kind])

    def __str__(self) -> str:
        return self.message


def describe_exit(returncode: int) -> str:
    """Returns how a process ended: the signal's name and number, Windows' status, or the exit code."""
    if returncode < 0:
        try:
            return f"{signal.Signals(-returncode).name} ({-returncode})"
        except ValueError:
            return say("signal {number}", number=-returncode)
    if returncode >= 0xC0000000:
        meaning, _ = _NT_STATUS.get(returncode, (say("an unknown status"), ""))
        return say("{status}, {meaning}", status=f"0x{returncode:08X}", meaning=meaning)
    return say("exit code {code}", code=returncode)


def fault_of_exit(returncode: int) -> Fault:
    """Returns what a process's exit code means; a SIGKILL is taken for the system's OOM killer."""
    detail = describe_exit(returncode)
    if returncode == -_SIGKILL:
        killed = say("{detail}, as the system ends a process for want of memory", detail=detail)
        return Fault("out-of-memory", killed)
    kind: FaultKind = "crash" if returncode < 0 or returncode >= 0xC0000000 else "error"
    if _NT_STATUS.get(returncode, ("", ""))[1] in ("library", "out-of-memory"):
        kind = "library" if _NT_STATUS[returncode][1] == "library" else "out-of-memory"
    return Fault(kind, detail)


def fault_of_error(error: BaseException) -> Fault:
    """Returns what an exception means; see `hrm.backends.errors.sort_error`."""
    sorted_error: InferenceError = sort_error(error)
    kinds: tuple[tuple[type[InferenceError], FaultKind], ...] = (
        (OutOfMemoryError, "out-of-memory"),
        (PrecisionError, "precision"),
        (NotAvailableError, "library"),
    )
    kind: FaultKind = next((kind for sort, kind in kinds if isinstance(sorted_error, sort)), "error")
    return Fault(kind, sorted_error.what)
