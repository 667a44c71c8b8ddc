"""Fighters by the network's scores of the rings under them, and the timeline's counts.

A ring that the network is sure of is a fighter. Where the timeline shows more than these, the likeliest other
cells are, if no further one is nearly as likely: a figure or a block hides the ring there.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus.rings_seen import RINGS, RingReader, Scores
from vision.frame import Rect
from vision.profiles.board import BorderRule
from vision.view import SURE, Lattice, Team

_log = logging.getLogger(__name__)

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

STEADY = 4
"""In so many frames something less sure has to be at one place until it counts: figures and flashes pass."""
_LATELY = 10  # Pictures, a second: a number over a cell is gone by then

_LIKELY, _NEXT = 0.3, 0.5
"""The least probability of a fighter that the timeline shows beyond the sure ones, and the share of it that
the next cell may have. All 62 fighters of real fights have more than 0.5, bare cells there 0.17, one 0.55."""

_STOOD = 0.1
"""The least probability where a fighter of the side stood and the timeline's cards are partly covered."""

_TRACE = 0.6
"""A cell this likely may be one more fighter of the own side: the one found need not be the player then."""

_ASIDE = 0.05
"""How far beyond the left or right edge a cell's middle may lie, in cell widths: Retro's first ones lie 2 to
4 pixels of 53 outside."""

_SEVERAL = 2
"""So many rings with `SURE` show a fight: of twelve real screens without a fight a
bank's shelves have one where the board would lie, and none has more."""


@dataclass(frozen=True, slots=True)
class Ring:
    """The ring of a fighter."""

    team: Team  # The side of its colour, "own" or "enemy"
    cell: int  # Where it lies
    chance: float  # Its probability, 0..1
    # How likely it is the player's rather than an ally's, 0..1; 0 where the client marks no player
    mark: float = 0.0


_Reader = TypeVar("_Reader")


class Careful(Generic[_Reader]):
    """A network's reader, where the network may be missing or broken on a computer: that is logged once."""

    def __init__(self, make: Callable[[], _Reader]) -> None:
        self._make = make
        self._reader: _Reader | None = None
        self.is_broken = False

    def opened(self) -> _Reader | None:
        """Returns the reader, None if there is no network."""
        if self.is_broken:
            return None
        try:
            self._reader = self._reader or self._make()
        # onnxruntime raises classes of its own, or is missing or broken on this computer
        except Exception as error:
            _log.warning(
                "a network for the board cannot be used, so that fighters or cells are missing: %s", error
            )
            self.is_broken = True
            return None
        return self._reader


_LIKE = {0: {"enemy", "red"}, 2: {"player", "ally", "blue"}}
"""Rings by the strongest channel of their colours in Unity, 2.x and Retro, red or blue. Which client it is,
is known, so that a ring's shape need not be told from so few pixels."""


def rings_of(rule: BorderRule, team: Team) -> tuple[str, ...]:
    """Returns the network's names of the rings of a side, "own" or "enemy".

    Those that the profile says, and of those that it does not name any of like colour.
    """
    enemy, own = {rule.rings["enemy"]}, {rule.rings["own"], rule.rings["ally"]}
    colour = rule.sides[team]
    like = _LIKE.get(colour.index(max(colour)), set()) - enemy - own
    return tuple(ring for ring in RINGS if ring in like | (enemy if team == "enemy" else own))


@lru_cache(maxsize=4)
def looked_at(place: Lattice, area: Rect, cards: tuple[Rect, ...]) -> Flags:
    """Returns the cells that a fighter may be seen on, windows aside, shape (560,); not to be changed.

    Args:
        area: the part of the picture in which cells' centres may lie, or just beside it.
        cards: the timeline's cards, which lie over the board in small windows.
    """
    x, y = grid.centres(place).T
    aside = _ASIDE * place.cell_w
    seen = (x > area.x - aside) & (x < area.right + aside) & (y > area.y) & (y < area.bottom)
    for card in cards:
        seen &= ~((x >= card.x) & (x < card.right) & (y >= card.y) & (y < card.bottom))
    return np.asarray(seen, np.bool_)


class ScoredFighters:
    """Finds fighters by the network, on one board over pictures."""

    def __init__(self, rule: BorderRule) -> None:
        self._rings: dict[Team, list[int]] = {
            team: [RINGS.index(name) for name in rings_of(rule, team)] for team in rule.sides
        }
        self._marked, self._own = rule.marks_player, (rule.rings["own"], rule.rings["ally"])
        self._reader = Careful(RingReader)
        self._scores: Scores | None = None
        self._frames: dict[tuple[Team, int], int] = {}
        self._now: dict[tuple[Team, int], int] = {}
        self._picked_last: dict[Team, int] = {}
        self._without_row: dict[Team, int] = {}  # Pictures since the timeline showed any of the side
        self._scenery: dict[tuple[Team, int], int] = {}  # The timeline's count when a cell was passed over

    @property
    def is_broken(self) -> bool:
        """Whether there is no network on this computer that works."""
        return self._reader.is_broken

    def next_frame(self) -> None:
        """Goes on to another picture; a place that was not looked at in the last one is a new one."""
        self._scores, self._frames, self._now = None, self._now, {}

    def scores(self, bgra: Picture, place: Lattice) -> Scores | None:
        """Returns the probability of each ring on each cell of this picture, None where no network runs."""
        if self._scores is None:
            self._scores = self._read(bgra, place)
        return self._scores

    def sees_rings(self, bgra: Picture, place: Lattice) -> bool:
        """Returns whether a board at a place shows a fight's fighters, by their rings alone."""
        scores = self._read(bgra, place)
        return scores is not None and int((scores[:, 1:].max(axis=1) >= SURE).sum()) >= _SEVERAL

    def _read(self, bgra: Picture, place: Lattice) -> Scores | None:
        reader = self._reader.opened()
        return None if reader is None else reader.read(bgra, place)

    def find(
        self,
        bgra: Picture,
        place: Lattice,
        seen: Flags,
        shown: Mapping[Team, int],
        stood: Mapping[Team, set[int]],
        at_once: bool,
    ) -> list[Ring]:
        """Returns the rings of fighters, at most one a cell, ordered by cell.

        Args:
            seen: the cells that are looked at, see `looked_at`.
            shown: how many fighters of each side the timeline shows, 0 where it is not found.
            stood: the cells on which fighters of each side stood for some frames.
            at_once: whether one picture is enough; else what is less than sure has to be seen for some.
        """
        scores = self.scores(bgra, place)
        if scores is None:
            return []
        rings: dict[int, Ring] = {}
        for team, count in shown.items():
            chances = np.where(seen, scores[:, self._rings[team]].sum(axis=1), 0.0)
            for cell in self._picked(team, chances, count, stood[team], at_once):
                ring = Ring(team, cell, float(chances[cell]), self._mark(scores, team, cell))
                if cell not in rings or rings[cell].chance < ring.chance:
                    rings[cell] = ring
        return [rings[cell] for cell in sorted(rings)]

    def may_be_more(self, seen: Flags, rings: Sequence[Ring]) -> bool:
        """Returns whether there is a trace of one more fighter of the own side than was found."""
        if self._scores is None:
            return False
        chances = np.where(seen, self._scores[:, self._rings["own"]].sum(axis=1), 0.0)
        chances[[ring.cell for ring in rings]] = 0.0
        return bool(chances.max() >= _TRACE)

    def _picked(
        self, team: Team, chances: npt.NDArray[np.float64], count: int, stood: set[int], at_once: bool
    ) -> list[int]:
        """Returns the cells of a side's fighters: the sure ones, and of the likely ones those missing."""
        some = np.flatnonzero(chances >= _STOOD)
        likely: list[int] = some[np.argsort(-chances[some], kind="stable")].tolist()
        for cell in likely:
            self._now[team, cell] = self._frames.get((team, cell), 0) + 1
        sure = [cell for cell in likely if chances[cell] >= SURE]
        self._without_row[team] = 0 if count else self._without_row.get(team, _LATELY) + 1
        is_counted = not at_once and self._without_row[team] <= _LATELY
        picked = self._trusted(team, sure, count or self._picked_last[team]) if is_counted else sure
        self._picked_last[team] = len(picked)
        self._pass_over(team, chances, [cell for cell in likely if cell not in stood], picked, count)
        missing = max(count, len(stood)) - len(picked) if count else 0
        if missing <= 0:
            return picked
        picked += [cell for cell in likely if cell in stood and cell not in picked][:missing]
        missing = count - len(picked)
        left = [
            cell
            for cell in likely
            if cell not in picked and chances[cell] >= _LIKELY and self._scenery.get((team, cell), 0) < count
        ]
        more, next_ones = left[: max(0, missing)], left[max(0, missing) :]
        if not more or (next_ones and chances[next_ones[0]] > _NEXT * chances[more[-1]]):
            return picked
        steady = at_once or all(self._now[team, cell] >= STEADY for cell in more)
        return picked + more if steady else picked

    def _pass_over(
        self, team: Team, chances: npt.NDArray[np.float64], likely: list[int], sure: list[int], count: int
    ) -> None:
        """Notes what looks like a ring while as many as the timeline shows stand elsewhere: it is scenery.

        The edge of a pool would else be the fighter whose own ring is hidden for a moment. It may be one more
        than there were, and is forgotten once the cell is looked at and shows nothing of the kind.
        """
        if count and len(sure) >= count:
            self._scenery.update({(team, cell): count for cell in likely if cell not in sure})
        for key in [key for key in self._scenery if key[0] == team and 0 < chances[key[1]] < _STOOD]:
            del self._scenery[key]

    def _trusted(self, team: Team, sure: list[int], count: int) -> list[int]:
        """Returns the sure cells of a side without new ones beyond a number.

        A red number over a block looks like a ring for a moment; a summon's card comes with it.

        Args:
            count: how many the timeline shows, or were found in the last picture where it showed some a short
                while ago: with the last enemy's death it may go before the number over its cell does.
        """
        known = sorted(sure, key=lambda cell: -self._now[team, cell])  # of equal age the likelier first
        return known[:count] + [cell for cell in known[count:] if self._now[team, cell] >= STEADY]

    def _mark(self, scores: Scores, team: Team, cell: int) -> float:
        if team != "own" or not self._marked:
            return 0.0
        player, ally = (float(scores[cell, RINGS.index(name)]) for name in self._own)
        return player / (player + ally) if player else 0.0
