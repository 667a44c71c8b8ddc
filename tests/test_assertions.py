"""Every test ends with an outcome that is held: a test without one passes whatever the software does."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
HOLDS = {
    # of pytest and pytest-qt
    "raises", "warns", "fail", "waitUntil", "waitSignal", "assertNotEmitted", "assert_close",
    # of our own, each of which fails by itself
    "run_python", "replay", "hold", "exec",
}  # fmt: skip


def holding(tree):
    """The names of a file's functions that assert something."""
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


def test_each_test_holds_an_outcome():
    files = sorted(TESTS.rglob("test_*.py"))
    found = {str(file.relative_to(TESTS)): without_outcome(file.read_text("utf-8")) for file in files}
    assert len(files) > 300
    assert {file: names for file, names in found.items() if names} == {}


def test_a_test_that_holds_nothing_is_found():
    source = "def held(): assert 1\ndef test_a(): held()\ndef test_b(): print(1)\ndef test_c(): f(raises=1)\n"
    assert without_outcome(source) == ["test_b", "test_c"]
