"""Runs a command of ours in a child process and reads what it answers: JSON, or plain text.

A driver's fault, and torch's weight, stay out of the app.
"""

import atexit
import json
import sys

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal, Slot

from botapp.host.children import hold, tied
from botapp.ui.translation import mark
from hrm.backends.probing.child import ROOT, child_environment

_FAILED = mark("This could not be determined. Run `botapp doctor` for more.")
_PATIENCE_MS = 100
"""How long the window may stand still for a process that was killed; a driver may hold one for long."""
_held: list[QProcess] = []
"""Processes that were killed and are not gone yet; Qt would wait for them if they were let go of."""


@atexit.register
def take_leave() -> None:
    """Notes at the end that held processes have gone; Qt would complain in the terminal that they run."""
    for process in _held:
        process.waitForFinished(_PATIENCE_MS)


class Child(QObject):
    """One question at a time.

    Signals:
        progressed: a line that the child says meanwhile.
        answered: the JSON it wrote, alone or in its last line; or its whole output where text was asked for.
        failed: why there is no answer, in English words.
    """

    progressed = Signal(str)
    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plain = False
        self._process = self._fresh()

    @property
    def busy(self) -> bool:
        return self._process.state() != QProcess.ProcessState.NotRunning

    def ask(self, *arguments: str, program: str = sys.executable, plain: bool = False) -> None:
        """Starts the command, unless one is running; `plain` takes its output as text."""
        if self.busy:
            return
        self._plain = plain
        if program == sys.executable:
            arguments = ("-P", *arguments)
        first, *rest = tied((program, *arguments))
        self._process.start(first, rest)

    def close(self) -> None:
        """Ends a question that is still open; it is not answered any more."""
        if not self.busy:
            return
        old = self._process
        old.blockSignals(True)
        old.kill()
        if old.waitForFinished(_PATIENCE_MS):
            old.blockSignals(False)
            return
        old.setParent(None)
        _held[:] = [p for p in _held if p.state() != QProcess.ProcessState.NotRunning] + [old]
        self._process = self._fresh()

    def _fresh(self) -> QProcess:
        process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        for name, value in child_environment().items():
            environment.insert(name, value)
        process.setProcessEnvironment(environment)
        process.setWorkingDirectory(ROOT)
        process.started.connect(self._hold)
        process.finished.connect(self._read)
        process.errorOccurred.connect(self._not_started)
        process.readyReadStandardError.connect(self._hear)
        return process

    @Slot()
    def _hold(self) -> None:
        hold(self._process.processId())

    @Slot()
    def _hear(self) -> None:
        text = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        if text:
            self.progressed.emit(text.splitlines()[-1])

    @Slot()
    def _read(self) -> None:
        text = bytes(self._process.readAllStandardOutput().data()).decode("utf-8", "replace").strip()
        if self._plain and text:
            self.answered.emit(text)
            return
        for part in (text, text.splitlines()[-1] if text else ""):
            try:
                self.answered.emit(json.loads(part))
            except ValueError:
                continue
            return
        self.failed.emit(_FAILED)

    @Slot(QProcess.ProcessError)
    def _not_started(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.failed.emit(_FAILED)
