"""A checkpoint in any stored form runs on every engine with the same answers."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from hrm.act import Stepper
from hrm.backends.engines.opening import open_engine
from hrm.backends.memory.streaming import Streamed, map_weights
from hrm.backends.placement import DevicePlan
from hrm.checkpoint import load_model, save_model
from hrm.config import Config
from hrm.model import HRM
from hrm.small_weights import shrink
from hrm.tensor_file import save

CONFIG = Config(hidden_size=64, num_heads=2, H_layers=2, L_layers=2, H_cycles=1, L_cycles=1, seq_len=12)
TOLERANCE = {"fp32": 1e-5, "bf16": 0.03, "int8": 0.06}
"""How far an answer may be from the one before storing, root mean square over root mean square."""


@pytest.fixture
def model() -> HRM:
    torch.manual_seed(5)
    return HRM(CONFIG).eval()


@pytest.fixture
def x() -> Tensor:
    return torch.randn(1, 12, 64, generator=torch.Generator().manual_seed(6))


def answer(model: HRM, x: Tensor) -> Tensor:
    with torch.inference_mode():
        return Stepper(model, model.read)(*model.start(1, 12), x)[3]


def apart(found: Tensor, expected: Tensor) -> float:
    return float((found.float() - expected).square().mean().sqrt() / expected.square().mean().sqrt())


@pytest.mark.long
@pytest.mark.parametrize("stored", ["fp32", "bf16", "int8"])
@pytest.mark.parametrize("engine", ["torch", "onnx"])
def test_weights_stored_in_any_form_run_on_any_engine(
    tmp_path: Path, model: HRM, x: Tensor, stored: str, engine: str
) -> None:
    if engine == "onnx":
        pytest.importorskip("onnxruntime")
    expected = answer(model, x)
    path = tmp_path / "model.safetensors"
    tensors = model.state_dict()
    save(path, tensors if stored == "fp32" else shrink(tensors, stored), {"config": CONFIG.to_json()})
    loaded = load_model(path)
    runner = open_engine(
        Stepper(loaded, loaded.read).eval(), DevicePlan("cpu", "cpu", "cpu", "fp32", "", engine=engine)
    )
    _, _, outputs = runner.step(runner.start(1, 12), x)
    assert apart(outputs[0].cpu(), expected) < TOLERANCE[stored]
    runner.close()


def test_a_checkpoint_of_a_half_precision_model_is_read_in_fp32(
    tmp_path: Path, model: HRM, x: Tensor
) -> None:
    expected = answer(model, x)
    path = tmp_path / "model.safetensors"
    save_model(path, model.to(torch.bfloat16), CONFIG)
    assert apart(answer(load_model(path), x), expected) < TOLERANCE["bf16"]


def test_a_checkpoint_is_streamed_from_the_file_it_lies_in(tmp_path: Path, model: HRM, x: Tensor) -> None:
    expected = answer(model, x)
    path = tmp_path / "model.safetensors"
    save_model(path, model, CONFIG)
    with torch.device("meta"):
        empty = HRM(CONFIG).eval()
    empty.build_tables()
    layer = sum(p.numel() * 4 for p in model.L_level.layers[0].parameters())
    total = sum(p.numel() * 4 for p in model.state_dict().values())
    streamed = Streamed(empty, "cpu", total - layer, host=map_weights(path))
    assert torch.equal(answer(empty, x), expected)
    assert streamed.plan.resident < 4
    streamed.close()
