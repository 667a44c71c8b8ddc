"""What was imported, in one SQLite file: found by number or by name, a bit at a time.

A file is written beside the one in use and takes its place whole; the one before is kept and can be brought
back. `GameStore` only ever reads. A player's own entries lie elsewhere and are never touched.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from botapp.content.game.lines import SpellLevel, level_from_json
from botapp.content.game.names import plain
from botapp.content.game.opening import GameDataError
from botapp.host.files import write_whole
from botapp.host.message import error_text, say

FORMAT = 2
_OLDER = "1"
_NAME = re.compile(r"game-(\d+)\.sqlite")
_HALF = re.compile(r"(?:(\d+)-)?[0-9a-f]{12}\.part")
_CHUNK = 1 << 20
_TABLES = """
create table meta (name text primary key, value text);
create table classes (id integer primary key, key text, name text, name_fr text, spells text);
create table spells (id integer primary key, name text, name_fr text, icon integer, grades text);
create table levels (spell integer, grade integer, body blob, primary key (spell, grade)) without rowid;
create table monsters (
    id integer primary key, name text, name_fr text, portrait integer, body blob, verdict text, why text
);
create table states (id integer primary key, name text, name_fr text, flags text);
create table asked (id integer primary key);
create table maps (id integer primary key, name text, name_fr text, cells blob, red text, blue text);
create table called (
    kind text, id integer, language text, name text, plain text, primary key (kind, id, language)
) without rowid;
create index spells_by_name on spells (name);
create index monsters_by_name on monsters (name);
create table judged (spell integer primary key, verdict text, why text);
"""
_OF_AN_OLDER_APP = """
create temp view spells as select id, name, name_fr, 0 as icon, grades from main.spells;
create temp view monsters as
    select id, name, name_fr, 0 as portrait, body, 'wholly' as verdict, '[]' as why from main.monsters;
create temp view called as
    select 'spell' as kind, id, 'en' as language, name, plain(name) as plain from main.spells
    union all select 'spell', id, 'fr', name_fr, plain(name_fr) from main.spells
    union all select 'monster', id, 'en', name, plain(name) from main.monsters
    union all select 'monster', id, 'fr', name_fr, plain(name_fr) from main.monsters
    union all select 'map', id, 'en', name, plain(name) from main.maps
    union all select 'map', id, 'fr', name_fr, plain(name_fr) from main.maps;
"""
"""What stands for the tables of today in a file that an older app has written."""


class GameName(NamedTuple):
    """Something by number with its names in English and French."""

    number: int
    name: str
    name_fr: str

    def called(self, language: str) -> str:
        """Returns its name in a language, "fr" or another, which is English."""
        return self.name_fr if language == "fr" else self.name


def packed(value: Any) -> bytes:
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def unpacked(blob: bytes) -> Any:
    return json.loads(zlib.decompress(blob))


def _kept_in(folder: Path) -> list[tuple[int, Path]]:
    stores = []
    with contextlib.suppress(OSError):
        stores = [(int(name[1]), path) for path in folder.iterdir() if (name := _NAME.fullmatch(path.name))]
    return sorted(stores)


def current(folder: Path) -> Path | None:
    """Returns the file in use in a folder, None where nothing was imported."""
    stores = _kept_in(folder)
    return stores[-1][1] if stores else None


def former(folder: Path) -> Path | None:
    """Returns the file that was in use before, None where there is none."""
    stores = _kept_in(folder)
    return stores[-2][1] if len(stores) > 1 else None


def bring_back(folder: Path) -> Path:
    """Makes the import before the last the one in use; the last is kept in its place.

    Raises:
        GameDataError: there is none, or the folder cannot be written to.
    """
    before = former(folder)
    if before is None:
        raise GameDataError(say("There is no earlier import of the game's data that could be brought back."))
    back = folder / f"game-{_kept_in(folder)[-1][0] + 1}.sqlite"
    try:
        if _check_of(before).exists():
            shutil.copy2(_check_of(before), _check_of(back))
        try:
            before.rename(back)
        except PermissionError:  # another process still reads it, on Windows
            shutil.copy2(before, back)
        _check_of(before).unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    return back


def _check_of(path: Path) -> Path:
    """Returns the file that holds the size and the sum of a store's bytes."""
    return path.with_suffix(".check")


def _sum_of(path: Path) -> str:
    total = size = 0
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            total = zlib.crc32(piece, total)
            size += len(piece)
    return f"{size} {total:08x}"


def _unwritable(folder: Path, error: BaseException) -> GameDataError:
    return GameDataError(
        say(
            "The game's data cannot be kept in {folder} ({problem}). Make room, or correct the permissions; "
            "what was imported before is still there.",
            folder=str(folder),
            problem=error_text(error),
        )
    )


class StoreWriter:
    """A store that is being written; `keep` makes it the one in use, without that nothing has changed.

    Raises:
        GameDataError: the folder cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(6)}.part"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            clear_halves(folder)
            self._base = sqlite3.connect(self._path)
            try:
                self._base.executescript("pragma journal_mode=off; pragma synchronous=off;" + _TABLES)
            except sqlite3.Error:
                self.__exit__()
                raise
        except (sqlite3.Error, OSError) as error:
            raise _unwritable(folder, error) from error

    def __enter__(self) -> "StoreWriter":
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._base.close()
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)

    def put(self, table: str, *values: Any) -> None:
        """Writes a row, in place of another one of the same number.

        Raises:
            GameDataError: it cannot be written.
        """
        marks = ",".join("?" * len(values))
        try:
            self._base.execute(f"insert or replace into {table} values ({marks})", values)
        except sqlite3.Error as error:
            raise _unwritable(self._folder, error) from error

    def change_monster(self, number: int, verdict: str, why: str) -> None:
        """Writes how a monster is judged.

        Raises:
            GameDataError: it cannot be written.
        """
        try:
            self._base.execute(
                "update monsters set verdict = ?, why = ? where id = ?", (verdict, why, number)
            )
        except sqlite3.Error as error:
            raise _unwritable(self._folder, error) from error

    def rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        try:
            yield from self._base.execute(query, values)
        except sqlite3.Error as error:
            raise _unwritable(self._folder, error) from error

    def keep(self, meta: Mapping[str, str]) -> Path:
        """Makes the store the one in use and keeps the one before; returns its file.

        Raises:
            GameDataError: the folder cannot be written to.
        """
        for name, value in {"format": str(FORMAT), **meta}.items():
            self.put("meta", name, value)
        stores = _kept_in(self._folder)
        path = self._folder / f"game-{stores[-1][0] + 1 if stores else 1}.sqlite"
        try:
            self._base.commit()
            self._base.close()
            write_whole(_check_of(path), _sum_of(self._path))
            self._path.rename(path)
        except (sqlite3.Error, OSError) as error:
            with contextlib.suppress(OSError):
                _check_of(path).unlink(missing_ok=True)
            raise _unwritable(self._folder, error) from error
        for _, older in stores[:-1]:
            with contextlib.suppress(OSError):  # another process still reads it, on Windows
                older.unlink()
                _check_of(older).unlink(missing_ok=True)
        return path


def clear_halves(folder: Path) -> None:
    """Takes away what imports have left that were killed; nothing where the folder cannot be read."""
    with contextlib.suppress(OSError):
        for path in [*folder.iterdir()]:
            name = _HALF.fullmatch(path.name)
            if name and not (name[1] and psutil.pid_exists(int(name[1][:9]))):
                with contextlib.suppress(OSError):
                    path.unlink()


class GameStore:
    """Reads a store; may be asked by several threads.

    Raises:
        sqlite3.DatabaseError: the file is damaged, or of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        check = _check_of(path)
        try:
            if check.exists() and check.read_text("ascii", "replace").strip() != _sum_of(path):
                raise sqlite3.DatabaseError("its bytes have changed since it was written")
        except OSError as error:
            raise sqlite3.DatabaseError(error_text(error)) from error
        self._base = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            self.meta: dict[str, str] = dict(self._all("select name, value from meta"))
            if self.meta.get("format") == _OLDER:
                self._base.create_function("plain", 1, plain, deterministic=True)
                self._base.executescript(_OF_AN_OLDER_APP)
            elif self.meta.get("format") != str(FORMAT):
                raise sqlite3.DatabaseError("of another version")
        except sqlite3.DatabaseError:
            self._base.close()
            raise

    def close(self) -> None:
        self._base.close()

    def classes(self) -> list[tuple[GameName, str, list[list[int]]]]:
        """Returns the classes with their keys and the numbers of their spells, in pairs of variants."""
        rows = self._all("select id, name, name_fr, key, spells from classes order by name")
        return [(GameName(*row[:3]), row[3], json.loads(row[4])) for row in rows]

    def monsters(self) -> list[GameName]:
        return [GameName(*row) for row in self._all("select id, name, name_fr from monsters order by name")]

    def spell_names(self) -> list[tuple[int, str, list[int]]]:
        """Returns all names of spells in all languages, each with the spell's number and its grades."""
        rows = self._all(
            "select called.id, called.name, spells.grades from called join spells on spells.id = called.id "
            "where called.kind = 'spell'"
        )
        return [(row[0], row[1], json.loads(row[2])) for row in rows]

    def monster(self, number: int) -> tuple[GameName, Any] | None:
        """Returns a monster and what was kept of it, None where there is none."""
        rows = self._all("select id, name, name_fr, body from monsters where id = ?", number)
        return (GameName(*rows[0][:3]), unpacked(rows[0][3])) if rows else None

    def judged_monster(self, number: int) -> tuple[str, list[str]]:
        """Returns how a monster was judged at the import: the verdict, and what is not known of it."""
        rows = self._all("select verdict, why from monsters where id = ?", number)
        return (rows[0][0], json.loads(rows[0][1])) if rows else ("not", [])

    def spell(self, number: int) -> tuple[GameName, list[int]] | None:
        """Returns a spell's names and its grades, None where there is none."""
        rows = self._all("select id, name, name_fr, grades from spells where id = ?", number)
        return (GameName(*rows[0][:3]), json.loads(rows[0][3])) if rows else None

    def level(self, spell: int, grade: int) -> SpellLevel | None:
        rows = self._all("select body from levels where spell = ? and grade = ?", spell, grade)
        return level_from_json(unpacked(rows[0][0])) if rows else None

    def called(self, name: str) -> GameName | None:
        """Returns the spell, monster or class of an English name, the first of several; None for none."""
        for table in ("spells", "monsters", "classes"):
            rows = self._all(f"select id, name, name_fr from {table} where name = ? limit 1", name)
            if rows:
                return GameName(*rows[0])
        return None

    def judged(self, spell: int) -> tuple[str, list[str]]:
        """Returns how a spell was judged at the import: the verdict, and what is left out of it."""
        rows = self._all("select verdict, why from judged where spell = ?", spell)
        return (rows[0][0], json.loads(rows[0][1])) if rows else ("not", [])

    def find(self, kind: str, wanted: str, limit: int) -> list[GameName]:
        """Returns what is called so in any language, the best first: beginning so, then any word, any part.

        Args:
            kind: "spell", "monster" or "map".
            wanted: as `botapp.content.game.names.plain` makes it.
            limit: how many at most.
        """
        ranks: dict[int, tuple[int, int, int]] = {}
        query = "select id, plain from called where kind = ? and plain like ?"
        for number, name in self._all(query, kind, f"%{wanted}%"):
            rank = (_rank(wanted, name), len(name), number)
            ranks[number] = min(rank, ranks.get(number, rank))
        best = sorted(ranks.values())[:limit]
        named = f"select id, name, name_fr from {kind}s where id = ?"
        return [GameName(*row) for *_, number in best for row in self._all(named, number)]

    def names(self, kind: str, number: int | None = None) -> list[tuple[int, str, str]]:
        """Returns the names of all spells, monsters or maps, or of one, as (number, language, name).

        Args:
            kind: "spell", "monster" or "map".
            number: whose names, None for all.
        """
        only = "" if number is None else " and id = ?"
        asked = (kind,) if number is None else (kind, number)
        return self._all(f"select id, language, name from called where kind = ?{only}", *asked)

    def pictures(self, kind: str) -> list[tuple[int, int]]:
        """Returns the numbers of spells ("spell") or monsters ("monster") and of their pictures.

        Those without a picture are left out.
        """
        table, column = ("spells", "icon") if kind == "spell" else ("monsters", "portrait")
        return self._all(f"select id, {column} from {table} where {column} > 0 order by id")

    def states(self) -> dict[int, tuple[GameName, frozenset[str]]]:
        """Returns the states that matter: those that something asks for, and those with flags."""
        rows = self._all(
            "select id, name, name_fr, flags from states where flags != '' or id in (select id from asked)"
        )
        return {row[0]: (GameName(*row[:3]), frozenset(row[3].split())) for row in rows}

    def asked(self) -> frozenset[int]:
        return frozenset(row[0] for row in self._all("select id from asked"))

    def maps(self) -> list[GameName]:
        return [GameName(*row) for row in self._all("select id, name, name_fr from maps order by name")]

    def map(self, number: int) -> tuple[GameName, bytes, list[int], list[int]] | None:
        """Returns a map's cell flags, and the red and blue start cells; None where there is none."""
        rows = self._all("select id, name, name_fr, cells, red, blue from maps where id = ?", number)
        if not rows:
            return None
        row = rows[0]
        return GameName(*row[:3]), row[3], json.loads(row[4]), json.loads(row[5])

    def _all(self, query: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._base.execute(query, values).fetchall()


def _rank(wanted: str, name: str) -> int:
    if name == wanted:
        return 0
    if name.startswith(wanted):
        return 1
    if f" {wanted}" in name:
        return 2
    return 3 if wanted in name else 4
