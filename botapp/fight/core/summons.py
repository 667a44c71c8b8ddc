"""Summons: how many a fighter may have, and how one takes its place on the board and in the order of turns.

Next hop: `botapp.fight.core.effects` calls them.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    AP,
    BASE_AP,
    BASE_MP,
    CELL,
    COOLDOWNS,
    CURRENT,
    FAULT,
    FIGHTER,
    FIGHTERS,
    FULL_FIGHTERS,
    HP,
    ID,
    INITIAL_COOLDOWN,
    KIND,
    LEVEL,
    MAX_HP,
    MOST_FIGHTERS,
    MP,
    NUMBER,
    ORDER,
    ORDERED,
    SPECIES,
    SPELL_SUMMONS,
    SPELLS,
    STAT_COUNT,
    STATS,
    SUMMON_AP,
    SUMMON_HP,
    SUMMON_KIND,
    SUMMON_LEVEL,
    SUMMON_MP,
    SUMMON_SPECIES,
    SUMMON_SPELLS,
    SUMMON_STATS,
    SUMMONER,
    SUMMONS,
    TEAM,
)
from botapp.fight.core.states import fighter_at


@compiled
def living_summons(s: Any, f: int) -> int:
    """Returns how many living summons a fighter has."""
    living = 0
    for number in range(s[FIGHTERS]):
        other = fighter_at(number)
        if s[other + SUMMONER] == s[f + NUMBER] and s[other + HP] > 0:
            living += 1
    return living


@compiled
def full_up(s: Any, b: Any, f: int, spell: int) -> bool:
    """Tells whether a spell would call more summons than the fighter may have at once."""
    wanted = b[spell + SPELL_SUMMONS]
    return wanted > 0 and living_summons(s, f) + wanted > s[f + SUMMONS]


@compiled
def call(s: Any, b: Any, summoner: int, summon: int, cell: int) -> int:
    """Puts a new fighter on a free cell; its turn comes after its summoner's and its elder siblings'.

    Returns its number, -1 where no more fighters fit into the state.
    """
    number = s[FIGHTERS]
    if number >= MOST_FIGHTERS or s[ORDERED] >= MOST_FIGHTERS:
        s[FAULT] = FULL_FIGHTERS
        return -1
    highest = 0
    for other in range(number):
        highest = max(highest, s[fighter_at(other) + ID])
    f = fighter_at(number)
    for word in range(f, f + FIGHTER):
        s[word] = 0
    s[FIGHTERS] = number + 1
    s[f + NUMBER] = number
    s[f + ID] = highest + 1
    s[f + TEAM] = s[summoner + TEAM]
    s[f + LEVEL] = b[summon + SUMMON_LEVEL]
    s[f + BASE_AP] = b[summon + SUMMON_AP]
    s[f + BASE_MP] = b[summon + SUMMON_MP]
    s[f + SUMMONER] = s[summoner + NUMBER]
    s[f + SPELLS] = b[summon + SUMMON_SPELLS]
    s[f + KIND] = b[summon + SUMMON_KIND]
    s[f + SPECIES] = b[summon + SUMMON_SPECIES]
    for stat in range(STAT_COUNT):
        s[f + STATS + stat] = b[summon + SUMMON_STATS + stat]
    put(s, f + CELL, cell)
    put(s, f + HP, b[summon + SUMMON_HP])
    put(s, f + MAX_HP, b[summon + SUMMON_HP])
    put(s, f + AP, b[summon + SUMMON_AP])
    put(s, f + MP, b[summon + SUMMON_MP])
    spells = b[summon + SUMMON_SPELLS]
    for slot in range(b[spells]):
        put(s, f + COOLDOWNS + slot, b[b[spells + 1 + slot] + INITIAL_COOLDOWN])
    _line_up(s, summoner, number)
    return number


@compiled
def _line_up(s: Any, summoner: int, number: int) -> None:
    """Puts a new fighter into the order of turns."""
    place = 0
    while s[ORDER + place] != s[summoner + NUMBER]:
        place += 1
    place += 1
    while place < s[ORDERED] and s[fighter_at(s[ORDER + place]) + SUMMONER] == s[summoner + NUMBER]:
        place += 1
    for later in range(s[ORDERED], place, -1):
        s[ORDER + later] = s[ORDER + later - 1]
    s[ORDER + place] = number
    s[ORDERED] += 1
    if place <= s[CURRENT]:
        put(s, CURRENT, s[CURRENT] + 1)
