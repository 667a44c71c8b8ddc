"""Asks a child process which backends work here: a driver's fault, and torch's weight, stay outside."""

import json
import sys
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from botapp.host.message import unpack
from botapp.ui.settings.child import Child
from botapp.ui.translation import mark

_ASK = (
    "import json; from dataclasses import asdict; from botapp.host.message import pack;"
    "from botapp.doctor.install import with_ways; from botapp.doctor.snapshot import look;"
    "from hrm.backends import backends_and_proof, working;"
    "found = [asdict(info) for info in working(*backends_and_proof())];"
    "print(json.dumps(pack(with_ways(found, look()))))"
)


@dataclass(frozen=True, slots=True)
class ProbedBackend:
    """One backend as `hrm.backends.working` tells it; `devices` are (name, title)."""

    name: str
    usable: bool
    reason: str
    devices: tuple[tuple[str, str], ...] = ()


class BackendProbe(QObject):
    """Runs the question once; `ask` again asks anew.

    Signals:
        answered: a tuple of `ProbedBackend`, empty when the question could not be answered.
        failed: why, in English words.
    """

    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, command: tuple[str, ...] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._command = command or (sys.executable, "-c", _ASK)
        self._child = Child(self)
        self._child.answered.connect(self._read)
        self._child.failed.connect(self._fail)

    def ask(self) -> None:
        program, *arguments = self._command
        self._child.ask(*arguments, program=program, plain=True)

    def close(self) -> None:
        self._child.close()

    @Slot(object)
    def _read(self, text: str) -> None:
        try:
            self.answered.emit(parse(text))
        except (ValueError, KeyError, TypeError):
            self._fail()

    @Slot()
    def _fail(self) -> None:
        self.failed.emit(mark("What works here could not be checked. Run `botapp doctor` for more."))


def parse(text: str) -> tuple[ProbedBackend, ...]:
    """Reads the child's answer, its last line.

    Raises:
        ValueError, KeyError, TypeError: it is no such answer.
    """
    return tuple(
        ProbedBackend(
            entry["name"],
            bool(entry["usable"]),
            entry["reason"],
            tuple((device["name"], device["title"]) for device in entry["devices"]),
        )
        for entry in unpack(json.loads(text.strip().splitlines()[-1] if text.strip() else ""))
    )
