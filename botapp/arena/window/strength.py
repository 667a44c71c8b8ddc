"""The plate that says how well the others play; a click on it, or the key O, makes them play otherwise."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from botapp.arena.window import lettering, tones
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.lettering import rectangle
from botapp.arena.window.moment import Moment
from botapp.arena.window.words import say


def extent(places: ArenaLayout) -> QRectF:
    return rectangle(places.opponents()).adjusted(-2, -2, 2, 2)


def paint(painter: QPainter, places: ArenaLayout, moment: Moment) -> None:
    box = places.opponents()
    lit = moment.pointed.button == "opponents"
    painter.setPen(QPen(QColor(tones.NAVY_LINE), max(1.0, places.unit * 0.002)))
    painter.setBrush(tones.lighter(tones.NAVY, 0.15) if lit else QColor(tones.NAVY))
    painter.drawRoundedRect(rectangle(box), box.h * 0.2, box.h * 0.2)
    left, room = box.x + box.h * 0.22, box.w - box.h * 0.44
    words = say(moment.language, "opponents")
    height = lettering.fit(words, box.h * 0.24, room, 0.16)
    lettering.draw(painter, words, (left, box.y + box.h * 0.3), height, "#aab2d6", align=0, weight=0.16)
    how = f"{say(moment.language, moment.buttons.opponents)} (O)"
    height = lettering.fit(how, box.h * 0.3, room, 0.18)
    lettering.draw(painter, how, (left, box.y + box.h * 0.69), height, "#eef1ff", align=0, weight=0.18)
