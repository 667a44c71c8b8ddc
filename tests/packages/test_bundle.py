"""The bundle's program takes its children's command lines as Python takes them."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
START = ROOT / ".ci" / "bundle" / "start.py"


def started(*arguments, **variables):
    return subprocess.run(
        [sys.executable, str(START), *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_by_itself_it_is_botapp():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    done = started("--version")
    assert done.returncode == 0
    assert done.stdout.split()[0] == "botapp"
    assert started("-P", "-m", "botapp", "--version").stdout == done.stdout
    assert version in done.stdout


@pytest.mark.long
def test_a_module_is_run_with_its_arguments_and_its_exit_code():
    done = started("-P", "-m", "botapp", "look", "nowhere.png")
    assert done.returncode == 1
    assert "nowhere.png" in done.stderr
    assert "Traceback" not in done.stderr


def test_code_is_run_as_python_runs_it():
    code = "import sys; print(__name__, sys.argv); raise SystemExit(3)"
    done = started("-I", "-S", "-c", code, "12", "Xvfb")
    assert done.returncode == 3
    assert done.stdout.strip() == "__main__ ['-c', '12', 'Xvfb']"


def test_a_module_that_the_bundle_has_not_is_told_in_one_line():
    done = started("-m", "nosuchmodule", "install", "numba")
    assert done.returncode == 1
    assert "no nosuchmodule" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_other_programs_get_the_libraries_of_the_system_back():
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[1]); import start; start.give_back_libraries();"
        "print(os.environ.get('LD_LIBRARY_PATH'))"
    )
    both = {"LD_LIBRARY_PATH": "/bundle/_internal", "LD_LIBRARY_PATH_ORIG": "/opt/lib"}
    assert started("-c", code, str(START.parent), **both).stdout.strip() == "/opt/lib"
    alone = {"LD_LIBRARY_PATH": "/bundle/_internal"}
    assert started("-c", code, str(START.parent), **alone).stdout.strip() == "None"
