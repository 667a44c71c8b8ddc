"""What the app is started with: options from the command line, the demo or a test."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botapp.advisor.decision import Decision
from botapp.host.settings import Settings

Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AppOptions:
    """How one run of the app goes.

    Attributes:
        settings: what `botapp.host.settings_file.load` gave.
        messages: what the person should know at the start (a settings file set aside, and the like).
        seconds: end by itself after this long; None runs until the person quits.
        screenshots: a folder for pictures of the app and of the whole screen; None takes none.
        screenshot_times: when to take them, in seconds after the start; each waits a little for fresh
            advice. Empty takes three, spread over `seconds`.
        play: the practice arena's autopilot: gets the fresh advice of each of the player's turns while
            "Play the advice" is on, None for a turn that is given up. Left out, it hides the switch.
        play_switched: gets each change of "Play the advice", for the arena to show.
        play_at_start: whether "Play the advice" is on from the start.
        finished: gets the figures that only the app can measure, just before `main` returns.
        tick: called once a second on the GUI thread; returning False ends the app.
        size, position: of the main window, in pixels of the screen; None takes the saved ones.
        state_dir: keeps the layout and the marker of an unclean exit; None takes the settings' folder.
        worker: makes the worker process from the settings; None takes the real one.
        held: settings that this run goes by whatever the file says, as a demo has them: a reset leaves
            them, and the class that the window's title names is not kept.
    """

    settings: Settings
    messages: tuple[str, ...] = ()
    seconds: float | None = None
    screenshots: Path | None = None
    screenshot_times: tuple[float, ...] = ()
    play: Callable[[Decision | None], object] | None = None
    play_switched: Callable[[bool], object] | None = None
    play_at_start: bool = False
    finished: Callable[[Report], object] | None = None
    tick: Callable[[], bool] | None = None
    size: tuple[int, int] | None = None
    position: tuple[int, int] | None = None
    state_dir: Path | None = None
    worker: Callable[[Settings], Any] | None = None
    held: tuple[str, ...] = ()
