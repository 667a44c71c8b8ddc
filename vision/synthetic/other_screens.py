"""Draws screens that show no fight: maps, menus, inventories, desktops, pages, other games' boards."""

from collections.abc import Callable
from functools import partial

from vision.synthetic import scenery
from vision.synthetic.canvas import RGB, Drawing, Picture, diamond, shaded, star, tone
from vision.synthetic.hud_sample import LINES, Area, DrawnHud, chat, icon, letters, numerals, sample
from vision.synthetic.scenery import PALETTES, Dice

HudPainter = Callable[[Dice, Drawing, Area, DrawnHud, float, bool], None]


def draw(dice: Dice, client: str, width: int, height: int, draw_hud: HudPainter) -> tuple[Picture, str]:
    """Draws a screen without a fight; returns it with the name of its kind."""
    canvas = Drawing.filled(width, height, (30, 32, 40))
    area = Area(0, 0, width, height)
    kinds: dict[str, Callable[[], None]] = {
        "exploration": lambda: _exploration(dice, canvas, area, draw_hud),
        "exploration again": lambda: _exploration(dice, canvas, area, draw_hud),
        "inventory": lambda: _inventory(dice, canvas, area, draw_hud),
    } | {what: partial(paint, dice, canvas) for what, paint in NOT_THE_CLIENT.items()}
    what = str(dice.choice(list(kinds)))
    kinds[what]()
    return canvas.image, what


def _exploration(dice: Dice, canvas: Drawing, area: Area, draw_hud: HudPainter) -> None:
    """A map with houses, trees and people, and the client's HUD without the parts of fights."""
    names = [name for name in PALETTES if name != "black"]
    palette = PALETTES[str(dice.choice(names))]
    unit = 0.086 * area.height
    scenery.ground(dice, canvas, palette.ground)
    if dice.random() < 0.4:
        for row in range(30):
            for col in range(8):
                at = (area.width * 0.2 + (col + row % 2 / 2) * unit, area.height * 0.1 + row * unit / 4)
                canvas.polygon(diamond(at, unit * 0.97, unit * 0.48), tone(dice, palette.light, 4))
    scenery.furnish(dice, canvas, palette, unit, int(dice.integers(30, 80)))
    for _ in range(int(dice.integers(1, 14))):
        feet = (float(dice.uniform(0, area.width)), float(dice.uniform(0.2, 0.8)) * area.height)
        draw = scenery.person if dice.random() < 0.7 else scenery.creature
        draw(dice, canvas, feet, unit, unit * float(dice.uniform(0.7, 1.4)))
    hud = sample(dice, (), "not-fight", None, False)
    hud.shield = None
    draw_hud(dice, canvas, area, hud, 1.0, dice.random() < 0.3)


def _inventory(dice: Dice, canvas: Drawing, area: Area, draw_hud: HudPainter) -> None:
    _exploration(dice, canvas, area, draw_hud)
    wide, tall = area.width * float(dice.uniform(0.4, 0.7)), area.height * float(dice.uniform(0.5, 0.75))
    left, top = float(dice.uniform(0, area.width - wide)), float(dice.uniform(0, area.height * 0.8 - tall))
    canvas.box(left, top, wide, tall, tone(dice, (52, 56, 76), 6), corner=6)
    canvas.box(left, top, wide, tall * 0.07, tone(dice, (74, 82, 106), 6))
    canvas.write(
        "INVENTAIRE", (left + wide / 2, top + tall * 0.035), tall * 0.025, (236, 238, 244), letters(dice)
    )
    size = wide / 14
    for row in range(int(tall * 0.8 / size / 1.1)):
        for col in range(12):
            ground = tone(
                dice, ((80, 84, 100), (60, 150, 70), (190, 60, 50), (70, 120, 210))[int(dice.integers(4))], 12
            )
            icon(
                dice,
                canvas,
                left + (0.5 + col * 1.08) * size,
                top + tall * 0.12 + row * 1.1 * size,
                size,
                ground,
            )
    canvas.box(left + wide * 0.7, top + tall * 0.92, wide * 0.25, tall * 0.06, (164, 190, 42), corner=5)


def _menu(dice: Dice, canvas: Drawing) -> None:
    """A game's title screen: a row of buttons, a picture, stars."""
    scenery.ground(dice, canvas, tone(dice, (60, 70, 110), 30))
    unit = canvas.height / 12
    for _ in range(int(dice.integers(5, 30))):
        spot = (float(dice.uniform(0, canvas.width)), float(dice.uniform(0, canvas.height)))
        colour = tone(
            dice, ((92, 146, 236), (128, 190, 84), (220, 60, 60), (240, 220, 120))[int(dice.integers(4))], 20
        )
        shape = (
            star(spot, unit * float(dice.uniform(0.3, 1)))
            if dice.random() < 0.5
            else diamond(spot, unit * 0.6, unit * 0.6)
        )
        canvas.polygon(shape, colour)
    for index, text in enumerate(("JOUER", "OPTIONS", "QUITTER")):
        canvas.box(
            canvas.width / 2 - 2 * unit,
            canvas.height * 0.5 + index * 1.3 * unit,
            4 * unit,
            unit,
            (164, 190, 42),
            corner=unit * 0.2,
        )
        canvas.write(
            text,
            (canvas.width / 2, canvas.height * 0.5 + (index * 1.3 + 0.5) * unit),
            unit * 0.3,
            (255, 255, 255),
            letters(dice),
        )


def _desktop(dice: Dice, canvas: Drawing) -> None:
    """A desktop: icons, a few windows with text in them."""
    scenery.ground(dice, canvas, tone(dice, (50, 90, 130), 30), 2.5)
    for index in range(int(dice.integers(5, 24))):
        icon(dice, canvas, 30 + 90 * (index % 2), 30 + 90 * (index // 2), 48, tone(dice, (140, 150, 160), 50))
    for _ in range(int(dice.integers(1, 4))):
        wide, tall = (float(n) for n in dice.uniform(0.3, 0.7, 2) * (canvas.width, canvas.height))
        left, top = float(dice.uniform(0, canvas.width - wide)), float(dice.uniform(0, canvas.height - tall))
        light = dice.random() < 0.6
        canvas.box(left, top, wide, tall, (248, 248, 250) if light else (36, 38, 44))
        canvas.box(left, top, wide, 30, (226, 226, 232) if light else (56, 58, 66))
        ink: RGB = (40, 40, 44) if light else (200, 202, 210)
        chat(
            dice, canvas, left + 10, top + 40, wide - 20, tall - 50, 18, (ink, (60, 110, 200), (180, 60, 50))
        )


def _page(dice: Dice, canvas: Drawing) -> None:
    """A page in a browser: tabs, an address, a picture, columns of text and figures."""
    canvas.box(0, 0, canvas.width, canvas.height, (252, 252, 252))
    canvas.box(0, 0, canvas.width, 40, (222, 225, 230))
    canvas.box(80, 46, canvas.width * 0.7, 28, (240, 242, 244), corner=12)
    unit = canvas.width / 12
    for index in range(3):
        left = unit * (0.5 + 3.8 * index)
        icon(dice, canvas, left, 100, unit * 1.6, tone(dice, (150, 120, 110), 50))
        canvas.write(
            str(int(dice.integers(1, 9999))), (left + unit * 2.4, 140), 20, (30, 30, 30), numerals(dice)
        )
        chat(
            dice,
            canvas,
            left,
            110 + unit * 1.6,
            unit * 3.4,
            canvas.height - unit * 1.6 - 140,
            20,
            ((50, 50, 54), (30, 80, 180)),
        )


def _chess(dice: Dice, canvas: Drawing) -> None:
    scenery.ground(dice, canvas, tone(dice, (70, 66, 60), 20), 0.4)
    size = canvas.height / 10
    left, top = canvas.width * float(dice.uniform(0.1, 0.4)), size
    light, dark = (
        tone(dice, c, 10)
        for c in ((236, 214, 176), (120, 152, 84) if dice.random() < 0.5 else (178, 134, 98))
    )
    for row in range(8):
        for col in range(8):
            canvas.box(left + col * size, top + row * size, size, size, dark if (row + col) % 2 else light)
            if row in (0, 1, 6, 7) and dice.random() < 0.8:
                colour: RGB = (30, 30, 34) if row < 2 else (244, 244, 240)
                canvas.oval(
                    (left + (col + 0.5) * size, top + (row + 0.55) * size), (size * 0.5, size * 0.6), colour
                )
                canvas.oval(
                    (left + (col + 0.5) * size, top + (row + 0.25) * size), (size * 0.3, size * 0.3), colour
                )
    canvas.write(
        f"{int(dice.integers(1, 60))}:{int(dice.integers(10, 60))}",
        (left + size * 9.5, canvas.height / 2),
        size * 0.4,
        (255, 255, 255),
        numerals(dice),
    )


def _isometric(dice: Dice, canvas: Drawing) -> None:
    """Another game's board: isometric, of another cell's size, with rings and diamonds under its pieces."""
    palette = PALETTES[str(dice.choice(list(PALETTES)))]
    scenery.ground(dice, canvas, palette.ground)
    w = canvas.height * float(dice.uniform(0.06, 0.14))
    h = w * float(dice.choice([0.5, 0.5, 0.57, 0.62]))
    for row in range(4, 24):
        for col in range(1, 12):
            at = (canvas.width * 0.1 + (col + row % 2 / 2) * w, row * h / 2 + canvas.height * 0.05)
            canvas.polygon(diamond(at, w, h), palette.seam)
            canvas.polygon(
                diamond(at, w * 0.97, h * 0.95), tone(dice, palette.light if row % 2 else palette.dark, 4)
            )
            if dice.random() < 0.04:
                colour: RGB = (220, 60, 40) if dice.random() < 0.6 else (40, 90, 210)
                if dice.random() < 0.5:
                    canvas.ring(at, (w * 0.6, h * 0.6), colour, max(2, w * 0.04))
                else:
                    canvas.stroke(diamond(at, w * 0.83, h * 0.83), colour, max(2, w * 0.04))
                scenery.creature(dice, canvas, at, w, h)
    for index in range(6):
        icon(
            dice,
            canvas,
            canvas.width * 0.3 + index * w,
            canvas.height - w,
            w * 0.8,
            tone(dice, (150, 90, 70), 40),
        )
    canvas.write(
        str(int(dice.integers(1, 400))), (w, canvas.height - w / 2), w * 0.3, (255, 255, 255), numerals(dice)
    )


def _cards(dice: Dice, canvas: Drawing) -> None:
    """A card game: cards in rows, hearts and diamonds with numbers, an end-turn button of its own."""
    scenery.ground(dice, canvas, tone(dice, (96, 70, 44), 20), 1.5)
    size = canvas.height / 7
    for index in range(int(dice.integers(6, 14))):
        left, top = size * (0.5 + 1.2 * (index % 7)), size * (2 + 2 * (index // 7))
        canvas.box(left, top, size, size * 1.4, tone(dice, (190, 180, 150), 14), corner=size * 0.1)
        icon(dice, canvas, left + size * 0.15, top + size * 0.15, size * 0.7, tone(dice, (90, 120, 160), 40))
        for share, colour in ((0.15, (214, 180, 40)), (0.85, (200, 40, 40))):
            canvas.polygon(diamond((left + size * share, top + size * 1.3), size * 0.36, size * 0.36), colour)
            canvas.write(
                str(int(dice.integers(0, 10))),
                (left + size * share, top + size * 1.3),
                size * 0.16,
                (255, 255, 255),
                numerals(dice),
            )
    canvas.box(
        canvas.width - 2 * size,
        canvas.height / 2,
        1.6 * size,
        size * 0.5,
        shaded((210, 190, 60), float(dice.uniform(0.6, 1))),
        corner=size * 0.2,
    )
    canvas.write(
        str(dice.choice(LINES)),
        (canvas.width - 1.2 * size, canvas.height / 2 + size * 0.25),
        size * 0.12,
        (30, 30, 30),
        letters(dice),
    )


NOT_THE_CLIENT: dict[str, Callable[[Dice, Drawing], None]] = {
    "menu": _menu,
    "desktop": _desktop,
    "page": _page,
    "chess": _chess,
    "isometric game": _isometric,
    "card game": _cards,
}
"""The kinds of screens that do not show a client at all, and what paints each; a seed goes by their order."""
