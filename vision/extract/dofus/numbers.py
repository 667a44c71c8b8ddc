"""Reads one number of a real client's HUD at its place relative to an anchor, or withholds it.

The strip around the number is read three times on its text line, slightly shifted and scaled. Unless all
three agree, it is read five times more around its nominal place; half of all readings must agree and none
may differ, or five that are less sure, one of them sure. A centred number that is off its middle has lost a
digit, as has one that starts at its window's border. Dark figures that are not read so are read once more
without what lies about their coloured plate, beyond which they may reach, and small ones once more drawn out.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.extract.dofus import digits
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.digits import OTHER, SECONDS, Character
from vision.extract.dofus.percentiles import percentiles
from vision.frame import Rect
from vision.profiles.hud import FieldRule, Writing
from vision.view import Seen

Picture = npt.NDArray[np.uint8]
Array = npt.NDArray[np.float32]
Floats = npt.NDArray[np.floating]
Shift = tuple[float, float, float]

_SHIFTS: tuple[Shift, ...] = (
    (0.0, 0.0, 1.0),
    (0.04, 0.06, 1.06),
    (-0.04, -0.06, 0.95),
    (0.0, 0.1, 0.97),
    (0.02, -0.1, 1.1),
)
"""Shift of each reading in digit heights, and the scale of its digits."""

_FEW, _ENOUGH = 3, 4  # Readings; with one more or less of the first two or three of 98 pictures are others
_LIKELY = 0.75  # How sure a reading counts; with 0.82 one of five pictures is read otherwise
_POSSIBLE, _MANY = 0.45, 5
"""So many readings, each at least so sure, are enough as well where one of them is likely."""

_TOGETHER = 0.72  # Confidence that a consensus of all readings has at least

_OFF_CENTRE = 0.15  # Digit heights: a number further off its middle has lost a digit; from 0.08 on alike
_SLIM = 0.07  # By how much of a digit's height a 1 at an end moves a number's middle
_OFF_START = (-0.5, 0.35)
"""How far a number may lie off its place, in digit heights: centred, for a 1 at one end, at its start, where
no icon tells how far. Where a first figure has been lost the second one is 0.6 to the right."""

_FAINT = 40.0  # Contrast of ink below which there is no number

_GREY, _LIGHTER = 45, 28
"""Channels of grey differ by less; so much lighter than dark figures, it is not their edge."""

_DARK, _BRIGHT = 115, 150  # Levels about and of a timer's figures: 57 to 172 and 135 to 165 are alike
SMALLEST = 4.0  # Height of a digit that can be read, in pixels

_WHOLE = 0.7  # Digit heights of room above and below a middle; AP at the picture's edge have no more
_WIDE_GAP, _USUAL_GAP = 1.45, 0.62 * digits.CAP
"""A percent sign's middle is so many times as far from the last figure as figures are from each other."""

_SIGNS, _HUNDRED = 2, 100
"""Characters that a percent sign may be taken for, at most; the most that stands before it."""

_GAP = (digits.NEAREST / digits.CAP, 1.3)  # Digit heights; with 1.0 four of 98 pictures are read otherwise
_DIGIT = 0.7
"""A digit's width in heights, with the gap: at 0.35 and 1.05 two and one of 98 are read otherwise."""
_BRIGHTEST = 85  # Percentile of a row that is its ink: with 77 or 93 three of 98 are read otherwise
_LINE_OFF, _LINE_STEPS = 0.2, 8
"""How far from its place the line is looked for, in digit heights, and in how many steps: with a tenth or a
step more or less two to four of 98 pictures are read otherwise, with 0.5 59."""
_STRETCHED, _STRETCH = 8.0, 0.8
"""Figures less high than this, in pixels, are read once more drawn out in width, which opens what blurs
together inside a 6: at 0.8 four of five readings of a 6 of five pixels are right, at 1 two are and weakly."""
_AROUND = 0.75  # Digit heights from a line's middle: with 0.67 and 0.83 three and one of 98 are others
_NEARER = 0.2
"""Of the rows' contrast, for each height off: 0.18 to 0.22 are alike, with 0.1 one of 98 is other."""


def window(bgr: Picture, anchor: HudAnchor, rule: FieldRule) -> Rect | None:
    """Returns the box that a number is read in, None where it is too small or outside the picture.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
    """
    cap = rule.cap * anchor.unit
    x, y = _middle(anchor, rule)
    left, right = round(x - rule.reach[0] * cap), round(x + rule.reach[1] * cap)
    if cap < SMALLEST or left < 0 or right > bgr.shape[1]:
        return None
    if y - _WHOLE * cap < 0 or y + _WHOLE * cap > bgr.shape[0]:
        return None
    top, bottom = max(0, round(y - cap)), min(bgr.shape[0], round(y + cap))
    return Rect(left, top, right - left, bottom - top)


def read(patch: Picture, anchor: HudAnchor, rule: FieldRule) -> Seen[int]:
    """Reads a number.

    Args:
        anchor: where its anchor is, in pixels of the patch.
    """
    ink = ink_of(patch, rule.writing)
    number = _read(ink, anchor, rule)
    if not number and rule.writing == "dark":
        number = _read(on_colour(patch, ink), anchor, rule)
    if not number and SMALLEST <= rule.cap * anchor.unit < _STRETCHED:
        number = _read(ink, anchor, replace(rule, wide=rule.wide * _STRETCH))
    return number


def on_colour(patch: Picture, ink: Array) -> Array:
    """Returns the ink without what is grey and lighter than figures: it lies about their coloured plate."""
    most, least = patch.max(axis=2), patch.min(axis=2)
    outside = (most - least < _GREY) & (most > percentiles(most.ravel(), (2,))[0] + _LIGHTER)
    if outside.all():
        return ink
    return np.where(outside, np.median(ink[~outside]), ink).astype(np.float32)


def _read(ink: Array, anchor: HudAnchor, rule: FieldRule) -> Seen[int]:
    cap = rule.cap * anchor.unit
    x, y = _middle(anchor, rule)
    if np.ptp(percentiles(ink.ravel(), (20, 98))) < _FAINT:
        return Seen()
    first = _readings(ink, (x, _on_line(ink, x, y, cap, rule)), cap, rule, _SHIFTS[:_FEW])
    agreed = _consensus(_likely(first), _FEW, _FEW)
    if not first or agreed:
        return agreed
    every = first + _readings(ink, (x, y), cap, rule, _SHIFTS)
    tried = _FEW + len(_SHIFTS)
    every = without_skipped(every)
    many = every if _likely(every) else []
    return _consensus(_likely(every), tried, _ENOUGH, _TOGETHER) or _consensus(many, tried, _MANY)


def without_skipped(readings: list[Seen[int]]) -> list[Seen[int]]:
    """Returns the readings without those that have skipped one inner figure that most of them have."""
    values = [str(reading.value) for reading in readings]
    most = max(set(values), key=values.count, default="")
    if values.count(most) < _MANY or 2 * values.count(most) <= len(values):
        return readings
    skipped = {most[:place] + most[place + 1 :] for place in range(1, len(most) - 1)}
    return [reading for reading, value in zip(readings, values, strict=True) if value not in skipped]


def _likely(readings: list[Seen[int]]) -> list[Seen[int]]:
    return [reading for reading in readings if reading.confidence >= _LIKELY]


def _on_line(ink: Array, x: float, y: float, cap: float, rule: FieldRule) -> float:
    """Returns the middle row of the text line around a place.

    The line is where a band as high as a digit has the largest contrast in ink to the rows above and below
    it.
    """
    half = rule.digits * _DIGIT * cap / 2
    left = max(0, round(x - (half if rule.centred else cap / 2)))
    part = ink[:, left : max(left + 1, round(x + (half if rule.centred else 2 * half)))]
    rows = percentiles(part, (_BRIGHTEST,))[0]
    sums = np.concatenate([[0.0], np.cumsum(rows)])
    places = np.arange(rows.size + 1)

    def total(low: Floats, high: Floats) -> Floats:
        return np.asarray(np.interp(high, places, sums) - np.interp(low, places, sums))

    middles = y + 0.5 + np.linspace(-_LINE_OFF, _LINE_OFF, 2 * _LINE_STEPS + 1) * cap
    inside = total(middles - 0.5 * cap, middles + 0.5 * cap)
    around = total(middles - _AROUND * cap, middles + _AROUND * cap) - inside
    scores = inside / cap - around / (2 * _AROUND - 1) / cap
    scores -= _NEARER * float(np.ptp(rows)) * np.abs(middles - y - 0.5) / cap
    return float(middles[int(scores.argmax())] - 0.5)


def _middle(anchor: HudAnchor, rule: FieldRule) -> tuple[float, float]:
    return anchor.x + rule.place[0] * anchor.unit, anchor.y + rule.place[1] * anchor.unit


def has_bright_text(patch: Picture, rule: FieldRule) -> bool:
    dark, bright = percentiles(ink_of(patch, rule.writing).ravel(), (30, 97))
    return bool(dark < _DARK and bright > _BRIGHT)


def ink_of(bgr: Picture, writing: Writing) -> Array:
    """Returns the ink of each pixel, 0..255."""
    level = bgr.min(axis=2) if writing in ("white", "coloured") else bgr.max(axis=2)
    ink = np.asarray(level, np.float32)
    return 255 - ink if writing in ("dark", "coloured") else ink


def _readings(
    ink: Array, middle: tuple[float, float], cap: float, rule: FieldRule, moves: Sequence[Shift]
) -> list[Seen[int]]:
    """Returns the readings at a place, shifted and scaled slightly; those without a number are left out."""
    beyond = digits.ground(ink)
    strips = [
        digits.strip(ink, middle[0] + dx * cap, middle[1] + dy * cap, cap * zoom, rule.wide, beyond)
        for dx, dy, zoom in moves
    ]
    reach = max(rule.reach) * digits.CAP / rule.wide / min(zoom for _, _, zoom in moves)
    probable = digits.network().columns(np.stack(strips), reach)
    half = digits.STRIP[1] / 2
    readings = []
    for chances, strip, move in zip(probable, strips, moves, strict=True):
        line = digits.split_ones(digits.characters(chances), strip)
        if rule.centred and not rule.after:  # a digit that is missing at an end would leave it off its place
            line = digits.without_fringes(line, strip)
        readings.append(spelled(line, rule, half - move[0] * digits.CAP / rule.wide))
    return [reading for reading in readings if reading]


def spelled(line: list[Character], rule: FieldRule, middle: float) -> Seen[int]:
    """Returns the number that characters spell, None unless all of them are possible and in place.

    Args:
        line: the characters from left to right.
        middle: the column of its place.
    """
    if not rule.centred:
        line = _after_icon(line, middle, rule.icon)
    figures = [character.meaning for character in line]
    if rule.after == "%":
        return _percentage(line, figures, rule, middle)
    if rule.after:
        figures = figures[:-1] if figures[-1:] == [SECONDS] else []
    if (
        not 1 <= len(figures) <= rule.digits
        or max(figures) >= SECONDS
        or (figures[0] == 0 and len(figures) > 1)
    ):
        return Seen()
    sure = min(character.sure for character in line)
    if sure < _POSSIBLE or not _in_place(line, rule, middle):
        return Seen()
    if rule.or_percent and len(line) > 2 and _ends_wide(line):  # of two, any may be as far apart
        return Seen()
    return Seen(int("".join(map(str, figures))), sure)


def _after_icon(line: list[Character], middle: float, icon: float) -> list[Character]:
    """Returns characters without those before the first one's place: an icon, or its edge.

    An edge is no figure; of a whole icon the network may make one.
    """
    least = -icon if icon else _OFF_START[0]
    for index, character in enumerate(line):
        is_figure = not icon and character.meaning != OTHER
        if is_figure or (character.x - middle) / digits.CAP >= least:
            return line[index:]
    return []


def _percentage(line: list[Character], figures: list[int], rule: FieldRule, middle: float) -> Seen[int]:
    """Returns the number before a percent sign, which the network takes for nothing or for a wide figure."""
    many = next((index for index, figure in enumerate(figures) if figure >= SECONDS), len(figures))
    if many == len(figures) and _ends_wide(line):
        many -= 1
    signs = figures[many:]
    if not 1 <= many <= rule.digits or not 1 <= len(signs) <= _SIGNS or figures[0] == 0:
        return Seen()
    value = int("".join(map(str, figures[:many])))
    sure = min(character.sure for character in line[:many])
    off = ((line[0].x + line[-1].x) / 2 - middle) / digits.CAP
    gaps = np.diff([character.x for character in line[: many + 1]]) / digits.CAP
    near = bool(((gaps >= _GAP[0]) & (gaps <= 2 * _GAP[1])).all())
    if not 0 < value <= _HUNDRED or sure < _POSSIBLE or abs(off) > 2 * _OFF_CENTRE or not near:
        return Seen()
    return Seen(value, sure)


def _ends_wide(line: list[Character]) -> bool:
    """Returns whether the last character is further from its neighbour than figures are: a percent sign."""
    gaps = np.diff([character.x for character in line])
    return bool(gaps.size and gaps[-1] >= _WIDE_GAP * max(_USUAL_GAP, *gaps[:-1], 0.0))


def _in_place(line: list[Character], rule: FieldRule, middle: float) -> bool:
    """Returns whether characters are at the number's place and next to each other."""
    off = (line[0].x - middle) / digits.CAP
    if rule.centred:
        slim = _SLIM * ((line[0].meaning == 1) - (line[-1].meaning == 1))
        off = ((line[0].x + line[-1].x) / 2 - middle) / digits.CAP + slim
    least, most = (-_OFF_CENTRE, _OFF_CENTRE) if rule.centred else _OFF_START
    if rule.icon:
        least = -rule.icon
    if not least <= off <= most:
        return False
    gaps = np.diff([character.x for character in line]) / digits.CAP
    return bool(((gaps >= _GAP[0]) & (gaps <= _GAP[1])).all())


def _consensus(readings: list[Seen[int]], tried: int, enough: int, least: float = 0.0) -> Seen[int]:
    """Returns the value on which all readings agree, if there are enough of them.

    The confidence is their mean, reduced by up to half where many tries read no number; `least` it must be.
    """
    if len(readings) < enough or len({reading.value for reading in readings}) != 1:
        return Seen()
    mean = sum(reading.confidence for reading in readings) / len(readings)
    sure = mean * (0.5 + 0.5 * len(readings) / tried)
    return Seen(readings[0].value, sure) if sure >= least else Seen()
