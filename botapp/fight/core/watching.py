"""What may have been done, held against what is seen: every action tried, and how far its outcome is off.

What is seen lies in an array `p` of whole numbers, laid out below; the bars and the answers are in `e`.
"""

from botapp.fight.core.actions import cast, end, legal_sets, walk_to
from botapp.fight.core.casting import FINE, TOO_MANY_SUMMONS, hindrance, spell_count
from botapp.fight.core.cells import bits_in, cells_into, distance
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import CELL, GLYPH, MOST_SPELLS, MP, NOBODY, SET, TRAP, Fight, Fighter
from botapp.fight.core.kinds import INVISIBLE
from botapp.fight.core.movement import reach
from botapp.fight.core.records import Decimals, Words
from botapp.fight.core.spellbook import Book
from botapp.fight.core.state import actor, copy_state, put, winner

UNKNOWN = -1
"""Stands for what is not seen."""
(SEEN_TURN, SEEN_MINE, SEEN_PLAYER, SEEN_PLAYING, SEEN_SHIELD, SEEN_TRAPS, SEEN_GLYPHS,
 ODD_COOLDOWNS) = range(8)  # fmt: skip
"""The turn, whether it is the player's, the player's id, who is at turn; its shield; whether the cells of
traps and of glyphs are known; whether cooldowns differ that no slot holds."""
USABLE = 8
"""Whether each of the player's spells looks usable, by slot."""
COOLING = USABLE + MOST_SPELLS
"""Whether each is shown to cool down."""
TRAP_CELLS = COOLING + MOST_SPELLS
"""Sets of the cells with a trap of the player's side, with a glyph, and of those that a fighter may hide."""
GLYPH_CELLS = TRAP_CELLS + SET
HIDDEN_CELLS = GLYPH_CELLS + SET
SHOWN = HIDDEN_CELLS + SET
"""How many fighters are seen, then those, `SHOWN_WORDS` each."""
SHOWN_LIST = SHOWN + 1
SHOWN_ID, SHOWN_CELL, SHOWN_KIND, SHOWN_HP, SHOWN_AP, SHOWN_MP, SHOWN_KNOWN, SHOWN_WORDS = range(8)
"""Kinds are numbered as they are seen; `SHOWN_KNOWN` says whether it is known which fighter it is.
Behind the fighters is the number of each of the book's kinds. In `e` are the HP bar and the shield of each
fighter as shares of its maximum, then the answers, `TRIED` each."""
TRIED = 5
TRIED_SLOT, TRIED_CELL, TRIED_WALKS, TRIED_PENALTY, TRIED_MISMATCH = range(5)
"""The slot of the spell cast or `NO_CAST`, the cell aimed at, whether the actor walks (then), the penalty for
that, how far its outcome is off."""
NO_CAST = -1
NOTHING, A_WALK, CASTS, CASTS_AND_A_WALK = 1, 2, 4, 8
IMPOSSIBLE, UNLIKELY, REFUSED_WALK = 100.0, 25.0, 15.0
_NOTABLE = 0.004
"""A bar that is read this much longer or shorter has changed."""
_FEW_HP = 40.0
_GREYED = 8.0
_SPARE_MP = 3


@compiled
def try_actions(fight: Fight, spare: Fight, book: Book, p: Words, e: Decimals, kinds: int, on: bool) -> int:
    """Writes what each action that may have been done would leave behind; returns how many there are.

    Args:
        fight: the state before.
        spare: room for those that come of it.
        book: the book.
        p: what is seen.
        e: the bars, and the answers.
        kinds: what is tried; a walk is one to where the actor is seen.
        on: whether turns end until it is the one seen; what never comes to it is left out.
    """
    count = 0
    if kinds & NOTHING:
        count = _try(fight, spare, book, p, e, count, NO_CAST, 0, False, on)
    if kinds == NOTHING or winner(fight) != NOBODY:
        return count
    if kinds & A_WALK:
        count = _try(fight, spare, book, p, e, count, NO_CAST, 0, True, on)
    if kinds & (CASTS | CASTS_AND_A_WALK):
        legal_sets(fight, book)
        for slot in range(spell_count(book, actor(fight))):
            for place in range(cells_into(fight.aims[slot], fight.queue[:], 0)):
                walks = kinds & CASTS_AND_A_WALK != 0
                count = _try(fight, spare, book, p, e, count, slot, fight.queue[place], walks, on)
    return count


@compiled
def _try(
    fight: Fight,
    spare: Fight,
    book: Book,
    p: Words,
    e: Decimals,
    count: int,
    slot: int,
    cell: int,
    walks: bool,
    on: bool,
) -> int:
    """Writes the outcome of an action after `count` others, if it is possible; returns the new count."""
    copy_state(spare, fight)
    spare.fault = 0
    penalty = 0.0
    if slot != NO_CAST:
        cast(spare, book, slot, cell)
    if walks:
        if winner(spare) != NOBODY or spare.order[spare.current] != fight.order[fight.current]:
            return count
        penalty = _walk_where_seen(spare, book, p)
    if penalty < 0 or spare.fault or (on and not _brought_on(spare, book, p)):
        return count
    at = 2 * p[SHOWN] + TRIED * count
    e[at + TRIED_SLOT] = slot
    e[at + TRIED_CELL] = cell
    e[at + TRIED_WALKS] = walks
    e[at + TRIED_PENALTY] = penalty
    e[at + TRIED_MISMATCH] = _mismatch(spare, book, p, e)
    return count + 1


@compiled
def _walk_where_seen(fight: Fight, book: Book, p: Words) -> float:
    """Lets the actor walk to where it is seen; returns the penalty for that, below 0 where it has not walked.

    A walk that the rules refuse is unlikely, but a fighter that is seen elsewhere has come there somehow.
    """
    fighter = actor(fight)
    shown = _shown(p, fighter)
    if shown < 0 or p[shown + SHOWN_CELL] == fighter.cell:
        return -1.0
    cell = p[shown + SHOWN_CELL]
    reach(fight, book, fighter)
    if fight.reach.mp[cell] >= 0:
        walk_to(fight, book, cell)
        return 0.0
    far = distance(fighter.cell, cell)
    if far > fighter.base_mp + _SPARE_MP:
        return -1.0
    put(fight, fighter, CELL, cell)
    put(fight, fighter, MP, max(0, fighter.mp - far))
    return REFUSED_WALK


@compiled
def _brought_on(fight: Fight, book: Book, p: Words) -> bool:
    """Ends turns until it is the one that is seen; returns whether it ever is."""
    for _ in range(fight.turn_count):
        playing = actor(fight).id
        mine = playing == p[SEEN_PLAYER]
        right = p[SEEN_PLAYING] == UNKNOWN or p[SEEN_PLAYING] == playing
        if right and mine == (p[SEEN_MINE] != 0) and fight.turn == p[SEEN_TURN]:
            return True
        if winner(fight) != NOBODY or fight.turn > p[SEEN_TURN]:
            return False
        end(fight, book)
        if fight.fault:
            return False
    return False


@compiled
def _shown(p: Words, fighter: Fighter) -> int:
    """Returns the place in `p` of a fighter that is seen, -1 where it is not."""
    for number in range(p[SHOWN]):
        at = SHOWN_LIST + number * SHOWN_WORDS
        if p[at + SHOWN_ID] == fighter.id:
            return at
    return -1


@compiled
def _newcomer(p: Words, fighter: Fighter) -> int:
    """Returns the place in `p` of a new fighter that looks like one not seen by its id, -1 for none."""
    kinds = SHOWN_LIST + p[SHOWN] * SHOWN_WORDS
    for number in range(p[SHOWN]):
        at = SHOWN_LIST + number * SHOWN_WORDS
        alike = p[at + SHOWN_CELL] == fighter.cell and p[at + SHOWN_KIND] == p[kinds + fighter.kind]
        if alike and p[at + SHOWN_KNOWN] == 0:
            return at
    return -1


@compiled
def _mismatch(fight: Fight, book: Book, p: Words, e: Decimals) -> float:
    """Returns how far a state is from what is seen; below 1 it is what is seen."""
    for number in range(p[SHOWN]):
        p[SHOWN_LIST + number * SHOWN_WORDS + SHOWN_KNOWN] = 0
    strangers = p[SHOWN]
    team = UNKNOWN
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        shown = _shown(p, fighter)
        if shown >= 0:
            p[shown + SHOWN_KNOWN] = 1
            strangers -= 1
        if fighter.id == p[SEEN_PLAYER]:
            team = fighter.team
    total = 0.0
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        shown = _shown(p, fighter)
        if shown < 0 and fighter.hp > 0:
            shown = _newcomer(p, fighter)
            if shown >= 0:
                p[shown + SHOWN_KNOWN] = 1
                strangers -= 1
        total += _fighter_apart(fight, book, p, e, fighter, shown)
    total += IMPOSSIBLE * strangers
    if p[SEEN_TRAPS]:
        total += UNLIKELY * _misplaced(fight, p, TRAP, team, TRAP_CELLS)
    if p[SEEN_GLYPHS]:
        total += UNLIKELY * _misplaced(fight, p, GLYPH, UNKNOWN, GLYPH_CELLS)
    return total


@compiled
def _misplaced(fight: Fight, p: Words, kind: int, team: int, shown: int) -> float:
    """Returns the share of marked cells that show no mark, or of those that show one and have none."""
    wrong, either = 0, 0
    for word in range(SET):
        laid = 0
        for number in range(fight.mark_count):
            mark = fight.marks[number]
            if mark.kind == kind and (team == UNKNOWN or fight.fighters[mark.by].team == team):
                laid |= mark.cells.bits[word]
        seen = p[shown + word]
        wrong += bits_in(laid & ~seen & ~p[HIDDEN_CELLS + word]) + bits_in(seen & ~laid)
        either += bits_in(laid | seen)
    return wrong / max(1, either)


@compiled
def _fighter_apart(fight: Fight, book: Book, p: Words, e: Decimals, fighter: Fighter, shown: int) -> float:
    """Returns how far one fighter is from how it is shown, `shown` being below 0 where it is not there."""
    if shown < 0:
        hidden = fighter.hp <= 0 or (fighter.states >> INVISIBLE) & 1 != 0
        return 0.0 if hidden else min(UNLIKELY, 1.0 * fighter.hp)
    bars = 2 * ((shown - SHOWN_LIST) // SHOWN_WORDS)
    bar, shield = e[bars], e[bars + 1]
    if fighter.hp <= 0:
        return UNLIKELY if bar < 0 or bar > 0.3 else 10.0
    total = 0.0 if fighter.cell == p[shown + SHOWN_CELL] else IMPOSSIBLE
    if fighter.id == p[SEEN_PLAYER]:
        return _player_apart(fight, book, p, fighter, shown, total)
    if 0 <= shield < 1:
        total += _hp_apart(abs(fighter.shield - shield * fighter.max_hp))
    if bar < 0:
        return total
    gap = abs(fighter.hp / fighter.max_hp - bar)
    return total if gap < _NOTABLE else total + _hp_apart(gap * fighter.max_hp)


@compiled
def _player_apart(fight: Fight, book: Book, p: Words, fighter: Fighter, shown: int, total: float) -> float:
    """Adds to `total` how far the player's own figures, cooldowns and spell bar are from those shown."""
    if fighter.ap != p[shown + SHOWN_AP]:
        total += IMPOSSIBLE / 2
    if fighter.mp != p[shown + SHOWN_MP]:
        total += IMPOSSIBLE / 2
    if p[SEEN_MINE]:
        cooling = p[ODD_COOLDOWNS] != 0
        for slot in range(spell_count(book, fighter)):
            cooling |= (fighter.cooldowns[slot] != 0) != (p[COOLING + slot] != 0)
            usable = p[USABLE + slot]
            if usable != UNKNOWN:
                why = hindrance(fight, book, fighter, slot)
                if (why == FINE or why == TOO_MANY_SUMMONS) != (usable != 0):
                    total += _GREYED
        if cooling:
            total += UNLIKELY
    if p[SEEN_SHIELD] != UNKNOWN:
        total += _hp_apart(1.0 * abs(fighter.shield - p[SEEN_SHIELD]))
    return total + _hp_apart(1.0 * abs(fighter.hp - p[shown + SHOWN_HP]))


@compiled
def _hp_apart(gap: float) -> float:
    """Returns how unlikely it is that dice made a difference of so many HP."""
    return 0.0 if gap < 1 else 1.0 + min(UNLIKELY, UNLIKELY * gap / _FEW_HP)
