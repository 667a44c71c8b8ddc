"""The states of a fighter as small signs beside its HP bar: rooted, invulnerable, pacified and so on."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from botapp.arena.window import tones
from botapp.arena.window.layout import ArenaLayout
from botapp.fight.spells import State
from botapp.fight.state import Fighter

_SIZE, _LEAST_PX = 0.24, 9.0  # A sign's size in cell heights, and the least that can be made out, in pixels
_GAP_PX = 1.5
"""What is left free between a bar and the signs above it, so that no sign's outline touches the bar."""

Stroke = list[list[tuple[float, float]]]
_SIGNS: dict[State, tuple[str, Stroke]] = {
    State.ROOTED: ("#9a6b33", [[(0, -0.6), (0, 0.1)], [(-0.5, 0.6), (0, 0.1), (0.5, 0.6)]]),
    State.GRAVITY: ("#6a6f86", [[(0, -0.6), (0, 0.55)], [(-0.4, 0.15), (0, 0.55), (0.4, 0.15)]]),
    State.INVULNERABLE: (
        "#d9b13b",
        [[(-0.5, -0.5), (0.5, -0.5), (0.4, 0.2), (0, 0.6), (-0.4, 0.2), (-0.5, -0.5)]],
    ),
    State.INVISIBLE: (
        "#7f8db8",
        [[(-0.6, 0), (0, -0.4), (0.6, 0), (0, 0.4), (-0.6, 0)], [(-0.5, 0.5), (0.5, -0.5)]],
    ),
    State.UNLOCKABLE: ("#3f9f86", [[(-0.5, 0.45), (0.45, -0.5)], [(0.0, -0.5), (0.45, -0.5), (0.45, -0.05)]]),
    State.PACIFIED: ("#b35c9e", [[(-0.5, -0.5), (0.5, 0.5)], [(-0.5, 0.5), (0.5, -0.5)]]),
    State.FOCUSED: ("#c9483a", [[(-0.6, 0), (0.6, 0)], [(0, -0.6), (0, 0.6)]]),
}


def height(places: ArenaLayout) -> float:
    """Returns how far above a bar's top the signs reach, in pixels."""
    return _GAP_PX + max(_LEAST_PX, _SIZE * places.lattice.cell_h)


def width(places: ArenaLayout) -> float:
    """Returns how wide a row of all signs is, in pixels."""
    return len(_SIGNS) * (height(places) - _GAP_PX)


def paint(painter: QPainter, places: ArenaLayout, above: tuple[float, float], fighter: Fighter) -> None:
    """Paints the signs of a fighter's states in a row above a point: the middle of its HP bar's top edge.

    However small the window is, no sign covers the bar.
    """
    shown = [state for state in _SIGNS if fighter.has(state)]
    size = height(places) - _GAP_PX
    left = above[0] - size * (len(shown) - 1) / 2
    for place, state in enumerate(shown):
        tone, strokes = _SIGNS[state]
        centre = QPointF(left + place * size, above[1] - _GAP_PX - size / 2)
        box = QRectF(centre.x() - size / 2, centre.y() - size / 2, size, size)
        painter.setPen(QPen(QColor(tones.INK), max(1.0, size * 0.1)))
        painter.setBrush(QColor(tone))
        painter.drawEllipse(box)
        painter.setPen(tones.pen(tones.WHITE, max(1.0, size * 0.11)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for stroke in strokes:
            painter.drawPolyline([centre + QPointF(x, y) * (size * 0.42) for x, y in stroke])
