"""Which spell an icon of the spell bar is, by the words on the screen: a tooltip over it, or an own cast.

A tooltip names the icon that the mouse rests on. A cast that the log tells of names the one icon that shows
the turns which this spell has to wait, and showed none before.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from botapp.fight.spells import Spell
from botapp.tracking.log_names import NameIndex
from botapp.tracking.names import Names
from botapp.tracking.spellbook import Spellbook, learnable, without_grade
from vision.frame import Frame, Rect
from vision.text import hud_words
from vision.text.engine import TextSeen
from vision.view import FightView, SpellSlot

Words = Callable[[str, Rect], tuple[TextSeen, ...] | None]

_RESTS_NS, _AGAIN_NS, _LOOKS = 400_000_000, 700_000_000, 4
"""How long the mouse rests before a tooltip is looked for, how often, and how many times."""
_SHOWN_WITHIN_NS, _BEFORE_NS = 1_500_000_000, 4_000_000_000
"""How soon after a cast its icon shows the turns to wait, and how long ago it showed none."""
_LEAST = 0.5


@dataclass(frozen=True, slots=True)
class IconName:
    """A spell that an icon stands for: its key without the grade, and its name."""

    signature: str
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class _Cast:
    spell: Spell
    at_ns: int


@dataclass(slots=True)
class _Rest:
    """The slot that the mouse rests on, since when, and how often its tooltip was looked for."""

    slot: int
    since_ns: int
    looks: int = 0


class IconNamer:
    """Follows the spell bar of one window."""

    def __init__(self) -> None:
        self._casts: deque[_Cast] = deque(maxlen=8)
        self._bars: deque[tuple[int, Mapping[int, bool]]] = deque()
        self._rest: _Rest | None = None

    def forget(self) -> None:
        """Takes the next picture for the first one of another window."""
        self._casts.clear()
        self._bars.clear()
        self._rest = None

    def cast(self, keys: Iterable[str], book: Spellbook, at_ns: int) -> None:
        """Records an own cast that the log reports.

        Args:
            at_ns: when the picture was taken that showed the line first.
        """
        told = set(keys)
        spell = next((spell for spell in book.spells if spell.key in told), None)
        if spell is not None:
            self._casts.append(_Cast(spell, at_ns))

    def by_casts(self, view: FightView, names: Names) -> list[IconName]:
        """Returns the icons that the casts of late name, by what a picture's spell bar shows."""
        now = view.captured_ns
        self._bars.append(
            (now, {s.index: s.usable.value is True or s.cooldown.value == 0 for s in view.spells})
        )
        while self._bars and now - self._bars[0][0] > _BEFORE_NS:
            self._bars.popleft()
        found = []
        for cast in tuple(self._casts):
            if now - cast.at_ns > _SHOWN_WITHIN_NS:
                self._casts.remove(cast)
                continue
            alike = [c for c in self._casts if c.spell.cooldown == cast.spell.cooldown]
            slots = [slot for slot in view.spells if self._went_off(slot, cast)]
            if len(alike) == len(slots) == 1 and names.find("icons", slots[0].icon) is None:
                self._casts.remove(cast)
                found.append(IconName(slots[0].icon, without_grade(cast.spell.key), cast.spell.name))
        return found

    def _went_off(self, slot: SpellSlot, cast: _Cast) -> bool:
        """Tells whether a slot shows a cast spell's turns to wait, and could be cast before."""
        waits = cast.spell.cooldown
        ready = any(bar.get(slot.index, False) for _, bar in self._bars)
        return bool(slot.icon) and waits > 0 and slot.cooldown.value == waits and ready

    def by_tooltip(
        self,
        frame: Frame,
        view: FightView,
        pointer: tuple[int, int] | None,
        known: tuple[Names, NameIndex],
        words: Words,
        book: Spellbook | None,
    ) -> IconName | None:
        """Returns the icon that the mouse rests on and the spell that its tooltip names, None without one.

        Args:
            pointer: where the mouse is, in pixels of the frame.
            words: has the texts in a part of the picture read; None while they are being read.
            book: the player's spells; a name that its class cannot learn is none.
        """
        slot = _under(pointer, view)
        names, spells = known
        if slot is None or book is None or names.find("icons", slot.icon) is not None:
            self._rest = None
            return None
        now = frame.captured_ns
        if self._rest is None or self._rest.slot != slot.index:
            self._rest = _Rest(slot.index, now)
        rest = self._rest
        if rest.looks >= _LOOKS or now - rest.since_ns < _RESTS_NS + rest.looks * _AGAIN_NS:
            return None
        area = hud_words.tooltip_area(slot.box, view) if slot.box is not None else None
        texts = words(f"tooltip {rest.since_ns} {rest.looks}", area) if area is not None else ()
        if texts is None:
            return None
        rest.looks += 1
        own = learnable(book)
        found: dict[str, str] = {}
        for text in texts:
            named = spells.find(text.text) if text.text and text.least() >= _LEAST else None
            keys = {without_grade(key) for key in named.keys} & own if named is not None else set()
            if named is not None and len(keys) == 1:
                found[keys.pop()] = named.name
        if len(found) != 1:
            return None
        key, name = found.popitem()
        return IconName(slot.icon, key, name)


def _under(pointer: tuple[int, int] | None, view: FightView) -> SpellSlot | None:
    if pointer is None:
        return None
    x, y = pointer
    return next(
        (
            slot
            for slot in view.spells
            if slot.icon and (box := slot.box) and box.x <= x < box.right and box.y <= y < box.bottom
        ),
        None,
    )
