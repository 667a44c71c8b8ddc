"""What the learned evaluation sees of a state: a row of decimals for each living fighter.

Nothing in a row names a cell, a class or a spell, and both sides are described alike: what fighters can do to
each other is worked out from their spells, so that classes and maps never seen are described as well.
Next hop: `botapp.search.core.network` judges the rows, `botapp.learning.outcomes` learns from them.
"""

from typing import Any

from botapp.fight.core.cells import distance
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    AP,
    BASE_AP,
    BASE_MP,
    BUFFS,
    CELL,
    CURRENT,
    ERODED,
    FIGHTER,
    FIGHTERS,
    FIRST,
    FLEE,
    HP,
    LOCK,
    MARK,
    MARK_LIST,
    MARKS,
    MAX_HP,
    MOST_FIGHTERS,
    MP,
    NUMBER,
    ORDER,
    ORDERED,
    PACIFIED,
    RESISTANCE,
    SHIELD,
    SPELLS,
    STATES,
    SUMMONER,
    TEAM,
)
from botapp.search.core.evaluation_layout import (
    INPUT,
    INPUT_ROWS,
    MEAN_HP,
    PAIR,
    PAIRS,
    SIDE,
    STRIKER_TAGS,
    TURNS_UNTIL,
)
from botapp.search.core.mark_values import forget_marked, mark_value
from botapp.search.core.powers import power
from botapp.search.core.static import buffs_value
from botapp.search.core.strikes import farthest, hurts, known_strike
from botapp.search.core.tags import is_in, resting, striker_tag, tag_fighters

INPUT_NAMES = (
    "hp", "hp_share", "max_hp", "shield", "eroded", "ap", "mp", "base_ap", "base_mp", "power", "summon",
    "buffs", "turns_until", "acts_now", "strike", "strike_share", "kills", "strike_shares", "in_reach",
    "struck_share", "struck_most", "struck_before", "falls_before", "strikers", "foe_distance",
    "friend_distance", "longest", "ready", "resistance", "lock", "flee", "rooted", "gravity", "invulnerable",
    "invisible", "unlockable", "pacified", "focused", "marks",
)  # fmt: skip
"""The columns of a row, in their order; weights are bound to it."""

_IS_FOE, _APART, _ADJACENT, _DEALS, _SUFFERS, _AFTER = range(6)
PAIR_NAMES = ("foe", "distance", "adjacent", "deals", "suffers", "after")
"""What a row says of another one: whether it is a foe, how far it is, which share of its life a turn's blows
take and which share of the own life its blows take, whether one's own turn comes after its."""

(_HP, _HP_SHARE, _MAX_HP, _SHIELD, _ERODED, _AP, _MP, _BASE_AP, _BASE_MP, _POWER, _SUMMON, _BUFFS, _UNTIL,
 _NOW, _STRIKE, _STRIKE_SHARE, _KILLS, _STRIKE_SHARES, _IN_REACH, _STRUCK, _STRUCK_MOST, _STRUCK_BEFORE,
 _FALLS, _STRIKERS, _FOE, _FRIEND, _LONGEST, _READY, _RESISTANCE, _LOCK, _FLEE,
 _ROOTED) = range(32)  # fmt: skip
_CONDITIONS = 7
_MARKS = _ROOTED + _CONDITIONS

_TEN_AP, _SIX_MP, _FAR, _MANY, _CAP = 10.0, 6.0, 15.0, 4.0, 3.0
_FARTHEST = 40 / _FAR


@compiled
def write_inputs(s: Any, b: Any, e: Any) -> int:
    """Writes the rows of a state still fought in to `INPUT_ROWS`; returns how many they are.

    A row is led by the team; HP are in shares of `MEAN_HP`, the mean of all full HP. What each row
    says of the others goes to `PAIRS`, `MOST_FIGHTERS` of them for each row.

    Args:
        s: the state, at the beginning of somebody's turn; all have their AP and MP for it.
        b: the book.
        e: the evaluation, prepared for a state of the same fight.
    """
    tag_fighters(s, b, e)
    for f in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if s[f + HP] > 0 and s[f + TEAM] == e[SIDE]:
            e[STRIKER_TAGS + s[f + NUMBER]] = striker_tag(s, b, e, f)
    living = _note_turns(s, e)
    row = INPUT_ROWS
    for f in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if s[f + HP] > 0:
            e[row] = s[f + TEAM]
            _sheet(s, b, e, f, row + 1)
            pairs = PAIRS + (row - INPUT_ROWS) // INPUT * MOST_FIGHTERS * PAIR
            _others(s, b, e, f, pairs)
            _blows(s, e, f, row + 1, pairs)
            e[row + 1 + _UNTIL] = e[TURNS_UNTIL + s[f + NUMBER]] / living
            e[row + 1 + _NOW] = 1.0 if e[TURNS_UNTIL + s[f + NUMBER]] == 0.0 else 0.0
            row += INPUT
    if s[MARKS]:
        _marks(s, b, e)
    return living


@compiled
def _sheet(s: Any, b: Any, e: Any, f: int, x: int) -> None:
    """Writes what a fighter is by itself."""
    scale = e[MEAN_HP]
    full = s[f + MAX_HP] + s[f + ERODED]
    e[x + _HP] = s[f + HP] / scale
    e[x + _HP_SHARE] = s[f + HP] / max(1, full)
    e[x + _MAX_HP] = full / scale
    e[x + _SHIELD] = s[f + SHIELD] / scale
    e[x + _ERODED] = s[f + ERODED] / max(1, full)
    e[x + _AP] = s[f + AP] / _TEN_AP
    e[x + _MP] = s[f + MP] / _SIX_MP
    e[x + _BASE_AP] = s[f + BASE_AP] / _TEN_AP
    e[x + _BASE_MP] = s[f + BASE_MP] / _SIX_MP
    e[x + _POWER] = power(s, b, e, f) / scale
    e[x + _SUMMON] = 1.0 if s[f + SUMMONER] >= 0 else 0.0
    e[x + _BUFFS] = buffs_value(s, b, e, f) / scale if s[BUFFS] else 0.0
    closed = resting(s, b, f, 0)
    spells, longest, ready = s[f + SPELLS], 0, 0
    for slot in range(b[spells]):
        if not (closed >> slot) & 1:
            ready += 1
            spell = b[spells + 1 + slot]
            if hurts(b, spell):
                longest = max(longest, farthest(s, b, e, f, spell))
    e[x + _LONGEST] = longest / _TEN_AP
    e[x + _READY] = ready / _TEN_AP
    resistances = 0
    for element in range(5):
        resistances += s[f + RESISTANCE + element]
    e[x + _RESISTANCE] = resistances / 250.0
    e[x + _LOCK] = s[f + LOCK] / 20.0
    e[x + _FLEE] = s[f + FLEE] / 20.0
    for condition in range(_CONDITIONS):
        e[x + _ROOTED + condition] = (s[f + STATES] >> condition) & 1
    e[x + _MARKS] = 0.0


@compiled
def _others(s: Any, b: Any, e: Any, f: int, pair: int) -> None:
    """Writes what there is to say of a fighter and each of the others."""
    turn = e[TURNS_UNTIL + s[f + NUMBER]]
    for g in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if s[g + HP] > 0:
            foe = s[g + TEAM] != s[f + TEAM]
            apart = distance(s[f + CELL], s[g + CELL])
            e[pair + _IS_FOE] = 1.0 if foe else 0.0
            e[pair + _APART] = apart / _FAR
            e[pair + _ADJACENT] = 1.0 if apart == 1 else 0.0
            e[pair + _DEALS] = _share(s, b, e, f, g) if foe else 0.0
            e[pair + _SUFFERS] = _share(s, b, e, g, f) if foe else 0.0
            e[pair + _AFTER] = 1.0 if e[TURNS_UNTIL + s[g + NUMBER]] < turn else 0.0
            pair += PAIR


@compiled
def _share(s: Any, b: Any, e: Any, f: int, g: int) -> float:
    """Returns which share of an enemy's life a fighter's best turn takes; the tags of all are known."""
    if is_in(s, f, PACIFIED):
        return 0.0
    return min(known_strike(s, b, e, f, g) / (s[g + HP] + s[g + SHIELD]), _CAP)


@compiled
def _blows(s: Any, e: Any, f: int, x: int, pair: int) -> None:
    """Writes what a fighter may do to its enemies in its next turn, and they to it."""
    most, most_share, shares, in_reach = 0.0, 0.0, 0.0, 0
    taken, taken_most, taken_before, strikers, foes = 0.0, 0.0, 0.0, 0, 0
    near_foe, near_friend = _FARTHEST, _FARTHEST
    for g in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if s[g + HP] > 0:
            if e[pair + _IS_FOE] > 0.0:
                foes += 1
                near_foe = min(near_foe, e[pair + _APART])
                deals, suffers = e[pair + _DEALS], e[pair + _SUFFERS]
                most = max(most, deals * (s[g + HP] + s[g + SHIELD]))
                most_share = max(most_share, deals)
                shares += deals
                in_reach += 1 if deals > 0.0 else 0
                taken += suffers
                taken_most = max(taken_most, suffers)
                taken_before += suffers * e[pair + _AFTER]
                strikers += 1 if suffers > 0.0 else 0
            elif g != f:
                near_friend = min(near_friend, e[pair + _APART])
            pair += PAIR
    e[x + _STRIKE] = most / e[MEAN_HP]
    e[x + _STRIKE_SHARE] = most_share
    e[x + _KILLS] = 1.0 if most_share >= 1.0 else 0.0
    e[x + _STRIKE_SHARES] = shares / max(1, foes)
    e[x + _IN_REACH] = in_reach / _MANY
    e[x + _STRUCK] = min(taken, _CAP)
    e[x + _STRUCK_MOST] = taken_most
    e[x + _STRUCK_BEFORE] = min(taken_before, _CAP)
    e[x + _FALLS] = 1.0 if taken_before >= 1.0 else 0.0
    e[x + _STRIKERS] = strikers / _MANY
    e[x + _FOE] = near_foe
    e[x + _FRIEND] = near_friend


@compiled
def _note_turns(s: Any, e: Any) -> int:
    """Writes down by number how many of the living act before each of them; returns how many they are."""
    before = 0
    place = s[CURRENT]
    for _ in range(s[ORDERED]):
        number = s[ORDER + place]
        if s[FIRST + number * FIGHTER + HP] > 0:
            e[TURNS_UNTIL + number] = before
            before += 1
        place += 1
        if place == s[ORDERED]:
            place = 0
    return before


@compiled
def _marks(s: Any, b: Any, e: Any) -> None:
    """Writes what the marks on the ground are worth to each side, to all of its rows."""
    forget_marked(s, e)
    worth = 0.0
    for mark in range(MARK_LIST, MARK_LIST + s[MARKS] * MARK, MARK):
        worth += mark_value(s, b, e, mark)
    worth /= e[MEAN_HP]
    row = INPUT_ROWS
    for f in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if s[f + HP] > 0:
            e[row + 1 + _MARKS] = worth if s[f + TEAM] == e[SIDE] else -worth
            row += INPUT
