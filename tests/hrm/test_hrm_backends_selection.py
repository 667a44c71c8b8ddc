"""The single launch runs only where it was verified on a card; elsewhere the fused kernels run."""

import logging
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor

from hrm.backends.kernels.selection import CAPABILITY, LENGTHS, SingleLaunchStep, single_launch_checked


class FakeStep:
    """A step that adds its number to the states; `spoils` is done to its answer, or `fault` raised."""

    def __init__(self, number: float, spoils: float = 0.0, fault: Exception | None = None) -> None:
        self.number, self.spoils, self.fault = number, spoils, fault
        self.calls = 0
        self.own: dict[tuple[int, ...], Tensor] = {}

    def __call__(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, ...]:
        self.calls += 1
        if self.fault:
            raise self.fault
        own = self.own.setdefault(tuple(x.shape), torch.empty_like(x))
        own.copy_(z_H + self.number + self.spoils)  # as kernels do: into buffers of its own, time and again
        return own, own, torch.zeros(1)


def _given(length: int, batch: int = 1) -> tuple[Tensor, Tensor, Tensor]:
    return tuple(torch.zeros(batch, length, 4) for _ in range(3))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("batch", "length", "number"),
    [(1, 64, 1.0), (1, 81, 1.0), (1, 128, 1.0), (1, 63, 2.0), (1, 129, 2.0), (1, 560, 2.0), (3, 70, 2.0)],
)
def test_one_launch_is_taken_at_the_lengths_it_was_checked_at(batch: int, length: int, number: float) -> None:
    step = SingleLaunchStep(FakeStep(1.0), FakeStep(2.0))
    for _ in range(2):
        assert torch.all(step(*_given(length, batch))[0] == number)


@pytest.mark.parametrize(
    "broken", [FakeStep(1.0, fault=RuntimeError("PTX assembly aborted")), FakeStep(1.0, spoils=float("nan"))]
)
def test_a_single_launch_that_fails_is_tried_once_and_the_fused_kernels_run(
    broken: FakeStep, caplog: pytest.LogCaptureFixture
) -> None:
    fused = FakeStep(2.0)
    step = SingleLaunchStep(broken, fused)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert torch.all(step(*_given(LENGTHS[0]))[0] == 2.0)
    assert (broken.calls, fused.calls) == (1, 3)
    assert len(caplog.records) == 1
    assert "fused" in caplog.text


def test_a_trial_during_a_deliberation_leaves_its_states_unchanged() -> None:
    step = SingleLaunchStep(FakeStep(1.0), FakeStep(2.0))
    _, _, x = given = _given(100)
    z_H, z_L, _ = step(*given)
    z_H, z_L, _ = step(z_H, z_L, x, torch.ones(1, 100, dtype=torch.bool))  # another kernel, tried anew
    assert torch.all(z_H == 2.0)
    assert torch.all(step(z_H, z_L, x)[0] == 3.0)


@pytest.mark.parametrize(
    "other",
    [
        {"capability": (8, 9)},
        {"capability": (12, 0)},
        {"device": "cpu"},
        {"dtype": torch.float16},
        {"head_dim": 32},
        {"hidden_size": 1024},
        {"shared": True},
    ],
)
def test_the_fused_kernels_run_what_the_single_launch_was_not_verified_for(
    other: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert single_launch_checked(_stepper(monkeypatch))  # type: ignore[arg-type]
    assert not single_launch_checked(_stepper(monkeypatch, **other))  # type: ignore[arg-type]


def _stepper(
    monkeypatch: pytest.MonkeyPatch,
    *,
    capability: tuple[int, int] = CAPABILITY,
    device: str = "cuda",
    dtype: torch.dtype = torch.bfloat16,
    **config: object,
) -> SimpleNamespace:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: capability)
    monkeypatch.setattr(torch.version, "hip", None)
    weight = SimpleNamespace(device=torch.device(device))
    shape = SimpleNamespace(**{"hidden_size": 512, "head_dim": 64, "shared": False, **config})
    return SimpleNamespace(core=SimpleNamespace(parameters=lambda: iter([weight]), dtype=dtype, config=shape))


def test_amd_cards_have_the_fused_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    stepper = _stepper(monkeypatch)
    monkeypatch.setattr(torch.version, "hip", "7.1")
    assert not single_launch_checked(stepper)  # type: ignore[arg-type]
