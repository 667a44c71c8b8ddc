"""A real window on a virtual screen: found, followed and grabbed, whatever happens to it."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import mss.linux.base
import numpy as np
import pytest

from vision import window
from vision.capture import Capture, CaptureError, open_capture
from vision.capture.model import GrabError
from vision.capture.region import RegionBackend
from vision.capture.x11 import Redirection
from vision.capture.x11_pixels import X11Pixels
from vision.frame import Rect
from vision.window.desktop import forget

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="X11 only"),
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed: apt-get install xvfb"),
    pytest.mark.skipif(shutil.which("openbox") is None, reason="openbox is not installed"),
]

TITLE = "botapp arena"
QUARTERS = np.array([[0x20, 0x20, 0xC0], [0x20, 0xC0, 0x20], [0xC0, 0x20, 0x20], [0x20, 0xC0, 0xC0]])


def start(*command, **options):
    quiet = {"stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    return subprocess.Popen(command, **(quiet | options))


def eventually(check, seconds=8.0):
    """Returns the first truthy answer; a virtual screen's window manager takes its time."""
    end = time.monotonic() + seconds
    while not (found := check()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


@pytest.fixture
def desktop(request, monkeypatch):
    """A virtual screen of its own (`server`); yields a function that starts programs on it."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24"]
    command += getattr(request, "param", ())
    server = start(*command, pass_fds=[writing])
    os.close(writing)
    with os.fdopen(reading) as answer:
        display = f":{answer.readline().strip()}"
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    programs = []

    def run(*command, **options):
        programs.append(start(*command, **options))
        return programs[-1]

    run.server = server
    yield run
    forget()
    for program in [*programs, server]:
        program.kill()
        program.wait()
        for pipe in (program.stdin, program.stdout):
            if pipe:
                pipe.close()


class Game:
    """The child process with the window to watch."""

    def __init__(self, run, title=TITLE):
        script = Path(__file__).with_name("xwindow.py")
        box = ("60", "80", "800", "500")
        self.process = run(
            sys.executable, str(script), title, *box, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.handle = int(self.process.stdout.readline())

    def tell(self, *words):
        self.process.stdin.write(" ".join(str(w) for w in words) + "\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def status(self):
        return window.geometry(self.handle).status

    def restored(self):
        """Asks to be shown again, which a window manager still at putting the window away passes over."""
        self.tell("map")
        return self.status() == "ok"


def shows_quarters(frame):
    h, w = frame.pixels.shape[:2]
    seen = [frame.pixels[h * y // 4, w * x // 4, :3] for y in (1, 3) for x in (1, 3)]
    return np.array_equal(seen, QUARTERS)


def grabbed(capture, size):
    def check():
        try:
            frame = capture.grab()
        except CaptureError:
            return None
        return frame if frame.pixels.shape == (size[1], size[0], 4) and shows_quarters(frame) else None

    return eventually(check)


@pytest.fixture
def managed(desktop):
    """A window manager, and no compositor yet."""
    desktop("openbox")
    assert eventually(lambda: "_NET_SUPPORTING_WM_CHECK" in root_properties()), "openbox did not start"
    return desktop


def root_properties():
    from Xlib.display import Display

    found = Display()
    try:
        return {found.get_atom_name(atom) for atom in found.screen().root.list_properties()}
    finally:
        found.close()


@pytest.mark.skipif(shutil.which("picom") is None, reason="picom is not installed")
def test_with_a_compositor_nothing_that_lies_over_the_window_is_seen(managed):
    compositor = managed("picom", "--backend", "xrender")
    game = Game(managed)
    assert eventually(window.system().composited), "picom did not start"
    found = eventually(lambda: window.find(title="ARENA"))
    assert found.handle == game.handle
    with open_capture(found.handle) as capture:
        assert grabbed(capture, (800, 500))
        assert capture.backend == "x11-window"

        game.tell("cover", 0, 0, 700, 900)
        assert eventually(lambda: game.status() == "covered")
        assert grabbed(capture, (800, 500))
        assert capture.obstacle() == ""
        game.tell("uncover")

        game.tell("move", 1300, 800)
        assert eventually(lambda: game.status() == "off-screen")
        assert grabbed(capture, (800, 500))

        game.tell("resize", 900, 620)
        frame = grabbed(capture, (900, 620))
        assert frame.rect[2:] == (900, 620)

        compositor.terminate()
        compositor.wait()
        game.tell("move", 100, 100)
        assert grabbed(capture, (900, 620))
        assert capture.backend == "x11-window"
        game.tell("cover", 0, 0, 700, 900)
        assert eventually(lambda: game.status() == "covered")
        assert shows_quarters(capture.grab())


@pytest.mark.parametrize("framed", [True, False])
def test_without_a_compositor_the_windows_own_picture_is_seen_as_well(desktop, framed):
    if framed:
        desktop("openbox")
        assert eventually(lambda: "_NET_SUPPORTING_WM_CHECK" in root_properties()), "openbox did not start"
    game = Game(desktop)
    assert eventually(lambda: window.find(title="arena"))
    for box in ((0, 0, 700, 900), (0, 0, 1600, 1000)):
        game.tell("cover", *box)
        assert eventually(lambda: game.status() == "covered")
        with open_capture(game.handle) as capture:
            assert shows_quarters(capture.grab())
            assert capture.backend == "x11-window"
            assert capture.obstacle() == ""
            game.tell("uncover")
            assert eventually(lambda: game.status() == "ok")
            game.tell("cover", *box)
            assert eventually(lambda: game.status() == "covered")
            assert shows_quarters(capture.grab())
        game.tell("uncover")
        assert eventually(lambda: game.status() == "ok")

    with open_capture(game.handle) as capture:
        for place in ((1300, 800), (-500, -200), (1580, 100)):
            game.tell("move", *place)
            assert eventually(lambda: game.status() == "off-screen")
            assert grabbed(capture, (800, 500))
        game.tell("move", 100, 100)
        for size in ((900, 620), (640, 480)):
            game.tell("resize", *size)
            assert grabbed(capture, size).rect[2:] == size
        assert capture.backend == "x11-window"


def test_a_redirected_window_is_shown_and_typed_into_as_ever(managed):
    game = Game(managed)
    assert eventually(lambda: window.find(title="arena"))
    found = window.system()
    assert eventually(lambda: _focus(found) == game.handle)
    with open_capture(game.handle) as capture, region_capture(game.handle) as screen:
        for _ in range(3):
            assert grabbed(capture, (800, 500))
            assert capture.backend == "x11-window"
            assert _focus(found) == game.handle
            assert grabbed(screen, (800, 500))
            game.tell("iconify")
            assert eventually(lambda: game.status() == "minimised")
            assert eventually(game.restored)
        assert grabbed(capture, (800, 500))
        game.tell("resize", 900, 620)
        assert grabbed(screen, (900, 620))
        capture.close()
        assert shows_quarters(screen.grab())
        assert grabbed(capture, (900, 620))
        game.process.kill()
        assert eventually(lambda: game.status() == "closed")
    other = Game(managed)
    with open_capture(other.handle) as capture:
        assert grabbed(capture, (800, 500))
        assert capture.backend == "x11-window"


def _focus(found):
    return getattr(found._display.get_input_focus().focus, "id", None)


@pytest.mark.parametrize("desktop", [("-extension", "Composite")], indirect=True)
def test_a_server_that_redirects_nothing_has_the_screen_grabbed(desktop):
    game = Game(desktop)
    assert eventually(lambda: window.find(title="arena"))
    with pytest.raises(GrabError, match="Composite"):
        Redirection(game.handle)
    with open_capture(game.handle) as capture:
        assert grabbed(capture, (800, 500))
        assert capture.backend == "screen-region"


SCREENS = {
    "30 bits": ("-screen", "0", "1600x1000x30"),
    "16 bits": ("-screen", "0", "1600x1000x16"),
    "8 bits": ("-screen", "0", "1600x1000x8"),
    "no extensions": ("-extension", "MIT-SHM", "-extension", "Composite", "-extension", "SHAPE"),
}


def connections(server):
    """Returns how many clients an X server has."""
    found = 0
    for one in Path(f"/proc/{server.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found += str(one.readlink()).startswith("socket:")
    return found


def near_quarters(pixels, tolerance):
    h, w = pixels.shape[:2]
    seen = [pixels[h * y // 4, w * x // 4, :3].astype(int) for y in (1, 3) for x in (1, 3)]
    return np.abs(np.array(seen) - QUARTERS).max() <= tolerance


@pytest.mark.parametrize("desktop", SCREENS.values(), ids=SCREENS, indirect=True)
@pytest.mark.parametrize(
    "whole_screen", [False, pytest.param(True, marks=pytest.mark.long)], ids=["window", "screen"]
)
def test_a_screen_of_any_depth_is_read_over_few_connections(desktop, whole_screen):
    game = Game(desktop)
    assert eventually(lambda: window.find(title="arena"))
    before = connections(desktop.server)
    with region_capture(game.handle) if whole_screen else open_capture(game.handle) as capture:
        frame = eventually(lambda: (f := capture.grab()).pixels.any() and f)
        assert frame.pixels.shape == (500, 800, 4)
        assert eventually(lambda: near_quarters(capture.grab().pixels, 8)), frame.pixels[100, 100]
        for _ in range(20):
            capture.grab()
        assert connections(desktop.server) <= before + 4
    assert eventually(lambda: connections(desktop.server) <= before)


def test_a_window_that_is_larger_than_its_screen_is_read_whole(desktop):
    game = Game(desktop)
    game.tell("resize", 2000, 1400)
    assert eventually(lambda: window.geometry(game.handle).rect.width == 2000)
    with open_capture(game.handle) as capture:
        assert grabbed(capture, (2000, 1400))
        assert capture.backend == "x11-window"


def test_what_cannot_be_read_leaves_no_connection_open(desktop, monkeypatch):
    game = Game(desktop)
    assert eventually(lambda: window.find(title="arena"))
    before = connections(desktop.server)
    monkeypatch.setattr(mss.linux.base, "SUPPORTED_DEPTHS", set())
    for _ in range(20):
        with region_capture(game.handle) as capture, pytest.raises(CaptureError, match="color depth"):
            capture.grab()
    assert eventually(lambda: connections(desktop.server) <= before)


def test_no_window_no_redirection(desktop):
    assert window.find(title="arena") is None
    with pytest.raises(GrabError, match="no pixmap"):
        Redirection(window.system().root)


def region_capture(handle):
    """Returns a capture that sees no more than the screen shows."""
    windows = window.system()
    return Capture(handle, windows, [lambda: RegionBackend(windows, X11Pixels(windows))])


def test_where_only_the_screen_is_seen_what_is_hidden_is_black(managed):
    game = Game(managed)
    assert eventually(lambda: window.find(title="arena"))
    with region_capture(game.handle) as capture:
        assert grabbed(capture, (800, 500))
        assert capture.backend == "screen-region"
        rect = capture.state.rect

        game.tell("cover", 0, 0, rect.x + 400, rect.y + 900)
        assert eventually(lambda: game.status() == "covered")
        frame = eventually(lambda: not (f := capture.grab()).pixels[100:400, 100:300].any() and f)
        assert np.array_equal(frame.pixels[400, 700, :3], QUARTERS[3])
        assert "covered" in capture.obstacle()
        game.tell("uncover")

        game.tell("move", 1200, 100)
        assert eventually(lambda: game.status() == "off-screen")
        frame = eventually(lambda: (f := capture.grab()).pixels[100, 100, :3].any() and f)
        assert frame.pixels.shape == (500, 800, 4)
        assert not frame.pixels[:, 500:].any()
        assert "edge" in capture.obstacle()


def test_minimised_restored_and_closed(managed):
    game = Game(managed)
    with open_capture(game.handle) as capture:
        assert grabbed(capture, (800, 500))
        game.tell("iconify")
        assert eventually(lambda: game.status() == "minimised")
        with pytest.raises(CaptureError, match="minimised"):
            capture.grab()
        assert eventually(game.restored)
        assert grabbed(capture, (800, 500))
        game.tell("resize", 200, 150)
        assert eventually(lambda: game.status() == "too-small")
        with pytest.raises(CaptureError, match="200x150"):
            capture.grab()
        game.process.kill()
        assert eventually(lambda: game.status() == "closed")
        with pytest.raises(CaptureError, match="closed"):
            capture.grab()
    assert window.find(title="arena") is None


def test_without_a_window_manager_windows_are_found_in_the_tree(desktop):
    game = Game(desktop)
    found = eventually(lambda: window.find(title="arena"))
    assert found.handle == game.handle
    assert found.rect == Rect(60, 80, 800, 500)
    assert found.process
    game.tell("cover", 60, 80, 400, 500)
    assert eventually(lambda: window.geometry(game.handle).covered == pytest.approx(0.5))
    own = window.geometry(game.handle, ignore_pids=[game.process.pid])
    assert own.status == "ok"


def test_the_apps_own_windows_are_not_offered(managed):
    Game(managed, "botapp")
    game = Game(managed)
    assert eventually(lambda: window.find(title="botapp"))
    assert [info.handle for info in window.list_windows()] == [game.handle]


def test_a_display_that_goes_away_is_a_state(desktop):
    game = Game(desktop)
    with open_capture(game.handle) as capture:
        assert grabbed(capture, (800, 500))
        desktop.server.kill()
        desktop.server.wait()
        with pytest.raises(CaptureError) as error:
            capture.grab()
        assert error.value.status == "closed" and "went away" in str(error.value)
    with pytest.raises(window.UnsupportedSession, match="does not answer"):
        window.find(title="arena")
