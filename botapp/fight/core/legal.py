"""Everything the one whose turn it is may do, counted, and one of it picked by its number or at random.

Numbers go through the cells in reach in the order found, then through the spells by slot and cell, the end of
the turn last. Next hop: `botapp.fight.rules` lists them, the benchmarks play at random.
"""

from typing import Any

from botapp.fight.core.actions import cast, end, walk_to
from botapp.fight.core.casting import FINE, aim_into, hindrance, look, spell_count
from botapp.fight.core.cells import bits_in, clear_set, count_cells, lowest_bit
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import NOBODY, REACH_CELLS, REACH_COUNT, SET, SETS
from botapp.fight.core.states import actor, rolled, winner
from botapp.fight.core.walking import reach

AIM_SETS = SETS + 4 * SET
"""Sets of cells that one spell after the other may aim at."""


@compiled
def legal_sets(s: Any, b: Any) -> None:
    """Fills a set at `AIM_SETS` for each spell of the one whose turn it is, by slot: where it may be cast."""
    f = actor(s)
    looked = False
    for slot in range(spell_count(s, b, f)):
        m = AIM_SETS + slot * SET
        if hindrance(s, b, f, slot) == FINE:
            if not looked:
                look(s, b, f)
                looked = True
            aim_into(s, b, f, slot, m)
        else:
            clear_set(s, m)


@compiled
def count_legal(s: Any, b: Any) -> int:
    """Returns how many legal actions there are, none once the fight is over; see `legal_sets`."""
    if winner(s) != NOBODY:
        return 0
    f = actor(s)
    reach(s, b, f)
    legal_sets(s, b)
    count = s[REACH_COUNT] + 1
    for slot in range(spell_count(s, b, f)):
        count += count_cells(s, AIM_SETS + slot * SET)
    return count


@compiled
def nth_cell(s: Any, m: int, wanted: int) -> int:
    """Returns the cell of that number, from 0, in the set at `m`; -1 where it has fewer."""
    for word in range(SET):
        bits = s[m + word]
        here = bits_in(bits)
        if wanted < here:
            for _ in range(wanted):
                bits &= bits - 1
            return word * 28 + lowest_bit(bits)
        wanted -= here
    return -1


@compiled
def play_numbered(s: Any, b: Any, number: int) -> None:
    """Plays the legal action of a number below what `count_legal` has just returned for this state."""
    f = actor(s)
    if number < s[REACH_COUNT]:
        walk_to(s, b, s[REACH_CELLS + number])
        return
    left = number - s[REACH_COUNT]
    for slot in range(spell_count(s, b, f)):
        m = AIM_SETS + slot * SET
        here = count_cells(s, m)
        if left < here:
            cast(s, b, slot, nth_cell(s, m, left))
            return
        left -= here
    end(s, b)


@compiled
def play_randomly(s: Any, b: Any, most: int) -> int:
    """Plays legal actions taken at random until the fight is over, at most `most`; returns how many."""
    for played in range(most):
        legal = count_legal(s, b)
        if legal == 0:
            return played
        play_numbered(s, b, rolled(s, 0, legal - 1))
    return most
