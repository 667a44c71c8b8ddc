"""Whose portrait a new card of the timeline shows: that of what was just called, as the log tells it."""

from collections import deque
from dataclasses import dataclass

from botapp.tracking.names import Names
from vision.signature import SAME, likeness
from vision.view import FightView

_WITHIN_NS = 2_500_000_000
_KEPT = 64


@dataclass(frozen=True, slots=True)
class _Call:
    """Something that was called: its key, its name, and when the line was first seen."""

    key: str
    name: str
    at_ns: int


class SummonNamer:
    """Follows the timeline of one window."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._new: list[tuple[str, int]] = []
        self._seen: deque[str] = deque(maxlen=_KEPT)

    def forget(self) -> None:
        """Takes the next picture for the first one of another window."""
        self._calls, self._new = [], []
        self._seen.clear()

    def called(self, key: str, name: str, at_ns: int) -> None:
        self._calls.append(_Call(key, name, at_ns))

    def follow(self, view: FightView, names: Names) -> tuple[str, str, str] | None:
        """Returns the portrait of a card that came with the one call of late, its key and its name.

        None where several came or were called, where the portrait has a name, or before anything was seen.
        """
        late = view.captured_ns - _WITHIN_NS
        shown = [card.portrait for card in view.timeline if card.portrait]
        fresh = [one for one in shown if all(likeness(one, old) < SAME for old in self._seen)]
        if self._seen:
            self._new += [(one, view.captured_ns) for one in fresh]
        self._seen.extend(fresh)
        self._new = [one for one in self._new if one[1] >= late]
        self._calls = [call for call in self._calls if call.at_ns >= late]
        if not self._calls or not self._new:
            return None
        calls, new = self._calls, self._new
        self._calls, self._new = [], []
        if len(calls) != 1 or len(new) != 1 or names.find("portraits", new[0][0]) is not None:
            return None
        return new[0][0], calls[0].key, calls[0].name
