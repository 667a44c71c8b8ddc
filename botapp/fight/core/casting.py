"""Casting: what a spell needs before it can be cast, which cells it may aim at, and why another is refused.

Next hop: `botapp.fight.core.actions`.
"""

from typing import Any

from botapp.fight.core.cells import (
    add_cell,
    clear_set,
    distance,
    drop_cell,
    has_cell,
    keep_common,
    ring_into,
    take_out,
)
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    AP,
    ATTACKS,
    BOOSTABLE,
    CAST,
    CAST_AT,
    CAST_BY,
    CAST_LIST,
    CAST_SPELL,
    CASTS,
    CASTS_PER_TARGET,
    CASTS_PER_TURN,
    CELL,
    COOLDOWNS,
    FIGHTER,
    FIGHTERS,
    FIRST,
    FORBIDDEN,
    GRAVITY,
    HP,
    IN_LINE,
    INVISIBLE,
    MAX_RANGE,
    MIN_RANGE,
    MORE_STATES,
    NEEDS_FREE,
    NEEDS_SIGHT,
    NEEDS_TAKEN,
    NUMBER,
    ON_DIAGONAL,
    PACIFIED,
    RANGE,
    REQUIRED,
    SET,
    SETS,
    SPELL_AP,
    SPELL_CRITERION,
    SPELL_FLAGS,
    SPELLS,
    STATES,
    TEAM,
    TELEPORTS,
    WALKABLE,
)
from botapp.fight.core.masks import holds
from botapp.fight.core.sight import sees, view_into
from botapp.fight.core.states import fighter_at, occupant
from botapp.fight.core.summons import full_up

CONDITIONS = (
    "",
    "ap",
    "cooldown",
    "casts-per-turn",
    "required-state",
    "forbidden-state",
    "pacified",
    "gravity",
    "summons",
    "target",
    "range",
    "line",
    "free-cell",
    "taken-cell",
    "casts-per-target",
    "sight",
)
"""Names of the conditions that a cast may fail, by number; "" where it fails none."""

(FINE, TOO_DEAR, COOLING, USED_UP, STATE_MISSING, STATE_FORBIDS, IS_PACIFIED, IS_HELD, TOO_MANY_SUMMONS,
 NO_TARGET, OUT_OF_RANGE, NOT_IN_LINE, IS_TAKEN, IS_FREE, SPENT, UNSEEN) = range(16)  # fmt: skip

TAKEN_SET, SHOWN_SET, SEEN_SET, AIM_SET = SETS, SETS + SET, SETS + 2 * SET, SETS + 3 * SET
"""Sets of cells that `look` fills: where somebody stands; whom the caster can aim at; what it sees."""


@compiled
def spell_at(s: Any, b: Any, f: int, slot: int) -> int:
    """Returns a spell of a fighter by its slot."""
    return b[s[f + SPELLS] + 1 + slot]


@compiled
def spell_count(s: Any, b: Any, f: int) -> int:
    """Returns how many spells a fighter has."""
    return b[s[f + SPELLS]]


@compiled
def longest_range(low: int, high: int, added: int) -> int:
    """Returns the longest range, in cells, of a spell of `low` to `high` whose caster's range is added."""
    return max(low, high + added)


@compiled
def max_range(s: Any, b: Any, f: int, spell: int) -> int:
    """Returns the spell's longest range in cells in this fighter's hands."""
    if b[spell + SPELL_FLAGS] & BOOSTABLE:
        return longest_range(b[spell + MIN_RANGE], b[spell + MAX_RANGE], s[f + RANGE])
    return b[spell + MAX_RANGE]


@compiled
def casts_done(s: Any, f: int, slot: int) -> int:
    """Returns how often a fighter has cast a spell this turn."""
    count = 0
    for cast in range(CAST_LIST, CAST_LIST + s[CASTS] * CAST, CAST):
        if s[cast + CAST_BY] == s[f + NUMBER] and s[cast + CAST_SPELL] == slot:
            count += 1
    return count


@compiled
def casts_at(s: Any, f: int, slot: int, target: int) -> int:
    """Returns how often a fighter has cast a spell at fighter number `target` this turn."""
    count = 0
    for cast in range(CAST_LIST, CAST_LIST + s[CASTS] * CAST, CAST):
        if (
            s[cast + CAST_BY] == s[f + NUMBER]
            and s[cast + CAST_SPELL] == slot
            and s[cast + CAST_AT] == target
        ):
            count += 1
    return count


@compiled
def spent_on(s: Any, b: Any, f: int, slot: int, target: int) -> bool:
    """Tells whether a spell's casts on fighter number `target` are used up for this turn."""
    limit = b[spell_at(s, b, f, slot) + CASTS_PER_TARGET]
    return limit > 0 and casts_at(s, f, slot, target) >= limit


@compiled
def hindrance(s: Any, b: Any, f: int, slot: int) -> int:
    """Returns the condition that keeps a fighter from casting a spell anywhere now, `FINE` for none."""
    spell = spell_at(s, b, f, slot)
    if b[spell + SPELL_AP] > s[f + AP]:
        return TOO_DEAR
    if s[f + COOLDOWNS + slot] > 0:
        return COOLING
    limit = b[spell + CASTS_PER_TURN]
    if limit and s[CASTS] and casts_done(s, f, slot) >= limit:
        return USED_UP
    states, more = s[f + STATES], s[f + MORE_STATES]
    if b[spell + REQUIRED] & ~states or b[spell + REQUIRED + 1] & ~more:
        return STATE_MISSING
    if states or more:
        if b[spell + FORBIDDEN] & states or b[spell + FORBIDDEN + 1] & more:
            return STATE_FORBIDS
        flags = b[spell + SPELL_FLAGS]
        if (states >> PACIFIED) & 1 and flags & ATTACKS:
            return IS_PACIFIED
        if (states >> GRAVITY) & 1 and flags & TELEPORTS:
            return IS_HELD
    criterion = b[spell + SPELL_CRITERION]
    if criterion and not holds(s, b, criterion, f, f):
        return STATE_FORBIDS
    if full_up(s, b, f, spell):
        return TOO_MANY_SUMMONS
    return FINE


@compiled
def look(s: Any, b: Any, f: int) -> None:
    """Fills `TAKEN_SET`, `SHOWN_SET` and `SEEN_SET` with what a fighter has before it where it stands."""
    clear_set(s, TAKEN_SET)
    clear_set(s, SHOWN_SET)
    for number in range(s[FIGHTERS]):
        other = FIRST + number * FIGHTER
        if s[other + HP] > 0:
            add_cell(s, TAKEN_SET, s[other + CELL])
            if s[other + TEAM] == s[f + TEAM] or not (s[other + STATES] >> INVISIBLE) & 1:
                add_cell(s, SHOWN_SET, s[other + CELL])
    far = -1
    for slot in range(spell_count(s, b, f)):
        spell = spell_at(s, b, f, slot)
        if b[spell + SPELL_FLAGS] & NEEDS_SIGHT and b[spell + SPELL_AP] <= s[f + AP]:
            far = max(far, max_range(s, b, f, spell))
    if far >= 0:
        view_into(s, b, f, far, SEEN_SET)
    else:
        clear_set(s, SEEN_SET)


@compiled
def aim_into(s: Any, b: Any, f: int, slot: int, m: int) -> None:
    """Makes the set at `m` the cells that a castable spell may aim at; `look` was asked before."""
    spell = spell_at(s, b, f, slot)
    flags = b[spell + SPELL_FLAGS]
    high = max_range(s, b, f, spell)
    ring_into(s, m, s[f + CELL], b[spell + MIN_RANGE], high, flags & IN_LINE != 0, flags & ON_DIAGONAL != 0)
    keep_common(s, m, b, WALKABLE)
    if flags & NEEDS_SIGHT:
        keep_common(s, m, s, SEEN_SET)
    if flags & NEEDS_TAKEN:
        keep_common(s, m, s, SHOWN_SET)
    if flags & NEEDS_FREE:
        take_out(s, m, s, TAKEN_SET)
    if b[spell + CASTS_PER_TARGET] and s[CASTS]:
        for number in range(s[FIGHTERS]):
            other = FIRST + number * FIGHTER
            if s[other + HP] > 0 and spent_on(s, b, f, slot, number):
                drop_cell(s, m, s[other + CELL])


@compiled
def aims_into(s: Any, b: Any, f: int, slot: int, m: int) -> None:
    """Makes the set at `m` the cells that a fighter may cast a spell at now; empty where it cannot."""
    if hindrance(s, b, f, slot) != FINE:
        clear_set(s, m)
        return
    look(s, b, f)
    aim_into(s, b, f, slot, m)


@compiled
def refusal(s: Any, b: Any, f: int, slot: int, target: int) -> int:
    """Returns why a fighter may not cast a spell at a cell, `FINE` where it may."""
    condition = hindrance(s, b, f, slot)
    if condition != FINE:
        return condition
    if target < 0 or target >= 560 or not has_cell(b, WALKABLE, target):
        return NO_TARGET
    spell = spell_at(s, b, f, slot)
    flags = b[spell + SPELL_FLAGS]
    low, high = b[spell + MIN_RANGE], max_range(s, b, f, spell)
    if not low <= distance(s[f + CELL], target) <= high:
        return OUT_OF_RANGE
    ring_into(s, AIM_SET, s[f + CELL], low, high, flags & IN_LINE != 0, flags & ON_DIAGONAL != 0)
    if not has_cell(s, AIM_SET, target):
        return NOT_IN_LINE
    standing = occupant(s, target)
    if flags & NEEDS_FREE and standing >= 0:
        return IS_TAKEN
    if flags & NEEDS_TAKEN and (standing < 0 or _hidden(s, f, fighter_at(standing))):
        return IS_FREE
    if standing >= 0 and spent_on(s, b, f, slot, standing):
        return SPENT
    if flags & NEEDS_SIGHT and not sees(s, b, s[f + CELL], target, s[f + NUMBER]):
        return UNSEEN
    return FINE


@compiled
def _hidden(s: Any, f: int, other: int) -> bool:
    """Tells whether somebody is an enemy that is not to be seen."""
    return s[other + TEAM] != s[f + TEAM] and (s[other + STATES] >> INVISIBLE) & 1 != 0
