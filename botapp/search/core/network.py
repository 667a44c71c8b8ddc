"""The learned evaluation: how likely a side is to win from a state, by a small network on rows of fighters.

A fighter's row goes through a layer by itself; then each fighter hears from every other one, through what
there is to say of the two (message passing: J. Gilmer and others, 2017); then all of a side are summed (deep
sets: M. Zaheer and others, 2017), and the last layers read the two sums. They read them once from either side
and the difference is taken, so that what one side gains the other one loses.
Next hop: `botapp.search.core.rollouts` and `botapp.search.core.judging`.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import MOST_FIGHTERS
from botapp.search.core.evaluation_layout import (
    ALONE,
    ALONE_ROW,
    INPUT,
    INPUT_ROWS,
    LAYER,
    PAIR,
    PAIRS,
    SIDES,
    TOTAL,
    WEIGHTS,
    WIDTHS,
)
from botapp.search.core.inputs import write_inputs
from botapp.search.core.static import STEEPNESS

_ALONE, _TWO, _AMONG, _BOTH = WIDTHS
_TELLS = WEIGHTS + INPUT * _ALONE
_HEARS = _TELLS + (_ALONE + 1) * _TWO
_OF_TWO = _HEARS + _ALONE * _TWO
_AMONG_AT = _OF_TWO + PAIR * _TWO
_BOTH_AT = _AMONG_AT + (_ALONE + _TWO + 1) * _AMONG
_LAST = _BOTH_AT + (2 * _AMONG + 1) * _BOTH


@compiled
def log_odds(s: Any, b: Any, e: Any, team: int) -> float:
    """Returns the logarithm of the odds that a team wins from a state still fought in.

    Args:
        s: the state, at the beginning of somebody's turn.
        b: the book.
        e: the evaluation, prepared for a state of the same fight, with weights.
        team: 0 or 1.
    """
    rows = write_inputs(s, b, e)
    for row in range(rows):
        _alone(e, INPUT_ROWS + row * INPUT, ALONE + row * ALONE_ROW)
    for at in range(SIDES, SIDES + 2 * _AMONG):
        e[at] = 0.0
    for row in range(rows):
        _hear(e, row, rows)
        side = int(e[INPUT_ROWS + row * INPUT])
        _among(e, ALONE + row * ALONE_ROW, SIDES + side * _AMONG)
    odds: float = _read(e, SIDES, SIDES + _AMONG) - _read(e, SIDES + _AMONG, SIDES)
    return odds if team == 0 else -odds


@compiled
def worth(s: Any, b: Any, e: Any, team: int) -> float:
    """Returns `log_odds` in HP: as many as the heuristic evaluation needs for the same odds."""
    return log_odds(s, b, e, team) * e[TOTAL] / STEEPNESS


@compiled
def _add(e: Any, first: int, count: int, value: float, weights: int) -> None:
    """Adds to `count` sums from `first` on a value's share by its weights."""
    for out in range(count):
        e[first + out] += value * e[weights + out]


@compiled
def _alone(e: Any, row: int, alone: int) -> None:
    """Works out what a fighter is by itself, what it tells, and what it makes of what it is told."""
    for out in range(_ALONE):
        e[alone + out] = e[WEIGHTS + out]
    for column in range(1, INPUT):
        if e[row + column] != 0.0:
            _add(e, alone, _ALONE, e[row + column], WEIGHTS + column * _ALONE)
    tells = alone + _ALONE
    for out in range(_TWO):
        e[tells + out] = e[_TELLS + out]
        e[tells + _TWO + out] = 0.0
    for unit in range(_ALONE):
        value = e[alone + unit]
        if value > 0.0:
            _add(e, tells, _TWO, value, _TELLS + (unit + 1) * _TWO)
            _add(e, tells + _TWO, _TWO, value, _HEARS + unit * _TWO)
        else:
            e[alone + unit] = 0.0


@compiled
def _hear(e: Any, row: int, rows: int) -> None:
    """Sums up what a fighter is told by all the others."""
    hears = ALONE + row * ALONE_ROW + _ALONE + _TWO
    told = hears + _TWO
    for out in range(_TWO):
        e[told + out] = 0.0
    for other in range(rows):
        if other != row:
            tells = ALONE + other * ALONE_ROW + _ALONE
            for out in range(_TWO):
                e[LAYER + out] = e[hears + out] + e[tells + out]
            pair = PAIRS + (row * MOST_FIGHTERS + other) * PAIR
            for column in range(PAIR):
                if e[pair + column] != 0.0:
                    _add(e, LAYER, _TWO, e[pair + column], _OF_TWO + column * _TWO)
            for out in range(_TWO):
                e[told + out] += max(e[LAYER + out], 0.0)


@compiled
def _among(e: Any, alone: int, side: int) -> None:
    """Adds what a fighter is among the others to the sums of its side."""
    for out in range(_AMONG):
        e[LAYER + out] = e[_AMONG_AT + out]
    for unit in range(_ALONE):
        if e[alone + unit] > 0.0:
            _add(e, LAYER, _AMONG, e[alone + unit], _AMONG_AT + (unit + 1) * _AMONG)
    told = alone + _ALONE + 2 * _TWO
    for unit in range(_TWO):
        if e[told + unit] > 0.0:
            _add(e, LAYER, _AMONG, e[told + unit], _AMONG_AT + (_ALONE + unit + 1) * _AMONG)
    for out in range(_AMONG):
        e[side + out] += max(e[LAYER + out], 0.0)


@compiled
def _read(e: Any, own: int, other: int) -> float:
    """Returns what the last layers make of the sums of a side and of the other one."""
    for out in range(_BOTH):
        e[LAYER + out] = e[_BOTH_AT + out]
    for place in range(_AMONG):
        if e[own + place] > 0.0:
            _add(e, LAYER, _BOTH, e[own + place], _BOTH_AT + (place + 1) * _BOTH)
        if e[other + place] > 0.0:
            _add(e, LAYER, _BOTH, e[other + place], _BOTH_AT + (_AMONG + place + 1) * _BOTH)
    total = 0.0
    for out in range(_BOTH):
        total += max(e[LAYER + out], 0.0) * e[_LAST + out]
    return total
