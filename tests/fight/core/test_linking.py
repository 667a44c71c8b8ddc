"""Numba's methods are changed where they are those that are known, and left alone where they are not."""

from types import SimpleNamespace

import pytest

from botapp.fight.core import linking

codegen = pytest.importorskip("numba.core.codegen")


def methods():
    library = codegen.CPUCodeLibrary
    return library._optimize_final_module, library._finalize_final_module, codegen.JITCPUCodegen.set_env


@pytest.fixture
def another_version(monkeypatch):
    monkeypatch.setattr(linking, "KNOWN", "another")
    monkeypatch.setattr(linking, "_is_in_place", linking._is_in_place.__wrapped__)


def test_the_installed_version_is_known():
    with linking.link_only():
        assert linking._linked_only[0]
    assert not linking._linked_only[0]


def test_another_version_is_left_as_it_is(another_version):
    before = methods()
    with linking.link_only():
        assert not linking._linked_only[0]
    assert methods() == before


def test_a_version_without_those_methods_has_no_digest():
    assert linking.digest(SimpleNamespace()) == ""
    assert linking.digest(SimpleNamespace(CPUCodeLibrary=object, JITCPUCodegen=object)) == ""


def test_within_one_another_it_ends_with_the_outer_one():
    with linking.link_only():
        with linking.link_only():
            pass
        assert linking._linked_only[0]
