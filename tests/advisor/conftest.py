"""The arena's bestiary, and small untrained models to think with."""

from collections.abc import Callable

import pytest
import torch

from botapp.advisor.calibration import Calibration
from botapp.advisor.deliberating import DeliberatingAdvisor, Thinking
from botapp.advisor.networks.hrm import HrmNetwork
from botapp.advisor.thinker import Thinker, lite
from botapp.tracking.bestiary import Bestiary, arena_bestiary
from hrm.backends import DevicePlan

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def bestiary() -> Bestiary:
    return arena_bestiary()


@pytest.fixture(scope="session")
def small_model() -> Thinker:
    torch.manual_seed(3)
    shape = {"hidden_size": 32, "num_heads": 2, "mlp_inner": 32, "L_layers": 1, "H_layers": 1}
    model = Thinker(lite(**shape, forward_dtype="float32"))
    with torch.no_grad():
        model.core.q_head.bias.zero_()
        model.core.q_head.weight.normal_(0, 0.05)
    return model.eval()


@pytest.fixture
def make_advisor(small_model: Thinker) -> Callable[..., DeliberatingAdvisor]:
    def make(**options: object) -> DeliberatingAdvisor:
        calibration = options.pop("calibration", Calibration())
        model = options.pop("model", small_model)
        placement = DevicePlan("auto", "cpu", "cpu", "fp32", "a test")
        options = {"budget_ms": 0.0, **options}
        rest = {name: options.pop(name) for name in ("budget_ms", "learned", "simplest") if name in options}
        network = HrmNetwork(model, calibration, placement)
        return DeliberatingAdvisor(network, thinking=Thinking(**options), **rest)

    return make
