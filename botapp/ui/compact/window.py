"""The small window: on top of the game, within the screens, and never in the way of the game's focus."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QFontMetrics,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from botapp.runtime.messages import Snapshot
from botapp.ui import theme, words
from botapp.ui.overlay import platform
from botapp.ui.panels.decision import holds_ms, standing_of, stays
from botapp.ui.timers import timer
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Chip, Elided, label, name, tool

STEPS = 3


@dataclass(frozen=True, slots=True)
class CompactAdvice:
    """What the small window says."""

    standing: tuple[str, str]
    headline: str  # What to do, or why there is no advice
    figures: tuple[str, ...] = ()  # The chance of winning, and how sure the choice is in words
    steps: tuple[str, ...] = ()  # How the turn goes on, and what of the board and the level is not confirmed
    holds: bool = False  # Whether the advice is for now; else it is the last one


def advice(snapshot: Snapshot, earlier: Snapshot | None) -> CompactAdvice:
    """Returns what to say of a snapshot.

    Args:
        earlier: the last one with a decision, None for none.
    """
    fresh = snapshot.advice == "fresh" and snapshot.decision is not None
    reason = words.explain(snapshot.capture, snapshot.advice, words.reason(snapshot.reason))
    if earlier is None or earlier.decision is None or not (fresh or stays(earlier, snapshot)):
        return CompactAdvice(standing_of(snapshot), reason)
    decision, state = earlier.decision, earlier.state
    figures = [words.to_win(decision.chance, state)]
    doubt = words.unconfirmed(snapshot)
    sure = words.sureness(decision, state)[0]
    figures += [sure] if sure and not doubt else []
    line = next(iter(earlier.turn.lines), None) if earlier.turn is not None else None
    steps = words.turn(line, state)[1 : 1 + STEPS - bool(doubt)] if line is not None else []
    steps += [doubt] if doubt else []
    text = reason
    if fresh or snapshot.advice == "settling":
        names = words.names_of(decision, state)
        text = names(decision.best) if line is None else words.headline_of_turn(line, names)
    return CompactAdvice(standing_of(snapshot), text, tuple(figures), tuple(steps), fresh)


WIDTH, MARGIN = 330, 16
_HEADLINE_ROWS = 3
_FLAGS = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.WindowDoesNotAcceptFocus
)


class CompactWindow(QWidget):
    """Dragged by the mouse from anywhere; its buttons pause, open the app and close it.

    Signals:
        app_asked: the person wants the whole app.
        pause_asked: the person wants the watching paused, or to go on.
        shut: it was closed.
    """

    app_asked = Signal()
    pause_asked = Signal(bool)
    shut = Signal()

    def __init__(self) -> None:
        super().__init__(None, _FLAGS)
        self.setWindowTitle(tr("botapp - Small advice window"))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.standing = Chip(tr("Starting"), "info", dot=True)
        self.headline = label(tr("The engine is starting."), wrap=True)
        self.figures = label()
        self.figures.setFont(theme.font(1.05, bold=True))
        self.steps = tuple(Elided() for _ in range(STEPS))
        self.said = CompactAdvice((self.standing.text(), "info"), self.headline.text())
        self._kept: Snapshot | None = None
        self._grip: QPoint | None = None
        self._excluded = False
        self._stale = timer(self, self._outdate, once=True)
        self._lay_out()
        screens = QGuiApplication.instance()
        assert isinstance(screens, QGuiApplication)
        screens.screenRemoved.connect(self.fit)
        screens.primaryScreenChanged.connect(self.fit)
        self.put(None)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        if snapshot.decision is not None:
            self._kept = snapshot
        if not self.isVisible():
            return
        said = advice(snapshot, self._kept)
        self._stale.stop()
        self._say(said)
        if said.holds and (left_ms := holds_ms(snapshot)) > 0:
            self._stale.start(left_ms)
        elif said.holds:
            self._outdate()

    def show_paused(self, paused: bool) -> None:
        self._paused = paused
        self.pause.setIcon(theme.icon("play" if paused else "pause", "muted"))
        name(self.pause, tr("Start") if paused else tr("Pause"))

    def put(self, at: QPoint | None, beside: Sequence[QRect] = ()) -> None:
        """Goes to a place, as far as it is on a screen.

        Args:
            at: the place; None for one beside other windows where there is room, else at the right edge.
            beside: the frames of those windows, the most important first.
        """
        if at is None:
            rooms = [screen.availableGeometry() for screen in QGuiApplication.screens()]
            free = free_place(self.size(), beside, rooms)
            room = QGuiApplication.primaryScreen().availableGeometry()
            edge = QPoint(room.right() - self.width() - MARGIN, room.top() + room.height() // 5)
            at = edge if free is None else free
        self.move(within(QRect(at, self.size()), [s.availableGeometry() for s in QGuiApplication.screens()]))

    @Slot()
    def fit(self) -> None:
        """Comes back where its screen has gone or has become smaller."""
        self.put(self.pos())

    def showEvent(self, event: QShowEvent) -> None:
        """Stays out of the pictures, where the game is grabbed off the screen."""
        super().showEvent(event)
        self.fit()
        if not self._excluded:
            self._excluded = True
            platform.hide_from_captures(int(self.winId()))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self._stale.stop()
        self.shut.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._grip = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grip is not None:
            self.put(event.globalPosition().toPoint() - self._grip)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.app_asked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("surface"))
        painter.setPen(QPen(theme.colour("border"), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.fillRect(0, 0, 4, self.height(), theme.colour(self.said.standing[1]))
        painter.end()

    @Slot()
    def _outdate(self) -> None:
        said = self.said
        outdated = tr("Out of date"), "warn"
        self._say(CompactAdvice(outdated, said.headline, said.figures, said.steps))

    def _say(self, said: CompactAdvice) -> None:
        if said == self.said:
            return
        self.said = said
        self.standing.show_text(*said.standing)
        advised = bool(said.figures)
        self.headline.setFont(theme.font(1.35 if advised and said.holds else 1.05, bold=advised))
        self.headline.setText(self._cut(said.headline))
        self.headline.setToolTip(said.headline)
        self.figures.setText("   ·   ".join(said.figures))
        for row, step in enumerate(self.steps):
            step.set_text(said.steps[row] if row < len(said.steps) else "")
        for widget in (self.headline, self.figures, *self.steps):
            widget.setEnabled(said.holds or not advised)
        self.update()

    def _cut(self, text: str) -> str:
        room, letters = self.headline.size(), QFontMetrics(self.headline.font())
        wrapped = int(Qt.TextFlag.TextWordWrap)
        parts = text.split(" ")
        for count in range(len(parts), 0, -1):
            shown = " ".join(parts[:count]) + ("" if count == len(parts) else " …")
            if (
                letters.boundingRect(QRect(0, 0, room.width(), 10_000), wrapped, shown).height()
                <= room.height()
            ):
                return shown
        return text

    def _lay_out(self) -> None:
        self.pause = tool("pause", tr("Pause"), lambda: self.pause_asked.emit(not self._paused), "tiny")
        self.show_paused(False)
        opens = tool("float", tr("Open the app"), self.app_asked, "tiny")
        closes = tool("close", tr("Close"), self.close, "tiny")
        for button in (self.pause, opens, closes):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setIconSize(QSize(14, 14))
            button.setFixedSize(26, 24)
        top = row_of(self.standing, None, self.pause, opens, closes, spacing=2)
        lines = self.headline, self.figures, *self.steps
        column_of(top, *lines, into=self, margins=(MARGIN, 8, 8, 10), spacing=4)
        self.headline.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.headline.setFixedHeight(_HEADLINE_ROWS * QFontMetrics(theme.font(1.05)).lineSpacing() + 4)
        self.figures.setMinimumHeight(self.figures.fontMetrics().height())
        self.setFixedSize(WIDTH, self.sizeHint().height())


def free_place(size: QSize, beside: Sequence[QRect], screens: Sequence[QRect]) -> QPoint | None:
    """Returns a corner beside windows where there is room for a size on a screen, None for none.

    One that covers none of them is taken, else one that covers not the first.
    """
    w, h = size.width(), size.height()
    corners = [
        at
        for frame in beside
        for at in (
            QPoint(frame.right() + MARGIN, frame.top()),
            QPoint(frame.left() - w - MARGIN, frame.top()),
            QPoint(frame.left(), frame.top() - h - MARGIN),
            QPoint(frame.left(), frame.bottom() + MARGIN),
        )
        if any(room.contains(QRect(at, size)) for room in screens)
    ]
    for obstacles in (beside, beside[:1]):
        free = (at for at in corners if not any(QRect(at, size).intersects(frame) for frame in obstacles))
        if (corner := next(free, None)) is not None:
            return corner
    return None


def within(place: QRect, screens: list[QRect]) -> QPoint:
    middle = place.center()
    best = min(screens, key=lambda screen: _away(screen, middle), default=place)
    x = max(best.left(), min(place.x(), best.right() + 1 - place.width()))
    y = max(best.top(), min(place.y(), best.bottom() + 1 - place.height()))
    return QPoint(x, y)


def _away(screen: QRect, point: QPoint) -> int:
    across = max(screen.left() - point.x(), 0, point.x() - screen.right())
    down = max(screen.top() - point.y(), 0, point.y() - screen.bottom())
    return across + down
