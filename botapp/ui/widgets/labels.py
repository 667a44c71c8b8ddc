"""Labels, cards and buttons that the panels share, and what stands in a page that is empty yet."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from botapp.host.message import error_text
from botapp.ui import theme
from botapp.ui.painting import rounded
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import Part, column_of, row_of

TITLE_HEIGHT = 28  # What a desktop draws around a dialog, about
HEADLINE_SCALES = (1.9, 1.7, 1.5, 1.35)


def label(
    text: str = "", role: str = "", *, scale: float = 1.0, wrap: bool = False, copied: bool = False
) -> QLabel:
    """Returns a label in one of the style sheet's roles (muted, caption, warn, bad, good, accent).

    Args:
        copied: whether its words can be selected.
    """
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", role)
    made.setWordWrap(wrap)
    if copied:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if scale != 1.0 or role == "caption":
        made.setFont(theme.font(scale, bold=role in ("caption", "accent")))
    return made


class Note(QLabel):
    """Words of one of the style sheet's roles, in as many lines as they need; hidden while there are none.

    It is laid out before it gets any: Qt shows a widget without a parent as a window.
    """

    def __init__(self, role: str = "", *, copied: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(True)
        if copied:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setVisible(bool(text))


def kept(keep: Callable[[], object], trouble: Note) -> bool:
    """Does what may fail with an error for the person, which is said then; tells whether it was done."""
    try:
        keep()
    except (ValueError, OSError) as error:
        trouble.setText(tr(error_text(error)))
        return False
    trouble.setText("")
    return True


def name(widget: QWidget, text: str) -> None:
    """Names a widget that has no words of its own: for a screen reader, and in a tooltip."""
    widget.setAccessibleName(text)
    widget.setToolTip(text)


def set_role(widget: QWidget, role: str) -> None:
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def card(*, spacing: int = 4) -> tuple[QFrame, QVBoxLayout]:
    frame = card_of(spacing=spacing)
    box = frame.layout()
    assert isinstance(box, QVBoxLayout)
    return frame, box


def card_of(*parts: Part | tuple[Part, int | Qt.AlignmentFlag], spacing: int = 4) -> QFrame:
    """Returns parts below each other, as for `column_of`, on a ground of their own."""
    frame = QFrame()
    frame.setObjectName("card")
    column_of(*parts, into=frame, margins=(12, 10, 12, 10), spacing=spacing)
    return frame


class _Scrolled(QScrollArea):
    """A scroll area that ends Qt's search for a size at which its bar is needed or not.

    Content that is low beside the bar and high without it is resized for ever within one call, until the
    stack is full: a line that takes a smaller size where it is narrow is enough.
    """

    def __init__(self) -> None:
        super().__init__()
        self._resizing = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lets Qt answer a resize of the content, and those that come of it up to a bound."""
        if event.type() != QEvent.Type.Resize:
            return super().eventFilter(watched, event)
        if self._resizing >= _MOST_RESIZES:
            return False
        self._resizing += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._resizing -= 1


_MOST_RESIZES = 3


def scrolled(inner: QWidget, *, by_keys: bool = False) -> QScrollArea:
    """Returns a widget in a frame that scrolls down where there is no room, and never sideways.

    A page with fields follows the one with the focus; one without any is scrolled `by_keys`.
    """
    scroll = _Scrolled()
    scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus if by_keys else Qt.FocusPolicy.NoFocus)
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setWidget(inner)
    return scroll


def on_ground(inner: QWidget) -> QFrame:
    ground = QFrame()
    ground.setObjectName("panel")
    column_of(inner, into=ground, margins=(4, 4, 4, 4))
    return ground


def put_page(stack: QStackedWidget, at: int, page: QWidget) -> None:
    empty = stack.widget(at)
    stack.insertWidget(at, page)
    if empty is not None:
        stack.removeWidget(empty)
        empty.deleteLater()


def fitting(width: int, height: int) -> QSize:
    """Returns a dialog's size, less where the screen is smaller."""
    room = QGuiApplication.primaryScreen().availableSize() - QSize(0, 2 * TITLE_HEIGHT)
    return QSize(width, height).boundedTo(room)


class Elided(QLabel):
    """A line that is cut with an ellipsis where there is no room; the whole text is its tooltip then."""

    def __init__(self, text: str = "", role: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._whole = ""
        self.set_text(text)

    def set_text(self, text: str) -> None:
        if text != self._whole:
            self._whole = text
            self._cut()

    def whole_text(self) -> str:
        return self._whole

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        room = max(self.contentsRect().width(), 40)
        shown = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")


class Headline(QLabel):
    """A large line that takes a smaller size, and at last a second line, rather than be cut."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setFont(theme.font(HEADLINE_SCALES[0], bold=True))

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self._fit(anew=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self, *, anew: bool = False) -> None:
        """Takes the largest size that fits; unless the text is new, a larger one than now only where it would
        fit beside a scroll bar too, which a smaller line may have made needless."""
        bar = 0 if anew else self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        now = self.font().pointSizeF()
        for scale in HEADLINE_SCALES:
            font = theme.font(scale, bold=True)
            room = self.width() - 4 - (bar if font.pointSizeF() > now else 0)
            if QFontMetrics(font).horizontalAdvance(self.text()) <= room:
                break
        if font.pointSizeF() != now:
            self.setFont(font)


class Chip(QLabel):
    """A short word on a tinted, rounded ground, with a dot where asked."""

    def __init__(self, text: str = "", shade: str = "muted", *, dot: bool = False) -> None:
        super().__init__(text)
        self._shade = shade
        self._dot = dot
        self.setContentsMargins(22 if dot else 9, 3, 9, 3)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFont(theme.font(0.95, bold=True))

    @property
    def shade(self) -> str:
        return self._shade

    def show_text(self, text: str, shade: str) -> None:
        if (text, shade) != (self.text(), self._shade):
            self._shade = shade
            self.setText(text)
            self.update()

    def minimumSizeHint(self) -> QSize:
        """The text is never cut."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rounded(painter, QRectF(self.rect()), theme.colour(self._shade, 0.16))
        if self._dot:
            painter.setBrush(theme.colour(self._shade))
            painter.drawEllipse(QRectF(9, self.height() / 2 - 4, 8, 8))
        painter.setPen(theme.colour(self._shade))
        painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignCenter, self.text())


def button(
    text: str, do: Any = None, *, icon: str = "", role: str = "", tip: str = "", checkable: bool = False
) -> QPushButton:
    """Returns a button.

    Args:
        icon: a name in `resources/icons`.
        role: the style sheet's role, "primary", "flat" or "spell".
        checkable: whether a click presses it in, and another lets it out.
    """
    made = QPushButton(theme.icon(icon), text) if icon else QPushButton(text)
    made.setAutoDefault(False)
    made.setCheckable(checkable)
    made.setToolTip(tip)
    if role:
        made.setObjectName(role)
    if do is not None:
        made.clicked.connect(do)
    return made


def tool(icon: str, title: str, do: Any, role: str = "flat") -> QToolButton:
    """Returns a button with an icon of `resources/icons` alone; its role is "flat" or "tiny"."""
    made = QToolButton()
    made.setObjectName(role)
    made.setIcon(theme.icon(icon, "muted"))
    name(made, title)
    made.clicked.connect(do)
    return made


def close_button(dialog: QWidget) -> QPushButton:
    """Returns the button that closes a dialog, by Enter too."""
    made = QPushButton(tr("Close"))
    made.setDefault(True)
    made.clicked.connect(dialog.close)
    return made


def on_key(owner: QWidget, key: Qt.Key, do: Callable[[], object]) -> None:
    """Has a key do something while the focus is on a widget or within it."""
    shortcut = QShortcut(QKeySequence(key), owner)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(do)


_ICON, _WIDTH = 44, 460


class Empty(QWidget):
    """A picture over a text."""

    def __init__(self, icon: str, text: str = "") -> None:
        super().__init__()
        picture = QLabel()
        picture.setPixmap(theme.icon(icon, "faint").pixmap(QSize(_ICON, _ICON)))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text = label(text, "muted", wrap=True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setFixedWidth(_WIDTH)
        box = column_of((None, 2), picture, into=self, spacing=12)
        line = row_of(None, self.text, None)
        box.addLayout(line)
        box.addStretch(3)
