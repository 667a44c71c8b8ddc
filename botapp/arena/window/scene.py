"""The whole picture of a moment: `render` paints a fight's state without any window, for tests and vision.

`Scene` is what the live window uses: it keeps the ground, the HUD's band and the timeline in pixmaps and
paints again only what changed. Next hop: `widget`, or the `render` command.
"""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from botapp.arena.window import bar, figures, landscape, lettering, terrain, timeline, tones
from botapp.arena.window.layout import Layout
from botapp.arena.window.looks import fighter_look
from botapp.arena.window.moment import Floater, Moment
from botapp.arena.window.terrain import diamond
from botapp.fight.board import centre_in_cells
from botapp.fight.state import Fighter, FightState
from vision.view import CellKind

_FIGURE_CELLS = 1.3
_HEALTH = (1.46, 0.62, 0.16)
"""The HP bar: its centre above the cell's point and its height in cell heights, its width in cell widths."""


def render(state: FightState, size: tuple[int, int], moment: Moment) -> QImage:
    """Returns the picture of one moment.

    Args:
        state: the fight.
        size: width and height in pixels.
        moment: what is selected, whose turn, the timer and so on.

    Returns:
        A Format_RGB32 image of that size.
    """
    image = QImage(*size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    places = Layout(*size)
    landscape.paint(painter, places, state.map.cells, moment.seed)
    terrain.paint_floor(painter, places, state.map.cells, moment.seed)
    paint_board(painter, places, state, moment)
    bar.paint(painter, places, state, moment)
    timeline.paint(painter, places, state, moment)
    paint_front(painter, places, state, moment)
    painter.end()
    return image


def position(places: Layout, fighter: Fighter, moment: Moment) -> tuple[float, float]:
    """Returns where a fighter's feet are, in pixels of the client."""
    across, down = moment.moving.get(fighter.id) or centre_in_cells(fighter.cell)
    x, y = places.lattice.origin_px
    return x + across * places.lattice.cell_w, y + down * places.lattice.cell_h


def paint_board(painter: QPainter, places: Layout, state: FightState, moment: Moment) -> None:
    """Paints what lies and stands on the floor: highlights, rings, then blocks and fighters back to front."""
    _paint_highlights(painter, places, moment)
    me = state.fighter(moment.player)
    living = [fighter for fighter in state.fighters if fighter.alive]
    for fighter in living:
        _paint_ring(painter, places, position(places, fighter, moment), fighter, me)
    _paint_flashes(painter, places, moment)
    standing: list[tuple[float, int | Fighter]] = []
    for cell, kind in enumerate(terrain.kinds(state.map.cells)):
        if kind is CellKind.OBSTACLE:
            standing.append((places.lattice.centre(cell)[1], cell))
    standing.extend((position(places, fighter, moment)[1] + 0.5, fighter) for fighter in living)
    for _, what in sorted(standing, key=lambda entry: entry[0]):
        if isinstance(what, Fighter):
            _paint_fighter(painter, places, what, me, moment)
        else:
            terrain.paint_block(painter, places, what, moment.seed)


def _paint_highlights(painter: QPainter, places: Layout, moment: Moment) -> None:
    shown = moment.highlights
    line = max(1.0, places.unit * 0.0018)
    for cells, tone, alpha in (
        (shown.reachable, tones.REACHABLE, 0.88),
        (shown.no_sight, tones.NO_SIGHT, 0.80),
        (shown.range, tones.RANGE, 0.85),
        (shown.area, tones.AREA, 0.85),
    ):
        painter.setPen(QPen(tones.faded(tones.lighter(tone, 0.45), 0.9), line))
        painter.setBrush(tones.faded(tone, alpha))
        for cell in cells:
            painter.drawPolygon(diamond(places, cell, 0.94))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.faded(tones.PATH, 0.95))
    for cell in shown.path:
        painter.drawPolygon(diamond(places, cell, 0.42))


def _paint_ring(
    painter: QPainter, places: Layout, at: tuple[float, float], fighter: Fighter, me: Fighter
) -> None:
    own = fighter.id == me.id
    tone = tones.OWN if own else tones.ALLY if fighter.team == me.team else tones.ENEMY
    w, h = places.lattice.cell_w / 2, places.lattice.cell_h / 2

    def outline(scale: float) -> list[QPointF]:
        x, y = at
        corners = ((0, -h), (w, 0), (0, h), (-w, 0))
        return [QPointF(x + dx * scale, y + dy * scale) for dx, dy in corners]

    painter.setBrush(tones.faded(tone, 0.42))
    painter.setPen(tones.pen(QColor(tone), w * 0.15))
    painter.drawPolygon(outline(0.80))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(tones.WHITE if own else tones.darker(tone, 0.45)), w * 0.07))
    painter.drawPolygon(outline(0.93))


def _paint_fighter(painter: QPainter, places: Layout, fighter: Fighter, me: Fighter, moment: Moment) -> None:
    look = fighter_look(fighter.kind)
    tall = _FIGURE_CELLS * places.lattice.cell_h
    x, y = position(places, fighter, moment)
    colour = tones.lighter(look.colour, 0.6).name() if fighter.id in moment.struck else look.colour
    figures.paint(painter, (x, y + places.lattice.cell_h * 0.10), tall, colour, look.drawing)


def _paint_flashes(painter: QPainter, places: Layout, moment: Moment) -> None:
    for flash in moment.flashes:
        reach = max(0.0, min(1.0, flash.progress * 2))
        painter.setPen(Qt.PenStyle.NoPen)
        if reach >= 1:
            painter.setBrush(tones.faded(flash.tone, 0.75 * (2 - flash.progress * 2)))
            for cell in flash.cells:
                painter.drawPolygon(diamond(places, cell, 0.9))


def paint_front(painter: QPainter, places: Layout, state: FightState, moment: Moment) -> None:
    """Paints what hangs over everything: spells in flight, rising figures and the result."""
    for fighter in state.fighters:
        if fighter.alive:
            _paint_health(painter, places, position(places, fighter, moment), fighter.hp / fighter.max_hp)
    for floater in moment.floaters:
        _paint_floater(painter, places, floater)


def _paint_health(painter: QPainter, places: Layout, at: tuple[float, float], share: float) -> None:
    """Paints the HP bar over a head; its left, top, width and height are whole pixels."""
    cell_w, cell_h = places.lattice.cell_w, places.lattice.cell_h
    w, h = round(_HEALTH[1] * cell_w), max(4, round(_HEALTH[2] * cell_h))
    frame = QRect(round(at[0] - w / 2), round(at[1] - _HEALTH[0] * cell_h - h / 2), w, h)
    painter.fillRect(frame, QColor(tones.BAR_BACK))
    inner = QRectF(frame).adjusted(1, 1, -1, -1)
    inner.setWidth(inner.width() * share)
    painter.fillRect(inner, QColor(tones.BAR))


def _paint_floater(painter: QPainter, places: Layout, floater: Floater) -> None:
    x, y = places.lattice.centre(floater.cell)
    rise = 1 - (1 - floater.progress) ** 2
    y -= places.lattice.cell_h * (2.1 + 1.1 * rise)
    alpha = 1.0 if floater.progress < 0.6 else (1 - floater.progress) / 0.4
    lettering.draw(
        painter, floater.text, (x, y), places.unit * 0.036, tones.faded(floater.tone, alpha),
        weight=0.21, outline=tones.faded("#2a0d10", alpha), outline_width=0.1,
    )  # fmt: skip
