"""A captured step uses its own card's streams, is checked before it is used and dropped if it differs."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from hrm.act import Stepper
from hrm.backends import TorchEngine
from hrm.backends.engines import graphs
from hrm.backends.engines.graphs import CapturedStep
from hrm.backends.levels import plan
from hrm.config import Config
from hrm.model import HRM

SMALL = Config(hidden_size=64, num_heads=2, mlp_inner=128, L_layers=1, H_layers=1, L_cycles=1, seq_len=12)


class FakeCuda:
    """Stands for CUDA's graphs: what is called while one is captured is called again at each replay.

    Attributes:
        spoils: changes what a replay writes, given its number from 0; None leaves it as it is.
        streams: the devices that streams were made for, "none" where none was named.
        captured_on: the streams that graphs were captured on.
        replays: how often a graph was replayed.
    """

    def __init__(self, spoils: Callable[[int, list[Tensor]], None] | None = None) -> None:
        self.spoils = spoils
        self.streams: list[str] = []
        self.captured_on: list[Any] = []
        self.replays = 0
        self.now: FakeGraph | None = None

    def install(self, patch: pytest.MonkeyPatch) -> None:
        cuda = self

        class Stream:
            def __init__(self, device: object = "none") -> None:
                cuda.streams.append(str(device))

            def wait_stream(self, other: object) -> None:
                pass

        class Context:
            def __init__(self, graph: object = None, pool: object = None, stream: object = None) -> None:
                self.graph = graph if isinstance(graph, FakeGraph) else None
                if self.graph is not None:
                    cuda.captured_on.append(stream)

            def __enter__(self) -> None:
                cuda.now = self.graph

            def __exit__(self, *_: object) -> None:
                cuda.now = None

        class Graph(FakeGraph):
            def __init__(self) -> None:
                super().__init__(cuda)

        patch.setattr(torch.cuda, "CUDAGraph", Graph)
        patch.setattr(torch.cuda, "graph", Context)
        patch.setattr(torch.cuda, "stream", Context)
        patch.setattr(torch.cuda, "Stream", Stream)
        patch.setattr(torch.cuda, "current_stream", Stream)
        fill = graphs._fill

        def recorded(buffers: Any, values: Any) -> None:
            buffers, values = list(buffers), list(values)
            if self.now is not None:
                self.now.work.append(lambda: fill(buffers, values))
            fill(buffers, values)

        patch.setattr(graphs, "_fill", recorded)

    def watch(self, step: Callable[..., tuple[Tensor, ...]]) -> Callable[..., tuple[Tensor, ...]]:
        """Wraps a step, so that a graph that captures it writes its results into the same tensors again."""

        def watched(*inputs: Tensor | None) -> tuple[Tensor, ...]:
            outputs = step(*inputs)
            if self.now is not None:

                def again() -> None:
                    made = [new.clone() for new in step(*inputs)]
                    if self.spoils is not None:
                        self.spoils(self.replays - 1, made)
                    for old, new in zip(outputs, made, strict=True):
                        old.copy_(new)

                self.now.work.append(again)
            return outputs

        return watched


class FakeGraph:
    def __init__(self, cuda: FakeCuda) -> None:
        self.cuda = cuda
        self.work: list[Callable[[], None]] = []

    def pool(self) -> str:
        return "pool"

    def replay(self) -> None:
        self.cuda.replays += 1
        for part in self.work:
            part()


def test_a_step_with_a_buffer_of_its_own_continues_from_the_state_it_returned(monkeypatch) -> None:
    cuda = FakeCuda()
    cuda.install(monkeypatch)
    buffer = torch.zeros(2)

    def step(state: Tensor, x: Tensor) -> tuple[Tensor, ...]:
        return (buffer.copy_(state + x),)

    captured = CapturedStep(cuda.watch(step), feed_back=1)
    state, x = torch.zeros(2), torch.ones(2)
    for count in (1, 2, 3, 4):
        (state,) = captured(state, x)
        assert torch.equal(state, torch.full((2,), float(count)))
    assert captured.trouble == ""
    assert state.data_ptr() == buffer.data_ptr()  # nothing is copied between the calls


def test_a_captured_step_feeds_its_states_back_and_copies_only_what_is_new(monkeypatch) -> None:
    cuda = FakeCuda()
    cuda.install(monkeypatch)
    calls = []

    def step(state: Tensor, x: Tensor, mask: Tensor | None) -> tuple[Tensor, ...]:
        calls.append(state.data_ptr())
        return state * 2 + x, (state * 2 + x).sum()

    captured = CapturedStep(cuda.watch(step), feed_back=1)
    state, x = torch.ones(2), torch.ones(2)
    first, _ = captured(state, x, None)
    assert torch.equal(first, torch.full((2,), 3.0))
    assert calls == [state.data_ptr()]
    own, total = captured(state, x, None)
    assert own.data_ptr() != state.data_ptr()
    assert torch.equal(state, torch.ones(2))
    assert (own.tolist(), float(total)) == ([3.0, 3.0], 6.0)
    again, total = captured(own, x, None)
    assert again.data_ptr() == own.data_ptr()
    assert (again.tolist(), float(total)) == ([7.0, 7.0], 14.0)
    other, _ = captured(torch.ones(3), torch.ones(3), None)
    assert other.shape == (3,)
    captured.clear()
    assert not captured._graphs


def test_a_graph_is_captured_on_a_stream_of_the_inputs_card(monkeypatch) -> None:
    cuda = FakeCuda()
    cuda.install(monkeypatch)
    captured = CapturedStep(cuda.watch(lambda x: (x + 1,)))
    for _ in range(2):
        captured(torch.zeros(2))
    assert set(cuda.streams) == {"cpu"}  # the device of the inputs, named each time
    assert len(cuda.captured_on) == 1
    assert cuda.captured_on[0] is not None


def nothing(number: int, made: list[Tensor]) -> None:
    for output in made:
        output.fill_(float("nan"))


def slightly_off(number: int, made: list[Tensor]) -> None:
    made[0].mul_(1.2)


def off_in_the_second_call(number: int, made: list[Tensor]) -> None:
    if number == 1:
        made[1].add_(1)


@pytest.mark.parametrize("spoils", [nothing, slightly_off, off_in_the_second_call])
def test_a_graph_that_differs_from_the_step_is_dropped_with_a_message(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, spoils: Any
) -> None:
    cuda = FakeCuda(spoils)
    cuda.install(monkeypatch)

    def step(state: Tensor, x: Tensor) -> tuple[Tensor, ...]:
        return state + x, (state + x).sum()

    captured = CapturedStep(cuda.watch(step), feed_back=1)
    state, x = torch.zeros(2), torch.ones(2)
    for count in (1.0, 2.0, 3.0):
        state, total = captured(state, x)
        assert (state.tolist(), float(total)) == ([count, count], 2 * count)
    assert "away from the step's" in captured.trouble
    assert "graph" in caplog.text
    assert cuda.replays <= 2


def test_an_empty_graph_is_noticed_though_an_earlier_answer_lies_in_its_place(monkeypatch) -> None:
    cuda = FakeCuda()
    cuda.install(monkeypatch)
    monkeypatch.setattr(FakeGraph, "replay", lambda self: None)
    captured = CapturedStep(lambda x: (x + 1,))
    for _ in range(3):
        assert captured(torch.zeros(2))[0].tolist() == [1.0, 1.0]
    assert captured.trouble


def test_an_engine_says_that_its_graph_was_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    model = HRM(SMALL)
    engine = TorchEngine(Stepper(model, model.read).eval())
    cuda = FakeCuda(slightly_off)
    cuda.install(monkeypatch)
    engine.plan = plan("balanced", "cuda", "sm_90")
    engine._run = CapturedStep(cuda.watch(engine._run), feed_back=2)
    x = torch.randn(1, SMALL.positions, 64)
    assert "the step captured in a graph" in engine.plan.applied
    for _ in range(3):
        carry, q, _ = engine.step(engine.start(1, SMALL.positions), x)
    expected, right, _ = Stepper(model, model.read).eval().step(model.start(1, SMALL.positions), x, None)
    torch.testing.assert_close(carry.z_H, expected.z_H, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(q, right, rtol=1e-4, atol=1e-4)
    assert "the step captured in a graph" not in engine.plan.applied
    assert [reason for reason in engine.plan.left_out if "graph" in reason]
