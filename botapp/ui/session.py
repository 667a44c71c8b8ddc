"""What a run of the app needs of the system around it: a display, signals, and somewhere for faults to go."""

import faulthandler
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType

from botapp.host.logs import log_dir, open_private

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
