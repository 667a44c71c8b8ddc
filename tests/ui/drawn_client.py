"""A worker over a drawn Unity window: it reads and thinks as the real one does, on the test's own thread."""

from collections import deque

import numpy as np
from ui_factories import FakeWorker, snapshot

from botapp.advisor.bare import BareAdvisor
from botapp.runtime.messages import (
    ApplySettings,
    AskFrame,
    FrameSeen,
    Relearn,
    WatchedWindow,
    WatchWindow,
    WordsRead,
)
from botapp.tracking import player_profile
from botapp.tracking.state_tracker import StateTracker
from botapp.tracking.text_log import TextLog
from vision import profiles
from vision.frame import Frame, Rect
from vision.synthetic import moving
from vision.window.titles import class_in

TITLE = "Brinka - Serrurier - 3.7.2.1 - Release"
_SEED = 4


def picture() -> np.ndarray:
    """A fight of a drawn Unity client in the player's turn: nine icons, three other fighters."""
    return moving.moments("dofus-unity", 1, seed=_SEED, size=(1280, 720))[0].picture


class DrawnWorker(FakeWorker):
    """Watches no window until one is picked; then it takes the drawn picture at each `look`."""

    pixels = None

    def __init__(self, settings) -> None:
        super().__init__(settings)
        self.text = TextLog(threaded=False)
        self.tracker = StateTracker(player_profile.load(settings).profile, self.text)
        self.watching = False
        self.taken = 0
        self.states = deque(maxlen=1)

    def send(self, message) -> None:
        super().send(message)
        if isinstance(message, ApplySettings):
            self.settings = message.settings
        if isinstance(message, WatchWindow):
            self.watching = message.handle is not None
        if isinstance(message, (ApplySettings, Relearn)):
            self.tracker.relearn(player_profile.load(self.settings).profile)
        if isinstance(message, AskFrame):
            seen = self.tracker.last_read
            words = WordsRead(self.text.reader.panel is not None, self.text.problem)
            answer = (
                FrameSeen(None, None)
                if seen is None
                else FrameSeen(seen[0].pixels[..., :3], seen[1], "", words, self.tracker.own.levels.guess)
            )
            self.deliver(answer)

    def look(self):
        """Takes the picture once more; returns a snapshot, with advice where there is a state for it."""
        window = WatchedWindow(7, TITLE, "dofus", Rect(0, 0, 1280, 720))
        if not self.watching:
            return snapshot(self.taken, window=None, view=None, advice="none")
        self.taken += 1
        patterns = profiles.load(self.settings.capture.target).titles
        self.tracker.own.game_class = class_in(TITLE, patterns)
        frame = Frame(self.pixels, Rect(0, 0, 1280, 720), self.taken, self.taken * 2_500_000_000)
        tracked = self.tracker.update(frame)
        state = tracked.state
        decision = BareAdvisor(budget_ms=50).decide(state) if state is not None else None
        self.states.append(state)
        advice = "fresh" if state is not None else "withheld"
        return snapshot(
            self.taken, window=window, view=tracked.view, state=state, decision=decision, advice=advice,
            reason=tracked.withheld, level=tracked.situation.level,
            board_confirmed=self.tracker.profile.board_confirmed(tracked.view.client),
        )  # fmt: skip
