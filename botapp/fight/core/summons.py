"""Summons: how many a fighter may have, and how one takes its place on the board and in the turn order."""

from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import (
    AP,
    CELL,
    CURRENT,
    FIGHTER_WORDS,
    FULL_FIGHTERS,
    HP,
    MAX_HP,
    MOST_FIGHTERS,
    MP,
    STAT_COUNT,
    Fight,
    Fighter,
)
from botapp.fight.core.spellbook import Book, Spell, Summon, spell_at
from botapp.fight.core.state import put, put_at, put_cooldown


@compiled
def living_summons(fight: Fight, fighter: Fighter) -> int:
    """Returns how many living summons a fighter has."""
    living = 0
    for number in range(fight.fighter_count):
        other = fight.fighters[number]
        if other.summoner == fighter.number and other.hp > 0:
            living += 1
    return living


@compiled
def full_up(fight: Fight, fighter: Fighter, spell: Spell) -> bool:
    """Tells whether a spell would call more summons than the fighter may have at once."""
    wanted = spell.summons
    return wanted > 0 and living_summons(fight, fighter) + wanted > fighter.summons


@compiled
def add_summon(fight: Fight, book: Book, summoner: Fighter, summon: Summon, cell: int) -> int:
    """Puts a new fighter on a free cell; its turn comes after its summoner's and its elder siblings'.

    Returns its number, -1 where no more fighters fit into the state.
    """
    number = fight.fighter_count
    if number >= MOST_FIGHTERS or fight.turn_count >= MOST_FIGHTERS:
        fight.fault = FULL_FIGHTERS
        return -1
    highest = 0
    for other in range(number):
        highest = max(highest, fight.fighters[other].id)
    fighter = fight.fighters[number]
    for word in range(FIGHTER_WORDS):
        fighter.all[word] = 0
    fight.fighter_count = number + 1
    fighter.number = number
    fighter.id = highest + 1
    fighter.team = summoner.team
    fighter.level = summon.level
    fighter.base_ap = summon.ap
    fighter.base_mp = summon.mp
    fighter.summoner = summoner.number
    fighter.spells = summon.spells
    fighter.kind = summon.kind
    fighter.species = summon.species
    for stat in range(STAT_COUNT):
        fighter.stats[stat] = summon.stats[stat]
    put(fight, fighter, CELL, cell)
    put(fight, fighter, HP, summon.hp)
    put(fight, fighter, MAX_HP, summon.hp)
    put(fight, fighter, AP, summon.ap)
    put(fight, fighter, MP, summon.mp)
    for slot in range(book.all[summon.spells]):
        spell = spell_at(book, book.all[summon.spells + 1 + slot])
        put_cooldown(fight, fighter, slot, spell.initial_cooldown)
    _line_up(fight, summoner, number)
    return number


@compiled
def _line_up(fight: Fight, summoner: Fighter, number: int) -> None:
    """Puts a new fighter into the order of turns."""
    place = 0
    while place < fight.turn_count and fight.order[place] != summoner.number:
        place += 1
    place = min(place + 1, fight.turn_count)
    while place < fight.turn_count and fight.fighters[fight.order[place]].summoner == summoner.number:
        place += 1
    for later in range(fight.turn_count, place, -1):
        fight.order[later] = fight.order[later - 1]
    fight.order[place] = number
    fight.turn_count += 1
    if place <= fight.current:
        put_at(fight, CURRENT, fight.current + 1)
