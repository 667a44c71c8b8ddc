"""What stands in a frame that scrolls, and only where its parts would get less than they can do with."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget


class Column(QWidget):
    """A widget with a layout, for `botapp.ui.widgets.labels.scrolled`."""

    def heightForWidth(self, width: int) -> int:
        """Returns the least height of its parts."""
        return self.layout().minimumHeightForWidth(width)

    def minimumSizeHint(self) -> QSize:
        """As high as its words are at its width; the layout counts them as if they were in a narrow one."""
        hint = super().minimumSizeHint()
        if not self.layout().hasHeightForWidth():
            return hint
        return QSize(hint.width(), min(hint.height(), self.heightForWidth(self.width())))
