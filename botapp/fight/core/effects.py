"""What each kind of effect does: to the fighters it reaches, or to the board itself.

Traps are sprung here, as moving is what springs them; their payload is made of effects again, as is what
waits on somebody for its trigger. Next hop: `botapp.fight.core.actions` resolves casts with it,
`botapp.fight.core.turns` the glyphs.
"""

from typing import Any

from botapp.fight.core.buffs import give_stat, give_state, lose_state, most_ap, most_mp
from botapp.fight.core.cells import distance, has_cell
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
    BUFF_STATS_OF,
    CALL,
    CELL,
    CHANCE_OF,
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
    FIGHTERS,
    GIVE_SHIELD,
    GIVE_STATE,
    GLYPH,
    GROUP,
    HEAL,
    HITS,
    HP,
    INVULNERABLE,
    ITSELF,
    KILL,
    LAY_GLYPH,
    LAY_TRAP,
    MARK,
    MARK_BY,
    MARK_CELL,
    MARK_CELLS,
    MARK_KIND,
    MARK_LIST,
    MARK_NUMBER,
    MARK_PAYLOAD,
    MARKS,
    MAX_HP,
    MEANS,
    MP,
    NUMBER,
    ON_AP_LOST,
    ON_DAMAGE,
    ON_HEAL,
    ON_MELEE,
    ON_MP_LOST,
    ON_NEUTRAL,
    ON_PUSH,
    ON_RANGED,
    POINT,
    PULL,
    PUSH,
    REMOVE_AP,
    RETREAT,
    ROOTED,
    SHAPE,
    SHIELD,
    SPELL_EFFECTS,
    STATES,
    STEAL,
    STEAL_AP,
    STEAL_MP,
    SUMMON_AT,
    SWAP,
    TASK,
    TASK_LIST,
    TASKS,
    TELEPORT,
    TRAP,
    TRIGGER,
    WALKABLE,
    WAY,
)
from botapp.fight.core.marks import lay, remove_mark
from botapp.fight.core.masks import meant
from botapp.fight.core.push import mark_on, plan_pull, plan_push, plan_step
from botapp.fight.core.states import draw, fighter_at, occupant, rolled
from botapp.fight.core.summons import call
from botapp.fight.core.tasks import (
    PAYLOAD_OF,
    SPRING_TRAPS,
    STRIKE,
    STRIKE_AROUND,
    TASK_BY,
    TASK_CENTRE,
    TASK_HOW,
    TASK_KIND,
    TASK_STEPS,
    TASK_TARGET,
    TASK_WHAT,
    push_task,
)
from botapp.fight.core.waiting import dispel, due, has_waiting, ripe, wait_for
from botapp.fight.core.wounds import hurt, kill
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
    group, picked = 0, 0
    for index in range(b[spell + SPELL_EFFECTS]):
        effect = b[effects + index]
        if b[effect + GROUP] != group:
            group = b[effect + GROUP]
            picked = _pick(s, b, effects, index, b[spell + SPELL_EFFECTS]) if group else 0
        if group and effect != picked:
            continue
        if not group and b[effect + CHANCE_OF] and not _happens(s, b[effect + CHANCE_OF]):
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
def _happens(s: Any, percent: int) -> bool:
    """Tells whether something of a chance in percent happens; on means what is likelier."""
    if s[DICE] == MEANS:
        return percent >= 50
    return draw(s) * 100 < percent


@compiled
def _pick(s: Any, b: Any, effects: int, first: int, count: int) -> int:
    """Returns which effect of a random group happens; the group begins at `first`; on means the likeliest."""
    group = b[b[effects + first] + GROUP]
    total, heaviest = 0, b[effects + first]
    for index in range(first, count):
        effect = b[effects + index]
        if b[effect + GROUP] != group:
            break
        total += b[effect + CHANCE_OF]
        if b[effect + CHANCE_OF] > b[heaviest + CHANCE_OF]:
            heaviest = effect
    if s[DICE] == MEANS or total <= 0:
        return heaviest
    left = draw(s) * total
    for index in range(first, count):
        effect = b[effects + index]
        left -= b[effect + CHANCE_OF]
        if left < 0:
            return effect
    return heaviest


@compiled
def on_the_board(b: Any, effect: int) -> bool:
    """Tells whether an effect acts on the cell aimed at, whoever stands there."""
    kind = b[effect + EFFECT_KIND]
    return kind == TELEPORT or kind == LAY_GLYPH or kind == LAY_TRAP or kind == CALL


@compiled
def _reaches_before(s: Any, b: Any, effect: int, caster: int, origin: int, centre: int, number: int) -> int:
    """Returns a fighter's steps from the centre where a cast's effect reaches it, else -1."""
    cell = s[BEFORE + 1 + number]
    f = fighter_at(number)
    if b[effect + AFFECTS] == ITSELF:
        return 0 if f == caster else -1
    if cell < 0:
        return -1
    steps = steps_in(b, effect, origin, centre, cell)
    return steps if steps >= 0 and meant(s, b, effect, caster, f) else -1


@compiled
def change_board(s: Any, b: Any, effect: int, caster: int, origin: int, centre: int) -> None:
    """Does what an effect does to the cell aimed at; nothing once its caster is dead."""
    if s[caster + HP] <= 0:
        return
    kind = b[effect + EFFECT_KIND]
    if kind == LAY_GLYPH or kind == LAY_TRAP:
        lay(s, b, effect, caster, origin, centre)
    elif has_cell(b, WALKABLE, centre) and occupant(s, centre) < 0:
        if kind == TELEPORT:
            put(s, caster + CELL, centre)
            spring_under(s, caster)
        elif b[effect + SUMMON_AT]:
            number = call(s, b, caster, b[effect + SUMMON_AT], centre)
            if number >= 0:
                spring_under(s, fighter_at(number))


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
        if lost and has_waiting(s, target):
            _trigger(s, b, target, _damage_events(s, b, effect, caster, target))
    elif kind == HEAL:
        dose = _dose(s, b, effect, caster, target, steps, bonus, chance, critical)
        put(s, target + HP, min(s[target + MAX_HP], s[target + HP] + dose))
        if has_waiting(s, target):
            _trigger(s, b, target, ON_HEAL)
    elif kind == GIVE_SHIELD:
        dose = _dose(s, b, effect, caster, target, steps, bonus, chance, critical)
        put(s, target + SHIELD, s[target + SHIELD] + dose)
    elif kind == PUSH or kind == PULL or kind == RETREAT or kind == ADVANCE:
        cells = _dose(s, b, effect, caster, target, 0, bonus, chance, critical)
        _move(s, b, kind, caster, target, centre, cells)
    elif kind == BUFF_STATS_OF or kind == GIVE_STATE:
        if s[caster + HP] > 0:
            _give(s, b, effect, caster, target, bonus, chance, critical)
    elif kind == SWAP:
        _swap(s, caster, target)
    elif kind == DISPEL:
        dispel(s, b, target)
    elif kind == END_STATE:
        lose_state(s, target, b[effect + EFFECT_STATE])
    elif kind == KILL:
        if not (s[target + STATES] >> INVULNERABLE) & 1:
            kill(s, target)
    elif not on_the_board(b, effect):
        _remove(s, b, effect, caster, target, bonus, chance, critical)


@compiled
def _damage_events(s: Any, b: Any, effect: int, caster: int, target: int) -> int:
    """Returns what damage triggers: by its element, and by whether it comes from the next cell."""
    near = distance(s[caster + CELL], s[target + CELL]) <= 1
    return ON_DAMAGE | ON_NEUTRAL << b[effect + ELEMENT] | (ON_MELEE if near else ON_RANGED)


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
    if b[effect + EFFECT_KIND] == GIVE_STATE:
        give_state(s, target, by, turns, b[effect + EFFECT_STATE], 0, 0)
        return
    dose = _dose(s, b, effect, caster, target, 0, bonus, chance, critical)
    if dose:
        give_stat(s, target, by, turns, b[effect + EFFECT_STAT], dose, 0, 0)


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
        _trigger(s, b, target, ON_AP_LOST if of_ap else ON_MP_LOST)


@compiled
def _move(s: Any, b: Any, kind: int, caster: int, target: int, centre: int, cells: int) -> None:
    """Pushes, pulls or steps, hurts who is in the way, and springs the trap that somebody is moved into."""
    mover = target
    if kind == PUSH:
        plan_push(s, b, caster, target, centre, cells)
    elif kind == PULL:
        plan_pull(s, b, caster, target, centre, cells)
    else:
        mover = caster
        plan_step(s, b, caster, target, cells, kind == RETREAT)
    moved = s[WAY]
    if moved:
        put(s, mover + CELL, s[WAY + moved])
    for hit in range(s[HITS]):
        one = fighter_at(s[HITS + 1 + 2 * hit])
        lost = hurt(s, one, s[HITS + 2 + 2 * hit])
        if lost and has_waiting(s, one):
            _trigger(s, b, one, ON_PUSH)
    if moved:
        spring_under(s, mover)


@compiled
def _swap(s: Any, caster: int, target: int) -> None:
    """Lets caster and target change places, unless one of them is rooted."""
    if (s[target + STATES] >> ROOTED) & 1 or (s[caster + STATES] >> ROOTED) & 1 or caster == target:
        return
    cell = s[caster + CELL]
    put(s, caster + CELL, s[target + CELL])
    put(s, target + CELL, cell)
    spring_under(s, target)
    spring_under(s, caster)


@compiled
def spring_under(s: Any, f: int) -> None:
    """Lets the traps on the cell where a fighter has just come be sprung, the oldest first."""
    if s[MARKS]:
        push_task(s, SPRING_TRAPS, 0, s[f + NUMBER], s[f + CELL], s[f + NUMBER], 0, 1)


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
def _trigger(s: Any, b: Any, f: int, events: int) -> None:
    """Lets what waits on a fighter for one of some events strike, the oldest first."""
    for place in range(due(s, b, f, events, WAY) - 1, -1, -1):
        push_task(
            s, STRIKE_AROUND, s[WAY + 2 * place], s[WAY + 2 * place + 1], s[f + CELL], s[f + NUMBER], 0, 1
        )


@compiled
def ripen(s: Any, b: Any, f: int) -> None:
    """Does what was to strike a fighter later, and whose time has come."""
    if has_waiting(s, f):
        for place in range(ripe(s, b, f, WAY) - 1, -1, -1):
            push_task(
                s, STRIKE_AROUND, s[WAY + 2 * place], s[WAY + 2 * place + 1], s[f + CELL], s[f + NUMBER], 0, 1
            )
        work_off(s, b)


@compiled
def trigger(s: Any, b: Any, f: int, events: int) -> None:
    """Does all that waits on a fighter for one of some events."""
    if has_waiting(s, f):
        _trigger(s, b, f, events)
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
            return
        kind = s[task + TASK_KIND]
        if kind == SPRING_TRAPS:
            _spring(s, b, fighter_at(s[task + TASK_TARGET]), s[task + TASK_CENTRE])
        elif kind == PAYLOAD_OF:
            _next_of_payload(s, b, task)
        elif kind == STRIKE_AROUND:
            _strike_around(
                s, b, s[task + TASK_WHAT], s[task + TASK_BY], s[task + TASK_CENTRE], s[task + TASK_HOW]
            )
        else:
            _strike_as_told(s, b, task)


@compiled
def _strike_as_told(s: Any, b: Any, task: int) -> None:
    """Lets the effect of a task strike; one that has waited already does not wait again."""
    effect, centre, steps = s[task + TASK_WHAT], s[task + TASK_CENTRE], s[task + TASK_STEPS]
    caster, target = fighter_at(s[task + TASK_BY]), fighter_at(s[task + TASK_TARGET])
    if s[task + TASK_HOW] == 0:
        strike(s, b, effect, caster, centre, target, steps, 0, 0, 0)
    elif s[target + HP] > 0:
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
    place, left, kind = s[task + TASK_WHAT], s[task + TASK_STEPS], s[task + TASK_HOW]
    if left == 0:
        return
    by, centre, victim = s[task + TASK_BY], s[task + TASK_CENTRE], s[task + TASK_TARGET]
    effect = b[place]
    s[TASKS] += 1
    s[task + TASK_WHAT] = place + 1
    s[task + TASK_STEPS] = left - 1
    owner = fighter_at(by)
    if b[effect + AFFECTS] != ITSELF and (kind == GLYPH or b[effect + SHAPE] == POINT):
        if meant(s, b, effect, owner, fighter_at(victim)):
            push_task(s, STRIKE, effect, by, centre, victim, 0, 0)
    else:
        _strike_around(s, b, effect, by, centre, 0)


@compiled
def _strike_around(s: Any, b: Any, effect: int, by: int, centre: int, how: int) -> None:
    """Lets an effect strike everyone in its area, as they stand now."""
    owner = fighter_at(by)
    if b[effect + AFFECTS] == ITSELF:
        if s[owner + HP] > 0:
            push_task(s, STRIKE, effect, by, centre, by, 0, how)
        return
    for number in range(s[FIGHTERS] - 1, -1, -1):
        f = fighter_at(number)
        if s[f + HP] > 0:
            steps = steps_in(b, effect, s[owner + CELL], centre, s[f + CELL])
            if steps >= 0 and meant(s, b, effect, owner, f):
                push_task(s, STRIKE, effect, by, centre, number, steps, how)


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
