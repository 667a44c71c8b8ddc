"""While the player walks, or something hides the fight for a moment, there is nothing to decide on."""

from dataclasses import dataclass, replace

from botapp.fight.board import distance
from botapp.tracking.situation import Situation, over
from vision.view import FightView

SETTLE_NS = 1_000_000_000
"""How long a fight that was read a moment ago may be unreadable before that is reported."""

STANDS_NS = 500_000_000
"""After this long on a cell that it has not paid MP for, the player counts as standing, not walking."""

STOOD_NS = 250_000_000
"""How long the player must be seen on a cell as its turn begins; a walking fighter stays less on each."""

_LONG_HIDDEN_NS = 1_000_000_000
"""After so long out of sight the player seen again may be walking by, also where it stood before."""


@dataclass(frozen=True, slots=True)
class _Footing:
    """Where the player stood when its AP or MP last changed."""

    numbers: tuple[int, int]  # The AP and MP since then
    cell: int  # Where it stood then
    now: int  # Where it was seen last
    since_ns: int  # Since when it is there


@dataclass(frozen=True, slots=True)
class _LastSeen:
    """Where the player was seen last."""

    cell: int | None  # Its cell, None where it never was seen
    since_ns: int  # Since when it was seen there
    seen_ns: int  # When it was seen there last
    hidden: bool = False  # Whether it was not seen in the last view
    sudden: bool = False  # Whether it was not seen before it was seen there

    @property
    def stands(self) -> bool:
        """Whether it has been seen there for longer than a walking fighter would be."""
        return self.seen_ns - self.since_ns >= STOOD_NS


class Settling:
    """Tells whether what cannot be read, or a place that was read, is likely to be another in a moment."""

    def __init__(self) -> None:
        self._understood_ns: int | None = None
        self._footing: _Footing | None = None
        self._place: _LastSeen | None = None

    def next_fight(self) -> None:
        """Forgets where the player stood as its AP or MP changed last."""
        self._footing = None

    def follow(self, view: FightView, situation: Situation, before: Situation | None) -> Situation:
        """Marks a situation as settling while a fight that was understood just now cannot be read.

        A walk, a spell's effect or a banner hides things for less than a second. A walk also shows the
        player on cells where it does not stay.

        Args:
            view: what was read, names put in.
        """
        self._place = placed(self._place, view)
        if self._walking(view, situation):
            self._understood_ns = view.captured_ns
            return replace(situation, state=None, settling=True)
        if situation.state is not None or situation.not_my_turn:
            self._understood_ns = view.captured_ns
        elif over(view):
            self._understood_ns = None
        elif self._understood_ns is not None and view.captured_ns - self._understood_ns < SETTLE_NS:
            known = before.picture if before is not None else None
            return replace(situation, settling=True, picture=situation.picture or known)
        return situation

    def _walking(self, view: FightView, situation: Situation) -> bool:
        """Tells whether the player is on its way: in another place, with the AP and MP of the one before.

        What it had then may have been hidden when the walk began. One that stands, or has paid MP for all of
        the way, has arrived.
        """
        state, now = situation.state, view.captured_ns
        if state is None or state.placing:
            self._footing = None if situation.my_turn is False else self._footing
            return False
        own, before = state.actor, self._footing
        numbers = (own.ap, own.mp)
        if before is None or before.numbers != numbers or before.cell == own.cell:
            place = self._place
            arrives = before is None
            if before is not None and place is not None:
                paid = before.numbers[1] - own.mp
                far = distance(before.cell, own.cell) > paid
                arrives = (paid <= 0 or far) if place.sudden else (paid <= 0 and far)
            if arrives and place is not None and not place.stands:
                return True
            self._footing = _Footing(numbers, own.cell, own.cell, now)
            return False
        since = before.since_ns if before.now == own.cell else now
        walks = now - since < STANDS_NS or "player" in view.remembered
        self._footing = _Footing(numbers, before.cell if walks else own.cell, own.cell, since)
        return walks


def placed(before: _LastSeen | None, view: FightView) -> _LastSeen | None:
    """Returns where the player was last seen, after one more view; what is bridged was not seen.

    In the first view it stands for long. After long out of sight it may only come by where it stood.
    """
    now, own = view.captured_ns, view.own_cell
    if before is None:
        return _LastSeen(own, now - STOOD_NS, now)
    if own is None or "player" in view.remembered:
        return replace(before, hidden=True)
    if own == before.cell and now - before.seen_ns <= _LONG_HIDDEN_NS:
        return replace(before, seen_ns=now, hidden=False)
    return _LastSeen(own, now, now, sudden=before.hidden or before.cell is None)
