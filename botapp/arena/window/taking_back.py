"""The plate that takes the last own action back, and what the others did since; Ctrl+Z does it too."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from botapp.arena.window import lettering, tones
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.lettering import rectangle
from botapp.arena.window.moment import Moment
from botapp.arena.window.words import say


def extent(places: ArenaLayout) -> QRectF:
    return rectangle(places.take_back()).adjusted(-2, -2, 2, 2)


def paint(painter: QPainter, places: ArenaLayout, moment: Moment) -> None:
    """Paints the plate, darker where there is nothing to take back."""
    box = places.take_back()
    lit = moment.pointed.button == "take_back" and moment.buttons.may_take_back
    painter.setPen(QPen(QColor(tones.NAVY_LINE), max(1.0, places.unit * 0.002)))
    painter.setBrush(tones.lighter(tones.NAVY, 0.15) if lit else QColor(tones.NAVY))
    painter.drawRoundedRect(rectangle(box), box.h * 0.25, box.h * 0.25)
    text = f"{say(moment.language, 'take_back')} (Ctrl+Z)"
    height = lettering.fit(text, box.h * 0.36, box.w - box.h * 0.5, 0.18)
    colour = "#eef1ff" if moment.buttons.may_take_back else "#7d84a6"
    lettering.draw(
        painter, text, (box.x + box.h * 0.28, box.y + box.h / 2), height, colour, align=0, weight=0.18
    )
