"""Reads a frame of a real client: first where the client is, then its HUD and its board.

What the board shows is only believed where its lattice is found, and cells get their ids only where the
lattice lies where the profile expects it; else they are withheld. Next hop: `botapp.advisor.situation`.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.extract.client import find_client
from vision.extract.real import fighters, lattice, roster
from vision.extract.real.borders import BorderReader
from vision.extract.real.fighters import Sides
from vision.extract.real.hud import HudReader
from vision.extract.real.model import HudSeen
from vision.extract.real.phase import Sign
from vision.extract.real.phase import phase as weighed
from vision.frame import Rect
from vision.profiles import Profile
from vision.screen import ScreenRules
from vision.view import FightView, Lattice, Phase, Seen

_BOARD_BOTTOM = 0.87
_LIKELY = 0.5
_BORDERED = 0.1
_SAME_CELL = 0.25
_TRUSTED = 40


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """What the board shows: its lattice, who stands on it, and how sure it is that this is a fight."""

    lattice: Seen[Lattice]
    sides: Sides
    fight: float


@dataclass(frozen=True, slots=True)
class _Known:
    """What the frame before showed: the picture's shape, the client, its lattice and its board's pixels."""

    shape: tuple[int, ...]
    client: Rect
    fit: lattice.Fit
    part: npt.NDArray[np.uint8]
    board: BoardSeen
    age: int = 0

    def fits(self, bgr: npt.NDArray[np.uint8]) -> bool:
        """Returns whether the client may be taken to be where it was."""
        return bgr.shape == self.shape and self.age < _TRUSTED


class RealReader:
    """Reads frames of one real client."""

    def __init__(self, profile: Profile, rules: ScreenRules) -> None:
        """Prepares what does not change between frames."""
        self._profile = profile
        self._rules = rules
        self._borders = BorderReader(rules)
        self._hud = HudReader(profile)
        self._known: _Known | None = None

    def read(self, pixels: npt.NDArray[np.uint8]) -> FightView:
        """Reads a picture in BGRA that shows the client and perhaps more."""
        bgr = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), np.uint8)
        self._known = self._known if self._known is not None and self._known.fits(bgr) else None
        client = self._known.client if self._known is not None else find_client(bgr, self._profile)
        if client is None:
            return FightView(reason=f"no client area of {self._profile.name} is found in the picture")
        hud = self._hud.read(bgr, client)
        board = self._board(pixels, bgr, client)
        phase = _phase(hud, board)
        if phase.value is not Phase.FIGHT and phase.value is not Phase.PLACEMENT:
            reason = hud.reason or f"the board of {self._profile.name} is not found in the picture"
            return FightView(client=client, phase=phase, reason=reason)
        sides = _matched(board.sides, hud) if board is not None else Sides(None, (), (), False)
        return FightView(
            client=client,
            phase=phase,
            turn=hud.turn if phase.value is Phase.FIGHT else Seen(),
            lattice=board.lattice if board is not None else Seen(),
            player=sides.player,
            allies=sides.allies,
            enemies=sides.enemies,
            hp=hud.hp,
            max_hp=hud.max_hp,
            shield=hud.shield,
            ap=hud.ap,
            mp=hud.mp,
            timer_s=hud.timer_s,
            turn_number=hud.turn_number,
            fighters_shown=hud.fighters_shown,
            timeline=hud.timeline,
            spells=hud.spells,
            reason=hud.reason,
        )

    def _board(
        self, bgra: npt.NDArray[np.uint8], bgr: npt.NDArray[np.uint8], client: Rect
    ) -> BoardSeen | None:
        """Reads the board of a client area, None where none is found.

        The lattice of the frame before is tried first; where no border lies on it, it is looked for again.
        """
        area = Rect(client.x, client.y, client.width, round(client.height * _BOARD_BOTTOM))
        part = bgr[area.y : area.bottom, area.x : area.right]
        if self._known is not None:
            if np.array_equal(part, self._known.part):
                return self._known.board
            board = self._on(bgra, area, self._known.fit, aligned=True)
            if board is not None and board.fight:
                self._known = replace(self._known, part=part, board=board, age=self._known.age + 1)
                return board
        self._known = None
        fit = lattice.find(bgr, client, self._profile)
        board = self._on(bgra, area, fit) if fit is not None and fit.confidence >= _BORDERED else None
        if fit is not None and board is not None and board.fight:
            on = fit if board.lattice.value is None else replace(fit, lattice=board.lattice.value)
            self._known = _Known(bgr.shape, client, on, part, board)
        return board

    def _on(
        self, bgra: npt.NDArray[np.uint8], area: Rect, fit: lattice.Fit, aligned: bool = False
    ) -> BoardSeen | None:
        """Reads who stands on a lattice, None where it is in doubt and nobody does."""
        borders = fighters.believed(self._borders.find(bgra, fit.lattice, area, aligned))
        if fit.confidence < _LIKELY and not borders:
            return None
        moved = fighters.aligned(fit.lattice, borders)
        numbered = self._rules.numbered and fit.apart <= _SAME_CELL
        sides = fighters.settle(borders, moved, numbered)
        confidence = min(0.99, max(fit.confidence, 0.9 if borders else 0.0))
        fight = 0.9 if sides.player is not None and sides.enemies else 0.4 if borders else 0.0
        return BoardSeen(Seen(moved, confidence), sides, fight)


def _phase(hud: HudSeen, board: BoardSeen | None) -> Seen[Phase]:
    """Returns the phase that HUD and board speak for together.

    Borders are only shown in a fight, but other games and our own arena have such borders, too: the board
    only counts where the HUD shows this client's vitals.
    """
    if board is None or board.fight < _LIKELY or not (hud.hp or hud.ap or hud.mp):
        return hud.phase
    signs: dict[Sign, float] = {**hud.signs, "fighters": board.fight}
    return weighed(signs)


def _matched(sides: Sides, hud: HudSeen) -> Sides:
    """Returns who stands on the board with what their cards show of them."""
    hp, most = hud.hp.value, hud.max_hp.value
    life = hp / most if hp is not None and most else None
    mine = roster.own_card(hud.timeline, hud.turn.value == "mine", life)
    player = roster.matched((sides.player,), (mine,)) if sides.player is not None and mine is not None else ()
    return replace(
        sides,
        player=player[0] if player else sides.player,
        allies=roster.matched(sides.allies, [c for c in hud.timeline if c.team != "enemy" and c is not mine]),
        enemies=roster.matched(sides.enemies, [c for c in hud.timeline if c.team == "enemy"]),
    )
