"""What crosses from the worker process to the app, and back. Small, picklable, no Qt.

The picture for the Vision panel does not travel here: it lies in a two-slot shared-memory buffer
(`botapp.runtime.preview`), and `Snapshot.preview_seq` says which picture belongs to the snapshot.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from botapp.advisor.decision import Decision, ScoredAction
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.host.settings import Settings
from botapp.runtime.turns import Possible, Reply, Threat, TurnOutlook, WhatIf
from botapp.tracking.learnt_names import Learnt
from botapp.tracking.levels import NO_GUESS, LevelGuess
from hrm.backends.fallback import Ladder
from vision.frame import Rect
from vision.view import FightView

CaptureState = Literal[
    "watching",
    "no-window",
    "minimised",
    "covered",
    "off-screen",
    "too-small",
    "no-fight",
    "unread",
    "paused",
    "unsupported",
    "stopped",
]
"""What the capture is doing; everything but `watching` is shown to the person with its reason.

`unread`: it cannot be told whether there is a fight.
`stopped` is the app's own word for a worker that is not running.
"""

AdviceState = Literal["fresh", "thinking", "settling", "not-my-turn", "withheld", "none"]
"""`settling`: something moves or is covered for a moment, the next advice comes once it can be read."""


@dataclass(frozen=True, slots=True)
class WatchedWindow:
    """A window that is watched. `handle` is the X11 window id or the Windows HWND.

    `rivals` counts the client's other windows, where this one was taken without being chosen.
    """

    handle: int
    title: str
    process: str
    rect: Rect
    rivals: int = 0


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """Where the advisor runs: what was asked for, what is used, and why."""

    asked: str
    backend: str
    device: str
    precision: str
    reason: str
    # What runs the model's step, torch or onnx; "search" where the search advises without a model
    engine: str = "torch"
    measures: tuple[str, ...] = ()
    level: str = ""  # How much was to be done
    left_out: tuple[str, ...] = ()  # What of that is not done here, each with the reason
    # Whether nothing need be tried here: a probe found the device to work, or it is a CPU
    probed: bool = True
    title: str = ""  # The card's own name, "" where it is not known
    # Whether the model fits into its memory, known before it is loaded; None where it is not known
    fits: bool | None = None
    room: str = ""  # The same in words, with how much it takes
    loading: bool = False  # Whether a model is on its way, while the search advises without it

    @property
    def model(self) -> bool:
        return self.engine != "search"


@dataclass(frozen=True, slots=True)
class MemoryStatus:
    """Memory in bytes and what the GPU does, in watts, degrees Celsius, 0..1 and MHz; None where unknown."""

    process_rss: int
    device_total: int | None = None
    device_used: int | None = None
    device_ours: int | None = None
    device_power_w: float | None = None
    device_temperature_c: float | None = None
    device_busy: float | None = None
    device_clock_mhz: float | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One frame's way through the worker.

    Attributes:
        captured_ns: `time.monotonic_ns()` at the grab; the age of everything in here counts from it.
        fight: counts the fights that were watched; advice holds in its own fight only.
        reason: why there is no advice, or what is wrong with the window, in words; "" when all is well.
        stages_ms: what each stage cost (capture, vision, situation, search, encode, think, decode), in order.
        reflex: the model's first answer while it thinks on, without a chance of winning; None else.
        decided_seq: the frame whose state the decision was made for (same state, no second thinking).
        turn: the best whole turns of the decision, None without one.
        threat: what the enemy at turn may do, None in other turns and where it is not known.
        level: where the player's level is from while it is not confirmed, None once it is.
        board_confirmed: whether the person has confirmed where the board is, or need not.
        sheet: where the player's sheet differs from the screen, which counts; sentences.
        clients: whose screen the picture shows in place of the watched client's, several where it may be
            either; empty while the watched one's HUD is found or no other's is.
        shown_class: key of the class that the screen itself names, "" where it names none.
        slots: where the spells of the person's own fighter are on the bar, by key, in pixels of the frame.
        picture: file name of the picture that was kept of the decision, "" for none.
        taken_back: how many own actions were taken back in this fight, as the practice arena allows.
        frames, dropped, decisions: counters since the start.
        deciding_s: processor time spent on searching and thinking since the start.
    """

    seq: int
    captured_ns: int
    sent_ns: int
    capture: CaptureState
    advice: AdviceState
    reason: str = ""
    window: WatchedWindow | None = None
    view: FightView | None = None
    state: FightState | None = None
    decision: Decision | None = None
    reflex: ScoredAction | None = None
    decided_seq: int = -1
    turn: TurnOutlook | None = None
    threat: Threat | None = None
    level: LevelGuess | None = None
    board_confirmed: bool = True
    sheet: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()
    shown_class: str = ""
    slots: tuple[tuple[str, Rect], ...] = ()
    picture: str = ""
    fight: int = 0
    taken_back: int = 0
    stages_ms: tuple[tuple[str, float], ...] = ()
    device: DeviceStatus | None = None
    memory: MemoryStatus | None = None
    preview_seq: int = -1
    frames: int = 0
    dropped: int = 0
    decisions: int = 0
    deciding_s: float = 0.0

    @property
    def confirmed(self) -> bool:
        """Tells whether board and level are confirmed; else no choice is called sure."""
        return self.board_confirmed and self.level is None


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line for the Log panel. `level` is a `logging` level."""

    level: int
    source: str
    text: str
    time_s: float


@dataclass(frozen=True, slots=True)
class WorkerFault:
    """The worker process ended or froze: what happened, in words, and whether it is being restarted."""

    text: str
    restarting: bool


@dataclass(frozen=True, slots=True)
class Busy:
    """For the watchdog: something long begins, silence of up to `limit_s` seconds is no fault."""

    limit_s: float


@dataclass(frozen=True, slots=True)
class WordsRead:
    """What the text on the screen tells by now."""

    log: bool = False
    problem: str = ""  # Why no text can be read, "" while it can


@dataclass(frozen=True, slots=True)
class FrameSeen:
    """A whole picture and what was read off it, asked for by `AskFrame`."""

    # BGR, uint8, shape (height, width, 3); boxes in `view` are places in it
    pixels: npt.NDArray[np.uint8] | None
    view: FightView | None  # As read, before the person's names are put in
    reason: str = ""  # Why there is no picture, in words; "" where there is one
    words: WordsRead = WordsRead()
    guess: LevelGuess = NO_GUESS


@dataclass(frozen=True, slots=True)
class PlanAnnounced:
    """Where the model is about to run, and where it goes on should it fail there."""

    ladder: Ladder


@dataclass(frozen=True, slots=True)
class EngineMoved:
    """The model runs elsewhere since it failed where it ran: what happened, in words."""

    text: str


FromWorker = Snapshot | LogLine | Busy | FrameSeen | PlanAnnounced | WhatIf | Possible | Reply | Learnt


@dataclass(frozen=True, slots=True)
class WatchWindow:
    """Watch this window; None goes back to looking for the profile's own title."""

    handle: int | None


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop or resume capturing and thinking."""

    paused: bool


@dataclass(frozen=True, slots=True)
class ApplySettings:
    """Take over new settings."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Stop:
    """End the worker in order."""


@dataclass(frozen=True, slots=True)
class AskFrame:
    """Answer with the last picture as a `FrameSeen`."""


@dataclass(frozen=True, slots=True)
class AskWhatIf:
    """Answer with a `WhatIf`: the outcome of casting a spell at a cell, or of walking there."""

    number: int  # Of the question; the answer has the same
    state: FightState
    best: Action
    spell: str  # The spell's key, `botapp.runtime.turns.WALK` for walking, `END` for ending the turn
    cell: int


@dataclass(frozen=True, slots=True)
class AskPossible:
    """Answer with a `Possible`: what the fighter at turn in a state can do."""

    number: int
    state: FightState


@dataclass(frozen=True, slots=True)
class AskReply:
    """Answer with a `Reply`: where a turn of the fighter at turn leads, and what the next enemy does then."""

    number: int
    state: FightState
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Relearn:
    """Read again what the person has named, calibrated or written down."""


ToWorker = (
    WatchWindow | Pause | ApplySettings | AskFrame | AskWhatIf | AskPossible | AskReply | Relearn | Stop
)
