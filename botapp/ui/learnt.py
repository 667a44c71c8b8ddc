"""Keeps the names that the words on the screen have told, says so once, and undoes them where asked."""

import logging
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from botapp.host.message import unwritten
from botapp.runtime.messages import LogLine, Relearn
from botapp.tracking import learnt_names
from botapp.tracking.learnt_names import Learnt, LearntNames
from botapp.ui.bridge import Bridge
from botapp.ui.translation import counted, tr
from botapp.ui.window import MainWindow

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
        self._told: list[Learnt] = []

    @Slot(object)
    def learn(self, one: Learnt) -> None:
        """Keeps a name; it is shown with the next snapshot for which the notice is free."""
        self._keep(learnt_names.load().value.with_learnt(one))
        self._waiting.append(one)
        text = _words([one])
        self._window().add_line(LogLine(logging.INFO, "botapp.ui", text, time.time()))

    def offer(self) -> None:
        """Tells what was learnt, unless the notice is taken by something else."""
        notice = self._window().notice
        busy = bool(notice.text.text()) and notice.cause != _CAUSE
        if not self._waiting or busy:
            return
        if notice.cause != _CAUSE:
            self._told.clear()
        self._told += self._waiting
        self._waiting.clear()
        notice.say(_words(self._told), "info", action=(tr("Undo"), self._undo), cause=_CAUSE)

    def _undo(self) -> None:
        """Forgets what was told last, and does not learn it again."""
        learnt = learnt_names.load().value
        for one in self._told:
            learnt = learnt.without(one)
        self._told.clear()
        self._keep(learnt)
        self._bridge.send(Relearn())

    def _keep(self, learnt: LearntNames) -> None:
        try:
            learnt_names.save(learnt)
        except OSError as error:
            text = tr("This could not be saved: {error}.", error=unwritten(error))
            self._window().notice.say(text, cause=_CAUSE)


def _words(learnt: list[Learnt]) -> str:
    """Returns what was learnt, the newest last; of many the newest alone."""
    names = list(dict.fromkeys(one.name for one in learnt))
    shown = ", ".join(names[-_MOST_NAMED:])
    if len(names) > _MOST_NAMED:
        more = len(names) - _MOST_NAMED
        shown = tr(
            counted(more, "{names} and {count} more", "{names} and {count} more", names=shown, count=more)
        )
    return tr("Read off the screen and known from now on: {names}.", names=shown)
