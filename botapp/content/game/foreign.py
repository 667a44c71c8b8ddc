"""What a file is that is not of the public database: told in one line, with what is needed instead."""

import re
from collections.abc import Mapping
from typing import Any

from botapp.host.message import mark, say

_D2O = mark("a dump of version 2's own files (D2O), which have numbers in place of names")
_D2I = mark("a list of texts of version 2 (D2I)")
_UNITY = mark("a dump of the Unity client's bundles, which have numbers in place of names")
_PART = mark("one part of a larger file or an unfinished download")
_NEEDED = mark(
    "Needed are answers of the players' public database as JSON: breeds, spell-variants, spells, "
    "spell-levels, monsters, spell-states. *Download…* or `botapp knowledge fetch-game` brings them."
)
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", mark("a zip")),
    (b"\x1f\x8b", mark("a gzip archive: unpack it first")),
    (b"7z\xbc\xaf\x27\x1c", mark("a 7z archive: unpack it first")),
    (b"Rar!", mark("a RAR archive: unpack it first")),
    (b"\xfd7zXZ", mark("an xz archive: unpack it first")),
    (b"\x28\xb5\x2f\xfd", mark("a zstd archive: unpack it first")),
    (b"SQLite format 3", mark("an SQLite database")),
    (b"UnityFS", mark("a bundle of the Unity client")),
    (b"D2O", mark("a D2O file of version 2")),
    (b"AKSF", mark("a signed file of version 2")),
    (b"%PDF", mark("a PDF")),
    (b"\x89PNG", mark("a picture")),
    (b"\xff\xd8\xff", mark("a picture")),
    (b"MZ", mark("a program")),
    (b"\x7fELF", mark("a program")),
    (b"<", mark("a web page or XML")),
)
_PART_NAME = re.compile(
    r"\.(part|crdownload|download|tmp|[0-9]{3})$|part[-_ ]?[0-9]+\.|\.part[-_ ]?[0-9]+", re.I
)
_TABLE = re.compile(rb"\s*\[[A-Za-z_][\w.\- ]*\]\s*(\n|\r)")
_SEPARATED = re.compile(rb"[\w\" ]+([,;\t])[\w\" ]+(\1[\w\" .]*)*\r?\n")


def other_format(head: bytes, name: str) -> str | None:
    """Returns what a file is that holds no JSON, by how it begins and is called; None where that is unknown.

    Args:
        head: its first bytes.
    """
    bare = head.lstrip()
    format_name = next((what for begins, what in _BEGINNINGS if bare.startswith(begins)), None)
    if format_name is None and _TABLE.match(head):
        format_name = mark("TOML or INI")
    if format_name is None and is_part(name):
        format_name = _PART
    if format_name is None and _SEPARATED.match(head):
        format_name = mark("a table (CSV)")
    return format_name


def dump_of_name(name: str) -> str | None:
    """Returns what dump a file is by what tools call it, None where its name does not tell."""
    return _D2O if ".d2o" in name.lower() else None


def is_part(name: str) -> bool:
    """Tells whether a file is called as a part of a larger one, or as a download that has not ended."""
    return _PART_NAME.search(name) is not None


def part() -> str:
    """Returns what a part of a larger file is, as `other_format` says it."""
    return _PART


def other_dump(fields: Mapping[str, Any]) -> str | None:
    """Returns what dump an object comes from that is none of the public database's, None for no known one."""
    if {"objectsById", "references"} <= fields.keys():
        return _UNITY
    if isinstance(fields.get("RefIds"), list) or {"rid", "type", "data"} <= fields.keys():
        return _UNITY
    if isinstance(fields.get("def"), list) and "data" in fields:
        return _D2O
    named = fields.get("nameId", fields.get("shortNameId"))
    bare = not {"name", "shortName"} & fields.keys()
    if isinstance(named, int) and not isinstance(named, bool) and bare:
        return _D2O
    texts = fields.get("texts")
    return (
        _D2I if isinstance(texts, Mapping) and all(isinstance(text, str) for text in texts.values()) else None
    )


def needed() -> str:
    return say(_NEEDED)


def said_of(name: str, what: str) -> str:
    """Returns the line about a file: what it is, and what is needed instead."""
    return say(
        "{file} is not JSON of the public database, but {what}. {needed}",
        file=name,
        what=say(what),
        needed=needed(),
    )


def passed_over(what: str, files: int) -> str:
    """Returns the line about files of a folder that were passed over."""
    return say("Passed over: {count} × {what}.", count=files, what=say(what))
