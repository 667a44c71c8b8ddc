"""The state as a whole: finding fighters, copying it, its dice, its hash, and who has won.

The hash is kept up to date with every write, so that equal states have equal hashes: each word that counts is
written by `put`, and adds the mix of its place and its value by exclusive or (A. Zobrist, 1970); a word of 0
adds nothing. Casts of a turn add a number each that does not depend on their order.
"""

from botapp.fight.core.compiler import compiled, interpreted_as
from botapp.fight.core.fight import (
    AP,
    BUFF_WORDS,
    BUFFS_AT,
    CELL,
    COOLDOWNS,
    CURRENT,
    DRAWN_FIGHT,
    FIGHTER_WORDS,
    FIGHTERS_AT,
    FULL_TAPE,
    HP,
    MARK_WORDS,
    MARKS_AT,
    MAX_HP,
    MOST_SPELLS,
    MOST_TAPE,
    MP,
    NOBODY,
    SHIELD,
    TAPE,
    TURN,
    Buff,
    Fight,
    Fighter,
    Mark,
)
from botapp.fight.core.records import copied, place_in

_TAPE_UNIT = 2.0**-31
_MODULUS = 2147483647


@compiled
def actor(fight: Fight) -> Fighter:
    """Returns the fighter whose turn it is."""
    return fight.fighters[fight.order[fight.current]]


@compiled
def occupant(fight: Fight, cell: int) -> int:
    """Returns the number of the living fighter on a cell, -1 for none."""
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.cell == cell and fighter.hp > 0:
            return number
    return -1


@interpreted_as(copied)
def copy_words(copy: Fight, fight: Fight, first: int, until: int) -> None:
    """Copies the words `first`..`until` - 1 of a fight to the same places of another one."""
    for word in range(first, until):
        copy.all[word] = fight.all[word]


@compiled
def copy_state(copy: Fight, fight: Fight) -> None:
    """Makes `copy` the same state as `fight`, its room left as it is."""
    copy_words(copy, fight, 0, FIGHTERS_AT + fight.fighter_count * FIGHTER_WORDS)
    copy_words(copy, fight, BUFFS_AT, BUFFS_AT + fight.buff_count * BUFF_WORDS)
    copy_words(copy, fight, MARKS_AT, MARKS_AT + fight.mark_count * MARK_WORDS)


@compiled
def winner(fight: Fight) -> int:
    """Returns the only team with a fighter alive, summons left out; `NOBODY` while both fight on."""
    standing = DRAWN_FIGHT
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0 and fighter.summoner < 0:
            if standing == DRAWN_FIGHT:
                standing = fighter.team
            elif standing != fighter.team:
                return NOBODY
    return standing


@compiled
def draw(fight: Fight) -> float:
    """Returns what the dice say next, 0..1.

    Rolled ones come from the minimal standard generator (S. Park and K. Miller, 1988).
    """
    drawn = fight.drawn
    fight.drawn = drawn + 1
    if fight.dice == TAPE:
        if drawn >= MOST_TAPE:
            fight.fault = FULL_TAPE
            return 0.5
        return fight.tape[drawn] * _TAPE_UNIT
    seed = fight.seed * 48271 % _MODULUS
    fight.seed = seed
    return seed / _MODULUS


@compiled
def rolled(fight: Fight, low: int, high: int) -> int:
    """Returns what dice from `low` to `high` show."""
    return low if low == high else low + int(draw(fight) * (high - low + 1))


_HASHED = CELL, HP, MAX_HP, AP, MP, SHIELD
_31_BITS = (1 << 31) - 1
_32_BITS = (1 << 32) - 1
_CASTS_FROM = 1 << 20


@compiled
def put_at(fight: Fight, place: int, value: int) -> None:
    """Writes the word at a place of the state; it counts for the hash."""
    before = fight.all[place]
    if before != value:
        toggle(fight, mix(place, before) ^ mix(place, value))
        fight.all[place] = value


@compiled
def put_cooldown(fight: Fight, fighter: Fighter, slot: int, turns: int) -> None:
    """Writes the turns until a fighter can cast a spell again."""
    put(fight, fighter, COOLDOWNS + slot, turns)


@compiled
def put_buff(fight: Fight, buff: Buff, field: int, value: int) -> None:
    """Writes a word of a buff."""
    put_at(fight, place_in(fight, buff) + field, value)


@compiled
def put_mark(fight: Fight, mark: Mark, field: int, value: int) -> None:
    """Writes a word of a mark."""
    put_at(fight, place_in(fight, mark) + field, value)


@compiled
def toggle_word(fight: Fight, place: int) -> None:
    """Adds the word at a place to the state's hash, or takes it out again."""
    toggle(fight, mix(place, fight.all[place]))


@compiled
def mix(place: int, value: int) -> int:
    """Returns 62 bits that a word adds to the hash: multiplied and folded twice, within 64 bits."""
    if value == 0:
        return 0
    mixed = place * 0x7FEB352D + (value & _32_BITS) * 0x2C1B3C6D
    mixed ^= mixed >> 31
    mixed = (mixed & _32_BITS) * 0x297A2D39
    mixed ^= mixed >> 32
    return mixed


@compiled
def toggle(fight: Fight, mixed: int) -> None:
    """Adds a mixed number to the state's hash, or takes it out again."""
    fight.hash_a ^= mixed & _31_BITS
    fight.hash_b ^= (mixed >> 31) & _31_BITS


@compiled
def put(fight: Fight, fighter: Fighter, field: int, value: int) -> None:
    """Writes a word of a fighter that counts for the hash: `HP`, `AP` and so on."""
    put_at(fight, FIGHTERS_AT + fighter.number * FIGHTER_WORDS + field, value)


@compiled
def cast_mix(fight: Fight, index: int) -> int:
    """Returns what a cast of this turn adds: the same in whatever order the casts were made."""
    cast = fight.casts[index]
    nth = 1
    for before in range(index):
        other = fight.casts[before]
        if other.by == cast.by and other.spell == cast.spell and other.at == cast.at:
            nth += 1
    code = (cast.by * 64 + cast.spell) * 128 + cast.at + 1
    return mix(_CASTS_FROM + code, nth)


@compiled
def rehash(fight: Fight) -> None:
    """Works the hash out anew."""
    fight.hash_a = 0
    fight.hash_b = 0
    toggle_word(fight, TURN)
    toggle_word(fight, CURRENT)
    for number in range(fight.fighter_count):
        at = FIGHTERS_AT + number * FIGHTER_WORDS
        for field in _HASHED:
            toggle_word(fight, at + field)
        for slot in range(MOST_SPELLS):
            toggle_word(fight, at + COOLDOWNS + slot)
    for place in range(BUFFS_AT, BUFFS_AT + fight.buff_count * BUFF_WORDS):
        toggle_word(fight, place)
    for place in range(MARKS_AT, MARKS_AT + fight.mark_count * MARK_WORDS):
        toggle_word(fight, place)
    for index in range(fight.cast_count):
        toggle(fight, cast_mix(fight, index))
