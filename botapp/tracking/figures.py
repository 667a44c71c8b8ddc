"""Which figure of a picture is which enemy of the last one, where that is sure, by their cells alone.

A figure that stands where one stood is the same. One that is gone and one that has come are the same if all
others are in sight and known; of several that moved unseen none is known again.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FigureWalk:
    """A figure that is seen elsewhere than before.

    Attributes:
        key: whose it is.
        start: the cell where it stood.
        end: where it stands now.
        turn: the number of the turn in which it stood there last.
    """

    key: int
    start: int
    end: int
    turn: int


@dataclass(slots=True)
class Figures:
    """The enemies' figures.

    Attributes:
        at: who stands where, key by cell; newcomers among them have a key that is theirs for now.
        missing: who is not seen now, key by the cell where it stood.
        lost: whether figures of the last picture could not be matched.
    """

    at: dict[int, int] = field(default_factory=dict)
    missing: dict[int, int] = field(default_factory=dict)
    lost: bool = False
    _newcomers: set[int] = field(default_factory=set)
    _turns: dict[int, int] = field(default_factory=dict)
    _next: int = 0

    @property
    def settled(self) -> bool:
        """Whether each figure in sight is matched to a fighter, and none is missing."""
        return not self._newcomers and not self.missing

    def see(self, cells: frozenset[int], alive: int, turn: int) -> FigureWalk | None:
        """Takes in a picture; returns which fighter has walked, None if none has or it is unsure.

        Args:
            cells: where enemies stand.
            alive: how many there are by the timeline.
            turn: the number of the turn, counted up with each fighter's turn.
        """
        first = not self.at and not self.missing
        before, self.at = self.at, {}
        for cell in cells:
            key = before.pop(cell, None)
            if key is None:
                key = self.missing.pop(cell, None)
            if key is None:
                key, self._next = self._next, self._next + 1
                if not first:
                    self._newcomers.add(key)
            self.at[cell] = key
        self._newcomers &= set(self.at.values())
        self.missing |= {cell: key for cell, key in before.items() if key in self._turns}
        walk = self._walk() if len(cells) == alive else None
        self.lost = len(cells) >= alive and bool(self._newcomers)
        if len(cells) >= alive:
            self.missing.clear()
            self._newcomers.clear()
        known = {key for key in self.at.values() if key not in self._newcomers}
        self._turns = dict.fromkeys(known, turn) | {
            key: last for key, last in self._turns.items() if key in self.missing.values()
        }
        return walk

    def _walk(self) -> FigureWalk | None:
        """Knows the only newcomer for the only one missing, all others being there."""
        if len(self.missing) != 1 or len(self._newcomers) != 1:
            return None
        (start, key), (new,) = next(iter(self.missing.items())), self._newcomers
        end = next(cell for cell, other in self.at.items() if other == new)
        self.at[end] = key
        self.missing.clear()
        self._newcomers.clear()
        return FigureWalk(key, start, end, self._turns[key])
