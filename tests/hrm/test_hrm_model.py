"""The model: sizes by preset, masks, dtypes, the reach of gradients, and initial weights."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import hrm
from hrm.config import Config, swiglu_width
from hrm.layers import rms_norm, truncated_normal_
from hrm.model import HRM, Core, count_parameters

torch.set_num_threads(1)
TINY = Config(hidden_size=16, num_heads=2, mlp_inner=24, L_layers=1, H_layers=1, seq_len=6, vocab_size=5)


def awake(core: Core) -> Core:
    """Gives the Q-head weights, which start at zero."""
    torch.nn.init.normal_(core.q_head.weight)
    return core.eval()


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("reference", 27_275_266, 27_275_266),
        ("dual-process", 26_650_000, 26_750_000),
        ("advisor-lite", 650_000, 670_000),
        ("trm", 6_000_000, 7_000_000),
        ("trm-mlp", 4_500_000, 5_500_000),
    ],
)
def test_presets_have_the_size_they_promise(name: str, low: int, high: int) -> None:
    with torch.device("meta"):
        assert low <= count_parameters(HRM(hrm.preset(name))) <= high


def test_a_bad_configuration_is_refused_by_field() -> None:
    with pytest.raises(ValueError, match="num_heads"):
        Config(hidden_size=100, num_heads=8)
    with pytest.raises(ValueError, match="H_cycles is 0"):
        Config(H_cycles=0)
    with pytest.raises(ValueError, match="pos_encodings is 'sine'"):
        replace(TINY, pos_encodings="sine")
    with pytest.raises(ValueError, match="even head size"):
        Config(hidden_size=6, num_heads=2)
    with pytest.raises(ValueError, match="no preset 'huge'"):
        hrm.preset("huge")


@given(st.integers(1, 4), st.integers(1, 4), st.sampled_from(["last-step", "recursion"]))
def test_the_schedule_holds_every_update(high: int, low: int, gradient: str) -> None:
    config = replace(TINY, H_cycles=high, L_cycles=low, gradient=gradient)
    assert config.schedule.count("H") == high
    assert config.schedule.count("L") == high * low
    tail = config.schedule[-config.backpropagated :]
    assert tail.count("H") == 1 and tail.endswith("H") and "L" in tail


def test_config_survives_json_and_ignores_what_describes_no_model() -> None:
    config = hrm.preset("trm", seq_len=7)
    assert Config.from_json(config.to_json()) == config
    assert Config.from_mapping({"hidden_size": 64, "batch_size": 9}).hidden_size == 64


def test_swiglu_width_is_the_references() -> None:
    assert swiglu_width(512, 4) == 1536
    assert swiglu_width(64, 4) == 256


def test_truncated_normal_has_the_deviation_asked_for_and_no_tail() -> None:
    drawn = truncated_normal_(torch.empty(200_000), 0.5)
    assert drawn.std().item() == pytest.approx(0.5, rel=0.01)
    assert drawn.abs().max().item() <= 2 * 0.5 / 0.8796 + 1e-3


def test_rms_norm_has_unit_mean_square_in_half_precision() -> None:
    normed = rms_norm(torch.randn(3, 64, dtype=torch.bfloat16) * 100, 1e-5)
    assert normed.dtype == torch.bfloat16
    assert normed.float().square().mean(-1).sub(1).abs().max() < 0.02


@pytest.mark.slow
@settings(deadline=None, max_examples=15)
@given(st.integers(1, 5), st.integers(1, 6), st.sampled_from(["rope", "none"]))
def test_padding_changes_nothing(real: int, padding: int, positions: str) -> None:
    torch.manual_seed(real)
    core = awake(Core(replace(TINY, seq_len=real + padding, pos_encodings=positions)))
    x = torch.randn(2, real, 16)
    padded = torch.cat((x, torch.randn(2, padding, 16)), 1)
    mask = torch.arange(real + padding).expand(2, -1) < real
    with torch.no_grad():
        alone, q_alone = core(core.start(2, real), x)
        beside, q_beside = core(core.start(2, real + padding), padded, mask)
    assert torch.allclose(alone.z_H, beside.z_H[:, :real], atol=1e-5)
    assert torch.allclose(q_alone, q_beside, atol=1e-5)


def test_without_positions_the_order_of_tokens_does_not_matter() -> None:
    core = awake(Core(replace(TINY, pos_encodings="none")))
    x = torch.randn(1, 6, 16)
    order = torch.tensor([0, 3, 1, 5, 2, 4])
    with torch.no_grad():
        straight, q = core(core.start(1, 6), x)
        shuffled, q_shuffled = core(core.start(1, 6), x[:, order])
    assert torch.allclose(straight.z_H[:, order], shuffled.z_H, atol=1e-5)
    assert torch.allclose(q, q_shuffled, atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_gives_nearly_the_same_states(dtype: torch.dtype) -> None:
    core = awake(Core(TINY))
    x = torch.randn(2, 6, 16)
    with torch.no_grad():
        _, q = core(core.start(2, 6), x)
        core.dtype = dtype
        carry, q_half = core(core.start(2, 6), x)
    assert carry.z_H.dtype == dtype and q_half.dtype == torch.float32
    assert torch.allclose(q, q_half, atol=0.2)


def test_a_model_cast_whole_works_too() -> None:
    model = HRM(TINY).to(torch.bfloat16)
    model.dtype = torch.bfloat16
    carry, q = model(model.start(1, 6), model.embed(torch.ones(1, 6, dtype=torch.long)))
    assert model.read(carry.z_H).dtype == torch.bfloat16 and q.dtype == torch.float32


@pytest.mark.parametrize(("gradient", "reached"), [("last-step", 2), ("recursion", 3)])
def test_gradient_reaches_as_far_back_as_asked(gradient: str, reached: int) -> None:
    core = Core(replace(TINY, gradient=gradient))
    calls = []
    for level in (core.L_level, core.high):
        level.register_forward_hook(lambda module, args, out: calls.append(out.requires_grad))
    carry, _ = core(core.start(1, 6), torch.randn(1, 6, 16))
    assert calls == [False] * (len(core.config.schedule) - reached) + [True] * reached
    assert carry.z_H.requires_grad and not carry.detach().z_H.requires_grad


def test_a_shared_network_serves_as_both_levels() -> None:
    core = Core(replace(TINY, shared=True))
    assert core.high is core.L_level
    assert not any(key.startswith("H_level") for key in core.state_dict())


def test_the_mlp_mixer_mixes_positions_and_respects_padding() -> None:
    core = awake(Core(replace(TINY, mixer="mlp", pos_encodings="none")))
    x = torch.randn(1, 6, 16)
    other = x.clone()
    other[:, 5] += 1
    mask = torch.tensor([[True] * 5 + [False]])
    with torch.no_grad():
        assert not torch.allclose(core(core.start(1, 6), x)[1], core(core.start(1, 6), other)[1])
        assert torch.allclose(
            core(core.start(1, 6), x, mask)[1], core(core.start(1, 6), other, mask)[1], atol=1e-6
        )


def test_the_puzzle_vector_comes_before_the_tokens() -> None:
    model = HRM(replace(TINY, puzzle_emb_ndim=20, num_puzzle_identifiers=3, pos_encodings="learned"))
    model.puzzle_emb.weights.normal_()
    tokens = torch.ones(2, 6, dtype=torch.int32)
    x = model.embed(tokens, torch.tensor([0, 2], dtype=torch.int32))
    assert x.shape == (2, 8, 16)
    assert torch.equal(x[0, 2:], x[1, 2:]) and not torch.equal(x[0, :2], x[1, :2])
    assert torch.equal(model.embed(tokens), model.embed(tokens, torch.zeros(2, dtype=torch.long)))
    assert model.read(torch.randn(2, 8, 16)).shape == (2, 6, 5)


def test_steps_that_carry_nothing_do_not_depend_on_those_before() -> None:
    core, x = Core(replace(TINY, carried=False)).eval(), torch.randn(1, 6, 16)
    first, _ = core(core.start(1, 6), x)
    assert torch.equal(core(first, x)[0].z_H, first.z_H)
    carrying = Core(replace(TINY, carried=True)).eval()
    carrying.load_state_dict(core.state_dict())
    assert not torch.equal(carrying(carrying(carrying.start(1, 6), x)[0], x)[0].z_H, first.z_H)
