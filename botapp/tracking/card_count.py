"""How many fighters live, by the timeline's cards: something may lie over some of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from botapp.tracking.identity import Sighting
from vision.view import FightView

_DYING_NS, _NEARLY_DEAD = 1_000_000_000, 0.25
"""How long a body is drawn after its card has gone, and the share of life that a fighter had then at most."""
_AWAY_NS = 500_000_000  # The pointer or a glow takes the timeline away for a picture or two
_SEVERAL = 2  # One card may be gone as its fighter died, two hardly are


@dataclass(frozen=True, slots=True)
class CardCount:
    """The timeline's cards as last counted."""

    shown: int | None = None  # How many there were, None where the timeline never was read
    read_ns: int | None = None  # When it was read last
    unlisted: int = 0  # How many fighters more than that were seen at once: something lies over cards
    unlisted_ns: int | None = None  # Since when that is so
    never_seen: int = 0  # How many fighters with a card were never found on the board

    def hides(self, view: FightView, cell: int | None, before: Sequence[Sighting]) -> bool:
        """Tells whether something lies over several cards: they are gone, their fighters are not.

        How many fighters live is not known then; a single card less may be one that died. Fighters that were
        never found on the board count as standing there.

        Args:
            cell: where the player stood a frame before.
            before: the others as they were then.
        """
        cards = view.fighters_shown.value
        if cards is None or self.shown is None or self.shown - cards < _SEVERAL:
            return False
        return _standing_still(view, cell, before) + self.never_seen - cards > self.unlisted

    def after(
        self,
        view: FightView,
        cell: int | None,
        before: Sequence[Sighting],
        lost_before: Sequence[Sighting],
        now: Sequence[Sighting],
        lost: Sequence[Sighting],
    ) -> "CardCount":
        """Returns the count after a view: as it was where that shows no timeline.

        The pointer or a window over the timeline hides cards, until it shows more of them again or was not
        read for a while: behind a window one of them may have died. One of little life that is gone within a
        second after its card has died. When others die, fighters never found on the board may live on: there
        are fewer of these only as fighters are found who had a card before, and never more than there are
        cards beyond the fighters in sight.

        Args:
            cell: where the player stood a frame before.
            before, lost_before: the others as they were then, and those out of sight.
            now, lost: the same in this view.
        """
        cards, now_ns = view.fighters_shown.value, view.captured_ns
        if cards is None:
            return self
        known = {old.id for old in (*before, *lost_before)}
        discovered = sum(seen.id not in known for seen in now)
        summoned = 0 if self.shown is None else max(0, cards - self.shown)
        still = self.never_seen - max(0, discovered - summoned)
        beyond = cards - 1 - len(now)
        never_seen = max(0, min(beyond, max(still, beyond - len(lost))))
        away = self.read_ns is not None and now_ns - self.read_ns > _AWAY_NS
        unlisted = 0 if away or (self.shown is not None and cards > self.shown) else self.unlisted
        since = self.unlisted_ns if unlisted else None
        more = _standing_still(view, cell, before) - cards
        soon = since is not None and now_ns - since <= _DYING_NS
        if more > unlisted:
            unlisted, since = more, now_ns
        elif soon and len(view.fighters) <= cards and _were_nearly_dead(view, before):
            unlisted, since = 0, None
        return CardCount(cards, now_ns, unlisted, since, never_seen)


def _were_nearly_dead(view: FightView, before: Sequence[Sighting]) -> bool:
    """Returns whether all who stood on the board a frame before and are gone now had hardly any life left."""
    cells = {fighter.cell for fighter in view.fighters}
    gone = [sighting for sighting in before if sighting.cell not in cells]
    return bool(gone) and all((sighting.hp_fraction or 1.0) <= _NEARLY_DEAD for sighting in gone)


def _standing_still(view: FightView, cell: int | None, before: Sequence[Sighting]) -> int:
    """Returns how many fighters stand where one stood a frame before; who walks may be seen twice."""
    stood = {cell, *(sighting.cell for sighting in before)} - {None}
    return sum(fighter.cell in stood for fighter in view.fighters)
