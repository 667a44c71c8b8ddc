"""Other processes of the same priority that keep the cores busy while something is measured."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from botapp.host.children import tied

_BUSY = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
while True:
    pass
"""
"""Computes until its standard input closes, which also happens when the process that began it dies."""

_FEWEST = 2


def cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@contextmanager
def busy_cores() -> Iterator[int]:
    """Keeps every core busy with a process of this one's priority, two at the least; yields how many.

    They end with the block, or with this process, however it ends.
    """
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(max(_FEWEST, cores())):
            processes.append(subprocess.Popen(tied([sys.executable, "-c", _BUSY]), stdin=subprocess.PIPE))
        yield len(processes)
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.communicate()
