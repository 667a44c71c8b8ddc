"""The names that the player gave to pictures: whom a portrait shows, which spell an icon stands for.

Pictures are kept as signatures (`vision.signature`) in one TOML file beside the settings. Next hop:
`botapp.tracking.recognition` puts the names into what was read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import tomlkit
import tomlkit.exceptions

from botapp.host.files import set_aside, write_whole
from botapp.host.message import say
from botapp.host.settings_file import config_dir
from vision.signature import SAME, likeness

FILE_NAME = "names.toml"
VERSION = 1
Kind = Literal["portraits", "icons"]
KINDS: tuple[Kind, ...] = ("portraits", "icons")


@dataclass(frozen=True, slots=True)
class Names:
    """Names by signature: a bestiary key for a portrait or a written name, a spell's key for an icon."""

    portraits: Mapping[str, str] = field(default_factory=dict)
    icons: Mapping[str, str] = field(default_factory=dict)

    def find(self, kind: Kind, signature: str) -> tuple[str, float] | None:
        """Returns the name of the likest picture and how like it is (0..1); None: none is like enough."""
        known: Mapping[str, str] = getattr(self, kind)
        found = [(likeness(signature, other), name) for other, name in known.items()]
        best = max(found, default=(0.0, ""))
        return (best[1], best[0]) if best[0] >= SAME else None

    def with_name(self, kind: Kind, signature: str, name: str) -> "Names":
        """Returns the names with this picture called so, whatever it was called before; "" forgets it."""
        kept = {s: n for s, n in getattr(self, kind).items() if likeness(signature, s) < SAME}
        return replace(self, **{kind: kept | ({signature: name} if name else {})})


@dataclass(frozen=True, slots=True)
class Recalled:
    """The names that were read, and what a person should know about the reading, in words."""

    names: Names
    messages: tuple[str, ...] = ()


def names_path() -> Path:
    """Returns where the names are kept, whether or not there are any."""
    return config_dir() / FILE_NAME


def load(path: Path | None = None) -> Recalled:
    """Reads the names. Never raises over a bad file: it is set aside, and `messages` says where to.

    An entry that is no signature costs that entry alone; the file is kept aside for it too.
    """
    path = path or names_path()
    try:
        raw = tomlkit.parse(path.read_text("utf-8")).unwrap()
        if int(raw.get("version", VERSION)) > VERSION:
            return Recalled(
                Names(),
                (say("{file} was written by a newer botapp; update this one to use it.", file=str(path)),),
            )
    except FileNotFoundError:
        return Recalled(Names())
    except OSError as error:
        return Recalled(
            Names(),
            (
                say(
                    "{file} cannot be opened ({problem}). Check its permissions.",
                    file=str(path),
                    problem=error.strerror,
                ),
            ),
        )
    except (tomlkit.exceptions.TOMLKitError, UnicodeDecodeError, ValueError, TypeError) as error:
        return Recalled(
            Names(),
            (
                _kept_aside(
                    path,
                    say("{file} cannot be read ({problem})", file=str(path), problem=str(error)),
                    move=True,
                ),
            ),
        )
    good = {kind: dict(_entries(raw.get(kind))) for kind in KINDS}
    names = Names(**good)
    if any(good[kind] != raw.get(kind, {}) for kind in KINDS):
        return Recalled(
            names,
            (_kept_aside(path, say("{file} has invalid entries", file=str(path)), move=False),),
        )
    return Recalled(names)


def save(names: Names, path: Path | None = None) -> None:
    """Writes the names, whole or not at all.

    Raises:
        OSError: the folder cannot be written to.
    """
    document = {"version": VERSION} | {kind: dict(getattr(names, kind)) for kind in KINDS}
    write_whole(path or names_path(), tomlkit.dumps(document))


def _entries(raw: object) -> Iterable[tuple[str, str]]:
    if not isinstance(raw, Mapping):
        return
    for signature, name in raw.items():
        try:
            likeness(signature, signature)
        except ValueError:
            continue
        if isinstance(name, str) and name and signature:
            yield signature, name


def _kept_aside(path: Path, problem: str, *, move: bool) -> str:
    try:
        kept = set_aside(path, move=move)
    except OSError as error:
        return say(
            "{problem} and cannot be moved aside ({why}); correct it by hand.",
            problem=problem,
            why=error.strerror,
        )
    return say(
        "{problem}; it is kept as {kept}. Name the pictures again, or correct it and rename it back.",
        problem=problem,
        kept=str(kept),
    )
