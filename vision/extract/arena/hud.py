"""Reads the HUD: the numbers, the turn by the button, the spell slots, and the phase.

Each region is read again only when its pixels changed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from vision.extract.arena.paints import mix
from vision.extract.arena.palette import ColourTable
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.numbers_seen import NumberReader
from vision.frame import Rect
from vision.profiles.arena import FightRules, ScreenRegion
from vision.profiles.hud import FieldRule
from vision.profiles.profile import Profile
from vision.view import Phase, Seen, SpellSlot, Turn

Image = npt.NDArray[np.uint8]
T = TypeVar("T")

_MIN_SHARE = 0.6
_MIN_PLATE = 0.2
_WRITTEN, _INNER = 190, 0.35
"""The least channel of a number of turns in the middle of a greyed slot, up to so many of its sides from it:
the icon's own sign has 145 at most, the number 255."""


class ArenaHudReader:
    """Reads the HUD of one profile; caches each region's pixels and reading."""

    def __init__(self, profile: Profile, fight: FightRules) -> None:
        self._profile = profile
        self._fight = fight
        self._numbers = NumberReader()
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
        anchored = {key: self._anchor(pixels, client, key) for key in self._anchors}
        if all(phase == Phase.FIGHT for phase in anchored.values()):
            return Phase.FIGHT, ""
        if all(phase == Phase.NOT_FIGHT for phase in anchored.values()):
            return Phase.NOT_FIGHT, ""
        return Phase.UNKNOWN, ", ".join(key for key, phase in anchored.items() if phase != Phase.FIGHT)

    def number(self, pixels: Image, client: Rect, name: str) -> Seen[int]:
        return self._read(pixels, client, name, self._fight.numbers[name])

    def shield(self, pixels: Image, client: Rect) -> Seen[int]:
        """Returns the number on the shield's plate, 0 where the band is bare."""
        rule = self._fight.shield
        place = self._place(rule.region, client)
        plate, bare = self._cached("plate", pixels, place, lambda patch: _shares(self._plate, patch))
        if bare > _MIN_SHARE:
            return Seen(0, bare)
        return self._read(pixels, client, "shield", rule.number) if plate > _MIN_PLATE else Seen()

    def turn(self, pixels: Image, client: Rect) -> Seen[Turn]:
        """Returns whose turn it is by the button."""

        def read(patch: Image) -> Seen[Turn]:
            shares = _shares(self._button, patch)
            if max(shares) < _MIN_SHARE:
                return Seen()
            return Seen("mine", shares[0]) if shares[0] > shares[1] else Seen("other", shares[1])

        return self._cached("button", pixels, self._place(self._fight.button.region, client), read)

    def spells(self, pixels: Image, client: Rect) -> tuple[SpellSlot, ...]:
        slots = []
        for index in range(self._fight.spell_bar.slots):
            place = self._place(self._fight.spell_bar.slot(index), client)
            slot = self._cached(
                f"slot {index}",
                pixels,
                place,
                lambda p, i=index: self._slot(p, i, client),  # type: ignore[misc]
            )
            if slot is not None:
                slots.append(replace(slot, box=place))
        return tuple(slots)

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

    def _read(self, pixels: Image, client: Rect, name: str, rule: FieldRule) -> Seen[int]:
        edge = client.y if rule.place[1] > 0 else client.bottom
        anchor = HudAnchor(client.x + client.width / 2, edge, self._profile.unit(client), 1.0)
        return self._numbers.read(pixels, anchor, {name: rule}).get(name, Seen())

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
        high, wide = patch.shape[:2]
        down, across = round(_INNER * high), round(_INNER * wide)
        middle = patch[high // 2 - down : high // 2 + down, wide // 2 - across : wide // 2 + across, :3]
        if middle.min(axis=2).max() < _WRITTEN:
            return Seen(0, 0.95)
        anchor = HudAnchor(wide / 2, high / 2, self._profile.unit(client), 1.0)
        rule = self._fight.spell_bar.cooldown
        return self._numbers.read(patch, anchor, {"cooldown": rule}).get("cooldown", Seen())


def _shares(palette: ColourTable, patch: Image) -> list[float]:
    if not patch.size:
        return [0.0] * len(palette.names)
    counts = np.bincount(palette.read(patch).reshape(-1), minlength=len(palette.names) + 1)[1:]
    return [float(count) / (patch.shape[0] * patch.shape[1]) for count in counts]
