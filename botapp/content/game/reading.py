"""Records of the game's data out of files: whatever these are called, however large.

A record is a JSON object that is a class, a spell, a monster ... by what is in it. Large files are read a
piece at a time, and given up once nothing of the game has come for too long.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn

from botapp.content.game import foreign
from botapp.content.game.opening import (
    DAMAGED,
    Effort,
    GameDataError,
    Opened,
    files_in,
    refuse_file,
)
from botapp.host.message import one_line, say

__all__ = ["GameDataError", "Opened", "Record", "files_in", "records"]

LARGEST_FILE = 1 << 30  # Bytes of one file, unpacked
LARGEST_PIECE = 8 << 20  # Characters of one record, and of a file that is read at once
LARGEST_GAP = 64 << 20
"""Characters of a file without a record of the game in them, after which it is read no further."""
_MOST_OTHERS = 200_000
"""Objects of a file that are no records, after which it is read no further; a plain value counts as 20."""
CHUNK = 1 << 20
_DEEPEST = 3
_BLANKS = re.compile(r"[ \t\r\n]*")
_LEVEL = {
    "apCost", "minRange", "range", "castInLine", "castTestLos", "needFreeCell", "criticalHitProbability",
    "maxCastPerTurn", "maxCastPerTarget", "minCastInterval", "initialCooldown", "minPlayerLevel",
    "statesCriterion", "effects", "criticalEffect",
}  # fmt: skip
"""By these fields a spell level is known, though some are missing."""
_GRADE = {"grade", "level", "lifePoints", "actionPoints", "movementPoints", "strength", "agility", "wisdom"}
"""By these a monster's grade."""
_MONSTER = {"grades", "spells", "spellGrades", "race", "gfxId"}  # By two of these a monster


class Record(NamedTuple):
    """An object of the game's data."""

    # "class", "variant", "spell", "level", "monster", "state" or "map"; "usual" for the values that a file
    # says for what its effects leave out; "" for one of another dump or of no known kind
    kind: str
    fields: Mapping[str, Any]
    dump: str = ""  # What dump it comes from, where that is not the public database; see `foreign.other_dump`


def records(
    file: Opened, progress: Callable[[int], None] = lambda _: None, effort: Effort | None = None
) -> Iterator[Record]:
    """Returns the records of a file; none where it is of something else.

    Args:
        progress: called with the number of bytes read so far.

    Raises:
        GameDataError: it is damaged, too large or nested without end, or was given by name and is no JSON.
    """
    if file.size > LARGEST_FILE:
        raise GameDataError(
            say("{file} is larger than 1 GB: the game's data are not. Choose another file.", file=file.name)
        )
    head = b""
    try:
        with file.open() as stream:
            head = stream.read(4096)
            text = _Text(file, head, stream, progress, effort or Effort())
            for record in _of_text(text):
                if record.kind or record.dump:
                    text.effort.record(file)
                yield record
    except OSError as error:
        refuse_file(Path(file.name), error)
    except UnicodeDecodeError as error:
        _no_json(file, head, error)
    except DAMAGED as error:
        raise GameDataError(
            say("{file} is damaged ({problem}). Save it anew.", file=file.name, problem=one_line(error))
        ) from error
    except RecursionError as error:
        raise GameDataError(
            say("{file}: lists within lists, far too deep. Save it anew.", file=file.name)
        ) from error
    except _NothingMore:
        return


class _NothingMore(Exception):
    """A file in which nothing of the game has come for too long."""


def _no_json(file: Opened, head: bytes, cause: Exception | None = None) -> None:
    """Refuses a file that is no JSON, where it was given by name."""
    if not file.named:
        return
    what = foreign.other_format(head, file.name)
    if what is not None:
        raise GameDataError(foreign.said_of(file.name, what)) from cause
    if cause is not None:
        raise GameDataError(
            say("{file} is not text in UTF-8. Choose JSON files or their folder.", file=file.name)
        ) from cause
    raise GameDataError(say("{file} is not JSON. Choose JSON files or their folder.", file=file.name))


def _of_text(text: "_Text") -> Iterator[Record]:
    if text.is_other_format() or text.peek() not in ("[", "{"):
        _no_json(text.file, text.head)
        return
    while True:
        if text.is_short():
            value = text.value()
            yield from text.counted(_within(value, "", 0))
        elif text.peek() == "[":
            yield from _elements(text, "")
        else:
            yield from _members(text, 0)
        if text.peek() != "{":  # one object after the other, as databases write them out
            break
    text.expect_end()


def _elements(text: "_Text", hint: str) -> Iterator[Record]:
    text.take("[")
    while text.peek() != "]":
        element = text.value()
        if isinstance(element, dict | list):
            yield from text.counted(_within(element, hint, 1))
        else:
            text.pass_over(20)
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
            yield from text.counted(_within(text.value(), str(name), depth + 1))
        if text.peek() != "}":
            text.take(",")
    text.take("}")


def _within(value: Any, hint: str, depth: int) -> Iterator[Record]:
    """Returns the records in a value: itself, or what its lists and objects hold."""
    if isinstance(value, dict):
        kind = _kind(value, hint)
        dump = foreign.other_dump(value)
        inner: list[Record] = []
        if kind in ("", "variant") and depth < _DEEPEST:
            for name, inside in value.items():
                if isinstance(inside, dict | list):
                    inner += _within(inside, name, depth + 1)
        if kind or dump:
            yield Record(kind, value, dump or "")
        elif "id" in value and not any(record.kind or record.dump for record in inner):
            inner = [Record("", value)]  # of no kind that is known: counted as one
        yield from inner
    elif isinstance(value, list):
        for inside in value:
            if isinstance(inside, dict):
                yield from _within(inside, hint, depth + 1)


def _kind(fields: Mapping[str, Any], hint: str) -> str:
    """Tells what a record is by what is in it, "" for nothing of ours."""
    if hint == "states" and "id" in fields and "name" in fields:
        return "state"
    if hint == "effectDefaults":
        return "usual"
    return next((kind for kind, is_one in _SIGNS.items() if is_one(fields)), "")


def _is_level(fields: Mapping[str, Any]) -> bool:
    """Tells whether an object with the number of a spell is one of its levels, though it may lack fields."""
    return {"apCost", "effects"} <= fields.keys() or len(_LEVEL & fields.keys()) > 3


def _is_monster(fields: Mapping[str, Any]) -> bool:
    """Tells whether an object is a monster, though it may lack grades, spells or what a grade holds."""
    grades = fields.get("grades")
    first = next(iter(grades), None) if isinstance(grades, list) else None
    if isinstance(first, Mapping) and len(_GRADE & first.keys()) > 2:
        return True
    return len(_MONSTER & fields.keys()) > 1 and "name" in fields


def _is_class(fields: Mapping[str, Any]) -> bool:
    """Tells whether an object is a class, though it may lack its spells: nothing else has a short name."""
    return {"id", "shortName"} <= fields.keys()


_SIGNS: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "level": lambda fields: "spellId" in fields and _is_level(fields),
    "monster": _is_monster,
    "class": lambda fields: "breedSpellsId" in fields or _is_class(fields),
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

    def __init__(
        self, file: Opened, head: bytes, stream: IO[bytes], progress: Callable[[int], None], effort: Effort
    ) -> None:
        self.file = file
        self.head = head
        self.effort = effort
        self._stream = stream
        self._text = ""
        self._at = 0
        self._before = 0
        self._ended = False
        self._decoder = json.JSONDecoder(parse_constant=self._no_number)
        encoding = "utf-16" if self.head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
        self._decode = codecs.getincrementaldecoder(encoding)().decode
        self._progress = progress
        self._unread = self.head
        self._others = 0
        self._any = False
        self._last = 0

    def is_other_format(self) -> bool:
        """Tells whether the file is no JSON, though it begins with a bracket."""
        return self.head.lstrip()[:1] == b"[" and foreign.other_format(self.head, "") is not None

    def counted(self, values: Iterator[Record]) -> Iterator[Record]:
        """Hands records on and notes that some have come, or that none have."""
        any_here = False
        for record in values:
            if record.kind or record.dump:
                any_here = self._any = True
            yield record
        if any_here:
            self._last = self._before + self._at
        else:
            self.pass_over(1)

    def pass_over(self, weight: int) -> None:
        """Notes that something came that is no record."""
        self._others += weight
        if self._others > _MOST_OTHERS:
            self._stop()

    def peek(self) -> str:
        """Returns the next letter that is no blank, "" at the end."""
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            self._at = blanks.end() if blanks is not None else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._fill()

    def take(self, letter: str) -> None:
        if self.peek() != letter:
            self._damaged()
        self._at += 1

    def value(self) -> Any:
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except ValueError:
                if self._ended or len(self._text) - self._at > LARGEST_PIECE:
                    self._damaged()
                self._fill()
                continue
            if end == len(self._text) and not self._ended:
                self._fill()
                continue
            self._at = end
            return value

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

    def _fill(self) -> None:
        more, self._unread = self._unread or self._stream.read(CHUNK), b""
        self._before += self._at
        self._text = self._text[self._at :] + self._decode(more, not more)
        self._at = 0
        self._ended = not more
        at = self._before + len(self._text)
        self._progress(at)
        self.effort.check(self.file)
        if self._before > LARGEST_FILE:
            raise GameDataError(
                say(
                    "{file} is larger than 1 GB: the game's data are not. Choose another file.",
                    file=self.file.name,
                )
            )
        if self._before - self._last > LARGEST_GAP:
            self._stop()

    def _stop(self) -> NoReturn:
        """Reads no further: the file is of something else, or stops being of the game."""
        if not self._any:
            raise _NothingMore
        raise GameDataError(
            say(
                "{file} holds far too much that is none of the game's, from character {place} on. "
                "Save it anew.",
                file=self.file.name,
                place=self._last + 1,
            )
        )

    def _no_number(self, word: str) -> NoReturn:
        raise ValueError(word)

    def _damaged(self) -> NoReturn:
        if foreign.is_part(self.file.name):
            raise GameDataError(foreign.said_of(self.file.name, foreign.part()))
        raise GameDataError(
            say(
                "{file} is damaged: no JSON from character {place} on. Save it anew.",
                file=self.file.name,
                place=self._before + self._at + 1,
            )
        )
