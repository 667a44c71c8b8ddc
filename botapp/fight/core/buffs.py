"""Buffs: stats changed and states given for some turns, and effects that wait on a fighter.

A buff's amount is in the fighter's sheet as long as it lasts; AP and MP are the exception, they count when a
turn begins. An effect waits for a trigger, such as damage or the turn's beginning, or for its time.
Everybody's buffs stand in one list, the oldest first.
"""

from botapp.fight.core import kinds
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import (
    AP,
    BUFF_DELAY,
    BUFF_TURNS,
    BUFF_WORDS,
    FULL_BUFFS,
    MOST_BUFFS,
    MOST_DUE,
    MP,
    STAT_ALL_RESISTANCES,
    STAT_AP,
    STAT_COUNT,
    STAT_MP,
    Fight,
    Fighter,
)
from botapp.fight.core.records import place_in
from botapp.fight.core.spellbook import Book, Effect, effect_at
from botapp.fight.core.state import put, put_buff, toggle_word

MOST_AP = 12
MOST_MP = 6
NO_STAT = -1
NO_STATE = -1
ENDED = -1
"""What `BUFF_TURNS` says of a buff that is to be swept out of the list."""


@compiled
def most_ap(fighter: Fighter) -> int:
    """Returns the most AP a fighter can have: 12, or what it begins its turns with where that is more."""
    return max(MOST_AP, fighter.base_ap)


@compiled
def most_mp(fighter: Fighter) -> int:
    """Returns the most MP a fighter can have: 6, or what it begins its turns with where that is more."""
    return max(MOST_MP, fighter.base_mp)


@compiled
def _sum(fight: Fight, fighter: Fighter, stat: int) -> int:
    total = 0
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.on == fighter.number and buff.stat == stat and buff.delay == 0:
            total += buff.amount
    return total


@compiled
def filled_up(base: int, added: int, most: int) -> int:
    """Returns the AP or MP that a turn begins with: those added may not make it more than is usual."""
    return max(0, min(max(most, base), base + added))


@compiled
def full_ap(fight: Fight, fighter: Fighter) -> int:
    """Returns the AP that a turn of the fighter begins with, its buffs counted in."""
    if fight.buff_count == 0:
        return fighter.base_ap
    return filled_up(fighter.base_ap, _sum(fight, fighter, STAT_AP), MOST_AP)


@compiled
def full_mp(fight: Fight, fighter: Fighter) -> int:
    """Returns the MP that a turn of the fighter begins with, its buffs counted in."""
    if fight.buff_count == 0:
        return fighter.base_mp
    return filled_up(fighter.base_mp, _sum(fight, fighter, STAT_MP), MOST_MP)


@compiled
def has_state(fighter: Fighter, state: int) -> bool:
    """Tells whether a fighter is in a state."""
    if state < 31:
        return (fighter.states >> state) & 1 != 0
    return (fighter.more_states >> (state - 31)) & 1 != 0


@compiled
def has_buffs(fight: Fight, fighter: Fighter) -> bool:
    """Tells whether a fighter bears any buff or state."""
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.on == fighter.number:
            return True
    return False


@compiled
def _note_states(fight: Fight, fighter: Fighter) -> None:
    """Works out anew which states a fighter is in."""
    first, second = 0, 0
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        state = buff.state
        if buff.on == fighter.number and state >= 0 and buff.delay == 0:
            if state < 31:
                first |= 1 << state
            else:
                second |= 1 << (state - 31)
    fighter.states = first
    fighter.more_states = second


@compiled
def raise_stat(fighter: Fighter, stat: int, amount: int) -> None:
    """Adds an amount to a stat of the sheet, or to all resistances; AP and MP are not of the sheet."""
    if stat == STAT_ALL_RESISTANCES:
        for element in range(5):
            fighter.resistance[element] += amount
    elif 0 <= stat < STAT_COUNT:
        fighter.stats[stat] += amount


@compiled
def append_buff(
    fight: Fight, on: int, by: int, turns: int, stat: int, amount: int, state: int, effect: int, delay: int
) -> bool:
    """Adds a buff to the list, its bearer's figures left as they are; tells whether there was room."""
    if fight.buff_count >= MOST_BUFFS:
        fight.fault = FULL_BUFFS
        return False
    buff = fight.buffs[fight.buff_count]
    fight.buff_count += 1
    buff.on, buff.by, buff.turns, buff.stat = on, by, turns, stat
    buff.amount, buff.state, buff.effect, buff.delay = amount, state, effect, delay
    first = place_in(fight, buff)
    for place in range(first, first + BUFF_WORDS):
        toggle_word(fight, place)
    return True


@compiled
def sweep(fight: Fight, fighter: Fighter, field: int, value: int) -> bool:
    """Takes all buffs off a fighter that have a value in one of their words: a giver, a state, or `ENDED`.

    Their amounts go from its sheet; its AP, MP and states are to be settled by the caller. Tells whether
    there were any.
    """
    count = 0
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.on == fighter.number and buff.all[field] == value:
            if buff.delay == 0:
                raise_stat(fighter, buff.stat, -buff.amount)
        else:
            if count < index:
                for word in range(BUFF_WORDS):
                    put_buff(fight, fight.buffs[count], word, buff.all[word])
            count += 1
    for index in range(count, fight.buff_count):
        for word in range(BUFF_WORDS):
            put_buff(fight, fight.buffs[index], word, 0)
    swept = count < fight.buff_count
    fight.buff_count = count
    return swept


@compiled
def lose(fight: Fight, fighter: Fighter, word: int, value: int) -> None:
    """Takes all buffs off a fighter that have a value in one of their words (see `sweep`)."""
    ap_before, mp_before = full_ap(fight, fighter), full_mp(fight, fighter)
    if sweep(fight, fighter, word, value):
        settle(fight, fighter, ap_before, mp_before)


@compiled
def settle(fight: Fight, fighter: Fighter, ap_before: int, mp_before: int) -> None:
    """Brings a fighter's AP, MP and states up to date once its buffs have changed.

    Args:
        fight: the state.
        fighter: the fighter.
        ap_before, mp_before: its full AP and MP before the change.
    """
    _note_states(fight, fighter)
    ap = fighter.ap + full_ap(fight, fighter) - ap_before
    mp = fighter.mp + full_mp(fight, fighter) - mp_before
    put(fight, fighter, AP, max(0, min(most_ap(fighter), ap)))
    put(fight, fighter, MP, max(0, min(most_mp(fighter), mp)))


@compiled
def make_room(fight: Fight, fighter: Fighter, by: int, effect: int, most: int) -> None:
    """Ends the oldest of what an effect has given a fighter, so that there may be one more of at most `most`.

    Args:
        fight: the state.
        fighter: the fighter.
        by: number of who gives it.
        effect: the effect's place in the book, with a minus or without.
        most: how many there may be, 0 for any number.
    """
    if most == 0 or effect == 0:
        return
    count = 0
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.on == fighter.number and buff.by == by:
            count += abs(buff.effect) == abs(effect)
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.on == fighter.number and buff.by == by and count >= most:
            if abs(buff.effect) == abs(effect):
                put_buff(fight, buff, BUFF_TURNS, ENDED)
                count -= 1
    sweep(fight, fighter, BUFF_TURNS, ENDED)


@compiled
def give_stat(
    fight: Fight,
    fighter: Fighter,
    by: int,
    turns: int,
    stat: int,
    amount: int,
    effect: int,
    delay: int,
    most: int,
) -> None:
    """Gives a fighter a change of a stat; fighter number `by` gives it, `most` is as for `make_room`."""
    ap_before, mp_before = full_ap(fight, fighter), full_mp(fight, fighter)
    make_room(fight, fighter, by, effect, most)
    if append_buff(fight, fighter.number, by, turns, stat, amount, NO_STATE, effect, delay):
        if delay == 0:
            raise_stat(fighter, stat, amount)
        settle(fight, fighter, ap_before, mp_before)


@compiled
def give_state(
    fight: Fight, fighter: Fighter, by: int, turns: int, state: int, effect: int, delay: int
) -> None:
    """Gives a fighter a state; given again by the same fighter it lasts the longer of both times."""
    ap_before, mp_before = full_ap(fight, fighter), full_mp(fight, fighter)
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.on == fighter.number and buff.by == by and buff.state == state and buff.delay == delay:
            known = buff.turns
            turns = 0 if turns == 0 or known == 0 else max(turns, known)
            put_buff(fight, buff, BUFF_TURNS, ENDED)
    sweep(fight, fighter, BUFF_TURNS, ENDED)
    if append_buff(fight, fighter.number, by, turns, NO_STAT, 0, state, effect, delay):
        settle(fight, fighter, ap_before, mp_before)


@compiled
def grow_older(fight: Fight, fighter: Fighter, by: int) -> None:
    """Makes the buffs that fighter number `by` has given a fighter a turn older; some end, some begin."""
    ap_before, mp_before = full_ap(fight, fighter), full_mp(fight, fighter)
    changed = False
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.on == fighter.number and buff.by == by:
            if buff.delay > 0:
                changed = True
                put_buff(fight, buff, BUFF_DELAY, buff.delay - 1)
                if buff.delay == 0:
                    raise_stat(fighter, buff.stat, buff.amount)
            elif buff.turns > 0:
                changed = True
                left = buff.turns - 1
                put_buff(fight, buff, BUFF_TURNS, left if left > 0 else ENDED)
    if changed:
        sweep(fight, fighter, BUFF_TURNS, ENDED)
        settle(fight, fighter, ap_before, mp_before)


@compiled
def wait_for(fight: Fight, book: Book, effect: Effect, caster: Fighter, target: Fighter, dose: int) -> None:
    """Lets an effect wait on a fighter; `dose` is what a change of a stat amounts to."""
    turns, delay, kind = effect.turns, effect.delay, effect.kind
    by = caster.number
    if effect.trigger:
        make_room(fight, target, by, place_in(book, effect), effect.stacks)
        append_buff(
            fight, target.number, by, effect.listens, NO_STAT, 0, NO_STATE, place_in(book, effect), delay
        )
    elif kind == kinds.BUFF:
        if dose:
            source, most = source_of(book, effect), effect.stacks
            give_stat(fight, target, by, turns, effect.stat, dose, source, delay, most)
    elif kind == kinds.STATE:
        give_state(fight, target, by, turns, effect.state, source_of(book, effect), delay)
    else:
        append_buff(fight, target.number, by, 1, NO_STAT, 0, NO_STATE, place_in(book, effect), delay)


@compiled
def source_of(book: Book, effect: Effect) -> int:
    """Returns what a stat or a state given keeps of its effect, see `Buff.effect`."""
    return -place_in(book, effect) if effect.tag or not effect.dispellable else 0


@compiled
def has_waiting(fight: Fight, fighter: Fighter) -> bool:
    """Tells whether an effect waits on a fighter."""
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.effect > 0 and buff.on == fighter.number:
            return True
    return False


@compiled
def due(fight: Fight, book: Book, fighter: Fighter, events: int, state: int) -> int:
    """Lists in `fight.due` the effects that wait on a fighter for one of some events; returns how many.

    The one that is being done is not among them.
    """
    count = 0
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        if buff.effect > 0 and buff.on == fighter.number and buff.delay == 0:
            effect = effect_at(book, buff.effect)
            about_it = state == NO_STATE or effect.trigger_state == state
            if effect.trigger & events and about_it and buff.effect != fight.running and count < MOST_DUE:
                fight.due[count].effect, fight.due[count].by = buff.effect, buff.by
                count += 1
    return count


@compiled
def ripe(fight: Fight, book: Book, fighter: Fighter) -> int:
    """Lists in `fight.due` the effects without a trigger whose delay on a fighter is over; returns how many.

    Their waiting ends.
    """
    count = 0
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        over = buff.effect > 0 and buff.on == fighter.number and buff.delay == 0
        if over and effect_at(book, buff.effect).trigger == 0 and count < MOST_DUE:
            fight.due[count].effect, fight.due[count].by = buff.effect, buff.by
            count += 1
            put_buff(fight, buff, BUFF_TURNS, ENDED)
    if count:
        sweep(fight, fighter, BUFF_TURNS, ENDED)
    return count


@compiled
def dispel(fight: Fight, book: Book, fighter: Fighter, turns: int) -> None:
    """Ends a fighter's buffs, or makes them end `turns` sooner, those left out that cannot be dispelled."""
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        effect, left = abs(buff.effect), buff.turns
        if buff.on == fighter.number and (effect == 0 or effect_at(book, effect).dispellable != 0):
            if turns == 0 or 0 < left <= turns:
                put_buff(fight, buff, BUFF_TURNS, ENDED)
            elif left > 0:
                put_buff(fight, buff, BUFF_TURNS, left - turns)
    lose(fight, fighter, BUFF_TURNS, ENDED)


@compiled
def end_tagged(fight: Fight, book: Book, fighter: Fighter, tag: int) -> None:
    """Ends what effects of a tag have given a fighter."""
    for index in range(fight.buff_count):
        buff = fight.buffs[index]
        effect = abs(buff.effect)
        if buff.on == fighter.number and effect and effect_at(book, effect).tag == tag:
            put_buff(fight, buff, BUFF_TURNS, ENDED)
    lose(fight, fighter, BUFF_TURNS, ENDED)
