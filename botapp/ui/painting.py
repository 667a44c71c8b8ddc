"""Rounded rectangles, filled or outlined, as they are painted everywhere."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen


def rounded(painter: QPainter, rect: QRectF, shade: QColor, radius: float | None = None) -> None:
    """Fills a rectangle with round corners; without a radius its ends are half circles."""
    radius = rect.height() / 2 if radius is None else radius
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(shade)
    painter.drawRoundedRect(rect, radius, radius)


def outlined(painter: QPainter, rect: QRectF, pen: QPen | QColor, radius: float = 4) -> None:
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, radius, radius)
