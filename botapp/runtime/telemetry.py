"""How much memory the process and the graphics device use, and what the device does, as far as is known."""

import psutil

from botapp.runtime.messages import MemoryStatus
from hrm.backends.memory.telemetry import read


def memory(device: str) -> MemoryStatus:
    """Returns the memory of this process and, for one such as "cuda:0", of a device and what it does."""
    found = read(device)
    rss = int(psutil.Process().memory_info().rss)
    does = (found.power_w, found.temperature_c, found.busy, found.clock_mhz)
    return MemoryStatus(rss, found.total, found.used, found.ours, *does)
