"""The link: JSON lines come in on a stream, are obeyed in the window's thread, and are answered on another.

A line is {"id", "action"} or {"id", "autopilot": bool}; each gets {"id", "accepted", "reason"}. Reading
happens on a thread of its own, which only hands lines over; the end of the stream means that the program
which drove the arena has ended.
"""

import json
import threading
import time
from typing import IO, Any

from PySide6.QtCore import QObject, Signal, Slot

from botapp.arena.window.bout import Bout
from botapp.content.state_json import action_from_json


class Link(QObject):
    """Obeys the lines of `source` and answers on `target`.

    Signals:
        obeyed: something was done; the window should look at the bout again.
        ended: `source` is at its end, or `target` is gone.
    """

    obeyed = Signal()
    ended = Signal()
    _line = Signal(str)
    _stopped = Signal()

    def __init__(self, bout: Bout, source: IO[str], target: IO[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bout = bout
        self._source = source
        self._target = target
        self._line.connect(self.obey)
        self._stopped.connect(self.ended)
        self._thread = threading.Thread(target=self._read, name="arena-link", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _read(self) -> None:
        try:
            for line in self._source:
                if line.strip():
                    self._line.emit(line)
        except (OSError, ValueError):
            pass  # the stream was closed under the reader: the same as its end
        try:
            self._stopped.emit()
        except RuntimeError:
            return  # the window is gone already

    @Slot(str)
    def obey(self, line: str) -> None:
        """Does what a line of the driver asks for and answers it, or answers why not."""
        answer_to, reason = None, ""
        try:
            message = json.loads(line)
            if not isinstance(message, dict):
                raise ValueError("expected an object with id and action")
            answer_to = message.get("id")
            reason = self._follow(message)
        except ValueError as error:
            reason = str(error)
        answer = {"id": answer_to, "accepted": not reason, "reason": reason}
        try:
            self._target.write(json.dumps(answer) + "\n")
            self._target.flush()
        except OSError:
            self.ended.emit()
        self.obeyed.emit()

    def _follow(self, message: dict[str, Any]) -> str:
        """Returns why a message is not followed, "" when it is."""
        if "autopilot" in message:
            if not isinstance(message["autopilot"], bool):
                return "autopilot: expected true or false"
            self._bout.autopilot = message["autopilot"]
            return ""
        if not self._bout.autopilot:
            return "autopilot is off"
        return self._bout.submit(action_from_json(message.get("action")), time.monotonic())
