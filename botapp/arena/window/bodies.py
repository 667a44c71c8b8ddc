"""The bodies of fighters, one drawing a shape, in units of a body's height: feet at (0, 0), y down."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainterPath

from botapp.arena.window import beasts, folk, tones
from botapp.arena.window.brush import INK, Brush
from botapp.arena.window.clothes import SKIN, face, feet, robe, tunic


def _knight(b: Brush) -> None:
    tunic(b)
    b.oval(0, -0.7, 0.2, 0.21, b.base)
    b.oval(-0.06, -0.77, 0.09, 0.08, b.light, line=False)
    b.shape([(-0.15, -0.72), (0.15, -0.72), (0.13, -0.6), (-0.13, -0.6)], INK, line=False)
    b.eyes(-0.66, 0.065, 0.032)
    b.fill(b.curve((0, -0.9), (0.05, -1.08, 0.24, -0.98), (0.16, -0.9, 0.04, -0.86)), tones.HEART)
    b.fill(
        b.curve((0.1, -0.44), (0.24, -0.5, 0.34, -0.42), (0.36, -0.2, 0.22, -0.1), (0.1, -0.2, 0.1, -0.44)),
        b.light,
    )
    b.stroke([(0.22, -0.4), (0.22, -0.19)], b.dark, 0.035)
    b.stroke([(0.15, -0.32), (0.29, -0.32)], b.dark, 0.035)


def _archer(b: Brush) -> None:
    tunic(b)
    face(b)
    b.fill(
        b.curve(
            (-0.2, -0.58),
            (-0.24, -0.86, 0.02, -1.0),
            (0.24, -0.88, 0.2, -0.58),
            (0.16, -0.8, 0, -0.8),
            (-0.16, -0.8, -0.2, -0.58),
        ),
        b.base,
    )
    b.fill(
        b.curve((-0.17, -0.68), (-0.19, -0.86, 0, -0.95), (-0.1, -0.84, -0.17, -0.68)), b.light, line=False
    )
    bow = QPainterPath(QPointF(0.2, -0.62))
    bow.quadTo(0.46, -0.36, 0.2, -0.08)
    b.painter.setBrush(Qt.BrushStyle.NoBrush)
    b.painter.setPen(tones.pen(QColor("#4a2f1a"), 0.05))
    b.painter.drawPath(bow)
    b.stroke([(0.2, -0.62), (0.2, -0.08)], "#f4ead0", 0.016)


def _mage(b: Brush) -> None:
    b.stroke([(0.25, -0.02), (0.27, -0.74)], "#5a3b22", 0.045)
    b.oval(0.27, -0.8, 0.07, 0.07, tones.GOLD)
    robe(b)
    face(b, -0.66)
    b.fill(
        b.curve(
            (-0.27, -0.72),
            (-0.1, -0.78, -0.08, -0.92),
            (0, -1.06, 0.1, -1.08),
            (0.06, -0.9, 0.27, -0.72),
            (0, -0.84, -0.27, -0.72),
        ),
        b.base,
    )
    b.stroke([(-0.12, -0.81), (0, -0.84), (0.12, -0.81)], tones.GOLD, 0.035)


def _rogue(b: Brush) -> None:
    tunic(b)
    b.oval(0, -0.69, 0.19, 0.19, b.base)
    b.shape([(-0.17, -0.73), (0.17, -0.73), (0.16, -0.62), (-0.16, -0.62)], SKIN, line=False)
    b.eyes(-0.67, 0.07, 0.034, fierce=True)
    b.fill(b.curve((0.14, -0.8), (0.3, -0.86, 0.36, -0.72), (0.24, -0.76, 0.14, -0.74)), b.dark)
    for side in (-1, 1):
        b.shape([(side * 0.2, -0.34), (side * 0.34, -0.6), (side * 0.26, -0.3)], "#dfe5ee")


def _blob(b: Brush) -> None:
    b.fill(
        b.curve(
            (-0.3, -0.06),
            (-0.34, -0.42, -0.1, -0.56),
            (-0.02, -0.64, 0.03, -0.78),
            (0.08, -0.6, 0.16, -0.52),
            (0.34, -0.38, 0.3, -0.06),
            (0, 0.06, -0.3, -0.06),
        ),
        b.base,
    )
    b.oval(-0.13, -0.34, 0.07, 0.13, b.light, line=False)
    b.eyes(-0.28, 0.1, 0.05)
    b.stroke([(-0.07, -0.14), (0, -0.11), (0.07, -0.14)], INK, 0.03)


def _boar(b: Brush) -> None:
    feet(b)
    b.oval(0.03, -0.34, 0.29, 0.27, b.base)
    b.oval(-0.06, -0.44, 0.13, 0.1, b.light, line=False)
    for side in (-1, 1):
        b.shape([(side * 0.12, -0.58), (side * 0.26, -0.76), (side * 0.27, -0.5)], b.dark)
        b.shape([(side * 0.09, -0.17), (side * 0.2, -0.33), (side * 0.16, -0.14)], "#fff6df")
    b.oval(0, -0.22, 0.13, 0.09, b.light)
    for side in (-1, 1):
        b.oval(side * 0.045, -0.22, 0.02, 0.03, INK, line=False)
    b.eyes(-0.4, 0.12, 0.04, fierce=True)


def _golem(b: Brush) -> None:
    for side in (-1, 1):
        b.shape([(side * 0.05, -0.16), (side * 0.2, -0.16), (side * 0.22, 0), (side * 0.05, 0)], b.dark)
        b.shape(
            [(side * 0.22, -0.56), (side * 0.37, -0.5), (side * 0.36, -0.18), (side * 0.25, -0.16)], b.dark
        )
    b.shape([(-0.25, -0.6), (0.25, -0.6), (0.2, -0.14), (-0.2, -0.14)], b.base)
    b.shape([(-0.22, -0.57), (-0.06, -0.57), (-0.1, -0.2), (-0.18, -0.17)], b.light, line=False)
    b.shape([(-0.15, -0.88), (0.13, -0.92), (0.19, -0.6), (-0.17, -0.6)], b.base)
    b.eyes(-0.73, 0.075, 0.04, fierce=True)
    b.stroke([(0.02, -0.46), (0.1, -0.38), (0.06, -0.28)], b.dark, 0.03)


def _bat(b: Brush) -> None:
    for side in (-1, 1):
        b.shape(
            [
                (side * 0.1, -0.5),
                (side * 0.3, -0.78),
                (side * 0.4, -0.4),
                (side * 0.29, -0.46),
                (side * 0.23, -0.3),
                (side * 0.1, -0.34),
            ],
            b.dark,
        )
        b.shape([(side * 0.04, -0.68), (side * 0.15, -0.9), (side * 0.18, -0.6)], b.base)
    b.oval(0, -0.48, 0.2, 0.24, b.base)
    b.oval(0, -0.38, 0.11, 0.11, b.light, line=False)
    b.eyes(-0.56, 0.08, 0.046, fierce=True)
    for side in (-1, 1):
        b.shape([(side * 0.03, -0.43), (side * 0.07, -0.43), (side * 0.05, -0.36)], "#ffffff", line=False)


def _imp(b: Brush) -> None:
    b.stroke([(0.14, -0.16), (0.33, -0.12), (0.36, -0.36)], b.dark, 0.045)
    b.shape([(0.3, -0.34), (0.42, -0.34), (0.37, -0.48)], b.dark)
    feet(b)
    b.oval(0, -0.24, 0.17, 0.2, b.base)
    b.oval(0, -0.2, 0.1, 0.12, b.light, line=False)
    for side in (-1, 1):
        horn = b.curve(
            (side * 0.08, -0.72),
            (side * 0.14, -0.96, side * 0.33, -0.98),
            (side * 0.3, -0.78, side * 0.21, -0.62),
        )
        b.fill(horn, "#f3e3c2")
        b.shape([(side * 0.2, -0.58), (side * 0.4, -0.66), (side * 0.22, -0.46)], b.base)
    b.oval(0, -0.58, 0.24, 0.2, b.base)
    b.oval(-0.07, -0.68, 0.1, 0.06, b.light, line=False)
    b.eyes(-0.57, 0.09, 0.046, fierce=True)
    b.stroke([(-0.09, -0.45), (0, -0.42), (0.09, -0.46)], INK, 0.028)


def _wisp(b: Brush) -> None:
    b.fill(
        b.curve(
            (0.02, -1.0),
            (0.06, -0.78, 0.2, -0.66),
            (0.24, -0.74, 0.24, -0.82),
            (0.42, -0.4, 0.2, -0.14),
            (0, 0.04, -0.2, -0.14),
            (-0.42, -0.44, -0.18, -0.68),
            (-0.16, -0.6, -0.1, -0.56),
            (-0.06, -0.8, 0.02, -1.0),
        ),
        b.base,
    )
    b.fill(
        b.curve((0, -0.62), (0.24, -0.42, 0.14, -0.2), (0, -0.06, -0.14, -0.2), (-0.22, -0.42, 0, -0.62)),
        b.light,
        line=False,
    )
    b.eyes(-0.32, 0.075, 0.046)
    b.stroke([(-0.05, -0.2), (0, -0.18), (0.05, -0.2)], INK, 0.026)


FIGURES: dict[str, Callable[[Brush], None]] = {
    "knight": _knight,
    "hood": _archer,
    "robe": _mage,
    "mask": _rogue,
    "block": _golem,
    "beast": _boar,
    "horns": _imp,
    "wing": _bat,
    "flame": _wisp,
    "blob": _blob,
    **folk.FIGURES,
    **beasts.FIGURES,
}
