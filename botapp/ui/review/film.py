"""A kept fight as a short animated picture, GIF or WebP: each own turn and departure from the advice."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QRegion
from PySide6.QtWidgets import QWidget

from botapp.advisor.grounds import may_tell_chance
from botapp.host.files import write_whole
from botapp.host.message import say
from botapp.review.course import OwnAction
from botapp.review.kept_fight import KeptFight
from botapp.ui import theme
from botapp.ui.review import texts
from botapp.ui.widgets.board import BoardView

SUFFIXES = (".gif", ".webp")
SIZE = QSize(760, 520)
STEP_MS, LAST_MS = 1500, 3000
_MOST = 40  # Pictures in a film; of a longer fight the last ones
_LOSSLESS = 101
_NONE = 3  # OpenCV's word for colours that are not mixed of dots, which would make a GIF large
_TOP, _GRAPH, _EDGE = 64, 70, 12


class FilmError(ValueError):
    """The picture cannot be made; the text is for a person."""


def save(fight: KeptFight, path: Path) -> None:
    """Writes the film of a fight; the file's name says in which format.

    Raises:
        FilmError: the format is neither, or this OpenCV has no animated pictures.
        OSError: the file cannot be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise FilmError(say("Give the picture a name that ends in .gif or .webp."))
    made = frames(fight)
    write(made, [STEP_MS] * (len(made) - 1) + [LAST_MS], path)


def write(
    pictures: Sequence[npt.NDArray[np.uint8]], pauses_ms: Sequence[int], path: Path, quality: int = _LOSSLESS
) -> None:
    """Writes an animated picture; the file's name says in which format.

    Args:
        pictures: BGR, uint8, all of one shape (height, width, 3).
        pauses_ms: how long each is shown.
        path: of a GIF or WebP file.
        quality: of a WebP, 1 to 100; more loses nothing.

    Raises:
        FilmError: this OpenCV has no animated pictures, or cannot make this one.
        OSError: the file cannot be written.
    """
    if not hasattr(cv2, "imencodeanimation"):
        raise FilmError(say("Animated pictures need OpenCV 4.12 or later; update botapp's packages."))
    film = cv2.Animation()
    film.frames, film.durations = list(pictures), list(pauses_ms)
    how = [cv2.IMWRITE_GIF_DITHER, _NONE, cv2.IMWRITE_WEBP_QUALITY, quality]
    done, data = cv2.imencodeanimation(path.suffix.lower(), film, how)
    if not done:
        raise FilmError(say("The picture could not be made. Try the other format."))
    write_whole(path, data.tobytes())


def frames(fight: KeptFight) -> list[npt.NDArray[np.uint8]]:
    """Returns the film's pictures: BGR, uint8, shape (height, width, 3)."""
    board = BoardView()
    board.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    board.resize(SIZE.width() - 2 * _EDGE, SIZE.height() - _TOP - _GRAPH - _EDGE)
    pictures = [_frame(fight, at, board) for at in scenes(fight.moments)[-_MOST:]]
    board.deleteLater()
    return pictures


def scenes(moments: Sequence[OwnAction]) -> list[int]:
    """Returns which own actions are shown: the first of each turn, departures from the advice, the last."""
    last = len(moments) - 1
    return [
        at
        for at, moment in enumerate(moments)
        if at in (0, last) or moment.departed or moment.turn != moments[at - 1].turn
    ]


def _frame(fight: KeptFight, at: int, board: BoardView) -> npt.NDArray[np.uint8]:
    moment = fight.moments[at]
    image = QImage(SIZE, QImage.Format.Format_BGR888)
    image.fill(theme.colour("background"))
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _write(painter, fight, at)
        board.show_turn(moment.state, moment.lines[0] if moment.lines else None)
        board.render(painter, QPoint(_EDGE, _TOP), QRegion(), QWidget.RenderFlag.DrawChildren)
        _draw_graph(painter, fight.moments, at)
    whole = np.frombuffer(image.constBits(), np.uint8).reshape(SIZE.height(), image.bytesPerLine())
    return whole[:, : 3 * SIZE.width()].reshape(SIZE.height(), SIZE.width(), 3).copy()


def _write(painter: QPainter, fight: KeptFight, at: int) -> None:
    moment = fight.moments[at]
    done, shade = texts.done(moment)
    for y, text, colour, scale, bold in (
        (4, texts.where(fight.moments, at), "muted", 0.95, False),
        (22, texts.advised(moment), "text", 1.15, True),
        (43, done, shade, 1.0, False),
    ):
        painter.setFont(theme.font(scale, bold=bold))
        painter.setPen(theme.colour(colour))
        room = QRect(_EDGE, y, SIZE.width() - 2 * _EDGE, 22)
        cut = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, cut)


def _draw_graph(painter: QPainter, moments: tuple[OwnAction, ...], at: int) -> None:
    ground = QRect(_EDGE, SIZE.height() - _GRAPH, SIZE.width() - 2 * _EDGE, _GRAPH - _EDGE)
    painter.fillRect(ground, theme.colour("surface"))
    step = ground.width() / max(1, len(moments) - 1)
    if not all(may_tell_chance(moment.state) for moment in moments):
        return
    places = [
        QPoint(round(ground.left() + index * step), round(ground.bottom() - moment.chance * ground.height()))
        for index, moment in enumerate(moments)
    ]
    painter.setPen(theme.colour("border"))
    painter.drawLine(ground.left(), ground.center().y(), ground.right(), ground.center().y())
    for shade, points in (("faint", places), ("accent", places[: at + 1])):
        pen = painter.pen()
        pen.setColor(theme.colour(shade))
        pen.setWidth(2)
        painter.setPen(pen)
        painter.drawPolyline(points)
    painter.setPen(Qt.PenStyle.NoPen)
    for index, moment in enumerate(moments[: at + 1]):
        if moment.departed or index == at:
            painter.setBrush(theme.colour("bad" if moment.departed else "accent"))
            painter.drawEllipse(places[index], 4, 4)
