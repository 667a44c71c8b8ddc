"""What a packed state is: its array, and what an array cannot hold.

Names, spell objects and facts that are assumed stay with the state that was packed.
Next hop: `botapp.fight.core.pack` and `botapp.fight.core.unpack`.
"""

from struct import Struct
from typing import Any, NamedTuple

from botapp.fight.core.book import Book
from botapp.fight.core.layout import STATS
from botapp.fight.state import FightState, Mark, MarkKind

Row = tuple[int, ...]
"""The words of a buff, a cast or a mark."""

FIELDS = Struct(f"{STATS}i")
"""A fighter's words before its stats."""
MARK_KINDS = tuple(MarkKind)
NOBODY_HERE = -2
"""Stands for the first of `Packed.strangers` in place of a fighter's number; the next ones count down."""
NO_SLOT = -1
"""The same where a spell's slot is expected."""


class Packed(NamedTuple):
    """A state as arrays, with what leads back from them.

    Attributes:
        state: the state that was packed.
        s: its array; the rules may change it.
        book: its map and content.
        numbers: places among the fighters, by id.
        words: each fighter's words as they were packed, as bytes.
        buffs, casts: rows of both lists, for each fighter that has some, by its number.
        marks: the marks by their words.
        areas: the marks' cells by the words of their sets.
        strangers: ids of fighters who are not in the fight, and keys of spells that their caster lacks.
    """

    state: FightState
    s: Any
    book: Book
    numbers: dict[int, int]
    words: list[bytes]
    buffs: dict[int, list[Row]]
    casts: dict[int, list[Row]]
    marks: dict[Row, Mark]
    areas: dict[Row, tuple[int, ...]]
    strangers: list[int | str]

    @property
    def b(self) -> Any:
        """The book's array."""
        return self.book.b
