"""What the board looks like where no fighter stands, learnt over frames, and borders that are new on it.

Rims of cells, blocks and scenery look like parts of a border. What is seen of them while all fighters are in
sight is known afterwards; of a border that is new a corner is then enough.
"""

import math
from collections import Counter
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from vision.extract.dofus import fighters
from vision.extract.dofus.borders import FoundBorder
from vision.view import Team

STEADY = 4
"""In so many frames a part of a border has to be at one place until it counts."""
_KNOWN, _LONG = 5, 10
"""Frames with all fighters of a side in sight after which the ground is known; frames in which a corner has
to be seen where it is not."""
_OFTEN = 3
"""In so many of them something has to look like a border until it is known as ground."""
_MOVED, _GAP = 2.0, 2
"""Pixels by which a border lies elsewhere, and frames without it, after which it is another one."""
_DISTURBED = 20
"""Frames that a spell and the figures over its target may take."""
_FAR_LESS = 0.5
"""The share of its votes that the next best may have for a border to be the best by far."""
_CLEARER = 4.0
"""Votes that a border has more than what looked like one there while all fighters were seen."""


class Ground:
    """What looked like borders on free cells, and for how long what is seen now has been at its place."""

    def __init__(self) -> None:
        self._still: dict[tuple[Team, int], tuple[int, float]] = {}
        self._faint: dict[tuple[Team, int], float] = {}
        self._best: dict[Team, tuple[frozenset[int], int]] = {}
        self._standing: frozenset[int] = frozenset()
        self._learnt: Counter[Team] = Counter()
        self._places: dict[tuple[Team, int], tuple[tuple[float, float], int, int]] = {}
        self._frame = 0

    def next_frame(self) -> None:
        """Goes on to another frame."""
        self._frame += 1

    def forget(self) -> None:
        """Forgets what was learnt, as for another map."""
        self._still.clear()
        self._faint.clear()
        self._best.clear()
        self._places.clear()
        self._learnt.clear()

    def learn(self, found: list[FoundBorder], clear: list[FoundBorder], shown: Mapping[Team, int]) -> None:
        """Counts what looks like a side's border on free cells while all of the side are seen well, at rest.

        With one of them on a guess a true one's would be learnt as ground.

        Args:
            found: all borders found.
            clear: those that are accepted.
            shown: how many fighters of each side the timeline shows.
        """
        standing, before = frozenset(border.cell for border in clear), self._standing
        self._standing = standing
        if standing != before:
            return
        for team, count in shown.items():
            if sum(border.team == team for border in clear) == count > 0:
                self._learnt[team] += 1
                for one in found:
                    if one.team == team and one.cell not in standing:
                        key, (times, votes) = (team, one.cell), self._seen_at(one)
                        if one.is_probable:
                            self._still[key] = times + 1, max(votes, one.votes)
                        else:
                            self._faint[key] = max(self._faint.get(key, 0.0), one.votes)

    def is_known(self, team: Team) -> bool:
        """Returns whether all fighters of a side were in sight in enough frames."""
        return self._learnt[team] >= _KNOWN

    def is_new(self, border: FoundBorder) -> bool:
        """Returns whether the ground is known and nothing like this border was seen there."""
        return self.is_known(border.team) and (border.team, border.cell) not in self._still

    def shows(self, border: FoundBorder) -> bool:
        """Returns whether what looks like a border was often seen there without a fighter."""
        return self._seen_at(border)[0] >= _OFTEN

    def new_since(
        self,
        likely: list[FoundBorder],
        team: Team,
        missing: int,
        taken: set[int],
        empty: npt.NDArray[np.bool_],
    ) -> list[FoundBorder]:
        """Returns a side's borders of which a corner can be made out, none if more than are missing.

        So little only counts for some frames at one place, as figures and flashes pass, and where nothing of
        the kind, or far less, was seen while all fighters were; then no edge need be clear. Where not all
        were seen yet it takes a corner, and more frames on floor in sight; so many frames a single clear edge
        will do as well, where the floor is not in sight and no bare cell looks more like a border.

        Args:
            likely: what may be its borders.
            team: the side.
            missing: how many of its fighters are not found.
            taken: the cells of those that are.
            empty: cells that show their floor, shape (560,).
        """
        if missing <= 0:
            return []
        known = self.is_known(team)
        new = [
            border
            for border in likely
            if border.is_probable
            and border.cell not in taken
            and border.votes >= self._seen_at(border)[1] + _CLEARER
        ]
        found = [
            one for one in new if fighters.shows_corner(one, known) or (known and fighters.stands_out(one))
        ]
        hiding = [one for one in found if known or not empty[one.cell]]
        steady = self.at_one_place(hiding)
        steady += self.at_one_place([one for one in found if one not in hiding], _LONG)
        hidden = [
            one
            for one in new
            if one not in found
            and fighters.shows_clear_edge(one)
            and (self._frames_at(one, _DISTURBED) or not empty[one.cell])
            and all(other.votes < one.votes for other in new if other is not one and empty[other.cell])
        ]
        long = self.at_one_place(hidden, _LONG)
        found, steady = (found, steady) if found else (hidden, long)
        return steady if len(steady) == len(found) <= missing else []

    def best_by_far(
        self,
        likely: list[FoundBorder],
        team: Team,
        missing: int,
        taken: set[int],
        empty: npt.NDArray[np.bool_],
    ) -> list[FoundBorder]:
        """Returns the borders of all missing fighters of a side where far less speaks for any other.

        Little of each need be seen, on known ground, for some frames one after the other.

        Args:
            likely: what may be its borders.
            team: the side.
            missing: how many of its fighters are not found.
            taken: the cells of those that are.
            empty: cells that show their floor, shape (560,).
        """
        more = {one: one.votes - self._votes_before(one) for one in likely if one.cell not in taken}
        order = sorted(more, key=more.__getitem__, reverse=True)
        found, others = order[:missing], order[missing:]
        next_best = max((more[one] for one in others), default=0.0)
        clear = [
            one
            for one in found
            if next_best <= _FAR_LESS * more[one] and fighters.shows_little(one) and not empty[one.cell]
        ]
        cells = frozenset(one.cell for one in clear)
        if not missing or len(clear) < missing or not self.is_known(team):
            self._best.pop(team, None)
            return []
        before, frames = self._best.get(team, (cells, 0))
        self._best[team] = cells, frames + 1 if cells == before else 1
        return clear if self._best[team][1] >= _LONG else []

    def _votes_before(self, border: FoundBorder) -> float:
        """Returns the most votes of what looked like a border there while all fighters were seen, or 0."""
        faint = self._faint.get((border.team, border.cell), 0.0)
        return max(faint, self._seen_at(border)[1])

    def at_one_place(self, found: list[FoundBorder], least: int = STEADY) -> list[FoundBorder]:
        """Takes in borders of this frame; returns those that have been at one place for some frames.

        Figures that rise are at none for long.

        Args:
            found: the borders.
            least: the number of frames.
        """
        steady = []
        for border in found:
            key, frames = (border.team, border.cell), self._frames_at(border)
            px = self._places[key][0] if frames else border.px
            self._places[key] = px, frames + 1, self._frame
            if frames + 1 >= least:
                steady.append(border)
        return steady

    def _seen_at(self, border: FoundBorder) -> tuple[int, float]:
        """Returns how often something looked like a border there with all in sight, and its most votes."""
        return self._still.get((border.team, border.cell), (0, -math.inf))

    def _frames_at(self, border: FoundBorder, gap: int = _GAP) -> int:
        """Returns for how many frames a border has been at its place; it may be unseen for `gap` of them."""
        px, frames, last = self._places.get((border.team, border.cell), (border.px, 0, self._frame))
        goes_on = math.dist(px, border.px) <= _MOVED and self._frame - last <= gap
        return frames if goes_on else 0
