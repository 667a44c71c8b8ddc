"""What a card of the timeline shows of its fighter's life: how much of its bar is filled, or that it is dead.

Some clients keep the cards of the dead. Retro shows the fighter's shape in one grey on white, without a life
bar. Of the other clients no real picture with such a card is at hand: there a place without any colour counts
as one, if a card follows it in the row.
"""

import numpy as np
import numpy.typing as npt

from vision.frame import Rect
from vision.view import SURE, Seen

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

CARDS = 24  # Cards of a row at most: ends a walk along scenery that goes on looking like cards

MOST = 3
"""So many dead fighters are looked for between two living ones: each place more makes scenery likelier."""
_INSIDE = 0.05
"""How far inside a card's edges its shape is looked for, in units: the boxes are a pixel or two off, and a
unit is 20 pixels in the smallest windows."""
_COLOURED, _SPECKS, _PALE = 40, 0.03, 150
"""Levels between channels that no grey has after JPEG, the share of a card that may have them (the pointer's
edge, smears of the frame; none on the real card at hand), and how light a card's ground is at least: it is
white, of which the darkest light that screens are read in leaves 204 levels."""
_TINTED, _TINTED_SPECKS = 16, 0.1
"""The same for a greyed portrait: Unity's ground of an enemy's card has 30 levels between its channels."""
_INK, _SHAPE = 0.72, (0.01, 0.75)
"""A shape is darker than so much of its card's ground (the line beside the bar has 0.8 of it), and fills such
a share of the card: 0.086 on the real screen at hand, of a small creature."""
_ONE_GREY, _MOSTLY = 16, 0.55
"""Levels about the one grey, and the share of the shape that has it: 0.89 of the real one. The rest is its
edge, which is more of it in small windows."""
_EVEN = 6  # Deviation of the levels of a grey portrait at least: a strip of a panel is more even


_GAPS, _BORDER = 0.05, 2.5
"""The share of a bar's lines that may be missing inside it (with none 6 of 118 bars are not read, with half
all are as now), and how many lines of a full one its border takes (with 1.5 2 of these are not full)."""
BEGIN = 0.06
"""How far from its end, as a share of it, a bar's life begins at the latest. At 0.08 a place on a map without
a fight shows life; of 118 bars none begins later than at the first line."""


def filled(lines: Flags, length: int, begin: float = BEGIN, more: int = 0) -> Seen[float]:
    """Returns the filled share of a life bar; None unless it is filled from where it begins without a gap.

    Args:
        lines: which lines are filled, from the end at which life begins, with or without some beside the bar.
        length: lines of a full bar.
        begin: how far from that end life may begin, as a share of the length.
        more: lines that count beyond those, such as an edge of another colour.
    """
    places = np.flatnonzero(lines)
    if not places.size or places[0] > begin * length + 1:
        return Seen()
    span = int(places[-1] + 1 - places[0])
    if places.size < (1 - _GAPS) * span:
        return Seen()
    share = (span + more) / length
    return Seen(1.0 if share >= 1 - _BORDER / length else share, SURE)


def is_shape(bgr: Picture, box: Rect, unit: float) -> bool:
    """Returns whether a card of Retro's shows a dead fighter.

    A living fighter of greys has more than one of them.
    """
    off = max(2, round(_INSIDE * unit))
    inside = bgr[box.y + off : box.bottom - off, box.x + off : box.right - off].astype(np.int16)
    if not inside.size:
        return False
    level = inside.max(axis=2)
    ground = float(np.percentile(level, 90))
    shape = level < _INK * ground
    coloured = level - inside.min(axis=2) > _COLOURED
    if coloured.mean() > _SPECKS or ground < _PALE or not _SHAPE[0] <= shape.mean() <= _SHAPE[1]:
        return False
    grey = np.median(level[shape])
    return bool((np.abs(level[shape] - grey) <= _ONE_GREY).mean() >= _MOSTLY)


def is_greyed(tones: Picture) -> bool:
    """Returns whether a place of the timeline, in HSV, shows a picture without colours."""
    off = max(1, tones.shape[1] // 8)
    inside = tones[off:-off, off:-off]
    if not inside.size:
        return False
    light = inside[..., 2]
    coloured = inside[..., 1] * (light / 255) > _TINTED
    return float(coloured.mean()) <= _TINTED_SPECKS and float(light.std()) >= _EVEN
