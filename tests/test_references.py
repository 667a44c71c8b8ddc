"""Modules, classes and functions that docs and docstrings name in backticks by their full name are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"`((?:botapp|hrm|vision)(?:\.\w+)+)`")
FILES = ("botapp.spec", "hrm.py")
"""Files that are called so."""


def _missing(name: str) -> bool:
    """Whether no module has the name, and none that has its beginning says the rest of it."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:count])
        file = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
        if file.exists():
            text = file.read_text("utf-8")
            return not all(re.search(rf"\b{part}\b", text) for part in parts[count:])
    return True


def test_what_is_named_in_full_is_there() -> None:
    files = [*ROOT.glob("docs/*.md"), *ROOT.glob("*.md")]
    files += [file for package in ("botapp", "hrm", "vision") for file in (ROOT / package).rglob("*.py")]
    named = {(name, file.name) for file in files for name in NAMED.findall(file.read_text("utf-8"))}
    assert len(named) > 50
    assert sorted((name, file) for name, file in named if name not in FILES and _missing(name)) == []
