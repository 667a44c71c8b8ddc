"""Draws a client that there is not, see dofus-made.toml beside this file.

Green and violet hexagons under fighters, AP above MP in a hexagon and a house, the timeline at the upper
left. Lengths of the HUD are in units of its anchor, from the hexagon to the house.
"""

from vision.synthetic.board import DrawnFighter
from vision.synthetic.board_looks import BoardLook, BoardShares
from vision.synthetic.canvas import RGB, Drawing, Point, tone
from vision.synthetic.clients.base import BoardStyle, DrawnClient, HudStyle
from vision.synthetic.hud_sample import Area, DrawnHud, chat, greyed, icon, letters, numerals, portrait
from vision.synthetic.scenery import Dice

UNIT = 0.054
_HEXAGON = ((0.0, -0.5), (0.5, -0.25), (0.5, 0.25), (0.0, 0.5), (-0.5, 0.25), (-0.5, -0.25))
_HOUSE = ((0.0, -0.5), (0.5, -0.1), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.1))
_GREEN: RGB = (40, 180, 60)
_VIOLET: RGB = (150, 45, 225)
_AMBER: RGB = (236, 152, 26)
_CYAN: RGB = (24, 186, 206)
_PINK: RGB = (226, 52, 158)
_PANEL: RGB = (34, 28, 46)
_WHITE: RGB = (252, 252, 252)
_SPELLS: tuple[RGB, ...] = (
    (232, 160, 160),
    (120, 190, 210),
    (230, 130, 50),
    (170, 210, 150),
    (220, 190, 110),
)


def _shape(corners: tuple[Point, ...], at: Point, wide: float, tall: float) -> list[Point]:
    return [(at[0] + x * wide, at[1] + y * tall) for x, y in corners]


def ring(
    dice: Dice, canvas: Drawing, at: Point, cell: tuple[float, float], fighter: DrawnFighter, look: BoardLook
) -> None:
    colour = _VIOLET if fighter.team == "enemy" else _GREEN
    size, line = 0.66 * float(dice.uniform(0.96, 1.04)), max(1.5, 0.045 * look.line * cell[0])
    outline = _shape(_HEXAGON, at, size * cell[0], size * cell[1])
    canvas.polygon(outline, colour, max(0.12, look.inside))
    canvas.stroke(outline, tone(dice, colour, 5), line)
    if fighter.team == "own":
        inner = _shape(_HEXAGON, at, 0.66 * size * cell[0], 0.66 * size * cell[1])
        canvas.stroke(inner, tone(dice, colour, 5), line)


def draw(dice: Dice, canvas: Drawing, area: Area, hud: DrawnHud, scale: float, moved: bool) -> None:
    u = UNIT * area.height * min(scale, 1.0)
    x, y = area.left + 1.1 * u, area.bottom - 1.2 * u
    if moved:
        x += float(dice.uniform(0, max(0.1 * u, area.width - 17 * u)))
    fight = hud.phase != "not-fight"
    canvas.box(x - 0.9 * u, y - 1.2 * u, 13.0 * u if not fight else 16.0 * u, 2.4 * u, tone(dice, _PANEL, 3))
    _vitals(dice, canvas, (x, y), u, hud)
    _spells(dice, canvas, (x + 3.1 * u, y - 0.38 * u), u, hud, fight)
    wide = 5.5 * u
    canvas.box(area.right - wide, area.top, wide, 2.4 * u, (26, 24, 30), opacity=0.9)
    chat(
        dice, canvas, area.right - wide, area.top, wide, 2.2 * u, 0.34 * u, ((220, 220, 220), (160, 220, 150))
    )
    if fight:
        _button(dice, canvas, (x + 13.6 * u, y), u, hud)
        _cards(dice, canvas, (area.left + 0.8 * u, area.top + 0.9 * u), u, hud)


def _vitals(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    (x, y), face = at, numerals(dice)
    for corners, middle, size, colour in (
        (_HEXAGON, (x, y - 0.5 * u), (0.79 * u, 0.88 * u), _AMBER),
        (_HOUSE, (x, y + 0.48 * u), (0.75 * u, 0.88 * u), _CYAN),
    ):
        canvas.polygon(_shape(corners, middle, 1.08 * size[0], 1.08 * size[1]), (18, 14, 24))
        canvas.polygon(_shape(corners, middle, *size), tone(dice, colour, 5), fade=0.15)
    for value, down in ((hud.ap, -0.5), (hud.mp, 0.54)):
        canvas.write(str(value), (x, y + down * u), 0.26 * u, _WHITE, face, outline=((20, 20, 30), 0.02 * u))
    canvas.box(x + 0.7 * u, y - 0.62 * u, 1.8 * u, 1.24 * u, (60, 20, 34), corner=0.1 * u)
    for value, down in ((hud.hp, -0.27), (hud.max_hp, 0.29)):
        canvas.write(str(value), (x + 1.6 * u, y + down * u), 0.26 * u, _WHITE, face)


def _spells(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud, fight: bool) -> None:
    figures = numerals(dice)
    for index in range(11):
        left = at[0] + 0.84 * index * u
        slot = hud.spells[index] if index < len(hud.spells) else None
        if slot is None:
            canvas.box(left, at[1], 0.76 * u, 0.76 * u, (24, 20, 32), corner=0.08 * u)
            continue
        usable, cooldown = slot if fight else (True, 0)
        colour = tone(dice, _SPELLS[index % len(_SPELLS)], 10)
        icon(dice, canvas, left, at[1], 0.76 * u, colour, 1.0 if usable else 0.55)
        if cooldown:
            middle = (left + 0.38 * u, at[1] + 0.38 * u)
            canvas.write(str(cooldown), middle, 0.37 * u, _WHITE, figures, outline=((10, 10, 10), 0.04 * u))


def _button(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    mine = hud.turn == "mine" or hud.phase == "placement"
    colour = tone(dice, _PINK if mine else (92, 86, 96), 4)
    canvas.box(at[0] - 1.2 * u, at[1] - 0.41 * u, 2.4 * u, 0.82 * u, colour, corner=0.2 * u, fade=0.1)
    canvas.write(str(dice.choice(["FIN", "END", "PASSER"])), at, 0.24 * u, (40, 10, 30), letters(dice))


def _cards(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    size = 1.05 * u
    for index, fighter in enumerate(hud.fighters):
        left, top = at[0] + 1.12 * size * index, at[1] - (0.22 * size if fighter.playing else 0.0)
        ground: RGB = (96, 52, 150) if fighter.team == "enemy" else (44, 104, 58)
        canvas.box(left, top, size, size, tone(dice, ground, 4), fade=0.3)
        portrait(fighter.dice(dice), canvas, left, top, size, size)
        if fighter.dead:
            greyed(canvas, left, top, size, size)
            continue
        canvas.box(left, top + 1.07 * size, size * fighter.life, 0.09 * size, _CYAN)
        if fighter.playing:
            tip, foot = top + 1.32 * size, top + 1.53 * size
            middle = left + size / 2
            canvas.polygon(
                [(middle, tip), (middle + 0.22 * size, foot), (middle - 0.22 * size, foot)], _AMBER
            )


CLIENT = DrawnClient(
    "dofus-made",
    {
        "reachable": (200, 160, 32),
        "tackled": (110, 50, 8),
        "range": (32, 160, 168),
        "no_sight": (127, 158, 160),
        "area": (224, 64, 160),
        "red_start": (56, 192, 32),
        "blue_start": (106, 32, 224),
    },
    HudStyle(
        draw,
        life="rows",
        top=(0.8, 0.86),
    ),
    BoardStyle(
        36,
        0.75,
        1.0,
        ring,
        figures=True,
        cell_w=0.0815,
        foot=0.165,
        looks=BoardShares(thin=0.2),
    ),
    share=0.35,
)
