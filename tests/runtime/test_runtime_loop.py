"""The loop: what a snapshot says in each case, when the model is asked again, and life after a fault."""

import logging
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from botapp.advisor.decision import Decision, Effort, Planned, ScoredAction, TraceStep, Withheld
from botapp.fight.actions import Action, EndTurn, Move
from botapp.fight.state import Fighter, FightMap, FightState
from botapp.runtime.loop import Loop
from botapp.runtime.messages import DeviceStatus, MemoryStatus, Snapshot
from botapp.runtime.stages import Advising, NoAdvisor, Stages
from botapp.runtime.turns import Threat, TurnLine
from botapp.runtime.watch import Sight
from botapp.tracking.memory import Memory
from botapp.tracking.situation import NOT_MY_TURN, Situation
from vision.frame import Frame, Rect
from vision.view import FightView, Phase, Seen

PIXELS = np.zeros((720, 1280, 4), np.uint8)
CHOICE = ScoredAction(EndTurn(), 0.7, "End the turn")
DECISION = Decision(
    choices=(CHOICE,),
    reflex=CHOICE,
    value=0.1,
    trace=(TraceStep(0, 0.9, CHOICE, 0.1),),
    stop="halted",
    effort=Effort((("search", 3.0), ("encode", 1.0), ("think", 2.0), ("decode", 0.5))),
)
PLAN = (Planned(CHOICE, FightState(FightMap("seen", bytes(560)), (), ())),)
FIGHT = FightView(phase=Seen(Phase.FIGHT, 1.0))


def state(ap: int = 6) -> FightState:
    me = Fighter(0, "Me", "me", 0, 100, 40, 300, 300, ap, 3, 6, 3, ())
    return FightState(FightMap("seen", bytes(560)), (me,), (0,))


class World:
    """A fake of every hop; a test sets what each gives, an exception to have it fail."""

    def __init__(self) -> None:
        self.sight: Sight | Exception = self.frame_sight()
        self.view: FightView | Exception = FIGHT
        self.situation: Situation | Exception = Situation(state(), my_turn=True)
        self.decision: Decision | Exception = DECISION
        self.memory: MemoryStatus | Exception = MemoryStatus(123)
        self.asked: list[FightState] = []
        self.rests: list[tuple[Action, ...]] = []
        self.planned: list[FightState] = []
        self.plan_fault: Exception | None = None
        self.noted: list[FightView] = []
        self.kept: list[int] = []
        self.loop = Loop(
            Stages(
                look=lambda: self.give(self.sight),
                read=lambda _: self.give(self.view),
                situate=self.situate,
                advising=Advising(
                    self.decide,
                    plan=self.plan,
                    device=lambda: DeviceStatus("auto auto auto", "cpu", "cpu", "fp32", "because"),
                ),
                show=lambda frame: frame.seq + 1000,
                note=self.noted.append,
                keep=self.keep,
                memory=lambda: self.give(self.memory),
            )
        )

    @staticmethod
    def frame_sight(capture: str = "watching", reason: str = "") -> Sight:
        return Sight(capture, reason, None, Frame(PIXELS, Rect(0, 0, 1280, 720), 5, 0))  # type: ignore[arg-type]

    @staticmethod
    def give(thing: object) -> object:
        if isinstance(thing, Exception):
            raise thing
        return thing

    def situate(self, _: FightView) -> Situation:
        return self.give(self.situation)

    def keep(self, frame: Frame) -> str:
        self.kept.append(frame.seq)
        return f"1-{frame.seq}.png"

    def decide(self, asked: FightState, planned: Sequence[Action]) -> Decision:
        self.asked.append(asked)
        self.rests.append(tuple(planned))
        return self.give(self.decision)

    def plan(self, asked: FightState, decision: Decision) -> Decision:
        self.planned.append(asked)
        self.give(self.plan_fault)
        return replace(decision, plan=PLAN)


@pytest.fixture
def world() -> World:
    return World()


def test_a_frame_of_my_turn_gives_advice_with_every_stage_timed(world: World) -> None:
    snapshot = world.loop.step()
    assert (snapshot.capture, snapshot.advice, snapshot.reason) == ("watching", "fresh", "")
    assert snapshot.decision == DECISION
    assert snapshot.state == state()
    assert [name for name, _ in snapshot.stages_ms] == [
        "capture",
        "vision",
        "situation",
        "search",
        "encode",
        "think",
        "decode",
    ]
    assert all(cost >= 0 and math.isfinite(cost) for _, cost in snapshot.stages_ms)
    assert (snapshot.captured_ns, snapshot.preview_seq) == (5, 1000)
    assert (snapshot.frames, snapshot.decisions, snapshot.decided_seq) == (1, 1, 0)
    assert snapshot.device is not None
    assert snapshot.memory == MemoryStatus(123)
    assert world.noted == [FIGHT]


def test_a_snapshot_tells_whether_the_board_is_confirmed(world: World) -> None:
    assert world.loop.step().board_confirmed, "where nothing is asked"
    asked: list[FightView] = []

    def never(view: FightView) -> bool:
        asked.append(view)
        return False

    world.loop.stages = replace(world.loop.stages, board_confirmed=never)
    assert not world.loop.step().board_confirmed
    assert asked == [FIGHT]


def test_the_same_state_is_not_thought_about_twice(world: World) -> None:
    world.loop.step()
    world.situation = Situation(state(), my_turn=True)
    again = world.loop.step()
    assert len(world.asked) == 1
    assert (again.advice, again.decided_seq, again.seq, again.decisions) == ("fresh", 0, 1, 1)
    assert [name for name, _ in again.stages_ms] == ["capture", "vision", "situation"]
    world.situation = Situation(state(ap=2), my_turn=True)
    assert world.loop.step().decided_seq == 2
    assert len(world.asked) == 2


def test_the_picture_of_each_decision_may_be_kept_and_is_named(world: World) -> None:
    assert [world.loop.step().picture for _ in range(3)] == ["1-0.png"] * 3
    world.situation = Situation(state(ap=2), my_turn=True)
    assert world.loop.step().picture == "1-3.png"
    assert world.kept == [0, 3]


def test_the_rest_of_the_turn_is_looked_for_once_the_decision_is_out(world: World) -> None:
    assert world.loop.step().decision.plan == ()
    assert world.planned == []
    assert [world.loop.step().decision.plan for _ in range(3)] == [PLAN] * 3
    assert world.planned == [state()]
    world.situation = Situation(state(ap=2), my_turn=True)
    assert world.loop.step().decision.plan == ()


def test_the_best_turns_come_with_the_decision_and_stay_with_it(world: World) -> None:
    first, second = world.loop.step(), world.loop.step()
    assert first.turn is not None
    assert first.turn.lines[0].choice == first.decision.best
    assert second.turn == first.turn


def test_turns_that_cannot_be_worked_out_leave_the_decision(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("odd")

    monkeypatch.setattr("botapp.runtime.loop.outlook", fail)
    snapshot = world.loop.step()
    assert (snapshot.advice, snapshot.decision, snapshot.turn) == ("fresh", DECISION, None)


@pytest.mark.parametrize("fault", [ValueError("odd"), NoAdvisor("gone")])
def test_a_rest_of_the_turn_that_cannot_be_found_leaves_the_decision(world: World, fault: Exception) -> None:
    world.plan_fault = fault
    for _ in range(3):
        snapshot = world.loop.step()
        assert (snapshot.advice, snapshot.decision, snapshot.decision.plan) == ("fresh", DECISION, ())
    assert len(world.planned) == 1


def test_a_state_that_no_advice_is_given_for_says_why_and_is_asked_about_once(world: World) -> None:
    world.decision = Withheld("The model knows too few of your spells to advise you.")
    for _ in range(2):
        snapshot = world.loop.step()
        assert (snapshot.advice, snapshot.decision) == ("withheld", None)
        assert snapshot.reason == "The model knows too few of your spells to advise you."
        assert snapshot.decisions == 0
    assert len(world.asked) == 1
    assert world.planned == []


def test_forgetting_makes_it_decide_again(world: World) -> None:
    world.loop.step()
    world.loop.forget()
    assert world.loop.step().decided_seq == 1


@pytest.mark.parametrize(
    ("why", "mine", "advice", "reason"),
    [
        (NOT_MY_TURN, False, "not-my-turn", ""),
        ("Your AP cannot be read.", True, "withheld", "Your AP cannot be read."),
    ],
)
def test_where_no_advice_can_be_given_there_is_a_picture_and_a_reason(
    world: World, why: str, mine: bool, advice: str, reason: str
) -> None:
    world.situation = Situation(None, why, my_turn=mine, picture=state())
    snapshot = world.loop.step()
    assert (snapshot.advice, snapshot.capture, snapshot.reason) == (advice, "watching", reason)
    assert (snapshot.state, snapshot.decision, world.asked) == (state(), None, [])


def test_what_passes_by_itself_has_no_reason_and_keeps_the_picture(world: World) -> None:
    world.view = FightView(phase=Seen(Phase.UNKNOWN, 0.5))
    world.situation = Situation(None, "It is hidden.", picture=state(), memory=Memory(fight=3), settling=True)
    snapshot = world.loop.step()
    assert (snapshot.capture, snapshot.advice, snapshot.reason) == ("watching", "settling", "")
    assert (snapshot.state, snapshot.decision, snapshot.fight) == (state(), None, 3)
    assert world.loop.paused().fight == 3


@pytest.mark.parametrize(
    ("phase", "capture"),
    [(None, "unread"), (Phase.UNKNOWN, "unread"), (Phase.NOT_FIGHT, "no-fight")],
)
def test_no_fight_is_said_only_where_none_is_read(world: World, phase: Phase | None, capture: str) -> None:
    world.view = FightView(phase=Seen(phase, 0.5))
    world.situation = Situation(None, "There is no fight on the screen.")
    snapshot = world.loop.step()
    assert (snapshot.capture, snapshot.advice) == (capture, "none")
    assert snapshot.reason == "There is no fight on the screen."


@pytest.mark.parametrize("capture", ["no-window", "minimised", "off-screen", "too-small", "unsupported"])
def test_without_a_picture_the_reason_is_passed_on_and_the_next_frame_is_tried(
    world: World, capture: str
) -> None:
    world.sight = Sight(capture, "Words.")  # type: ignore[arg-type]
    snapshot = world.loop.step()
    assert (snapshot.capture, snapshot.advice, snapshot.reason) == (capture, "none", "Words.")
    assert snapshot.view is None
    world.sight = World.frame_sight()
    assert world.loop.step().advice == "fresh"


def test_a_cover_is_the_reason_when_the_fight_cannot_be_read_behind_it(world: World) -> None:
    world.sight = World.frame_sight("covered", "Half of it is covered.")
    world.view = FightView()
    world.situation = Situation(None, "No fight can be read from the screen.")
    snapshot = world.loop.step()
    assert (snapshot.capture, snapshot.advice, snapshot.reason) == (
        "covered",
        "withheld",
        "Half of it is covered.",
    )


def test_a_cover_that_leaves_the_fight_readable_is_told_beside_the_advice(world: World) -> None:
    world.sight = World.frame_sight("covered", "A tenth of it is covered.")
    snapshot = world.loop.step()
    assert (snapshot.capture, snapshot.advice) == ("covered", "fresh")
    assert snapshot.reason == "A tenth of it is covered."


@pytest.mark.parametrize("hop", ["sight", "view", "situation", "decision"])
def test_a_hop_that_fails_costs_one_frame_and_leaves_a_trace_in_the_log(
    world: World, hop: str, caplog: pytest.LogCaptureFixture
) -> None:
    right = getattr(world, hop)
    setattr(world, hop, ZeroDivisionError("boom"))
    with caplog.at_level(logging.ERROR):
        snapshot = world.loop.step()
        world.loop.step()
    assert snapshot.advice == "withheld"
    assert "boom" in snapshot.reason
    assert "Traceback" not in snapshot.reason
    assert [record.exc_info is not None for record in caplog.records] == [True]
    setattr(world, hop, right)
    assert world.loop.step().advice == "fresh"


def test_two_faults_in_turn_do_not_flood_the_log(world: World, caplog: pytest.LogCaptureFixture) -> None:
    right = world.view
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            world.view = ZeroDivisionError("one")
            world.loop.step()
            world.view, world.memory = right, RuntimeError("two")
            world.loop._memory_at = 0.0
            world.loop.step()
    assert len(caplog.records) == 2


def test_without_a_model_the_rest_goes_on(world: World) -> None:
    world.decision = NoAdvisor("advisor.safetensors is missing: run ...")
    snapshot = world.loop.step()
    assert (snapshot.advice, snapshot.reason) == ("none", "advisor.safetensors is missing: run ...")
    assert snapshot.view is FIGHT
    assert snapshot.state == state()


def test_long_thinking_is_announced(world: World) -> None:
    announced: list[Snapshot] = []
    world.loop.step(announced.append)
    assert announced == []
    world.loop.budget_ms = 1000
    world.situation = Situation(state(ap=1), my_turn=True)
    world.loop.step(announced.append)
    assert [(s.advice, s.decision, s.seq) for s in announced] == [("thinking", None, 1)]


def test_paused_is_said_as_such(world: World) -> None:
    world.loop.dropped = 3
    snapshot = world.loop.paused()
    assert (snapshot.capture, snapshot.advice, snapshot.dropped) == ("paused", "none", 3)


def test_memory_that_cannot_be_measured_is_unknown_and_costs_nothing_else(world: World) -> None:
    world.memory = RuntimeError("the driver is gone")
    snapshot = world.loop.step()
    assert snapshot.memory is None
    assert snapshot.advice == "fresh"
    assert "memory" not in dict(snapshot.stages_ms)


def test_what_was_planned_for_the_rest_of_a_turn_is_thought_of_again_in_that_turn_only(world: World) -> None:
    steps = (Move((41,)), Move((42,)), EndTurn())
    choice = replace(CHOICE, action=steps[0], line=steps)
    world.decision = replace(DECISION, choices=(choice,))
    for asked in (state(), state(5), replace(state(5), turn=2)):
        world.situation = Situation(asked, my_turn=True)
        world.loop.step()
    assert world.rests == [(), steps[1:], ()]


def advise(world: World, **stages: object) -> None:
    """Changes stages that think."""
    advising = replace(world.loop.stages.advising, **stages)
    world.loop.stages = replace(world.loop.stages, advising=advising)


def thinks_on(world: World, seconds: float = 5.0, deeper: Decision | None = None) -> list[FightState]:
    """Has the loop think on; returns the states that it is asked about."""
    asked: list[FightState] = []

    def think_on(about: FightState, decision: Decision, until: float) -> Decision | None:
        asked.append(about)
        return deeper

    advise(world, think_on=think_on)
    world.loop.think_on_s = seconds
    return asked


def once(world: World) -> Snapshot:
    """Takes a picture and uses the time until the next one, as the worker does."""
    snapshot = world.loop.step()
    world.loop.think_on()
    return snapshot


def test_a_snapshot_does_not_wait_for_thinking_on(world: World) -> None:
    asked = thinks_on(world)
    for _ in range(4):
        world.loop.step()
    assert asked == []
    world.loop.think_on()
    world.loop.think_on()
    assert asked == [state()]


def test_thinking_goes_on_once_the_rest_of_the_turn_is_planned(world: World) -> None:
    deeper = replace(DECISION, effort=replace(DECISION.effort, depth=2, rollouts=400))
    asked = thinks_on(world, deeper=deeper)
    seen = [once(world) for _ in range(4)]
    assert [one.decision.effort.depth for one in seen if one.decision] == [1, 1, 1, 2]
    assert asked == [state()] * 2 and {one.decided_seq for one in seen} == {0}
    world.situation = Situation(state(5), my_turn=True)
    assert world.loop.step().decision == DECISION


@pytest.mark.parametrize(
    ("seconds", "left_s", "times"), [(0.0, 20.0, 0), (5.0, 1.0, 0), (5.0, 20.0, 2), (5.0, None, 2)]
)
def test_the_settings_and_the_turn_s_time_end_it(world: World, seconds, left_s, times) -> None:
    asked = thinks_on(world, seconds)
    world.view = replace(FIGHT, timer_s=Seen(left_s, 1.0 if left_s else 0.0))
    for _ in range(4):
        once(world)
    assert len(asked) == times


def test_an_enemys_turn_and_a_place_before_the_fight_are_not_thought_on_about(world: World) -> None:
    asked = thinks_on(world)
    for _ in range(3):
        once(world)
    asked.clear()
    right = world.situation
    world.situation = Situation(None, NOT_MY_TURN, my_turn=False, picture=state())
    for _ in range(3):
        once(world)
    world.situation, world.decision = right, Withheld("nothing to decide")
    world.loop.forget()
    for _ in range(4):
        once(world)
    assert asked == []


def test_the_reply_to_the_turn_as_advised_is_looked_for_once_and_sent_with_the_advice(world: World) -> None:
    threat = Threat(1, "Boar", (), TurnLine(CHOICE, (), 0.5), ())
    asked: list[tuple[FightState, tuple[Action, ...]]] = []

    def reply(about: FightState, actions: Sequence[Action]) -> Threat | None:
        asked.append((about, tuple(actions)))
        return threat

    advise(world, reply=reply)
    seen = [once(world) for _ in range(6)]
    assert [one.threat for one in seen] == [None, None, None, threat, threat, threat]
    assert len(asked) == 1 and asked[0][0] == state() and asked[0][1]
    world.situation = Situation(state(5), my_turn=True)
    assert once(world).threat is None, "it was for another state"


@pytest.mark.parametrize("stage", ["think_on", "reply"])
def test_a_fault_in_thinking_on_or_in_looking_for_a_reply_leaves_the_advice(world: World, stage: str) -> None:
    def fails(*given: object) -> None:
        raise RuntimeError("no")

    thinks_on(world)
    advise(world, **{stage: fails})
    seen = [once(world) for _ in range(5)]
    assert {(one.advice, one.threat) for one in seen} == {("fresh", None)}
