"""Fighters as flat-shaded figures: a body colour says the kind, a shape of `figures.svg` the silhouette."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from botapp.arena.window import drawings, tones

FIGURES = "figures.svg"


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
    _draw(painter, colour, shape)
    painter.restore()


def portrait(painter: QPainter, box: QRectF, colour: str, shape: str) -> None:
    """Draws a figure's bust so that it fills a box, cut at the box's edges."""
    painter.save()
    painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
    tall = box.height() * 1.12
    painter.translate(box.center().x(), box.bottom() + tall * 0.14)
    painter.scale(tall, tall)
    _draw(painter, colour, shape)
    painter.restore()


def _draw(painter: QPainter, colour: str, shape: str) -> None:
    colours = {
        "base": QColor(colour),
        "light": tones.lighter(colour, 0.30),
        "dark": tones.darker(colour, 0.32),
        "line": tones.darker(colour, 0.72),
    }
    drawings.draw(painter, drawings.drawings(FIGURES)[shape], colours)
