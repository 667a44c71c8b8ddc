"""Makes numba compile some functions only as far as their callers need: halves the time of a first start.

By itself numba optimises each function with all that it calls and makes machine code of it, then does so
again with each of its callers, up to the entry that Python calls. Within `link_only` a function is left as
numba's own intermediate code; it is optimised once, as part of the entry. That changes three methods of
numba's, so it is only done where they read as they are known to: with another version of numba `link_only`
does nothing, and compiling takes longer.
"""

import hashlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

KNOWN = "66c5c97982ef964c"
"""What the methods of numba 0.68 that this counts on hash to."""

_METHODS = (
    ("CPUCodeLibrary", "_optimize_final_module"),
    ("CPUCodeLibrary", "finalize"),
    ("CPUCodeLibrary", "_finalize_dynamic_globals"),
    ("CPUCodeLibrary", "_finalize_final_module"),
    ("JITCPUCodegen", "set_env"),
)
_linked_only = [False]


@contextmanager
def link_only() -> Iterator[None]:
    """Leaves the functions that are compiled meanwhile to be optimised with their callers."""
    before = _linked_only[0]
    _linked_only[0] = _is_in_place()
    try:
        yield
    finally:
        _linked_only[0] = before


def digest(codegen: Any) -> str:
    """Returns what the methods that are changed, and those that they count on, hash to.

    Args:
        codegen: numba's module of that name.
    """
    try:
        texts = [inspect.getsource(getattr(getattr(codegen, kind), name)) for kind, name in _METHODS]
    except (AttributeError, OSError, TypeError):
        return ""
    return hashlib.blake2b("".join(texts).encode(), digest_size=8).hexdigest()


@cache
def _is_in_place() -> bool:
    """Changes numba's methods if they are those that are known; returns whether it did."""
    try:
        codegen: Any = import_module("numba.core.codegen")
    except ImportError:  # another version may have none
        return False
    if digest(codegen) != KNOWN:
        return False
    library: Any = codegen.CPUCodeLibrary
    optimize, finish = library._optimize_final_module, library._finalize_final_module
    set_environment = codegen.JITCPUCodegen.set_env

    def optimize_unless_linked(self: Any) -> None:
        if not _linked_only[0]:
            optimize(self)

    def finish_unless_linked(self: Any) -> None:
        if _linked_only[0]:
            self._finalize_dynamic_globals()
            self._finalized = True
        else:
            finish(self)

    def set_environment_unless_linked(self: Any, name: str, environment: Any) -> None:
        """Tells machine code where its Python objects are: there is no code yet, and it would use none."""
        if not _linked_only[0]:
            set_environment(self, name, environment)

    library._optimize_final_module = optimize_unless_linked
    library._finalize_final_module = finish_unless_linked
    codegen.JITCPUCodegen.set_env = set_environment_unless_linked
    return True
