"""The actions a search considers: casts that do something to somebody, and places to cast from.

Every kind of spell has its aims: fighters for what hurts and helps, the ground near the enemies for traps,
glyphs and summons, a few cells near and far for jumps. Next hop: `botapp.search.core.policy` weighs them by
what comes of them.
"""

from typing import Any

from botapp.fight.core.buffs import has_state
from botapp.fight.core.casting import aim_into, hindrance, look, max_range, spent_on
from botapp.fight.core.cells import (
    cells_into,
    copy_set,
    distance,
    drop_cell,
    has_cell,
    keep_common,
    lowest_bit,
    ring_into,
)
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    CELL,
    FIGHTERS,
    HP,
    IN_LINE,
    INVISIBLE,
    MIN_RANGE,
    NEEDS_FREE,
    NEEDS_SIGHT,
    NEEDS_TAKEN,
    NUMBER,
    ON_DIAGONAL,
    SET,
    SETS,
    SPELL_FLAGS,
    SPELL_USE,
    SPELLS,
    TEAM,
    USE_CALLS,
    USE_HARMS,
    USE_HELPS,
    USE_ITSELF,
    USE_JUMPS,
    USE_MOVES,
    USE_TRAPS,
    USE_WIDE,
    WALKABLE,
)
from botapp.fight.core.sight import keep_seen
from botapp.fight.core.states import actor, fighter_at
from botapp.fight.core.zones import steps_in
from botapp.search.core.areas import all_round, areas_into, around_into, covering_into
from botapp.search.core.work import (
    AREA,
    AREAS,
    CAST,
    FOES_IN,
    FOUND,
    KEYS,
    MIXED,
    MOST_CASTS,
    MOST_KEYS,
    MOST_STANDS,
    MOST_VIEWED,
    OWN_IN,
    STAND,
    TARGETS,
    VIEWED,
    sort_cells,
)

_AIM = SETS + 16 * SET
_COVER = SETS + 17 * SET
_AROUND = SETS + 18 * SET
_ORIGINS = SETS + 19 * SET
_VIEWS = SETS + 24 * SET
"""Sets 20 to 23 are the default policy's."""

_JUMPS = 8
_BETWEEN = 5
_SUMMONS = 4
_TRAPS = 4
_FULL_WORD = (1 << 31) - 1


@compiled
def sensible_casts(s: Any, b: Any, w: Any, out: Any, at: int) -> int:
    """Writes the actor's legal casts that may have a useful effect, as (slot, target) from `at` on in `out`.

    Returns:
        How many there are. Sets 0 to 2 and 16 to 18 and the work array `w` are overwritten.
    """
    f = actor(s)
    spells = s[f + SPELLS]
    count = 0
    look(s, b, f)
    for slot in range(int(b[spells])):
        if hindrance(s, b, f, slot):
            continue
        aim_into(s, b, f, slot, _AIM)
        found = _aims(s, b, w, f, b[spells + 1 + slot])
        for i in range(found):
            if count < MOST_CASTS:
                out[at + count * CAST] = slot
                out[at + count * CAST + 1] = w[TARGETS + i]
                count += 1
    return count


@compiled
def _aims(s: Any, b: Any, w: Any, f: int, spell: int) -> int:
    """Writes to `TARGETS` where a cast reaches somebody it is meant for, of the cells `_AIM`; how many."""
    use = b[spell + SPELL_USE]
    areas = areas_into(b, spell, w)
    covering_into(s, b, w, areas, f, True, _COVER, _AROUND)
    keep_common(s, _COVER, s, _AIM)
    count = cells_into(s, _COVER, w, TARGETS)
    if use & USE_WIDE and count > 1:
        count = _distinct(s, b, w, f, areas, use, USE_HARMS | USE_HELPS, True)
    if use & (USE_JUMPS | USE_CALLS | USE_TRAPS):
        return _add_ground(s, w, f, use, count)
    if use & USE_ITSELF and not count:
        target = _first_cell(s, _AIM)
        if target >= 0:
            w[TARGETS] = s[f + CELL] if has_cell(s, _AIM, s[f + CELL]) else target
            return 1
    return count


@compiled
def _first_cell(s: Any, m: int) -> int:
    """Returns the lowest cell of a set, -1 where it is empty."""
    for word in range(SET):
        if s[m + word]:
            return word * 28 + lowest_bit(s[m + word])
    return -1


@compiled
def _distinct(s: Any, b: Any, w: Any, f: int, areas: int, use: int, meant: int, itself: bool) -> int:
    """Writes to `TARGETS` one cell of `_COVER` for each set of fighters that the areas reach; how many.

    Whom they reach from a cell, and how, is told by a sum of one mixed number for each; `meant` says which
    side counts there (enemies where it `USE_HARMS`, the own side where it `USE_HELPS`), `itself` whether the
    caster does. `FOES_IN` and `OWN_IN` count both sides whatever is meant.
    """
    count = cells_into(s, _COVER, w, FOUND)
    for i in range(count):
        cell = w[FOUND + i]
        w[MIXED + cell] = 0
        w[FOES_IN + cell] = 0
        w[OWN_IN + cell] = 0
    for n in range(s[FIGHTERS]):
        g = fighter_at(n)
        if s[g + HP] <= 0 or (g == f and not itself):
            continue
        foe = s[g + TEAM] != s[f + TEAM]
        counts = meant & (USE_HARMS if foe else USE_HELPS) != 0
        tally = FOES_IN if foe else OWN_IN
        for area in range(areas):
            _mix(s, b, w, area, n, g, s[f + CELL], use & USE_MOVES != 0, counts, tally)
    kept = 0
    for i in range(count):
        cell = w[FOUND + i]
        mixed = w[MIXED + cell]
        new = mixed != 0
        if new and not use & USE_MOVES:
            for k in range(kept):
                if w[MIXED + w[TARGETS + k]] == mixed:
                    new = False
                    break
        if new:
            w[TARGETS + kept] = cell
            kept += 1
    return kept


@compiled
def _mix(
    s: Any, b: Any, w: Any, area: int, n: int, g: int, origin: int, moves: bool, counts: bool, tally: int
) -> None:
    """Adds to each cell of `_COVER` what an area around it does with one fighter."""
    effect = w[AREAS + area * AREA]
    stands_on = s[g + CELL]
    around_into(s, b, _AROUND, effect, stands_on)
    for word in range(SET):
        bits = s[_AROUND + word] & s[_COVER + word]
        while bits:
            cell = word * 28 + lowest_bit(bits)
            bits &= bits - 1
            steps = steps_in(b, effect, origin, cell, stands_on)
            if steps < 0:
                continue
            w[tally + cell] += 1
            if counts:
                side = stands_on - cell + 560 if moves else 0
                mixed = _mixed(((area * 32 + n) * 64 + steps) * 1120 + side)
                w[MIXED + cell] = (w[MIXED + cell] + mixed) & _FULL_WORD


@compiled
def _mixed(number: int) -> int:
    """Returns a number of 31 bits that looks drawn at random."""
    mixed = ((number + 1) * 0x5E3779B1) & _FULL_WORD
    mixed = ((mixed ^ mixed >> 15) * 0x45EBCA6B) & _FULL_WORD
    mixed = ((mixed ^ mixed >> 13) * 0x42B2AE35) & _FULL_WORD
    return mixed ^ mixed >> 16


@compiled
def _add_ground(s: Any, w: Any, f: int, use: int, count: int) -> int:
    """Adds to `TARGETS` free cells for a jump, a summon or a trap, those near enemies first; how many."""
    cells = cells_into(s, _AIM, w, FOUND)
    for i in range(cells):
        cell = w[FOUND + i]
        nearest = MOST_KEYS - 1
        for n in range(s[FIGHTERS]):
            g = fighter_at(n)
            if s[g + HP] > 0 and s[g + TEAM] != s[f + TEAM]:
                nearest = min(nearest, distance(cell, s[g + CELL]))
        w[KEYS + cell] = nearest
    sort_cells(w, FOUND, cells)
    step = max(1, cells // _JUMPS)
    most = _TRAPS if use & USE_TRAPS else _SUMMONS
    for i in range(cells):
        if use & USE_JUMPS:
            if i >= _JUMPS // 2 and (i - _JUMPS // 2) % step:
                continue
        elif i >= most:
            break
        known = False
        for k in range(count):
            known = known or w[TARGETS + k] == w[FOUND + i]
        if not known:
            w[TARGETS + count] = w[FOUND + i]
            count += 1
    return count


@compiled
def stands(s: Any, b: Any, f: int, w: Any, within: int, out: Any, at: int) -> int:
    """Writes from where a fighter could reach whom with the spells that it can cast.

    Sight is as symmetric as the rules have it, so what is seen from the aim is taken; the fighter itself is
    in nobody's way. Jumps, traps and summons are left out.

    Args:
        s: the state.
        b: the book.
        f: the fighter.
        w: the work array.
        within: set in `s` of the cells that may be cast from.
        out: where to write: `STAND` words each, the slot, the cell to aim at or -1 for the caster's own
            wherever that is, and the set of the cells to cast it from, never empty.
        at: from where on.

    Returns:
        How many there are. Sets 17 to 19 and 24 to 39 and the work array `w` are overwritten.
    """
    spells = s[f + SPELLS]
    count = viewed = 0
    for slot in range(int(b[spells])):
        spell = b[spells + 1 + slot]
        if b[spell + SPELL_USE] & (USE_JUMPS | USE_CALLS | USE_TRAPS) or hindrance(s, b, f, slot):
            continue
        areas = areas_into(b, spell, w)
        far = max_range(s, b, f, spell)
        if far == 0:
            covering_into(s, b, w, areas, f, False, _ORIGINS, _AROUND)
            keep_common(s, _ORIGINS, s, within)
            if _first_cell(s, _ORIGINS) >= 0 and not spent_on(s, b, f, slot, s[f + NUMBER]):
                count = _write_stand(s, out, at, count, slot, -1)
            continue
        flags = b[spell + SPELL_FLAGS]
        for i in range(_targets(s, b, w, f, slot, areas)):
            aim = w[TARGETS + i]
            straight, diagonal = flags & IN_LINE != 0, flags & ON_DIAGONAL != 0
            ring_into(s, _ORIGINS, aim, b[spell + MIN_RANGE], far, straight, diagonal)
            keep_common(s, _ORIGINS, s, within)
            if _first_cell(s, _ORIGINS) < 0:
                continue
            if flags & NEEDS_SIGHT:
                view = 0
                while view < viewed and w[VIEWED + view] != aim:
                    view += 1
                if view == viewed:
                    if viewed < MOST_VIEWED:
                        viewed += 1
                    else:
                        view -= 1
                    w[VIEWED + view] = aim
                    copy_set(s, _VIEWS + view * SET, s, within)
                    keep_seen(s, b, aim, s[f + NUMBER], 63, _VIEWS + view * SET)
                keep_common(s, _ORIGINS, s, _VIEWS + view * SET)
                if _first_cell(s, _ORIGINS) < 0:
                    continue
            count = _write_stand(s, out, at, count, slot, aim)
    return count


@compiled
def _write_stand(s: Any, out: Any, at: int, count: int, slot: int, aim: int) -> int:
    """Writes one stand from the cells of `_ORIGINS`; returns how many there are then."""
    if count == MOST_STANDS:
        return count
    place = at + count * STAND
    out[place] = slot
    out[place + 1] = aim
    copy_set(out, place + 2, s, _ORIGINS)
    return count + 1


@compiled
def _targets(s: Any, b: Any, w: Any, f: int, slot: int, areas: int) -> int:
    """Writes to `TARGETS` cells to aim at: those of the fighters it is meant for, and between; how many."""
    spell = b[s[f + SPELLS] + 1 + slot]
    use, flags = b[spell + SPELL_USE], b[spell + SPELL_FLAGS]
    several = 0
    meant = 0
    if use & USE_WIDE and not flags & NEEDS_TAKEN and all_round(b, w, areas):
        for n in range(s[FIGHTERS]):
            g = fighter_at(n)
            if s[g + HP] > 0 and g != f and use & (USE_HARMS if s[g + TEAM] != s[f + TEAM] else USE_HELPS):
                meant += 1
        if meant > 1:
            several = _between(s, b, w, f, areas, use)
    for i in range(several):
        w[KEYS + i] = w[TARGETS + i]
    count = 0
    if not flags & NEEDS_FREE:
        if use & USE_HARMS:
            count = _add_fighters(s, b, w, f, slot, flags, True, count)
        if use & USE_HELPS:
            count = _add_fighters(s, b, w, f, slot, flags, False, count)
    for i in range(several):
        w[TARGETS + count + i] = w[KEYS + i]
    return count + several


@compiled
def _add_fighters(s: Any, b: Any, w: Any, f: int, slot: int, flags: int, foes: bool, count: int) -> int:
    """Adds to `TARGETS` the cells of one side that the spell may be aimed at; how many then."""
    for n in range(s[FIGHTERS]):
        g = fighter_at(n)
        if s[g + HP] <= 0 or g == f or (s[g + TEAM] != s[f + TEAM]) != foes:
            continue
        if spent_on(s, b, f, slot, n) or (foes and flags & NEEDS_TAKEN and has_state(s, g, INVISIBLE)):
            continue
        w[TARGETS + count] = s[g + CELL]
        count += 1
    return count


@compiled
def _between(s: Any, b: Any, w: Any, f: int, areas: int, use: int) -> int:
    """Writes to `TARGETS` the free cells that reach most enemies, then fewest friends; how many."""
    covering_into(s, b, w, areas, f, False, _COVER, _AROUND)
    keep_common(s, _COVER, b, WALKABLE)
    for n in range(s[FIGHTERS]):
        g = fighter_at(n)
        if s[g + HP] > 0 and g != f:
            drop_cell(s, _COVER, s[g + CELL])
    count = _distinct(s, b, w, f, areas, use, use, False)
    for i in range(count):
        cell = w[TARGETS + i]
        w[KEYS + cell] = min(MOST_KEYS - 1, w[OWN_IN + cell])
    sort_cells(w, TARGETS, count)
    for i in range(count):
        cell = w[TARGETS + i]
        w[KEYS + cell] = MOST_KEYS - 1 - min(MOST_KEYS - 1, w[FOES_IN + cell])
    sort_cells(w, TARGETS, count)
    return min(count, _BETWEEN)
