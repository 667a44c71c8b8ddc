"""The arena's bestiary, and small untrained models to think with."""

from collections.abc import Callable

import pytest
import torch

from botapp.advisor.advisor import Advisor
from botapp.advisor.calibration import Calibration
from botapp.advisor.model import AdvisorModel, lite
from botapp.tracking.bestiary import Bestiary, arena_bestiary
from hrm.backends import DevicePlan

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def bestiary() -> Bestiary:
    return arena_bestiary()


@pytest.fixture(scope="session")
def small_model() -> AdvisorModel:
    torch.manual_seed(3)
    model = AdvisorModel(lite(hidden_size=32, num_heads=2, mlp_inner=32, L_layers=1, H_layers=1))
    with torch.no_grad():
        model.core.q_head.bias.zero_()
        model.core.q_head.weight.normal_(0, 0.05)
    return model.eval()


@pytest.fixture
def make_advisor(small_model: AdvisorModel) -> Callable[..., Advisor]:
    def make(**options: object) -> Advisor:
        calibration = options.pop("calibration", Calibration())
        model = options.pop("model", small_model)
        placement = DevicePlan("auto", "cpu", "cpu", "fp32", "a test")
        habits = {"budget_ms": 0.0, "withholds": False, **options}
        return Advisor(model, calibration, placement, **habits)

    return make
