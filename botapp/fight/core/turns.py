"""The turns of a fight: how one ends and how the next one begins.

A turn ends with what waits for that, then with AP and MP filled up and casts forgotten. The next one begins
with the end of its fighter's shield; then what it has given to others and laid on the ground gets a turn
older; then the glyphs act in which it stands.
"""

from botapp.fight.core.buffs import full_ap, full_mp, grow_older
from botapp.fight.core.casting import spell_count
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import AP, CURRENT, MP, NOBODY, SHIELD, TURN, Fight, Fighter
from botapp.fight.core.kinds import ON_TURN_BEGIN, ON_TURN_END
from botapp.fight.core.marks import age_marks
from botapp.fight.core.resolving import begin_in_glyphs, ripen, trigger, work_off
from botapp.fight.core.spellbook import Book
from botapp.fight.core.state import actor, cast_mix, put, put_at, put_cooldown, toggle, winner
from botapp.fight.core.triggers import miss_states


@compiled
def forget_casts(fight: Fight, fighter: Fighter) -> None:
    """Takes a fighter's casts of this turn off the list."""
    count = 0
    for index in range(fight.cast_count):
        toggle(fight, cast_mix(fight, index))
    for index in range(fight.cast_count):
        cast = fight.casts[index]
        if cast.by != fighter.number:
            place = fight.casts[count]
            place.by, place.spell, place.at = cast.by, cast.spell, cast.at
            count += 1
    fight.cast_count = count
    for index in range(count):
        toggle(fight, cast_mix(fight, index))


@compiled
def end_turn(fight: Fight, book: Book) -> None:
    """Ends the current turn and begins the next one."""
    fighter = actor(fight)
    if fight.buff_count:
        trigger(fight, book, fighter, ON_TURN_END)
    for slot in range(spell_count(book, fighter)):
        if fighter.cooldowns[slot] > 0:
            put_cooldown(fight, fighter, slot, fighter.cooldowns[slot] - 1)
    put(fight, fighter, AP, full_ap(fight, fighter))
    put(fight, fighter, MP, full_mp(fight, fighter))
    if fight.cast_count:
        forget_casts(fight, fighter)
    pass_on(fight, book)


@compiled
def pass_on(fight: Fight, book: Book) -> None:
    """Begins the turn of the next fighter alive, until one survives its beginning or the fight is over.

    Where none of those in the order of turns lives, the first of them stays at turn.
    """
    for _ in range(2 * fight.turn_count):
        if fight.current + 1 == fight.turn_count:
            put_at(fight, CURRENT, 0)
            put_at(fight, TURN, fight.turn + 1)
        else:
            put_at(fight, CURRENT, fight.current + 1)
        fighter = actor(fight)
        if fighter.hp > 0:
            begin(fight, book, fighter)
            if fighter.hp > 0 or winner(fight) != NOBODY:
                return


@compiled
def begin(fight: Fight, book: Book, fighter: Fighter) -> None:
    """Begins a fighter's turn."""
    if fighter.shield:
        put(fight, fighter, SHIELD, 0)
    if fight.buff_count:
        for number in range(fight.fighter_count):
            other = fight.fighters[number]
            if other.hp > 0:
                states, more = other.states, other.more_states
                grow_older(fight, other, fighter.number)
                miss_states(fight, book, other, states, more)
                work_off(fight, book)
                ripen(fight, book, other)
        trigger(fight, book, fighter, ON_TURN_BEGIN)
    if fight.mark_count:
        age_marks(fight, fighter.number)
        begin_in_glyphs(fight, book, fighter)


@compiled
def hand_on(fight: Fight, book: Book) -> None:
    """Begins the next turn where the one whose turn it is has died."""
    if actor(fight).hp <= 0 and winner(fight) == NOBODY:
        pass_on(fight, book)
