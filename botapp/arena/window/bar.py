"""The HUD's band: HP heart, AP star, MP diamond, spell bar, timer, buttons, chronicle."""

from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen, QPolygonF

from botapp.arena.window import icons, layout, lettering, tones
from botapp.arena.window.layout import ArenaLayout, Box
from botapp.arena.window.lettering import rectangle
from botapp.arena.window.looks import fighter_look, spell_look
from botapp.arena.window.moment import Line, Moment, cooldown
from botapp.arena.window.words import say
from botapp.fight.state import Fighter, FightState

TOP = 0.126  # How high above the bottom the highest piece of the HUD reaches, in units of S


def paint(painter: QPainter, places: ArenaLayout, state: FightState, moment: Moment) -> None:
    _panel(painter, places)
    me = state.fighter(moment.player)
    _heart(painter, places.from_bottom(layout.HEART), me)
    if me.shield:
        _shield(painter, places.from_bottom(layout.SHIELD), me.shield)
    _star(painter, places.from_bottom(layout.STAR), me.ap)
    _diamond(painter, places.from_bottom(layout.DIAMOND), me.mp)
    _spells(painter, places, state, moment, me)
    _timer(painter, places, moment)
    _end_turn(painter, places.from_bottom(layout.BUTTON), moment, placing=state.placing)
    _autopilot(painter, places.from_bottom(layout.AUTOPILOT), moment)
    if moment.words is None:
        _chronicle(painter, places.from_bottom(layout.CHRONICLE), moment, places.unit)
    else:
        _log_is_in_words(painter, places.from_bottom(layout.CHRONICLE), places.unit)


def _panel(painter: QPainter, places: ArenaLayout) -> None:
    band = rectangle(places.band)
    shade = QLinearGradient(band.topLeft(), band.bottomLeft())
    shade.setColorAt(0, QColor(tones.NAVY))
    shade.setColorAt(1, QColor(tones.NAVY_DEEP))
    painter.fillRect(band, shade)
    line = max(1.0, places.unit * 0.002)
    painter.fillRect(QRectF(band.left(), band.top(), band.width(), line), QColor(tones.NAVY_LINE))
    painter.fillRect(QRectF(band.left(), band.top() - line, band.width(), line), tones.faded(tones.INK, 0.6))
    s = places.unit
    for x in (-0.585, -0.275, 0.275, 0.575):
        cut = QRectF(places.width / 2 + x * s, band.top() + 0.012 * s, line, band.height() - 0.024 * s)
        painter.fillRect(cut, tones.faded(tones.NAVY_LINE, 0.8))


def _gem(painter: QPainter, path: QPainterPath, shade: QLinearGradient, tone: str, line: float) -> None:
    painter.setPen(tones.pen(tones.INK, line * 3))
    painter.setBrush(shade)
    painter.drawPath(path)
    painter.setPen(tones.pen(tones.lighter(tone, 0.58), line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)


def _cut(box: Box, top: str, bottom: str) -> QLinearGradient:
    shade = QLinearGradient(0, box.y, 0, box.y + box.h)
    shade.setColorAt(0, tones.lighter(top, 0.12))
    shade.setColorAt(0.5, QColor(top))
    shade.setColorAt(1, QColor(bottom))
    return shade


def _heart(painter: QPainter, box: Box, me: Fighter) -> None:
    x, y = box.centre
    w, h = box.w / 2, box.h / 2
    path = QPainterPath(QPointF(x, y + h))
    path.cubicTo(x - w * 1.15, y + h * 0.25, x - w * 1.2, y - h * 0.72, x - w * 0.58, y - h * 0.92)
    path.cubicTo(x - w * 0.25, y - h * 1.04, x - w * 0.06, y - h * 0.9, x, y - h * 0.74)
    path.cubicTo(x + w * 0.06, y - h * 0.9, x + w * 0.25, y - h * 1.04, x + w * 0.58, y - h * 0.92)
    path.cubicTo(x + w * 1.2, y - h * 0.72, x + w * 1.15, y + h * 0.25, x, y + h)
    line = max(1.0, box.w * 0.016)
    empty = 1 - me.hp / me.max_hp
    shade = QLinearGradient(0, box.y, 0, box.y + box.h)
    for place, tone in (
        (0.0, QColor(tones.HEART_DARK)),
        (empty - 0.001, tones.darker(tones.HEART_DARK, 0.25)),
        (empty, tones.lighter(tones.HEART, 0.10 * (1 - empty))),
        (1.0, tones.darker(tones.HEART, 0.25)),
    ):
        if 0 <= place <= 1:
            shade.setColorAt(place, tone)
    _gem(painter, path, shade, tones.HEART, line)
    number = partial(lettering.draw, painter, outline="#5a0f20", outline_width=0.07)
    number(str(me.hp), (x, y - h * 0.27), box.h * 0.255, tones.WHITE, weight=0.2)
    painter.fillRect(QRectF(x - w * 0.42, y + h * 0.085, w * 0.84, line), tones.faded("#ffffff", 0.75))
    number(str(me.max_hp), (x, y + h * 0.36), box.h * 0.19, "#ffe3e0", weight=0.2)


def _shield(painter: QPainter, box: Box, shield: int) -> None:
    line = max(1.0, box.h * 0.05)
    painter.setPen(QPen(QColor(tones.INK), line))
    painter.setBrush(QColor(tones.SHIELD_PLATE))
    painter.drawRoundedRect(rectangle(box), box.h * 0.3, box.h * 0.3)
    text = str(shield)
    height = lettering.fit(text, box.h * 0.58, box.w * 0.88, 0.2)
    lettering.draw(painter, text, box.centre, height, tones.WHITE, weight=0.2)


def _star(painter: QPainter, box: Box, ap: int) -> None:
    x, y = box.centre
    points = [(0, -1), (0.27, -0.4), (0.95, -0.31), (0.48, 0.2), (0.6, 0.86), (0, 0.56)]
    points += [(-px, py) for px, py in reversed(points[1:-1])]
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x + px * box.w / 2, y + py * box.h / 2) for px, py in points]))
    path.closeSubpath()
    _gem(painter, path, _cut(box, tones.AP, tones.AP_DARK), tones.AP, max(1.0, box.w * 0.02))
    lettering.draw(
        painter, str(ap), (x, y + box.h * 0.03), box.h * 0.35, tones.WHITE,
        weight=0.21, outline=tones.AP_DARK, outline_width=0.09,
    )  # fmt: skip


def _diamond(painter: QPainter, box: Box, mp: int) -> None:
    x, y = box.centre
    path = QPainterPath()
    corners = [(0, -1), (1, 0), (0, 1), (-1, 0)]
    path.addPolygon(QPolygonF([QPointF(x + px * box.w / 2, y + py * box.h / 2) for px, py in corners]))
    path.closeSubpath()
    _gem(painter, path, _cut(box, tones.MP, tones.MP_DARK), tones.MP, max(1.0, box.w * 0.02))
    lettering.draw(
        painter, str(mp), (x, y), box.h * 0.35, tones.WHITE,
        weight=0.21, outline=tones.MP_DARK, outline_width=0.09,
    )  # fmt: skip


def _spells(painter: QPainter, places: ArenaLayout, state: FightState, moment: Moment, me: Fighter) -> None:
    line = max(1.0, places.unit * 0.0022)
    x = places.width / 2
    lettering.draw(
        painter, say(moment.language, "spells"), (x, places.height - 0.1 * places.unit),
        0.0125 * places.unit, tones.faded("#dfe4ff", 0.75), weight=0.16,
    )  # fmt: skip
    usable = moment.ready(state)
    for index in range(layout.SLOTS):
        box = rectangle(places.slot(index))
        spell = me.spells[index] if index < len(me.spells) else None
        painter.setPen(QPen(QColor(tones.INK), line))
        painter.setBrush(QColor("#151930"))
        painter.drawRoundedRect(box, box.width() * 0.14, box.width() * 0.14)
        if spell is None:
            continue
        ready = spell.key in usable
        look = spell_look(spell.key)
        tile = box.adjusted(line, line, -line, -line)
        icons.paint(painter, tile, look.drawing, look.colour, grey=not ready)
        turns = cooldown(me, spell)
        if turns:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tones.faded("#0b0d1a", 0.6))
            painter.drawRoundedRect(tile, box.width() * 0.14, box.width() * 0.14)
            lettering.draw(
                painter, str(turns), (box.center().x(), box.center().y()), box.height() * 0.5,
                tones.WHITE, weight=0.21, outline=tones.INK, outline_width=0.12,
            )  # fmt: skip
        _cost(painter, box, spell.ap, ready)
        if spell.key == moment.selected or index == moment.pointed.slot:
            glow = tones.GOLD if spell.key == moment.selected else tones.WHITE
            painter.setPen(QPen(tones.faded(glow, 0.95), line * 1.8))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, box.width() * 0.14, box.width() * 0.14)
        lettering.draw(
            painter, str(index + 1), (box.center().x(), box.bottom() + places.unit * 0.0105),
            places.unit * 0.0105, tones.faded("#dfe4ff", 0.7), weight=0.16,
        )  # fmt: skip


def _cost(painter: QPainter, box: QRectF, ap: int, ready: bool) -> None:
    size = box.width() * 0.21
    at = QPointF(box.left() + size * 0.72, box.top() + size * 0.72)
    painter.setPen(QPen(QColor(tones.INK), max(1.0, size * 0.16)))
    painter.setBrush(QColor(tones.AP if ready else "#4b5164"))
    painter.drawEllipse(at, size, size)
    number = "#ffffff" if ready else "#7d8496"
    lettering.draw(painter, str(ap), (at.x(), at.y()), size * 1.15, number, weight=0.21)


def timer_extent(places: ArenaLayout) -> QRectF:
    """Returns the part of the client that the timer and its track cover."""
    plate, button = (rectangle(places.from_bottom(place)) for place in (layout.TIMER, layout.BUTTON))
    return plate.united(QRectF(button.left(), plate.bottom(), button.width(), 0.01 * places.unit))


def _timer(painter: QPainter, places: ArenaLayout, moment: Moment) -> None:
    box = rectangle(places.from_bottom(layout.TIMER))
    cut = box.height() * 0.35
    plate = QPolygonF(
        [
            QPointF(box.left(), box.bottom()),
            QPointF(box.left() + cut, box.top()),
            QPointF(box.right() - cut, box.top()),
            QPointF(box.right(), box.bottom()),
        ]
    )
    painter.setPen(QPen(QColor(tones.NAVY_LINE), max(1.0, places.unit * 0.002)))
    painter.setBrush(QColor(tones.INK))
    painter.drawPolygon(plate)
    late = moment.timer_s <= 5
    x, y = box.center().x(), box.center().y()
    height = box.height() * 0.6
    digits = str(moment.timer_s)
    tone = tones.TIMER_LATE if late else tones.TIMER
    small = 0.72 * height
    half = (lettering.width(digits, height, 0.2) + 0.16 * height + lettering.width("s", small, 0.2)) / 2
    lettering.draw(painter, digits, (x - half, y), height, tone, align=0, weight=0.2)
    lettering.draw(painter, "s", (x + half, y + (height - small) / 2), small, tone, align=1, weight=0.2)
    button = rectangle(places.from_bottom(layout.BUTTON))
    track = QRectF(button.left(), box.bottom() + places.unit * 0.003, button.width(), places.unit * 0.005)
    painter.fillRect(track, QColor(tones.INK))
    share = max(0.0, min(1.0, moment.timer_s / moment.turn_s)) if moment.turn_s else 0.0
    track.setWidth(track.width() * share)
    painter.fillRect(track, QColor(tones.TIMER_LATE if late else tones.TIMER))


def _button(painter: QPainter, box: QRectF, top: QColor, bottom: QColor, line: float) -> None:
    shade = QLinearGradient(box.topLeft(), box.bottomLeft())
    shade.setColorAt(0, tones.lighter(top, 0.3))
    shade.setColorAt(0.12, top)
    shade.setColorAt(0.55, top)
    shade.setColorAt(1, bottom)
    painter.setPen(QPen(QColor(tones.INK), line * 2))
    painter.setBrush(shade)
    painter.drawRoundedRect(box, box.height() * 0.3, box.height() * 0.3)


def _end_turn(painter: QPainter, box: Box, moment: Moment, *, placing: bool) -> None:
    on = moment.mine
    top = QColor(tones.BUTTON if on else tones.BUTTON_OFF)
    bottom = QColor(tones.BUTTON_DARK if on else tones.BUTTON_OFF_DARK)
    if on and moment.pointed.button == "end":
        top, bottom = tones.lighter(top, 0.35), tones.lighter(bottom, 0.25)
    _button(painter, rectangle(box), top, bottom, max(1.0, box.h * 0.03))
    text = say(moment.language, "wait" if not on else "ready" if placing else "end_turn")
    height = lettering.fit(text, box.h * 0.33, box.w * 0.86, 0.2)
    colour = tones.BUTTON_TEXT if on else tones.BUTTON_OFF_TEXT
    lettering.draw(painter, text, box.centre, height, colour, weight=0.2)


def _autopilot(painter: QPainter, box: Box, moment: Moment) -> None:
    top = QColor("#35507c" if moment.buttons.autopilot else "#343a58")
    if moment.pointed.button == "autopilot":
        top = tones.lighter(top, 0.15)
    _button(painter, rectangle(box), top, tones.darker(top, 0.35), max(1.0, box.h * 0.03))
    _x, y = box.centre
    lamp = QPointF(box.x + box.h * 0.45, y)
    painter.setPen(QPen(QColor(tones.INK), max(1.0, box.h * 0.04)))
    painter.setBrush(QColor("#7df0a0" if moment.buttons.autopilot else "#5b6078"))
    painter.drawEllipse(lamp, box.h * 0.17, box.h * 0.17)
    left = box.x + box.h * 0.8
    room = box.x + box.w - left - box.h * 0.25
    words = say(moment.language, "autopilot")
    state = say(moment.language, "on" if moment.buttons.autopilot else "off") + " (A)"
    height = lettering.fit(words, box.h * 0.25, room, 0.18)
    lettering.draw(painter, words, (left, y - box.h * 0.19), height, "#eef1ff", align=0, weight=0.18)
    lettering.draw(painter, state, (left, y + box.h * 0.2), height * 0.85, "#aab2d6", align=0, weight=0.16)


def _chronicle(painter: QPainter, box: Box, moment: Moment, unit: float) -> None:
    """Paints the last lines; those of casts begin with chips in the colours of caster, spell and target."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.faded("#0f1226", 0.7))
    painter.drawRoundedRect(rectangle(box), box.h * 0.06, box.h * 0.06)
    step = box.h / layout.LINES
    for row, line in enumerate(moment.lines[-layout.LINES :]):
        y = box.y + step * (row + 0.5)
        _line_mark(painter, box.x + layout.LINE_MARK[0] * unit, y, line.number, unit)
        left = layout.CHIPS[0] - layout.CHIP / 2
        if line.taken_back:
            _chip(painter, box.x, y, unit)
            left = layout.CHIPS[0] + layout.CHIP * 0.75
        elif line.spell:
            _chips(painter, box.x, y, line, unit)
            left = layout.CHIPS[-1] + layout.CHIP * 0.75
        room = box.w - (left + 0.008) * unit
        height = lettering.fit(line.text, step * 0.5, room, 0.13)
        newest = row == len(moment.lines[-layout.LINES :]) - 1
        colour = tones.faded("#f2f4ff" if newest else "#b8bfdd", 0.95)
        lettering.draw(painter, line.text, (box.x + left * unit, y), height, colour, align=0, weight=0.14)


def _log_is_in_words(painter: QPainter, box: Box, unit: float) -> None:
    """Marks where the chronicle would begin that the log is elsewhere, in words."""
    wide, high = layout.LINE_MARK[1] * unit, layout.CHIP * unit
    y = box.y + box.h / layout.LINES / 2
    mark = QRectF(box.x + layout.LINE_MARK[0] * unit, y - high / 2, wide, high)
    painter.fillRect(mark.toAlignedRect(), QColor(tones.LOG_IN_WORDS))


def _line_mark(painter: QPainter, left: float, y: float, number: int, unit: float) -> None:
    wide, high = layout.LINE_MARK[1] * unit, layout.CHIP * unit
    mark = QRectF(left, y - high / 2, wide, high)
    painter.fillRect(mark.toAlignedRect(), QColor(tones.LINE_MARKS[number % 2]))


def _chip(painter: QPainter, left: float, y: float, unit: float) -> None:
    half = layout.CHIP * unit / 2
    painter.setPen(QPen(QColor(tones.INK), max(1.0, half * 0.16)))
    painter.setBrush(QColor(tones.TAKEN_BACK))
    painter.drawEllipse(QPointF(left + layout.CHIPS[0] * unit, y), half, half)


def _chips(painter: QPainter, left: float, y: float, line: Line, unit: float) -> None:
    size = layout.CHIP * unit
    middles = [QPointF(left + x * unit, y) for x in layout.CHIPS]
    painter.setPen(QPen(QColor(tones.INK), max(1.0, size * 0.08)))
    for at, kind in ((middles[0], line.caster), (middles[2], line.target)):
        if kind:
            painter.setBrush(QColor(fighter_look(kind).colour))
            painter.drawEllipse(at, size / 2, size / 2)
    painter.setBrush(QColor(spell_look(line.spell).colour))
    half = QPointF(size / 2, size / 2)
    painter.drawRoundedRect(QRectF(middles[1] - half, middles[1] + half), size * 0.15, size * 0.15)
