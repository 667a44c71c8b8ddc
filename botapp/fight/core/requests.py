"""The one entry through which Python asks the compiled rules: one entry is compiled once, and loaded once."""

from botapp.fight.core.actions import cast, end, legal_sets, play_randomly, start_action, walk
from botapp.fight.core.casting import aims_into, hindrance, max_range, refusal, spell_count, spell_of
from botapp.fight.core.cells import cells_into, clear_set, copy_set, join, keep_common, ring_into
from botapp.fight.core.compiler import compiled, entry
from botapp.fight.core.expected import expect
from botapp.fight.core.fight import ROLLS, SET, STATE, Fight, Fighter, cells_at, fight_in
from botapp.fight.core.movement import reach
from botapp.fight.core.records import Decimals, Words
from botapp.fight.core.sight import seen_from, view_into
from botapp.fight.core.spellbook import IN_LINE, NEEDS_SIGHT, ON_DIAGONAL, Book, Spell, book_in, effect_at
from botapp.fight.core.state import actor, copy_state, rehash, winner
from botapp.fight.core.turns import begin
from botapp.fight.core.watching import try_actions
from botapp.fight.core.zones import zone_into

(START, REHASH, WINNER, CAST, WALK, END, BEGIN, REACH, LEGAL, HINDRANCE, REFUSAL, RANGE, AIMS, COVERED,
 EXPECT, SEEN, LIST, PLAY, TRY) = range(19)  # fmt: skip

NOT_THERE = -(1 << 40)
"""Answers a request about a fighter, a spell or a cell that is not there."""


@entry
def ask(what: int, s: Words, t: Words, b: Words, e: Decimals, p: Words, x: int, y: int, z: int) -> int:
    """Does what the rules are asked for; `x` is a fighter's number where it says nothing else.

    Args:
        what: which one:
            `START` makes `s` the state `t`; `REHASH` works out its hash; `WINNER` returns who has won it;
            `CAST` lets the actor cast the spell in slot `x` at the cell `y`; `WALK` lets it walk the way in
            `fight.way` and returns a condition; `END` ends its turn, `BEGIN` begins it;
            `REACH` finds where a fighter can walk; `LEGAL` where the actor can, and the `legal_sets`;
            `HINDRANCE` returns what keeps a fighter from casting the spell in slot `y`, `REFUSAL` from
            casting it at the cell `z`;
            `RANGE` writes the walkable cells in that spell's range to `fight.aim`, those of them that are
            seen to `fight.seen`, and returns its longest range; `AIMS` the cells that it may be cast at to
            `fight.aim`; `COVERED` those that it covers when it is cast at the cell `z`; `EXPECT` to `e` what
            it is expected to do there;
            `SEEN` writes the cells seen from the cell `x` to `fight.aim`;
            `LIST` the cells of the set at the word `x` of the fight to `fight.queue`, and returns how many
            they are;
            `PLAY` plays the state `t` on at random in `s`, at most `x` actions with dice rolled from the
            seed `y`, and returns how many.
            `TRY` tries the actions `x` against what is seen, `y` being whether to end turns until it is the
            one seen, and returns how many answers it has written, see `botapp.fight.core.watching`.
        s: the state to work on.
        t: another one, for `START`, `PLAY` and `TRY`.
        b: the book.
        e: numbers with decimals, for `EXPECT` and `TRY`.
        p: what is seen, for `TRY`.
        x, y, z: see above.

    Returns:
        What is said above, else 0; `NOT_THERE`, nothing done, for a fighter, spell or cell that is not there.
    """
    fight, other, book = fight_in(s, 0), fight_in(t, 0), book_in(b, 0)
    if not _is_there(what, fight, book, x, y, z):
        return NOT_THERE
    if what == START:
        copy_state(fight, other)
    elif what == REHASH:
        rehash(fight)
    elif what == WINNER:
        return winner(fight)
    elif what == CAST:
        cast(fight, book, x, y)
    elif what == WALK:
        return walk(fight, book)
    elif what == END:
        end(fight, book)
    elif what == BEGIN:
        start_action(fight)
        begin(fight, book, actor(fight))
    elif what == LEGAL:
        reach(fight, book, actor(fight))
        legal_sets(fight, book)
    elif what == SEEN:
        copy_set(fight.aim, seen_from(book, x))
    elif what == LIST:
        return cells_into(cells_at(fight, x), fight.queue[:], 0)
    elif what == PLAY:
        copy_state(fight, other)
        fight.dice = ROLLS
        fight.seed = y
        return play_randomly(fight, book, x)
    elif what == TRY:
        return try_actions(fight, other, book, p, e, x, y != 0)
    else:
        return _about(what, fight, book, e, fight.fighters[x], y, z)
    return 0


@compiled
def _is_there(what: int, fight: Fight, book: Book, x: int, y: int, z: int) -> bool:
    """Tells whether a request is about something that there is."""
    if what == CAST:
        return 0 <= x < spell_count(book, actor(fight)) and 0 <= y < 560
    if what == SEEN:
        return 0 <= x < 560
    if what == LIST:
        return 0 <= x <= STATE - SET
    if REACH <= what <= EXPECT and what != LEGAL:
        if x < 0 or x >= fight.fighter_count:
            return False
        if what != REACH and (y < 0 or y >= spell_count(book, fight.fighters[x])):
            return False
        if what == COVERED or what == EXPECT:
            return 0 <= z < 560
    return True


@compiled
def _about(what: int, fight: Fight, book: Book, e: Decimals, fighter: Fighter, slot: int, cell: int) -> int:
    """Does what is asked about a fighter and one of its spells."""
    if what == REACH:
        reach(fight, book, fighter)
    elif what == HINDRANCE:
        return hindrance(fight, book, fighter, slot)
    elif what == REFUSAL:
        return refusal(fight, book, fighter, slot, cell)
    elif what == RANGE:
        return _range(fight, book, fighter, spell_of(book, fighter, slot))
    elif what == AIMS:
        aims_into(fight, book, fighter, slot, fight.aim)
    elif what == COVERED:
        _cover(fight, book, fighter, spell_of(book, fighter, slot), cell)
    elif what == EXPECT:
        expect(fight, book, fighter, spell_of(book, fighter, slot), cell, e)
    return 0


@compiled
def _range(fight: Fight, book: Book, fighter: Fighter, spell: Spell) -> int:
    high = max_range(fighter, spell)
    straight, diagonal = spell.flags & IN_LINE != 0, spell.flags & ON_DIAGONAL != 0
    ring_into(fight.aim, fighter.cell, spell.min_range, high, straight, diagonal)
    keep_common(fight.aim, book.walkable)
    if spell.flags & NEEDS_SIGHT:
        view_into(fight, book, fighter, high, fight.seen)
        keep_common(fight.seen, fight.aim)
    else:
        copy_set(fight.seen, fight.aim)
    return high


@compiled
def _cover(fight: Fight, book: Book, fighter: Fighter, spell: Spell, target: int) -> None:
    clear_set(fight.aim)
    for index in range(spell.effect_count):
        zone_into(book, effect_at(book, book.all[spell.effects + index]), fighter.cell, target, fight.seen)
        join(fight.aim, fight.seen)
    keep_common(fight.aim, book.walkable)
