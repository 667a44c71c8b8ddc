"""Draws a HUD in the style of the Unity client (3.x).

Lengths are in units of the way from the AP star to the MP diamond: 47.6 px at a client height of 847,
times the player's UI scale.
"""

from dataclasses import replace

from vision.synthetic import marks, unity_turns
from vision.synthetic.board import DrawnFighter
from vision.synthetic.board_looks import BoardLook
from vision.synthetic.canvas import RGB, Drawing, Point, Typeface, diamond, heart, shaded, star, tone
from vision.synthetic.clients.base import BoardStyle, DrawnClient, HudStyle, chosen
from vision.synthetic.hud_sample import (
    NAMES,
    USUAL,
    Area,
    DrawnHud,
    Look,
    chat,
    icon,
    letters,
    numerals,
    spells,
    tooltip,
)
from vision.synthetic.scenery import Dice

UNIT = 47.6 / 847
_HEXAGONS = 0.05
"""How often the end-turn button is a hexagon: one player of the 21 whose pictures were looked through."""
_PANELS: tuple[RGB, ...] = (
    (62, 69, 90), (50, 54, 88), (30, 31, 34), (16, 17, 20), (34, 52, 96), (70, 56, 46), (40, 60, 52),
    (84, 60, 92),
)  # fmt: skip
"""Colours of panels: the usual one, darker and bluer ones, and those of players' own themes."""
_TITLE: RGB = (74, 82, 106)
_STACKED = 0.35
_ROW = 12
_LEAST = 6  # Spells that a player has at least, see `hud_sample.spells`; a summon has fewer
_OVERDRAWN = 1.0  # How many pixels wider OpenCV fills a box than asked

_SPELLS: tuple[RGB, ...] = (
    (120, 196, 214),
    (228, 188, 98),
    (212, 92, 74),
    (236, 120, 40),
    (162, 196, 132),
    (176, 144, 206),
)


def draw(dice: Dice, canvas: Drawing, area: Area, hud: DrawnHud, scale: float, moved: bool) -> None:
    """Draws the HUD over a board; `moved` puts panels where a player might have dragged them."""
    u = UNIT * area.height * scale
    fight = hud.phase != "not-fight"
    x = area.left + area.width / 2 - 6.1 * u + float(dice.normal(0, 0.3)) * u
    y = area.bottom - 0.62 * u
    _top(dice, canvas, area, u)
    _chat(dice, canvas, area, u)
    strip = (x + 1.2 * u, y - 1.4 * u)
    at: Point = (x, y)
    press: Point = (x + 12.75 * u, y - 0.45 * u)
    line = (area.left + area.width * 0.46, area.top + 0.45 * u)
    if moved:
        at = (
            float(dice.uniform(area.left + 1.3 * u, area.left + area.width * 0.4)),
            y - float(dice.uniform(0, 1.5)) * u,
        )
        strip = (at[0] + 1.3 * u + float(dice.uniform(0, 1)) * u, strip[1] - float(dice.uniform(0, 0.6)) * u)
        press = (
            strip[0] + 9.6 * u + float(dice.uniform(1.6, 2.5)) * u,
            press[1] - float(dice.uniform(0, 2)) * u,
        )
        press = (min(press[0], area.right - 1.7 * u), press[1])
        line = (
            float(dice.uniform(area.left + 3 * u, area.right - 10 * u)),
            area.top + float(dice.uniform(0.3, 1.4)) * u,
        )
    heart_at = at
    if dice.random() < _STACKED:
        at = (at[0] + 0.4 * u, at[1] - 0.24 * u)
        few = hud.spells if len(hud.spells) < _LEAST else None  # a summon's
        hud.spells = _two_rows(dice, hud.spells) if few is None else few
        if hud.look.rows > 2 and few is None:
            hud.spells = [*hud.spells, *hud.spells[:_ROW]]
        third = 0.717 * u if hud.look.rows > 2 else 0.0
        corner = (at[0] + 0.46 * u, at[1] - 1.16 * u - third)
        _spell_panel(dice, canvas, corner, u, 9.8 * u, hud)
        _slots(dice, canvas, (corner[0] + 0.11 * u, corner[1] + 0.48 * u), u, hud, fight)
        _stacked_vitals(dice, canvas, at, u, hud)
        heart_at = (at[0] - 1.14 * u, at[1] + 1.0 * u)
    else:
        _spell_bar(dice, canvas, strip, u, hud, fight)
        _vitals(dice, canvas, at, u, hud)
    if fight:
        unity_turns.button(dice, canvas, press, u, hud)
        unity_turns.cards(dice, canvas, line, u, hud)
    if hud.look.foreign:
        _foreign_bar(dice, canvas, area, u, hud.look.foreign, hud.look.panel)
    if moved and dice.random() < 0.3:
        _cover(dice, canvas, heart_at, press, u, hud)


def _foreign_bar(dice: Dice, canvas: Drawing, area: Area, u: float, slots: int, panel: RGB) -> None:
    """Draws another bar of shortcuts, away from that of the spells: icons as large as spells."""
    x = float(dice.choice([area.left, area.left + 0.3 * area.width, area.right - (slots * 0.76 + 0.6) * u]))
    y = area.top + float(dice.uniform(2.4, 3.6)) * u
    canvas.box(x, y, (slots * 0.717 + 0.4) * u, 0.86 * u, panel, opacity=0.96)
    for index in range(slots):
        left = x + (0.28 + index * 0.717) * u
        icon(dice, canvas, left, y + 0.1 * u, 0.655 * u - _OVERDRAWN, tone(dice, _SPELLS[index % 6], 20))


def _two_rows(dice: Dice, slots: list[tuple[bool, int] | None]) -> list[tuple[bool, int] | None]:
    """Returns a full row of slots, and a second one that may have empty slots at its end."""
    more = [*slots, *spells(dice), *spells(dice)]
    while len(more) < _ROW:
        more += spells(dice)
    return more[: 2 * _ROW]


def _stacked_vitals(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    """Draws the heart at the left of the star above the diamond; `at` is the middle between these two."""
    x, y = at
    canvas.box(
        x - 1.98 * u, y - 1.16 * u, 2.4 * u, 2.02 * u, tone(dice, hud.look.panel, 4), opacity=0.96, fade=0.12
    )
    line: RGB = (136, 70, 84)
    fill: RGB = (112, 70, 216) if hud.shield is not None else (196, 44, 56)
    middle = (x - 1.144 * u, y + 0.02 * u)
    canvas.polygon(heart(middle, 1.36 * u, 1.24 * u), tone(dice, line, 6))
    canvas.polygon(heart(middle, 1.2 * u, 1.08 * u), tone(dice, fill, 8), fade=0.35)
    face, left = numerals(dice), x - 1.134 * u
    white: RGB = (255, 255, 255)
    if hud.shield is not None:
        canvas.box(left - 0.46 * u, y - 0.66 * u, 0.92 * u, 0.27 * u, (128, 88, 232), corner=0.08 * u)
        canvas.write(str(hud.shield), (left, y - 0.527 * u), 0.184 * u, white, face)
    shade = (shaded(fill, 0.4), 0.025 * u)
    if hud.look.life == "percent":
        canvas.write(f"{hud.percentage}%", (left, y - 0.01 * u), 0.232 * u, white, face, outline=shade)
    elif hud.look.life == "number":
        canvas.write(str(hud.hp), (left, y + 0.004 * u), 0.232 * u, white, face, outline=shade)
    else:
        canvas.write(str(hud.hp), (left, y - 0.215 * u), 0.232 * u, white, face, outline=shade)
        canvas.box(left - 0.46 * u, y - 0.02 * u, 0.92 * u, 0.035 * u, (236, 190, 200), opacity=0.6)
        canvas.write(str(hud.max_hp), (left, y + 0.205 * u), 0.23 * u, (244, 222, 228), face)
    _point(dice, canvas, "star", (x, y - 0.345 * u), u)
    _point(dice, canvas, "diamond", (x, y + 0.336 * u), u)
    for value, off in ((hud.ap, -0.338), (hud.mp, 0.36)):
        canvas.write(str(value), (x, y + off * u), 0.226 * u, white, face, outline=((30, 60, 90), 0.02 * u))


def _vitals(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    x, y = at
    canvas.box(
        x - 1.15 * u, y - 1.4 * u, 2.3 * u, 2.02 * u, tone(dice, hud.look.panel, 4), opacity=0.96, fade=0.12
    )
    for row in range(3):
        canvas.oval((x + 0.95 * u, y + (-1.2 + 0.16 * row) * u), (0.07 * u, 0.07 * u), (170, 172, 190))
    shield = hud.shield is not None
    line: RGB = (130, 92, 240) if shield else (136, 70, 84)
    fill: RGB = (112, 70, 216) if shield else (196, 44, 56)
    gem = [
        (-0.6, -1.7),
        (-0.3, -1.64),
        (0, -1.58),
        (0.3, -1.64),
        (0.6, -1.7),
        (0.74, -1.3),
        (0.52, -0.74),
        (0, -0.32),
        (-0.52, -0.74),
        (-0.74, -1.3),
    ]
    canvas.polygon([(x + px * u, y + py * u) for px, py in gem], tone(dice, line, 6))
    inner = [(x + px * 0.9 * u, y + (-1 + (py + 1) * 0.9) * u) for px, py in gem]
    canvas.polygon(inner, (50, 34, 58))
    level = y - 0.38 * u - 1.2 * u * hud.hp / max(1, hud.max_hp)
    filled = [(px, max(py, level)) for px, py in inner]
    canvas.polygon(filled, tone(dice, fill, 8), fade=0.35)
    canvas.polygon([inner[0], inner[2], (x, y - 0.95 * u), inner[9]], (255, 255, 255), 0.06)
    face = numerals(dice)
    if hud.shield is not None:
        canvas.box(x - 0.46 * u, y - 1.66 * u, 0.92 * u, 0.27 * u, (128, 88, 232), corner=0.08 * u)
        canvas.write(str(hud.shield), (x, y - 1.523 * u), 0.184 * u, (255, 255, 255), face)
    if hud.look.life in ("percent", "number"):
        shade = (shaded(fill, 0.4), 0.025 * u)
        text = f"{hud.percentage}%" if hud.look.life == "percent" else str(hud.hp)
        canvas.write(text, (x, y - 1.03 * u), 0.232 * u, (255, 255, 255), face, outline=shade)
        _points(dice, canvas, at, u, hud, face)
        return
    canvas.write(
        str(hud.hp),
        (x, y - 1.21 * u),
        0.232 * u,
        (255, 255, 255),
        face,
        outline=(shaded(fill, 0.4), 0.025 * u),
    )
    canvas.box(x - 0.46 * u, y - 1.02 * u, 0.92 * u, 0.035 * u, (236, 190, 200), opacity=0.6)
    canvas.write(
        str(hud.max_hp),
        (x, y - 0.8 * u),
        0.23 * u,
        (244, 222, 228),
        face,
        opacity=float(dice.uniform(0.8, 1)),
    )
    _points(dice, canvas, at, u, hud, face)


def _points(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud, face: Typeface) -> None:
    x, y = at
    _point(dice, canvas, "star", (x - 0.5 * u, y + 0.03 * u), u)
    _point(dice, canvas, "diamond", (x + 0.495 * u, y + 0.025 * u), u)
    for value, spot in ((hud.ap, (x - 0.5 * u, y + 0.01 * u)), (hud.mp, (x + 0.495 * u, y + 0.04 * u))):
        canvas.write(str(value), spot, 0.226 * u, (255, 255, 255), face, outline=((30, 60, 90), 0.02 * u))


def _point(dice: Dice, canvas: Drawing, kind: str, at: Point, u: float) -> None:
    """Draws the star or the diamond: an edge, a lighter and a darker facet."""
    x, y = at
    if kind == "star":
        colour = tone(dice, (92, 146, 236), 5)
        canvas.polygon(star((x, y + 0.01 * u), 0.72 * u), (34, 48, 88))
        canvas.polygon(star((x, y), 0.67 * u), colour, fade=0.3)
        canvas.polygon(star((x, y), 0.42 * u), shaded(colour, 1.1), 0.5)
        return
    colour = tone(dice, (128, 190, 84), 5)
    canvas.polygon(diamond((x, y + 0.01 * u), 0.7 * u, 0.7 * u), (36, 62, 40))
    canvas.polygon(diamond((x, y), 0.65 * u, 0.65 * u), colour, fade=0.25)
    canvas.polygon(diamond((x, y), 0.4 * u, 0.4 * u), shaded(colour, 0.9), 0.7)


def _spell_bar(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud, fight: bool) -> None:
    x, y = at
    face = _spell_panel(dice, canvas, at, u, 9.6 * u, hud)
    _slots(dice, canvas, (x + 0.13 * u, y + 0.6 * u), u, hud, fight)
    pitch = 0.71 * u
    canvas.box(x + pitch * 0.3, y + 1.66 * u, 8.2 * u, 0.14 * u, (30, 32, 46))
    canvas.box(
        x + pitch * 0.3, y + 1.66 * u, 8.2 * u * float(dice.uniform(0.05, 1)), 0.14 * u, (226, 240, 80)
    )
    canvas.write(
        f"NIV. {int(dice.integers(1, 201))}", (x + 9.1 * u, y + 1.73 * u), 0.16 * u, (220, 222, 230), face
    )


def _spell_panel(dice: Dice, canvas: Drawing, at: Point, u: float, wide: float, hud: DrawnHud) -> Typeface:
    x, y = at
    tall = 2.02 * u + (0.717 * u if len(hud.spells) > 2 * _ROW else 0.0)
    canvas.box(x, y, wide, tall, tone(dice, hud.look.panel, 4), opacity=0.96)
    title = _TITLE if hud.look == USUAL else shaded(hud.look.panel, 1.2)
    canvas.box(x, y, wide, 0.32 * u, title, opacity=0.8)
    face = letters(dice)
    canvas.write(
        str(dice.choice(["SORTS", "SPELLS", "OBJETS", "HECHIZOS"])),
        (x + wide / 2, y + 0.17 * u),
        0.15 * u,
        (236, 238, 244),
        face,
    )
    return face


def _slots(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud, fight: bool) -> None:
    figures = numerals(dice)
    size = 0.655 * u - _OVERDRAWN
    for index in range(_ROW * max(1, -(-len(hud.spells) // _ROW))):
        left = at[0] + index % _ROW * 0.717 * u + _OVERDRAWN / 2
        top = at[1] + index // _ROW * 0.717 * u + _OVERDRAWN / 2
        slot = hud.spells[index] if index < len(hud.spells) else None
        if slot is None:
            canvas.box(left, top, size, size, (44, 46, 62), corner=0.06 * u)
            continue
        usable, cooldown = slot if fight else (True, 0)
        icon(
            dice,
            canvas,
            left,
            top,
            size,
            tone(dice, _SPELLS[index % len(_SPELLS)], 10),
            1.0 if usable else 0.5,
        )
        if cooldown:
            canvas.write(
                str(cooldown),
                (left + 0.11 * u, top + 0.16 * u),
                0.19 * u,
                (255, 255, 255),
                figures,
                outline=((20, 20, 30), 0.03 * u),
            )


def _top(dice: Dice, canvas: Drawing, area: Area, u: float) -> None:
    face = letters(dice)
    white: RGB = (250, 250, 250)
    canvas.write(
        str(dice.choice(NAMES)),
        (area.left + 0.1 * u, area.top + 0.85 * u),
        0.25 * u,
        white,
        face,
        align=0,
        outline=((30, 30, 30), 0.03 * u),
    )
    for index in range(4):
        canvas.box(
            area.left + (0.05 + 0.5 * index) * u, area.top + 0.04 * u, 0.47 * u, 0.47 * u, (60, 64, 92)
        )
        canvas.oval(
            (area.left + (0.28 + 0.5 * index) * u, area.top + 0.28 * u), (0.22 * u, 0.22 * u), (220, 220, 236)
        )
    count = int(dice.integers(3, 12))
    for index in range(count):
        left = area.right - (0.55 + 0.5 * index) * u
        lit = 1 < index < 4
        canvas.box(
            left,
            area.top + 0.04 * u,
            0.47 * u,
            0.47 * u,
            (150, 176, 36) if lit else (60, 64, 92),
            corner=0.05 * u,
        )
        canvas.oval(
            (left + 0.23 * u, area.top + 0.28 * u),
            (0.2 * u, 0.2 * u),
            (240, 236, 90) if index > 4 else (230, 230, 240),
        )
    for index in range(int(dice.integers(0, 7))):
        canvas.box(area.right - 0.5 * u, area.top + (1 + 0.5 * index) * u, 0.45 * u, 0.45 * u, (60, 64, 92))
        canvas.oval(
            (area.right - 0.28 * u, area.top + (1.22 + 0.5 * index) * u), (0.25 * u, 0.25 * u), (230, 190, 70)
        )


def _chat(dice: Dice, canvas: Drawing, area: Area, u: float) -> None:
    tall = (2 + (3 if dice.random() < 0.4 else 0)) * u
    canvas.box(
        area.left,
        area.bottom - tall,
        5.2 * u,
        tall,
        tone(dice, (44, 48, 66), 4),
        opacity=float(dice.uniform(0.8, 0.97)),
    )
    canvas.box(area.left, area.bottom - tall, 5.2 * u, 0.3 * u, _TITLE)
    colours = ((214, 216, 224), (236, 200, 70), (110, 190, 240), (220, 90, 60), (235, 240, 90))
    chat(
        dice,
        canvas,
        area.left + 0.4 * u,
        area.bottom - tall + 0.3 * u,
        4.7 * u,
        tall - 0.5 * u,
        0.26 * u,
        colours,
    )


def _cover(dice: Dice, canvas: Drawing, at: Point, press: Point, u: float, hud: DrawnHud) -> None:
    if dice.random() < 0.6 and hud.phase == "fight":
        tooltip(
            dice, canvas, (press[0] + float(dice.normal(0, 0.2)) * u, press[1] - 0.4 * u), 4.2 * u, 2.2 * u
        )
        hud.covered |= {"turn", "timer_s", "fight_turn"}
        return
    side = float(dice.choice([-1, 1]))
    tooltip(dice, canvas, (at[0] + side * 1.02 * u, at[1] - 1.1 * u), 2 * u, 1.1 * u)
    hud.covered |= {"hp", "max_hp", "hp_share"} | ({"shield"} if hud.shield is not None else set())


def _other_look(dice: Dice) -> Look:
    """Of Unity: two of three real players show rows, one percent; HP alone are drawn from memory."""
    return Look(
        panel=tone(dice, _PANELS[int(dice.integers(len(_PANELS)))], 5),
        life=chosen(dice, (("percent", 0.3), ("number", 0.1), ("rows", 0.6))),
        wordless=dice.random() < 0.2,
        rows=3 if dice.random() < 0.3 else 0,
        closer=0.12 * 0.995 if dice.random() < 0.4 else 0.0,
        foreign=int(dice.integers(3, 9)) if dice.random() < 0.3 else 0,
    )


def _border(
    dice: Dice, canvas: Drawing, at: Point, cell: tuple[float, float], fighter: DrawnFighter, look: BoardLook
) -> None:
    """Draws a border of a cell's shape, the player's with white corners, or a jagged ring."""
    w, h = cell
    enemy = fighter.team == "enemy"
    size = 0.83 * float(dice.uniform(0.97, 1.03))
    line: RGB = (214, 78, 26) if enemy else (36, 96, 200)
    if fighter.ringed:
        marks.ring(dice, canvas, at, (w, h), (236, 92, 16) if enemy else (40, 110, 232))
        return
    canvas.polygon(diamond(at, w * 0.8, h * 0.8), line, 0.25)
    canvas.stroke(diamond(at, w * size, h * size), tone(dice, line, 6), max(1.6, 0.035 * w))
    if fighter.team == "own":
        corners = diamond(at, w * (size - 0.04), h * (size - 0.04))
        for index, corner in enumerate(corners):
            for other in (corners[index - 1], corners[(index + 1) % 4]):
                end = (corner[0] + (other[0] - corner[0]) * 0.26, corner[1] + (other[1] - corner[1]) * 0.26)
                canvas.stroke([corner, end], (236, 240, 238), 0.055 * w, closed=False)


CLIENT = DrawnClient(
    "dofus-unity",
    {
        "reachable": (62, 152, 44),
        "tackled": (96, 22, 18),
        "range": (46, 96, 196),
        "no_sight": (110, 132, 176),
        "area": (214, 56, 44),
        "red_start": (204, 58, 30),
        "blue_start": (40, 80, 206),
    },
    HudStyle(
        draw,
        life="rows",
        look=_other_look,
        top=(0.78, 0.84),
        width=18.2 * UNIT,
        later_look=lambda dice, look: replace(look, hexagon=True) if dice.random() < _HEXAGONS else look,
        tells=frozenset({"shield", "timer_s", "fight_turn"}),
    ),
    BoardStyle(
        36,
        0.92,
        1.0,
        _border,
        figures=True,
        cell_w=0.086,
        foot=0.125,
        checked=True,
        black_maps=0.0,
        jagged=0.15,
    ),
    share=0.6,
)
