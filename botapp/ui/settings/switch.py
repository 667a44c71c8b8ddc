"""A switch for what is on or off; the library that draws it takes long to load."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from superqt import QToggleSwitch

from botapp.ui import theme


class Switch(QToggleSwitch):
    """A switch whose focus is seen."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the switch, and a ring around it while it has the focus."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.colour("info"), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
            painter.end()
