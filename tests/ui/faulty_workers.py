"""Workers with a fault each, as `test_ui_faults` puts them beneath the app; no window is imported here.

A worker is a process of its own that imports the module of what it runs: without Qt it starts in half the
time.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from botapp.runtime.messages import LogLine, PlanAnnounced, Snapshot
from botapp.runtime.start import RESTART_CODE, Start
from hrm.backends.fallback import Ladder
from hrm.backends.faults import Fault
from hrm.backends.placement import DevicePlan

LINES = 200
CARD = DevicePlan("auto auto auto", "cuda", "cuda:0", "bf16", "cuda is the fastest that works here")


def _snapshot() -> Snapshot:
    return Snapshot(0, time.monotonic_ns(), time.monotonic_ns(), "no-window", "none")


def _talk(connection: Connection, start: Start, words: str) -> Ladder:
    """Says where it runs and a great deal more; keeps account of what it has said in a file."""
    ladder = start.ladder or Ladder.of(CARD, [])
    connection.send(PlanAnnounced(ladder))
    connection.send(_snapshot())
    assert start.record is not None
    with (start.record / words).open("w", encoding="utf-8") as account:
        for number in range(LINES):
            text = f"{words} {number}"
            connection.send(LogLine(logging.INFO, "worker", text, time.time()))
            account.write(f"{text}\n")
            account.flush()
    return ladder


def _go_on(connection: Connection, start: Start) -> None:
    """The worker after the fault: says which setting it was given, and lives on."""
    opacity = start.settings.overlay.opacity
    connection.send(LogLine(logging.INFO, "worker", f"again with {opacity}", time.time()))
    while True:
        connection.send(_snapshot())
        time.sleep(0.05)


def _fault(end: Callable[[Connection, Ladder], None]) -> Callable[[Connection, Start], None]:
    def target(connection: Connection, start: Start) -> None:
        assert start.record is not None
        if (start.record / "before").exists():
            _talk(connection, start, "after")
        else:
            end(connection, _talk(connection, start, "before"))
        _go_on(connection, start)

    return target


def killed(connection: Connection, start: Start) -> None:
    _fault(lambda *_: os.kill(os.getpid(), signal.SIGKILL))(connection, start)


def crashed(connection: Connection, start: Start) -> None:
    _fault(lambda *_: os.kill(os.getpid(), signal.SIGSEGV))(connection, start)


def hung(connection: Connection, start: Start) -> None:
    _fault(lambda *_: time.sleep(600))(connection, start)


def ended(connection: Connection, start: Start) -> None:
    _fault(lambda *_: sys.exit(1))(connection, start)


def lost_card(connection: Connection, start: Start) -> None:
    _fault(lambda *_: sys.exit(RESTART_CODE))(connection, start)


def _moved(kind: str) -> Callable[[Connection, Start], None]:
    def end(connection: Connection, ladder: Ladder) -> None:
        below = ladder.after(Fault(kind, "put in by a test"))  # type: ignore[arg-type]
        assert below is not None
        connection.send(PlanAnnounced(below))

    return _fault(end)


def out_of_memory(connection: Connection, start: Start) -> None:
    _moved("out-of-memory")(connection, start)


def library_missing(connection: Connection, start: Start) -> None:
    _moved("library")(connection, start)


def no_numbers(connection: Connection, start: Start) -> None:
    _moved("precision")(connection, start)


def nothing(connection: Connection, start: Start) -> None:
    """No fault: what the window's own work and this computer's other work cost."""
    _fault(lambda *_: time.sleep(0.5))(connection, start)


DEADLY = (killed, crashed, hung, ended, lost_card)
MILD = (out_of_memory, library_missing, no_numbers)
