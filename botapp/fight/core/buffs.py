"""Stats changed and states given for some turns: how a fighter takes them on and loses them again.

A buff's amount is in the fighter's sheet as long as it lasts; AP and MP are the exception, they count when a
turn begins. Everybody's buffs stand in one list, the oldest first.
Next hop: `botapp.fight.core.effects` gives them, `botapp.fight.core.turns` ends them.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    AP,
    BASE_AP,
    BASE_MP,
    BUFF,
    BUFF_AMOUNT,
    BUFF_BY,
    BUFF_DELAY,
    BUFF_EFFECT,
    BUFF_LIST,
    BUFF_ON,
    BUFF_STAT,
    BUFF_STATE,
    BUFF_TURNS,
    BUFFS,
    FAULT,
    FULL_BUFFS,
    MORE_STATES,
    MOST_BUFFS,
    MP,
    NUMBER,
    RESISTANCE,
    STAT_ALL_RESISTANCES,
    STAT_AP,
    STAT_COUNT,
    STAT_MP,
    STATES,
    STATS,
)

MOST_AP = 12
MOST_MP = 6
NO_STAT = -1
NO_STATE = -1
ENDED = -1
"""What `BUFF_TURNS` says of a buff that is to be swept out of the list."""


@compiled
def most_ap(s: Any, f: int) -> int:
    """Returns the most AP a fighter can have: 12, or what it begins its turns with where that is more."""
    return max(MOST_AP, s[f + BASE_AP])


@compiled
def most_mp(s: Any, f: int) -> int:
    """Returns the most MP a fighter can have: 6, or what it begins its turns with where that is more."""
    return max(MOST_MP, s[f + BASE_MP])


@compiled
def _sum(s: Any, f: int, stat: int) -> int:
    total = 0
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + BUFF_STAT] == stat and s[buff + BUFF_DELAY] == 0:
            total += s[buff + BUFF_AMOUNT]
    return total


@compiled
def filled_up(base: int, added: int, most: int) -> int:
    """Returns the AP or MP that a turn begins with: those added may not make it more than is usual."""
    return max(0, min(max(most, base), base + added))


@compiled
def full_ap(s: Any, f: int) -> int:
    """Returns the AP that a turn of the fighter begins with, its buffs counted in."""
    if s[BUFFS] == 0:
        return s[f + BASE_AP]
    return filled_up(s[f + BASE_AP], _sum(s, f, STAT_AP), MOST_AP)


@compiled
def full_mp(s: Any, f: int) -> int:
    """Returns the MP that a turn of the fighter begins with, its buffs counted in."""
    if s[BUFFS] == 0:
        return s[f + BASE_MP]
    return filled_up(s[f + BASE_MP], _sum(s, f, STAT_MP), MOST_MP)


@compiled
def has_state(s: Any, f: int, state: int) -> bool:
    """Tells whether a fighter is in a state."""
    if state < 31:
        return (s[f + STATES] >> state) & 1 != 0
    return (s[f + MORE_STATES] >> (state - 31)) & 1 != 0


@compiled
def has_buffs(s: Any, f: int) -> bool:
    """Tells whether a fighter bears any buff or state."""
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if s[buff + BUFF_ON] == s[f + NUMBER]:
            return True
    return False


@compiled
def _note_states(s: Any, f: int) -> None:
    """Works out anew which states a fighter is in."""
    first, second = 0, 0
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        state = s[buff + BUFF_STATE]
        if s[buff + BUFF_ON] == s[f + NUMBER] and state >= 0 and s[buff + BUFF_DELAY] == 0:
            if state < 31:
                first |= 1 << state
            else:
                second |= 1 << (state - 31)
    s[f + STATES] = first
    s[f + MORE_STATES] = second


@compiled
def raise_stat(s: Any, f: int, stat: int, amount: int) -> None:
    """Adds an amount to a stat of the sheet, or to all resistances; AP and MP are not of the sheet."""
    if stat == STAT_ALL_RESISTANCES:
        for element in range(5):
            s[f + RESISTANCE + element] += amount
    elif 0 <= stat < STAT_COUNT:
        s[f + STATS + stat] += amount


@compiled
def append_buff(
    s: Any, on: int, by: int, turns: int, stat: int, amount: int, state: int, effect: int, delay: int
) -> bool:
    """Adds a buff to the list, its bearer's figures left as they are; tells whether there was room."""
    if s[BUFFS] >= MOST_BUFFS:
        s[FAULT] = FULL_BUFFS
        return False
    buff = BUFF_LIST + s[BUFFS] * BUFF
    s[BUFFS] += 1
    for word in range(BUFF):
        s[buff + word] = 0
    put(s, buff + BUFF_ON, on)
    put(s, buff + BUFF_BY, by)
    put(s, buff + BUFF_TURNS, turns)
    put(s, buff + BUFF_STAT, stat)
    put(s, buff + BUFF_AMOUNT, amount)
    put(s, buff + BUFF_STATE, state)
    put(s, buff + BUFF_EFFECT, effect)
    put(s, buff + BUFF_DELAY, delay)
    return True


@compiled
def sweep(s: Any, f: int, word: int, value: int) -> bool:
    """Takes all buffs off a fighter that have a value in one of their words: a giver, a state, or `ENDED`.

    Their amounts go from its sheet; its AP, MP and states are to be settled by the caller. Tells whether
    there were any.
    """
    kept = 0
    for index in range(s[BUFFS]):
        buff = BUFF_LIST + index * BUFF
        if s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + word] == value:
            if s[buff + BUFF_DELAY] == 0:
                raise_stat(s, f, s[buff + BUFF_STAT], -s[buff + BUFF_AMOUNT])
        else:
            if kept < index:
                for field in range(BUFF):
                    put(s, BUFF_LIST + kept * BUFF + field, s[buff + field])
            kept += 1
    for field in range(BUFF_LIST + kept * BUFF, BUFF_LIST + s[BUFFS] * BUFF):
        put(s, field, 0)
    swept = kept < s[BUFFS]
    s[BUFFS] = kept
    return swept


@compiled
def lose(s: Any, f: int, word: int, value: int) -> None:
    """Takes all buffs off a fighter that have a value in one of their words (see `sweep`)."""
    ap_before, mp_before = full_ap(s, f), full_mp(s, f)
    if sweep(s, f, word, value):
        settle(s, f, ap_before, mp_before)


@compiled
def settle(s: Any, f: int, ap_before: int, mp_before: int) -> None:
    """Brings a fighter's AP, MP and states up to date once its buffs have changed.

    Args:
        s: the state.
        f: the fighter.
        ap_before, mp_before: its full AP and MP before the change.
    """
    _note_states(s, f)
    ap = s[f + AP] + full_ap(s, f) - ap_before
    mp = s[f + MP] + full_mp(s, f) - mp_before
    put(s, f + AP, max(0, min(most_ap(s, f), ap)))
    put(s, f + MP, max(0, min(most_mp(s, f), mp)))


@compiled
def make_room(s: Any, f: int, by: int, effect: int, most: int) -> None:
    """Ends the oldest of what an effect has given a fighter, so that there may be one more of at most `most`.

    Args:
        s: the state.
        f: the fighter.
        by: number of who gives it.
        effect: the effect's place in the book, with a minus or without.
        most: how many there may be, 0 for any number.
    """
    if most == 0 or effect == 0:
        return
    count = 0
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + BUFF_BY] == by:
            count += abs(s[buff + BUFF_EFFECT]) == abs(effect)
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + BUFF_BY] == by and count >= most:
            if abs(s[buff + BUFF_EFFECT]) == abs(effect):
                put(s, buff + BUFF_TURNS, ENDED)
                count -= 1
    sweep(s, f, BUFF_TURNS, ENDED)


@compiled
def give_stat(
    s: Any, f: int, by: int, turns: int, stat: int, amount: int, effect: int, delay: int, most: int
) -> None:
    """Gives a fighter a change of a stat; fighter number `by` gives it, `most` is as for `make_room`."""
    ap_before, mp_before = full_ap(s, f), full_mp(s, f)
    make_room(s, f, by, effect, most)
    if append_buff(s, s[f + NUMBER], by, turns, stat, amount, NO_STATE, effect, delay):
        if delay == 0:
            raise_stat(s, f, stat, amount)
        settle(s, f, ap_before, mp_before)


@compiled
def give_state(s: Any, f: int, by: int, turns: int, state: int, effect: int, delay: int) -> None:
    """Gives a fighter a state; given again by the same fighter it lasts the longer of both times."""
    ap_before, mp_before = full_ap(s, f), full_mp(s, f)
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if (
            s[buff + BUFF_ON] == s[f + NUMBER]
            and s[buff + BUFF_BY] == by
            and s[buff + BUFF_STATE] == state
            and s[buff + BUFF_DELAY] == delay
        ):
            known = s[buff + BUFF_TURNS]
            turns = 0 if turns == 0 or known == 0 else max(turns, known)
            put(s, buff + BUFF_TURNS, ENDED)
    sweep(s, f, BUFF_TURNS, ENDED)
    if append_buff(s, s[f + NUMBER], by, turns, NO_STAT, 0, state, effect, delay):
        settle(s, f, ap_before, mp_before)


@compiled
def grow_older(s: Any, f: int, by: int) -> None:
    """Makes the buffs that fighter number `by` has given a fighter a turn older; some end, some begin."""
    ap_before, mp_before = full_ap(s, f), full_mp(s, f)
    changed = False
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + BUFF_BY] == by:
            if s[buff + BUFF_DELAY] > 0:
                changed = True
                put(s, buff + BUFF_DELAY, s[buff + BUFF_DELAY] - 1)
                if s[buff + BUFF_DELAY] == 0:
                    raise_stat(s, f, s[buff + BUFF_STAT], s[buff + BUFF_AMOUNT])
            elif s[buff + BUFF_TURNS] > 0:
                changed = True
                left = s[buff + BUFF_TURNS] - 1
                put(s, buff + BUFF_TURNS, left if left > 0 else ENDED)
    if changed:
        sweep(s, f, BUFF_TURNS, ENDED)
        settle(s, f, ap_before, mp_before)
