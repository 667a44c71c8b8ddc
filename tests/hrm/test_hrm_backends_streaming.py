"""A streamed model gives the plain model's outputs in a fraction of its memory."""

import contextlib
import copy
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from hrm.act import Stepper
from hrm.backends.errors import ConfigurationError, OutOfMemoryError
from hrm.backends.memory.estimate import MemoryMeter, estimate
from hrm.backends.memory.slots import LayerOrder, ModuleWeights, Slot
from hrm.backends.memory.streaming import Streamed, layers_of, map_weights, plan
from hrm.checkpoint import save_model
from hrm.config import Config
from hrm.model import Core
from hrm.tensor_file import CheckpointError

CONFIG = Config(hidden_size=64, num_heads=2, H_layers=3, L_layers=3, seq_len=12)


@pytest.fixture
def core() -> Core:
    torch.manual_seed(3)
    return Core(CONFIG).eval()


@pytest.fixture
def x() -> Tensor:
    return torch.randn(2, 12, 64, generator=torch.Generator().manual_seed(4))


@torch.no_grad()
def think(core: Core, x: Tensor, steps: int = 3) -> list[Tensor]:
    carry = core.start(*x.shape[:2])
    found = []
    for _ in range(steps):
        carry, q = core(carry, x)
        found += [*carry, q]
    return found


def sizes(core: Core) -> tuple[int, int]:
    """Bytes of all weights and of one layer."""
    layer = sum(p.numel() * 4 for p in core.L_level.layers[0].parameters())
    return sum(t.numel() * 4 for t in core.state_dict().values()), layer


@pytest.mark.long
@pytest.mark.parametrize("layers_that_stay", [0, 1, 3])
def test_outputs_are_equal_and_the_peak_keeps_to_the_cap(
    core: Core, x: Tensor, layers_that_stay: int
) -> None:
    plain = think(copy.deepcopy(core), x)
    _, layer = sizes(core)
    need = estimate(core, core.start(2, 12), x)
    work = need.activations + need.inputs
    cap = need.weights - 6 * layer + work + (2 + layers_that_stay) * layer + 20_000
    known = [*core.parameters(), *core.buffers(), x]
    meter = MemoryMeter(known)
    with meter:
        streamed = Streamed(core, "cpu", cap, work=work)
        found = think(core, x)
    assert all(torch.equal(a, b) for a, b in zip(plain, found, strict=True))
    assert streamed.plan.resident == layers_that_stay
    assert streamed.plan.peak <= cap
    outputs = sum(t.untyped_storage().nbytes() for t in found)
    assert meter.peak - outputs <= streamed.plan.peak
    sent = streamed.moved // layer
    assert sent > 3 * (6 - layers_that_stay)
    streamed.close()


def test_a_model_that_fits_is_not_streamed(core: Core, x: Tensor) -> None:
    plain = think(copy.deepcopy(core), x)
    streamed = Streamed(core, "cpu", 1 << 30)
    found = think(core, x)
    assert all(torch.equal(a, b) for a, b in zip(plain, found, strict=True))
    assert streamed.moved == 0
    assert streamed.plan.resident == 6


def test_after_the_first_thought_every_layer_is_sent_ahead(core: Core, x: Tensor) -> None:
    total, layer = sizes(core)
    streamed = Streamed(core, "cpu", total - 4 * layer + 20_000)
    think(core, x, steps=1)
    guessed_wrong = streamed.misses
    think(core, x, steps=4)
    assert streamed.misses == guessed_wrong


def streamed_from_file(folder: Path, core: Core) -> tuple[Core, Streamed]:
    """Returns a core without weights of its own, and what streams those of `core` to it from a file."""
    path = folder / "core.safetensors"
    save_model(path, core, CONFIG)
    with torch.device("meta"):
        empty = Core(CONFIG).eval()
    empty.build_tables()
    total, layer = sizes(core)
    return empty, Streamed(empty, "cpu", total - 3 * layer, host=map_weights(path))


def test_the_weights_come_from_a_mapped_file(tmp_path: Path, core: Core, x: Tensor) -> None:
    plain = think(core, x)
    empty, streamed = streamed_from_file(tmp_path, core)
    found = think(empty, x)
    assert all(torch.equal(a, b) for a, b in zip(plain, found, strict=True))
    streamed.close()
    assert torch.equal(
        empty.state_dict()["L_level.layers.0.mlp.down_proj.weight"],
        core.state_dict()["L_level.layers.0.mlp.down_proj.weight"],
    )


class Late:
    """A stream on which nothing is done until somebody waits for it: copies come as late as they may."""

    def __init__(self, *_: object) -> None:
        self.orders: list[Callable[[], object]] = []

    def order(self, work: Callable[[], object]) -> None:
        self.orders.append(work)

    def record_event(self) -> "Event":
        return Event(self, len(self.orders))

    def wait_event(self, event: "Event") -> None:
        event.synchronize()

    def wait_stream(self, other: "Late") -> None:
        other.synchronize()

    def synchronize(self) -> None:
        Event(self, len(self.orders)).synchronize()


class Event:
    """A mark on a stream: what was ordered before it is done once it is waited for."""

    def __init__(self, stream: Late, count: int) -> None:
        self.stream, self.count = stream, count

    def synchronize(self) -> None:
        for index, work in enumerate(self.stream.orders[: self.count]):
            self.stream.orders[index] = lambda: None
            work()


@pytest.fixture
def late_card(monkeypatch: pytest.MonkeyPatch) -> Late:
    """The CPU as a card with a copying stream, whose copies from staging memory are made late."""
    copying, computing = Late(), Late()
    copy_, empty = Tensor.copy_, torch.empty
    stages: list[int] = []

    def make(*size: object, pin_memory: bool = False, **options: object) -> Tensor:
        made = empty(*size, **options)
        stages.extend([made.data_ptr()] if pin_memory else [])
        return made

    def send(target: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
        if source.data_ptr() not in stages or not non_blocking:
            return copy_(target, source)
        copying.order(lambda: copy_(target, source))
        return target

    monkeypatch.setattr(torch, "empty", make)
    monkeypatch.setattr(Tensor, "copy_", send)
    monkeypatch.setattr(torch.cuda, "Stream", lambda *_: copying)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda *_: computing)
    monkeypatch.setattr(torch.cuda, "stream", lambda *_: contextlib.nullcontext())
    monkeypatch.setattr(Streamed, "_on_card", staticmethod(lambda device: True))
    return copying


@pytest.mark.usefixtures("late_card")
def test_a_mapped_model_waits_for_copies_however_late(tmp_path: Path, core: Core, x: Tensor) -> None:
    plain = think(core, x)
    empty, streamed = streamed_from_file(tmp_path, core)
    assert all(torch.equal(a, b) for a, b in zip(plain, think(empty, x), strict=True))
    streamed.close()


def test_staging_memory_is_not_refilled_before_it_was_copied(late_card: Late) -> None:
    layers = [ModuleWeights(nn.Linear(4, 4, bias=False), "", None) for _ in range(2)]
    slot = Slot(layers, 256, torch.device("cpu"), stage=True)
    slot.fill(0, layers[0].host)
    slot.arrived = late_card.record_event()
    seen: list[Tensor] = []
    late_card.order(lambda: seen.append(slot.weights[0][0].clone()))
    slot.fill(1, layers[1].host)
    late_card.synchronize()
    assert torch.equal(seen[0], layers[0].host[0])
    assert torch.equal(slot.weights[1][0], layers[1].host[0])


@pytest.mark.slow
def test_closing_gives_the_model_back_as_it_was(core: Core, x: Tensor) -> None:
    before = {name: id(value) for name, value in core.named_parameters()}
    total, layer = sizes(core)
    streamed = Streamed(core, "cpu", total - 3 * layer)
    think(core, x)
    streamed.close()
    assert {name: id(value) for name, value in core.named_parameters()} == before
    assert all(parameter.requires_grad for parameter in core.parameters())
    moved = streamed.moved
    think(core, x)
    assert streamed.moved == moved


def test_a_whole_step_is_streamed_through_its_core(core: Core, x: Tensor) -> None:
    stepper = Stepper(core, nn.Linear(64, 5)).eval()
    plain = copy.deepcopy(stepper)
    total, layer = sizes(core)
    streamed = Streamed(stepper, "cpu", total - 3 * layer + 4096)
    with torch.inference_mode():
        for _ in range(2):
            assert all(
                torch.equal(a, b)
                for a, b in zip(plain(*core.start(2, 12), x), streamed(*core.start(2, 12), x), strict=True)
            )
    streamed.close()


def test_a_cap_below_two_layers_is_refused_with_what_is_needed(core: Core) -> None:
    with pytest.raises(OutOfMemoryError, match="streaming needs"):
        Streamed(core, "cpu", 1000)


def test_a_model_without_layers_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="no list of layers"):
        Streamed(nn.Linear(2, 2), "cpu", 1000)


@pytest.mark.parametrize("wrong", ["missing", "shape"])
def test_a_checkpoint_that_does_not_fit_is_refused_by_name(core: Core, wrong: str) -> None:
    host = dict(core.state_dict())
    name = "H_level.layers.1.mlp.down_proj.weight"
    if wrong == "missing":
        del host[name]
    else:
        host[name] = host[name][:3]
    with torch.device("meta"):
        empty = Core(CONFIG)
    empty.build_tables()
    with pytest.raises(ConfigurationError, match=r"H_level\.layers\.1\.mlp\.down_proj\.weight"):
        Streamed(empty, "cpu", 1 << 30, host=host)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "core.safetensors"
    path.write_bytes(b"\x08\0\0\0\0\0\0\0{broken!")
    with pytest.raises(CheckpointError, match=r"core\.safetensors"):
        map_weights(path)


def test_layers_are_the_members_of_the_outermost_lists() -> None:
    inner = nn.ModuleList([nn.ModuleList([nn.Linear(1, 1)]), nn.Linear(2, 2)])
    assert layers_of(nn.ModuleDict({"a": inner})) == tuple(inner)


@given(
    st.integers(0, 1000),
    st.lists(st.integers(1, 500), min_size=1, max_size=12),
    st.integers(0, 500),
    st.integers(0, 5000),
)
def test_a_plan_keeps_to_the_cap(fixed: int, layers: list[int], work: int, cap: int) -> None:
    try:
        found = plan(fixed, layers, work, cap)
    except OutOfMemoryError:
        assert fixed + work + 2 * max(layers) > cap
        return
    assert found.peak <= cap
    assert 0 <= found.resident <= len(layers)
    if found.resident == len(layers):
        assert found.peak <= cap


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20))
@settings(max_examples=50)
def test_the_order_of_the_last_call_predicts_the_next_layer(order: list[int]) -> None:
    route = LayerOrder(6)
    route.begin()
    for index in order:
        route.enter(index)
    route.begin()
    for place, index in enumerate(order):
        route.enter(index)
        assert route.following(index) == order[(place + 1) % len(order)]


def test_an_order_that_changes_falls_back_to_the_next_layer() -> None:
    route = LayerOrder(3)
    route.begin()
    route.enter(0)
    assert route.following(0) == 1
    route.begin()
    route.enter(2)
    assert route.following(2) == 0


def test_a_model_with_no_weights_on_the_host_is_refused() -> None:
    with torch.device("meta"):
        empty = Core(CONFIG)
    with pytest.raises(ConfigurationError, match="is missing"):
        Streamed(empty, "cpu", 1 << 30)
