"""Gives the memory of an array back to the system while the array stays."""

import ctypes
import mmap
import sys
from functools import cache
from typing import Any

import numpy as np


def emptied(array: Any) -> Any:
    """Returns an array of zeros in place of one whose content is not needed any more.

    On Linux it is the same one, its pages given back: freed, the allocator might keep them. Elsewhere it is
    another one.
    """
    give = _madvise()
    begin = -(-array.ctypes.data // mmap.PAGESIZE) * mmap.PAGESIZE
    end = (array.ctypes.data + array.nbytes) // mmap.PAGESIZE * mmap.PAGESIZE
    if give is None or end <= begin or give(begin, end - begin, mmap.MADV_DONTNEED):
        return np.zeros_like(array)
    first, last = (begin - array.ctypes.data), (array.ctypes.data + array.nbytes - end)
    flat = array.reshape(-1).view(np.uint8)
    flat[:first] = 0
    flat[len(flat) - last :] = 0
    return array


@cache
def _madvise() -> Any:
    if sys.platform != "linux":
        return None
    try:
        madvise = ctypes.CDLL(None, use_errno=True).madvise
    except (OSError, AttributeError):
        return None
    madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    return madvise
