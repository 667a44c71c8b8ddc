"""What a run of the app needs of the system around it: a display, signals, somewhere for faults to go, and a
garbage collector that keeps to the GUI thread."""

import faulthandler
import gc
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType

from PySide6.QtCore import QObject, Slot

from botapp.host.logs import log_dir, open_private
from botapp.ui.timers import timer

Fault = Callable[[type[BaseException], BaseException, TracebackType | None], object]


def display_problem(environment: Mapping[str, str], platform: str) -> str:
    """Returns why no window can be opened, with the remedy, or "". Qt itself would abort the process."""
    if not platform.startswith("linux") or environment.get("QT_QPA_PLATFORM"):
        return ""
    name = environment.get("DISPLAY")
    if not name:
        if environment.get("WAYLAND_DISPLAY"):
            return (
                "botapp needs X11 to place its overlay and to read the screen, and this Wayland session "
                "offers no XWayland. Install xwayland and log in again, or read pictures: botapp look IMAGE"
            )
        return (
            "There is no display (DISPLAY is not set). Start botapp in a desktop session, or on a virtual "
            "screen: xvfb-run botapp run"
        )
    from Xlib import display, error  # noqa: PLC0415

    try:
        display.Display(name).close()
    except (error.DisplayError, error.XError, OSError):
        return f"The display {name} does not answer. Check DISPLAY, or whether the X server runs."
    return ""


def use_x11(environment: MutableMapping[str, str]) -> None:
    """Makes Qt use XWayland in a Wayland session, where alone windows can be placed and read."""
    if environment.get("WAYLAND_DISPLAY") and environment.get("DISPLAY"):
        environment.setdefault("QT_QPA_PLATFORM", "xcb")


@contextmanager
def interrupts(end: Callable[[], object]) -> Iterator[None]:
    """Calls `end` on Ctrl+C and when the system asks the process to end, while the block runs."""

    def handle(number: int, frame: FrameType | None) -> None:
        end()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def app_fault_file() -> Path:
    """Returns the file that says where the app was when a native fault ended it."""
    return log_dir() / "app-fault.log"


@contextmanager
def native_faults() -> Iterator[None]:
    """Makes the interpreter write its stack when a native fault ends the app, while the block runs."""
    try:
        file = open_private(app_fault_file(), "w")
    except OSError:
        yield
        return
    with file:
        faulthandler.enable(file)
        try:
            yield
        finally:
            faulthandler.disable()


@contextmanager
def faults(handle: Fault) -> Iterator[None]:
    """Hands uncaught exceptions to `handle` while the block runs, those of Qt's slots too."""
    before = sys.excepthook
    sys.excepthook = handle
    try:
        yield
    finally:
        sys.excepthook = before


EVERY_MS = 500


class Collector(QObject):
    """Collects garbage as often as Python itself would, looked at twice a second, while it is started.

    Python collects on whichever thread happens to allocate. A Qt object in a cycle would then be destroyed on
    the thread that writes kept fights, say, which may lock up with the GUI thread inside Qt.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = timer(self, self.look, EVERY_MS)
        self._was_on = False

    def start(self) -> None:
        """Takes over from Python; to be called on the GUI thread."""
        self._was_on = self._was_on or gc.isenabled()
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        if self._was_on:
            self._was_on = False
            gc.enable()

    @Slot()
    def look(self) -> None:
        counts, limits = gc.get_count(), gc.get_threshold()
        due = [age for age in (2, 1, 0) if limits[age] and counts[age] > limits[age]]
        if due:
            gc.collect(due[0])
