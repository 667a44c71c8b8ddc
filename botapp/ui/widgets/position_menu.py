"""The menu of what shows a position: on the right mouse button, the menu key and Shift+F10."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from botapp.fight.state import FightState
from botapp.ui import positions
from botapp.ui.translation import tr

Entry = tuple[str, Callable[[], object] | None]
"""Words of the menu and what they do, None where that is not possible now."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a menu is about: a position, and what can be done with the part of it that was pointed at."""

    state: FightState
    entries: tuple[Entry, ...] = ()


class PositionMenu(QObject):
    """Opens the menu over some widgets and what lies in them.

    Signals:
        copied: the position was copied; the sentence that says so.
        arena_asked: the `FightState` to be played in the practice arena.
        paste_asked: the position on the clipboard is to be opened.

    Attributes:
        shown: the menu that was opened last.
    """

    copied = Signal(str)
    arena_asked = Signal(object)
    paste_asked = Signal()

    def __init__(
        self, owner: QWidget, offers: Mapping[QWidget, Callable[[QPoint | None], Offer | None]]
    ) -> None:
        """Adds the menu; `offers` say for each widget what is offered at a place in it, None for the place
        that the keyboard has chosen, or None where there is no position."""
        super().__init__(owner)
        self.shown: QMenu | None = None
        self._offers = dict(offers)
        for part in self._offers:
            part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Opens the menu where that is asked for; what lies in a widget passes on what it has no use for."""
        # the event before all: a widget that goes still sends some when Python's part of the menu is gone
        if isinstance(event, QContextMenuEvent):
            at = None if event.reason() is QContextMenuEvent.Reason.Keyboard else event.pos()
        elif isinstance(event, QKeyEvent) and _asks(event):
            at = None
        else:
            return False
        return isinstance(watched, QWidget) and watched in self._offers and self._open(watched, at)

    def _open(self, part: QWidget, at: QPoint | None) -> bool:
        if self.shown is not None:  # X11 tells of the menu key twice: as a key, and as the menu asked for
            return True
        offer = self._offers[part](at)
        if offer is None:
            return False
        menu = self.shown = QMenu(part)
        menu.setAccessibleName(tr("What to do with this position"))
        menu.aboutToHide.connect(self._forget)
        for words, do in offer.entries:
            action = menu.addAction(words)
            action.setEnabled(do is not None)
            if do is not None:
                action.triggered.connect(lambda _=False, do=do: do())
        if offer.entries:
            menu.addSeparator()
        state = offer.state
        menu.addAction(tr("Copy position"), lambda: self.copied.emit(positions.copy(state)))
        with_names = tr("Copy position with names")
        menu.addAction(with_names, lambda: self.copied.emit(positions.copy(state, names=True)))
        menu.addAction(tr("Paste position"), self.paste_asked.emit)
        menu.addAction(tr("Play this position in the arena"), lambda: self.arena_asked.emit(state))
        menu.popup(part.mapToGlobal(part.rect().center() if at is None else at))
        if at is None:
            menu.setActiveAction(next(entry for entry in menu.actions() if entry.isEnabled()))
        return True

    def _forget(self) -> None:
        if self.shown is not None:
            self.shown.deleteLater()  # once what was chosen in it is done
            self.shown = None


def _asks(event: QKeyEvent) -> bool:
    if event.type() is not QEvent.Type.KeyPress:
        return False
    shift_f10 = event.key() == Qt.Key.Key_F10 and event.modifiers() == Qt.KeyboardModifier.ShiftModifier
    return event.key() == Qt.Key.Key_Menu or shift_f10
