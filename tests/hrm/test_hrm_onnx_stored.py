"""An exported step is traced once: what is kept of it is used while all that it follows from is the same."""

import pytest
import torch

from hrm.act import Stepper
from hrm.backends.onnx import stored
from hrm.backends.onnx.stored import stored_export
from hrm.config import preset
from hrm.layers import Linear
from hrm.model import Core

EXAMPLES = [
    torch.zeros(1, 5, 128),
    torch.zeros(1, 5, 128),
    torch.zeros(1, 5, 128),
    torch.ones(1, 5, dtype=bool),
]


@pytest.fixture
def step(tmp_path, monkeypatch):
    monkeypatch.setenv("HRM_CACHE_DIR", str(tmp_path))
    torch.manual_seed(1)
    core = Core(preset("advisor-lite", forward_dtype="float32"))
    return Stepper(core, Linear(128, 3)).eval()


@pytest.fixture
def traced(monkeypatch):
    """What was traced, by the length of its input; the file is written all the same."""
    lengths = []

    def export(step, examples, **options):
        lengths.append(examples[0].shape[1])
        return b"of %d" % len(lengths)

    monkeypatch.setattr(stored, "export", export)
    return lengths


def test_a_step_is_traced_once(step, traced):
    assert stored_export(step, EXAMPLES) == stored_export(step, EXAMPLES) == b"of 1"
    assert traced == [5]


def test_whatever_it_follows_from_makes_another_one(step, traced, monkeypatch):
    stored_export(step, EXAMPLES)
    stored_export(step, [one[:, :4] for one in EXAMPLES])
    stored_export(step, EXAMPLES, int8=True)
    monkeypatch.setattr(Linear, "forward", lambda self, x: x @ self.weight.T + 1)
    stored_export(step, EXAMPLES)
    with torch.no_grad():
        step.readout.weight[0, 0] += 1
    stored_export(step, EXAMPLES)
    monkeypatch.setattr(step.core, "config", preset("advisor-lite", num_heads=2))
    stored_export(step, EXAMPLES)
    assert traced == [5, 4, 5, 5, 5, 5]


@pytest.mark.slow
@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-1], lambda data: data[:-1] + b"?"])
def test_a_damaged_file_is_made_anew(step, traced, tmp_path, damage):
    stored_export(step, EXAMPLES)
    (file,) = tmp_path.glob("onnx/*.onnx")
    file.write_bytes(damage(file.read_bytes()))
    assert stored_export(step, EXAMPLES) == b"of 2"
    assert stored_export(step, EXAMPLES) == b"of 2" and len(traced) == 2


def test_the_oldest_go_and_large_ones_are_not_kept(step, traced, tmp_path, monkeypatch):
    monkeypatch.setattr(stored, "MOST", 2)
    for length in (1, 2, 3):
        stored_export(step, [one[:, :length] for one in EXAMPLES])
    assert len(list(tmp_path.glob("onnx/*"))) == 2
    monkeypatch.setattr(stored, "LARGEST", 1)
    stored_export(step, EXAMPLES)
    assert len(list(tmp_path.glob("onnx/*"))) == 2 and len(traced) == 4


def test_a_folder_that_cannot_be_written_to_costs_the_file_alone(step, traced, tmp_path):
    (tmp_path / "onnx").write_text("a file")
    assert stored_export(step, EXAMPLES) == b"of 1"
