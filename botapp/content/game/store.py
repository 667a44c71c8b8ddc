"""What was imported, in one SQLite file: found by number or by name, a bit at a time.

A file is written beside the one in use and takes its place whole; `GameStore` only ever reads. A player's
own entries lie elsewhere and are never touched. Next hop: `botapp.content.game.data`.
"""

import contextlib
import errno
import json
import os
import re
import secrets
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from botapp.content.game.lines import SpellLevel, level_from_json
from hrm.atomic import is_running

FORMAT = 1
_NAME = re.compile(r"game-(\d+)\.sqlite")
_PART = re.compile(r"(?:(\d{1,10})-)?[0-9a-f]{12}\.part")
_TABLES = """
create table meta (name text primary key, value text);
create table classes (id integer primary key, key text, name text, name_fr text, spells text);
create table spells (id integer primary key, name text, name_fr text, grades text);
create table levels (spell integer, grade integer, body blob, primary key (spell, grade)) without rowid;
create table level_ids (id integer primary key, spell integer, grade integer);
create table monsters (id integer primary key, name text, name_fr text, body blob);
create table states (id integer primary key, name text, name_fr text, flags text);
create table asked (id integer primary key);
create table maps (id integer primary key, name text, name_fr text, cells blob, red text, blue text);
create index spells_by_name on spells (name);
create index monsters_by_name on monsters (name);
create table judged (spell integer primary key, verdict text, why text);
"""


class GameName(NamedTuple):
    """Something by number with its names in English and French."""

    number: int
    name: str
    name_fr: str

    def called(self, language: str) -> str:
        """Returns its name in a language, "fr" or another, which is English."""
        return self.name_fr if language == "fr" else self.name


def packed(value: Any) -> bytes:
    """Returns a value as it is kept."""
    return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)


def unpacked(kept: bytes) -> Any:
    """Returns a value that was kept."""
    return json.loads(zlib.decompress(kept))


def current(folder: Path) -> Path | None:
    """Returns the file in use in a folder, None where nothing was imported."""
    found = []
    with contextlib.suppress(OSError):
        found = [(int(name[1]), path) for path in folder.iterdir() if (name := _NAME.fullmatch(path.name))]
    return max(found)[1] if found else None


class StoreWriter:
    """A store that is being written; `keep` makes it the one in use, without that nothing has changed.

    Raises:
        OSError: the folder cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        _clear_parts(folder)
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(6)}.part"
        self._base = sqlite3.connect(self._path)
        try:
            self._base.executescript("pragma journal_mode=off; pragma synchronous=off;" + _TABLES)
        except sqlite3.OperationalError as error:
            self._drop()
            raise _in_words(error, folder) from error

    def __enter__(self) -> "StoreWriter":
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._drop()
        if isinstance(error, sqlite3.OperationalError):
            raise _in_words(error, self._folder) from error

    def _drop(self) -> None:
        self._base.close()
        self._path.unlink(missing_ok=True)

    def put(self, table: str, *values: Any) -> None:
        """Writes a row, in place of another one of the same number."""
        marks = ",".join("?" * len(values))
        self._base.execute(f"insert or replace into {table} values ({marks})", values)

    def rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Returns rows of what has been written so far."""
        return iter(self._base.execute(query, values))

    def keep(self, meta: Mapping[str, str]) -> Path:
        """Makes the store the one in use and takes older ones away; returns its file.

        Raises:
            OSError: the folder cannot be written to.
        """
        for name, value in {"format": str(FORMAT), **meta}.items():
            self.put("meta", name, value)
        self._base.commit()
        self._base.close()
        before = current(self._folder)
        known = _NAME.fullmatch(before.name) if before is not None else None
        number = int(known[1]) + 1 if known else 1
        kept = self._folder / f"game-{number}.sqlite"
        self._path.rename(kept)
        for path in self._folder.iterdir():
            if _NAME.fullmatch(path.name) and path != kept:
                with contextlib.suppress(OSError):  # another process still reads it, on Windows
                    path.unlink()
        return kept


def _in_words(error: sqlite3.OperationalError, folder: Path) -> OSError:
    """Returns the error of the system behind one of SQLite's."""
    full = getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)
    return OSError(errno.ENOSPC if full else errno.EIO, str(error), str(folder))


def _clear_parts(folder: Path) -> None:
    """Removes what killed writers have left, and those that did not carry their process's id."""
    for path in folder.glob("*.part"):
        named = _PART.fullmatch(path.name)
        if named is None or (named[1] and is_running(int(named[1]))):
            continue
        if path.is_file() and not path.is_symlink():
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
        self._base = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        self.meta: dict[str, str] = dict(self._all("select name, value from meta"))
        if self.meta.get("format") != str(FORMAT):
            self._base.close()
            raise sqlite3.DatabaseError("of another version")

    def close(self) -> None:
        """Lets go of the file."""
        self._base.close()

    def classes(self) -> list[tuple[GameName, str, list[list[int]]]]:
        """Returns the classes with their keys and the numbers of their spells, in pairs of variants."""
        rows = self._all("select id, name, name_fr, key, spells from classes order by name")
        return [(GameName(*row[:3]), row[3], json.loads(row[4])) for row in rows]

    def monsters(self) -> list[GameName]:
        """Returns all monsters."""
        return [GameName(*row) for row in self._all("select id, name, name_fr from monsters order by name")]

    def monster(self, number: int) -> tuple[GameName, Any] | None:
        """Returns a monster and what was kept of it, None where there is none."""
        rows = self._all("select id, name, name_fr, body from monsters where id = ?", number)
        return (GameName(*rows[0][:3]), unpacked(rows[0][3])) if rows else None

    def spell(self, number: int) -> tuple[GameName, list[int]] | None:
        """Returns a spell's names and its grades, None where there is none."""
        rows = self._all("select id, name, name_fr, grades from spells where id = ?", number)
        return (GameName(*rows[0][:3]), json.loads(rows[0][3])) if rows else None

    def level(self, spell: int, grade: int) -> SpellLevel | None:
        """Returns a spell at a grade; None where it is not there."""
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

    def states(self) -> dict[int, tuple[GameName, frozenset[str]]]:
        """Returns the states that matter: those that something asks for, and those with flags."""
        rows = self._all(
            "select id, name, name_fr, flags from states where flags != '' or id in (select id from asked)"
        )
        return {row[0]: (GameName(*row[:3]), frozenset(row[3].split())) for row in rows}

    def asked(self) -> frozenset[int]:
        """Returns the numbers of the states that something asks for."""
        return frozenset(row[0] for row in self._all("select id from asked"))

    def maps(self) -> list[GameName]:
        """Returns all maps."""
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


def fitting(wanted: str, names: Iterable[tuple[GameName, str, str]], limit: int) -> list[GameName]:
    """Returns what is called as wanted, the best first: beginning so, then a word of it, then any part.

    Args:
        wanted: in small letters without accents.
        names: what there is, with both names in small letters without accents.
        limit: how many at most.
    """
    ranked = []
    for named, name, name_fr in names:
        rank = min(_rank(wanted, name), _rank(wanted, name_fr))
        if rank < 4:
            ranked.append((rank, len(name), named))
    ranked.sort(key=lambda found: (found[0], found[1], found[2].number))
    return [found[2] for found in ranked[:limit]]


def _rank(wanted: str, name: str) -> int:
    if name == wanted:
        return 0
    if name.startswith(wanted):
        return 1
    if f" {wanted}" in name:
        return 2
    return 3 if wanted in name else 4
