"""Scales very large pictures down before they are read, and scales the view's coordinates back.

Numbers and borders of an 8K screen are legible at a third of its size, and the cost grows with the pixels.
"""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect
from vision.view import FighterSeen, FightView, Lattice, Seen

MOST_PIXELS = 6_000_000  # Pictures with more pixels are scaled down; 2880x1800 has fewer


def shrunk(pixels: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], float]:
    """Returns a picture of at most `MOST_PIXELS`, and the scale of the given one to it."""
    height, width = pixels.shape[:2]
    share = (MOST_PIXELS / (height * width)) ** 0.5
    if share >= 1:
        return pixels, 1.0
    size = (max(1, int(width * share)), max(1, int(height * share)))
    small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return small, width / size[0]


def enlarged(view: FightView, scale: float) -> FightView:
    """Returns a view with its coordinates multiplied by `scale`."""
    if scale == 1:
        return view
    grid = view.lattice.value
    return replace(
        view,
        client=_box(view.client, scale),
        lattice=view.lattice if grid is None else Seen(_lattice(grid, scale), view.lattice.confidence),
        lattice_ambiguous=tuple(_lattice(other, scale) for other in view.lattice_ambiguous),
        player=None if view.player is None else _fighter(view.player, scale),
        allies=tuple(_fighter(fighter, scale) for fighter in view.allies),
        enemies=tuple(_fighter(fighter, scale) for fighter in view.enemies),
        places={name: _scaled(box, scale) for name, box in view.places.items()},
        spells=tuple(replace(slot, box=_box(slot.box, scale)) for slot in view.spells),
        dead=tuple(replace(card, box=_scaled(card.box, scale)) for card in view.dead),
        timeline=tuple(replace(card, box=_scaled(card.box, scale)) for card in view.timeline),
    )


def _lattice(lattice: Lattice, scale: float) -> Lattice:
    x, y = lattice.origin_px
    return Lattice((x * scale, y * scale), lattice.cell_w * scale, lattice.cell_h * scale)


def _fighter(fighter: FighterSeen, scale: float) -> FighterSeen:
    place = (fighter.px[0] * scale, fighter.px[1] * scale)
    return replace(fighter, px=place, name_box=_box(fighter.name_box, scale))


def _box(box: Rect | None, scale: float) -> Rect | None:
    return None if box is None else _scaled(box, scale)


def _scaled(box: Rect, scale: float) -> Rect:
    left, top = round(box.x * scale), round(box.y * scale)
    return Rect(left, top, round(box.right * scale) - left, round(box.bottom * scale) - top)
