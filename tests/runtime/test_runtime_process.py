"""The watchdog: a worker that crashes or hangs is noticed, told, and started again, but not for ever."""

import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from threading import Event

import pytest
from own_process import forks
from played_workers import (
    HANG_S,
    ask_for_another_process,
    babble,
    crash,
    crash_on_pause,
    crash_unless_cards_are_hidden,
    deaf,
    die_at_every_place_but_the_last,
    die_everywhere,
    echo,
    hang,
    hang_in_sight,
    hang_on_the_card,
    hang_with_notice,
    last_words,
    leave,
    tell_place_and_die,
    tell_threads,
    watch_a_fight_and_crash,
)

from botapp.host.settings import Settings
from botapp.runtime import first_start
from botapp.runtime import process as process_module
from botapp.runtime.messages import (
    ApplySettings,
    EngineMoved,
    LogLine,
    Pause,
    WatchWindow,
    WorkerFault,
)
from botapp.runtime.preview import PreviewReader
from botapp.runtime.process import Limits, WorkerProcess
from botapp.runtime.start import Start, describe_exit

QUICK = Limits(start_s=30, hang_s=HANG_S, stop_s=0.1)
PATIENT = Limits(start_s=30, hang_s=60, stop_s=0.1)
BY_MODEL = Settings(engine={"adviser": "model"})
BY_SEARCH = Settings(engine={"adviser": "search"})


@pytest.fixture
def make(monkeypatch) -> Iterator[Callable[..., WorkerProcess]]:
    monkeypatch.setattr(process_module, "POLL_S", 0.02)
    made: list[WorkerProcess] = []

    def build(
        target: Callable[[Connection, Start], None],
        limits: Limits = QUICK,
        settings: Settings = BY_MODEL,
        *,
        as_the_app: bool = False,
    ) -> WorkerProcess:
        made.append(WorkerProcess(settings, target=target, limits=limits))
        if not as_the_app:
            monkeypatch.setattr(process_module, "CONTEXT", forks())
        return made[-1]

    yield build
    for process in made:
        process.stop()
        assert not process.running
        assert multiprocessing.active_children() == []


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def faults(process: WorkerProcess) -> list[WorkerFault]:
    return [event for event in process.events if isinstance(event, WorkerFault)]


def lines(process: WorkerProcess) -> list[str]:
    return [event.text for event in process.events if isinstance(event, LogLine)]


@pytest.mark.slow
def test_the_worker_multiplies_on_one_thread_as_a_game_keeps_the_others_busy(make) -> None:
    process = make(tell_threads, PATIENT, as_the_app=True)
    process.start()
    shown = process.latest.take(30)
    assert shown is not None and shown.reason == "1"
    assert "OPENBLAS_NUM_THREADS" not in os.environ


@pytest.mark.long
def test_snapshots_arrive_and_the_app_is_woken(make) -> None:
    process = make(echo, as_the_app=True)
    woken = Event()
    process.wake = woken.set
    process.start()
    assert woken.wait(60)
    snapshot = process.latest.take(wait_s=60)
    assert snapshot is not None
    assert process.pid is not None
    assert process.running


@pytest.mark.long
def test_messages_reach_the_worker_and_its_log_reaches_the_app(make, caplog) -> None:
    process = make(echo)
    process.start()
    process.send(WatchWindow(5))
    with caplog.at_level(logging.INFO):
        wait_for(lambda: any("WatchWindow(handle=5)" in line for line in lines(process)))
    assert faults(process) == []


@pytest.mark.slow
def test_a_crash_is_named_and_after_three_of_them_nothing_is_retried(make) -> None:
    process = make(crash)
    process.start()
    wait_for(lambda: not process.running)
    told = faults(process)
    assert [fault.restarting for fault in told] == [True, True, False]
    assert "SIGSEGV" in told[0].text
    assert "will not restart by itself" in told[2].text
    assert process.pid is None


def test_a_worker_given_up_can_be_started_again_by_hand(make) -> None:
    process = make(leave, Limits(start_s=30, hang_s=60, stop_s=0.1, faults=1))
    process.start()
    wait_for(lambda: not process.running)
    assert "code 3" in faults(process)[0].text
    process.start()
    wait_for(lambda: len(faults(process)) == 2)


def test_a_restarted_worker_gets_the_latest_settings_and_window(make) -> None:
    process = make(crash_on_pause)
    process.start()
    wait_for(lambda: process.latest.take() is not None)
    process.send(ApplySettings(Settings().changed("engine.step_limit", 3)))
    process.send(WatchWindow(7))
    process.send(Pause(True))
    process.send(Pause(False))  # at once: a worker started again that is still to pause would crash again
    wait_for(lambda: len(faults(process)) == 1)
    wait_for(lambda: lines(process).count("WatchWindow(handle=7)") >= 2)
    wait_for(lambda: (taken := process.latest.take()) is not None and "step_limit=3" in taken.reason)


def test_each_worker_goes_on_counting_fights_where_the_last_one_was(make) -> None:
    process = make(watch_a_fight_and_crash)
    process.start()
    wait_for(lambda: not process.running)
    assert process.fight == len(faults(process)) > 1


@pytest.mark.slow
def test_while_the_search_is_prepared_a_slow_answer_is_no_hang(make, monkeypatch) -> None:
    """Interpreted, a decision takes seconds on a busy computer: a worker started anew gets no further."""
    monkeypatch.setattr(first_start, "pending", lambda: True)
    process = make(hang, Limits(start_s=30, hang_s=HANG_S, interpreted_s=60, stop_s=0.1, faults=1))
    process.start()
    wait_for(lambda: process.latest.take() is not None)
    time.sleep(3 * HANG_S)
    assert process.running and not faults(process)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without a signal")
def test_a_worker_that_hangs_writes_down_where_before_it_is_ended(make, capfd) -> None:
    process = make(hang_in_sight, Limits(start_s=30, hang_s=HANG_S, stop_s=0.1, faults=1), as_the_app=True)
    process.start()
    wait_for(lambda: not process.running)
    assert "not responded" in faults(process)[0].text
    assert "in hang_in_sight" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGSTOP")
def test_a_worker_that_is_stopped_is_replaced_long_before_it_counts_as_hung(make) -> None:
    process = make(echo, PATIENT)
    process.start()
    wait_for(lambda: process.latest.take() is not None)
    first, begun = process.pid, time.monotonic()
    assert first is not None
    os.kill(first, signal.SIGSTOP)
    wait_for(lambda: len(faults(process)) == 1)
    assert time.monotonic() - begun < 20
    assert "stopped by another program" in faults(process)[0].text
    wait_for(lambda: process.pid not in (None, first) and process.latest.take() is not None)
    assert process.running


@pytest.mark.slow
def test_an_app_that_was_stopped_itself_blames_nobody(make, monkeypatch) -> None:
    now = time.monotonic
    slept = 0.0
    monkeypatch.setattr(process_module.time, "monotonic", lambda: now() + slept)
    process = make(echo, PATIENT)
    process.start()
    wait_for(lambda: process.latest.take() is not None)
    slept = 1000.0
    time.sleep(0.5)
    assert faults(process) == [] and process.running


@pytest.mark.slow
def test_a_third_fault_within_a_minute_goes_a_place_down_and_does_not_end_it(make) -> None:
    process = make(die_at_every_place_but_the_last, Limits(start_s=30, hang_s=60, stop_s=0.1, faults=2))
    process.start()
    wait_for(lambda: (taken := process.latest.take()) is not None and taken.reason == "the last place")
    told = faults(process)
    assert len(told) >= 2 and all(fault.restarting for fault in told)


@pytest.mark.slow
def test_a_worker_that_announced_something_long_is_given_time(make) -> None:
    process = make(hang_with_notice, Limits(start_s=30, hang_s=HANG_S, stop_s=0.1, faults=1))
    process.start()
    wait_for(lambda: (taken := process.latest.take()) is not None and taken.reason == "loaded")


@pytest.mark.parametrize("target", [hang, babble])
def test_a_worker_that_does_not_end_or_goes_on_talking_when_asked_to_end_is_ended(make, target) -> None:
    process = make(target, Limits(start_s=30, hang_s=60, stop_s=0.1))
    process.start()
    wait_for(lambda: process.latest.take() is not None)
    process.stop()
    assert not process.running
    assert faults(process) == []


def test_nobody_waits_for_a_worker_that_does_not_listen(make) -> None:
    process = make(deaf, PATIENT)
    process.start()
    wait_for(lambda: process.latest.take() is not None)
    message = ApplySettings(Settings().changed("capture.title", "x" * 1000))
    for _ in range(2000):
        process.send(message)
    assert process.running


def test_what_a_worker_said_before_it_was_killed_is_not_lost(make) -> None:
    process = make(last_words, Limits(start_s=30, hang_s=60, stop_s=0.1, faults=1))
    process.start()
    wait_for(lambda: not process.running)
    assert lines(process) == [f"line {number}" for number in range(300)]
    assert "SIGKILL" in faults(process)[0].text


def test_a_worker_that_cannot_be_started_is_a_fault_in_words(make, monkeypatch) -> None:
    def refuse(_: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    process = make(echo)
    monkeypatch.setattr(process_module.CONTEXT.Process, "start", refuse)
    process.start()
    wait_for(lambda: not process.running)
    assert "Cannot allocate memory" in faults(process)[0].text
    assert process.pid is None


def test_without_room_for_the_picture_the_worker_runs_all_the_same(make, monkeypatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(process_module, "create_preview", full)
    process = make(echo)
    assert process.preview_name == ""
    process.start()
    wait_for(lambda: process.latest.take() is not None)
    process.stop()


def test_the_picture_memory_goes_with_the_app(make) -> None:
    process = make(echo)
    assert PreviewReader(process.preview_name).read() is None
    process.stop()
    with pytest.raises(FileNotFoundError):
        PreviewReader(process.preview_name)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, ""),
        (None, "unknown"),
        (2, "code 2"),
        (-signal.SIGKILL, "memory ran out"),
        (-signal.SIGABRT, "SIGABRT"),
        (-63, "signal"),
    ],
)
def test_an_exit_is_put_in_words(code: int | None, words: str) -> None:
    assert words in describe_exit(code)
    assert bool(describe_exit(code)) == bool(words)


def test_a_windows_fault_is_put_in_words(monkeypatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert "access violation" in describe_exit(0xC0000005)


def moves(process: WorkerProcess) -> list[str]:
    return [event.text for event in process.events if isinstance(event, EngineMoved)]


@pytest.mark.slow
def test_a_crash_on_a_card_moves_the_model_down_until_it_runs(make) -> None:
    process = make(tell_place_and_die, PATIENT)
    process.start()
    wait_for(lambda: (taken := process.latest.take()) is not None and "on cpu" in taken.reason)
    assert [fault.restarting for fault in faults(process)] == [True, True]
    assert process.running


@pytest.mark.slow
def test_a_hang_on_a_card_goes_on_in_the_safest_way_there(make) -> None:
    process = make(hang_on_the_card, Limits(start_s=30, hang_s=1.0, stop_s=0.1, faults=2))
    process.start()
    wait_for(lambda: (taken := process.latest.take()) is not None and taken.reason == "fp32")
    assert "not responded" in faults(process)[0].text


def test_a_worker_that_asks_for_a_new_process_goes_on_where_it_said(make) -> None:
    process = make(ask_for_another_process, PATIENT)
    process.start()
    wait_for(lambda: (taken := process.latest.take()) is not None and taken.reason == "fp32")
    assert "has to be reopened" in faults(process)[0].text
    assert "the card was lost" in moves(process)[0]


def test_a_driver_that_ends_the_worker_before_it_says_anything_is_hidden_from_the_next(make) -> None:
    process = make(crash_unless_cards_are_hidden, PATIENT)
    process.start()
    wait_for(lambda: (taken := process.latest.take()) is not None and taken.reason == "without cards")
    assert len(faults(process)) == 1


def test_starting_again_by_hand_holds_nothing_against_any_place(make) -> None:
    process = make(die_everywhere, Limits(start_s=30, hang_s=30, stop_s=0.1, faults=1))
    tried = []
    for _ in range(2):
        process.start()
        wait_for(lambda: not process.running)
        assert process.next_start.ladder is not None
        tried.append(len(process.next_start.ladder.history))
        assert not faults(process)[-1].restarting
    assert tried[0] == tried[1] > 1


def test_no_card_is_blamed_for_a_crash_while_the_search_advises_alone(make) -> None:
    process = make(tell_place_and_die, Limits(start_s=30, hang_s=30, stop_s=0.1, faults=2), BY_SEARCH)
    process.start()
    wait_for(lambda: not process.running)
    assert len(faults(process)) == 2
    assert (process.next_start.ladder, process.next_start.hide_cards, moves(process)) == (None, False, [])
