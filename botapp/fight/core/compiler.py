"""`compiled`: turns a function on numbers, arrays and records into machine code, where that can be had.

Without numba, or with BOTAPP_INTERPRETED=1 in the environment, the same functions run as plain Python, on
lists in place of arrays; the app has its processes do so while the code is compiled for the first time.
"""

import inspect
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np

from botapp.fight.core.cache import (
    CHECKED,
    INTERPRETED_VARIABLE,
    MEANWHILE,
    OPTIMISATION,
    check_files,
    folder,
    make_writable,
)

Function = TypeVar("Function", bound=Callable[..., Any])

_ASKED = os.environ.get(INTERPRETED_VARIABLE, "")

INTERPRETED = _ASKED in ("1", MEANWHILE, CHECKED)
"""Whether the rules run as plain Python."""

BOUNDS_CHECKED = _ASKED == CHECKED
"""Whether every place of an array, row, table or record is checked against its bounds; see `in_bounds`."""

WHY_INTERPRETED = f"{INTERPRETED_VARIABLE}={_ASKED} is set" if INTERPRETED else ""
"""Why they do, "" where they are compiled."""

FAULT: Literal["", "asked", "numba", "folder"] = "asked" if _ASKED in ("1", CHECKED) else ""
"""What keeps them from being compiled: the environment asks for it, numba does not load, or nothing can be
written to the folder."""

TYPES: dict[Any, Any] = {}
"""Numba's types by what annotates them; see `botapp.fight.core.records` for those of arrays."""

FOLDER: Path | None = None
"""Where compiled code is kept, None where the rules are interpreted."""

if not INTERPRETED:
    FAULT = "numba"
    try:
        os.environ.setdefault("NUMBA_OPT", OPTIMISATION)
        import numba

        _named = folder()
        FAULT = "folder"
        FOLDER = make_writable(_named)
        FAULT = ""
        _numba_settings: Any = numba.config
        _numba_settings.CACHE_DIR = str(FOLDER)
        TYPES |= {int: numba.types.int64, float: numba.types.float64, bool: numba.types.boolean}
    except (ImportError, OSError) as error:
        INTERPRETED, WHY_INTERPRETED = True, f"{type(error).__name__}: {error}"

HURRIED = INTERPRETED and FAULT != "asked"
"""Whether a person waits for plain Python, so that searches are smaller. Where the environment asks for it,
as tests do, the constants are those of compiled code."""


def plain(function: Function) -> Function:
    """Returns a compiled function as it is written, for callers in Python who ask it little."""
    written: Function = getattr(function, "py_func", function)
    return written


def compiled(function: Function) -> Function:
    """Returns the function compiled into those that call it, or as it is where the rules are interpreted."""
    if INTERPRETED:
        return function
    wrapped: Function = _inner(function)
    return wrapped


def interpreted_as(quicker: Callable[..., Any]) -> Callable[[Function], Function]:
    """Returns what compiles a function, or puts `quicker` in its place where the rules are interpreted.

    Args:
        quicker: what Python does faster than the steps that are compiled, with as good an answer.
    """

    def chosen(function: Function) -> Function:
        if not INTERPRETED:
            return compiled(function)
        instead: Any = quicker
        wrapped: Function = instead
        return wrapped

    return chosen


def entry(function: Function) -> Function:
    """Returns the function compiled on its first call from Python; its code is kept for the next start."""
    if INTERPRETED:
        return function
    dispatcher, inner = _dispatcher(function, cache=True), _inner(function)
    check_files(dispatcher)
    dispatcher.get_call_template = inner.get_call_template
    dispatcher.get_overload = inner.get_overload
    wrapped: Function = dispatcher
    return wrapped


def load(function: Callable[..., Any]) -> None:
    """Loads the code of an entry, or compiles it where none is kept; does nothing where it is interpreted."""
    dispatcher: Any = function
    if not INTERPRETED:
        dispatcher.compile(_signature(dispatcher.py_func))


def _dispatcher(function: Callable[..., Any], **options: Any) -> Any:
    """Returns numba's form of a function. References to arrays are not counted, as no function makes or keeps
    an array; counting costs more than most of the functions."""
    njit: Any = numba.njit
    common = {"nogil": True, "error_model": "numpy", "boundscheck": False, "no_cfunc_wrapper": True}
    return njit(function, _nrt=False, **common, **options)


def _inner(function: Callable[..., Any]) -> Any:
    """Returns a function that becomes part of each entry that calls it, compiled for its parameters' types.

    Numba would compile it anew for whole numbers of 32 and of 64 bits and for each mixture of them, and would
    optimise it and make machine code of it by itself before it does so again with each of its callers. Called
    from Python, as tests do, it is compiled by itself.
    """
    from botapp.fight.core import linking  # noqa: PLC0415 - numba is not there in all cases

    # such a function is never called from Python: without what would do so there is a tenth less to compile
    how = {"pipeline_class": linking.LinkedOnly, "no_cpython_wrapper": True} if linking.SUPPORTED else {}
    dispatcher = _dispatcher(function, **how)
    template = dispatcher.get_call_template
    alone: list[Any] = []

    def get_call_template(args: Any, keywords: Any) -> Any:
        if not dispatcher.overloads:
            dispatcher.compile(_signature(function))
        dispatcher.disable_compile()
        try:
            return template(args, keywords)
        finally:
            dispatcher.disable_compile(False)

    def compile_for_args(*args: Any, **keywords: Any) -> Any:
        if not alone:
            alone.append(_dispatcher(function))
            alone[0].compile(_signature(function))
        return alone[0]._compile_for_args(*args, **keywords)

    dispatcher.get_call_template = get_call_template
    dispatcher._compile_for_args = compile_for_args
    dispatcher._insert = lambda *_args, **_keywords: None
    return dispatcher


def _signature(function: Callable[..., Any]) -> Any:
    """Returns numba's types of a function's parameters."""
    return tuple(
        _type_of(parameter.annotation) for parameter in inspect.signature(function).parameters.values()
    )


def _type_of(annotation: Any) -> Any:
    """Returns numba's type of what is annotated: numbers, arrays and records, and bundles of these."""
    known = TYPES.get(annotation)
    if known is None and hasattr(annotation, "numba_type"):
        known = TYPES[annotation] = annotation.numba_type()
    if known is None:
        types: Any = numba.types
        fields = [_type_of(annotation.__annotations__[name]) for name in annotation._fields]
        known = TYPES[annotation] = types.NamedTuple(fields, annotation)
        # numba names each function by its types, and this one by all fields of all records, 100,000 letters
        known.name = annotation.__name__
    return known


class OutOfBoundsError(IndexError):
    """The rules asked for a place outside of an array, row or table; raised where bounds are checked."""


class WordList(list[Any]):
    """An array where the rules are interpreted: a list, with the records that have been read from it.

    Attributes:
        views: those, by their kind and place.
    """

    __slots__ = ("views",)

    def __init__(self, words: Iterable[Any]) -> None:
        super().__init__(words)
        self.views: dict[Any, Any] = {}

    if BOUNDS_CHECKED:

        def __getitem__(self, place: Any) -> Any:
            return super().__getitem__(in_bounds(place, len(self)))

        def __setitem__(self, place: Any, word: Any) -> None:
            super().__setitem__(in_bounds(place, len(self)), word)


def in_bounds(place: Any, count: int) -> Any:
    """Returns a place, or a slice, of `count` words.

    Python counts negative places from the end and cuts slices short, where compiled code reads other memory.

    Raises:
        OutOfBoundsError: it is not among them.
    """
    if isinstance(place, slice):
        first, end = place.start or 0, count if place.stop is None else place.stop
        inside = 0 <= first <= count and 0 <= end <= count
    else:
        inside = 0 <= place < count
    if not inside:
        raise OutOfBoundsError(f"place {place} of {count} words")
    return place


def whole_numbers(count: int) -> Any:
    """Returns an array of `count` zeros of 32 bits, a list where the rules are interpreted."""
    return WordList([0] * count) if INTERPRETED else np.zeros(count, np.int32)


def decimals(count: int) -> Any:
    """Returns an array of `count` zeros of 64 bits, a list where the rules are interpreted."""
    return WordList([0.0] * count) if INTERPRETED else np.zeros(count, np.float64)


def long_numbers(count: int) -> Any:
    """Returns an array of `count` zeros of 64 bits for wide records, a list where the rules are
    interpreted."""
    return WordList([0] * count) if INTERPRETED else np.zeros(count, np.int64)


def array_of(values: Iterable[int]) -> Any:
    """Returns an array of these whole numbers, a list where the rules are interpreted."""
    return WordList(values) if INTERPRETED else np.array(list(values), np.int32)
