"""The learned evaluation: how likely a side is to win from a state, by a small network on rows of fighters.

A fighter's row goes through a layer by itself; then each fighter hears from every other one, through what
there is to say of the two (message passing: J. Gilmer and others, 2017); then all of a side are summed (deep
sets: M. Zaheer and others, 2017), and the last layers read the two sums. They read them once from either side
and the difference is taken, so that what one side gains the other one loses.
"""

from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MOST_FIGHTERS, Fight
from botapp.fight.core.records import Decimals
from botapp.fight.core.spellbook import Book
from botapp.search.core.evaluation import INPUT, PAIR, WIDTHS, Evaluation, Heard, Inputs, Side
from botapp.search.core.inputs import write_inputs
from botapp.search.core.static import STEEPNESS

_ALONE, _TWO, _AMONG, _BOTH = WIDTHS
_SENDS = INPUT * _ALONE
_LISTENS = _SENDS + (_ALONE + 1) * _TWO
_OF_TWO = _LISTENS + _ALONE * _TWO
_AMONG_AT = _OF_TWO + PAIR * _TWO
_BOTH_AT = _AMONG_AT + (_ALONE + _TWO + 1) * _AMONG
_LAST = _BOTH_AT + (2 * _AMONG + 1) * _BOTH
"""Where the weights of each layer begin."""


@compiled
def log_odds(fight: Fight, book: Book, evaluation: Evaluation, team: int) -> float:
    """Returns the logarithm of the odds that a team wins from a state still fought in.

    Args:
        fight: the state, at the beginning of somebody's turn.
        book: the book.
        evaluation: the evaluation, prepared for a state of the same fight, with weights.
        team: 0 or 1.
    """
    rows = write_inputs(fight, book, evaluation)
    for row in range(rows):
        _alone(evaluation, evaluation.rows[row], evaluation.fighters[row])
    for side in range(2):
        for out in range(_AMONG):
            evaluation.sides[side].sums[out] = 0.0
    for row in range(rows):
        _hear(evaluation, row, rows)
        _among(evaluation, evaluation.fighters[row], evaluation.sides[int(evaluation.rows[row].team)])
    red, blue = evaluation.sides[0], evaluation.sides[1]
    odds = _read(evaluation, red, blue) - _read(evaluation, blue, red)
    return odds if team == 0 else -odds


@compiled
def worth(fight: Fight, book: Book, evaluation: Evaluation, team: int) -> float:
    """Returns `log_odds` in HP: as many as the heuristic evaluation needs for the same odds."""
    return log_odds(fight, book, evaluation, team) * evaluation.total / STEEPNESS


@compiled
def _add(sums: Decimals, count: int, value: float, weights: Decimals, first: int) -> None:
    """Adds to `count` sums a value's share by its weights, which begin at the first."""
    for out in range(count):
        sums[out] += value * weights[first + out]


@compiled
def _alone(evaluation: Evaluation, row: Inputs, fighter: Heard) -> None:
    """Works out what a fighter is by itself, what it sends, and what it adds to what it is sent."""
    weights = evaluation.weights
    for out in range(_ALONE):
        fighter.alone[out] = weights[out]
    for column in range(1, INPUT):
        if row.columns[column] != 0.0:
            _add(fighter.alone[:], _ALONE, row.columns[column], weights[:], column * _ALONE)
    for out in range(_TWO):
        fighter.sends[out] = weights[_SENDS + out]
        fighter.listens[out] = 0.0
    for unit in range(_ALONE):
        value = fighter.alone[unit]
        if value > 0.0:
            _add(fighter.sends[:], _TWO, value, weights[:], _SENDS + (unit + 1) * _TWO)
            _add(fighter.listens[:], _TWO, value, weights[:], _LISTENS + unit * _TWO)
        else:
            fighter.alone[unit] = 0.0


@compiled
def _hear(evaluation: Evaluation, row: int, rows: int) -> None:
    """Sums up the messages that a fighter receives from all the others."""
    fighter, layer = evaluation.fighters[row], evaluation.layer
    for out in range(_TWO):
        fighter.heard[out] = 0.0
    for other in range(rows):
        if other != row:
            sender = evaluation.fighters[other]
            for out in range(_TWO):
                layer[out] = fighter.listens[out] + sender.sends[out]
            pair = evaluation.pairs[row * MOST_FIGHTERS + other]
            for column in range(PAIR):
                if pair.columns[column] != 0.0:
                    first = _OF_TWO + column * _TWO
                    _add(layer[:], _TWO, pair.columns[column], evaluation.weights[:], first)
            for out in range(_TWO):
                fighter.heard[out] += max(layer[out], 0.0)


@compiled
def _among(evaluation: Evaluation, fighter: Heard, side: Side) -> None:
    """Adds what a fighter is among the others to the sums of its side."""
    layer, weights = evaluation.layer, evaluation.weights
    for out in range(_AMONG):
        layer[out] = weights[_AMONG_AT + out]
    for unit in range(_ALONE):
        if fighter.alone[unit] > 0.0:
            _add(layer[:], _AMONG, fighter.alone[unit], weights[:], _AMONG_AT + (unit + 1) * _AMONG)
    for unit in range(_TWO):
        if fighter.heard[unit] > 0.0:
            first = _AMONG_AT + (_ALONE + unit + 1) * _AMONG
            _add(layer[:], _AMONG, fighter.heard[unit], weights[:], first)
    for out in range(_AMONG):
        side.sums[out] += max(layer[out], 0.0)


@compiled
def _read(evaluation: Evaluation, own: Side, other: Side) -> float:
    """Returns what the last layers make of the sums of a side and of the other one."""
    layer, weights = evaluation.layer, evaluation.weights
    for out in range(_BOTH):
        layer[out] = weights[_BOTH_AT + out]
    for place in range(_AMONG):
        if own.sums[place] > 0.0:
            _add(layer[:], _BOTH, own.sums[place], weights[:], _BOTH_AT + (place + 1) * _BOTH)
        if other.sums[place] > 0.0:
            _add(layer[:], _BOTH, other.sums[place], weights[:], _BOTH_AT + (_AMONG + place + 1) * _BOTH)
    total = 0.0
    for out in range(_BOTH):
        total += max(layer[out], 0.0) * weights[_LAST + out]
    return total
