"""Draws what surrounds and interrupts the floor of real boards: pits, slabs, rocks, trees, paved ground.

On the real boards that we have a hole's walls hang from the floor behind it, lit from one side, and grow dark
towards the bottom: often the walls are all that is seen of it.
"""

from vision.synthetic.board import DrawnFight, beside
from vision.synthetic.canvas import RGB, Drawing, Point, diamond, shaded, tone
from vision.synthetic.scenery import Dice, Scenery, rock, tree
from vision.view import ROW_LENGTH

_STRIPS = 6  # A wall is drawn in so many steps of darkness


def dig(dice: Dice, canvas: Drawing, fight: DrawnFight, holes: set[int], palette: Scenery) -> None:
    """Draws the holes; the floor is to be drawn after them, over the walls' lower ends."""
    w, h = fight.lattice.cell_w, fight.lattice.cell_h
    base = (palette.box, palette.seam, palette.dark)[int(dice.integers(3))]
    wall = shaded(tone(dice, base, 12), float(dice.uniform(0.6, 1.0)))
    deep, end = h * float(dice.uniform(0.4, 1.6)), float(dice.uniform(0.0, 0.6))
    bottom: RGB = (0, 0, 0) if dice.random() < 0.5 else shaded(wall, end)
    left, right = (float(share) for share in dice.uniform(0.55, 1.15, 2))
    for cell in sorted(holes):
        canvas.polygon(diamond(fight.lattice.centre(cell), w + 1, h + 1), bottom)
    for cell in sorted(holes):
        x, y = fight.lattice.centre(cell)
        behind = {other for other in beside(cell) if other < cell}
        for side, light in ((-1, left), (1, right)):
            if _neighbour(cell, side) in behind & holes:
                continue
            _wall(dice, canvas, (x + side * w / 2, y), (x, y - h / 2), deep, shaded(wall, light), end)


def slab(dice: Dice, canvas: Drawing, fight: DrawnFight, ground: set[int], palette: Scenery) -> None:
    """Draws the sides of the slab that a board is the top of; the floor is to be drawn after them."""
    w, h = fight.lattice.cell_w, fight.lattice.cell_h
    side = shaded(
        tone(dice, (palette.box, palette.seam)[int(dice.integers(2))], 12), float(dice.uniform(0.6, 1))
    )
    end = float(dice.uniform(0, 0.8))
    left, right = (float(share) for share in dice.uniform(0.55, 1.1, 2))
    for cell in sorted(ground):
        x, y = fight.lattice.centre(cell)
        for across, light in ((-1, left), (1, right)):
            edge = (x + across * w / 2, y), (x, y + h / 2)
            _wall(dice, canvas, *edge, h * fight.look.slab, shaded(side, light), end)


def pave(dice: Dice, canvas: Drawing, palette: Scenery, unit: float) -> None:
    """Covers a part of the ground with planks or slabs in rows, which no cell's edges fit.

    Args:
        unit: a cell's width in pixels.
    """
    slope = float(dice.choice([0.5, -0.5, 0.0, dice.uniform(-0.7, 0.7)]))
    wide, tall = unit * float(dice.uniform(0.5, 3.0)), unit * float(dice.uniform(0.25, 1.2))
    light: RGB = (palette.light, palette.ground, palette.box)[int(dice.integers(3))]
    seam, rough = shaded(light, float(dice.uniform(0.6, 1.2))), float(dice.uniform(2, 14))
    middle = dice.uniform(0.2, 0.8, 2) * (canvas.width, canvas.height)
    reach = dice.uniform(0.3, 1.2, 2) * (canvas.width, canvas.height)
    lean = wide * float(dice.choice([0.0, 0.5]))  # upright joints, or diamonds
    for row in range(int(-reach[1] / tall), int(reach[1] / tall)):
        shift = float(dice.uniform(0, wide)) if lean == 0 else 0.0
        for column in range(int(-reach[0] / wide), int(reach[0] / wide)):
            x, y = middle[0] + column * wide + shift + lean * row, middle[1] + row * tall
            y += slope * (x - middle[0])
            if not (-wide < x < canvas.width + wide and -2 * tall < y < canvas.height + 2 * tall):
                continue
            drop = slope * wide
            corners = [(x, y), (x + wide, y + drop), (x + wide + lean, y + drop + tall), (x + lean, y + tall)]
            canvas.polygon(corners, tone(dice, light, rough))
            canvas.stroke(corners, seam, max(1.0, 0.02 * unit))


def thing(dice: Dice, canvas: Drawing, at: Point, unit: float, palette: Scenery) -> None:
    """Draws a rock or a tree on a cell, `unit` pixels wide."""
    if dice.random() < 0.7:
        for _ in range(int(dice.integers(1, 4))):
            dx, dy = (float(n) for n in dice.normal(0, 0.12, 2))
            rock(dice, canvas, palette, (at[0] + dx * unit, at[1] + (dy / 2 - 0.1) * unit), unit * 0.8)
    else:
        tree(dice, canvas, palette, at, unit * 0.6)


def _neighbour(cell: int, side: int) -> int:
    """Returns the cell behind a cell's upper left (-1) or upper right (1) edge; -1 or less off the board."""
    row, column = divmod(cell, ROW_LENGTH)
    other = column + (row % 2) - (1 if side < 0 else 0)
    return (row - 1) * ROW_LENGTH + other if 0 <= other < ROW_LENGTH else -1


def _wall(
    dice: Dice, canvas: Drawing, start: Point, end: Point, deep: float, colour: RGB, darkest: float
) -> None:
    """Draws a wall that hangs from an edge, its lower end `darkest` (0..1) of its colour."""
    for strip in range(_STRIPS):
        top, low = (deep * (strip + step) / _STRIPS for step in (0, 1))
        part = [(start[0], start[1] + top), (end[0], end[1] + top)]
        part += [(end[0], end[1] + low + 1), (start[0], start[1] + low + 1)]
        dark = 1 - (1 - darkest) * strip / (_STRIPS - 1)
        canvas.polygon(part, shaded(colour, dark * float(dice.uniform(0.93, 1.07))))
