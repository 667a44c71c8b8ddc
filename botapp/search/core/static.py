"""The static evaluation of a state for one side, in HP: life, deaths, buffs, states, summons and marks.

It values every kind of spell alike: by the difference between the states after and before a cast. Where the
fighters stand does not count, save for marks. Next hop: `botapp.search.core.heuristic` adds what the next
turns may bring.
"""

from typing import Any

from botapp.fight.core.buffs import full_ap, full_mp
from botapp.fight.core.cells import distance
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    AP,
    BASE_AP,
    BASE_MP,
    BUFF,
    BUFF_AMOUNT,
    BUFF_BY,
    BUFF_EFFECT,
    BUFF_LIST,
    BUFF_ON,
    BUFF_STAT,
    BUFF_STATE,
    BUFF_TURNS,
    BUFFS,
    CELL,
    CURRENT,
    ERODED,
    FIGHTER,
    FIGHTERS,
    FIRST,
    HP,
    MARK,
    MARK_LIST,
    MARKS,
    MAX_HP,
    MP,
    NOBODY,
    NUMBER,
    ORDER,
    SET,
    SHIELD,
    SUMMONER,
    TEAM,
)
from botapp.fight.core.states import winner
from botapp.search.core.act_values import waiting_value
from botapp.search.core.buff_values import POINT_AP, POINT_MP, buff_value, bulk
from botapp.search.core.evaluation_layout import (
    BETWEEN,
    DECIDER,
    INCOMING,
    MEAN_HP,
    PAYLOAD_SLOTS,
    PAYLOADS,
    SIDE,
    TOTAL,
    WON,
)
from botapp.search.core.lives import SHIELD_VALUE, life
from botapp.search.core.mark_values import forget_marked, mark_value
from botapp.search.core.powers import power

LEAST_WON = 3000.0
"""The value of a fight won, at the least; never less than all HP there are, so that nothing else counts."""
STEEPNESS = 10.0
"""How fast the share of winning grows with the evaluation; see LOG.md for the fit."""

_SUMMON_TURNS = 1.6
_SUMMON_LIFE = 0.35
_IDLE_SHIELD = 0.1
_ARM = 6


@compiled
def prepare(s: Any, b: Any, e: Any, team: int) -> None:
    """Fills the head of an evaluation from a decision's first state.

    Args:
        s: the state; who fights, how strong they are and where they stand is taken from it.
        b: the book.
        e: the evaluation; it has never been used with another book.
        team: the side taken.
    """
    decider = s[ORDER + s[CURRENT]]
    for slot in range(PAYLOADS, PAYLOADS + 2 * PAYLOAD_SLOTS):
        e[slot] = 0.0
    e[SIDE] = team
    e[DECIDER] = decider
    for word in range(SET):
        e[BETWEEN + word] = 0
    total, full, red, blue = 0.0, 0.0, 0.0, 0.0
    reds, blues, own = 0, 0, 0
    for number in range(s[FIGHTERS]):
        f = FIRST + number * FIGHTER
        if s[f + SUMMONER] < 0:
            total += life(s[f + MAX_HP], s[f + MAX_HP] + s[f + ERODED])
            full += s[f + MAX_HP] + s[f + ERODED]
            own += 1
        if s[f + HP] > 0:
            if number != decider:
                e[BETWEEN + s[f + CELL] // 28] += 1 << s[f + CELL] % 28
            if s[f + TEAM] == 0:
                red += power(s, b, e, f)
                reds += 1
            else:
                blue += power(s, b, e, f)
                blues += 1
    e[TOTAL] = max(1.0, total)
    e[MEAN_HP] = max(1.0, full / max(1, own))
    e[WON] = max(LEAST_WON, e[TOTAL])
    e[INCOMING] = blue / reds if reds else 0.0
    e[INCOMING + 1] = red / blues if blues else 0.0


@compiled
def score(s: Any, b: Any, e: Any, fleeting: bool) -> float:
    """Returns how much better off the side is than the other one, in HP.

    Args:
        s: the state.
        b: the book.
        e: the evaluation.
        fleeting: whether shields, lost AP and lost MP count, which are gone after the next turn.
    """
    team, won = int(e[SIDE]), winner(s)
    if won != NOBODY:
        return 0.0 if won < 0 else (e[WON] if won == team else -e[WON])
    total = 0.0
    actor = s[ORDER + s[CURRENT]]
    for number in range(s[FIGHTERS]):
        f = FIRST + number * FIGHTER
        if s[f + HP] > 0:
            value = _bare(s, b, e, f)
            if s[BUFFS]:
                value += buffs_value(s, b, e, f)
            if fleeting:
                if s[f + SHIELD]:
                    value += s[f + SHIELD] * (SHIELD_VALUE if _threatened(s, f) else _IDLE_SHIELD)
                if number != actor:
                    value -= lacking(s, b, e, f)
            total += value if s[f + TEAM] == team else -value
    if s[MARKS]:
        forget_marked(s, e)
    for mark in range(MARK_LIST, MARK_LIST + s[MARKS] * MARK, MARK):
        total += mark_value(s, b, e, mark)
    return total


@compiled
def buffs_value(s: Any, b: Any, e: Any, f: int) -> float:
    """Returns the value of the fighter's buffs and states to its side, in HP."""
    value = 0.0
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if s[buff + BUFF_ON] == s[f + NUMBER]:
            waits = s[buff + BUFF_EFFECT] > 0
            value += waiting_value(s, b, e, buff, f) if waits else _buff(s, b, e, buff, f)
    return value


@compiled
def lacking(s: Any, b: Any, e: Any, f: int) -> float:
    """Returns the value of the AP and MP that somebody lacks in its next turn, in HP."""
    value = 0.0
    lost_ap, lost_mp = full_ap(s, f) - s[f + AP], full_mp(s, f) - s[f + MP]
    if lost_ap > 0:
        value += POINT_AP * lost_ap * power(s, b, e, f) / max(1, s[f + BASE_AP])
    if lost_mp > 0:
        value += POINT_MP * lost_mp * bulk(s, f)
    return value


@compiled
def _bare(s: Any, b: Any, e: Any, f: int) -> float:
    """Returns the value of a living fighter to its side, buffs left out."""
    hp, full = s[f + HP], s[f + MAX_HP] + s[f + ERODED]
    if s[f + SUMMONER] < 0:
        return life(hp, full)
    wholeness = 0.5 + 0.5 * hp / max(1, full)
    return _SUMMON_LIFE * hp + _SUMMON_TURNS * power(s, b, e, f) * wholeness


@compiled
def _buff(s: Any, b: Any, e: Any, buff: int, f: int) -> float:
    by, turns, stat = s[buff + BUFF_BY], s[buff + BUFF_TURNS], s[buff + BUFF_STAT]
    return buff_value(s, b, e, f, by, turns, stat, s[buff + BUFF_AMOUNT], s[buff + BUFF_STATE])


@compiled
def _threatened(s: Any, f: int) -> bool:
    """Tells whether an enemy is close enough to strike the fighter within a turn, as far as one can guess."""
    for foe in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        near = distance(s[foe + CELL], s[f + CELL]) <= s[foe + BASE_MP] + _ARM
        if near and s[foe + TEAM] != s[f + TEAM] and s[foe + HP] > 0:
            return True
    return False
