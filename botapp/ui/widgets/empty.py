"""What stands in the middle of a page that has nothing to show yet: a picture, and what will come and how."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

from botapp.ui import theme
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import label

_ICON, _WIDTH = 44, 460


class Empty(QWidget):
    """A picture over a text."""

    def __init__(self, icon: str, text: str = "") -> None:
        """Makes one with an icon of `resources/icons`."""
        super().__init__()
        picture = QLabel()
        picture.setPixmap(theme.icon(icon, "faint").pixmap(QSize(_ICON, _ICON)))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text = label(text, "muted", wrap=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setFixedWidth(_WIDTH)
        box = column_of((None, 2), picture, into=self, spacing=12)
        line = row_of(None, self.text, None)
        box.addLayout(line)
        box.addStretch(3)
