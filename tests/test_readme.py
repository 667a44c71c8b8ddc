"""The README's promises: its Python examples run, its pictures exist, its commands are real."""

import re
from pathlib import Path

import pytest

from botapp.arena.measured import measured
from botapp.bench.strength import with_strength

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_examples():
    assert EXAMPLES


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


def test_it_has_at_most_ninety_lines():
    assert len(README.splitlines()) <= 90


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


def test_figures_of_strength_are_those_of_the_one_file():
    assert with_strength(README) == README, "run python -m botapp.bench.strength"


@pytest.mark.parametrize("name", ["README.md", "docs/limits.md"])
def test_no_other_figure_of_strength_is_told(name):
    """Of a player against another one: what names a match and says its points says those of the file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    known = {f"{100 * one.strength.share:.1f}" for one in measured()}
    told = re.findall(r"(\d+\.\d) % \(\d+\.\d to \d+\.\d\) of (?:\d+) (?:fights )?against `bare`", text)
    told += re.findall(r"takes (\d+\.\d) % of the points \([\d.]+ to [\d.]+\) of \d+ fights against", text)
    assert set(told) <= known
