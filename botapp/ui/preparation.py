"""What is done beside the app at its start, while the engine runs as it can.

The search is compiled for this computer, once, by a process of low priority; a card that nothing is known of
is tried once; what the pages need when they are first opened is read ahead.
"""

import json
import logging
from collections.abc import Mapping
from importlib import import_module
from threading import Thread
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QProgressBar, QWidget

from botapp.content.knowledge.base import knowledge
from botapp.host.licences import dependencies
from botapp.host.settings import Settings
from botapp.runtime import first_start
from botapp.runtime.messages import DeviceStatus
from botapp.ui.settings.child import Child
from botapp.ui.translation import mark, tr
from vision import profiles

PREPARING = mark(
    "The search is being prepared for this computer, which takes about a minute, once only. "
    "Until then the advice looks less far."
)
PREPARING_AGAIN = mark(
    "The code that was compiled for this computer is damaged: it is thrown away and made again, which takes "
    "about a minute. Until then the advice looks less far."
)
COMMAND = ("-m", "botapp", "compile", "--json", "--background")

_MINUTES_FROM_S = 120  # From here on minutes say enough: the estimate is no better


class Preparation(QObject):
    """Prepares it at most once a run, where that is still to be done.

    Signals:
        progressed: how far it has come, 0..1, and the seconds left (None while unknown).
        ready: the engine should be started again.
        failed: why it cannot be prepared, in the person's language.
    """

    progressed = Signal(float, object)
    ready = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reason = PREPARING
        self._running = False
        self.child = Child(self)
        self.child.progressed.connect(self._hear)
        self.child.answered.connect(self._answered)
        self.child.failed.connect(self._failed)

    def start(self) -> None:
        """Begins, unless the search is ready or is to stay as it is."""
        if not first_start.pending():
            return
        self.reason = PREPARING_AGAIN if first_start.damaged() else PREPARING
        self._running = True
        self.progressed.emit(0.0, None)
        self.child.ask(*COMMAND)

    @property
    def running(self) -> bool:
        return self._running

    def close(self) -> None:
        """Ends what is running; it begins anew at the next start."""
        self.child.close()

    @Slot(str)
    def _hear(self, line: str) -> None:
        try:
            message = json.loads(line)
            self.progressed.emit(float(message["share"]), message["seconds_left"])
        except (ValueError, KeyError, TypeError):
            return

    @Slot(object)
    def _answered(self, answer: Mapping[str, Any]) -> None:
        self._running = False
        if answer.get("ready"):
            first_start.end()
            self.ready.emit()
        else:
            self.failed.emit(tr(str(answer.get("why", ""))))

    @Slot()
    def _failed(self) -> None:
        self._running = False
        self.failed.emit(
            tr(
                "The search could not be prepared for this computer, so the advice looks less far. "
                "`botapp compile` in a terminal says why."
            )
        )


class PreparationBar(QProgressBar):
    """How far the preparation has come, in the status bar; hidden where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(0, 1000)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setToolTip(tr(PREPARING))
        self.setAccessibleName(tr("Preparing the search"))
        self.hide()

    def show_progress(self, share: float, seconds_left: float | None) -> None:
        """Shows how far it has come, 0..1, and how many seconds are left if that is known."""
        self.setValue(round(1000 * share))
        percent = min(99, int(100 * share))
        text = tr("Preparing the search: {percent} %", percent=percent)
        if seconds_left is not None and seconds_left >= _MINUTES_FROM_S:
            minutes = round(seconds_left / 60)
            text = tr("Preparing the search: {percent} %, {minutes} min", percent=percent, minutes=minutes)
        elif seconds_left is not None and seconds_left >= 1:
            text = tr("Preparing the search: {percent} %, {seconds} s", percent=percent, seconds=seconds_left)
        self._say(text)

    def show_loading(self) -> None:
        """Shows that the search is prepared and the engine loads it, until `hide`."""
        self.setValue(990)  # a busy bar, of no range, would show no text
        self._say(tr("Prepared: the engine loads it"))

    def _say(self, text: str) -> None:
        self.setFormat(text)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance(text) + 24)
        self.show()


PROBE = ("-m", "hrm.backends", "probe", "--json")


class FirstProbe(QObject):
    """Tries a card that nothing is known of, at most once a run; what is found is kept.

    Signals:
        reported: what happens, in the person's language.
        found: the engine should be started again.
    """

    reported = Signal(str)
    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tried = False
        self.child = Child(self)
        self.child.answered.connect(self._answered)

    def offer(self, device: DeviceStatus | None) -> None:
        """Notes the engine's device; starts a probe if nothing is known of it."""
        if device is None or device.probed or self._tried:
            return
        self._tried = True
        self.reported.emit(tr("This card is being tested, once only. The engine restarts when that is done."))
        self.child.ask(*PROBE)

    def close(self) -> None:
        self.child.close()

    @Slot(object)
    def _answered(self, answer: Mapping[str, Any]) -> None:
        proved = answer.get("proved", {}) if isinstance(answer, dict) else {}
        cards = ", ".join(f"{device}: {best}" for device, best in proved.items() if device != "cpu")
        self.reported.emit(
            tr("The card was tested: {found}. The engine restarts with it.", found=cards or "–")
        )
        self.found.emit()


_log = logging.getLogger(__name__)


def read_ahead(settings: Settings) -> Thread:
    """Reads the knowledge base, the watched client's profile, the licences and what draws plots, in a thread.

    Each would hold up the window for 60 to 150 ms at the click that opens a page.
    """
    thread = Thread(target=_read, args=(settings.capture.target,), name="read-ahead", daemon=True)
    thread.start()
    return thread


def _read(target: str) -> None:
    plots = "botapp.ui.widgets.plot_area"
    for read in (knowledge, lambda: profiles.load(target), dependencies, lambda: import_module(plots)):
        try:
            read()
        except Exception:  # the page that needs it says so
            _log.debug("reading ahead failed", exc_info=True)
