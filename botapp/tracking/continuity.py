"""From picture to picture: who is who, in which order they play, and what is believed of the fight by now."""

from dataclasses import replace

from botapp.fight.rules import observation
from botapp.fight.spells import State
from botapp.fight.state import FightState
from botapp.tracking.belief import carried_over, follow
from botapp.tracking.identity import OWN_TEAM, PLAYER_ID, Sighting, owners
from botapp.tracking.memory import Memory
from botapp.tracking.picture import News, Picture
from botapp.tracking.spellbook import Spellbook
from vision.view import FightView

Line = tuple[tuple[int, ...], int | None]  # Fighters' ids in the order of play, and who is at turn

_FLASH_NS = 290_000_000  # How long a spell's flash may hide what the cast has left on the board
_DOUBT_NS = 1_500_000_000
"""How long a fighter may look like another before it is believed; a hit one flinches for less."""


class Continuity:
    """Holds one view against the memory of those before it."""

    def __init__(self, view: FightView, spellbook: Spellbook, memory: Memory, cell: int) -> None:
        self.view, self.spellbook, self.memory, self.cell = view, spellbook, memory, cell

    def lined_up(self, sightings: tuple[Sighting, ...]) -> Line:
        """Returns the fighters' ids in the order of the timeline's cards, and whose card is marked."""
        believed = self.memory.believed
        known = (*sightings, *self.memory.lost)
        return owners(self.view.order, known, believed.order if believed is not None else ())

    def believed(
        self,
        picture: FightState,
        sightings: tuple[Sighting, ...],
        my_turn: bool,
        memory: Memory,
        lined_up: Line,
    ) -> tuple[FightState, Memory]:
        """Returns what is believed of the fight by this view, and the memory with it.

        While a fighter walks or is hidden, nothing is concluded from the frame, unless the log has told what
        hides the missing fighter; while a spell flashes or lines of the log are yet to be read, what is
        concluded is not remembered.
        """
        shown = self._shown(picture, sightings, my_turn, memory, lined_up)
        settled = replace(shown, news=News(logged=shown.news.logged, past=shown.news.past))
        before = memory.believed
        if before is not None and replace(shown, news=replace(shown.news, stood=())) == self.memory.concluded:
            return observation(before, OWN_TEAM), replace(
                memory, concluded=shown, log=replace(memory.log, news=replace(memory.log.news, stood=()))
            )
        now, since = self.view.captured_ns, None
        if _disguised(before, picture):
            since = now if self.memory.doubted_ns is None else self.memory.doubted_ns
        flashing = memory.log.cast_ns is not None and now - memory.log.cast_ns < _FLASH_NS
        flashing |= self.view.log_behind
        learnt = replace(memory, concluded=settled, log=memory.log.concluded())
        if before is None:
            first = follow(None, shown)
            return observation(first, OWN_TEAM), replace(learnt, believed=first)
        whole = self._complete(before, memory)
        if (
            self._steady()
            and (whole or memory.log.news.casts)
            and (since is None or now - since >= _DOUBT_NS)
        ):
            believed = follow(before, shown)
            if whole or self._complete(believed, memory):
                unsure = replace(memory, concluded=None)
                learnt = replace(learnt, believed=believed)
                return observation(believed, OWN_TEAM), unsure if flashing else learnt
        known = _as_seen_last(observation(carried_over(before, shown), OWN_TEAM), memory.lost)
        return known, replace(memory, doubted_ns=since, concluded=None)

    def _shown(
        self,
        picture: FightState,
        sightings: tuple[Sighting, ...],
        my_turn: bool,
        memory: Memory,
        lined_up: Line,
    ) -> Picture:
        bars = {
            seen.id: seen.hp_fraction
            for seen in sightings
            if seen.hp_fraction is not None and not seen.old_life
        }
        own_glyphs = self.view.signs.get("own_glyph", frozenset())
        glyphs = own_glyphs | self.view.signs.get("enemy_glyph", frozenset())
        past = None if memory.log.news.casts or memory.log.recalled else self.view.log_past
        keys = dict(enumerate(spell.key for spell in self.spellbook.spells))
        usable = {
            keys[slot.index]: slot.usable.value
            for slot in self.view.spells
            if slot.index in keys and slot.usable.value is not None
        }
        return Picture(
            picture,
            PLAYER_ID,
            bars,
            my_turn,
            glyphs,
            self.view.shield.value,
            usable,
            shields={seen.id: seen.shield for seen in sightings if seen.shield is not None},
            traps=self.view.signs.get("trap", frozenset()),
            traps_seen=memory.ground.traps,
            news=replace(memory.log.news, logged=memory.log.lines is not None and past is None, past=past),
            own_glyphs=own_glyphs,
            line=lined_up[0],
            playing=lined_up[1],
        )

    def _steady(self) -> bool:
        """Tells whether everyone seen stands on a cell, where it stood a frame before."""
        before = {(seen.team, seen.cell) for seen in self.memory.sightings}
        return self.memory.own.cell == self.cell and all((f.team, f.cell) in before for f in self.view.others)

    def _complete(self, believed: FightState, memory: Memory) -> bool:
        """Tells whether each fighter with a card stands on a cell, or is believed to be invisible."""
        view = self.view
        standing = [f for f in view.fighters if f.cell is not None]
        cards = None if memory.cards.shown is None else memory.cards.shown + memory.cards.unlisted
        if len(standing) < 1 + len(view.others) or cards is None:
            return cards is None
        cells = {fighter.cell for fighter in standing}
        hidden = sum(f.alive and f.has(State.INVISIBLE) and f.cell not in cells for f in believed.fighters)
        return len(standing) + hidden >= cards


def _as_seen_last(state: FightState, lost: tuple[Sighting, ...]) -> FightState:
    """Returns the state with those out of sight on the cells where they were seen last.

    Nothing may have been concluded since they came there.
    """
    cells = {old.id: old.cell for old in lost if old.cell is not None}
    moved = {f.id for f in state.fighters if f.alive and cells.get(f.id, f.cell) != f.cell}
    if not moved:
        return state
    fighters = tuple(f.changed(cell=cells[f.id]) if f.id in moved else f for f in state.fighters)
    return state.changed(fighters=fighters)


def _disguised(believed: FightState | None, picture: FightState) -> bool:
    """Tells whether a new figure is there and one of its side is not: a hit fighter looks unlike itself."""
    if believed is None:
        return False
    there = {fighter.id for fighter in picture.fighters}
    missing = {f.team for f in believed.fighters if f.alive and f.id not in there}
    known = {fighter.id for fighter in believed.fighters}
    return any(f.id not in known and f.team in missing for f in picture.fighters)
