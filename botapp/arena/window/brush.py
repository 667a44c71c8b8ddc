"""What figures are drawn with: a body colour with its light and dark tones, and one outline."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from botapp.arena.window import tones

INK = "#1d1626"
LINE = 0.028


class Brush:
    """A painter with a body colour, its light and dark tones, and the figures' outline."""

    def __init__(self, painter: QPainter, colour: str) -> None:
        self.painter = painter
        self.base = QColor(colour)
        self.light = tones.lighter(colour, 0.30)
        self.dark = tones.darker(colour, 0.32)
        self.line = tones.pen(tones.darker(colour, 0.72), LINE)
        self.line.setCapStyle(Qt.PenCapStyle.RoundCap)

    def shape(self, points: list[tuple[float, float]], fill: QColor | str, line: bool = True) -> None:
        """Fills a polygon with rounded joints."""
        self.painter.setPen(self.line if line else Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(fill))
        self.painter.drawPolygon(QPolygonF([QPointF(*point) for point in points]))

    def oval(self, x: float, y: float, w: float, h: float, fill: QColor | str, line: bool = True) -> None:
        """Fills an ellipse of half-axes w and h."""
        self.painter.setPen(self.line if line else Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(fill))
        self.painter.drawEllipse(QPointF(x, y), w, h)

    def stroke(self, points: list[tuple[float, float]], colour: QColor | str, width: float) -> None:
        """Draws an open line with round ends."""
        pen = tones.pen(QColor(colour), width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.drawPolyline(QPolygonF([QPointF(*point) for point in points]))

    def curve(self, start: tuple[float, float], *hops: tuple[float, float, float, float]) -> QPainterPath:
        """Returns a closed path of quadratic hops (control x, y, end x, y)."""
        path = QPainterPath(QPointF(*start))
        for cx, cy, x, y in hops:
            path.quadTo(cx, cy, x, y)
        path.closeSubpath()
        return path

    def fill(self, path: QPainterPath, colour: QColor | str, line: bool = True) -> None:
        """Fills a path."""
        self.painter.setPen(self.line if line else Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(colour))
        self.painter.drawPath(path)

    def eyes(self, y: float, apart: float = 0.085, size: float = 0.042, fierce: bool = False) -> None:
        """Draws two eyes looking out of the board; fierce ones have brows."""
        for side in (-1, 1):
            self.oval(side * apart, y, size, size * 1.15, "#fffaf0", line=False)
            self.oval(side * apart + 0.008, y + 0.006, size * 0.5, size * 0.62, INK, line=False)
            if fierce:
                brow = [(side * (apart + size * 1.3), y - size * 1.7), (side * apart * 0.35, y - size * 0.55)]
                self.stroke(brow, INK, 0.03)
