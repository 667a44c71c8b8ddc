"""Reads the board of a real client over successive frames: its lattice, its cells and its fighters.

Once borders are found on a lattice, the lattice is locked and later frames are read at known pixels. When
no border is found on it any more, it is searched again every few frames. The numbering may be ambiguous by
whole cells until the player has confirmed it once; on a zoomed board it is not known at all.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.calibration import BoardCalibration, BoardCalibrations
from vision.extract import grid
from vision.extract.dofus import cells, fighters, lattice, reach, rings
from vision.extract.dofus.borders import BorderReader, FoundBorder
from vision.extract.dofus.cells import CellReader, CellsSeen, Look
from vision.extract.dofus.fighters import Sides
from vision.extract.dofus.parts import WorkInParts
from vision.frame import Rect
from vision.profiles.board import ScreenRules
from vision.profiles.fields import RGB
from vision.profiles.profile import Profile
from vision.view import CELLS, CellKind, FighterSeen, Highlight, Lattice, Seen, Team

Picture = npt.NDArray[np.uint8]

_BOTTOM = 0.87
_LIKELY = 0.5
_BORDERED = 0.1
_GRIDDED = 1.8
"""The least contrast of a fight's board, whose cells repeat; a map's may be as clear."""
_PROOF, _SUPPOSED = 3, 0.0
"""So many fighters, all that the timeline shows, prove a board where it should lie, also with faint cells."""
_EXACT = 5.0
_SAME_CELL = 0.25
_SAME_SHAPE = 0.012
_PATIENCE = 8
"""Frames between two searches for a lost board."""
_ANOTHER_FIGHT = 5
"""After so many frames without a fighter the map may be another one, of the same colours and size even."""
_AWAY = 1.5
_STEADY = 4
"""In so many frames half a border has to be at one place until it is the player's."""
_NO_HALF = (-1, 0)
_WELL_SEEN = 0.33
"""The share of a border that counts two cells from the floor as well, where blocks at the rim hide it."""
_MOVED, _GAP = 2.0, 2
_GROUND_KNOWN, _LONG = 5, 10
"""Pixels by which a border lies elsewhere and frames after which it is another one; frames with everyone in
sight, after which the ground is known, and those for which a corner has to be seen where it is not."""
_DISTURBED = 20
"""Frames that a spell and the figures over its target may take."""
_COVERED_BESIDE = 3
"""A cell's neighbours under a window, beside which no border is whole."""
_CLEARER = 4.0
"""Votes that a border has more than what looked like one there while all fighters were seen."""
_OFTEN = 3
"""In so many frames something of the scenery has to look like half a border until it is known as such."""
_FEW_LIT = 5
"""Fewer cells that look reachable are none where a spell's range is lit."""
_BEGIN = 2
"""The frame without it from which it is measured: two frames long, and the next one looks for it. All of the
first frame is read at once."""


@dataclass(frozen=True, slots=True)
class DofusBoardSeen:
    """The reading of a real client's board.

    Attributes:
        lattice: where its cells lie.
        ambiguous: other possible lattices, a cell away; none where the numbering is sure.
        sides: the fighters on it.
        fight: the confidence (0..1) that this is a fight.
        cells: the kinds and highlights of the cells.
        numbered: whether the cells' ids are known, up to the lattices in `ambiguous`.
        empty: cells that show their floor, so that no fighter stands there, shape (560,).
    """

    lattice: Seen[Lattice]
    ambiguous: tuple[Lattice, ...]
    sides: Sides
    fight: float
    cells: CellsSeen
    numbered: bool
    empty: npt.NDArray[np.bool_]


@dataclass(slots=True)
class _Locked:
    """A lattice confirmed by borders, for one client area and frame size."""

    client: Rect
    size: tuple[int, int]
    fit: lattice.MeasuredLattice
    ambiguous: tuple[Lattice, ...]
    numbered: bool
    reader: CellReader


class DofusBoardReader:
    """Reads the boards of one profile."""

    def __init__(
        self, profile: Profile, rules: ScreenRules, calibrations: BoardCalibrations, ui: str = ""
    ) -> None:
        """Prepares what does not change between frames.

        `is_gridded` is whether cells as clear as a fight's were measured the last time.

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
        self._alike: dict[Team, tuple[Highlight, ...]] = {
            team: tuple(name for name, rule in rules.highlights.items() if _is_red(rule.colours[0]) == red)
            for team, red in ((team, _is_red(tone)) for team, tone in rules.border.sides.items())
        }
        self._locked: _Locked | None = None
        self._searched: tuple[Rect, tuple[int, int]] | None = None
        self._measuring: WorkInParts[lattice.MeasuredLattice | None] | None = None
        self._measured: lattice.MeasuredLattice | None = None
        self._is_first = True
        self.is_gridded = False
        self._missed = 0
        self._enemies = self._own = 0
        self._scenery: Counter[int] = Counter()
        self._half = _NO_HALF
        self._still: dict[tuple[Team, int], tuple[int, float]] = {}
        self._standing: frozenset[int] = frozenset()
        self._learnt: Counter[Team] = Counter()
        self._places: dict[tuple[Team, int], tuple[tuple[float, float], int, int]] = {}
        self._frame = 0
        self._own_cell: int | None = None
        self._judged: tuple[CellsSeen, tuple[int | None, ...], bool] | None = None
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
            self._scenery.clear()
            self._own_cell = None
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
        self.is_gridded = fit is not None and fit.confidence >= _LIKELY and fit.contrast >= _GRIDDED
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
        self._forget_ground()
        fit = lattice.measured_again(bgra, area, known.fit)
        if fit is not None:
            prior = self._expected(known.client)[0]
            others = lattice.alternatives(fit, prior) if known.ambiguous else ()
            reader = CellReader(self._rules, fit.lattice, area, known.size)
            self._locked = replace(known, fit=fit, ambiguous=others, reader=reader)

    def _forget_ground(self) -> None:
        """Forgets what looked like a border where no fighter stood."""
        self._still.clear()
        self._places.clear()
        self._learnt.clear()

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
            self._forget_ground()
        elif fit.confidence < _LIKELY or misplaced:
            return None
        return board

    def _is_everyone(self, sides: Sides) -> bool:
        """Returns whether as many fighters of each side were found as the timeline shows."""
        own = len(sides.allies) + len(sides.candidates) + (sides.player is not None)
        return len(sides.enemies) == self._enemies and own == self._own

    def _read_on(self, bgra: Picture, area: Rect, known: _Locked, panel: Rect | None) -> DofusBoardSeen:
        """Reads the fighters and the cells of a known lattice."""
        fit = known.fit
        self._frame += 1
        found = self._borders.find(bgra, fit.lattice, area, aligned=True)
        look = known.reader.look(bgra)
        under = look.covered | (grid.at_neighbours(look.covered).sum(axis=1) >= _COVERED_BESIDE)
        found = [border for border in found if not under[border.cell]]
        found = [border for border in found if not any(_holds(card, border.px) for card in self._cards)]
        found = [one for one in found if not look.outside[one.cell] or fighters.has_an_edge(one)]
        marked = self._rules.border.mark is not None
        borders = fighters.accepted(found, mixed=marked)
        self._learn_still(found, borders)
        sides_shown: tuple[tuple[Team, int], ...] = (("enemy", self._enemies), ("own", self._own))
        for team, shown in sides_shown:
            missing = shown - sum(border.team == team for border in borders)
            if missing <= 0:
                continue
            taken = {border.cell for border in borders}
            likely = self._on_floor(found, team, look)
            side = {border.cell for border in borders if border.team == team}
            likely = [fighters.without_neighbours(border, side) for border in likely]
            unlike_ground = [one for one in likely if self._ground_at(one)[0] < _OFTEN]
            corners = fighters.partly_hidden(unlike_ground, team, missing, taken, marked)
            borders += corners
            taken |= {border.cell for border in corners}
            rings = self._ringed(bgra, fit.lattice, area, team, missing - len(corners), taken)
            rings = [ring for ring in rings if not look.outside[ring.cell]]
            borders += rings
            left = missing - len(corners) - len(rings)
            if team == "own" and self._own == 1 and marked:
                likely = fighters.unless_marked_elsewhere(likely, found)
            borders += self._new_since(likely, team, left, {border.cell for border in borders}, look)
        borders = fighters.counted(borders, self._own, marked)
        sides = fighters.assign_sides(borders, fit.lattice, marked, alone=self._own == 1)
        confidence = min(0.99, max(fit.confidence, 0.9 if borders else 0.0))
        seen = cells.NOTHING
        if borders or (known is self._locked and look.covered.any()):
            if known is self._locked and self._missed >= _ANOTHER_FIGHT:
                known.reader.survey_again()
                self._forget_ground()
            seen = known.reader.read(bgra, [border.cell for border in borders], panel, self._waiting)
            if not look.covered.any() or len(sides.candidates) >= self._own:
                sides = by_reach(sides, seen, self._own)
            sides = sides if marked else self._unless_of_another(sides, seen)
            free = [one for one in found if panel is None or not _holds(panel, one.px)]
            taken = {border.cell for border in borders}
            sides = self._with_half_hidden(sides, free, taken, seen, look, fit.lattice)
        if marked:
            sides = self._where_it_was(sides, borders)
        own = sides.player is not None or bool(sides.candidates)
        fight = 0.9 if own and sides.enemies else 0.4 if borders else 0.0
        return DofusBoardSeen(
            Seen(fit.lattice, confidence), known.ambiguous, sides, fight, seen, known.numbered, look.empty
        )

    def _on_floor(self, found: list[FoundBorder], team: Team, look: Look) -> list[FoundBorder]:
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

    def _new_since(
        self, likely: list[FoundBorder], team: Team, missing: int, taken: set[int], look: Look
    ) -> list[FoundBorder]:
        """Returns a side's borders of which a corner can be made out, none if more than are missing.

        So little only counts for some frames at one place, as figures and flashes pass, and where nothing of
        the kind, or far less, was seen while all fighters were; then no edge need be clear. Where not all
        were seen yet it takes a corner, and more frames on floor in sight; so many frames a single clear edge
        will do as well, where the floor is not in sight.
        """
        if missing <= 0:
            return []
        known = self._learnt[team] >= _GROUND_KNOWN
        new = [
            border
            for border in likely
            if border.cell not in taken and border.votes >= self._ground_at(border)[1] + _CLEARER
        ]
        found = [
            one for one in new if fighters.shows_corner(one, known) or (known and fighters.stands_out(one))
        ]
        hiding = [one for one in found if known or not look.empty[one.cell]]
        steady = self._at_one_place(hiding, _STEADY)
        steady += self._at_one_place([one for one in found if one not in hiding], _LONG)
        hidden = [
            one
            for one in new
            if one not in found
            and fighters.shows_clear_edge(one)
            and (self._frames_at(one, _DISTURBED) or not look.empty[one.cell])
        ]
        long = self._at_one_place(hidden, _LONG)
        found, steady = (found, steady) if found else (hidden, long)
        return steady if len(steady) == len(found) <= missing else []

    def _learn_still(self, found: list[FoundBorder], clear: list[FoundBorder]) -> None:
        """Counts what looks like a side's border on free cells while all of the side are seen well, at rest.

        With one of them on a guess a true one's would be learnt as ground.
        """
        standing, before = frozenset(border.cell for border in clear), self._standing
        self._standing = standing
        if standing != before:
            return
        sides: tuple[tuple[Team, int], ...] = (("enemy", self._enemies), ("own", self._own))
        for team, shown in sides:
            if sum(border.team == team for border in clear) == shown > 0:
                self._learnt[team] += 1
                for one in found:
                    if one.team == team and one.cell not in standing:
                        times, votes = self._ground_at(one)
                        self._still[team, one.cell] = times + 1, max(votes, one.votes)

    def _ground_at(self, border: FoundBorder) -> tuple[int, float]:
        """Returns how often something looked like a border there with all in sight, and its most votes."""
        return self._still.get((border.team, border.cell), (0, -math.inf))

    def _ringed(
        self, bgra: Picture, place: Lattice, area: Rect, team: Team, missing: int, taken: set[int]
    ) -> list[FoundBorder]:
        """Returns a side's fighters on jagged rings, none if more than are missing on the board."""
        rule = self._rules.ring
        if rule is None or missing <= 0:
            return []
        found = rings.find(bgra, place, area, rule, rule.sides[team], team, taken)
        found = [ring for ring in found if not any(_holds(card, ring.px) for card in self._cards)]
        steady = found if self._is_first else self._at_one_place(found)
        return steady if len(found) <= missing else []

    def _at_one_place(self, found: list[FoundBorder], least: int = _STEADY) -> list[FoundBorder]:
        """Returns the borders that have been at one place for some frames, as figures that rise are not."""
        steady = []
        for border in found:
            key, frames = (border.team, border.cell), self._frames_at(border)
            px = self._places[key][0] if frames else border.px
            self._places[key] = px, frames + 1, self._frame
            if frames + 1 >= least:
                steady.append(border)
        return steady

    def _frames_at(self, border: FoundBorder, gap: int = _GAP) -> int:
        """Returns for how many frames a border has been at its place; it may be unseen for `gap` of them."""
        px, frames, last = self._places.get((border.team, border.cell), (border.px, 0, self._frame))
        goes_on = math.dist(px, border.px) <= _MOVED and self._frame - last <= gap
        return frames if goes_on else 0

    def _unless_of_another(self, sides: Sides, seen: CellsSeen) -> Sides:
        """Returns the sides without the player found where the reachable cells belong to a fighter near it.

        The real player stands there then, its border hidden.
        """
        cell = sides.player.cell if sides.player is not None else None
        if cell is None or not seen.highlights.get("reachable"):
            return sides
        standing = (*sides.allies, *sides.enemies)
        where = (cell, *(one.cell for one in standing))
        if self._judged is None or self._judged[0] is not seen or self._judged[1] != where:
            free = _without_fighters(seen.kinds == CellKind.WALKABLE, standing)
            free[cell] = False
            lit = _lit(seen, "reachable", "tackled")
            self._judged = (seen, where, reach.is_of_another(lit, free, cell, seen.kinds == CellKind.UNKNOWN))
        return fighters.without_player(sides) if self._judged[2] else sides

    def _where_it_was(self, sides: Sides, borders: list[FoundBorder]) -> Sides:
        """Returns the sides with the player where it stood before, if a border like its own is still there.

        On a pale floor its marks are hardly seen; the line of its border they break all the same.
        """
        if sides.player is not None:
            self._own_cell = sides.player.cell
            return sides
        there = (border for border in borders if border.team == "own" and border.cell == self._own_cell)
        is_there = any(fighters.is_broken(border) for border in there)
        return fighters.with_player(sides, self._own_cell) if is_there else sides

    def _with_half_hidden(
        self,
        sides: Sides,
        found: list[FoundBorder],
        taken: set[int],
        seen: CellsSeen,
        look: Look,
        place: Lattice,
    ) -> Sides:
        """Returns the sides with the player where half of its border is seen and no other fighter can be it.

        It has to be seen there for some frames: a spell's flash passes. What looks like half a border while
        the player is seen well away from it is scenery.
        """
        marked = self._rules.border.mark is not None
        near = grid.beside(seen.kinds == CellKind.WALKABLE)
        behind = grid.beside(near)
        known = self._learnt["own"] >= _GROUND_KNOWN
        new = {
            border.cell
            for border in found
            if known
            and not look.empty[border.cell]
            and border.cell not in taken
            and ("own", border.cell) not in self._still
        }
        halves = [
            border
            for border in fighters.half_hidden(found, marked, taken, new)
            if near[border.cell] or (behind[border.cell] and border.share >= _WELL_SEEN)
        ]
        if sides.player is not None:
            at, away = sides.player.px, _AWAY * place.cell_w
            self._scenery.update(one.cell for one in halves if math.dist(one.px, at) > away)
        halves = [border for border in halves if self._scenery[border.cell] < _OFTEN]
        if sides.player is not None or len(halves) != 1 or (sides.candidates and not marked):
            self._half = _NO_HALF
            return sides
        cell, frames = self._half
        self._half = halves[0].cell, frames + 1 if halves[0].cell == cell else 1
        return fighters.with_half_hidden(sides, halves[0], place) if self._half[1] >= _STEADY else sides


def _is_red(colour: RGB) -> bool:
    """Returns whether a side's colour or a paint is red rather than blue."""
    return colour[0] > colour[2]


def _holds(box: Rect, px: tuple[float, float]) -> bool:
    """Returns whether a point lies in a box."""
    return box.x <= px[0] < box.right and box.y <= px[1] < box.bottom


def _is_shaped(client: Rect, letterbox: float) -> bool:
    """Returns whether a client area has its client's fixed aspect ratio, if there is one."""
    return letterbox <= 0 or abs(client.width / client.height / letterbox - 1) <= _SAME_SHAPE


def by_reach(sides: Sides, seen: CellsSeen, own: int = 0) -> Sides:
    """Returns the sides with one candidate as the player: the one whose reach or spell range is highlighted.

    Args:
        sides: the fighters found.
        seen: the cells.
        own: how many of the player's side the timeline shows, 0 where it is not found; with fewer candidates
            the player may be one whose border is hidden, unless the reach fits no other cell.
    """
    if not sides.candidates:
        return sides
    starts = [one.cell for one in sides.candidates if one.cell is not None]
    walkable = seen.kinds == CellKind.WALKABLE
    free = _without_fighters(walkable, (*sides.candidates, *sides.enemies))
    lit, unknown = _lit(seen, "reachable", "tackled"), seen.kinds == CellKind.UNKNOWN
    if len(sides.candidates) < own:
        return fighters.with_player(sides, reach.only_owner(lit, free, starts, unknown))
    cell = reach.owner(lit, free, starts, unknown)
    if cell is None and not seen.highlights.get("reachable"):
        cell = reach.caster(_lit(seen, "range", "no_sight", "area"), walkable, starts)
    return fighters.with_player(sides, cell)


def unseen_player(sides: Sides, mp: int | None, seen: CellsSeen, empty: npt.NDArray[np.bool_]) -> int | None:
    """Returns the cell of a player out of sight by the cells that are lit about it, None where in doubt.

    Args:
        sides: the fighters found.
        mp: the player's MP, None where they are not read.
        seen: the cells.
        empty: cells that show their floor, shape (560,).
    """
    standing = (*sides.allies, *sides.enemies, *sides.candidates)
    taken = [one.cell for one in standing if one.cell is not None]
    walkable, unknown = seen.kinds == CellKind.WALKABLE, seen.kinds == CellKind.UNKNOWN
    hidden = ~empty & (walkable | unknown | (seen.kinds == CellKind.OUTSIDE))
    hidden[taken] = False
    lit = _lit(seen, "reachable", "tackled")
    if np.count_nonzero(lit) >= _FEW_LIT:
        free = _without_fighters(walkable, standing)
        return reach.hidden_owner(lit, mp, free, unknown, taken, hidden) if mp else None
    return reach.hidden_caster(_lit(seen, "range", "no_sight", "area"), walkable, taken, hidden)


def _without_fighters(
    walkable: npt.NDArray[np.bool_], standing: Sequence[FighterSeen]
) -> npt.NDArray[np.bool_]:
    free = walkable.copy()
    free[[one.cell for one in standing if one.cell is not None]] = False
    return free


def _lit(seen: CellsSeen, *names: Highlight) -> npt.NDArray[np.bool_]:
    """Returns which cells are highlighted in one of several ways, shape (560,)."""
    lit = np.zeros(CELLS, bool)
    for name in names:
        lit[list(seen.highlights.get(name, ()))] = True
    return lit
