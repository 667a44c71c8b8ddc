"""Where the app goes beside a game, and the practice arena beside the app, in logical pixels."""

from PySide6.QtCore import QPoint, QRect, QSize

from botapp.ui.widgets.labels import TITLE_HEIGHT

APP_LEAST = QSize(520, 420)
"""Of the app's window beside a game: narrower, the decision's lines are cut; lower, its panels scroll."""
_MARGIN = 8
_ARENA_SHARE = 0.55
"""Of a screen's width that the arena takes where the app has to make room for it, as in the demo."""


def beside(game: QRect, room: QRect, wanted: QSize) -> QRect | None:
    """Returns where the app has most room without covering a game; None where it has none.

    Args:
        room: of the screen without its bars.
        wanted: the app's size where there is room for it.
    """
    strips = [
        QRect(QPoint(game.right() + 1, room.top()), room.bottomRight()),
        QRect(room.topLeft(), QPoint(game.left() - 1, room.bottom())),
        QRect(QPoint(room.left(), game.bottom() + 1), room.bottomRight()),
        QRect(room.topLeft(), QPoint(room.right(), game.top() - 1)),
    ]
    fitting = [one for one in map(_inside, strips) if _holds(one, APP_LEAST)]
    if not fitting:
        return None
    found = [QRect(one.topLeft(), wanted.boundedTo(one.size())) for one in fitting]
    return max(found, key=lambda one: one.width() * one.height())


def arena_and_app(app: QRect, room: QRect, wanted: QSize, least: QSize) -> tuple[QRect, QRect]:
    """Returns where the arena and the app go so that neither covers the other, as far as the screen allows.

    Args:
        app: the app's window as it stands; it stays where the arena has room beside it.
        room: of the screen without its bars.
        wanted: the arena's size where there is room for it.
    """
    strips = [
        _inside(QRect(room.topLeft(), QPoint(app.left() - 1, room.bottom()))),
        _inside(QRect(QPoint(app.right() + 1, room.top()), room.bottomRight())),
    ]
    strip = max(strips, key=QRect.width)
    if _holds(strip, least):
        return QRect(strip.topLeft(), _in_shape(wanted.boundedTo(strip.size()), least)), app
    inside = _inside(room)
    widest = max(least.width(), inside.width() - _MARGIN - APP_LEAST.width())
    width = max(least.width(), min(wanted.width(), int(room.width() * _ARENA_SHARE), widest))
    arena = QRect(inside.topLeft(), _in_shape(QSize(width, inside.height()), least))
    left = arena.right() + 1 + _MARGIN
    return arena, QRect(left, inside.top(), inside.right() + 1 - left, min(app.height(), inside.height()))


def _inside(strip: QRect) -> QRect:
    """Returns a part of the screen without margins and a title bar."""
    return strip.adjusted(_MARGIN, TITLE_HEIGHT, -_MARGIN, -_MARGIN)


def _holds(strip: QRect, size: QSize) -> bool:
    return strip.width() >= size.width() and strip.height() >= size.height()


def _in_shape(size: QSize, least: QSize) -> QSize:
    """Returns the largest size of 16:9 within one, no less than the least."""
    return QSize(size.width(), size.width() * 9 // 16).boundedTo(size).expandedTo(least)
