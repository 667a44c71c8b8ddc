"""Names and pictures: which spell an icon is, whose portrait a card shows, and both put into what was read.

The words on the screen tell. A tooltip names the icon that the mouse rests on. A cast in the log names the
only icon that shows the turns which this spell has to wait, and showed none before; a call in it names the
portrait of the only card that is new. A fighter is known by the name written over it while the mouse is
there, else by its portrait.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from botapp.fight.spells import Spell
from botapp.tracking.log_names import NameIndex
from botapp.tracking.names import Names
from botapp.tracking.spellbook import Spellbook, learnable, without_grade
from vision.frame import Frame, Rect
from vision.signature import SAME, likeness
from vision.text import hud_words
from vision.text.engine import TextSeen
from vision.view import FighterSeen, FightView, Seen, SpellSlot

Words = Callable[[str, Rect], tuple[TextSeen, ...] | None]

_RESTS_NS, _AGAIN_NS, _TRIES = 400_000_000, 700_000_000, 4
"""How long the mouse rests before a tooltip is looked for, how often, and how many times."""
_SHOWN_WITHIN_NS, _BEFORE_NS = 1_500_000_000, 4_000_000_000
"""How soon after a cast its icon shows the turns to wait, and how long ago it showed none."""
_LEAST = 0.5  # Confidence of a tooltip's letters, which must name a spell; the tests pass with 0.2 and 0.8
_WITHIN_NS = 2_500_000_000
"""From a call in the log, whose line may come late, to its card. Set by hand; tests pass with 1 and 6 s."""
_MOST_CARDS = 64  # Portraits known as old: those of several fights


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
    tries: int = 0


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
        cast_keys = set(keys)
        spell = next((spell for spell in book.spells if spell.key in cast_keys), None)
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
        result = []
        for cast in tuple(self._casts):
            if now - cast.at_ns > _SHOWN_WITHIN_NS:
                self._casts.remove(cast)
                continue
            alike = [c for c in self._casts if c.spell.cooldown == cast.spell.cooldown]
            slots = [slot for slot in view.spells if self._went_off(slot, cast)]
            if len(alike) == len(slots) == 1 and names.find("icons", slots[0].icon) is None:
                self._casts.remove(cast)
                result.append(IconName(slots[0].icon, without_grade(cast.spell.key), cast.spell.name))
        return result

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
        if rest.tries >= _TRIES or now - rest.since_ns < _RESTS_NS + rest.tries * _AGAIN_NS:
            return None
        area = hud_words.tooltip_area(slot.box, view) if slot.box is not None else None
        texts = words(f"tooltip {rest.since_ns} {rest.tries}", area) if area is not None else ()
        if texts is None:
            return None
        rest.tries += 1
        own = learnable(book)
        result: dict[str, str] = {}
        for text in texts:
            named = spells.find(text.text) if text.text and text.least() >= _LEAST else None
            keys = {without_grade(key) for key in named.keys} & own if named is not None else set()
            if named is not None and len(keys) == 1:
                result[keys.pop()] = named.name
        if len(result) != 1:
            return None
        key, name = result.popitem()
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


@dataclass(frozen=True, slots=True)
class _Call:
    """Something that was called: its key, its name, and when the line was first seen."""

    key: str
    name: str
    at_ns: int


class SummonNamer:
    """Gives the portrait of a new card the name of what was just called, as the log tells; of one window."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._new: list[tuple[str, int]] = []
        self._seen: deque[str] = deque(maxlen=_MOST_CARDS)

    def forget(self) -> None:
        """Takes the next picture for the first one of another window."""
        self._calls, self._new = [], []
        self._seen.clear()

    def called(self, key: str, name: str, at_ns: int) -> None:
        self._calls.append(_Call(key, name, at_ns))

    def follow(self, view: FightView, names: Names) -> tuple[str, str, str] | None:
        """Returns the portrait of a card that came with the one call of late, its key and its name.

        None where several came or were called, where the portrait has a name, or before anything was seen.
        """
        late = view.captured_ns - _WITHIN_NS
        shown = [card.portrait for card in view.timeline if card.portrait]
        fresh = [card for card in shown if all(likeness(card, old) < SAME for old in self._seen)]
        if self._seen:
            self._new += [(card, view.captured_ns) for card in fresh]
        self._seen.extend(fresh)
        self._new = [card for card in self._new if card[1] >= late]
        self._calls = [call for call in self._calls if call.at_ns >= late]
        if not self._calls or not self._new:
            return None
        calls, new = self._calls, self._new
        self._calls, self._new = [], []
        if len(calls) != 1 or len(new) != 1 or names.find("portraits", new[0][0]) is not None:
            return None
        return new[0][0], calls[0].key, calls[0].name


def recognise(view: FightView, names: Names, book: Spellbook | None) -> FightView:
    """Returns the view with its fighters' kinds and its slots' spells filled in from the names.

    A slot with an icon takes the place of its spell in the spellbook; one whose icon has no name is left
    out, since nothing says which spell it is. Slots without an icon stay where they are.
    """
    return replace(
        view,
        player=_named(view.player, names) if view.player is not None else None,
        allies=tuple(_named(fighter, names) for fighter in view.allies),
        enemies=tuple(_named(fighter, names) for fighter in view.enemies),
        spells=tuple(_placed(view.spells, names, book)),
    )


def spells_on_bar(view: FightView, names: Names) -> list[int | None]:
    """Returns the game's number of the spell behind each icon of the bar, None for one that is not known."""
    result: list[int | None] = []
    for slot in view.spells:
        if slot.icon:
            named = names.find("icons", slot.icon)
            number = without_grade(named[0]).removeprefix("game-") if named is not None else ""
            result.append(int(number) if number.isdecimal() else None)
    return result


def _named(fighter: FighterSeen, names: Names) -> FighterSeen:
    if fighter.kind.value is not None:
        return fighter
    result = names.find("portraits", fighter.name) or names.find("portraits", fighter.portrait)
    return replace(fighter, kind=Seen(*result)) if result is not None else fighter


def _placed(slots: Iterable[SpellSlot], names: Names, book: Spellbook | None) -> Iterable[SpellSlot]:
    places = {spell.key: place for place, spell in enumerate(book.spells)} if book is not None else {}
    places |= {without_grade(key): place for key, place in places.items()}
    for slot in slots:
        if not slot.icon:
            yield slot
            continue
        result = names.find("icons", slot.icon)
        if result is not None and result[0] in places:
            yield replace(slot, index=places[result[0]])
