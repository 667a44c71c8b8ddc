"""docs/architecture.md says the way of a frame and where things are: what it names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WAY = TEXT.partition("## The way a frame goes")[2].partition("\n## ")[0]
FILES = [
    f"/{path.relative_to(ROOT).as_posix()}"
    for folder in ("botapp", "hrm", "vision", "tests", "docs", "resources")
    for path in (ROOT / folder).rglob("*")
    if "__pycache__" not in path.parts
]


def named(text: str) -> set[str]:
    """Returns the files and folders of the project that a text names between backticks."""
    words = re.findall(r"`([A-Za-z_][\w./]*)`", text)
    return {word for word in words if "/" in word or word.endswith((".py", ".md", ".toml"))}


def test_the_way_of_a_frame_names_where_each_step_is():
    rows = [row for row in WAY.splitlines() if row.startswith("| ") and row[2].isdigit()]
    assert len(rows) == 9
    for row in rows:
        assert named(row) or "`hrm`" in row, row


def test_what_is_named_exists():
    for name in named(TEXT):
        wanted = f"/{name.rstrip('/')}"
        there = (ROOT / name).exists() or any(path.endswith((wanted, f"{wanted}.py")) for path in FILES)
        assert there, f"docs/architecture.md names {name}, which is not there"
