"""A picture of the game with the reading drawn on it, kept cheap: the board's layer is cached as a pixmap."""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from botapp.ui import theme, words
from botapp.ui.names import kind_named
from botapp.ui.painting import rounded
from botapp.ui.translation import mark, tr
from vision.view import CellKind, CellScore, Decided, FighterSeen, FightView, Lattice

_CELLS = {
    CellKind.OBSTACLE: QColor(255, 120, 110, 90),
    CellKind.HOLE: QColor(170, 140, 255, 100),
    CellKind.UNKNOWN: QColor(255, 205, 90, 110),
}
_HIGHLIGHTS = {
    "reachable": QColor(90, 230, 140, 110),
    "tackled": QColor(230, 200, 90, 110),
    "range": QColor(90, 150, 255, 120),
    "no_sight": QColor(170, 205, 255, 90),
    "area": QColor(255, 140, 90, 120),
    "red_start": QColor(255, 90, 90, 110),
    "blue_start": QColor(90, 150, 255, 110),
}
_TEAMS = {"own": QColor("#ffd25a"), "ally": QColor("#6cb4ff"), "enemy": QColor("#ff6d5b")}
_LINE = QColor(255, 255, 255, 70)
_DECIDED: dict[Decided, tuple[QColor, str]] = {
    "shown": (QColor("#ffffff"), mark("shown: {number}")),
    "withheld": (QColor("#ffc800"), mark("withheld: {number}")),
}
"""The colours that tell what decided on a cell, and their words."""
_GROUND = QColor(10, 14, 24, 215)


class FrameCanvas(QWidget):
    """Shows a reading; `shown` says which layers are drawn on the picture.

    The layer "scores" is off at first: it says how each cell was judged, where the view knows.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(200, 112)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.shown = {"cells", "highlights", "fighters"}
        self.view: FightView | None = None
        self.message = ""
        self._picture: npt.NDArray[np.uint8] | None = None
        self._size: tuple[int, int] | None = None
        self._board: QPixmap | None = None
        self._board_of: tuple[object, ...] = ()

    def sizeHint(self) -> QSize:
        return QSize(640, 360)

    def show_message(self, text: str) -> None:
        if text != self.message or self.view is not None:
            self.message, self.view, self._picture = text, None, None
            self.update()

    def show_reading(
        self, picture: npt.NDArray[np.uint8] | None, view: FightView, size: tuple[int, int] | None
    ) -> None:
        """Shows a picture and its reading.

        Args:
            picture: BGRA, uint8, shape (height, width, 4); None keeps the one before.
            size: width and height of the frame that was read, in pixels; None where not known.
        """
        self.message, self.view, self._size = "", view, size
        if picture is not None:
            self._picture = picture
        self.update()

    def show_layer(self, layer: str, shown: bool) -> None:
        """Switches one of the layers "cells", "highlights", "fighters" and "scores"."""
        self.shown = self.shown | {layer} if shown else self.shown - {layer}
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("background"))
        if self._picture is None:
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font(1.15))
            room = QRectF(self.rect()).adjusted(24, 12, -24, -12)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(room, int(flags), self.message)
            painter.end()
            return
        height, width = self._picture.shape[:2]
        image = QImage(self._picture.data, width, height, width * 4, QImage.Format.Format_RGB32)
        target = _fit(width, height, self.width(), self.height())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, target.width() < 1.6 * width)
        painter.drawImage(target, image)
        if self.view is not None and self._size is not None:
            self._paint_reading(painter, self.view, target, target.width() / max(self._size[0], 1))
        painter.end()

    def _paint_reading(self, painter: QPainter, view: FightView, target: QRectF, scale: float) -> None:
        lattice = view.lattice.value
        if lattice is not None and self.shown & {"cells", "highlights"}:
            painter.drawPixmap(target.topLeft(), self._board_layer(view, lattice, target, scale))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(target.topLeft())
        written: list[QRectF] = []
        if lattice is not None and "scores" in self.shown:
            if view.scores is None:
                _paint_key(painter, target, [(QColor("#ffffff"), tr("No network reads this board."))])
            else:
                _paint_scores(painter, view.scores, lattice, scale, written)
                _paint_key(painter, target, _counted(view.scores))
        if "fighters" in self.shown:
            half = lattice.cell_w * scale / 2 if lattice else 14.0
            for fighter in (*view.allies, *view.enemies, *filter(None, (view.player,))):
                _paint_fighter(painter, fighter, scale, half, written)

    def _board_layer(self, view: FightView, lattice: Lattice, target: QRectF, scale: float) -> QPixmap:
        """Returns the board's cells and highlights as a picture, drawn again only when they changed."""
        ratio = self.devicePixelRatioF()
        highlights = tuple(sorted((name, cells) for name, cells in view.highlights.items() if cells))
        of = (
            *(round(value * scale, 1) for value in (*lattice.origin_px, lattice.cell_w, lattice.cell_h)),
            view.cells.tobytes(),
            tuple((name, tuple(sorted(cells))) for name, cells in highlights),
            frozenset(self.shown - {"fighters", "scores"}),
            ratio,
        )
        if self._board is not None and of == self._board_of:
            return self._board
        pixmap = QPixmap(int(target.width() * ratio) + 1, int(target.height() * ratio) + 1)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        if "cells" in self.shown:
            self._paint_cells(painter, view, lattice, scale)
        if "highlights" in self.shown:
            for name, cells in highlights:
                painter.fillPath(diamonds(lattice, cells, scale, 0.8), _HIGHLIGHTS[name])
        painter.end()
        self._board, self._board_of = pixmap, of
        return pixmap

    @staticmethod
    def _paint_cells(painter: QPainter, view: FightView, lattice: Lattice, scale: float) -> None:
        kinds = view.cells
        seen = np.flatnonzero(kinds != CellKind.OUTSIDE)
        if (kinds != CellKind.UNKNOWN).any():
            for kind, colour in _CELLS.items():
                cells = [int(cell) for cell in np.flatnonzero(kinds == kind)]
                painter.fillPath(diamonds(lattice, cells, scale, 0.8), colour)
        painter.setPen(QPen(_LINE, 1))
        painter.drawPath(diamonds(lattice, [int(cell) for cell in seen], scale, 1.0))


def _fit(width: int, height: int, into_width: int, into_height: int) -> QRectF:
    scale = min(into_width / width, into_height / height)
    fitted = QSize(int(width * scale), int(height * scale))
    return QRectF(
        (into_width - fitted.width()) // 2,
        (into_height - fitted.height()) // 2,
        fitted.width(),
        fitted.height(),
    )


def diamonds(lattice: Lattice, cells: Iterable[int], scale: float, share: float) -> QPainterPath:
    """Returns cells, each `share` of its size, on a picture that is shown at a scale."""
    path = QPainterPath()
    half_w, half_h = lattice.cell_w * scale * share / 2, lattice.cell_h * scale * share / 2
    for cell in cells:
        x, y = (value * scale for value in lattice.centre(cell))
        path.moveTo(x + half_w, y)
        path.lineTo(x, y + half_h)
        path.lineTo(x - half_w, y)
        path.lineTo(x, y - half_h)
        path.closeSubpath()
    return path


def _paint_fighter(
    painter: QPainter, fighter: FighterSeen, scale: float, half: float, written: list[QRectF]
) -> None:
    """Paints a fighter's ring and its name, below what is `written` there already; adds the name's ground."""
    x, y = fighter.px[0] * scale, fighter.px[1] * scale
    colour = _TEAMS[fighter.team]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, 2))
    painter.drawEllipse(QPointF(x, y), half * 0.8, half * 0.42)
    parts = [kind_named(fighter.kind.value)] if fighter.kind.value else []
    if fighter.hp_fraction.value is not None:
        parts.append(words.percent(fighter.hp_fraction.value))
    if not parts:
        return
    text = " ".join(parts)
    font = theme.font(0.8, bold=True)
    metrics = QFontMetrics(font)
    ground = QRectF(0, 0, metrics.horizontalAdvance(text) + 10, metrics.height() + 1)
    ground.moveCenter(QPointF(x, y + half * 0.42 + metrics.height() * 0.6))
    for other in sorted(written, key=QRectF.top):
        if ground.intersects(other):
            ground.moveTop(other.bottom() + 1)
    written.append(ground)
    rounded(painter, ground, _GROUND, 4)
    painter.setPen(colour)
    painter.setFont(font)
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)


def _paint_scores(
    painter: QPainter,
    scores: Mapping[int, CellScore],
    lattice: Lattice,
    scale: float,
    written: list[QRectF],
) -> None:
    """Paints the outline of each cell that was judged, and how likely a ring is there, in percent.

    The figures are dark on the colour of what decided, unlike fighters' HP; their grounds go to `written`.
    """
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setFont(theme.font(0.75, bold=True))
    height = QFontMetrics(painter.font()).height()
    for cell, score in scores.items():
        colour = _DECIDED[score.decided][0] if score.decided else QColor(200, 200, 200, 150)
        outline = diamonds(lattice, [cell], scale, 1.0)
        if score.decided:
            painter.strokePath(outline, QPen(_GROUND, 4))
        painter.strokePath(outline, QPen(colour, 2 if score.decided else 1))
        x, y = (value * scale for value in lattice.centre(cell))
        middle = y + lattice.cell_h * scale / 2 + height / 2
        text = words.percent(score.chance) if score.ring else "–"
        ground = QRectF(0, 0, QFontMetrics(painter.font()).horizontalAdvance(text) + 6, height)
        ground.moveCenter(QPointF(x, middle))
        written.append(ground)
        painter.fillRect(ground, colour)
        painter.setPen(_GROUND)
        painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)


def _counted(scores: Mapping[int, CellScore]) -> list[tuple[QColor, str]]:
    counts = Counter(score.decided for score in scores.values())
    return [(colour, tr(text, number=counts[decided])) for decided, (colour, text) in _DECIDED.items()]


def _paint_key(painter: QPainter, target: QRectF, lines: list[tuple[QColor, str]]) -> None:
    """Paints lines in their colours at the picture's upper left; the painter is moved to its corner."""
    painter.setFont(theme.font(0.85, bold=True))
    metrics = QFontMetrics(painter.font())
    wide = max(metrics.horizontalAdvance(text) for _, text in lines) + 16
    box = QRectF(6, 6, min(float(wide), target.width() - 12), metrics.height() * len(lines) + 8)
    rounded(painter, box, _GROUND, 4)
    for row, (colour, text) in enumerate(lines):
        painter.setPen(colour)
        place = QRectF(14, 10 + row * metrics.height(), box.width() - 16, metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
