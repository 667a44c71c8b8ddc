"""Each shell line of README and docs/amd.md is run, or it is said here why it cannot be run by a test."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from botapp.arena.scenarios import adventure
from botapp.commands import cli
from botapp.content.position_line import to_line

ROOT = Path(__file__).resolve().parent.parent
DOCS = ("README.md", "docs/amd.md")
_COMMAND = re.compile(r"(?:make|botapp|python3?|py|pip|sudo|bash|\.venv[\\/]\S+) \S|botapp$")
FIGHT = "tests/review/format_1.fight"
PICTURE = "resources/images/demo.jpg"

RUN = {
    "botapp --help": [],
    "botapp advise --position LINE": [],
    "botapp caches": [],
    "botapp migrate FOLDER --dry-run": [],
}
LONG = {
    "botapp look IMAGE --json": [],
    "botapp advise IMAGE... --json": [],
    "botapp bench": ["--decisions", "2", "--states", "2"],
    "botapp replay FIGHT": ["--budget-ms", "0"],
    "botapp doctor": [],
    "botapp doctor --report": [],
    ".venv/bin/botapp doctor": [],
    "botapp arena tournament --a lite --b bare --fights 100": ["--fights", "1", "--scenario", "duel"],
    "botapp run": ["--seconds", "3"],
    ".venv/bin/botapp run": ["--seconds", "3"],
    "botapp run --level aggressive": ["--seconds", "3"],
}
"""What is added ends a line that a person would end, or makes it short. `tests/commands` runs the first four
without a process of their own, as `RUN` is run here."""

ENDLESS = {"botapp arena --placement"}
"""They have no option that ends them; one is well that runs on for some seconds, or names what it lacks."""

NOT_HERE = {
    "make run": "installs; `make test` has done so before this runs",
    "make run TORCH=cpu": "tests/test_torch_build.py, for it fetches packages",
    "make run TORCH=rocm": "tests/test_torch_build.py, for it fetches packages",
    "make run TORCH=cuda": "tests/test_torch_build.py, for it fetches packages",
    "make check": "it runs the tests",
    "make test": "it runs this test",
    "make long": "it takes half an hour",
    "make coverage": "it runs this test too",
    "py -m venv .venv": "Windows",
    r".venv\Scripts\python -m pip install -c constraints.txt -e .": "Windows",
    r".venv\Scripts\botapp run --demo": "Windows",
    r".venv\Scripts\botapp doctor": "Windows",
    "sudo usermod -aG render,video $USER": "changes the computer",
}


def lines() -> set[str]:
    """Every line of the pages that is typed in a terminal, without its comment."""
    found = set()
    for name in DOCS:
        page = (ROOT / name).read_text("utf-8")
        fenced = [
            line for block in re.findall(r"```\n(.*?)```", page, re.DOTALL) for line in block.splitlines()
        ]
        inline = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", page, flags=re.DOTALL))
        found |= {line.split("#")[0].strip() for line in [*fenced, *inline] if _COMMAND.match(line)}
    return {line for line in found if "*" not in line and not line.endswith("botapp")}


def command(line: str, more: list[str], tmp_path: Path) -> dict:
    """Returns the arguments of `subprocess` for a line, with settings and caches of its own."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text("import torch\n")
    named = {"IMAGE...": PICTURE, "IMAGE": PICTURE, "FOLDER": str(folder), "FIGHT": FIGHT}
    named["LINE"] = to_line(adventure(1))
    words = [named.get(word, word) for word in line.split()]
    own = {"BOTAPP_CONFIG_DIR": str(tmp_path / "config"), "HRM_CACHE_DIR": str(tmp_path / "cache")}
    return {
        "args": [sys.executable, "-m", "botapp", *words[1:], *more],
        "cwd": ROOT,
        "text": True,
        "env": {**os.environ, "QT_QPA_PLATFORM": "offscreen", **own},
    }


def run(line: str, more: list[str], tmp_path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(**command(line, more, tmp_path), capture_output=True, check=False, timeout=170)


def test_every_line_is_run_or_said_why_not():
    known = {*RUN, *LONG, *ENDLESS, *NOT_HERE}
    assert lines() - known == set(), "a line that no test runs"
    assert known - lines() == set(), "a line that is in no page"


def test_nothing_says_to_install_the_other_program_of_this_name():
    """PyPI's package botapp is somebody else's."""
    own = re.compile(r"pipx? install (?:-\S+ )*[\"']?botapp\b")
    files = [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("botapp/**/*.py"),
        *ROOT.glob("hrm/**/*.py"),
    ]
    assert [file.name for file in files if own.search(file.read_text("utf-8"))] == []


@pytest.mark.slow
@pytest.mark.parametrize("line", RUN)
def test_a_line_runs(line, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.chdir(ROOT)
    arguments = command(line, RUN[line], tmp_path)["args"]
    assert cli.main(arguments[arguments.index("botapp") + 1 :]) == 0
    assert capsys.readouterr().out.strip()


@pytest.mark.long
@pytest.mark.parametrize("line", LONG)
def test_a_long_line_runs(line, tmp_path):
    done = run(line, LONG[line], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("line", sorted(ENDLESS))
def test_an_endless_line_starts_and_goes_on(line, tmp_path):
    with subprocess.Popen(**command(line, [], tmp_path), stderr=subprocess.PIPE) as process:
        try:
            _, said = process.communicate(timeout=8)
        except subprocess.TimeoutExpired:
            process.terminate()
            _, said = process.communicate()
        else:
            assert not os.environ.get("DISPLAY"), f"it ended by itself: {said}"
            assert said.startswith("botapp: There is no display")
    assert "Traceback" not in said
