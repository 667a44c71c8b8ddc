"""Draws a fight as a sequence of frames: fighters walk on one map, the timer ticks, cells are highlighted.

Such frames measure the cost of reading once the board is known, which single screens cannot.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Rect, bgra
from vision.profiles import load
from vision.synthetic import board, hud_sample, painting, scenery
from vision.synthetic.board import DrawnFight, DrawnFighter
from vision.synthetic.canvas import Drawing, Picture
from vision.synthetic.clients import CLIENTS
from vision.synthetic.scenery import PALETTES, Dice
from vision.view import CellKind

_MP = 4  # The MP of the player in all of them, which its reach is drawn for
_PALETTE = "stone"
_MODES = ("walk", "walk", "none", "aim", "walk", "none")
_SCENERY, _PEOPLE, _BOARD, _HUD = range(4)


@dataclass(frozen=True, slots=True)
class DrawnMoment:
    """A moment of a fight."""

    picture: npt.NDArray[np.uint8]  # BGRA, uint8, shape (height, width, 4)
    own: int | None = None  # The cell of the player's fighter, None where it is not known
    bodies: tuple[Rect, ...] = ()


def moments(
    client: str, count: int, seed: int = 2, size: tuple[int, int] = (1920, 1080)
) -> list[DrawnMoment]:
    """Draws moments of one fight on the player's turns, with an ally where the client marks allies.

    Args:
        client: a key of `vision.synthetic.clients.CLIENTS`.
        size: width and height of the picture, in pixels; Retro keeps its shape between black borders.
    """
    width, height = size
    way = CLIENTS[client]
    area = way.area(width, height)
    palette = PALETTES[_PALETTE]
    ground = Drawing.filled(width, height, palette.ground)
    profile = load(client)
    assert profile.screen is not None
    lattice = profile.lattice(Rect(area.left, 0, area.width, height))
    dice = np.random.default_rng((seed, _SCENERY))
    scenery.ground(dice, ground, palette.ground, 1.0)
    scenery.furnish(dice, ground, palette, lattice.cell_w, 20)
    fight = board.lay_out(dice, lattice, whole=False, last=way.board.last_row)
    second = "ally" if profile.screen.border.marks_player else "enemy"
    board.place_fighters(dice, fight, ["own", second, "enemy", "enemy"])
    fight.fighters[0].playing = True
    first = hud_sample.sample(dice, fight.fighters, "fight", "mine", way.hud.long_lives)
    drawn = []
    for index in range(count):
        steps = np.random.default_rng((seed, _PEOPLE, index))
        fight.fighters = [_walked(steps, fight, fighter) for fighter in fight.fighters]
        fight.highlights = {}
        board.add_highlights(steps, fight, way.colours, _MODES[index % len(_MODES)], _MP)
        canvas = Drawing(ground.image.copy())
        painting.paint(np.random.default_rng((seed, _BOARD)), canvas, fight, palette, client)
        now = replace(
            first, timer_s=max(1, 40 - index), ap=first.ap - index % 4, mp=_MP, fighters=fight.fighters
        )
        way.hud.draw(np.random.default_rng((seed, _HUD)), canvas, area, now, 1.0, False)
        canvas.image[:, : area.left] = canvas.image[:, area.right :] = 0
        drawn.append(_moment(canvas.image, fight))
    return drawn


def frames(
    drawn: list[DrawnMoment], count: int, hold: int = 6
) -> Iterator[tuple[npt.NDArray[np.uint8], DrawnMoment]]:
    """Yields frames, each a fresh array (BGRA) that differs from the one before, with the moment it shows.

    A moment lasts several frames, in which the pointer moves and the fighters sway.

    Args:
        drawn: the moments, repeated in order.
        hold: how many frames a moment lasts.
    """
    for index in range(count):
        moment = drawn[index // hold % len(drawn)]
        picture = moment.picture.copy()
        height, width = picture.shape[:2]
        x, y = round(width * (0.1 + 0.002 * (index % 400))), round(height * (0.3 + 0.001 * (index % 300)))
        for box in moment.bodies:
            body = picture[box.y : box.bottom, box.x : box.right]
            body[:] = np.roll(body, index % 3 - 1, axis=1)
        cv2.fillConvexPoly(picture, np.array([(x, y), (x, y + 22), (x + 14, y + 14)]), (255, 255, 255, 255))
        yield picture, moment


def _walked(dice: Dice, fight: DrawnFight, fighter: DrawnFighter) -> DrawnFighter:
    taken = {other.cell for other in fight.fighters}
    free = [c for c in board.beside(fighter.cell) if fight.cells[c] == CellKind.WALKABLE and c not in taken]
    if free and dice.random() < 0.7:
        fighter.cell = int(dice.choice(free))
    return fighter


def _moment(picture: Picture, fight: DrawnFight) -> DrawnMoment:
    wide, tall = round(fight.lattice.cell_w * 0.3), round(fight.lattice.cell_h)
    bodies = []
    for fighter in fight.fighters:
        x, y = (round(value) for value in fight.lattice.centre(fighter.cell))
        bodies.append(Rect(max(0, x - wide // 2), max(0, y - tall), wide, round(0.8 * tall)))
    return DrawnMoment(bgra(picture), fight.fighters[0].cell, tuple(bodies))
