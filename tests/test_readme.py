"""The README's promises: its Python examples run, its pictures exist, its commands are real."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_examples():
    assert len(EXAMPLES) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("source", EXAMPLES, ids=lambda source: source.strip().splitlines()[-1])
def test_every_example_runs(source):
    exec(compile(source, "README.md", "exec"), {})


def test_nothing_is_left_to_fill_in_to_install_it():
    install = README.partition("## Install")[2].partition("\n## ")[0]
    commands = re.findall(r"`([^`]+)`", install)
    assert commands
    assert not [command for command in commands if re.search(r"\b(ADDRESS|URL|REPO\w*)\b|<[^>]+>", command)]


def test_the_first_lines_say_what_is_not_in_it_and_the_table_has_each_kind_of_card():
    assert "classes, spells and monsters are not in it" in "\n".join(README.splitlines()[:10])
    install = README.partition("## Install")[2].partition("\n## ")[0]
    assert "AMD card" in install and "NVIDIA card" in install


def test_every_picture_exists():
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).is_file(), picture


def test_the_two_commands_are_in_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("run", "test"):
        assert f"make {target}" in README
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_ci_calls_the_test_command():
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
