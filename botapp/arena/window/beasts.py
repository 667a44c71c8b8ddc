"""More bodies of beasts and plants, in units of a body's height: feet at (0, 0), y down."""

from collections.abc import Callable

from botapp.arena.window.brush import INK, Brush

_HORN, _WHITE = "#f3e3c2", "#fff6df"


def _spider(b: Brush) -> None:
    for side in (-1, 1):
        for knee, foot in (
            ((0.3, -0.62), (0.42, -0.2)),
            ((0.34, -0.46), (0.4, -0.04)),
            ((0.26, -0.3), (0.26, 0.0)),
        ):
            b.stroke(
                [(side * 0.1, -0.36), (side * knee[0], knee[1]), (side * foot[0], foot[1])], b.dark, 0.05
            )
    b.oval(0, -0.52, 0.26, 0.25, b.base)
    b.oval(-0.09, -0.62, 0.1, 0.09, b.light, line=False)
    b.shape([(0, -0.66), (0.06, -0.56), (0, -0.48), (-0.06, -0.56)], b.light, line=False)
    b.oval(0, -0.27, 0.18, 0.16, b.base)
    b.eyes(-0.29, 0.07, 0.045)
    for side in (-1, 1):
        b.oval(side * 0.125, -0.36, 0.022, 0.026, _WHITE, line=False)
        b.shape([(side * 0.03, -0.17), (side * 0.08, -0.18), (side * 0.05, -0.08)], _WHITE)


def _ram(b: Brush) -> None:
    for x in (-0.15, 0.15):
        b.shape([(x - 0.05, -0.2), (x + 0.05, -0.2), (x + 0.05, 0), (x - 0.05, 0)], b.dark)
    for x, y, size in ((-0.16, -0.34, 0.17), (0.16, -0.34, 0.17), (0, -0.28, 0.19), (0, -0.44, 0.2)):
        b.oval(x, y, size, size * 0.9, b.base)
    b.oval(-0.1, -0.42, 0.1, 0.08, b.light, line=False)
    b.oval(0, -0.28, 0.16, 0.12, b.base, line=False)
    for side in (-1, 1):
        horn = b.curve(
            (side * 0.07, -0.82),
            (side * 0.44, -0.92, side * 0.4, -0.58),
            (side * 0.3, -0.4, side * 0.2, -0.52),
            (side * 0.3, -0.58, side * 0.26, -0.66),
            (side * 0.2, -0.74, side * 0.1, -0.68),
        )
        b.fill(horn, _HORN)
    b.fill(
        b.curve((-0.13, -0.8), (0, -0.9, 0.13, -0.8), (0.16, -0.5, 0, -0.42), (-0.16, -0.5, -0.13, -0.8)),
        b.dark,
    )
    b.eyes(-0.68, 0.075, 0.04, fierce=True)
    b.stroke([(-0.04, -0.5), (0, -0.48), (0.04, -0.5)], INK, 0.024)


def _crab(b: Brush) -> None:
    for side in (-1, 1):
        for x, y in ((0.3, -0.02), (0.22, 0.0)):
            b.stroke([(side * 0.16, -0.22), (side * (x + 0.06), -0.2), (side * x, y)], b.dark, 0.045)
        b.stroke([(side * 0.2, -0.36), (side * 0.34, -0.48)], b.dark, 0.07)
        claw = b.curve(
            (side * 0.3, -0.48),
            (side * 0.46, -0.56, side * 0.42, -0.78),
            (side * 0.36, -0.7, side * 0.34, -0.64),
            (side * 0.3, -0.74, side * 0.22, -0.74),
            (side * 0.2, -0.56, side * 0.3, -0.48),
        )
        b.fill(claw, b.base)
    b.fill(
        b.curve((-0.3, -0.3), (-0.26, -0.62, 0, -0.62), (0.26, -0.62, 0.3, -0.3), (0, -0.02, -0.3, -0.3)),
        b.base,
    )
    b.fill(
        b.curve((-0.22, -0.36), (-0.18, -0.56, 0, -0.56), (-0.1, -0.46, -0.22, -0.36)), b.light, line=False
    )
    b.stroke([(-0.22, -0.24), (0, -0.16), (0.22, -0.24)], b.dark, 0.035)
    for side in (-1, 1):
        b.stroke([(side * 0.07, -0.56), (side * 0.09, -0.68)], b.dark, 0.04)
        b.oval(side * 0.09, -0.72, 0.05, 0.055, _WHITE)
        b.oval(side * 0.095, -0.715, 0.022, 0.028, INK, line=False)


def _bird(b: Brush) -> None:
    for side in (-1, 1):
        b.stroke([(side * 0.07, -0.14), (side * 0.08, -0.01)], "#d9a13a", 0.035)
    b.shape([(0.12, -0.26), (0.42, -0.1), (0.4, -0.2), (0.2, -0.42)], b.dark)
    b.fill(
        b.curve(
            (-0.22, -0.44), (-0.24, -0.12, 0, -0.1), (0.26, -0.12, 0.24, -0.46), (0, -0.62, -0.22, -0.44)
        ),
        b.base,
    )
    b.fill(b.curve((-0.14, -0.4), (-0.14, -0.16, 0, -0.15), (0.06, -0.3, 0.0, -0.44)), _WHITE, line=False)
    b.fill(b.curve((0.05, -0.48), (0.34, -0.46, 0.28, -0.18), (0.12, -0.2, 0.05, -0.48)), b.light)
    b.oval(0, -0.66, 0.21, 0.2, b.base)
    b.oval(-0.08, -0.75, 0.09, 0.06, b.light, line=False)
    b.shape([(-0.05, -0.66), (0.05, -0.66), (0.01, -0.5)], "#e6b23c")
    b.eyes(-0.69, 0.1, 0.048, fierce=True)
    for lean in (-0.06, 0.02):
        b.fill(
            b.curve(
                (lean, -0.84),
                (lean - 0.06, -0.96, lean - 0.02, -1.0),
                (lean + 0.06, -0.94, lean + 0.05, -0.84),
            ),
            b.dark,
        )


def _ooze(b: Brush) -> None:
    b.fill(
        b.curve(
            (-0.36, -0.04),
            (-0.4, -0.2, -0.28, -0.26),
            (-0.3, -0.56, -0.12, -0.6),
            (-0.06, -0.78, 0.04, -0.66),
            (0.2, -0.7, 0.22, -0.46),
            (0.34, -0.4, 0.3, -0.22),
            (0.42, -0.14, 0.36, -0.04),
            (0, 0.06, -0.36, -0.04),
        ),
        b.base,
    )
    b.fill(
        b.curve((-0.24, -0.26), (-0.26, -0.5, -0.1, -0.54), (-0.14, -0.36, -0.24, -0.26)), b.light, line=False
    )
    for x, y, size in ((0.2, -0.16, 0.05), (-0.24, -0.12, 0.035), (0.14, -0.56, 0.03)):
        b.oval(x, y, size, size, b.light, line=False)
    b.oval(0, -0.18, 0.13, 0.07, b.dark)
    b.eyes(-0.38, 0.1, 0.055)


def _mole(b: Brush) -> None:
    b.oval(0, -0.3, 0.27, 0.28, b.base)
    b.oval(0, -0.56, 0.23, 0.21, b.base)
    b.oval(-0.09, -0.66, 0.1, 0.07, b.light, line=False)
    b.oval(0, -0.24, 0.17, 0.17, b.light, line=False)
    for side in (-1, 1):
        b.oval(side * 0.27, -0.26, 0.1, 0.13, b.dark)
        for lean in (-0.05, 0.0, 0.05):
            b.stroke([(side * (0.29 + lean), -0.17), (side * (0.31 + lean), -0.07)], _WHITE, 0.026)
        b.oval(side * 0.13, -0.03, 0.09, 0.04, b.dark)
        b.oval(side * 0.1, -0.62, 0.03, 0.03, INK, line=False)
        b.stroke([(side * 0.08, -0.48), (side * 0.22, -0.5)], INK, 0.012)
    b.oval(0, -0.5, 0.07, 0.055, "#f29aa8")
    b.shape([(-0.04, -0.42), (0.04, -0.42), (0.03, -0.35), (-0.03, -0.35)], _WHITE)


def _moth(b: Brush) -> None:
    for side in (-1, 1):
        upper = b.curve(
            (side * 0.06, -0.52),
            (side * 0.3, -0.98, side * 0.44, -0.78),
            (side * 0.46, -0.46, side * 0.06, -0.42),
        )
        b.fill(upper, b.base)
        lower = b.curve(
            (side * 0.06, -0.42),
            (side * 0.42, -0.42, side * 0.3, -0.12),
            (side * 0.14, -0.1, side * 0.06, -0.3),
        )
        b.fill(lower, b.light)
        b.oval(side * 0.3, -0.68, 0.06, 0.065, b.dark)
        b.stroke([(side * 0.05, -0.72), (side * 0.1, -0.9), (side * 0.2, -0.95)], b.dark, 0.03)
    b.oval(0, -0.34, 0.1, 0.27, b.base)
    for y in (-0.34, -0.24, -0.15):
        b.stroke([(-0.07, y), (0.07, y)], b.dark, 0.026)
    b.oval(0, -0.62, 0.14, 0.13, b.base)
    b.oval(0, -0.49, 0.15, 0.06, b.light)
    b.eyes(-0.63, 0.065, 0.05)


def _sapling(b: Brush) -> None:
    for side in (-1, 1):
        b.stroke([(side * 0.06, -0.1), (side * 0.2, 0.0)], "#5a3b22", 0.05)
        b.stroke([(side * 0.08, -0.34), (side * 0.3, -0.46)], "#5a3b22", 0.045)
        leaf = b.curve(
            (side * 0.26, -0.44),
            (side * 0.3, -0.64, side * 0.44, -0.58),
            (side * 0.42, -0.42, side * 0.26, -0.44),
        )
        b.fill(leaf, b.light)
    b.fill(
        b.curve((-0.17, -0.06), (-0.22, -0.3, -0.15, -0.5), (0, -0.6, 0.15, -0.5), (0.22, -0.3, 0.17, -0.06)),
        b.base,
    )
    b.fill(
        b.curve((-0.13, -0.1), (-0.17, -0.3, -0.11, -0.46), (-0.05, -0.3, -0.13, -0.1)), b.light, line=False
    )
    b.eyes(-0.34, 0.07, 0.04)
    b.stroke([(-0.05, -0.22), (0, -0.19), (0.05, -0.22)], INK, 0.026)
    for lean, tall in ((-0.2, -0.74), (0.2, -0.74), (0.0, -0.86)):
        b.fill(
            b.curve(
                (lean * 0.2, -0.5),
                (lean - 0.12, tall + 0.12, lean, tall),
                (lean + 0.14, tall + 0.14, lean * 0.2, -0.5),
            ),
            b.base,
        )


def _bloom(b: Brush) -> None:
    b.stroke([(0, 0), (0, -0.4)], "#3f7a35", 0.06)
    for side in (-1, 1):
        b.fill(
            b.curve((0, -0.06), (side * 0.24, -0.26, side * 0.32, -0.1), (side * 0.16, 0.02, 0, -0.06)),
            "#4f9442",
        )
    for x, y in ((0.0, -0.82), (0.22, -0.7), (0.22, -0.46), (0.0, -0.34), (-0.22, -0.46), (-0.22, -0.7)):
        b.oval(x, y, 0.15, 0.15, b.base)
    b.oval(-0.22, -0.72, 0.08, 0.06, b.light, line=False)
    b.oval(-0.02, -0.87, 0.08, 0.05, b.light, line=False)
    b.oval(0, -0.58, 0.19, 0.18, b.light)
    b.eyes(-0.6, 0.075, 0.042)
    b.stroke([(-0.05, -0.49), (0, -0.46), (0.05, -0.49)], INK, 0.026)


def _grub(b: Brush) -> None:
    for x, y, size in ((0.24, -0.14, 0.14), (0.12, -0.2, 0.18), (-0.02, -0.26, 0.22)):
        b.oval(x, y, size, size * 0.95, b.base)
    for x, y in ((0.26, -0.2), (0.14, -0.28)):
        b.oval(x - 0.03, y, 0.06, 0.05, b.light, line=False)
    b.oval(-0.12, -0.36, 0.22, 0.22, b.base)
    b.oval(-0.2, -0.46, 0.09, 0.07, b.light, line=False)
    for x in (-0.16, -0.02, 0.12, 0.24):
        b.oval(x, -0.03, 0.045, 0.035, b.dark)
    b.painter.save()
    b.painter.translate(-0.12, 0)
    b.eyes(-0.38, 0.085, 0.055)
    b.painter.restore()
    for side in (-1, 1):
        b.stroke([(-0.12 + side * 0.07, -0.56), (-0.12 + side * 0.13, -0.7)], b.dark, 0.03)
    b.shape([(-0.17, -0.24), (-0.07, -0.24), (-0.12, -0.15)], _WHITE)


FIGURES: dict[str, Callable[[Brush], None]] = {
    "spider": _spider,
    "ram": _ram,
    "crab": _crab,
    "bird": _bird,
    "ooze": _ooze,
    "mole": _mole,
    "moth": _moth,
    "sprout": _sapling,
    "bloom": _bloom,
    "grub": _grub,
}
