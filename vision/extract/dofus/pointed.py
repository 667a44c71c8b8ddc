"""Finds the cards of a timeline whose current card has a pointer below it and a life bar under the portrait.

The pointer is found by its colour and shape; its card's bar must end just above it. The other cards are
beside that card, evenly spaced and slightly lower; their side is the background colour at the portrait's
right. Without a pointer, as before the first turn, cards are found by their full life bars.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.extract.dofus import blobs, dead
from vision.extract.dofus.anchors import hsv, within
from vision.frame import Rect
from vision.profiles.hud import PointedRule, Tone
from vision.view import CardSeen, Seen, Team

Picture = npt.NDArray[np.uint8]

_FILL = (0.42, 0.68)
_BASE, _TIP = 0.85, 0.4
_SMALL, _FILL_SMALL, _BASE_SMALL, _TIP_SMALL = 17, 0.88, 0.8, 0.75
"""Below so many pixels of width compression smears a pointer's tip and sides: a card has to be above it."""

_RED = 0.6
_GROUND = 0.6
_INNER = 0.8
_SHORTEST, _FLAT, _FULL = 18, (0.6, 1.5), 0.8
_MOST = 24
_LEAST = 6
_SIZES = (0, -1, 1, -2, 2)
_ASIDE = 0.08
_BEFORE = 2
_PROOF = 3
_FILLED = (0.46, 0.36)
"""Where a life bar has life while there is any to speak of, in widths left of its middle."""

_TURNED, _SHADE = 90, (3, 50, 40)
"""A turn of the hues that takes red off the ends of their scale; a shade's hues, saturations and values."""
_ALIKE = 8
"""Levels of saturation and value by which what is beside a portrait's ground is another thing."""
_LOST = (0, 2, 4, 5, 6)
"""So many pixels of a pointer's width may be too dull to be its colour: JPEG smears its edges. Of 12 pixels 5
were on two drawn screens, of 39 as many on a third."""


def find(bgr: Picture, rule: PointedRule) -> list[CardSeen]:
    """Returns the cards, left to right; none of them is the current one while no card plays.

    There are none where more than one row is found.

    Args:
        bgr: the client area or a part of it, uint8, shape (height, width, 3).
        rule: the timeline's rules.
    """
    tones = hsv(bgr)
    for tone in (rule.pointer, _brighter(rule.pointer)):
        pointers = list(pointers_in(tones, tone))
        rows = [row for row in (_row(tones, rule, box) for box in pointers) if len(row) >= 2]
        if not rows:
            ways = [(_of_one_red(tones, rule, box), box) for box in pointers]
            rows = [row for row in (_row(tones, own, box) for own, box in ways if own) if len(row) >= 2]
        if rows:
            break
    rows = rows or distinct_rows([row for row in _waiting_rows(tones, rule) if len(row) >= 2])
    return rows[0] if len(rows) == 1 else []


def _of_one_red(tones: Picture, rule: PointedRule, pointer: Rect) -> PointedRule | None:
    """Returns the rule with the very red of the life bar above a pointer, None where there is no bar.

    Red scenery about the cards is mostly of another shade.
    """
    size = pointer.width / rule.pointer_width
    left, right = (round(pointer.x + pointer.width / 2 - off * size) for off in _FILLED)
    bar = pointer.y - round((rule.rise - 1 - rule.bar_gap - rule.bar_thick / 2) * size)
    if left < 0 or bar < 0:
        return None
    line = tones[bar : bar + 1, left:right]
    red = line[within(line, rule.bar) > 0].astype(int)
    if len(red) < _RED * (right - left):
        return None
    red[:, 0] = (red[:, 0] + _TURNED) % 180
    hue, saturation, value = np.median(red, axis=0).astype(int).tolist()
    low, high = ((hue - _TURNED + off) % 180 for off in (-_SHADE[0], _SHADE[0]))
    least = tuple(max(0, level - off) for level, off in zip((saturation, value), _SHADE[1:], strict=True))
    most = tuple(min(255, level + off) for level, off in zip((saturation, value), _SHADE[1:], strict=True))
    return replace(rule, bar=((low, *least), (high, *most)))


def distinct_rows(rows: list[list[CardSeen]]) -> list[list[CardSeen]]:
    """Returns the rows without those that lie in a longer one: a bar that is not full gives a wrong size."""
    kept: list[list[CardSeen]] = []
    for row in sorted(rows, key=len, reverse=True):
        if not any(_meets(row[0].box, card.box) for other in kept for card in other):
            kept.append(row)
    return kept


def _meets(one: Rect, other: Rect) -> bool:
    """Returns whether two boxes overlap."""
    across = min(one.right, other.right) - max(one.x, other.x)
    return across > 0 and min(one.bottom, other.bottom) > max(one.y, other.y)


def _brighter(tone: Tone) -> Tone:
    """Returns the brighter half of a tone: grass is of the darker one, and grows into what lies on it."""
    (hue, saturation, least), most = tone
    return (hue, saturation, (least + most[2]) // 2), most


def _waiting_rows(tones: Picture, rule: PointedRule) -> Iterator[list[CardSeen]]:
    """Yields the rows of cards over full life bars, as while places are chosen, the widest bars first."""
    stats = blobs.find(within(tones, rule.bar), _SHORTEST).stats
    flat = stats[:, 2] * rule.bar_thick / stats[:, 3]
    good = (stats[:, 2] >= _SHORTEST) & (flat >= _FLAT[0]) & (flat <= _FLAT[1])
    good &= stats[:, 4] >= _FULL * stats[:, 2] * stats[:, 3]
    seen: set[int] = set()
    for x, y, wide, _ in sorted(stats[good, :4].tolist(), key=lambda bar: -bar[2]):
        if x in seen:
            continue
        row = _walk(tones, rule, (float(x), y - (1 + rule.bar_gap) * wide, float(wide)), current=False)
        seen |= {x for x in stats[good, 0].tolist() for card in row if abs(x - card.box.x) <= _LEAST}
        yield row


def pointers_in(tones: Picture, tone: Tone) -> Iterator[Rect]:
    """Yields the boxes of triangles of a tone with a horizontal base."""
    found = blobs.find(within(tones, tone), _LEAST)
    wide, tall = found.stats[:, 2], found.stats[:, 3]
    fill = found.stats[:, 4] / (wide * tall)
    small = wide < _SMALL
    good = (wide >= _LEAST) & (wide > np.where(small, 1.2, 1.4) * tall) & (wide < 2.8 * tall)
    good &= (fill > _FILL[0]) & (fill < np.where(small, _FILL_SMALL, _FILL[1]))
    for index in np.flatnonzero(good).tolist():
        x, y, across, down = (int(value) for value in found.stats[index, :4])
        patch = found.patch(index)
        base, tip = (_BASE_SMALL, _TIP_SMALL) if small[index] else (_BASE, _TIP)
        if patch[-max(2, down // 3) :].mean(axis=1).max() >= base and patch[0].mean() < tip:
            yield Rect(x, y, across, down)


def _row(tones: Picture, rule: PointedRule, pointer: Rect) -> list[CardSeen]:
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
    for left, size, by_bar in tried:
        if by_bars and not by_bar and not best:
            break
        place = left, pointer.y - rule.rise * size, size
        row = _walk(tones, rule, place, current=True, touched=not by_bar)
        best = row if len(row) > len(best) and (by_bar or len(row) >= _PROOF) else best
        if (
            best is row
            and len(row) >= 2
            and _is_whole(tones, rule, row, row[-1].box.y if row[0].current else row[0].box.y)
        ):
            break
    return best


def _is_whole(tones: Picture, rule: PointedRule, row: list[CardSeen], top: int) -> bool:
    """Returns whether nothing beyond a row's ends has the ground of a portrait."""
    size = row[0].box.width
    step = round(rule.pitch * size)
    ends = [Rect(x, top, size, size) for x in (row[0].box.x - step, row[-1].box.x + step)]
    inside = [
        box for box in ends if box.x >= 0 and box.right <= tones.shape[1] and box.bottom <= tones.shape[0]
    ]
    return all(_team(tones[box.y : box.bottom, box.x : box.right], rule) is None for box in inside)


def _walk(
    tones: Picture,
    rule: PointedRule,
    first: tuple[float, float, float],
    current: bool,
    touched: bool = False,
) -> list[CardSeen]:
    """Returns the cards beside one at a place (left, top, width), which stands higher if it is current.

    Each next one is looked for some pixels about where the one before tells, or a wrong size would add up.
    There are none where another portrait follows whose life is not read: half a row is none. Places without
    colours between two cards are those of dead fighters.
    """
    left, top, size = first
    place = Rect(round(left), round(top), round(size), round(size))
    middle = _card(tones, rule, place, current, touched)
    if middle is None:
        return []
    found = [middle]
    far = max(2, round(_ASIDE * size))
    aside = sorted(range(-far, far + 1), key=abs)
    lower = round(top + rule.raised * size) if current else place.y
    for step in (-1, 1):
        at = left
        fallen: list[CardSeen] = []
        while len(found) < _MOST:
            at += step * rule.pitch * size
            boxes = [Rect(round(at) + off, lower, place.width, place.width) for off in aside]
            last = found[-1].box.x if step < 0 else tones.shape[1]
            left_of = found[-1].box.right if step > 0 else 0
            boxes = [box for box in boxes if not goes_on(tones, rule, box, left_of, last)]
            card = next((card for card in (_card(tones, rule, box, False) for box in boxes) if card), None)
            if card is None:
                if any(is_portrait(tones, rule, box, last) for box in boxes):
                    return []
                place = Rect(round(at), lower, place.width, place.width)
                if len(fallen) == dead.MOST or not _is_dead(tones, place):
                    break
                fallen.append(CardSeen(place, None, False))
                continue
            at += card.box.x - round(at)
            found += [*fallen, card]
            fallen = []
    return sorted(found, key=lambda card: card.box.x)


def _is_dead(tones: Picture, box: Rect) -> bool:
    """Returns whether a place has no colours: a dead fighter's card, if another card follows."""
    if min(box.x, box.y) < 0 or box.right > tones.shape[1] or box.bottom > tones.shape[0]:
        return False
    return dead.is_greyed(tones[box.y : box.bottom, box.x : box.right])


def _size(tones: Picture, rule: PointedRule, pointer: Rect, wide: int) -> float | None:
    """Returns a card's width by the left end of the life bar above a pointer `wide` pixels wide.

    Red scenery may lie further left. None without a bar, or with one that begins further left than for a
    pointer of that width.
    """
    usual, middle = wide / rule.pointer_width, pointer.x + pointer.width / 2
    left, right = round(middle - 0.6 * usual), round(middle)
    bar = pointer.y - round((rule.rise - 1 - rule.bar_gap - rule.bar_thick / 2) * usual)
    if left < 0 or bar < 1:
        return None
    line = within(tones[bar - 1 : bar + 2, left:right], rule.bar) > 0
    red = np.flatnonzero(line.mean(axis=0) >= _RED)
    red = red[np.append(-1, np.flatnonzero(np.diff(red) > 1))[-1] + 1 :]
    return 2 * (middle - left - float(red[0])) if red.size and 0 < red[0] < 0.2 * usual else None


def _card(
    tones: Picture, rule: PointedRule, box: Rect, current: bool, touched: bool = False
) -> CardSeen | None:
    """Returns the card at a place, None where there is none; its bar begins there unless `touched`."""
    gap, thick = round(rule.bar_gap * box.width), max(1, round(rule.bar_thick * box.width))
    top, end = box.bottom + gap - 1, box.bottom + gap + thick + 1
    if min(box.x, box.y) < 0 or box.right > tones.shape[1] or end > tones.shape[0]:
        return None
    team = _team(tones[box.y + box.height // 8 : box.bottom - box.height // 8, box.x : box.right], rule)
    before = max(0, box.x - _BEFORE - 1), max(0, box.x - _BEFORE + 1)
    if team is None or (not touched and _is_red(tones[top:end, slice(*before)], rule)):
        return None
    life = _life(tones[top:end, box.x : box.right], rule)
    return CardSeen(box, team, current, life) if life else None


def is_portrait(tones: Picture, rule: PointedRule, box: Rect, last: int) -> bool:
    """Returns whether a place has the ground of a side's portrait, and none of it beside and below it.

    A pond of that colour goes on where a card has its life bar, and a wall up to the next card, which begins
    in the column `last`.
    """
    gap = min(max(2, round((rule.pitch - 1) * box.width)), last - box.right)
    if min(box.x, box.y) < 0 or gap < 2 or box.right + gap > tones.shape[1] or box.bottom > tones.shape[0]:
        return False
    rows = slice(box.y + box.height // 8, box.bottom - box.height // 8)
    team = _team(tones[rows, box.x : box.right], rule)
    if team is None:
        return False
    beside = tones[rows, box.right : box.right + gap]
    low, end = (round(box.bottom + off * box.width) for off in (rule.bar_gap, rule.bar_gap + rule.bar_thick))
    below = tones[low : max(low + 1, end), box.x : box.right]
    if below.size and (within(below, rule.sides[team]) > 0).mean() >= _GROUND:
        return False
    return bool((within(beside, rule.sides[team]) > 0).mean(axis=0).min() < 1 - _GROUND)


def goes_on(tones: Picture, rule: PointedRule, box: Rect, first: int, last: int) -> bool:
    """Returns whether what is at a side of a place goes on beyond it: scenery of a side's colour.

    The card before it ends in the column `first`, the next one begins in `last`, and neither right beside it.
    """
    gap = max(2, round((rule.pitch - 1) * box.width))
    if last - box.right < gap / 2 or box.x - first < gap / 4:
        return True
    rows = slice(box.y + box.height // 8, box.bottom - box.height // 8)
    right = (
        tones[rows, box.right + 1 : min(box.right + gap, last)],
        tones[rows, box.right - gap : box.right - 1],
    )
    left = tones[rows, max(box.x - gap, first, 0) : max(0, box.x - 1)], tones[rows, box.x + 1 : box.x + gap]
    return any(_is_one_thing(rule, beside, inside) for beside, inside in (right, left))


def _is_one_thing(rule: PointedRule, beside: Picture, inside: Picture) -> bool:
    """Returns whether what is beside a place, of a side's colour, is the same as what is inside it."""
    if not beside.size or not inside.size:
        return False
    if all((within(beside, tone) > 0).mean() < _GROUND for tone in rule.sides.values()):
        return False
    apart = np.abs(beside[..., 1:].mean(axis=1) - inside[..., 1:].mean(axis=1)).max(axis=1)
    return bool(np.median(apart) < _ALIKE)


def _is_red(strip: Picture, rule: PointedRule) -> bool:
    """Returns whether some columns before a life bar are of its colour: it begins before its card."""
    if not strip.size:
        return False
    mask = within(strip, rule.bar) > 0
    return bool(mask.mean(axis=0).max() >= _RED)


def _team(portrait: Picture, rule: PointedRule) -> Team | None:
    """Returns the side by the background at the right of a portrait, None where none matches."""
    wide = portrait.shape[1]
    strip = portrait[:, wide - wide // 6 : wide - 1]
    for team, tone in rule.sides.items():
        if (within(strip, tone) > 0).mean() >= _GROUND:
            return team
    return None


def _life(bar: Picture, rule: PointedRule) -> Seen[float]:
    """Returns the filled share of a bar; None unless it is red from its left end without a gap.

    Rows beside the bar, and its smeared edges, do not count.
    """
    mask = within(bar, rule.bar) > 0
    rows = mask.mean(axis=1)
    wide = mask.shape[1]
    red = np.flatnonzero(mask[rows >= _INNER * rows.max()].mean(axis=0) >= _RED)
    if not red.size or red[0] > 0.06 * wide + 1 or red.size < 0.95 * (red[-1] - red[0] + 1):
        return Seen()
    share = (red[-1] + 1 - red[0]) / wide
    return Seen(1.0 if share >= 1 - 2.5 / wide else float(share), 0.9)
