"""Casting: what a spell needs before it can be cast, which cells it may aim at, why another is refused."""

from botapp.fight.core.buffs import has_state
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
from botapp.fight.core.fight import CellSet, Fight, Fighter
from botapp.fight.core.kinds import GRAVITY, INVISIBLE, PACIFIED
from botapp.fight.core.sight import sees, view_into
from botapp.fight.core.spellbook import (
    ATTACKS,
    BOOSTABLE,
    IN_LINE,
    NEEDS_FREE,
    NEEDS_SIGHT,
    NEEDS_TAKEN,
    ON_DIAGONAL,
    TELEPORTS,
    Book,
    Spell,
    spell_at,
)
from botapp.fight.core.state import occupant
from botapp.fight.core.summons import full_up
from botapp.fight.core.zones import holds

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


@compiled
def spell_of(book: Book, fighter: Fighter, slot: int) -> Spell:
    """Returns a spell of a fighter by its slot, as the states that the fighter is in have changed it."""
    spell = spell_at(book, book.all[fighter.spells + 1 + slot])
    return as_changed(book, fighter, spell) if spell.changed else spell


@compiled
def as_changed(book: Book, fighter: Fighter, spell: Spell) -> Spell:
    """Returns what a spell is in the states that a fighter is in: the first of them that changes it counts,
    then those that change what it has become."""
    place = 0
    changes = spell.changed
    while changes:
        left = book.all[changes]
        at, changes = changes + 1, 0
        for change in range(at, at + 2 * left, 2):
            if has_state(fighter, book.all[change]):
                place = book.all[change + 1]
                changes = spell_at(book, place).changed
                break
    return spell_at(book, place) if place else spell


@compiled
def spell_count(book: Book, fighter: Fighter) -> int:
    """Returns how many spells a fighter has."""
    return book.all[fighter.spells]


@compiled
def longest_range(low: int, high: int, added: int) -> int:
    """Returns the longest range, in cells, of a spell of `low` to `high` whose caster's range is added."""
    return max(low, high + added)


@compiled
def max_range(fighter: Fighter, spell: Spell) -> int:
    """Returns the spell's longest range in cells in this fighter's hands."""
    if spell.flags & BOOSTABLE:
        return longest_range(spell.min_range, spell.max_range, fighter.range)
    return spell.max_range


@compiled
def casts_done(fight: Fight, fighter: Fighter, slot: int) -> int:
    """Returns how often a fighter has cast a spell this turn."""
    count = 0
    for index in range(fight.cast_count):
        cast = fight.casts[index]
        if cast.by == fighter.number and cast.spell == slot:
            count += 1
    return count


@compiled
def casts_at(fight: Fight, fighter: Fighter, slot: int, target: int) -> int:
    """Returns how often a fighter has cast a spell at fighter number `target` this turn."""
    count = 0
    for index in range(fight.cast_count):
        cast = fight.casts[index]
        if cast.by == fighter.number and cast.spell == slot and cast.at == target:
            count += 1
    return count


@compiled
def spent_on(fight: Fight, book: Book, fighter: Fighter, slot: int, target: int) -> bool:
    """Tells whether a spell's casts on fighter number `target` are used up for this turn."""
    limit = spell_of(book, fighter, slot).casts_per_target
    return limit > 0 and casts_at(fight, fighter, slot, target) >= limit


@compiled
def hindrance(fight: Fight, book: Book, fighter: Fighter, slot: int) -> int:
    """Returns the condition that keeps a fighter from casting a spell anywhere now, `FINE` for none."""
    spell = spell_of(book, fighter, slot)
    if spell.ap > fighter.ap:
        return TOO_DEAR
    if fighter.cooldowns[slot] > 0:
        return COOLING
    limit = spell.casts_per_turn
    if limit and fight.cast_count and casts_done(fight, fighter, slot) >= limit:
        return USED_UP
    states, more = fighter.states, fighter.more_states
    if spell.required & ~states or spell.more_required & ~more:
        return STATE_MISSING
    if states or more:
        if spell.forbidden & states or spell.more_forbidden & more:
            return STATE_FORBIDS
        flags = spell.flags
        if (states >> PACIFIED) & 1 and flags & ATTACKS:
            return IS_PACIFIED
        if (states >> GRAVITY) & 1 and flags & TELEPORTS:
            return IS_HELD
    criterion = spell.criterion
    if criterion and not holds(fight, book, criterion, fighter, fighter):
        return STATE_FORBIDS
    if full_up(fight, fighter, spell):
        return TOO_MANY_SUMMONS
    return FINE


@compiled
def look(fight: Fight, book: Book, fighter: Fighter) -> None:
    """Fills `fight.taken`, `shown` and `seen` with what a fighter has before it where it stands."""
    clear_set(fight.taken)
    clear_set(fight.shown)
    for number in range(fight.fighter_count):
        other = fight.fighters[number]
        if other.hp > 0:
            add_cell(fight.taken, other.cell)
            if other.team == fighter.team or not (other.states >> INVISIBLE) & 1:
                add_cell(fight.shown, other.cell)
    far = -1
    for slot in range(spell_count(book, fighter)):
        spell = spell_of(book, fighter, slot)
        if spell.flags & NEEDS_SIGHT and spell.ap <= fighter.ap:
            far = max(far, max_range(fighter, spell))
    if far >= 0:
        view_into(fight, book, fighter, far, fight.seen)
    else:
        clear_set(fight.seen)


@compiled
def aim_into(fight: Fight, book: Book, fighter: Fighter, slot: int, cells: CellSet) -> None:
    """Makes a set the cells that a castable spell may aim at; `look` was asked before."""
    spell = spell_of(book, fighter, slot)
    flags = spell.flags
    high = max_range(fighter, spell)
    ring_into(cells, fighter.cell, spell.min_range, high, flags & IN_LINE != 0, flags & ON_DIAGONAL != 0)
    keep_common(cells, book.walkable)
    if flags & NEEDS_SIGHT:
        keep_common(cells, fight.seen)
    if flags & NEEDS_TAKEN:
        keep_common(cells, fight.shown)
    if flags & NEEDS_FREE:
        take_out(cells, fight.taken)
    if spell.casts_per_target and fight.cast_count:
        for number in range(fight.fighter_count):
            other = fight.fighters[number]
            if other.hp > 0 and spent_on(fight, book, fighter, slot, number):
                drop_cell(cells, other.cell)


@compiled
def aims_into(fight: Fight, book: Book, fighter: Fighter, slot: int, cells: CellSet) -> None:
    """Makes a set the cells that a fighter may cast a spell at now; empty where it cannot."""
    if hindrance(fight, book, fighter, slot) != FINE:
        clear_set(cells)
        return
    look(fight, book, fighter)
    aim_into(fight, book, fighter, slot, cells)


@compiled
def refusal(fight: Fight, book: Book, fighter: Fighter, slot: int, target: int) -> int:
    """Returns why a fighter may not cast a spell at a cell, `FINE` where it may."""
    condition = hindrance(fight, book, fighter, slot)
    if condition != FINE:
        return condition
    if target < 0 or target >= 560 or not has_cell(book.walkable, target):
        return NO_TARGET
    spell = spell_of(book, fighter, slot)
    flags = spell.flags
    low, high = spell.min_range, max_range(fighter, spell)
    if not low <= distance(fighter.cell, target) <= high:
        return OUT_OF_RANGE
    ring_into(fight.aim, fighter.cell, low, high, flags & IN_LINE != 0, flags & ON_DIAGONAL != 0)
    if not has_cell(fight.aim, target):
        return NOT_IN_LINE
    standing = occupant(fight, target)
    if flags & NEEDS_FREE and standing >= 0:
        return IS_TAKEN
    if flags & NEEDS_TAKEN and (standing < 0 or _hidden(fighter, fight.fighters[standing])):
        return IS_FREE
    if standing >= 0 and spent_on(fight, book, fighter, slot, standing):
        return SPENT
    if flags & NEEDS_SIGHT and not sees(fight, book, fighter.cell, target, fighter.number):
        return UNSEEN
    return FINE


@compiled
def _hidden(fighter: Fighter, other: Fighter) -> bool:
    """Tells whether a fighter is an enemy that cannot be seen."""
    return other.team != fighter.team and (other.states >> INVISIBLE) & 1 != 0
