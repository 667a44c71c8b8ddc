"""Whom an effect is meant for, wherever that one stands: by side, and by further conditions in the book.

The conditions are clauses that must all hold; of a clause's atoms one must. Each atom is a code and a number.
Next hop: `botapp.fight.core.effects`.
"""

from typing import Any

from botapp.fight.core.buffs import has_state
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    AFFECTS,
    ALLIES,
    BASE_AP,
    BASE_MP,
    BY_KIND,
    CAUSE,
    ENEMIES,
    EVERYBODY,
    HELPFUL,
    HP,
    IF_ALLY,
    IF_AMONG,
    IF_CASTER,
    IF_FAMILY,
    IF_FULL_OF_SUMMONS,
    IF_HP_BELOW,
    IF_KIND,
    IF_OWN_SUMMON,
    IF_PLAYER,
    IF_SHIELDED,
    IF_STATE,
    IF_SUMMON,
    IF_SUMMONER,
    ITS_CAUSE,
    MASK_AT,
    MAX_HP,
    NUMBER,
    OF_CASTER,
    OTHERS,
    PLAYER,
    SHIELD,
    SPECIES,
    SUMMONER,
    SUMMONS,
    TEAM,
    TEAM_ONLY,
    UNLESS,
)
from botapp.fight.core.summons import living_summons


@compiled
def meant(s: Any, b: Any, effect: int, caster: int, f: int) -> bool:
    """Tells whether an effect of the caster's is for a fighter, wherever that stands."""
    if not _of_its_side(s, b, effect, caster, f):
        return False
    mask = b[effect + MASK_AT]
    return mask == 0 or holds(s, b, mask, caster, f)


@compiled
def _of_its_side(s: Any, b: Any, effect: int, caster: int, f: int) -> bool:
    affects = b[effect + AFFECTS]
    friend = s[f + TEAM] == s[caster + TEAM]
    if affects == BY_KIND:
        return friend if b[effect + HELPFUL] else f != caster
    if affects == ENEMIES:
        return not friend
    if affects == TEAM_ONLY:
        return friend
    if affects == ALLIES:
        return friend and f != caster
    if affects == OTHERS:
        return f != caster
    if affects == ITS_CAUSE:
        return s[CAUSE] == s[f + NUMBER]
    return affects == EVERYBODY or f == caster


@compiled
def holds(s: Any, b: Any, mask: int, caster: int, f: int) -> bool:
    """Tells whether all clauses of the conditions at `mask` in the book hold for a fighter."""
    at = mask + 1
    for _ in range(b[mask]):
        atoms = b[at]
        held = False
        for atom in range(at + 1, at + 1 + 2 * atoms, 2):
            code = b[atom]
            asked = caster if code & OF_CASTER else f
            if _is_so(s, code % OF_CASTER, b[atom + 1], caster, asked) == (code & UNLESS == 0):
                held = True
        if not held:
            return False
        at += 1 + 2 * atoms
    return True


@compiled
def _is_so(s: Any, code: int, number: int, caster: int, f: int) -> bool:
    if code == IF_STATE:
        return has_state(s, f, number)
    if code == IF_KIND:
        return s[f + SPECIES] == number
    if code == IF_HP_BELOW:
        return 100 * s[f + HP] < number * s[f + MAX_HP]
    if code == IF_SUMMON:
        return s[f + SUMMONER] >= 0
    if code == IF_OWN_SUMMON:
        return s[f + SUMMONER] == s[caster + NUMBER]
    if code == IF_SUMMONER:
        return s[caster + SUMMONER] == s[f + NUMBER]
    if code == IF_FAMILY:
        return _head_of_family(s, f) == _head_of_family(s, caster)
    if code == IF_PLAYER:
        return s[f + PLAYER] != 0
    if code == IF_ALLY:
        return s[f + TEAM] == s[caster + TEAM]
    if code == IF_CASTER:
        return f == caster
    if code == IF_SHIELDED:
        return s[f + SHIELD] > 0
    if code == IF_FULL_OF_SUMMONS:
        return living_summons(s, f) >= s[f + SUMMONS]
    return code == IF_AMONG and (number >> _who(s, caster, f)) & 1 != 0


@compiled
def _head_of_family(s: Any, f: int) -> int:
    """Returns the number of who called a fighter, its own where nobody did."""
    return s[f + SUMMONER] if s[f + SUMMONER] >= 0 else s[f + NUMBER]


@compiled
def _who(s: Any, caster: int, f: int) -> int:
    """Returns what a fighter is to the caster, as a number in the order of `Who`."""
    if f == caster:
        return 0
    if s[f + SUMMONER] >= 0:
        nature = 4 if s[f + BASE_AP] == 0 and s[f + BASE_MP] == 0 else 3
    else:
        nature = 1 if s[f + PLAYER] else 2
    return nature if s[f + TEAM] == s[caster + TEAM] else nature + 4
