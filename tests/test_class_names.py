"""One class name means one thing in the whole repository."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.slow

EXCEPTIONS = {
    "Message": "a text as its template and values; hrm and vision do not import each other",
}
"""Names that stand in several files, each with its reason; there are at most five."""


@pytest.fixture(scope="module")
def classes() -> dict[str, list[str]]:
    """Where each class name is defined: nested ones, private ones, and ones within functions too."""
    found = defaultdict(list)
    for package in ("hrm", "vision", "botapp"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    found[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def test_a_class_name_means_one_thing(classes):
    double = {name: places for name, places in classes.items() if len(places) > 1}
    assert {name: places for name, places in double.items() if name not in EXCEPTIONS} == {}


def test_the_exceptions_are_few_and_still_there(classes):
    assert len(EXCEPTIONS) <= 5
    assert [name for name in EXCEPTIONS if len(classes.get(name, [])) < 2] == []
