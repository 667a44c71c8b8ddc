"""The hosted checks: files that can be read, commands that exist, both systems, packages and an audit."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), flags=re.MULTILINE))
ON_WINDOWS = set(re.findall(r"^:(\w+)", (ROOT / "make.cmd").read_text("utf-8"), flags=re.MULTILINE))


def jobs():
    """Returns (name, job) of every workflow."""
    for file in FILES:
        for name, job in yaml.safe_load(file.read_text("utf-8"))["jobs"].items():
            yield f"{file.stem}-{name}", job


JOBS = dict(jobs())


def commands(job):
    return [line.strip() for step in job["steps"] for line in step.get("run", "").splitlines()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_workflow_says_when_it_runs_and_may_only_read(file):
    told = yaml.safe_load(file.read_text("utf-8"))
    assert told[True]  # the word `on` is a truth value in YAML
    assert told["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("name", JOBS)
def test_every_command_of_a_job_exists(name):
    job = JOBS[name]
    assert job["timeout-minutes"] <= 120
    for line in commands(job):
        if made := re.search(r"make (\w+)", line):
            windows = line.startswith(".\\")
            assert windows == ("windows" in str(job["runs-on"])), line
            assert made[1] in (ON_WINDOWS if windows else TARGETS), line
        for script in re.findall(r"(?<=\s)\.ci/\w+", f" {line}"):
            assert (ROOT / script).is_file(), line


def test_both_commands_of_the_readme_run_on_both_systems():
    assert {"make run", "make test"} <= set(commands(JOBS["ci-linux"]))
    assert {".\\make run", ".\\make test"} <= set(commands(JOBS["ci-windows"]))


def test_packages_are_made_on_both_systems_and_the_pinned_versions_are_audited():
    assert any(line.startswith("make package") for line in commands(JOBS["ci-package-linux"]))
    assert ".\\make package" in commands(JOBS["ci-package-windows"])
    assert any("pip-audit --requirement constraints.txt" in line for line in commands(JOBS["audit-audit"]))


def test_every_command_of_windows_is_one_of_the_makefile():
    assert ON_WINDOWS - {"venv"} <= TARGETS
