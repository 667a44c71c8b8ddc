"""Glyphs and traps on the ground: how they are laid, grow older, go, and who sees them."""

from botapp.fight.core import kinds
from botapp.fight.core.cells import has_cell, keep_common
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import (
    GLYPH,
    MARK_TURNS,
    MARK_WORDS,
    MOST_MARKS,
    TRAP,
    Fight,
    Fighter,
)
from botapp.fight.core.records import place_in
from botapp.fight.core.spellbook import Book, Effect
from botapp.fight.core.state import put_mark, toggle_word
from botapp.fight.core.zones import zone_into


@compiled
def remove_mark(fight: Fight, index: int) -> None:
    """Takes a mark off the ground."""
    last = fight.mark_count - 1
    for place in range(index, last):
        mark, later = fight.marks[place], fight.marks[place + 1]
        for word in range(MARK_WORDS):
            put_mark(fight, mark, word, later.all[word])
    for word in range(MARK_WORDS):
        put_mark(fight, fight.marks[last], word, 0)
    fight.mark_count = last


@compiled
def lay(fight: Fight, book: Book, effect: Effect, owner: Fighter, origin: int, centre: int) -> None:
    """Lays a glyph or a trap around a cell, as far as the map can be walked on.

    Where there is no room for one more, the oldest mark goes.
    """
    if fight.mark_count >= MOST_MARKS:
        remove_mark(fight, 0)
    mark = fight.marks[fight.mark_count]
    fight.mark_count += 1
    mark.kind = GLYPH if effect.kind == kinds.GLYPH else TRAP
    mark.by = owner.number
    mark.cell = centre
    mark.turns = effect.turns
    mark.payload = effect.payload
    mark.name = effect.name
    mark.origin, mark.number = 0, 0
    zone_into(book, effect, origin, centre, mark.cells)
    keep_common(mark.cells, book.walkable)
    first = place_in(fight, mark)
    for place in range(first, first + MARK_WORDS):
        toggle_word(fight, place)


@compiled
def remove_marks_of(fight: Fight, owner: int) -> None:
    """Takes all marks of fighter number `owner` off the ground."""
    index = 0
    while index < fight.mark_count:
        if fight.marks[index].by == owner:
            remove_mark(fight, index)
        else:
            index += 1


@compiled
def forget_traps(fight: Fight, team: int) -> None:
    """Takes the traps of a team's enemies off the ground: what it knows of the state is left."""
    index = 0
    while index < fight.mark_count:
        mark = fight.marks[index]
        if mark.kind == TRAP and fight.fighters[mark.by].team != team:
            remove_mark(fight, index)
        else:
            index += 1


@compiled
def age_marks(fight: Fight, owner: int) -> None:
    """Makes the marks of fighter number `owner` a turn older as its turn begins; the oldest end."""
    index = 0
    while index < fight.mark_count:
        mark = fight.marks[index]
        if mark.by == owner and mark.turns == 1:
            remove_mark(fight, index)
        else:
            if mark.by == owner and mark.turns > 1:
                put_mark(fight, mark, MARK_TURNS, mark.turns - 1)
            index += 1


@compiled
def knows_trap(fight: Fight, team: int, cell: int) -> bool:
    """Tells whether one of a team's own traps covers a cell."""
    for index in range(fight.mark_count):
        mark = fight.marks[index]
        if mark.kind == TRAP and fight.fighters[mark.by].team == team and has_cell(mark.cells, cell):
            return True
    return False


@compiled
def mark_on(fight: Fight, kind: int, cell: int) -> int:
    """Returns the index of the oldest glyph or trap on a cell, -1 for none."""
    for index in range(fight.mark_count):
        mark = fight.marks[index]
        if mark.kind == kind and has_cell(mark.cells, cell):
            return index
    return -1
