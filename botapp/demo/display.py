"""A display to run on: the one there is, or a virtual one with a small window manager and a compositor.

Without a compositor a translucent overlay is black, so it has to be cut to bare shapes.
"""

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from botapp.host.children import tied
from botapp.host.rooms import temporary_folder

PROGRAMS = {"Xvfb": "xvfb", "openbox": "openbox", "picom": "picom"}
READY_S = 30.0
_POLL_S = 0.05


class NoDisplay(Exception):
    """There is no display and none can be made; the text says what to install."""


def has_display(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> bool:
    env = os.environ if environ is None else environ
    return not platform.startswith("linux") or bool(env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"))


def missing_packages() -> list[str]:
    """Returns the Debian packages that a virtual display still needs."""
    return [package for program, package in PROGRAMS.items() if shutil.which(program) is None]


@contextmanager
def display(width: int = 1920, height: int = 1200, compositor: bool = True) -> Iterator[str | None]:
    """Makes sure that windows can be opened while the block runs.

    Args:
        width: of the virtual screen, in pixels.
        height: of the virtual screen, in pixels.

    Yields:
        The name of the virtual display, None when the real one is used.

    Raises:
        NoDisplay: there is none, and programs for a virtual one are missing or do not start.
    """
    if has_display():
        yield None
        return
    missing = missing_packages()
    if missing:
        raise NoDisplay(
            "There is no display, and a virtual one needs packages that are not installed. Run:\n"
            f"    sudo apt-get install --no-install-recommends {' '.join(missing)}"
        )
    with ExitStack() as stack:
        if not os.environ.get("XDG_RUNTIME_DIR"):
            folder = stack.enter_context(temporary_folder("runtime"))
            stack.enter_context(_variable("XDG_RUNTIME_DIR", str(folder)))
        name = start_server(stack, width, height)
        stack.enter_context(_variable("DISPLAY", name))
        start_program(stack, ["openbox", "--sm-disable"])
        wait_for("openbox", lambda: root_has("_NET_SUPPORTING_WM_CHECK"))
        if compositor:
            stack.enter_context(compositing())
        yield name


@contextmanager
def compositing() -> Iterator[None]:
    """Runs a compositor on the virtual display while the block runs.

    Raises:
        NoDisplay: it does not start.
    """
    with ExitStack() as stack:
        start_program(stack, ["picom", "--backend", "xrender", "--config", os.devnull])
        wait_for("picom", lambda: owned("_NET_WM_CM_S0"))
        yield


def start_server(stack: ExitStack, width: int, height: int) -> str:
    """Starts Xvfb on a number of its own choice; returns the display's name."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-dpi", "96"]
    command += ["-nolisten", "tcp", "-noreset"]
    try:
        start_program(stack, command, pass_fds=(writing,))
        os.close(writing)
        number = _first_line(reading)
    finally:
        os.close(reading)
    if not number:
        raise NoDisplay("The virtual display (Xvfb) does not start. Try `Xvfb :99` in a terminal to see why.")
    return f":{number}"


def _first_line(pipe: int) -> str:
    """Reads up to the line's end: the server writes the number and the end apart, and minds a closed pipe."""
    text = b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([pipe], [], [], READY_S)
        read = os.read(pipe, 16) if ready else b""
        if not read:
            return ""
        text += read
    return text.decode().strip()


def start_program(stack: ExitStack, command: list[str], pass_fds: tuple[int, ...] = ()) -> None:
    process = subprocess.Popen(
        tied(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=pass_fds,
        start_new_session=True,
    )
    stack.callback(_end, process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_for(program: str, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + READY_S
    while not ready():
        if time.monotonic() > deadline:
            raise NoDisplay(
                f"{program} does not start on the virtual display. Try it in a terminal to see why."
            )
        time.sleep(_POLL_S)


def root_has(name: str) -> bool:
    from Xlib import X  # noqa: PLC0415
    from Xlib import display as xdisplay  # noqa: PLC0415

    connection = xdisplay.Display()
    try:
        atom = connection.intern_atom(name)
        return connection.screen().root.get_full_property(atom, X.AnyPropertyType) is not None
    finally:
        connection.close()


def owned(name: str) -> bool:
    """Tells whether a program owns a selection, which is how a compositor says that it is there."""
    from Xlib import X  # noqa: PLC0415
    from Xlib import display as xdisplay  # noqa: PLC0415

    connection = xdisplay.Display()
    try:
        return bool(connection.get_selection_owner(connection.intern_atom(name)) != X.NONE)
    finally:
        connection.close()


@contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
