"""The link to the arena: actions go out, answers come back to who asked, and a dead arena hurts nobody."""

import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from threading import Thread

import pytest

from botapp.advisor.decision import Choice, Decision
from botapp.engine.arena import GONE, Answer, ArenaProcess, Forwarder
from botapp.fight.actions import Action, Cast, EndTurn, Move

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
    answers: dict[int, Answer] = {}

    def ask(number: int) -> None:
        answers[number] = arena.ask(Cast("bad" if number % 2 else "good", number), 30)

    threads = [Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {
        number: Answer(False, "bad") if number % 2 else Answer(True, "good") for number in range(8)
    }
    assert arena.set_autopilot(True, 30).accepted
    assert arena.pid > 0


def test_an_arena_that_goes_away_answers_gone(arena: ArenaProcess) -> None:
    assert arena.ask(EndTurn(), 30) == GONE
    assert arena.wait(30)
    assert not arena.running
    assert arena.ask(Move((1,)), 30) == GONE


def test_stopping_a_running_arena_ends_it(arena: ArenaProcess) -> None:
    assert not arena.wait(0.01)
    arena.stop()
    assert not arena.running


def test_an_arena_that_ignores_being_asked_to_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botapp.engine.arena._END_S", 0.2)
    code = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('{}', flush=True)\n"
    process = ArenaProcess([], [sys.executable, "-c", code + "import time; time.sleep(600)"])
    time.sleep(0.5)
    process.stop()
    assert not process.running


class FakeArena:
    """Answers from a function of the action; remembers what it was asked."""

    def __init__(self, answer: Callable[[Action], Answer]) -> None:
        self.answer = answer
        self.asked: list[Action] = []

    def ask(self, action: Action) -> Answer:
        self.asked.append(action)
        return self.answer(action)


def decision(*actions: Action) -> Decision:
    choices = tuple(Choice(action, 0.5, str(action)) for action in actions)
    return Decision(choices, choices[0], 0.0, (), "halted")


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_the_best_choice_is_played_and_counted() -> None:
    arena = FakeArena(lambda _: Answer(True))
    forwarder = Forwarder(arena)  # type: ignore[arg-type]
    forwarder.play(decision(Cast("fire", 3), EndTurn()))
    wait_for(lambda: forwarder.decided["cast"] == 1)
    forwarder.stop()
    assert arena.asked == [Cast("fire", 3)]


def test_what_the_rules_refuse_is_followed_by_the_next_choice_and_at_last_the_turns_end() -> None:
    arena = FakeArena(lambda action: Answer(action == EndTurn(), "" if action == EndTurn() else "no sight"))
    forwarder = Forwarder(arena)  # type: ignore[arg-type]
    forwarder.play(decision(Cast("fire", 3), Move((4,))))
    wait_for(lambda: len(arena.asked) == 3)
    forwarder.stop()
    assert arena.asked == [Cast("fire", 3), Move((4,)), EndTurn()]
    assert forwarder.refused == {"no sight": 2}
    assert not forwarder.decided


def test_a_busy_arena_is_asked_again_until_it_takes_the_action() -> None:
    answers = iter([Answer(False, "busy"), Answer(False, "busy"), Answer(True)])
    arena = FakeArena(lambda _: next(answers))
    forwarder = Forwarder(arena)  # type: ignore[arg-type]
    forwarder.play(decision(Move((4, 5))))
    wait_for(lambda: forwarder.decided["move"] == 1)
    forwarder.stop()


def test_something_newer_replaces_an_action_that_waits() -> None:
    old, new = Move((4,)), Cast("fire", 3)
    arena = FakeArena(lambda action: Answer(action == new, "" if action == new else "busy"))
    forwarder = Forwarder(arena)  # type: ignore[arg-type]
    forwarder.play(decision(old))
    wait_for(lambda: bool(arena.asked))
    forwarder.play(decision(new))
    wait_for(lambda: forwarder.decided["cast"] == 1)
    forwarder.stop()


@pytest.mark.parametrize("reason", ["not your turn", "autopilot is off", GONE.reason])
def test_an_action_whose_moment_is_past_is_dropped(reason: str) -> None:
    arena = FakeArena(lambda _: Answer(False, reason))
    forwarder = Forwarder(arena)  # type: ignore[arg-type]
    forwarder.play(decision(Move((4,)), Move((5,))))
    wait_for(lambda: bool(arena.asked))
    forwarder.stop()
    assert arena.asked == [Move((4,))]


def test_a_busy_arena_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botapp.engine.arena._PATIENCE_S", 0.05)
    monkeypatch.setattr("botapp.engine.arena._RETRY_S", 0.01)
    arena = FakeArena(lambda _: Answer(False, "busy"))
    forwarder = Forwarder(arena)  # type: ignore[arg-type]
    forwarder.play(decision(Move((4,))))
    wait_for(lambda: len(arena.asked) > 2)
    time.sleep(0.3)
    asked = len(arena.asked)
    time.sleep(0.1)
    assert len(arena.asked) == asked
    forwarder.stop()
