"""Effects that wait on somebody: for a trigger, such as damage or the turn's beginning, or for their time.

They stand among the buffs, with the effect's place in the book. Next hop: `botapp.fight.core.effects`.
"""

from typing import Any

from botapp.fight.core.buffs import (
    ENDED,
    NO_STAT,
    NO_STATE,
    append_buff,
    give_stat,
    give_state,
    lose,
    make_room,
    sweep,
)
from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    BUFF,
    BUFF_BY,
    BUFF_DELAY,
    BUFF_EFFECT,
    BUFF_LIST,
    BUFF_ON,
    BUFF_STATS_OF,
    BUFF_TURNS,
    BUFFS,
    DELAY,
    DISPELLABLE,
    EFFECT_KIND,
    EFFECT_STAT,
    EFFECT_STATE,
    EFFECT_TURNS,
    GIVE_STATE,
    LISTENS,
    NUMBER,
    RUNNING,
    STACKS,
    TAG,
    TRIGGER,
    TRIGGER_STATE,
)


@compiled
def wait_for(s: Any, b: Any, effect: int, caster: int, target: int, dose: int) -> None:
    """Lets an effect wait on a fighter; `dose` is what a change of a stat amounts to."""
    turns, delay, kind = b[effect + EFFECT_TURNS], b[effect + DELAY], b[effect + EFFECT_KIND]
    by = s[caster + NUMBER]
    if b[effect + TRIGGER]:
        make_room(s, target, by, effect, b[effect + STACKS])
        append_buff(s, s[target + NUMBER], by, b[effect + LISTENS], NO_STAT, 0, NO_STATE, effect, delay)
    elif kind == BUFF_STATS_OF:
        if dose:
            source, most = source_of(b, effect), b[effect + STACKS]
            give_stat(s, target, by, turns, b[effect + EFFECT_STAT], dose, source, delay, most)
    elif kind == GIVE_STATE:
        give_state(s, target, by, turns, b[effect + EFFECT_STATE], source_of(b, effect), delay)
    else:
        append_buff(s, s[target + NUMBER], by, 1, NO_STAT, 0, NO_STATE, effect, delay)


@compiled
def source_of(b: Any, effect: int) -> int:
    """Returns what a stat or a state given keeps of its effect: see `BUFF_EFFECT` in the layout."""
    return -effect if b[effect + TAG] or not b[effect + DISPELLABLE] else 0


@compiled
def has_waiting(s: Any, f: int) -> bool:
    """Tells whether an effect waits on a fighter."""
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        if s[buff + BUFF_EFFECT] > 0 and s[buff + BUFF_ON] == s[f + NUMBER]:
            return True
    return False


@compiled
def due(s: Any, b: Any, f: int, events: int, state: int, at: int) -> int:
    """Writes the effects that wait on a fighter for one of some events to `at`, as (effect, giver) pairs.

    The one that is being done is not among them. Returns how many.
    """
    count = 0
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        effect = s[buff + BUFF_EFFECT]
        if effect > 0 and s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + BUFF_DELAY] == 0:
            about_it = state == NO_STATE or b[effect + TRIGGER_STATE] == state
            if b[effect + TRIGGER] & events and about_it and effect != s[RUNNING] and count < 24:
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
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        effect = s[buff + BUFF_EFFECT]
        over = effect > 0 and s[buff + BUFF_ON] == s[f + NUMBER] and s[buff + BUFF_DELAY] == 0
        if over and b[effect + TRIGGER] == 0 and count < 24:
            s[at + 2 * count] = effect
            s[at + 2 * count + 1] = s[buff + BUFF_BY]
            count += 1
            put(s, buff + BUFF_TURNS, ENDED)
    if count:
        sweep(s, f, BUFF_TURNS, ENDED)
    return count


@compiled
def dispel(s: Any, b: Any, f: int, turns: int) -> None:
    """Ends a fighter's buffs, or makes them end `turns` sooner, those left out that cannot be dispelled."""
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        effect, left = abs(s[buff + BUFF_EFFECT]), s[buff + BUFF_TURNS]
        if s[buff + BUFF_ON] == s[f + NUMBER] and (effect == 0 or b[effect + DISPELLABLE] != 0):
            if turns == 0 or 0 < left <= turns:
                put(s, buff + BUFF_TURNS, ENDED)
            elif left > 0:
                put(s, buff + BUFF_TURNS, left - turns)
    lose(s, f, BUFF_TURNS, ENDED)


@compiled
def end_tagged(s: Any, b: Any, f: int, tag: int) -> None:
    """Ends what effects of a tag have given a fighter."""
    for buff in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF, BUFF):
        effect = abs(s[buff + BUFF_EFFECT])
        if s[buff + BUFF_ON] == s[f + NUMBER] and effect and b[effect + TAG] == tag:
            put(s, buff + BUFF_TURNS, ENDED)
    lose(s, f, BUFF_TURNS, ENDED)
