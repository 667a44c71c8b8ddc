"""Samples the contents of a HUD, and draws the parts that the clients' HUDs have in common."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np

from vision.synthetic.board import DrawnFighter
from vision.synthetic.canvas import RGB, Drawing, Typeface, shaded, tone
from vision.synthetic.scenery import Dice, creature

LINES = (
    "Tour : 3", "Turn: 4", "lance Parafuso.", "casts Flame.",
    "-27 PV", "-13 HP", "Coup critique !", "perd 5 PDV.",
    "Fin de tour", "Bienvenue", "12 kamas",
    "Niveau 24", "-2 PA (2)", "3 PM (2)", "Combat", "Sanglier : -32PV",
)  # fmt: skip
NAMES = ("Astra (Forêt)", "Bourg de l'Est", "Le Dojo", "Plaine 0, -21", "Isla Norte", "Cité 5, -19")


Life = Literal["", "number", "rows", "percent"]
"""HP alone, HP over the maximum with a line between, the share of life in percent."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a player's interface looks."""

    panel: RGB = (62, 69, 90)
    # What the heart shows, a choice of the client's options; "" for what the client shows at first
    life: Life = ""
    drained: bool = False  # Whether the heart is empty above the share of life that is left
    underlined: bool = False  # Whether the pointer is on life, AP and MP, which underlines them
    # Whether the mouse is on another fighter, whose figures then cover the spells and the button
    inspected: bool = False
    wordless: bool = False  # Whether the end-turn button has no text
    hexagon: bool = False  # Whether it is a hexagon with a sign, in a narrow panel
    rows: int = 0  # How many rows of spells there are, 0 where chance tells
    # How much nearer to each other cards stand than to the current one, in units of the HUD
    closer: float = 0.0
    foreign: int = 0  # How many slots another bar of shortcuts has, 0 for no such bar
    points_placing: bool = True  # Whether AP and MP are shown while places are chosen


USUAL = Look()
_BEHIND = (255, 0, 255)  # A ground that no portrait has, by which its shape is told (BGR)


@dataclass(slots=True)
class DrawnHud:
    """The contents of one screen's HUD; None for values that it does not show."""

    phase: str  # "fight", "placement" or "not-fight"
    turn: str | None  # "mine" or "other", None in a placement
    hp: int
    max_hp: int
    shield: int | None
    ap: int
    mp: int
    timer_s: int
    fight_turn: int
    fighters: Sequence[DrawnFighter] = ()
    # By slot, whether it can be used and its cooldown in turns; None for an empty slot
    spells: list[tuple[bool, int] | None] = field(default_factory=list)
    covered: set[str] = field(default_factory=set)  # The names of the fields under a tooltip
    folded: bool | None = None  # Whether the player has folded the timeline; None where chance tells
    look: Look = USUAL  # How this player's interface differs from the usual one

    @property
    def percentage(self) -> int:
        """The share of life that is left, in whole percent, as a heart shows it."""
        return max(1, round(100 * self.hp / max(1, self.max_hp)))


@dataclass(frozen=True, slots=True)
class Area:
    """The client area of a picture, in pixels."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column past it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row past it."""
        return self.top + self.height


def numerals(dice: Dice, wide: float = 1.0) -> Typeface:
    """Returns a face for numbers; `wide` sets it narrower or wider."""
    choice = dice.random()
    wide, gap = wide * float(dice.uniform(0.86, 1.12)), float(dice.uniform(0.04, 0.14))
    if choice < 0.55:
        return Typeface("uni", 400, wide, gap)
    return Typeface("round" if choice < 0.8 else "plain", int(dice.integers(280, 620)), wide, gap)


def letters(dice: Dice) -> Typeface:
    return Typeface("sans", int(dice.choice([400, 600, 700])), float(dice.uniform(0.9, 1.05)))


def icon(
    dice: Dice, canvas: Drawing, left: float, top: float, size: float, ground: RGB, dim: float = 1.0
) -> None:
    canvas.box(left, top, size, size, shaded(ground, dim), corner=size * 0.14, fade=0.2)
    ink = shaded(tone(dice, (90, 40, 44) if sum(ground) > 330 else (220, 210, 190), 20), dim)
    middle = (left + size / 2, top + size / 2)
    kind = dice.integers(4)
    if kind == 0:
        canvas.ring(middle, (size * 0.5, size * 0.5), ink, size * 0.08)
        canvas.oval(middle, (size * 0.2, size * 0.2), ink)
    elif kind == 1:
        canvas.stroke(
            [(left + size * 0.2, top + size * 0.8), (left + size * 0.8, top + size * 0.2)],
            ink,
            size * 0.12,
            closed=False,
        )
    elif kind == 2:
        points = dice.uniform(0.2, 0.8, (5, 2)) * size + (left, top)
        canvas.polygon([(float(x), float(y)) for x, y in points], ink)
    else:
        for _ in range(4):
            x, y = dice.uniform(0.2, 0.75, 2) * size
            canvas.oval((left + float(x), top + float(y)), (size * 0.2, size * 0.2), ink)


def portrait(dice: Dice, canvas: Drawing, left: float, top: float, width: float, height: float) -> None:
    """Draws a face or a beast into a card, a little beyond its middle."""
    creature(
        dice,
        canvas,
        (left + width * float(dice.uniform(0.45, 0.65)), top + height * 0.9),
        width * 1.15,
        height * float(dice.uniform(0.6, 0.85)),
    )


def greyed(canvas: Drawing, left: float, top: float, width: float, height: float) -> None:
    """Takes the colours out of a part of a picture, as of a dead fighter's card."""
    box = canvas.image[max(0, round(top)) : round(top + height), max(0, round(left)) : round(left + width)]
    if box.size:
        box[:] = cv2.cvtColor(box, cv2.COLOR_BGR2GRAY)[..., None]


def silhouette(
    dice: Dice, canvas: Drawing, left: float, top: float, width: float, height: float, colour: RGB
) -> None:
    """Draws the shape of a portrait in one colour into a white card."""
    rows = slice(max(0, round(top)), round(top + height))
    columns = slice(max(0, round(left)), round(left + width))
    drawn = Drawing(canvas.image.copy())
    drawn.image[rows, columns] = _BEHIND
    portrait(dice, drawn, left, top, width, height)
    apart = np.abs(drawn.image[rows, columns].astype(np.int16) - _BEHIND).max(axis=2, keepdims=True)
    share, card = np.clip(apart / 90, 0, 1), canvas.image[rows, columns]
    card[:] = card * (1 - share) + np.array(colour[::-1]) * share


def chat(
    dice: Dice,
    canvas: Drawing,
    left: float,
    top: float,
    width: float,
    height: float,
    line: float,
    colours: Sequence[RGB],
) -> None:
    face, y = letters(dice), top + height - line
    while y > top + line:
        words = " ".join(str(dice.choice(LINES)) for _ in range(int(dice.integers(1, 3))))
        wide = max(1, int(width / (line * 0.55)))
        canvas.write(
            words[:wide],
            (left + line * 0.6, y),
            line * 0.52,
            colours[int(dice.integers(len(colours)))],
            face,
            align=0,
        )
        y -= line * 1.15


def tooltip(dice: Dice, canvas: Drawing, middle: tuple[float, float], width: float, height: float) -> None:
    left, top = middle[0] - width / 2, middle[1] - height / 2
    canvas.box(left - 1.5, top - 1.5, width + 3, height + 3, (96, 100, 120), corner=4)
    canvas.box(left, top, width, height, tone(dice, (26, 28, 48), 6), corner=4)
    face, line = letters(dice), max(9.0, height / 4)
    for row in range(max(1, int(height / line / 1.3))):
        canvas.write(
            str(dice.choice(LINES))[: int(width / line / 0.5)],
            (middle[0], top + line * (0.7 + 1.25 * row)),
            line * 0.5,
            (220, 222, 230),
            face,
        )


def spells(dice: Dice) -> list[tuple[bool, int] | None]:
    """Returns a spell bar: usable ones, greyed ones, some of those with a cooldown, then empty slots."""
    bar: list[tuple[bool, int] | None] = []
    for _ in range(int(dice.integers(6, 13))):
        usable = dice.random() < 0.72
        bar.append((bool(usable), 0 if usable or dice.random() < 0.4 else int(dice.integers(1, 10))))
    return bar


def sample(dice: Dice, fighters: Sequence[DrawnFighter], phase: str, turn: str | None, big: bool) -> DrawnHud:
    """Returns random contents of a HUD; the own fighter gets its life. `big` allows lives of 5 digits."""
    max_hp = int(np.exp(dice.uniform(np.log(40), np.log(12000 if big else 6000))))
    hp = max_hp if dice.random() < 0.35 else max(1, int(max_hp * dice.uniform(0.02, 1)))
    for fighter in fighters:
        if fighter.team == "own":
            fighter.life = max(0.02, hp / max_hp)
    return DrawnHud(
        phase,
        turn,
        hp,
        max_hp,
        int(dice.integers(5, 700)) if dice.random() < 0.2 else None,
        int(dice.integers(0, 13)),
        int(dice.integers(0, 9)),
        int(dice.integers(1, 61)),
        int(dice.integers(1, 30)) if dice.random() < 0.9 else int(dice.integers(30, 80)),
        fighters,
        spells(dice),
    )
