"""What each kind of effect does: to the fighters it reaches, or to the board itself.

Next hop: `botapp.fight.core.resolving` says whom it reaches, and what happens after what.
"""

from typing import Any

from botapp.fight.core.buffs import NO_STATE, give_stat, give_state, has_state, lose, most_ap, most_mp
from botapp.fight.core.cells import distance, has_cell
from botapp.fight.core.chances import pick_group
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import (
    amount,
    expected_removed,
    highest_face,
    lowest_face,
    mean_amount,
    removed,
)
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    ADVANCE,
    AP,
    BASE_AP,
    BASE_MP,
    BUFF_STATE,
    BUFF_STATS_OF,
    BUFFS,
    CALL,
    CAST_AT_IT,
    CAST_BY_IT,
    CAST_ON_CELL,
    CELL,
    DAMAGE,
    DELAY,
    DICE,
    DISPEL,
    EFFECT_KIND,
    EFFECT_STAT,
    EFFECT_STATE,
    EFFECT_TURNS,
    ELEMENT,
    END_STATE,
    END_TAGGED,
    GIVE_AP,
    GIVE_MP,
    GIVE_SHIELD,
    GIVE_STATE,
    HEAL,
    HP,
    INVULNERABLE,
    KILL,
    LAY_GLYPH,
    LAY_TRAP,
    LOW,
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
    PULL,
    PUSH,
    REMOVE_AP,
    RETREAT,
    SHIELD,
    SHOVE,
    STACKS,
    STATES,
    STEAL,
    STEAL_AP,
    STEAL_MP,
    SUMMON_AT,
    SWAP,
    TAG,
    TEAM,
    TELEPORT,
    TRAP,
    TRIGGER,
    WALKABLE,
)
from botapp.fight.core.marks import lay
from botapp.fight.core.masks import holds
from botapp.fight.core.moves import mirror, move, swap
from botapp.fight.core.states import fighter_at, occupant, rolled
from botapp.fight.core.summons import call
from botapp.fight.core.tasks import (
    PAYLOAD_OF,
    push_task,
)
from botapp.fight.core.triggers import let_strike, miss_states, spring_under, wounded
from botapp.fight.core.waiting import dispel, end_tagged, has_waiting, source_of, wait_for
from botapp.fight.core.wounds import hurt, kill

LIKE_A_SPELL = TRAP
"""How a payload is done that is no mark's: an effect with an area strikes all in it, as a trap's does."""
MOST_MARK_KINDS = 4
"""A payload's `TASK_HOW` is the kind of mark, plus this times the group of its effects that happens."""


@compiled
def on_the_board(b: Any, effect: int) -> bool:
    """Tells whether an effect acts on the cell aimed at, whoever stands there."""
    kind = b[effect + EFFECT_KIND]
    return kind == TELEPORT or kind == LAY_GLYPH or kind == LAY_TRAP or kind == CALL or kind == CAST_ON_CELL


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
def strike_or_wait(
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
        strike(s, b, effect, caster, centre, target, steps, bonus, chance, critical)


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
        give_stat(s, target, by, turns, b[effect + EFFECT_STAT], dose, source, 0, b[effect + STACKS])


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
