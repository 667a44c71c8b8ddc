"""What an import holds, counted and compared with the one in use: a poorer one replaces it only if asked."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from botapp.content.game.opening import GameDataError
from botapp.host.message import listed, mark, say

_LEAST_SHARE = 0.9
"""Of what the import in use has, so much must be there again: updates of the game take a little away."""
Rows = Callable[..., Iterator[tuple[Any, ...]]]


class Counts(NamedTuple):
    """What an import holds that advice can be given by."""

    classes: int
    class_spells: int
    spells: int
    monsters: int
    maps: int


_ASKED = {
    "classes": "select count(*) from classes where spells != '[]'",
    "class_spells": "select count(distinct p.value) from classes, json_each(classes.spells) as pair, "
    "json_each(pair.value) as p join judged on judged.spell = p.value where judged.verdict != 'not'",
    "spells": "select count(*) from judged where verdict != 'not'",
    "monsters": "select count(*) from monsters where verdict != 'not'",
    "maps": "select count(*) from maps",
}
_ALL_MONSTERS = "select count(*) from monsters"
_WORDS = (
    mark("classes with spells: {now} in place of {before}"),
    mark("spells of classes that can be judged: {now} in place of {before}"),
    mark("spells that can be judged: {now} in place of {before}"),
    mark("monsters that can be judged: {now} in place of {before}"),
    mark("maps: {now} in place of {before}"),
)


class PoorerImportError(GameDataError):
    """An import that holds far less than the one in use; nothing has changed.

    Args:
        fields: which fields were missing or not understood, a message that ends with a blank, or "".
    """

    def __init__(self, poorer: str, fields: str = "") -> None:
        super().__init__(
            say(
                "These data hold less than those in use ({poorer}), so nothing was changed. {fields}To take "
                "them all the same: --replace, or the button that asks.",
                poorer=poorer,
                fields=fields,
            )
        )
        self.poorer = poorer


def count(rows: Rows) -> Counts:
    return Counts(**{name: next(rows(query))[0] for name, query in _ASKED.items()})


def count_file(path: Path) -> Counts | None:
    """Returns what a store that is not open holds, None where it cannot be read."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as base:
            columns = {row[1] for row in base.execute("pragma table_info(monsters)")}
            asked = _ASKED | ({} if "verdict" in columns else {"monsters": _ALL_MONSTERS})
            return Counts(**{name: next(base.execute(query))[0] for name, query in asked.items()})
    except (sqlite3.Error, StopIteration):
        return None


def poorer(before: Counts, now: Counts) -> str:
    """Returns what there would be far less of, as a message; "" where it is no less."""
    return listed(
        say(words, now=new, before=old)
        for words, old, new in zip(_WORDS, before, now, strict=True)
        if new < _LEAST_SHARE * old
    )
