"""Makes numba compile some functions only as far as their callers need: halves the time of a first start.

By itself numba optimises each function with all that it calls and makes machine code of it, then does so
again with each of its callers, up to the entry that Python calls. Within `link_only` a function is left as
numba's own intermediate code; it is optimised once, as part of the entry. Next hop:
`botapp.fight.core.compiler`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen

_linked_only = [False]
_library_class: Any = CPUCodeLibrary
_codegen_class: Any = JITCPUCodegen
_optimize = _library_class._optimize_final_module
_finish = _library_class._finalize_final_module
_set_environment = _codegen_class.set_env


@contextmanager
def link_only() -> Iterator[None]:
    """Leaves the functions that are compiled meanwhile to be optimised with their callers."""
    before = _linked_only[0]
    _linked_only[0] = True
    try:
        yield
    finally:
        _linked_only[0] = before


def _optimize_unless_linked(library: Any) -> None:
    if not _linked_only[0]:
        _optimize(library)


def _finish_unless_linked(library: Any) -> None:
    if _linked_only[0]:
        library._finalize_dynamic_globals()
        library._finalized = True
    else:
        _finish(library)


def _set_environment_unless_linked(codegen: Any, name: str, environment: Any) -> None:
    """Tells machine code where its Python objects are: there is no code yet, and it would use none."""
    if not _linked_only[0]:
        _set_environment(codegen, name, environment)


_codegen_class.set_env = _set_environment_unless_linked
_library_class._optimize_final_module = _optimize_unless_linked
_library_class._finalize_final_module = _finish_unless_linked
