"""What several bodies share: feet, a robe, a tunic, a face, in units of a body's height."""

from botapp.arena.window.brush import Brush

SKIN = "#f0c9a0"


def feet(b: Brush) -> None:
    """Draws two feet."""
    for side in (-1, 1):
        b.oval(side * 0.11, -0.035, 0.085, 0.045, b.dark)


def robe(b: Brush) -> None:
    """Draws a robe down to the ground, with a belt."""
    b.fill(
        b.curve(
            (-0.13, -0.58), (-0.24, -0.3, -0.25, -0.05), (0, 0.06, 0.25, -0.05), (0.24, -0.3, 0.13, -0.58)
        ),
        b.base,
    )
    b.fill(
        b.curve(
            (-0.12, -0.55),
            (-0.22, -0.3, -0.22, -0.07),
            (-0.14, -0.02, -0.08, -0.02),
            (-0.12, -0.3, -0.05, -0.55),
        ),
        b.light,
        line=False,
    )
    b.stroke([(-0.19, -0.3), (0, -0.26), (0.19, -0.3)], b.dark, 0.045)


def tunic(b: Brush) -> None:
    """Draws a tunic and feet, with a belt."""
    feet(b)
    b.fill(
        b.curve(
            (-0.17, -0.53), (-0.25, -0.3, -0.2, -0.09), (0, -0.03, 0.2, -0.09), (0.25, -0.3, 0.17, -0.53)
        ),
        b.base,
    )
    b.fill(
        b.curve(
            (-0.15, -0.5), (-0.22, -0.3, -0.17, -0.11), (-0.1, -0.08, -0.06, -0.09), (-0.1, -0.3, -0.04, -0.5)
        ),
        b.light,
        line=False,
    )
    b.stroke([(-0.2, -0.24), (0, -0.2), (0.2, -0.24)], b.dark, 0.05)


def face(b: Brush, y: float = -0.68) -> None:
    """Draws a bare face with eyes."""
    b.oval(0, y, 0.155, 0.15, SKIN)
    b.eyes(y + 0.015, 0.07, 0.036)
