"""Calls a compiled function that takes records from Python: numba takes none from there, but arrays."""

from functools import cache

from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.core.records import Record, viewer


def call(function, *arguments):
    """Returns what a function of the core returns for numbers and records."""
    if INTERPRETED:
        return function(*arguments)
    kinds = tuple(type(one) if isinstance(one, Record) else None for one in arguments)
    flat = []
    for one in arguments:
        flat += [one._words, one._first] if isinstance(one, Record) else [one]
    return _front(function, kinds)(*flat)


@cache
def _front(function, kinds):
    """Returns a compiled function that makes the records of arrays and places, and calls another one."""
    import numba

    names, given, scope = [], [], {"function": function}
    for place, kind in enumerate(kinds):
        names.append(f"x{place}")
        given.append(f"x{place}")
        if kind is not None:
            scope[f"view{place}"] = viewer(kind)
            names.append(f"at{place}")
            given[-1] = f"view{place}(x{place}, at{place})"
    exec(f"def front({', '.join(names)}):\n    return function({', '.join(given)})", scope)
    return numba.njit(scope["front"], error_model="numpy", _nrt=False)
