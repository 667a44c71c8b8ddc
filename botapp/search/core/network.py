"""The learned evaluation: how likely a side is to win from a state, by a small network on rows of fighters.

Each fighter's row goes through two layers; what they give is summed for either side (deep sets: M. Zaheer and
others, 2017), and a third layer reads the two sums. It is read once from either side and the difference taken,
so that what one side gains the other one loses. Next hop: `botapp.search.core.rollouts`.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.search.core.evaluation_layout import INPUT, INPUT_ROWS, LAYER, SIDES, WEIGHTS, WIDTHS
from botapp.search.core.inputs import write_inputs

_FIRST, _SECOND, _THIRD = WIDTHS
_BIAS_2 = WEIGHTS + INPUT * _FIRST
_BIAS_3 = _BIAS_2 + (_FIRST + 1) * _SECOND
_LAST = _BIAS_3 + (2 * _SECOND + 1) * _THIRD


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
    for at in range(SIDES, SIDES + 2 * _SECOND):
        e[at] = 0.0
    for row in range(INPUT_ROWS, INPUT_ROWS + rows * INPUT, INPUT):
        _add_fighter(e, row, SIDES + int(e[row]) * _SECOND)
    odds: float = _read(e, SIDES, SIDES + _SECOND) - _read(e, SIDES + _SECOND, SIDES)
    return odds if team == 0 else -odds


@compiled
def _add_fighter(e: Any, row: int, side: int) -> None:
    """Adds what two layers make of a fighter's row to the sums of its side."""
    for out in range(_FIRST):
        e[LAYER + out] = e[WEIGHTS + out]
    for column in range(1, INPUT):
        value = e[row + column]
        if value != 0.0:
            weights = WEIGHTS + column * _FIRST
            for out in range(_FIRST):
                e[LAYER + out] += value * e[weights + out]
    second = LAYER + _FIRST
    for out in range(_SECOND):
        e[second + out] = e[_BIAS_2 + out]
    for out_before in range(_FIRST):
        value = e[LAYER + out_before]
        if value > 0.0:
            weights = _BIAS_2 + (out_before + 1) * _SECOND
            for out in range(_SECOND):
                e[second + out] += value * e[weights + out]
    for out in range(_SECOND):
        if e[second + out] > 0.0:
            e[side + out] += e[second + out]


@compiled
def _read(e: Any, own: int, other: int) -> float:
    """Returns what the third layer makes of the sums of a side and of the other one."""
    for out in range(_THIRD):
        e[LAYER + out] = e[_BIAS_3 + out]
    for side in range(2):
        sums = own if side == 0 else other
        first = _BIAS_3 + (1 + side * _SECOND) * _THIRD
        for place in range(_SECOND):
            value = e[sums + place]
            if value > 0.0:
                for out in range(_THIRD):
                    e[LAYER + out] += value * e[first + place * _THIRD + out]
    total = 0.0
    for out in range(_THIRD):
        if e[LAYER + out] > 0.0:
            total += e[LAYER + out] * e[_LAST + out]
    return total
