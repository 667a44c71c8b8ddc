"""Finds the cards of a timeline whose current card has a pointer below it and a life bar under the portrait.

The pointer is found by its colour and shape; its card's bar must end just above it. The other cards are
beside that card, evenly spaced and slightly lower; their side is the background colour at the portrait's
right. Without a pointer, as before the first turn, cards are found by their full life bars.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import blobs, life
from vision.extract.dofus.anchors import hsv, within
from vision.frame import Rect
from vision.profiles.hud import PointedRule, Tone
from vision.view import CardSeen, Seen, Team

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

_FILL, _BASE, _TIP = (0.42, 0.68), 0.8, 0.75
"""How much of its box a pointer fills (half is a triangle's), its base of the last rows and its tip of the
first one: 0.21 to 0.46, 0.61 to 1, 0.42 to 1 and 0.2 to 0.6 read 100 pictures alike."""
_SMALL, _FILL_SMALL = 17, 0.88
"""Below so many pixels of width compression smears a pointer's tip and sides: a card has to be above it."""

_MOSTLY = 0.6  # Of a bar that is red, of a portrait's edge that is ground; 0.15 to 0.96 are alike
_INNER = 0.8  # Of a bar's fullest row, its rows: a tenth off, one or seven of 33 pictures are read otherwise
_SHORTEST, _FLAT, _FULL = 18, (0.6, 1.5), 0.8
"""The narrowest card in pixels (9 to 27 are alike), a bar's thickness in usual ones, and how much of its box
it fills: a tenth off reads 33 pictures alike; with 0.3 or 0.9, 0.75 and 1 one to four are others."""
_BESIDE = 2
"""The nearest bars at a bar's height that tell how far apart cards are: those at its sides."""
_SHORTEST_BAR = 8
"""Fewer pixels of width may be anything red; so wide is a third of the life on the smallest cards."""
_LEAST = 6  # Pixels of width; 3 to 5 are alike
_SIZES = (0, -1, 1, -2, 2)  # Pixels off the size, the likeliest first; with 0 alone one of 33 rows is another
_ASIDE, _FIRST_ASIDE = 0.08, 0.15
"""How far a card may be from where it should, in widths, and while no distance is measured: a size by a
pointer of ten pixels is wrong by a tenth."""
_NARROW = 50
"""Narrower cards lie two to four pixels apart, which compression closes: where a bar begins tells them."""
_DIP = 0.8
"""The share of a life bar's brightness that is left at most in a gap that compression has smeared."""
_LIGHTER = 24
"""Levels by which a red portrait's ground is darker than its life bar: 98 as the game has it."""
_BEFORE = 2  # With 1 seven of 33 pictures are read otherwise, with 3 one
_PROOF = 3  # Cards; with 1 or 2 one of 33 pictures is read otherwise, up to 5 are alike
_FILLED = (0.46, 0.36)
"""Where a life bar has life while there is any to speak of, in widths left of its middle."""

_TURNED, _SHADE = 90, (3, 50, 40)
"""A turn of the hues that takes red off the ends of their scale; a shade's hues, saturations and values."""
_ALIKE = 8
"""Levels of saturation and value by which what is beside a portrait's ground is another thing."""
_STRAIGHT = 0.7  # Of a portrait's rows, or columns, that end in one line; 0.65 to 0.9: one of 1,200 differs
_LOST = (0, 2, 4, 5, 6)
"""So many pixels of a pointer's width may be too dull to be its colour: JPEG smears its edges. Of 12 pixels 5
were on two drawn screens, of 39 as many on a third."""


_BAND = 32
"""Rows of a picture whose tones are worked out at a time: a card is some two bands high."""


class Tones:
    """A picture in HSV that remembers which pixels have a tone: a row is followed in dozens of sizes.

    Args:
        hsv: uint8, shape (height, width, 3).
    """

    def __init__(self, hsv: Picture) -> None:
        self.hsv = hsv
        self.height, self.width = hsv.shape[:2]
        self._masks: dict[Tone, tuple[Picture, set[int]]] = {}

    def within(self, tone: Tone, rows: slice, columns: slice) -> Picture:
        """Returns which pixels of a part have a tone, 0 or 255; both slices have ends, none is negative."""
        if tone not in self._masks:
            self._masks[tone] = np.empty(self.hsv.shape[:2], np.uint8), set()
        mask, known = self._masks[tone]
        for band in range(rows.start // _BAND, -(-min(rows.stop, self.height) // _BAND)):
            if band not in known:
                known.add(band)
                part = slice(band * _BAND, (band + 1) * _BAND)
                mask[part] = within(self.hsv[part], tone)
        return mask[rows, columns]

    def share(self, tone: Tone, rows: slice, columns: slice) -> float:
        """Returns the share of a part's pixels that have a tone, 0 where it has no pixels."""
        part = self.within(tone, rows, columns)
        return cv2.countNonZero(part) / part.size if part.size else 0.0


def find(bgr: Picture, rule: PointedRule) -> list[CardSeen]:
    """Returns the cards, left to right; none of them is the current one while no card plays.

    There are none where more than one row is found.

    Args:
        bgr: the client area or a part of it, uint8, shape (height, width, 3).
    """
    tones = Tones(hsv(bgr))
    known: set[Rect] = set()
    for tone in (rule.pointer, _brighter(rule.pointer)):
        pointers = [box for box in pointers_in(tones.hsv, tone) if box not in known]
        known.update(pointers)
        rows = [row for row in (_row(tones, rule, box) for box in pointers) if len(row) >= 2]
        if not rows:
            ways = [(_of_one_red(tones, rule, box), box) for box in pointers]
            rows = [row for row in (_row(tones, own, box) for own, box in ways if own) if len(row) >= 2]
        if rows:
            break
    rows = rows or distinct_rows([row for row in _waiting_rows(tones, rule) if len(row) >= 2])
    return rows[0] if len(rows) == 1 else []


def _of_one_red(tones: Tones, rule: PointedRule, pointer: Rect) -> PointedRule | None:
    """Returns the rule with the very red of the life bar above a pointer, None where there is no bar.

    Red scenery about the cards is mostly of another shade.
    """
    size = pointer.width / rule.pointer_width
    left, right = (round(pointer.x + pointer.width / 2 - off * size) for off in _FILLED)
    bar = pointer.y - round((rule.rise - 1 - rule.bar_gap - rule.bar_thick / 2) * size)
    if left < 0 or bar < 0:
        return None
    line = slice(bar, bar + 1), slice(left, right)
    red = tones.hsv[line][tones.within(rule.bar, *line) > 0].astype(int)
    if len(red) < _MOSTLY * (right - left):
        return None
    red[:, 0] = (red[:, 0] + _TURNED) % 180
    hue, saturation, value = np.median(red, axis=0).astype(int).tolist()
    low, high = ((hue - _TURNED + off) % 180 for off in (-_SHADE[0], _SHADE[0]))
    least = tuple(max(0, level - off) for level, off in zip((saturation, value), _SHADE[1:], strict=True))
    most = tuple(min(255, level + off) for level, off in zip((saturation, value), _SHADE[1:], strict=True))
    return replace(rule, bar=((low, *least), (high, *most)))


def distinct_rows(rows: list[list[CardSeen]]) -> list[list[CardSeen]]:
    """Returns the rows without those that lie in a longer one: a bar that is not full gives a wrong size."""
    distinct: list[list[CardSeen]] = []
    for row in sorted(rows, key=len, reverse=True):
        if not any(_meets(row[0].box, card.box) for other in distinct for card in other):
            distinct.append(row)
    return distinct


def _meets(first: Rect, second: Rect) -> bool:
    across = min(first.right, second.right) - max(first.x, second.x)
    return across > 0 and min(first.bottom, second.bottom) > max(first.y, second.y)


def _brighter(tone: Tone) -> Tone:
    """Returns the brighter half of a tone: grass is of the darker one, and grows into what lies on it."""
    (hue, saturation, least), most = tone
    return (hue, saturation, (least + most[2]) // 2), most


def _waiting_rows(tones: Tones, rule: PointedRule) -> Iterator[list[CardSeen]]:
    """Yields the rows of cards over life bars, as while places are chosen, the widest bars first.

    Two bars of a row tell how wide its cards are, a lone one if it is full.
    """
    whole = tones.within(rule.bar, slice(0, tones.height), slice(0, tones.width))
    stats = blobs.find(whole, _SHORTEST).stats
    good = (stats[:, 2] >= _SHORTEST_BAR) & (stats[:, 4] >= _FULL * stats[:, 2] * stats[:, 3])
    bars = [Rect(*bar) for bar in sorted(stats[good, :4].tolist(), key=lambda bar: -bar[2])]
    seen: set[int] = set()
    for bar in bars:
        if bar.x in seen:
            continue
        sizes = (size for size in _sizes(rule, bar, bars) if _is_bar_of(rule, bar, size))
        rows = (_waiting(tones, rule, bar, size) for size in sizes)
        row = next((row for row in rows if len(row) >= 2), [])
        seen |= {other.x for other in bars for card in row if abs(other.x - card.box.x) <= _LEAST}
        if row:
            yield row


def _sizes(rule: PointedRule, bar: Rect, bars: Sequence[Rect]) -> Iterator[float]:
    """Yields how wide a bar's card may be: by the bars beside it, or as wide as itself."""
    level = (other for other in bars if abs(other.y - bar.y) <= 1 and abs(other.height - bar.height) <= 1)
    apart = sorted(abs(other.x - bar.x) for other in level if other.x != bar.x)
    for off in dict.fromkeys(apart[:_BESIDE]):
        yield off / rule.pitch
    yield float(bar.width)


def _is_bar_of(rule: PointedRule, bar: Rect, size: float) -> bool:
    """Returns whether a bar is as thick as a card's of a width, and no longer."""
    flat = _FLAT[0] <= size * rule.bar_thick / bar.height <= _FLAT[1]
    return flat and size >= _SHORTEST and bar.width <= (1 + _ASIDE) * size


def _waiting(tones: Tones, rule: PointedRule, bar: Rect, size: float) -> list[CardSeen]:
    """Returns the row of cards with one over a bar, walked once more as wide as its distances tell.

    One that is raised beside it plays, though its pointer is not seen.
    """
    row = _walk(tones, rule, (bar.x, bar.y - (1 + rule.bar_gap) * size, size), current=False)
    if len(row) < 2:
        return row
    wide = _width(rule, row)
    again = _walk(tones, rule, (bar.x, bar.y - (1 + rule.bar_gap) * wide, wide), current=False)
    if not again:
        return []
    row = again if len(again) >= len(row) else row
    for x in (row[0].box.x - rule.pitch * wide, row[-1].box.x + rule.pitch * wide):
        raised = Rect(round(x), round(row[0].box.y - rule.raised * wide), round(wide), round(wide))
        for left in _begins(tones, rule, raised, _ASIDE):
            whole = _walk(tones, rule, (left, raised.y, wide), current=True)
            if len(whole) > len(row):
                return whole
    return row


def _width(rule: PointedRule, row: Sequence[CardSeen]) -> float:
    """Returns how wide the cards of a row are by their distances, in pixels."""
    return (row[-1].box.x - row[0].box.x) / (len(row) - 1) / rule.pitch


def pointers_in(tones: Picture, tone: Tone) -> Iterator[Rect]:
    """Yields the boxes of triangles of a tone with a horizontal base."""
    shapes = blobs.find(within(tones, tone), _LEAST)
    wide, tall = shapes.stats[:, 2], shapes.stats[:, 3]
    fill = shapes.stats[:, 4] / (wide * tall)
    small = wide < _SMALL
    good = (wide >= _LEAST) & (wide > np.where(small, 1.2, 1.4) * tall) & (wide < 2.8 * tall)
    good &= (fill > _FILL[0]) & (fill < np.where(small, _FILL_SMALL, _FILL[1]))
    for index in np.flatnonzero(good).tolist():
        x, y, across, down = (int(value) for value in shapes.stats[index, :4])
        patch = shapes.patch(index)
        if patch[-max(2, down // 3) :].mean(axis=1).max() >= _BASE and patch[0].mean() < _TIP:
            yield Rect(x, y, across, down)


def _row(tones: Tones, rule: PointedRule, pointer: Rect) -> list[CardSeen]:
    """Returns the cards beside the one above a pointer.

    A pointer's middle may be a pixel off, and the size by it two, which add up from card to card: of the
    sizes near it that counts by which most cards are there. Where something of the life bar's colour touches
    the bar, only the pointer tells the size; three cards have to fit then. Its size is
    tried as well where another portrait follows the row that the bar's size has found.
    """
    sizes = (_size(tones, rule, pointer, pointer.width + lost) for lost in _LOST)
    by_bars = [(size, True) for size in dict.fromkeys(sizes) if size is not None]
    usual = pointer.width / rule.pointer_width
    middle = pointer.x + pointer.width / 2
    tried = [
        (middle - about / 2, about + more, by_bar)
        for about, by_bar in (*by_bars, (usual, False))
        for more in _SIZES
    ]
    best: list[CardSeen] = []
    touched = False
    for left, size, by_bar in tried:
        if by_bars and not by_bar and not best:
            break
        row = _walk(tones, rule, (left, pointer.y - rule.rise * size, size), current=True, touched=not by_bar)
        if len(row) > len(best) and (by_bar or len(row) >= _PROOF):
            best, touched = row, not by_bar
            if len(row) >= 2 and _is_whole(
                tones, rule, row, row[-1].box.y if row[0].current else row[0].box.y
            ):
                break
    if len(best) < 2:
        return best
    size = _width(rule, best)
    row = _walk(tones, rule, (middle - size / 2, pointer.y - rule.rise * size, size), True, touched)
    return row if len(row) >= len(best) or not row else best


def _is_whole(tones: Tones, rule: PointedRule, row: list[CardSeen], top: int) -> bool:
    """Returns whether nothing beyond a row's ends has the ground of a portrait."""
    size = round(_width(rule, row))
    step = round(rule.pitch * size)
    ends = [Rect(x, top, size, size) for x in (row[0].box.x - step, row[-1].box.x + step)]
    inside = [box for box in ends if box.x >= 0 and box.right <= tones.width and box.bottom <= tones.height]
    return all(_team(tones, rule, box, slice(box.y, box.bottom)) is None for box in inside)


def _walk(
    tones: Tones,
    rule: PointedRule,
    first: tuple[float, float, float],
    current: bool,
    touched: bool = False,
) -> list[CardSeen]:
    """Returns the cards beside one at a place (left, top, width), which stands higher if it is current.

    Each next one is looked for some pixels about where the one before tells, or a wrong size would add up.
    There are none where another portrait follows whose life is not read, or a card after one that the mouse
    hides: half a row is none. Places without colours between two cards are those of dead fighters.
    """
    left, top, size = first
    place = Rect(round(left), round(top), round(size), round(size))
    middle = _card(tones, rule, place, current, touched)
    if middle is None:
        return []
    row = [middle]
    lower = round(top + rule.raised * size) if current else place.y
    begins = _begins(tones, rule, place, _ASIDE)
    lefts = {0: float(begins[0]) if begins else left}
    for step in (-1, 1):
        at, count, before = lefts[0], 0, middle
        fallen: list[CardSeen] = []
        while len(row) < life.CARDS:
            count += step
            measured = _apart(lefts)
            apart = measured or rule.pitch * size
            at += step * apart
            place = Rect(round(at), lower, *(round(apart / rule.pitch),) * 2)
            last = before.box.x if step < 0 else tones.width
            left_of = before.box.x + place.width if step > 0 else 0
            begins = _begins(tones, rule, place, _ASIDE if measured else _FIRST_ASIDE)
            wide = (round((x - lefts[0]) / count / rule.pitch) for x in begins)
            boxes = (Rect(x, lower, side, side) for x, side in zip(begins, wide, strict=True))
            cards = (
                _card(tones, rule, box, False, touched=True)
                for box in boxes
                if place.width < _NARROW or not goes_on(tones, rule, box, left_of, last)
            )
            card = next((card for card in cards if card), None)
            if card is None:
                near = (place._replace(x=x) for x in begins or _around(place, _ASIDE))
                if any(
                    is_portrait(tones, rule, box, last) and not goes_on(tones, rule, box, left_of, last)
                    for box in near
                ):
                    return []
                if len(fallen) == life.MOST or not _is_dead(tones, place):
                    beyond = place._replace(x=round(at + step * apart))
                    if _is_card(tones, rule, beyond):
                        return []
                    break
                fallen.append(CardSeen(place, None, False))
                continue
            before = card
            at = lefts[count] = float(card.box.x)
            row += [*fallen, card]
            fallen = []
    return sorted(row, key=lambda card: card.box.x)


def _is_card(tones: Tones, rule: PointedRule, place: Rect) -> bool:
    """Returns whether a card begins near a place and nothing of it goes on beside it."""
    boxes = (place._replace(x=x) for x in _begins(tones, rule, place, _ASIDE))
    return any(
        _card(tones, rule, box, False, touched=True) and not goes_on(tones, rule, box, 0, tones.width)
        for box in boxes
    )


def _apart(lefts: Mapping[int, float]) -> float | None:
    """Returns how far apart cards begin, by those found at their numbers; None where that is one alone."""
    first, last = min(lefts), max(lefts)
    return (lefts[last] - lefts[first]) / (last - first) if last > first else None


def _around(place: Rect, aside: float) -> list[int]:
    """Returns where a card may begin that should be at a place, so many widths aside, nearest first."""
    far = max(2, round(aside * place.width))
    return [place.x + off for off in sorted(range(-far, far + 1), key=abs)]


def _begins(tones: Tones, rule: PointedRule, place: Rect, aside: float) -> list[int]:
    """Returns where life bars begin near a place, nearest first: their red is full again after a dip."""
    near = _around(place, aside)
    first = max(0, min(near) - 1)
    part = _bar_rows(rule, place), slice(first, max(0, max(near) + 1))
    line, red = tones.hsv[part], tones.within(rule.bar, *part) > 0
    shares = red.mean(axis=1) if red.size else np.zeros(0)
    if not shares.any():
        return []
    inner = shares >= _INNER * shares.max()
    bright = np.where(red[inner], line[inner][..., 2], 0).mean(axis=0)
    full = bright >= _DIP * bright.max()
    begins = set((np.flatnonzero(full[1:] & ~full[:-1]) + first + 1).tolist())
    return [x for x in near if x in begins]


def _bar_rows(rule: PointedRule, box: Rect) -> slice:
    """Returns the rows in which the life bar of a card at a place lies, one more above and below it."""
    gap, thick = round(rule.bar_gap * box.width), max(1, round(rule.bar_thick * box.width))
    return slice(max(0, box.bottom + gap - 1), max(0, box.bottom + gap + thick + 1))


def _is_dead(tones: Tones, box: Rect) -> bool:
    """Returns whether a place has no colours: a dead fighter's card, if another card follows."""
    if min(box.x, box.y) < 0 or box.right > tones.width or box.bottom > tones.height:
        return False
    return life.is_greyed(tones.hsv[box.y : box.bottom, box.x : box.right])


def _size(tones: Tones, rule: PointedRule, pointer: Rect, wide: int) -> float | None:
    """Returns a card's width by the left end of the life bar above a pointer `wide` pixels wide.

    Red scenery may lie further left. None without a bar, or with one that begins further left than for a
    pointer of that width.
    """
    usual, middle = wide / rule.pointer_width, pointer.x + pointer.width / 2
    left, right = round(middle - 0.6 * usual), round(middle)
    bar = pointer.y - round((rule.rise - 1 - rule.bar_gap - rule.bar_thick / 2) * usual)
    if left < 0 or bar < 1:
        return None
    line = tones.within(rule.bar, slice(bar - 1, bar + 2), slice(left, right)) > 0
    red = np.flatnonzero(line.mean(axis=0) >= _MOSTLY)
    red = red[np.append(-1, np.flatnonzero(np.diff(red) > 1))[-1] + 1 :]
    return 2 * (middle - left - float(red[0])) if red.size and 0 < red[0] < 0.2 * usual else None


def _card(
    tones: Tones, rule: PointedRule, box: Rect, current: bool, touched: bool = False
) -> CardSeen | None:
    """Returns the card at a place, None where there is none; its bar begins there unless `touched`."""
    rows = _bar_rows(rule, box)
    if min(box.x, box.y) < 0 or box.right > tones.width or rows.stop > tones.height:
        return None
    team = _team(tones, rule, box, _inner_rows(box))
    before = slice(max(0, box.x - _BEFORE - 1), max(0, box.x - _BEFORE + 1))
    if team is None or (not touched and _is_red(tones.within(rule.bar, rows, before))):
        return None
    share = _life(tones.within(rule.bar, rows, slice(box.x, box.right)) > 0)
    return CardSeen(box, team, current, share) if share and _is_lighter(tones, rule, box) else None


def _is_lighter(tones: Tones, rule: PointedRule, box: Rect) -> bool:
    """Returns whether a life bar is lighter than its portrait's ground; of red scenery both are alike."""
    ground = _inner_rows(box), slice(box.right - box.width // 6, box.right)
    if tones.share(rule.bar, *ground) < 1 - _MOSTLY:
        return True
    bar = _bar_rows(rule, box), slice(box.x, box.right)
    red = tones.within(rule.bar, *bar) > 0
    lighter = np.median(tones.hsv[bar][red][:, 2]) - np.median(tones.hsv[ground][..., 2])
    return float(lighter) >= _LIGHTER


def is_portrait(tones: Tones, rule: PointedRule, box: Rect, last: int) -> bool:
    """Returns whether a place has the ground of a side's portrait with straight edges, and none about it.

    A pond of that colour goes on where a card has its life bar, and a wall up to the next card, which begins
    in the column `last`; a flag is cut aslant.
    """
    gap = min(max(2, round((rule.pitch - 1) * box.width)), last - box.right)
    if min(box.x, box.y) < 0 or gap < 2 or box.right + gap > tones.width or box.bottom > tones.height:
        return False
    rows = _inner_rows(box)
    team = _team(tones, rule, box, rows)
    if team is None:
        return False
    tone = rule.sides[team]
    low, end = (round(box.bottom + off * box.width) for off in (rule.bar_gap, rule.bar_gap + rule.bar_thick))
    if tones.share(tone, slice(low, max(low + 1, end)), slice(box.x, box.right)) >= _MOSTLY:
        return False
    above = tones.within(
        tone, slice(max(0, box.y - gap), box.y), slice(box.right - box.width // 4, box.right)
    )
    if above.size and (above > 0).mean(axis=1).min() >= 1 - _MOSTLY:
        return False
    return _has_edges(tones, tone, box, gap)


def _has_edges(tones: Tones, tone: Tone, box: Rect, gap: int) -> bool:
    """Returns whether a portrait's ground ends in one column at its right, and in one row above or below.

    Scenery of that colour does so only by chance: a flag is cut aslant, and its rows go on to the next card
    though it is lower than that.

    Args:
        gap: how many columns beyond the place are looked at, not those of the next card.
    """
    far, edge = max(2, round(_ASIDE * box.width)), _edge(box)
    right = tones.within(tone, _inner_rows(box), slice(edge.stop - far, box.right + gap))
    above = tones.within(tone, slice(max(0, box.y - far), box.y + far + 1), edge)
    below = tones.within(tone, slice(box.bottom - far - 1, box.bottom + far), edge)
    return _ends_in_a_line(right > 0) and (_ends_in_a_line(above[::-1].T > 0) or _ends_in_a_line(below.T > 0))


def _ends_in_a_line(ground: Flags) -> bool:
    """Returns whether most rows that begin with ground end in the same column, and not at the last one."""
    ground = ground[ground[:, 0]]
    ends = np.where(ground.all(axis=1), ground.shape[1], ground.argmin(axis=1))
    if not ends.size or np.median(ends) == ground.shape[1]:
        return False
    return bool((np.abs(ends - np.median(ends)) <= 1).mean() >= _STRAIGHT)


def goes_on(tones: Tones, rule: PointedRule, box: Rect, first: int, last: int) -> bool:
    """Returns whether what is at a side of a place goes on beyond it: scenery of a side's colour.

    The card before it ends in the column `first`, the next one begins in `last`, and neither right beside it.
    """
    gap = max(2, round((rule.pitch - 1) * box.width))
    if last - box.right < gap / 2 or box.x - first < gap / 4:
        return True
    rows = _inner_rows(box)
    right = slice(max(0, box.right - 1), max(0, min(box.right + gap, last)))
    left = slice(max(box.x - gap, first, 0), max(0, box.x + 1))
    inside = slice(box.right - gap, box.right - 1), slice(box.x + 1, box.x + gap)
    beside = slice(box.right + 1, right.stop), slice(left.start, max(0, box.x - 1))
    return any(
        _is_one_thing(tones, rule, rows, outer, inner) and not _has_a_gap(tones, rule, rows, edge)
        for edge, outer, inner in zip((right, left), beside, inside, strict=True)
    )


def _inner_rows(box: Rect) -> slice:
    """Returns the rows of a portrait without those at its upper and lower edge."""
    return slice(max(0, box.y + box.height // 8), max(0, box.bottom - box.height // 8))


def _has_a_gap(tones: Tones, rule: PointedRule, rows: slice, edge: slice) -> bool:
    """Returns whether a column of a card's edge has no side's ground: small cards lie two pixels apart."""
    grounds = [tones.within(tone, rows, edge) for tone in rule.sides.values()]
    if not grounds[0].size:
        return False
    return bool(np.max([(ground > 0).mean(axis=0) for ground in grounds], axis=0).min() < 1 - _MOSTLY)


def _is_one_thing(tones: Tones, rule: PointedRule, rows: slice, outer: slice, inner: slice) -> bool:
    """Returns whether what is beside a place, of a side's colour, is the same as what is inside it."""
    beside, inside = tones.hsv[rows, outer], tones.hsv[rows, inner]
    if not beside.size or not inside.size:
        return False
    if all(tones.share(tone, rows, outer) < _MOSTLY for tone in rule.sides.values()):
        return False
    apart = np.abs(beside[..., 1:].mean(axis=1) - inside[..., 1:].mean(axis=1)).max(axis=1)
    return bool(np.median(apart) < _ALIKE)


def _is_red(strip: Picture) -> bool:
    """Returns whether some columns before a life bar are of its colour (not 0): it begins before its card."""
    return bool(strip.size) and bool((strip > 0).mean(axis=0).max() >= _MOSTLY)


def _team(tones: Tones, rule: PointedRule, box: Rect, rows: slice) -> Team | None:
    """Returns the side by the background at the right of a portrait, None where none matches."""
    for team, tone in rule.sides.items():
        if tones.share(tone, rows, _edge(box)) >= _MOSTLY:
            return team
    return None


def _edge(box: Rect) -> slice:
    """Returns the columns at the right of a portrait, in which its ground is seen beside who is on it."""
    return slice(max(0, box.right - box.width // 6), max(0, box.right - 1))


def _life(mask: Flags) -> Seen[float]:
    """Returns the filled share of a bar; rows beside it, and its smeared edges, do not count."""
    rows = mask.mean(axis=1)
    return life.filled(mask[rows >= _INNER * rows.max()].mean(axis=0) >= _MOSTLY, mask.shape[1])
