"""The formats of content files over time: an older one is brought up to today's, a newer one is refused.

    1   up to version 0.1: no `format` field, and tables at the top level, such as [cleave] or [golem]
    2   sections: [spells.cleave], [classes.warden], [monsters.golem], [maps.willow_green]

Next hop: `botapp.content.library` reads the tables.
"""

from collections.abc import Mapping
from typing import Any

from botapp.content.fields import FieldError, Fields

FORMAT = 2
"""The format that this version writes."""

SECTIONS = ("spells", "classes", "monsters", "maps")


def upgraded(tables: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns a file's tables as this version's format has them.

    Raises:
        FieldError: the file is of a newer format, or of none.
    """
    version = Fields(tables, "").whole("format", 1, low=1)
    if version > FORMAT:
        raise FieldError(
            f"format: {version} is newer than this version of the app, which reads up to {FORMAT}; "
            "update the app"
        )
    return _from_1(tables) if version == 1 else tables


def _from_1(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Sorts top-level tables by what only a spell and only a monster has."""
    sorted_tables: dict[str, Any] = {"format": 2}
    for key, table in tables.items():
        if key == "format":
            continue
        fields = Fields(table, key).names()
        if "effects" in fields:
            section = "spells"
        elif "points" in fields:
            section = "monsters"
        elif "spells" in fields:
            section = "classes"
        else:
            raise FieldError(
                f"{key}: neither a spell, a class nor a monster of format 1; "
                f"write format = {FORMAT} at the top, and sections"
            )
        sorted_tables.setdefault(section, {})[key] = table
    return sorted_tables
