# mypy: disable-error-code="misc, no-untyped-call, untyped-decorator, import-untyped, attr-defined"
"""`LinkedOnly`: numba's compiler for functions that are optimised with their callers alone.

By itself numba optimises each function with all that it calls and makes machine code of it, then does so
again with each of its callers, up to the entry that Python calls. Compiled by `LinkedOnly` a function is left
as LLVM's intermediate code and is optimised once, as part of the entry: a third of the time of a first start.
It is made as numba documents it for a compiler of one's own, from a list of passes. Where a version of numba
does not ask for the two methods of `_Linked`, functions are optimised as usual, and that takes longer.

The two methods, and what the second one sets, are numba's own and no part of what it promises. No other way
leaves a function to its callers: `inline="always"` copies its code into each call and types it anew, and
a library is optimised before a pass could ask for anything else. So `SUPPORTED` looks whether they are there,
and where they are not, functions are compiled as numba does by itself.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import AnnotateTypes, NativeLowering

SUPPORTED = all(
    hasattr(JITCodeLibrary, name)
    for name in ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
)
"""Whether this numba has what `_Linked` stands in for."""


class _Linked(JITCodeLibrary):
    """The code of a function that is only linked into others."""

    def _optimize_final_module(self) -> None:
        """Leaves it as it is."""

    def _finalize_final_module(self) -> None:
        """Makes no machine code of it."""
        self._finalize_dynamic_globals()
        self._finalized = True


class _Step(AnalysisPass):
    """A pass that changes nothing of a function's code."""

    def __init__(self) -> None:
        AnalysisPass.__init__(self)


@register_pass(mutates_CFG=False, analysis_only=True)
class _LeaveToCallers(_Step):
    """Gives the function a library that is only linked; no machine code is asked of it."""

    _name = "leave_to_callers"

    def run_pass(self, state: Any) -> bool:
        """Prepares for `NativeLowering`."""
        state.library = _Linked(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _TellCallers(_Step):
    """Registers the function for its callers, which call others by the address of their machine code."""

    _name = "tell_callers"

    def run_pass(self, state: Any) -> bool:
        """Takes a name in place of the address."""
        lowered = state.cr
        name = lowered.fndesc.mangled_name
        state.targetctx.insert_user_function(name, lowered.fndesc, [state.library])
        state.cr = lowered._replace(cfunc=name)
        return False


class LinkedOnly(CompilerBase):
    """For `numba.njit(pipeline_class=LinkedOnly)`; such a function cannot be called from Python."""

    def define_pipelines(self) -> list[Any]:
        """Returns the usual passes for machine code with those above around the one that writes it."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_LeaveToCallers, AnnotateTypes)
        passes.add_pass_after(_TellCallers, NativeLowering)
        passes.finalize()
        return [passes]
