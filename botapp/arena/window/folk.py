"""More bodies that stand upright: the later classes, and monsters with hands.

In units of a body's height: feet at (0, 0), y down.
"""

from collections.abc import Callable

from botapp.arena.window import tones
from botapp.arena.window.brush import INK, Brush
from botapp.arena.window.clothes import face, feet, robe, tunic

_WOOD, _PALE = "#5a3b22", "#f4ead0"


def _thornkeeper(b: Brush) -> None:
    b.stroke([(-0.27, -0.02), (-0.29, -0.7)], _WOOD, 0.05)
    b.stroke([(-0.29, -0.7), (-0.36, -0.84)], _WOOD, 0.035)
    b.stroke([(-0.29, -0.66), (-0.2, -0.8)], _WOOD, 0.035)
    robe(b)
    for side in (-1, 1):
        b.fill(
            b.curve(
                (side * 0.04, -0.52),
                (side * 0.3, -0.6, side * 0.33, -0.36),
                (side * 0.14, -0.36, side * 0.04, -0.52),
            ),
            b.light,
        )
    face(b, -0.66)
    for lean, tall in ((-0.2, -0.84), (-0.11, -0.98), (0.0, -1.06), (0.11, -0.98), (0.2, -0.84)):
        b.fill(
            b.curve(
                (lean * 0.8 - 0.06, -0.72),
                (lean - 0.09, tall + 0.1, lean, tall),
                (lean + 0.09, tall + 0.1, lean * 0.8 + 0.06, -0.72),
            ),
            b.base if abs(lean) < 0.15 else b.dark,
        )
    b.fill(b.curve((-0.19, -0.72), (0, -0.84, 0.19, -0.72), (0, -0.76, -0.19, -0.72)), b.dark)


def _dancer(b: Brush) -> None:
    tail = b.curve(
        (0.08, -0.6),
        (0.36, -0.72, 0.34, -0.48),
        (0.3, -0.3, 0.44, -0.16),
        (0.22, -0.2, 0.2, -0.4),
        (0.2, -0.56, 0.06, -0.52),
    )
    b.fill(tail, b.dark)
    tunic(b)
    b.fill(b.curve((-0.16, -0.54), (0.02, -0.4, 0.17, -0.54), (0.06, -0.62, -0.16, -0.54)), b.dark)
    b.oval(0, -0.74, 0.19, 0.19, b.base)
    face(b, -0.68)
    b.fill(
        b.curve(
            (-0.18, -0.72),
            (-0.2, -0.96, 0.04, -0.97),
            (0.3, -0.98, 0.3, -0.82),
            (0.14, -0.9, 0.17, -0.72),
            (0.05, -0.86, -0.18, -0.72),
        ),
        b.base,
    )
    b.fill(
        b.curve((-0.14, -0.8), (-0.12, -0.92, 0.04, -0.93), (-0.04, -0.86, -0.14, -0.8)), b.light, line=False
    )
    for side in (-1, 1):
        b.fill(
            b.curve(
                (side * 0.19, -0.4),
                (side * 0.42, -0.52, side * 0.38, -0.26),
                (side * 0.3, -0.34, side * 0.19, -0.3),
            ),
            b.light,
        )


def _hourkeeper(b: Brush) -> None:
    robe(b)
    b.oval(0, -0.34, 0.125, 0.125, _PALE)
    b.stroke([(0, -0.34), (0, -0.43)], INK, 0.022)
    b.stroke([(0, -0.34), (0.06, -0.31)], INK, 0.022)
    for side in (-1, 1):
        b.fill(
            b.curve(
                (side * 0.13, -0.56),
                (side * 0.36, -0.5, side * 0.3, -0.2),
                (side * 0.2, -0.24, side * 0.13, -0.4),
            ),
            b.base,
        )
    face(b, -0.67)
    b.fill(b.curve((-0.08, -0.6), (0, -0.3, 0.08, -0.6), (0, -0.56, -0.08, -0.6)), b.light)
    b.shape([(-0.22, -0.76), (-0.15, -1.02), (0.15, -1.02), (0.22, -0.76)], b.base)
    b.shape([(-0.19, -0.78), (-0.13, -1.0), (-0.04, -1.0), (-0.07, -0.78)], b.light, line=False)
    b.oval(0, -0.77, 0.27, 0.06, b.dark)
    b.shape([(-0.03, -0.83), (0.03, -0.83), (-0.03, -0.93), (0.03, -0.93)], tones.GOLD, line=False)


def _veilwalker(b: Brush) -> None:
    b.fill(
        b.curve(
            (-0.14, -0.6),
            (-0.38, -0.36, -0.33, -0.04),
            (-0.2, -0.12, -0.12, -0.02),
            (0, -0.1, 0.12, -0.02),
            (0.2, -0.12, 0.33, -0.04),
            (0.38, -0.36, 0.14, -0.6),
        ),
        b.base,
    )
    b.fill(
        b.curve(
            (-0.12, -0.58),
            (-0.32, -0.36, -0.29, -0.1),
            (-0.2, -0.16, -0.16, -0.1),
            (-0.18, -0.36, -0.06, -0.56),
        ),
        b.light,
        line=False,
    )
    b.fill(b.curve((-0.05, -0.56), (-0.09, -0.3, -0.03, -0.1), (0.09, -0.3, 0.05, -0.56)), b.dark, line=False)
    b.fill(
        b.curve((-0.22, -0.52), (-0.3, -0.86, 0, -1.04), (0.3, -0.86, 0.22, -0.52), (0, -0.44, -0.22, -0.52)),
        b.base,
    )
    b.fill(b.curve((-0.18, -0.6), (-0.22, -0.84, 0, -0.98), (-0.1, -0.8, -0.14, -0.58)), b.light, line=False)
    b.oval(0, -0.67, 0.13, 0.14, INK, line=False)
    for side in (-1, 1):
        b.shape([(side * 0.025, -0.655), (side * 0.1, -0.71), (side * 0.085, -0.645)], "#dff4ff", line=False)


def _shaman(b: Brush) -> None:
    b.stroke([(0.28, -0.02), (0.28, -0.72)], _WOOD, 0.05)
    for lean in (-0.07, 0.0, 0.07):
        b.stroke([(0.28, -0.7), (0.28 + lean, -0.86)], b.light, 0.04)
    tunic(b)
    b.shape([(-0.22, -0.95), (0.22, -0.95), (0.17, -0.5), (0, -0.44), (-0.17, -0.5)], b.base)
    b.shape([(-0.19, -0.92), (-0.07, -0.92), (-0.08, -0.52), (-0.15, -0.54)], b.light, line=False)
    b.shape([(-0.03, -0.84), (0.03, -0.84), (0.05, -0.62), (-0.05, -0.62)], b.dark, line=False)
    b.eyes(-0.76, 0.1, 0.045, fierce=True)
    b.stroke([(-0.09, -0.56), (0, -0.53), (0.09, -0.56)], INK, 0.03)
    for lean in (-0.14, 0.0, 0.14):
        b.fill(
            b.curve(
                (lean - 0.05, -0.94),
                (lean - 0.05, -1.08, lean, -1.1),
                (lean + 0.06, -1.06, lean + 0.05, -0.94),
            ),
            b.dark,
        )


def _tinker(b: Brush) -> None:
    b.stroke([(0.2, -0.36), (0.34, -0.56)], _WOOD, 0.05)
    b.shape([(0.27, -0.62), (0.42, -0.54), (0.4, -0.66), (0.34, -0.7)], "#b9c0cc")
    tunic(b)
    b.shape([(-0.1, -0.48), (0.1, -0.48), (0.12, -0.2), (-0.12, -0.2)], b.dark)
    face(b, -0.66)
    b.fill(
        b.curve((-0.2, -0.7), (-0.22, -0.96, 0, -0.97), (0.22, -0.96, 0.2, -0.7), (0, -0.82, -0.2, -0.7)),
        b.base,
    )
    b.fill(
        b.curve((-0.15, -0.78), (-0.14, -0.92, 0, -0.93), (-0.08, -0.84, -0.15, -0.78)), b.light, line=False
    )
    for side in (-1, 1):
        b.oval(side * 0.08, -0.68, 0.085, 0.085, b.dark)
        b.oval(side * 0.08, -0.68, 0.055, 0.055, "#e8f6ff", line=False)
        b.oval(side * 0.085, -0.67, 0.02, 0.026, INK, line=False)
    b.fill(b.curve((-0.12, -0.58), (0, -0.44, 0.12, -0.58), (0, -0.54, -0.12, -0.58)), b.light)


def _bonebow(b: Brush) -> None:
    feet(b)
    b.shape([(-0.2, -0.52), (0.2, -0.52), (0.15, -0.1), (-0.15, -0.1)], b.base)
    for y in (-0.44, -0.34, -0.24):
        b.stroke([(-0.13, y), (0, y + 0.03), (0.13, y)], b.dark, 0.03)
    b.stroke([(0, -0.5), (0, -0.12)], b.dark, 0.03)
    b.oval(0, -0.74, 0.21, 0.2, b.base)
    b.shape([(-0.1, -0.62), (0.1, -0.62), (0.09, -0.5), (-0.09, -0.5)], b.base)
    b.oval(-0.07, -0.84, 0.1, 0.06, b.light, line=False)
    for side in (-1, 1):
        b.oval(side * 0.085, -0.71, 0.06, 0.065, INK, line=False)
        b.oval(side * 0.085, -0.71, 0.02, 0.024, "#8df0c8", line=False)
    b.shape([(0, -0.66), (-0.025, -0.6), (0.025, -0.6)], INK, line=False)
    for x in (-0.045, 0.0, 0.045):
        b.stroke([(x, -0.57), (x, -0.51)], INK, 0.014)
    b.stroke([(0.26, -0.7), (0.4, -0.56), (0.42, -0.36), (0.4, -0.2), (0.26, -0.06)], _WOOD, 0.04)
    b.stroke([(0.26, -0.7), (0.26, -0.06)], _PALE, 0.014)


def _turret(b: Brush) -> None:
    for side in (-1, 1):
        b.stroke([(side * 0.06, -0.3), (side * 0.26, -0.02)], b.dark, 0.07)
    b.stroke([(0, -0.3), (0, 0.0)], b.dark, 0.07)
    b.shape([(0.08, -0.56), (0.42, -0.62), (0.42, -0.5), (0.08, -0.42)], b.dark)
    b.oval(0.42, -0.56, 0.03, 0.06, INK)
    b.fill(
        b.curve(
            (-0.26, -0.34), (-0.32, -0.76, 0, -0.78), (0.32, -0.76, 0.26, -0.34), (0, -0.22, -0.26, -0.34)
        ),
        b.base,
    )
    b.fill(
        b.curve((-0.2, -0.42), (-0.24, -0.7, -0.02, -0.72), (-0.12, -0.6, -0.12, -0.4)), b.light, line=False
    )
    b.stroke([(-0.24, -0.38), (0, -0.31), (0.24, -0.38)], b.dark, 0.04)
    b.oval(0.02, -0.54, 0.075, 0.075, "#dff4ff")
    b.oval(0.035, -0.54, 0.032, 0.036, INK, line=False)


FIGURES: dict[str, Callable[[Brush], None]] = {
    "crown": _thornkeeper,
    "scarf": _dancer,
    "dial": _hourkeeper,
    "cowl": _veilwalker,
    "totem": _shaman,
    "goggles": _tinker,
    "skull": _bonebow,
    "turret": _turret,
}
