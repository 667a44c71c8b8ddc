"""How many threads the search and the model use where nothing else is asked for."""

import os

import psutil

_MOST = 2  # One for the search, one for the model: more threads of search win nothing (docs/measurements.md)
_LEFT_FREE = 2  # Cores left to the game and to the window


def usual_threads() -> int:
    """Returns two, or one where fewer than four physical cores may be used."""
    logical = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    physical = psutil.cpu_count(logical=False) or logical
    return max(1, min(_MOST, min(physical, logical) - _LEFT_FREE))
