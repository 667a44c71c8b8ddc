"""French names of the arena's content and of the imported game's; own names stay as they are."""

import re
from functools import cache

from botapp.content.knowledge.base import knowledge
from botapp.content.library import classes, monsters, spell_looks, spells

_NUMBERED = re.compile(r"(?P<name>.+?)(?P<number> \d+)?")


def in_french(name: str, key: str = "", *, arena: bool) -> str:
    """Returns the French name of a spell or a fighter; the number of a namesake ("Boar 2") stays.

    Args:
        key: of the spell, where it is known; only the arena's own spells are called by the arena's names.
        arena: whether a name without a key is looked up among the arena's first, else among the game's: two
            things of one English name may differ in French.
    """
    match = _NUMBERED.fullmatch(name)
    if match is None:
        return name
    if key:
        return (_of_arena if key in spells() else _of_game)(name) or name
    for table in (_of_arena, _of_game) if arena else (_of_game, _of_arena):
        if french := table(name):
            return french
        if match["number"] and (french := table(match["name"])):
            return french + match["number"]
    return name


@cache
def _arena_names() -> dict[str, str]:
    fighters = (*classes().values(), *monsters().values())
    names = {template.name: template.name_fr for template in fighters}
    return names | {spell.name: spell_looks()[key].name_fr for key, spell in spells().items()}


def _of_arena(name: str) -> str:
    return _arena_names().get(name, "")


def _of_game(name: str) -> str:
    game = knowledge().game
    french = game.french(name) if game is not None else name
    return french if french != name else ""
