"""Finds what a name on the screen is the name of: a monster, a class, a spell of the knowledge base.

Names are compared in small letters without accents, blanks and signs. A name that was read with a mistake or
two still finds its own, as long as no other is as near. Several of the same name are all returned.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from botapp.content.knowledge.base import KnowledgeBase, knowledge
from botapp.tracking.log_words import folded

_GRAM = 3
_SLIPS = ((5, 0), (9, 1), (16, 2))
_MOST_SLIPS = 3
_CANDIDATES = 12


class Found(NamedTuple):
    """What a name stands for.

    Attributes:
        keys: of the things of that name, several where they share it.
        name: the name as it is written in the data.
        slips: how many letters were read wrong, left out or too many.
    """

    keys: tuple[str, ...]
    name: str
    slips: int


def bare(name: str) -> str:
    """Returns a name's letters and digits alone, small and without accents."""
    return "".join(letter for letter in folded(name) if letter.isalnum())


class NameIndex:
    """Names of one kind, found with a few mistakes.

    Args:
        names: pairs of a name in any language and the key of what it is.
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        keys: dict[str, dict[str, None]] = defaultdict(dict)
        self._written: dict[str, str] = {}
        for name, key in names:
            short = bare(name)
            if len(short) > 1:
                keys[short][key] = None
                self._written.setdefault(short, name)
        self._keys: Mapping[str, tuple[str, ...]] = {short: tuple(found) for short, found in keys.items()}
        self._grams: dict[str, list[str]] = defaultdict(list)
        for short in self._keys:
            for gram in _grams(short):
                self._grams[gram].append(short)
        self._asked: dict[str, Found | None] = {}

    def __len__(self) -> int:
        return len(self._keys)

    def find(self, name: str) -> Found | None:
        """Returns what is called so; None where nothing is, or two different names are equally near."""
        short = bare(name)
        if short not in self._asked:
            if len(self._asked) > 5000:
                self._asked.clear()
            self._asked[short] = self._found(short)
        return self._asked[short]

    def _found(self, short: str) -> Found | None:
        if short in self._keys:
            return Found(self._keys[short], self._written[short], 0)
        allowed = slips_allowed(len(short))
        if not allowed:
            return None
        shared = Counter(near for gram in _grams(short) for near in self._grams.get(gram, ()))
        ranked = []
        for near, _ in shared.most_common(_CANDIDATES):
            if abs(len(near) - len(short)) <= allowed:
                slips = edits(short, near, allowed + 1)
                if slips <= allowed:
                    ranked.append((slips, near))
        ranked.sort()
        if not ranked or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
            return None
        slips, near = ranked[0]
        return Found(self._keys[near], self._written[near], slips)


def slips_allowed(length: int) -> int:
    """Returns how many letters of a name may be wrong."""
    return next((slips for most, slips in _SLIPS if length < most), _MOST_SLIPS)


def edits(one: str, other: str, most: int) -> int:
    """Returns how many letters have to be changed, added or left out; at most `most` are counted."""
    before = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        now = [row]
        for column, wanted in enumerate(other, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != wanted)))
        if min(now) >= most:
            return most
        before = now
    return min(most, before[-1])


def _grams(short: str) -> list[str]:
    padded = f" {short} "
    return [padded[at : at + _GRAM] for at in range(len(padded) - _GRAM + 1)]


class Names(NamedTuple):
    """All names that a log may speak of."""

    fighters: NameIndex
    spells: NameIndex


def known_names() -> Names:
    """Returns the names of the knowledge base: the app's content, the person's own, the imported game."""
    base = knowledge()
    return _names(base, base.revision)


@lru_cache(maxsize=1)
def _names(base: KnowledgeBase, revision: int) -> Names:
    content = base.content
    fighters = [
        (name, kind)
        for source in (content.classes, content.monsters)
        for kind, one in source.items()
        for name in (one.name, one.name_fr)
    ]
    spells = [(name, key) for key, look in content.looks.items() for name in (look.name, look.name_fr)]
    if base.game is not None:
        monsters, of_the_game = base.game.written_names()
        fighters += monsters
        spells += of_the_game
    return Names(NameIndex(fighters), NameIndex(spells))
