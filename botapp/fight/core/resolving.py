"""What happens after what: a cast's effects one by one, and what each of them sets off before the next.

Traps that a fighter steps into, payloads and effects that have waited for their trigger stand on the stack of
tasks until they are worked off, the latest first.
"""

from botapp.fight.core import kinds
from botapp.fight.core.buffs import NO_STATE, has_waiting, ripe
from botapp.fight.core.cells import has_cell
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import crit_chance
from botapp.fight.core.effects import MOST_MARK_KINDS, change_board, on_the_board, strike, strike_or_wait
from botapp.fight.core.fight import GLYPH, MARK_NUMBER, MEANS, TRAP, Fight, Fighter, Task
from botapp.fight.core.marks import mark_on, remove_mark
from botapp.fight.core.records import place_in
from botapp.fight.core.spellbook import Book, Effect, Spell, effect_at
from botapp.fight.core.state import draw, put_mark
from botapp.fight.core.triggers import PAYLOAD_OF, SPRING_TRAPS, STRIKE, let_strike, push_task, set_striking
from botapp.fight.core.zones import is_for_called, meant, pick_group, steps_in, takes_place

_MOST_TASKS_AN_ACTION = 400
"""Effects that trigger each other without end stop here."""


@compiled
def resolve(fight: Fight, book: Book, caster: Fighter, spell: Spell, centre: int) -> None:
    """Does what a cast does, to the fighters that stand in its zones before the first of its effects acts.

    Fighters that the cast itself calls are struck by those effects only that are meant for them.
    """
    chance = crit_chance(caster, spell)
    critical = 0
    if fight.dice != MEANS and chance > 0 and draw(fight) * 100 < chance:
        critical = 1
    fight.stood_count = fight.fighter_count
    _note_cells(fight, 0)
    origin = caster.cell
    bonus = spell.crit_bonus
    effects = spell.effects
    if critical and has_waiting(fight, caster):
        let_strike(fight, book, caster, kinds.ON_CRITICAL, caster.number, 0, NO_STATE)
        work_off(fight, book)
    picked = pick_group(fight, book, effects, spell.effect_count)
    for index in range(spell.effect_count):
        effect = effect_at(book, book.all[effects + index])
        if not takes_place(fight, effect, picked):
            continue
        if on_the_board(effect):
            change_board(fight, book, effect, caster, origin, centre)
        else:
            count = fight.stood_count
            if fight.fighter_count > count and is_for_called(book, effect):
                _note_cells(fight, count)
                count = fight.fighter_count
            for number in range(count):
                fighter = fight.fighters[number]
                steps = _reaches_before(fight, book, effect, caster, origin, centre, number)
                if steps >= 0:
                    strike_or_wait(
                        fight, book, effect, caster, centre, fighter, steps, bonus, chance, critical
                    )
                    work_off(fight, book)
        work_off(fight, book)


@compiled
def _note_cells(fight: Fight, first: int) -> None:
    """Writes down where the fighters from number `first` on stand, -1 for the dead."""
    for number in range(first, fight.fighter_count):
        fighter = fight.fighters[number]
        fight.stood[number] = fighter.cell if fighter.hp > 0 else -1


@compiled
def _reaches_before(
    fight: Fight, book: Book, effect: Effect, caster: Fighter, origin: int, centre: int, number: int
) -> int:
    """Returns a fighter's steps from the centre where a cast's effect reaches it, else -1."""
    cell = fight.stood[number]
    fighter = fight.fighters[number]
    if effect.affects == kinds.TO_CASTER:
        return 0 if fighter.number == caster.number and meant(fight, book, effect, caster, fighter) else -1
    if cell < 0:
        return -1
    steps = steps_in(book, effect, origin, centre, cell)
    return steps if steps >= 0 and meant(fight, book, effect, caster, fighter) else -1


@compiled
def ripen(fight: Fight, book: Book, fighter: Fighter) -> None:
    """Does what was to strike a fighter later, and whose time has come."""
    if has_waiting(fight, fighter):
        set_striking(fight, fighter, ripe(fight, book, fighter), -1, 0)
        work_off(fight, book)


@compiled
def trigger(fight: Fight, book: Book, fighter: Fighter, events: int) -> None:
    """Does all that waits on a fighter for one of some events."""
    if has_waiting(fight, fighter):
        let_strike(fight, book, fighter, events, fighter.number, 0, NO_STATE)
        work_off(fight, book)


@compiled
def work_off(fight: Fight, book: Book) -> None:
    """Does what is still to happen, the latest first, until nothing is left."""
    done = 0
    while fight.task_count > 0:
        fight.task_count -= 1
        task = fight.tasks[fight.task_count]
        done += 1
        if done > _MOST_TASKS_AN_ACTION:
            fight.task_count = 0
            break
        fight.running = task.running
        fight.cause = task.cause
        fight.cause_hp = task.cause_hp
        kind = task.kind
        if kind == SPRING_TRAPS:
            _spring(fight, book, fight.fighters[task.target], task.centre)
        elif kind == PAYLOAD_OF:
            _next_of_payload(fight, book, task)
        else:
            _strike_as_told(fight, book, task)
    fight.running = 0
    fight.cause = -1
    fight.cause_hp = 0


@compiled
def _strike_as_told(fight: Fight, book: Book, task: Task) -> None:
    """Lets the effect of a task strike; one that has waited already does not wait again."""
    effect, centre, steps = effect_at(book, task.what), task.centre, task.steps
    caster, target = fight.fighters[task.by], fight.fighters[task.target]
    kind = effect.kind
    if task.how == 0:
        strike_or_wait(fight, book, effect, caster, centre, target, steps, 0, 0, 0)
    elif target.hp > 0 or kind == kinds.CAST or kind == kinds.CAST_BY:
        strike(fight, book, effect, caster, centre, target, steps, 0, 0, 0)


@compiled
def _spring(fight: Fight, book: Book, fighter: Fighter, cell: int) -> None:
    """Springs the oldest trap on a cell, as long as the fighter is there, and comes back for the next one."""
    index = mark_on(fight, TRAP, cell)
    if index < 0 or fighter.hp <= 0 or fighter.cell != cell:
        return
    push_task(fight, SPRING_TRAPS, 0, fighter.number, cell, fighter.number, 0, 1)
    act_on(fight, book, index, fighter)


@compiled
def act_on(fight: Fight, book: Book, index: int, victim: Fighter) -> None:
    """Lets a mark act on a fighter that has sprung it or begun its turn in it."""
    mark = fight.marks[index]
    payload = mark.payload
    by, centre, kind = mark.by, mark.cell, mark.kind
    if kind == TRAP:
        remove_mark(fight, index)
    if payload:
        push_task(fight, PAYLOAD_OF, payload + 1, by, centre, victim.number, book.all[payload], kind)


@compiled
def _next_of_payload(fight: Fight, book: Book, task: Task) -> None:
    """Lets the next effect of a mark's payload strike; a glyph's strikes its victim alone, as does a trap's
    effect without an area."""
    place, left, how = task.what, task.steps, task.how
    if left == 0:
        return
    by, centre, victim = task.by, task.centre, task.target
    kind, picked = how % MOST_MARK_KINDS, how // MOST_MARK_KINDS
    effect = effect_at(book, book.all[place])
    fight.task_count += 1
    task.what = place + 1
    task.steps = left - 1
    owner, affects = fight.fighters[by], effect.affects
    if not takes_place(fight, effect, picked):
        return
    if on_the_board(effect):
        change_board(fight, book, effect, owner, owner.cell, centre)
    elif (
        affects == kinds.TO_CASTER
        or affects == kinds.TO_CAUSE
        or (kind != GLYPH and effect.shape != kinds.POINT)
    ):
        _strike_around(fight, book, effect, by, centre)
    elif victim >= 0 and meant(fight, book, effect, owner, fight.fighters[victim]):
        push_task(fight, STRIKE, place_in(book, effect), by, centre, victim, 0, 0)


@compiled
def _strike_around(fight: Fight, book: Book, effect: Effect, by: int, centre: int) -> None:
    """Lets an effect strike everyone in its area, as they stand now, or the one fighter that it reaches."""
    owner = fight.fighters[by]
    if effect.affects == kinds.TO_CASTER or effect.affects == kinds.TO_CAUSE:
        at = by if effect.affects == kinds.TO_CASTER else fight.cause
        if at >= 0 and fight.fighters[at].hp > 0 and meant(fight, book, effect, owner, fight.fighters[at]):
            push_task(fight, STRIKE, place_in(book, effect), by, centre, at, 0, 0)
        return
    for number in range(fight.fighter_count - 1, -1, -1):
        fighter = fight.fighters[number]
        if fighter.hp > 0:
            steps = steps_in(book, effect, owner.cell, centre, fighter.cell)
            if steps >= 0 and meant(fight, book, effect, owner, fighter):
                push_task(fight, STRIKE, place_in(book, effect), by, centre, number, steps, 0)


@compiled
def begin_in_glyphs(fight: Fight, book: Book, fighter: Fighter) -> None:
    """Lets the glyphs act in which a fighter begins its turn, the oldest first."""
    cell, count = fighter.cell, fight.mark_count
    for index in range(count):
        put_mark(fight, fight.marks[index], MARK_NUMBER, index + 1)
    for wanted in range(1, count + 1):
        for index in range(fight.mark_count):
            mark = fight.marks[index]
            if mark.number == wanted:
                if mark.kind == GLYPH and has_cell(mark.cells, cell):
                    act_on(fight, book, index, fighter)
                    work_off(fight, book)
                break
    for index in range(fight.mark_count):
        put_mark(fight, fight.marks[index], MARK_NUMBER, 0)
