"""The link to the arena: actions go out, answers come back to who asked, and a dead arena hurts nobody."""

import signal
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest

from botapp.advisor.decision import Decision, ScoredAction
from botapp.demo.arena_process import GONE, ArenaProcess, ArenaReply, Forwarder
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.runtime.messages import Snapshot

FAKE = textwrap.dedent(
    """
    import json, sys
    print("not json", flush=True)
    print(json.dumps({"id": "x"}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("action", {}).get("type") == "end_turn":
            break
        spell = request.get("action", {}).get("spell", "")
        print(json.dumps({"id": request["id"], "accepted": spell != "bad", "reason": spell}), flush=True)
    """
)


@pytest.fixture
def arena() -> Iterator[ArenaProcess]:
    process = ArenaProcess([], [sys.executable, "-c", FAKE])
    yield process
    process.stop()
    assert not process.running


def test_each_answer_reaches_who_asked(arena: ArenaProcess) -> None:
    answers: dict[int, ArenaReply] = {}

    def ask(number: int) -> None:
        answers[number] = arena.ask(Cast("bad" if number % 2 else "good", number), 30)

    threads = [Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {
        number: ArenaReply(False, "bad") if number % 2 else ArenaReply(True, "good") for number in range(8)
    }
    assert arena.pid > 0


def test_an_arena_that_goes_away_answers_gone(arena: ArenaProcess) -> None:
    assert arena.exit_code is None
    assert arena.ask(EndTurn(), 30) == GONE
    assert arena.wait(30)
    assert not arena.running
    assert arena.exit_code is not None
    assert arena.ask(Move((1,)), 30) == GONE


def test_stopping_a_running_arena_ends_it(arena: ArenaProcess) -> None:
    assert not arena.wait(0.01)
    arena.stop()
    assert not arena.running


def test_an_arena_that_ignores_being_asked_to_end_is_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("botapp.demo.arena_process.END_S", 0.1)
    code = (
        "import pathlib, signal, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "pathlib.Path(sys.argv[1]).touch()\n"
        "time.sleep(600)"
    )
    ready = tmp_path / "ready"
    process = ArenaProcess([str(ready)], [sys.executable, "-c", code])
    wait_for(ready.exists)
    process.stop()
    assert not process.running
    assert process.exit_code == -signal.SIGKILL


class FakeArena:
    """Answers from a function of the action; remembers what it was asked."""

    def __init__(self, answer: Callable[[Action], ArenaReply]) -> None:
        self.answer = answer
        self.asked: list[Action] = []

    def ask(self, action: Action) -> ArenaReply:
        self.asked.append(action)
        return self.answer(action)


def decision(*actions: Action) -> Decision:
    choices = tuple(ScoredAction(action, 0.5, str(action)) for action in actions)
    return Decision(choices, choices[0], 0.0, (), "halted")


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def seen(what: Decision, seq: int = 1, advice: str = "fresh") -> Snapshot:
    """A frame that still shows the state the decision was made for, one frame later by default."""
    return Snapshot(seq, 0, 0, "watching", advice, decision=what, decided_seq=0)  # type: ignore[arg-type]


@pytest.fixture
def forward() -> Iterator[Callable[[FakeArena], Forwarder]]:
    made: list[Forwarder] = []

    def build(arena: FakeArena) -> Forwarder:
        made.append(Forwarder(arena))  # type: ignore[arg-type]
        return made[-1]

    yield build
    for forwarder in made:
        forwarder.stop()


def test_the_best_choice_is_played_and_counted_once_a_later_frame_confirms_it(forward) -> None:
    arena = FakeArena(lambda _: ArenaReply(True))
    forwarder = forward(arena)
    best = decision(Cast("fire", 3), EndTurn())
    forwarder.play(best)
    forwarder.confirm(seen(best, seq=0))
    forwarder.confirm(seen(best, advice="withheld"))
    forwarder.confirm(seen(decision(Move((9,)))))
    forwarder.confirm(seen(best))
    wait_for(lambda: forwarder.decided["cast"] == 1)
    assert arena.asked == [Cast("fire", 3)], "nothing before"


def test_what_was_played_is_not_played_again_by_the_frames_that_follow(forward) -> None:
    arena = FakeArena(lambda _: ArenaReply(True))
    forwarder = forward(arena)
    forwarder.play(decision(Move((4,))))
    forwarder.confirm(seen(decision(Move((4,)))))
    wait_for(lambda: forwarder.decided["move"] == 1 and forwarder._wanted is None)
    forwarder.confirm(seen(decision(Move((4,))), seq=2))
    time.sleep(0.05)
    assert len(arena.asked) == 1


def test_what_the_rules_refuse_is_followed_by_the_next_choice_and_at_last_the_turns_end(forward) -> None:
    arena = FakeArena(
        lambda action: ArenaReply(action == EndTurn(), "" if action == EndTurn() else "no sight")
    )
    forwarder = forward(arena)
    advice = decision(Cast("fire", 3), Move((4,)))
    forwarder.play(advice)
    forwarder.confirm(seen(advice))
    wait_for(lambda: len(arena.asked) == 3)
    assert arena.asked == [Cast("fire", 3), Move((4,)), EndTurn()]
    assert forwarder.refused == {"no sight": 2}
    assert not forwarder.decided


def test_a_turn_without_advice_is_ended_and_counted_where_the_arena_takes_it(forward) -> None:
    answers = iter([ArenaReply(True), ArenaReply(False, "not your turn")])
    arena = FakeArena(lambda _: next(answers))
    forwarder = forward(arena)
    for count in (1, 2):
        forwarder.play(None)
        wait_for(lambda count=count: len(arena.asked) == count)
    forwarder.stop()
    assert arena.asked == [EndTurn(), EndTurn()]
    assert forwarder.given_up == 1 and not forwarder.refused and not forwarder.decided


def test_a_busy_arena_is_asked_again_with_each_frame_that_shows_the_same(forward) -> None:
    answers = iter([ArenaReply(False, "busy"), ArenaReply(False, "busy"), ArenaReply(True)])
    arena = FakeArena(lambda _: next(answers))
    forwarder = forward(arena)
    advice = decision(Move((4, 5)))
    forwarder.play(advice)
    for frame in range(1, 4):
        forwarder.confirm(seen(advice, seq=frame))
        wait_for(lambda count=frame: len(arena.asked) == count)
    wait_for(lambda: forwarder.decided["move"] == 1)


def test_something_newer_replaces_an_action_that_waits(forward) -> None:
    old, new = Move((4,)), Cast("fire", 3)
    arena = FakeArena(lambda action: ArenaReply(action == new, "" if action == new else "busy"))
    forwarder = forward(arena)
    forwarder.play(decision(old))
    forwarder.confirm(seen(decision(old)))
    wait_for(lambda: bool(arena.asked))
    forwarder.play(decision(new))
    forwarder.confirm(seen(decision(new)))
    wait_for(lambda: forwarder.decided["cast"] == 1)
    assert arena.asked == [old, new]


@pytest.mark.parametrize("reason", ["not your turn", "autopilot is off", GONE.reason])
def test_an_action_whose_moment_is_past_is_dropped(forward, reason: str) -> None:
    arena = FakeArena(lambda _: ArenaReply(False, reason))
    forwarder = forward(arena)
    advice = decision(Move((4,)), Move((5,)))
    forwarder.play(advice)
    forwarder.confirm(seen(advice))
    wait_for(lambda: forwarder._wanted is None)
    assert arena.asked == [Move((4,))]
    assert not forwarder.refused
