"""Spells that take HP, in the hands of those who fight: how far they go, what they do, and from where.

What the map leaves open is taken into account, other fighters in the way are not.
Next hop: `botapp.search.core.outlooks` and `botapp.search.core.heuristic`.
"""

from typing import Any

from botapp.fight.core.casting import max_range
from botapp.fight.core.cells import add_cell, clear_set, distance, ring_row, row_of, spread_once, u_of
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    ACT,
    ACT_AREA,
    ACT_SIDE,
    AP,
    AT_FOES,
    CELL,
    IN_LINE,
    INVISIBLE,
    INVULNERABLE,
    MIN_RANGE,
    MP,
    NEEDS_SIGHT,
    NEEDS_TAKEN,
    NUMBER,
    ON_DIAGONAL,
    POINT,
    SET,
    SHAPE,
    SIZE,
    SPELL_ACTS,
    SPELL_FLAGS,
    SPELL_USE,
    SPELLS,
    USE_HURTS,
    WALKABLE,
)
from botapp.fight.core.sight import seen_from
from botapp.search.core.evaluation_layout import (
    FIRST_SET,
    KNOWN_STRIKES,
    RADII,
    RADIUS_SLOTS,
    STRIKE_SLOTS,
    STRIKER_TAGS,
    TARGET_TAGS,
    WALK,
    WALK_SLOTS,
    WALKS,
)
from botapp.search.core.powers import add_option, known_damage, times_a_turn, volley
from botapp.search.core.tags import is_in, mixed, resting

_ROW = (1 << 14) - 1


@compiled
def hurts(b: Any, spell: int) -> bool:
    """Tells whether a spell takes HP."""
    return bool(b[spell + SPELL_USE] & USE_HURTS)


@compiled
def radius(b: Any, e: Any, spell: int) -> int:
    """Returns how far the areas go in which a spell's enemies are to stand."""
    at = RADII + 2 * (spell % RADIUS_SLOTS)
    if e[at] != spell:
        most, acts = 0, b[spell + SPELL_ACTS]
        for act in range(acts + 1, acts + 1 + b[acts] * ACT, ACT):
            area = b[act + ACT_AREA]
            if area and b[act + ACT_SIDE] == AT_FOES and b[area + SHAPE] != POINT and b[area + SIZE] > most:
                most = b[area + SIZE]
        e[at + 1] = most
        e[at] = spell
    return int(e[at + 1])


@compiled
def nearest(b: Any, e: Any, spell: int) -> int:
    """Returns from how many cells away, at the least, a blow reaches somebody."""
    near: int = max(0, b[spell + MIN_RANGE] - radius(b, e, spell))
    return near


@compiled
def farthest(s: Any, b: Any, e: Any, f: int, spell: int) -> int:
    """Returns from how many cells away, at the most, a fighter's blow reaches somebody."""
    return max_range(s, b, f, spell) + radius(b, e, spell)


@compiled
def origins_in_row(b: Any, row: int, cell: int, low: int, high: int, flags: int) -> int:
    """Returns the 14 bits of a row's cells from which a blow reaches a cell.

    Args:
        b: the book.
        row: the row.
        cell: the cell to reach.
        low, high: from how far away.
        flags: of the spell.
    """
    straight, diagonal = flags & IN_LINE != 0, flags & ON_DIAGONAL != 0
    bits = ring_row(row, row_of(cell), u_of(cell), low, high, straight, diagonal)
    if bits and flags & NEEDS_SIGHT:
        bits &= b[seen_from(b, cell) + row // 2] >> 14 * (row % 2)
    return bits & _ROW


@compiled
def walks(s: Any, b: Any, e: Any, cell: int, steps: int) -> int:
    """Returns where in `e` the set of cells stands that so many steps lead to, nobody being in the way."""
    tag = steps << 10 | cell | 1 << 30
    at = WALKS + WALK * (mixed(0, tag) % WALK_SLOTS)
    if e[at] != tag:
        clear_set(s, FIRST_SET)
        add_cell(s, FIRST_SET, cell)
        left = steps
        while left > 0 and spread_once(s, FIRST_SET, b, WALKABLE):
            left -= 1
        for word in range(SET):
            e[at + 1 + word] = s[FIRST_SET + word]
        e[at] = tag
    return at + 1


@compiled
def _in_reach(s: Any, b: Any, e: Any, foe: int, spell: int, cell: int, reach: int) -> bool:
    """Tells whether an enemy's blow reaches a cell from one of the set `reach` of `e`."""
    low, high, flags = nearest(b, e, spell), farthest(s, b, e, foe, spell), b[spell + SPELL_FLAGS]
    if distance(s[foe + CELL], cell) > high + s[foe + MP]:
        return False
    row, start = row_of(cell), row_of(s[foe + CELL])
    first = max(row - high, start - s[foe + MP], 0)
    last = min(row + high, start + s[foe + MP], 39)
    for here in range(first, last + 1):
        walked = int(e[reach + here // 2]) >> 14 * (here % 2) & _ROW
        if walked and walked & origins_in_row(b, here, cell, low, high, flags):
            return True
    return False


@compiled
def known_strike(s: Any, b: Any, e: Any, foe: int, target: int) -> float:
    """Returns the damage of an enemy's best turn at one target, walking included; both tags are known."""
    tag = mixed(int(e[STRIKER_TAGS + s[foe + NUMBER]]), int(e[TARGET_TAGS + s[target + NUMBER]]))
    at = KNOWN_STRIKES + 2 * (tag % STRIKE_SLOTS)
    if e[at] != tag:
        e[at + 1] = _strike(s, b, e, foe, target)
        e[at] = tag
    return e[at + 1]


@compiled
def _strike(s: Any, b: Any, e: Any, foe: int, target: int) -> float:
    if is_in(s, target, INVULNERABLE):
        return 0.0
    hidden = is_in(s, target, INVISIBLE)
    closed = resting(s, b, foe, 0)
    reach = walks(s, b, e, s[foe + CELL], s[foe + MP])
    spells, count = s[foe + SPELLS], 0
    for slot in range(b[spells]):
        spell = b[spells + 1 + slot]
        open_to = hurts(b, spell) and not (closed >> slot) & 1
        if hidden and b[spell + SPELL_FLAGS] & NEEDS_TAKEN:
            open_to = False
        if open_to and _in_reach(s, b, e, foe, spell, s[target + CELL], reach):
            dealt = known_damage(s, b, e, foe, spell, target)
            count = add_option(b, e, count, dealt, spell, times_a_turn(b, spell))
    return volley(e, count, s[foe + AP])
