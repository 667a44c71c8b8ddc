"""A map without fighters: how far it is to walk from cell to cell, and what is seen from one."""

from functools import lru_cache
from typing import Any

from botapp.fight.board import CELLS, neighbours
from botapp.fight.core.book import map_words
from botapp.fight.core.capacity import numbers_of
from botapp.fight.core.compiler import array_of, decimals, whole_numbers
from botapp.fight.core.content import cells_in
from botapp.fight.core.fight import SET, STATE, Fight
from botapp.fight.core.requests import SEEN, ask
from botapp.fight.state import CellFlag

_WALKABLE = int(CellFlag.WALKABLE)
UNREACHED = CELLS  # A walking distance longer than any way on the board


def walking_distances(cells: bytes, *starts: int) -> list[int]:
    """Returns the number of steps from the nearest start to each of the 560 cells, `UNREACHED` without a way.

    Args:
        starts: where to count from; they need not be walkable.
    """
    distances = [UNREACHED if flags & _WALKABLE else -1 for flags in cells]
    for start in starts:
        distances[start] = 0
    edge: list[int] = list(starts)
    steps = 0
    while edge:
        steps += 1
        further = []
        for cell in edge:
            for near in neighbours(cell):
                if distances[near] == UNREACHED:
                    distances[near] = steps
                    further.append(near)
        edge = further
    return [UNREACHED if steps < 0 else steps for steps in distances]


def seen_from(cells: bytes, origin: int) -> frozenset[int]:
    """Returns the cells seen from one, itself among them."""
    b = _map_array(cells)
    s, e = whole_numbers(STATE), decimals(0)
    ask(SEEN, s, s, b, e, s, origin, 0, 0)
    return frozenset(cells_in(numbers_of(s, Fight.word("aim"), SET)))


@lru_cache(maxsize=64)
def _map_array(cells: bytes) -> Any:
    return array_of(map_words(cells))
