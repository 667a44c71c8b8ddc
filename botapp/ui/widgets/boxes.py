"""Layouts: rows, columns, lines of widgets that go on in the next row, the column of a scrolling frame."""

from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QLayoutItem, QVBoxLayout, QWidget

Part = QWidget | QLayout | int | None
LEFT = Qt.AlignmentFlag.AlignLeft
_Box = TypeVar("_Box", bound=QBoxLayout)


def row_of(
    *parts: Part | tuple[Part, int | Qt.AlignmentFlag],
    into: QWidget | None = None,
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:
    """Returns a layout of parts from left to right.

    Args:
        *parts: widgets and layouts, None for empty room that stretches, a number for room of so many pixels;
            with a number, its stretch factor; a widget with a flag, its alignment.
        into: the widget that is laid out so; None for a layout within another one.
        margins: left, top, right and bottom, in logical pixels; Qt's own if None.
        spacing: between the parts, in logical pixels; Qt's own if None.
    """
    return _filled(QHBoxLayout() if into is None else QHBoxLayout(into), parts, margins, spacing)


def column_of(
    *parts: Part | tuple[Part, int | Qt.AlignmentFlag],
    into: QWidget | None = None,
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:
    """Returns a layout of parts from top to bottom; see `row_of`."""
    return _filled(QVBoxLayout() if into is None else QVBoxLayout(into), parts, margins, spacing)


def _filled(
    box: _Box,
    parts: tuple[Part | tuple[Part, int | Qt.AlignmentFlag], ...],
    margins: tuple[int, int, int, int] | None,
    spacing: int | None,
) -> _Box:
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for each in parts:
        part, share = each if isinstance(each, tuple) else (each, 0)
        stretch, side = (0, share) if isinstance(share, Qt.AlignmentFlag) else (share, Qt.AlignmentFlag(0))
        if part is None:
            box.addStretch(stretch)
        elif isinstance(part, int):
            box.addSpacing(part)
        elif isinstance(part, QLayout):
            box.addLayout(part, stretch)
        else:
            box.addWidget(part, stretch, side)
    return box


_GAP = 6


class FlowLayout(QLayout):
    """Rows of widgets, each as large as it wants to be. Hidden ones take no room.

    Args:
        line: whether it wants to be one line, where there is room for it.
    """

    def __init__(self, parent: QWidget, *, line: bool = False, right: bool = False) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._line, self._right = line, right

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Returns an item, None past the end, as Qt asks for."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._rows(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """As little as the largest item, or room for one line of all."""
        least = self.minimumSize()
        shown = [item.sizeHint().width() for item in self._items if not item.isEmpty()]
        if self._line and shown:
            least.setWidth(max(least.width(), sum(shown) + _GAP * (len(shown) - 1)))
        return least

    def minimumSize(self) -> QSize:
        least = QSize()
        for item in self._items:
            least = least.expandedTo(item.minimumSize())
        margins = self.contentsMargins()
        return least + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._rows(rect, move=True)

    def _rows(self, rect: QRect, *, move: bool) -> int:
        margins = self.contentsMargins()
        room = rect.marginsRemoved(margins)
        x, y, tall = room.x(), room.y(), 0
        row: list[tuple[QLayoutItem, QRect]] = []
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            if tall and x + size.width() > room.x() + room.width():
                self._put(row, room, move=move)
                x, y, tall = room.x(), y + tall + _GAP, 0
            row.append((item, QRect(QPoint(x, y), size)))
            x, tall = x + size.width() + _GAP, max(tall, size.height())
        self._put(row, room, move=move)
        return y + tall - rect.y() + margins.bottom()

    def _put(self, row: list[tuple[QLayoutItem, QRect]], room: QRect, *, move: bool) -> None:
        aside = room.right() - row[-1][1].right() if row and self._right else 0
        tall = max((place.height() for _, place in row), default=0)
        for item, place in row if move else ():
            item.setGeometry(place.translated(max(0, aside), (tall - place.height()) // 2))
        row.clear()


def flow_of(*widgets: QWidget, right: bool = False) -> QWidget:
    """Returns a widget with others side by side, in one line where there is room, else in several."""
    made = QWidget()
    flow = FlowLayout(made, line=True, right=right)
    flow.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        flow.addWidget(widget)
    return made


_NESTED = 4  # How deep layouts are nested in a frame that scrolls


def settle() -> None:
    """Lays out at once what has changed its size.

    Qt does one level of nested layouts a round of its event loop and paints in between: words lay over each
    other until then, for as long as a second on a busy computer.
    """
    for _ in range(_NESTED):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)


class Column(QWidget):
    """Parts below each other, added to its `box`, for `botapp.ui.widgets.labels.scrolled`."""

    def __init__(self, spacing: int = 8) -> None:
        super().__init__()
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(14, 12, 14, 12)
        self.box.setSpacing(spacing)

    def heightForWidth(self, width: int) -> int:
        return self.box.minimumHeightForWidth(width)

    def minimumSizeHint(self) -> QSize:
        """As high as its words are at its width; the layout counts them as if they were in a narrow one."""
        hint = super().minimumSizeHint()
        if not self.box.hasHeightForWidth():
            return hint
        return QSize(hint.width(), min(hint.height(), self.heightForWidth(self.width())))
