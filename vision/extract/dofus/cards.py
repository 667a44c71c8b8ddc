"""Finds the timeline's cards of a real client, left to right: their sides, the current one, and the life.

Cards are equally wide and evenly spaced. Those with a clear life bar are found first; then the row is
followed to both sides, which finds fighters with almost no life. The current card has either a bright frame
(life bar beside the portrait) or a pointer below (life bar under the portrait,
`vision.extract.dofus.pointed`), or a bar at its other side (`vision.extract.dofus.barred`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median_low

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import barred, blobs, life, pointed
from vision.extract.dofus.anchors import HudAnchor, hsv, within
from vision.extract.dofus.search import crop
from vision.frame import Rect
from vision.profiles.fields import RGB
from vision.profiles.hud import BarredRule, FramedRule, PointedRule, TimelineRule
from vision.view import CardSeen, Seen, Team

Picture = npt.NDArray[np.uint8]

_NEAR = 20  # Levels about a colour of the profile; with 24 seven of 119 pictures are read otherwise
_BAR_NEAR = 48  # Of a life bar's red, which its white edge shines into
_THIN, _WIDEST = 2, 64
"""A life bar's width in pixels, at least and at most."""

_BACKED = 0.25  # Of a portrait and its right edge that shows its ground; up to 0.55 nine pictures are alike
_FRAMED = 0.6  # Of a line that has the frame's colour; 0.15 to 0.96 read them alike
_NARROW = (0.72, 1.06)  # A portrait's width over its height: the profile's bar and portrait make a square
_TALL = 1.15
"""A portrait's height in widths, where scenery of its ground's colour goes on above it."""
_GROWN = 1.08  # By the median portrait; a tenth more or less, and of nine pictures one is read otherwise
_PITCH = 1.354
"""How far apart cards are, in widths of a portrait: with a tenth less nine of 100 pictures are others, with a
tenth more two."""
_WIDER = (0.96, 1.04, 0.92, 1.08)
"""Distances to the only other card, in usual ones, where its life is too low for its bar to be found."""
_RAISED, _OFF_FRAME = 0.23, 0.15
"""How much higher who plays stands, in sizes of a card (a tenth off, two of 100 pictures are read otherwise),
and how far to its sides the middle of its frame is looked for, in widths: without, 4 of 75 drawn screens of
Unity are read otherwise."""
_FAR = 8
"""How many places away who plays is searched where no distance is measured."""
_WHITE = 170  # The least channel of a bar's white edge; 128 to 187 are alike
_RED = 55  # Levels that a bar is redder; a tenth more or less, and of nine pictures one is read otherwise
_VIOLET = 35
"""Levels by which a shield's bar, right of the life bar, is bluer than green, and no less red: its edge,
smeared over a low life bar, has 40; an own card's ground 27, and it is greener than red."""
_SLACK = 0.1  # A portrait's heights beyond a bar's ends that are looked at; 0.05 to 0.16 are alike
_BARRED = 0.8  # Of the rows at a portrait's left that a bar has; up to 0.88 is alike
_MOSTLY_WHITE = 0.5
"""A life bar has a white upper edge of 2 to 5 pixels, a tenth of small bars; snow is white all along."""
_FOOT_OFF = 2
"""How many pixels a portrait's foot may be from that of its life bar."""


@dataclass(frozen=True, slots=True)
class _Seed:
    """A portrait beside a life bar: its box, its side."""

    box: Rect
    team: Team


def find(bgr: Picture, rule: TimelineRule, anchor: HudAnchor, before: Sequence[Rect] = ()) -> list[CardSeen]:
    """Returns the cards, left to right; none where more than one of them is the current one.

    None of them is only where a row without a current card is known for one, as before the first turn.

    Args:
        bgr: the client area or a part of it, uint8, shape (height, width, 3).
        anchor: the HUD's anchor in that part.
        before: where cards were before; they tell where a row of fighters with almost no life may be.
    """
    if isinstance(rule, BarredRule):
        row = barred.find(bgr, rule, anchor)
    else:
        row = pointed.find(bgr, rule) if isinstance(rule, PointedRule) else _framed_row(bgr, rule, before)
    playing = sum(card.current for card in row)
    return row if playing == 1 or (not playing and not isinstance(rule, FramedRule)) else []


def _framed_row(bgr: Picture, rule: FramedRule, before: Sequence[Rect]) -> list[CardSeen]:
    """Returns the cards beside the framed one; none unless there are two or more."""
    boxes = of_one_size([seed.box for seed in sorted(seeds_in(bgr, rule), key=lambda seed: seed.box.x)])
    if not boxes and before:
        foot = max(box.bottom for box in before)  # who played stood higher
        boxes = [box._replace(y=foot - box.height) for box in before]
    first = _current(bgr, rule, boxes)
    if first is None:
        return []
    low = [box for box in boxes if _is_beside(box, first)]
    sizes = [(first.width, first.height), *((box.width, box.height) for box in low)]
    wide, tall = (round(float(np.median(side))) for side in zip(*sizes, strict=True))
    square = round(tall * (1 - rule.bar_width))
    tried = dict.fromkeys(
        Rect(first.x, y, across, tall) for across in (wide, square) for y in (first.bottom - tall, first.y)
    )
    ways = [(place, closer, 1.0) for closer in rule.closer for place in tried]
    if len(boxes) == 1:  # nothing tells how far apart they are: a wrong distance finds some of them at most
        ways += [(*way[:2], wider) for wider in _WIDER for way in ways]
    row = _longest(bgr, rule, low, ways)
    return sorted(row, key=lambda card: card.box.x) if len(row) >= 2 else []


def of_one_size(boxes: list[Rect]) -> list[Rect]:
    """Returns portraits, of which those that scenery of their ground's colour has made larger are cut."""
    if not boxes:
        return []
    wide, tall = median_low(box.width for box in boxes), median_low(box.height for box in boxes)
    grown = [box.width > _GROWN * wide or box.height > _GROWN * tall for box in boxes]
    return [
        Rect(box.x, box.bottom - tall, wide, tall) if large else box
        for box, large in zip(boxes, grown, strict=True)
    ]


def _longest(
    bgr: Picture, rule: FramedRule, low: list[Rect], ways: list[tuple[Rect, float, float]]
) -> list[CardSeen]:
    """Returns the longest row of several ways to follow it: the current portrait, how much nearer to each
    other the others stand, in its widths, and how much wider apart than usual they do.
    """
    rows = (_walk(bgr, rule, place, low, closer * place.width, wider) for place, closer, wider in ways)
    return max(rows, key=len)


def _walk(
    bgr: Picture, rule: FramedRule, first: Rect, low: list[Rect], closer: float, wider: float
) -> list[CardSeen]:
    """Returns the cards of a row, the current one's portrait being at a place, in no order.

    Args:
        first: the portrait of the current card. Its foot is hidden where the time left is drawn over it, and
            the right edge of others where its frame touches them: so several places are tried.
        low: other portraits in its row.
        closer: how many pixels nearer to each other the others stand than to the current one.
        wider: how far the current card's neighbour is, in usual distances, where no other portrait is found.
    """
    size = round(first.width / (1 - rule.bar_width))
    foot = float(np.median([box.bottom for box in low])) if low else first.bottom + _RAISED * size
    tops = (first.y, round(foot) - first.height)
    pitch = wider * _pitch(first, low, closer)
    first = first._replace(x=_straightened(first, low, pitch, closer))
    row: list[CardSeen] = []
    for step in (-1, 1):
        fallen: list[CardSeen] = []
        for count in range(1 if step > 0 else 0, life.CARDS):
            x = round(first.x + step * _offset(count, pitch, closer))
            card = _card(bgr, rule, Rect(x, 0, first.width, size), tops)
            place = Rect(x, tops[1], first.width, first.height)
            if card is not None:
                row += [*fallen, card]
                fallen = []
            elif (
                row
                and len(fallen) < life.MOST
                and _inside(bgr, place)
                and life.is_greyed(hsv(crop(bgr, place)))
            ):
                fallen.append(CardSeen(place, None, False))
            else:
                break
    return row


def _current(bgr: Picture, rule: FramedRule, boxes: list[Rect]) -> Rect | None:
    """Returns the portrait with the frame, None where there is none.

    Its own life bar may be too low to be found: then it is searched beside the other portraits.
    """
    for box in boxes:
        if _is_framed(bgr, box, rule):
            return box
    pitch = _apart(boxes)
    steps: list[float] = [*range(1, life.CARDS)]
    if len(boxes) == 1:
        steps += [count * wider for count in range(1, _FAR) for wider in _WIDER]
    for step in steps:
        for box in boxes:
            raised = box.bottom - round((1 + _RAISED) * box.width / (1 - rule.bar_width))
            for x in (box.x + step * pitch * box.width, box.x - step * pitch * box.width):
                place = box._replace(x=round(x), y=raised)
                if place.x >= 0 and raised >= 0 and _is_framed(bgr, place, rule):
                    return _centred(bgr, place, rule)
    return None


def _centred(bgr: Picture, place: Rect, rule: FramedRule) -> Rect:
    """Returns a framed portrait's box moved to the middle of where it looks framed, to a pixel or two."""
    far = round(_OFF_FRAME * place.width)
    tried = (place._replace(x=place.x + off) for off in range(-far, far + 1))
    framed = [box for box in tried if box.x >= 0 and _is_framed(bgr, box, rule)]
    return framed[len(framed) // 2]


def _apart(boxes: list[Rect]) -> float:
    """Returns the pitch of cards in widths of a portrait, measured between them if there are several."""
    apart = [(right.x - left.x) / left.width for left, right in pairwise(boxes)]
    steps = [away / max(1, round(away / _PITCH)) for away in apart]
    return float(np.median(steps)) if steps else _PITCH


def _is_beside(box: Rect, first: Rect) -> bool:
    """Returns whether a portrait stands in the row of the raised one."""
    lower, apart = box.bottom - first.bottom, abs(box.x - first.x)
    if apart < first.width / 2:
        return False
    return abs(box.width - first.width) <= 0.2 * first.width and 0.1 < lower / first.width < 0.6


def _offset(count: int, pitch: float, closer: float) -> float:
    """Returns how far the card `count` places beside the current one is from it, in pixels."""
    return count * pitch - max(0, count - 1) * closer


def _count(offset: float, pitch: float, closer: float) -> int:
    """Returns how many places beside the current card one is, by its distance in pixels."""
    return max(1, 1 + round((offset - pitch) / (pitch - closer)))


def _pitch(first: Rect, others: list[Rect], closer: float) -> float:
    """Returns how far the current card's neighbour is in pixels, measured on the found ones if any."""
    usual = _PITCH * first.width
    measured = []
    for box in others:
        offset = abs(box.x - first.x)
        places = _count(offset, usual, closer)
        measured.append((offset + (places - 1) * closer) / places)
    return float(np.median(measured)) if measured else usual


def _straightened(first: Rect, others: list[Rect], pitch: float, closer: float) -> int:
    """Returns where a portrait begins by all of its row: its own left edge may be a pixel off."""
    lefts = [first.x]
    for box in others:
        away = box.x - first.x
        offset = _offset(_count(abs(away), pitch, closer), pitch, closer)
        lefts.append(round(box.x - (offset if away > 0 else -offset)))
    return round(float(np.median(lefts)))


def _card(bgr: Picture, rule: FramedRule, box: Rect, tops: tuple[int, int]) -> CardSeen | None:
    """Returns the card at a place of the row, None where there is none.

    Args:
        box: its portrait's left, width and height.
        tops: where its portrait begins, if it is the current card and if it is not.
    """
    for current, top in zip((True, False), tops, strict=True):
        place = Rect(box.x, top, box.width, box.height)
        if not _inside(bgr, place):
            continue
        for team, colour in rule.sides.items():
            backed = _like(crop(bgr, place), colour) > 0
            if backed.mean() < _BACKED or backed[:, -max(1, box.width // 8) :].mean() < _BACKED:
                continue
            if current != _is_framed(bgr, place, rule) or not is_barred(bgr, rule, place, colour):
                continue
            if life.is_greyed(hsv(crop(bgr, place))):
                continue
            return CardSeen(place, team, current, _life(bgr, rule, place))
    return None


def _inside(bgr: Picture, box: Rect) -> bool:
    return box.x >= box.height // 5 and box.y >= 0 and box.right < bgr.shape[1] and box.bottom <= bgr.shape[0]


def is_barred(bgr: Picture, rule: FramedRule, box: Rect, ground: RGB) -> bool:
    """Returns whether a life bar stands at the left of a portrait: red, white, or its ground darkened.

    Its edge alone is white. A shield's bar beside it may reach into it by a pixel.
    """
    column = _column(bgr, rule, box, 0).astype(int)
    if not column.size:
        return False
    red = column[..., 2] - column[..., :2].max(axis=2) >= _RED
    empty = np.abs(column - np.array(ground[::-1]) // 2).max(axis=2) <= _NEAR
    violet = (column[..., 0] - column[..., 1] >= _VIOLET) & (column[..., 2] >= column[..., 1])
    white = column.min(axis=2) >= _WHITE
    seen = red | empty | violet | white
    if (white.mean(axis=1) >= 0.5).mean() > _MOSTLY_WHITE:
        return False
    return bool((seen.mean(axis=1) >= 0.5).mean() >= _BARRED)


def _column(bgr: Picture, rule: FramedRule, box: Rect, slack: int) -> Picture:
    """Returns the middle of the bar at a portrait's left, with `slack` more rows above and below."""
    wide = max(_THIN, round(rule.bar_width * box.height))
    return bgr[box.y - slack : box.bottom + slack, box.x - wide + wide // 4 : box.x - wide // 4]


def _life(bgr: Picture, rule: FramedRule, box: Rect) -> Seen[float]:
    """Returns the filled share of the bar to the left of a portrait, including its white upper edge.

    None unless the bar is red from about its foot without a gap. The shield's colour does not count as red;
    the light for the time left, or a window, may hide the foot.
    """
    slack = round(_SLACK * box.height)
    column = _column(bgr, rule, box, slack).astype(int)
    if not column.size:
        return Seen()
    red = (column[..., 2] - column[..., :2].max(axis=2) >= _RED).mean(axis=1) >= 0.5
    if not red.any():
        return Seen()
    top, hidden = int(red.argmax()), int(red[::-1].argmax()) - slack
    edge = int((column[max(0, top - 2) : top].min(axis=(1, 2)) >= _WHITE).sum())
    more = edge + (hidden if hidden > _FOOT_OFF else 0)
    return life.filled(red[::-1], box.height, (2 * slack + 1) / box.height, more)


def seeds_in(bgr: Picture, rule: FramedRule) -> Iterator[_Seed]:
    """Yields what looks like a life bar of a card, with the box of the card around it."""
    stats = blobs.find(_like(bgr, rule.bar, _BAR_NEAR), _THIN, _THIN).stats
    wide, tall = stats[:, 2], stats[:, 3]
    good = (wide >= _THIN) & (wide <= _WIDEST) & (tall >= wide) & (tall <= 13 * wide)
    good &= stats[:, 4] >= 0.7 * wide * tall
    for x, y, across, down in stats[good, :4].tolist():
        size = across / rule.bar_width
        left, bottom = x + across, y + down
        for team, colour in rule.sides.items():
            box = _portrait(bgr, colour, left, bottom, size)
            if box is not None:
                yield _Seed(box, team)
                break


def _portrait(bgr: Picture, colour: RGB, left: int, bottom: int, size: float) -> Rect | None:
    """Returns the box of the portrait beside a bar, None without its colour."""
    top, right = max(0, round(bottom - 1.6 * size)), round(left + 1.5 * size)
    if right > bgr.shape[1] or bottom - top < 2:
        return None
    part = _like(bgr[top:bottom, left:right], colour) > 0
    apart = max(4, round(0.2 * size))
    height = _run(part[::-1].mean(axis=1) > 0.1, apart)
    width = _run(part[-height:].mean(axis=0) > 0.1, apart) if height else 0
    if width <= _NARROW[0] * height:
        height = min(height, round(_TALL * width))
    if not 0.6 * size < height < 1.5 * size or not _NARROW[0] * height < width < _NARROW[1] * height:
        return None
    portrait = part[-height:, :width]
    return Rect(left, bottom - height, width, height) if portrait.mean() >= _BACKED else None


def _run(seen: npt.NDArray[np.bool_], apart: int) -> int:
    """Returns the length of a run of true lines from the start, across gaps of up to `apart` lines."""
    places = np.flatnonzero(seen)
    if not places.size or places[0] > apart:
        return 0
    breaks = np.flatnonzero(np.diff(places) > apart)
    return int(places[breaks[0]] if breaks.size else places[-1]) + 1


def _is_framed(bgr: Picture, box: Rect, rule: FramedRule) -> bool:
    """Returns whether a bright line runs above a portrait, to its right and to the left of its life bar."""
    near, far = max(1, round(0.04 * box.height)), max(3, round(0.13 * box.height))
    left = box.x - round(rule.bar_width * box.width / (1 - rule.bar_width))
    top, right = box.y - far, box.right + far
    if top < 0 or right > bgr.shape[1] or left - far < 0:
        return False
    above = bgr[top : box.y - near + 1, box.x : box.right]
    beside = bgr[box.y : box.bottom, box.right + near : right + 1]
    before = bgr[box.y : box.bottom, left - far : left - near + 1]
    lines = (above, beside.swapaxes(0, 1), before.swapaxes(0, 1))
    return all((within(hsv(part), rule.frame) > 0).mean(axis=1).max() >= _FRAMED for part in lines)


def _like(bgr: Picture, colour: RGB, near: int = _NEAR) -> Picture:
    wanted = np.array(colour[::-1])
    low, high = np.maximum(wanted - near, 0), np.minimum(wanted + near, 255)
    return np.asarray(cv2.inRange(np.ascontiguousarray(bgr), low, high), np.uint8)
