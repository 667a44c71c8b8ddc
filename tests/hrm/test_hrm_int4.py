"""Weights in 4 bits: what is stored comes back, and the engine multiplies by exactly that."""

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hrm import cli, int4
from hrm.act import Stepper
from hrm.backends.engines.onnx_engine import OnnxEngine
from hrm.checkpoint import load_model, save_model
from hrm.config import Config
from hrm.model import HRM
from hrm.small_weights import widen
from hrm.tensor_file import CheckpointError, read

WIDE = Config(hidden_size=256, num_heads=4, L_layers=1, H_layers=1, H_cycles=1, L_cycles=1, seq_len=12)


@pytest.mark.slow
@given(
    rows=st.integers(1, 5),
    groups=st.integers(1, 4),
    group=st.sampled_from(int4.GROUPS),
    seed=st.integers(0, 99),
)
def test_a_matrix_comes_back_within_half_a_step_and_packs_the_same_again(rows, groups, group, seed):
    matrix = torch.randn(rows, groups * group, generator=torch.Generator().manual_seed(seed))
    packed, scale = int4.pack(matrix, group)
    assert (packed.dtype, packed.shape, scale.shape) == (
        torch.uint8,
        (rows, groups * group // 2),
        (rows, groups),
    )
    back = int4.unpack(packed, scale)
    assert bool(((back - matrix).unflatten(1, (groups, group)).abs() <= scale[..., None] * 0.5001).all())
    again, scale_again = int4.pack(back, group)
    assert torch.equal(again, packed)
    torch.testing.assert_close(scale_again, scale)


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    model = HRM(WIDE)
    torch.nn.init.normal_(model.q_head.weight, std=0.1)
    save_model(tmp_path / "wide.safetensors", model, WIDE)
    return tmp_path / "wide.safetensors"


@pytest.mark.long
@pytest.mark.parametrize("group", int4.GROUPS)
def test_a_converted_model_is_an_eighth_and_the_engine_computes_it(stored: Path, group: int, capsys) -> None:
    small = stored.with_name("small.safetensors")
    assert cli.main(["convert", str(stored), str(small), "--to", "int4", "--group", str(group)]) == 0
    assert "int4" in capsys.readouterr().out
    assert small.stat().st_size < 0.18 * stored.stat().st_size
    tensors, notes = read(small)
    assert (notes["stored"], notes["group"]) == ("int4", str(group))
    assert tensors["q_head.weight"].dtype == torch.float32
    model = load_model(small).eval()
    stepper = Stepper(model, model.read)
    x = torch.randn(1, model.config.positions, 256)
    with torch.inference_mode():
        expected = stepper(*model.start(1, x.shape[1]), x, None)
    engine = OnnxEngine(stepper, precision="int4", threads=1, group=group)
    carry, q, (logits,) = engine.step(engine.start(1, x.shape[1]), x)
    torch.testing.assert_close(carry.z_H, expected[0], rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(logits, expected[3], rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(q, expected[2], rtol=1e-3, atol=1e-3)


def test_a_scale_that_does_not_fit_is_named() -> None:
    packed, scale = int4.pack(torch.ones(2, 64), 32)
    for wrong in (scale[:1], scale.flatten(), torch.ones(2, 3)):
        with pytest.raises(CheckpointError, match="the scale of a"):
            widen({"a": packed, "a.scale": wrong})


def test_what_divides_into_no_groups_is_said_so(tmp_path: Path, capsys) -> None:
    narrow = Config(hidden_size=48, num_heads=2, mlp_inner=48, L_layers=1, H_layers=1, seq_len=4)
    save_model(tmp_path / "narrow.safetensors", HRM(narrow), narrow)
    code = cli.main(
        ["convert", str(tmp_path / "narrow.safetensors"), str(tmp_path / "x.safetensors"), "--to", "int4"]
    )
    assert code == 2
    assert "groups of 32" in capsys.readouterr().err
