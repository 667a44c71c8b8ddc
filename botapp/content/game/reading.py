"""Records of the game's data out of files, folders and zips: whatever they are called, however large.

A record is a JSON object that is a class, a spell, a monster ... by what is in it. Large files are read a
piece at a time; nothing is ever unpacked to the disk. Next hop: `botapp.content.game.importing`.
"""

import json
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from botapp.host.message import say

LARGEST_FILE = 1 << 30
"""Bytes of one file, unpacked."""
LARGEST_IMPORT = 3 << 30
LARGEST_PIECE = 8 << 20
"""Characters of one record, and of a file that is read at once."""
MOST_FILES = 50_000
_CHUNK = 1 << 20
_MOST_OTHERS = 10_000
"""Things in a list that are no objects, after which a file is none of the game's."""
_DEEPEST = 3
_BLANKS = " \t\r\n"


class GameDataError(ValueError):
    """Data of the game that cannot be read; the text names the file and what to do."""


class Record(NamedTuple):
    """An object of the game's data.

    Attributes:
        kind: "class", "variant", "spell", "level", "monster", "state" or "map".
        fields: the object.
    """

    kind: str
    fields: Mapping[str, Any]


class Opened(NamedTuple):
    """A file to read.

    Attributes:
        name: how it is called in errors.
        size: bytes, unpacked.
        named: whether the player gave it by name: then it must be of the game.
        open: opens it.
    """

    name: str
    size: int
    named: bool
    open: Callable[[], IO[bytes]]


def files_in(paths: Iterable[Path]) -> list[Opened]:
    """Returns all files that may hold data: those given, those in folders and in zips.

    Raises:
        GameDataError: one cannot be read, or there is too much.
    """
    found: list[Opened] = []
    for path in paths:
        found += _files_of(path)
    if len(found) > MOST_FILES or sum(file.size for file in found) > LARGEST_IMPORT:
        raise GameDataError(
            say("{file}: far too much data. Choose the folder of the game's data alone.", file=str(path))
        )
    if not found:
        raise GameDataError(say("There is no file to read. Choose the folder, or the files themselves."))
    return found


def _files_of(path: Path) -> list[Opened]:
    try:
        if path.is_dir():
            return list(_in_folder(path))
        size = path.stat().st_size
        if zipfile.is_zipfile(path):
            return _in_zip(path)
    except OSError as error:
        _refuse_file(path, error)
    return [_opened(path, size, named=True)]


def _in_folder(folder: Path) -> Iterator[Opened]:
    count = 0
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            path = Path(place, name)
            count += 1
            if count > MOST_FILES:
                raise GameDataError(
                    say(
                        "{file}: far too much data. Choose the folder of the game's data alone.",
                        file=str(folder),
                    )
                )
            if path.is_file():
                if path.suffix.lower() == ".zip" and zipfile.is_zipfile(path):
                    yield from _in_zip(path)
                else:
                    yield _opened(path, path.stat().st_size, named=False)


def _opened(path: Path, size: int, *, named: bool) -> Opened:
    return Opened(str(path), size, named, lambda: path.open("rb"))


def _in_zip(path: Path) -> list[Opened]:
    """Returns the files in a zip.

    Raises:
        GameDataError: it is damaged or locked, or a name in it leads elsewhere.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise GameDataError(
            say("{file} is a damaged zip ({problem}). Save it anew.", file=str(path), problem=str(error))
        ) from error
    found = []
    for info in archive.infolist():
        if info.is_dir():
            continue
        parts = info.filename.replace("\\", "/").split("/")
        if ".." in parts or parts[0] == "" or ":" in parts[0]:
            raise GameDataError(
                say(
                    "{file}: the name {name} in it leads out of the zip. Do not use this file.",
                    file=str(path),
                    name=repr(info.filename)[:80],
                )
            )
        if info.flag_bits & 1:
            raise GameDataError(say("{file} is locked with a password. Unpack it first.", file=str(path)))
        found.append(_in_archive(path, archive, info))
    return found


def _in_archive(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Opened:
    return Opened(f"{path}: {info.filename}", info.file_size, False, lambda: archive.open(info))


def _refuse_file(path: Path, error: OSError) -> NoReturn:
    raise GameDataError(
        say(
            "{file} cannot be opened ({problem}). Check its path and its permissions.",
            file=str(path),
            problem=error.strerror,
        )
    ) from error


def records(file: Opened, progress: Callable[[int], None] = lambda _: None) -> Iterator[Record]:
    """Returns the records of a file; none where it is of something else.

    Args:
        file: what to read.
        progress: is told the bytes read so far.

    Raises:
        GameDataError: it is damaged, too large or nested without end, or was given by name and is no JSON.
    """
    if file.size > LARGEST_FILE:
        raise GameDataError(
            say("{file} is larger than 1 GB: the game's data are not. Choose another file.", file=file.name)
        )
    try:
        with file.open() as stream:
            yield from _of_text(_Text(file, stream, progress))
    except OSError as error:
        _refuse_file(Path(file.name), error)
    except UnicodeDecodeError as error:
        if file.named:
            raise GameDataError(
                say("{file} is not text in UTF-8. Choose JSON files or their folder.", file=file.name)
            ) from error
    except (zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise GameDataError(
            say("{file} is damaged ({problem}). Save it anew.", file=file.name, problem=str(error))
        ) from error
    except RecursionError as error:
        raise GameDataError(
            say("{file}: lists within lists, far too deep. Save it anew.", file=file.name)
        ) from error


def _of_text(text: "_Text") -> Iterator[Record]:
    first = text.peek()
    if first not in ("[", "{"):
        if text.file.named:
            raise GameDataError(
                say("{file} is not JSON. Choose JSON files or their folder.", file=text.file.name)
            )
        return
    if text.is_short():
        yield from _within(text.value(), "", 0)
        text.expect_end()
    elif first == "[":
        yield from _elements(text, "")
    else:
        yield from _members(text, 0)


def _elements(text: "_Text", hint: str) -> Iterator[Record]:
    """Returns the records in a list, read one at a time."""
    text.take("[")
    others = 0
    while text.peek() != "]":
        found = text.value()
        if isinstance(found, dict | list):
            yield from _within(found, hint, 1)
        else:
            others += 1
            if others > _MOST_OTHERS:
                text.give_up()
                return
        if text.peek() != "]":
            text.take(",")
    text.take("]")


def _members(text: "_Text", depth: int) -> Iterator[Record]:
    """Returns the records in a large object, one member at a time."""
    text.take("{")
    while text.peek() != "}":
        name = text.value()
        text.take(":")
        if text.peek() == "[":
            yield from _elements(text, str(name))
        elif text.peek() == "{" and depth < _DEEPEST and not text.fits():
            yield from _members(text, depth + 1)
        else:
            yield from _within(text.value(), str(name), depth + 1)
        if text.given_up:
            return
        if text.peek() != "}":
            text.take(",")
    text.take("}")


def _within(value: Any, hint: str, depth: int) -> Iterator[Record]:
    """Returns the records in a value: itself, or what its lists and objects hold."""
    if isinstance(value, dict):
        kind = _kind(value, hint)
        if kind:
            yield Record(kind, value)
        if kind in ("", "variant") and depth < _DEEPEST:
            for name, inner in value.items():
                if isinstance(inner, dict | list):
                    yield from _within(inner, name, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, dict):
                yield from _within(inner, hint, depth + 1)


def _kind(fields: Mapping[str, Any], hint: str) -> str:
    """Tells what a record is by what is in it, "" for nothing of ours."""
    if hint == "states" and "id" in fields and "name" in fields:
        return "state"
    return next((kind for kind, is_one in _SIGNS.items() if is_one(fields)), "")


_SIGNS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "level": lambda fields: {"apCost", "effects", "spellId"} <= fields.keys(),
    "monster": lambda fields: isinstance(fields.get("grades"), list) and "spells" in fields,
    "class": lambda fields: "breedSpellsId" in fields or {"spellPairs", "shortName"} <= fields.keys(),
    "spell": lambda fields: (
        "name" in fields and isinstance(fields.get("spellLevels", fields.get("levels")), list)
    ),
    "variant": lambda fields: {"spellIds", "breedId"} <= fields.keys(),
    "map": lambda fields: isinstance(fields.get("cells", fields.get("cellsData")), list),
    "state": lambda fields: {"id", "name", "preventsSpellCast"} <= fields.keys(),
}
"""By what each kind of record is known, the first that fits being meant."""


class _Text:
    """The text of a file, a window of it at a time."""

    def __init__(self, file: Opened, stream: IO[bytes], progress: Callable[[int], None]) -> None:
        self.file = file
        self.given_up = False
        self._text = ""
        self._at = 0
        self._before = 0
        self._ended = False
        self._reader = TextIOWrapper(stream, encoding="utf-8-sig")
        self._progress = progress
        self._decoder = json.JSONDecoder(parse_constant=self._no_number)

    def peek(self) -> str:
        """Returns the next letter that is no blank, "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _BLANKS:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._fill()

    def take(self, letter: str) -> None:
        """Goes over a letter that must come next."""
        if self.peek() != letter:
            self._damaged()
        self._at += 1

    def value(self) -> Any:
        """Returns the next value, reading on as far as it goes."""
        self.peek()
        while True:
            try:
                found, end = self._decoder.raw_decode(self._text, self._at)
            except ValueError:
                if self._ended or len(self._text) - self._at > LARGEST_PIECE:
                    self._damaged()
                self._fill()
                continue
            if end == len(self._text) and not self._ended:
                self._fill()
                continue
            self._at = end
            return found

    def is_short(self) -> bool:
        """Tells whether what is left fits into the window; fills it as far as it goes."""
        while not self._ended and len(self._text) - self._at <= LARGEST_PIECE:
            self._fill()
        return self._ended

    def fits(self) -> bool:
        """Tells whether the next value is small enough to be read at once."""
        self.peek()
        while True:
            try:
                self._decoder.raw_decode(self._text, self._at)
            except ValueError:
                if self._ended or len(self._text) - self._at > LARGEST_PIECE:
                    return False
                self._fill()
                continue
            return True

    def expect_end(self) -> None:
        """Sees to it that nothing follows."""
        if self.peek():
            self._damaged()

    def give_up(self) -> None:
        """Passes over the rest of the file."""
        self.given_up = True

    def _fill(self) -> None:
        more = self._reader.read(_CHUNK)
        self._before += self._at
        self._text = self._text[self._at :] + more
        self._at = 0
        self._ended = not more
        self._progress(self._before + len(self._text))
        if self._before > LARGEST_FILE:
            raise GameDataError(
                say(
                    "{file} is larger than 1 GB: the game's data are not. Choose another file.",
                    file=self.file.name,
                )
            )

    def _no_number(self, word: str) -> NoReturn:
        raise ValueError(word)

    def _damaged(self) -> NoReturn:
        raise GameDataError(
            say(
                "{file} is damaged: no JSON from character {place} on. Save it anew.",
                file=self.file.name,
                place=self._before + self._at + 1,
            )
        )
