"""Loads the profiles of game clients, TOML files in `resources/profiles/` that describe their screens.

`load` checks every value and names the file and the field that is wrong.
"""

from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, TypeAdapter

from vision.message import say
from vision.profiles import fields
from vision.profiles.fields import ProfileError
from vision.profiles.profile import Profile

__all__ = ["Profile", "ProfileError", "add", "folder", "load", "names", "parse", "titles"]

_added: dict[str, str] = {}  # The texts of profiles that do not come with the app, by name


def folder() -> Traversable:
    return files("resources") / "profiles"


def names() -> tuple[str, ...]:
    entries = (entry.name for entry in folder().iterdir())
    return tuple(
        sorted([name.removesuffix(".toml") for name in entries if name.endswith(".toml")] + [*_added])
    )


def add(file: Path) -> None:
    """Adds a profile that does not come with the app, until this process ends.

    Raises:
        OSError: the file cannot be read.
        ProfileError: a field is missing or wrong.
    """
    text = file.read_text(encoding="utf-8")
    parse(text, file.name)
    _added[file.stem] = text


def titles() -> dict[str, tuple[str, ...]]:
    """Returns the patterns of the titles that clients write, by profile.

    Raises:
        ProfileError: a profile is broken.
    """
    return {name: patterns for name in names() if (patterns := load(name).titles)}


@cache
def load(name: str) -> Profile:
    """Reads a profile by name.

    Raises:
        ProfileError: there is no such profile, or a field of it is wrong.
    """
    if name not in names():
        raise ProfileError(
            say("There is no profile {name}; there are: {names}.", name=repr(name), names=", ".join(names()))
        )
    text = _added[name] if name in _added else (folder() / f"{name}.toml").read_text(encoding="utf-8")
    return parse(text, f"{name}.toml")


def parse(text: str, file: str) -> Profile:
    """Reads a profile from TOML text; `file` is its name in messages.

    Raises:
        ProfileError: a field is missing or wrong.
    """
    profile = fields.parse(_adapter(), text, file, say("Install botapp again: the file belongs to it."))
    return replace(profile, name=file.removesuffix(".toml"))


@cache
def _adapter() -> TypeAdapter[Profile]:
    return TypeAdapter(Annotated[Profile, BeforeValidator(_arena_at_top)])


def _arena_at_top(table: Any) -> Any:
    return table if "screen" in table else table | {"fight": table}
