"""The names that the words on the screen have given to pictures, kept in a file of their own.

What the player has undone is kept too, so that it is not learnt again. The player's own names, in
`botapp.tracking.names`, go before these.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tomlkit

from botapp.host.beside_settings import FileBesideSettings
from botapp.host.files import write_whole
from botapp.host.message import mark, say
from botapp.host.own_files import OwnFile, quoted
from botapp.tracking.names import KINDS, Kind, Names, check_version, entries
from vision.signature import SAME, likeness

VERSION = 1  # Of the file's form
_UNDONE = "undone"
_MOST = 2000  # Names in a table, the newest: some 0.5 MB; of a file 4 are read


@dataclass(frozen=True, slots=True)
class Learnt:
    """Something that was learnt of a picture, to be told to the player once."""

    kind: Kind  # "portraits" or "icons", as in the file of names
    signature: str
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class LearntNames:
    """What was learnt, and by signature what the player has undone."""

    names: Names = field(default_factory=Names)
    undone: Mapping[str, str] = field(default_factory=dict)

    def refuses(self, signature: str, key: str) -> bool:
        """Tells whether the player has said that a picture is not this."""
        return any(
            key == no and likeness(signature, undone_picture) >= SAME
            for undone_picture, no in self.undone.items()
        )

    def with_learnt(self, learnt: Learnt) -> "LearntNames":
        return replace(self, names=self.names.with_name(learnt.kind, learnt.signature, learnt.key))

    def without(self, learnt: Learnt) -> "LearntNames":
        """Returns the names without one, which is not learnt again."""
        names = self.names.with_name(learnt.kind, learnt.signature, "")
        return LearntNames(names, {**self.undone, learnt.signature: learnt.key})


class NameLearner:
    """Learns names of pictures in one run of the app; what the player has undone is not learnt again.

    Attributes:
        names: all that was learnt.
    """

    def __init__(self) -> None:
        self.names = Names()
        self._undone = LearntNames()
        self._votes: Counter[tuple[str, str]] = Counter()
        self._news: list[Learnt] = []

    def use(self, learnt: LearntNames) -> None:
        """Takes over what was learnt before, and what the player has undone."""
        self.names, self._undone = learnt.names, learnt

    def news(self) -> list[Learnt]:
        """Returns what was learnt since this was last asked."""
        news, self._news = self._news, []
        return news

    def vote(self, portrait: str, key: str, name: str) -> None:
        """Learns who a portrait shows once more than twice as much speaks for it as for any other."""
        self._votes[portrait, key] += 1
        others = (votes for (of, no), votes in self._votes.items() if of == portrait and no != key)
        if self._votes[portrait, key] > 2 * max(others, default=0):
            self.learn("portraits", portrait, key, name)

    def learn(self, kind: Kind, signature: str, key: str, name: str) -> None:
        known = self.names.find(kind, signature)
        if (known is not None and known[0] == key) or self._undone.refuses(signature, key):
            return
        self.names = self.names.with_name(kind, signature, key)
        self._news.append(Learnt(kind, signature, key, name))


def _accepted(raw: Mapping[str, Any]) -> tuple[LearntNames, list[str]]:
    problems: list[str] = []
    check_version(raw, VERSION, problems)
    known = ("version", _UNDONE, *KINDS)
    problems += [say("there is no table {name}", name=quoted(name)) for name in raw if name not in known]
    read: dict[str, Any] = {kind: entries(kind, raw.get(kind, {}), problems) for kind in KINDS}
    return LearntNames(Names(**read), entries(_UNDONE, raw.get(_UNDONE, {}), problems)), problems


def _write(path: Path, learnt: LearntNames) -> None:
    tables = {kind: getattr(learnt.names, kind) for kind in KINDS} | {_UNDONE: learnt.undone}
    newest = {name: dict(list(table.items())[-_MOST:]) for name, table in tables.items()}
    write_whole(path, tomlkit.dumps({"version": VERSION} | newest))


FILE = FileBesideSettings(
    "learnt.toml",
    OwnFile(
        _accepted, _write, mark("Or delete it: the names are read off the screen again."), largest=4 << 20
    ),
)
load, save = FILE.load, FILE.save
