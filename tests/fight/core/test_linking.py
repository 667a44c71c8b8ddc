"""Functions of the compiled core are optimised as parts of the entries that call them alone."""

import pytest

from botapp.fight.core.compiler import INTERPRETED, compiled

if INTERPRETED:
    pytest.skip("nothing is compiled", allow_module_level=True)
numba = pytest.importorskip("numba")
linking = pytest.importorskip("botapp.fight.core.linking")


@compiled
def _next(x: int) -> int:
    return x + 1


@compiled
def _twice_next(x: int) -> int:
    return 2 * _next(x)


@numba.njit
def _ask(x):
    return _twice_next(x) + _next(x)


@pytest.mark.slow
def test_a_function_is_left_to_its_callers_and_answers_as_written():
    assert _ask(3) == 12
    for function in (_next, _twice_next):
        (made,) = function.overloads.values()
        assert isinstance(made.library, linking._Linked)
        assert isinstance(made.entry_point, str), "it has no machine code of its own"
    (whole,) = _ask.overloads.values()
    assert not isinstance(whole.library, linking._Linked)


def test_called_from_python_it_is_compiled_by_itself():
    assert _twice_next(4) == 10
