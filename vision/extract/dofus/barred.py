"""Finds the cards of a timeline at a known place: life bars at the portraits' right, a frame about who plays.

Cards are known by the light line of their rim, their side by the foot of the life bar. Dead fighters keep
their cards, which show their shape in one grey and no bar. Any other card whose bar is not seen makes the
whole row doubtful, as it would be counted to no side.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.extract.dofus import life
from vision.extract.dofus.anchors import HudAnchor, hsv, within
from vision.frame import Rect
from vision.profiles.hud import BarredRule, Tone
from vision.view import CardSeen, Team

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

_FEET = (0.1, 0.02), (0.06, 0.01)
"""Rows above a portrait's end, one of which a life bar fills; the lower ones with little life as well."""
_LAST, _LAST_SHARE = 0.04, 0.6  # How high a last drop of life is, in units, and how much of it has its colour
_RIM_BELOW = (
    0.015,
    0.07,
)  # Where a rim's line lies, in units; to 0.037 and 0.053 to 0.17, 25 pictures are alike
_FRAME_OFF = (0.06, 0.125)  # The same for a frame's; up to 0.078, and from 0.094 on, are alike
_RUN, _SMEARED = (0.6, 1.5), 3
"""A bar's width in usual ones, up to 0.78 is alike, and the pixels that JPEG smears it into the frame by."""
_LINE, _SIDES = (
    0.7,
    2,
)  # Of a line that has its colour (0.18 to 0.77 are alike), on so many sides (up to three are)
_ONE_COLOUR = 8.0
"""Levels by which the sides of a frame differ at most; those of a card before scenery do by so many more."""
_SMALL = 50.0
"""Units below which a frame of 0.05 is less than three pixels thick: blur may leave none its colour."""
_PALE, _PALE_SPREAD, _CLEARLY = (2, 4, 60, 130), 40.0, 2
"""A thinned frame: how far its hue may be below and above the frame's, its least saturation and brightness,
how far its sides' colours may be apart (those of drawn ones are by 38 at most, of scenery by 22 to 94), and
on how many more sides than any other card's it is. With a least saturation of 90 a third were not seen."""
_TRIED = 6
"""Ends of bars, from the right, of which one may be a card's."""
_ABOUT = 30  # Levels about the rim's colour in its light; from 27 on alike
_LIGHT, _UNLIKE = (0.75, 1.22), 1.13
"""How light a rim is by the profile's colour, on screens turned down or up; how unlike the rows above it
(1.02 to 1.47 are alike): sand is of the rim's colour."""
_ROOM = 0.2  # Units above and below the cards that are looked at


def area(part: Picture, rule: BarredRule, anchor: HudAnchor) -> Rect:
    """Returns the strip in which the cards stand, cut to the picture."""
    bottom = anchor.y + rule.bottom * anchor.unit
    top = max(0, round(bottom - (rule.height + _ROOM) * anchor.unit))
    low = min(part.shape[0], round(bottom + _ROOM * anchor.unit))
    return Rect(0, top, part.shape[1], max(0, low - top))


def find(bgr: Picture, rule: BarredRule, anchor: HudAnchor) -> list[CardSeen]:
    """Returns the cards, left to right; none where one of them is doubtful.

    Args:
        bgr: the strip that holds the cards, uint8, shape (height, width, 3).
        anchor: the HUD's anchor, in pixels of the strip.
    """
    unit, bottom = anchor.unit, anchor.y + rule.bottom * anchor.unit
    rows = [[round(bottom - off * unit) for off in foot] for foot in _FEET]
    if any(low < 0 or high <= low for low, high in rows) or bottom + _RIM_BELOW[1] * unit > bgr.shape[0]:
        return []
    tones = hsv(bgr)
    feet = {
        team: np.logical_or.reduce(
            [(within(tones[low:high], tone) > 0).mean(axis=0) >= 0.5 for low, high in rows]
        )
        for team, tone in rule.sides.items()
    }
    ends = {end: team for team, foot in feet.items() for end in _ends(foot, rule.bar_width * unit)}
    for last in sorted(ends, reverse=True)[:_TRIED]:
        row = _row(bgr, tones, rule, anchor, ends, last)
        if len(row) >= 2:
            return _with_one_frame(tones, row, rule, unit)
    return []


def _with_one_frame(tones: Picture, row: list[CardSeen], rule: BarredRule, unit: float) -> list[CardSeen]:
    """Returns a row; of several cards with the frame's colour around them the one of its middle hue plays.

    The scenery behind the cards may be of nearly the frame's colour, but is not the same on all sides: a card
    with it on two unlike sides does not play.
    """
    playing = [card for card in row if card.current]
    low, high = rule.frame
    off = (high[0] - low[0]) // 3
    middle = (low[0] + off, low[1], low[2]), (high[0] - off, high[1], high[2])
    if not playing:
        return _with_pale_frame(tones, row, rule, unit) if unit < _SMALL else row
    if len(playing) == 1:
        sides = _frame_lines(tones, playing[0].box, rule.frame, unit)
        is_framed = len(sides) > _SIDES or _spread(sides) <= 2 * _ONE_COLOUR
        return row if is_framed else [replace(card, current=False) for card in row]
    lines = [_frame_lines(tones, card.box, middle, unit) for card in playing]
    most = max(len(sides) for sides in lines)
    best = [place for place, sides in enumerate(lines) if len(sides) == most]
    if most <= _SIDES:
        return row
    if len(best) > 1:
        spreads = sorted((_spread(lines[place]), place) for place in best)
        best = [spreads[0][1]] if spreads[1][0] - spreads[0][0] >= _ONE_COLOUR >= spreads[0][0] else []
    framed = [playing[place] for place in best]
    return [replace(card, current=card in framed) for card in row] if framed else row


def _with_pale_frame(tones: Picture, row: list[CardSeen], rule: BarredRule, unit: float) -> list[CardSeen]:
    """Returns a small row; of a frame less than two pixels thick the scenery has thinned the colour.

    Scenery that is brown has the thinned colour as well: a card plays that has it on three sides at least, of
    about one colour, and on two more than any other card.
    """
    (hue, _, _), (other, _, _) = rule.frame
    pale = (hue - _PALE[0], _PALE[2], _PALE[3]), (other + _PALE[1], 255, 255)
    lines = [_frame_lines(tones, card.box, pale, unit) for card in row]
    counts = [len(sides) for sides in lines]
    best = counts.index(max(counts))
    next_best = max((count for place, count in enumerate(counts) if place != best), default=0)
    if counts[best] <= _SIDES or counts[best] < next_best + _CLEARLY or _spread(lines[best]) > _PALE_SPREAD:
        return row
    return [replace(card, current=place == best and card.team is not None) for place, card in enumerate(row)]


def _spread(sides: list[npt.NDArray[np.float64]]) -> float:
    """Returns how far the colours (HSV) on the sides of a card are apart where they are most alike.

    Args:
        sides: the median colours of the lines on each side that may be the frame, shape (lines, 3).
    """
    tried = np.concatenate(sides)
    apart = [np.abs(tried[:, None] - side[None]).max(axis=2).min(axis=1) for side in sides]
    return float(np.max(apart, axis=0).min())


def _row(
    bgr: Picture, tones: Picture, rule: BarredRule, anchor: HudAnchor, ends: Mapping[int, Team], last: int
) -> list[CardSeen]:
    """Returns the row with a card that ends at a place, none where that or a card beside it is doubtful.

    Args:
        bgr, tones: the strip that holds the cards, in BGR and in HSV.
        anchor: the HUD's anchor, in pixels of the strip.
        ends: the columns in which life bars may end, and their sides; the scenery has some beside the cards.
        last: one of them.
    """
    unit, bottom = anchor.unit, anchor.y + rule.bottom * anchor.unit
    box = _box(last, bottom, rule, unit)
    if not _is_rimmed(bgr, box, rule, unit):
        return []
    row = [_card(tones, rule, box, ends[last], unit)]
    for step in (-1, 1):
        right = float(last)
        for _ in range(life.CARDS):
            right += step * rule.pitch * unit
            box = _box(right, bottom, rule, unit)
            if not _is_rimmed(bgr, box, rule, unit):
                break
            near = [end for end in ends if abs(end - right) <= 0.25 * rule.bar_width * unit + 2]
            team = ends[near[0]] if len(near) == 1 else None if near else _last_life(tones, box, rule, unit)
            if team is not None:
                right = near[0] if near else right
                row.append(_card(tones, rule, _box(right, bottom, rule, unit), team, unit))
            elif not near and life.is_shape(bgr, box, unit):
                row.append(CardSeen(box, None, False))
            else:
                return []
    return sorted(row, key=lambda card: card.box.x)


def _last_life(tones: Picture, box: Rect, rule: BarredRule, unit: float) -> Team | None:
    """Returns the side whose colour the foot of a card's bar has, a row or two of it; None where none has."""
    wide, high = round(rule.bar_width * unit), max(2, round(_LAST * unit))
    foot = np.ascontiguousarray(tones[box.bottom - high : box.bottom, box.right - wide : box.right])
    shares = {team: (within(foot, tone) > 0).mean(axis=1).max() for team, tone in rule.sides.items()}
    seen = [team for team, share in shares.items() if share >= _LAST_SHARE]
    return seen[0] if len(seen) == 1 else None


def _box(right: float, bottom: float, rule: BarredRule, unit: float) -> Rect:
    wide, tall = rule.width * unit, rule.height * unit
    return Rect(round(right - wide), round(bottom - tall), round(wide), round(tall))


def _ends(foot: Flags, width: float) -> list[int]:
    """Returns the right ends of runs about as wide as a life bar, which compression smears into the frame."""
    steps = np.flatnonzero(np.diff(np.concatenate([[0], foot.astype(np.int8), [0]])))
    least, most = _RUN[0] * width, max(_RUN[1] * width, width + _SMEARED)
    return [int(end) for start, end in steps.reshape(-1, 2) if least <= end - start <= most]


def _is_rimmed(bgr: Picture, box: Rect, rule: BarredRule, unit: float) -> bool:
    """Returns whether the light line of a card's rim runs below a portrait, in any light.

    A portrait and the dark line around it are unlike the rim; a floor of the rim's colour is like itself.
    """
    top, end = (round(box.bottom + off * unit) for off in _RIM_BELOW)
    if min(box.x, box.y) < 0 or box.right > bgr.shape[1] or end > bgr.shape[0]:
        return False
    first = max(0, box.bottom - 3)
    rows = bgr[first : end + 1, box.x : box.right].astype(np.float32)
    rim = np.array(rule.rim[::-1], np.float32)
    light = np.clip(rows @ rim / (rim @ rim), *_LIGHT)
    alike = (np.abs(rows - light[..., None] * rim).max(axis=2) <= _ABOUT).mean(axis=1) >= _LINE
    alike[: top - first] = False
    level = np.median(rows.mean(axis=2), axis=1) + 1
    apart = np.maximum(np.maximum.accumulate(level) / level, level / np.minimum.accumulate(level))
    return bool((alike & (apart >= _UNLIKE)).any())


def _frame_lines(tones: Picture, box: Rect, frame: Tone, unit: float) -> list[npt.NDArray[np.float64]]:
    """Returns the lines of the frame's colour, which is around who plays, on each side of a card with some.

    Returns:
        Their median colours (HSV), shape (lines, 3).
    """
    near, far = (round(off * unit) for off in _FRAME_OFF)
    edges = (
        tones[max(0, box.y - far) : box.y - near + 1, box.x : box.right],
        tones[box.bottom + near : box.bottom + far + 1, box.x : box.right],
        tones[box.y : box.bottom, max(0, box.x - far) : max(0, box.x - near) + 1].swapaxes(0, 1),
        tones[box.y : box.bottom, box.right + near : box.right + far + 1].swapaxes(0, 1),
    )
    seen = [edge for edge in edges if edge.size]
    lines = [(within(np.ascontiguousarray(edge), frame) > 0).mean(axis=1) >= _LINE for edge in seen]
    return [np.median(edge[line], axis=1) for edge, line in zip(seen, lines, strict=True) if line.any()]


def _card(tones: Picture, rule: BarredRule, box: Rect, team: Team, unit: float) -> CardSeen:
    lit = len(_frame_lines(tones, box, rule.frame, unit))
    wide = max(1, round(rule.bar_width * unit))
    bar = tones[box.y : box.bottom, box.right - wide + wide // 4 : box.right - wide // 4]
    filled = (within(np.ascontiguousarray(bar), rule.sides[team]) > 0).mean(axis=1) >= 0.5
    return CardSeen(box, team, lit >= _SIDES, life.filled(filled[::-1], len(filled)))
