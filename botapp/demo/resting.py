"""What the app costs a player: starting, first advice, quitting, a share of a core at rest and in a fight.

`python -m botapp.demo.resting` runs the app as a player does, on a virtual screen where there is no other,
and looks at it from outside: windows by the window system, costs by the processor time of its processes.
Waiting times are of the machine as it is, busy or not; shares of a core hold on a busy one too. What is
spent on searching and thinking is measured by the worker's own clock.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
from mss import MSS
from Xlib import X, display, error
from Xlib.protocol import event

from botapp.demo.display import display as some_display
from botapp.demo.drawn_window import DrawnWindow
from botapp.host.children import tied
from botapp.host.rooms import temporary_folder
from botapp.host.statistics import percentiles
from vision.frame import bgra
from vision.synthetic.moving import DrawnMoment, frames, moments
from vision.synthetic.screen import draw_elsewhere
from vision.window import geometry, system

SCREEN = (2400, 1200)
CLIENT, CLIENT_TITLE, CLIENT_SIZE = "dofus-unity", "Dofus", (1920, 1080)
PICTURES_A_SECOND = 10
_ELSEWHERE = 97  # Seed of a drawn map of that client outside a fight
_FRAMES, _HOLD = 24, 3
_STEP_S = 5.0
_QUIET = 0.35
"""Compiling or loading the search and the model, with which a start goes on behind its window, took 0.44 of a
core or more where both cores were busy; a map costs a twentieth, a client's fight a fifth to a quarter."""
_PATIENCE_S = 60.0
_START_S = 300.0  # Compiling the search, where no code is kept yet, takes two minutes on an idle machine
_POLL_S = 0.005
_ARENA = ("arena", "--scenario", "duel", "--turn-seconds", "600", "--at", "8,32", "--size", "1280x720")
_CORNER, _PLAIN = 100, 8
"""A painted window has more different bytes than this in its corner of so many pixels."""
_APP, _OVERLAY, _GAME = "botapp - DOFUS advisor", "botapp overlay", "botapp arena"


class Unanswered(Exception):
    """Something that was waited for did not come; the text says what."""


def measure_starts(count: int, folder: Path) -> dict[str, Any]:
    """Starts and quits the app several times beside the arena, where it is the player's turn.

    The first start, which warms the caches, is left out.

    Args:
        count: how many starts are counted.

    Returns:
        "window_s", "advice_s" and "quit_s", each with its percentiles over the starts; "window_work_s" is the
        app's processor time until its window was there, which a busy machine changes little.

    Raises:
        Unanswered: a window did not come or go within a minute.
    """
    times: dict[str, list[float]] = {"window_s": [], "window_work_s": [], "advice_s": [], "quit_s": []}
    with _botapp(*_ARENA, folder=folder), closing(display.Display()) as screen:
        _until(lambda: _shown(_GAME), "the arena's window")
        for _ in range(count + 1):
            begun = time.monotonic()
            with _app("arena", folder) as app:
                times["window_s"].append(_until(lambda: _painted(_APP), "the app's window") - begun)
                times["window_work_s"].append(_processor_s(app))
                times["advice_s"].append(_until(lambda: _has_overlay(screen), "the first advice") - begun)
                times["quit_s"].append(_quit_s(app))
    return {name: percentiles(values[1:]) for name, values in times.items()}


def measure_rest(seconds: float, folder: Path) -> dict[str, float]:
    """Watches a drawn map of a client on which people move, outside a fight; returns shares of a core."""
    picture, _ = draw_elsewhere(_ELSEWHERE)
    return _beside_client([DrawnMoment(bgra(picture))], seconds, folder)


def measure_no_game(seconds: float, folder: Path) -> dict[str, float]:
    """Lets the app wait for a game that is not open; returns shares of a core."""
    with _app(CLIENT, folder) as app:
        _settle(app, time.sleep)
        return _shares(app, lambda: time.sleep(seconds))


def measure_client_fight(seconds: float, folder: Path) -> dict[str, float]:
    """Watches a drawn fight of a client, 1920x1080, whose class is not known: all but the advice."""
    return _beside_client(moments(CLIENT, _FRAMES // _HOLD, size=CLIENT_SIZE), seconds, folder)


def measure_fight(seconds: float, folder: Path) -> dict[str, float]:
    """Runs the demo, where the advice plays by itself; returns shares of a core by its report.

    Returns:
        "app", "worker" and "deciding", what the worker spends on searching and thinking; "pictures" a second.
    """
    report = folder / "report.json"
    asked = (
        "run",
        "--demo",
        "--speed",
        "1",
        "--seed",
        "3",
        "--seconds",
        str(seconds),
        "--report",
        str(report),
    )
    subprocess.run(tied(_command(*asked)), env=_environment(folder), check=True, stdout=subprocess.DEVNULL)
    written = json.loads(report.read_text("utf-8"))
    shares: dict[str, float] = dict(written["processor_share"])
    shares.pop("arena", None)
    pictures = round(written["frames_captured"] / written["seconds"], 1)
    return {**shares, "together": _together(shares), "pictures_a_second": pictures}


def _beside_client(drawn: list[DrawnMoment], seconds: float, folder: Path) -> dict[str, float]:
    pictures = [picture for picture, _ in frames(drawn, _FRAMES, _HOLD)]
    with DrawnWindow(CLIENT_TITLE, pictures) as game, _app(CLIENT, folder) as app:
        _settle(app, lambda step: game.move_for(step, PICTURES_A_SECOND))
        return _shares(app, lambda: game.move_for(seconds, PICTURES_A_SECOND))


def _settle(app: psutil.Process, wait: Callable[[float], object]) -> None:
    """Waits, a step at a time, until the app has done all that a start costs, five minutes at the longest."""
    ends = time.monotonic() + _START_S
    wait(2 * _STEP_S)  # Its processes are there by then
    while _shares(app, lambda: wait(_STEP_S))["together"] > _QUIET and time.monotonic() < ends:
        pass


def _shares(app: psutil.Process, during: Callable[[], object]) -> dict[str, float]:
    children = app.children(recursive=True)
    begun = time.monotonic()
    before = [_processor_s(process) for process in (app, *children)]
    during()
    # A process that has ended meanwhile, as the one that compiles does, is counted as it was
    after = [_processor_s(process, start) for process, start in zip((app, *children), before, strict=True)]
    took = time.monotonic() - begun
    own, *others = (end - start for start, end in zip(before, after, strict=True))
    shares = {"app": round(own / took, 4), "worker": round(sum(others) / took, 4)}
    return {**shares, "together": _together(shares)}


def _together(shares: Mapping[str, float]) -> float:
    return round(shares["app"] + shares["worker"] - shares.get("deciding", 0.0), 4)


def _processor_s(process: psutil.Process, ended: float = 0.0) -> float:
    try:
        spent = process.cpu_times()
    except psutil.NoSuchProcess:
        return ended
    return float(spent.user + spent.system)


@contextmanager
def _app(target: str, folder: Path) -> Iterator[psutil.Process]:
    with _botapp("run", folder=folder, BOTAPP_CAPTURE__TARGET=target) as process:
        yield process


@contextmanager
def _botapp(*arguments: str, folder: Path, **variables: str) -> Iterator[psutil.Process]:
    process = subprocess.Popen(
        tied(_command(*arguments)), env=_environment(folder, **variables), stdout=subprocess.DEVNULL
    )
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "botapp", *arguments]


def _environment(folder: Path, **variables: str) -> dict[str, str]:
    """Returns the environment of a run: settings of its own, no fight kept, compiled Python kept as usual."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**environment, "BOTAPP_CONFIG_DIR": str(folder), "BOTAPP_REVIEW__KEEP": "false", **variables}


def _quit_s(app: psutil.Process) -> float:
    """Closes the app's window; returns how long it took until none of its processes was left."""
    tree = [app, *app.children(recursive=True)]
    asked = time.monotonic()
    _close(_shown(_APP))
    return _until(lambda: not any(_running(process) for process in tree), "the end") - asked


def _shown(title: str) -> int | None:
    """Returns the window of this title, None where there is none on the screen."""
    return next((info.handle for info in system().list_windows() if info.title == title), None)


def _has_overlay(screen: display.Display) -> bool:
    """Tells whether the overlay is on the screen; window managers do not list it."""
    try:
        windows = screen.screen().root.query_tree().children
        overlays = [window for window in windows if window.get_wm_name() == _OVERLAY]
        return any(window.get_attributes().map_state == X.IsViewable for window in overlays)
    except error.BadWindow:  # a window has just been closed; this is asked again
        return False


def _painted(title: str) -> bool:
    handle = _shown(title)
    state = geometry(handle) if handle is not None else None
    if state is None or state.rect.width < _CORNER or state.rect.height < _CORNER:
        return False
    with MSS() as screen:
        shot = screen.grab((state.rect.x, state.rect.y, state.rect.x + _CORNER, state.rect.y + _CORNER))
    return len(set(bytes(shot.raw))) > _PLAIN


def _close(handle: int | None) -> None:
    assert handle is not None
    connection = display.Display()
    window = connection.create_resource_object("window", handle)
    protocols, delete = (connection.intern_atom(name) for name in ("WM_PROTOCOLS", "WM_DELETE_WINDOW"))
    message = event.ClientMessage(
        window=window, client_type=protocols, data=(32, [delete, X.CurrentTime, 0, 0, 0])
    )
    window.send_event(message)
    connection.sync()
    connection.close()


def _running(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _until(came: Callable[[], object], what: str) -> float:
    """Waits until something is so; returns when that was."""
    ends = time.monotonic() + _PATIENCE_S
    while not came():
        if time.monotonic() > ends:
            raise Unanswered(f"{what} did not come within {_PATIENCE_S:.0f} s")
        time.sleep(_POLL_S)
    return time.monotonic()


def main() -> None:
    """Measures all of it and prints it as JSON."""
    parser = argparse.ArgumentParser(prog="python -m botapp.demo.resting")
    parser.add_argument("--starts", type=int, default=10, help="how many starts are counted")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each share is measured")
    parser.add_argument("--only", choices=[*_MEASURES, "starts"], help="measure this alone")
    asked = parser.parse_args()
    with some_display(*SCREEN), temporary_folder("resting") as folder:
        figures: dict[str, Any] = {}
        if asked.only in (None, "starts"):
            figures["starts"] = measure_starts(asked.starts, folder)
        for name, measure in _MEASURES.items():
            if asked.only in (None, name):
                figures[name] = measure(asked.seconds, folder)
    print(json.dumps(figures, indent=2))


_MEASURES = {
    "no_game": measure_no_game,
    "rest": measure_rest,
    "fight": measure_fight,
    "client_fight": measure_client_fight,
}

if __name__ == "__main__":
    main()
