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
    BY_KIND,
    ENEMIES,
    EVERYBODY,
    HELPFUL,
    HP,
    IF_ALLY,
    IF_CASTER,
    IF_CASTER_HAS,
    IF_CASTER_HP_ABOVE,
    IF_CASTER_HP_BELOW,
    IF_CASTER_LACKS,
    IF_ENEMY,
    IF_HAS,
    IF_HP_ABOVE,
    IF_HP_BELOW,
    IF_KIND,
    IF_LACKS,
    IF_NOT_CASTER,
    IF_NOT_KIND,
    IF_NOT_PLAYER,
    IF_NOT_SUMMON,
    IF_OWN_SUMMON,
    IF_PLAYER,
    IF_SUMMON,
    IF_SUMMONER,
    KIND,
    MASK_AT,
    MAX_HP,
    NUMBER,
    OTHERS,
    PLAYER,
    SUMMONER,
    TEAM,
    TEAM_ONLY,
)


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
    return affects == EVERYBODY or f == caster


@compiled
def holds(s: Any, b: Any, mask: int, caster: int, f: int) -> bool:
    """Tells whether all clauses of the conditions at `mask` in the book hold for a fighter."""
    at = mask + 1
    for _ in range(b[mask]):
        atoms = b[at]
        held = False
        for atom in range(at + 1, at + 1 + 2 * atoms, 2):
            if _atom_holds(s, b[atom], b[atom + 1], caster, f):
                held = True
        if not held:
            return False
        at += 1 + 2 * atoms
    return True


@compiled
def _share_of_hp(s: Any, f: int) -> float:
    return 100.0 * s[f + HP] / max(1, s[f + MAX_HP])


@compiled
def _atom_holds(s: Any, code: int, number: int, caster: int, f: int) -> bool:
    if code == IF_HAS:
        return has_state(s, f, number)
    if code == IF_LACKS:
        return not has_state(s, f, number)
    if code == IF_CASTER_HAS:
        return has_state(s, caster, number)
    if code == IF_CASTER_LACKS:
        return not has_state(s, caster, number)
    if code == IF_KIND:
        return s[f + KIND] == number
    if code == IF_NOT_KIND:
        return s[f + KIND] != number
    if code == IF_HP_BELOW:
        return _share_of_hp(s, f) < number
    if code == IF_HP_ABOVE:
        return _share_of_hp(s, f) >= number
    if code == IF_CASTER_HP_BELOW:
        return _share_of_hp(s, caster) < number
    if code == IF_CASTER_HP_ABOVE:
        return _share_of_hp(s, caster) >= number
    if code == IF_SUMMON:
        return s[f + SUMMONER] >= 0
    if code == IF_NOT_SUMMON:
        return s[f + SUMMONER] < 0
    if code == IF_OWN_SUMMON:
        return s[f + SUMMONER] == s[caster + NUMBER]
    if code == IF_SUMMONER:
        return s[caster + SUMMONER] == s[f + NUMBER]
    if code == IF_PLAYER:
        return s[f + PLAYER] != 0
    if code == IF_NOT_PLAYER:
        return s[f + PLAYER] == 0
    if code == IF_ALLY:
        return s[f + TEAM] == s[caster + TEAM]
    if code == IF_ENEMY:
        return s[f + TEAM] != s[caster + TEAM]
    if code == IF_CASTER:
        return f == caster
    return code == IF_NOT_CASTER and f != caster
