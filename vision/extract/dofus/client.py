"""Finds the game's client area in a picture that may also show a desktop, bars and black borders.

A window on a desktop is cut out, uniform margins are cut off, then the bars of window systems: strips of
nearly one colour that end in an edge across the whole width. The rest must have a client's aspect ratio. Next
hop: `vision.extract.dofus.reader` reads the board and the HUD of the area.
"""

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.dofus import sides
from vision.extract.dofus.search import AGAIN
from vision.extract.dofus.window import ALONG, find_window, stepped
from vision.frame import MIN_SIZE, Rect
from vision.profiles.profile import Profile

Picture = npt.NDArray[np.uint8]

_FLAT = 6.0  # Levels within a column of one colour; up to 15 all pictures are read alike
_MARGIN = 0.03  # Of a side: narrower margins may be the game's own
_STEP = 5  # Levels between a bar and the game in a picture made smaller, which smears edges
_BAR_SHARE = 0.5  # Of a bar that is of one colour; with 0.6 one of 94 screens keeps its bar
_COLUMNS = 240  # Width that a bar's strip is made smaller to, so that words on it matter little
_BARS = 3  # Bars at most at the top, and at the bottom: one is cut off after the other
_TOP, _BOTTOM = 0.12, 0.09  # Of the height: where a bar ends at the latest
_MIN_BAR = 8  # Pixels: anything lower is an edge that compression has smeared
_SHAPE = (0.9, 3.8)  # Width over height: beyond those of all screens at hand


class ClientArea:
    """The client area over pictures: kept while its HUD or its board are found there.

    Attributes:
        is_new: whether it was searched in the last picture.
        lost: in how many pictures nothing was found in it.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._known: tuple[tuple[int, ...], Rect] | None = None
        self.lost, self.is_new = 0, True

    def find(self, pixels: Picture) -> Rect | None:
        """Returns the area in a picture in BGRA: the last one, or searched again."""
        known = self._known
        self.is_new = known is None or known[0] != pixels.shape or bool(self.lost and self.lost % AGAIN == 0)
        if not self.is_new:
            return known and known[1]
        area = find_client(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8), self._profile)
        if area is not None:
            self.use(pixels, area)
        else:
            self._known = None
        return area

    def use(self, pixels: Picture, area: Rect) -> None:
        """Takes an area for the client's in pictures of this size."""
        self._known = pixels.shape, area

    def others(self, pixels: Picture, area: Rect) -> list[Rect]:
        """Returns what else may be the client area.

        A window of the game's own may have been taken for the client, or its lowest panel for a taskbar.
        """
        bgr = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)
        ways = [(False, True)]
        if area.bottom < len(pixels):
            ways += [(True, False), (False, False)]
        areas = [find_client(bgr, self._profile, windowed, footed) for windowed, footed in ways]
        return [
            area_before
            for area_before in dict.fromkeys(areas)
            if area_before is not None and area_before != area
        ]


def find_client(bgr: Picture, profile: Profile, windowed: bool = True, footed: bool = True) -> Rect | None:
    """Returns the client area, in pixels of the picture; None where none of a client's shape is found.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
        windowed: whether a window in the picture may be the client's; else it is one of the game's own.
        footed: whether a strip at the bottom may be a taskbar; else it is a panel of the game's.
    """
    letterbox = profile.screen.letterbox if profile.screen is not None else 0.0
    boxed = letterbox > 0
    least = 0.0 if boxed else _MARGIN
    whole = Rect(0, 0, bgr.shape[1], bgr.shape[0])
    window = find_window(bgr) if windowed else None
    if window is not None and _is_too_small(window):  # one of the game's own panels
        window = None
    framed = window or _without_flat(bgr, whole, least)
    area = framed
    for _ in range(_BARS):
        area = _without_bar(bgr, area, top=True)
        area = _without_bar(bgr, area, top=False) if footed else area
    if boxed:
        parts = [_without_flat(bgr, part, least) for part in (area, framed)]
        if not any(sides.is_shaped(part, letterbox) for part in parts):
            parts += [_without_flat(bgr, _without_sides(bgr, part), least) for part in (area, framed, whole)]
        area = min(parts, key=lambda part: round(abs(part.width / max(1, part.height) - letterbox), 2))
        if not sides.is_shaped(area, letterbox):
            area = sides.find(bgr, parts, letterbox) or sides.above_hud(bgr, parts, letterbox) or area
    if _is_too_small(area):
        return None
    shape = area.width / area.height
    return area if _SHAPE[0] <= shape <= _SHAPE[1] else None


def _is_too_small(area: Rect) -> bool:
    return area.width < MIN_SIZE[0] or area.height < MIN_SIZE[1]


def _without_flat(bgr: Picture, area: Rect, least: float) -> Rect:
    """Returns an area without the rows and columns of one colour along its edges, where they are wide."""
    part = bgr[area.y : area.bottom, area.x : area.right]
    if not part.size:
        return area
    some = cv2.resize(part, (min(sides.LINES, area.width), area.height), interpolation=cv2.INTER_NEAREST)
    columns = _busy(part[:: max(1, part.shape[0] // sides.LINES)])
    rows = _busy(np.asarray(cv2.transpose(some), np.uint8))
    if not columns.any() or not rows.any():
        return Rect(area.x, area.y, 0, 0)
    left, right = (_wide(int(varied.argmax()), area.width, least) for varied in (columns, columns[::-1]))
    top, bottom = (_wide(int(varied.argmax()), area.height, least) for varied in (rows, rows[::-1]))
    return Rect(area.x + left, area.y + top, area.width - left - right, area.height - top - bottom)


def _without_sides(bgr: Picture, area: Rect) -> Rect:
    """Returns an area without its sides of black and their white edges, windows over them or not."""
    part = bgr[area.y : area.bottom : max(1, area.height // sides.LINES), area.x : area.right]
    if not part.size:
        return area
    shares = [sides.share(part, tone) for tone in (sides.BLACK, sides.WHITE)]
    inner = np.flatnonzero(np.maximum(*shares) < sides.MOSTLY)
    if not inner.size:
        return area
    return area._replace(x=area.x + int(inner[0]), width=int(inner[-1] - inner[0]) + 1)


def _wide(margin: int, size: int, least: float) -> int:
    """Returns a margin, 0 for one so narrow that it may be the game's own."""
    return margin if margin >= least * size else 0


def _busy(part: Picture) -> npt.NDArray[np.bool_]:
    """Returns which columns are of more than one colour, shape (columns,)."""
    apart = part.max(axis=0).astype(np.int16) - part.min(axis=0)
    return np.asarray(apart.max(axis=1) > _FLAT)


def _without_bar(bgr: Picture, area: Rect, top: bool) -> Rect:
    """Returns an area without the bar at its top or bottom, the area itself where there is none.

    An edge that compression has smeared over some rows ends at the last of them.
    """
    reach = round(area.height * (_TOP if top else _BOTTOM))
    if reach <= _MIN_BAR or area.width < 8:
        return area
    strip = bgr[area.y : area.y + reach] if top else bgr[area.bottom - reach : area.bottom][::-1]
    size = (min(_COLUMNS, area.width), reach)
    some = np.asarray(cv2.resize(strip[:, area.x : area.right], size, interpolation=cv2.INTER_AREA), np.uint8)
    steps = stepped(some, across=False, least=_STEP).mean(axis=1)
    across = np.append(steps >= ALONG, False)
    for row in np.flatnonzero(across[:-1] & ~across[1:]).tolist():
        height = row + 1
        if height >= _MIN_BAR and _is_bar(some[:height]):
            if top:
                return Rect(area.x, area.y + height, area.width, area.height - height)
            return Rect(area.x, area.y, area.width, area.height - height)
    return area


def _is_bar(strip: Picture) -> bool:
    middle = np.median(strip, axis=1, keepdims=True).astype(np.int16)
    near = np.abs(strip - middle).max(axis=2) <= 12
    return bool(np.median(near.mean(axis=1)) >= _BAR_SHARE)
