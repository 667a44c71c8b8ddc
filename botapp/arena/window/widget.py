"""The arena's window: paints what changed, and turns mouse and keyboard into what the person's fighter does.

The widget sleeps until something is due (a picture of an animation, the next second of the timer, an
opponent's thought) or the person does something.
"""

import sys
import time

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QTransform,
)
from PySide6.QtWidgets import QMessageBox, QWidget

from botapp.arena.options import ArenaOptions
from botapp.arena.window import layout
from botapp.arena.window.aim import reach, targets
from botapp.arena.window.bout import Bout
from botapp.arena.window.journal import Journal
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.moment import NOTHING_POINTED, Moment, Pointed
from botapp.arena.window.scene import ArenaScene
from botapp.arena.window.truth import describe
from botapp.content.nameless import without_names
from botapp.content.position_line import from_text, to_line
from botapp.fight.actions import Cast, Move, Place
from botapp.fight.state import FightState
from botapp.host.translation import Translator, resolve

TITLE = "botapp arena"
RESIZE_MS = 120
_KEY_OF_1 = 2 if sys.platform == "win32" else 10
"""What the system calls the key of 1, the next ones those of 2 to 8, whatever is printed on them."""


class ArenaWidget(QWidget):
    """The window of a series of fights.

    Signals:
        shown_line: the picture is on screen and the log may be written; internal, so that the stamp comes
            after the picture was handed over.
    """

    shown_line = Signal()

    def __init__(self, options: ArenaOptions, journal: Journal | None = None) -> None:
        super().__init__()
        self.setWindowTitle(TITLE)
        ratio = self.devicePixelRatioF()
        self.setMinimumSize(round(layout.MIN_WIDTH / ratio), round(layout.MIN_HEIGHT / ratio))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._journal = journal
        self.bout = Bout(options, time.monotonic(), self._tell)
        self._hover: QPointF | None = None
        self._painted: tuple[FightState, Moment] | None = None
        self.trouble: QMessageBox | None = None
        self.scene = ArenaScene(self._places())
        self._now_showing = self.look()
        self._clock = QTimer(self)
        self._clock.setSingleShot(True)
        self._clock.setTimerType(Qt.TimerType.PreciseTimer)
        self._clock.timeout.connect(self.refresh)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(RESIZE_MS)
        self._settle.timeout.connect(self._finish_ground)
        self.shown_line.connect(self._write_shown, Qt.ConnectionType.QueuedConnection)
        self.resize(self.sizeHint())
        if options.position is not None:
            self.move(*(round(at / ratio) for at in options.position))
        self._clock.start(0)

    def sizeHint(self) -> QSize:
        return QSize(*self.bout.options.size) / self.devicePixelRatioF()

    @Slot()
    def refresh(self) -> None:
        """Plays what is due, repaints what changed, and sleeps until the next thing is due."""
        now = time.monotonic()
        self.bout.advance(now)
        if self.bout.finished:
            self.close()
            return
        before, after = self._now_showing, self.look()
        if before != after:
            self._now_showing = after
            self.update(self._changed(before, after))
        due = self.bout.due(now)
        if due is None:
            self._clock.stop()
        else:
            self._clock.start(max(1, round(due * 1000)))

    def look(self) -> tuple[FightState, Moment]:
        return self.bout.shown, self.bout.moment(time.monotonic(), self._pointed())

    def _changed(self, before: tuple[FightState, Moment], after: tuple[FightState, Moment]) -> QRegion:
        region = self.scene.changed(before, after)
        ratio = self.devicePixelRatioF()
        return region if ratio == 1 else QTransform.fromScale(1 / ratio, 1 / ratio).map(region)

    def _places(self) -> ArenaLayout:
        ratio = self.devicePixelRatioF()
        return ArenaLayout(round(self.width() * ratio), round(self.height() * ratio))

    def _pointed(self) -> Pointed:
        if self._hover is None:
            return NOTHING_POINTED
        x, y = self._hover.x(), self._hover.y()
        places = self.scene.places
        for button, box in (
            ("end", places.from_bottom(layout.BUTTON)),
            ("autopilot", places.from_bottom(layout.AUTOPILOT)),
            ("opponents", places.opponents()),
            ("take_back", places.take_back()),
        ):
            if box.holds(x, y):
                return Pointed(button=button)
        for index in range(layout.SLOTS):
            if places.slot(index).holds(x, y):
                return Pointed(slot=index)
        return NOTHING_POINTED if places.band.holds(x, y) else Pointed(cell=places.lattice.cell_at(x, y))

    # ---- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        region = event.region()
        with QPainter(self) as painter:
            if ratio != 1:
                painter.scale(1 / ratio, 1 / ratio)
                region = QTransform.fromScale(ratio, ratio).map(region)
            self.scene.paint(painter, *self._now_showing, region)
        if self._now_showing != self._painted:
            self._painted = self._now_showing
            self.shown_line.emit()

    @Slot()
    def _write_shown(self) -> None:
        if self._journal is not None and self._painted is not None:
            state, moment = self._painted
            shown = describe(state, self.scene.places, moment, self.bout.number)
            shown["settled"] = shown["settled"] and self.scene.finished
            self._journal.shown(shown)

    def _tell(self, event: dict[str, object]) -> None:
        if self._journal is not None:
            self._journal.tell(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lays the picture out for the new size; the ground follows when the size stays for a moment."""
        super().resizeEvent(event)
        self.scene = ArenaScene(self._places(), self.scene.ground)
        self._painted = None
        self._settle.start()
        self.update()

    @Slot()
    def _finish_ground(self) -> None:
        self.scene.finish()
        self._painted = None
        self.update()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._clock.stop()
        self._settle.stop()
        super().closeEvent(event)

    # ---- playing

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover = event.position() * self.devicePixelRatioF()
        self.refresh()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = None
        self.refresh()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Clicks a cell, a spell or a button; the right button deselects."""
        self._hover = event.position() * self.devicePixelRatioF()
        if event.button() == Qt.MouseButton.RightButton:
            self.bout.selected = None
        elif event.button() == Qt.MouseButton.LeftButton:
            self._click()
        self.refresh()

    def _click(self) -> None:
        pointed = self._pointed()
        if pointed.button == "autopilot":
            self.bout.autopilot = not self.bout.autopilot
        elif pointed.button == "opponents":
            self.bout.change_opponents()
        elif pointed.button == "take_back":
            self.bout.take_back(time.monotonic())
        elif self.bout.fight.winner is not None:
            self.bout.next_fight(time.monotonic())
        elif pointed.button == "end":
            self.bout.submit_end(time.monotonic())
        elif pointed.slot is not None:
            self.bout.select(pointed.slot)
        elif pointed.cell is not None:
            self._click_cell(pointed.cell)

    def _command(self, key: int, *, named: bool) -> bool:
        """Does what a key with Ctrl stands for; tells whether it stands for something."""
        if key == Qt.Key.Key_Z:
            self.bout.take_back(time.monotonic())
        elif key == Qt.Key.Key_C:
            state = self.bout.fight.state
            QGuiApplication.clipboard().setText(to_line(state if named else without_names(state)))
            self.bout.copied()
        elif key == Qt.Key.Key_V:
            self._paste()
        else:
            return False
        return True

    def _paste(self) -> None:
        """Goes on with the position on the clipboard; a text that is none is named in a box of its own."""
        try:
            self.bout.begin_at(from_text(QGuiApplication.clipboard().text()), time.monotonic())
        except ValueError as error:
            refusal = Translator(resolve(self.bout.options.language))(error.args[0])
            self.trouble = QMessageBox(QMessageBox.Icon.Warning, TITLE, refusal, parent=self)
            self.trouble.open()

    def _click_cell(self, cell: int) -> None:
        """Takes a place, walks to a cell in reach, or casts the selected spell; elsewhere, deselects."""
        if not self.bout.free:
            return
        state = self.bout.fight.state
        if state.placing:
            self.bout.submit(Place(cell), time.monotonic())
            return
        if self.bout.selected is None:
            path = reach(state, state.actor).get(cell)
            if path:
                self.bout.submit(Move(path), time.monotonic())
            return
        spell = next(spell for spell in state.actor.spells if spell.key == self.bout.selected)
        if cell in targets(state, state.actor, spell):
            self.bout.submit(Cast(spell.key, cell), time.monotonic())
        else:
            self.bout.selected = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """1 to 8 select a spell, Space or F1 ends the turn, Escape deselects.

        A is the autopilot, O lets the others play better or worse, Ctrl+Z takes back the last own action,
        Ctrl+C and Ctrl+V copy and paste the position, Ctrl+Shift+C copies it with the fighters' names.
        """
        key = event.key()
        now = time.monotonic()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if not self._command(key, named=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)):
                super().keyPressEvent(event)
                return
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_8:
            self.bout.select(key - Qt.Key.Key_1)
        elif 0 <= event.nativeScanCode() - _KEY_OF_1 < layout.SLOTS:
            self.bout.select(event.nativeScanCode() - _KEY_OF_1)
        elif key in (Qt.Key.Key_Space, Qt.Key.Key_F1, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.bout.fight.winner is not None:
                self.bout.next_fight(now)
            elif key in (Qt.Key.Key_Space, Qt.Key.Key_F1):
                self.bout.submit_end(now)
        elif key == Qt.Key.Key_A:
            self.bout.autopilot = not self.bout.autopilot
        elif key == Qt.Key.Key_O:
            self.bout.change_opponents()
        elif key == Qt.Key.Key_Escape:
            self.bout.selected = None
        else:
            super().keyPressEvent(event)
            return
        self.refresh()
