"""The arena's own names in the person's language; a name of the person's own sheet stays as it was written.

Next hop: `botapp.ui.words` puts them into sentences.
"""

import re
from functools import cache

from botapp.content.library import classes, monsters, spell_looks, spells
from botapp.ui.translation import language

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
    """Returns the name of one of the arena's classes or monsters by its key; another key stays as it is."""
    return named(_kinds().get(kind, kind))


def named(name: str) -> str:
    """Returns a spell's or a fighter's name to show; the number of a namesake ("Boar 2") stays."""
    match = _NUMBERED.fullmatch(name)
    if language() != "fr" or match is None:
        return name
    return _french().get(match["name"], match["name"]) + (match["number"] or "")
