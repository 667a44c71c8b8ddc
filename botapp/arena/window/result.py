"""The result screen: a panel over the darkened window."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen, QPolygonF

from botapp.arena.window import figures, lettering, tones
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.looks import fighter_look
from botapp.arena.window.moment import Moment
from botapp.arena.window.words import say
from botapp.fight.state import FightState

_RIBBONS = {"victory": "#d9a93a", "defeat": "#a83a44", "draw": "#6d7590"}


def outcome_key(state: FightState, moment: Moment) -> str:
    """Returns "victory", "defeat" or "draw" for the person."""
    if moment.winner == -1:
        return "draw"
    return "victory" if moment.winner == state.fighter(moment.player).team else "defeat"


def paint(painter: QPainter, places: ArenaLayout, state: FightState, moment: Moment) -> None:
    s = places.unit
    painter.fillRect(QRectF(0, 0, places.width, places.height), tones.faded("#070a14", 0.62))
    box = QRectF(places.width / 2 - 0.31 * s, places.height / 2 - 0.235 * s, 0.62 * s, 0.40 * s)
    shade = QLinearGradient(box.topLeft(), box.bottomLeft())
    shade.setColorAt(0, QColor(tones.NAVY))
    shade.setColorAt(1, QColor(tones.NAVY_DEEP))
    painter.setPen(QPen(QColor(tones.NAVY_LINE), 0.004 * s))
    painter.setBrush(shade)
    painter.drawRoundedRect(box, 0.02 * s, 0.02 * s)
    key = outcome_key(state, moment)
    _ribbon(painter, box, s, key, say(moment.language, key))
    middle = box.center().x()
    if key != "draw":
        _winners(painter, box, s, state, moment)
    turns = say(moment.language, "turns", n=state.turn)
    lettering.draw(painter, turns, (middle, box.bottom() - 0.098 * s), 0.022 * s, "#dfe4ff", weight=0.16)
    follow = say(moment.language, "goes_on" if moment.goes_on else "next")
    lettering.draw(painter, follow, (middle, box.bottom() - 0.044 * s), 0.018 * s, tones.GOLD, weight=0.16)


def _ribbon(painter: QPainter, box: QRectF, s: float, key: str, text: str) -> None:
    tone = _RIBBONS[key]
    y, half, tall, tail = box.top() + 0.005 * s, 0.35 * s, 0.075 * s, 0.045 * s
    middle = box.center().x()
    painter.setPen(QPen(tones.darker(tone, 0.6), 0.003 * s))
    for side in (-1, 1):
        painter.setBrush(tones.darker(tone, 0.35))
        inner, outer = middle + side * (half - tail * 1.4), middle + side * (half + tail)
        notch = middle + side * (half + tail * 0.35)
        low = y + 0.018 * s
        corners = [
            (inner, low),
            (outer, low),
            (notch, low + tall / 2),
            (outer, low + tall),
            (inner, low + tall),
        ]
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    band = QRectF(middle - half, y, 2 * half, tall)
    shade = QLinearGradient(band.topLeft(), band.bottomLeft())
    shade.setColorAt(0, tones.lighter(tone, 0.3))
    shade.setColorAt(1, tones.darker(tone, 0.12))
    painter.setBrush(shade)
    painter.drawRoundedRect(band, 0.006 * s, 0.006 * s)
    height = lettering.fit(text, 0.042 * s, 1.7 * half, 0.2)
    ink = tones.darker(tone, 0.65)
    lettering.draw(painter, text, (middle, y + tall / 2), height, tones.WHITE, weight=0.2, outline=ink)


def _winners(painter: QPainter, box: QRectF, s: float, state: FightState, moment: Moment) -> None:
    team = [fighter for fighter in state.fighters if fighter.team == moment.winner][:6]
    step = 0.085 * s
    x = box.center().x() - step * (len(team) - 1) / 2
    for index, fighter in enumerate(team):
        look = fighter_look(fighter.kind)
        colour = look.colour if fighter.alive else tones.greyed(look.colour).name()
        at = (x + index * step, box.top() + 0.255 * s)
        figures.paint(painter, at, 0.13 * s, colour, look.drawing)
