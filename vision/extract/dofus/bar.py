"""Finds the slots of a real client's spell bar.

A bar consists of rows of equal squares at a known pitch, brighter than the panel; the player may have moved
it, so nothing else is used. Dark squares between and beside bright ones are slots of spells that cannot be
cast now. If another slot may precede the first one, the slots' indices are unknown and no bar is reported.
"""

from dataclasses import dataclass, replace
from itertools import count, takewhile

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus.anchors import SMALLEST, HudAnchor
from vision.extract.dofus.percentiles import percentiles
from vision.extract.dofus.slots import FRAME, TINT
from vision.frame import Rect
from vision.profiles.hud import SpellsRule

Picture = npt.NDArray[np.uint8]
Colour = npt.NDArray[np.float32]
Stats = npt.NDArray[np.int32]

_BRIGHT = 112  # Levels of a slot's brightest channel; a tenth more or less, and of 23 bars some are others
_SIZE_SLACK = 0.13  # Share of a slot's side; 0.13 to 0.2 read these bars alike
_OFF_GRID = 0.12  # Share of a slot's side or pitch; 0.06 to 0.12 are alike
_OFF_USUAL = 0.2  # Share of the pitch; from 0.05 on alike
_FEWEST = 3  # Slots of a row: with two some bars are others, three and four are alike
_PITCH_SLACK = 0.03  # From 0.015 on alike
_PITCHES = (0.0, 0.02, -0.02, 0.04, -0.04, 0.06, -0.06)
"""How much wider the pitch may be than the anchor says, the likeliest first."""

_PARTED, _DOWN = 0.85, 85
"""How bright the gap between two slots is at most, by the slots (up to 0.93 is alike), in percent of its
height: the words on a button have gaps as well, but not all the way down."""
_FAR_ON = 3  # Where a lower row ends so many slots later than the first one, its last slots are a button
_RING = 0.1  # How thick an icon's edge is that is looked at, in sides; 0.05 to 0.1 are alike
_THIN, _GAP, _LINE = 5, 0.88, 0.7
"""The gap between two slots: at most so many pixels, so bright beside them and so long at least, in slots."""

_RAISED = 12.0  # Levels: with a tenth less six of 85 bars are others, up to half more are alike
_HARDLY, _PICTURE = 0.5, 12.0
"""An icon of nearly the panel's colour: how much less one of its edges may be raised, if it shows so much."""

_CONTINUES, _CONTINUES_FULL = 14.5, 24.0
"""Levels between the panel left of slot 0 and above it: 12 and 13 on real screens, 15 to 16.5 on lighter and
JPEG ones, where only a row of all slots proves its first one."""
_TEXTURE = (
    6.0  # Deviation of a slot's levels: 34 and more on 18 drawn bars, of the panel beside them 3 at most
)
_SAME_PANEL, _OTHER_PANEL, _EXACT = 8.0, 20.0, 3.0
"""How far the panel above one of a row's slots may be from that above the others, in levels."""

_FAINT, _FAINT_EDGES = 10.0, 30.0
"""A greyed icon of the panel's colour: its own spread, and its edges' distance from the panel in all, of each
`_RAISED` at most: 32 of a faint one; 22 of the panel beside a bar, with a line of another colour on it."""
_LARGE = 32  # Pixels of a slot: at 48 two of 85 bars are others, below 27 two slots of one (seed 91,020,475)
_UP, _LESS = (1, 2, 3), 0.7
"""Pixels above a slot where the panel is looked at; further ones have to be so much more alike."""

_COARSE = 60
"""Slots of fewer pixels: below, a unit that is a pixel off (of 100) puts the last of seven off by a tenth."""
_UNITS_OFF = (0.0, -0.01, 0.01, -0.02, 0.02, -0.03, 0.03, -0.04, 0.04, -0.05, 0.05, -0.06, 0.06)
"""How far the unit may be off, the likeliest first: by 5.5 % in a drawn window of 550x412."""
_AS_MANY = 0.03  # Shares of corners that are alike: half a corner of one of fourteen slots
_FRAME_LIGHT = 90  # Frames of greyed slots have 128 levels, the lines about slots 40 at most

_HIGHER, _UNEVEN = (0.28, 0.12), 0.5
"""Where above a bar slots that were not found would show, in their heights, and the share of it that is
uneven then: half as much and more of each reads 85 bars alike, a tenth of the last loses one."""
_SHAPES = (0.7, 0.9)  # How far from the anchor, in its units, the shapes that hold AP and MP stand at most


@dataclass(frozen=True, slots=True)
class SlotRow:
    """A row of slots: left and upper edge of slot 0, the pitch in pixels, first and last index."""

    x: float
    y: float
    pitch: float
    first: int
    last: int

    @property
    def slots(self) -> int:
        return self.last - self.first + 1


def find(bgr: Picture, rule: SpellsRule, anchor: HudAnchor) -> tuple[Rect, ...]:
    """Returns the boxes of the bar's slots, row by row from the left; none where no bar is found.

    Args:
        bgr: the client area or a part of it, uint8, shape (height, width, 3).
        anchor: the HUD's anchor in that part; its unit scales the rules.
    """
    size = rule.size * anchor.unit
    if size < SMALLEST:
        return ()
    if rule.place is not None:
        return _fixed(bgr, rule, anchor)
    rows = rows_of_slots(bgr, rule, anchor) or rows_of_slots(bgr, rule, anchor, touching=True)
    if not rows:
        return ()
    best = max(rows, key=lambda row: row.slots)
    down = rule.pitch[1] * anchor.unit
    lines: dict[int, SlotRow] = {}
    for row in sorted(rows, key=lambda row: row.slots):
        if _belongs(row, best, rule.pitch[0] * anchor.unit, down, rule.slots[1]):
            lines[round((row.y - best.y) / down)] = row
    top = min(lines)
    near = {line: _with_dark_ends(bgr, row, rule, anchor, line == top) for line, row in lines.items()}
    grid = [near[line] for line in takewhile(near.__contains__, count(top))]
    grid = list(takewhile(lambda row: _end(row, grid[0]) < grid[0].last + _FAR_ON, grid))
    usual = _at_usual_place(grid, rule, anchor)
    boxes = grid_boxes(bgr, usual or grid, rule)
    if usual:
        return boxes
    full = bool(boxes) and sum(box.y == boxes[0].y for box in boxes) == rule.slots[0]
    known = bool(boxes) and is_first_slot(bgr, boxes[0], rule, full) and not has_row_above(bgr, boxes)
    return boxes if known else ()


def _at_usual_place(rows: list[SlotRow], rule: SpellsRule, anchor: HudAnchor) -> list[SlotRow]:
    """Returns rows from slot 0 on where they are on the grid of a bar that was not moved; else none."""
    if rule.usual is None or not rows:
        return []
    size = rows[0].pitch * rule.size / rule.pitch[0]
    right = (rows[0].x + size / 2 - anchor.x - rule.usual[0] * anchor.unit) / rows[0].pitch
    down = (rows[0].y + size / 2 - anchor.y - rule.usual[1] * anchor.unit) / (rule.pitch[1] * anchor.unit)
    column = round(right) + rows[0].first
    if abs(down) > _OFF_USUAL or abs(right - round(right)) > _OFF_USUAL or column < 0:
        return []
    return [replace(row, first=-round(right)) if index == 0 else row for index, row in enumerate(rows)]


def _end(row: SlotRow, first: SlotRow) -> int:
    return round((row.x - first.x) / first.pitch) + row.last


def grid_boxes(bgr: Picture, rows: list[SlotRow], rule: SpellsRule) -> tuple[Rect, ...]:
    """Returns the slots of a bar's rows: all begin at one column, and all but the last end at one.

    Where a dark slot may follow the first row, the next rows' indices are unknown: only that row is returned.
    What follows a later row does not tell: its slots may be empty, and some layouts have buttons there.
    """
    columns = [round((row.x - rows[0].x) / rows[0].pitch) for row in rows]
    first = min(column + row.first for column, row in zip(columns, rows, strict=True))
    last = max(column + row.last for column, row in zip(columns, rows, strict=True))
    many = last - first + 1
    rows = [replace(row, first=first - column) for column, row in zip(columns, rows, strict=True)]
    full = [replace(row, last=row.first + many - 1) for row in rows]
    if many > rule.slots[0]:
        return ()
    if many < rule.slots[0] and _may_go_on(bgr, _box(full[0], full[0].last, rule), rule):
        rows = rows[:1]
    rows = [*full[: len(rows) - 1], rows[-1]]
    boxes = [_box(row, index, rule) for row in rows for index in range(row.first, row.last + 1)]
    return tuple(boxes) if all(_is_inside(bgr, box) for box in boxes) else ()


def has_row_above(bgr: Picture, boxes: tuple[Rect, ...]) -> bool:
    """Returns whether slots that were not found may stand above the first row: then no index is sure."""
    first, last = boxes[0], max((box for box in boxes if box.y == boxes[0].y), key=lambda box: box.x)
    top, bottom = first.y - round(_HIGHER[0] * first.height), first.y - round(_HIGHER[1] * first.height)
    if top < 0:
        return False
    band = bgr[top:bottom, first.x : last.right].astype(np.float32)
    columns = np.median(band, axis=0)
    return float((np.abs(columns - np.median(columns, axis=0)).max(axis=1) > _RAISED).mean()) >= _UNEVEN


def _may_go_on(bgr: Picture, last: Rect, rule: SpellsRule) -> bool:
    left = last.right + round(last.width * (rule.pitch[0] / rule.size - 1))
    after = bgr[max(0, last.y) : last.y + last.height // 2, left : left + last.width]
    return bool(after.size) and float(after.mean(axis=2).std()) >= _TEXTURE


def is_first_slot(bgr: Picture, first: Rect, rule: SpellsRule, full: bool) -> bool:
    """Returns whether a slot is the first of its row: the panel continues on its left.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
        full: whether its row has as many slots as there can be, so that less proves it.
    """
    gap = round(first.width * (rule.pitch[0] / rule.size - 1)) + 2
    left, right = first.x - gap - 2, first.x - gap
    above = first.y - 3
    if left < 0 or above < 0:
        return False
    strip = bgr[:, left:right].astype(np.float32)
    beside = np.median(strip[first.y + 2 : first.y + first.height // 2], axis=(0, 1))
    apart = float(np.abs(beside - np.median(strip[above : first.y - 1], axis=(0, 1))).max())
    return apart < (_CONTINUES_FULL if full else _CONTINUES)


def _fixed(bgr: Picture, rule: SpellsRule, anchor: HudAnchor) -> tuple[Rect, ...]:
    """Returns the slots of a bar at a fixed place, none where it is not wholly in the picture.

    The unit is a width in whole pixels. Where slots are small they tell how far it is off themselves: of the
    sizes about it the nearest counts at which as many corners of slots as at any have no tint, as frames.
    """
    boxes = _at_unit(rule, anchor, anchor.unit)
    if not all(_is_inside(bgr, box) for box in boxes):
        return ()
    if not rule.framed or boxes[0].width >= _COARSE:
        return boxes
    tried = {off: _at_unit(rule, anchor, (1 + off) * anchor.unit) for off in _UNITS_OFF}
    fitting = {
        off: _frames(bgr, shifted)
        for off, shifted in tried.items()
        if all(_is_inside(bgr, box) for box in shifted)
    }
    most = max(fitting.values())
    return tried[next(off for off, share in fitting.items() if share >= most - _AS_MANY)]


def _at_unit(rule: SpellsRule, anchor: HudAnchor, unit: float) -> tuple[Rect, ...]:
    """Returns the slots of a bar at a fixed place, for a unit in pixels."""
    assert rule.place is not None
    size = rule.size * unit
    left = anchor.x + rule.place[0] * unit - size / 2
    top = anchor.y + rule.place[1] * unit - size / 2
    return tuple(
        Rect(
            round(left + column * rule.pitch[0] * unit),
            round(top + row * rule.pitch[1] * unit),
            round(size),
            round(size),
        )
        for row in range(rule.slots[1])
        for column in range(rule.slots[0])
    )


def _frames(bgr: Picture, boxes: tuple[Rect, ...]) -> float:
    """Returns the share of the slots' corners that are light and without a tint, as frames are."""
    shares = []
    for box in boxes:
        outer, inner = (round(share * box.width) for share in FRAME)
        ends = np.r_[outer:inner, box.width - inner : box.width - outer]
        corners = bgr[box.y : box.bottom, box.x : box.right][np.ix_(ends, ends)].reshape(-1, 3)
        light = corners.max(axis=1)
        shares.append(((light - corners.min(axis=1) <= TINT) & (light >= _FRAME_LIGHT)).mean())
    return float(np.mean(shares))


def _is_shape(x: float, y: float, anchor: HudAnchor) -> bool:
    """Returns whether a place is about the shapes that hold AP and MP, which may be as bright as slots."""
    across, down = (reach * anchor.unit for reach in _SHAPES)
    return abs(x - anchor.x) < across and abs(y - anchor.y) < down


def rows_of_slots(bgr: Picture, rule: SpellsRule, anchor: HudAnchor, touching: bool = False) -> list[SlotRow]:
    """Returns the rows of three or more bright squares.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
        touching: whether the gaps between small slots may be nearly as bright as these.
    """
    size, pitch = rule.size * anchor.unit, rule.pitch[0] * anchor.unit
    bright = cv2.bitwise_not(cv2.inRange(bgr, (0, 0, 0), (_BRIGHT - 1,) * 3))
    if touching:
        bright = _parted(bgr, np.asarray(bright, np.uint8), size)
    _, _, stats, _ = cv2.connectedComponentsWithStats(bright, connectivity=4, ltype=cv2.CV_32S)
    many = np.maximum(1, np.rint((stats[:, 2] - size) / pitch) + 1)
    wanted = (many - 1) * pitch + size
    good = np.abs(stats[:, 3] / size - 1) <= _SIZE_SLACK
    good &= (np.abs(stats[:, 2] - wanted) <= _SIZE_SLACK * size) & (many <= rule.slots[0])
    good &= stats[:, 4] >= 0.55 * stats[:, 2] * stats[:, 3]
    good[0] = False
    squares = [
        blob
        for blob, slots in zip(stats[good], many[good].astype(int).tolist(), strict=True)
        if _has_gaps(bgr, blob, size, pitch, slots)
        and not _is_shape(blob[0] + size / 2, blob[1] + size / 2, anchor)
    ]
    slot_rows, left = [], np.array(squares, np.int32).reshape(-1, 5)
    while len(left) >= _FEWEST or (len(left) and left[:, 2].max() >= _FEWEST * pitch - size):
        level = np.abs(left[:, 1] - np.median(left[:, 1])) <= _OFF_GRID * size
        level = level if level.any() else np.abs(left[:, 1] - left[0, 1]) <= _OFF_GRID * size
        row = _row(left[level], size, pitch)
        slot_rows += [row] if row is not None else []
        left = left[~level]
    return slot_rows


def _parted(bgr: Picture, bright: npt.NDArray[np.uint8], size: float) -> npt.NDArray[np.uint8]:
    """Returns a mask without the thin lines, upright or level, that are darker than what is beside them.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
        bright: the mask of its bright pixels.
        size: a slot's side in pixels; a line is nearly as long.
    """
    light = np.asarray(bgr.max(axis=2), np.uint8)
    long = max(3, round(_LINE * size))
    parted = bright.copy()
    for across in (True, False):
        about = np.ones((1, _THIN) if across else (_THIN, 1), np.uint8)
        beside = cv2.morphologyEx(light, cv2.MORPH_CLOSE, about)
        darker = (light < _GAP * beside).astype(np.uint8)
        along = np.ones((long, 1) if across else (1, long), np.uint8)
        parted[cv2.morphologyEx(darker, cv2.MORPH_OPEN, along) > 0] = 0
    return parted


def _has_gaps(bgr: Picture, blob: Stats, size: float, pitch: float, slots: int) -> bool:
    """Returns whether a blob as wide as several slots is darker at the gaps between them, all the way down.

    The words on a button have gaps as well.
    """
    x, y, wide, tall = (int(value) for value in blob[:4])
    light = percentiles(bgr[y : y + tall, x : x + wide].max(axis=2).T, (_DOWN,))[0]
    ends = np.rint((size + pitch) / 2 - 0.5 + pitch * np.arange(slots - 1)).astype(int)
    dark = [light[max(0, end - 1) : end + 2].min() for end in ends]
    return not dark or max(dark) < _PARTED * float(np.median(light))


def _row(blobs: Stats, size: float, pitch: float) -> SlotRow | None:
    """Returns the row that most of some blobs at one height form, None for fewer than three slots."""
    if not len(blobs):
        return None
    pitch, agree = _on_grid(blobs[:, 0], pitch)
    blobs = blobs[agree]
    first = blobs[np.argmin(blobs[:, 0])]
    columns = np.rint((blobs[:, 0] - first[0]) / pitch)
    many = np.rint((blobs[:, 2] - size) / pitch) + 1
    if many.sum() < _FEWEST:
        return None
    if columns.max() >= _FEWEST - 1:
        slope = float(np.polyfit(columns, blobs[:, 0], 1)[0])
        pitch = slope if abs(slope / pitch - 1) <= _PITCH_SLACK else pitch
    x = float((blobs[:, 0] - columns * pitch).mean())
    y = float(blobs[:, 1].mean() + (blobs[:, 3].mean() - size) / 2)
    return SlotRow(x, y, pitch, 0, int((columns + many).max()) - 1)


def _on_grid(lefts: npt.NDArray[np.int32], pitch: float) -> tuple[float, npt.NDArray[np.bool_]]:
    """Returns the pitch near a usual one on whose grid most slots begin, and which ones those are."""
    best: tuple[float, npt.NDArray[np.bool_]] | None = None
    for off in _PITCHES:
        turns = np.exp(2j * np.pi * lefts / (pitch * (1 + off)))
        apart = np.abs(np.angle(turns[:, None] / turns)) <= 2 * np.pi * _OFF_GRID
        agree = apart[int(apart.sum(axis=1).argmax())]
        if best is None or agree.sum() > best[1].sum():
            best = pitch * (1 + off), agree
    assert best is not None
    return best


def _belongs(row: SlotRow, best: SlotRow, pitch: float, down: float, most: int) -> bool:
    lines = (row.y - best.y) / down
    off = (row.x - best.x) / pitch
    return (
        abs(lines - round(lines)) <= _OFF_GRID
        and abs(round(lines)) < most
        and abs(off - round(off)) <= 2 * _OFF_GRID
    )


def _box(row: SlotRow, index: int, rule: SpellsRule) -> Rect:
    size = round(row.pitch * rule.size / rule.pitch[0])
    return Rect(round(row.x + index * row.pitch), round(row.y), size, size)


def _with_dark_ends(bgr: Picture, row: SlotRow, rule: SpellsRule, anchor: HudAnchor, is_top: bool) -> SlotRow:
    """Returns a row with the dark slots at its ends, the top one without what does not lie on its panel."""
    slots = [_box(row, index, rule) for index in range(row.first, row.last + 1)]
    slots = [box for box in slots if _is_inside(bgr, box)]
    if not slots:
        return row
    up = _clear_above(bgr, slots)
    panel = np.median([_ground(bgr, box, up) for box in slots], axis=0)
    row = _trimmed(bgr, row, rule, anchor, panel, up) if is_top else row
    room = rule.slots[0] - row.slots
    left = [_box(row, row.first - step, rule) for step in range(1, room + 1)]
    half = left[0].width / 2 if left else 0.0
    left = list(takewhile(lambda slot: not _is_shape(slot.x + half, slot.y + half, anchor), left))
    first = row.first - count_beyond(bgr, panel, left, up)
    room = rule.slots[0] - (row.last - first + 1)
    right = [_box(row, row.last + step, rule) for step in range(1, room + 1)]
    return replace(row, first=first, last=row.last + count_beyond(bgr, panel, right, up))


def _trimmed(
    bgr: Picture, row: SlotRow, rule: SpellsRule, anchor: HudAnchor, panel: Colour, up: int
) -> SlotRow:
    """Returns the longest part of a row that lies on one panel, with no shape of the HUD within it.

    A heart or a button beside the bar may be as bright as slots, and on their grid.
    """
    longest: list[int] = []
    run: list[int] = []
    for index in range(row.first, row.last + 1):
        box = _box(row, index, rule)
        there = _is_inside(bgr, box) and _apart(_ground(bgr, box, up), panel) <= _OTHER_PANEL
        there = there and not _is_shape(box.x + box.width / 2, box.y + box.height / 2, anchor)
        run = [*run, index] if there else []
        longest = run if len(run) > len(longest) else longest
    return replace(row, first=longest[0], last=longest[-1]) if longest else row


def _apart(first: Colour, second: Colour) -> float:
    return float(np.abs(first - second).max())


def _clear_above(bgr: Picture, slots: list[Rect]) -> int:
    """Returns how many pixels above a row's slots the panel is most alike; icons' edges shine into it."""
    spread = [np.std([_ground(bgr, box, up) for box in slots], axis=0).max() for up in _UP]
    return _UP[int(np.argmin(spread))] if min(spread) < _LESS * spread[0] else _UP[0]


def count_beyond(bgr: Picture, panel: Colour, boxes: list[Rect], up: int = 1) -> int:
    """Returns how many boxes beyond an end are slots.

    All slots lie on one panel, seen `up` pixels above them; boxes past its end are none.
    """
    return sum(1 for _ in takewhile(lambda box: _is_slot(bgr, panel, box, up), boxes))


def _is_slot(bgr: Picture, panel: Colour, box: Rect, up: int) -> bool:
    """Returns whether a box lies on a panel and holds a picture."""
    if not _is_inside(bgr, box):
        return False
    off = _apart(_ground(bgr, box, up), panel)
    return off <= _SAME_PANEL and _is_raised(bgr, box, up, is_on_panel=off <= _EXACT)


def _is_raised(bgr: Picture, box: Rect, up: int, is_on_panel: bool) -> bool:
    """Returns whether a box holds a picture with edges unlike the panel `up` pixels above it.

    Fainter edges count where the panel there is exactly that above the other slots.
    """
    patch = bgr[box.y : box.bottom, box.x : box.right].astype(np.float32)
    spread = float(patch.mean(axis=2).std())
    if spread < _TEXTURE:
        return False
    ground = _ground(bgr, box, up)
    ring, part = max(1, round(_RING * box.width)), slice(box.width // 4, -(box.width // 4))
    edges = (patch[:ring, part], patch[-ring:, part], patch[part, :ring], patch[part, -ring:])
    apart = [_apart(edge.mean(axis=(0, 1)), ground) for edge in edges]
    if is_on_panel and spread >= _FAINT and sum(min(edge, _RAISED) for edge in apart) >= _FAINT_EDGES:
        return True
    return min(apart) >= _RAISED or (
        min(apart) >= _HARDLY * _RAISED and sum(apart) >= len(apart) * _RAISED and spread >= _PICTURE
    )


def _ground(bgr: Picture, box: Rect, up: int) -> npt.NDArray[np.float32]:
    """Returns the panel's colour so many pixels above a box, one more for a large one; cut to the picture."""
    above = max(0, box.y - up - (box.height >= _LARGE))
    return np.asarray(bgr[above, box.x : box.right].astype(np.float32).mean(axis=0), np.float32)


def _is_inside(bgr: Picture, box: Rect) -> bool:
    return box.x >= 0 and box.y >= 2 and box.right <= bgr.shape[1] and box.bottom <= bgr.shape[0]
