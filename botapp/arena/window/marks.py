"""What lies on the floor besides highlights: glyphs and traps, a small sign on each cell that they cover.

The signs are small enough for the floor, a highlight or a fighter's ring to show around them.
"""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from botapp.arena.window import tones
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.terrain import diamond
from botapp.fight.state import Fighter, FightState, Mark, MarkKind

SIZE = 0.52  # A sign's diamond as a share of its cell's


def ground_marks(state: FightState, me: Fighter) -> list[tuple[Mark, Fighter]]:
    """Returns the glyphs and traps that a fighter's side sees, each with its owner."""
    owned = [(mark, state.fighter(mark.owner)) for mark in state.marks]
    return [(mark, owner) for mark, owner in owned if mark.kind is MarkKind.GLYPH or owner.team == me.team]


def paint(painter: QPainter, places: ArenaLayout, state: FightState, me: Fighter, seen: QRectF) -> None:
    line = max(1.0, places.unit * 0.0022)
    for mark, owner in ground_marks(state, me):
        tone = _tone(mark, owner.team == me.team)
        for cell in mark.cells:
            shape = diamond(places, cell, SIZE)
            if seen.intersects(shape.boundingRect()):
                _sign(painter, shape, mark.kind, tone, line)


def _tone(mark: Mark, own: bool) -> str:
    if mark.kind is MarkKind.TRAP:
        return tones.TRAP_MARK
    return tones.OWN_MARK if own else tones.ENEMY_MARK


def _sign(painter: QPainter, shape: QPolygonF, kind: MarkKind, tone: str, line: float) -> None:
    painter.setPen(QPen(tones.darker(tone, 0.55), line))
    painter.setBrush(QColor(tone))
    painter.drawPolygon(shape)
    painter.setPen(QPen(tones.lighter(tone, 0.7), line))
    top, right, bottom, left = shape.toList()
    middle = QPointF((left.x() + right.x()) / 2, (top.y() + bottom.y()) / 2)
    if kind is MarkKind.TRAP:
        for a, b in ((top, bottom), (left, right)):
            painter.drawLine(middle + (a - middle) * 0.22, middle + (b - middle) * 0.22)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.lighter(tone, 0.7))
    painter.drawEllipse(middle, (right.x() - left.x()) * 0.08, (bottom.y() - top.y()) * 0.08)
