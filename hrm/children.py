"""Processes that end with the one that started them, however that comes about.

On Linux the kernel is asked for a signal at the parent's end, before the child's own program is loaded; on
Windows a job that ends with its owner holds the children.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

_DEATH_SIGNAL = 1
_TIE = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl({_DEATH_SIGNAL}, {int(signal.SIGTERM)})
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""
_END_WITH_OWNER, _LIMITS = 0x2000, 9
_MAY_BE_HELD = 0x0101  # Rights to a process: to end it and to put it into a job


def tied(command: Sequence[str]) -> list[str]:
    """Returns a command that on Linux ends when this thread does, at every stage; see `hold` for Windows."""
    if not sys.platform.startswith("linux"):
        return list(command)
    return [sys.executable, "-I", "-S", "-c", _TIE, str(os.getpid()), *command]


def end_with_parent() -> None:
    """Ends this process, on Linux, with the thread that started it, for one that `tied` cannot start:
    one of multiprocessing's, which ends at once where its parent is gone by now.
    """
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, int(signal.SIGTERM))
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid != os.getppid():
        os._exit(0)


def hold(pid: int | None, kernel: Any = None) -> bool:
    """Ties a process that was just started to this one's end on Windows; returns whether that worked.

    Args:
        pid: of the process, None for none.
        kernel: kernel32, or what stands for it in a test.
    """
    if kernel is None:
        if sys.platform != "win32":
            return False
        kernel = _kernel()
    job = _job(kernel)
    process = kernel.OpenProcess(_MAY_BE_HELD, False, pid) if job and pid else 0
    if not process:
        return False
    try:
        return bool(kernel.AssignProcessToJobObject(ctypes.c_void_p(job), ctypes.c_void_p(process)))
    finally:
        kernel.CloseHandle(ctypes.c_void_p(process))


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least", ctypes.c_size_t),
        ("most", ctypes.c_size_t),
        ("active", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
        ("input_output", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    )


@cache
def _kernel() -> Any:
    loader: Any = ctypes
    kernel = loader.WinDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = kernel.OpenProcess.restype = ctypes.c_void_p
    return kernel


@cache
def _job(kernel: Any) -> int:
    """Returns a job whose processes end when this one does, which alone has a handle to it; 0 for none."""
    job = kernel.CreateJobObjectW(None, None)
    limits = _Limits(flags=_END_WITH_OWNER)
    size = ctypes.sizeof(limits)
    if job and kernel.SetInformationJobObject(ctypes.c_void_p(job), _LIMITS, ctypes.byref(limits), size):
        return int(job)
    return 0
