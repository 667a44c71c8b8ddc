"""Whom an effect is meant for, by side and by further conditions, and whether chance lets it happen.

The conditions of a mask are clauses that must all hold; of a clause's atoms one must. Each atom is a code and
a number. Of the random groups of a spell's effects one happens.
"""

from botapp.fight.core.buffs import has_state
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MEANS, Fight, Fighter
from botapp.fight.core.kinds import (
    ALLIES,
    BY_KIND,
    ENEMIES,
    EVERYBODY,
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
    OF_CASTER,
    OTHERS,
    TEAM_ONLY,
    UNLESS,
)
from botapp.fight.core.spellbook import Book, Effect, effect_at
from botapp.fight.core.state import draw
from botapp.fight.core.summons import living_summons


@compiled
def meant(fight: Fight, book: Book, effect: Effect, caster: Fighter, fighter: Fighter) -> bool:
    """Tells whether an effect of the caster's is for a fighter, wherever that stands."""
    if not _of_its_side(fight, effect, caster, fighter):
        return False
    mask = effect.mask
    return mask == 0 or holds(fight, book, mask, caster, fighter)


@compiled
def _of_its_side(fight: Fight, effect: Effect, caster: Fighter, fighter: Fighter) -> bool:
    affects = effect.affects
    friend = fighter.team == caster.team
    if affects == BY_KIND:
        return friend if effect.helpful else fighter.number != caster.number
    if affects == ENEMIES:
        return not friend
    if affects == TEAM_ONLY:
        return friend
    if affects == ALLIES:
        return friend and fighter.number != caster.number
    if affects == OTHERS:
        return fighter.number != caster.number
    if affects == ITS_CAUSE:
        return fight.cause == fighter.number
    return affects == EVERYBODY or fighter.number == caster.number


@compiled
def holds(fight: Fight, book: Book, mask: int, caster: Fighter, fighter: Fighter) -> bool:
    """Tells whether all clauses of the conditions at `mask` in the book hold for a fighter."""
    at = mask + 1
    for _ in range(book.all[mask]):
        atoms = book.all[at]
        held = False
        for atom in range(at + 1, at + 1 + 2 * atoms, 2):
            code = book.all[atom]
            asked = caster if code & OF_CASTER else fighter
            if _is_so(fight, code % OF_CASTER, book.all[atom + 1], caster, asked) == (code & UNLESS == 0):
                held = True
        if not held:
            return False
        at += 1 + 2 * atoms
    return True


@compiled
def _is_so(fight: Fight, code: int, number: int, caster: Fighter, fighter: Fighter) -> bool:
    if code == IF_STATE:
        return has_state(fighter, number)
    if code == IF_KIND:
        return fighter.species == number
    if code == IF_HP_BELOW:
        return 100 * fighter.hp < number * fighter.max_hp
    if code == IF_SUMMON:
        return fighter.summoner >= 0
    if code == IF_OWN_SUMMON:
        return fighter.summoner == caster.number
    if code == IF_SUMMONER:
        return caster.summoner == fighter.number
    if code == IF_FAMILY:
        return _head_of_family(fighter) == _head_of_family(caster)
    if code == IF_PLAYER:
        return fighter.player != 0
    if code == IF_ALLY:
        return fighter.team == caster.team
    if code == IF_CASTER:
        return fighter.number == caster.number
    if code == IF_SHIELDED:
        return fighter.shield > 0
    if code == IF_FULL_OF_SUMMONS:
        return living_summons(fight, fighter) >= fighter.summons
    return code == IF_AMONG and (number >> _who(caster, fighter)) & 1 != 0


@compiled
def _head_of_family(fighter: Fighter) -> int:
    """Returns the number of who called a fighter, its own where nobody did."""
    return fighter.summoner if fighter.summoner >= 0 else fighter.number


@compiled
def _who(caster: Fighter, fighter: Fighter) -> int:
    """Returns what a fighter is to the caster, as a number in the order of `Who`."""
    if fighter.number == caster.number:
        return 0
    if fighter.summoner >= 0:
        nature = 4 if fighter.base_ap == 0 and fighter.base_mp == 0 else 3
    else:
        nature = 1 if fighter.player else 2
    return nature if fighter.team == caster.team else nature + 4


@compiled
def takes_place(fight: Fight, effect: Effect, picked: int) -> bool:
    """Tells whether an effect happens, being in the group picked or as its own chance will have it.

    On means what is likelier happens.
    """
    group, percent = effect.group, effect.chance
    if group:
        return group == picked
    if percent == 0:
        return True
    return percent >= 50 if fight.dice == MEANS else draw(fight) * 100 < percent


@compiled
def _weight(book: Book, effects: int, count: int, group: int) -> int:
    """Returns the weight of a group among `count` effects, that of all groups where `group` is 0."""
    weight = 0
    for index in range(effects, effects + count):
        of = effect_at(book, book.all[index]).group
        if of and (group == 0 or of == group):
            weight += effect_at(book, book.all[index]).chance
    return weight


@compiled
def pick_group(fight: Fight, book: Book, effects: int, count: int) -> int:
    """Returns which group of `count` effects happens, 0 where there are none; on means the heaviest."""
    total = _weight(book, effects, count, 0)
    if total == 0:
        return 0
    picked, heaviest = 0, 0
    left = 0.0
    if fight.dice != MEANS:
        left = draw(fight) * total
    for index in range(effects, effects + count):
        group = effect_at(book, book.all[index]).group
        if group == 0:
            continue
        if fight.dice == MEANS:
            weight = _weight(book, effects, count, group)
            if weight > heaviest:
                picked, heaviest = group, weight
        elif left >= 0:
            left -= effect_at(book, book.all[index]).chance
            picked = group
    return picked
