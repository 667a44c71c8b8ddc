"""Our kernels compile for every chip that they are for, within its limits, and only once."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hrm.backends import __main__ as command

ROOT = Path(__file__).resolve().parents[2]
TARGETS = "gfx1030,gfx1101,gfx1151,gfx1201,gfx942,sm_80,sm_90"
needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="Triton is not installed"
)


def compiled(targets: str, cache: Path, *arguments: str) -> tuple[int, dict, str]:
    """Runs the command in a process of its own; returns its code, its answer and what it said besides."""
    done = subprocess.run(
        [sys.executable, "-m", "hrm.backends", "kernels", "--targets", targets, "--json", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TRITON_CACHE_DIR": str(cache)},
    )
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


def test_without_triton_the_line_that_installs_it_is_printed(monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "triton", None)
    monkeypatch.delitem(sys.modules, "hrm.backends.kernels.ahead", raising=False)
    assert command.main(["kernels", "--targets", "gfx1101"]) == 2
    assert f"{sys.executable} -m pip install 'triton>=3.6'" in capsys.readouterr().err


@needs_triton
def test_an_unknown_chip_is_named(tmp_path: Path) -> None:
    code, _, said = compiled("gfx9999", tmp_path)
    assert code == 2
    assert "gfx9999" in said
    assert "Traceback" not in said


@pytest.mark.long
@pytest.mark.timeout(900)
@needs_triton
def test_every_kernel_compiles_within_each_chips_limits_and_only_once(tmp_path: Path) -> None:
    code, answer, said = compiled(TARGETS, tmp_path)
    assert code == 0, said
    found = [kernel for kernel in answer["kernels"] if kernel["target"] != "gfx1030"]
    assert {kernel["target"] for kernel in found} == set(TARGETS.split(",")) - {"gfx1030"}
    assert not [kernel for kernel in found if kernel["problem"]]
    assert all(kernel["local"] <= kernel["limit"] for kernel in found)
    assert all(kernel["spilled"] == 0 for kernel in found if kernel["kernel"] != "whole_step")
    assert {"project", "add", "attend", "norm_and_inject", "whole_step"} == {one["kernel"] for one in found}
    there = sorted(tmp_path.rglob("*"))
    assert compiled("gfx1101,sm_90", tmp_path)[0] == 0
    assert sorted(tmp_path.rglob("*")) == there
