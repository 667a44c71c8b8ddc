"""How a window is drawn in the picker's list: its small picture, who is played, and what is watched now."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from botapp.ui import theme
from botapp.ui.translation import tr

HEADING, KIND, TITLE, PICTURE, NOTE, WATCHED = (Qt.ItemDataRole.UserRole + n for n in range(1, 7))
"""What an item holds: three lines of text, a `QPixmap`, what stands in its place, whether it is watched.

The last is None for what is no game's window."""
SIZE = QSize(176, 99)
_PAD = 10
_Index = QModelIndex | QPersistentModelIndex


class CardDelegate(QStyledItemDelegate):
    """Draws a row of the picker's list."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Rows without a place for a picture are lower."""
        pictured = index.data(PICTURE) is not None or bool(index.data(NOTE))
        return QSize(0, (SIZE.height() if pictured else 44) + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, option)
        place = QRect(option.rect.topLeft(), SIZE).translated(_PAD + 4, _PAD)
        left = place.left()
        if index.data(PICTURE) is not None or index.data(NOTE):
            self._picture(painter, place, index)
            left = place.right() + 16
        room = QRect(option.rect)
        room.setLeft(left)
        room.adjust(0, _PAD, -_PAD - 2, -_PAD)
        self._texts(painter, room, index)
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = option.rect.adjusted(1, 2, -1, -2)
        painter.setPen(Qt.PenStyle.NoPen)
        if selected or hovered:
            painter.setBrush(theme.colour("hover" if selected else "raised"))
            painter.drawRoundedRect(ground, 6, 6)
        if selected:
            painter.setBrush(theme.colour("accent"))
            painter.drawRoundedRect(QRect(ground.topLeft(), QSize(3, ground.height())), 1.5, 1.5)

    def _picture(self, painter: QPainter, place: QRect, index: _Index) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("background"))
        painter.drawRoundedRect(place, 4, 4)
        picture = index.data(PICTURE)
        if isinstance(picture, QPixmap):
            size = picture.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRect(place.topLeft(), size)
            target.moveCenter(place.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(target, picture)
        else:
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font(0.95))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(index.data(NOTE)))
        painter.setPen(theme.colour("border"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(place, 4, 4)

    def _texts(self, painter: QPainter, room: QRect, index: _Index) -> None:
        lines = [
            (str(index.data(HEADING) or ""), "text", theme.font(1.15, bold=True)),
            (str(index.data(KIND) or ""), "accent" if index.data(WATCHED) is not None else "muted", None),
            (str(index.data(TITLE) or ""), "muted", theme.font(0.9)),
        ]
        if index.data(WATCHED):
            lines.append((tr("Watched now"), "good", theme.font(0.9, bold=True)))
        shown = [(text, shade, font or theme.font()) for text, shade, font in lines if text]
        heights = [QFontMetrics(font).height() + 3 for _, _, font in shown]
        top = room.top() + max(0, (room.height() - sum(heights)) // 2)
        for (text, shade, font), height in zip(shown, heights, strict=True):
            painter.setFont(font)
            painter.setPen(theme.colour(shade))
            line = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            place = QRect(room.left(), top, room.width(), height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, line)
            top += height
