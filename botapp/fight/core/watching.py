"""What may have been done, held against what is seen: every action tried, and how far its outcome is off.

What is seen lies in an array `p` of whole numbers, laid out below; the bars and the answers are in `e`.
Next hop: `botapp.tracking.witness` writes the one and reads the other.
"""

from typing import Any

from botapp.fight.core.actions import cast, end, walk_to
from botapp.fight.core.casting import FINE, TOO_MANY_SUMMONS, hindrance, spell_count
from botapp.fight.core.cells import bits_in, cells_into, distance
from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import put
from botapp.fight.core.layout import (
    AP,
    BASE_MP,
    CELL,
    COOLDOWNS,
    CURRENT,
    FAULT,
    FIGHTERS,
    GLYPH,
    HP,
    ID,
    INVISIBLE,
    KIND,
    MARK,
    MARK_BY,
    MARK_CELLS,
    MARK_KIND,
    MARK_LIST,
    MARKS,
    MAX_HP,
    MOST_SPELLS,
    MP,
    NOBODY,
    ORDER,
    ORDERED,
    QUEUE,
    REACH_MP,
    SET,
    SHIELD,
    STATES,
    TEAM,
    TRAP,
    TURN,
)
from botapp.fight.core.legal import AIM_SETS, legal_sets
from botapp.fight.core.states import actor, copy_state, fighter_at, winner
from botapp.fight.core.walking import reach

# --- What is seen -----------------------------------------------------------------------------------------
UNKNOWN = -1
"""Stands for whatever is not seen."""
SEEN_TURN, SEEN_MINE, SEEN_PLAYER, SEEN_PLAYING, SEEN_SHIELD, SEEN_TRAPS, SEEN_GLYPHS, ODD_COOLDOWNS = range(
    8
)
"""The turn, whether it is the player's, the player's id, who is at turn; its shield; whether the cells of
traps and of glyphs are known; whether cooldowns differ that no slot holds."""
USABLE = 8
"""Whether each of the player's spells looks usable, by slot."""
COOLING = USABLE + MOST_SPELLS
"""Whether each is shown to cool down."""
TRAP_CELLS = COOLING + MOST_SPELLS
"""Sets of the cells with a trap of the player's side, with a glyph, and of those that somebody may hide."""
GLYPH_CELLS = TRAP_CELLS + SET
HIDDEN_CELLS = GLYPH_CELLS + SET
SHOWN = HIDDEN_CELLS + SET
"""How many fighters are seen, then those, `SHOWN_WORDS` each."""
SHOWN_LIST = SHOWN + 1
SHOWN_ID, SHOWN_CELL, SHOWN_KIND, SHOWN_HP, SHOWN_AP, SHOWN_MP, SHOWN_KNOWN, SHOWN_WORDS = range(8)
"""Kinds are numbered as they are seen; `SHOWN_KNOWN` is room for whether it is known whom it stands for.
Behind the fighters is the number of each of the book's kinds. In `e` are the HP bar and the shield of each
fighter as shares of its maximum, then the answers, `TRIED` each."""
TRIED = 5
TRIED_SLOT, TRIED_CELL, TRIED_WALKS, TRIED_ODD, TRIED_APART = range(5)
"""The slot of the spell cast or `NO_CAST`, the cell aimed at, whether the actor walks (then), how odd that
is, how far what comes of it is off."""
NO_CAST = -1

# --- What is tried ----------------------------------------------------------------------------------------
NOTHING, A_WALK, CASTS, CASTS_AND_A_WALK = 1, 2, 4, 8

# --- How far off something is -----------------------------------------------------------------------------
IMPOSSIBLE, UNLIKELY, ODD_WALK = 100.0, 25.0, 15.0
_NOTABLE = 0.004
"""A bar that is read this much longer or shorter has changed."""
_FEW_HP = 40.0
_GREYED = 8.0
_SPARE_MP = 3


@compiled
def try_actions(s: Any, t: Any, b: Any, p: Any, e: Any, kinds: int, on: bool) -> int:
    """Writes what each action that may have been done would leave behind; returns how many there are.

    Args:
        s: the state before.
        t: room for those that come of it.
        b: the book.
        p: what is seen.
        e: the bars, and the answers.
        kinds: what is tried; a walk is one to where the actor is seen.
        on: whether turns end until it is the one seen; what never comes to it is left out.
    """
    count = 0
    if kinds & NOTHING:
        count = _try(s, t, b, p, e, count, NO_CAST, 0, False, on)
    if kinds == NOTHING or winner(s) != NOBODY:
        return count
    if kinds & A_WALK:
        count = _try(s, t, b, p, e, count, NO_CAST, 0, True, on)
    if kinds & (CASTS | CASTS_AND_A_WALK):
        legal_sets(s, b)
        for slot in range(spell_count(s, b, actor(s))):
            for place in range(cells_into(s, AIM_SETS + slot * SET, s, QUEUE)):
                walks = kinds & CASTS_AND_A_WALK != 0
                count = _try(s, t, b, p, e, count, slot, s[QUEUE + place], walks, on)
    return count


@compiled
def _try(
    s: Any, t: Any, b: Any, p: Any, e: Any, count: int, slot: int, cell: int, walks: bool, on: bool
) -> int:
    """Writes what comes of an action behind `count` others, if it may be; returns how many there are then."""
    copy_state(t, s)
    t[FAULT] = 0
    odd = 0.0
    if slot != NO_CAST:
        cast(t, b, slot, cell)
    if walks:
        if winner(t) != NOBODY or t[ORDER + t[CURRENT]] != s[ORDER + s[CURRENT]]:
            return count
        odd = _walk_where_seen(t, b, p)
    if odd < 0 or t[FAULT] or (on and not _brought_on(t, b, p)):
        return count
    at = 2 * p[SHOWN] + TRIED * count
    e[at + TRIED_SLOT] = slot
    e[at + TRIED_CELL] = cell
    e[at + TRIED_WALKS] = walks
    e[at + TRIED_ODD] = odd
    e[at + TRIED_APART] = _apart(t, b, p, e)
    return count + 1


@compiled
def _walk_where_seen(t: Any, b: Any, p: Any) -> float:
    """Lets the actor walk to where it is seen; returns how odd that is, less than 0 where it has not walked.

    A walk that the rules refuse is odd, but a fighter that is seen elsewhere has come there somehow.
    """
    f = actor(t)
    shown = _shown(t, p, f)
    if shown < 0 or p[shown + SHOWN_CELL] == t[f + CELL]:
        return -1.0
    cell = p[shown + SHOWN_CELL]
    reach(t, b, f)
    if t[REACH_MP + cell] >= 0:
        walk_to(t, b, cell)
        return 0.0
    far = distance(t[f + CELL], cell)
    if far > t[f + BASE_MP] + _SPARE_MP:
        return -1.0
    put(t, f + CELL, cell)
    put(t, f + MP, max(0, t[f + MP] - far))
    return ODD_WALK


@compiled
def _brought_on(t: Any, b: Any, p: Any) -> bool:
    """Ends turns until it is the one that is seen; returns whether it ever is."""
    for _ in range(t[ORDERED]):
        playing = t[actor(t) + ID]
        mine = playing == p[SEEN_PLAYER]
        right = p[SEEN_PLAYING] == UNKNOWN or p[SEEN_PLAYING] == playing
        if right and mine == (p[SEEN_MINE] != 0) and t[TURN] == p[SEEN_TURN]:
            return True
        if winner(t) != NOBODY or t[TURN] > p[SEEN_TURN]:
            return False
        end(t, b)
        if t[FAULT]:
            return False
    return False


@compiled
def _shown(t: Any, p: Any, f: int) -> int:
    """Returns the place in `p` of a fighter that is seen, -1 where it is not."""
    for number in range(p[SHOWN]):
        at = SHOWN_LIST + number * SHOWN_WORDS
        if p[at + SHOWN_ID] == t[f + ID]:
            return at
    return -1


@compiled
def _newcomer(t: Any, p: Any, f: int) -> int:
    """Returns the place in `p` of somebody new who looks like a fighter not seen by its id, -1 for nobody."""
    kinds = SHOWN_LIST + p[SHOWN] * SHOWN_WORDS
    for number in range(p[SHOWN]):
        at = SHOWN_LIST + number * SHOWN_WORDS
        alike = p[at + SHOWN_CELL] == t[f + CELL] and p[at + SHOWN_KIND] == p[kinds + t[f + KIND]]
        if alike and p[at + SHOWN_KNOWN] == 0:
            return at
    return -1


@compiled
def _apart(t: Any, b: Any, p: Any, e: Any) -> float:
    """Returns how far a state is from what is seen; below 1 it is what is seen."""
    for number in range(p[SHOWN]):
        p[SHOWN_LIST + number * SHOWN_WORDS + SHOWN_KNOWN] = 0
    strangers = p[SHOWN]
    team = UNKNOWN
    for number in range(t[FIGHTERS]):
        f = fighter_at(number)
        shown = _shown(t, p, f)
        if shown >= 0:
            p[shown + SHOWN_KNOWN] = 1
            strangers -= 1
        if t[f + ID] == p[SEEN_PLAYER]:
            team = t[f + TEAM]
    total = 0.0
    for number in range(t[FIGHTERS]):
        f = fighter_at(number)
        shown = _shown(t, p, f)
        if shown < 0 and t[f + HP] > 0:
            shown = _newcomer(t, p, f)
            if shown >= 0:
                p[shown + SHOWN_KNOWN] = 1
                strangers -= 1
        total += _fighter_apart(t, b, p, e, f, shown)
    total += IMPOSSIBLE * strangers
    if p[SEEN_TRAPS]:
        total += UNLIKELY * _misplaced(t, p, TRAP, team, TRAP_CELLS)
    if p[SEEN_GLYPHS]:
        total += UNLIKELY * _misplaced(t, p, GLYPH, UNKNOWN, GLYPH_CELLS)
    return total


@compiled
def _misplaced(t: Any, p: Any, kind: int, team: int, shown: int) -> float:
    """Returns the share of marked cells that show no mark, or of those that show one and have none."""
    wrong, either = 0, 0
    for word in range(SET):
        laid = 0
        for number in range(t[MARKS]):
            mark = MARK_LIST + number * MARK
            if t[mark + MARK_KIND] == kind and (
                team == UNKNOWN or t[fighter_at(t[mark + MARK_BY]) + TEAM] == team
            ):
                laid |= t[mark + MARK_CELLS + word]
        seen = p[shown + word]
        wrong += bits_in(laid & ~seen & ~p[HIDDEN_CELLS + word]) + bits_in(seen & ~laid)
        either += bits_in(laid | seen)
    return wrong / max(1, either)


@compiled
def _fighter_apart(t: Any, b: Any, p: Any, e: Any, f: int, shown: int) -> float:
    """Returns how far one fighter is from how it is shown, `shown` being below 0 where it is not there."""
    if shown < 0:
        hidden = t[f + HP] <= 0 or (t[f + STATES] >> INVISIBLE) & 1 != 0
        return 0.0 if hidden else min(UNLIKELY, 1.0 * t[f + HP])
    bars = 2 * ((shown - SHOWN_LIST) // SHOWN_WORDS)
    bar, shield = e[bars], e[bars + 1]
    if t[f + HP] <= 0:
        return UNLIKELY if bar < 0 or bar > 0.3 else 10.0
    total = 0.0 if t[f + CELL] == p[shown + SHOWN_CELL] else IMPOSSIBLE
    if t[f + ID] == p[SEEN_PLAYER]:
        return _player_apart(t, b, p, f, shown, total)
    if 0 <= shield < 1:
        total += _hp_apart(abs(t[f + SHIELD] - shield * t[f + MAX_HP]))
    if bar < 0:
        return total
    gap = abs(t[f + HP] / t[f + MAX_HP] - bar)
    return total if gap < _NOTABLE else total + _hp_apart(gap * t[f + MAX_HP])


@compiled
def _player_apart(t: Any, b: Any, p: Any, f: int, shown: int, total: float) -> float:
    """Adds to `total` how far the player's own figures, cooldowns and spell bar are from those shown."""
    if t[f + AP] != p[shown + SHOWN_AP]:
        total += IMPOSSIBLE / 2
    if t[f + MP] != p[shown + SHOWN_MP]:
        total += IMPOSSIBLE / 2
    if p[SEEN_MINE]:
        cooling = p[ODD_COOLDOWNS] != 0
        for slot in range(spell_count(t, b, f)):
            cooling |= (t[f + COOLDOWNS + slot] != 0) != (p[COOLING + slot] != 0)
            usable = p[USABLE + slot]
            if usable != UNKNOWN:
                why = hindrance(t, b, f, slot)
                if (why == FINE or why == TOO_MANY_SUMMONS) != (usable != 0):
                    total += _GREYED
        if cooling:
            total += UNLIKELY
    if p[SEEN_SHIELD] != UNKNOWN:
        total += _hp_apart(1.0 * abs(t[f + SHIELD] - p[SEEN_SHIELD]))
    return total + _hp_apart(1.0 * abs(t[f + HP] - p[shown + SHOWN_HP]))


@compiled
def _hp_apart(gap: float) -> float:
    """Returns how unlikely it is that dice made a difference of so many HP."""
    return 0.0 if gap < 1 else 1.0 + min(UNLIKELY, UNLIKELY * gap / _FEW_HP)
