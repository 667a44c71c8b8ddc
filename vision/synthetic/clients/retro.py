"""Draws a HUD in the style of the Retro client (1.x).

Lengths are in units of the heart's width: 126 px in a client area of 2408x1800.
"""

import numpy as np

from vision.synthetic.board import DrawnFighter
from vision.synthetic.board_looks import BoardShares
from vision.synthetic.canvas import RGB, Drawing, Point, heart, shaded, star, tone
from vision.synthetic.clients.base import BoardStyle, DrawnClient, HudStyle, TeamRing
from vision.synthetic.hud_sample import Area, DrawnHud, chat, icon, letters, numerals, portrait, silhouette
from vision.synthetic.scenery import Dice
from vision.view import Lattice

UNIT = 126 / 2408
_BEIGE: RGB = (213, 207, 170)
_ORANGE: RGB = (240, 112, 40)
_BROWN: RGB = (84, 76, 62)
_WIDE = 0.656


def draw(dice: Dice, canvas: Drawing, area: Area, hud: DrawnHud, scale: float, moved: bool) -> None:
    """Draws the HUD, which fills the lower quarter; panels of this client cannot be moved or scaled."""
    u = UNIT * area.width
    top = area.top + 0.775 * area.height
    x, y = area.left + 0.561 * area.width, area.top + 0.803 * area.height
    canvas.box(area.left, top, area.width, area.bottom - top, (250, 250, 248))
    canvas.box(area.left, top + 0.9 * u, 9 * u, 2 * u, (252, 252, 252))
    canvas.box(area.left, top, 9 * u, 0.45 * u, (139, 132, 108))
    canvas.box(x, y + 0.75 * u, area.right - x, 2.5 * u, _BEIGE)
    colours = ((60, 150, 40), (40, 40, 40), (40, 90, 200))
    chat(dice, canvas, area.left + 0.3 * u, top + 0.5 * u, 7 * u, 2.3 * u, 0.3 * u, colours)
    canvas.oval((x, y + 1.3 * u), (3.1 * u, 3.1 * u), (250, 250, 248))
    canvas.oval((x, y + 1.3 * u), (2.9 * u, 2.9 * u), _BROWN)
    canvas.oval((x, y + 1.3 * u), (2.0 * u, 2.0 * u), (226, 210, 192))
    for _ in range(25):
        dx, dy = dice.uniform(-0.6, 0.6, 2) * u
        canvas.oval(
            (x + float(dx), y + 1.3 * u + float(dy)), (0.12 * u, 0.06 * u), tone(dice, (170, 140, 110), 16)
        )
    _numbers(dice, canvas, (x, y), u, hud)
    _right(dice, canvas, area, (x, y), u, hud)
    _cards(dice, canvas, area, (x, y), u, hud)


def _cards(dice: Dice, canvas: Drawing, area: Area, at: Point, u: float, hud: DrawnHud) -> None:
    """Draws the timeline in the lower right corner of the board, unless the player has folded it."""
    by_chance = dice.random() < 0.25
    folded = by_chance if hud.folded is None else hud.folded
    living = [fighter for fighter in hud.fighters if not fighter.dead]
    if folded or hud.phase != "fight" or sum(fighter.team != "enemy" for fighter in living) > 1:
        hud.covered |= {"turn"}
    if hud.phase == "placement" and not hud.look.points_placing:
        hud.covered |= {"ap", "mp"}
        _ready(dice, canvas, area, u, at[1] - 0.75 * u)
        return
    if folded or hud.phase == "not-fight":
        return
    for index, fighter in enumerate(reversed(hud.fighters)):
        _card(dice, canvas, area.right - (0.64 + _WIDE + 0.863 * index) * u, at[1] - 0.613 * u, u, fighter)


def _card(dice: Dice, canvas: Drawing, left: float, bottom: float, u: float, fighter: DrawnFighter) -> None:
    """Draws a card; that of a dead fighter shows its shape in grey and no life bar."""
    wide, tall = _WIDE * u, 0.781 * u
    top = bottom - tall
    if fighter.playing:
        canvas.box(left - 0.1 * u, top - 0.1 * u, wide + 0.2 * u, tall + 0.2 * u, (237, 112, 45))
    canvas.box(left - 0.05 * u, top - 0.05 * u, wide + 0.1 * u, tall + 0.1 * u, (212, 207, 174))
    canvas.box(left - 0.024 * u, top - 0.024 * u, wide + 0.048 * u, tall + 0.048 * u, (80, 74, 62))
    canvas.box(left, top, wide, tall, (255, 255, 255))
    face, inner = fighter.dice(dice), (left + 0.05 * u, top + 0.05 * u, wide - 0.25 * u, tall - 0.1 * u)
    if fighter.dead:
        silhouette(face, canvas, *inner, (68, 68, 68))
        canvas.box(left + wide - 0.127 * u, top, 0.024 * u, tall, (204, 204, 204))
        return
    portrait(face, canvas, *inner)
    line = (244, 0, 0) if fighter.team != "enemy" else (0, 0, 245)
    full = max(0.02, fighter.life) * tall
    canvas.box(left + wide - 0.103 * u, bottom - full, 0.103 * u, full, line)


def _ready(dice: Dice, canvas: Drawing, area: Area, u: float, bottom: float) -> None:
    """Draws the button that ends the choice of a place, in the lower right corner of the board."""
    left = area.right - 2.7 * u
    slant = ((0.25, 0.0), (2.75, 0.0), (2.75, 0.78), (0.0, 0.78))
    canvas.polygon([(left + x * u, bottom + (y - 0.78) * u) for x, y in slant], _BEIGE)
    inner = ((0.45, 0.1), (2.4, 0.1), (2.28, 0.66), (0.33, 0.66))
    canvas.polygon([(left + x * u, bottom + (y - 0.78) * u) for x, y in inner], _ORANGE)
    word = str(dice.choice(["Prêt", "Ready", "Listo", "Bereit"]))
    canvas.write(word, (left + 1.36 * u, bottom - 0.4 * u), 0.2 * u, (255, 255, 255), letters(dice))


def _numbers(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    x, y = at
    face = numerals(dice)
    for side in (-1, 1):
        canvas.oval((x + side * 1.03 * u, y + 0.17 * u), (0.74 * u, 0.74 * u), (70, 62, 48))
        canvas.oval((x + side * 1.03 * u, y + 0.17 * u), (0.68 * u, 0.68 * u), (250, 250, 250), fade=0.1)
    for turn in range(5):
        angle = np.pi * (0.55 + 0.23 * turn)
        spot = (
            x - 1.03 * u + float(np.cos(angle)) * 0.36 * u,
            y + 0.17 * u + float(np.sin(angle)) * 0.36 * u,
        )
        canvas.polygon(star(spot, 0.2 * u), (250, 190, 60))
    canvas.polygon(
        [
            (x + 0.55 * u, y),
            (x + 1.0 * u, y - 0.22 * u),
            (x + 1.14 * u, y - 0.12 * u),
            (x + 0.66 * u, y + 0.12 * u),
        ],
        (96, 180, 48),
    )
    colour = tone(dice, (196, 34, 24), 6)
    canvas.polygon(heart((x, y), 1.14 * u, 1.08 * u), (250, 246, 244))
    canvas.polygon(heart((x, y), 1.0 * u, 0.94 * u), shaded(colour, 0.9))
    canvas.polygon(heart((x - 0.02 * u, y - 0.02 * u), 0.9 * u, 0.84 * u), colour, fade=0.25)
    cap = 0.37 * u if hud.hp < 1000 else 0.28 * u
    canvas.write(str(hud.hp), (x + 0.008 * u, y - 0.078 * u), cap, (8, 4, 44), face)
    if hud.phase == "fight" or (hud.phase == "placement" and hud.look.points_placing):
        canvas.write(str(hud.ap), (x - 1.029 * u, y + 0.162 * u), 0.306 * u, (0, 0, 240), face)
        canvas.write(str(hud.mp), (x + 1.018 * u, y + 0.185 * u), 0.302 * u, (30, 100, 24), face)


def _icon(dice: Dice, canvas: Drawing, at: Point, size: float, light: float) -> None:
    """Draws a spell's picture: white on black, in a frame with a circle; greyed ones are half as bright."""
    x, y = at
    white, line = shaded(tone(dice, (250, 250, 248), 3), light), max(1.0, 0.045 * size)
    middle = (x + size / 2, y + size / 2)
    icon(dice, canvas, x, y, size, shaded(tone(dice, (44, 44, 42), 6), light), light)
    canvas.ring(middle, (0.82 * size, 0.82 * size), white, line)
    corners = [(x + 0.09 * size, y + 0.09 * size), (x + 0.91 * size, y + 0.09 * size)]
    corners += [(x + 0.91 * size, y + 0.91 * size), (x + 0.09 * size, y + 0.91 * size)]
    canvas.stroke(corners, white, line)
    for corner, turn in zip(corners, ((1, 1), (-1, 1), (-1, -1), (1, -1)), strict=True):
        end = (corner[0] + 0.16 * size * turn[0], corner[1] + 0.16 * size * turn[1])
        canvas.stroke([corner, end], white, line, closed=False)


def _right(dice: Dice, canvas: Drawing, area: Area, at: Point, u: float, hud: DrawnHud) -> None:
    x, y = at
    for index in range(9):
        canvas.oval((x + (1.9 + 0.74 * index) * u, y + 0.1 * u), (0.58 * u, 0.58 * u), _ORANGE)
        canvas.oval(
            (x + (1.9 + 0.74 * index) * u, y + 0.1 * u), (0.3 * u, 0.36 * u), tone(dice, (220, 190, 120), 30)
        )
    for index in range(14):
        left, top = x + (2.58 + 0.706 * (index % 7)) * u, y + (1.005 + 0.742 * (index // 7)) * u
        slot = hud.spells[index] if index < len(hud.spells) else None
        canvas.box(left - 2, top - 2, 0.6 * u + 4, 0.6 * u + 4, (176, 170, 136))
        if slot is None:
            continue
        _icon(dice, canvas, (left, top), 0.6 * u, 1.0 if slot[0] else 0.5)
        if slot[1]:
            canvas.write(
                str(slot[1]), (left + 0.3 * u, top + 0.3 * u), 0.3 * u, (255, 255, 255), letters(dice)
            )
    press = _ORANGE if hud.turn == "mine" else (190, 180, 160)
    canvas.polygon(
        [
            (x + 1.2 * u, y + 2.5 * u),
            (x + 1.6 * u, y + 1.95 * u),
            (x + 2.2 * u, y + 1.95 * u),
            (x + 2.2 * u, y + 2.5 * u),
        ],
        press,
    )
    canvas.box(area.right - 0.42 * u, area.top + 0.7 * area.height, 0.4 * u, 0.1 * area.height, _ORANGE)
    if hud.phase != "not-fight":
        canvas.write(
            str(len(hud.fighters)),
            (area.right - 0.2 * u, area.top + 0.76 * area.height),
            0.2 * u,
            (255, 255, 255),
            letters(dice),
        )


def _lattice(dice: Dice, area: Area) -> tuple[Lattice, bool]:
    """Returns the documented lattice, which begins in the upper left corner and is never zoomed in."""
    w, h = 53 / 556 * area.height, 27 / 556 * area.height
    x, y = (float(value) for value in dice.normal(0, 0.02, 2))
    return Lattice((area.left + x * w, area.top + y * h), w, h), False


CLIENT = DrawnClient(
    "dofus-retro",
    {
        "reachable": (0, 153, 0),
        "range": (36, 102, 150),
        "area": (230, 60, 40),
        "red_start": (255, 0, 0),
        "blue_start": (0, 0, 255),
    },
    HudStyle(
        draw,
        life="number",
        with_dead=0.35,
        keeps_dead=True,
        top=(0.76, 0.776),
        plays_summons=False,
        points_placing=False,
    ),
    BoardStyle(
        31,
        0.5,
        1.9,
        TeamRing(0.7, 0.055, (236, 48, 34), (0, 0, 230)),
        figures=True,
        looks=BoardShares(bare=0.4, flat=0.5),  # three of seven real fights, all real boards
        lattice=_lattice,
        whole_maps=True,
        opaque_starts=0.5,  # its tactical board
    ),
    shape=742 / 556,
    share=0.15,
)
