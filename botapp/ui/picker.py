"""Lets the person pick the window to watch. Next hop: `botapp.ui.app` sends `WatchWindow`."""

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from botapp.host.message import error_text
from botapp.ui.translation import tr
from botapp.ui.widgets.labels import fitting, label

_HANDLE = Qt.ItemDataRole.UserRole
_WINDOW = Qt.ItemDataRole.UserRole + 1


class WindowPicker(QDialog):
    """A list of the windows that can be watched; the first entry goes back to looking by title.

    Signals:
        picked: the window's handle, None for looking by title.
        picked_window: the title and the program of a window that was picked.
    """

    picked = Signal(object)
    picked_window = Signal(str, str)

    def __init__(self, find: Callable[[], Iterable[Any]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - Pick a window"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._find = find
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Which window should be watched?"))
        self.list.itemActivated.connect(self.accept)
        self.note = label("", "warn", wrap=True)
        again = QPushButton(tr("Refresh"))
        again.setAutoDefault(False)
        again.clicked.connect(self.refresh)
        buttons = QDialogButtonBox()
        watch = buttons.addButton(tr("Watch"), QDialogButtonBox.ButtonRole.AcceptRole)
        watch.setObjectName("primary")
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        line = QHBoxLayout()
        line.addWidget(again)
        line.addStretch()
        line.addWidget(buttons)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 14, 14, 12)
        box.addWidget(label(tr("Which window should be watched?"), "caption", scale=1.1))
        box.addWidget(self.list, 1)
        box.addWidget(self.note)
        box.addLayout(line)
        self.resize(fitting(620, 420))
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Lists the windows anew."""
        self.list.clear()
        self.note.clear()
        automatic = QListWidgetItem(tr("Automatic: find the game by its title"))
        self.list.addItem(automatic)
        try:
            for window in self._find():
                size = f"{window.rect.width}×{window.rect.height}"
                item = QListWidgetItem(
                    "\n".join((window.title or tr("(no title)"), f"{window.process}  ·  {size}"))
                )
                item.setData(_HANDLE, window.handle)
                item.setData(_WINDOW, (window.title, window.process))
                self.list.addItem(item)
        except Exception as error:
            self.note.setText(tr(error_text(error)))
        self.note.setVisible(bool(self.note.text()))
        self.list.setCurrentRow(0)

    @Slot()
    def accept(self) -> None:
        """Tells which window was picked."""
        item = self.list.currentItem()
        if item is not None:
            self.picked.emit(item.data(_HANDLE))
            if window := item.data(_WINDOW):
                self.picked_window.emit(*window)
        super().accept()
