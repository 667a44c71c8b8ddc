"""Reads the timeline's cards: side, kind and HP of each, and which one is current."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.extract.arena import paints
from vision.extract.arena.palette import ColourTable, majority
from vision.frame import Rect
from vision.profiles.arena import TEAMS, FightRules
from vision.profiles.profile import Profile
from vision.view import Seen, Team

Packed = npt.NDArray[np.uint32]

_MAX_CARDS = 16
_FULL_CARDS = 8  # With more cards than this all of them are scaled down to keep the row's length
_FRAME_TOLERANCE = 64
_UNCOVERED = 0.6  # The share of a current card's height, from above, that no fighter's HP bar reaches
_RIVAL = 0.6
"""A card shows one figure before its side's tint: what another kind has of it (0.54 of a toad's before an
ally's tint, 0.51 of a sapling's own shades) is no second figure; none of 28 kinds has more than its own."""


@dataclass(frozen=True, slots=True)
class TimelineCard:
    """One card, left to right. `box` is in pixels of the frame."""

    box: Rect
    current: bool
    team: Team | None
    kind: Seen[str]
    hp_fraction: Seen[float]


class ArenaTimelineReader:
    """Reads the timeline of one profile."""

    def __init__(self, profile: Profile, fight: FightRules) -> None:
        self._profile = profile
        self._rule = rule = fight.timeline
        self._bars = paints.bars(fight.bar.full, fight.bar.empty)
        self._bodies = paints.portraits(profile, fight)
        self._kinds = len(fight.kinds)
        self._frame = ColourTable({"frame": (rule.frame,)}, _FRAME_TOLERANCE)
        self._known: tuple[Rect, Packed, list[TimelineCard]] | None = None
        self._sides = np.array([rule.sides[team] for team in TEAMS], np.float64)

    def strip(self, client: Rect) -> Rect:
        s = self._profile.unit(client)
        left = round(client.x + client.width / 2 + (self._rule.left - 0.005) * s)
        height = round((self._rule.top + self._rule.current[1]) * s) + 2
        return Rect(left, client.y, max(0, client.right - left), height)

    def read(self, pixels: Packed, client: Rect) -> list[TimelineCard]:
        """Returns the cards in turn order, cached while the pixels there do not change.

        Args:
            pixels: the frame, packed as 0xAARRGGBB, shape (height, width).
        """
        box = self.strip(client)
        seen = pixels[box.y : box.bottom, box.x : box.right]
        if self._known is None or self._known[0] != client or not np.array_equal(self._known[1], seen):
            self._known = (client, seen.copy(), self._read(pixels, client))
        return self._known[2]

    def _read(self, pixels: Packed, client: Rect) -> list[TimelineCard]:
        for count in range(_MAX_CARDS, _FULL_CARDS, -1):
            smaller = self._row(pixels, client, _FULL_CARDS / count)
            if len(smaller) == count:
                return smaller
        return self._row(pixels, client, 1.0)

    def _row(self, pixels: Packed, client: Rect, scale: float) -> list[TimelineCard]:
        """Returns the cards at `scale` of their full size."""
        unit = self._profile.unit(client)
        x = client.x + client.width / 2 + self._rule.left * unit
        y = client.y + self._rule.top * unit
        s = unit * scale
        cards: list[TimelineCard] = []
        while len(cards) < _MAX_CARDS:
            card = self._card(pixels, x, y, s, True) or self._card(pixels, x, y, s, False)
            if card is None:
                break
            cards.append(card)
            x += ((self._rule.current if card.current else self._rule.card)[0] + self._rule.gap) * s
        return cards

    def _card(self, pixels: Packed, x: float, y: float, s: float, current: bool) -> TimelineCard | None:
        """Returns the card at a place, None where there is none of that size."""
        rule = self._rule
        w, h = (side * s for side in (rule.current if current else rule.card))
        if x + w > pixels.shape[1] or y + h > pixels.shape[0]:
            return None
        line = max(1.0, rule.line * s)
        if current and not self._is_framed(pixels, x, y, w, h, line):
            return None
        edge = line * (3.2 if current else 1)
        left, top, bottom = x + edge, y + edge, y + h - edge
        hp = self._bar(pixels, left, top, bottom, rule.bar_w * s, covered=current)
        if hp is None:
            return None
        face = Rect(
            round(left + rule.bar_w * s + line + 1),
            round(top + 1),
            round(x + w - edge - 1) - round(left + rule.bar_w * s + line + 1),
            round(bottom - 1) - round(top + 1),
        )
        patch = pixels[face.y : face.bottom, face.x : face.right]
        box = Rect(round(x), round(y), round(w), round(h))
        return TimelineCard(box, current, self._team(patch), self._kind(patch), Seen(hp, 0.95))

    def _is_framed(self, pixels: Packed, x: float, y: float, w: float, h: float, line: float) -> bool:
        rows = slice(round(y + h * 0.15), round(y + h * 0.85))
        width = max(2, round(line * 2))
        for column in (int(x), int(np.ceil(x + w)) - width - 1):
            side = self._frame.read_packed(pixels[rows, column : column + width + 1]) > 0
            if side.mean(axis=0).max() < 0.8:
                return False
        return True

    def _bar(
        self, pixels: Packed, left: float, top: float, bottom: float, width: float, covered: bool
    ) -> float | None:
        """Returns the filled share of a card's vertical bar, None where there is none.

        The low end of one that may be `covered` lies under the HP bar of a fighter who stands below it.
        """
        columns = slice(
            round(left + width * 0.3), max(round(left + width * 0.3) + 1, round(left + width * 0.7))
        )
        first, last = int(np.ceil(top + 0.01)), int(np.floor(bottom - 0.01))
        strip = pixels[first:last, columns]
        if not strip.size:
            return None
        meaning = self._bars.read_packed(strip)
        full, empty = (meaning == 1).mean(axis=1) > 0.5, (meaning == 2).mean(axis=1) > 0.5
        high = round(len(full) * _UNCOVERED)
        if covered and not (full[high:].all() or empty[high:].all()) and full[high - 1]:
            full[high:], empty[high:] = True, False
        if (full | empty).mean() < 0.9:
            return None
        dark = int(empty.sum())
        mixed = len(full) - dark - int(full.sum())
        if not empty[:dark].all() or mixed > 1 or not full[dark + mixed :].all():
            return None
        return 1 - (dark + 0.5 * mixed) / len(full)

    def _team(self, face: Packed) -> Team | None:
        h, w = face.shape
        corner = face[: max(1, h // 8), : max(1, w // 8)].reshape(-1)
        rgb = np.stack([corner >> 16 & 255, corner >> 8 & 255, corner & 255], axis=1).astype(np.float64)
        tone = rgb.mean(axis=0) - rgb.mean()
        sides = self._sides - self._sides.mean(axis=1, keepdims=True)
        alike = sides @ tone / (np.linalg.norm(sides, axis=1) * np.linalg.norm(tone) + 1e-6)
        best = int(np.argmax(alike))
        return TEAMS[best] if alike[best] > 0.9 and sorted(alike)[-2] < alike[best] - 0.05 else None

    def _kind(self, face: Packed) -> Seen[str]:
        """Returns the kind with most pixels of its colours in the portrait."""
        meaning = self._bodies.read_packed(face)
        return majority(self._bodies, self._kinds, meaning, 0.06 * face.size, _RIVAL)
