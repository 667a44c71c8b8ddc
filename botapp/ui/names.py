"""Names of the app's content and the imported game's in the person's language; own names stay as they are."""

import re
from functools import cache

from botapp.content.knowledge.base import knowledge
from botapp.content.library import classes, monsters, spell_looks, spells
from botapp.tracking.fighters import NAMELESS
from botapp.ui.translation import language, tr

_NUMBERED = re.compile(r"(?P<name>.+?)(?P<number> \d+)?")


@cache
def _french() -> dict[str, str]:
    """Returns English name to French name of every class, monster and spell of the arena."""
    fighters = (*classes().values(), *monsters().values())
    names = {template.name: template.name_fr for template in fighters}
    return names | {spell.name: spell_looks()[key].name_fr for key, spell in spells().items()}


@cache
def _kinds() -> dict[str, str]:
    return {key: template.name for key, template in {**classes(), **monsters()}.items()}


def kind_named(kind: str) -> str:
    """Returns the name of a class or monster by its key; another key stays as it is."""
    known = _kinds().get(kind)
    if known is None:
        game = knowledge().game
        known = game.name_of_kind(kind) if game is not None else ""
    return named(known or kind)


def named(name: str) -> str:
    """Returns a spell's or a fighter's name to show; the number of a namesake ("Boar 2") stays."""
    if name in NAMELESS.values():
        return tr(name)
    match = _NUMBERED.fullmatch(name)
    if language() != "fr" or match is None:
        return name
    known = _french().get(match["name"])
    if known is not None:
        return known + (match["number"] or "")
    game = knowledge().game
    if game is None:
        return name
    whole = game.french(name)
    return whole if whole != name else game.french(match["name"]) + (match["number"] or "")
