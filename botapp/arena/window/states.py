"""The states of a fighter as small signs beside its HP bar: rooted, invulnerable, pacified and so on.

Next hop: `scene` paints them over the fighters; the tooltip says them in words.
"""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from botapp.arena.window import tones
from botapp.arena.window.layout import ArenaLayout
from botapp.fight.state import Fighter, State

_SIZE = 0.24
_RISE = 1.73
"""A sign's size, and its rise over the cell's point, in cell heights."""

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


def paint(painter: QPainter, places: ArenaLayout, at: tuple[float, float], fighter: Fighter) -> None:
    """Paints the signs of a fighter's states in a row over its HP bar."""
    shown = [state for state in _SIGNS if fighter.has(state)]
    size = max(9.0, _SIZE * places.lattice.cell_h)
    left = at[0] - size * (len(shown) - 1) / 2
    for place, state in enumerate(shown):
        tone, strokes = _SIGNS[state]
        centre = QPointF(left + place * size, at[1] - _RISE * places.lattice.cell_h)
        box = QRectF(centre.x() - size / 2, centre.y() - size / 2, size, size)
        painter.setPen(QPen(QColor(tones.INK), max(1.0, size * 0.1)))
        painter.setBrush(QColor(tone))
        painter.drawEllipse(box)
        painter.setPen(tones.pen(tones.WHITE, max(1.0, size * 0.11)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for stroke in strokes:
            painter.drawPolyline([centre + QPointF(x, y) * (size * 0.42) for x, y in stroke])
