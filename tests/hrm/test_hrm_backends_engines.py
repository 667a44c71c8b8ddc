"""Every engine computes the model's own step in every precision, and lists the measures it applied."""

import contextlib
import os
import sys
from dataclasses import replace
from types import SimpleNamespace

import onnxruntime
import pytest
import torch
from torch import nn

from hrm.act import Stepper
from hrm.backends import DevicePlan, TorchEngine, open_engine
from hrm.backends import levels as levels_module
from hrm.backends.engines.devices import FLASH_SWITCH, attention_kind, current_device
from hrm.backends.engines.onnx_engine import OnnxEngine, operators_by_provider
from hrm.backends.errors import (
    ConfigurationError,
    KernelCompilationError,
    NotAvailableError,
    OutOfMemoryError,
    PrecisionError,
)
from hrm.backends.kernels.int8 import Int8Linear, quantise, quantise_rows
from hrm.backends.levels import plan
from hrm.backends.memory.reading import Reading
from hrm.backends.onnx.export import export
from hrm.backends.probing import checks
from hrm.config import Config
from hrm.model import HRM

SMALL = Config(hidden_size=64, num_heads=2, mlp_inner=128, L_layers=1, H_layers=1, L_cycles=1, seq_len=12)
LENGTH = SMALL.positions


@pytest.fixture
def every_matrix_in_int8(monkeypatch) -> None:
    """Small matrices are not worth it; these tests are about those that are."""
    monkeypatch.setattr("hrm.backends.kernels.int8.SMALLEST", 0)


@pytest.fixture(autouse=True)
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(before)


def _stepper(config: Config = SMALL) -> Stepper:
    model = HRM(config)
    nn.init.normal_(model.q_head.weight, std=0.1)
    return Stepper(model, model.read).eval()


def test_a_card_is_the_current_one_while_work_is_done_on_it(monkeypatch) -> None:
    assert current_device(torch.device("cuda:1")).idx == 1
    current: list[torch.device] = []

    @contextlib.contextmanager
    def watched(device):
        current.append(device)
        yield
        current.pop()

    monkeypatch.setattr("hrm.backends.engines.torch_engine.current_device", watched)
    seen = []
    monkeypatch.setattr(TorchEngine, "_faster", lambda self, run: seen.append(list(current)) or run)
    engine = TorchEngine(_stepper())
    plain = engine._run
    engine._run = lambda *inputs: seen.append(list(current)) or plain(*inputs)
    _step(engine, torch.randn(1, LENGTH, SMALL.hidden_size))
    assert len(seen) == 2
    assert all(entry and set(entry) == {torch.device("cpu")} for entry in seen)
    assert current == []


def _step(engine, x, mask=None):
    start = engine.start(len(x), x.shape[1])
    return engine.step(start, x.to(engine.state_device), mask)


def _expected(stepper, x, mask=None):
    with torch.inference_mode():
        return stepper.step(stepper.core.start(len(x), x.shape[1]), x, mask)


def _far(ours: torch.Tensor, expected: torch.Tensor) -> float:
    return float(((ours.float() - expected).norm() / expected.norm()).detach())


class Cramped(TorchEngine):
    """An engine whose device has room for this many bytes; a processor plays the card."""

    room = 0

    def _room(self) -> int:
        return self.room


@pytest.mark.slow
def test_a_model_that_is_larger_than_its_room_is_streamed_and_the_plan_says_so(monkeypatch) -> None:
    stepper = _stepper(replace(SMALL, L_layers=4, H_layers=4))
    x = torch.randn(1, LENGTH, SMALL.hidden_size)
    expected, *_ = _expected(stepper, x)
    weights = sum(p.numel() * 4 for p in stepper.parameters())
    monkeypatch.setattr(Cramped, "room", int(weights * 0.8))
    engine = Cramped(stepper, level="balanced")
    carry, *_ = _step(engine, x)
    assert torch.equal(carry.z_H, expected.z_H)
    assert 0 < engine.plan.measures.streamed <= 8
    assert not engine.plan.measures.graph
    assert any("copied to the card" in words for words in engine.plan.applied)
    engine.close()
    monkeypatch.setattr(Cramped, "room", 2 * weights)
    assert Cramped(stepper).plan.measures.streamed == 0


@pytest.mark.slow
def test_a_model_whose_layers_do_not_fit_one_by_one_is_out_of_memory(monkeypatch) -> None:
    monkeypatch.setattr(Cramped, "room", 1000)
    with pytest.raises(OutOfMemoryError, match="room for"):
        Cramped(_stepper())


def test_a_cap_below_what_the_products_need_themselves_leaves_no_room_and_no_less(monkeypatch) -> None:
    engine = TorchEngine(_stepper())
    engine.where, engine._memory_cap = torch.device("cuda"), 1 << 20
    monkeypatch.setattr("hrm.backends.engines.torch_engine.read", lambda _: Reading(total=8 << 30, used=0))
    assert engine._room() == 0


class OutOfResources(Exception):
    """As Triton's own is: of no class that others know."""


def test_kernels_that_do_not_fit_a_card_are_left_out_and_the_step_is_taken(monkeypatch) -> None:
    def fuse(stepper, chip):
        def step(*inputs):
            raise OutOfResources("out of resource: shared memory, Required: 73728, Hardware limit: 65536.")

        return step

    def planned(*arguments, **options):
        found = plan("aggressive", "rocm", "gfx1101")
        return replace(found, measures=replace(found.measures, fused=True, graph=False, compiled=False))

    monkeypatch.setitem(sys.modules, "hrm.backends.kernels.selection", SimpleNamespace(fuse=fuse))
    monkeypatch.setattr("hrm.backends.engines.torch_engine.plan", planned)
    stepper, x = _stepper(), torch.randn(1, LENGTH, SMALL.hidden_size)
    engine = TorchEngine(stepper)
    assert engine.plan.measures.fused
    carry, *_ = _step(engine, x)
    torch.testing.assert_close(carry.z_H, _expected(stepper, x)[0].z_H)
    assert not engine.plan.measures.fused
    assert any("Required: 73728" in words for words in engine.plan.left_out)


@pytest.mark.slow
def test_on_directml_a_model_larger_than_the_cap_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["DmlExecutionProvider"])
    with pytest.raises(OutOfMemoryError, match="the cap is 0 MiB"):
        OnnxEngine(_stepper(), "dml:0", memory_cap=1000)
    OnnxEngine(_stepper(), "dml:0", memory_cap=1 << 30).close()


def test_the_fast_attention_fails_where_there_is_none(monkeypatch) -> None:
    """A processor has one too, though not for a mask that is trained."""
    monkeypatch.setenv(FLASH_SWITCH, "0")
    answer = checks.attention({"device": "cpu", "attention": "fast", "precision": "fp32"})
    assert answer["ok"]
    assert os.environ[FLASH_SWITCH] == "1"
    q = torch.randn(1, 2, 8, 64)
    mask = torch.zeros(8, 8, requires_grad=True)
    with attention_kind("fast"), pytest.raises(RuntimeError, match="No available kernel"):
        torch.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=mask)


@pytest.mark.long
@pytest.mark.parametrize(
    "config",
    [
        SMALL,
        replace(SMALL, puzzle_emb_ndim=64, L_cycles=2, H_cycles=2),
        replace(SMALL, pos_encodings="learned", shared=True),
        replace(SMALL, mixer="mlp", pos_encodings="none"),
    ],
    ids=["rope", "puzzle and cycles", "learned, shared", "position mixer"],
)
def test_an_exported_step_is_torchs_step(config: Config) -> None:
    stepper = _stepper(config)
    x = torch.randn(2, config.positions, 64)
    carry, q, (logits,) = _step(OnnxEngine(stepper, threads=1), x)
    expected, expected_q, (expected_logits,) = _expected(stepper, x)
    torch.testing.assert_close(carry.z_H, expected.z_H, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(carry.z_L, expected.z_L, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(q, expected_q, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(logits, expected_logits, rtol=1e-4, atol=1e-4)


@pytest.mark.long
@pytest.mark.usefixtures("every_matrix_in_int8")
@pytest.mark.parametrize("make", [OnnxEngine, TorchEngine])
@pytest.mark.parametrize(("precision", "far"), [("fp32", 1e-4), ("fp16", 0.01), ("int8", 0.05)])
def test_padding_changes_nothing_for_the_rest_in_any_precision(make, precision: str, far: float) -> None:
    stepper = _stepper()
    x = torch.randn(1, LENGTH, 64)
    mask = torch.arange(LENGTH)[None] < 9
    engine = make(stepper, precision=precision)
    expected = _expected(stepper, x, mask)
    carry, q, outputs = _step(engine, x, mask)
    assert _far(carry.z_H[:, :9], expected[0].z_H[:, :9]) < far
    assert q.dtype == outputs[0].dtype == torch.float32
    other = x.clone()
    other[:, 9:] = torch.randn(1, LENGTH - 9, 64)
    again, _, _ = _step(engine, other, mask)
    assert _far(again.z_H[:, :9], carry.z_H[:, :9].float()) < max(far, 1e-5)


@pytest.mark.long
def test_an_engine_leaves_the_model_it_was_given_as_it_was() -> None:
    stepper = _stepper()
    before = {name: value.clone() for name, value in stepper.state_dict().items()}
    for engine in (TorchEngine(stepper, precision="int8"), OnnxEngine(stepper, precision="fp16")):
        _step(engine, torch.randn(1, LENGTH, 64))
    assert stepper.core.dtype == torch.float32
    for name, value in stepper.state_dict().items():
        assert torch.equal(value, before[name])


@pytest.mark.long
def test_an_onnx_engine_goes_on_from_its_own_states_and_keeps_few_sessions(monkeypatch) -> None:
    monkeypatch.setattr("hrm.backends.engines.onnx_engine.SESSIONS", 1)
    stepper = _stepper(replace(SMALL, pos_encodings="none"))
    engine = OnnxEngine(stepper, threads=1)
    for length in (3, 4):
        x = torch.randn(1, length, 64)
        carry, _, _ = _step(engine, x)
        onward, _, _ = engine.step(carry, x)
        with torch.inference_mode():
            expected, _, _ = stepper.step(_expected(stepper, x)[0], x, None)
        torch.testing.assert_close(onward.z_H, expected.z_H, rtol=1e-3, atol=1e-3)
    assert len(engine._sessions) == 1
    assert engine.operators_by_provider == {
        "CPUExecutionProvider": sum(engine.operators_by_provider.values())
    }
    engine.close()


@pytest.mark.long
def test_a_session_whose_answer_differs_from_torchs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stepper = _stepper()
    engine = OnnxEngine(stepper)
    with torch.no_grad():
        engine._exported = _stepper()
        engine._exported.core.L_level.layers[0].mlp.down_proj.weight.mul_(3)
    with pytest.raises(PrecisionError, match="away from torch"):
        _step(engine, torch.randn(1, LENGTH, 64))


@pytest.mark.slow
@pytest.mark.usefixtures("every_matrix_in_int8")
@pytest.mark.parametrize("make", [OnnxEngine, TorchEngine])
def test_a_position_mixer_keeps_its_own_matrices(make) -> None:
    stepper = _stepper(replace(SMALL, mixer="mlp", pos_encodings="none"))
    x = torch.randn(1, LENGTH, 64)
    carry, _, _ = _step(make(stepper, precision="int8"), x)
    assert 0 < _far(carry.z_H, _expected(stepper, x)[0].z_H) < 0.1


@pytest.mark.slow
def test_an_operator_that_cannot_be_exported_is_named() -> None:
    class Odd(nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor]:
            return (torch.erf(x),)

    with pytest.raises(KernelCompilationError, match="erf"):
        export(Odd(), [torch.randn(1, 2)])


@pytest.mark.slow
def test_a_step_that_depends_on_its_data_cannot_be_exported() -> None:
    class Dependent(nn.Module):
        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor]:
            return (x if float(x.sum()) > 0 else -x,)

    with pytest.raises(KernelCompilationError, match="traced"):
        export(Dependent(), [torch.randn(1, 2)])


@pytest.mark.long
def test_an_export_has_fixed_shapes_and_no_loop_and_holds_each_weight_once() -> None:
    once = replace(SMALL, H_cycles=1)
    often = replace(SMALL, H_cycles=3)
    examples = [torch.randn(1, LENGTH, 64) for _ in range(3)]
    single, triple = (export(_stepper(config), [*examples, None]) for config in (once, often))
    assert len(triple) < 1.5 * len(single)
    session = onnxruntime.InferenceSession(triple, providers=["CPUExecutionProvider"])
    assert all(isinstance(size, int) for entry in session.get_inputs() for size in entry.shape)
    assert b"TrainingLoop" not in triple
    assert b"\x02If" not in triple


def test_operators_by_provider_are_unknown_on_an_old_onnx_runtime() -> None:
    assert operators_by_provider(SimpleNamespace()) == {}


def test_without_directml_a_card_cannot_be_had_and_the_remedy_is_said() -> None:
    with pytest.raises(NotAvailableError, match="pip install onnxruntime-directml"):
        OnnxEngine(_stepper(), "dml:0")


@pytest.mark.parametrize(("device", "precision"), [("cuda:0", "fp32"), ("dml:x", "fp32"), ("cpu", "bf16")])
def test_what_onnx_runtime_cannot_do_is_refused(device: str, precision: str) -> None:
    with pytest.raises(ConfigurationError):
        OnnxEngine(_stepper(), device, precision)


def test_int8_is_for_cpus_and_a_device_that_is_not_there_is_said_so() -> None:
    with pytest.raises(ConfigurationError, match="int8"):
        TorchEngine(_stepper(), "cuda:0", "int8")
    if not torch.cuda.is_available():
        with pytest.raises(NotAvailableError):
            TorchEngine(_stepper(), "cuda:0")


@pytest.mark.usefixtures("every_matrix_in_int8")
def test_a_device_plan_is_opened_as_it_says() -> None:
    device_plan = DevicePlan("auto", "cpu", "cpu", "int8", "", threads=1)
    stepper = _stepper()
    torchs = open_engine(stepper, device_plan)
    onnx = open_engine(stepper, replace(device_plan, engine="onnx"))
    assert (torchs.name, torchs.precision) == ("torch", "int8")
    assert (onnx.name, onnx.precision, onnx.state_device) == ("onnx", "int8", "cpu")
    assert (
        open_engine(stepper, replace(device_plan, precision="fp32", attention="math")).plan.measures.attention
        == "math"
    )
    torchs.close()
    assert not hasattr(torchs, "_stepper")


def test_plain_attention_is_the_same_attention() -> None:
    stepper = _stepper()
    x = torch.randn(1, LENGTH, 64)
    carry, _, _ = _step(TorchEngine(stepper, attention="math"), x)
    torch.testing.assert_close(carry.z_H, _expected(stepper, x)[0].z_H, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("shape", [(96, 64), (64, 96)], ids=["narrows", "widens"])
@pytest.mark.parametrize("bias", [True, False])
def test_an_int8_matrix_is_nearly_the_matrix(shape: tuple[int, int], bias: bool) -> None:
    plain = nn.Linear(*shape, bias=bias)
    x = torch.randn(3, 5, shape[0])
    x[0, 0, 0] = 60.0  # an outlier such as products of activations have
    ours = Int8Linear(plain.weight.detach(), plain.bias.detach() if bias else None)(x)
    assert _far(ours, plain(x)) < (0.01 if shape[0] > shape[1] else 0.2)


def test_without_vnni_int8_weights_are_kept_small_lest_products_overflow(monkeypatch) -> None:
    monkeypatch.setattr(torch.cpu, "_is_vnni_supported", lambda: False)
    small, scale = quantise_rows(torch.randn(8, 16))
    assert small.abs().max() == 63
    assert scale.shape == (8,)
    assert _far(Int8Linear(torch.eye(64), None)(torch.ones(1, 64)), torch.ones(1, 64)) < 0.02


def test_zeros_and_small_matrices_go_through_int8_unharmed() -> None:
    module = nn.Sequential(nn.Linear(512, 512), nn.Linear(512, 3))
    assert quantise(module) == 1
    assert isinstance(module[1], nn.Linear)
    assert torch.isfinite(module(torch.zeros(2, 512))).all()


@pytest.mark.usefixtures("every_matrix_in_int8")
def test_the_aggressive_level_runs_in_int8_on_a_cpu() -> None:
    engine = TorchEngine(_stepper(), level="aggressive")
    assert engine.precision == "int8"
    assert any(isinstance(module, Int8Linear) for module in engine._stepper.modules())


@pytest.mark.parametrize(("level", "precision"), [("aggressive", "fp32"), ("conservative", "int8")])
def test_a_model_too_small_for_int8_is_not_said_to_be_in_it(level: str, precision: str) -> None:
    engine = TorchEngine(_stepper(), precision=precision, level=level)
    assert engine.precision == "fp32"
    assert not any("int8" in words for words in engine.plan.applied)
    assert [why for why in engine.plan.left_out if "int8: no matrix of this model" in why]
    onnx = OnnxEngine(_stepper(), precision="int8")
    assert onnx.precision == "fp32"
    assert not any("int8" in words for words in onnx.plan.applied)


@pytest.mark.usefixtures("every_matrix_in_int8")
def test_int8_that_was_asked_for_is_among_the_measures() -> None:
    assert "matrices in int8" in TorchEngine(_stepper(), precision="int8").plan.applied
    assert "matrices in int8" in OnnxEngine(_stepper(), precision="int8").plan.applied


def test_an_engine_whose_kernels_do_not_fit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = TorchEngine(_stepper(replace(SMALL, hidden_size=96, mlp_inner=100)))
    monkeypatch.setattr(levels_module, "find_spec", lambda name: object())
    engine.plan = plan("aggressive", "cuda", "sm_90", without=("graph", "compiled"))
    assert "kernels of our own" in engine.plan.applied
    engine._faster(engine._plain)
    assert "kernels of our own" not in engine.plan.applied
    assert [why for why in engine.plan.left_out if "this model's widths" in why]


def test_too_little_memory_raises_its_own_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise RuntimeError("CUDA out of memory. Tried to allocate 4.00 GiB")

    monkeypatch.setattr(TorchEngine, "load", full)
    with pytest.raises(OutOfMemoryError, match="close other programs"):
        TorchEngine(_stepper())
