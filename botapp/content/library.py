"""The arena's own classes, monsters, spells and maps, read from resources/arena/*.toml.

What only measuring fights may have is in unseen.toml, apart from all the rest.

Every file may hold any of the sections [spells], [classes], [monsters] and [maps]; the format is described in
resources/arena/README.md.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Protocol

from botapp.content.errors import ContentError, FieldError, shown, wrong
from botapp.content.formats import SECTIONS, sections
from botapp.content.forms import read_table
from botapp.content.templates import FighterTemplate, MapTemplate, SpellLook
from botapp.content.toml_lines import Lines
from botapp.fight.spells import Spell, Summon

_FILES = ("spells.toml", "classes.toml", "monsters.toml", "maps.toml")
_UNSEEN_FILE = "unseen.toml"


@dataclass(frozen=True, slots=True)
class ContentSource:
    """A content file as TOML: its name for errors, its text, and its tables by section and key.

    The text is "" where the tables were never in a file; then errors have no line.
    """

    name: str
    text: str
    sections: Mapping[str, Mapping[str, Any]]

    def error(self, error: FieldError) -> "ContentError":
        message = str(error)
        path, _, rest = message.partition(": ")
        if rest == "missing":
            message += "; add it"
        if not self.text:
            return ContentError(f"{self.name}: {message}", self.name)
        lines = Lines(self.text)
        line = max(lines.of(path), lines.of(path.partition(".")[2]))  # format 1 had no sections
        return ContentError(f"{self.name}, line {line}: {message}", self.name)


@dataclass(frozen=True, slots=True)
class Content:
    """All that content files hold, by key, in the order of the files."""

    spells: dict[str, Spell] = field(default_factory=dict)
    looks: dict[str, SpellLook] = field(default_factory=dict)
    classes: dict[str, FighterTemplate] = field(default_factory=dict)
    monsters: dict[str, FighterTemplate] = field(default_factory=dict)
    maps: dict[str, MapTemplate] = field(default_factory=dict)


class OtherContent(Protocol):
    """What content files may name though none of them holds it: spells and monsters of the imported game."""

    def entry(self, key: str) -> tuple[Spell, SpellLook] | None:
        """Returns a spell and its look, None where there is none of this key."""
        ...

    def called(self, key: str) -> Summon | None:
        """Returns a monster as a spell calls it, None where there is none of this key."""
        ...

    def fitted(self, template: FighterTemplate) -> FighterTemplate:
        """Returns a fighter with these spells made for its sheet."""
        ...


def parse(name: str, data: bytes) -> ContentSource:
    """Reads a content file as far as its sections, brought up to this version's format.

    Raises:
        ContentError: it is not TOML, of a newer format, or has something else than sections of tables.
    """
    try:
        text = data.decode("utf-8-sig")
        tables = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ContentError(f"{name}, line {line}: not UTF-8; save it as UTF-8", name) from error
    except RecursionError as error:
        raise ContentError(f"{name}: lists within lists, far too deep; write it anew", name) from error
    except ValueError as error:
        raise ContentError(f"{name}: not TOML: {error}", name) from error
    source = ContentSource(name, text, {})
    try:
        return ContentSource(name, text, sections(tables))
    except FieldError as error:
        raise source.error(error) from error


def read(
    sources: Iterable[ContentSource],
    shipped: bool = True,
    others: OtherContent | None = None,
    ready: Content | None = None,
) -> Content:
    """Reads what content files hold.

    Args:
        sources: the files; a spell of one may be someone's of another.
        shipped: whether everything must be complete and no key given twice; else a later file's entry takes
            the place of an earlier one's.
        others: what the files may name beside each other's entries.
        ready: entries that were read from these files before, and that no other file overrides.

    Raises:
        ContentError: a table is wrong; the text names file, line and field.
    """
    return _Reading(list(sources), shipped, others, ready or Content()).all()


class _Reading:
    """Reads tables in the order in which they need each other: a summoner's spell needs the monster's.

    This is the `botapp.content.forms.KnownEntries` of every table.
    """

    def __init__(
        self, sources: list[ContentSource], shipped: bool, others: OtherContent | None, ready: Content
    ) -> None:
        self.shipped = shipped
        self._others = others
        self._ready = ready
        self._sources = sources
        self._found = Content()
        self._waiting: dict[tuple[str, str], tuple[object, ContentSource]] = {}
        self._begun: set[tuple[str, str]] = set()
        for section in SECTIONS:
            for source in sources:
                for key, table in source.sections[section].items():
                    self._file(section, key, table, source)

    def _file(self, section: str, key: str, table: object, source: ContentSource) -> None:
        """Notes a table to read; classes and monsters share their keys, which are kinds."""
        before = self._waiting.get((section, key)) if self.shipped else None
        if section == "monsters":
            before = before or self._waiting.get(("classes", key))
        if before:
            first, second = sorted((before[1], source), key=self._sources.index)
            text = f"{section}.{key}: {first.name} has this key already; choose another one"
            raise second.error(FieldError(text))
        self._waiting[section, key] = (table, source)

    def all(self) -> Content:
        """Reads everything and returns it, in the order of the files."""
        for section, key in self._waiting:
            self._read(section, key)
        shelves = self._found
        for section, shelf in (
            ("spells", shelves.spells),
            ("spells", shelves.looks),
            ("monsters", shelves.monsters),
        ):
            _in_order(shelf, [key for name, key in self._waiting if name == section])
        return self._found

    def _read(self, section: str, key: str) -> None:
        if (section, key) in self._begun:
            return
        self._begun.add((section, key))
        table, source = self._waiting[section, key]
        value = getattr(self._ready, section).get(key)
        if value is None:
            try:
                value = read_table(section, key, table, self)
            except FieldError as error:
                raise source.error(error) from error
        elif section == "spells":
            value = value, self._ready.looks[key]
        if section == "spells":
            self._found.spells[key], self._found.looks[key] = value
        else:
            if self._others is not None and isinstance(value, FighterTemplate):
                value = self._others.fitted(value)
            getattr(self._found, section)[key] = value

    def spell(self, key: object) -> Spell:
        other = self._other(key)
        if other is not None:
            return other
        entry = self._needed("spells", key)
        if entry not in self._found.spells:
            raise wrong(f"{entry!r} calls a monster that needs {entry!r} itself; break the circle")
        return self._found.spells[entry]

    def _other(self, key: object) -> Spell | None:
        """Returns a spell that no file holds, None where one does or there is none."""
        if self._others is None or not isinstance(key, str) or ("spells", key) in self._waiting:
            return None
        entry = self._others.entry(key)
        if entry is None:
            return None
        self._found.spells[key], self._found.looks[key] = entry
        return entry[0]

    def summon(self, key: object) -> Summon:
        if self._others is not None and isinstance(key, str) and ("monsters", key) not in self._waiting:
            other = self._others.called(key)
            if other is not None:
                return other
        entry = self._needed("monsters", key)
        if entry not in self._found.monsters:
            raise wrong(f"{entry!r} calls {entry!r} again; choose another monster")
        return self._found.monsters[entry].summon

    def _needed(self, section: str, key: object) -> str:
        """Returns the key of an entry that another one needs, after reading it."""
        if isinstance(key, str) and (section, key) in self._waiting:
            self._read(section, key)
            return key
        raise wrong(f"no {section.removesuffix('s')} has the key {shown(key)}; write it under [{section}]")


def _in_order(shelf: dict[str, Any], keys: list[str]) -> None:
    """Puts entries in the order of `keys`, after those that are not among them."""
    for key in keys:
        shelf[key] = shelf.pop(key)


def load(folder: Traversable) -> Content:
    """Reads spells.toml, classes.toml, monsters.toml and maps.toml in a folder.

    Raises:
        ContentError: a file is missing or not TOML, or a field of it is wrong; the text names both.
    """
    return read(sources_of(folder))


def sources_of(folder: Traversable) -> list[ContentSource]:
    """Returns the content files of a folder, read as far as their sections.

    Raises:
        ContentError: a file is missing, not TOML, or has something else than sections of tables.
    """
    return [_source(folder, file) for file in _FILES]


def _source(folder: Traversable, file: str) -> ContentSource:
    try:
        data = folder.joinpath(file).read_bytes()
    except OSError as error:
        text = f"{file}: cannot be read ({error.strerror or error}). Install the app again."
        raise ContentError(text, file) from error
    return parse(file, data)


def shipped() -> Traversable:
    return files("resources").joinpath("arena")


@cache
def content() -> Content:
    return load(shipped())


@cache
def unseen_content() -> Content:
    """Returns the classes, their summons, spells and maps that only fights of the pool `unseen` have.

    They are no part of `content`, so that neither training nor the arena's window can come upon them.
    """
    return read([_source(shipped(), _UNSEEN_FILE)])


def classes() -> dict[str, FighterTemplate]:
    """Returns the playable classes by kind, the unseen ones among them."""
    return content().classes


def monsters() -> dict[str, FighterTemplate]:
    """Returns the monsters by kind, those that are only ever summoned among them."""
    return content().monsters


def spells() -> dict[str, Spell]:
    return content().spells


def spell_looks() -> dict[str, SpellLook]:
    return content().looks


def maps() -> dict[str, MapTemplate]:
    """Returns the maps by key, the unseen ones among them."""
    return content().maps
