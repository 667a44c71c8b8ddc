"""What spells do on average, what a turn's AP buy of them, and the power of a fighter, all in HP.

Next hop: `botapp.search.core.static` values fighters by it, `botapp.search.core.strikes` their blows.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import crit_chance, mean_amount
from botapp.fight.core.layout import (
    ACT,
    ACT_ASKS,
    ACT_EFFECT,
    ACT_PERCENT,
    ACT_ROOT,
    ACT_SIDE,
    AT_FOES,
    BASE_AP,
    CASTS_PER_TARGET,
    CASTS_PER_TURN,
    COOLDOWN,
    CRIT_BONUS,
    DAMAGE,
    EFFECT_KIND,
    FIGHTER,
    HEAL,
    NUMBER,
    PLAYER,
    QUEUE,
    SPELL_ACTS,
    SPELL_AP,
    SPELLS,
    STEAL,
)
from botapp.search.core.evaluation_layout import (
    BEST,
    DAMAGE_SLOTS,
    DAMAGES,
    MOST_AP_COUNTED,
    OPTION,
    OPTIONS,
    POWER_SLOTS,
    POWERS,
    STAT_TAGS,
)
from botapp.search.core.tags import mixed, stats_tag

_PLAIN = QUEUE
"""Place of somebody without resistances, to measure blows on."""
_UNLIMITED = 12
_HEALED = 0.6


@compiled
def times_a_turn(b: Any, spell: int) -> int:
    """Returns how often a spell can be cast at one target in a turn."""
    if b[spell + COOLDOWN]:
        return 1
    times = _UNLIMITED
    if b[spell + CASTS_PER_TURN]:
        times = b[spell + CASTS_PER_TURN]
    if b[spell + CASTS_PER_TARGET] and (not b[spell + CASTS_PER_TURN] or b[spell + CASTS_PER_TARGET] < times):
        times = b[spell + CASTS_PER_TARGET]
    return times


@compiled
def damage(s: Any, b: Any, caster: int, spell: int, target: int) -> float:
    """Returns the mean damage of one cast at the target, collisions and marks left out."""
    total, acts = 0.0, b[spell + SPELL_ACTS]
    for act in range(acts + 1, acts + 1 + b[acts] * ACT, ACT):
        kind = b[b[act + ACT_EFFECT] + EFFECT_KIND]
        if (kind == DAMAGE or kind == STEAL) and b[act + ACT_SIDE] == AT_FOES:
            total += _mean(s, b, caster, spell, act, target)
    return total


@compiled
def _mean(s: Any, b: Any, caster: int, spell: int, act: int, target: int) -> float:
    """Returns the mean amount of one of a spell's acts; the spells that it casts have no critical hits."""
    percent, effect = b[act + ACT_PERCENT], b[act + ACT_EFFECT]
    if percent == 0 or b[act + ACT_ASKS]:
        return 0.0
    bonus, chance = 0, 0
    if effect == b[act + ACT_ROOT]:
        bonus, chance = b[spell + CRIT_BONUS], crit_chance(s, b, caster, spell)
    mean: float = mean_amount(s, b, effect, bonus, chance, caster, target, 0)
    return mean if percent == 100 else mean * percent / 100


@compiled
def known_damage(s: Any, b: Any, e: Any, caster: int, spell: int, target: int) -> float:
    """Returns what `damage` does; the tags of both sheets are known."""
    who = mixed(int(e[STAT_TAGS + s[target + NUMBER]]), spell << 1 | (s[target + PLAYER] != 0))
    tag = mixed(who, int(e[STAT_TAGS + s[caster + NUMBER]]))
    at = DAMAGES + 2 * (tag % DAMAGE_SLOTS)
    if e[at] != tag:
        e[at + 1] = damage(s, b, caster, spell, target)
        e[at] = tag
    return e[at + 1]


@compiled
def volley(e: Any, count: int, ap: int) -> float:
    """Returns the most damage that `ap` action points buy of the first `count` options."""
    ap = max(ap, 0)
    ap = min(ap, MOST_AP_COUNTED)
    for spent in range(ap + 1):
        e[BEST + spent] = 0.0
    for option in range(OPTIONS, OPTIONS + count * OPTION, OPTION):
        dealt, cost = e[option], int(e[option + 1])
        most = ap // max(1, cost)
        times = int(e[option + 2])
        if cost > 0 and times >= most:
            for spent in range(BEST + cost, BEST + ap + 1):
                e[spent] = max(e[spent], e[spent - cost] + dealt)
        else:
            for _ in range(min(times, most)):
                for spent in range(BEST + ap, BEST + cost - 1, -1):
                    e[spent] = max(e[spent], e[spent - cost] + dealt)
    return e[BEST + ap]


@compiled
def add_option(b: Any, e: Any, count: int, dealt: float, spell: int, times: int) -> int:
    """Writes down an option behind the first `count`; returns how many there are then."""
    option = OPTIONS + count * OPTION
    e[option] = dealt
    e[option + 1] = b[spell + SPELL_AP]
    e[option + 2] = times
    return count + 1


@compiled
def _healing(s: Any, b: Any, f: int, spell: int) -> float:
    total, acts = 0.0, b[spell + SPELL_ACTS]
    for act in range(acts + 1, acts + 1 + b[acts] * ACT, ACT):
        if b[b[act + ACT_EFFECT] + EFFECT_KIND] == HEAL:
            total += _HEALED * _mean(s, b, f, spell, act, _PLAIN)
    return total


@compiled
def power(s: Any, b: Any, e: Any, f: int) -> float:
    """Returns the damage of the fighter's best turn on somebody without resistances, in HP.

    Heals count for what they give back.
    """
    tag = mixed(stats_tag(s, f), s[f + SPELLS] << 8 ^ s[f + BASE_AP])
    at = POWERS + 2 * (tag % POWER_SLOTS)
    if e[at] != tag:
        for field in range(FIGHTER):
            s[_PLAIN + field] = 0
        spells, count = s[f + SPELLS], 0
        for slot in range(b[spells]):
            spell = b[spells + 1 + slot]
            does = damage(s, b, f, spell, _PLAIN) + _healing(s, b, f, spell)
            if does > 0:
                count = add_option(b, e, count, does, spell, times_a_turn(b, spell))
        e[at + 1] = volley(e, count, s[f + BASE_AP])
        e[at] = tag
    return e[at + 1]
