"""How the person plays over the weeks: accuracy and wins as lines, the figures week by week in a table."""

from collections.abc import Sequence

from PySide6.QtCore import QDate, QLocale, QSignalBlocker, Slot
from PySide6.QtWidgets import QComboBox, QWidget

from botapp.host.clients import CLIENTS
from botapp.review.kept_fight import Summary
from botapp.review.progress import Week, weeks
from botapp.ui import grading, theme, words
from botapp.ui.panels.course import shares_axis
from botapp.ui.review.pick_table import PickTable
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Empty, label
from botapp.ui.widgets.plot import Plot
from botapp.ui.widgets.table import Cell, explain

_LEAST = 220  # Height of the plot at least, in logical pixels
_NAMED = 8  # Weeks named below the lines at most


class Progress(QWidget):
    """The weeks of one client's fights, or of all."""

    def __init__(self) -> None:
        super().__init__()
        self._summaries: tuple[Summary, ...] = ()
        self.client = QComboBox()
        self.client.setAccessibleName(tr("Game"))
        self.client.currentIndexChanged.connect(self._show)
        self.summary = label(role="muted", wrap=True)
        self.empty = Empty(
            "history",
            tr("Your weeks appear here once you have played a fight yourself with the app watching."),
        )
        self.plot = Plot(tr("percent, by week"), shares_axis)
        self.plot.setMinimumHeight(_LEAST)
        self.table = PickTable(
            tr("Weeks"),
            [
                tr("Week of"),
                tr("Fights"),
                tr("Wins"),
                tr("Accuracy"),
                tr("Blunders"),
                tr("Mistakes"),
                tr("Inaccuracies"),
                tr("Points given away"),
            ],
            (0,),
            (0,),
        )
        faults = tr(grading.FAULTS)
        explain(self.table, {3: tr(grading.ACCURACY), 4: faults, 5: faults, 6: faults})
        head = row_of(self.client, (self.summary, 1))
        column_of(
            head, (self.empty, 1), (self.plot, 1), (self.table, 1), into=self, margins=(0, 0, 0, 0), spacing=8
        )

    def show_fights(self, summaries: Sequence[Summary]) -> None:
        """Shows the weeks of these fights, of the client with most of them at first."""
        self._summaries = tuple(summaries)
        counts: dict[str, int] = {}
        for summary in self._summaries:
            counts[summary.client] = counts.get(summary.client, 0) + summary.measured
        with QSignalBlocker(self.client):
            self.client.clear()
            for client in sorted(counts, key=lambda client: -counts[client]):
                self.client.addItem(tr(CLIENTS.get(client, client)), client)
            if len(counts) > 1:
                self.client.addItem(tr("All games"), "")
        self.client.setVisible(self.client.count() > 0)
        self._show()

    @Slot()
    def _show(self) -> None:
        client = self.client.currentData()
        chosen = [summary for summary in self._summaries if not client or summary.client == client]
        by_week = weeks(chosen)
        self.summary.setText(_summary(chosen, by_week))
        self.table.show_rows([_row(week) for week in reversed(by_week)])
        self.empty.setVisible(not by_week)
        for part in (self.plot, self.table):
            part.setVisible(bool(by_week))
        _draw(self.plot, by_week)


def _summary(chosen: Sequence[Summary], by_week: Sequence[Week]) -> str:
    counted = sum(week.fights for week in by_week)
    parts = [tr("Fights: {number}", number=counted)]
    if counted < len(chosen):
        parts.append(tr("played by the advice and left out: {number}", number=len(chosen) - counted))
    known = [week for week in by_week if week.accuracy is not None]
    if len(known) > 1:
        now, before = known[-1], known[:-1]
        actions = sum(week.actions for week in before)
        mean = sum((week.accuracy or 0.0) * week.actions for week in before) / actions
        parts.append(
            tr(
                "accuracy {now} in the last week, {before} before",
                now=words.percent(now.accuracy or 0.0),
                before=words.percent(mean),
            )
        )
    return "  ·  ".join(parts)


def _day(week: Week) -> str:
    day = QDate(week.monday.year, week.monday.month, week.monday.day)
    return QLocale().toString(day, QLocale.FormatType.ShortFormat)


def _row(week: Week) -> tuple[Cell, ...]:
    ended = week.won + week.lost
    won = f"{week.won} / {ended}" if ended else "–"
    grades = [str(number) if week.graded else "–" for number in week.grades.values()]
    return (
        Cell(_day(week)),
        Cell(str(week.fights)),
        Cell(won, tip=tr("Of the fights whose end was seen.")),
        Cell("–" if week.accuracy is None else words.percent(week.accuracy), bold=True),
        *(
            Cell(text, grading.GRADE_SHADES[grade] if week.grades[grade] else "muted")
            for text, grade in zip(grades, week.grades, strict=True)
        ),
        Cell(words.number(week.points)),
    )


def _draw(plot: Plot, by_week: Sequence[Week]) -> None:
    """Draws accuracy and wins by week; weeks without a fight leave a gap along the axis."""
    first = by_week[0].monday if by_week else None
    places = [(week.monday - first).days // 7 if first is not None else 0 for week in by_week]
    dots = {"symbol": "o", "symbolSize": 7, "symbolPen": None}
    for name, shade, shares in (
        (tr("accuracy"), "accent", [week.accuracy for week in by_week]),
        (tr("won"), "good", [week.won / n if (n := week.won + week.lost) else None for week in by_week]),
    ):
        known = [(place, value) for place, value in zip(places, shares, strict=True) if value is not None]
        line = plot.line(name, shade)
        line.setData([place for place, _ in known], [100 * value for _, value in known], **dots)
        line.setSymbolBrush(theme.colour(shade))
    step = 1 + len(by_week) // _NAMED
    ticks = [(place, _day(week)) for place, week in zip(places, by_week, strict=True)][::step]
    plot.area.getAxis("bottom").setTicks([ticks])
    plot.area.setXRange(-0.5, max([*places, 3]) + 0.5, padding=0)
