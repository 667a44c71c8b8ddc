"""What is kept from one frame for the next: who is who, the board under the fighters, what was cast.

What the rules make of it is worked out in `botapp.tracking.belief`.
"""

from dataclasses import dataclass, field, replace

from botapp.fight.state import Fighter, FightState
from botapp.tracking.card_count import CardCount
from botapp.tracking.fight_log import FightLog
from botapp.tracking.ground import Ground
from botapp.tracking.identity import PLAYER_ID, Sighting
from botapp.tracking.own_life import LifeBar
from botapp.tracking.own_turn import OwnTurn
from botapp.tracking.picture import Picture, followed
from botapp.tracking.spellbook import Spellbook
from vision.view import FightView

_HP_CHANGE = (
    0.004  # Of the whole bar; the arena's are read to 0.0003. 0.001 and 0.02 change no state of 12 films
)
_MOST = 400  # Own states kept of one fight to go back to, the newest; a long fight has some 200


@dataclass(frozen=True, slots=True)
class Memory:
    """What is carried over."""

    ground: Ground = field(default_factory=Ground)
    own: OwnTurn = field(default_factory=OwnTurn)
    life: LifeBar = field(default_factory=LifeBar)
    cards: CardCount = field(default_factory=CardCount)
    log: FightLog = field(default_factory=FightLog)
    sightings: tuple[Sighting, ...] = ()  # The other fighters, as last seen
    # Those that were seen before, not in the last picture, and are believed to be alive
    lost: tuple[Sighting, ...] = ()
    # Whether frames came since that could not be understood: others may have walked in them
    unwatched: bool = False
    # The whole state as the rules explain the pictures, None before the first one
    believed: FightState | None = None
    concluded: Picture | None = None  # The picture that `believed` was concluded from last
    # What was believed as this round began, or when the fight was first seen in it
    opening: FightState | None = None
    # Time at which a fighter was first read as another kind; None if none is
    doubted_ns: int | None = None
    fight: int = 0  # Counts the fights, so that what was said of one is not taken for another's
    taken_back: int = 0  # How many own actions the player has taken back in this fight, as the arena allows

    def next_fight(self) -> "Memory":
        """Returns the memory for another fight, in which nothing was seen yet."""
        if not self.ground.cells:
            return self
        return Memory(fight=self.fight + 1, log=FightLog(heard=self.log.heard))

    def with_sheet(self, book: Spellbook, before: Spellbook) -> "Memory":
        """Returns the memory in the words of another sheet of the same class: what was cast stays known.

        At another level all figures of the fight were taken for others, so what was believed of it begins
        anew; with other spells alone only the player's own change.
        """

        def renewed(state: FightState | None) -> FightState | None:
            if state is None or book.level != before.level:
                return None
            own = (f.changed(spells=book.spells) if f.id == PLAYER_ID else f for f in state.fighters)
            return state.changed(fighters=tuple(own))

        return replace(
            self,
            own=self.own.with_sheet(book),
            believed=renewed(self.believed),
            opening=renewed(self.opening),
            concluded=None,
        )

    @property
    def player(self) -> Fighter | None:
        """The player's fighter as it is believed, None before the first picture."""
        fighters = self.believed.fighters if self.believed is not None else ()
        return next((fighter for fighter in fighters if fighter.id == PLAYER_ID), None)


def remember(
    memory: Memory,
    view: FightView,
    book: Spellbook,
    sightings: tuple[Sighting, ...],
    cells: bytes,
    playing: int | None = None,
) -> Memory:
    """Returns the memory after this frame, the player's casts of this turn worked out.

    Args:
        view: the frame; its player, cell and HP have been read.
        playing: id of the fighter at turn, None where the timeline does not tell.
    """
    number, before = view.turn_number.value, memory.own.number
    number = before if number is None else number
    fell = number is not None and before is not None and number < before
    if fell or _begins_anew(memory, view, sightings):
        memory = memory.next_fight()
    own = memory.own.after(view, number, book, memory.player, _changed(memory, view, sightings))
    same_round = memory.opening is not None and number == memory.own.number
    opening = memory.opening if same_round else memory.believed
    recalls = opening is not None and memory.log.recalls(view)
    lost = _lost(memory, view, sightings, own)
    standing = _standing(memory, sightings, view.own_cell)
    at_turn = PLAYER_ID if own.mine else playing
    scenes = followed(memory.log.scenes, view.captured_ns, at_turn, standing)
    return Memory(
        ground=memory.ground.after(view, cells, own.mine),
        own=own,
        life=memory.life,
        cards=memory.cards.after(view, memory.own.cell, memory.sightings, memory.lost, sightings, lost),
        log=memory.log.after(view, scenes, standing, recalls),
        sightings=sightings,
        lost=lost,
        believed=opening if recalls else memory.believed,
        opening=opening,
        fight=memory.fight,
        taken_back=memory.taken_back,
    )


def _begins_anew(memory: Memory, view: FightView, sightings: tuple[Sighting, ...]) -> bool:
    """Tells whether another fight has begun though nothing in between was seen and no round number fell.

    A window hid how the last one ended. In a first round, or one that was not read, everybody is unhurt and
    stands elsewhere, while before at least one living fighter was hurt.
    """
    if memory.believed is None or view.turn_number.value not in (None, 1):
        return False
    if view.own_cell in (None, memory.own.cell):
        return False
    before = {fighter.id: fighter for fighter in memory.believed.fighters if fighter.alive}
    here = [seen for seen in sightings if seen.cell is not None]
    unhurt = view.hp.value is not None and view.hp.value == view.max_hp.value
    unhurt &= all((seen.hp_fraction or 0.0) > 1 - _HP_CHANGE for seen in here)
    moved = all(seen.id not in before or before[seen.id].cell != seen.cell for seen in here)
    known = (PLAYER_ID, *(seen.id for seen in here))
    hurt = any(number in before and before[number].hp < before[number].max_hp for number in known)
    return bool(here) and unhurt and moved and hurt


def _standing(memory: Memory, sightings: tuple[Sighting, ...], own: int | None) -> list[tuple[int, int]]:
    """Returns the fighters that stand where they stood a frame before, as (id, cell)."""
    before = {PLAYER_ID: memory.own.cell, **{seen.id: seen.cell for seen in memory.sightings}}
    now = [(PLAYER_ID, own), *((seen.id, seen.cell) for seen in sightings)]
    return [(who, cell) for who, cell in now if cell is not None and before.get(who) == cell]


def _lost(
    memory: Memory, view: FightView, sightings: tuple[Sighting, ...], own: OwnTurn
) -> tuple[Sighting, ...]:
    """Returns the fighters that are not seen now and are believed to be alive.

    They may have walked in a turn of others in which they were not seen, and where another stands on it.
    """
    if memory.believed is None:
        return ()
    alive = {fighter.id for fighter in memory.believed.fighters if fighter.alive}
    alive -= {seen.id for seen in sightings}
    taken = {own.cell, *(seen.cell for seen in sightings)}
    watched = own.mine and not memory.unwatched

    def may_have_walked(old: Sighting) -> bool:
        if old.cell in taken:
            return True
        return (old.strayed or not watched) and (old.team != "enemy" or old.cell not in view.unmoved)

    known = (*memory.sightings, *memory.lost)
    return tuple(replace(old, strayed=may_have_walked(old)) for old in known if old.id in alive)


def _changed(memory: Memory, view: FightView, sightings: tuple[Sighting, ...]) -> int | None:
    """Returns the id of the fighter whose HP changed since the frame before, -1 for one that is gone."""
    before = {old.id: old for old in memory.sightings}
    for seen in sightings:
        old = before.pop(seen.id, None)
        if old is None or old.hp_fraction is None or seen.hp_fraction is None:
            continue
        if abs(old.hp_fraction - seen.hp_fraction) > _HP_CHANGE:
            return seen.id
    if before:
        return -1
    return PLAYER_ID if memory.own.hp is not None and view.hp.value not in (None, memory.own.hp) else None


class TakingBack:
    """What was known at each own state of the fight that is watched."""

    def __init__(self) -> None:
        self._known: list[Memory] = []

    def note(self, memory: Memory) -> None:
        """Takes in what is known in an own state that was understood."""
        if self._known and self._known[-1].fight != memory.fight:
            self._known = []
        if self._known and self._known[-1].own.figures == memory.own.figures:
            self._known[-1] = memory
        else:
            self._known = [*self._known[1 - _MOST :], memory]

    def seen(self, memory: Memory, view: FightView) -> Memory:
        """Returns what is known before a view: the memory as it is, unless actions were taken back since."""
        number = memory.log.taken_back_in(view)
        if not number:
            return memory
        shown = view.turn_number.value, view.ap.value, view.hp.value, view.own_cell
        while self._known and self._known[-1].own.figures != shown:
            self._known.pop()
        # without one that fits, the fight is known from here on
        known = self._known.pop() if self._known else Memory(Ground(memory.ground.cells))
        log = replace(known.log, lines=view.log, heard=memory.log.heard)
        return replace(known, log=log, fight=memory.fight, taken_back=memory.taken_back + number)
