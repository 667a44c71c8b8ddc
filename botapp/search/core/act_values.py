"""What acts are worth to whom they reach, in HP: those of marks, and what already waits on a fighter.

Next hop: `botapp.search.core.mark_values` and `botapp.search.core.static`.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import mean_amount
from botapp.fight.core.layout import (
    ACT,
    ACT_EFFECT,
    ACT_PERCENT,
    ACT_ROOT,
    BUFF_BY,
    BUFF_EFFECT,
    BUFF_STATS_OF,
    BUFF_TURNS,
    CAST_AT_IT,
    CAST_BY_IT,
    CURRENT,
    DAMAGE,
    EFFECT_KIND,
    EFFECT_STAT,
    EFFECT_STATE,
    EFFECT_TURNS,
    ERODED,
    FIGHTER,
    FIRST,
    GIVE_SHIELD,
    GIVE_STATE,
    HEAL,
    HP,
    MAX_HP,
    NUMBER,
    ON_TURN_BEGIN,
    ON_TURN_END,
    ORDER,
    ORDERED,
    PAYLOAD,
    STEAL,
    TRIGGER,
)
from botapp.fight.core.masks import meant
from botapp.search.core.buff_values import POINT_MP, buff_value, bulk, in_turns
from botapp.search.core.lives import SHIELD_VALUE, life


@compiled
def payload_value(s: Any, b: Any, e: Any, payload: int, owner: int, f: int) -> float:
    """Returns what a payload does to someone whom it reaches, in HP: more is better for that one.

    Args:
        s: the state.
        b: the book.
        e: the evaluation.
        payload: its place in the book.
        owner: whose it is.
        f: who is reached.
    """
    total, acts = 0.0, b[payload + 1 + b[payload]]
    for act in range(acts + 1, acts + 1 + b[acts] * ACT, ACT):
        root, effect = b[act + ACT_ROOT], b[act + ACT_EFFECT]
        by = f if b[root + EFFECT_KIND] == CAST_BY_IT else owner
        if b[act + ACT_PERCENT] and meant(s, b, root, owner, f):
            if effect == root or meant(s, b, effect, by, f):
                total += _effect_value(s, b, e, effect, b[act + ACT_PERCENT], by, owner, f)
    return total


@compiled
def waiting_value(s: Any, b: Any, e: Any, buff: int, f: int) -> float:
    """Returns what an effect that waits on a fighter is worth to it, in HP.

    It counts where it is certain to happen: after its delay, or as a turn of the bearer's begins or ends.
    """
    effect, by, turns = s[buff + BUFF_EFFECT], s[buff + BUFF_BY], s[buff + BUFF_TURNS]
    trigger = b[effect + TRIGGER]
    if by < 0 or (trigger and not trigger & (ON_TURN_BEGIN | ON_TURN_END)):
        return 0.0
    if trigger and turns and _has_struck(s, by, s[f + NUMBER], trigger & ON_TURN_BEGIN != 0):
        turns -= 1
        if turns == 0:
            return 0.0
    owner, kind, payload = FIRST + by * FIGHTER, b[effect + EFFECT_KIND], b[effect + PAYLOAD]
    if kind == CAST_AT_IT or kind == CAST_BY_IT:
        does = payload_value(s, b, e, payload, f if kind == CAST_BY_IT else owner, f) if payload else 0.0
    else:
        does = _effect_value(s, b, e, effect, 100, owner, owner, f)
    return does * in_turns(turns if trigger else 1)


@compiled
def _has_struck(s: Any, giver: int, bearer: int, at_begin: bool) -> bool:
    """Tells whether a turn of the bearer's has begun, or ended, since the giver's last one began."""
    count, place = s[ORDERED], 0
    while place < count and s[ORDER + place] != giver:
        place += 1
    if place == count:
        return False
    while place % count != s[CURRENT]:
        if s[ORDER + place % count] == bearer:
            return True
        place += 1
    return at_begin and s[ORDER + s[CURRENT]] == bearer


@compiled
def _effect_value(s: Any, b: Any, e: Any, effect: int, percent: int, by: int, owner: int, f: int) -> float:
    """Returns what an effect that happens with a chance is worth to a fighter, `by` being who does it."""
    kind, hp, full = b[effect + EFFECT_KIND], s[f + HP], s[f + MAX_HP] + s[f + ERODED]
    mean = mean_amount(s, b, effect, 0, 0, by, f, 0)
    if percent != 100:
        mean = mean * percent / 100
    if kind == DAMAGE or kind == STEAL:
        return life(hp - mean, full) - life(hp, full)
    if kind == HEAL:
        return min(mean, float(s[f + MAX_HP] - hp))
    if kind == GIVE_SHIELD:
        return SHIELD_VALUE * mean
    if kind == BUFF_STATS_OF or kind == GIVE_STATE:
        stat = b[effect + EFFECT_STAT] if kind == BUFF_STATS_OF else -1
        state = b[effect + EFFECT_STATE] if kind == GIVE_STATE else -1
        turns = b[effect + EFFECT_TURNS]
        return buff_value(s, b, e, f, s[owner + NUMBER], turns, stat, round(mean), state)
    return -POINT_MP * bulk(s, f) * mean
