"""A line above the panels for what the person must know: a fault of the worker, a settings file set aside."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QToolBar, QWidget

from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import row_of
from botapp.ui.widgets.labels import label, tool

Offered = tuple[str, Callable[[], object]]
"""The words of a button and what it does."""


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
        self.restart = QPushButton(tr("Restart the engine"))
        self.action, self.other = QPushButton(tr("Open")), QPushButton(tr("Open"))
        ways = self.restart, self.action, self.other
        self._does: dict[QPushButton, Callable[[], object]] = {self.restart: self.restart_asked.emit}
        for way in ways:
            way.clicked.connect(partial(self._act, way))
        close = tool("close", tr("Close"), self.put_away)
        row_of((self.text, 1), *ways, close, into=self.frame, margins=(14, 6, 6, 6))
        self.addWidget(self.frame)
        self.frame.installEventFilter(self)
        self.hide()

    def say(
        self,
        text: str,
        level: str = "warn",
        *,
        restart: bool = False,
        action: Offered | None = None,
        other: Offered | None = None,
        cause: str = "",
    ) -> None:
        """Shows a text.

        Args:
            level: info, warn or bad.
            restart: whether to offer to start the worker anew.
            cause: what `settle` will name once it is gone; "" for what the person puts away.
        """
        self.text.setText(text)
        self.cause = cause
        self.frame.setProperty("level", level)
        self.frame.style().unpolish(self.frame)
        self.frame.style().polish(self.frame)
        self.restart.setVisible(restart)
        self._offer(self.action, action)
        self._offer(self.other, other)
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

    def _offer(self, way: QPushButton, offered: Offered | None) -> None:
        way.setVisible(offered is not None)
        if offered is not None:
            way.setText(offered[0])
            self._does[way] = offered[1]

    def _act(self, way: QPushButton) -> None:
        self.put_away()
        self._does[way]()
