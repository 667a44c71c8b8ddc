"""How well states fit a picture, and all that may have been done in one.

It writes the picture down as the compiled rules read it, once for all states of a fight.
"""

from enum import IntFlag
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from botapp.fight.actions import Cast
from botapp.fight.board import CELLS, distance
from botapp.fight.core import watching as seen_as
from botapp.fight.core.capacity import numbers_of
from botapp.fight.core.compiler import array_of, decimals
from botapp.fight.core.content import ContentWriter, set_words
from botapp.fight.core.fight import MOST_SPELLS
from botapp.fight.core.packed import Parts
from botapp.fight.state import Fighter, FightState
from botapp.fight.workspace import open_workspace
from botapp.tracking.picture import Picture

HIDES = 2  # How near a fighter may hide what lies on a cell
_MOST_TRIED = MOST_SPELLS * CELLS + 2


class Tried(IntFlag):
    """What may have been done."""

    NOTHING = seen_as.NOTHING
    WALK = seen_as.A_WALK
    """The actor has walked to where it is seen; no attempt where it is there, or far from it."""
    CASTS = seen_as.CASTS
    CASTS_AND_WALK = seen_as.CASTS_AND_A_WALK  # It has cast a spell and walked then


class Attempt(NamedTuple):
    """An action that may have been done, and how well its outcome fits a picture."""

    cast: Cast | None  # The spell that the actor has cast, None where it has cast none
    walks: bool  # Whether it has (then) walked to where it is seen
    penalty: float  # How unlikely the action itself is; above 0 for a walk that the rules refuse
    mismatch: float  # How far its outcome is from the picture, see `PictureFit.mismatch`; below 1 they agree


class PictureFit:
    """Says how far states are from what a picture shows."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        seen = picture.state.fighters
        self._at = {fighter.id: fighter for fighter in seen}
        self._kinds = {fighter.kind: number for number, fighter in enumerate(seen)}
        self._cooling = _cooling(self._at.get(picture.player))
        bars = [share.get(f.id, seen_as.UNKNOWN) for f in seen for share in (picture.bars, picture.shields)]
        self._answers = decimals(len(bars) + seen_as.TRIED * _MOST_TRIED)
        self._answers[: len(bars)] = bars
        self._written: dict[tuple[int, int, int], Any] = {}

    def cell_of(self, fighter: Fighter, missing: int | None = None) -> int:
        """Returns the cell where a fighter is seen, `unseen` where it is not and one is given.

        Raises:
            KeyError: it is not seen, and none is given.
        """
        if missing is not None and fighter.id not in self._at:
            return missing
        return self._at[fighter.id].cell

    def mismatch(self, state: FightState) -> float:
        """Returns how far a state is from what the picture shows; below 1 it is what it shows."""
        return self.attempts(state, Tried.NOTHING, on=False)[0].mismatch

    def attempts(self, state: FightState, kinds: Tried, on: bool = True) -> list[Attempt]:
        """Returns what may have been done in a state: nothing, the walk, then casts by spell and cell.

        Nothing was done once the fight is over.

        Args:
            on: whether turns end until it is the one that the picture shows, which some never come to.
        """
        desk = open_workspace(state)
        count = desk.attempt(self._seen_from(desk.parts), self._answers, kinds, on)
        first = 2 * len(self.picture.state.fighters)
        numbers = iter(numbers_of(self._answers, first, seen_as.TRIED * count))
        spells = state.actor.spells
        return [
            Attempt(
                None if slot < 0 else Cast(spells[int(slot)].key, int(cell)), walks != 0, penalty, mismatch
            )
            for slot, cell, walks, penalty, mismatch in zip(*[numbers] * seen_as.TRIED, strict=True)
        ]

    def _seen_from(self, parts: Parts) -> Any:
        content, fighters = parts.book.content, parts.state.fighters
        player = next((fighter for fighter in fighters if fighter.id == self.picture.player), None)
        slots = content.slots[id(player.spells)] if player is not None else {}
        key = id(parts.book), len(content.kinds), id(slots) if slots else 0
        written = self._written.get(key)
        if written is None:
            written = self._written[key] = array_of(self._words(content, slots))
        written[seen_as.ODD_COOLDOWNS] = _cooling(player) - slots.keys() != self._cooling - slots.keys()
        return written

    def _words(self, content: ContentWriter, slots: dict[str, int]) -> list[int]:
        picture = self.picture
        usable, cooling = [seen_as.UNKNOWN] * MOST_SPELLS, [0] * MOST_SPELLS
        for key, slot in slots.items():
            usable[slot] = picture.usable.get(key, seen_as.UNKNOWN)
            cooling[slot] = key in self._cooling
        return [
            picture.state.turn,
            picture.mine,
            picture.player,
            seen_as.UNKNOWN if picture.playing is None else picture.playing,
            seen_as.UNKNOWN if picture.shield is None else picture.shield,
            picture.news.logged,
            picture.glyphs is not None,
            False,
            *usable,
            *cooling,
            *set_words(picture.traps),
            *set_words(picture.glyphs or ()),
            *set_words(chain.from_iterable(hidden_by(fighter.cell) for fighter in picture.state.fighters)),
            len(picture.state.fighters),
            *(word for fighter in picture.state.fighters for word in self._fighter_words(fighter)),
            *(self._kinds.get(kind.kind, seen_as.UNKNOWN) for kind in content.kinds),
        ]

    def _fighter_words(self, seen: Fighter) -> tuple[int, ...]:
        return seen.id, seen.cell, self._kinds[seen.kind], seen.hp, seen.ap, seen.mp, False


def _cooling(fighter: Fighter | None) -> set[str]:
    return {key for key, left in fighter.cooldowns if left} if fighter is not None else set()


@lru_cache(maxsize=CELLS)
def hidden_by(cell: int) -> frozenset[int]:
    return frozenset(near for near in range(CELLS) if distance(near, cell) <= HIDES)
