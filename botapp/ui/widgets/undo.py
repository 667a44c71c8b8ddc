"""A line that says what was just taken away, with a button that brings it back."""

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFrame, QWidget

from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import row_of
from botapp.ui.widgets.labels import button, label


class UndoLine(QFrame):
    """Hidden until something can be undone; the newest offer replaces the one before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.text = label(wrap=True)
        self.button = button(tr("Undo"), self._undo)
        self.button.setShortcut(QKeySequence.StandardKey.Undo)
        self.button.setToolTip(self.button.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
        self._back: Callable[[], object] | None = None
        row_of((self.text, 1), self.button, into=self, margins=(12, 6, 6, 6))
        self.hide()

    def offer(self, text: str, back: Callable[[], object] | None) -> None:
        """Says what is gone; `back` brings it back, once. None: there is nothing to bring back."""
        self._back = back
        self.text.setText(text)
        self.button.setVisible(back is not None)
        self.show()

    def put_away(self) -> None:
        self._back = None
        self.hide()

    @Slot()
    def _undo(self) -> None:
        back = self._back
        self.put_away()
        if back is not None:
            back()
