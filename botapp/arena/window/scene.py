"""The whole picture of a moment: `render` paints a fight's state without any window, for tests and vision.

`ArenaScene` is what the live window uses: it keeps ground and blocks in pixmaps, and paints only the parts
of the picture that changed.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import cast

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPixmap, QRegion

from botapp.arena.window import (
    bar,
    figures,
    landscape,
    marks,
    result,
    states,
    strength,
    taking_back,
    terrain,
    timeline,
    tones,
    tooltip,
    words_log,
)
from botapp.arena.window.effects import flash_box, floater_box, paint_flight, paint_floater, paint_impact
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.looks import fighter_look
from botapp.arena.window.moment import Buttons, Moment, Pointed, visible
from botapp.arena.window.terrain import diamond
from botapp.fight.board import centre_in_cells
from botapp.fight.spells import State
from botapp.fight.state import Fighter, FightState
from vision.view import CellKind

_FIGURE_CELLS = 1.3
_HEALTH = (1.46, 0.62, 0.16)
"""The HP bar: its centre above the cell's point and its height in cell heights, its width in cell widths."""
_SHIELD = 0.11  # How high the shield's bar below it is, in cell heights
_IN_HUD = frozenset(("selected", "button", "autopilot", "lines", "turn_s"))
_EVERYWHERE = frozenset(("player", "seed", "mine", "slot", "language", "winner", "goes_on"))


def render(state: FightState, size: tuple[int, int], moment: Moment) -> QImage:
    """Returns the picture of one moment.

    Args:
        size: width and height in pixels.
        moment: what is selected, whose turn, the timer and so on.

    Returns:
        A Format_RGB32 image of that size.
    """
    image = QImage(*size, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        _scene(size).paint(painter, state, moment)
    return image


class ArenaScene:
    """Paints moments at one size of the client area.

    Args:
        stand_in: a ground of another size, stretched until `finish` is called: while a window is being
            resized there is no time to paint a new one.
    """

    def __init__(self, places: ArenaLayout, stand_in: QPixmap | None = None) -> None:
        self.places = places
        top = round(bar.TOP * places.unit)
        self.hud = QRect(0, places.height - top, places.width, top)
        self._words = QRectF(*words_log.box(places)).toAlignedRect()
        self._ground: tuple[tuple[bytes, int], QPixmap] | None = None
        self._blocks: dict[int, tuple[QPoint, QPixmap]] = {}
        self._stand_in = stand_in

    @property
    def ground(self) -> QPixmap | None:
        return self._stand_in or (self._ground and self._ground[1])

    @property
    def finished(self) -> bool:
        return self._stand_in is None

    def finish(self) -> None:
        """Gives the stand-in up: the next picture has a ground of its own."""
        self._stand_in = None

    def paint(
        self, painter: QPainter, state: FightState, moment: Moment, region: QRegion | None = None
    ) -> None:
        """Paints a moment, or only what of it lies in a region of the client."""
        places = self.places
        whole = QRect(0, 0, places.width, places.height)
        region = QRegion(whole) if region is None else region
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._stand_in is not None:
            painter.drawPixmap(whole, self._stand_in)
        else:
            ground = self._keep_ground(state, moment)
            rects = cast(Iterable[QRect], region)  # PySide's types leave this out
            for rect in rects:
                painter.drawPixmap(rect, ground, rect)
        above = QRect(0, 0, places.width, self.hud.top())
        if region.intersects(above):
            painter.save()
            painter.setClipRect(above, Qt.ClipOperation.IntersectClip)
            self._paint_board(painter, state, moment, QRectF(region.boundingRect()))
            if region.intersects(timeline.extent(places, state)):
                timeline.paint(painter, places, state, moment)
                self._paint_bars_above(painter, state, moment)
            if region.intersects(strength.extent(places).toAlignedRect()):
                strength.paint(painter, places, moment)
            if region.intersects(taking_back.extent(places).toAlignedRect()):
                taking_back.paint(painter, places, moment)
            painter.restore()
        if moment.words is not None and region.intersects(self._words):
            words_log.paint(painter, places, moment.words)
        if region.intersects(self.hud):
            bar.paint(painter, places, state, moment)
        if moment.winner is not None:
            result.paint(painter, places, state, moment)
        tooltip.paint(painter, places, state, moment)

    def changed(self, before: tuple[FightState, Moment], after: tuple[FightState, Moment]) -> QRegion:
        """Returns the part of the client that two moments of the same size differ in."""
        old, new = before[1], after[1]
        names = {
            name
            for former, current, fields in (
                (old, new, Moment.__slots__),
                (old.pointed, new.pointed, Pointed._fields),
                (old.buttons, new.buttons, Buttons.__slots__),
            )
            for name in fields
            if getattr(former, name) != getattr(current, name)
        }
        places = self.places
        if before[0] != after[0] or names & _EVERYWHERE:
            return QRegion(0, 0, places.width, places.height)
        region = QRegion()
        if names & _IN_HUD:
            region += self.hud
        elif "timer_s" in names:
            region += bar.timer_extent(places).toAlignedRect()
        if "words" in names:
            region += self._words
        if names & {"button", "opponents"}:
            region += strength.extent(places).toAlignedRect()
        if names & {"button", "may_take_back"}:
            region += taking_back.extent(places).toAlignedRect()
        if names & {"cell", "highlights"}:
            region += QRect(0, 0, places.width, places.height)
        if "motion" in names:
            moved = {
                figure for motion in (old.motion, new.motion) for figure in (*motion.moving, *motion.struck)
            }
            for state, moment in (before, after):
                for box in self._motion(state, moment, moved):
                    region += box.toAlignedRect()
        return region

    def _motion(self, state: FightState, moment: Moment, moved: set[int]) -> Iterator[QRectF]:
        """Yields the boxes of what moves in a moment, and of the fighters `moved` before it or after."""
        places = self.places
        for fighter in state.fighters:
            if fighter.id in moved:
                yield figure_box(places, position(places, fighter, moment))
        for floater in moment.motion.floaters:
            yield floater_box(places, floater)
        for flash in moment.motion.flashes:
            yield flash_box(places, flash)

    def _keep_ground(self, state: FightState, moment: Moment) -> QPixmap:
        """Returns the ground; it and the blocks are painted once for each fight and size.

        The next fight's ground goes over the last one's, and the last one's blocks make room first: large
        pieces of memory in turn would leave gaps that nothing else fits into.
        """
        key = (state.map.cells, moment.seed)
        if self._ground is not None and self._ground[0] == key:
            return self._ground[1]
        ground = self._ground[1] if self._ground else QPixmap(self.places.width, self.places.height)
        self._ground, self._blocks = None, {}
        with QPainter(ground) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            landscape.paint(painter, self.places, state.map.cells, moment.seed)
            terrain.paint_floor(painter, self.places, state.map.cells, moment.seed)
        self._ground = key, ground
        self._blocks = {
            cell: terrain.block_picture(self.places, cell, moment.seed)
            for cell, kind in enumerate(terrain.kinds(state.map.cells))
            if kind is CellKind.OBSTACLE
        }
        return ground

    def _paint_bars_above(self, painter: QPainter, state: FightState, moment: Moment) -> None:
        """Paints the HP bars that the timeline would cover over it: by its bar a fighter is found."""
        places, covered = self.places, timeline.extent(self.places, state)
        me = state.fighter(moment.player)
        for fighter in visible(state, me):
            at = position(places, fighter, moment)
            if covered.intersects(health_bar(places, at)):
                _paint_health(painter, places, at, fighter)

    def _paint_board(self, painter: QPainter, state: FightState, moment: Moment, seen: QRectF) -> None:
        places = self.places
        _paint_highlights(painter, places, moment, seen)
        me = state.fighter(moment.player)
        marks.paint(painter, places, state, me, seen)
        living = [(fighter, position(places, fighter, moment)) for fighter in visible(state, me)]
        living = [(fighter, at) for fighter, at in living if seen.intersects(figure_box(places, at))]
        for fighter, at in living:
            _paint_ring(painter, places, at, fighter, me)
        for flash in moment.motion.flashes:
            paint_impact(painter, places, flash)
        standing: list[tuple[float, Fighter | int, tuple[float, float]]] = [
            (at[1] + 0.5, fighter, at) for fighter, at in living
        ]
        for cell, (corner, picture) in self._blocks.items():
            if seen.intersects(QRectF(corner, picture.size())):
                standing.append((places.lattice.centre(cell)[1], cell, (0.0, 0.0)))
        for _, what, at in sorted(standing, key=lambda entry: entry[0]):
            if isinstance(what, Fighter):
                painter.setOpacity(0.5 if what.has(State.INVISIBLE) else 1.0)
                _paint_fighter(painter, places, what, at, what.id in moment.motion.struck)
                painter.setOpacity(1.0)
            else:
                painter.drawPixmap(*self._blocks[what])
        for fighter, at in living:
            bar = health_bar(places, at)
            states.paint(painter, places, (at[0], bar.top()), fighter)
        for fighter, at in living:
            _paint_health(painter, places, at, fighter)
        for flash in moment.motion.flashes:
            paint_flight(painter, places, flash)
        for floater in moment.motion.floaters:
            paint_floater(painter, places, floater)


@lru_cache(maxsize=4)
def _scene(size: tuple[int, int]) -> ArenaScene:
    """Returns the scene of a size; the next picture of the same fight finds its ground painted."""
    return ArenaScene(ArenaLayout(*size))


def position(places: ArenaLayout, fighter: Fighter, moment: Moment) -> tuple[float, float]:
    """Returns where a fighter's feet are, in pixels of the client."""
    across, down = moment.motion.moving.get(fighter.id) or centre_in_cells(fighter.cell)
    x, y = places.lattice.origin_px
    return x + across * places.lattice.cell_w, y + down * places.lattice.cell_h


def figure_box(places: ArenaLayout, at: tuple[float, float]) -> QRectF:
    """Returns the part of the client that a fighter with ring and HP bar covers."""
    w, h = places.lattice.cell_w, places.lattice.cell_h
    top = health_bar(places, at).top() - states.height(places) - 1
    wide = max(1.2 * w, states.width(places) + 2)
    return QRectF(at[0] - wide / 2, top, wide, at[1] + 0.7 * h - top)


def health_bar(places: ArenaLayout, at: tuple[float, float]) -> QRect:
    """Returns the frame of the HP bar over a fighter's head, in whole pixels."""
    rise, wide, high = _HEALTH
    w = round(wide * places.lattice.cell_w)
    h = max(4, round(high * places.lattice.cell_h))
    return QRect(round(at[0] - w / 2), round(at[1] - rise * places.lattice.cell_h - h / 2), w, h)


def _paint_highlights(painter: QPainter, places: ArenaLayout, moment: Moment, seen: QRectF) -> None:
    shown = moment.highlights
    line = max(1.0, places.unit * 0.0018)
    for cells, tone, alpha in (
        (shown.reachable, tones.REACHABLE, 0.88),
        (shown.no_sight, tones.NO_SIGHT, 0.80),
        (shown.range, tones.RANGE, 0.85),
        (shown.area, tones.AREA, 0.85),
        (shown.red_start, tones.RED_START, 0.85),
        (shown.blue_start, tones.BLUE_START, 0.85),
    ):
        painter.setPen(QPen(tones.faded(tones.lighter(tone, 0.45), 0.9), line))
        painter.setBrush(tones.faded(tone, alpha))
        for cell in cells:
            shape = diamond(places, cell, 0.94)
            if seen.intersects(shape.boundingRect()):
                painter.drawPolygon(shape)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tones.faded(tones.PATH, 0.95))
    for cell in shown.path:
        painter.drawPolygon(diamond(places, cell, 0.42))


def _paint_ring(
    painter: QPainter, places: ArenaLayout, at: tuple[float, float], fighter: Fighter, me: Fighter
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


def _paint_fighter(
    painter: QPainter, places: ArenaLayout, fighter: Fighter, at: tuple[float, float], struck: bool
) -> None:
    look = fighter_look(fighter.kind)
    cell_h = places.lattice.cell_h
    colour = tones.lighter(look.colour, 0.6).name() if struck else look.colour
    figures.paint(painter, (at[0], at[1] + cell_h * 0.10), _FIGURE_CELLS * cell_h, colour, look.drawing)


def _paint_health(painter: QPainter, places: ArenaLayout, at: tuple[float, float], fighter: Fighter) -> None:
    frame = health_bar(places, at)
    _fill(painter, frame, 1, fighter.hp / fighter.max_hp, (tones.BAR, tones.BAR_BACK))
    if fighter.shield:
        high = max(3, round(_SHIELD * places.lattice.cell_h))
        below = QRect(frame.left(), frame.bottom() + 1, frame.width(), high)
        _fill(painter, below, 0, fighter.shield / fighter.max_hp, (tones.SHIELD_BAR, tones.SHIELD_BACK))


def _fill(painter: QPainter, frame: QRect, top: int, share: float, colours: tuple[str, str]) -> None:
    """Paints a bar that is full to a share, `top` pixels of its frame being above it."""
    full, empty = colours
    painter.fillRect(frame, QColor(empty))
    inner = QRectF(frame).adjusted(1, top, -1, -1)
    inner.setWidth(inner.width() * min(1.0, share))
    painter.fillRect(inner, QColor(full))
