"""Puts the names that the person gave to pictures into what was read: who a portrait is, what a slot holds.

A fighter is known by the name written over it while the mouse is there, else by its portrait.
"""

from collections.abc import Iterable
from dataclasses import replace

from botapp.tracking.names import Names
from botapp.tracking.spellbook import Spellbook, without_grade
from vision.view import FighterSeen, FightView, Seen, SpellSlot


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
    found: list[int | None] = []
    for slot in view.spells:
        if slot.icon:
            named = names.find("icons", slot.icon)
            number = without_grade(named[0]).removeprefix("game-") if named is not None else ""
            found.append(int(number) if number.isdecimal() else None)
    return found


def _named(fighter: FighterSeen, names: Names) -> FighterSeen:
    if fighter.kind.value is not None:
        return fighter
    found = names.find("portraits", fighter.name) or names.find("portraits", fighter.portrait)
    return replace(fighter, kind=Seen(*found)) if found is not None else fighter


def _placed(slots: Iterable[SpellSlot], names: Names, book: Spellbook | None) -> Iterable[SpellSlot]:
    places = {spell.key: place for place, spell in enumerate(book.spells)} if book is not None else {}
    places |= {without_grade(key): place for key, place in places.items()}
    for slot in slots:
        if not slot.icon:
            yield slot
            continue
        found = names.find("icons", slot.icon)
        if found is not None and found[0] in places:
            yield replace(slot, index=places[found[0]])
