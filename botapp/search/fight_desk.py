"""Room for one whole fight at a time: that of a search, its true state, both sides' evaluations, styles."""

from collections.abc import Sequence
from typing import Any

from botapp.fight.core.capacity import numbers_of
from botapp.fight.core.compiler import INTERPRETED, WordList, decimals, long_numbers, whole_numbers
from botapp.fight.core.fight import SCRATCH, STATE, Fight
from botapp.fight.core.pack import load
from botapp.fight.core.packed import Packed
from botapp.search.core import requests as ask_for
from botapp.search.core.bouts import STYLES_AT_WORK, STYLES_OF_SIDES, STYLES_TO_PLANT, Bout
from botapp.search.core.evaluation import Evaluation
from botapp.search.desk import SearchDesk, lend, write_weights
from botapp.search.learned import LearnedEvaluation

_SIDES = 2
_LOG = Bout.word("log")


class FightDesk(SearchDesk):
    """Room for one whole fight; what a search's desk has is used for each turn's search.

    Args:
        nodes: see `SearchDesk`.
    """

    def __init__(self, nodes: int) -> None:
        super().__init__(nodes)
        self._t = whole_numbers(2 * STATE)
        self.true = Fight(self._t, STATE)
        self._bout = long_numbers(Bout.SIZE)
        self.bout = Bout(self._bout)
        self._evaluation = long_numbers(_SIDES * Evaluation.SIZE)
        self.evaluation = Evaluation(self._evaluation)

    def begin(self, book: Any, styles: Sequence[Any], judges: Sequence[LearnedEvaluation | None]) -> None:
        """Takes a fight's book, its play styles and what judges for each side.

        Args:
            styles: tables of play styles of one length: by which turns are planted, those of both sides.
            judges: the learned evaluation of each side, None for the hand-made one.
        """
        self._book = book
        # what an evaluation has worked out before must not tell in the next fight: a tag of `known_damage`
        # lacks HP and distance, which the damage of some spells depends on (docs/log/search.md)
        self._evaluation[:] = WordList([0] * len(self._evaluation)) if INTERPRETED else 0
        for side, judge in enumerate(judges):
            first = side * Evaluation.SIZE
            write_weights(Evaluation(self._evaluation, first), self._evaluation, first, judge)
        words = len(styles[0])
        self._styles = decimals(words * (1 + len(styles)))
        for place, table in zip((STYLES_TO_PLANT, *range(STYLES_OF_SIDES, 4)), styles, strict=True):
            self._styles[place * words : (place + 1) * words] = table
        assert STYLES_AT_WORK == 0
        self.bout.style_words = words

    def take(self, packed: Packed, seed: int, dice: int) -> None:
        """Takes a state to play on from, its dice rolled from a seed of 1 to 2**31 - 2."""
        load(packed.parts, self._s)
        self._t[STATE : STATE + SCRATCH] = self._s[:SCRATCH]
        self.true.dice, self.true.seed = dice, seed
        self.bout.turn = -1

    def show(self) -> Any:
        """Makes the fight's state the one that is worked on, and returns its array."""
        self._s[:SCRATCH] = self._t[STATE : STATE + SCRATCH]
        return self._s

    def play(self) -> int:
        """Plays on; returns why no further, see `botapp.search.core.bouts`."""
        self.bout.taken = 0
        return self._ask(ask_for.PLAY_BOUT)

    def logged(self) -> list[int]:
        """Returns the codes of the actions that the last call took."""
        return numbers_of(self._bout, _LOG, int(self.bout.taken))


spare: dict[int, list[FightDesk]] = {}


def borrow(nodes: int, borrower: object) -> FightDesk:
    """Returns room for fights whose searches have so many nodes, as long as the borrower lives.

    Raises:
        ValueError: no search is that large.
    """
    return lend(FightDesk, spare, nodes, borrower)
