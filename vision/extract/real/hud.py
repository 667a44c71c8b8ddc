"""Reads a real client's HUD: life, AP, MP, timer, the turn's number, whose turn it is, whether it is a fight.

Nothing is looked for at a fixed place: the star and the diamond (or the heart) anchor the numbers about them,
the end-turn button those about it. Next hop: `vision.extract.real.reader`.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.extract.real import anchors, cards, numbers
from vision.extract.real.anchors import Anchor
from vision.extract.real.cards import Card
from vision.extract.real.model import HudSeen
from vision.frame import Rect
from vision.panels import FieldRule, HudRules
from vision.profiles import Profile
from vision.view import Phase, Seen, Turn

Picture = npt.NDArray[np.uint8]

_PATIENCE = 12
"""A button or a timeline that is not where it was is looked for everywhere in one frame of so many."""


class HudReader:
    """Reads the HUD of one profile's client; remembers where it stands and what its numbers looked like."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._size = (0, 0)
        self._vitals: Anchor | None = None
        self._button: Anchor | None = None
        self._strip: Rect | None = None
        self._waits = 0
        self._memory: dict[str, tuple[Picture, Seen[int]]] = {}

    def read(self, bgr: Picture, client: Rect) -> HudSeen:
        """Reads the HUD of a picture.

        Args:
            bgr: the picture, uint8, shape (height, width, 3).
            client: the client area in it.
        """
        rules = self._profile.hud
        if rules is None:
            return HudSeen(reason=f"the HUD of {self._profile.name} has not been described")
        part = bgr[client.y : client.bottom, client.x : client.right]
        if part.shape[:2] != self._size:
            self._size = (part.shape[0], part.shape[1])
            self._vitals, self._button, self._strip, self._waits = None, None, None, 0
        self._vitals = self._find_vitals(part, rules)
        if self._vitals is None:
            return HudSeen(reason=f"the life, AP and MP of {self._profile.name} are not seen in the picture")
        everywhere = self._waits == 0
        self._waits = (self._waits + 1) % _PATIENCE
        button = self._find_button(part, rules, self._vitals.unit, everywhere)
        row = self._find_cards(part, rules, everywhere)
        if button is not None and not row and not _is_timed(part, button, rules):
            button = None
        read = self._numbers(part, self._vitals, rules.fields)
        if rules.button is not None and button is not None:
            read |= self._numbers(part, button, rules.button.fields)
        return _judged(rules, read, button is not None, row)

    def _find_vitals(self, part: Picture, rules: HudRules) -> Anchor | None:
        """Looks where the anchor was, then everywhere."""
        if self._vitals is not None:
            window = _about(part, self._vitals, 1.6, 1.6)
            near = anchors.vitals(anchors.hsv(_cut(part, window)), rules, part.shape[0])
            if near is not None:
                return replace(near, x=near.x + window.x, y=near.y + window.y)
        return anchors.vitals(anchors.hsv(part), rules, part.shape[0])

    def _find_button(self, part: Picture, rules: HudRules, unit: float, everywhere: bool) -> Anchor | None:
        """Looks where the button was last, and now and then everywhere."""
        if rules.button is None:
            return None
        if self._button is not None:
            window = _about(part, self._button, 0.7, 0.4)
            near = anchors.button(anchors.hsv(_cut(part, window)), rules.button, unit)
            if near is not None:
                return replace(near, x=near.x + window.x, y=near.y + window.y)
        if not everywhere:
            return None
        found = anchors.button(anchors.hsv(part), rules.button, unit)
        self._button = found or self._button
        return found

    def _find_cards(self, part: Picture, rules: HudRules, everywhere: bool) -> list[Card]:
        """Looks for the timeline at the height it was at last, and now and then everywhere."""
        if rules.timeline is None:
            return []
        if self._strip is not None:
            row = cards.find(_cut(part, self._strip), rules.timeline)
            if row:
                return row
        if not everywhere:
            return []
        row = cards.find(part, rules.timeline)
        if row:
            size = max(card.box.height for card in row)
            top = max(0, min(card.box.y for card in row) - size)
            bottom = min(part.shape[0], max(card.box.bottom for card in row) + size)
            self._strip = Rect(0, top, part.shape[1], bottom - top)
        return row

    def _numbers(
        self, part: Picture, anchor: Anchor, fields: Mapping[str, FieldRule]
    ) -> dict[str, Seen[int]]:
        """Reads numbers, those whose pixels changed since the last time."""
        found = {}
        for name, rule in fields.items():
            window = numbers.window(part, anchor, rule)
            if window is None:
                continue
            patch = _cut(part, window)
            known = self._memory.get(name)
            if known is None or not np.array_equal(known[0], patch):
                place = replace(anchor, x=anchor.x - window.x, y=anchor.y - window.y)
                known = (patch.copy(), numbers.read(patch, place, rule))
                self._memory[name] = known
            found[name] = known[1]
        return found


def _is_timed(part: Picture, button: Anchor, rules: HudRules) -> bool:
    """Tells whether a timer's plate is over a button; a client without one has no need of it."""
    timer = rules.button.fields.get("timer_s") if rules.button is not None else None
    if timer is None:
        return True
    window = numbers.window(part, button, timer)
    return window is not None and numbers.is_lit(_cut(part, window), timer)


def read_hud(bgr: Picture, client: Rect, profile: Profile) -> HudSeen:
    """Reads the HUD of a single picture, see `HudReader.read`."""
    return HudReader(profile).read(bgr, client)


def _about(part: Picture, anchor: Anchor, across: float, down: float) -> Rect:
    """Returns the box that reaches so many units to each side of an anchor, cut to the picture."""
    left, top = max(0, round(anchor.x - across * anchor.unit)), max(0, round(anchor.y - down * anchor.unit))
    right = min(part.shape[1], round(anchor.x + across * anchor.unit))
    bottom = min(part.shape[0], round(anchor.y + down * anchor.unit))
    return Rect(left, top, right - left, bottom - top)


def _cut(part: Picture, box: Rect) -> Picture:
    return part[box.y : box.bottom, box.x : box.right]


def _judged(rules: HudRules, read: dict[str, Seen[int]], button: bool, row: list[Card]) -> HudSeen:
    """Puts together what was read; what contradicts itself is withheld."""
    hp, max_hp = read.get("hp", Seen()), read.get("max_hp", Seen())
    if hp.value is not None and max_hp.value is not None and hp.value > max_hp.value:
        hp, max_hp = Seen(), Seen()
    ap, mp = read.get("ap", Seen()), read.get("mp", Seen())
    return HudSeen(
        phase=_phase(button or bool(row) or (rules.points_tell and bool(ap) and bool(mp))),
        turn=_turn(button, row),
        hp=hp,
        max_hp=max_hp,
        shield=read.get("shield", Seen()),
        ap=ap,
        mp=mp,
        timer_s=read.get("timer_s", Seen()),
        turn_number=read.get("turn_number", Seen()),
        fighters_shown=Seen(len(row), 0.9) if row else Seen(),
    )


def _phase(fight: bool) -> Seen[Phase]:
    """Returns the phase; that nothing tells a fight is a weaker sign than that something does."""
    return Seen(Phase.FIGHT, 0.95) if fight else Seen(Phase.NOT_FIGHT, 0.7)


def _turn(button: bool, row: list[Card]) -> Seen[Turn]:
    """Returns whose turn it is: the bright button is the player's, a framed card of the other side is theirs.

    Where the card of the player's side is framed but no button is seen, an ally may be playing.
    """
    playing = next((card.team for card in row if card.current), None)
    if button:
        return Seen("mine", 0.95) if playing != "enemy" else Seen()
    return Seen("other", 0.9) if playing == "enemy" else Seen()
