"""What is kept from one frame for the next: who is who, the board under the fighters, what was cast.

A frame shows no past. Spells cast are inferred from lost AP and from who was hurt at the same time; where
the spell bar says otherwise, the spell bar is right. What the rules make of it is worked out in
`botapp.tracking.belief`.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from botapp.fight.sheet import as_changed
from botapp.fight.spells import Spell
from botapp.fight.state import CellFlag, Fighter, FightState
from botapp.tracking.identity import PLAYER_ID, Sighting
from botapp.tracking.picture import CastMoments, Picture, Scene, followed, moments_of, was_cast
from botapp.tracking.spellbook import Spellbook, without_grade
from vision.view import CellKind, ChronicleLine, FightView, SpellSlot, ToldChange

_FLAGS = {
    CellKind.UNKNOWN: CellFlag.NONE,
    CellKind.OUTSIDE: CellFlag.NONE,
    CellKind.WALKABLE: CellFlag.FLOOR,
    CellKind.OBSTACLE: CellFlag.NONE,
    CellKind.HOLE: CellFlag.SIGHT,
}
_NEW_BOARD = 0.15
"""The share of cells that a spell's flash may hide or colour; another board differs in more."""
_COVERS_NS, _FLICKERS_NS = 1_000_000_000, 250_000_000
"""For how long a number that rises may cover floor, and for how long something may look like floor."""
_DYING_NS, _NEARLY_DEAD = 1_000_000_000, 0.25
"""How long a body is drawn after its card has gone, and the share of life that a fighter had then at most."""
_AWAY_NS = 500_000_000  # The pointer or a glow takes the timeline away for a picture or two
_SEVERAL = 2  # One fighter or card may be gone or alike by chance, two hardly are
_HP_CHANGE = (
    0.004  # Of the whole bar; the arena's are read to 0.0003. 0.001 and 0.02 change no state of 12 films
)
_MOST = 400  # Own states kept of one fight to go back to, the newest; a long fight has some 200


@dataclass(frozen=True, slots=True)
class Memory:
    """What is carried over.

    Attributes:
        cells: the board as 560 `CellFlag` bytes, empty where none was seen yet.
        ap, hp, max_hp, cell: the player's, as last seen.
        sightings: the other fighters, as last seen.
        lost: those that were seen before, not in the last picture, and are believed to be alive.
        casts: the player's casts of this turn, (spell key, target id); -1 for a target that is gone, None
            for one that has not shown yet.
        ready: (spell key, round in which it can be cast again).
        unwatched: whether frames came since that could not be understood: others may have walked in them.
        believed: the whole state as the rules explain the pictures, None before the first one.
        concluded: the picture that `believed` was concluded from last.
        log: the log's lines as last read, None where there never was one.
        log_count: how many casts a log in words had told of by then.
        log_casts: the casts that the log has told of since the last conclusion.
        log_moments: for each of these, who was at turn and where as its line came.
        scenes: who was at turn and where in the last seconds.
        changes: what the log has told of fighters since the last conclusion.
        heard: how much the log has told by now; see `ToldChange.number`.
        cast_logged_ns: when the log was first seen to tell of the last of them.
        opening: what was believed as this round began, or when the fight was first seen in it.
        recalled: whether what stood in the log when it was found is among `log_casts`, or was concluded from.
        stood: where fighters were seen to stand since the last conclusion, (id, cell) in that order.
        traps: cells that have shown a trap of the player's side in this fight.
        doubted_ns: time at which a fighter was first read as another kind; None if none is.
        cards: how many fighters the timeline showed last, None where it never was read.
        unlisted: how many more than that were seen at once: something lies over cards.
        unlisted_ns: time since which that is so.
        listed_ns: time at which the timeline was read last.
        never_seen: how many fighters the timeline showed that were never found on the board.
        otherwise: (cell, since when) of those that look like floor and were none, or the other way round.
        always_lit: cells lit as if in the player's reach during the last turn of another fighter: by the
            floor's colour, or by the reach of a fighter under the mouse.
        life: the player's HP and the share that the life bar of its card shows, as last read together.
        bar: that share as it is now, and since when.
        fight: counts the fights, so that what was said of one is not taken for another's.
        taken_back: how many own actions the player has taken back in this fight, as the arena allows.
    """

    cells: bytes = b""
    turn: int | None = None
    mine: bool = False
    ap: int | None = None
    hp: int | None = None
    max_hp: int | None = None
    cell: int | None = None
    sightings: tuple[Sighting, ...] = ()
    casts: tuple[tuple[str, int | None], ...] = ()
    ready: tuple[tuple[str, int], ...] = ()
    lost: tuple[Sighting, ...] = ()
    unwatched: bool = False
    believed: FightState | None = None
    concluded: Picture | None = None
    log: tuple[ChronicleLine, ...] | None = None
    log_count: int = 0
    log_casts: tuple[ChronicleLine, ...] = ()
    log_moments: tuple[CastMoments, ...] = ()
    scenes: tuple[Scene, ...] = ()
    changes: tuple[ToldChange, ...] = ()
    heard: int = 0
    cast_logged_ns: int | None = None
    opening: FightState | None = None
    recalled: bool = False
    stood: tuple[tuple[int, int], ...] = ()
    traps: frozenset[int] = frozenset()
    doubted_ns: int | None = None
    cards: int | None = None
    unlisted: int = 0
    unlisted_ns: int | None = None
    listed_ns: int | None = None
    never_seen: int = 0
    otherwise: tuple[tuple[int, int], ...] = ()
    always_lit: frozenset[int] = frozenset()
    life: tuple[int, float] | None = None
    bar: tuple[float, int] | None = None
    fight: int = 0
    taken_back: int = 0

    def next_fight(self) -> "Memory":
        """Returns the memory for another fight, in which nothing was seen yet."""
        return Memory(fight=self.fight + 1, heard=self.heard) if self.cells else self

    def same_board(self, cells: bytes) -> bool:
        """Tells whether `cells` is the board remembered, or there is none to compare with."""
        if not self.cells:
            return True
        ours, theirs = np.frombuffer(self.cells, np.uint8), np.frombuffer(cells, np.uint8)
        return float(np.count_nonzero(ours != theirs)) <= _NEW_BOARD * max(1, int(np.count_nonzero(ours)))

    def with_sheet(self, book: Spellbook, before: Spellbook) -> "Memory":
        """Returns the memory in the words of another sheet of the same class: what was cast stays known.

        At another level all figures of the fight were taken for others, so what was believed of it begins
        anew; with other spells alone only the player's own change.
        """
        keys = {without_grade(spell.key): spell.key for spell in book.spells}

        def now(key: str) -> str:
            return keys.get(without_grade(key), key)

        def renewed(state: FightState | None) -> FightState | None:
            if state is None or book.level != before.level:
                return None
            own = (f.changed(spells=book.spells) if f.id == PLAYER_ID else f for f in state.fighters)
            return state.changed(fighters=tuple(own))

        return replace(
            self,
            casts=tuple((now(key), at) for key, at in self.casts),
            ready=tuple((now(key), turn) for key, turn in self.ready),
            believed=renewed(self.believed),
            opening=renewed(self.opening),
            concluded=None,
        )

    @property
    def player(self) -> Fighter | None:
        """The player's fighter as it is believed, None before the first picture."""
        fighters = self.believed.fighters if self.believed is not None else ()
        return next((fighter for fighter in fighters if fighter.id == PLAYER_ID), None)

    def cooldown_left(self, key: str) -> int:
        """Returns the turns until the spell can be cast again, by the casts remembered."""
        return max((until - (self.turn or 0) for spell, until in self.ready if spell == key), default=0)


NO_MEMORY = Memory()


def goes_on(view: FightView, memory: Memory) -> bool:
    """Tells whether it is the fight remembered for sure: two others at least stand where they stood before.

    A window over part of the board makes it look like another one.
    """
    before = {(seen.team, seen.cell) for seen in memory.sightings if seen.cell is not None}
    return sum((fighter.team, fighter.cell) in before for fighter in view.others) >= _SEVERAL


def board_bytes(view: FightView, memory: Memory) -> bytes:
    """Returns the board as 560 `CellFlag` bytes; doubtful cells are as remembered, those stood on floor.

    Floor that looks like something else is doubtful for a second, as a number may rise over it, and what
    looks like floor where there was none for a quarter of one.
    """
    cells = _flags(view)
    if memory.cells:
        before = np.frombuffer(memory.cells, np.uint8)
        known = view.cells != CellKind.UNKNOWN
        disagree = np.count_nonzero(known & (before != cells))
        if disagree <= _NEW_BOARD * max(1, int(np.count_nonzero(before))) or goes_on(view, memory):
            cells = np.where(known, cells, before)
            since, now = dict(memory.otherwise), view.captured_ns
            for cell in _otherwise(view, memory):
                least = _COVERS_NS if before[cell] & CellFlag.WALKABLE else _FLICKERS_NS
                if now - since.get(cell, now) < least:
                    cells[cell] = before[cell]
    for seen in view.fighters:
        if seen.cell is not None:
            cells[seen.cell] = CellFlag.FLOOR
    return cells.tobytes()


def _flags(view: FightView) -> npt.NDArray[np.uint8]:
    """Returns what a view's cells look like, as 560 `CellFlag` bytes."""
    table = np.zeros(256, np.uint8)
    for kind, flag in _FLAGS.items():
        table[kind] = flag
    return np.asarray(table[view.cells], np.uint8)


def _otherwise(view: FightView, memory: Memory) -> list[int]:
    """Returns the cells that are floor as remembered and look like something else, or the other way round."""
    if not memory.cells:
        return []
    changed = (np.frombuffer(memory.cells, np.uint8) ^ _flags(view)) & CellFlag.WALKABLE
    return [int(cell) for cell in np.flatnonzero((changed != 0) & (view.cells != CellKind.UNKNOWN))]


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
    turn = view.turn_number.value if view.turn_number.value is not None else memory.turn
    fell = turn is not None and memory.turn is not None and turn < memory.turn
    if fell or _begins_anew(memory, view, sightings):
        memory = memory.next_fight()
    mine = memory.mine if view.turn.value is None else view.turn.value == "mine"
    same_turn = mine and memory.mine and turn == memory.turn
    casts = memory.casts if same_turn else ()
    ready = tuple(entry for entry in memory.ready if turn is None or entry[1] > turn)
    player_cell = view.own_cell
    ap = view.ap.value
    if (
        same_turn
        and ap is not None
        and memory.ap is not None
        and ap < memory.ap
        and player_cell == memory.cell
    ):
        cast = _cast_for(memory, memory.ap - ap, book, view)
        casts += tuple((spell.key, None) for spell in cast)
        if turn is not None:
            ready += tuple((s.key, turn + s.cooldown) for s in cast if s.cooldown)
    if any(target is None for _, target in casts):
        hurt = _changed(memory, view, sightings)
        casts = tuple((key, hurt if target is None else target) for key, target in casts)
    opening = memory.believed if memory.opening is None or turn != memory.turn else memory.opening
    recalls = opening is not None and not memory.recalled and _is_whole(view)
    log_casts = (view.log_past or ()) if recalls else _new_casts(memory, view)
    cards, unlisted, unlisted_ns = _listed(memory, view)
    since = dict(memory.otherwise)
    lost = _lost(memory, view, sightings, mine, player_cell)
    standing = _standing(memory, sightings, player_cell)
    scenes = followed(memory.scenes, view.captured_ns, PLAYER_ID if mine else playing, standing)
    log_moments = tuple(moments_of(scenes, line.captured_ns or view.captured_ns) for line in log_casts)
    return Memory(
        cells=cells,
        turn=turn,
        mine=mine,
        ap=memory.ap if ap is None else ap,
        hp=view.hp.value,
        max_hp=memory.max_hp if view.max_hp.value is None else view.max_hp.value,
        cell=player_cell,
        sightings=sightings,
        casts=casts,
        ready=ready,
        lost=lost,
        believed=opening if recalls else memory.believed,
        log=memory.log if view.log is None else view.log,
        log_count=memory.log_count if view.log is None else view.log_told,
        log_casts=log_casts if recalls else memory.log_casts + log_casts,
        log_moments=(CastMoments(),) * len(log_casts) if recalls else memory.log_moments + log_moments,
        scenes=scenes,
        changes=memory.changes + tuple(entry for entry in view.changes if entry.number > memory.heard),
        heard=max((memory.heard, *(entry.number for entry in view.changes))),
        cast_logged_ns=view.captured_ns if log_casts else memory.cast_logged_ns,
        opening=opening,
        recalled=view.log_past is not None and (memory.recalled or recalls),
        stood=(*memory.stood, *(entry for entry in standing if entry not in memory.stood)),
        traps=memory.traps | view.signs.get("trap", frozenset()),
        cards=cards,
        unlisted=unlisted,
        unlisted_ns=unlisted_ns,
        listed_ns=memory.listed_ns if view.fighters_shown.value is None else view.captured_ns,
        never_seen=_never_seen(memory, view, sightings, lost),
        otherwise=tuple((cell, since.get(cell, view.captured_ns)) for cell in _otherwise(view, memory)),
        always_lit=memory.always_lit if mine else view.highlights.get("reachable", frozenset()),
        life=memory.life,
        bar=memory.bar,
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
    if view.own_cell in (None, memory.cell):
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
    before = {PLAYER_ID: memory.cell, **{seen.id: seen.cell for seen in memory.sightings}}
    now = [(PLAYER_ID, own), *((seen.id, seen.cell) for seen in sightings)]
    return [(who, cell) for who, cell in now if cell is not None and before.get(who) == cell]


def _is_whole(view: FightView) -> bool:
    """Tells whether a log just found names every cast of this round, so that the round can be gone over."""
    past = view.log_past or ()
    return view.log_round and bool(past) and all(line.spells and line.caster for line in past)


def _listed(memory: Memory, view: FightView) -> tuple[int | None, int, int | None]:
    """Returns how many cards the timeline shows, how many fighters more there are than cards, and since when.

    The pointer or a window over the timeline hides cards, until it shows more of them again or was not read
    for a while: behind a window one of them may have died. One of little life that is gone within a second
    after its card has died.
    """
    cards, now, since = view.fighters_shown.value, view.captured_ns, memory.unlisted_ns
    if cards is None:
        return memory.cards, memory.unlisted, since
    away = memory.listed_ns is not None and now - memory.listed_ns > _AWAY_NS
    before = 0 if away or (memory.cards is not None and cards > memory.cards) else memory.unlisted
    more = _standing_still(memory, view) - cards
    if more > before:
        return cards, more, now
    soon = since is not None and now - since <= _DYING_NS
    if before and soon and len(view.fighters) <= cards and _was_nearly_dead(memory, view):
        return cards, 0, None
    return cards, before, since if before else None


def _never_seen(
    memory: Memory, view: FightView, sightings: tuple[Sighting, ...], lost: tuple[Sighting, ...]
) -> int:
    """Returns how many fighters with a card were never found on the board.

    When others die these may live on: there are fewer of them only as fighters are found who had a card
    before, and never more than there are cards beyond the fighters in sight.
    """
    cards = view.fighters_shown.value
    if cards is None:
        return memory.never_seen
    before = {old.id for old in (*memory.sightings, *memory.lost)}
    discovered = sum(seen.id not in before for seen in sightings)
    summoned = 0 if memory.cards is None else max(0, cards - memory.cards)
    still = memory.never_seen - max(0, discovered - summoned)
    standing = 1 + len(sightings)
    return max(0, min(cards - standing, max(still, cards - standing - len(lost))))


def _was_nearly_dead(memory: Memory, view: FightView) -> bool:
    """Returns whether all who stood on the board a frame before and are gone now had hardly any life left."""
    cells = {fighter.cell for fighter in view.fighters}
    gone = [sighting for sighting in memory.sightings if sighting.cell not in cells]
    return bool(gone) and all((sighting.hp_fraction or 1.0) <= _NEARLY_DEAD for sighting in gone)


def _standing_still(memory: Memory, view: FightView) -> int:
    """Returns how many fighters stand where one stood a frame before; who walks may be seen twice."""
    stood = {memory.cell, *(sighting.cell for sighting in memory.sightings)} - {None}
    return sum(fighter.cell in stood for fighter in view.fighters)


def hides_cards(memory: Memory, view: FightView) -> bool:
    """Tells whether something lies over several cards of the timeline: they are gone, their fighters are not.

    How many fighters live is not known then; a single card less may be one that died. Fighters that were
    never found on the board count as standing there.
    """
    cards = view.fighters_shown.value
    if cards is None or memory.cards is None or memory.cards - cards < _SEVERAL:
        return False
    return _standing_still(memory, view) + memory.never_seen - cards > memory.unlisted


def _new_casts(memory: Memory, view: FightView) -> tuple[ChronicleLine, ...]:
    """Returns the casts logged since the frame before; a log in words counts them, since lines repeat."""
    if memory.log is None or view.log is None or not view.log_told:
        return casts_since(memory.log, view.log)
    new = max(0, min(len(view.log), view.log_told - memory.log_count))
    return tuple(line for line in view.log[len(view.log) - new :] if line.spells)


def casts_since(
    before: tuple[ChronicleLine, ...] | None, now: tuple[ChronicleLine, ...] | None
) -> tuple[ChronicleLine, ...]:
    """Returns the casts among the lines that have come since."""
    return tuple(line for line in _lines_since(before, now) if line.spells)


def _lines_since(
    before: tuple[ChronicleLine, ...] | None, now: tuple[ChronicleLine, ...] | None
) -> tuple[ChronicleLine, ...]:
    """Returns the lines that have come since; the log shows the last few alone."""
    if before is None or now is None:
        return ()
    same = next(n for n in range(min(len(before), len(now)), -1, -1) if before[len(before) - n :] == now[:n])
    return now[same:]


def _lost(
    memory: Memory, view: FightView, sightings: tuple[Sighting, ...], mine: bool, own: int | None
) -> tuple[Sighting, ...]:
    """Returns the fighters that are not seen now and are believed to be alive.

    They may have walked in a turn of others in which they were not seen, and where another stands on it.
    """
    if memory.believed is None:
        return ()
    alive = {fighter.id for fighter in memory.believed.fighters if fighter.alive}
    alive -= {seen.id for seen in sightings}
    taken = {own, *(seen.cell for seen in sightings)}
    watched = mine and not memory.unwatched

    def may_have_walked(old: Sighting) -> bool:
        if old.cell in taken:
            return True
        return (old.strayed or not watched) and (old.team != "enemy" or old.cell not in view.unmoved)

    known = (*memory.sightings, *memory.lost)
    return tuple(replace(old, strayed=may_have_walked(old)) for old in known if old.id in alive)


def _cast_for(memory: Memory, spent: int, book: Spellbook, view: FightView) -> tuple[Spell, ...]:
    """Returns the spells that may have cost `spent` AP; several where the screen does not tell them apart."""
    player = memory.player
    by_slot = {slot.index: slot for slot in view.spells}
    fitting = []
    for index, spell in enumerate(book.spells):
        cooling = by_slot.get(index, SpellSlot(index)).cooldown.value
        ap = spell.ap if player is None else as_changed(player, spell).ap
        if ap != spent or (spell.cooldown and cooling == 0):
            continue
        if not was_cast(spell.key, book.key, view.log_past):
            continue
        if spell.cooldown and cooling == spell.cooldown:
            return (spell,)
        fitting.append(spell)
    return tuple(fitting)


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
    return PLAYER_ID if memory.hp is not None and view.hp.value not in (None, memory.hp) else None


class TakingBack:
    """What was known at each own state of the fight that is watched."""

    def __init__(self) -> None:
        self._known: list[Memory] = []

    def note(self, memory: Memory) -> None:
        """Takes in what is known in an own state that was understood."""
        if self._known and self._known[-1].fight != memory.fight:
            self._known = []
        if self._known and _numbers(self._known[-1]) == _numbers(memory):
            self._known[-1] = memory
        else:
            self._known = [*self._known[1 - _MOST :], memory]

    def seen(self, memory: Memory, view: FightView) -> Memory:
        """Returns what is known before a view: the memory as it is, unless actions were taken back since."""
        number = sum(line.taken_back for line in _lines_since(memory.log, view.log))
        if not number:
            return memory
        shown = view.turn_number.value, view.ap.value, view.hp.value, view.own_cell
        while self._known and _numbers(self._known[-1]) != shown:
            self._known.pop()
        # without one that fits, the fight is known from here on
        known = self._known.pop() if self._known else Memory(cells=memory.cells)
        return replace(
            known,
            log=view.log,
            heard=memory.heard,
            fight=memory.fight,
            taken_back=memory.taken_back + number,
        )


def _numbers(memory: Memory) -> tuple[int | None, ...]:
    """Returns what the screen shows of an own state, by which it is found again."""
    return memory.turn, memory.ap, memory.hp, memory.cell
