"""Draws a fight's board: floor, holes, obstacles, highlights, fighters on their borders, effects."""

import numpy as np

from vision.synthetic import pits
from vision.synthetic.board import DrawnFight, floor_cells, place
from vision.synthetic.canvas import RGB, Drawing, Point, Typeface, diamond, shaded, tone
from vision.synthetic.clients import CLIENTS
from vision.synthetic.scenery import Dice, Scenery, creature, motley, person
from vision.view import ROW_LENGTH, CellKind, Lattice


def paint(dice: Dice, canvas: Drawing, fight: DrawnFight, palette: Scenery, client: str) -> None:
    floor(dice, canvas, fight, palette, client)
    highlight(dice, canvas, fight, client)
    stand(dice, canvas, fight, palette, client)


def floor(dice: Dice, canvas: Drawing, fight: DrawnFight, palette: Scenery, client: str) -> None:
    """Draws what stays as it is throughout a fight: the board's edge, its floor and its holes."""
    ground = set(floor_cells(fight)) | {int(c) for c in np.flatnonzero(fight.cells == CellKind.OBSTACLE)}
    holes = {int(c) for c in np.flatnonzero(fight.cells == CellKind.HOLE)}
    if fight.look.paved:
        pits.pave(dice, canvas, palette, fight.lattice.cell_w)
    if fight.look.slab:
        pits.slab(dice, canvas, fight, ground | holes, palette)
    else:
        _rim(dice, canvas, fight, ground | holes, palette)
    if fight.look.pits:
        pits.dig(dice, canvas, fight, holes, palette)
        holes = set()
    checked, patchy = dice.random() < 0.85, float(dice.uniform(0, 1))
    for cell in sorted(ground):
        if fight.look.flat:
            _flat_tile(canvas, fight.lattice, cell, palette, checked)
        else:
            _tile(dice, canvas, fight.lattice, cell, palette, checked, patchy, client)
    for cell in sorted(holes):
        _hole(canvas, fight.lattice, cell, palette)


def highlight(dice: Dice, canvas: Drawing, fight: DrawnFight, client: str) -> None:
    w, h = fight.lattice.cell_w, fight.lattice.cell_h
    meaning = {cell: name for name, cells in fight.highlights.items() for cell in cells}
    inset = float(dice.uniform(0.88, 0.97)) if fight.opacity is None else 1.0
    usual = CLIENTS[client].board.opacity if fight.look.opacity is None else fight.look.opacity
    for cell, name in sorted(meaning.items()):
        _highlight(
            dice,
            canvas,
            fight.lattice.centre(cell),
            (w * inset, h * inset),
            CLIENTS[client].colours[name],
            usual if fight.opacity is None else fight.opacity,
            fight.look.plain,
        )


def stand(dice: Dice, canvas: Drawing, fight: DrawnFight, palette: Scenery, client: str) -> None:
    """Draws what stands on the board: the fighters on their borders, and the blocks."""
    w, h = fight.lattice.cell_w, fight.lattice.cell_h
    for fighter in fight.fighters:
        CLIENTS[client].board.ring(
            fighter.dice(dice), canvas, fighter.feet(fight.lattice), (w, h), fighter, fight.look
        )
    figures = dice.random() < 0.45 and CLIENTS[client].board.figures
    raised = {int(c): None for c in np.flatnonzero(fight.cells == CellKind.OBSTACLE)}
    standing = {fighter.cell: fighter for fighter in fight.fighters}
    rise = h * float(dice.uniform(0.3, 0.8))
    for cell in sorted(raised | standing, key=lambda c: c // ROW_LENGTH):
        if cell in standing:
            fighter = standing[cell]
            x, y = fighter.feet(fight.lattice)
            draw, own = person if figures else creature, fighter.dice(dice)
            draw = motley if fight.look.motley else draw
            tall = h * float(own.uniform(1.5, 2.6) if figures else own.uniform(0.7, 1.2)) * fight.look.figures
            if tall:
                wide = w * min(1.3, max(1.0, fight.look.figures))  # no wider than so, or rings are gone
                draw(own, canvas, (x, y + 0.05 * h), wide, tall)
        elif fight.look.things:
            pits.thing(dice, canvas, fight.lattice.centre(cell), w, palette)
        else:
            _block(dice, canvas, fight.lattice.centre(cell), (w, h), rise, palette.box)
    if fight.look.shade and fight.fighters:
        at = fight.fighters[-1].feet(fight.lattice)
        canvas.oval(at, (1.15 * w, 1.15 * h), (24, 8, 4), fight.look.shade)


def _rim(dice: Dice, canvas: Drawing, fight: DrawnFight, ground: set[int], palette: Scenery) -> None:
    """Draws a board's edge: a glow, or the sides of a slab."""
    lattice = fight.lattice
    kind = dice.integers(3)
    glow = tone(dice, ((150, 190, 40), (120, 190, 180), (40, 70, 60))[int(dice.integers(3))], 8)
    for cell in sorted(ground):
        x, y = lattice.centre(cell)
        if kind == 0:
            canvas.polygon(diamond((x, y), lattice.cell_w * 1.22, lattice.cell_h * 1.22), glow, 0.8)
        elif kind == 1:
            thick = lattice.cell_h * 0.5
            sides = [(x - lattice.cell_w / 2, y), (x, y + lattice.cell_h / 2), (x + lattice.cell_w / 2, y)]
            canvas.polygon([*sides, *((px, py + thick) for px, py in sides[::-1])], shaded(palette.seam, 0.8))


def _tile(
    dice: Dice,
    canvas: Drawing,
    lattice: Lattice,
    cell: int,
    palette: Scenery,
    checked: bool,
    patchy: float,
    client: str,
) -> None:
    x, y = lattice.centre(cell)
    w, h = lattice.cell_w, lattice.cell_h
    row = cell // ROW_LENGTH
    dark = sum(place(cell)) % 2 == 0 if CLIENTS[client].board.checked else row % 2 == 0
    base = palette.dark if checked and dark else palette.light
    canvas.polygon(diamond((x, y), w + 1, h + 1), shaded(palette.seam, CLIENTS[client].board.joint))
    canvas.polygon(
        diamond((x, y), w * 0.985 - 0.8, h * 0.985 - 0.4), tone(dice, base, 3 + 5 * patchy), fade=0.05
    )
    for _ in range(int(dice.poisson(1.6 * patchy))):
        spot = (x + float(dice.uniform(-0.25, 0.25)) * w, y + float(dice.uniform(-0.2, 0.2)) * h)
        share = float(dice.uniform(0.85, 1.12))
        canvas.oval(
            spot,
            (w * float(dice.uniform(0.05, 0.3)), h * float(dice.uniform(0.05, 0.25))),
            shaded(base, share),
            0.7,
        )
    if dice.random() < 0.12 * patchy:
        for _ in range(6):
            dx, dy = dice.normal(0, 0.2, 2)
            canvas.oval(
                (x + float(dx) * w, y + float(dy) * h), (w * 0.05, h * 0.16), tone(dice, palette.plant, 12)
            )


def _flat_tile(canvas: Drawing, lattice: Lattice, cell: int, palette: Scenery, checked: bool) -> None:
    """Draws a tile of a tactical board: one colour, and joints of a pixel lighter than it."""
    at, (w, h) = lattice.centre(cell), (lattice.cell_w, lattice.cell_h)
    colour = palette.dark if checked and cell // ROW_LENGTH % 2 == 0 else palette.light
    canvas.polygon(diamond(at, w + 1, h + 1), colour)
    canvas.stroke(diamond(at, w, h), shaded(colour, 1.35), max(1.0, 0.014 * w))


def _hole(canvas: Drawing, lattice: Lattice, cell: int, palette: Scenery) -> None:
    x, y = lattice.centre(cell)
    w, h = lattice.cell_w, lattice.cell_h
    canvas.polygon(diamond((x, y), w, h), shaded(palette.seam, 0.28))
    for side in (-1, 1):
        wall = [
            (x + side * w / 2, y),
            (x, y - h / 2),
            (x, y - h / 6),
            (x + side * w / 2 * 0.66, y + h / 6 * 0.5),
        ]
        canvas.polygon(wall, shaded(palette.seam, 0.85 if side < 0 else 0.7), 0.8)


def _highlight(
    dice: Dice,
    canvas: Drawing,
    at: Point,
    size: tuple[float, float],
    colour: RGB,
    opacity: float,
    plain: bool = False,
) -> None:
    canvas.polygon(diamond(at, *size), colour, opacity * float(dice.uniform(0.94, 1)))
    if plain:
        return
    canvas.polygon(diamond(at, size[0] * 0.55, size[1] * 0.55), shaded(colour, 1.18), 0.35 * opacity)


def _block(
    dice: Dice, canvas: Drawing, at: Point, size: tuple[float, float], rise: float, colour: RGB
) -> None:
    (x, y), (w, h) = at, size
    left, right = (x - w / 2, y), (x + w / 2, y)
    front = (x, y + h / 2)
    top = tone(dice, colour, 6)
    canvas.polygon([left, front, (front[0], front[1] - rise), (left[0], left[1] - rise)], shaded(top, 0.7))
    canvas.polygon(
        [right, front, (front[0], front[1] - rise), (right[0], right[1] - rise)], shaded(top, 0.55)
    )
    canvas.polygon(diamond((x, y - rise), w, h), top)
    canvas.stroke(diamond((x, y - rise), w * 0.98, h * 0.98), shaded(top, 0.75), 1.0)


def effects(dice: Dice, canvas: Drawing, fight: DrawnFight) -> None:
    """Draws effects over a board: floating numbers, glows, sparks."""
    w, h = fight.lattice.cell_w, fight.lattice.cell_h
    for _ in range(int(dice.integers(0, 4))):
        fighter = fight.fighters[int(dice.integers(len(fight.fighters)))]
        x, y = fight.lattice.centre(fighter.cell)
        spot = (x + float(dice.normal(0, 0.5)) * w, y - float(dice.uniform(0.2, 2.2)) * h)
        kind = dice.random()
        if kind < 0.6:
            colour = ((206, 52, 40), (60, 150, 60), (60, 110, 200), (120, 140, 40))[int(dice.integers(4))]
            text = str(dice.choice(["-", "", ""])) + str(int(dice.integers(1, 400)))
            canvas.write(
                text, spot, 0.55 * h, colour, Typeface("plain", 600), outline=(shaded(colour, 0.35), 0.06 * h)
            )
        elif kind < 0.8:
            colour = ((255, 220, 120), (120, 200, 255), (200, 120, 240), (60, 20, 20))[int(dice.integers(4))]
            for share in (1.0, 0.75, 0.5):
                canvas.oval(spot, (w * share, w * share * 0.7), colour, 0.2)
        else:
            for _ in range(15):
                dx, dy = dice.normal(0, 0.4, 2) * w
                canvas.oval(
                    (spot[0] + float(dx), spot[1] + float(dy)), (0.06 * w, 0.06 * w), (255, 240, 180), 0.8
                )
