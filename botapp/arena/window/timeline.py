"""The timeline at the top: the turn number and one card for each living fighter, in turn order."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen, QPolygonF

from botapp.arena.window import figures, layout, lettering, tones
from botapp.arena.window.layout import ArenaLayout, Box
from botapp.arena.window.lettering import rectangle
from botapp.arena.window.looks import fighter_look
from botapp.arena.window.moment import Moment, timeline
from botapp.fight.state import Fighter, FightState


def paint(painter: QPainter, places: ArenaLayout, state: FightState, moment: Moment) -> None:
    fighters, current = timeline(state)
    me = state.fighter(moment.player)
    cards = places.cards(len(fighters), current)
    _backing(painter, places, cards)
    _turn(painter, places, state.turn)
    for index, (fighter, box) in enumerate(zip(fighters, cards, strict=True)):
        _card(painter, places.unit * layout.card_scale(len(cards)), box, fighter, me, index == current)


def extent(places: ArenaLayout, state: FightState) -> QRect:
    fighters, current = timeline(state)
    cards = places.cards(len(fighters), current)
    edge = places.unit * 0.01
    low = max(card.y + card.h for card in cards) + edge
    plate = places.turn_plate()
    right = cards[-1].x + cards[-1].w + edge
    return QRectF(plate.x - edge, 0, right - plate.x + edge, low).toAlignedRect()


def _backing(painter: QPainter, places: ArenaLayout, cards: list[Box]) -> None:
    plate = places.turn_plate()
    edge = 0.006 * places.unit
    right = cards[-1].x + cards[-1].w
    box = QRectF(plate.x - edge, plate.y - edge, right - plate.x + 2 * edge, plate.h + 2 * edge)
    painter.setPen(QPen(tones.faded(tones.NAVY_LINE, 0.9), max(1.0, places.unit * 0.002)))
    painter.setBrush(tones.faded(tones.NAVY_DEEP, 0.92))
    painter.drawRoundedRect(box, edge, edge)


def _turn(painter: QPainter, places: ArenaLayout, turn: int) -> None:
    box = places.turn_plate()
    x, _y = box.centre
    size = box.w * 0.17
    at = QPointF(x, box.y + box.h * 0.27)
    painter.setPen(QPen(QColor("#dfe4ff"), max(1.0, size * 0.22)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, size, size)
    painter.drawPolyline(
        QPolygonF([at + QPointF(0, -size * 0.55), at, at + QPointF(size * 0.42, size * 0.15)])
    )
    text = str(turn)
    height = lettering.fit(text, box.h * 0.30, box.w * 0.86, 0.19)
    lettering.draw(painter, text, (x, box.y + box.h * 0.69), height, tones.WHITE, weight=0.19)


def _tint(fighter: Fighter, me: Fighter) -> str:
    if fighter.id == me.id:
        return tones.OWN_CARD
    return tones.ALLY_CARD if fighter.team == me.team else tones.ENEMY_CARD


def _card(painter: QPainter, unit: float, box: Box, fighter: Fighter, me: Fighter, current: bool) -> None:
    area = rectangle(box)
    line = max(1.0, unit * 0.0022)
    if current:
        painter.setPen(QPen(QColor(tones.INK), line))
        painter.setBrush(QColor(tones.GOLD))
        painter.drawRoundedRect(area, line * 2, line * 2)
        area = area.adjusted(line * 2.2, line * 2.2, -line * 2.2, -line * 2.2)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tones.INK))
    painter.drawRect(area)
    inner = area.adjusted(line, line, -line, -line)
    bar = QRectF(inner.left(), inner.top(), layout.CARD_BAR_W * unit, inner.height())
    face = QRectF(bar.right() + line, inner.top(), inner.right() - bar.right() - line, inner.height())
    tint = _tint(fighter, me)
    shade = QLinearGradient(face.topLeft(), face.bottomLeft())
    shade.setColorAt(0, tones.lighter(tint, 0.12))
    shade.setColorAt(1, tones.darker(tint, 0.35))
    painter.fillRect(face, shade)
    look = fighter_look(fighter.kind)
    figures.portrait(painter, face, look.colour, look.drawing)
    painter.fillRect(bar, QColor(tones.BAR_BACK))
    full = bar.height() * fighter.hp / fighter.max_hp
    painter.fillRect(QRectF(bar.left(), bar.bottom() - full, bar.width(), full), QColor(tones.BAR))
    if fighter.id == me.id:
        corner = face.topRight()
        size = face.width() * 0.26
        painter.setBrush(QColor(tones.WHITE))
        painter.drawPolygon(QPolygonF([corner, corner - QPointF(size, 0), corner + QPointF(0, size)]))
