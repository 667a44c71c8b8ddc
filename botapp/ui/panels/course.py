"""The Course panel: the chance of winning over the fight, each departure from the advice with its cost."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QHBoxLayout, QHeaderView

from botapp.advisor.grounds import may_tell_chance
from botapp.review.account import END_CHANCE, Result, account
from botapp.review.course import OwnAction, played
from botapp.review.kept_fight import KeptFight
from botapp.runtime.messages import Snapshot
from botapp.ui import grading, theme, words
from botapp.ui.grading import ACCURACY, FAULTS
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import History
from botapp.ui.translation import counted, mark, tr, tr_counted
from botapp.ui.widgets.boxes import Column, column_of
from botapp.ui.widgets.labels import button, label, scrolled
from botapp.ui.widgets.plot import PLOT_LEAST, Plot
from botapp.ui.widgets.position_menu import Offer, PositionMenu
from botapp.ui.widgets.table import Cell, FigureTable

if TYPE_CHECKING:
    import pyqtgraph as pg


_ALONE = 92
"""Height of the plot where no table is below it: on a small screen the rounds below it are in sight then."""


_NAMES = 8
"""Rounds named along a plot at most: "round 1" and a number beside it take 30 pixels of the least 260."""


@panel
class CoursePanel(Panel):
    """A graph over own actions, rounds marked, and a table of what was done otherwise than advised.

    Signals:
        opened: the `OwnAction` that the person wants to see on a board.
        lesson_asked: the person wants to learn from the faults of the fight.
    """

    opened = Signal(object)
    lesson_asked = Signal()

    key = "course"
    title = mark("Fight")
    order = 40
    place = "below"
    place_in_reasoning = "aside"
    layouts = ("player", "reasoning", "engineer")
    sentences = (
        (
            mark("The curve"),
            mark("Your chance of winning at each of your actions, in the order in which you played them."),
        ),
        (
            mark("Cost"),
            mark("How many points of the chance of winning an action of yours gave away against the advice."),
        ),
        (
            mark("Round"),
            mark("One turn of every fighter. The number beside the timeline counts rounds, from 1."),
        ),
        (mark("Blunder, mistake, inaccuracy"), FAULTS),
        (mark("Accuracy"), ACCURACY),
    )
    of_decision = True

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.summary = label(tr("The course appears here once you have acted."), "muted", wrap=True)
        self.plot = Plot(tr("chance of winning, by own action"), shares_axis)
        self.table = FigureTable(
            tr(self.title),
            [tr("Round"), tr("Advised"), tr("What you did"), tr("Grade"), tr("Cost")],
            wide=1,
            text_columns=(1, 2, 3),
        )
        self.table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.table.wrap()
        self.table.explain(
            {
                3: tr(grading.FAULTS),
                4: tr("By how many points the chance of winning fell with what you did, as the curve shows."),
            }
        )
        self.table.cellClicked.connect(lambda row, _: self._open(row))
        self.look = button(
            tr("See it on the board"),
            lambda: self._open(0),
            tip=tr("Opens the dearest of these on a board; a click on another opens that one."),
        )
        self.learn = button(
            tr("Learn from your mistakes"),
            self.lesson_asked,
            tip=tr("Shows the moments of your faults one by one: find what was better."),
        )
        for control in (self.look, self.learn):
            control.hide()
        self.end = label(role="accent", wrap=True)
        self.end.hide()
        head = QHBoxLayout()
        head.addWidget(self.summary, 1)
        buttons = column_of(self.look, self.learn, None)
        head.addLayout(buttons)
        self.plot.setMinimumHeight(_ALONE)
        inner = Column()
        inner.box.addWidget(self.end)
        inner.box.addLayout(head)
        inner.box.addWidget(self.plot, 2)
        inner.box.addWidget(self.table, 1)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.addWidget(scrolled(inner, by_keys=True))
        self._shown: tuple[OwnAction, ...] | None = None
        self._taken_back = 0
        self._ended: KeptFight | None = None
        self.table.hide()
        self.menu = PositionMenu(
            self, {self: lambda _: self._offer_moment(None), self.table: self._offer_moment}
        )

    def _offer_moment(self, at: QPoint | None) -> Offer | None:
        departures = self.history.course.departures()
        row = 0 if at is None else self.table.rowAt(self.table.viewport().mapFrom(self.table, at).y())
        if not 0 <= row < len(departures):
            return None
        see = tr("See it on the board"), partial(self._open, row)
        return Offer(departures[row].state, (see,))

    def render_snapshot(self, snapshot: Snapshot) -> None:
        moments = tuple(self.history.course.moments)
        if moments == self._shown and snapshot.taken_back == self._taken_back:
            return
        self._shown, self._taken_back = moments, snapshot.taken_back
        if self._ended is not None and moments[: len(self._ended.moments)] != self._ended.moments:
            self._ended = None
            self.end.hide()
        course_lines(self.plot, moments)
        departures = self.history.course.departures()
        back = self.history.course.taken_back
        self.summary.setText(
            "  ·  ".join(filter(None, (_summary(moments, departures, back), grading.taken_back(back))))
        )
        self.table.show_rows([departure_row(moment) for moment in departures])
        self.table.setVisible(bool(departures))
        self.plot.setMinimumHeight(PLOT_LEAST if departures else _ALONE)
        self.look.setVisible(bool(departures))
        self.learn.setVisible(any(moment.grade is not None for moment in departures))

    def show_end(self, fight: KeptFight) -> None:
        """Shows how the fight that is watched has ended, until another one begins."""
        self._ended = fight
        self.end.setText(grading.at_the_end(fight))
        self.end.show()

    def _open(self, row: int) -> None:
        departures = self.history.course.departures()
        if row < len(departures):
            self.opened.emit(departures[row])


def shares_axis(area: "pg.PlotWidget") -> None:
    """Sets the vertical axis to 0 to 100 %, with room for the words at both ends.

    The other one is bare until there is something to number.
    """
    area.getAxis("bottom").setTicks([[]])
    area.setYRange(0, 100, padding=0.1)
    area.getAxis("left").setStyle(hideOverlappingLabels=False)
    ticks = [(share, words.percent(share / 100)) for share in (0, 50, 100)]
    area.getAxis("left").setTicks([ticks, [(25, ""), (75, "")]])
    from botapp.ui.widgets.plot_area import keep_room  # noqa: PLC0415, pyqtgraph is loaded by now

    keep_room(area, ticks[-1][1], above=True)


def course_lines(plot: Plot, moments: Sequence[OwnAction], result: Result = "unfinished") -> None:
    """Draws the chance of winning over own actions, what was not as advised, and where rounds begin.

    The last point of a fight that is over is its end: 100 % or 0 %.
    """
    for name, shade, dashed in (
        (tr("chance"), "accent", False),
        (tr("done otherwise"), "info", False),
        (tr("rounds"), "faint", True),
        (tr("points given away"), "bad", False),
    ):
        plot.line(name, shade, width=1 if dashed else 2, dashed=dashed)
    across = list(range(1, len(moments) + 1))
    shares = [100 * moment.chance for moment in moments]
    known = [index for index, moment in enumerate(moments) if may_tell_chance(moment.state)]
    dots = {"symbol": "o", "symbolSize": 6, "symbolPen": None}
    chance = plot.line(tr("chance"), "accent")
    ends = known and len(known) == len(moments) and result in END_CHANCE
    end = [100 * END_CHANCE[result]] if ends else []
    chance.setData(
        [*(across[index] for index in known), *(len(moments) + 1 for _ in end)],
        [*(shares[index] for index in known), *end],
        **dots,
    )
    chance.setSymbolBrush(chance.opts["pen"].color())
    otherwise = [index for index in known if moments[index].departed]
    marked = plot.line(tr("done otherwise"), "info")
    marked.setData(
        [across[index] for index in otherwise],
        [shares[index] for index in otherwise],
        symbol="x",
        symbolSize=12,
        symbolPen=None,
        pen=None,
    )
    marked.setSymbolBrush(theme.colour("info"))
    falls = plot.line(tr("points given away"), "bad", width=3)
    drops = [(across[index], moments[index]) for index in otherwise if moments[index].points_lost]
    falls.setData(
        [place for place, _ in drops for _ in range(2)],
        [
            100 * share
            for _, departure in drops
            for share in (departure.chance, departure.chance - (departure.cost or 0.0))
        ],
        connect="pairs",
    )
    turns = [moment.turn for moment in moments]
    starts = [index for index, turn in enumerate(turns) if not index or turn != turns[index - 1]]
    edges = [across[index] - 0.5 for index in starts]
    rounds = plot.line(tr("rounds"), "faint", width=1, dashed=True)
    rounds.setData([edge for edge in edges for _ in range(2)], [0, 100] * len(edges), connect="pairs")
    axis = plot.area.getAxis("bottom")
    named = _thinned(starts, len(moments))
    axis.setTicks(
        [
            [
                (across[index], str(turns[index]) if index else tr("round {number}", number=turns[index]))
                for index in named
            ]
        ]
    )
    plot.area.setXRange(0.5, max(len(moments) + len(end), 4) + 0.5, padding=0)


def _thinned(starts: list[int], actions: int) -> list[int]:
    """Returns where rounds are named, by number alone but for the first: so far apart that no two touch."""
    apart = max(actions, 4) / _NAMES
    named: list[int] = []
    for start in starts:
        if not named or start - named[-1] >= apart:
            named.append(start)
    return named


def _summary(moments: tuple[OwnAction, ...], departures: list[OwnAction], taken_back: int) -> str:
    if not moments:
        return tr("The course appears here once you have acted.")
    known = [moment for moment in moments if may_tell_chance(moment.state)]
    if not known:
        number = len(moments)
        parts = [tr_counted(number, "{number} own action", "{number} own actions", number=number)]
        parts.append(words.untold(moments[-1].state))
    elif len(moments) > 1:
        first, last = (words.percent(known[index].chance) for index in (0, -1))
        way = counted(
            played(moments),
            "From {first} to {last} in {number} own action",
            "From {first} to {last} in {number} own actions",
            number=played(moments),
            first=first,
            last=last,
        )
        parts = [tr(way)]
    else:
        parts = [tr("{chance} to win at your first action", chance=words.percent(known[0].chance))]
    summed = account(moments)
    if summed.accuracy is not None and not taken_back:  # as kept fights have none then
        parts.append(tr("accuracy {share}", share=words.percent(summed.accuracy)))
    if departures:
        parts.append(tr("{number} not as advised", number=len(departures)))
        parts += filter(None, [grading.grades(summed.grades)])
        parts += [words.given_away(summed.given)] if known else []
    else:
        parts.append(tr("all as advised"))
    return "  ·  ".join([*parts, *grading.beyond(summed)])


def departure_row(moment: OwnAction) -> tuple[Cell, ...]:
    done = moment.done
    assert done is not None
    lost, grade = moment.points_lost, moment.grade
    points = "–" if lost is None else words.number(-lost)
    shade = grading.GRADE_SHADES[grade] if grade is not None else "muted"
    advised, did = words.headline(moment.advised, moment.state), words.headline(done, moment.state)
    return (
        Cell(str(moment.turn), "muted"),
        Cell(words.brief(moment.advised, moment.state), tip=advised),
        Cell(words.brief(done, moment.state), tip=did),
        Cell(tr(grading.GRADES[grade]) if grade is not None else "", shade),
        Cell(points, shade, bold=grade is not None),
    )
