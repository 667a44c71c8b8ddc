"""The knowledge base: finds, gets, saves, exports and imports classes, spells, monsters and maps.

What the app ships comes from resources/arena, the same files that the arena plays with; a person's entries
lie in the folder of their data, override the app's of the same key, and stay when the app is updated.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any

from botapp.content.errors import ContentError
from botapp.content.game.data import GameData
from botapp.content.game.importing import ImportProgress, Report, import_game
from botapp.content.game.store import GameStore, bring_back, clear_halves, current, former
from botapp.content.knowledge.entry import Entry, EntryKind, KnowledgeError, Version, fit
from botapp.content.knowledge.game_entries import GameEntries
from botapp.content.knowledge.shelf import PICTURES, Shelf, Stored, knowledge_dir, read_file, write_file
from botapp.content.library import Content, ContentSource, content, parse, read, shipped, sources_of
from botapp.content.templates import FighterTemplate
from botapp.fight.spells import Effect, Spell
from botapp.host.message import error_text, one_line, say

Name = tuple[EntryKind, str]


class KnowledgeBase:
    """What is known, the app's and the person's.

    Attributes:
        problems: what of the person's could not be read, in words; the rest is there all the same.
        game: the imported game, None where nothing was imported.
        revision: grows whenever the entries are read anew.
    """

    def __init__(self, folder: Path) -> None:
        """Reads everything.

        Args:
            folder: where the person's entries are kept; it need not exist yet.
        """
        self._shelf = Shelf(folder)
        self._shipped = _shipped_sources()
        self.problems: tuple[str, ...] = ()
        self.game: GameData | None = None
        self._game_entries: GameEntries | None = None
        self.revision = 0
        self.reload()

    def reload(self) -> None:
        """Reads the person's entries anew; a file that cannot be read is left where it is, and named."""
        problems: list[str] = []
        own: list[ContentSource] = []
        self._finish_imports(problems)
        self._stamp = self._stamp_now()
        self._open_game(problems)
        for kind, key, path in self._shelf.files():
            try:
                source = parse(str(path), read_file(path))
                _only_holds(source, kind, key)
                own.append(source)
            except ValueError as error:
                problems.append(error_text(error))
        while True:
            try:
                self._content = self._read([*self._shipped, *own])
                break
            except ContentError as error:
                problems.append(error_text(error))
                culprits = [source for source in own if source.name == error.source] or own[-1:]
                own = [source for source in own if source not in culprits]
        self._own = own
        self.problems = tuple(problems)
        self._entries = self._all()
        self.revision += 1

    def _open_game(self, problems: list[str]) -> None:
        path = current(self.game_folder)
        if self.game is not None and self.game.store.path == path:
            return
        if self.game is not None:
            self.game.store.close()
        self.game = self._game_entries = None
        if path is None:
            return
        try:
            self.game = GameData(GameStore(path))
        except sqlite3.DatabaseError as error:
            problems.append(
                say(
                    "The imported game in {file} cannot be read ({problem}). Import the game's data anew, or "
                    "bring the import before back with `botapp knowledge bring-back`.",
                    file=str(path),
                    problem=one_line(error),
                )
            )
        else:
            self._game_entries = GameEntries(self.game)

    def import_game(
        self,
        paths: Iterable[Path],
        progress: Callable[[ImportProgress], None] = lambda _: None,
        *,
        replace: bool = False,
    ) -> Report:
        """Brings the game's data in, in place of those brought in before; the person's entries stay.

        Args:
            replace: take them though they hold far less than those in use.

        Raises:
            botapp.content.game.comparing.PoorerImportError: they hold far less than those in use.
            botapp.content.game.reading.GameDataError: something cannot be read or kept; nothing has changed.
        """
        report = import_game(paths, self.game_folder, progress, replace=replace)
        self.reload()
        return report

    def bring_back(self) -> None:
        """Brings the game's data back that were in use before the last import.

        Raises:
            botapp.content.game.reading.GameDataError: there are none, or the folder cannot be written to.
        """
        bring_back(self.game_folder)
        self.reload()

    @property
    def has_former(self) -> bool:
        return former(self.game_folder) is not None

    @property
    def game_folder(self) -> Path:
        return self._shelf.folder / "game"

    @property
    def pictures_folder(self) -> Path:
        return self._shelf.folder / PICTURES

    @property
    def fetched_folder(self) -> Path:
        """Where a download of the game's data is kept until it is whole."""
        return self._shelf.folder / "fetched"

    def _read(self, sources: list[ContentSource]) -> Content:
        if self._game_entries is None and sources == list(self._shipped):
            return content()
        own = [source for source in sources if source not in self._shipped]
        overrides = any(key in _shipped_keys() for source in own for key in _keys(source))
        ready = None if overrides else content()
        return read(sources, shipped=False, others=self._game_entries, ready=ready)

    def refresh(self) -> bool:
        """Reads the person's entries anew where a file has changed; tells whether one had."""
        if self._stamp_now() == self._stamp:
            return False
        self.reload()
        return True

    def _stamp_now(self) -> tuple[object, ...]:
        return self._shelf.stamp(), current(self.game_folder)

    @property
    def content(self) -> Content:
        return self._content

    def entries(self, kind: EntryKind | None = None) -> tuple[Entry, ...]:
        return tuple(entry for entry in self._entries.values() if kind in (None, entry.kind))

    def get(self, kind: EntryKind, key: str) -> Entry:
        """Returns one entry.

        Raises:
            KnowledgeError: there is none; the text names the nearest one.
        """
        if (kind, key) in self._entries:
            return self._entries[kind, key]
        entry = self._game_entries.get(kind, key) if self._game_entries is not None else None
        if entry is not None:
            return entry
        near = self.find(key, kind)
        if near:
            remedy = say("Did you mean {key}?", key=near[0].key)
        else:
            remedy = say("`botapp knowledge find --kind {kind}` lists them.", kind=kind.value)
        raise KnowledgeError(
            say(
                "There is no {kind} with the key {key}. {remedy}",
                kind=kind.title,
                key=repr(key),
                remedy=remedy,
            )
        )

    def find(self, query: str, kind: EntryKind | None = None, limit: int = 20) -> tuple[Entry, ...]:
        """Returns the entries that fit a query best, the best first; all for an empty one.

        Args:
            query: a key, a name in English or French, also misspelt or in part, or a body's colour such as
                #3A6FD8.
            kind: where to look, None for everywhere.
            limit: how many at most.
        """
        entries = self.entries(kind)
        if not query.strip():
            return entries[:limit]
        ranked = [(fit(query, entry), entry) for entry in entries]
        ranked = [(rank, entry) for rank, entry in ranked if rank > 0]
        if self._game_entries is not None:
            hits = [(fit(query, entry), entry) for entry in self._game_entries.find(query, kind, limit)]
            ranked += [(rank, entry) for rank, entry in hits if rank > 0]
        ranked.sort(key=lambda pair: (-pair[0], not pair[1].own, pair[1].name))
        return tuple(entry for _, entry in ranked[:limit])

    def fighter(self, key: str, level: int | None = None) -> FighterTemplate | None:
        """Returns a class or monster by its key, the person's and the app's before the imported game's.

        Args:
            key: such as warden, or monster-31-3 for a monster of the game at its third grade.
            level: the level of a class of the game, or near which a monster's grade is; None for the highest.
        """
        template = self._content.classes.get(key) or self._content.monsters.get(key)
        if template is None and self.game is not None:
            template = self.game.fighter(key, level)
        return template

    def draft(self, kind: EntryKind, key: str, table: Mapping[str, Any]) -> Entry:
        """Returns an entry made of a table, checked but not kept.

        Args:
            table: its fields as in a content file; looks, the French name and what only the arena needs may
                be left out.

        Raises:
            KnowledgeError: a field is missing, unknown or wrong; the text names it.
        """
        sections: dict[str, dict[str, Any]] = {entry_kind.section: {} for entry_kind in EntryKind}
        sections[kind.section][key] = dict(table)
        checked = self._checked(ContentSource(f"the {kind.value} {key}", "", sections))
        return _entry(kind, key, table, checked, True)

    def save(self, entry: Entry) -> Entry:
        """Keeps an entry in the person's folder; returns it as it is from then on.

        What was kept under its key before stays among its `versions`.

        Raises:
            KnowledgeError: a field is wrong, or the folder cannot be written to.
        """
        checked = self.draft(entry.kind, entry.key, entry.table)
        self._shelf.write(entry.kind, entry.key, checked.table)
        self.reload()
        return self.get(entry.kind, entry.key)

    def forget(self, kind: EntryKind, key: str) -> None:
        """Takes a person's entry away; the app's own of this key, if any, counts again. Its versions stay.

        Raises:
            KnowledgeError: it is not the person's, another of theirs needs it, or the folder cannot be
                written to.
        """
        if not self.get(kind, key).own:
            raise KnowledgeError(
                say(
                    "The {kind} {key} comes with the app: only your own can be removed.",
                    kind=kind.title,
                    key=key,
                )
            )
        rest = [source for source in self._own if key not in source.sections[kind.section]]
        try:
            self._read([*self._shipped, *rest])
        except ContentError as error:
            raise KnowledgeError(
                say(
                    "The {kind} {key} is still needed ({problem}). Change that first.",
                    kind=kind.title,
                    key=key,
                    problem=error_text(error),
                )
            ) from error
        self._shelf.remove(kind, key)
        self.reload()

    def versions(self, kind: EntryKind, key: str) -> tuple[Version, ...]:
        """Returns the earlier states of a person's entry, the earliest first; those unreadable left out."""
        versions = []
        for number, path in self._shelf.versions(kind, key):
            try:
                table = parse(str(path), read_file(path)).sections[kind.section][key]
                versions.append(Version(number, path.stat().st_mtime, table))
            except (ValueError, KeyError, OSError):
                continue
        return tuple(versions)

    def restore(self, kind: EntryKind, key: str, number: int) -> Entry:
        """Saves an earlier state of an entry anew.

        Raises:
            KnowledgeError: there is no such version, or it cannot be kept.
        """
        for version in self.versions(kind, key):
            if version.number == number:
                return self.save(self.draft(kind, key, version.table))
        raise KnowledgeError(
            say("The {kind} {key} has no version {number}.", kind=kind.title, key=key, number=number)
        )

    def export(self, keys: Iterable[Name], file: Path) -> tuple[Entry, ...]:
        """Writes entries to a file that `import_` reads, with what they need of the person's.

        Raises:
            KnowledgeError: there is no such entry, or the file cannot be written.
        """
        wanted: dict[Name, Entry] = {}
        waiting = [self.get(kind, key) for kind, key in keys]
        while waiting:
            entry = waiting.pop(0)
            if (entry.kind, entry.key) not in wanted:
                wanted[entry.kind, entry.key] = entry
                waiting += [need for need in self._needs(entry) if need.own]
        try:
            write_file(file, [(entry.kind, entry.key, entry.table) for entry in wanted.values()])
        except OSError as error:
            raise KnowledgeError(
                say(
                    "{file} cannot be written ({problem}). Choose another place.",
                    file=str(file),
                    problem=error.strerror,
                )
            ) from error
        return tuple(wanted.values())

    def import_(self, file: Path) -> tuple[Entry, ...]:
        """Keeps the entries of a file as the person's own: all of them, or none where one is wrong.

        Returns:
            What was kept; entries that were there already just so are left out.

        Raises:
            KnowledgeError: the file cannot be read, or a field is wrong; the text names file, line and field.
        """
        data = read_file(file)
        try:
            source = parse(str(file), data)
        except ContentError as error:
            raise KnowledgeError(error_text(error)) from error
        self._checked(source)
        entries = [
            (kind, key, table)
            for kind, key, table in _stored(source)
            if (known := self._entries.get((kind, key))) is None or dict(known.table) != table
        ]
        if entries:
            self._shelf.write_all(entries)
            self.reload()
        return tuple(self.get(kind, key) for kind, key, _ in entries)

    def _finish_imports(self, problems: list[str]) -> None:
        """Writes what is missing of imports that were cut short; half a game is of no use and goes."""
        clear_halves(self.game_folder)
        for note in self._shelf.unfinished():
            try:
                self._shelf.finish(note, _stored(parse(str(note), read_file(note))))
            except ValueError as error:
                problems.append(error_text(error))

    def _checked(self, source: ContentSource) -> Content:
        try:
            return self._read([*self._shipped, *self._own, source])
        except ContentError as error:
            raise KnowledgeError(error_text(error)) from error

    def _all(self) -> dict[Name, Entry]:
        entries: dict[Name, Entry] = {}
        for sources, own in ((self._shipped, False), (self._own, True)):
            for kind in EntryKind:
                for source in sources:
                    for key, table in source.sections[kind.section].items():
                        entries[kind, key] = _entry(kind, key, table, self._content, own)
        return entries

    def _needs(self, entry: Entry) -> list[Entry]:
        """Returns the entries that an entry names: a fighter's spells, the monsters that a spell calls."""
        value = entry.value
        names: list[Name] = []
        if isinstance(value, FighterTemplate):
            names = [(EntryKind.SPELL, spell.key) for spell in value.spells]
        elif isinstance(value, Spell):
            names = [(EntryKind.MONSTER, effect.summon.kind) for effect in _lines(value) if effect.summon]
        return [self.get(kind, key) for kind, key in names]


def _stored(source: ContentSource) -> list[Stored]:
    return [(kind, key, table) for kind in EntryKind for key, table in source.sections[kind.section].items()]


def _only_holds(source: ContentSource, kind: EntryKind, key: str) -> None:
    """Sees to it that a file of a person's holds the entry it is named for, and no other."""
    if _keys(source) != [(kind.section, key)]:
        raise KnowledgeError(
            say(
                "{file}: expected [{section}] alone, as the file's name says. Move the file elsewhere and "
                "run `botapp knowledge import` on it.",
                file=source.name,
                section=f"{kind.section}.{key}",
            )
        )


def _lines(spell: Spell) -> Iterable[Effect]:
    return (*spell.effects, *(inner for effect in spell.effects for inner in effect.payload))


def _entry(kind: EntryKind, key: str, table: Mapping[str, Any], content: Content, own: bool) -> Entry:
    if kind is EntryKind.SPELL:
        look = content.looks[key]
        return Entry(kind, key, look.name, look.name_fr, table, content.spells[key], own)
    if kind is EntryKind.MAP:
        ground = content.maps[key]
        return Entry(kind, key, ground.name, ground.name_fr, table, ground, own)
    fighter = (content.classes if kind is EntryKind.CLASS else content.monsters)[key]
    return Entry(kind, key, fighter.name, fighter.name_fr, table, fighter, own)


@cache
def _shipped_sources() -> list[ContentSource]:
    return sources_of(shipped())


@cache
def _shipped_keys() -> frozenset[tuple[str, str]]:
    return frozenset(key for source in _shipped_sources() for key in _keys(source))


def _keys(source: ContentSource) -> list[tuple[str, str]]:
    return [(section, key) for section, tables in source.sections.items() for key in tables]


_lock = RLock()  # One thread at a time makes the base: the app reads it ahead in one of its own


@cache
def _base(folder: Path) -> KnowledgeBase:
    return KnowledgeBase(folder)


def knowledge() -> KnowledgeBase:
    """Returns the knowledge base of the person who runs the app, with what was saved until now."""
    with _lock:
        base = _base(knowledge_dir())
        base.refresh()
    return base
