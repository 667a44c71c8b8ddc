"""The arena's own classes, monsters, spells and maps, read from resources/arena/*.toml.

Every file may hold any of the sections [spells], [classes], [monsters] and [maps]; the format is told in
resources/arena/README.md. Next hop: `botapp.arena.scenarios` puts fighters made from these templates on a
map; `botapp.knowledge` looks things up in them.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from botapp.arena.entries import (
    GLYPHS,
    MANNERS,
    SHAPES,
    FighterTemplate,
    MapTemplate,
    SpellLook,
    read_fighter,
    read_map,
    read_spell,
)
from botapp.arena.lines import Lines
from botapp.fight.fields import FieldError, Fields
from botapp.fight.state import Spell

__all__ = [
    "FORMAT",
    "GLYPHS",
    "MANNERS",
    "SECTIONS",
    "SHAPES",
    "Content",
    "ContentError",
    "FighterTemplate",
    "MapTemplate",
    "Source",
    "SpellLook",
    "classes",
    "content",
    "load",
    "maps",
    "monsters",
    "parse",
    "read",
    "spell_looks",
    "spells",
]

FORMAT = 2
"""The format of content files that this version writes; `botapp.knowledge` brings older ones up to it."""

SECTIONS = ("spells", "classes", "monsters", "maps")
"""In the order in which they are read: who casts a spell comes after it."""

_FILES = ("spells.toml", "classes.toml", "monsters.toml", "maps.toml")


class ContentError(ValueError):
    """A content file that cannot be used; the text names the file, the line, the field and the remedy."""


@dataclass(frozen=True, slots=True)
class Source:
    """A content file as TOML: its name for errors, its text, and its tables by section and key."""

    name: str
    text: str
    sections: Mapping[str, Mapping[str, Any]]

    def error(self, error: FieldError) -> ContentError:
        """Returns the error with the file's name and the line."""
        message = str(error)
        path, _, rest = message.partition(": ")
        if rest == "missing":
            message += "; add it"
        return ContentError(f"{self.name}, line {Lines(self.text).of(path)}: {message}")


@dataclass(frozen=True, slots=True)
class Content:
    """All that content files hold, by key, in the order of the files."""

    spells: dict[str, Spell] = field(default_factory=dict)
    looks: dict[str, SpellLook] = field(default_factory=dict)
    classes: dict[str, FighterTemplate] = field(default_factory=dict)
    monsters: dict[str, FighterTemplate] = field(default_factory=dict)
    maps: dict[str, MapTemplate] = field(default_factory=dict)


def parse(name: str, data: bytes) -> Source:
    """Reads a content file as far as its sections.

    Args:
        name: the file's name, for errors.
        data: what is in it.

    Raises:
        ContentError: it is not TOML, of another format, or has something else than sections of tables.
    """
    try:
        text = data.decode("utf-8")
        tables = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ContentError(
            f"{name}, line {data[: error.start].count(10) + 1}: not UTF-8; save it as UTF-8"
        ) from error
    except RecursionError as error:
        raise ContentError(f"{name}: lists within lists, far too deep; this is no content file") from error
    except ValueError as error:
        raise ContentError(f"{name}: not TOML: {error}") from error
    source = Source(name, text, {})
    try:
        return Source(name, text, _sections(tables))
    except FieldError as error:
        raise source.error(error) from error


def _sections(tables: dict[str, Any]) -> dict[str, dict[str, Any]]:
    reader = Fields(tables, "")
    version = reader.whole("format", low=1)
    if version != FORMAT:
        raise FieldError(f"format: this version of the app reads format {FORMAT}, got {version}")
    for name in reader.names():
        if name not in ("format", *SECTIONS):
            raise FieldError(f"{name}: no such section; write it under one of {', '.join(SECTIONS)}")
    found = {name: Fields(reader.raw(name, {}), name) for name in SECTIONS}
    return {name: {key: section.raw(key) for key in section.names()} for name, section in found.items()}


def read(sources: list[Source], base: Content | None = None, shipped: bool = True) -> Content:
    """Reads what content files hold.

    Args:
        sources: the files; a spell of one may be someone's of another.
        base: what is known already; the same key again replaces it there.
        shipped: whether everything must be complete, and no key given twice.

    Raises:
        ContentError: a table is wrong; the text names file, line and field.
    """
    found = Content()
    if base is not None:
        found = Content(
            dict(base.spells), dict(base.looks), dict(base.classes), dict(base.monsters), dict(base.maps)
        )
    places: dict[str, str] = {}
    for section in SECTIONS:
        for source in sources:
            for key, table in source.sections[section].items():
                try:
                    if shipped:
                        _once(places, section, key, source.name)
                    _add(found, section, key, table, shipped)
                except FieldError as error:
                    raise source.error(error) from error
    return found


def _once(places: dict[str, str], section: str, key: str, file: str) -> None:
    """Sees to it that no key is given twice; classes and monsters share theirs, which are kinds."""
    shelf = "kinds" if section in ("classes", "monsters") else section
    before = places.get(f"{shelf}.{key}")
    if before is not None:
        raise FieldError(f"{section}.{key}: {before} has this key already; choose another one")
    places[f"{shelf}.{key}"] = file


def _add(found: Content, section: str, key: str, table: object, shipped: bool) -> None:
    path = f"{section}.{key}"
    if section == "spells":
        found.spells[key], found.looks[key] = read_spell(key, table, path, shipped)
    elif section == "maps":
        found.maps[key] = read_map(key, table, path, shipped)
    else:
        monster = section == "monsters"
        shelf = found.monsters if monster else found.classes
        shelf[key] = read_fighter(key, table, path, found.spells, monster, shipped)


def load(folder: Traversable) -> Content:
    """Reads spells.toml, classes.toml, monsters.toml and maps.toml in a folder.

    Raises:
        ContentError: a file is missing or not TOML, or a field of it is wrong; the text names both.
    """
    sources = []
    for file in _FILES:
        try:
            data = folder.joinpath(file).read_bytes()
        except OSError as error:
            raise ContentError(
                f"{file}: cannot be read ({error.strerror or error}). Install the app again."
            ) from error
        sources.append(parse(file, data))
    return read(sources)


@cache
def content() -> Content:
    """Returns what the app ships in resources/arena."""
    return load(files("resources").joinpath("arena"))


def classes() -> dict[str, FighterTemplate]:
    """Returns the playable classes by kind, the unseen ones among them."""
    return content().classes


def monsters() -> dict[str, FighterTemplate]:
    """Returns the monsters by kind, those that are only ever summoned among them."""
    return content().monsters


def spells() -> dict[str, Spell]:
    """Returns the spells by key."""
    return content().spells


def spell_looks() -> dict[str, SpellLook]:
    """Returns names and icons of the spells by key."""
    return content().looks


def maps() -> dict[str, MapTemplate]:
    """Returns the maps by key, the unseen ones among them."""
    return content().maps
