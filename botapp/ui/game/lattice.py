"""A picture of the game with the board's lattice over it, moved by mouse and keys."""

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from botapp.ui import theme
from vision.view import CELLS, ROW_LENGTH, Lattice

_LINE = QColor(255, 255, 255, 110)
_RIM = QColor("#ffd25a")
_ROWS = CELLS // ROW_LENGTH
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class LatticeEditor(QWidget):
    """Shows a lattice on a picture; arrows move it by whole cells, with Shift by a pixel, + and - resize it.

    Signals:
        moved: the person moved it.
    """

    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.lattice: Lattice | None = None
        self.message = ""
        self._image: QImage | None = None
        self._held: QPointF | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(240, 90)

    def sizeHint(self) -> QSize:
        return QSize(960, 540)

    def show_picture(
        self, pixels: npt.NDArray[np.uint8] | None, lattice: Lattice | None, message: str
    ) -> None:
        """Shows a picture (BGR, shape (height, width, 3)), and where the lattice was found on it, in its
        pixels; or a message in place of it."""
        self.lattice, self.message, self._image = lattice, message, None
        if pixels is not None:
            height, width = pixels.shape[:2]
            packed = np.ascontiguousarray(pixels)
            self._image = QImage(packed.data, width, height, width * 3, QImage.Format.Format_BGR888).copy()
        self.update()

    def move_by(self, x: float, y: float) -> None:
        """Moves the lattice by pixels of the picture."""
        if self.lattice is not None:
            left, top = self.lattice.origin_px
            self._put(Lattice((left + x, top + y), self.lattice.cell_w, self.lattice.cell_h))

    def resize_by(self, factor: float) -> None:
        if self.lattice is None:
            return
        before = self.lattice
        x, y = before.centre(CELLS // 2)
        left, top = before.origin_px
        origin = (x + (left - x) * factor, y + (top - y) * factor)
        self._put(Lattice(origin, before.cell_w * factor, before.cell_h * factor))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if key in _ARROWS and self.lattice is not None:
            across, down = _ARROWS[key]
            step = (1.0, 1.0) if shift else (self.lattice.cell_w, self.lattice.cell_h)
            self.move_by(across * step[0], down * step[1])
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.resize_by(1.001)
        elif key is Qt.Key.Key_Minus:
            self.resize_by(1 / 1.001)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.resize_by(1.001 ** (event.angleDelta().y() / 120))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._held = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None and self._image is not None:
            scale = self._image.width() / max(1.0, self._target().width())
            way = event.position() - self._held
            self._held = event.position()
            self.move_by(way.x() * scale, way.y() * scale)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("surface"))
        if self._image is None:
            painter.setPen(theme.colour("muted"))
            room = QRectF(self.rect()).adjusted(24, 12, -24, -12)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.message)
        else:
            self._paint_picture(painter, self._image)
        if self.hasFocus():
            painter.setPen(QPen(theme.colour("info"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def _paint_picture(self, painter: QPainter, image: QImage) -> None:
        target = self._target()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(target, image)
        if self.lattice is None:
            return
        painter.save()
        painter.setClipRect(target)
        painter.translate(target.topLeft())
        scale = target.width() / image.width()
        painter.scale(scale, scale)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_lattice(painter, self.lattice, 1 / scale)
        painter.restore()

    def _paint_lattice(self, painter: QPainter, lattice: Lattice, pixel: float) -> None:
        painter.setPen(QPen(_LINE, pixel))
        for cell in range(CELLS):
            painter.drawPolygon(_diamond(lattice, cell))
        painter.setPen(QPen(_RIM, 2.5 * pixel))
        painter.drawPolygon(_rim(lattice))

    def _put(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.moved.emit()
        self.update()

    def _target(self) -> QRectF:
        assert self._image is not None
        scale = min(self.width() / self._image.width(), self.height() / self._image.height())
        w, h = self._image.width() * scale, self._image.height() * scale
        return QRectF((self.width() - w) / 2, (self.height() - h) / 2, w, h)


def _diamond(lattice: Lattice, cell: int) -> QPolygonF:
    x, y = lattice.centre(cell)
    w, h = lattice.cell_w / 2, lattice.cell_h / 2
    return QPolygonF([QPointF(x, y - h), QPointF(x + w, y), QPointF(x, y + h), QPointF(x - w, y)])


def _rim(lattice: Lattice) -> QPolygonF:
    """Returns the border of all 560 cells: a box with the lattice's teeth left out."""
    left, top = lattice.centre(0)
    right = left + (ROW_LENGTH - 0.5) * lattice.cell_w
    bottom = top + (_ROWS - 1) / 2 * lattice.cell_h
    w, h = lattice.cell_w / 2, lattice.cell_h / 2
    return QPolygonF(QRectF(left - w, top - h, right - left + 2 * w, bottom - top + 2 * h))
