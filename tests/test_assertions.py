"""Every test ends with an outcome that is held: a test without one passes whatever the software does."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
HOLDS = {
    # of pytest and pytest-qt
    "raises", "warns", "fail", "waitUntil", "waitSignal", "assertNotEmitted", "assert_close",
    # of our own, each of which fails by itself
    "run_python", "replay", "hold", "exec",
}  # fmt: skip


def holding(tree):
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return {one.name for one in functions if any(isinstance(part, ast.Assert) for part in ast.walk(one))}


def called(test):
    """The names of what a test calls, the last part of each."""
    for node in ast.walk(test):
        if isinstance(node, ast.Call):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def without_outcome(source):
    """The names of a file's tests that hold nothing."""
    tree = ast.parse(source)
    found = []
    for test in tree.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            asserts = any(isinstance(node, ast.Assert) for node in ast.walk(test))
            if not asserts and not HOLDS.union(holding(tree)).intersection(called(test)):
                found.append(test.name)
    return found


MOST_REACHES = 90
"""How often tests may name what is private to a module of the product. It goes down only: a test asks for
what a package promises, and what others need has a public name."""
OTHERS = {
    "_replace", "_asdict", "_fields", "_make", "_obj", "_exit", "_C", "_acc", "_schema", "_catalog",
    "_is_vnni_supported", "_is_avx512_bf16_supported", "_is_amx_tile_supported",
    "_setup_privateuseone_for_python_backend",
}  # fmt: skip
"""Names with an underscore that belong to Python's library, ctypes, torch and gettext."""
LIKELY = re.compile(
    r"(?<!self)(?<!cls)\._[a-zA-Z]|import .*\b_|[\"'.]_[a-zA-Z]\w*[\"']|^    _\w+,$", re.MULTILINE
)


def reaches(source):
    """The private names of others in a file: attributes, imports, and names given to `setattr`."""
    if not LIKELY.search(source):  # three files in four; to walk a tree takes longest here
        return
    nodes = list(ast.walk(ast.parse(source)))
    own = {one.name for one in nodes if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    own |= {
        one.id if isinstance(one, ast.Name) else one.attr
        for one in nodes
        if isinstance(one, ast.Name | ast.Attribute) and isinstance(one.ctx, ast.Store)
        if isinstance(one, ast.Name) or getattr(one.value, "id", "") == "self"
    }
    for one in nodes:
        name = ""
        if isinstance(one, ast.Attribute) and getattr(one.value, "id", "") not in ("self", "cls"):
            name = one.attr
        elif isinstance(one, ast.alias):
            name = one.name
        elif isinstance(one, ast.Call) and getattr(one.func, "attr", "") in ("setattr", "delattr"):
            words = [part.value for part in one.args[:2] if isinstance(part, ast.Constant)]
            name = str(words[0]).rsplit(".", 1)[-1] if words else ""
        if name.startswith("_") and not name.startswith("__") and name not in own | OTHERS:
            yield name


@pytest.mark.slow
def test_tests_reach_for_few_private_names():
    found = reaches("from a import _b\nc._d()\nm.setattr(e, '_f', 1)\nself._g()")
    assert sorted(found) == ["_b", "_d", "_f"]
    count = sum(len(list(reaches(file.read_text("utf-8")))) for file in TESTS.rglob("*.py"))
    assert 40 < count <= MOST_REACHES


@pytest.mark.slow
def test_each_test_holds_an_outcome():
    files = sorted(TESTS.rglob("test_*.py"))
    found = {str(file.relative_to(TESTS)): without_outcome(file.read_text("utf-8")) for file in files}
    assert len(files) > 300
    assert {file: names for file, names in found.items() if names} == {}


def test_a_test_that_holds_nothing_is_found():
    source = "def held(): assert 1\ndef test_a(): held()\ndef test_b(): print(1)\ndef test_c(): f(raises=1)\n"
    assert without_outcome(source) == ["test_b", "test_c"]
