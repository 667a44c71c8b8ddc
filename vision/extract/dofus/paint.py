"""Classifies the paint over a DOFUS board's floor: a highlight, or only light and shadow.

A paint of unknown opacity gives a colour on the line between the floor's colour and its own.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision.profiles.board import HighlightRule
from vision.view import Highlight

Numbers = npt.NDArray[np.float32]
Paints = Sequence[Mapping[Highlight, HighlightRule]]
"""Sets of highlights, one of which is on the board at a time."""

LIKE = 24.0  # Largest distance of bare floor from the floor's colour, in any light

_SHADE = (
    0.74,
    1.2,
)  # Light of the floor that is no paint; a tenth off, some of 96 pictures are read otherwise
_PAINTED = 22.0  # Levels off the line from the floor to a paint, at most
_OFF_COLOUR = 0.15  # The same as a share of the paint laid on, where that is more
_SLACK = 0.06  # How far a paint's opacity may be outside what the profile says
_CLEAR_OF_FLOOR = 36.0  # Levels of paint at least: `LIKE` and half as much again
_MUCH = 0.45  # How far off a colour may be, as a share of the paint
_RIVAL = (1.4, 6.0)  # How much farther off the next paint is: so many times, and levels


def painted(seen: Numbers, floor: Numbers, sets: Paints) -> npt.NDArray[np.int64]:
    """Returns which highlight of each set is painted over a floor, shape (sets, n).

    Args:
        seen: colours (RGB), shape (n, 3).
        floor: the floor's colours there, same shape.

    Returns:
        The highlight's place in its set, -1 for the bare floor, -2 for anything else or ambiguous colours.
    """
    bare = colour_distance(seen, floor)
    states = np.repeat(np.where(bare <= LIKE, -1, -2)[None], len(sets), axis=0)
    every = tuple(rule for rules in sets for rule in rules.values())
    if not every:
        return states
    rest, amount = _fit(seen, floor, every)
    places, start = np.arange(len(seen)), 0
    for state, rules in zip(states, sets, strict=True):
        part = slice(start, start + len(rules))
        start = part.stop
        if not rules:
            continue
        best = rest[:, part].argmin(axis=1)
        least, much = rest[places, part.start + best], amount[places, part.start + best]
        clear = (
            (least < np.maximum(_PAINTED, _OFF_COLOUR * much))
            & (much > _CLEAR_OF_FLOOR)
            & (least < _MUCH * much)
            & (least < 0.7 * bare)
        )
        if len(rules) > 1:
            clear &= np.partition(rest[:, part], 1, axis=1)[:, 1] > _RIVAL[0] * least + _RIVAL[1]
        state[clear] = best[clear]
    return states


def best_painted(seen: Numbers, floor: Numbers, sets: Paints) -> npt.NDArray[np.int64]:
    """Returns the result of `painted` for the best matching of several sets of highlights, shape (n,)."""
    return np.asarray(painted(seen, floor, sets).max(axis=0))


def _fit(seen: Numbers, floor: Numbers, rules: tuple[HighlightRule, ...]) -> tuple[Numbers, Numbers]:
    """Returns the distances of colours from each paint over the floor, and its amount, shape (n, rules).

    The distance is infinite where no opacity that the profile allows gives the colour.
    """
    colours, least, most = _colours(rules)
    step, whole = (seen - floor).T[:, :, None, None], colours - floor.T[:, :, None, None]
    far = np.maximum(_dot(whole, whole), 1.0)
    share = _dot(step, whole) / far
    left = step - share * whole
    rest = np.where((share > least) & (share < most), np.sqrt(_dot(left, left)), np.float32(np.inf))
    nearest = rest.argmin(axis=2)[..., None]
    amount = np.asarray(share * np.sqrt(far), np.float32)
    return rest.min(axis=2), np.take_along_axis(amount, nearest, axis=2)[..., 0]


@lru_cache(maxsize=16)
def _colours(rules: tuple[HighlightRule, ...]) -> tuple[Numbers, Numbers, Numbers]:
    """Returns the paints' colours, shape (3, 1, rules, colours), and their least and largest opacity.

    A paint with fewer colours than others repeats its last one.
    """
    many = max(len(rule.colours) for rule in rules)
    colours = [rule.colours + rule.colours[-1:] * (many - len(rule.colours)) for rule in rules]
    opacity = np.array([rule.opacity for rule in rules], np.float32)[:, :, None]
    laid_out = np.array(colours, np.float32).transpose(2, 0, 1)[:, None]
    return laid_out, opacity[:, 0] - np.float32(_SLACK), opacity[:, 1] + np.float32(_SLACK)


def _dot(first: Numbers, second: Numbers) -> Numbers:
    return np.asarray(first[0] * second[0] + first[1] * second[1] + first[2] * second[2], np.float32)


def colour_distance(seen: Numbers, floor: Numbers) -> Numbers:
    """Returns the distances of colours from the floor's, after fitting its shade; larger in the dark."""
    colour, under = np.moveaxis(seen, -1, 0), np.moveaxis(floor, -1, 0)
    light = np.clip(_dot(colour, under) / np.maximum(_dot(under, under), 1.0), *_SHADE)
    left = np.asarray(colour - light * under, np.float32)
    return np.asarray(np.sqrt(_dot(left, left)) / np.minimum(light, 1.0), np.float32)
