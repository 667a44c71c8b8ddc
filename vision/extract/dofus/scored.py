"""Fighters by the network's scores, where the borders found are not as many as the timeline shows.

The network looks at the board only then: most pictures need none of it. It is taught by drawn screens alone
and overlooks rings of real ones that the rules for borders find, but was not seen to take anything else for
a ring; so it counts only with the timeline, and where it is sure.
"""

import logging
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from vision.extract import grid
from vision.extract.dofus.borders import FoundBorder
from vision.extract.dofus.ground import STEADY
from vision.extract.dofus.rings_seen import RINGS, RingReader, Scores
from vision.frame import Rect
from vision.profiles.board import BorderRule
from vision.view import Lattice, Team

_log = logging.getLogger(__name__)

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

SURE = 0.9
"""The least probability of a fighter, as of a digit."""
_VOTES = 20.0
"""More than borders have of which little is seen: `fighters.counted` drops the weakest of a side."""


_ONE, _SEVERAL = 0.98, 2
"""How sure one ring is that shows a fight by itself, and how many are with `SURE`: on one real map, smeared
by JPEG, one that is none has 0.95; on eleven other real and 50 drawn screens without a fight 0.35 at most."""


class CarefulReader:
    """Asks the network, which may be missing or broken on a computer: that is logged once."""

    def __init__(self) -> None:
        self._reader: RingReader | None = None
        self._broken = False

    def read(self, bgra: Picture, place: Lattice) -> Scores | None:
        """Returns the scores of a board, see `RingReader.read`; None if there is no network."""
        if self._broken:
            return None
        try:
            self._reader = self._reader or RingReader()
        # onnxruntime raises classes of its own, or is missing or broken on this computer
        except Exception as error:
            _log.warning("the network for fighters cannot be used, the rules go on alone: %s", error)
            self._broken = True
            return None
        return self._reader.read(bgra, place)

    def sees_rings(self, bgra: Picture, place: Lattice) -> bool:
        """Returns whether a board at a place shows fighters, by their rings alone."""
        scores = self.read(bgra, place)
        if scores is None:
            return False
        best = scores[:, 1:].max(axis=1)
        return bool(best.max() >= _ONE or np.count_nonzero(best >= SURE) >= _SEVERAL)


def rings_of(rule: BorderRule, team: Team) -> tuple[str, ...]:
    """Returns the network's names of the rings of a side, "own" or "enemy"."""
    if rule.shape == "diamond":
        return ("enemy",) if team == "enemy" else ("player", "ally")
    red, _, blue = rule.sides[team]
    return ("red" if red > blue else "blue",)


class ScoredFighters:
    """Finds fighters by the network, on one board over pictures.

    Attributes:
        decided: cells of this picture on which a fighter is taken to stand by the network's answer.
    """

    def __init__(self, rule: BorderRule) -> None:
        self.decided: set[int] = set()
        self._rings: dict[Team, list[int]] = {
            team: [RINGS.index(name) for name in rings_of(rule, team)] for team in rule.sides
        }
        self._marked = rule.mark is not None
        self._reader = CarefulReader()
        self._scores: Scores | None = None
        self._frames: dict[tuple[Team, int], int] = {}
        self._now: dict[tuple[Team, int], int] = {}

    def next_frame(self) -> None:
        """Goes on to another picture; a place that was not looked at in the last one is a new one."""
        self._scores, self._frames, self._now = None, self._now, {}
        self.decided = set()

    def scores(self, bgra: Picture, place: Lattice) -> Scores | None:
        """Returns the probability of each ring on each cell of this picture, None where no network runs.

        Args:
            bgra: the frame.
            place: where the board's cells lie.
        """
        if self._scores is None:
            self._scores = self._reader.read(bgra, place)
        return self._scores

    def sure(self, scores: Scores, place: Lattice, area: Rect, hidden: Flags) -> Flags:
        """Returns the cells on which the network is sure of a ring of either side, shape (560,)."""
        rings = [ring for names in self._rings.values() for ring in names]
        return np.asarray(_looked_at(place, area, hidden) & (scores[:, rings].sum(axis=1) >= SURE), np.bool_)

    def counted(
        self,
        bgra: Picture,
        place: Lattice,
        area: Rect,
        borders: list[FoundBorder],
        team: Team,
        count: int,
        hidden: Flags,
        at_once: bool,
    ) -> list[FoundBorder]:
        """Returns the borders of all sides, those of one as the network has them.

        Where it is sure of exactly as many as the timeline shows, those are the side's fighters. Of fewer,
        those are added that no border was found of, unless that makes too many.

        Args:
            bgra: the frame.
            place: where the board's cells lie.
            area: the part of the picture in which cells' centres may lie.
            borders: those that were found, as many as are accepted.
            team: the side.
            count: how many fighters of it the timeline shows.
            hidden: cells under a window, shape (560,).
            at_once: whether one picture is enough; else what no border was found of has to be seen for some.
        """
        scores = self.scores(bgra, place)
        if scores is None:
            return borders
        chances = scores[:, self._rings[team]].sum(axis=1)
        sure = np.flatnonzero(_looked_at(place, area, hidden) & (chances >= SURE)).tolist()
        known = {border.cell: border for border in borders if border.team == team}
        others = [border for border in borders if border.team != team]
        for cell in sure:
            self._now[team, cell] = self._frames.get((team, cell), 0) + 1
        if not (at_once or all(cell in known or self._now[team, cell] >= STEADY for cell in sure)):
            return borders
        seen = [self._border(place, team, cell, chances[cell], known.get(cell)) for cell in sure]
        if len(seen) == count:
            self.decided.update(sure)
            return [border for border in others if border.cell not in sure] + seen
        free = {border.cell for border in others}
        new = [border for border in seen if border.cell not in known and border.cell not in free]
        if len(known) + len(new) > count:
            return borders
        self.decided.update(border.cell for border in new)
        return borders + new

    def _border(
        self, place: Lattice, team: Team, cell: int, chance: float, known: FoundBorder | None
    ) -> FoundBorder:
        """Returns a fighter as the rules know one; a new one's share makes it as sure as the network is."""
        assert self._scores is not None
        player = self._marked and team == "own" and self._scores[cell, RINGS.index("player")] >= SURE
        if known is not None:
            return replace(known, mark=1.0) if player else known
        return FoundBorder(
            team,
            place.centre(cell),
            cell,
            share=2 * (float(chance) - 0.6),
            front=1.0,
            clear=(0.0, 0.0, 0.0, 0.0),
            mark=float(player),
            votes=_VOTES,
        )


def _looked_at(place: Lattice, area: Rect, hidden: Flags) -> Flags:
    """Returns the cells that a fighter may be seen on: those in the board's area and under no window."""
    x, y = grid.centres(place).T
    inside = (x > area.x) & (x < area.right) & (y > area.y) & (y < area.bottom)
    return np.asarray(inside & ~hidden, np.bool_)
