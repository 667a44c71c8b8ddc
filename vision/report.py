"""Lists what was read off a picture, draws it over the picture, and blurs what must not be shared.

A report keeps the parts of the picture that were read as they are: the board's cells, the numbers, cards
and spells. Everything else, among it the chat and names, is smeared until no text can be read in it, and what
lies outside the game is cut away. Used by `botapp look --report` and the page *My game*.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.frame import Rect
from vision.view import CellKind, FighterSeen, FightView, Phase, Seen

Picture = npt.NDArray[np.uint8]

NUMBERS = ("hp", "max_hp", "hp_share", "shield", "ap", "mp", "timer_s", "turn_number")
"""The numbers of a view, in the order in which they are listed."""

_ALWAYS = ("hp", "ap", "mp")
_SURE = 0.95
_GOOD, _DOUBTFUL, _MISSING = (96, 200, 96), (60, 170, 240), (80, 80, 230)
_INK, _PLATE = (255, 255, 255), (30, 30, 30)
_SMEARED = 150
"""Width to which a picture is shrunk for blurring; a line of chat is then less than two rows high."""

_AROUND = 0.25
_FACES = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, slots=True)
class ReadField:
    """One field of a reading."""

    name: str  # Its name in a `FightView`; "ally 1", "card 2" or "slot 3" where there are several
    value: str  # What was read, as text; "" where it was not
    confidence: float  # How sure the reader is, 0..1
    box: Rect | None = None  # Its place in the picture, None where it has none


def fields(view: FightView) -> list[ReadField]:
    """Returns every field of a view; fields that a fight always shows are listed though not read."""
    return list(_fields(view))


def _fields(view: FightView) -> Iterator[ReadField]:
    phase = view.phase.value or Phase.UNKNOWN
    yield ReadField("phase", "" if phase is Phase.UNKNOWN else phase.value, view.phase.confidence)
    if phase not in (Phase.FIGHT, Phase.PLACEMENT):
        return
    yield ReadField("turn", view.turn.value or "", view.turn.confidence, view.places.get("button"))
    for name in NUMBERS:
        seen: Seen[int] | Seen[float] = getattr(view, name)
        wanted = name in _ALWAYS and not (name == "hp" and view.hp_share)
        if seen.value is not None or wanted:
            text = (
                "" if seen.value is None else f"{seen.value:.0%}" if name == "hp_share" else str(seen.value)
            )
            yield ReadField(name, text, seen.confidence, view.places.get(name))
    yield ReadField("lattice", "" if view.lattice.value is None else "found", view.lattice.confidence, None)
    yield ReadField(
        "cells", f"{view.cell_confidence:.0%}" if view.cell_confidence else "", view.cell_confidence
    )
    if view.player is None:
        yield ReadField("player", "", 0.0)
    else:
        yield _standing("player", view.player, view)
    for side, fighters in (("ally", view.allies), ("enemy", view.enemies)):
        for number, fighter in enumerate(fighters, 1):
            yield _standing(f"{side} {number}", fighter, view)
    for number, card in enumerate(view.timeline, 1):
        life = "" if card.hp_fraction.value is None else f" {card.hp_fraction.value:.0%}"
        text = f"{card.team}{life}{' *' if card.current else ''}"
        yield ReadField(f"card {number}", text, view.fighters_shown.confidence, card.box)
    for number, card in enumerate(view.dead, 1):
        yield ReadField(f"dead card {number}", "dead", view.fighters_shown.confidence, card.box)
    for slot in view.spells:
        usable = {True: "usable", False: "greyed", None: ""}[slot.usable.value]
        wait = f" {slot.cooldown.value}" if slot.cooldown.value else ""
        if slot.icon:
            yield ReadField(f"slot {slot.index + 1}", usable + wait, slot.usable.confidence, slot.box)


def _standing(name: str, fighter: FighterSeen, view: FightView) -> ReadField:
    cell = "" if fighter.cell is None else f"cell {fighter.cell}"
    lattice, (x, y) = view.lattice.value, fighter.px
    box = None
    if lattice is not None:
        wide, tall = round(lattice.cell_w), round(lattice.cell_h)
        box = Rect(round(x - wide / 2), round(y - tall / 2), wide, tall)
    return ReadField(name, cell or f"{x:.0f}, {y:.0f}", fighter.confidence, box)


def drawn(bgr: Picture, read: Sequence[ReadField]) -> Picture:
    """Returns the picture with each field's box and list number drawn over it, coloured by confidence.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
    """
    picture = np.ascontiguousarray(bgr[..., :3]).copy()
    size = max(0.4, picture.shape[0] / 1600)
    thick = max(1, round(picture.shape[0] / 700))
    for number, fighter in enumerate(read, 1):
        if fighter.box is None:
            continue
        colour = _MISSING if not fighter.value else _GOOD if fighter.confidence >= _SURE else _DOUBTFUL
        x, y, wide, tall = fighter.box
        cv2.rectangle(picture, (x, y), (x + wide, y + tall), colour, thick)
        text = str(number)
        (across, up), _ = cv2.getTextSize(text, _FACES, size, thick)
        cv2.rectangle(picture, (x, y - up - 4), (x + across + 4, y), _PLATE, -1)
        cv2.putText(picture, text, (x + 2, y - 2), _FACES, size, _INK, thick, cv2.LINE_AA)
    return picture


def cut_down(bgr: Picture, view: FightView) -> Picture:
    """Returns the part of a picture that may be shared: the game's area, blurred except for what was read.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
    """
    height, width = bgr.shape[:2]
    few = (min(width, _SMEARED), max(1, round(height * min(width, _SMEARED) / width)))
    small = cv2.resize(np.ascontiguousarray(bgr[..., :3]), few, interpolation=cv2.INTER_AREA)
    picture = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    kept = _kept(view, (height, width))
    picture[kept] = bgr[..., :3][kept]
    area = view.client or Rect(0, 0, width, height)
    return np.ascontiguousarray(picture[area.y : area.bottom, area.x : area.right])


def _kept(view: FightView, size: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Returns which pixels were read and hold no names, shape `size`."""
    mask = np.zeros(size, np.uint8)
    lattice = view.lattice.value
    if lattice is not None:
        centres = grid.centres(lattice)
        reach = np.array([(0, -0.5), (0.5, 0), (0, 0.5), (-0.5, 0)]) * (lattice.cell_w, lattice.cell_h)
        known = (view.cells != CellKind.UNKNOWN) & (view.cells != CellKind.OUTSIDE)
        corners = np.rint(centres[known][:, None] + reach).astype(np.int32)
        cv2.fillPoly(mask, list(corners), (1,))
    for box in _boxes(view):
        mask[max(0, box.y) : max(0, box.bottom), max(0, box.x) : max(0, box.right)] = 1
    for fighter in view.fighters:
        if fighter.name_box is not None:
            x, y, wide, tall = fighter.name_box
            aside, above = wide, tall
            mask[max(0, y - above) : y + tall + above, max(0, x - aside) : x + wide + aside] = 0
    return np.asarray(mask, np.bool_)


def _boxes(view: FightView) -> Iterator[Rect]:
    places = [*view.places.values(), *(card.box for card in (*view.timeline, *view.dead))]
    places += [slot.box for slot in view.spells if slot.box is not None]
    for x, y, wide, tall in places:
        room = round(_AROUND * min(wide, tall))
        yield Rect(x - room, y - room, wide + 2 * room, tall + 2 * room)
