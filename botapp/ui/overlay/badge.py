"""A handle over the overlay's box with the advice: drag it, resize it, pin it where it is.

The overlay itself lets everything through, so that the box can only be moved while this lies over it. Next
hop: `botapp.ui.app` keeps where it was pinned.
"""

from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QWidget

from botapp.host.settings import OverlaySettings
from botapp.ui import theme
from botapp.ui.overlay.paint import badge_rect
from botapp.ui.overlay.scene import Badge
from botapp.ui.overlay.window import Overlay
from botapp.ui.translation import tr

LEAST, MOST = 0.7, 2.5
_STEP, _FAR = 8, 40  # Pixels that an arrow moves it by, and with Shift
_ROOM = QSize(300, 76)  # As large as it is while there is no advice
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class BadgeMover(QWidget):
    """Dragged by the mouse or moved by arrows, resized by the wheel or + and -, pinned by Enter or a click.

    Signals:
        moved: where it was put: x and y as shares of the game's window, and its scale.
    """

    moved = Signal(float, float, float)

    def __init__(self, overlay: Overlay, settings: OverlaySettings) -> None:
        super().__init__(
            None,
            Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint,
        )
        self.setWindowTitle(tr("botapp - Move the advice box"))
        self.setAccessibleName(tr("Move the advice box"))
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeAllCursor)
        self.setWindowOpacity(0.9)
        self.scale = settings.badge_scale
        self._before = settings.badge_x, settings.badge_y, settings.badge_scale
        self._overlay = overlay
        self._held: QPoint | None = None
        area = self._area()
        self.move(
            area.x() + round(settings.badge_x * area.width()),
            area.y() + round(settings.badge_y * area.height()),
        )
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Moves, resizes and pins by keys; Esc puts it back."""
        key = Qt.Key(event.key())
        if key in _ARROWS:
            far = _FAR if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP
            across, down = _ARROWS[key]
            self._put(self.pos() + QPoint(across * far, down * far))
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.resize_by(1.1)
        elif key is Qt.Key.Key_Minus:
            self.resize_by(1 / 1.1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        elif key is Qt.Key.Key_Escape:
            self.moved.emit(*self._before)
            self.close()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.resize_by(1.1 ** (event.angleDelta().y() / 120))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._put(event.globalPosition().toPoint() - self._held)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.close()

    def resize_by(self, factor: float) -> None:
        self.scale = round(max(LEAST, min(MOST, self.scale * factor)), 3)
        self._fit()
        self._tell()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), theme.colour("raised"))
        painter.setPen(QPen(theme.colour("accent"), 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 6, 6)
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(0.95))
        painter.drawText(
            self.rect().adjusted(10, 4, -10, -4),
            Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
            tr("Drag to move, wheel to resize, double click or Enter to pin, Esc to undo"),
        )
        painter.end()

    def _put(self, at: QPoint) -> None:
        area = self._area()
        x = max(area.left(), min(at.x(), area.right() - self.width()))
        y = max(area.top(), min(at.y(), area.bottom() - self.height()))
        self.move(x, y)
        self._tell()

    @Slot()
    def _tell(self) -> None:
        area = self._area()
        x, y = (self.x() - area.x()) / area.width(), (self.y() - area.y()) / area.height()
        self.moved.emit(*(round(max(0.0, min(0.98, share)), 4) for share in (x, y)), self.scale)

    def _fit(self) -> None:
        badge = self._overlay.scene.badge or Badge(("",), (0.0, 0.0))
        rect = badge_rect(replace(badge, scale=self.scale))
        self.resize(rect.size().toSize().expandedTo(_ROOM * min(1.0, self.scale)))

    def _area(self) -> QRect:
        if self._overlay.placement.width:
            return self._overlay.geometry()
        return self.screen().availableGeometry()
