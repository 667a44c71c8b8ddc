"""How much memory the process and the graphics device use, as far as the system tells.

Next hop: `botapp.runtime.loop` puts it on a `Snapshot` about once a second; unknown stays None, never 0.
"""

import psutil

from botapp.runtime.messages import MemoryStatus
from hrm.backends.memory.telemetry import read


def memory(device: str) -> MemoryStatus:
    """Returns the memory of this process and, for a device such as "cuda:0", of that device."""
    found = read(device)
    rss = int(psutil.Process().memory_info().rss)
    return MemoryStatus(rss, found.total, found.used, found.ours)
