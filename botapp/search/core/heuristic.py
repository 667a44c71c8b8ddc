"""The heuristic evaluation: the static one, the enemies' threat, and the actor's outlook for its next turn.

Its head is filled for one decision by `botapp.search.core.static.prepare`; it scores the states that follow.
Next hop: `botapp.search.core.tree` picks by it the ends of turn that rollouts begin at.
"""

from typing import Any

from botapp.fight.core.casting import casts_done
from botapp.fight.core.cells import distance, has_cell, lowest_bit, ring_row, row_of, u_of
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import (
    AP,
    CELL,
    CURRENT,
    FIGHTER,
    FIGHTERS,
    FIRST,
    HP,
    IN_LINE,
    INVULNERABLE,
    MARKS,
    MOST_FIGHTERS,
    NEEDS_SIGHT,
    NOBODY,
    NUMBER,
    ON_DIAGONAL,
    ORDER,
    PACIFIED,
    SET,
    SHIELD,
    SPELL_AP,
    SPELL_FLAGS,
    SPELLS,
    TEAM,
)
from botapp.fight.core.sight import on_the_way, seen_from
from botapp.fight.core.states import winner
from botapp.search.core.evaluation_layout import (
    BETWEEN,
    DECIDER,
    SIDE,
    STRIKES,
    SUFFERED,
    TARGET_TAGS,
    VALUES,
)
from botapp.search.core.lives import loss
from botapp.search.core.outlooks import outlook_of
from botapp.search.core.powers import add_option, known_damage, times_a_turn, volley
from botapp.search.core.static import score
from botapp.search.core.strikes import farthest, hurts, known_strike, nearest
from botapp.search.core.tags import is_in, resting, tag_fighters, target_tag

THREAT = 0.5
"""Which share of the blows that may come is counted."""

OUTLOOK = 0.5
"""Which share of next turn's damage is counted."""

POTENTIAL = 0.85
"""Which share of the damage that the AP left could do is counted."""

EVERYBODY_COUNTS = -1
"""All fighters, where a set of fighter numbers as bits is asked for."""


@compiled
def estimate(score: float, threat: float, outlook: float) -> float:
    """Returns how good an end of turn is, in HP, from `terms`."""
    return score - THREAT * threat + OUTLOOK * outlook


@compiled
def terms(s: Any, b: Any, e: Any) -> tuple[float, float, float]:
    """Returns what `estimate` is made of, each in HP.

    Returns:
        How much better off the own side is; what the enemies' next turns are expected to take from it;
        the damage the decider may hope to do next turn.
    """
    worth = score(s, b, e, False)
    if winner(s) != NOBODY:
        return worth, 0.0, 0.0
    tag_fighters(s, b, e)
    decider = FIRST + int(e[DECIDER]) * FIGHTER
    hope = outlook_of(s, b, e, decider) if s[decider + HP] > 0 else 0.0
    _note_strikes(s, b, e, EVERYBODY_COUNTS)
    return worth, _expected_loss(s, e, EVERYBODY_COUNTS), hope


@compiled
def heuristic_values(s: Any, b: Any, e: Any, cells: Any, first: int, count: int) -> None:
    """Writes to `VALUES` the `estimate` of a state still fought in with its actor on other cells instead.

    Args:
        s: the state; it is left as it was, but for its scratch.
        b: the book.
        e: the evaluation.
        cells: an array with the cells.
        first: where in it they begin.
        count: how many they are.
    """
    number = s[ORDER + s[CURRENT]]
    f = FIRST + number * FIGHTER
    home = s[f + CELL]
    tag_fighters(s, b, e)
    _note_strikes(s, b, e, EVERYBODY_COUNTS)
    worth = score(s, b, e, False)
    for place in range(count):
        s[f + CELL] = cells[first + place]
        e[TARGET_TAGS + number] = target_tag(s, e, f)
        _note_strikes_at(s, b, e, EVERYBODY_COUNTS, f)
        if s[MARKS]:
            worth = score(s, b, e, False)
        danger = _expected_loss(s, e, EVERYBODY_COUNTS)
        e[VALUES + place] = estimate(worth, danger, outlook_of(s, b, e, f))
    s[f + CELL] = home


@compiled
def outlook(s: Any, b: Any, e: Any, f: int) -> float:
    """Returns the damage somebody may hope to do next turn from where it stands."""
    tag_fighters(s, b, e)
    return outlook_of(s, b, e, f)


@compiled
def threat(s: Any, b: Any, e: Any, among: int) -> float:
    """Returns what the next turns of some enemies are expected to take from the own side, in HP.

    Each strikes the one it hurts most.

    Args:
        s: the state.
        b: the book.
        e: the evaluation.
        among: the numbers of the enemies that count, as bits.
    """
    tag_fighters(s, b, e)
    _note_strikes(s, b, e, among)
    return _expected_loss(s, e, among)


@compiled
def strike(s: Any, b: Any, e: Any, foe: int, target: int) -> float:
    """Returns the damage of an enemy's best turn at one target, walking there included."""
    tag_fighters(s, b, e)
    return known_strike(s, b, e, foe, target)


@compiled
def _strikes(s: Any, e: Any, among: int, foe: int) -> bool:
    """Tells whether somebody is an enemy who counts and may strike."""
    if s[foe + HP] <= 0 or s[foe + TEAM] == e[SIDE] or not (among >> s[foe + NUMBER]) & 1:
        return False
    return not is_in(s, foe, PACIFIED)


@compiled
def _note_strikes(s: Any, b: Any, e: Any, among: int) -> None:
    """Writes down what each enemy that counts may do to each of the own side."""
    for f in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if s[f + HP] > 0 and s[f + TEAM] == e[SIDE]:
            _note_strikes_at(s, b, e, among, f)


@compiled
def _note_strikes_at(s: Any, b: Any, e: Any, among: int, f: int) -> None:
    for foe in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if _strikes(s, e, among, foe):
            e[STRIKES + s[foe + NUMBER] * MOST_FIGHTERS + s[f + NUMBER]] = known_strike(s, b, e, foe, f)


@compiled
def _expected_loss(s: Any, e: Any, among: int) -> float:
    """Returns what the strikes written down are expected to take, each at the one it hurts most."""
    for number in range(s[FIGHTERS]):
        e[SUFFERED + number] = 0.0
    for foe in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if _strikes(s, e, among, foe):
            worst, victim = 0.0, -1
            strikes = STRIKES + s[foe + NUMBER] * MOST_FIGHTERS
            for number in range(s[FIGHTERS]):
                f = FIRST + number * FIGHTER
                if s[f + HP] > 0 and s[f + TEAM] == e[SIDE] and e[strikes + number] > worst:
                    worst, victim = e[strikes + number], number
            if victim >= 0:
                e[SUFFERED + victim] += worst
    total = 0.0
    for number in range(s[FIGHTERS]):
        f = FIRST + number * FIGHTER
        if e[SUFFERED + number] > s[f + SHIELD]:
            total += loss(s, f, e[SUFFERED + number] - s[f + SHIELD])
    return total


@compiled
def potential(s: Any, b: Any, e: Any) -> float:
    """Returns what the decider's remaining AP could still do from where it stands, in HP."""
    number = s[ORDER + s[CURRENT]]
    f = FIRST + number * FIGHTER
    if s[f + AP] == 0 or number != e[DECIDER]:
        return 0.0
    tag_fighters(s, b, e)
    best = 0.0
    for foe in range(FIRST, FIRST + s[FIGHTERS] * FIGHTER, FIGHTER):
        if s[foe + HP] > 0 and s[foe + TEAM] != e[SIDE] and not is_in(s, foe, INVULNERABLE):
            dealt = volley(e, _ready_blows(s, b, e, f, foe), s[f + AP])
            if dealt > s[foe + SHIELD]:
                best = max(best, loss(s, foe, dealt - s[foe + SHIELD]))
    return POTENTIAL * best


@compiled
def _ready_blows(s: Any, b: Any, e: Any, f: int, foe: int) -> int:
    """Writes down as options what the actor can still strike an enemy with; returns how many they are."""
    closed = resting(s, b, f, 0)
    seen = _sees(b, e, s[foe + CELL], s[f + CELL])
    spells, count = s[f + SPELLS], 0
    for slot in range(b[spells]):
        spell = b[spells + 1 + slot]
        if hurts(b, spell) and b[spell + SPELL_AP] <= s[f + AP] and not (closed >> slot) & 1:
            left = times_a_turn(b, spell) - casts_done(s, f, slot)
            open_to = left > 0 and (seen or not b[spell + SPELL_FLAGS] & NEEDS_SIGHT)
            if open_to and _reaches(s, b, e, f, spell, s[foe + CELL]):
                count = add_option(b, e, count, known_damage(s, b, e, f, spell, foe), spell, left)
    return count


@compiled
def _reaches(s: Any, b: Any, e: Any, f: int, spell: int, cell: int) -> bool:
    """Tells whether a blow goes as far as a cell from where the fighter stands, sight left out."""
    low, high, flags = nearest(b, e, spell), farthest(s, b, e, f, spell), b[spell + SPELL_FLAGS]
    if not low <= distance(s[f + CELL], cell) <= high:
        return False
    straight, diagonal = flags & IN_LINE != 0, flags & ON_DIAGONAL != 0
    row = row_of(s[f + CELL])
    bits = ring_row(row, row_of(cell), u_of(cell), low, high, straight, diagonal)
    return bool((bits >> s[f + CELL] % 14) & 1)


@compiled
def _sees(b: Any, e: Any, cell: int, other: int) -> bool:
    """Tells whether two cells see each other past those who stood in the way at the decision."""
    if not has_cell(b, seen_from(b, cell), other):
        return False
    row, u = row_of(cell), u_of(cell)
    to_row, to_u = row_of(other) - row, u_of(other) - u
    for word in range(SET):
        bits = int(e[BETWEEN + word])
        while bits:
            between = word * 28 + lowest_bit(bits)
            bits &= bits - 1
            if on_the_way(to_u, to_row, u_of(between) - u, row_of(between) - row):
                return False
    return True
