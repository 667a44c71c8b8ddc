"""The book of a fight: its map and all content in one array of whole numbers, made once and shared.

A game goes on with the same map and the same spell objects, so a book is found again by their identity.
"""

import threading
from typing import Any

from botapp.fight.core.compiler import array_of
from botapp.fight.core.content import ContentWriter, set_words
from botapp.fight.core.fight import SET
from botapp.fight.core.spellbook import CONTENT
from botapp.fight.core.spellbook import Book as BookRecord
from botapp.fight.spells import Effect
from botapp.fight.state import CellFlag, FightState

_HAS_SHARES = BookRecord.word("has_shares")
"""The last word of the map's part; all before it is about the map alone."""


class Book:
    """The map and the content of a fight.

    Attributes:
        cells: the map's cell flags.
        b: the array that the compiled rules read; they fill in what is seen from a cell as they need it.
        content: the tables that lead from its numbers back to spells, effects, payloads, names and kinds.
    """

    __slots__ = ("b", "cells", "content")

    def __init__(self, state: FightState) -> None:
        """Writes down the map of a state, and all that its fighters and marks can bring about.

        Raises:
            CapacityError: a fighter has too many spells, or a number is too large.
        """
        self.cells = state.map.cells
        self.content = content = ContentWriter()
        for fighter in state.fighters:
            content.write_list(fighter.spells)
            for buff in fighter.buffs:
                if buff.effect is not None:
                    content.write_waiting(buff.effect)
        for mark in state.marks:
            content.write_payload(mark.payload, mark.name)
        self.b: Any = array_of([*map_words(self.cells), *content.words])
        self.b[_HAS_SHARES] = content.has_shares

    def covers(self, state: FightState) -> bool:
        """Tells whether the map and all content of a state stand in this book."""
        lists, payloads, places = self.content.lists, self.content.payloads, self.content.places
        return (
            self.cells == state.map.cells
            and all(id(fighter.spells) in lists for fighter in state.fighters)
            and all(id(effect) in places for effect in _waiting(state))
            and all(not mark.payload or (id(mark.payload), mark.name) in payloads for mark in state.marks)
        )


def _waiting(state: FightState) -> list[Effect]:
    """Returns the effects that a fighter's buffs name."""
    return [
        buff.effect
        for fighter in state.fighters
        if fighter.buffs
        for buff in fighter.buffs
        if buff.effect is not None
    ]


def map_words(cells: bytes) -> list[int]:
    """Returns the map's part of a book, nothing being known yet of what is seen from where."""
    words = [0] * CONTENT
    for part, flag in (("walkable", CellFlag.WALKABLE), ("sight", CellFlag.SIGHT)):
        at = BookRecord.word(part)
        words[at : at + SET] = set_words(cell for cell, flags in enumerate(cells) if flags & flag)
    return words


def book_of(state: FightState) -> Book:
    """Returns the book of a state, the one known already where its map and content are in one.

    Raises:
        CapacityError: a fighter has too many spells, or a number is too large.
    """
    cells = state.map.cells
    key: tuple[Any, ...] = (cells, *[id(fighter.spells) for fighter in state.fighters])
    for effect in _waiting(state):
        key = (*key, id(effect))
    if state.marks:
        key = (*key, *[(id(mark.payload), mark.name) for mark in state.marks])
    # without the lock: one look into a dictionary is one step, and nearly all calls end here
    known = _books.get(key)
    if known is not None:
        return known
    with _adding:
        latest_first = list(reversed(_books.values()))
        newest = next((book for book in latest_first if book.covers(state)), None)
        if newest is None:
            newest = Book(state)
            same_map = next((book for book in latest_first if book.cells == cells), None)
            if same_map is not None:
                newest.b[:_HAS_SHARES] = same_map.b[:_HAS_SHARES]
        if len(_books) >= _MOST_KNOWN:
            del _books[next(iter(_books))]
        _books[key] = newest
    return newest


_MOST_KNOWN = 64
_books: dict[tuple[Any, ...], Book] = {}
"""Books by the map's cells and the ids of all spell lists and payloads; a book keeps those objects alive."""
_adding = threading.Lock()
