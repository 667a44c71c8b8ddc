"""Draws what lies on a board and is no fighter: glyphs, discs, traps, auras, jagged rings."""

import numpy as np

from vision.synthetic.board import DrawnFight, beside, floor_cells
from vision.synthetic.canvas import RGB, Drawing, Point, diamond, shaded, tone
from vision.synthetic.scenery import Dice

_COLOURS: tuple[RGB, ...] = (
    (120, 180, 255), (60, 110, 220), (236, 96, 30), (170, 90, 220), (90, 200, 110), (240, 240, 250),
    (210, 40, 50), (250, 200, 60),
)  # fmt: skip
_TEETH = (11, 17)


def ring(dice: Dice, canvas: Drawing, at: Point, size: Point, colour: RGB) -> None:
    """Draws the jagged ring under a hovered or targeted fighter; `size` is a cell's."""
    teeth = int(dice.integers(*_TEETH))
    turn, depth = float(dice.uniform(0, 1)), float(dice.uniform(0.02, 0.045))
    angles = np.arange(8 * teeth) / (8 * teeth) * 2 * np.pi
    wave = depth * np.abs(((angles * teeth / (2 * np.pi) + turn) % 1) * 2 - 1)
    radii = (0.53 / 2 - depth / 2 + wave) * float(dice.uniform(0.95, 1.05))
    points = [
        (at[0] + float(np.cos(a) * r) * size[0], at[1] + float(np.sin(a) * r) * size[1])
        for a, r in zip(angles, radii, strict=True)
    ]
    inner = [(at[0] + (x - at[0]) * 0.8, at[1] + (y - at[1]) * 0.8) for x, y in points]
    canvas.polygon(inner, shaded(colour, 1.1), 0.15)
    canvas.stroke(points, tone(dice, colour, 6), max(2.0, 0.085 * size[0] * float(dice.uniform(0.85, 1.15))))


def scatter(dice: Dice, canvas: Drawing, fight: DrawnFight) -> None:
    """Draws some of all these on free cells, and auras about fighters."""
    free = [int(cell) for cell in floor_cells(fight)]
    taken = {fighter.cell for fighter in fight.fighters}
    free = [cell for cell in free if cell not in taken]
    if not free:
        return
    for _ in range(int(dice.integers(1, 4))):
        cell, kind = int(dice.choice(free)), int(dice.integers(4))
        colour = _COLOURS[int(dice.integers(len(_COLOURS)))]
        if kind == 0:
            _disc(dice, canvas, fight, cell, colour)
        elif kind == 1:
            _cross(dice, canvas, fight, cell, taken)
        elif kind == 2:
            _trap(dice, canvas, fight, cell, colour)
        else:
            fighter = fight.fighters[int(dice.integers(len(fight.fighters)))]
            _aura(dice, canvas, fight, fighter.cell, colour)


def _disc(dice: Dice, canvas: Drawing, fight: DrawnFight, cell: int, colour: RGB) -> None:
    """A disc with rings in it and a symbol, as high for its width as a cell."""
    at, (w, h) = fight.lattice.centre(cell), (fight.lattice.cell_w, fight.lattice.cell_h)
    size = float(dice.uniform(0.45, 0.85))
    canvas.oval(at, (w * size, h * size), shaded(colour, 1.25))
    canvas.oval(at, (w * size * 0.9, h * size * 0.9), colour, fade=0.3)
    canvas.oval(at, (w * size * 0.75, h * size * 0.75), shaded(colour, float(dice.uniform(0.8, 1.3))), 0.8)
    ink: RGB = (20, 24, 40) if dice.random() < 0.5 else (250, 250, 250)
    canvas.ring(at, (w * size * 0.55, h * size * 0.55), ink, max(1.5, 0.03 * w))
    for dx, dy in ((1, 0), (0, 1)) if dice.random() < 0.5 else ((1, 1), (1, -1)):
        reach = 0.2 * size
        line = [
            (at[0] - dx * reach * w, at[1] - dy * reach * h),
            (at[0] + dx * reach * w, at[1] + dy * reach * h),
        ]
        canvas.stroke(line, ink, max(1.5, 0.04 * w), closed=False)


def _cross(dice: Dice, canvas: Drawing, fight: DrawnFight, cell: int, taken: set[int]) -> None:
    """A glyph over several cells: dark or tinted, with an edge about each of them or none."""
    w, h = fight.lattice.cell_w, fight.lattice.cell_h
    colour = ((40, 20, 14), (60, 110, 220), (220, 60, 40), (60, 160, 80))[int(dice.integers(4))]
    opacity, edged = float(dice.uniform(0.3, 0.75)), dice.random() < 0.6
    for other in {cell, *beside(cell)}:
        at = fight.lattice.centre(other)
        canvas.polygon(diamond(at, w * 0.98, h * 0.98), colour, opacity)
        if edged and other not in taken:
            canvas.stroke(diamond(at, w * 0.96, h * 0.96), shaded(colour, 0.5), max(1.5, 0.025 * w))


def _trap(dice: Dice, canvas: Drawing, fight: DrawnFight, cell: int, colour: RGB) -> None:
    """A trap: a tinted cell with a pattern in it."""
    at, (w, h) = fight.lattice.centre(cell), (fight.lattice.cell_w, fight.lattice.cell_h)
    canvas.polygon(diamond(at, w * 0.95, h * 0.95), colour, 0.45)
    for share in (0.35, 0.6):
        canvas.stroke(diamond(at, w * share, h * share), shaded(colour, 0.8), max(1.5, 0.03 * w))


def _aura(dice: Dice, canvas: Drawing, fight: DrawnFight, cell: int, colour: RGB) -> None:
    """A glow about a fighter's feet, wider than its cell."""
    at, (w, h) = fight.lattice.centre(cell), (fight.lattice.cell_w, fight.lattice.cell_h)
    wide = float(dice.uniform(1.1, 2.2))
    for share in (1.0, 0.8, 0.6):
        canvas.oval(at, (w * wide * share, h * wide * share), colour, float(dice.uniform(0.06, 0.16)))
    if dice.random() < 0.5:
        canvas.ring(at, (w * wide, h * wide), colour, max(1.5, 0.03 * w), 0.7)
