"""What a packed state is: its array, the parts it is made of, and what an array cannot hold.

Names, spell objects and facts that are assumed stay with the state that was packed.
"""

from struct import Struct
from typing import Any, NamedTuple

from botapp.fight.core.book import Book
from botapp.fight.state import FightState, Mark, MarkKind

Row = tuple[int, ...]
"""The words of a buff, a cast or a mark."""


class FighterRow(NamedTuple):
    """A fighter's words before its stats, as in `botapp.fight.core.fight.Fighter`."""

    number: int
    team: int
    cell: int
    level: int
    hp: int
    max_hp: int
    ap: int
    mp: int
    base_ap: int
    base_mp: int
    shield: int
    eroded: int
    summoner: int
    player: int
    spells: int
    kind: int
    states: int
    more_states: int
    id: int
    species: int


class HeadRow(NamedTuple):
    """A fight's words before the order of turns, as in `botapp.fight.core.fight.Fight`."""

    turn: int
    current: int
    fighter_count: int
    turn_count: int
    buff_count: int
    mark_count: int
    cast_count: int
    hash_a: int
    hash_b: int
    dice: int
    seed: int
    drawn: int
    running: int
    fault: int
    cause: int
    cause_hp: int


FIELDS = Struct(f"{len(FighterRow._fields)}i")
MARK_KINDS = tuple(MarkKind)
NOBODY_HERE = -2
"""Stands for the first of `Parts.strangers` in place of a fighter's number; the next ones count down."""
NO_SLOT = -1
"""The same where a spell's slot is expected."""


class Parts(NamedTuple):
    """A state taken apart: what its array is made of, and what leads back from it.

    Attributes:
        state: the state.
        book: its map and content.
        numbers: places among the fighters, by id.
        words: each fighter's words, as bytes.
        buffs, casts: rows of both lists, for each fighter that has some, by its number.
        mark_rows: the marks' rows.
        marks: the marks by their rows.
        areas: the marks' cells by the words of their sets.
        slotless: numbers of the fighters with cooldowns that no slot of a spell holds.
        strangers: ids of fighters who are not in the fight, and keys of spells that their caster lacks.
    """

    state: FightState
    book: Book
    numbers: dict[int, int]
    words: list[bytes]
    buffs: dict[int, list[Row]]
    casts: dict[int, list[Row]]
    mark_rows: list[Row]
    marks: dict[Row, Mark]
    areas: dict[Row, tuple[int, ...]]
    slotless: set[int]
    strangers: list[int | str]


class Packed(NamedTuple):
    """A state as arrays.

    Attributes:
        parts: what leads back from them.
        s: the state's array; the rules may change it.
    """

    parts: Parts
    s: Any

    @property
    def state(self) -> FightState:
        """The state that was packed."""
        return self.parts.state

    @property
    def book(self) -> Book:
        """Its map and content."""
        return self.parts.book

    @property
    def b(self) -> Any:
        """The book's array."""
        return self.parts.book.b
