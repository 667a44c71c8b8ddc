"""What stands where in the work array `w` of generation and default policy, and a sort in it.

The array is whole numbers like a state; it is nobody's memory: every call writes it anew.
Next hop: `botapp.search.core.generation` and `botapp.search.core.policy`.
"""

from typing import Any

from botapp.fight.core.compiler import compiled, whole_numbers
from botapp.fight.core.layout import SET

MIXED = 0
"""For each cell a number for whom an area around it reaches, and how; see `generation.distinct_into`."""
FOES_IN = 560
"""For each cell how many enemies areas around it reach, each area counted."""
OWN_IN = FOES_IN + 560
KEYS = OWN_IN + 560
"""For each cell what it is sorted by, 0 to 63."""
LIKING = KEYS + 560
"""For each cell how well somebody likes to stand there."""
FOUND = LIKING + 560
"""A list of cells."""
SORTED = FOUND + 560
"""Room of `sort_cells`."""
TALLY = SORTED + 560
MOST_KEYS = 64
AREAS = TALLY + MOST_KEYS
"""The areas of a spell: an effect that has it, and whether it helps."""
AREA = 2
MOST_AREAS = 32
TARGETS = AREAS + MOST_AREAS * AREA
"""Cells to aim at."""
VIEWED = TARGETS + 640
"""Cells whose view is known; how many is for the caller to know."""
MOST_VIEWED = 16
CASTS = VIEWED + MOST_VIEWED
"""Room for the casts that a caller asks for: (slot, target) each."""
CAST = 2
MOST_CASTS = 2048
STANDS = CASTS + MOST_CASTS * CAST
"""Room for stands: slot, aim or -1, the set of the cells to cast it from."""
STAND = 2 + SET
MOST_STANDS = 1024
WALKS = STANDS + MOST_STANDS * STAND
"""Casts after a walk: slot, target, the cell to walk to."""
A_WALK = 3
WORK = WALKS + MOST_STANDS * A_WALK


def work_array() -> Any:
    """Returns an array for one search at a time."""
    return whole_numbers(WORK)


@compiled
def sort_cells(w: Any, cells: int, count: int) -> None:
    """Sorts `count` cells at `cells` by their `KEYS`, the smallest first; equals keep their order."""
    for key in range(MOST_KEYS):
        w[TALLY + key] = 0
    for i in range(count):
        w[TALLY + w[KEYS + w[cells + i]]] += 1
    first = 0
    for key in range(MOST_KEYS):
        here = w[TALLY + key]
        w[TALLY + key] = first
        first += here
    for i in range(count):
        cell = w[cells + i]
        key = w[KEYS + cell]
        w[SORTED + w[TALLY + key]] = cell
        w[TALLY + key] += 1
    for i in range(count):
        w[cells + i] = w[SORTED + i]
