"""Whether the overlay shows the advice, a small reason, or nothing, and how solid. No Qt in here.

It is fed with what each snapshot says and asked at any later time, so that advice fades even when no
snapshot comes any more.
"""

from dataclasses import dataclass
from typing import Literal

from botapp.runtime.messages import AdviceState, CaptureState

FADE_MS = 600
REASON_AFTER_MS = 500

Mode = Literal["hidden", "blank", "advice", "reason"]


@dataclass(frozen=True, slots=True)
class WindowFacts:
    """What one snapshot says to the overlay; `captured_ns` is on the clock of `time.monotonic_ns()`."""

    capture: CaptureState
    advice: AdviceState
    captured_ns: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OverlayLook:
    """What to show: the advice, only the reason, or nothing; `opacity` is 0..1.

    Nothing is "hidden" where there is no game to lie over, and "blank" between two advices of a fight: a
    window that stays where it is can be painted at once, one that comes back waits for the window system.
    """

    mode: Mode
    opacity: float = 0.0
    reason: str = ""


HIDDEN, BLANK = OverlayLook("hidden"), OverlayLook("blank")


class Visibility:
    """The overlay's state: the person's switch, the game's window, the advice and its age.

    Attributes:
        stale_after_ms: advice older than this fades out within `FADE_MS`.
    """

    def __init__(self, stale_after_ms: int = 1500, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self.stale_after_ms = stale_after_ms
        self._facts: WindowFacts | None = None
        self._reason_since_ns = 0

    def feed(self, facts: WindowFacts) -> None:
        """Takes in the newest snapshot's facts; one older than the last is passed over."""
        before = self._facts
        if before is not None and facts.captured_ns < before.captured_ns:
            return
        if before is None or before.advice != facts.advice or before.capture != facts.capture:
            self._reason_since_ns = facts.captured_ns
        self._facts = facts

    def clear(self) -> None:
        self._facts = None

    def look(self, now_ns: int) -> OverlayLook:
        """Returns what to show at a time of `time.monotonic_ns()`."""
        facts = self._facts
        if not self.enabled or facts is None or facts.capture != "watching":
            return HIDDEN
        opacity = self._opacity((now_ns - facts.captured_ns) / 1e6)
        if opacity <= 0:
            return HIDDEN
        if facts.advice == "fresh":
            return OverlayLook("advice", opacity)
        lasted_ms = (now_ns - self._reason_since_ns) / 1e6
        if facts.advice == "not-my-turn" or lasted_ms < REASON_AFTER_MS or not facts.reason:
            return BLANK
        return OverlayLook("reason", opacity, facts.reason)

    def _opacity(self, age_ms: float) -> float:
        faded = (age_ms - self.stale_after_ms) / FADE_MS
        return max(0.0, min(1.0, 1.0 - faded))
