"""The rules' own functions asked about small fights; each is compiled by itself, which takes a moment."""

from typing import NamedTuple

from botapp.fight.core import layout as at
from botapp.fight.core.pack import pack
from botapp.fight.core.states import fighter_at
from botapp.fight.core.walking import path_to, reach
from botapp.fight.core.zones import OUTSIDE, in_shape
from botapp.fight.state import Shape

CELLS = range(560)
SHAPES = {shape: number for number, shape in enumerate(Shape)}


class Arrays(NamedTuple):
    """A state's arrays, and where the fields of its fighters begin."""

    packed: object
    s: object
    b: object
    fighters: list[int]

    def spell(self, number=0, slot=0):
        """The place of a fighter's spell."""
        return self.b[self.s[self.fighters[number] + at.SPELLS] + 1 + slot]

    def effect(self, number=0, slot=0, index=0):
        """The place of an effect of a fighter's spell."""
        return self.b[self.b[self.spell(number, slot) + at.EFFECTS_AT] + index]


def arrays(state):
    packed = pack(state)
    return Arrays(packed, packed.s, packed.b, [fighter_at(n) for n in range(len(state.fighters))])


class Walk(NamedTuple):
    """A way to a cell, and what is left at its end."""

    path: tuple[int, ...]
    mp: int
    ap: int


def walks(state):
    """The best way of the actor to each cell in reach."""
    a = arrays(state)
    f = a.fighters[state.fighters.index(state.actor)]
    reach(a.s, a.b, f)
    found = {}
    for cell in map(int, a.s[at.REACH_CELLS : at.REACH_CELLS + a.s[at.REACH_COUNT]]):
        count = path_to(a.s, f, cell)
        path = tuple(map(int, a.s[at.WAY + 1 : at.WAY + 1 + count]))
        found[cell] = Walk(path, int(a.s[at.REACH_MP + cell]), int(a.s[at.REACH_AP + cell]))
    return found


def area(shape, radius, caster, target):
    """The cells that a shape covers, with their steps from the target."""
    steps = {cell: in_shape(SHAPES[shape], radius, 0, caster, target, cell) for cell in CELLS}
    return {cell: far for cell, far in steps.items() if far != OUTSIDE}
