"""Draws parts of the Unity client's HUD in fights: the end-turn button with its timer, and the timeline."""

from vision.synthetic.canvas import RGB, Drawing, Point, shaded, tone
from vision.synthetic.hud_sample import DrawnHud, greyed, letters, numerals, portrait
from vision.synthetic.scenery import Dice

DARK: RGB = (28, 30, 46)
_END = ("FIN DE TOUR", "END TURN", "FIN DE TURNO", "ZUG BEENDEN")
_HALF_PANEL = {False: 1.6, True: 0.95}
"""Half the panel's width in the HUD's units, about a box and about a hexagon."""
_READY = ("PRÊT", "READY", "LISTO", "BEREIT")


def button(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    """Draws the button about a point, the timer and the turn's number over it; `u` is the HUD's unit."""
    x, y = at
    b = 2.8 * u
    half = _HALF_PANEL[hud.look.hexagon] * u
    canvas.box(x - half, y - 0.95 * u, 2 * half, 2.02 * u, tone(dice, hud.look.panel, 4), opacity=0.96)
    canvas.polygon(
        [
            (x - 0.8 * u, y - 0.55 * u),
            (x - 0.7 * u, y - 1.15 * u),
            (x - 0.5 * u, y - 1.26 * u),
            (x + 0.5 * u, y - 1.26 * u),
            (x + 0.7 * u, y - 1.15 * u),
            (x + 0.8 * u, y - 0.55 * u),
        ],
        DARK,
    )
    lit: RGB = (164, 255, 96)
    left = hud.timer_s / 60
    canvas.box(x - half, y - 0.63 * u, 2 * half, 0.09 * u, (88, 92, 110))
    canvas.box(x - half, y - 0.63 * u, 2 * half * left, 0.09 * u, shaded(lit, 0.86))
    mine = hud.turn == "mine" or hud.phase == "placement"
    colour = tone(dice, (164, 190, 42), 5) if mine else tone(dice, (84, 88, 98), 6)
    ink: RGB = (250, 252, 236) if mine else (150, 152, 158)
    words, style = str(dice.choice(_READY if hud.phase == "placement" else _END)), letters(dice)
    if hud.look.hexagon:
        _hexagon(canvas, at, u, colour, ink)
    else:
        canvas.box(x - b / 2 - 0.1 * u, y - 0.5 * u, b + 0.2 * u, 1.0 * u, (30, 32, 44), corner=0.2 * u)
        canvas.box(x - b / 2, y - 0.4 * u, b, 0.8 * u, shaded(colour, 1.08), corner=0.17 * u)
        inner = (x - b / 2 + 0.07 * u, y - 0.31 * u, b - 0.14 * u, 0.64 * u)
        canvas.box(*inner, colour, corner=0.13 * u, fade=0.25)
        outline = ((70, 86, 20), 0.02 * u) if mine else None
        canvas.write("" if hud.look.wordless else words, (x, y), 0.2 * u, ink, style, outline=outline)
    face = numerals(dice)
    canvas.write(f"{hud.timer_s}s", (x, y - 0.314 * b), 0.103 * b, lit, face)
    if hud.look.hexagon:  # where the turn's number stands beside it is not known
        hud.covered |= {"fight_turn"}
    elif hud.phase == "fight":
        canvas.ring((x - 0.53 * b, y - 0.277 * b), (0.16 * u, 0.16 * u), (216, 218, 226), 0.03 * u)
        canvas.write(
            str(hud.fight_turn), (x - 0.47 * b, y - 0.277 * b), 0.054 * b, (208, 210, 222), face, align=0
        )
    count = 3 if hud.look.hexagon else 5
    for index in range(count):
        size = 0.44 * u
        canvas.box(
            x + (index - count / 2) * 0.5 * u,
            y + 0.55 * u,
            size,
            size,
            (54, 58, 84) if index < count - 1 else (140, 48, 52),
            corner=0.05 * u,
        )
        canvas.oval(
            (x + (index - count / 2) * 0.5 * u + size / 2, y + 0.55 * u + size / 2),
            (size * 0.4, size * 0.4),
            (190, 192, 220),
        )


def _hexagon(canvas: Drawing, at: Point, u: float, colour: RGB, ink: RGB) -> None:
    """Draws the button as a hexagon with a sign, from memory: one player's, on no picture at hand."""
    x, y = at

    def corners(wide: float, tall: float) -> list[Point]:
        tips = ((-1, 0), (-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1))
        return [(x + px * wide / 2 * u, y + py * tall / 2 * u) for px, py in tips]

    canvas.polygon(corners(1.34, 1.06), (30, 32, 44))
    canvas.polygon(corners(1.18, 0.94), shaded(colour, 1.08))
    canvas.polygon(corners(1.06, 0.84), colour, fade=0.25)
    canvas.stroke(
        [(x - 0.17 * u, y), (x - 0.04 * u, y + 0.13 * u), (x + 0.2 * u, y - 0.14 * u)],
        ink,
        0.07 * u,
        closed=False,
    )


def cards(dice: Dice, canvas: Drawing, at: Point, u: float, hud: DrawnHud) -> None:
    """Draws the timeline: each fighter's card, a life bar beside its portrait, a frame about who plays."""
    x, y = at
    size, pitch = 1.12 * u, 1.45 * u
    count = len(hud.fighters)
    canvas.box(
        x, y, 0.9 * u + count * pitch, 1.62 * u, tone(dice, hud.look.panel, 4), corner=0.06 * u, opacity=0.95
    )
    canvas.box(x + 0.42 * u, y + 0.1 * u, 0.36 * u, 1.4 * u, DARK)
    if hud.phase == "fight":
        canvas.write(
            str(hud.fight_turn), (x + 0.6 * u, y + 0.95 * u), 0.16 * u, (230, 230, 240), letters(dice)
        )
    playing = next((i for i, fighter in enumerate(hud.fighters) if fighter.playing), 0)
    for index, fighter in enumerate(hud.fighters):
        nearer = max(0, abs(index - playing) - 1) * hud.look.closer * u
        left = x + 0.95 * u + index * pitch + (nearer if index < playing else -nearer)
        top = y + 0.12 * u
        ground: RGB = (112, 82, 84) if fighter.team == "enemy" else (71, 101, 128)
        if fighter.playing:
            top -= 0.26 * u
            canvas.box(
                left - 0.14 * u,
                top - 0.14 * u,
                size + 0.28 * u,
                size + 0.28 * u,
                tone(dice, (236, 214, 178), 4),
                corner=0.06 * u,
                fade=0.25,
            )
            canvas.box(left - 0.02 * u, top - 0.02 * u, size + 0.04 * u, size + 0.04 * u, DARK)
        bar = 0.12 * u
        canvas.box(left + bar, top, size - bar, size, tone(dice, ground, 2))
        portrait(fighter.dice(dice), canvas, left + bar, top, size - bar, size)
        canvas.box(left, top, bar, size, shaded(ground, 0.4))
        if fighter.dead:
            greyed(canvas, left, top, size, size)
            continue
        canvas.box(left, top + size * (1 - fighter.life), bar, size * fighter.life, (235, 97, 91))
        if fighter.life < 1:
            canvas.box(left, top + size * (1 - fighter.life) - 0.03 * u, bar, 0.05 * u, (250, 246, 244))
        if fighter.team == "own" and hud.shield is not None:
            canvas.box(left + bar, top + size * 0.45, bar, size * 0.55, (140, 96, 250))
