"""Lets the person pick the window to watch, by small live pictures."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    SignalInstance,
    Slot,
)
from PySide6.QtCore import Signal as QtSignal
from PySide6.QtGui import QFontMetrics, QImage, QPainter, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from botapp.host.clients import CLIENTS
from botapp.ui import theme
from botapp.ui.overlay import platform
from botapp.ui.painting import outlined, rounded
from botapp.ui.picking.looking import WindowOffer
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Note, button, fitting, label

HEADING, KIND, TITLE, PICTURE, NOTE, WATCHED = (Qt.ItemDataRole.UserRole + n for n in range(1, 7))
"""What an item holds: three lines of text, a `QPixmap`, what stands in its place, whether it is watched.

The last is None for what is no game's window."""
SIZE = QSize(176, 99)
_PAD = 10
_Index = QModelIndex | QPersistentModelIndex


class CardDelegate(QStyledItemDelegate):
    """Draws a row of the picker's list."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        pictured = index.data(PICTURE) is not None or bool(index.data(NOTE))
        return QSize(0, (SIZE.height() if pictured else 44) + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, option)
        place = QRect(option.rect.topLeft(), SIZE).translated(_PAD + 4, _PAD)
        left = place.left()
        if index.data(PICTURE) is not None or index.data(NOTE):
            self._picture(painter, place, index)
            left = place.right() + 16
        room = QRect(option.rect)
        room.setLeft(left)
        room.adjust(0, _PAD, -_PAD - 2, -_PAD)
        self._texts(painter, room, index)
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = option.rect.adjusted(1, 2, -1, -2)
        if selected or hovered:
            rounded(painter, QRectF(ground), theme.colour("hover" if selected else "raised"), 6)
        if selected:
            rounded(painter, QRectF(ground.x(), ground.y(), 3, ground.height()), theme.colour("accent"), 1.5)

    def _picture(self, painter: QPainter, place: QRect, index: _Index) -> None:
        rounded(painter, QRectF(place), theme.colour("background"), 4)
        picture = index.data(PICTURE)
        if isinstance(picture, QPixmap):
            size = picture.size().scaled(place.size(), Qt.AspectRatioMode.KeepAspectRatio)
            target = QRect(place.topLeft(), size)
            target.moveCenter(place.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(target, picture)
        else:
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font(0.95))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(index.data(NOTE)))
        outlined(painter, QRectF(place), theme.colour("border"))

    def _texts(self, painter: QPainter, room: QRect, index: _Index) -> None:
        lines = [
            (str(index.data(HEADING) or ""), "text", theme.font(1.15, bold=True)),
            (str(index.data(KIND) or ""), "accent" if index.data(WATCHED) is not None else "muted", None),
            (str(index.data(TITLE) or ""), "muted", theme.font(0.9)),
        ]
        if index.data(WATCHED):
            lines.append((tr("Watched now"), "good", theme.font(0.9, bold=True)))
        shown = [(text, shade, font or theme.font()) for text, shade, font in lines if text]
        heights = [QFontMetrics(font).height() + 3 for _, _, font in shown]
        top = room.top() + max(0, (room.height() - sum(heights)) // 2)
        for (text, shade, font), height in zip(shown, heights, strict=True):
            painter.setFont(font)
            painter.setPen(theme.colour(shade))
            line = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            place = QRect(room.left(), top, room.width(), height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, line)
            top += height


_OFFER = Qt.ItemDataRole.UserRole
_HEIGHT = 620


class Look(Protocol):
    """What the picker needs of `botapp.ui.picking.looking.WindowLook`."""

    found: SignalInstance
    pictured: SignalInstance
    hidden: SignalInstance
    failed: SignalInstance

    def start(self) -> None: ...

    def close(self) -> None: ...


class WindowPicker(QDialog):
    """The games' windows, on request all others too; the first entry goes back to looking by title.

    Signals:
        picked: the `WindowOffer` that was picked, None for looking by title.
    """

    picked = QtSignal(object)

    def __init__(self, look: Look, client: str, watched: int | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - Pick a window"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._look, self._client, self._watched = look, client, watched
        self._offers: tuple[WindowOffer, ...] = ()
        self._items: dict[int, QListWidgetItem] = {}
        self._pictures: dict[int, QPixmap | str] = {}
        self._moved = False
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Which window should be watched?"))
        self.list.setItemDelegate(CardDelegate(self.list))
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setMouseTracking(True)
        self.list.itemActivated.connect(self.accept)
        self.list.currentRowChanged.connect(self._take_hold)
        self.note = Note("muted")
        self.others = button(tr("Show other windows"), checkable=True)
        self.others.toggled.connect(self._show_others)
        self._lay_out()
        self.note.setText(tr("Looking for windows…"))
        self._list()
        look.found.connect(self.show_offers)
        look.pictured.connect(self.show_picture)
        look.hidden.connect(self.show_hidden)
        look.failed.connect(self._fail)
        self.finished.connect(look.close)
        look.start()

    @Slot(object)
    def show_offers(self, offers: Sequence[WindowOffer]) -> None:
        """Lists the windows there are; those that were listed stay in their order, the picked one picked."""
        before = [offer.window.handle for offer in self._offers]
        known = sorted(
            offers,
            key=lambda offer: (
                not offer.client,
                before.index(offer.window.handle) if offer.window.handle in before else len(before),
            ),
        )
        if tuple(known) == self._offers and self._items:
            return
        self._offers = tuple(known)
        games = [offer for offer in self._offers if offer.client]
        nothing = tr("No window of the game was found. Start the game, or choose it among the other windows.")
        self.note.setText("" if games else nothing)
        self.others.setVisible(bool(games) and len(games) < len(self._offers))
        self._list()

    @Slot(object, QImage)
    def show_picture(self, handle: int, picture: QImage) -> None:
        self._keep_picture(handle, QPixmap.fromImage(picture))

    @Slot(object, str)
    def show_hidden(self, handle: int, why: str) -> None:
        """Says why a window has no picture; the last one there was stays."""
        if not isinstance(self._pictures.get(handle), QPixmap):
            self._keep_picture(handle, tr(why))

    @Slot()
    def accept(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.picked.emit(item.data(_OFFER))
        super().accept()

    def showEvent(self, event: QShowEvent) -> None:
        """Keeps the dialog out of the pictures, where windows are grabbed off the screen."""
        super().showEvent(event)
        platform.hide_from_captures(int(self.winId()))

    @Slot()
    def _list(self) -> None:
        """Lists what is to be seen; what is picked stays so, at first what is watched or the first game."""
        current = self.list.currentItem()
        selected = current.data(_OFFER) if current is not None else None
        chosen = selected.window.handle if selected is not None else None
        games = [offer for offer in self._offers if offer.client]
        shown = self._offers if self.others.isChecked() or not games else tuple(games)
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addItem(self._automatic())
            self._items = {offer.window.handle: self._item(offer) for offer in shown}
            for item in self._items.values():
                self.list.addItem(item)
            if not self._moved:
                first = self._watched if self._watched in self._items else None
                own = next((o for o in games if o.client == self._client), games[0] if games else None)
                chosen = first if first is not None else own.window.handle if own is not None else None
            row = self.list.row(self._items[chosen]) if chosen in self._items else 0
            self.list.setCurrentRow(row)
        self.list.scrollToItem(self.list.item(row))

    @Slot(bool)
    def _show_others(self, shown: bool) -> None:
        self.others.setText(tr("Hide other windows") if shown else tr("Show other windows"))
        self._list()

    @Slot()
    def _take_hold(self) -> None:
        """From now on what the person has picked stays picked, whatever is found."""
        self._moved = True

    @Slot(str)
    def _fail(self, why: str) -> None:
        self.note.setText(tr(why))

    def _keep_picture(self, handle: int, picture: QPixmap | str) -> None:
        self._pictures[handle] = picture
        if handle in self._items:
            _show(self._items[handle], picture)

    def _automatic(self) -> QListWidgetItem:
        item = QListWidgetItem(tr("Automatic: find the game by its title"))
        item.setData(HEADING, tr("Automatic"))
        text = tr("{client}, found by the window's title", client=tr(CLIENTS[self._client]))
        item.setData(KIND, text)
        return item

    def _item(self, offer: WindowOffer) -> QListWidgetItem:
        window = offer.window
        size = f"{window.rect.width}×{window.rect.height}"
        now = tr("Watched now") if window.handle == self._watched else ""
        texts = (offer.heading, offer.kind, window.title if window.title != offer.heading else "", size, now)
        item = QListWidgetItem(", ".join(filter(None, texts)))
        item.setToolTip(window.title)
        for role, value in (
            (_OFFER, offer),
            (HEADING, offer.heading),
            (KIND, offer.kind),
            (TITLE, "  ·  ".join(filter(None, (texts[2], size)))),
            (WATCHED, window.handle == self._watched if offer.client else None),
        ):
            item.setData(role, value)
        _show(item, self._pictures.get(window.handle, "…"))
        return item

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox()
        watch = buttons.addButton(tr("Watch"), QDialogButtonBox.ButtonRole.AcceptRole)
        watch.setObjectName("primary")
        watch.setDefault(True)
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.others.hide()
        title = label(tr("Which window should be watched?"), "accent", scale=1.25)
        parts = title, self.note, (self.list, 1), row_of(self.others, None, buttons)
        column_of(*parts, into=self, margins=(16, 14, 16, 12), spacing=10)
        self.resize(fitting(640, _HEIGHT))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)


def _show(item: QListWidgetItem, picture: QPixmap | str) -> None:
    item.setData(PICTURE, picture if isinstance(picture, QPixmap) else None)
    item.setData(NOTE, picture if isinstance(picture, str) else "")
