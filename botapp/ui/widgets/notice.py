"""A line above the panels for what the person must know: a fault of the worker, a settings file set aside."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from botapp.ui import theme
from botapp.ui.translation import tr
from botapp.ui.widgets.labels import label


class Notice(QFrame):
    """Hidden until there is something to say; the newest text replaces the one before.

    Signals:
        restart_asked: the person pressed the button that a fault offers.
    """

    restart_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.text = label(wrap=True)
        self.restart = QPushButton(tr("Restart the worker"))
        self.restart.clicked.connect(self._restart)
        close = QToolButton()
        close.setObjectName("flat")
        close.setIcon(theme.icon("close", "muted"))
        close.setToolTip(tr("Close"))
        close.clicked.connect(self.hide)
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 8, 8, 8)
        line.addWidget(self.text, 1)
        line.addWidget(self.restart)
        line.addWidget(close)
        self.hide()

    def say(self, text: str, level: str = "warn", *, restart: bool = False) -> None:
        """Shows a text; `level` is info, warn or bad, `restart` offers to start the worker anew."""
        self.text.setText(text)
        self.setProperty("level", level)
        self.style().unpolish(self)
        self.style().polish(self)
        self.restart.setVisible(restart)
        self.show()

    @Slot()
    def _restart(self) -> None:
        self.hide()
        self.restart_asked.emit()
