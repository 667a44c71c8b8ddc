"""The rules' own functions asked about small fights; each is compiled by itself, which takes a moment."""

from typing import NamedTuple

from inner import call

from botapp.fight.core.fight import Fight
from botapp.fight.core.movement import path_to, reach
from botapp.fight.core.pack import pack
from botapp.fight.core.spellbook import Book, Effect, Spell


class Arrays(NamedTuple):
    """A state's arrays, and the records that lie in them."""

    packed: object
    s: object
    b: object
    fight: Fight
    book: Book

    @property
    def fighters(self):
        return [self.fight.fighters[number] for number in range(self.fight.fighter_count)]

    def spell(self, number=0, slot=0):
        return Spell(self.b, int(self.b[self.fight.fighters[number].spells + 1 + slot]))

    def effect(self, number=0, slot=0, index=0):
        return Effect(self.b, int(self.b[self.spell(number, slot).effects + index]))


def arrays(state):
    packed = pack(state)
    return Arrays(packed, packed.s, packed.b, Fight(packed.s), Book(packed.b))


class Walk(NamedTuple):
    """A way to a cell, and what is left at its end."""

    path: tuple[int, ...]
    mp: int
    ap: int


def walks(state):
    """The best way of the actor to each cell in reach."""
    a = arrays(state)
    fighter, found = a.fighters[state.fighters.index(state.actor)], a.fight.reach
    call(reach, a.fight, a.book, fighter)
    ways = {}
    for cell in [int(found.cells[place]) for place in range(found.count)]:
        count = call(path_to, a.fight, fighter, cell)
        path = tuple(int(a.fight.way.cells[place]) for place in range(count))
        ways[cell] = Walk(path, int(found.mp[cell]), int(found.ap[cell]))
    return ways
