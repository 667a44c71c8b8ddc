"""The actions a search considers: casts that do something to a fighter, and places to cast from.

Every kind of spell has its aims: fighters for what hurts and helps, the ground near the enemies for traps,
glyphs and summons, a few cells near and far for jumps.
"""

from botapp.fight.core.buffs import has_state
from botapp.fight.core.casting import aim_into, hindrance, look, max_range, spell_count, spell_of, spent_on
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
from botapp.fight.core.fight import MOST_CASTS, SET, CellSet, Fight, Fighter
from botapp.fight.core.kinds import INVISIBLE
from botapp.fight.core.sight import keep_seen
from botapp.fight.core.spellbook import (
    IN_LINE,
    NEEDS_FREE,
    NEEDS_SIGHT,
    NEEDS_TAKEN,
    ON_DIAGONAL,
    USE_HARMS,
    USE_HELPS,
    USE_ITSELF,
    USE_JUMPS,
    USE_MOVES,
    USE_SUMMONS,
    USE_TRAPS,
    USE_WIDE,
    Book,
    Spell,
    effect_at,
)
from botapp.fight.core.state import actor
from botapp.fight.core.zones import steps_in
from botapp.search.core.areas import all_round, areas_into, around_into, covering_into
from botapp.search.core.work import MOST_KEYS, MOST_STANDS, MOST_VIEWED, Work, sort_cells

_JUMPS = 8
_BETWEEN = 5
_SUMMONS = 4
_TRAPS = 4
_FULL_WORD = (1 << 31) - 1


@compiled
def sensible_casts(fight: Fight, book: Book, work: Work) -> int:
    """Writes the actor's legal casts that may have a useful effect to `work.casts`; returns how many."""
    fighter = actor(fight)
    count = 0
    look(fight, book, fighter)
    for slot in range(spell_count(book, fighter)):
        if hindrance(fight, book, fighter, slot):
            continue
        aim_into(fight, book, fighter, slot, fight.sets.aim)
        aims = _aims(fight, book, work, fighter, spell_of(book, fighter, slot))
        for i in range(aims):
            if count < MOST_CASTS:
                work.casts[count].slot, work.casts[count].target = slot, work.targets[i]
                count += 1
    return count


@compiled
def _aims(fight: Fight, book: Book, work: Work, fighter: Fighter, spell: Spell) -> int:
    """Writes to `work.targets` where a cast reaches a fighter it is meant for, of the cells `aim`; how
    many."""
    use, sets = spell.use, fight.sets
    areas = areas_into(book, spell, work)
    covering_into(fight, book, work, areas, fighter, True, sets.cover, sets.around)
    keep_common(sets.cover, sets.aim)
    count = cells_into(sets.cover, work.targets[:], 0)
    if use & USE_WIDE and count > 1:
        count = _distinct(fight, book, work, fighter, areas, use, USE_HARMS | USE_HELPS, True)
    if use & (USE_JUMPS | USE_SUMMONS | USE_TRAPS):
        return _add_ground(fight, work, fighter, use, count)
    if use & USE_ITSELF and not count:
        target = _first_cell(sets.aim)
        if target >= 0:
            work.targets[0] = fighter.cell if has_cell(sets.aim, fighter.cell) else target
            return 1
    return count


@compiled
def _first_cell(cells: CellSet) -> int:
    """Returns the lowest cell of a set, -1 where it is empty."""
    for word in range(SET):
        if cells.bits[word]:
            return word * 28 + lowest_bit(cells.bits[word])
    return -1


@compiled
def _distinct(
    fight: Fight, book: Book, work: Work, fighter: Fighter, areas: int, use: int, meant: int, itself: bool
) -> int:
    """Writes to `work.targets` one cell of `cover` for each set of fighters that the areas reach; how many.

    The fighters reached from a cell, and how, are hashed into a sum of one mixed number for each; `meant`
    says which side counts there (enemies where it `USE_HARMS`, the own side where it `USE_HELPS`), `itself`
    whether the caster does. `foes_in` and `own_in` count both sides in each case.
    """
    count = cells_into(fight.sets.cover, work.found[:], 0)
    for i in range(count):
        cell = work.found[i]
        work.mixed[cell] = 0
        work.foes_in[cell] = 0
        work.own_in[cell] = 0
    for number in range(fight.fighter_count):
        other = fight.fighters[number]
        if other.hp <= 0 or (other.number == fighter.number and not itself):
            continue
        foe = other.team != fighter.team
        counts = meant & (USE_HARMS if foe else USE_HELPS) != 0
        for area in range(areas):
            _mix(fight, book, work, area, other, fighter.cell, use & USE_MOVES != 0, counts, foe)
    filled = 0
    for i in range(count):
        cell = work.found[i]
        mixed = work.mixed[cell]
        new = mixed != 0
        if new and not use & USE_MOVES:
            for k in range(filled):
                if work.mixed[work.targets[k]] == mixed:
                    new = False
                    break
        if new:
            work.targets[filled] = cell
            filled += 1
    return filled


@compiled
def _mix(
    fight: Fight,
    book: Book,
    work: Work,
    area: int,
    other: Fighter,
    origin: int,
    moves: bool,
    counts: bool,
    foe: bool,
) -> None:
    """Adds to each cell of `cover` what an area around it does with one fighter."""
    effect, around, cover = effect_at(book, work.areas[area].effect), fight.sets.around, fight.sets.cover
    around_into(book, around, effect, other.cell)
    for word in range(SET):
        bits = around.bits[word] & cover.bits[word]
        while bits:
            cell = word * 28 + lowest_bit(bits)
            bits &= bits - 1
            steps = steps_in(book, effect, origin, cell, other.cell)
            if steps < 0:
                continue
            if foe:
                work.foes_in[cell] += 1
            else:
                work.own_in[cell] += 1
            if counts:
                side = other.cell - cell + 560 if moves else 0
                mixed = _mixed(((area * 32 + other.number) * 64 + steps) * 1120 + side)
                work.mixed[cell] = (work.mixed[cell] + mixed) & _FULL_WORD


@compiled
def _mixed(number: int) -> int:
    """Returns a number of 31 bits that looks drawn at random."""
    mixed = ((number + 1) * 0x5E3779B1) & _FULL_WORD
    mixed = ((mixed ^ mixed >> 15) * 0x45EBCA6B) & _FULL_WORD
    mixed = ((mixed ^ mixed >> 13) * 0x42B2AE35) & _FULL_WORD
    return mixed ^ mixed >> 16


@compiled
def _add_ground(fight: Fight, work: Work, fighter: Fighter, use: int, count: int) -> int:
    """Adds to `work.targets` free cells for a jump, a summon or a trap, those near enemies first; how
    many."""
    cells = cells_into(fight.sets.aim, work.found[:], 0)
    for i in range(cells):
        cell = work.found[i]
        nearest = MOST_KEYS - 1
        for number in range(fight.fighter_count):
            other = fight.fighters[number]
            if other.hp > 0 and other.team != fighter.team:
                nearest = min(nearest, distance(cell, other.cell))
        work.keys[cell] = nearest
    sort_cells(work, work.found[:], cells)
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
            known = known or work.targets[k] == work.found[i]
        if not known:
            work.targets[count] = work.found[i]
            count += 1
    return count


@compiled
def stands(fight: Fight, book: Book, fighter: Fighter, work: Work, within: CellSet) -> int:
    """Writes to `work.stands` from which cells a fighter could reach which others with its spells; how
    many.

    Sight is as symmetric as the rules have it, so what is seen from the aim is taken; the fighter itself is
    in no fighter's way. Jumps, traps and summons are left out. No stand's cells are empty.

    Args:
        fight: the state.
        book: the book.
        fighter: the fighter.
        work: room; all but its casts is overwritten.
        within: the cells that may be cast from.
    """
    origins, around = fight.sets.origins, fight.sets.around
    count = viewed = 0
    for slot in range(spell_count(book, fighter)):
        spell = spell_of(book, fighter, slot)
        if spell.use & (USE_JUMPS | USE_SUMMONS | USE_TRAPS) or hindrance(fight, book, fighter, slot):
            continue
        areas = areas_into(book, spell, work)
        far = max_range(fighter, spell)
        if far == 0:
            covering_into(fight, book, work, areas, fighter, False, origins, around)
            keep_common(origins, within)
            if _first_cell(origins) >= 0 and not spent_on(fight, book, fighter, slot, fighter.number):
                count = _write_stand(fight, work, count, slot, -1)
            continue
        straight, diagonal = spell.flags & IN_LINE != 0, spell.flags & ON_DIAGONAL != 0
        for i in range(_targets(fight, book, work, fighter, slot, areas)):
            aim = work.targets[i]
            ring_into(origins, aim, spell.min_range, far, straight, diagonal)
            keep_common(origins, within)
            if _first_cell(origins) < 0:
                continue
            if spell.flags & NEEDS_SIGHT:
                view = 0
                while view < viewed and work.viewed[view] != aim:
                    view += 1
                if view == viewed:
                    if viewed < MOST_VIEWED:
                        viewed += 1
                    else:
                        view -= 1
                    work.viewed[view] = aim
                    copy_set(fight.sets.views[view], within)
                    keep_seen(fight, book, aim, fighter.number, 63, fight.sets.views[view])
                keep_common(origins, fight.sets.views[view])
                if _first_cell(origins) < 0:
                    continue
            count = _write_stand(fight, work, count, slot, aim)
    return count


@compiled
def _write_stand(fight: Fight, work: Work, count: int, slot: int, aim: int) -> int:
    """Writes one stand from the cells `origins`; returns how many there are then."""
    if count == MOST_STANDS:
        return count
    stand = work.stands[count]
    stand.slot = slot
    stand.aim = aim
    copy_set(stand.cells, fight.sets.origins)
    return count + 1


@compiled
def _targets(fight: Fight, book: Book, work: Work, fighter: Fighter, slot: int, areas: int) -> int:
    """Writes to `work.targets` cells to aim at: those of the fighters it is meant for, and between; how
    many."""
    spell = spell_of(book, fighter, slot)
    use, flags = spell.use, spell.flags
    several = 0
    meant = 0
    if use & USE_WIDE and not flags & NEEDS_TAKEN and all_round(book, work, areas):
        for number in range(fight.fighter_count):
            other = fight.fighters[number]
            side = USE_HARMS if other.team != fighter.team else USE_HELPS
            if other.hp > 0 and other.number != fighter.number and use & side:
                meant += 1
        if meant > 1:
            several = _between(fight, book, work, fighter, areas, use)
    for i in range(several):
        work.keys[i] = work.targets[i]
    count = 0
    if not flags & NEEDS_FREE:
        if use & USE_HARMS:
            count = _add_fighters(fight, book, work, fighter, slot, flags, True, count)
        if use & USE_HELPS:
            count = _add_fighters(fight, book, work, fighter, slot, flags, False, count)
    for i in range(several):
        work.targets[count + i] = work.keys[i]
    return count + several


@compiled
def _add_fighters(
    fight: Fight, book: Book, work: Work, fighter: Fighter, slot: int, flags: int, foes: bool, count: int
) -> int:
    """Adds to `work.targets` the cells of one side that the spell may be aimed at; how many then."""
    for n in range(fight.fighter_count):
        other = fight.fighters[n]
        if other.hp <= 0 or other.number == fighter.number or (other.team != fighter.team) != foes:
            continue
        if spent_on(fight, book, fighter, slot, n) or (
            foes and flags & NEEDS_TAKEN and has_state(other, INVISIBLE)
        ):
            continue
        work.targets[count] = other.cell
        count += 1
    return count


@compiled
def _between(fight: Fight, book: Book, work: Work, fighter: Fighter, areas: int, use: int) -> int:
    """Writes to `work.targets` the free cells that reach most enemies, then fewest friends; how many."""
    cover = fight.sets.cover
    covering_into(fight, book, work, areas, fighter, False, cover, fight.sets.around)
    keep_common(cover, book.walkable)
    for number in range(fight.fighter_count):
        other = fight.fighters[number]
        if other.hp > 0 and other.number != fighter.number:
            drop_cell(cover, other.cell)
    count = _distinct(fight, book, work, fighter, areas, use, use, False)
    for i in range(count):
        cell = work.targets[i]
        work.keys[cell] = min(MOST_KEYS - 1, work.own_in[cell])
    sort_cells(work, work.targets[:], count)
    for i in range(count):
        cell = work.targets[i]
        work.keys[cell] = MOST_KEYS - 1 - min(MOST_KEYS - 1, work.foes_in[cell])
    sort_cells(work, work.targets[:], count)
    return min(count, _BETWEEN)
