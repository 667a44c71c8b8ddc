"""A line above the panels for what the person must know: a fault of the worker, a settings file set aside."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolBar, QToolButton, QWidget

from botapp.ui import theme
from botapp.ui.translation import tr
from botapp.ui.widgets.labels import label, name


class Notice(QToolBar):
    """Hidden until there is something to say; the newest text replaces the one before.

    Signals:
        restart_asked: the person pressed the button that a fault offers.
    """

    restart_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Notices"), parent)
        self.setObjectName("notices")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.frame = QFrame()
        self.frame.setObjectName("notice")
        self.frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.text = label(wrap=True)
        self.restart = QPushButton(tr("Restart the engine"))
        self.restart.clicked.connect(self._restart)
        close = QToolButton()
        close.setObjectName("flat")
        close.setIcon(theme.icon("close", "muted"))
        name(close, tr("Close"))
        close.clicked.connect(self.put_away)
        line = QHBoxLayout(self.frame)
        line.setContentsMargins(14, 6, 6, 6)
        line.addWidget(self.text, 1)
        line.addWidget(self.restart)
        line.addWidget(close)
        self.addWidget(self.frame)
        self.hide()

    def say(self, text: str, level: str = "warn", *, restart: bool = False) -> None:
        """Shows a text; `level` is info, warn or bad, `restart` offers to start the worker anew."""
        self.text.setText(text)
        self.frame.setProperty("level", level)
        self.frame.style().unpolish(self.frame)
        self.frame.style().polish(self.frame)
        self.restart.setVisible(restart)
        self.show()

    @Slot()
    def put_away(self) -> None:
        """Hides the notice; the person has read it."""
        self.text.clear()
        self.hide()

    @Slot()
    def _restart(self) -> None:
        self.put_away()
        self.restart_asked.emit()
