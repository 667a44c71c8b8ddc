"""Effects that wait on somebody: for a trigger, such as damage or the turn's beginning, or for their time.

They stand among the buffs, with the effect's place in the book. Next hop: `botapp.fight.core.effects`.
"""

from typing import Any

from botapp.fight.core.buffs import (
    NO_STAT,
    NO_STATE,
    append_buff,
    full_ap,
    full_mp,
    give_stat,
    give_state,
    remove_at,
    settle,
    undo,
)
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    BUFF,
    BUFF_BY,
    BUFF_DELAY,
    BUFF_EFFECT,
    BUFF_LIST,
    BUFF_ON,
    BUFF_STATS_OF,
    BUFFS,
    DELAY,
    DISPELLABLE,
    EFFECT_KIND,
    EFFECT_STAT,
    EFFECT_STATE,
    EFFECT_TURNS,
    GIVE_STATE,
    NUMBER,
    TRIGGER,
)


@compiled
def wait_for(s: Any, b: Any, effect: int, caster: int, target: int, dose: int) -> None:
    """Lets an effect wait on a fighter; `dose` is what a change of a stat amounts to."""
    turns, delay, kind = b[effect + EFFECT_TURNS], b[effect + DELAY], b[effect + EFFECT_KIND]
    by = s[caster + NUMBER]
    if b[effect + TRIGGER] == 0 and kind == BUFF_STATS_OF:
        if dose:
            give_stat(s, target, by, turns, b[effect + EFFECT_STAT], dose, 0, delay)
    elif b[effect + TRIGGER] == 0 and kind == GIVE_STATE:
        give_state(s, target, by, turns, b[effect + EFFECT_STATE], 0, delay)
    else:
        append_buff(s, s[target + NUMBER], by, turns, NO_STAT, 0, NO_STATE, effect, delay)


@compiled
def has_waiting(s: Any, f: int) -> bool:
    """Tells whether an effect waits on a fighter."""
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if s[buff + BUFF_EFFECT] and s[buff + BUFF_ON] == s[f + NUMBER]:
            return True
    return False


@compiled
def due(s: Any, b: Any, f: int, events: int, at: int) -> int:
    """Writes the effects that wait on a fighter for one of some events to `at`, as (effect, giver) pairs.

    Returns how many.
    """
    count = 0
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        effect = s[buff + BUFF_EFFECT]
        if effect and s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + BUFF_DELAY] == 0:
            if b[effect + TRIGGER] & events and count < 24:
                s[at + 2 * count] = effect
                s[at + 2 * count + 1] = s[buff + BUFF_BY]
                count += 1
    return count


@compiled
def ripe(s: Any, b: Any, f: int, at: int) -> int:
    """Writes the effects without a trigger whose delay on a fighter is over to `at`, and ends their waiting.

    They are written as (effect, giver) pairs; returns how many.
    """
    count = 0
    index = 0
    while index < s[BUFFS]:
        buff = BUFF_LIST + index * BUFF
        effect = s[buff + BUFF_EFFECT]
        over = effect and s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + BUFF_DELAY] == 0
        if over and b[effect + TRIGGER] == 0 and count < 24:
            s[at + 2 * count] = effect
            s[at + 2 * count + 1] = s[buff + BUFF_BY]
            count += 1
            remove_at(s, index)
        else:
            index += 1
    return count


@compiled
def dispel(s: Any, b: Any, f: int) -> None:
    """Ends a fighter's buffs, those left out that cannot be dispelled."""
    ap_before, mp_before = full_ap(s, f), full_mp(s, f)
    index = 0
    while index < s[BUFFS]:
        buff = BUFF_LIST + index * BUFF
        effect = s[buff + BUFF_EFFECT]
        if s[buff + BUFF_ON] == s[f + NUMBER] and (effect == 0 or b[effect + DISPELLABLE]):
            undo(s, f, buff)
            remove_at(s, index)
        else:
            index += 1
    settle(s, f, ap_before, mp_before)
