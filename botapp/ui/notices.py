"""What the app says unasked: faults, what the engine did about them, and a question about the board."""

import logging
import time
from collections.abc import Callable
from functools import partial
from types import TracebackType

from PySide6.QtCore import QObject, Signal, Slot

from botapp.host.message import error_text, unwritten
from botapp.runtime.messages import EngineMoved, LogLine, Relearn, Snapshot, WatchedWindow, WorkerFault
from botapp.tracking import learnt_names
from botapp.tracking.learnt_names import Learnt, LearntNames
from botapp.ui import words
from botapp.ui.bridge import Bridge
from botapp.ui.remedies import CONFIRM
from botapp.ui.translation import mark, tr, tr_counted
from botapp.ui.window import MainWindow
from vision.view import Phase

_CAUSE = "learnt"
_MOST_NAMED = 4


class LearntKeeper(QObject):
    """Keeps names as they are learnt, in a file beside the settings."""

    def __init__(
        self, window: Callable[[], MainWindow], bridge: Bridge, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._window, self._bridge = window, bridge
        bridge.learnt.connect(self.learn)
        self._waiting: list[Learnt] = []
        self._announced: list[Learnt] = []

    @Slot(object)
    def learn(self, fact: Learnt) -> None:
        """Keeps a name; it is shown with the next snapshot for which the notice is free."""
        self._keep(learnt_names.load().value.with_learnt(fact))
        self._waiting.append(fact)
        text = _words([fact])
        self._window().log.add(LogLine(logging.INFO, "botapp.ui", text, time.time()))

    def offer(self) -> None:
        """Tells what was learnt, unless the notice is taken by something else."""
        notice = self._window().notice
        busy = bool(notice.text.text()) and notice.cause != _CAUSE
        if not self._waiting or busy:
            return
        if notice.cause != _CAUSE:
            self._announced.clear()
        self._announced += self._waiting
        self._waiting.clear()
        notice.say(_words(self._announced), "info", action=(tr("Undo"), self._undo), cause=_CAUSE)

    def _undo(self) -> None:
        learnt = learnt_names.load().value
        for fact in self._announced:
            learnt = learnt.without(fact)
        self._announced.clear()
        self._keep(learnt)
        self._bridge.send(Relearn())

    def _keep(self, learnt: LearntNames) -> None:
        try:
            learnt_names.save(learnt)
        except OSError as error:
            text = tr("This could not be saved: {error}.", error=unwritten(error))
            self._window().notice.say(text, cause=_CAUSE)


def _words(learnt: list[Learnt]) -> str:
    names = list(dict.fromkeys(fact.name for fact in learnt))
    shown = ", ".join(names[-_MOST_NAMED:])
    if len(names) > _MOST_NAMED:
        more = len(names) - _MOST_NAMED
        shown = tr_counted(
            more, "{names} and {count} more", "{names} and {count} more", names=shown, count=more
        )
    return tr("Read off the screen and known from now on: {names}.", names=shown)


_log = logging.getLogger(__name__)


class Notices(QObject):
    """Says it in the window that is shown at the moment.

    Signals:
        remedy_asked: the person wants to do something about it: a `RemedyKind`.
    """

    remedy_asked = Signal(str)

    def __init__(self, window: Callable[[], MainWindow], bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._rivals_of: set[int] = set()
        self._asked_for: set[tuple[str, int, int]] = set()
        self._reason = ""
        self._learnt = LearntKeeper(window, bridge, self)
        bridge.logged.connect(self.add_line)
        bridge.faulted.connect(self.worker_fault)
        bridge.moved.connect(self.moved)

    def app_fault(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Shows an uncaught exception; has the signature of `sys.excepthook`."""
        _log.error("a fault in the app", exc_info=(kind, error, trace))
        text = tr(
            "Something went wrong in the app ({fault}). See the log file for details.",
            fault=error_text(error),
        )
        self._window().notice.say(text, "bad")
        self._log(logging.ERROR, "botapp.ui", text)

    @Slot(object)
    def add_line(self, line: LogLine) -> None:
        self._window().log.add(line)

    def _log(self, level: int, source: str, text: str) -> None:
        self.add_line(LogLine(level, source, text, time.time()))

    @Slot(object)
    def worker_fault(self, fault: WorkerFault) -> None:
        self._window().notice.say(tr(fault.text), "bad", restart=not fault.restarting, cause="worker")
        self._log(logging.ERROR, "worker", fault.text)

    @Slot(object)
    def moved(self, moved: EngineMoved) -> None:
        text = tr("The model now runs elsewhere: {story}.", story=tr(moved.text))
        self._window().notice.say(text)
        self._log(logging.WARNING, "worker", text)

    @Slot(str)
    def warn(self, text: str, cause: str = "") -> None:
        self._window().notice.say(tr(text), cause=cause)

    def offer(self, snapshot: Snapshot, target: str) -> None:
        """Takes in the newest snapshot: what it settles goes, and what it asks for is said once."""
        self._log_reason(snapshot)
        self._learnt.offer()
        notice = self._window().notice
        if snapshot.capture != "stopped":
            notice.settle("worker")
        if snapshot.window is not None:
            self._tell_rivals(snapshot.window)
        view = snapshot.view
        if view is None:
            return
        if view.phase.value is Phase.FIGHT:
            notice.settle("window")
        if view.client is None:
            return
        if not view.lattice_ambiguous:
            if view.lattice:
                notice.settle("board")
            return
        layout = (target, view.client.width, view.client.height)
        if layout not in self._asked_for:
            self._asked_for.add(layout)
            self._window().notice.say(
                tr("Is the board where botapp thinks it is? Have a look once, and confirm it."),
                action=(tr(CONFIRM), partial(self.remedy_asked.emit, "start")),
                cause="board",
            )

    def _log_reason(self, snapshot: Snapshot) -> None:
        if snapshot.advice == "fresh":
            if self._reason:
                self._log(logging.INFO, "advice", mark("There is advice again."))
            self._reason = ""
        elif snapshot.reason and snapshot.reason != self._reason and snapshot.advice != "settling":
            self._reason = snapshot.reason
            self._log(logging.INFO, "advice", words.reason(snapshot.reason))

    def _tell_rivals(self, window: WatchedWindow) -> None:
        if not window.rivals:
            self._window().notice.settle("rivals")
            self._rivals_of.discard(window.handle)
        if not window.rivals or window.handle in self._rivals_of:
            return
        self._rivals_of.add(window.handle)
        self._window().notice.say(
            tr("{count} windows of the game are open, and this one is watched.", count=window.rivals + 1),
            "info",
            action=(tr("Pick another one"), partial(self.remedy_asked.emit, "pick")),
            cause="rivals",
        )
