"""What passes over the board: spells in flight, the cells they strike, and figures that rise and fade."""

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QRadialGradient

from botapp.arena.window import lettering, tones
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.moment import Flash, Floater
from botapp.arena.window.terrain import diamond


def paint_flight(painter: QPainter, places: ArenaLayout, flash: Flash) -> None:
    """Paints the spell's spark on its way, with a tail; nothing once it has struck."""
    if flash.progress >= 0.5:
        return
    lattice = places.lattice
    (ax, ay), (bx, by) = lattice.centre(flash.origin), lattice.centre(flash.target)
    arch = lattice.cell_h * 0.9
    painter.setPen(Qt.PenStyle.NoPen)
    for step in range(6, -1, -1):
        share = max(0.0, flash.progress * 2 - step * 0.05)
        x = ax + (bx - ax) * share
        y = ay + (by - ay) * share - lattice.cell_h * 0.6 - arch * math.sin(math.pi * share)
        size = lattice.cell_w * 0.17 * (1 - step / 9)
        glow = QRadialGradient(QPointF(x, y), size)
        glow.setColorAt(0, tones.faded("#ffffff", 0.95 - step * 0.12))
        glow.setColorAt(0.45, tones.faded(flash.tone, 0.8 - step * 0.1))
        glow.setColorAt(1, tones.faded(flash.tone, 0.0))
        painter.setBrush(glow)
        painter.drawEllipse(QPointF(x, y), size, size)


def paint_impact(painter: QPainter, places: ArenaLayout, flash: Flash) -> None:
    """Paints the cells that the spell strikes, in its colour, fading; nothing before it strikes."""
    if flash.progress < 0.5:
        return
    share = min(1.0, flash.progress * 2 - 1)
    painter.setPen(Qt.PenStyle.NoPen)
    for cell in flash.cells:
        painter.setBrush(tones.faded(flash.tone, 0.8 * (1 - share)))
        painter.drawPolygon(diamond(places, cell, 0.94))
        painter.setBrush(tones.faded("#ffffff", 0.6 * (1 - share)))
        painter.drawPolygon(diamond(places, cell, 0.3 + 0.6 * share))


def paint_floater(painter: QPainter, places: ArenaLayout, floater: Floater) -> None:
    """Paints a figure above its cell's HP bar, rising, and fading towards its end."""
    x, y = places.lattice.centre(floater.cell)
    rise = 1 - (1 - floater.progress) ** 2
    y -= places.lattice.cell_h * (2.1 + 1.1 * rise)
    height = places.unit * 0.034
    y = max(y, height)
    alpha = 1.0 if floater.progress < 0.6 else (1 - floater.progress) / 0.4
    lettering.draw(
        painter,
        floater.text,
        (x, y),
        height,
        tones.faded(floater.tone, alpha),
        weight=0.21,
        outline=tones.faded("#22090c", alpha),
        outline_width=0.1,
    )


def flash_box(places: ArenaLayout, flash: Flash) -> QRectF:
    """Returns the part of the client that a spell passes over and strikes."""
    w, h = places.lattice.cell_w, places.lattice.cell_h
    points = [places.lattice.centre(cell) for cell in (flash.origin, flash.target, *flash.cells)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    box = QRectF(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    return box.adjusted(-0.6 * w, -2.2 * h, 0.6 * w, 0.6 * h)


def floater_box(places: ArenaLayout, floater: Floater) -> QRectF:
    """Returns the part of the client that a rising figure passes over."""
    w, h = places.lattice.cell_w, places.lattice.cell_h
    x, y = places.lattice.centre(floater.cell)
    top = max(0.0, y - 4.2 * h)
    return QRectF(x - 1.2 * w, top, 2.4 * w, max(y - 1.2 * h, places.unit * 0.08) - top)
