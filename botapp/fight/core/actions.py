"""A fighter's actions: it walks, casts a spell, ends its turn; and all that it may do, counted and picked.

The state is changed in place. Numbers of legal actions go through the cells in reach in the order found, then
through the spells by slot and cell, the end of the turn last.
"""

from botapp.fight.core.buffs import has_buffs, lose
from botapp.fight.core.casting import FINE, aim_into, hindrance, look, spell_count, spell_of
from botapp.fight.core.cells import bits_in, clear_set, count_cells, distance, has_cell, lowest_bit
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import (
    AP,
    BUFF_STATE,
    CELL,
    FULL_CASTS,
    MOST_CASTS,
    MP,
    NOBODY,
    SET,
    TRAP,
    CellSet,
    Fight,
)
from botapp.fight.core.kinds import INVISIBLE
from botapp.fight.core.marks import mark_on
from botapp.fight.core.movement import after_grip, kept_on_leaving, path_to, reach
from botapp.fight.core.resolving import resolve, work_off
from botapp.fight.core.spellbook import ATTACKS, Book
from botapp.fight.core.state import actor, cast_mix, occupant, put, put_cooldown, rolled, toggle, winner
from botapp.fight.core.triggers import spring_under
from botapp.fight.core.turns import end_turn, hand_on

WALK_CONDITIONS = ("", "path", "walkable", "free-cell", "mp")
"""Names of the conditions that a walk may fail, by number."""
WALKED, NO_PATH, NOT_WALKABLE, NOT_FREE, NO_MP = range(5)


@compiled
def start_action(fight: Fight) -> None:
    """Makes the state ready for an action: nothing waits, no dice are drawn, nothing has gone wrong."""
    fight.task_count = 0
    fight.stood_count = fight.fighter_count
    fight.drawn = 0
    fight.fault = 0
    fight.running = 0
    fight.cause = -1
    fight.cause_hp = 0


@compiled
def cast(fight: Fight, book: Book, slot: int, target: int) -> None:
    """Lets the actor cast a spell at a cell; the cast is legal."""
    fighter = actor(fight)
    start_action(fight)
    spell = spell_of(book, fighter, slot)
    put(fight, fighter, AP, fighter.ap - spell.ap)
    if spell.cooldown:
        put_cooldown(fight, fighter, slot, spell.cooldown)
    if fight.cast_count >= MOST_CASTS:
        fight.fault = FULL_CASTS
        return
    at = fight.casts[fight.cast_count]
    at.by = fighter.number
    at.spell = slot
    at.at = occupant(fight, target)
    fight.cast_count += 1
    toggle(fight, cast_mix(fight, fight.cast_count - 1))
    buffed = fight.buff_count > 0 and has_buffs(fight, fighter)
    resolve(fight, book, fighter, spell, target)
    if buffed and spell.flags & ATTACKS and (fighter.states >> INVISIBLE) & 1:
        lose(fight, fighter, BUFF_STATE, INVISIBLE)
    hand_on(fight, book)


@compiled
def walk(fight: Fight, book: Book) -> int:
    """Lets the actor walk along the cells in `fight.way`, at the latest to the first trap.

    Returns `WALKED`, or the condition that a step fails, be it behind a trap: then nothing has changed.
    """
    fighter = actor(fight)
    start_action(fight)
    count = fight.way.length
    if count == 0:
        return NO_PATH
    cell, mp, ap = fighter.cell, fighter.mp, fighter.ap
    ends_at, mp_left, ap_left = -1, 0, 0
    for place in range(1, count + 1):
        step = fight.way.cells[place - 1]
        if step < 0 or step >= 560 or distance(cell, step) != 1:
            return NO_PATH
        if not has_cell(book.walkable, step):
            return NOT_WALKABLE
        if occupant(fight, step) >= 0:
            return NOT_FREE
        share = kept_on_leaving(fight, fighter, cell)
        if share < 1.0:
            mp, ap = after_grip(mp, share), after_grip(ap, share)
        if mp < 1:
            return NO_MP
        cell, mp = step, mp - 1
        if ends_at < 0 and (place == count or (fight.mark_count and mark_on(fight, TRAP, cell) >= 0)):
            ends_at, mp_left, ap_left = cell, mp, ap
    put(fight, fighter, CELL, ends_at)
    put(fight, fighter, MP, mp_left)
    put(fight, fighter, AP, ap_left)
    if fight.mark_count and mark_on(fight, TRAP, ends_at) >= 0:
        spring_under(fight, fighter)
        work_off(fight, book)
        hand_on(fight, book)
    return WALKED


@compiled
def walk_to(fight: Fight, book: Book, cell: int) -> int:
    """Lets the actor walk to a cell as `walk` does, if `reach` has just found it."""
    path_to(fight, actor(fight), cell)
    return walk(fight, book)


@compiled
def end(fight: Fight, book: Book) -> None:
    """Ends the actor's turn."""
    start_action(fight)
    end_turn(fight, book)


@compiled
def legal_sets(fight: Fight, book: Book) -> None:
    """Fills `fight.aims` for the actor: for each spell, by slot, where it may be cast."""
    fighter = actor(fight)
    looked = False
    for slot in range(spell_count(book, fighter)):
        cells = fight.aims[slot]
        if hindrance(fight, book, fighter, slot) == FINE:
            if not looked:
                look(fight, book, fighter)
                looked = True
            aim_into(fight, book, fighter, slot, cells)
        else:
            clear_set(cells)


@compiled
def count_legal(fight: Fight, book: Book) -> int:
    """Returns how many legal actions there are, none once the fight is over; see `legal_sets`."""
    if winner(fight) != NOBODY:
        return 0
    fighter = actor(fight)
    reach(fight, book, fighter)
    legal_sets(fight, book)
    count = fight.reach.count + 1
    for slot in range(spell_count(book, fighter)):
        count += count_cells(fight.aims[slot])
    return count


@compiled
def nth_cell(cells: CellSet, wanted: int) -> int:
    """Returns the cell of that number, from 0, in a set; -1 where it has fewer."""
    for word in range(SET):
        bits = cells.bits[word]
        here = bits_in(bits)
        if wanted < here:
            for _ in range(wanted):
                bits &= bits - 1
            return word * 28 + lowest_bit(bits)
        wanted -= here
    return -1


@compiled
def play_numbered(fight: Fight, book: Book, number: int) -> None:
    """Plays the legal action of a number below what `count_legal` has just returned for this state."""
    fighter = actor(fight)
    if number < fight.reach.count:
        walk_to(fight, book, fight.reach.cells[number])
        return
    left = number - fight.reach.count
    for slot in range(spell_count(book, fighter)):
        here = count_cells(fight.aims[slot])
        if left < here:
            cast(fight, book, slot, nth_cell(fight.aims[slot], left))
            return
        left -= here
    end(fight, book)


@compiled
def play_randomly(fight: Fight, book: Book, most: int) -> int:
    """Plays legal actions taken at random until the fight is over, at most `most`; returns how many."""
    for played in range(most):
        legal = count_legal(fight, book)
        if legal == 0:
            return played
        play_numbered(fight, book, rolled(fight, 0, legal - 1))
    return most
