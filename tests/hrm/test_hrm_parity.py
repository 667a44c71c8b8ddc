"""Our model gives the reference's numbers, and the check fails when it does not."""

import json
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from hrm import layers
from hrm.cli import main
from hrm.training import parity
from hrm.training.parity import check

torch.set_num_threads(1)
DATA = Path(__file__).parent / "data"
FILES = sorted(DATA.glob("*.safetensors"))


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_quantity_is_within_tolerance(path: Path) -> None:
    report = check(path)
    assert report.passed, [e for e in report.comparisons if not e.passed]
    names = {entry.quantity for entry in report.comparisons}
    assert {"eval/step4/z_L", "train/step3/loss", "train/step2/grad/inner.q_head.bias"} <= names


def test_the_files_are_the_three_that_came_with_the_project() -> None:
    assert len(FILES) == 3


def with_every_norm_shifted(monkeypatch: pytest.MonkeyPatch, by: float) -> None:
    """A model that is wrong in one place: the term that keeps the norm from dividing by 0."""
    right = layers.rms_norm
    monkeypatch.setattr(layers, "rms_norm", lambda x, eps=1e-5: right(x, eps + by))


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_small_fault_of_the_model_is_found(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_every_norm_shifted(monkeypatch, 4e-5)
    assert not check(path).passed


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_float64_passes_as_well_so_that_no_processors_sums_decide(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parity, "ARITHMETIC", ("float64",))
    report = check(path)
    assert report.passed and report.arithmetic == "float64"
    assert report.worst < 0.5  # of the tolerance


@pytest.mark.slow
def test_command_line_passes_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = FILES[1]
    assert main(["parity", str(source), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["passed"] is True
    with safe_open(source, "pt") as stored:
        metadata = stored.metadata()
    tensors = load_file(source)
    tensors["eval/step1/logits"][0, 0, 0] += 1
    tensors["eval/step2/nothing_of_ours"] = torch.zeros(1)
    changed = tmp_path / "changed.safetensors"
    save_file(tensors, changed, metadata)
    assert main(["parity", str(changed)]) == 1
    printed = capsys.readouterr().out
    assert "PAST" in printed and "FAILED" in printed


@pytest.mark.parametrize(
    ("drop", "keep_config", "words"),
    [
        ("batch/labels", True, "batch/labels is missing"),
        (None, False, "no config"),
        ("state_dict/_orig_mod.model.inner.lm_head.weight", True, "lm_head.weight is missing"),
    ],
)
def test_a_file_that_lacks_something_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], drop: str | None, keep_config: bool, words: str
) -> None:
    with safe_open(FILES[1], "pt") as stored:
        metadata = stored.metadata() if keep_config else {}
    tensors = load_file(FILES[1])
    if drop:
        del tensors[drop]
    path = tmp_path / "part.safetensors"
    save_file(tensors, path, metadata)
    assert main(["parity", str(path)]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("config", ["[1]", None])
def test_a_file_without_anything_to_compare_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], config: str | None
) -> None:
    with safe_open(FILES[1], "pt") as stored:
        metadata = stored.metadata()
    tensors = {
        key: value for key, value in load_file(FILES[1]).items() if not key.startswith(("eval/", "train/"))
    }
    path = tmp_path / "empty.safetensors"
    save_file(tensors, path, {**metadata, **({"config": config} if config else {})})
    assert main(["parity", str(path)]) == (2 if config else 1)
    told = capsys.readouterr()
    assert "object with names" in told.err if config else "FAILED" in told.out


def test_a_batch_that_cannot_be_run_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with safe_open(FILES[1], "pt") as stored:
        metadata = stored.metadata()
    tensors = load_file(FILES[1])
    tensors["batch/inputs"] = torch.full_like(tensors["batch/inputs"], 10_000)
    path = tmp_path / "odd.safetensors"
    save_file(tensors, path, metadata)
    assert main(["parity", str(path)]) == 2
    error = capsys.readouterr().err
    assert "its batch cannot be run" in error and error.count("\n") == 1
