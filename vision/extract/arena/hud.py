"""Reads the HUD: the numbers, the turn by the button, the spell slots, and the phase.

Each region is read again only when its pixels changed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vision.extract.arena import glyphs
from vision.extract.arena.glyphs import Glyphs
from vision.extract.arena.paints import mix
from vision.extract.arena.palette import ColourTable
from vision.frame import Rect
from vision.profiles.arena import DigitsRule, FightRules, ScreenRegion
from vision.profiles.profile import Profile
from vision.view import Phase, Seen, SpellSlot, Turn

Image = npt.NDArray[np.uint8]
T = TypeVar("T")

REACH = 150.0  # Distance from a text's colour (0..441) at which a pixel counts as background

_MIN_SHARE = 0.6
_MIN_PLATE = 0.2
_OFF_MIDDLE = 0.2
"""Largest offset of a number from its place, in cap heights; one that lost a digit is further off."""


class ArenaHudReader:
    """Reads the HUD of one profile; caches each region's pixels and reading."""

    def __init__(self, profile: Profile, fight: FightRules, digits: Glyphs) -> None:
        self._profile = profile
        self._fight = fight
        self._digits = digits
        self._memory: dict[str, tuple[Image, object]] = {}
        self._anchors = {
            key: ColourTable(
                {
                    "fight": anchor.colours,
                    "over": [mix(tone, fight.veil.colour, fight.veil.opacity) for tone in anchor.colours],
                },
                profile.tolerance,
            )
            for key, anchor in fight.anchors.items()
        }
        self._button = ColourTable(
            {"mine": fight.button.mine, "other": fight.button.other}, profile.tolerance + 10
        )
        bar = fight.spell_bar
        self._plate = ColourTable(
            {"plate": (fight.shield.plate,), "bare": fight.shield.bare}, profile.tolerance
        )
        self._slots = ColourTable(
            {"usable": (bar.usable,), "greyed": (bar.greyed,), "empty": (bar.empty,)}, profile.tolerance
        )

    def phase(self, pixels: Image, client: Rect) -> tuple[Phase, str]:
        """Returns the phase by the anchors (lit in a fight, darkened after one), and which are missing."""
        found = {key: self._anchor(pixels, client, key) for key in self._anchors}
        if all(phase == Phase.FIGHT for phase in found.values()):
            return Phase.FIGHT, ""
        if all(phase == Phase.NOT_FIGHT for phase in found.values()):
            return Phase.NOT_FIGHT, ""
        return Phase.UNKNOWN, ", ".join(key for key, phase in found.items() if phase != Phase.FIGHT)

    def number(self, pixels: Image, client: Rect, name: str) -> Seen[int]:
        rule = self._fight.numbers[name]
        return self._cached(
            name, pixels, self._place(rule.region, client), lambda p: self._read(p, rule, client)
        )

    def shield(self, pixels: Image, client: Rect) -> Seen[int]:
        """Returns the number on the shield's plate, 0 where the band is bare."""
        rule = self._fight.shield.number

        def read(patch: Image) -> Seen[int]:
            plate, bare = _shares(self._plate, patch)
            if bare > _MIN_SHARE:
                return Seen(0, bare)
            return self._read(patch, rule, client) if plate > _MIN_PLATE else Seen()

        return self._cached("shield", pixels, self._place(rule.region, client), read)

    def turn(self, pixels: Image, client: Rect) -> Seen[Turn]:
        """Returns whose turn it is by the button."""

        def read(patch: Image) -> Seen[Turn]:
            shares = _shares(self._button, patch)
            if max(shares) < _MIN_SHARE:
                return Seen()
            return Seen("mine", shares[0]) if shares[0] > shares[1] else Seen("other", shares[1])

        return self._cached("button", pixels, self._place(self._fight.button.region, client), read)

    def spells(self, pixels: Image, client: Rect) -> tuple[SpellSlot, ...]:
        found = []
        for index in range(self._fight.spell_bar.slots):
            place = self._place(self._fight.spell_bar.slot(index), client)
            slot = self._cached(
                f"slot {index}",
                pixels,
                place,
                lambda p, i=index: self._slot(p, i, client),  # type: ignore[misc]
            )
            if slot is not None:
                found.append(replace(slot, box=place))
        return tuple(found)

    def _place(self, region: ScreenRegion, client: Rect) -> Rect:
        return region.pixels(client, self._profile.unit(client))

    def _anchor(self, pixels: Image, client: Rect, key: str) -> Phase:
        def read(patch: Image) -> Phase:
            fight, over = _shares(self._anchors[key], patch)
            if max(fight, over) < _MIN_SHARE:
                return Phase.UNKNOWN
            return Phase.FIGHT if fight > over else Phase.NOT_FIGHT

        place = self._place(self._fight.anchors[key].region, client)
        return self._cached(f"anchor {key}", pixels, place, read)

    def _cached(self, key: str, pixels: Image, place: Rect, read: Callable[[Image], T]) -> T:
        top, left = max(0, place.y), max(0, place.x)
        patch = pixels[top : max(0, place.bottom), left : max(0, place.right)]
        known = self._memory.get(key)
        if known is not None and known[0].shape == patch.shape and np.array_equal(known[0], patch):
            return known[1]  # type: ignore[return-value]
        result = read(patch)
        self._memory[key] = (patch.copy(), result)
        return result

    def _read(self, patch: Image, rule: DigitsRule, client: Rect) -> Seen[int]:
        if not patch.size:
            return Seen()
        drawn = glyphs.ink(patch, rule.colours, REACH)
        cap_px = rule.cap * self._profile.unit(client)
        pieces = glyphs.pieces(drawn, cap_px)
        if pieces is None or abs(glyphs.middle(pieces) - patch.shape[1] / 2 / cap_px) > _OFF_MIDDLE:
            return Seen()
        return self._digits.number(pieces, rule.digits)

    def _slot(self, patch: Image, index: int, client: Rect) -> SpellSlot | None:
        if min(patch.shape[:2]) < 8:
            return SpellSlot(index)
        bar = self._fight.spell_bar
        s = self._profile.unit(client)
        meaning = self._slots.read(patch)
        if (meaning == 3).mean() > 0.85:
            return None
        y, x = np.mgrid[: patch.shape[0], : patch.shape[1]] + 0.5 - bar.badge[0] * s
        disc = meaning[np.hypot(x, y) < bar.badge[1] * s * 0.85]
        usable, greyed = float((disc == 1).mean()), float((disc == 2).mean())
        if max(usable, greyed) < 0.25 or min(usable, greyed) > 0.05:
            return SpellSlot(index)
        if usable > greyed:
            return SpellSlot(index, Seen(True, 0.98), Seen(0, 0.98))
        return SpellSlot(index, Seen(False, 0.98), self._cooldown(patch, client))

    def _cooldown(self, patch: Image, client: Rect) -> Seen[int]:
        rule = self._fight.spell_bar.cooldown
        s = self._profile.unit(client)
        h, w = patch.shape[:2]
        half_w, half_h = round(rule.w * s / 2), round(rule.h * s / 2)
        middle = patch[max(0, h // 2 - half_h) : h // 2 + half_h, max(0, w // 2 - half_w) : w // 2 + half_w]
        if glyphs.ink(middle, rule.colours, REACH).max() < 0.3:
            return Seen(0, 0.95)
        return self._read(middle, rule, client)


def _shares(palette: ColourTable, patch: Image) -> list[float]:
    if not patch.size:
        return [0.0] * len(palette.names)
    counts = np.bincount(palette.read(patch).reshape(-1), minlength=len(palette.names) + 1)[1:]
    return [float(count) / (patch.shape[0] * patch.shape[1]) for count in counts]
