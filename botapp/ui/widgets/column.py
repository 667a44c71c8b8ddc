"""What stands in a frame that scrolls, and only where its parts would get less than they can do with."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget


class Column(QWidget):
    """Parts below each other, added to its `box`, for `botapp.ui.widgets.labels.scrolled`."""

    def __init__(self, spacing: int = 8) -> None:
        super().__init__()
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(14, 12, 14, 12)
        self.box.setSpacing(spacing)

    def heightForWidth(self, width: int) -> int:
        """Returns the least height of its parts."""
        return self.layout().minimumHeightForWidth(width)

    def minimumSizeHint(self) -> QSize:
        """As high as its words are at its width; the layout counts them as if they were in a narrow one."""
        hint = super().minimumSizeHint()
        if not self.layout().hasHeightForWidth():
            return hint
        return QSize(hint.width(), min(hint.height(), self.heightForWidth(self.width())))
