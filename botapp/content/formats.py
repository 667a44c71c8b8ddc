"""The formats of content files over time: an older one is brought up to today's, a newer one is refused.

1   up to version 0.1: no `format` field, and tables at the top level, such as [cleave] or [golem]
2   sections: [spells.cleave], [classes.warden], [monsters.golem], [maps.willow_green]
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from botapp.content.errors import FieldError
from botapp.content.fields import Form, Whole, within

FORMAT = 2  # The format that this version writes

SECTIONS = ("spells", "classes", "monsters", "maps")


_Section = Annotated[dict[str, Any], Field(default_factory=dict)]


class _File(Form):
    format: Annotated[Whole, within(1)] = 1
    spells: _Section
    classes: _Section
    monsters: _Section
    maps: _Section


def sections(tables: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns a file's tables by section and key, as this version's format has them.

    Raises:
        FieldError: the file is of a newer format or of none, or has something else than sections of tables.
    """
    version = _File.read(tables).format
    if version > FORMAT:
        raise FieldError(
            f"format: {version} is newer than this version of the app, which reads up to {FORMAT}; "
            "update the app"
        )
    tables = _from_1(tables) if version == 1 else tables
    for name in tables:
        if name not in ("format", *SECTIONS):
            raise FieldError(f"{name}: no such section; write it under one of {', '.join(SECTIONS)}")
    file = _File.read(tables)
    return {name: getattr(file, name) for name in SECTIONS}


def _from_1(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Sorts top-level tables by what only a spell and only a monster has."""
    sorted_tables: dict[str, Any] = {}
    for key, table in tables.items():
        if key == "format":
            continue
        fields = table if isinstance(table, Mapping) else ()
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
