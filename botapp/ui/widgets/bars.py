"""Bars painted by hand: the candidates with their chance of winning, and how the fight stands."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from botapp.ui import theme, words
from botapp.ui.painting import outlined, rounded
from botapp.ui.translation import tr

SCALES = (1.0, 0.92, 0.85, 0.78)  # The sizes of a bar's words: the first that has room
ROW_HEIGHT, ROW_HEIGHT_MOST = 34, 50
_GAP = 12
DIMMED = 0.45  # The opacity of what no longer holds


@dataclass(frozen=True, slots=True)
class Bar:
    """One candidate: its words, its chance of winning 0..1 (None: unknown), a tag, and its tooltip's words.

    `brief` are other words, fewer each time, for where those before have no room. `note` tells it from the
    best one where both win as likely; it stays away where the fewest words have no room beside it.
    """

    text: str
    share: float | None
    tag: str = ""
    about: str = ""
    brief: tuple[str, ...] = ()
    note: str = ""

    @property
    def tip(self) -> str:
        """What its tooltip says, its tag too: where there is little room that is not drawn."""
        return "\n".join(filter(None, (self.text, self.tag, self.about)))


class ConfidenceBars(QWidget):
    """The candidates, the best first, each with a bar and its chance of winning."""

    def __init__(self) -> None:
        super().__init__()
        self.bars: tuple[Bar, ...] = ()
        self.row = 0
        self._dimmed = False
        self.setAccessibleName(tr("Best actions"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_bars(self, bars: tuple[Bar, ...], *, dimmed: bool = False) -> None:
        """Shows other candidates; `dimmed` is for advice that no longer holds."""
        if (bars, dimmed) == (self.bars, self._dimmed):
            return
        self.bars, self._dimmed = bars, dimmed
        self.setMinimumHeight(len(bars) * ROW_HEIGHT)
        self.setMaximumHeight(len(bars) * ROW_HEIGHT_MOST)
        entries = (f"{', '.join(filter(None, (b.text, b.note)))}: {words.percent(b.share)}" for b in bars)
        self.setAccessibleDescription("; ".join(entries))
        self.row = min(self.row, max(0, len(bars) - 1))
        self.update()

    def row_at(self, at: QPoint | None) -> int:
        """Returns the row at a place, for None the one that the arrows have chosen; -1 for none."""
        row = self.row if at is None else at.y() * len(self.bars) // max(self.height(), 1)
        return row if self._has(row) else -1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if by is None or not self._has(self.row + by):
            super().keyPressEvent(event)
            return
        self.row += by
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(260, len(self.bars) * ROW_HEIGHT)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.row_at(event.pos())
            tip = self.bars[row].tip if row >= 0 else ""
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def _has(self, row: int) -> bool:
        return 0 <= row < len(self.bars)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._dimmed:
            painter.setOpacity(DIMMED)
        for row, bar in enumerate(self.bars):
            self._paint_row(painter, row, bar)
        if self.hasFocus() and self._has(self.row):
            high = self.height() / len(self.bars)
            frame = QRectF(0.5, self.row * high + 0.5, self.width() - 1, high - 1)
            outlined(painter, frame, theme.colour("info"))
        painter.end()

    def _paint_row(self, painter: QPainter, row: int, bar: Bar) -> None:
        height, width = self.height() / len(self.bars), self.width()
        top = row * height + (height - ROW_HEIGHT) / 2
        track = QRectF(24, top + 25, width - 24, 5)
        rounded(painter, track, theme.colour("border"))
        painter.setFont(theme.font(0.9, bold=True))
        painter.setPen(theme.colour("faint"))
        painter.drawText(QRectF(0, top, 20, 22), Qt.AlignmentFlag.AlignVCenter, str(row + 1))
        best = row == 0
        if bar.share is not None:
            filled = QRectF(track)
            filled.setWidth(max(track.height(), track.width() * min(bar.share, 1.0)))
            rounded(painter, filled, theme.colour("accent" if best else "info", 1.0 if best else 0.75))
        right = width
        painter.setFont(theme.font(1.0, bold=best, mono=True))
        painter.setPen(theme.colour("text"))
        painter.drawText(
            QRectF(right - 60, top, 60, 22),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
            words.percent(bar.share),
        )
        right -= 64
        wide = tag_width(bar, int(right - 24), bold=best)
        if wide:
            painter.setFont(_tag_font())
            ground = QRectF(right - wide, top + 3, wide, 17)
            rounded(painter, ground, theme.colour("violet", 0.18))
            painter.setPen(theme.colour("violet"))
            painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, bar.tag)
            right -= wide + 8
        wide = note_width(bar, int(right - 24), bold=best)
        if wide:
            painter.setFont(_note_font())
            painter.setPen(theme.colour("muted"))
            place = QRectF(right - wide, top, wide, 22)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, bar.note)
            right -= wide + _GAP
        room = right - 24
        font, words_of = fitted(bar, int(room), bold=best)
        painter.setFont(font)
        painter.setPen(theme.colour("text" if best else "muted"))
        text = QFontMetrics(font).elidedText(words_of, Qt.TextElideMode.ElideRight, int(room))
        painter.drawText(QRectF(24, top, room, 22), Qt.AlignmentFlag.AlignVCenter, text)


def tag_width(bar: Bar, room: int, *, bold: bool = False) -> int:
    """Returns how wide a bar's tag is drawn; 0 where the words have no room beside it: they go first."""
    if not bar.tag:
        return 0
    wide = QFontMetrics(_tag_font()).horizontalAdvance(bar.tag) + 14
    left = room - wide - 8
    font, words_of = fitted(bar, left, bold=bold)
    return wide if QFontMetrics(font).horizontalAdvance(words_of) < left else 0


def note_width(bar: Bar, room: int, *, bold: bool = False) -> int:
    """Returns how wide a bar's note is drawn; 0 where not even the fewest words have room beside it."""
    if not bar.note:
        return 0
    wide = QFontMetrics(_note_font()).horizontalAdvance(bar.note) + 2
    font, words_of = fitted(bar, room - wide - _GAP, bold=bold)
    return wide if QFontMetrics(font).horizontalAdvance(words_of) < room - wide - _GAP else 0


def _note_font() -> QFont:
    return theme.font(0.85)


def _tag_font() -> QFont:
    return theme.font(0.82, bold=True)


def fitted(bar: Bar, room: int, *, bold: bool = False) -> tuple[QFont, str]:
    """Returns the largest letters in which a bar's words have room, and the words: all of them or the first
    brief ones that do. Where none have room it is the last of them in the smallest letters. A pixel is left,
    as Qt cuts words that are wider than their room by part of one.
    """
    fonts = [theme.font(scale, bold=bold) for scale in SCALES]
    ways = [(font, text) for text in (bar.text, *bar.brief) for font in fonts]
    fits = (way for way in ways if QFontMetrics(way[0]).horizontalAdvance(way[1]) < room)
    return next(fits, ways[-1])


class Meter(QWidget):
    """A thin bar filled from the left (`centred` False, 0..1) or from the middle (-1..1)."""

    def __init__(self, *, centred: bool = False) -> None:
        super().__init__()
        self._centred = centred
        self._value: float | None = None
        self._shade = "accent"
        self.setFixedHeight(8)
        self.setMinimumWidth(40)

    def show_value(self, value: float | None, shade: str) -> None:
        """Shows another value in one of the theme's colours; None empties the bar."""
        if (value, shade) != (self._value, self._shade):
            self._value, self._shade = value, shade
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(DIMMED)
        track = QRectF(self.rect()).adjusted(0, 1, 0, -1)
        rounded(painter, track, theme.colour("border"))
        if self._value is not None:
            filled = QRectF(track)
            if self._centred:
                middle, reach = track.center().x(), track.width() / 2 * max(-1.0, min(1.0, self._value))
                filled.setLeft(min(middle, middle + reach))
                filled.setRight(max(middle, middle + reach))
            else:
                filled.setWidth(track.width() * max(0.0, min(1.0, self._value)))
            rounded(painter, filled, theme.colour(self._shade))
        if self._centred:
            painter.setBrush(theme.colour("muted"))
            painter.drawRect(QRectF(track.center().x() - 1, 0, 2, self.height()))
        painter.end()


def standing(value: float) -> tuple[str, str]:
    """Returns how a value -1..1 reads in a word, and the theme's colour for it."""
    if value > 0.2:
        return (tr("Winning") if value > 0.6 else tr("Ahead")), "good"
    if value < -0.2:
        return (tr("Losing") if value < -0.6 else tr("Behind")), "bad"
    return tr("Even"), "warn"
