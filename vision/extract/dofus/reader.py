"""Reads a frame of a real client: locates the client area, then reads its HUD and its board.

A frame equal to the previous one is not read again unless part of the reading was left for it, or a fighter
is missing, for what is hardly seen counts after some frames. The client area is kept while its HUD or its
board are found there.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from vision import roster
from vision.calibration import BoardCalibrations
from vision.extract.dofus import agreement
from vision.extract.dofus.board import EMPTY, DofusBoardReader
from vision.extract.dofus.cells import LIT_IN_TURNS, NOTHING, STARTS, is_scattered, is_walk
from vision.extract.dofus.client import ClientArea
from vision.extract.dofus.explained import cell_scores
from vision.extract.dofus.fighters import Sides, cells_of, without_cells
from vision.extract.dofus.hud import DofusHudReader
from vision.extract.dofus.model import DofusBoardSeen, HudSeen
from vision.extract.dofus.phase import SIGN, PhaseEvidence, has_begun
from vision.extract.dofus.phase import classify as classify_phase
from vision.extract.dofus.phase import turn as judge_turn
from vision.extract.dofus.plates import PlateReader
from vision.extract.dofus.played import PlayedFighter
from vision.extract.dofus.player_over_time import PlayerOverTime
from vision.extract.dofus.search import AGAIN, is_same
from vision.extract.dofus.signs import Signs
from vision.extract.dofus.signs_over_time import SignsOverTime
from vision.frame import Rect
from vision.message import say
from vision.profiles.board import ScreenRules
from vision.profiles.profile import Profile
from vision.view import CardSeen, FightView, Lattice, Phase, Played, Seen, Turn

Picture = npt.NDArray[np.uint8]

_REPEATS = 12
"""So often an equal frame is read again while a fighter is missing."""
_QUIET = 0.8
"""How sure "no fight" is where nothing of HUD, board and timeline is seen: as sure as `phase` is of a HUD
that is read and shows no sign of a fight."""
_ROWS, _STEP, _STEPS = 300, 24, 0.004
"""A sharp picture has steps of so many levels from pixel to pixel, in such a share of all."""


class FightBegun:
    """Remembers over frames that the turns of the fight on the screen have begun."""

    def __init__(self) -> None:
        self.before = False
        self._empty = 0

    def follow(self, phase: Phase | None, shown: bool, standing: bool) -> None:
        """Takes in a frame.

        Args:
            shown: whether it shows by itself that turns have begun.
            standing: whether fighters are on its board; after `EMPTY` frames without, the fight may be over.
        """
        self._empty = 0 if standing else self._empty + 1
        if phase is Phase.FIGHT and shown:
            self.before = True
        elif phase is Phase.PLACEMENT or phase is Phase.NOT_FIGHT or self._empty >= EMPTY:
            self.before = False


class DofusReader:
    """Reads frames of one real client."""

    def __init__(
        self, profile: Profile, rules: ScreenRules, calibrations: BoardCalibrations, ui: str = ""
    ) -> None:
        """Prepares what does not change between frames."""
        self._profile = profile
        self._hud = DofusHudReader(profile)
        self._board = DofusBoardReader(profile, rules, calibrations, ui)
        self._plates = PlateReader()
        self._area = ClientArea(profile)
        self._played = PlayedFighter()
        self._is_placing = False
        self._begun = FightBegun()
        self._player = PlayerOverTime(profile, rules)
        self._last: tuple[Picture, FightView] | None = None
        self._repeats = 0
        self._signs = SignsOverTime(profile, rules)
        self._ringed: tuple[bool, int] | None = None

    def explain(self, wanted: bool) -> None:
        """Has each view say how cells were judged, or no longer; the same picture is read anew for it."""
        if wanted != self._board.explains:
            self._board.explains, self._last = wanted, None

    def read(self, pixels: Picture) -> FightView:
        """Reads a picture in BGRA that shows the client and perhaps more."""
        unfinished = self._board.is_unfinished or self._hud.is_unfinished
        if self._last is not None and not unfinished and is_same(pixels, self._last[0]):
            if self._repeats >= _REPEATS or not _is_lacking(self._last[1]):
                return self._last[1]
            self._repeats += 1
        else:
            self._repeats = 0
        view = self._read(pixels)
        self._last = (pixels, view)
        return view

    def _read(self, pixels: Picture) -> FightView:
        client = self._area.find(pixels)
        if client is None:
            return FightView(
                reason=say("No client area of {client} is found in the picture.", client=self._profile.name)
            )
        hud = self._hud.read(pixels, client)
        if self._area.lost == 0 and self._area.is_new and not hud.has_vitals:
            client, hud = self._read_elsewhere(pixels, client, hud)
        board, evidence, phase = self._read_board(pixels, client, hud)
        begins = phase.value is Phase.FIGHT and not self._begun.before
        if begins and not (hud.row.living or hud.row.waiting) and has_begun(evidence, waiting=False):
            self._hud.search_all()  # now the timeline is shown
            hud = self._hud.read(pixels, client)
            board, evidence, phase = self._read_board(pixels, client, hud)
        shown = has_begun(evidence, waiting=bool(hud.row.waiting))
        begun = shown or (self._begun.before and not hud.row.waiting)
        clear = phase.value is Phase.PLACEMENT or (phase.value is Phase.FIGHT and begun)
        signs_seen = self._signs.look(pixels, client, hud, clear)
        if hud.has_vitals and self._is_choice_of_places(signs_seen, evidence, board):
            evidence["starts"] = SIGN  # from 0.7 on they make a placement
            phase = classify_phase(evidence)
        there = hud.has_vitals or (board is not None and board.fight > 0)
        self._area.lost = 0 if there else self._area.lost + 1
        if phase.value is Phase.PLACEMENT and not self._is_placing:
            self._player.forget()
        self._is_placing = phase.value is Phase.PLACEMENT
        self._begun.follow(phase.value, shown, board is not None and board.fight > 0)
        unclear = phase.value is Phase.FIGHT and not begun
        if phase.value is not Phase.FIGHT and phase.value is not Phase.PLACEMENT:
            self._player.forget()
            seeming = signs_seen.any or (bool(evidence) and phase.value is Phase.UNKNOWN)
            ringed = not seeming and self._is_ringed(pixels, client, board)
            quiet = phase.value is Phase.UNKNOWN and self._is_quiet(client, hud, board, pixels)
            return self._without_fight(client, phase, "" if seeming else hud.reason, seeming or ringed, quiet)
        if phase.value is Phase.PLACEMENT and not hud.row.living and hud.row.waiting:
            hud = replace(hud, row=replace(hud.row, living=hud.row.waiting))
        turn: Seen[Turn] = self._whose_turn(hud, board) if phase.value is Phase.FIGHT else Seen()
        mine = turn.value == "mine"
        sides = Sides()
        if board is not None:
            sides = _with_cards(self._player.follow(board, hud, mine, self._is_placing), hud)
        numbered = board is not None and board.numbered
        cells = board.cells if board is not None and numbered else NOTHING
        sides = sides if numbered else without_cells(sides)
        if board is not None and board.lattice.value is not None:
            sides = self._named(pixels, board.lattice.value, sides)
        may_play = mine or (not turn and "grey_button" not in hud.evidence)
        whole = board is None or not self._player.has_timeline or _is_whole(hud, board.sides)
        played: Played = self._played.of(hud.row.living, hud.many_spells, mine, whole) if may_play else "own"
        share = hud.hp_share
        view = FightView(
            client=client,
            phase=Seen(Phase.UNKNOWN, phase.confidence) if unclear else phase,
            turn=turn,
            lattice=board.lattice if board is not None else Seen(),
            lattice_ambiguous=board.ambiguous if board is not None else (),
            cells=cells.kinds,
            cell_confidence=cells.confidence,
            highlights=cells.highlights,
            player=sides.player,
            allies=sides.allies,
            enemies=sides.enemies,
            hp=hud.hp,
            max_hp=hud.max_hp,
            hp_share=Seen(share.value / 100, share.confidence) if share.value is not None else Seen(),
            shield=hud.shield,
            ap=hud.ap,
            mp=hud.mp,
            timer_s=hud.timer_s,
            turn_number=hud.turn_number,
            fighters_shown=self._player.count(hud, board, sides),
            timeline=hud.row.living,
            dead=hud.row.dead,
            places=hud.places,
            spells=hud.spells,
            scores=cell_scores(sides, board) if board is not None else None,
            reason=self._why(hud, unclear),
        )
        return agreement.checked(view, _own_card(hud), played)

    def _without_fight(
        self, client: Rect, phase: Seen[Phase], reason: str, seeming: bool, quiet: bool
    ) -> FightView:
        """Returns the view of a screen on which no fight is read.

        Args:
            phase: unknown, or no fight by the HUD.
            reason: why the HUD is not read, "" where it is.
            seeming: whether something is seen that only a fight shows, though not enough of it.
            quiet: whether nothing of the client's HUD and nothing of a fight is seen.
        """
        if seeming:
            seems = say("There may be a fight, but it cannot be read: is all of the game in view?")
            return FightView(
                client=client, phase=Seen(Phase.UNKNOWN, phase.confidence), reason=reason or seems
            )
        if quiet:
            return FightView(client=client, phase=Seen(Phase.NOT_FIGHT, _QUIET), hud_hidden=True)
        if phase.value is Phase.UNKNOWN and not reason:
            reason = say("The board of {client} is not found in the picture.", client=self._profile.name)
        return FightView(client=client, phase=phase, reason=reason)

    def _whose_turn(self, hud: HudSeen, board: DofusBoardSeen | None) -> Seen[Turn]:
        """Returns whose turn it is in a fight: by the button, else by the timeline and what is remembered."""
        self._played.watch(hud.row.living, hud.hp.value)
        turn = turn_of(hud, board, self._begun.before)
        return turn if turn or "button" in hud.evidence else self._played.at_turn(hud.row.living)

    def _read_board(
        self, pixels: Picture, client: Rect, hud: HudSeen
    ) -> tuple[DofusBoardSeen | None, dict[PhaseEvidence, float], Seen[Phase]]:
        board = self._board.read(pixels, client, hud.row, hud.phase.value is Phase.NOT_FIGHT)
        evidence = evidence_of(hud, board)
        return board, evidence, hud.phase if evidence == hud.evidence else classify_phase(evidence)

    def _why(self, hud: HudSeen, unclear: bool) -> str:
        """Returns why a fight is not read whole, "" where nothing is known to be missing."""
        if self._board.is_blind:
            return say("The network that finds fighters does not run here. Install botapp anew.")
        return say("Whether the fight has begun cannot be read.") if unclear else hud.reason

    def _named(self, pixels: Picture, lattice: Lattice, sides: Sides) -> Sides:
        """Returns the sides; the fighter under the mouse has the name on its plate."""
        own = sides.known_own
        named = self._plates.named(pixels, lattice, (*own, *sides.enemies, *sides.candidates))
        allies = named[len(own) - len(sides.allies) : len(own)]
        enemies = named[len(own) : len(own) + len(sides.enemies)]
        return replace(sides, allies=tuple(allies), enemies=tuple(enemies))

    def _read_elsewhere(self, pixels: Picture, client: Rect, hud: HudSeen) -> tuple[Rect, HudSeen]:
        """Returns another client area and its HUD, where one is read there; else those given."""
        others = self._area.others(pixels, client)
        for other in others:
            wider = self._hud.read(pixels, other)
            if wider.has_vitals:
                self._area.use(pixels, other)
                return other, wider
        return client, self._hud.read(pixels, client) if others else hud

    def _is_choice_of_places(
        self, signs_seen: Signs, evidence: Mapping[PhaseEvidence, float], board: DofusBoardSeen | None
    ) -> bool:
        """Returns whether signs are start cells: a fight's areas and glyphs may look like a few of them.

        Where AP and MP are shown in fights only and are not read, there is no fight that has areas.
        """
        rules = self._profile.hud
        pointless = rules is not None and rules.points_tell and "points" not in evidence
        placing = signs_seen.placing if pointless else signs_seen.several
        return placing and not (board is not None and _is_lit_for_a_turn(board))

    def _is_ringed(self, pixels: Picture, client: Rect, board: DofusBoardSeen | None) -> bool:
        """Returns whether the network sees fighters where a board was found, or else is expected.

        It is asked every few frames, as the signs are looked for.
        """
        if self._ringed is None or self._ringed[1] >= AGAIN:
            lattice = board.lattice.value if board is not None else None
            self._ringed = self._board.sees_rings(pixels, lattice or self._profile.lattice(client)), 0
        self._ringed = self._ringed[0], self._ringed[1] + 1
        return self._ringed[0]

    def _is_quiet(self, client: Rect, hud: HudSeen, board: DofusBoardSeen | None, pixels: Picture) -> bool:
        """Returns whether nothing at all of a fight is seen in a picture sharp enough to show it.

        The timeline, the borders under fighters and the cells' grid are found without the HUD, but not in a
        small window: so a picture with a desktop's bars about the client shows nothing for sure.
        """
        standing = board is not None and board.fight > 0
        shown = hud.row.is_alone or hud.row.waiting or standing or self._board.is_gridded
        on_desktop = client.height < pixels.shape[0]
        return not shown and not on_desktop and _is_sharp(pixels)


def _is_lacking(view: FightView) -> bool:
    """Returns whether a fighter of a fight is not seen: the player, or another that the timeline shows."""
    seen = (view.player is not None) + len(view.allies) + len(view.enemies)
    return view.phase.value is Phase.FIGHT and (
        view.player is None or seen < (view.fighters_shown.value or 0)
    )


def _is_sharp(pixels: Picture) -> bool:
    """Returns whether a picture has edges as clear as a game's; in a smeared or empty one nothing is sure."""
    some = pixels[:: max(1, pixels.shape[0] // _ROWS), :, 1].astype(np.int16)
    return bool(float((np.abs(np.diff(some, axis=1)) >= _STEP).mean()) >= _STEPS)


def evidence_of(hud: HudSeen, board: DofusBoardSeen | None) -> dict[PhaseEvidence, float]:
    """Returns the evidence of a phase in HUD and board together.

    Borders occur in fights only, but other games and our own arena have similar ones: the board only counts
    where the HUD shows this client's vitals. A lone border is weak evidence of a fight.
    """
    if board is None or not board.fight or not hud.has_vitals:
        return dict(hud.evidence)
    evidence: dict[PhaseEvidence, float] = {**hud.evidence, "fighters": board.fight}
    lit = board.cells.highlights
    if all(name in lit for name in STARTS) or (
        any(name in lit for name in STARTS) and "current_card" not in evidence
    ):
        many = all(is_scattered(lit.get(name, frozenset())) for name in STARTS)
        evidence["many_starts" if many else "starts"] = board.cells.confidence
    elif _is_walking(board):
        evidence["reach"] = board.cells.confidence
    return evidence


def turn_of(hud: HudSeen, board: DofusBoardSeen | None, begun: bool = False) -> Seen[Turn]:
    """Returns whose turn it is.

    Reachable cells prove that the bright button is not the placement's, as a fight that had begun does while
    its timeline is hidden. Where the player's card alone tells, no other fighter of the player's side may be
    on the board.
    """
    if hud.turn.value == "mine" and "button" not in hud.evidence and board is not None:
        several = len(board.sides.own) > 1
        return Seen() if several or not _is_whole(hud, board.sides) else hud.turn
    if hud.turn or "button" not in hud.evidence or board is None:
        return hud.turn
    return judge_turn("bright", hud.row.living, _is_walking(board) or (begun and not hud.row.waiting))


def _is_lit_for_a_turn(board: DofusBoardSeen) -> bool:
    """Returns whether cells are lit as in a turn; those read as reachable that are no walk are tiles."""
    lit = [name for name in LIT_IN_TURNS if name in board.cells.highlights]
    return bool(lit) and (lit != ["reachable"] or _is_walking(board))


_is_walk = lru_cache(maxsize=2)(is_walk)  # the cells stay lit for many pictures


def _is_walking(board: DofusBoardSeen) -> bool:
    lit = board.cells.highlights
    fighters = (*board.sides.own, *board.sides.enemies)
    return _is_walk(lit.get("reachable", frozenset()), cells_of(fighters).union(lit.get("tackled", ())))


def _is_whole(hud: HudSeen, sides: Sides) -> bool:
    """Returns whether the timeline has cards for all fighters found; else some cards are not read."""
    row = hud.row
    enough = not row.living or len(sides.enemies) <= len(row.enemies)
    return len(sides.own) <= max(1, len(row.own)) and enough


def _own_card(hud: HudSeen) -> CardSeen | None:
    """Returns the player's card on the timeline, None where it is ambiguous."""
    return roster.own_card(hud.row.living, hud.turn.value == "mine", hud.life)


def _with_cards(sides: Sides, hud: HudSeen) -> Sides:
    mine = _own_card(hud)
    player = roster.matched((sides.player,), (mine,)) if sides.player is not None and mine is not None else ()
    return replace(
        sides,
        player=player[0] if player else sides.player,
        allies=roster.matched(sides.allies, [card for card in hud.row.own if card is not mine]),
        enemies=roster.matched(sides.enemies, hud.row.enemies),
    )
