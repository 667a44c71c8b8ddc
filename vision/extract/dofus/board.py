"""Reads the board of a real client over successive frames: its lattice, its cells and its fighters.

Once borders are found on a lattice, the lattice is locked and later frames are read at known pixels. When
no border is found on it any more, it is searched again every few frames. The numbering may be ambiguous by
whole cells until the player has confirmed it once; on a zoomed board it is not known at all.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from vision.calibration import BoardCalibration, BoardCalibrations
from vision.extract import grid
from vision.extract.dofus import cells, discs, fighters, lattice, rings
from vision.extract.dofus.borders import BorderReader, FoundBorder
from vision.extract.dofus.cells import CellReader, Look
from vision.extract.dofus.fighters import Sides
from vision.extract.dofus.ground import STEADY, Ground
from vision.extract.dofus.model import DofusBoardSeen
from vision.extract.dofus.parts import WorkInParts
from vision.extract.dofus.player_place import PlayerOnBoard, by_reach
from vision.extract.dofus.rings_seen import Scores
from vision.extract.dofus.scored import ScoredFighters
from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.profiles.fields import RGB
from vision.profiles.profile import Profile
from vision.view import CELLS, Highlight, Lattice, Seen, Team

Picture = npt.NDArray[np.uint8]
_Rings = Callable[[Team, int, set[int]], list[FoundBorder]]
"""Finds jagged rings of a side, so many at most, on other cells than those given."""
_Scored = Callable[[list[FoundBorder], Team, int, npt.NDArray[np.bool_], bool], list[FoundBorder]]
"""Has the network find the fighters of a side, see `ScoredFighters.counted`."""

_BOTTOM = 0.87
_LIKELY = 0.5
_BORDERED = 0.1
_PROOF, _SUPPOSED = 3, 0.0
"""So many fighters, all that the timeline shows, prove a board where it should lie, also with faint cells."""
_EXACT = 5.0
_SAME_CELL = 0.25
_SAME_SHAPE = 0.012
_PATIENCE = 8
"""Frames between two searches for a lost board."""
_ANOTHER_FIGHT = 5
"""After so many frames without a fighter the map may be another one, of the same colours and size even."""
_COVERED_BESIDE = 3
"""A cell's neighbours under a window, beside which no border is whole."""
_BEGIN = 2
"""The frame without it from which it is measured: two frames long, and the next one looks for it. All of the
first frame is read at once."""


@dataclass(slots=True)
class _Locked:
    """A lattice confirmed by borders, for one client area and frame size."""

    client: Rect
    size: tuple[int, int]
    fit: lattice.MeasuredLattice
    ambiguous: tuple[Lattice, ...]
    numbered: bool
    reader: CellReader


class _Standing:
    """The cells on which fighters of each side have stood for some frames.

    One that the timeline had a card for stays one while its border is seen, if barely: where there are fewer
    cards then, a window or the pointer covers some.
    """

    def __init__(self) -> None:
        self._frames: dict[tuple[Team, int], int] = {}

    def cells(self, team: Team) -> set[int]:
        """Returns the cells of a side's fighters that have stood there for some frames."""
        return {cell for (side, cell), frames in self._frames.items() if side == team and frames >= STEADY}

    def follow(self, borders: list[FoundBorder], shown: Mapping[Team, int]) -> None:
        """Takes in a frame.

        Args:
            borders: the fighters' borders.
            shown: how many fighters of each side the timeline shows, 0 where it is not found.
        """
        found = Counter(border.team for border in borders)
        before, self._frames = self._frames, {}
        for border in borders:
            key = border.team, border.cell
            told = found[border.team] <= shown[border.team] or before.get(key, 0) >= STEADY
            self._frames[key] = before.get(key, 0) + 1 if told else 0


class DofusBoardReader:
    """Reads the boards of one profile."""

    def __init__(
        self, profile: Profile, rules: ScreenRules, calibrations: BoardCalibrations, ui: str = ""
    ) -> None:
        """Prepares what does not change between frames.

        `is_gridded` is whether cells were measured the last time: a fight's board shows some, maps may too.
        `explains` is whether the network's scores are wanted of every picture, for a person to look at.

        Args:
            profile: whose board it is.
            rules: its form and colours.
            calibrations: the board's accepted places.
            ui: the name of the interface's layout.
        """
        self._profile = profile
        self._rules = rules
        self._calibrations = calibrations
        self._ui = ui
        self._borders = BorderReader(rules)
        self._scored = ScoredFighters(rules.border)
        self._alike: dict[Team, tuple[Highlight, ...]] = {
            team: tuple(name for name, rule in rules.highlights.items() if _main(rule.colours[0]) == main)
            for team, main in ((team, _main(tone)) for team, tone in rules.border.sides.items())
        }
        self._locked: _Locked | None = None
        self._searched: tuple[Rect, tuple[int, int]] | None = None
        self._measuring: WorkInParts[lattice.MeasuredLattice | None] | None = None
        self._measured: lattice.MeasuredLattice | None = None
        self._is_first = True
        self.is_gridded = self.explains = False
        self._missed = 0
        self._enemies = self._own = 0
        self._ground = Ground()
        self._standing = _Standing()
        self._marked = rules.border.mark is not None
        self._player = PlayerOnBoard(self._marked)
        self._cards: Sequence[Rect] = ()
        self._waiting = False

    @property
    def is_unfinished(self) -> bool:
        """Whether more would be known of the same frame, read again."""
        surveying = self._locked is not None and self._locked.reader.is_surveying
        begins = self._missed % _PATIENCE == _BEGIN - 1
        return surveying or begins or self._measuring is not None or self._measured is not None

    def read(
        self,
        bgra: Picture,
        client: Rect,
        panel: Rect | None = None,
        enemies: int = 0,
        own: int = 0,
        cards: Sequence[Rect] = (),
        waiting: bool = False,
    ) -> DofusBoardSeen | None:
        """Reads the board of a client area, None where none is found.

        Args:
            bgra: the frame, uint8, shape (height, width, 4), contiguous.
            client: the client area in it.
            panel: a part of the frame that covers the board.
            enemies: how many enemies the timeline shows, 0 where it is not found.
            own: how many of the player's side it shows.
            cards: the timeline's cards, whose frames and bars are no borders.
            waiting: whether the timeline marks none of its fighters as the one at turn.
        """
        self._enemies, self._own, self._cards, self._waiting = enemies, own, cards, waiting
        size = (bgra.shape[0], bgra.shape[1])
        end = min(_BOTTOM, 1 - self._profile.board.bottom)
        area = Rect(client.x, client.y, client.width, round(client.height * end))
        if self._searched != (client, size):
            self._searched, self._locked, self._missed = (client, size), None, 0
            self._measuring, self._measured, self._is_first = None, None, True
        known = None
        if self._locked is not None:
            known = self._read_on(bgra, area, self._locked, panel)
            if known.fight:
                self._missed, self._measuring, self._measured = 0, None, None
                self._measure_again(bgra, area, self._locked)
                return known
            self._player.forget()
        fit, found = self._measured_so_far(bgra, client), None
        if fit is not None and not self._is_locked(fit.lattice):
            found = self._search(bgra, client, area, panel, fit)
        self._is_first = False
        return found if found is not None and (found.fight or known is None) else known

    def _measured_so_far(self, bgra: Picture, client: Rect) -> lattice.MeasuredLattice | None:
        """Goes on with measuring where cells repeat; returns that where the board is to be searched now.

        Where they are too faint to be a board's, that is where the board should lie in a fight: its fighters
        may prove it. Without enough of them nothing is returned.
        """
        self._missed = _BEGIN if self._is_first else self._missed + 1
        fit, self._measured = self._measured, None
        if fit is not None:
            return fit
        if self._missed % _PATIENCE == _BEGIN:
            expected = self._expected(client)[0]
            self._measuring = WorkInParts(lattice.find(bgra, client, self._profile, expected))
        if self._measuring is None or not self._measuring.go_on(to_the_end=self._is_first):
            return None
        fit, self._measuring = self._measuring.result, None
        self.is_gridded = fit is not None and fit.confidence >= _LIKELY
        if fit is None or fit.confidence < _BORDERED:
            if not (self._enemies and self._own and self._enemies + self._own >= _PROOF):
                return None
            fit = lattice.MeasuredLattice(self._expected(client)[0], _SUPPOSED, 0.0)
        if self._is_first:
            return fit
        self._measured = fit
        return None

    def _measure_again(self, bgra: Picture, area: Rect, known: _Locked) -> None:
        """Measures the lattice again on another map: a larger board tells more than the one before."""
        if not known.reader.has_another_map:
            return
        known.reader.has_another_map = False
        self._ground.forget()
        fit = lattice.measured_again(bgra, area, known.fit)
        if fit is not None:
            prior = self._expected(known.client)[0]
            others = lattice.alternatives(fit, prior) if known.ambiguous else ()
            reader = CellReader(self._rules, fit.lattice, area, known.size)
            self._locked = replace(known, fit=fit, ambiguous=others, reader=reader)

    def _is_locked(self, place: Lattice) -> bool:
        """Returns whether a lattice is the known one, without a fighter at present."""
        return self._locked is not None and lattice.is_same(place, self._locked.fit.lattice)

    def _expected(self, client: Rect) -> tuple[Lattice, BoardCalibration | None]:
        """Returns where the board should lie, and what the player has accepted of that."""
        accepted = self._calibrations.find(self._profile.name, client, self._ui)
        return accepted.placed(client) if accepted is not None else self._profile.lattice(client), accepted

    def _search(
        self,
        bgra: Picture,
        client: Rect,
        area: Rect,
        panel: Rect | None,
        fit: lattice.MeasuredLattice,
    ) -> DofusBoardSeen | None:
        """Searches the board on a lattice measured, and locks it where borders confirm it."""
        prior, accepted = self._expected(client)
        if accepted is not None and lattice.is_zoomed(fit.lattice, prior):
            accepted, prior = None, self._profile.lattice(client)
            fit = lattice.renumbered(fit, prior)
        if fit.surplus < _EXACT:
            borders = fighters.accepted(self._borders.find(bgra, fit.lattice, area))
            if fit.contrast == _SUPPOSED and len(borders) < _PROOF:
                return None
            fit = lattice.with_lattice(fit, fighters.aligned(fit.lattice, borders))
        misplaced = lattice.is_zoomed(fit.lattice, prior) or not _is_shaped(client, self._rules.letterbox)
        sure = not misplaced and fit.apart <= _SAME_CELL and (self._rules.rows_sure or accepted is not None)
        others = () if sure else lattice.alternatives(fit, prior)
        size = (bgra.shape[0], bgra.shape[1])
        numbered = not misplaced and fit.apart <= _SAME_CELL
        reader = CellReader(self._rules, fit.lattice, area, size, at_once=self._is_first)
        known = _Locked(client, size, fit, others, numbered, reader)
        board = self._read_on(bgra, area, known, panel)
        if fit.contrast == _SUPPOSED and not self._is_everyone(board.sides):
            return None
        if board.fight:
            self._locked, self._missed = known, 0
            self._ground.forget()
        elif fit.confidence < _LIKELY or misplaced:
            return None
        return board

    def _is_everyone(self, sides: Sides) -> bool:
        """Returns whether as many fighters of each side were found as the timeline shows."""
        own = len(sides.own)
        return len(sides.enemies) == self._enemies and own == self._own

    def _read_on(self, bgra: Picture, area: Rect, known: _Locked, panel: Rect | None) -> DofusBoardSeen:
        """Reads the fighters and the cells of a known lattice."""
        fit = known.fit
        self._ground.next_frame()
        look = known.reader.look(bgra)
        found = self._in_sight(self._borders.find(bgra, fit.lattice, area, aligned=True), look)
        found = discs.without_discs(found, self._accepted(found), self._rules.border.shape == "oval")
        self._scored.next_frame()
        scored = partial(self._scored.counted, bgra, fit.lattice, area)
        own, borders = self._fighters(found, look, partial(self._ringed, bgra, fit.lattice, area), scored)
        another = own == 0 and fighters.shows_another(found, borders)
        sides = fighters.assign_sides(borders, fit.lattice, self._marked, own == 1, another)
        confidence = min(0.99, max(fit.confidence, 0.9 if borders else 0.0))
        seen = cells.NOTHING
        in_turns = self._enemies > 0 and self._own > 0
        if borders or in_turns or (known is self._locked and look.covered.any()):
            if known is self._locked and self._missed >= _ANOTHER_FIGHT:
                known.reader.survey_again()
                self._ground.forget()
            seen = known.reader.read(bgra, [border.cell for border in borders], panel, self._waiting)
            if not look.covered.any() or len(sides.candidates) >= own:
                sides = by_reach(sides, seen, own)
            sides = sides if self._marked else self._player.unless_of_another(sides, seen)
            free = [one for one in found if one.is_probable and (panel is None or not _holds(panel, one.px))]
            taken = {border.cell for border in borders}
            sides = self._player.with_half_hidden(
                sides, free, taken, seen, look.empty, self._ground, fit.lattice
            )
        if self._marked:
            sides = self._player.where_it_was(sides, borders)
        is_own = sides.player is not None or bool(sides.candidates)
        fight = 0.9 if is_own and sides.enemies else 0.4 if borders or is_own else 0.0
        return DofusBoardSeen(
            Seen(fit.lattice, confidence),
            known.ambiguous,
            sides,
            fight,
            seen,
            known.numbered,
            look.empty,
            look.covered,
            *self._explained(bgra, fit.lattice, area, found, look),
        )

    def _explained(
        self, bgra: Picture, place: Lattice, area: Rect, found: list[FoundBorder], look: Look
    ) -> tuple[frozenset[int], frozenset[int], Scores | None]:
        """Returns what a person may want to know of how cells were judged, see `DofusBoardSeen`."""
        scores = self._scored.scores(bgra, place) if self.explains else None
        if scores is None:
            return frozenset(), frozenset(), None
        sure = self._scored.sure(scores, place, area, look.covered)
        likely = {border.cell for border in self._accepted(found)} | set(np.flatnonzero(sure).tolist())
        return frozenset(likely), frozenset(self._scored.decided), scores

    def _in_sight(self, found: list[FoundBorder], look: Look) -> list[FoundBorder]:
        """Returns the borders that are no part of a window, of the timeline or around the board."""
        under = look.covered | (grid.at_neighbours(look.covered).sum(axis=1) >= _COVERED_BESIDE)
        return [
            border
            for border in found
            if not under[border.cell]
            and not any(_holds(card, border.px) for card in self._cards)
            and (not look.outside[border.cell] or fighters.has_an_edge(border))
        ]

    def _fighters(
        self, found: list[FoundBorder], look: Look, rings: _Rings, scored: _Scored
    ) -> tuple[int, list[FoundBorder]]:
        """Returns how many fighters the own side has, 0 where that is not known, and the borders of fighters.

        The timeline's cards tell, and where some of these are gone, the fighters that stand where they stood.
        """
        shown: dict[Team, int] = {"enemy": self._enemies, "own": self._own}
        stood = {team: self._standing.cells(team) for team in shown}
        counts = {team: max(shown[team], len(stood[team])) for team in shown}
        borders = discs.without_surplus(self._accepted(found), counts)
        self._ground.learn(found, borders, counts)
        for team, count in shown.items():
            if count and sum(border.team == team for border in borders) != count:
                borders = scored(borders, team, count, look.covered, self._is_first)
        for team, count in counts.items():
            missing = count - sum(border.team == team for border in borders)
            if missing > 0:
                is_covered = shown[team] < count
                likely = [one for one in found if one.cell in stood[team]] if is_covered else found
                borders += self._hardly_seen(likely, borders, team, missing, look, rings)
        standing = sum(border.team == "own" and border.cell in stood["own"] for border in borders)
        own = max(self._own, standing)
        borders = fighters.counted(borders, own, self._marked)
        self._standing.follow(borders, shown)
        return own, borders

    def _accepted(self, found: list[FoundBorder]) -> list[FoundBorder]:
        """Returns the borders of which enough is seen."""
        return fighters.accepted((one for one in found if one.is_probable), mixed=self._marked)

    def _hardly_seen(
        self,
        found: list[FoundBorder],
        accepted: list[FoundBorder],
        team: Team,
        missing: int,
        look: Look,
        rings: _Rings,
    ) -> list[FoundBorder]:
        """Returns borders of a side's missing fighters, of which little is seen, at most so many.

        Args:
            found: all borders found.
            accepted: those of which enough is seen.
            team: the side.
            missing: how many of its fighters are not among them.
            look: the floor.
            rings: what finds jagged rings.
        """
        taken = {border.cell for border in accepted}
        side = {border.cell for border in accepted if border.team == team}
        likely = [fighters.without_neighbours(border, side) for border in self.on_floor(found, team, look)]
        unlike_ground = [one for one in likely if one.is_probable and not self._ground.shows(one)]
        borders = [ring for ring in rings(team, missing, taken) if not look.outside[ring.cell]]
        taken |= {border.cell for border in borders}
        borders += fighters.partly_hidden(unlike_ground, team, missing - len(borders), taken, self._marked)
        taken |= {border.cell for border in borders}
        if team == "own" and self._own == 1 and self._marked:
            likely = fighters.unless_marked_elsewhere(likely, (one for one in found if one.is_probable))
        left = missing - len(borders)
        new = self._ground.new_since(likely, team, left, taken, look.empty)
        if not new and not look.covered.any():  # at the side of a window much looks new
            new = self._ground.best_by_far(likely, team, left, taken, look.empty)
        if not new and left:
            new = fighters.only_ones(likely, left, taken)
        return borders + new

    def on_floor(self, found: list[FoundBorder], team: Team, look: Look) -> list[FoundBorder]:
        """Returns a side's borders on the board that are not beside cells painted in its colour.

        Their rims look like a border's edges. Blocks at the board's rim may hide floor cells, and look like
        what is around the board. A border of which a clear half is seen counts beside both.
        """
        rim = grid.beside(~look.outside)
        on_board = ~look.outside | rim
        plain = on_board & ~grid.beside(self._painted_alike(team, look))
        anywhere = on_board | grid.beside(rim)
        return [
            border
            for border in found
            if border.team == team and (anywhere if fighters.is_half_clear(border) else plain)[border.cell]
        ]

    def _painted_alike(self, team: Team, look: Look) -> npt.NDArray[np.bool_]:
        """Returns the cells painted in a side's colour, shape (560,)."""
        painted = np.zeros(CELLS, bool)
        for name in self._alike[team]:
            painted |= look.painted.get(name, painted)
        return painted

    def _ringed(
        self, bgra: Picture, place: Lattice, area: Rect, team: Team, missing: int, taken: set[int]
    ) -> list[FoundBorder]:
        """Returns a side's fighters on jagged rings, none if more than are missing on the board."""
        rule = self._rules.ring
        if rule is None or missing <= 0:
            return []
        found = rings.find(bgra, place, area, rule, rule.sides[team], team, taken)
        found = [ring for ring in found if not any(_holds(card, ring.px) for card in self._cards)]
        steady = found if self._is_first else self._ground.at_one_place(found)
        return steady if len(found) <= missing else []


def _main(colour: RGB) -> int:
    """Returns which channel of a side's colour or a paint is the strongest: 0 red, 1 green, 2 blue."""
    return colour.index(max(colour))


def _holds(box: Rect, px: tuple[float, float]) -> bool:
    """Returns whether a point lies in a box."""
    return box.x <= px[0] < box.right and box.y <= px[1] < box.bottom


def _is_shaped(client: Rect, letterbox: float) -> bool:
    """Returns whether a client area has its client's fixed aspect ratio, if there is one."""
    return letterbox <= 0 or abs(client.width / client.height / letterbox - 1) <= _SAME_SHAPE
