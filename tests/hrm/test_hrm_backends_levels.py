"""A plan says what is done for speed on a device at each level, what is left out, and why."""

from dataclasses import replace

import pytest

from hrm.backends import DevicePlan
from hrm.backends import levels as levels_module
from hrm.backends.errors import ConfigurationError
from hrm.backends.levels import LEVELS, plan, plan_of
from hrm.config import Config, preset


def test_each_level_does_more_than_the_one_before() -> None:
    done = [plan(level, "cuda", "sm_90").measures for level in LEVELS]
    assert [entry.graph for entry in done] == [False, True, True]
    assert [entry.attention for entry in done] == ["math", "auto", "auto"]
    shares = [entry.memory_fraction for entry in done]
    assert shares == sorted(shares)


def test_what_a_device_does_not_get_is_said_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels_module, "find_spec", lambda name: object())
    amd = plan("aggressive", "rocm", "gfx1101")
    assert not amd.measures.graph
    assert any("child process proved" in reason for reason in amd.left_out)
    assert amd.measures.attention == "math"
    assert amd.measures.fused
    assert plan("balanced", "rocm", "gfx1101", hip_graphs=True).measures.graph
    assert not plan("aggressive", "rocm", "gfx1010").measures.compiled
    windows = plan("aggressive", "directml")
    assert not (windows.measures.compiled or windows.measures.graph)
    cpu = plan("aggressive", "cpu")
    assert cpu.measures.quantise
    assert "int8" in str(cpu)
    assert "left out: graph capture" in str(cpu)
    assert not plan("aggressive", "cuda", "sm_90", without=("fused",)).measures.fused
    monkeypatch.setattr(levels_module, "find_spec", lambda name: None)
    assert not plan("aggressive", "cuda", "sm_90").measures.compiled
    with pytest.raises(ConfigurationError, match="reckless"):
        plan("reckless")


WIDE = Config(hidden_size=512, num_heads=8)


@pytest.mark.parametrize(
    ("config", "ours"),
    [
        (WIDE, True),
        (Config(hidden_size=336, num_heads=6, mlp_inner=1024), False),
        (replace(WIDE, mlp_inner=1000), False),
        (replace(WIDE, mixer="mlp", pos_encodings="none"), False),
    ],
)
def test_kernels_of_our_own_are_not_said_to_run_a_model_that_they_do_not_fit(
    monkeypatch: pytest.MonkeyPatch, config: Config, ours: bool
) -> None:
    monkeypatch.setattr(levels_module, "find_spec", lambda name: object())
    found = plan_of(
        DevicePlan("auto", "cuda", "cuda:0", "bf16", "", level="aggressive", architecture="sm_90"), config
    )
    assert ("kernels of our own" in found.applied) is ours
    assert ("kernels fused by torch.compile" in found.applied) is not ours
    assert bool([why for why in found.left_out if "this model's widths" in why]) is not ours


@pytest.mark.parametrize(("config", "gains"), [(preset("advisor-lite"), False), (preset("reference"), True)])
@pytest.mark.parametrize("engine", ["torch", "onnx"])
def test_a_plan_says_int8_only_of_models_that_gain(config: Config, gains: bool, engine: str) -> None:
    found = plan_of(DevicePlan("auto", "cpu", "cpu", "int8", "", engine=engine), config)
    assert ("matrices in int8" in found.applied) is gains
    assert bool([why for why in found.left_out if "int8: no matrix" in why]) is not gains
