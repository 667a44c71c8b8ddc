"""Draws a HUD in the style of the 2.x client.

Lengths are in units of 48 px at a client height of 1009; AP star and MP diamond are 1.046 units apart.
"""

from vision.synthetic.board_looks import BoardShares
from vision.synthetic.canvas import RGB, Drawing, Point, Typeface, diamond, heart, shaded, star, tone
from vision.synthetic.clients.base import BoardStyle, DrawnClient, HudStyle, TeamRing, chosen
from vision.synthetic.hud_sample import (
    NAMES,
    Area,
    DrawnHud,
    Look,
    chat,
    greyed,
    icon,
    letters,
    numerals,
    portrait,
    tooltip,
)
from vision.synthetic.scenery import Dice

UNIT = 48 / 1009
_PANEL: RGB = (42, 44, 30)
_LIME: RGB = (209, 240, 6)
_SPELLS: tuple[RGB, ...] = (
    (232, 160, 160),
    (120, 190, 210),
    (230, 130, 50),
    (170, 210, 150),
    (220, 190, 110),
    (150, 130, 170),
)
_END = ("TERMINER LE", "END", "TERMINAR EL", "ZUG")
_SECOND = ("TOUR", "TURN", "TURNO", "BEENDEN")


def draw(dice: Dice, canvas: Drawing, area: Area, hud: DrawnHud, scale: float, moved: bool) -> None:
    u = UNIT * area.height * scale
    x = area.left + area.width / 2 - 3.8 * u + float(dice.normal(0, 0.2)) * u
    y = area.bottom - 0.49 * u
    if moved:
        x = float(dice.uniform(area.left + 6 * u, max(area.left + 6.1 * u, area.right - 19 * u)))
    canvas.box(x - 8.6 * u, y - 1.85 * u, 26 * u, 2.3 * u, tone(dice, _PANEL, 3))
    _chat(dice, canvas, (x, y), u)
    _vitals(dice, canvas, (x, y), u, hud)
    _spell_bar(dice, canvas, (x + 1.2 * u, y), u, hud)
    white: RGB = (240, 240, 240)
    canvas.write(
        str(dice.choice(NAMES)),
        (area.left + 0.4 * u, area.top + 0.75 * u),
        0.36 * u,
        white,
        letters(dice),
        align=0,
    )
    for index in range(2):
        canvas.box(area.right - (0.6 + 0.62 * index) * u, area.top + 0.2 * u, 0.48 * u, 0.48 * u, _LIME)
    if hud.phase == "not-fight":
        return
    press = (x + 12.75 * u, y - 1.08 * u)
    _button(dice, canvas, press, u, hud)
    _cards(dice, canvas, area, u, hud)
    if hud.look.inspected:
        _inspected(dice, canvas, (x + 1.1 * u, y), u)
        hud.covered |= {"turn"}
        hud.spells = []
    if moved and dice.random() < 0.25:
        tooltip(dice, canvas, press, 4 * u, 2 * u)
        hud.covered |= {"turn"}


def _vitals(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    x, y = at
    middle = (x + 0.03 * u, y - 1.28 * u)
    canvas.polygon(heart(middle, 2.15 * u, 1.9 * u), (36, 30, 24))
    colour = tone(dice, (206, 30, 66), 6)
    outline = heart(middle, 1.95 * u, 1.72 * u)
    canvas.polygon(outline, colour, fade=0.4)
    canvas.oval((middle[0] - 0.4 * u, middle[1] - 0.5 * u), (0.6 * u, 0.35 * u), (255, 255, 255), 0.25)
    if hud.look.drained and hud.hp < hud.max_hp:
        level = middle[1] + (0.86 - 1.72 * hud.hp / max(1, hud.max_hp)) * u
        canvas.polygon([(px, min(py, level)) for px, py in outline], (48, 36, 34))
    face = numerals(dice, 0.86)
    _life(canvas, (x + 0.034 * u, y - 1.335 * u), u, hud, face)
    blue, green = tone(dice, (0, 166, 226), 6), tone(dice, (140, 196, 4), 6)
    canvas.polygon(star((x - 0.523 * u, y + 0.04 * u), 1.06 * u), (20, 30, 30))
    canvas.polygon(star((x - 0.523 * u, y + 0.04 * u), 0.98 * u), blue, fade=0.3)
    canvas.polygon(diamond((x + 0.523 * u, y), 1.04 * u, 1.04 * u), (20, 30, 20))
    canvas.polygon(diamond((x + 0.523 * u, y), 0.96 * u, 0.96 * u), green, fade=0.3)
    for value, left in ((hud.ap, -0.485), (hud.mp, 0.49)):
        canvas.write(
            str(value), (x + left * u, y), 0.392 * u, (255, 255, 255), face, outline=((30, 40, 30), 0.015 * u)
        )
        if hud.look.underlined:
            _rule(canvas, (x + left * u, y + 0.25 * u), 0.2 * u * len(str(value)), 0.03 * u)


def _life(canvas: Drawing, at: Point, u: float, hud: DrawnHud, face: Typeface) -> None:
    x, y = at
    rows, cap = [(str(hud.hp), 0.0)], 0.4
    if hud.look.life == "percent":
        rows = [(f"{hud.percentage}%", 0.0)]
    elif hud.look.life == "rows":
        rows, cap = [(str(hud.hp), -0.257), (str(hud.max_hp), 0.318)], 0.385
        x -= 0.03 * u  # measured: a heart with two rows has them a little further left than one with one
    wide = 0.0
    for text, down in rows:
        edge = ((60, 10, 20), 0.03 * u)
        wide = max(wide, canvas.write(text, (x, y + down * u), cap * u, (252, 252, 252), face, outline=edge))
    if hud.look.life == "rows":
        _rule(canvas, (x + 0.02 * u, y + 0.037 * u), wide, 0.045 * u)
    elif hud.look.underlined:
        _rule(canvas, (x, y + 0.285 * u), wide, 0.03 * u)


def _rule(canvas: Drawing, middle: Point, wide: float, thick: float) -> None:
    """Draws a level line, at least half a pixel thick, about its middle."""
    thick = max(0.5, thick)
    canvas.box(middle[0] - wide / 2, middle[1] - thick / 2, wide, thick, (252, 252, 252))


def _inspected(dice: Dice, canvas: Drawing, at: Point, u: float) -> None:
    x, y = at
    face = letters(dice)
    canvas.box(x, y - 2.15 * u, 6.8 * u, 0.45 * u, (34, 36, 28))
    canvas.write("Poutre Niv. 50", (x + 0.2 * u, y - 1.93 * u), 0.22 * u, (190, 190, 190), face, align=0)
    canvas.box(x, y - 1.72 * u, 13.4 * u, 2.15 * u, (30, 32, 26))
    canvas.oval((x + 0.9 * u, y - 0.6 * u), (0.9 * u, 1.3 * u), tone(dice, (190, 160, 90), 20))
    for row in range(4):
        text = f"{int(dice.integers(0, 3000))} / {int(dice.integers(1, 3000))}" if row == 0 else "0"
        spot = x + 2.45 * u, y + (-1.4 + 0.5 * row) * u
        canvas.write(text, spot, 0.24 * u, (226, 226, 226), face, align=0)
    for column in range(5):
        for row in range(3):
            left, middle = x + (5.3 + 1.6 * column) * u, y + (-1.3 + 0.62 * row) * u
            canvas.oval((left, middle), (0.28 * u, 0.28 * u), tone(dice, (120, 150, 110), 40))
            text = f"{int(dice.integers(-20, 60))}%" if row == 2 else "0"
            canvas.write(text, (left + 0.4 * u, middle), 0.22 * u, (170, 170, 170), face, align=0)


def _button(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    x, y = at
    mine = hud.turn == "mine" or hud.phase == "placement"
    colour = tone(dice, _LIME, 5) if mine else tone(dice, (96, 100, 74), 5)
    canvas.box(x - 1.5 * u, y - 0.62 * u, 3.0 * u, 1.24 * u, (26, 28, 18), corner=0.1 * u)
    for side in (-1, 1):
        canvas.polygon(diamond((x + side * 1.47 * u, y), 0.4 * u, 0.4 * u), colour)
        canvas.stroke(diamond((x + side * 1.47 * u, y), 0.44 * u, 0.44 * u), (26, 28, 18), 0.06 * u)
    canvas.box(x - 1.25 * u, y - 0.5 * u, 2.5 * u, 1.0 * u, colour, corner=0.08 * u, fade=0.12)
    face = letters(dice)
    index = int(dice.integers(len(_END)))
    lines = ("PRÊT", "") if hud.phase == "placement" else (_END[index], _SECOND[index])
    ink: RGB = (38, 40, 20) if mine else (60, 62, 50)
    for text, down in zip(lines, (-0.18, 0.2) if lines[1] else (0, 0), strict=True):
        canvas.write(text, (x, y + down * u), 0.23 * u, ink, face)
    for slot in range(5):
        canvas.oval(
            (x + (slot - 2) * 0.6 * u, y + 1.08 * u),
            (0.3 * u, 0.3 * u),
            _LIME if slot < 3 else (150, 150, 140),
        )


def _cards(dice: Dice, canvas: Drawing, area: Area, u: float, hud: DrawnHud) -> None:
    size = 1.2 * u
    x = area.right - (len(hud.fighters) + 1.2) * size * 1.09
    y = area.bottom - float(dice.uniform(4.5, 8)) * u
    for index, fighter in enumerate(hud.fighters):
        left, top = x + index * size * 1.088, y - (0.25 * size if fighter.playing else 0)
        ground: RGB = (58, 84, 160) if fighter.team == "enemy" else (110, 48, 50)
        canvas.box(left, top, size, size, tone(dice, ground, 4), fade=0.3)
        portrait(fighter.dice(dice), canvas, left, top, size, size)
        if fighter.dead:
            greyed(canvas, left, top, size, size)
            continue
        canvas.box(left, top + size * 1.06, size * fighter.life, 0.07 * size, (208, 34, 44))
        if fighter.playing:
            canvas.polygon(
                [
                    (left + size / 2, top + size * 1.29),
                    (left + size * 0.702, top + size * 1.49),
                    (left + size * 0.298, top + size * 1.49),
                ],
                _LIME,
            )
    canvas.write(
        str(hud.fight_turn),
        (area.right - 0.9 * size, y + size / 2),
        0.25 * u,
        (236, 236, 236),
        letters(dice),
    )
    canvas.box(area.right - 0.45 * size, y - 0.1 * u, 0.4 * size, 1.4 * size, (64, 64, 64))


def _spell_bar(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    x, y = at
    figures = numerals(dice)
    for index in range(20):
        left, top = x + (index % 10) * 0.875 * u, y + (-1.75 + 0.86 * (index // 10)) * u
        slot = hud.spells[index] if index < len(hud.spells) else None
        if slot is None:
            canvas.box(left, top, 0.82 * u, 0.82 * u, (30, 32, 22), corner=0.1 * u)
            continue
        icon(
            dice,
            canvas,
            left,
            top,
            0.82 * u,
            tone(dice, _SPELLS[index % len(_SPELLS)], 10),
            1.0 if slot[0] else 0.55,
        )
        if slot[1]:
            canvas.write(
                str(slot[1]),
                (left + 0.41 * u, top + 0.41 * u),
                0.4 * u,
                (255, 255, 255),
                figures,
                outline=((10, 10, 10), 0.04 * u),
            )
    canvas.box(x, y + 0.02 * u, 9.6 * u, 0.12 * u, (24, 26, 18))
    canvas.box(x, y + 0.02 * u, 9.6 * u * float(dice.uniform(0.1, 0.9)), 0.12 * u, (250, 170, 20))
    for index in range(9):
        left, top = x + (15.2 + (index % 3) * 0.8) * u, y + (-1.75 + 0.75 * (index // 3)) * u
        icon(dice, canvas, left, top, 0.6 * u, shaded((200, 150, 80), float(dice.uniform(0.6, 1.2))))


def _chat(dice: Dice, canvas: Drawing, at: Point, u: float) -> None:
    x, y = at
    canvas.box(x - 8.5 * u, y - 1.8 * u, 7.2 * u, 2.2 * u, (34, 34, 34))
    chat(
        dice,
        canvas,
        x - 8.4 * u,
        y - 1.9 * u,
        6.8 * u,
        1.8 * u,
        0.44 * u,
        ((240, 140, 20), (220, 220, 220), (90, 190, 90)),
    )
    for index in range(5):
        canvas.box(
            x - 1.3 * u,
            y + (-1.7 + 0.42 * index) * u,
            0.4 * u,
            0.4 * u,
            _LIME if index == 2 else (80, 80, 60),
        )


def _other_look(dice: Dice) -> Look:
    """Of 2.x: 26, 16 and 7 of 49 real hearts had each form; how often the mouse is on things is a guess."""
    return Look(
        life=chosen(dice, (("rows", 26 / 49), ("number", 16 / 49), ("percent", 7 / 49))),
        drained=True,
        underlined=dice.random() < 0.1,
        inspected=dice.random() < 0.1,
    )


CLIENT = DrawnClient(
    "dofus-2",
    {
        "reachable": (0, 102, 0),
        "tackled": (102, 0, 0),
        "range": (34, 51, 153),
        "no_sight": (84, 109, 165),
        "area": (221, 17, 34),
        "red_start": (221, 34, 0),
        "blue_start": (0, 34, 221),
    },
    HudStyle(
        draw,
        life="number",
        look=_other_look,
        long_lives=True,
    ),
    BoardStyle(
        36,
        0.55,
        1.0,
        TeamRing(0.525, 0.033, (250, 8, 8), (6, 6, 245)),
        figures=False,
        looks=BoardShares(flat=0.4, thin=0.5),  # one of seven real boards, six of seven real screens
        black_maps=0.5,
    ),
    share=0.25,
)
