"""An engine takes the same step as the model itself."""

import pytest
import torch

from hrm.act import Stepper, deliberate
from hrm.backends import TorchEngine
from hrm.config import preset
from hrm.model import Core


def _stepper() -> Stepper:
    torch.manual_seed(0)
    return Stepper(Core(preset("advisor-lite")), lambda z: z.mean(-1)).eval()


@pytest.mark.slow
def test_a_step_gives_what_the_model_gives() -> None:
    stepper = _stepper()
    x = torch.randn(2, 7, stepper.core.config.hidden_size)
    with torch.inference_mode():
        expected = stepper.step(stepper.core.start(2, 7), x, None)
    engine = TorchEngine(stepper)
    carry, q, outputs = engine.step(engine.start(2, 7), x)
    torch.testing.assert_close(carry.z_H, expected[0].z_H)
    torch.testing.assert_close(q, expected[1])
    torch.testing.assert_close(outputs, expected[2])


def test_deliberate_runs_on_an_engine() -> None:
    engine = TorchEngine(_stepper())
    x = torch.randn(1, 5, engine.start(1, 5).z_H.shape[-1])
    mask = torch.tensor([[True, True, True, True, False]])
    outcome = deliberate(engine.step, engine.start(1, 5), x, mask, max_steps=2)
    assert 1 <= outcome.steps[0] <= 2


def test_half_precision_gives_fp32_answers_close_to_the_full_ones() -> None:
    stepper = _stepper()
    x = torch.randn(1, 5, stepper.core.config.hidden_size)
    full = TorchEngine(stepper)
    _, _, expected = full.step(full.start(1, 5), x)
    half = TorchEngine(stepper, precision="bf16")
    _, _, outputs = half.step(half.start(1, 5), x)
    assert outputs[0].dtype == torch.float32
    torch.testing.assert_close(outputs[0], expected[0], atol=0.1, rtol=0.1)


def test_an_unknown_precision_is_named() -> None:
    with pytest.raises(ValueError, match="int3"):
        TorchEngine(_stepper(), precision="int3")
