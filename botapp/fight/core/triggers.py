"""What is still to happen within an action, the latest first, and what sets it off.

An effect may spring a trap whose effects push a fighter into the next, or strike a fighter on which another
effect waits for that. A stack of tasks stands in for functions that call each other in circles.
"""

from botapp.fight.core.buffs import NO_STATE, due, has_waiting
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import FULL_TASKS, MOST_TASKS, Fight, Fighter
from botapp.fight.core.kinds import ON_DEATH, ON_KILLS, ON_STATE_LOST
from botapp.fight.core.spellbook import Book

SPRING_TRAPS, PAYLOAD_OF, STRIKE = range(3)
"""Spring the traps under a fighter; go through a payload; let an effect strike a fighter."""


@compiled
def push_task(
    fight: Fight, kind: int, what: int, by: int, centre: int, target: int, steps: int, how: int
) -> None:
    """Puts a task on the stack."""
    if fight.task_count >= MOST_TASKS:
        fight.fault = FULL_TASKS
        return
    task = fight.tasks[fight.task_count]
    fight.task_count += 1
    task.kind = kind
    task.what = what
    task.by = by
    task.centre = centre
    task.target = target
    task.steps = steps
    task.how = how
    task.cause = fight.cause
    task.cause_hp = fight.cause_hp
    task.running = fight.running


@compiled
def spring_under(fight: Fight, fighter: Fighter) -> None:
    """Lets the traps on the cell where a fighter has just come be sprung, the oldest first."""
    if fight.mark_count:
        push_task(fight, SPRING_TRAPS, 0, fighter.number, fighter.cell, fighter.number, 0, 1)


@compiled
def let_strike(
    fight: Fight, book: Book, fighter: Fighter, events: int, cause: int, hp: int, state: int
) -> None:
    """Lets what waits on a fighter for one of some events strike it, the oldest first.

    Args:
        fight: the state.
        book: the book.
        fighter: on which it waits.
        events: `ON_*` bits of what has happened.
        cause: number of who did it.
        hp: the HP that it cost.
        state: the state that came or went, or `NO_STATE`.
    """
    set_striking(fight, fighter, due(fight, book, fighter, events, state), cause, hp)


@compiled
def set_striking(fight: Fight, fighter: Fighter, count: int, cause: int, hp: int) -> None:
    """Sets the `count` waiting effects in `fight.due` to strike a fighter."""
    running, cause_before, hp_before = fight.running, fight.cause, fight.cause_hp
    fight.cause = cause
    fight.cause_hp = hp
    for place in range(count - 1, -1, -1):
        waited = fight.due[place]
        fight.running = waited.effect
        push_task(fight, STRIKE, waited.effect, waited.by, fighter.cell, fighter.number, 0, 1)
    fight.running = running
    fight.cause = cause_before
    fight.cause_hp = hp_before


@compiled
def wounded(fight: Fight, book: Book, by: Fighter, target: Fighter, lost: int, events: int) -> None:
    """Lets happen what waits on a fighter for having lost HP, be it all of them, and on who has killed it."""
    dead = target.hp <= 0
    if has_waiting(fight, target):
        let_strike(fight, book, target, events | (ON_DEATH if dead else 0), by.number, lost, NO_STATE)
    if dead and has_waiting(fight, by):
        let_strike(fight, book, by, ON_KILLS, target.number, lost, NO_STATE)


@compiled
def miss_states(fight: Fight, book: Book, fighter: Fighter, states: int, more: int) -> None:
    """Lets happen what waits on a fighter for the loss of a state; it was in `states` and `more` before."""
    gone, more_gone = states & ~fighter.states, more & ~fighter.more_states
    if (gone or more_gone) and has_waiting(fight, fighter):
        for state in range(62):
            if (gone >> state if state < 31 else more_gone >> (state - 31)) & 1:
                let_strike(fight, book, fighter, ON_STATE_LOST, fighter.number, 0, state)
