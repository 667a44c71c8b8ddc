"""The heuristic evaluation: the static one, the enemies' threat, and the actor's outlook for its next turn.

Its head is filled for one decision by `botapp.search.core.static.prepare`; it scores the states that follow.
"""

from botapp.fight.core.casting import casts_done, spell_of
from botapp.fight.core.cells import distance, has_cell, lowest_bit, ring_row, row_of, u_of
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MOST_FIGHTERS, NOBODY, SET, Fight, Fighter
from botapp.fight.core.kinds import INVULNERABLE, PACIFIED
from botapp.fight.core.sight import on_the_way, seen_from
from botapp.fight.core.spellbook import IN_LINE, NEEDS_SIGHT, ON_DIAGONAL, Book, Spell
from botapp.fight.core.state import winner
from botapp.search.core.blows import (
    add_option,
    farthest,
    hurts,
    known_damage,
    known_strike,
    nearest,
    times_a_turn,
    volley,
)
from botapp.search.core.evaluation import Evaluation, is_in, resting, tag_fighters, target_tag
from botapp.search.core.outlooks import outlook_of
from botapp.search.core.static import score
from botapp.search.core.values import loss

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
def terms(fight: Fight, book: Book, evaluation: Evaluation) -> tuple[float, float, float]:
    """Returns what `estimate` is made of, each in HP.

    Returns:
        How much better off the own side is; what the enemies' next turns are expected to take from it;
        the damage the decider may hope to do next turn.
    """
    worth = score(fight, book, evaluation, False)
    if winner(fight) != NOBODY:
        return worth, 0.0, 0.0
    tag_fighters(fight, book, evaluation)
    decider = fight.fighters[int(evaluation.decider)]
    hope = outlook_of(fight, book, evaluation, decider) if decider.hp > 0 else 0.0
    _note_strikes(fight, book, evaluation, EVERYBODY_COUNTS)
    return worth, _expected_loss(fight, evaluation, EVERYBODY_COUNTS), hope


@compiled
def heuristic_values(fight: Fight, book: Book, evaluation: Evaluation) -> None:
    """Writes to `evaluation.values` the `estimate` of a state with its actor on each cell in reach instead.

    Args:
        fight: a state still fought in, its actor's `reach` found; it is left as it was, but for its room.
        book: the book.
        evaluation: the evaluation.
    """
    number = fight.order[fight.current]
    fighter = fight.fighters[number]
    home = fighter.cell
    tag_fighters(fight, book, evaluation)
    _note_strikes(fight, book, evaluation, EVERYBODY_COUNTS)
    worth = score(fight, book, evaluation, False)
    for place in range(fight.reach.count):
        fighter.cell = fight.reach.cells[place]
        evaluation.target_tags[number] = target_tag(evaluation, fighter)
        _note_strikes_at(fight, book, evaluation, EVERYBODY_COUNTS, fighter)
        if fight.mark_count:
            worth = score(fight, book, evaluation, False)
        danger = _expected_loss(fight, evaluation, EVERYBODY_COUNTS)
        hope = outlook_of(fight, book, evaluation, fighter)
        evaluation.values[place] = estimate(worth, danger, hope)
    fighter.cell = home


@compiled
def outlook(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter) -> float:
    """Returns the damage a fighter may hope to do next turn from where it stands."""
    tag_fighters(fight, book, evaluation)
    return outlook_of(fight, book, evaluation, fighter)


@compiled
def threat(fight: Fight, book: Book, evaluation: Evaluation, among: int) -> float:
    """Returns what the next turns of some enemies are expected to take from the own side, in HP.

    Each strikes the one it hurts most.

    Args:
        fight: the state.
        book: the book.
        evaluation: the evaluation.
        among: the numbers of the enemies that count, as bits.
    """
    tag_fighters(fight, book, evaluation)
    _note_strikes(fight, book, evaluation, among)
    return _expected_loss(fight, evaluation, among)


@compiled
def strike(fight: Fight, book: Book, evaluation: Evaluation, foe: Fighter, target: Fighter) -> float:
    """Returns the damage of an enemy's best turn at one target, walking there included."""
    tag_fighters(fight, book, evaluation)
    return known_strike(fight, book, evaluation, foe, target)


@compiled
def _strikes(evaluation: Evaluation, among: int, foe: Fighter) -> bool:
    """Tells whether a fighter is an enemy that counts and may strike."""
    if foe.hp <= 0 or foe.team == evaluation.side or not (among >> foe.number) & 1:
        return False
    return not is_in(foe, PACIFIED)


@compiled
def _note_strikes(fight: Fight, book: Book, evaluation: Evaluation, among: int) -> None:
    """Writes down what each enemy that counts may do to each of the own side."""
    for index in range(fight.fighter_count):
        fighter = fight.fighters[index]
        if fighter.hp > 0 and fighter.team == evaluation.side:
            _note_strikes_at(fight, book, evaluation, among, fighter)


@compiled
def _note_strikes_at(fight: Fight, book: Book, evaluation: Evaluation, among: int, fighter: Fighter) -> None:
    for index in range(fight.fighter_count):
        foe = fight.fighters[index]
        if _strikes(evaluation, among, foe):
            evaluation.strikes[foe.number * MOST_FIGHTERS + fighter.number] = known_strike(
                fight, book, evaluation, foe, fighter
            )


@compiled
def _expected_loss(fight: Fight, evaluation: Evaluation, among: int) -> float:
    """Returns what the strikes written down are expected to take, each at the one it hurts most."""
    for number in range(fight.fighter_count):
        evaluation.suffered[number] = 0.0
    for place in range(fight.fighter_count):
        if _strikes(evaluation, among, fight.fighters[place]):
            worst, victim = 0.0, -1
            for number in range(fight.fighter_count):
                fighter = fight.fighters[number]
                dealt = evaluation.strikes[place * MOST_FIGHTERS + number]
                if fighter.hp > 0 and fighter.team == evaluation.side and dealt > worst:
                    worst, victim = dealt, number
            if victim >= 0:
                evaluation.suffered[victim] += worst
    total = 0.0
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if evaluation.suffered[number] > fighter.shield:
            total += loss(fighter, evaluation.suffered[number] - fighter.shield)
    return total


@compiled
def potential(fight: Fight, book: Book, evaluation: Evaluation) -> float:
    """Returns what the decider's remaining AP could still do from where it stands, in HP."""
    number = fight.order[fight.current]
    fighter = fight.fighters[number]
    if fighter.ap == 0 or number != evaluation.decider:
        return 0.0
    tag_fighters(fight, book, evaluation)
    best = 0.0
    for index in range(fight.fighter_count):
        foe = fight.fighters[index]
        if foe.hp > 0 and foe.team != evaluation.side and not is_in(foe, INVULNERABLE):
            dealt = volley(evaluation, _ready_blows(fight, book, evaluation, fighter, foe), fighter.ap)
            if dealt > foe.shield:
                best = max(best, loss(foe, dealt - foe.shield))
    return POTENTIAL * best


@compiled
def _ready_blows(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter, foe: Fighter) -> int:
    """Writes down as options what the actor can still strike an enemy with; returns how many they are."""
    closed = resting(book, fighter, 0)
    seen = _sees(book, evaluation, foe.cell, fighter.cell)
    spells, count = fighter.spells, 0
    for slot in range(book.all[spells]):
        spell = spell_of(book, fighter, slot)
        if hurts(spell) and spell.ap <= fighter.ap and not (closed >> slot) & 1:
            left = times_a_turn(spell) - casts_done(fight, fighter, slot)
            open_to = left > 0 and (seen or not spell.flags & NEEDS_SIGHT)
            if open_to and _reaches(book, evaluation, fighter, spell, foe.cell):
                count = add_option(
                    evaluation,
                    count,
                    known_damage(fight, book, evaluation, fighter, spell, foe),
                    spell,
                    left,
                )
    return count


@compiled
def _reaches(book: Book, evaluation: Evaluation, fighter: Fighter, spell: Spell, cell: int) -> bool:
    """Tells whether a blow goes as far as a cell from where the fighter stands, sight left out."""
    low, high, flags = (
        nearest(book, evaluation, spell),
        farthest(book, evaluation, fighter, spell),
        spell.flags,
    )
    if not low <= distance(fighter.cell, cell) <= high:
        return False
    straight, diagonal = flags & IN_LINE != 0, flags & ON_DIAGONAL != 0
    row = row_of(fighter.cell)
    bits = ring_row(row, row_of(cell), u_of(cell), low, high, straight, diagonal)
    return bool((bits >> (fighter.cell % 14)) & 1)


@compiled
def _sees(book: Book, evaluation: Evaluation, cell: int, other: int) -> bool:
    """Tells whether two cells see each other past those who stood in the way at the decision."""
    if not has_cell(seen_from(book, cell), other):
        return False
    row, u = row_of(cell), u_of(cell)
    to_row, to_u = row_of(other) - row, u_of(other) - u
    for word in range(SET):
        bits = int(evaluation.between[word])
        while bits:
            between = word * 28 + lowest_bit(bits)
            bits &= bits - 1
            if on_the_way(to_u, to_row, u_of(between) - u, row_of(between) - row):
                return False
    return True
