"""The halting curve: after each step how sure the model is that thinking longer does not pay."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from botapp.ui import theme, words
from botapp.ui.translation import tr

LEAST, MOST = 62, 260
"""Heights in logical pixels: for the curve with the names of its parts alone, and for all of its room."""
_ROOMY = 120  # From this height on the steps and the scale are numbered
_DOT = 3.5


class HaltCurve(QWidget):
    """System 1 is the first dot, System 2 the others; it stops where the line rises above the threshold.

    Attributes:
        sure: after each step how sure it was, 0..1.
        threshold: from where on it stops, 0..1.
        first_steps: the steps of the first advice; those after them thought on.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sure: tuple[float, ...] = ()
        self.threshold, self.first_steps = 0.5, 0
        self.setMinimumHeight(LEAST)
        self.setMaximumHeight(MOST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setToolTip(
            tr(
                "After each step the model says how sure it is that thinking longer does not pay "
                "(Q-halt). It stops when that exceeds the threshold."
            )
        )

    def show_steps(self, sure: tuple[float, ...], threshold: float, first_steps: int) -> None:
        """Shows what was said after each step, and the threshold."""
        if (sure, threshold, first_steps) == (self.sure, self.threshold, self.first_steps):
            return
        self.sure, self.threshold, self.first_steps = sure, threshold, first_steps
        shares = ", ".join(words.number(share, 2) for share in sure)
        self.setAccessibleName(tr("Halting curve"))
        self.setAccessibleDescription(shares)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, LEAST)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font(0.85))
        letters = painter.fontMetrics()
        row = letters.height()
        roomy = self.height() >= _ROOMY
        side = letters.horizontalAdvance("0,5") + 8 if roomy else 6
        area = QRectF(side, row + 2, self.width() - side - 8, self.height() - row - 6 - (row if roomy else 0))
        self._paint_ground(painter, area, roomy=roomy)
        at = [self._at(area, place) for place in range(len(self.sure))]
        painter.setPen(QPen(theme.colour("accent"), 2))
        painter.drawPolyline(QPolygonF(at))
        for place, point in enumerate(at):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour(_shade(place, self.first_steps)))
            painter.drawEllipse(point, _DOT, _DOT)
        self._paint_names(painter, row)
        painter.end()

    def _at(self, area: QRectF, place: int) -> QPointF:
        across = place / max(1, len(self.sure) - 1) if len(self.sure) > 1 else 0.0
        share = min(1.0, max(0.0, self.sure[place]))
        return QPointF(
            area.left() + _DOT + across * (area.width() - 2 * _DOT), area.bottom() - share * area.height()
        )

    def _paint_ground(self, painter: QPainter, area: QRectF, *, roomy: bool) -> None:
        painter.fillRect(area, theme.colour("border", 0.25))
        high = area.bottom() - self.threshold * area.height()
        painter.setPen(QPen(theme.colour("muted"), 1, Qt.PenStyle.DashLine))
        if 0 <= self.threshold <= 1:
            painter.drawLine(QPointF(area.left(), high), QPointF(area.right(), high))
        if not roomy:
            return
        painter.setPen(theme.colour("muted"))
        row = painter.fontMetrics().height()
        for share in (0.0, 0.5, 1.0):
            middle = area.bottom() - share * area.height()
            box = QRectF(0, middle - row / 2, area.left() - 4, row)
            painter.drawText(
                box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words.number(share, 1)
            )
        for place in range(len(self.sure)):
            across = self._at(area, place).x()
            box = QRectF(across - 20, area.bottom() + 2, 40, row)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(place + 1))

    def _paint_names(self, painter: QPainter, row: int) -> None:
        names = [(tr("System 1"), "violet", "●"), (tr("System 2"), "accent", "●")]
        if self.first_steps and len(self.sure) > self.first_steps:
            names.append((tr("thought on"), "info", "●"))
        names.append((tr("threshold"), "muted", "┄"))
        left, room = 6.0, self.width() - 6
        for name, shade, sign in names:
            text = f"{sign} {name}"
            wide = painter.fontMetrics().horizontalAdvance(text)
            if left + wide > room:
                return
            painter.setPen(theme.colour(shade))
            painter.drawText(QRectF(left, 0, wide + 2, row), Qt.AlignmentFlag.AlignVCenter, text)
            left += wide + 12


def _shade(place: int, first_steps: int) -> str:
    if place == 0:
        return "violet"
    return "info" if first_steps and place >= first_steps else "accent"
