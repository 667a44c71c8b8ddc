"""A run's memory is estimated before anything is loaded, and a cap is respected."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from hrm.backends.errors import ConfigurationError
from hrm.backends.memory import estimate as memory
from hrm.backends.memory.estimate import (
    MemoryMeter,
    cap,
    estimate,
    estimate_core,
)
from hrm.config import PRESETS, Config
from hrm.model import Core

SMALL = Config(hidden_size=32, num_heads=2, H_layers=1, L_layers=2, seq_len=24)


class Doubling(nn.Module):
    """Makes two tensors of its input's size, one after the other, and holds both; its weight is one more."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1024))

    def forward(self, x: Tensor) -> Tensor:
        first = x * 2
        second = first + self.weight
        del first
        return second


def test_the_peak_is_what_is_alive_at_once() -> None:
    found = estimate(Doubling(), torch.zeros(1024))
    assert (found.parameters, found.buffers, found.inputs, found.activations) == (4096, 0, 4096, 8192)
    assert (found.weights, found.total) == (4096, 16384)


def test_half_precision_weights_are_half_as_large() -> None:
    assert estimate(Doubling(), torch.zeros(1024), dtype=torch.bfloat16).parameters == 2048


@pytest.mark.long
@settings(max_examples=8)
@given(st.integers(1, 24), st.integers(1, 3), st.sampled_from(["fp32", "bf16"]))
def test_the_estimate_is_what_a_real_run_takes(tokens: int, batch: int, precision: str) -> None:
    found = estimate_core(SMALL, tokens, batch, precision)
    core = Core(SMALL)
    core.dtype = {"fp32": torch.float32, "bf16": torch.bfloat16}[precision]
    x = torch.zeros(batch, tokens, 32, dtype=core.dtype)
    carry = core.start(batch, tokens)
    meter = MemoryMeter([*core.parameters(), *core.buffers(), x, *carry])
    with torch.no_grad(), meter:
        core(carry, x)
    assert found.activations == meter.peak
    assert found.parameters == sum(p.numel() * p.element_size() for p in core.parameters())
    assert found.buffers == sum(b.numel() * b.element_size() for b in core.buffers())


def test_nothing_is_left_alive_after_a_run() -> None:
    meter = MemoryMeter()
    with meter:
        kept = torch.ones(256)
        torch.ones(512).sum()
    assert meter.live == kept.numel() * 4
    assert meter.peak >= 512 * 4
    del kept
    assert meter.live == 0


@pytest.mark.long
@given(st.integers(1, 500))
@settings(max_examples=5)
def test_more_tokens_never_take_less(tokens: int) -> None:
    fewer, more = (estimate_core(SMALL, count).total for count in (tokens, tokens + 1))
    assert fewer < more


@pytest.mark.slow
def test_a_model_larger_than_this_computer_is_estimated() -> None:
    config = replace(PRESETS["reference"], hidden_size=65536, num_heads=512, L_layers=4, H_layers=4)
    found = estimate_core(config, 64)
    assert found.weights > 1 << 40
    assert found.total == found.weights + found.inputs + found.activations


@pytest.mark.parametrize(
    "wrong", [{"tokens": 0}, {"tokens": 8, "batch": 0}, {"tokens": 8, "precision": "fp64"}]
)
def test_what_cannot_be_estimated_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        estimate_core(SMALL, **wrong)


def test_a_cap_is_a_share_of_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    set_to: list[float] = []
    monkeypatch.setattr(
        memory.torch.cuda, "get_device_properties", lambda _: SimpleNamespace(total_memory=1000)
    )
    monkeypatch.setattr(
        memory.torch.cuda, "set_per_process_memory_fraction", lambda share, _: set_to.append(share)
    )
    for limit in (250, 5000, 0):
        cap("cuda:0", limit)
    cap("cpu", 100)
    assert set_to == [0.25, 1.0, 1.0]
    with pytest.raises(ConfigurationError, match="below 0"):
        cap("cuda:0", -1)
