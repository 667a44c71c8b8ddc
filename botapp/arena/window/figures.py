"""Fighters as flat-shaded figures: a body colour says the kind, a shape says the silhouette."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from botapp.arena.window import tones
from botapp.arena.window.bodies import FIGURES
from botapp.arena.window.brush import Brush


def paint(
    painter: QPainter, at: tuple[float, float], tall: float, colour: str, shape: str, mirrored: bool = False
) -> None:
    """Draws a figure `tall` pixels high whose feet stand at a point."""
    painter.save()
    painter.translate(*at)
    painter.scale(-tall if mirrored else tall, tall)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.faded("#0c0a14", 0.35))
    painter.drawEllipse(QPointF(0.02, -0.01), 0.3, 0.1)
    FIGURES[shape](Brush(painter, colour))
    painter.restore()


def portrait(painter: QPainter, box: QRectF, colour: str, shape: str) -> None:
    """Draws a figure's bust so that it fills a box, cut at the box's edges."""
    painter.save()
    painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
    tall = box.height() * 1.12
    painter.translate(box.center().x(), box.bottom() + tall * 0.14)
    painter.scale(tall, tall)
    FIGURES[shape](Brush(painter, colour))
    painter.restore()
