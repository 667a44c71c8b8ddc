"""Workers that do one thing each, for the tests of the watchdog.

They import little, as each test starts some: a process that imports the tests takes three times as long.
"""

import faulthandler
import logging
import os
import signal
import sys
import time
from dataclasses import replace
from multiprocessing.connection import Connection

from botapp.runtime.messages import Busy, LogLine, Pause, PlanAnnounced, Snapshot, Stop
from botapp.runtime.start import RESTART_CODE, Start
from hrm.backends.fallback import Ladder
from hrm.backends.faults import Fault
from hrm.backends.placement import DevicePlan

HANG_S = 0.3
"""Silence that counts as a hang in these tests."""
GPU = DevicePlan("auto auto auto", "cuda", "cuda:0", "bf16", "cuda is the fastest that works here")
CPU = DevicePlan("auto auto auto", "cpu", "cpu", "fp32", "there is no card", engine="onnx")


def _snapshot(reason: str = "") -> Snapshot:
    return Snapshot(0, 0, time.monotonic_ns(), "watching", "none", reason)


def echo(connection: Connection, start: Start) -> None:
    """Answers every message with a snapshot naming it, the settings first."""
    connection.send(_snapshot(f"settings {start.settings}"))
    while True:
        if not connection.poll(0.05):
            connection.send(_snapshot("idle"))
            continue
        message = connection.recv()
        if isinstance(message, Stop):
            return
        connection.send(LogLine(logging.INFO, "echo", repr(message), time.time()))


def tell_threads(connection: Connection, _: Start) -> None:
    """Says how many threads numpy's products run on."""
    connection.send(_snapshot(os.environ.get("OPENBLAS_NUM_THREADS", "all")))
    time.sleep(600)


def watch_a_fight_and_crash(connection: Connection, start: Start) -> None:
    """Watches the fight after the one that it was started with."""
    connection.send(replace(_snapshot(), fight=start.fight + 1))
    os._exit(3)


def crash(connection: Connection, _: Start) -> None:
    connection.send(_snapshot())
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(_: Connection, __: Start) -> None:
    raise SystemExit(3)


def crash_on_pause(connection: Connection, start: Start) -> None:
    """Like `echo`, but a pause brings it down unless it was started with other settings since."""
    connection.send(_snapshot(f"settings {start.settings}"))
    while True:
        message = connection.recv()
        if isinstance(message, Stop):
            return
        connection.send(LogLine(logging.INFO, "echo", repr(message), time.time()))
        if isinstance(message, Pause) and message.paused:
            os.kill(os.getpid(), signal.SIGSEGV)


def hang(connection: Connection, _: Start) -> None:
    connection.send(_snapshot())
    time.sleep(600)


def hang_in_sight(connection: Connection, _: Start) -> None:
    """Hangs where a fault would write down where it was."""
    faulthandler.enable()
    hang(connection, _)


def babble(connection: Connection, _: Start) -> None:
    """Goes on sending and never listens."""
    while True:
        connection.send(_snapshot())
        time.sleep(0.01)


def deaf(connection: Connection, _: Start) -> None:
    """Goes on sending and never reads, so that what is sent to it fills the pipe."""
    while True:
        connection.send(_snapshot())
        time.sleep(0.2)


def last_words(connection: Connection, _: Start) -> None:
    """Says a great deal and dies of a signal before anybody can have read it."""
    connection.send(_snapshot())
    for number in range(300):
        connection.send(LogLine(logging.INFO, "words", f"line {number}", time.time()))
    os.kill(os.getpid(), signal.SIGKILL)


def hang_with_notice(connection: Connection, _: Start) -> None:
    connection.send(Busy(600))
    connection.send(LogLine(logging.INFO, "hang", "loading", time.time()))
    time.sleep(2 * HANG_S)
    connection.send(_snapshot("loaded"))
    time.sleep(600)


def tell_place_and_die(connection: Connection, start: Start) -> None:
    """Runs where it is told, and is killed by the system there unless that is a CPU."""
    ladder = start.ladder or Ladder.of(GPU, [])
    connection.send(PlanAnnounced(ladder))
    if ladder.current.backend != "cpu":
        os.kill(os.getpid(), signal.SIGSEGV)
    connection.send(_snapshot(f"{ladder.current.engine} on {ladder.current.device}"))
    time.sleep(600)


def hang_on_the_card(connection: Connection, start: Start) -> None:
    ladder = start.ladder or Ladder.of(GPU, [])
    connection.send(PlanAnnounced(ladder))
    connection.send(_snapshot(ladder.current.precision))
    time.sleep(600)


def ask_for_another_process(connection: Connection, start: Start) -> None:
    ladder = start.ladder or Ladder.of(GPU, [])
    if not ladder.history:
        connection.send(PlanAnnounced(ladder.after(Fault("error", "the card was lost"))))
        sys.exit(RESTART_CODE)
    connection.send(_snapshot(ladder.current.precision))
    time.sleep(600)


def crash_unless_cards_are_hidden(connection: Connection, start: Start) -> None:
    if not start.hide_cards:
        os.kill(os.getpid(), signal.SIGSEGV)
    connection.send(_snapshot("without cards"))
    time.sleep(600)


def die_at_every_place_but_the_last(connection: Connection, start: Start) -> None:
    ladder = start.ladder or Ladder.of(GPU, [])
    connection.send(PlanAnnounced(ladder))
    if ladder.after(Fault("error")) is not None:
        raise SystemExit(3)
    connection.send(_snapshot("the last place"))
    time.sleep(600)


def die_everywhere(connection: Connection, start: Start) -> None:
    """Dies at both places that a ladder without a card has."""
    connection.send(PlanAnnounced(start.ladder or Ladder.of(CPU, [])))
    os.kill(os.getpid(), signal.SIGSEGV)
