"""Names of the game's things: cleaned for a person, made into keys, and in the form that is looked for."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

_LONGEST = 60
_REFERENCE = re.compile(r"\{\{[^{}]*?::([^{}]*)\}\}")
_TAG = re.compile(r"<[^<>]*>")


LANGUAGES = ("en", "fr", "es", "pt", "de", "it")  # The languages whose names are kept
NAMED_IN = ("en", "fr")  # The languages of the app: a record without a name in one of them is counted


def names_in(fields: Mapping[str, Any], field: str) -> dict[str, str]:
    """Returns a record's names by language, those that it has; "" stands for an unknown language."""
    given = fields.get(field)
    if isinstance(given, Mapping):
        names = {language: clean(given.get(language)) for language in LANGUAGES}
    else:
        names = {"": clean(given)}
    return {language: name for language, name in names.items() if name}


def names_of(fields: Mapping[str, Any], field: str, fallback: str) -> tuple[str, str]:
    """Returns a record's English and French name; another language's where it is missing.

    Args:
        field: where its names stand, an object by language or a text.
        fallback: what it is called where it has no name.
    """
    names = names_in(fields, field)
    other = next(iter(names.values()), fallback)
    return names.get("en", other), names.get("fr", other)


def clean(name: object) -> str:
    """Returns a name without marks of the game's, cut to a readable length."""
    if not isinstance(name, str):
        return ""
    plain = _TAG.sub("", _REFERENCE.sub(r"\1", name[:400]))
    printable = "".join(letter if letter.isprintable() else " " for letter in plain)
    return " ".join(printable.split())[:_LONGEST].strip()


def key_of(name: str, fallback: str) -> str:
    """Returns a key made of a name: small letters and digits; `fallback` where nothing is left."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    key = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")[:40].strip("-")
    return key if key and key[0].isalpha() else fallback


def plain(text: str) -> str:
    """Returns a text in small letters without accents, everything else than letters and digits a blank."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    letters = (letter if letter.isalnum() else " " for letter in bare if not unicodedata.combining(letter))
    return " ".join("".join(letters).split())
