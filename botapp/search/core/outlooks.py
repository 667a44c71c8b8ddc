"""The outlook: the damage that somebody may hope to do to the enemies in its next turn from where it stands.

For each enemy there is a plan in `e`: the blows, what all together do, and for each cell of the board which
of the blows are within a turn's walk, as bits, and beyond them the steps to the nearest place to strike from.
Next hop: `botapp.search.core.heuristic`.
"""

from typing import Any

from botapp.fight.core.cells import clear_set, copy_set, join, lowest_bit, row_of, spread_once
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    BASE_AP,
    BASE_MP,
    CELL,
    FIGHTER,
    FIGHTERS,
    FIRST,
    HP,
    MOST_SPELLS,
    NUMBER,
    SET,
    SPELL_FLAGS,
    SPELLS,
    TEAM,
    WALKABLE,
)
from botapp.search.core.evaluation_layout import (
    FIRST_SET,
    OPTION,
    OPTIONS,
    OUTLOOK_SLOTS,
    OUTLOOKS,
    PLAN,
    PLAN_BLOWS,
    PLAN_CELLS,
    PLAN_OPTIONS,
    PLAN_SLOTS,
    PLAN_WHOLE,
    PLANS,
    SECOND_SET,
    SIDE,
    STAT_TAGS,
    TARGET_TAGS,
    THIRD_SET,
)
from botapp.search.core.powers import add_option, known_damage, times_a_turn, volley
from botapp.search.core.strikes import farthest, hurts, nearest, origins_in_row
from botapp.search.core.tags import mixed, resting

_LATER = 0.8
_FAR = 560
"""Steps to where no way leads."""
_STEPS = 1 << MOST_SPELLS
"""The weight of a step in what a plan says of a cell."""


@compiled
def outlook_of(s: Any, b: Any, e: Any, f: int) -> float:
    """Returns what `botapp.search.core.heuristic.outlook` does; the tags of the fighters are known."""
    waiting = resting(s, b, f, 1)
    whose = mixed(int(e[STAT_TAGS + s[f + NUMBER]]), s[f + SPELLS])
    whose = mixed(mixed(whose, waiting), s[f + BASE_AP] << 10 | s[f + BASE_MP])
    best = 0.0
    for number in range(s[FIGHTERS]):
        foe = FIRST + number * FIGHTER
        if s[foe + HP] > 0 and s[foe + TEAM] != e[SIDE]:
            best = max(best, _outlook(s, b, e, f, foe, waiting, mixed(whose, int(e[TARGET_TAGS + number]))))
    return best


@compiled
def _outlook(s: Any, b: Any, e: Any, f: int, foe: int, waiting: int, both: int) -> float:
    """Returns the outlook on one enemy; `both` is the tag of all that the plan depends on."""
    tag = mixed(both, s[f + CELL])
    at = OUTLOOKS + 2 * (tag % OUTLOOK_SLOTS)
    if e[at] != tag:
        plan = PLANS + PLAN * (both % PLAN_SLOTS)
        if e[plan] != both:
            _make_plan(s, b, e, plan, f, foe, waiting)
            e[plan] = both
        e[at + 1] = _from_here(s, e, plan, f)
        e[at] = tag
    return e[at + 1]


@compiled
def _from_here(s: Any, e: Any, plan: int, f: int) -> float:
    """Returns the outlook by a plan from where the fighter stands."""
    blows = int(e[plan + PLAN_BLOWS])
    if blows == 0:
        return 0.0
    here = int(e[plan + PLAN_CELLS + s[f + CELL]])
    most, steps, count = s[f + BASE_MP], here // _STEPS, 0
    for blow in range(blows):
        if (here >> blow) & 1:
            for word in range(OPTION):
                e[OPTIONS + count * OPTION + word] = e[plan + PLAN_OPTIONS + blow * OPTION + word]
            count += 1
    later: float = _LATER * e[plan + PLAN_WHOLE] * most / max(1, most + steps)
    return max(volley(e, count, s[f + BASE_AP]), later)


@compiled
def _make_plan(s: Any, b: Any, e: Any, plan: int, f: int, foe: int, waiting: int) -> None:
    """Writes down the blows that somebody may strike at an enemy next turn."""
    for cell in range(560):
        e[plan + PLAN_CELLS + cell] = 0
    clear_set(s, SECOND_SET)
    spells, count = s[f + SPELLS], 0
    for slot in range(b[spells]):
        spell = b[spells + 1 + slot]
        if hurts(b, spell) and not (waiting >> slot) & 1:
            low, high = nearest(b, e, spell), farthest(s, b, e, f, spell)
            _origins_into(s, b, FIRST_SET, s[foe + CELL], low, high, b[spell + SPELL_FLAGS])
            join(s, SECOND_SET, s, FIRST_SET)
            left = s[f + BASE_MP]
            while left > 0 and spread_once(s, FIRST_SET, b, WALKABLE):
                left -= 1
            _add_to_cells(s, e, plan, FIRST_SET, 1 << count)
            dealt = known_damage(s, b, e, f, spell, foe)
            count = add_option(b, e, count, dealt, spell, times_a_turn(b, spell))
    for word in range(count * OPTION):
        e[plan + PLAN_OPTIONS + word] = e[OPTIONS + word]
    e[plan + PLAN_WHOLE] = volley(e, count, s[f + BASE_AP])
    e[plan + PLAN_BLOWS] = count
    _count_steps(s, b, e, plan)


@compiled
def _origins_into(s: Any, b: Any, m: int, cell: int, low: int, high: int, flags: int) -> None:
    """Makes the set at `m` the walkable cells from which a blow reaches a cell."""
    clear_set(s, m)
    row = row_of(cell)
    for here in range(max(row - high, 0), min(row + high, 39) + 1):
        s[m + here // 2] |= origins_in_row(b, here, cell, low, high, flags) << 14 * (here % 2)
    for word in range(SET):
        s[m + word] &= b[WALKABLE + word]


@compiled
def _add_to_cells(s: Any, e: Any, plan: int, m: int, number: int) -> None:
    """Adds a number to the plan's cells that are in the set at `m`."""
    for word in range(SET):
        bits = s[m + word]
        while bits:
            e[plan + PLAN_CELLS + 28 * word + lowest_bit(bits)] += number
            bits &= bits - 1


@compiled
def _count_steps(s: Any, b: Any, e: Any, plan: int) -> None:
    """Adds the steps from each cell to the nearest one of the second set."""
    steps = 0
    clear_set(s, THIRD_SET)
    grown = True
    while grown:
        for word in range(SET):
            s[THIRD_SET + word] = s[SECOND_SET + word] & ~s[THIRD_SET + word]
        _add_to_cells(s, e, plan, THIRD_SET, steps * _STEPS)
        copy_set(s, THIRD_SET, s, SECOND_SET)
        grown = spread_once(s, SECOND_SET, b, WALKABLE)
        steps += 1
    for word in range(SET):
        s[THIRD_SET + word] = ~s[SECOND_SET + word] & _EVERY_CELL
    _add_to_cells(s, e, plan, THIRD_SET, _FAR * _STEPS)


_EVERY_CELL = (1 << 28) - 1
