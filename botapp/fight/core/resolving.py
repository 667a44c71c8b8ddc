"""What happens after what: a cast's effects one by one, and what each of them sets off before the next.

Traps that somebody steps into, payloads and effects that have waited for their trigger stand on the stack of
tasks until they are worked off, the latest first. Next hop: `botapp.fight.core.actions` resolves casts with
it, `botapp.fight.core.turns` the glyphs.
"""

from typing import Any

from botapp.fight.core.buffs import NO_STATE
from botapp.fight.core.cells import has_cell
from botapp.fight.core.chances import pick_group, takes_place
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import crit_chance
from botapp.fight.core.effects import MOST_MARK_KINDS, change_board, on_the_board, strike, strike_or_wait
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    AFFECTS,
    BEFORE,
    CAST_AT_IT,
    CAST_BY_IT,
    CAUSE,
    CAUSE_HP,
    CELL,
    CRIT_BONUS,
    DICE,
    EFFECT_KIND,
    EFFECTS_AT,
    FIGHTERS,
    GLYPH,
    HP,
    ITS_CAUSE,
    ITSELF,
    MARK,
    MARK_BY,
    MARK_CELL,
    MARK_CELLS,
    MARK_KIND,
    MARK_LIST,
    MARK_NUMBER,
    MARK_PAYLOAD,
    MARKS,
    MEANS,
    NUMBER,
    ON_CRITICAL,
    POINT,
    RUNNING,
    SHAPE,
    SPELL_EFFECTS,
    TASK,
    TASK_LIST,
    TASKS,
    TRAP,
    WAY,
)
from botapp.fight.core.marks import remove_mark
from botapp.fight.core.masks import meant
from botapp.fight.core.push import mark_on
from botapp.fight.core.states import draw, fighter_at
from botapp.fight.core.tasks import (
    PAYLOAD_OF,
    SPRING_TRAPS,
    STRIKE,
    TASK_BY,
    TASK_CAUSE,
    TASK_CAUSE_HP,
    TASK_CENTRE,
    TASK_HOW,
    TASK_KIND,
    TASK_RUNNING,
    TASK_STEPS,
    TASK_TARGET,
    TASK_WHAT,
    push_task,
)
from botapp.fight.core.triggers import let_strike, set_striking
from botapp.fight.core.waiting import has_waiting, ripe
from botapp.fight.core.zones import steps_in

_MOST_TASKS_AN_ACTION = 400
"""Effects that trigger each other without end stop here."""


@compiled
def resolve(s: Any, b: Any, caster: int, spell: int, centre: int) -> None:
    """Does what a cast does. Where everyone stands is settled before the first of its effects acts."""
    chance = crit_chance(s, b, caster, spell)
    critical = 0
    if s[DICE] != MEANS and chance > 0 and draw(s) * 100 < chance:
        critical = 1
    s[BEFORE] = s[FIGHTERS]
    for number in range(s[FIGHTERS]):
        f = fighter_at(number)
        s[BEFORE + 1 + number] = s[f + CELL] if s[f + HP] > 0 else -1
    origin = s[caster + CELL]
    bonus = b[spell + CRIT_BONUS]
    effects = b[spell + EFFECTS_AT]
    if critical and has_waiting(s, caster):
        let_strike(s, b, caster, ON_CRITICAL, s[caster + NUMBER], 0, NO_STATE)
        work_off(s, b)
    picked = pick_group(s, b, effects, b[spell + SPELL_EFFECTS])
    for index in range(b[spell + SPELL_EFFECTS]):
        effect = b[effects + index]
        if not takes_place(s, b, effect, picked):
            continue
        if on_the_board(b, effect):
            change_board(s, b, effect, caster, origin, centre)
        else:
            for number in range(s[BEFORE]):
                f = fighter_at(number)
                steps = _reaches_before(s, b, effect, caster, origin, centre, number)
                if steps >= 0:
                    strike_or_wait(s, b, effect, caster, centre, f, steps, bonus, chance, critical)
                    work_off(s, b)
        work_off(s, b)


@compiled
def _reaches_before(s: Any, b: Any, effect: int, caster: int, origin: int, centre: int, number: int) -> int:
    """Returns a fighter's steps from the centre where a cast's effect reaches it, else -1."""
    cell = s[BEFORE + 1 + number]
    f = fighter_at(number)
    if b[effect + AFFECTS] == ITSELF:
        return 0 if f == caster and meant(s, b, effect, caster, f) else -1
    if cell < 0:
        return -1
    steps = steps_in(b, effect, origin, centre, cell)
    return steps if steps >= 0 and meant(s, b, effect, caster, f) else -1


@compiled
def ripen(s: Any, b: Any, f: int) -> None:
    """Does what was to strike a fighter later, and whose time has come."""
    if has_waiting(s, f):
        set_striking(s, f, ripe(s, b, f, WAY), -1, 0)
        work_off(s, b)


@compiled
def trigger(s: Any, b: Any, f: int, events: int) -> None:
    """Does all that waits on a fighter for one of some events."""
    if has_waiting(s, f):
        let_strike(s, b, f, events, s[f + NUMBER], 0, NO_STATE)
        work_off(s, b)


@compiled
def work_off(s: Any, b: Any) -> None:
    """Does what is still to happen, the latest first, until nothing is left."""
    done = 0
    while s[TASKS] > 0:
        s[TASKS] -= 1
        task = TASK_LIST + s[TASKS] * TASK
        done += 1
        if done > _MOST_TASKS_AN_ACTION:
            s[TASKS] = 0
            break
        s[RUNNING] = s[task + TASK_RUNNING]
        s[CAUSE] = s[task + TASK_CAUSE]
        s[CAUSE_HP] = s[task + TASK_CAUSE_HP]
        kind = s[task + TASK_KIND]
        if kind == SPRING_TRAPS:
            _spring(s, b, fighter_at(s[task + TASK_TARGET]), s[task + TASK_CENTRE])
        elif kind == PAYLOAD_OF:
            _next_of_payload(s, b, task)
        else:
            _strike_as_told(s, b, task)
    s[RUNNING] = 0
    s[CAUSE] = -1
    s[CAUSE_HP] = 0


@compiled
def _strike_as_told(s: Any, b: Any, task: int) -> None:
    """Lets the effect of a task strike; one that has waited already does not wait again."""
    effect, centre, steps = s[task + TASK_WHAT], s[task + TASK_CENTRE], s[task + TASK_STEPS]
    caster, target = fighter_at(s[task + TASK_BY]), fighter_at(s[task + TASK_TARGET])
    kind = b[effect + EFFECT_KIND]
    if s[task + TASK_HOW] == 0:
        strike_or_wait(s, b, effect, caster, centre, target, steps, 0, 0, 0)
    elif s[target + HP] > 0 or kind == CAST_AT_IT or kind == CAST_BY_IT:
        strike(s, b, effect, caster, centre, target, steps, 0, 0, 0)


@compiled
def _spring(s: Any, b: Any, f: int, cell: int) -> None:
    """Springs the oldest trap on a cell, as long as the fighter is there, and comes back for the next one."""
    index = mark_on(s, TRAP, cell)
    if index < 0 or s[f + HP] <= 0 or s[f + CELL] != cell:
        return
    push_task(s, SPRING_TRAPS, 0, s[f + NUMBER], cell, s[f + NUMBER], 0, 1)
    act_on(s, b, index, f)


@compiled
def act_on(s: Any, b: Any, index: int, victim: int) -> None:
    """Lets a mark act on a fighter that has sprung it or begun its turn in it."""
    mark = MARK_LIST + index * MARK
    payload = s[mark + MARK_PAYLOAD]
    by, centre, kind = s[mark + MARK_BY], s[mark + MARK_CELL], s[mark + MARK_KIND]
    if kind == TRAP:
        remove_mark(s, index)
    if payload:
        push_task(s, PAYLOAD_OF, payload + 1, by, centre, s[victim + NUMBER], b[payload], kind)


@compiled
def _next_of_payload(s: Any, b: Any, task: int) -> None:
    """Lets the next effect of a mark's payload strike; a glyph's strikes its victim alone, as does a trap's
    effect without an area."""
    place, left, how = s[task + TASK_WHAT], s[task + TASK_STEPS], s[task + TASK_HOW]
    if left == 0:
        return
    by, centre, victim = s[task + TASK_BY], s[task + TASK_CENTRE], s[task + TASK_TARGET]
    kind, picked = how % MOST_MARK_KINDS, how // MOST_MARK_KINDS
    effect = b[place]
    s[TASKS] += 1
    s[task + TASK_WHAT] = place + 1
    s[task + TASK_STEPS] = left - 1
    owner, affects = fighter_at(by), b[effect + AFFECTS]
    if not takes_place(s, b, effect, picked):
        return
    if on_the_board(b, effect):
        change_board(s, b, effect, owner, s[owner + CELL], centre)
    elif affects == ITSELF or affects == ITS_CAUSE or (kind != GLYPH and b[effect + SHAPE] != POINT):
        _strike_around(s, b, effect, by, centre)
    elif victim >= 0 and meant(s, b, effect, owner, fighter_at(victim)):
        push_task(s, STRIKE, effect, by, centre, victim, 0, 0)


@compiled
def _strike_around(s: Any, b: Any, effect: int, by: int, centre: int) -> None:
    """Lets an effect strike everyone in its area, as they stand now, or the one whom alone it reaches."""
    owner = fighter_at(by)
    if b[effect + AFFECTS] == ITSELF or b[effect + AFFECTS] == ITS_CAUSE:
        one = by if b[effect + AFFECTS] == ITSELF else s[CAUSE]
        if one >= 0 and s[fighter_at(one) + HP] > 0 and meant(s, b, effect, owner, fighter_at(one)):
            push_task(s, STRIKE, effect, by, centre, one, 0, 0)
        return
    for number in range(s[FIGHTERS] - 1, -1, -1):
        f = fighter_at(number)
        if s[f + HP] > 0:
            steps = steps_in(b, effect, s[owner + CELL], centre, s[f + CELL])
            if steps >= 0 and meant(s, b, effect, owner, f):
                push_task(s, STRIKE, effect, by, centre, number, steps, 0)


@compiled
def begin_in_glyphs(s: Any, b: Any, f: int) -> None:
    """Lets the glyphs act in which a fighter begins its turn, the oldest first."""
    cell, count = s[f + CELL], s[MARKS]
    for index in range(count):
        put(s, MARK_LIST + index * MARK + MARK_NUMBER, index + 1)
    for wanted in range(1, count + 1):
        for index in range(s[MARKS]):
            mark = MARK_LIST + index * MARK
            if s[mark + MARK_NUMBER] == wanted:
                if s[mark + MARK_KIND] == GLYPH and has_cell(s, mark + MARK_CELLS, cell):
                    act_on(s, b, index, f)
                    work_off(s, b)
                break
    for index in range(s[MARKS]):
        put(s, MARK_LIST + index * MARK + MARK_NUMBER, 0)
