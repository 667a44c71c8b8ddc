"""A line above the panels for what the person must know: a fault of the worker, a settings file set aside."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QToolBar, QToolButton, QWidget

from botapp.ui import theme
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import row_of
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
        self.cause = ""
        self._do: Callable[[], object] | None = None
        self._do_other: Callable[[], object] | None = None
        self.restart = QPushButton(tr("Restart the engine"))
        self.restart.clicked.connect(self._restart)
        self.action = QPushButton(tr("Open"))
        self.action.clicked.connect(self._act)
        self.other = QPushButton(tr("Open"))
        self.other.clicked.connect(self._act_otherwise)
        close = QToolButton()
        close.setObjectName("flat")
        close.setIcon(theme.icon("close", "muted"))
        name(close, tr("Close"))
        close.clicked.connect(self.put_away)
        row_of(
            (self.text, 1),
            self.restart,
            self.action,
            self.other,
            close,
            into=self.frame,
            margins=(14, 6, 6, 6),
        )
        self.addWidget(self.frame)
        self.frame.installEventFilter(self)
        self.hide()

    def say(
        self,
        text: str,
        level: str = "warn",
        *,
        restart: bool = False,
        action: tuple[str, Callable[[], object]] | None = None,
        other: tuple[str, Callable[[], object]] | None = None,
        cause: str = "",
    ) -> None:
        """Shows a text.

        Args:
            level: info, warn or bad.
            restart: whether to offer to start the worker anew.
            other: the same of a second one.
            cause: what `settle` will name once it is gone; "" for what the person puts away.
        """
        self.text.setText(text)
        self.cause = cause
        self.frame.setProperty("level", level)
        self.frame.style().unpolish(self.frame)
        self.frame.style().polish(self.frame)
        self.restart.setVisible(restart)
        words, self._do = action or (self.action.text(), None)
        self.action.setText(words)
        self.action.setVisible(action is not None)
        words, self._do_other = other or (self.other.text(), None)
        self.other.setText(words)
        self.other.setVisible(other is not None)
        self.show()
        self._make_room()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.frame and event.type() == QEvent.Type.Resize:
            self._make_room()
        return super().eventFilter(watched, event)

    def _make_room(self) -> None:
        """Gives the words the height that they need at this width, for which a tool bar does not ask."""
        layout = self.frame.layout()
        assert layout is not None
        self.frame.setMinimumHeight(max(0, layout.totalHeightForWidth(self.frame.width())))

    def settle(self, cause: str) -> None:
        if cause == self.cause:
            self.put_away()

    @Slot()
    def put_away(self) -> None:
        """Hides the notice; the person has read it."""
        self.text.clear()
        self.cause = ""
        self.hide()

    @Slot()
    def _act(self) -> None:
        self._put_away_and(self._do)

    @Slot()
    def _act_otherwise(self) -> None:
        self._put_away_and(self._do_other)

    def _put_away_and(self, do: Callable[[], object] | None) -> None:
        self.put_away()
        if do is not None:
            do()

    @Slot()
    def _restart(self) -> None:
        self.put_away()
        self.restart_asked.emit()
