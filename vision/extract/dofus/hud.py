"""Reads a real client's HUD: life, AP, MP, timer, turn, timeline and spell bar, as evidence of the phase too.

Nothing has a fixed place: the star and the diamond (or the heart) anchor the numbers around them, the end-
turn button those around it; timeline and spell bar are found by their appearance. Each is then tracked at
its last place.
"""

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.extract.dofus import anchors, button, numbers, phase, timer
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.model import HudSeen, TimelineSeen
from vision.extract.dofus.numbers_seen import NumberReader
from vision.extract.dofus.phase import SIGN, Button, PhaseEvidence
from vision.extract.dofus.rows import BarReader, DofusTimelineReader
from vision.extract.dofus.search import Search, around, crop, crop_bgr, equal_pixels
from vision.frame import Rect
from vision.message import say
from vision.profiles.hud import BarredRule, EndTurnRule, HudRules, SpellsRule
from vision.profiles.profile import Profile
from vision.view import CardSeen, Phase, Seen, SpellSlot

Picture = npt.NDArray[np.uint8]

_VITALS = ("hp", "ap", "mp")
_LEGIBLE = 2
"""So many of life, AP and MP are read in a HUD that is clear enough to show a fight's signs: JPEG has smeared
one of them on a real map, and one alone may be anything in the star's or the heart's place."""
_SMALL = 30.0
"""Below this unit, in pixels, figures have some 8 pixels and a button's words 5: what is not read there may
well be there. The small window that was taken for no fight had 18, the real maps at hand have 49 to 65."""
_SHARE, _LONE = "hp_share", "lone_hp"

_NOWHERE = HudAnchor(0.0, 0.0, 0.0, 0.0)

_BUTTON = (0.55, 0.165)  # Half the button's width and height without the timer, in its widths


_AS_WIDE = (0.75, 1.33)  # By the button's width before: a meadow of 322 pixels was taken for it


class DofusHudReader:
    """Reads the HUD of one client; caches the places of its parts and the images of its numbers."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._forget((0, 0))

    def _forget(self, size: tuple[int, int]) -> None:
        """Resets all caches, for pictures of a size (height, width)."""
        self._size, self._is_first = size, True
        self._search = Search(size)
        self._vitals: tuple[HudAnchor, Rect, Picture] | None = None
        self._proven: HudAnchor | None = None
        self._button: HudAnchor | None = None
        self._grey_button: HudAnchor | None = None
        self._aside: int | None = None
        self._bright_button: tuple[HudAnchor, Rect, Picture] | None = None
        self._timeline = DofusTimelineReader()
        self._bar = BarReader()
        self._numbers = NumberReader()

    @property
    def is_unfinished(self) -> bool:
        """Whether more would be known of the same picture, read again."""
        return self._bar.is_unfinished

    def search_all(self) -> None:
        """Searches the whole of the next picture for what has not been found."""
        self._search.start_over()

    def read(self, picture: Picture, client: Rect) -> HudSeen:
        """Reads the HUD of a picture.

        Args:
            picture: BGR or BGRA, uint8, shape (height, width, 3 or 4).
        """
        rules, client_name = self._profile.hud, self._profile.name
        if rules is None:
            return HudSeen(reason=say("The HUD of {client} has not been described.", client=client_name))
        part = picture[client.y : client.bottom, client.x : client.right]
        if part.shape[:2] != self._size:
            self._forget((part.shape[0], part.shape[1]))
        is_first, self._is_first = self._is_first, False
        area = self._search.next()
        anchor = self._find_vitals(part, rules, area)
        without_vitals = say(
            "The life, AP and MP of {client} are not seen in the picture.", client=client_name
        )
        if anchor is None:
            cards = TimelineSeen(is_alone=self._has_cards(part, rules, area))
            return HudSeen(reason=without_vitals, row=cards)
        new = self._search.unless_barren(part, area, anchor)
        row = self._timeline.read(part, rules.timeline, anchor, new) if rules.timeline is not None else []
        row = [replace(card, box=card.box.moved(client.x, client.y)) for card in row]
        dead = [card for card in row if card.team is None]
        row = [card for card in row if card.team is not None]
        waiting: list[CardSeen] = []
        if not any(card.current for card in row):
            row, waiting = [], row
        read = self._vital_numbers(part, anchor, rules)
        hp, max_hp = _consistent(read.get("hp", Seen()), read.get("max_hp", Seen()))
        read |= {"hp": hp, "max_hp": max_hp}
        if any(read.get(name) for name in (*_VITALS, "max_hp", _SHARE)):
            self._proven = anchor
        else:  # perhaps something else of that shape, seen while a window covers the HUD
            self._vitals = None
        state: Button | None = None
        if rules.button is not None:
            usual = _usual(rules.usual_of(anchor.arrangement), anchor)
            state, beside = self._about_button(part, rules.button, anchor.unit, usual, new, bool(row))
            read |= beside
        self._search.found_in(
            part, new, anchor, something=bool(row or waiting or state or read.get("timer_s"))
        )
        evidence = _evidence(rules, read, state, row)
        if not evidence and not any(read.get(name) for name in _VITALS):
            return HudSeen(reason=without_vitals)
        judged = phase.classify(evidence)
        if judged.value is Phase.NOT_FIGHT and not _is_legible(rules, read, anchor.unit):
            blurred = say("The numbers of {client} are too blurred to be read.", client=client_name)
            unknown = Seen(Phase.UNKNOWN, judged.confidence)
            return HudSeen(phase=unknown, evidence=evidence, reason=blurred)
        spells: tuple[SpellSlot, ...] = ()
        if rules.spells is not None and judged.value is not Phase.NOT_FIGHT:  # the board may show a fight
            spells = self._bar.read(part, rules.spells, anchor, area, at_once=is_first)
        return HudSeen(
            phase=judged,
            evidence=evidence,
            turn=phase.turn(state, row, begun=bool(row) or "turn_number" in evidence),
            hp=hp,
            max_hp=max_hp,
            hp_share=Seen() if max_hp else read.get(_SHARE, Seen()),
            shield=read.get("shield", Seen()),
            ap=read.get("ap", Seen()),
            mp=read.get("mp", Seen()),
            timer_s=read.get("timer_s", Seen()),
            turn_number=read.get("turn_number", Seen()),
            row=TimelineSeen(tuple(row), tuple(waiting), tuple(dead)),
            many_spells=rules.spells is not None and has_many(spells, rules.spells, anchor),
            places=self._places(part, client, anchor, rules, read),
            spells=tuple(
                replace(slot, box=slot.box and slot.box.moved(client.x, client.y)) for slot in spells
            ),
        )

    def _vital_numbers(self, part: Picture, anchor: HudAnchor, rules: HudRules) -> dict[str, Seen[int]]:
        """Reads life, AP and MP; `lone_hp` is among them where the heart shows HP without a maximum.

        A player chooses what the heart shows. Two forms read at once contradict each other: one of them has
        been read off the upper or lower halves of the other's figures. Retro, whose heart has one form here,
        has `lone_hp` for figures of another size.
        """
        fields = dict(rules.numbers_of(anchor.arrangement))
        share = {_SHARE: fields.pop(_SHARE)} if _SHARE in fields else {}
        read = self._numbers.read(part, anchor, fields)
        lone = read.pop(_LONE, Seen())
        rows = bool(read.get("hp") or read.get("max_hp"))
        if lone and rows and "max_hp" in fields:
            return read | {"hp": Seen(), "max_hp": Seen()}
        if lone and not rows:
            return read | {"hp": lone, _LONE: lone}
        return read if rows else read | self._numbers.read(part, anchor, share)

    def _places(
        self,
        part: Picture,
        client: Rect,
        anchor: HudAnchor,
        rules: HudRules,
        read: Mapping[str, Seen[int]],
    ) -> dict[str, Rect]:
        fields = [(name, rule, anchor) for name, rule in rules.numbers_of(anchor.arrangement).items()]
        places = {}
        if rules.button is not None and self._button is not None:
            fields += [(name, rule, self._button) for name, rule in rules.button.numbers.items()]
            half = (_BUTTON[0] * self._button.unit, _BUTTON[1] * self._button.unit)
            x, y = self._button.x, self._button.y
            box = Rect(round(x - half[0]), round(y - half[1]), round(2 * half[0]), round(2 * half[1]))
            places["button"] = box.moved(client.x, client.y)
        for name, rule, place in fields:
            if name == "hp" and read.get(_LONE):
                continue
            window = numbers.window(part, place, rule) if read.get(name) or name in _VITALS else None
            if window is not None:
                places["hp" if name == _LONE else name] = window.moved(client.x, client.y)
        return places

    def _has_cards(self, part: Picture, rules: HudRules, area: Rect) -> bool:
        if rules.timeline is None or isinstance(rules.timeline, BarredRule):
            return False
        return bool(self._timeline.read(part, rules.timeline, _NOWHERE, area))

    def _find_vitals(self, part: Picture, rules: HudRules, area: Rect) -> HudAnchor | None:
        """Searches the anchor at its last place, then in `area`; not at all while only its numbers change.

        Where no number was read around the last one, the place of the last one with numbers goes first.
        """
        areas = [area] if self._proven is None else [around(part, self._proven, 1.6, 1.6), area]
        if self._vitals is not None:
            anchor, window, patch = self._vitals
            now = crop(part, window)
            if equal_pixels(patch, now) or equal_pixels(
                *_unnumbered(part, anchor, rules, window, (patch, now))
            ):
                return anchor
            areas = [around(part, anchor, 1.6, 1.6), area]
        for window in areas:
            vitals = anchors.vitals(anchors.hsv(crop_bgr(part, window)), rules, part.shape[0])
            if vitals is not None:
                vitals = vitals.moved(window.x, window.y)
                place = around(part, vitals, 1.3, 0.6)
                self._vitals = (vitals, place, crop(part, place).copy())
                return vitals
        return None

    def _about_button(
        self, part: Picture, rule: EndTurnRule, unit: float, usual: HudAnchor | None, area: Rect, row: bool
    ) -> tuple[Button | None, dict[str, Seen[int]]]:
        """Returns the button's state and the numbers around it.

        A box of the bright button's colours needs a timer above it, unless a timeline shows a fight and it is
        about as wide as the button was or usually is: grass has these colours too. A greyed one is looked for
        under the time left; in clients without, at its place, at first all about it, later at one more place
        in each frame.
        """
        bright_button = self._bright(part, rule, unit, area, usual)
        likely = bright_button is not None and row and is_as_wide(bright_button, self._button or usual)
        if bright_button is not None and not likely and not _is_timed(part, bright_button, rule):
            bright_button = None
        if bright_button is not None:
            self._button = bright_button
            return "bright", self._numbers.read(part, bright_button, rule.numbers)
        if "timer_s" in rule.numbers:
            return self._under_timer(part, rule, unit, usual, area)
        place = self._button or self._grey_button or usual
        if place is None:
            return None, {}
        if self._button is not None:
            return ("grey" if button.is_grey(part[..., :3], place, rule) else None), {}
        aside = button.ASIDES if self._aside is None else (0.0, button.ASIDES[self._aside])
        self._grey_button = button.grey(part[..., :3], place, rule, aside)
        self._aside = ((self._aside or 0) + 1) % len(button.ASIDES)
        return ("grey" if self._grey_button is not None else None), {}

    def _under_timer(
        self, part: Picture, rule: EndTurnRule, unit: float, usual: HudAnchor | None, area: Rect
    ) -> tuple[Button | None, dict[str, Seen[int]]]:
        """Returns the state of a grey or wordless button, and the numbers about it.

        It is where the time left is read: at its last or usual place, else anywhere in `area`.
        """
        place = self._button or self._grey_button or usual
        read: dict[str, Seen[int]] = {}
        if place is not None and _is_timed(part, place, rule):
            read = self._numbers.read(part, place, rule.numbers)
            if read.get("timer_s"):
                return self._timed(part, place, rule, read)
        if rule.time is None or usual is None or not area.width or not area.height:
            return None, read
        bgr = crop_bgr(part, area)
        for anchor in timer.find(bgr, anchors.hsv(bgr), usual.unit, rule.numbers["timer_s"], rule.time):
            place = anchor.moved(area.x, area.y)
            there = self._numbers.read(part, place, rule.numbers)
            if not there.get("timer_s"):
                continue
            state, about = self._timed(part, place, rule, there)
            if state is not None:  # words of the log may have the time's colour
                self._button, self._grey_button = (self._button if state == "bright" else None), place
                return state, about
        return None, read

    def _timed(
        self, part: Picture, place: HudAnchor, rule: EndTurnRule, read: dict[str, Seen[int]]
    ) -> tuple[Button | None, dict[str, Seen[int]]]:
        state, exact = button.under_time(part[..., :3], place, rule)
        if state != "bright":
            return state, read
        self._button = exact
        again = self._numbers.read(part, exact, rule.numbers) if exact != place else read
        return state, again if again.get("timer_s") else read

    def _bright(
        self, part: Picture, rule: EndTurnRule, unit: float, area: Rect, usual: HudAnchor | None
    ) -> HudAnchor | None:
        """Searches the bright button at its last or usual place, then in `area`.

        Where it looks otherwise the fight may have begun: what is not found yet is searched in all of the
        next picture.
        """
        if self._bright_button is not None:
            if equal_pixels(self._bright_button[2], crop(part, self._bright_button[1])):
                return self._bright_button[0]
            self._search.start_over()
        near = self._button or self._grey_button or usual
        areas = [area] if near is None else [around(part, near, 0.7, 0.4), area]
        self._bright_button = None
        for window in (window for window in areas if window.width > 0 < window.height):
            buttons = [
                place.moved(window.x, window.y)
                for place in button.bright(anchors.hsv(crop_bgr(part, window)), rule, unit)
            ]
            timed = (
                [place for place in buttons if _is_timed(part, place, rule)] if len(buttons) > 1 else buttons
            )
            if len(timed) == 1:
                place = around(part, timed[0], *_BUTTON)
                self._bright_button = (timed[0], place, crop(part, place).copy())
                return timed[0]
        return None


def _unnumbered(
    part: Picture, anchor: HudAnchor, rules: HudRules, place: Rect, patches: tuple[Picture, Picture]
) -> tuple[Picture, Picture]:
    """Returns two pictures of a place with an anchor's numbers blanked out."""
    first, second = (patch.copy() for patch in patches)
    for rule in rules.numbers_of(anchor.arrangement).values():
        box = numbers.window(part, anchor, rule)
        if box is not None:
            rows = slice(max(0, box.y - place.y), max(0, box.bottom - place.y))
            columns = slice(max(0, box.x - place.x), max(0, box.right - place.x))
            first[rows, columns] = second[rows, columns] = 0
    return first, second


def is_as_wide(anchor: HudAnchor, known: HudAnchor | None) -> bool:
    """Returns whether a button is about as wide as a known one; True without one."""
    return known is None or _AS_WIDE[0] <= anchor.unit / known.unit <= _AS_WIDE[1]


def _is_timed(part: Picture, place: HudAnchor, rule: EndTurnRule) -> bool:
    """Returns whether a timer's plate is above a button, True for clients without a timer."""
    timer = rule.numbers.get("timer_s")
    if timer is None:
        return True
    window = numbers.window(part, place, timer)
    return window is not None and numbers.has_bright_text(crop_bgr(part, window), timer)


def _usual(place: tuple[float, float, float] | None, anchor: HudAnchor) -> HudAnchor | None:
    """Returns the button's place if no panel was moved, None where the profile has none."""
    if place is None:
        return None
    x, y, width = (value * anchor.unit for value in place)
    return HudAnchor(anchor.x + x, anchor.y + y, width, 0.0)


def _evidence(
    rules: HudRules, read: Mapping[str, Seen[int]], state: Button | None, row: list[CardSeen]
) -> dict[PhaseEvidence, float]:
    evidence: dict[PhaseEvidence, float] = {}
    if state is not None:
        evidence["button" if state == "bright" else "grey_button"] = SIGN
    for name in ("timer", "turn_number"):
        seen = read.get("timer_s" if name == "timer" else name, Seen())
        if seen:
            evidence[name] = seen.confidence
    if row:
        evidence["current_card"] = SIGN
    if rules.points_tell and read.get("ap") and read.get("mp"):
        evidence["points"] = SIGN
    return evidence


def has_many(spells: tuple[SpellSlot, ...], rule: SpellsRule, anchor: HudAnchor) -> bool:
    """Returns whether a bar, its boxes in the client area's pixels, shows more spells than a summon has."""
    first = spells[0].box if spells else None
    if first is None or not rule.players or sum(bool(slot.icon) for slot in spells) < rule.players:
        return False
    away = math.hypot(first.x + first.width / 2 - anchor.x, first.y + first.height / 2 - anchor.y)
    return away <= rule.beside * anchor.unit


def _is_legible(rules: HudRules, read: Mapping[str, Seen[int]], unit: float) -> bool:
    """Returns whether the numbers always shown are read, but for one in a HUD that is large enough.

    Else a fight's signs may be too blurred or too small as well. Where AP and MP are shown in fights only,
    life is what is always shown.
    """
    life = any(read.get(name) for name in ("hp", "max_hp", _SHARE))
    if rules.points_tell:
        return life
    read_fields = (life, bool(read.get("ap")), bool(read.get("mp")))
    return sum(read_fields) >= (_LEGIBLE if unit >= _SMALL else len(read_fields))


def _consistent(hp: Seen[int], max_hp: Seen[int]) -> tuple[Seen[int], Seen[int]]:
    """Returns HP and maximum HP, both withheld where they contradict each other."""
    if hp.value is not None and max_hp.value is not None and (hp.value > max_hp.value or max_hp.value == 0):
        return Seen(), Seen()
    return hp, max_hp
