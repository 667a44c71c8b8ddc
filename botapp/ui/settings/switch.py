"""A switch for what is on or off."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from botapp.ui import theme

_GROOVE = QSize(24, 12)
_HANDLE = 14
_EDGE = 4
"""Room around the groove on each side, in pixels: half of it for the handle, the rest for the focus."""


class Switch(QAbstractButton):
    """A button that stays on or off, drawn as a handle in a groove."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return _GROOVE + QSize(2 * _EDGE, 2 * _EDGE)

    def minimumSizeHint(self) -> QSize:
        """Is never drawn smaller."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the groove, the handle at its right end where the switch is on, and a ring for the focus."""
        on = self.isChecked()
        groove = QRectF(0, 0, _GROOVE.width(), _GROOVE.height())
        groove.moveCenter(QRectF(self.rect()).center())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1.0 if self.isEnabled() else 0.4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("accent", 0.8) if on else theme.colour("faint", 0.5))
        painter.drawRoundedRect(groove, groove.height() / 2, groove.height() / 2)
        across = groove.right() - groove.height() / 2 if on else groove.left() + groove.height() / 2
        painter.setBrush(theme.colour("text"))
        painter.drawEllipse(QPointF(across, groove.center().y()), _HANDLE / 2, _HANDLE / 2)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.colour("info"), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.end()
