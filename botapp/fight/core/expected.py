"""What a cast may be expected to do to each fighter, without dice and without changing the state.

Each effect is looked at by itself, from the state as it is; what traps on the way do is left out.
Next hop: `botapp.fight.outcome`.
"""

from typing import Any

from botapp.fight.core.buffs import most_ap, most_mp
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import expected_amount, expected_removed, mean_amount
from botapp.fight.core.layout import (
    ACT,
    ACT_AREA,
    ACT_EFFECT,
    ACT_PERCENT,
    ACT_ROOT,
    ACT_SIDE,
    AFFECTS,
    AP,
    AT_ITSELF,
    BASE_AP,
    BASE_MP,
    BUFF_STATS_OF,
    CALL,
    CAST_BY_IT,
    CELL,
    DAMAGE,
    EFFECT_KIND,
    EFFECT_STAT,
    EFFECT_STATE,
    EFFECT_TURNS,
    EFFECTS_AT,
    FAULT,
    FIGHTERS,
    FULL_BUFFS,
    GIVE_SHIELD,
    GIVE_STATE,
    HEAL,
    HITS,
    HP,
    INVULNERABLE,
    ITSELF,
    LAY_GLYPH,
    LAY_TRAP,
    MAX_HP,
    MOST_BUFFS,
    MP,
    NUMBER,
    ON_TURN_BEGIN,
    ON_TURN_END,
    PULL,
    PUSH,
    QUEUE,
    REMOVE_AP,
    REMOVE_MP,
    SHIELD,
    SPELL_ACTS,
    SPELL_EFFECTS,
    STATES,
    STEAL,
    STEAL_AP,
    STEAL_MP,
    TELEPORT,
    TRIGGER,
    WAY,
)
from botapp.fight.core.masks import meant
from botapp.fight.core.push import plan_pull, plan_push
from botapp.fight.core.states import fighter_at
from botapp.fight.core.zones import steps_in

(E_PLACE, E_DAMAGE, E_HEAL, E_SHIELD, E_AP, E_MP, E_AP_GAIN, E_MP_GAIN, E_MOVED, E_CELL, E_MARKS,
 E_SUMMONS) = range(12)  # fmt: skip
OUTCOME = 12
"""Numbers of one fighter: `E_PLACE` counts from 1 in the order they are reached in, 0 for who is not."""

GIVEN = QUEUE
"""How many buffs and states the cast gives, then `GIFT` words each."""
GIFT = 5
GIFT_ON, GIFT_TURNS, GIFT_STAT, GIFT_AMOUNT, GIFT_STATE = range(GIFT)


@compiled
def expect(s: Any, b: Any, caster: int, spell: int, centre: int, e: Any) -> None:
    """Writes to `e` and `GIVEN` what a spell is expected to do when cast at a cell.

    Args:
        s: the state.
        b: the book.
        caster: the fighter who casts.
        spell: the spell.
        centre: the cell aimed at.
        e: `OUTCOME` numbers for each fighter, in HP, AP, MP and cells.
    """
    for index in range(s[FIGHTERS] * OUTCOME):
        e[index] = 0.0
    for number in range(s[FIGHTERS]):
        e[number * OUTCOME + E_CELL] = -1.0
    s[GIVEN] = 0
    reached = 0
    for index in range(b[spell + SPELL_EFFECTS]):
        effect = b[b[spell + EFFECTS_AT] + index]
        kind = b[effect + EFFECT_KIND]
        own = s[caster + NUMBER] * OUTCOME
        if b[effect + TRIGGER] and not b[effect + TRIGGER] & (ON_TURN_BEGIN | ON_TURN_END):
            continue
        if kind == LAY_GLYPH or kind == LAY_TRAP or kind == CALL or kind == TELEPORT:
            reached = _note(e, own, reached)
            if kind == CALL:
                e[own + E_SUMMONS] += 1
            elif kind == TELEPORT:
                e[own + E_CELL] = centre
            else:
                e[own + E_MARKS] += 1
            continue
        for number in range(s[FIGHTERS]):
            f = fighter_at(number)
            steps = _reaches(s, b, effect, caster, centre, f)
            if steps >= 0:
                reached = _note(e, number * OUTCOME, reached)
                mean = expected_amount(s, b, spell, effect, caster, f, steps)
                _add(s, b, effect, caster, f, mean, e)
                if _steals(s, kind, f):
                    reached = _note(e, own, reached)
                if kind == PUSH or kind == PULL:
                    reached = _move(s, b, kind, caster, f, centre, round(mean), e, reached)
    _expect_casts(s, b, caster, spell, centre, e, reached)


@compiled
def _expect_casts(s: Any, b: Any, caster: int, spell: int, centre: int, e: Any, reached: int) -> None:
    """Adds what the spells are expected to do that a spell casts on whom it reaches."""
    acts = b[spell + SPELL_ACTS]
    for act in range(acts + 1, acts + 1 + b[acts] * ACT, ACT):
        root, area, effect = b[act + ACT_ROOT], b[act + ACT_AREA], b[act + ACT_EFFECT]
        if root == effect or b[act + ACT_PERCENT] == 0 or (area == 0 and b[act + ACT_SIDE] != AT_ITSELF):
            continue
        for number in range(s[FIGHTERS]):
            f = fighter_at(number)
            steps = 0
            if area:
                steps = _reaches(s, b, area, caster, centre, f)
            elif f != caster:
                steps = -1
            by = f if b[root + EFFECT_KIND] == CAST_BY_IT else caster
            if steps >= 0 and meant(s, b, effect, by, f):
                reached = _note(e, number * OUTCOME, reached)
                mean = mean_amount(s, b, effect, 0, 0, by, f, steps) * b[act + ACT_PERCENT] / 100
                _add(s, b, effect, caster, f, mean, e)


@compiled
def _note(e: Any, at: int, reached: int) -> int:
    """Notes that a fighter is reached; returns how many have been."""
    if e[at + E_PLACE] == 0:
        e[at + E_PLACE] = reached + 1
        return reached + 1
    return reached


@compiled
def _steals(s: Any, kind: int, f: int) -> bool:
    """Tells whether an effect takes something from a fighter for its caster."""
    if kind == STEAL:
        return not (s[f + STATES] >> INVULNERABLE) & 1
    return kind == STEAL_AP or kind == STEAL_MP


@compiled
def _reaches(s: Any, b: Any, effect: int, caster: int, centre: int, f: int) -> int:
    """Returns a fighter's steps from the centre where an effect reaches it, else -1."""
    if b[effect + AFFECTS] == ITSELF:
        return 0 if f == caster and meant(s, b, effect, caster, f) else -1
    if s[f + HP] <= 0:
        return -1
    steps = steps_in(b, effect, s[caster + CELL], centre, s[f + CELL])
    return steps if steps >= 0 and meant(s, b, effect, caster, f) else -1


@compiled
def _add(s: Any, b: Any, effect: int, caster: int, f: int, mean: float, e: Any) -> None:
    """Adds what one effect is expected to do to one fighter, `mean` being its mean amount."""
    kind = b[effect + EFFECT_KIND]
    at, own = s[f + NUMBER] * OUTCOME, s[caster + NUMBER] * OUTCOME
    if kind == DAMAGE or kind == STEAL:
        if (s[f + STATES] >> INVULNERABLE) & 1:
            return
        e[at + E_DAMAGE] += mean
        if kind == STEAL:
            taken = max(0.0, min(mean - s[f + SHIELD], float(s[f + HP])))
            missing = float(s[caster + MAX_HP] - s[caster + HP])
            e[own + E_HEAL] = min(e[own + E_HEAL] + taken / 2, missing)
    elif kind == HEAL:
        e[at + E_HEAL] = min(e[at + E_HEAL] + mean, float(s[f + MAX_HP] - s[f + HP]))
    elif kind == GIVE_SHIELD:
        e[at + E_SHIELD] += mean
    elif kind == REMOVE_AP or kind == STEAL_AP:
        gone = expected_removed(s, mean, caster, f, s[f + AP], s[f + BASE_AP])
        e[at + E_AP] += gone
        if kind == STEAL_AP:
            e[own + E_AP_GAIN] += max(0.0, min(gone, float(most_ap(s, caster) - s[caster + AP])))
    elif kind == REMOVE_MP or kind == STEAL_MP:
        gone = expected_removed(s, mean, caster, f, s[f + MP], s[f + BASE_MP])
        e[at + E_MP] += gone
        if kind == STEAL_MP:
            e[own + E_MP_GAIN] += max(0.0, min(gone, float(most_mp(s, caster) - s[caster + MP])))
    elif kind == BUFF_STATS_OF:
        _give(s, f, b[effect + EFFECT_TURNS], b[effect + EFFECT_STAT], round(mean), -1)
    elif kind == GIVE_STATE:
        _give(s, f, b[effect + EFFECT_TURNS], -1, 0, b[effect + EFFECT_STATE])


@compiled
def _give(s: Any, f: int, turns: int, stat: int, amount: int, state: int) -> None:
    """Adds a buff or a state to the list of what is given."""
    if s[GIVEN] >= MOST_BUFFS:
        s[FAULT] = FULL_BUFFS
        return
    gift = GIVEN + 1 + s[GIVEN] * GIFT
    s[gift + GIFT_ON] = s[f + NUMBER]
    s[gift + GIFT_TURNS] = turns
    s[gift + GIFT_STAT] = stat
    s[gift + GIFT_AMOUNT] = amount
    s[gift + GIFT_STATE] = state
    s[GIVEN] += 1


@compiled
def _move(
    s: Any, b: Any, kind: int, caster: int, f: int, centre: int, cells: int, e: Any, reached: int
) -> int:
    """Adds where a push or a pull takes a fighter and whom that hurts; returns how many are reached."""
    if kind == PUSH:
        plan_push(s, b, caster, f, centre, cells)
    else:
        plan_pull(s, b, caster, f, centre, cells)
    at = s[f + NUMBER] * OUTCOME
    if s[WAY]:
        e[at + E_MOVED] += s[WAY]
        e[at + E_CELL] = s[WAY + s[WAY]]
    for hit in range(s[HITS]):
        struck = s[HITS + 1 + 2 * hit]
        if not (s[fighter_at(struck) + STATES] >> INVULNERABLE) & 1:
            reached = _note(e, struck * OUTCOME, reached)
            e[struck * OUTCOME + E_DAMAGE] += s[HITS + 2 + 2 * hit]
    return reached
