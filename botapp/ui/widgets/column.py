"""What stands in a frame that scrolls, and only where its parts would get less than they can do with."""

from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget

_NESTED = 3  # How deep layouts are nested in a frame that scrolls


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
