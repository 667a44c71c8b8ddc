"""The names that the player gave to pictures: the monster of a portrait, the spell of an icon.

Pictures are kept as signatures (`vision.signature`) in one TOML file beside the settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import tomlkit

from botapp.host.beside_settings import FileBesideSettings
from botapp.host.files import write_whole
from botapp.host.message import mark, say
from botapp.host.own_files import NewerFileError, OwnFile, quoted
from botapp.tracking.game_pictures import GamePictures
from vision.signature import SAME, likeness

VERSION = 1  # Of the file's form
Kind = Literal["portraits", "icons"]
_LONGEST_NAME = 200  # Letters of a key; the longest of the game's have some 20
KINDS: tuple[Kind, ...] = ("portraits", "icons")


@dataclass(frozen=True, slots=True)
class Names:
    """Names by signature: a bestiary key for a portrait or a written name, a spell's key for an icon."""

    portraits: Mapping[str, str] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)
    # Those of the public database, asked where the player has named nothing like it
    pictures: GamePictures = field(default_factory=GamePictures, compare=False)

    def find(self, kind: Kind, signature: str) -> tuple[str, float] | None:
        """Returns the name of the likest picture and how like it is (0..1); None: none is like enough."""
        return self._own(kind, signature) or self.pictures.find(kind, signature)

    def over(self, others: "Names") -> "Names":
        """Returns these names with others added for pictures that these do not know."""
        if not others.portraits and not others.icons:
            return self
        fresh = {
            kind: {sign: key for sign, key in getattr(others, kind).items() if self._own(kind, sign) is None}
            for kind in KINDS
        }
        both: dict[str, Any] = {kind: {**fresh[kind], **getattr(self, kind)} for kind in KINDS}
        return replace(self, **both)

    def _own(self, kind: Kind, signature: str) -> tuple[str, float] | None:
        known: Mapping[str, str] = getattr(self, kind)
        best = max(
            ((likeness(signature, known_picture), name) for known_picture, name in known.items()),
            default=(0.0, ""),
        )
        return (best[1], best[0]) if best[0] >= SAME else None

    def with_name(self, kind: Kind, signature: str, name: str) -> "Names":
        """Returns the names with this picture called so, whatever it was called before; "" forgets it."""
        unlike = {s: n for s, n in getattr(self, kind).items() if likeness(signature, s) < SAME}
        changed: dict[str, Any] = {kind: unlike | ({signature: name} if name else {})}
        return replace(self, **changed)


def check_version(raw: Mapping[str, Any], newest: int, problems: list[str]) -> None:
    """Notes a version that is not a whole number from 1; a file without one counts as the newest.

    Raises:
        NewerFileError: the file is of a newer app.
    """
    version = raw.get("version", newest)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        problems.append(
            say("{name} must be a whole number from 1, got {found}", name="version", found=quoted(version))
        )
    elif version > newest:
        raise NewerFileError


def _accepted(raw: Mapping[str, Any]) -> tuple[Names, list[str]]:
    problems: list[str] = []
    check_version(raw, VERSION, problems)
    problems += [
        say("there is no table {name}", name=quoted(name)) for name in raw if name not in ("version", *KINDS)
    ]
    read: dict[str, Any] = {kind: entries(kind, raw.get(kind, {}), problems) for kind in KINDS}
    return Names(**read), problems


def entries(kind: str, raw: object, problems: list[str]) -> dict[str, str]:
    """Returns the names by signature of a file's table; what is none goes to `problems` alone."""
    if not isinstance(raw, Mapping):
        problems.append(say("{name} must be a table, got {found}", name=kind, found=quoted(raw)))
        return {}
    good = {}
    for signature, name in raw.items():
        if _is_signature(signature) and isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME:
            good[signature] = name
        else:
            problems.append(
                say(
                    "{field} = {found} is no name of a picture",
                    field=f"{kind}.{quoted(signature)}",
                    found=quoted(name),
                )
            )
    return good


def _is_signature(text: str) -> bool:
    try:
        likeness(text, text)
    except ValueError:
        return False
    return bool(text)


def _write(path: Path, names: Names) -> None:
    document = {"version": VERSION} | {kind: dict(getattr(names, kind)) for kind in KINDS}
    write_whole(path, tomlkit.dumps(document))


FILE = FileBesideSettings(
    "names.toml",
    OwnFile(_accepted, _write, mark("Or name the pictures again, under My game."), largest=4 << 20),
)
load, save = FILE.load, FILE.save
