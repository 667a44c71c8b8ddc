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


class _Watched:
    """Whether the practice arena is watched: two things of one English name may differ in French."""

    arena = True


def watch(client: str) -> None:
    """Says which client is watched: names without a key are looked up among its own first."""
    _Watched.arena = client == "arena"


def named(name: str, key: str = "") -> str:
    """Returns a spell's or a fighter's name to show; the number of a namesake ("Boar 2") stays.

    Args:
        name: in English, or as the person has written it.
        key: of the spell, where it is known; only the arena's own spells are called by the arena's names.
    """
    if name in NAMELESS.values():
        return tr(name)
    match = _NUMBERED.fullmatch(name)
    if language() != "fr" or match is None:
        return name
    if key:
        return (_of_arena if key in spells() else _of_game)(name) or name
    tables = (_of_arena, _of_game) if _Watched.arena else (_of_game, _of_arena)
    for table in tables:
        if found := table(name):
            return found
        if match["number"] and (found := table(match["name"])):
            return found + match["number"]
    return name


def _of_arena(name: str) -> str:
    return _french().get(name, "")


def _of_game(name: str) -> str:
    game = knowledge().game
    french = game.french(name) if game is not None else name
    return french if french != name else ""
