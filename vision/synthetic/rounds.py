"""Draws a fight of the Unity client in rounds: the timeline marks who plays; they walk, push, hit and die.

Such sequences measure what only time tells, as whose card of the timeline is whose figure.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.frame import Rect, bgra
from vision.profiles import load
from vision.synthetic import board, hud_sample, painting, scenery
from vision.synthetic.board import DrawnFighter
from vision.synthetic.canvas import Drawing
from vision.synthetic.clients import unity
from vision.synthetic.hud_sample import Area, DrawnHud
from vision.synthetic.scenery import PALETTES
from vision.view import CellKind

_CLIENT, _PALETTE = "dofus-unity", "stone"
_SCENERY, _BOARD, _HUD, _PLAY = range(4)
_FRAME_S = 0.2
_OFTEN, _SELDOM, _RARELY = 0.75, 0.3, 0.1


@dataclass(frozen=True, slots=True)
class RoundFrame:
    """A frame: BGRA, uint8, shape (height, width, 4); its time; the enemies in the order of their cards."""

    picture: npt.NDArray[np.uint8]
    at_s: float
    enemies: tuple[DrawnFighter, ...]
    mine: bool


class DrawnRounds:
    """One fight.

    Args:
        enemies: how many there are at first, each with a portrait of its own but for the last two of four or
            more, which are of one kind.
        size: width and height of the picture, in pixels.
    """

    def __init__(self, seed: int, enemies: int = 3, size: tuple[int, int] = (1280, 720)) -> None:
        self._seed, (width, height) = seed, size
        self._area = Area(0, 0, width, height)
        palette = PALETTES[_PALETTE]
        self._ground = Drawing.filled(width, height, palette.ground)
        lattice = load(_CLIENT).lattice(Rect(0, 0, width, height))
        dice = np.random.default_rng((seed, _SCENERY))
        scenery.ground(dice, self._ground, palette.ground, 1.0)
        self._fight = board.lay_out(dice, lattice, whole=False)
        board.place_fighters(dice, self._fight, ["own", *["enemy"] * enemies])
        for number, fighter in enumerate(self._fight.fighters):
            fighter.face = 1000 * seed + (number if number < max(3, enemies) else number - 1)
            fighter.life = round(float(dice.uniform(0.5, 1)), 2)
        self._order = [self._fight.fighters[i] for i in dice.permutation(enemies + 1)]
        self._hud = hud_sample.sample(dice, self._order, "fight", "mine", big=False)
        self._play = np.random.default_rng((seed, _PLAY))
        self._at = 0.0

    def frames(self, rounds: int) -> Iterator[RoundFrame]:
        """Yields the frames of so many rounds, or of those until no enemy is left."""
        for _ in range(rounds):
            for fighter in tuple(self._order):
                if fighter not in self._order:
                    continue
                for other in self._order:
                    other.playing = other is fighter
                yield from self._turn(fighter)
                if len(self._order) == 1:
                    return

    def _turn(self, fighter: DrawnFighter) -> Iterator[RoundFrame]:
        dice, own = self._play, fighter.team == "own"
        yield self._frame()
        if dice.random() < _SELDOM:
            yield from self._shove(fighter)
        if dice.random() < _OFTEN:
            for _ in range(int(dice.integers(1, 5))):
                free = self._free(fighter.cell)
                if free:
                    fighter.cell = int(dice.choice(free))
                    yield self._frame()
        if own:
            struck = [other for other in self._order if other is not fighter]
            target = struck[int(dice.integers(len(struck)))]
            target.life = max(0.0, round(target.life - float(dice.uniform(0.1, 0.45)), 2))
            if target.life <= 0:
                self._fight.fighters.remove(target)
                yield self._frame()
                self._order.remove(target)
        yield self._frame()

    def _shove(self, by: DrawnFighter) -> Iterator[RoundFrame]:
        """Pushes a fighter of the other side a cell or two, rarely one of the own side."""
        dice = self._play
        same = dice.random() < _RARELY
        others = [
            fighter for fighter in self._order if fighter is not by and (fighter.team == by.team) == same
        ]
        if others:
            fighter = others[int(dice.integers(len(others)))]
            x, y = board.place(fighter.cell)
            dx, dy = ((1, 0), (-1, 0), (0, 1), (0, -1))[int(dice.integers(4))]
            for step in (1, 2):
                cell = board.cell_of(x + step * dx, y + step * dy)
                if cell is None or cell not in self._free(fighter.cell):
                    break
                fighter.cell = cell
            yield self._frame()

    def _free(self, cell: int) -> list[int]:
        taken = {fighter.cell for fighter in self._fight.fighters}
        cells = self._fight.cells
        return [c for c in board.beside(cell) if cells[c] == CellKind.WALKABLE and c not in taken]

    def _frame(self) -> RoundFrame:
        fight, mine = self._fight, self._order[[f.playing for f in self._order].index(True)].team == "own"
        steps = np.random.default_rng((self._seed, _BOARD))
        fight.highlights = {}
        if mine:
            board.add_highlights(steps, fight, unity.CLIENT.colours, "walk", 4)
        canvas = Drawing(self._ground.image.copy())
        painting.paint(
            np.random.default_rng((self._seed, _BOARD)), canvas, fight, PALETTES[_PALETTE], _CLIENT
        )
        hud: DrawnHud = replace(self._hud, turn="mine" if mine else "other", mp=4, fighters=self._order)
        unity.draw(np.random.default_rng((self._seed, _HUD)), canvas, self._area, hud, 1.0, False)
        self._at += _FRAME_S
        picture = bgra(canvas.image)
        enemies = tuple(replace(fighter) for fighter in self._order if fighter.team == "enemy")
        return RoundFrame(picture, self._at, enemies, mine)
