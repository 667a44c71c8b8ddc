"""The spells' icons: a tinted tile with a drawn sign, from the icon data of `resources/arena/spells.toml`.

The signs are drawings in `resources/arena/signs.svg`, each in a box from (-1, -1) to (1, 1).
"""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from botapp.arena.window import drawings, tones

SIGNS = "signs.svg"


def paint(painter: QPainter, box: QRectF, sign: str, colour: str, grey: bool = False) -> None:
    """Draws a spell's tile; `grey` draws it without colour, as what cannot be cast now."""
    tint = tones.greyed(colour) if grey else QColor(colour)
    ink = tones.greyed("#fff3dc") if grey else QColor("#fff3dc")
    shade = QLinearGradient(box.topLeft(), box.bottomRight())
    shade.setColorAt(0, tones.lighter(tint, 0.05 if grey else 0.22))
    shade.setColorAt(1, tones.darker(tint, 0.42))
    painter.save()
    painter.setPen(QPen(tones.darker(tint, 0.65), max(1.0, box.width() * 0.035)))
    painter.setBrush(shade)
    painter.drawRoundedRect(box, box.width() * 0.14, box.width() * 0.14)
    painter.translate(box.center())
    painter.scale(box.width() / 2, box.width() / 2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.faded("#ffffff", 0.05 if grey else 0.13))
    painter.drawEllipse(QPointF(0, 0), 0.8, 0.8)
    painter.scale(0.74, 0.74)
    for ink_now, shift in ((tones.darker(tint, 0.7), 0.07), (ink, 0.0)):
        painter.save()
        painter.translate(shift * 0.6, shift)
        drawings.draw(painter, drawings.drawings(SIGNS)[sign], {drawings.INK: ink_now})
        painter.restore()
    painter.restore()
