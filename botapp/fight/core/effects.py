"""What each kind of effect does: to the fighters it reaches, or to the board itself.

Traps are sprung here, as moving is what springs them; their payload is made of effects again, as is what
waits on somebody for its trigger. Next hop: `botapp.fight.core.actions` resolves casts with it,
`botapp.fight.core.turns` the glyphs.
"""

from typing import Any

from botapp.fight.core.buffs import NO_STATE, give_stat, give_state, has_state, lose, most_ap, most_mp
from botapp.fight.core.cells import distance, has_cell
from botapp.fight.core.chances import pick_group, takes_place
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import (
    amount,
    crit_chance,
    expected_removed,
    highest_face,
    lowest_face,
    mean_amount,
    removed,
)
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    ADVANCE,
    AFFECTS,
    AP,
    BASE_AP,
    BASE_MP,
    BEFORE,
    BUFF_STATE,
    BUFF_STATS_OF,
    BUFFS,
    CALL,
    CAST_AT_IT,
    CAST_BY_IT,
    CAST_ON_CELL,
    CAUSE,
    CAUSE_HP,
    CELL,
    CRIT_BONUS,
    DAMAGE,
    DELAY,
    DICE,
    DISPEL,
    EFFECT_KIND,
    EFFECT_STAT,
    EFFECT_STATE,
    EFFECT_TURNS,
    EFFECTS_AT,
    ELEMENT,
    END_STATE,
    END_TAGGED,
    FIGHTERS,
    GIVE_AP,
    GIVE_MP,
    GIVE_SHIELD,
    GIVE_STATE,
    GLYPH,
    HEAL,
    HP,
    INVULNERABLE,
    ITS_CAUSE,
    ITSELF,
    KILL,
    LAY_GLYPH,
    LAY_TRAP,
    LOW,
    MARK,
    MARK_BY,
    MARK_CELL,
    MARK_CELLS,
    MARK_KIND,
    MARK_LIST,
    MARK_NUMBER,
    MARK_PAYLOAD,
    MARKS,
    MASK_AT,
    MAX_HP,
    MEANS,
    MIRROR_AROUND,
    MIRROR_CASTER,
    MIRROR_TARGET,
    MORE_STATES,
    MP,
    NUMBER,
    ON_AP_LOST,
    ON_CRITICAL,
    ON_DAMAGE,
    ON_DISPELLED,
    ON_FROM_ALLY,
    ON_FROM_ENEMY,
    ON_HEAL,
    ON_MELEE,
    ON_MP_LOST,
    ON_NEUTRAL,
    ON_RANGED,
    ON_STATE_GAINED,
    ON_SUMMON,
    ON_TELEPORTED,
    PAYLOAD,
    POINT,
    PULL,
    PUSH,
    REMOVE_AP,
    RETREAT,
    RUNNING,
    SHAPE,
    SHIELD,
    SHOVE,
    SPELL_EFFECTS,
    STATES,
    STEAL,
    STEAL_AP,
    STEAL_MP,
    SUMMON_AT,
    SWAP,
    TAG,
    TASK,
    TASK_LIST,
    TASKS,
    TEAM,
    TELEPORT,
    TRAP,
    TRIGGER,
    WALKABLE,
    WAY,
)
from botapp.fight.core.marks import lay, remove_mark
from botapp.fight.core.masks import holds, meant
from botapp.fight.core.moves import mirror, move, swap
from botapp.fight.core.push import mark_on
from botapp.fight.core.states import draw, fighter_at, occupant, rolled
from botapp.fight.core.summons import call
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
from botapp.fight.core.triggers import let_strike, miss_states, set_striking, spring_under, wounded
from botapp.fight.core.waiting import dispel, end_tagged, has_waiting, ripe, source_of, wait_for
from botapp.fight.core.wounds import hurt, kill
from botapp.fight.core.zones import steps_in

_MOST_TASKS_AN_ACTION = 400
"""Effects that trigger each other without end stop here."""
LIKE_A_SPELL = TRAP
"""How a payload is done that is no mark's: an effect with an area strikes all in it, as a trap's does."""
MOST_MARK_KINDS = 4
"""A payload's `TASK_HOW` is the kind of mark, plus this times the group of its effects that happens."""


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
                    strike(s, b, effect, caster, centre, f, steps, bonus, chance, critical)
                    work_off(s, b)
        work_off(s, b)


@compiled
def on_the_board(b: Any, effect: int) -> bool:
    """Tells whether an effect acts on the cell aimed at, whoever stands there."""
    kind = b[effect + EFFECT_KIND]
    return kind == TELEPORT or kind == LAY_GLYPH or kind == LAY_TRAP or kind == CALL or kind == CAST_ON_CELL


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
def change_board(s: Any, b: Any, effect: int, caster: int, origin: int, centre: int) -> None:
    """Does what an effect does to the cell aimed at; nothing once its caster is dead.

    Its conditions are asked of the caster.
    """
    mask = b[effect + MASK_AT]
    if s[caster + HP] <= 0 or (mask and not holds(s, b, mask, caster, caster)):
        return
    kind = b[effect + EFFECT_KIND]
    if kind == LAY_GLYPH or kind == LAY_TRAP:
        lay(s, b, effect, caster, origin, centre)
    elif kind == CAST_ON_CELL:
        _do_payload(s, b, effect, caster, centre, occupant(s, centre))
    elif has_cell(b, WALKABLE, centre) and occupant(s, centre) < 0:
        if kind == TELEPORT:
            put(s, caster + CELL, centre)
            spring_under(s, caster)
            if has_waiting(s, caster):
                let_strike(s, b, caster, ON_TELEPORTED, s[caster + NUMBER], 0, NO_STATE)
        elif b[effect + SUMMON_AT]:
            number = call(s, b, caster, b[effect + SUMMON_AT], centre)
            if number >= 0:
                spring_under(s, fighter_at(number))
                if has_waiting(s, caster):
                    let_strike(s, b, caster, ON_SUMMON, number, 0, NO_STATE)


@compiled
def _do_payload(s: Any, b: Any, effect: int, by: int, centre: int, victim: int) -> None:
    """Lets a fighter do an effect's payload around a cell, as if it cast a spell; `victim` may be -1."""
    payload = b[effect + PAYLOAD]
    if payload:
        picked = pick_group(s, b, payload + 1, b[payload])
        how = LIKE_A_SPELL + MOST_MARK_KINDS * picked
        push_task(s, PAYLOAD_OF, payload + 1, s[by + NUMBER], centre, victim, b[payload], how)


@compiled
def strike(
    s: Any,
    b: Any,
    effect: int,
    caster: int,
    centre: int,
    target: int,
    steps: int,
    bonus: int,
    chance: int,
    critical: int,
) -> None:
    """Lets an effect strike a fighter `steps` from the centre, or wait on it for its trigger or its time."""
    if s[target + HP] <= 0:
        return
    if b[effect + TRIGGER] or b[effect + DELAY]:
        if s[caster + HP] > 0:
            wait_for(
                s, b, effect, caster, target, _dose(s, b, effect, caster, target, 0, bonus, chance, critical)
            )
    else:
        _strike(s, b, effect, caster, centre, target, steps, bonus, chance, critical)


@compiled
def _strike(
    s: Any,
    b: Any,
    effect: int,
    caster: int,
    centre: int,
    target: int,
    steps: int,
    bonus: int,
    chance: int,
    critical: int,
) -> None:
    """Does what an effect does to one fighter; buffs last while who gave them lives: the dead give none."""
    kind = b[effect + EFFECT_KIND]
    if kind == DAMAGE or kind == STEAL:
        dose = _dose(s, b, effect, caster, target, steps, bonus, chance, critical)
        lost = hurt(s, target, dose)
        if kind == STEAL and s[caster + HP] > 0:
            put(s, caster + HP, min(s[caster + MAX_HP], s[caster + HP] + lost // 2))
        if lost and s[BUFFS]:
            wounded(s, b, caster, target, lost, _damage_events(s, b, effect, caster, target))
    elif kind == HEAL:
        dose = _dose(s, b, effect, caster, target, steps, bonus, chance, critical)
        put(s, target + HP, min(s[target + MAX_HP], s[target + HP] + dose))
        if has_waiting(s, target):
            let_strike(s, b, target, ON_HEAL, s[caster + NUMBER], 0, NO_STATE)
    elif kind == GIVE_SHIELD:
        dose = _dose(s, b, effect, caster, target, steps, bonus, chance, critical)
        put(s, target + SHIELD, s[target + SHIELD] + dose)
    elif kind == PUSH or kind == PULL or kind == RETREAT or kind == ADVANCE or kind == SHOVE:
        cells = _dose(s, b, effect, caster, target, 0, bonus, chance, critical)
        move(s, b, kind, caster, target, centre, cells)
    elif kind == BUFF_STATS_OF or kind == GIVE_STATE:
        if s[caster + HP] > 0:
            _give(s, b, effect, caster, target, bonus, chance, critical)
    elif kind == SWAP:
        swap(s, b, caster, target)
    elif kind == MIRROR_CASTER:
        mirror(s, b, caster, s[target + CELL])
    elif kind == MIRROR_TARGET:
        mirror(s, b, target, s[caster + CELL])
    elif kind == MIRROR_AROUND:
        mirror(s, b, target, centre)
    elif kind == DISPEL or kind == END_TAGGED or kind == END_STATE:
        _end(s, b, effect, caster, target)
    elif kind == KILL:
        if not (s[target + STATES] >> INVULNERABLE) & 1:
            lost = s[target + HP]
            kill(s, target)
            wounded(s, b, caster, target, lost, 0)
    elif kind == CAST_AT_IT:
        _do_payload(s, b, effect, caster, s[target + CELL], s[target + NUMBER])
    elif kind == CAST_BY_IT:
        _do_payload(s, b, effect, target, s[target + CELL], s[target + NUMBER])
    elif kind == GIVE_AP or kind == GIVE_MP:
        points, most = (AP, most_ap(s, target)) if kind == GIVE_AP else (MP, most_mp(s, target))
        dose = _dose(s, b, effect, caster, target, 0, bonus, chance, critical)
        put(s, target + points, max(s[target + points], min(most, s[target + points] + dose)))
    elif not on_the_board(b, effect):
        _remove(s, b, effect, caster, target, bonus, chance, critical)


@compiled
def _damage_events(s: Any, b: Any, effect: int, caster: int, target: int) -> int:
    """Returns what damage triggers: by its element, from how far it comes and from whom."""
    near = distance(s[caster + CELL], s[target + CELL]) <= 1
    events = ON_DAMAGE | ON_NEUTRAL << b[effect + ELEMENT] | (ON_MELEE if near else ON_RANGED)
    return events | (ON_FROM_ALLY if s[caster + TEAM] == s[target + TEAM] else ON_FROM_ENEMY)


@compiled
def _end(s: Any, b: Any, effect: int, caster: int, target: int) -> None:
    """Ends what a fighter bears, as far as the effect goes, and lets happen what waits for that."""
    kind = b[effect + EFFECT_KIND]
    if kind == DISPEL and has_waiting(s, target):
        let_strike(s, b, target, ON_DISPELLED, s[caster + NUMBER], 0, NO_STATE)
    states, more = s[target + STATES], s[target + MORE_STATES]
    if kind == DISPEL:
        dispel(s, b, target, b[effect + LOW])
    elif kind == END_TAGGED:
        end_tagged(s, b, target, b[effect + TAG])
    else:
        lose(s, target, BUFF_STATE, b[effect + EFFECT_STATE])
    miss_states(s, b, target, states, more)


@compiled
def _dose(
    s: Any, b: Any, effect: int, caster: int, target: int, steps: int, bonus: int, chance: int, critical: int
) -> int:
    """Returns an effect's amount on one target, rolled or as its rounded mean."""
    if s[DICE] == MEANS:
        return round(mean_amount(s, b, effect, bonus, chance, caster, target, steps))
    low, high = lowest_face(b, effect, bonus, critical), highest_face(b, effect, bonus, critical)
    return amount(s, b, effect, rolled(s, low, high), caster, target, steps, critical)


@compiled
def _give(
    s: Any, b: Any, effect: int, caster: int, target: int, bonus: int, chance: int, critical: int
) -> None:
    """Gives a state, or changes a stat where that makes a difference."""
    by, turns = s[caster + NUMBER], b[effect + EFFECT_TURNS]
    source = source_of(b, effect)
    if b[effect + EFFECT_KIND] == GIVE_STATE:
        state = b[effect + EFFECT_STATE]
        had = has_state(s, target, state)
        give_state(s, target, by, turns, state, source, 0)
        if not had and has_waiting(s, target):
            let_strike(s, b, target, ON_STATE_GAINED, by, 0, state)
        return
    dose = _dose(s, b, effect, caster, target, 0, bonus, chance, critical)
    if dose:
        give_stat(s, target, by, turns, b[effect + EFFECT_STAT], dose, source, 0)


@compiled
def _remove(
    s: Any, b: Any, effect: int, caster: int, target: int, bonus: int, chance: int, critical: int
) -> None:
    """Takes AP or MP away, for the caster where it steals."""
    kind = b[effect + EFFECT_KIND]
    of_ap = kind == REMOVE_AP or kind == STEAL_AP
    points = AP if of_ap else MP
    left, base = s[target + points], s[target + BASE_AP] if of_ap else s[target + BASE_MP]
    if s[DICE] == MEANS:
        tries = mean_amount(s, b, effect, bonus, chance, caster, target, 0)
        gone = round(expected_removed(s, tries, caster, target, left, base))
    else:
        low, high = lowest_face(b, effect, bonus, critical), highest_face(b, effect, bonus, critical)
        gone = removed(s, rolled(s, low, high), caster, target, left, base)
    put(s, target + points, left - gone)
    if (kind == STEAL_AP or kind == STEAL_MP) and s[caster + HP] > 0:
        most = most_ap(s, caster) if of_ap else most_mp(s, caster)
        have = s[caster + points]
        put(s, caster + points, max(have, min(most, have + gone)))
    if gone and has_waiting(s, target):
        let_strike(s, b, target, ON_AP_LOST if of_ap else ON_MP_LOST, s[caster + NUMBER], 0, NO_STATE)


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
        strike(s, b, effect, caster, centre, target, steps, 0, 0, 0)
    elif s[target + HP] > 0 or kind == CAST_AT_IT or kind == CAST_BY_IT:
        _strike(s, b, effect, caster, centre, target, steps, 0, 0, 0)


@compiled
def _spring(s: Any, b: Any, f: int, cell: int) -> None:
    """Springs the oldest trap on a cell, as long as the fighter is there, and comes back for the next one."""
    index = mark_on(s, TRAP, cell)
    if index < 0 or s[f + HP] <= 0 or s[f + CELL] != cell:
        return
    push_task(s, SPRING_TRAPS, 0, s[f + NUMBER], cell, s[f + NUMBER], 0, 1)
    act_on(s, b, index, f)


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
