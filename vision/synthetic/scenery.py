"""Draws the surroundings of a board: ground of many kinds, trees, rocks, water, houses, people, banners."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.synthetic.canvas import RGB, Drawing, Point, clouds, shaded, tone

Dice = np.random.Generator


@dataclass(frozen=True, slots=True)
class Scenery:
    """The colours of a place: the ground around, two tones of the board's tiles, seams, boxes, plants."""

    ground: RGB
    light: RGB
    dark: RGB
    seam: RGB
    box: RGB
    plant: RGB


PALETTES: dict[str, Scenery] = {
    "grass": Scenery(
        (112, 140, 44), (196, 178, 116), (166, 146, 88), (96, 92, 48), (98, 76, 48), (84, 122, 40)
    ),
    "meadow": Scenery(
        (96, 132, 56), (130, 152, 74), (112, 134, 60), (76, 96, 40), (110, 92, 64), (60, 110, 46)
    ),
    "wood": Scenery(
        (72, 150, 148), (188, 136, 78), (168, 116, 62), (92, 62, 34), (112, 84, 44), (120, 150, 50)
    ),
    "sand": Scenery(
        (216, 186, 96), (240, 214, 142), (224, 196, 120), (150, 122, 66), (186, 150, 82), (92, 118, 52)
    ),
    "stone": Scenery(
        (112, 112, 116), (150, 150, 152), (128, 130, 134), (82, 84, 90), (92, 90, 88), (80, 104, 84)
    ),
    "night": Scenery((30, 36, 58), (62, 70, 98), (50, 58, 84), (26, 30, 50), (58, 54, 62), (34, 58, 60)),
    "snow": Scenery(
        (224, 234, 242), (234, 240, 246), (210, 222, 232), (158, 174, 192), (150, 130, 112), (92, 120, 96)
    ),
    "lava": Scenery((92, 40, 30), (128, 92, 80), (106, 74, 66), (52, 32, 28), (70, 52, 48), (120, 66, 34)),
    "hall": Scenery(
        (60, 44, 24), (198, 182, 120), (178, 162, 104), (110, 92, 54), (120, 92, 58), (120, 100, 44)
    ),
    "black": Scenery((0, 0, 0), (150, 126, 50), (138, 112, 40), (104, 84, 26), (82, 62, 40), (60, 70, 40)),
}


def ground(dice: Dice, canvas: Drawing, colour: RGB, rough: float = 1.0) -> None:
    """Covers a canvas with ground of a colour, uneven in tone and grain."""
    wide, tall = canvas.width, canvas.height
    light = clouds(dice, wide // 4 + 1, tall // 4 + 1, wide / 40) * 7 * rough
    grain = clouds(dice, wide // 2 + 1, tall // 2 + 1, 3) * 4 * rough
    tint = clouds(dice, wide // 4 + 1, tall // 4 + 1, wide / 24) * 4 * rough
    layers = [cv2.resize(layer, (wide, tall)) for layer in (light, grain, tint)]
    shade = layers[0] + layers[1]
    paint = np.stack([shade - layers[2], shade + layers[2], shade + layers[2] * 0.3], axis=2)
    paint += np.array(colour[::-1], np.float32)
    canvas.image[:] = np.clip(paint, 0, 255)


def furnish(dice: Dice, canvas: Drawing, palette: Scenery, unit: float, crowd: int) -> None:
    """Scatters objects: trees, rocks, water, paths, houses, banners, flowers.

    Args:
        unit: a cell's width in pixels.
    """
    kinds = (tree, tree, rock, rock, _pond, _flowers, _house, _banner, _path, _barrel)
    spots = sorted(
        ((float(dice.uniform(0, canvas.width)), float(dice.uniform(0, canvas.height))) for _ in range(crowd)),
        key=lambda spot: spot[1],
    )
    for spot in spots:
        kinds[int(dice.integers(len(kinds)))](dice, canvas, palette, spot, unit)


def tree(dice: Dice, canvas: Drawing, palette: Scenery, at: Point, unit: float) -> None:
    x, y = at
    size = unit * float(dice.uniform(0.8, 2.6))
    bark = tone(dice, (92, 66, 42), 14)
    canvas.polygon(
        [(x - size * 0.1, y), (x - size * 0.05, y - size), (x + size * 0.06, y - size), (x + size * 0.12, y)],
        bark,
    )
    leaf = tone(dice, palette.plant if dice.random() < 0.75 else (170, 70, 36), 16)
    for _ in range(14):
        dx, dy = dice.normal(0, 0.38, 2) * size
        canvas.oval(
            (x + float(dx), y - 1.2 * size + float(dy) * 0.7),
            (size * float(dice.uniform(0.25, 0.7)), size * float(dice.uniform(0.2, 0.5))),
            tone(dice, leaf, 16),
            fade=0.3,
        )


def rock(dice: Dice, canvas: Drawing, palette: Scenery, at: Point, unit: float) -> None:
    size = unit * float(dice.uniform(0.3, 1.3))
    turns = np.sort(dice.uniform(0, 2 * np.pi, 8))
    far = dice.uniform(0.6, 1, 8) * size / 2
    points = [
        (at[0] + float(np.cos(t) * f), at[1] + float(np.sin(t) * f * 0.8))
        for t, f in zip(turns, far, strict=True)
    ]
    canvas.polygon(points, tone(dice, (132, 130, 122), 20), fade=0.6)


def _pond(dice: Dice, canvas: Drawing, palette: Scenery, at: Point, unit: float) -> None:
    size = unit * float(dice.uniform(1, 5))
    colour = tone(dice, (84, 156, 160) if dice.random() < 0.7 else (46, 110, 190), 16)
    canvas.oval(at, (size, size * 0.45), shaded(colour, 0.8))
    canvas.oval(at, (size * 0.94, size * 0.4), colour)
    for _ in range(3):
        dx, dy = dice.uniform(-0.3, 0.3, 2) * size
        canvas.ring(
            (at[0] + float(dx), at[1] + float(dy) * 0.4),
            (unit * 0.4, unit * 0.14),
            shaded(colour, 1.2),
            1.2,
            0.6,
        )


def _flowers(dice: Dice, canvas: Drawing, palette: Scenery, at: Point, unit: float) -> None:
    colours = ((250, 250, 240), (246, 210, 50), (190, 90, 200), (230, 90, 60), (90, 120, 220))
    colour = colours[int(dice.integers(len(colours)))]
    for _ in range(12):
        dx, dy = dice.normal(0, 0.5, 2) * unit
        canvas.oval(
            (at[0] + float(dx), at[1] + float(dy) / 2), (unit * 0.07, unit * 0.06), tone(dice, colour, 8)
        )


def _house(dice: Dice, canvas: Drawing, palette: Scenery, at: Point, unit: float) -> None:
    x, y = at
    wide, tall = unit * float(dice.uniform(2, 4)), unit * float(dice.uniform(1.2, 2.4))
    wall = tone(dice, (176, 150, 104), 24)
    roof = tone(
        dice, ((150, 62, 42), (86, 100, 66), (120, 96, 66), (214, 222, 228))[int(dice.integers(4))], 12
    )
    canvas.polygon(
        [(x, y), (x, y - tall), (x + wide / 2, y - tall - wide / 4), (x + wide / 2, y - wide / 4)], wall
    )
    canvas.polygon(
        [(x, y), (x, y - tall), (x - wide / 2, y - tall - wide / 4), (x - wide / 2, y - wide / 4)],
        shaded(wall, 0.7),
    )
    top = tall * 1.9
    canvas.polygon(
        [
            (x, y - tall),
            (x + wide / 2, y - tall - wide / 4),
            (x, y - top - wide / 2),
            (x - wide / 2, y - tall - wide / 4),
        ],
        roof,
        fade=0.3,
    )
    canvas.box(x + wide * 0.12, y - tall * 0.8, wide * 0.12, tall * 0.4, (244, 196, 70), corner=wide * 0.03)


def _banner(dice: Dice, canvas: Drawing, palette: Scenery, at: Point, unit: float) -> None:
    x, y = at
    wide = unit * float(dice.uniform(0.3, 0.8))
    colour = tone(dice, ((196, 60, 34), (46, 100, 190), (200, 160, 40))[int(dice.integers(3))], 12)
    canvas.polygon(
        [
            (x, y),
            (x + wide, y + wide / 2),
            (x + wide, y + 2 * wide),
            (x + wide / 2, y + 1.5 * wide),
            (x, y + 1.7 * wide),
        ],
        colour,
    )
    canvas.stroke([(x, y), (x, y + 3 * wide)], (90, 64, 40), max(2.0, wide * 0.1), closed=False)


def _path(dice: Dice, canvas: Drawing, palette: Scenery, at: Point, unit: float) -> None:
    colour = tone(dice, shaded(palette.light, 0.94), 8)
    for step in range(8):
        spot = (at[0] + step * unit * 0.6, at[1] + float(dice.normal(0, 0.1)) * unit + step * unit * 0.2)
        canvas.oval(spot, (unit * 1.4, unit * 0.7), colour, 0.5)


def _barrel(dice: Dice, canvas: Drawing, palette: Scenery, at: Point, unit: float) -> None:
    size = unit * float(dice.uniform(0.3, 0.7))
    canvas.box(at[0], at[1], size, size * 1.2, tone(dice, (128, 90, 52), 14), corner=size * 0.3, fade=0.3)
    for share in (0.25, 0.8):
        canvas.box(at[0], at[1] + size * share, size, size * 0.1, (80, 80, 84))


def creature(dice: Dice, canvas: Drawing, feet: Point, unit: float, tall: float) -> None:
    """Draws a small round creature standing on a point, `tall` pixels high."""
    x, y = feet
    colours = (
        (70, 70, 84),
        (178, 60, 86),
        (90, 140, 90),
        (150, 110, 60),
        (210, 200, 190),
        (90, 90, 160),
        (40, 40, 44),
    )
    colour = tone(dice, colours[int(dice.integers(len(colours)))], 14)
    canvas.oval((x, y + 0.02 * unit), (unit * 0.42, unit * 0.13), (20, 24, 20), 0.35)
    canvas.oval((x, y - tall * 0.45), (unit * float(dice.uniform(0.3, 0.42)), tall * 0.85), colour, fade=0.5)
    for side in (-1, 1):
        canvas.oval((x + side * unit * 0.07, y - tall * 0.55), (unit * 0.07, unit * 0.04), (244, 244, 240))
        canvas.oval((x + side * unit * 0.09, y - 0.02 * unit), (unit * 0.1, unit * 0.06), shaded(colour, 0.6))
    if dice.random() < 0.4:
        canvas.polygon(
            [(x - unit * 0.12, y - tall * 0.8), (x, y - tall * 1.15), (x + unit * 0.1, y - tall * 0.8)],
            shaded(colour, 1.3),
        )


def motley(dice: Dice, canvas: Drawing, feet: Point, unit: float, tall: float) -> None:
    """Draws a figure of any parts and colours on a point, `tall` pixels high: wings, arms, a hat, patches.

    Real figures have no shape in common, so that what is taught with these cannot rest on a shape.
    """
    x, y = feet
    hues = dice.integers(0, 256, (4, 3))

    def colour() -> RGB:
        red, green, blue = (int(n) for n in hues[int(dice.integers(4))])
        return tone(dice, (red, green, blue), 25)

    def spot(across: float, low: float, high: float) -> Point:
        return x + unit * float(dice.normal(0, across)), y - tall * float(dice.uniform(low, high))

    if dice.random() < 0.6:
        canvas.oval((x, y + 0.02 * unit), (unit * 0.45, unit * 0.15), (20, 24, 20), 0.35)
    for _ in range(int(dice.integers(0, 3))):  # wings, a cape or a tail, behind the body
        root = spot(0.05, 0.3, 0.8)
        canvas.polygon([root, spot(0.25, 0.2, 1.1), spot(0.25, 0.1, 0.9)], colour())
    wide = unit * float(dice.uniform(0.15, 0.42))
    canvas.oval((x, y - 0.45 * tall), (wide, 0.9 * tall), colour(), fade=float(dice.uniform(0, 0.6)))
    for _ in range(int(dice.integers(3, 10))):
        size = unit * float(dice.uniform(0.03, 0.22)), unit * float(dice.uniform(0.03, 0.2))
        canvas.oval(spot(0.1, 0.0, 1.05), size, colour(), float(dice.uniform(0.6, 1)))
    for _ in range(int(dice.integers(0, 4))):  # arms, legs, a weapon
        canvas.stroke([spot(0.08, 0.0, 0.8), spot(0.2, -0.05, 1.0)], colour(), unit * 0.04, closed=False)


def person(dice: Dice, canvas: Drawing, feet: Point, unit: float, tall: float) -> None:
    """Draws a person standing on a point, `tall` pixels high."""
    x, y = feet
    cloth, skin = (
        tone(
            dice, (float(dice.uniform(40, 220)), float(dice.uniform(40, 200)), float(dice.uniform(40, 200)))
        ),
        tone(dice, (214, 170, 130), 20),
    )
    wide = unit * 0.3
    canvas.oval((x, y + 0.02 * unit), (unit * 0.5, unit * 0.16), (20, 24, 20), 0.35)
    for side in (-1, 1):
        canvas.box(
            x + side * wide * 0.28 - wide * 0.15,
            y - tall * 0.4,
            wide * 0.3,
            tall * 0.4,
            shaded(cloth, 0.5),
            corner=wide * 0.1,
        )
        canvas.box(
            x + side * wide * 0.62 - wide * 0.13,
            y - tall * 0.72,
            wide * 0.26,
            tall * 0.36,
            skin,
            corner=wide * 0.1,
        )
    canvas.box(x - wide / 2, y - tall * 0.75, wide, tall * 0.42, cloth, corner=wide * 0.2, fade=0.3)
    canvas.oval((x, y - tall * 0.84), (wide * 0.9, tall * 0.26), skin)
    canvas.polygon(
        [
            (x - wide * 0.6, y - tall * 0.88),
            (x, y - tall * float(dice.uniform(1.0, 1.2))),
            (x + wide * 0.6, y - tall * 0.88),
        ],
        tone(dice, (120, 80, 50), 40),
    )
    if dice.random() < 0.3:
        canvas.polygon(
            [(x + wide * 0.3, y - tall * 0.7), (x + unit * 0.6, y - tall), (x + unit * 0.5, y - tall * 0.5)],
            shaded(cloth, 1.3),
        )
