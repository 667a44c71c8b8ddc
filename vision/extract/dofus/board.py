"""Reads the board of a real client over successive frames: its lattice, its cells and its fighters.

Once fighters are found on a lattice, the lattice is locked and later frames are read at known pixels. When
none is found on it any more, it is searched again every few frames. The numbering may be ambiguous by
whole cells until the player has confirmed it once; on a zoomed board it is not known at all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.calibration import BoardCalibrations
from vision.extract.dofus import cells, fighters, lattice
from vision.extract.dofus.cells import CellReader
from vision.extract.dofus.lattice_search import LIKELY, SUPPOSED, LatticeSearch
from vision.extract.dofus.model import NO_CARDS, DofusBoardSeen, TimelineSeen
from vision.extract.dofus.player_place import PlayerOnBoard, by_reach
from vision.extract.dofus.rings_seen import Scores
from vision.extract.dofus.scored import STEADY, Ring, ScoredFighters, looked_at
from vision.extract.dofus.sides import is_shaped
from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.profiles.profile import Profile
from vision.view import MOST_SURE, SURE, Lattice, Seen, Team

Picture = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

_SHAPE_OFF = 0.012  # Of Retro's shape; at 0.004 the cells of one of 30 drawn screens have no numbers
_PROOF = 3
"""So many fighters, all that the timeline shows, prove a board where it should lie, also with faint cells."""
EMPTY = 5
"""After so many frames without a fighter the fight may be over, and the map another one, of the same colours
and size even."""
_BOTH_SIDES = SURE
"""How sure a fight is where fighters of both sides stand on the board. With fewer it may lie elsewhere by a
part of a cell, where the network knows some rings only."""
_RIM = 0.3  # How far the timeline's panel reaches above and below its cards, in their heights


@dataclass(slots=True)
class _Locked:
    """A lattice confirmed by fighters, for one client area and frame size."""

    client: Rect
    size: tuple[int, int]
    fit: lattice.MeasuredLattice
    ambiguous: tuple[Lattice, ...]
    numbered: bool
    reader: CellReader


class _Standing:
    """The cells on which fighters of each side have stood for some frames.

    One that the timeline had a card for stays one while its ring is seen, if barely: where there are fewer
    cards then, a window or the pointer covers some.
    """

    def __init__(self) -> None:
        self._frames: dict[tuple[Team, int], int] = {}

    def cells(self, team: Team) -> set[int]:
        """Returns the cells of a side's fighters that have stood there for some frames."""
        return {cell for (side, cell), frames in self._frames.items() if side == team and frames >= STEADY}

    def follow(self, rings: list[Ring], shown: Mapping[Team, int]) -> None:
        """Takes in a frame.

        Args:
            shown: how many fighters of each side the timeline shows, 0 where it is not found.
        """
        counts = Counter(ring.team for ring in rings)
        before, self._frames = self._frames, {}
        for ring in rings:
            key = ring.team, ring.cell
            confirmed = counts[ring.team] <= shown[ring.team] or before.get(key, 0) >= STEADY
            self._frames[key] = before.get(key, 0) + 1 if confirmed else 0


class DofusBoardReader:
    """Reads the boards of one profile."""

    def __init__(
        self, profile: Profile, rules: ScreenRules, calibrations: BoardCalibrations, ui: str = ""
    ) -> None:
        """Prepares what does not change between frames.

        `explains` is whether the network's scores are wanted of every picture, for a person to look at.
        """
        self._profile = profile
        self._rules = rules
        self._scored = ScoredFighters(rules.border)
        self._locked: _Locked | None = None
        self._searched: tuple[Rect, tuple[int, int]] | None = None
        self._search = LatticeSearch(profile, calibrations, ui)
        self.explains = False
        self._empty = 0
        self._row = NO_CARDS
        self._standing = _Standing()
        self._player = PlayerOnBoard()

    @property
    def is_gridded(self) -> bool:
        """Whether cells were measured the last time, see `LatticeSearch`."""
        return self._search.is_gridded

    @property
    def is_blind(self) -> bool:
        """Whether no fighter can be found, as there is no network on this computer that works."""
        return self._scored.is_broken

    def sees_rings(self, bgra: Picture, place: Lattice) -> bool:
        """Returns whether a board at a place shows fighters, see `ScoredFighters.sees_rings`."""
        return self._scored.sees_rings(bgra, place)

    @property
    def is_unfinished(self) -> bool:
        """Whether more would be known of the same frame, read again."""
        surveys = self._locked is not None and not self._empty and self._locked.reader.survey.goes_on
        return surveys or self._search.is_unfinished

    def read(
        self,
        bgra: Picture,
        client: Rect,
        row: TimelineSeen = NO_CARDS,
        calm: bool = False,
    ) -> DofusBoardSeen | None:
        """Reads the board of a client area, None where none is found.

        Args:
            bgra: the frame, uint8, shape (height, width, 4), contiguous.
            row: the timeline's cards, whose frames and bars are no borders, nor is their panel the board.
            calm: whether the HUD shows that there is no fight: then a board is looked for again once more of
                the picture has changed than people do.
        """
        self._row = row
        size = (bgra.shape[0], bgra.shape[1])
        area = Rect(client.x, client.y, client.width, round(client.height * (1 - self._profile.board.bottom)))
        if self._searched != (client, size):
            self._searched, self._locked, self._empty = (client, size), None, 0
            self._search.begin_anew()
        known, least = None, 0.0
        if self._locked is not None:
            known = self._read_on(bgra, area, self._locked)
            if known.fight >= _BOTH_SIDES:
                self._search.end()
                self._measure_again(bgra, area, self._locked)
                return known
            least = known.fight
            if not least:
                self._player.forget()
        counted = bool(row.enemies and row.own) and len(row.living) >= _PROOF
        fit, seen = self._search.go_on(bgra, client, calm, counted), None
        locked = self._locked  # at present without a fighter
        if fit is not None and not (locked and lattice.is_same(fit.lattice, locked.fit.lattice)):
            seen = self._on_measured(bgra, client, area, fit, least)
        self._search.is_first = False
        return seen if seen is not None and (seen.fight > least or known is None) else known

    def _measure_again(self, bgra: Picture, area: Rect, known: _Locked) -> None:
        """Measures the lattice again on another map: a larger board tells more than the one before."""
        if not known.reader.survey.has_another_map:
            return
        known.reader.survey.has_another_map = False
        fit = lattice.measured_again(bgra, area, known.fit)
        if fit is not None:
            prior = self._search.expected(known.client)[0]
            others = lattice.alternatives(fit, prior) if known.ambiguous else ()
            reader = CellReader(self._rules, fit.lattice, area, known.size)
            self._locked = replace(known, fit=fit, ambiguous=others, reader=reader)

    def _on_measured(
        self,
        bgra: Picture,
        client: Rect,
        area: Rect,
        fit: lattice.MeasuredLattice,
        least: float,
    ) -> DofusBoardSeen | None:
        """Searches the board on a lattice measured, and locks it where fighters confirm it."""
        prior, accepted = self._search.expected(client)
        if accepted is not None and lattice.is_zoomed(fit.lattice, prior):
            accepted, prior = None, self._profile.lattice(client)
            fit = lattice.renumbered(fit, prior)
        letterbox = self._rules.letterbox
        misplaced = lattice.is_zoomed(fit.lattice, prior)
        misplaced |= letterbox > 0 and not is_shaped(client, letterbox, _SHAPE_OFF)
        numbered = not misplaced and fit.apart <= lattice.BETWEEN
        sure = numbered and (self._rules.rows_sure or accepted is not None)
        others = () if sure else lattice.alternatives(fit, prior)
        size = (bgra.shape[0], bgra.shape[1])
        reader = CellReader(self._rules, fit.lattice, area, size)
        known = _Locked(client, size, fit, others, numbered, reader)
        board = self._read_on(bgra, area, known)
        counts = len(board.sides.enemies), len(board.sides.own)
        if fit.contrast == SUPPOSED and counts != (len(self._row.enemies), len(self._row.own)):
            return None
        if board.fight > least:
            self._locked = known
            self._search.end()
        elif fit.confidence < LIKELY or misplaced:
            return None
        return board

    def _read_on(self, bgra: Picture, area: Rect, known: _Locked) -> DofusBoardSeen:
        fit = known.fit
        look = known.reader.look(bgra)
        self._scored.next_frame()
        in_sight = looked_at(fit.lattice, area, self._row.boxes) & ~look.covered
        own, rings = self._fighters(bgra, fit.lattice, in_sight)
        another = own == 0 and self._scored.may_be_more(in_sight, rings)
        sides = fighters.assign_sides(rings, fit.lattice, self._rules.border.marks_player, own == 1, another)
        confidence = min(MOST_SURE, max(fit.confidence, SURE if rings else 0.0))
        seen = cells.NOTHING
        in_turns = self._row.enemies and self._row.own
        if rings or in_turns or (known is self._locked and look.covered.any()):
            if rings and known is self._locked and self._empty >= EMPTY:
                known.reader.survey.again()
            standing = [ring.cell for ring in rings]
            seen = known.reader.read(bgra, standing, _panel(self._row.boxes), bool(self._row.waiting))
            if not look.covered.any() or len(sides.candidates) >= own:
                sides = by_reach(sides, seen, own)
            sides = sides if self._rules.border.marks_player else self._player.unless_of_another(sides, seen)
        if known is self._locked:
            self._empty = 0 if rings else self._empty + 1
        if self._rules.border.marks_player:
            sides = self._player.where_it_was(sides, rings)
        is_own = sides.player is not None or bool(sides.candidates)
        fight = _BOTH_SIDES if is_own and sides.enemies else 0.4 if rings or is_own else 0.0
        return DofusBoardSeen(
            Seen(fit.lattice, confidence),
            known.ambiguous,
            sides,
            fight,
            seen,
            known.numbered,
            look.empty,
            look.covered,
            *self._explained(bgra, fit.lattice, in_sight),
        )

    def _explained(
        self, bgra: Picture, place: Lattice, in_sight: Flags
    ) -> tuple[frozenset[int], Scores | None]:
        """Returns what a person may want to know of how cells were judged, see `DofusBoardSeen`."""
        scores = self._scored.scores(bgra, place) if self.explains else None
        if scores is None:
            return frozenset(), None
        sure = in_sight & (scores[:, 1:].max(axis=1) >= SURE)
        return frozenset(np.flatnonzero(sure).tolist()), scores

    def _fighters(self, bgra: Picture, place: Lattice, in_sight: Flags) -> tuple[int, list[Ring]]:
        """Returns how many fighters the own side has, 0 where that is not known, and the fighters' rings.

        The timeline's cards tell, and where some of these are gone, the fighters that stand where they stood.
        """
        shown: dict[Team, int] = {"enemy": len(self._row.enemies), "own": len(self._row.own)}
        stood = {team: self._standing.cells(team) for team in shown}
        rings = self._scored.find(bgra, place, in_sight, shown, stood, self._search.is_first)
        standing = sum(ring.team == "own" and ring.cell in stood["own"] for ring in rings)
        own = max(len(self._row.own), standing)
        rings = fighters.counted(rings, own, self._rules.border.marks_player)
        self._standing.follow(rings, shown)
        return own, rings


def _panel(cards: Sequence[Rect]) -> Rect | None:
    """Returns the panel under a timeline's cards, None without cards."""
    if not cards:
        return None
    wide, tall = (float(np.median(side)) for side in zip(*(card[2:] for card in cards), strict=True))
    left, right = min(card.x for card in cards) - wide, max(card.right for card in cards) + wide
    top, end = min(card.y for card in cards) - _RIM * tall, max(card.bottom for card in cards) + _RIM * tall
    return Rect(round(left), round(top), round(right - left), round(end - top))
