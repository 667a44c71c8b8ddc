"""An operator that fails on the card runs on the CPU; all others stay on the card."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from own_process import run_python
from torch.utils._python_dispatch import TorchDispatchMode

from hrm.backends.engines.cpu_fallback import (
    CHECKED_OPERATORS,
    CpuFallbackStep,
    FailingOperatorFinder,
    failed_operators,
    operators_of_checks,
    run_on_cpu,
)
from hrm.backends.engines.torch_engine import TorchEngine
from hrm.backends.json_cache import PROBE, JsonCache

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def card() -> dict[str, Any]:
    """What a child saw whose card's matrix products fail."""
    said = run_python(
        str(Path(__file__).with_name("fake_card.py")), env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    answer: dict[str, Any] = json.loads(said.splitlines()[-1])
    return answer


@pytest.mark.long
def test_the_step_gives_the_right_answer_on_the_card(card: dict[str, Any]) -> None:
    assert card["right"] == [True, True, True]
    assert card["bad"] == ["aten::mm"]


@pytest.mark.long
def test_only_the_failing_operator_leaves_the_card(card: dict[str, Any]) -> None:
    assert card["fallbacks"] == [1, 2, 3]
    assert card["on_card"] == {"add.Tensor": 3, "relu": 3}


@pytest.mark.long
def test_an_operator_that_writes_in_place_writes_on_the_card(card: dict[str, Any]) -> None:
    assert card["written"] is True


@pytest.mark.long
def test_a_known_bad_operator_is_never_tried(card: dict[str, Any]) -> None:
    assert card["known"] is True
    assert card["known_fallbacks"] == {"aten::mm": 1}


@pytest.mark.long
def test_closed_the_card_has_its_own_kernels_again(card: dict[str, Any]) -> None:
    assert "invalid device function" in card["after_close"]


@pytest.mark.long
def test_out_of_memory_is_no_operators_fault(card: dict[str, Any]) -> None:
    assert "out of memory" in card["memory"]


class Broken(TorchDispatchMode):
    """Makes operators fail as a driver's fault would, wherever they run."""

    def __init__(self, name: str, words: str = "HIP error: unspecified launch failure") -> None:
        super().__init__()
        self.name = name
        self.words = words

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func._schema.name == self.name:
            raise RuntimeError(self.words)
        return func(*args, **(kwargs or {}))


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 5), st.integers(1, 5), st.sampled_from(["aten::mm", "aten::add", "aten::relu"]))
def test_whichever_operator_fails_the_answer_stays(rows: int, width: int, failing: str) -> None:
    a, b = torch.randn(rows, width), torch.randn(width, width)

    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.relu(torch.mm(x, y) + 1)

    with torch.no_grad():
        expected = step(a, b)
        safe = CpuFallbackStep(step, "cpu")
        with Broken(failing):
            found = safe(a, b)
    assert torch.equal(found, expected)
    assert safe.failing == {failing}
    assert safe.fallbacks[failing] == 1
    safe.close()
    assert safe.failing == frozenset()


def test_a_healthy_step_is_called_once_and_plainly() -> None:
    calls: list[int] = []
    safe = CpuFallbackStep(lambda x: calls.append(x) or x, "cuda:0")
    assert safe(3) == 3
    assert calls == [3]
    assert not safe.fallbacks


def test_a_fault_of_the_step_itself_is_told_as_it_was() -> None:
    safe = CpuFallbackStep(torch.mm, "cpu")
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        safe(torch.ones(2, 3), torch.ones(2, 3))
    assert safe.failing == frozenset()


def test_out_of_memory_is_not_tried_again() -> None:
    with Broken("aten::mm", "CUDA out of memory. Tried to allocate 2 GiB"), pytest.raises(RuntimeError):
        CpuFallbackStep(torch.mm, "cpu")(torch.ones(2, 2), torch.ones(2, 2))
    finder = FailingOperatorFinder("cpu")
    with (
        Broken("aten::mm", "CUDA out of memory"),
        finder,
        pytest.raises(RuntimeError, match="out of memory"),
    ):
        torch.mm(torch.ones(2, 2), torch.ones(2, 2))
    assert finder.failing == frozenset()


def test_what_is_not_on_the_card_is_not_the_cards_fault() -> None:
    finder = FailingOperatorFinder("cuda")
    with Broken("aten::mm"), finder, pytest.raises(RuntimeError, match="launch failure"):
        torch.mm(torch.ones(2, 2), torch.ones(2, 2))
    assert finder.failing == frozenset()


def test_an_operator_found_bad_is_not_tried_again_in_the_same_step() -> None:
    finder = FailingOperatorFinder("cpu")
    tried: list[str] = []

    class Counted(Broken):
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            tried.append(func._schema.name)
            return super().__torch_dispatch__(func, types, args, kwargs)

    with Counted("aten::mm"), finder:
        for _ in range(3):
            torch.mm(torch.ones(2, 2), torch.ones(2, 2))
    assert tried.count("aten::mm") == 1


def test_every_crash_test_stands_for_operators_torch_has() -> None:
    assert set(CHECKED_OPERATORS) == {"conv2d", "matmul", "attention"}
    for operator in operators_of_checks(CHECKED_OPERATORS):
        assert hasattr(torch.ops.aten, operator.removeprefix("aten::")), operator
    assert operators_of_checks(["conv2d"]) < operators_of_checks(["conv2d", "matmul"])
    assert operators_of_checks([]) == operators_of_checks(["something newer"]) == frozenset()


def test_kernels_for_a_card_that_is_not_here_harm_nothing() -> None:
    a, b = torch.randn(3, 3), torch.randn(3, 3)
    safe = CpuFallbackStep(torch.mm, "cuda:0", operators_of_checks(["conv2d", "matmul"]))
    assert torch.equal(safe(a, b), a @ b)
    assert not safe.fallbacks
    stand_in = safe._cpu_kernel(torch.ops.aten.add_.Tensor)
    assert torch.equal(stand_in(a.clone(), b), a + b)
    assert safe.fallbacks == {"aten::add_": 1}
    safe.close()
    safe.close()


def test_what_an_operator_writes_comes_back() -> None:
    a, b = torch.randn(3), torch.randn(3)
    out = torch.empty(3)
    operator = torch.ops.aten.add.out
    with Broken("aten::add"):
        found = run_on_cpu(operator, (a, b), {"out": out}, "cpu")
    assert torch.equal(out, a + b)
    assert found is out


def test_a_fault_that_does_not_come_again_condemns_no_operator() -> None:
    faults = iter([True, False])

    def step(x: torch.Tensor) -> torch.Tensor:
        if next(faults):
            raise RuntimeError("HIP error: the operation timed out")
        return x + 1

    safe = CpuFallbackStep(step, "cpu")
    assert torch.equal(safe(torch.zeros(2)), torch.ones(2))
    assert safe.failing == frozenset()


def test_what_crashed_when_the_card_was_probed_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HRM_CACHE_DIR", str(tmp_path))
    assert failed_operators("cuda:0") == frozenset()
    checks = [
        {"name": "conv2d", "device": "cuda:0", "precision": "", "ok": False},
        {"name": "matmul", "device": "cuda:0", "precision": "fp32", "ok": True},
        {"name": "matmul", "device": "cuda:0", "precision": "bf16", "ok": False},
        {"name": "attention", "device": "cuda:1", "precision": "fp32", "ok": False},
        {"name": "step", "device": "cuda:0", "precision": "fp32", "ok": False},
    ]
    JsonCache.named(PROBE).write({"checks": checks})
    assert failed_operators("cuda:0") == operators_of_checks(["conv2d"])
    assert failed_operators("cuda:1") == operators_of_checks(["attention"])
    (tmp_path / "probe.json").write_text("{")
    assert failed_operators("cuda:0") == frozenset()


@pytest.mark.parametrize(("device", "wrapped"), [("cuda:0", True), ("cpu", False)])
def test_an_engine_on_a_card_wraps_its_plain_step(device: str, wrapped: bool) -> None:
    engine: Any = object.__new__(TorchEngine)
    engine.device, engine.where = device, torch.device(device)
    engine.plan = SimpleNamespace(measures=SimpleNamespace(fused=False, compiled=False, graph=False))
    assert isinstance(engine._faster(torch.mm), CpuFallbackStep) is wrapped
