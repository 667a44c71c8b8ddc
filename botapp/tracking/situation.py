"""What the screen shows, with a spellbook and a bestiary, becomes a state of the rules engine.

Without the own cell, the turn, HP or AP there is no state, but a reason in words. What a screen never shows
is filled in from the bestiary and named in `assumed`. `botapp.tracking.memory` carries facts over from the
frame before.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from botapp.fight.order import turn_order
from botapp.fight.ranges import reachable
from botapp.fight.spells import State
from botapp.fight.state import CellFlag, FightMap, FightState
from botapp.host.message import say
from botapp.tracking.bestiary import Bestiary
from botapp.tracking.continuity import Continuity
from botapp.tracking.doubts import (
    FEWEST_SHARED,
    contradiction,
    floor_on_the_way,
    lit_for_walking,
    painted_over,
    ways_to_lit,
)
from botapp.tracking.fighters import FighterBuilder
from botapp.tracking.ground import goes_on
from botapp.tracking.identity import PLAYER_ID, identified
from botapp.tracking.levels import LevelGuess
from botapp.tracking.memory import Memory, remember
from botapp.tracking.placing import choosing
from botapp.tracking.spellbook import Spellbook
from vision.view import CellKind, FightView, Phase, Seen

NOT_MY_TURN = say("It is not your turn.")
PLACING = say("The fight has not begun: fighters are still choosing their places.")
_MIN_CELLS, _MIN_CELL_CONFIDENCE = 12, 0.5
"""With fewer cells of ground, or less sure ones, the board is covered or dimmed. Set by hand; a
confidence of 0.25 and of 0.7 change no state of 12 films."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A fight as far as one frame and the memory of those before it tell."""

    # The state to think about, the player's own fighter being its actor; None without one
    state: FightState | None
    withheld: str = ""  # Why there is no state, in words for a person; "" where there is one
    assumed: tuple[str, ...] = ()  # Facts about the fight that were not seen, in words
    my_turn: bool | None = None  # Whose turn the screen shows, None where it could not be read
    # What is known of the fight, also while it is the other's turn; None where too little is
    picture: FightState | None = None
    confidence: float = 1.0  # How sure the facts are that the advice stands on, 0..1
    memory: Memory = field(
        default_factory=Memory
    )  # What the next frame's situation takes over; of no use to others
    # Whether what withholds the state is likely to pass by itself: a fighter walks, or an effect covers what
    # has to be read
    settling: bool = False
    # Where the player's level is from while the player has not confirmed it, None once it is
    level: LevelGuess | None = None
    sheet: tuple[str, ...] = ()  # Where the player's sheet differs from the screen, which counts; sentences
    shown_class: str = ""  # Key of the class that the screen itself names, "" where it names none

    @property
    def not_my_turn(self) -> bool:
        """Tells whether the only thing that withholds the advice is that someone else is playing."""
        return self.my_turn is False and self.state is None and self.withheld == NOT_MY_TURN


def build(
    view: FightView, spellbook: Spellbook, bestiary: Bestiary, previous: Situation | None = None
) -> Situation:
    """Builds the situation that a frame shows.

    Args:
        spellbook: the player's own sheet, slots in the order of the spell bar.
        previous: the situation of the frame before, None at the start.
    """
    memory = previous.memory if previous is not None else Memory()
    memory = replace(memory, life=memory.life.after(view))
    most = view.max_hp.value or memory.own.max_hp or spellbook.max_hp
    view, assumed = memory.life.filled_in(view, most)
    my_turn = None if view.turn.value is None else view.turn.value == "mine"
    if view.phase.value is Phase.PLACEMENT:
        return _before(view, spellbook, bestiary, memory, my_turn)
    reason = _unreadable(view, memory)
    if reason:
        others_play = my_turn is False or (my_turn is None and not memory.own.mine)
        unwatched = replace(memory, unwatched=memory.unwatched or (others_play and bool(memory.ground.cells)))
        return Situation(
            None, reason, my_turn=my_turn, memory=memory.next_fight() if over(view) else unwatched
        )
    builder = _Builder(view, spellbook, bestiary, memory)
    builder.assumed += assumed
    return builder.build(my_turn)


def _before(
    view: FightView, spellbook: Spellbook, bestiary: Bestiary, memory: Memory, my_turn: bool | None
) -> Situation:
    """Returns the situation while places are chosen; in the middle of a fight that is but a flash."""
    if memory.own.number is not None and not over(view):
        return Situation(None, PLACING, my_turn=my_turn, memory=memory)
    memory = memory.next_fight() if over(view) else memory
    shown = view.fighters_shown.value or memory.cards.shown
    memory = replace(memory, cards=replace(memory.cards, shown=shown))
    problem = _unreadable(view, memory)
    state = None if problem else choosing(view, spellbook, bestiary, memory)
    if not problem and state is None:
        problem = say("It is not clear which start cells are yours.")
    reason = say("The fight has not begun. No advice on your place yet: {problem}", problem=problem)
    if problem or my_turn is False:
        return Situation(None, NOT_MY_TURN if not problem else reason, my_turn=my_turn, memory=memory)
    confidence = min(view.phase.confidence, view.hp.confidence, view.cell_confidence)
    return Situation(state, "", (), my_turn, state, confidence, memory)


def over(view: FightView) -> bool:
    """Tells whether the fight before is over; a spell's flash alone may look like one side's start cells."""
    placing = view.phase.value is Phase.PLACEMENT and {"red_start", "blue_start"} <= set(view.highlights)
    return placing or (view.phase.value is Phase.NOT_FIGHT and not view.hud_hidden)


def _unreadable(view: FightView, memory: Memory) -> str:
    """Returns why nothing at all can be said of the fight, "" where something can.

    An enemy that was known and still has a card may be invisible: it need not be on the board.
    """
    phase = view.phase.value
    ground = (view.cells == CellKind.WALKABLE) | (view.cells == CellKind.OBSTACLE)
    dim = np.count_nonzero(ground) < _MIN_CELLS or view.cell_confidence < _MIN_CELL_CONFIDENCE
    standing = 1 + sum(fighter.cell is not None for fighter in view.others)
    hidden = memory.believed is not None and (view.fighters_shown.value or 0) > standing
    lonely = all(enemy.cell is None for enemy in view.enemies) and not hidden
    reasons = (
        (view.played == "summon", say("It is your summon's turn.")),
        (
            view.played == "unsure",
            say(
                "It may be your summon's turn: your own card is known once it was the only one of your side."
            ),
        ),
        (phase in (None, Phase.UNKNOWN), view.reason or say("No fight can be read from the screen.")),
        (phase is Phase.NOT_FIGHT, say("There is no fight on the screen.")),
        (dim, say("The board cannot be read well enough.")),
        (view.own_cell is None, say("Your own fighter cannot be found on the board.")),
        (view.hp.value is None, say("Your HP cannot be read.")),
        (lonely, say("No enemy can be found on the board.")),
    )
    return next((text for holds, text in reasons if holds), "")


def _out_of_sight(picture: FightState, memory: Memory) -> bool:
    """Tells whether a living fighter may have walked since it was seen last; invisible ones are known to."""
    strayed = {old.id for old in memory.lost if old.strayed}
    return any(f.alive and f.id in strayed and not f.has(State.INVISIBLE) for f in picture.fighters)


def _miscounted(view: FightView, picture: FightState, memory: Memory) -> bool:
    """Tells whether the timeline shows more fighters than are known to live, or fewer while one is not seen.

    One of these is dead then, and it is not known which; one that was never seen may live on in its place.
    While the timeline cannot be read, a fighter that is not seen any more may be hidden or dead, and one that
    the timeline showed before may never have been seen.
    """
    known = {fighter.id for fighter in picture.fighters if fighter.alive}
    cards = memory.cards
    if cards.shown is None:
        return False
    lost = any(old.id in known for old in memory.lost)
    if view.fighters_shown.value is None:
        hidden = {f.id for f in picture.fighters if f.has(State.INVISIBLE)}
        return cards.shown > len(picture.fighters) or any(old.id in known - hidden for old in memory.lost)
    living = len(known) + cards.never_seen
    return cards.shown > len(known) or (lost and cards.shown + cards.unlisted < living)


class _Builder:
    """One pass over one view; collects what had to be assumed on its way."""

    def __init__(self, view: FightView, spellbook: Spellbook, bestiary: Bestiary, memory: Memory) -> None:
        self.view = view
        self.spellbook = spellbook
        own = view.own_cell
        assert own is not None
        self.cells = memory.ground.read(view, memory.sightings)
        if view.turn.value == "mine" and view.mp.value is not None:
            self.cells = floor_on_the_way(view, self.cells, own, view.mp.value, memory.ground.always_lit)
        same = memory.ground.is_same(self.cells) or goes_on(view, memory.sightings)
        self.memory = memory if same else memory.next_fight()
        if self.memory.cards.hides(view, self.memory.own.cell, self.memory.sightings):
            self.view = view = replace(view, timeline=(), fighters_shown=Seen())
        self.builder = FighterBuilder(view, spellbook, bestiary, self.memory, self.cells)
        self.assumed = self.builder.assumed
        self.continuity = Continuity(view, spellbook, self.memory, own)
        self.confidence = min(view.phase.confidence, view.hp.confidence, view.cell_confidence)

    def build(self, my_turn: bool | None) -> Situation:
        view, before = self.view, self.memory
        sightings = identified(view, (*before.sightings, *before.lost), before.believed)
        others = tuple(self.builder.not_own(s) for s in sightings if s.cell is not None)
        line, now_playing = self.continuity.lined_up(sightings)
        memory = remember(self.memory, view, self.spellbook, sightings, self.cells, now_playing)
        player = self.builder.player(memory)
        turn = view.turn_number.value or memory.own.number or 1
        fighters = (player, *others)
        order = turn_order(fighters)
        fight_map = FightMap("seen", self.cells)
        others_turn = my_turn is False and len(order) > 1
        playing = next(i for i in order if i != PLAYER_ID) if others_turn else PLAYER_ID
        current = order.index(playing)
        picture = FightState(fight_map, fighters, order, current, turn)
        if set(line) == set(order):
            playing = playing if now_playing is None else now_playing
            picture = replace(picture, order=line, current=line.index(playing))
        if my_turn is not None and view.ap.value is not None:
            picture, memory = self.continuity.believed(
                picture, sightings, my_turn, memory, (line, now_playing)
            )
        reason = ""
        if my_turn is None:
            reason = say("It cannot be read whose turn it is.")
        elif not my_turn:
            reason = NOT_MY_TURN
        elif view.ap.value is None:
            reason = say("Your AP cannot be read.")
        elif view.mp.value is None and self.builder.mp_by_reach() is None:
            reason = say(
                "Your MP cannot be read. Where the cells that you can walk to are lit, they tell as well."
            )
        elif _out_of_sight(picture, memory) or _miscounted(view, picture, memory):
            reason = say("A fighter is out of sight: the board does not show all those on the timeline.")
        if reason:
            return Situation(None, reason, tuple(self.assumed), my_turn, picture, self.confidence, memory)
        self.confidence = min(self.confidence, view.turn.confidence, view.ap.confidence)
        state = self._checked(picture, memory.ground.always_lit)
        if reason := contradiction(view, state, self.spellbook.base_mp, memory.ground.always_lit):
            return Situation(None, reason, tuple(self.assumed), my_turn, picture, self.confidence, memory)
        return Situation(state, "", tuple(self.assumed), my_turn, state, self.confidence, memory)

    def _checked(self, state: FightState, always_lit: frozenset[int]) -> FightState:
        """Holds the rules' reach against the highlighted one; cells not lit are closed to walking.

        Not closed are cells painted as the range of the selected spell, those of `always_lit`, and those that
        the only ways to lit cells lead over: a body hides them.
        """
        mp = self.view.mp.value
        if mp is None:
            return state
        lit = lit_for_walking(self.view, state.map.cells, state.actor.cell, mp, always_lit)
        if not lit:
            return state
        ours = set(reachable(state, state.actor)) - painted_over(self.view) - always_lit
        if not ours:
            return state
        shared = len(ours & lit) / len(ours | lit)
        if shared < FEWEST_SHARED:
            self.confidence *= shared
            self.assumed.append(say("where you can walk (the highlighted cells do not fit your MP)"))
            return state
        cells = bytearray(state.map.cells)
        for cell in ours - lit - ways_to_lit(state.map.cells, state.actor.cell, mp, lit):
            cells[cell] &= ~CellFlag.WALKABLE
        if bytes(cells) == state.map.cells:
            return state
        return replace(state, map=replace(state.map, cells=bytes(cells)))
