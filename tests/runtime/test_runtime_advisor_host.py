"""Who advises by the settings; faults where the model runs are answered by going on elsewhere, and told."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import psutil
import pytest
import torch

from botapp.advisor.advisor import create_advisor
from botapp.advisor.decision import Withheld
from botapp.advisor.deliberating import Thinking
from botapp.arena.scenarios import duel
from botapp.host.settings import EngineSettings
from botapp.runtime import model_host
from botapp.runtime.advisor_host import AdvisorHost
from botapp.runtime.messages import PlanAnnounced
from botapp.runtime.stages import NoAdvisor
from botapp.runtime.start import RESTART_CODE, OtherAdviser
from hrm.backends.engines.torch_engine import TorchEngine
from hrm.backends.errors import NotAvailableError
from hrm.backends.fallback import Ladder
from hrm.backends.levels import plan_of
from hrm.backends.memory.estimate import estimate
from hrm.backends.placement import DevicePlan
from hrm.tensor_file import CheckpointError

CARD = DevicePlan("auto auto auto", "cuda", "cuda:0", "fp32", "cuda is the fastest that works here")
CPU = DevicePlan("", "cpu", "cpu", "fp32", "")
STATE = duel(3)


class Stand:
    """An advisor that fails where it is told to; elsewhere it is a real one on the CPU."""

    measures = ()

    @property
    def precision(self) -> str:
        return self.placement.precision

    @property
    def left_out(self) -> tuple[str, ...]:
        return plan_of(self.placement).left_out

    def __init__(
        self, placement: DevicePlan, fails: Callable[[DevicePlan], BaseException | None], calls: int
    ) -> None:
        self.placement, self._fails, self._calls = placement, fails, calls
        self.thinking = Thinking()
        self.closed = False

    def decide(self, state, planned=()):
        self._calls -= 1
        error = self._fails(self.placement)
        if error is not None and self._calls < 0:
            raise error
        return ("decided", self.placement.device, self.placement.precision)

    def plan(self, state, decision):
        return ("planned", *self.decide(state)[1:])

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def place(monkeypatch):
    """Puts stands in place of advisors: they fail by their placement, at the load or some decisions later."""
    told: list[PlanAnnounced] = []

    def begin(fails: Callable[[DevicePlan], BaseException | None], calls: int = 0) -> AdvisorHost:
        def create(placement: DevicePlan, **_: object) -> Stand:
            return Stand(placement, fails, calls)

        monkeypatch.setattr(model_host, "create_advisor", create)
        made = AdvisorHost(told.append)
        made.load(EngineSettings(adviser="model", latency_budget_ms=20), Ladder.of(CARD, []))
        return made

    begin.told = told
    return begin


@pytest.mark.slow
def test_what_runs_out_of_memory_at_the_load_goes_on_in_a_lower_precision(place) -> None:
    found = place(lambda at: torch.OutOfMemoryError("CUDA out of memory") if at.precision == "fp32" else None)
    assert found.device is not None and found.device.backend == "cuda" and found.device.precision != "fp32"
    assert "ran out of memory" in found.device.reason
    assert [placed.ladder.current.precision for placed in place.told] == ["fp32", found.device.precision]


@pytest.mark.slow
def test_numbers_that_are_none_are_noticed_and_thought_again_elsewhere(monkeypatch) -> None:
    advisor = create_advisor(placement=DevicePlan("", "cpu", "cpu", "fp32", ""))
    step = advisor.network.step

    def broken(carry, x, mask):
        carry, q, outputs = step(carry, x, mask)
        return carry, q * float("nan"), outputs

    monkeypatch.setattr(advisor.network, "step", broken)
    sound = create_advisor(placement=DevicePlan("", "cpu", "cpu", "fp32", "", level="balanced"))
    waiting = [advisor, sound]
    monkeypatch.setattr(model_host, "create_advisor", lambda **_: waiting.pop(0))
    found = AdvisorHost(lambda _: None)
    found.load(EngineSettings(adviser="model"), Ladder.of(replace(CARD, precision="bf16"), []))
    assert found.decide(STATE).choices
    assert found.device is not None and "gave wrong numbers" in found.device.reason


@pytest.mark.slow
@pytest.mark.parametrize(("share", "streamed"), [(0.85, True), (1.0, False)])
def test_a_model_that_is_streamed_says_so_in_the_settings_and_the_log(
    monkeypatch, caplog, share, streamed
) -> None:
    own = create_advisor(placement=CPU).network.engine._stepper
    carry = own.core.start(1, own.core.config.positions)
    needed = estimate(own, *carry, torch.empty_like(carry.z_H), None).total
    monkeypatch.setattr(TorchEngine, "_room", lambda self: int(needed * share))
    found = AdvisorHost(lambda _: None)
    with caplog.at_level("INFO"):
        found.load(EngineSettings(adviser="model"), Ladder.of(CPU, []))
    assert found.device is not None and found.device.device == "cpu"
    assert any("copied to the card" in str(measure) for measure in found.device.measures) == streamed
    assert ("copied to the card as they are needed" in caplog.text) == streamed
    assert found.decide(STATE).choices


@pytest.mark.slow
def test_a_library_that_is_missing_sends_the_model_past_all_that_need_it(place) -> None:
    found = place(lambda at: NotAvailableError("libamdhip64.so is missing") if at.backend == "cuda" else None)
    assert found.device is not None and found.device.backend == "cpu"
    assert len(place.told) == 2


@pytest.mark.slow
def test_a_fault_in_a_decision_is_answered_within_it(place) -> None:
    found = place(
        lambda at: torch.OutOfMemoryError("CUDA out of memory") if at.precision == "fp32" else None, calls=1
    )
    assert found.device is not None and found.device.precision == "fp32"
    assert found.decide(STATE) == ("decided", "cuda:0", found.device.precision)


@pytest.mark.slow
def test_the_rest_of_the_turn_is_asked_of_whatever_runs(place) -> None:
    found = place(
        lambda at: torch.OutOfMemoryError("CUDA out of memory") if at.precision == "fp32" else None, calls=1
    )
    assert found.plan(STATE, found.decide(STATE)) == ("planned", "cuda:0", found.device.precision)


@pytest.mark.slow
def test_the_model_thinks_on_until_nothing_is_left_and_a_fault_in_it_is_answered_below(monkeypatch) -> None:
    advisor = create_advisor(placement=CPU)
    monkeypatch.setattr(model_host, "create_advisor", lambda **_: advisor)
    found = AdvisorHost(lambda _: None)
    found.load(EngineSettings(adviser="model"), Ladder.of(CPU, []))
    first = shown = found.decide(STATE)
    deadline = time.perf_counter() + 60
    while (shown is first or shown.stop != "exhausted") and time.perf_counter() < deadline:
        shown = found.think_on(STATE, shown, time.perf_counter() + 0.05) or shown
    assert (
        shown.adviser == "model" and shown.effort.depth > 1 and shown.effort.rollouts > first.effort.rollouts
    )
    assert found.think_on(STATE, shown, time.perf_counter() + 0.05) is None

    def fails(*_: object) -> None:
        raise torch.OutOfMemoryError("out of memory")

    monkeypatch.setattr(advisor.network, "step", fails)
    with pytest.raises(NoAdvisor):
        found.think_on(STATE, first, time.perf_counter() + 0.05)
    assert found.decide(STATE).adviser == "search"


def test_a_first_state_without_advice_does_not_keep_the_model_from_running(place) -> None:
    found = place(lambda _: Withheld("The model knows too few of your spells to advise you."))
    assert found.device is not None and found.trouble == ""
    with pytest.raises(Withheld):
        found.decide(STATE)


def test_a_lost_card_asks_for_a_new_process_that_goes_on_below(place) -> None:
    found = place(lambda _: RuntimeError("CUDA error: an illegal memory access was encountered"), calls=1)
    with pytest.raises(SystemExit) as ended:
        found.decide(STATE)
    assert ended.value.code == RESTART_CODE
    assert len(place.told[-1].ladder.history) == 1


def test_when_nothing_is_left_it_says_so_and_stays_alive(place) -> None:
    found = place(lambda _: torch.OutOfMemoryError("out of memory"))
    assert found.device is not None and not found.device.model and "out of memory" in found.device.reason
    assert found.decide(STATE).adviser == "search"


def test_a_model_that_fails_everywhere_in_a_decision_leaves_it_to_the_search(place) -> None:
    found = place(lambda _: torch.OutOfMemoryError("out of memory"), calls=1)
    assert found.device.model
    assert found.decide(STATE).adviser == "search"
    assert not found.device.model and "out of memory" in found.device.reason


def test_the_search_advises_until_the_model_is_loaded_and_then_it_takes_over(monkeypatch) -> None:
    go_on, handed = Event(), []

    def create(placement, **_):
        assert go_on.wait(60)
        return Stand(placement, lambda _: None, 0)

    monkeypatch.setattr(model_host, "create_advisor", create)
    found = AdvisorHost(lambda _: None, handed_over=lambda: handed.append(found))
    found.load(EngineSettings(adviser="model", backend="cpu"), aside=True)
    assert not found.device.model and "being loaded" in found.device.reason
    assert found.decide(STATE).adviser == "search" and not handed
    go_on.set()
    until = time.monotonic() + 60
    while not found.device.model and time.monotonic() < until:
        time.sleep(0.01)
    assert found.device.model and handed == [found]
    assert found.decide(STATE)[0] == "decided"


def test_a_model_that_is_no_longer_wished_for_is_closed_when_it_is_loaded(monkeypatch) -> None:
    go_on, made = Event(), []

    def create(placement, **_):
        assert go_on.wait(60)
        made.append(Stand(placement, lambda _: None, 0))
        return made[0]

    monkeypatch.setattr(model_host, "create_advisor", create)
    found = AdvisorHost(lambda _: None)
    found.load(EngineSettings(adviser="model", backend="cpu"), aside=True)
    found.decide(STATE)
    found.load(EngineSettings(adviser="search"))
    go_on.set()
    until = time.monotonic() + 60
    while not (made and made[0].closed) and time.monotonic() < until:
        time.sleep(0.01)
    assert made[0].closed and found.decide(STATE).adviser == "search"


def test_too_little_memory_leaves_it_to_the_search_and_says_how_much_is_needed(monkeypatch) -> None:
    free = SimpleNamespace(available=100 << 20)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: free)
    found = AdvisorHost(lambda _: None)
    found.load(EngineSettings(adviser="model", backend="cpu"))
    assert "100 MB" in found.device.reason and "Close other programs" in found.device.reason
    assert found.decide(STATE).adviser == "search"


def test_weights_that_are_bad_are_bad_everywhere(place) -> None:
    found = place(lambda _: CheckpointError("the weights are damaged"))
    assert len(place.told) == 1
    assert found.decide(STATE).adviser == "search" and "damaged" in found.device.reason


def test_how_much_is_done_for_speed_is_as_wished_and_what_is_not_is_said(monkeypatch) -> None:
    asked = []

    def choose(*wish: str, level: str) -> DevicePlan:
        asked.append((*wish, level))
        return replace(CARD, level=level, architecture="gfx1101", backend="rocm")

    monkeypatch.setattr(model_host, "place", choose)
    monkeypatch.setattr(
        model_host, "create_advisor", lambda placement, **_: Stand(placement, lambda _: None, 0)
    )
    found = AdvisorHost(lambda _: None)
    found.load(EngineSettings(adviser="model", level="balanced"))
    assert asked == [("auto", "auto", "auto", "balanced")]
    assert found.device is not None
    assert found.device.level == "balanced"
    assert any("graph capture" in reason for reason in found.device.left_out)
    assert not found.device.probed


@pytest.mark.slow
def test_a_processor_need_not_be_tried() -> None:
    found = AdvisorHost(lambda _: None)
    found.load(EngineSettings(adviser="model", backend="cpu"))
    assert found.device is not None and found.device.probed


def test_bare_advises_without_a_model_within_the_budget_of_the_settings() -> None:
    found = AdvisorHost(lambda _: None, OtherAdviser(False, {"nodes": 30}))
    found.load(EngineSettings(latency_budget_ms=40))
    decision = found.decide(duel(3))
    assert decision.stop == "searched"
    assert found.trouble == ""


def test_a_players_options_go_before_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, object]] = []
    made: list[Stand] = []

    def create(**how: object) -> Stand:
        asked.append(how)
        made.append(Stand(how["placement"], lambda _: None, 0))
        return made[-1]

    monkeypatch.setattr(model_host, "create_advisor", create)
    options = {"device": "cpu", "steps": 7, "decision_ms": 33, "weights": "mine.safetensors"}
    found = AdvisorHost(lambda _: None, OtherAdviser(True, options))
    found.load(EngineSettings(adviser="model", step_limit=2))
    assert asked[0]["weights"] == Path("mine.safetensors")
    assert [(one.budget_ms, one.thinking.max_steps) for one in made] == [(33, 7)]


@pytest.mark.slow
def test_the_search_advises_unless_the_settings_name_the_model_and_says_where_it_runs() -> None:
    found = AdvisorHost(lambda _: None)
    found.load(EngineSettings(adviser="search"))
    decision = found.decide(STATE)
    assert (decision.adviser, decision.trace) == ("search", ())
    assert found.device is not None and not found.device.model
    assert "No model" in found.device.reason
    found.load(EngineSettings(adviser="model", backend="cpu"))
    decision = found.decide(STATE)
    assert (decision.adviser, bool(decision.trace)) == ("model", True)
    assert found.device is not None and found.device.model
    found.load(EngineSettings(adviser="search"))
    assert found.decide(STATE).adviser == "search"


def test_torch_that_does_not_load_is_said_and_leaves_the_search_to_advise(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "botapp.runtime.model_host", None)
    found = AdvisorHost(lambda _: None)
    found.load(EngineSettings(adviser="model"))
    assert not found.device.model and "PyTorch cannot be loaded" in found.device.reason
    assert found.decide(STATE).adviser == "search"


@pytest.mark.long
def test_the_search_advises_without_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from botapp.host.settings import Settings\n"
        "from botapp.runtime import worker\n"
        "from botapp.runtime.pipeline import Pipeline\n"
        "from botapp.runtime.preview import create_preview\n"
        "from botapp.runtime.start import Start\n"
        "from botapp.arena.scenarios import duel\n"
        "preview = create_preview()\n"
        "stages = Pipeline(Start(Settings(), preview.name, 1)).loop.stages\n"
        "print(stages.advising.decide(duel(3)).adviser, stages.memory().process_rss > 0)\n"
        "preview.close(); preview.unlink()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, ["search", "True"]), done.stderr
