"""Room for finding actions, as a record, and a sort in it.

Nothing in it lasts: every call writes it anew.
"""

from typing import Any

from botapp.fight.core.compiler import compiled, whole_numbers
from botapp.fight.core.fight import CellSet
from botapp.fight.core.records import Record, Table, Words, part, row, table, viewer
from botapp.fight.core.spellbook import Area

MOST_KEYS = 64
MOST_AREAS = 32
MOST_VIEWED = 16
MOST_CASTS = 2048
MOST_STANDS = 1024


class Cast(Record):
    """A cast: the spell's slot and the cell to aim at."""

    slot: int
    target: int


class Stand(Record):
    """From where a cast reaches a fighter: the spell's slot, the cell to aim at, -1 for the caster's own
    wherever that is, and the cells to cast it from."""

    slot: int
    aim: int
    cells: CellSet = part(CellSet)


class WalkedCast(Record):
    """A cast after a walk: the spell's slot, the cell to aim at, the cell to walk to."""

    slot: int
    target: int
    place: int


class Work(Record):
    """Room for finding actions.

    Attributes:
        mixed: for each cell a hash of the fighters that an area around it reaches, and how.
        foes_in, own_in: for each cell how many enemies, and of the own side, areas around it reach, each area
            counted.
        keys: for each cell what it is sorted by, 0 to 63; other numbers by cell.
        liking: for each cell how well a fighter likes to stand there.
        found: a list of cells.
        sorted, tally: room of `sort_cells`.
        areas: the areas of a spell.
        targets: cells to aim at.
        viewed: cells whose view is known.
        casts, stands, walks: what has been found.
        chosen: kind, slot and cell of what the default policy has chosen.
    """

    mixed: Words = row(560)
    foes_in: Words = row(560)
    own_in: Words = row(560)
    keys: Words = row(560)
    liking: Words = row(560)
    found: Words = row(560)
    sorted: Words = row(560)
    tally: Words = row(MOST_KEYS)
    areas: Table[Area] = table(Area, MOST_AREAS)
    targets: Words = row(640)
    viewed: Words = row(MOST_VIEWED)
    casts: Table[Cast] = table(Cast, MOST_CASTS)
    stands: Table[Stand] = table(Stand, MOST_STANDS)
    walks: Table[WalkedCast] = table(WalkedCast, MOST_STANDS)
    chosen: Words = row(3)


work_in = viewer(Work)
"""Returns the room that lies in an array from a word on."""


def work_array() -> Any:
    """Returns an array for one search at a time."""
    return whole_numbers(Work.SIZE)


@compiled
def sort_cells(work: Work, cells: Words, count: int) -> None:
    """Sorts `count` cells by their `keys`, the smallest first; equals keep their order."""
    for key in range(MOST_KEYS):
        work.tally[key] = 0
    for i in range(count):
        work.tally[work.keys[cells[i]]] += 1
    first = 0
    for key in range(MOST_KEYS):
        here = work.tally[key]
        work.tally[key] = first
        first += here
    for i in range(count):
        cell = cells[i]
        key = work.keys[cell]
        work.sorted[work.tally[key]] = cell
        work.tally[key] += 1
    for i in range(count):
        cells[i] = work.sorted[i]
