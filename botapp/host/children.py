"""Processes that the app starts: they import nothing from the folder it is in, and end with it.

Next hops: `botapp.runtime.process` and `botapp.arena.workers` start Python's own, `botapp.demo.display` other
programs.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

_DEATH_SIGNAL = 1
_TIE = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl({_DEATH_SIGNAL}, {int(signal.SIGTERM)})
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""


@contextmanager
def spawning(**variables: str) -> Iterator[None]:
    """Has processes that are spawned within the block find no modules in the current folder.

    Args:
        **variables: of their environment, besides this process's own.
    """
    variables["PYTHONSAFEPATH"] = "1"
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def tied(command: Sequence[str]) -> list[str]:
    """Returns a command that on Linux is ended when this thread is, however that comes about."""
    if not sys.platform.startswith("linux"):
        return list(command)
    return [sys.executable, "-I", "-S", "-c", _TIE, str(os.getpid()), *command]


def end_with_parent() -> None:
    """Has this process end, on Linux, when the thread that started it does; see `tied`."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, int(signal.SIGTERM))
