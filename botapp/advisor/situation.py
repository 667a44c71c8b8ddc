"""Hop 3: what the screen shows, with a spellbook and a bestiary, becomes a state of the rules engine.

Nothing is guessed that the advice stands on: without the own cell, the turn, HP or AP there is no state but a
reason in words. What a screen never shows is filled in from the bestiary and named in `assumed`.
`botapp.advisor.memory` carries facts over from the frame before. Next hop: `botapp.advisor.encoding`.
"""

from dataclasses import dataclass, replace

import numpy as np

from botapp.advisor.belief import follow, glimpsed
from botapp.advisor.bestiary import Bestiary
from botapp.advisor.memory import NO_MEMORY, PLAYER_ID, Memory, Sighting, board_bytes, identify, remember
from botapp.advisor.picture import Picture
from botapp.advisor.spellbook import Spellbook
from botapp.advisor.wording import sentence
from botapp.fight.damage import EROSION_PERCENT
from botapp.fight.order import turn_order
from botapp.fight.paths import reachable
from botapp.fight.rules import seen_by
from botapp.fight.sight import terrain
from botapp.fight.state import CellFlag, EffectKind, Fighter, FightMap, FightState, State
from vision.view import CellKind, FightView, Phase, Seen, SpellSlot

OWN_TEAM, OTHER_TEAM = 0, 1
NOT_MY_TURN = "It is not your turn."
_MIN_CELLS = 12
_MIN_CELL_CONFIDENCE = 0.5
_MIN_OVERLAP = 0.6
_CARD_STEP = 0.04
_FLASH_NS = 290_000_000
"""How long a spell's flash may hide what the cast has left on the board."""
_DOUBT_NS = 1_500_000_000
"""How long somebody may look like somebody else before it is believed; who is hit flinches for less."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A fight as far as one frame and the memory of those before it tell.

    Attributes:
        state: the state to think about, the player's own fighter being its actor; None without one.
        withheld: why there is no state, in words for a person; "" where there is one.
        assumed: facts about the fight that nobody has seen, in words.
        my_turn: whose turn the screen shows, None where it could not be read.
        picture: what is known of the fight, also while it is the other's turn; None where too little is.
        confidence: how sure the facts are that the advice stands on, 0..1.
        memory: what the next frame's situation takes over; of no use to others.
    """

    state: FightState | None
    withheld: str = ""
    assumed: tuple[str, ...] = ()
    my_turn: bool | None = None
    picture: FightState | None = None
    confidence: float = 1.0
    memory: Memory = NO_MEMORY

    @property
    def not_my_turn(self) -> bool:
        """Tells whether the only thing that withholds the advice is that someone else is playing."""
        return self.my_turn is False and self.state is None and self.withheld == NOT_MY_TURN


def build(
    view: FightView, spellbook: Spellbook, bestiary: Bestiary, previous: Situation | None = None
) -> Situation:
    """Builds the situation that a frame shows.

    Args:
        view: what was read off the frame.
        spellbook: the player's own sheet, slots in the order of the spell bar.
        bestiary: what is known of fighters by their looks.
        previous: the situation of the frame before, None at the start.
    """
    memory = previous.memory if previous is not None else NO_MEMORY
    my_turn = None if view.turn.value is None else view.turn.value == "mine"
    reason = _unreadable(view)
    if reason:
        return Situation(None, reason, my_turn=my_turn, memory=NO_MEMORY if _over(view) else memory)
    return _Builder(view, spellbook, bestiary, memory).build()


def _over(view: FightView) -> bool:
    """Tells whether the fight before is over; a spell's flash alone may look like one side's start cells."""
    placing = view.phase.value is Phase.PLACEMENT and {"red_start", "blue_start"} <= set(view.highlights)
    return placing or view.phase.value is Phase.NOT_FIGHT


def _unreadable(view: FightView) -> str:
    """Returns why nothing at all can be said of the fight, "" where something can."""
    phase = view.phase.value
    ground = (view.cells == CellKind.WALKABLE) | (view.cells == CellKind.OBSTACLE)
    dim = np.count_nonzero(ground) < _MIN_CELLS or view.cell_confidence < _MIN_CELL_CONFIDENCE
    reasons = (
        (phase in (None, Phase.UNKNOWN), sentence(view.reason) or "The screen cannot be read as a fight."),
        (phase is Phase.NOT_FIGHT, "There is no fight on the screen."),
        (phase is Phase.PLACEMENT, "The fight has not begun: fighters are still choosing their places."),
        (dim, "The board cannot be read well enough."),
        (
            view.player is None or view.player.cell is None,
            "Your own fighter cannot be found on the board.",
        ),
        (view.hp.value is None, "Your HP cannot be read."),
        (all(enemy.cell is None for enemy in view.enemies), "No enemy can be found on the board."),
    )
    return next((text for holds, text in reasons if holds), "")


class _Builder:
    """One pass over one view; collects what had to be assumed on its way."""

    def __init__(self, view: FightView, spellbook: Spellbook, bestiary: Bestiary, memory: Memory) -> None:
        self.view = view
        self.spellbook = spellbook
        self.bestiary = bestiary
        assert view.player is not None and view.player.cell is not None
        self.cell = view.player.cell
        self.cells = board_bytes(view, memory)
        self.memory = memory if memory.same_board(self.cells) else NO_MEMORY
        self.assumed: list[str] = []
        self.confidence = min(view.phase.confidence, view.hp.confidence, view.cell_confidence)

    def build(self) -> Situation:
        view = self.view
        my_turn = None if view.turn.value is None else view.turn.value == "mine"
        sightings = _known_again(identify(view, self.memory), self.memory.believed)
        others = tuple(self._other(s) for s in sightings if s.cell is not None)
        memory = remember(self.memory, view, self.spellbook, sightings, self.cells)
        player = self._player(memory)
        turn = view.turn_number.value or memory.turn or 1
        fighters = (player, *others)
        order = turn_order(fighters)
        fight_map = FightMap("seen", self.cells)
        playing = PLAYER_ID if my_turn is not False else next(i for i in order if i != PLAYER_ID)
        current = order.index(playing)
        picture = FightState(fight_map, fighters, order, current, turn)
        line, now_playing = self._lined_up(sightings)
        if set(line) == set(order):
            playing = playing if now_playing is None else now_playing
            picture = replace(picture, order=line, current=line.index(playing))
        if my_turn is not None and view.ap.value is not None:
            picture, memory = self._believed(picture, sightings, my_turn, memory, (line, now_playing))
        reason = ""
        if my_turn is None:
            reason = "Whose turn it is cannot be read."
        elif not my_turn:
            reason = NOT_MY_TURN
        elif view.ap.value is None:
            reason = "Your AP cannot be read."
        if reason:
            return Situation(None, reason, tuple(self.assumed), my_turn, picture, self.confidence, memory)
        self.confidence = min(self.confidence, view.turn.confidence, view.ap.confidence)
        state = self._checked(picture)
        return Situation(state, "", tuple(self.assumed), my_turn, state, self.confidence, memory)

    def _believed(
        self,
        picture: FightState,
        sightings: tuple[Sighting, ...],
        my_turn: bool,
        memory: Memory,
        lined_up: tuple[tuple[int, ...], int | None],
    ) -> tuple[FightState, Memory]:
        """Returns what is believed of the fight by this frame, and the memory with it.

        While somebody walks or is hidden, nothing is concluded from the frame; while a spell flashes, what is
        concluded is not remembered.
        """
        bars = {seen.id: seen.hp_fraction for seen in sightings if seen.hp_fraction is not None}
        glyphs = self.view.signs.get("own_glyph", frozenset()) | self.view.signs.get(
            "enemy_glyph", frozenset()
        )
        keys = dict(enumerate(spell.key for spell in self.spellbook.spells))
        usable = {
            keys[slot.index]: slot.usable.value
            for slot in self.view.spells
            if slot.index in keys and slot.usable.value is not None
        }
        shown = Picture(
            picture,
            PLAYER_ID,
            bars,
            my_turn,
            glyphs,
            self.view.shield.value,
            usable,
            shields={seen.id: seen.shield for seen in sightings if seen.shield is not None},
            traps=self.view.signs.get("trap", frozenset()),
            traps_seen=memory.traps,
            told=None if memory.log is None else memory.told,
            line=lined_up[0],
            playing=lined_up[1],
        )
        settled = replace(shown, told=shown.told and ())
        before = self.memory.believed
        if before is not None and shown == self.memory.concluded:
            return seen_by(before, OWN_TEAM), replace(memory, believed=before, concluded=shown)
        now, since = self.view.captured_ns, None
        if _disguised(before, picture):
            since = now if self.memory.doubted_ns is None else self.memory.doubted_ns
        flashing = memory.told_ns is not None and now - memory.told_ns < _FLASH_NS
        if before is None or (self._steady(before) and (since is None or now - since >= _DOUBT_NS)):
            believed = follow(before, shown)
            if flashing and before is not None:
                return seen_by(believed, OWN_TEAM), replace(memory, believed=before, concluded=None)
            return seen_by(believed, OWN_TEAM), replace(memory, believed=believed, concluded=settled, told=())
        known = seen_by(glimpsed(before, shown), OWN_TEAM)
        return known, replace(memory, believed=before, doubted_ns=since, concluded=None)

    def _lined_up(self, sightings: tuple[Sighting, ...]) -> tuple[tuple[int, ...], int | None]:
        """Returns the fighters' ids in the order of the timeline's cards, and whose card is the current one.

        Of several of a side and kind the card goes by HP, else by the order believed; with a card that is
        nobody's there is no order.
        """
        believed = self.memory.believed
        rank = {number: place for place, number in enumerate(believed.order)} if believed is not None else {}
        left = sorted((*sightings, *self.memory.lost), key=lambda s: rank.get(s.id, s.id))
        line: list[int] = []
        playing: int | None = None
        for card in self.view.order:
            if card.team == "own":
                number = PLAYER_ID
            else:
                alike = [s for s in left if (s.team, s.kind) == (card.team, card.kind)]
                if not alike:
                    return (), None
                best = min(alike, key=lambda s: _apart(s.hp_fraction, card.hp_fraction.value))
                left.remove(best)
                number = best.id
            line.append(number)
            playing = number if card.current else playing
        return tuple(line), playing

    def _steady(self, believed: FightState) -> bool:
        """Tells whether every fighter that can be seen stands on a cell, where it stood a frame before."""
        view = self.view
        before = {(seen.team, seen.cell) for seen in self.memory.sightings}
        if self.memory.cell != self.cell or any(
            (f.team, f.cell) not in before for f in (*view.allies, *view.enemies)
        ):
            return False
        standing = [
            f for f in (view.player, *view.allies, *view.enemies) if f is not None and f.cell is not None
        ]
        cards = view.fighters_shown.value
        if len(standing) < 1 + len(view.allies) + len(view.enemies) or cards is None:
            return cards is None
        cells = {fighter.cell for fighter in standing}
        hidden = sum(f.alive and f.has(State.INVISIBLE) and f.cell not in cells for f in believed.fighters)
        return len(standing) + hidden >= cards

    def _player(self, memory: Memory) -> Fighter:
        view, book = self.view, self.spellbook
        assert view.hp.value is not None
        missing: set[str] = set()
        max_hp = view.max_hp.value or memory.max_hp
        if max_hp is None:
            max_hp = max(book.max_hp, view.hp.value)
            missing.add("max_hp")
            self.assumed.append(f"your maximum HP ({max_hp})")
        ap = view.ap.value
        if ap is None:
            ap = book.base_ap
            missing.add("ap")
        mp = view.mp.value
        if mp is None:
            mp = self._mp_from_highlights()
            missing.add("mp")
            self.assumed.append(f"your MP ({mp})")
        mine = view.turn.value != "other"
        slots = view.spells if mine else tuple(replace(slot, usable=Seen()) for slot in view.spells)
        cooldowns, casts = _spell_limits(slots, book, ap, memory)
        return Fighter(
            id=PLAYER_ID,
            name=book.name,
            kind=book.key,
            team=OWN_TEAM,
            cell=self.cell,
            level=book.level,
            hp=view.hp.value,
            max_hp=max(max_hp, view.hp.value),
            ap=ap,
            mp=mp,
            base_ap=max(book.base_ap, ap),
            base_mp=max(book.base_mp, mp),
            spells=book.spells,
            stats=book.stats,
            shield=_raised_shield(book, casts) if view.shield.value is None else view.shield.value,
            cooldowns=cooldowns,
            casts=casts if view.log is None else (),
            assumed=frozenset(missing),
            player=True,
        )

    def _mp_from_highlights(self) -> int:
        """Returns the MP that the highlighted reach speaks for, 0 where nothing is highlighted."""
        lit = self.view.highlights.get("reachable", frozenset())
        if not lit:
            return 0
        ways = _reach(self.cells, self.cell, self.spellbook.base_mp + 3)
        return max((len(ways[cell]) for cell in lit if cell in ways), default=0)

    def _other(self, seen: Sighting) -> Fighter:
        known = self.bestiary.find(seen.kind, self.spellbook.level)
        missing = set(known.assumed)
        label = known.name if seen.kind is not None else f"the fighter on cell {seen.cell}"
        if seen.kind is None:
            missing.add("kind")
        if known.assumed:
            self.assumed.append(f"level, HP and spells of {label}")
        fraction = seen.hp_fraction
        if fraction is None:
            fraction = 1.0
            missing.add("hp")
            self.assumed.append(f"HP of {label} (full)")
        assert seen.cell is not None
        max_hp = _eroded(known.max_hp, fraction)
        passed = (self.view.turn_number.value or self.memory.turn or 1) - 1
        return Fighter(
            id=seen.id,
            name=known.name,
            kind=known.kind,
            team=OWN_TEAM if seen.team == "ally" else OTHER_TEAM,
            cell=seen.cell,
            level=known.level,
            hp=max(1, min(max_hp, round(fraction * max_hp))),
            max_hp=max_hp,
            eroded=known.max_hp - max_hp,
            ap=known.ap,
            mp=known.mp,
            base_ap=known.ap,
            base_mp=known.mp,
            spells=known.spells,
            stats=known.stats,
            cooldowns=tuple(
                (spell.key, spell.initial_cooldown - passed)
                for spell in known.spells
                if spell.initial_cooldown > passed
            ),
            assumed=frozenset(missing),
        )

    def _checked(self, state: FightState) -> FightState:
        """Holds the rules' reach against the highlighted one; cells not lit are closed to walking."""
        lit = self.view.highlights.get("reachable", frozenset())
        if not lit or self.view.mp.value is None:
            return state
        ours = set(reachable(state, state.actor))
        if not ours:
            return state
        shared = len(ours & lit) / len(ours | lit)
        if shared < _MIN_OVERLAP:
            self.confidence *= shared
            self.assumed.append("where you can walk (the highlighted cells do not fit your MP)")
            return state
        cells = bytearray(state.map.cells)
        for cell in ours - lit:
            cells[cell] &= ~CellFlag.WALKABLE
        if bytes(cells) == state.map.cells:
            return state
        return replace(state, map=replace(state.map, cells=bytes(cells)))


def _apart(one: float | None, other: float | None) -> int:
    """Returns how far two shares of HP are apart, in steps that a card's bar can tell; 0 in doubt."""
    return 0 if one is None or other is None else round(abs(one - other) / _CARD_STEP)


def _known_again(sightings: tuple[Sighting, ...], believed: FightState | None) -> tuple[Sighting, ...]:
    """Returns the sightings with those misread for others put right: nobody changes where it stands."""
    if believed is None:
        return sightings
    seen = {sighting.id for sighting in sightings}
    known = {fighter.id for fighter in believed.fighters}
    missing = {f.cell: f for f in believed.fighters if f.alive and f.id not in seen}

    def put_right(sighting: Sighting) -> Sighting:
        was = missing.get(sighting.cell) if sighting.cell is not None and sighting.id not in known else None
        if was is None:
            return sighting
        return replace(sighting, id=was.id, kind=was.kind, team="ally" if was.team == OWN_TEAM else "enemy")

    return tuple(sorted(map(put_right, sightings), key=lambda sighting: sighting.id))


def _disguised(believed: FightState | None, picture: FightState) -> bool:
    """Tells whether somebody new is there and one of its side is not: who is hit looks odd for a while."""
    if believed is None:
        return False
    there = {fighter.id for fighter in picture.fighters}
    missing = {f.team for f in believed.fighters if f.alive and f.id not in there}
    known = {fighter.id for fighter in believed.fighters}
    return any(f.id not in known and f.team in missing for f in picture.fighters)


def _eroded(max_hp: int, fraction: float) -> int:
    """Returns the maximum HP left to a fighter whose bar shows `fraction`, as if it had never been healed.

    Lost HP take a share of the maximum with them, so a bar shows more than what is left of the full HP.
    """
    share = EROSION_PERCENT / 100
    lost = max_hp * (1 - fraction) / (1 - share * fraction)
    return max_hp - int(share * lost)


def _raised_shield(book: Spellbook, casts: tuple[tuple[str, int], ...]) -> int:
    """Returns the shield the player gave itself this turn, in HP, where the screen does not show it."""
    cast = {key for key, _ in casts}
    return sum(
        round((effect.low + effect.high) / 2)
        for spell in book.spells
        if spell.key in cast and spell.max_range == 0
        for effect in spell.effects
        if effect.kind is EffectKind.SHIELD
    )


def _reach(cells: bytes, start: int, mp: int) -> dict[int, tuple[int, ...]]:
    """Returns a shortest path to every cell within `mp` steps on an empty board."""
    steps = terrain(cells).steps
    found: dict[int, tuple[int, ...]] = {start: ()}
    edge = [start]
    for _ in range(mp):
        further = []
        for cell in edge:
            for near in steps[cell]:
                if near not in found:
                    found[near] = (*found[cell], near)
                    further.append(near)
        edge = further
    return found


def _spell_limits(
    slots: tuple[SpellSlot, ...], book: Spellbook, ap: int, memory: Memory
) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
    """Returns the player's cooldowns and casts of this turn, the spell bar having the last word."""
    by_slot = {slot.index: slot for slot in slots}
    cooldowns: list[tuple[str, int]] = []
    casts: list[tuple[str, int]] = []
    for index, spell in enumerate(book.spells):
        slot = by_slot.get(index, SpellSlot(index))
        left = slot.cooldown.value
        if left is None:
            left = 0 if slot.usable.value else memory.cooldown_left(spell.key)
        done = [cast for cast in memory.all_casts if cast[0] == spell.key]
        if slot.usable.value is True:
            left = 0
            if spell.casts_per_turn:
                done = done[-(spell.casts_per_turn - 1) :] if spell.casts_per_turn > 1 else []
        elif slot.usable.value is False and left == 0 and ap >= spell.ap:
            if spell.casts_per_turn:
                done += [(spell.key, -1)] * max(0, spell.casts_per_turn - len(done))
            else:
                left = 1
        if left > 0:
            cooldowns.append((spell.key, left))
        casts.extend(done)
    return tuple(cooldowns), tuple(casts)
