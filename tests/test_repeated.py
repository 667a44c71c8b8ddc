"""`make test` repeats few tests alone, by name: a fault that shows only beside other tests still fails it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MOST_LISTED = 14
"""How many tests are listed. It goes down with the list, and never up."""

FICKLE = """
from pathlib import Path
def test_fickle():
    ran = Path("ran"); before = ran.exists(); ran.touch(); assert before
"""


def _again(folder: Path, failed: list[str], listed: str = "") -> subprocess.CompletedProcess[str]:
    """Runs `.ci/alone` in a folder with one test, which fails unless the file `ran` is there."""
    cache = folder / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    (cache / "lastfailed").write_text(json.dumps(dict.fromkeys(failed, True)))
    (folder / "tests").mkdir()
    (folder / "tests" / "repeated.txt").write_text(listed)
    (folder / "test_one.py").write_text(FICKLE)
    command = [
        sys.executable,
        str(ROOT / ".ci" / "alone"),
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
    ]
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


ONE = "test_one.py::test_fickle"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("passes", "listed", "code"), [(True, f"{ONE}\n", 0), (True, "", 1), (False, f"{ONE}\n", 1)]
)
def test_only_a_listed_test_may_fail_beside_others_and_it_has_to_pass_alone(tmp_path, passes, listed, code):
    if passes:
        (tmp_path / "ran").touch()
    run = _again(tmp_path, [ONE], listed)
    assert run.returncode == code, run.stdout + run.stderr
    assert ("mend them" in run.stderr and ONE in run.stderr) == (passes and not listed)


def test_more_than_three_failures_are_not_repeated(tmp_path):
    run = _again(tmp_path, [f"{ONE}[{number}]" for number in range(4)], f"{ONE}\n")
    assert run.returncode == 1 and "4 tests failed" in run.stderr
    assert not (tmp_path / "ran").exists()


def test_the_list_only_shrinks_and_names_tests_that_exist():
    names = [line for line in (ROOT / "tests" / "repeated.txt").read_text().splitlines() if line[0] != "#"]
    assert len(names) == MOST_LISTED, "take MOST_LISTED down with the list; nothing is added to it"
    assert names == sorted(set(names))
    for name in names:
        file, test = name.split("::")
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), name
