"""`compiled`: turns a function on whole numbers and arrays of them into machine code, where that can be had.

Without numba, or with BOTAPP_INTERPRETED=1 in the environment, the same functions run as plain Python, on
lists in place of arrays. Next hop: every other module of this package.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

INTERPRETED = os.environ.get("BOTAPP_INTERPRETED", "") == "1"

if not INTERPRETED:
    try:
        import numba
    except ImportError:
        INTERPRETED = True


def compiled(function: Function) -> Function:
    """Returns the function compiled on its first call, or as it is where the rules are interpreted."""
    if INTERPRETED:
        return function
    wrapped: Function = numba.njit(
        function, cache=True, nogil=True, error_model="numpy", boundscheck=False
    )
    return wrapped


def whole_numbers(count: int) -> Any:
    """Returns an array of `count` zeros of 32 bits, a list where the rules are interpreted."""
    return [0] * count if INTERPRETED else np.zeros(count, np.int32)


def decimals(count: int) -> Any:
    """Returns an array of `count` zeros of 64 bits, a list where the rules are interpreted."""
    return [0.0] * count if INTERPRETED else np.zeros(count, np.float64)


def array_of(values: Iterable[int]) -> Any:
    """Returns an array of these whole numbers, a list where the rules are interpreted."""
    return list(values) if INTERPRETED else np.array(list(values), np.int32)
