"""One kept fight, step by step: the board, the graph, the best turns and the mistakes."""

from functools import partial

from PySide6.QtCore import QPoint, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSlider, QVBoxLayout, QWidget

from botapp.review.course import OwnAction, departures
from botapp.review.kept import KeptFight
from botapp.runtime.turns import TurnLine
from botapp.ui import grading, theme
from botapp.ui.panels.course import course_lines, departure_row, shares_axis
from botapp.ui.panels.turns import TurnRow, line_up
from botapp.ui.review import texts
from botapp.ui.review.pick_table import PickTable
from botapp.ui.translation import counted, tr
from botapp.ui.widgets.board import BoardView
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import button, label, name, scrolled, set_role
from botapp.ui.widgets.plot import Plot
from botapp.ui.widgets.position_menu import Entry, Offer, PositionMenu
from botapp.ui.widgets.table import explain

_LINES = 3
_HARMLESS = 0.005  # A departure that costs less, as a chance of winning, is not listed
_SIDE = (396, 560)  # The least and the most width of what stands beside the board


class FightViewer(QWidget):
    """Shows a fight at one of its own actions.

    Signals:
        practice_asked: the `FightState` that the person wants to play from.
        lesson_asked: the person wants to learn from the faults of the fight.
        compared: a `FightState`, the advised `TurnLine` and another one, to be put beside each other.

    Attributes:
        fight: the fight, None before the first.
        at: which own action is shown, from 0.
    """

    practice_asked = Signal(object)
    lesson_asked = Signal()
    compared = Signal(object, object, object)

    def __init__(self) -> None:
        super().__init__()
        self.fight: KeptFight | None = None
        self.at = 0
        self._departures: list[OwnAction] = []
        self.headline = label()
        self.headline.setFont(theme.font(1.2, bold=True))
        self.advised = label(wrap=True)
        self.done = label(wrap=True)
        self.board = BoardView()
        self.board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Own action"))
        self.slider.valueChanged.connect(self.go)
        self.steps: dict[str, QPushButton] = {}
        self.plot = Plot(tr("chance of winning, by own action"), shares_axis)
        self.plot.setMinimumHeight(96)
        self.plot.setMaximumHeight(132)
        self.here = self.plot.mark()
        self.plot.area.scene().sigMouseClicked.connect(self._click_plot)
        self.rows = tuple(TurnRow() for _ in range(_LINES))
        self.own_row = TurnRow()
        self.practise = button(tr("Play this moment again"), self._practise, icon="play")
        self.practise.setToolTip(tr("Opens the practice arena at exactly this position (P)."))
        self.learn = button(tr("Learn from your mistakes"), self.lesson_asked)
        self.learn.setToolTip(tr("Shows the moments of your faults one by one: find what was better."))
        self.mistakes = PickTable(
            tr("Mistakes"),
            [tr("Round"), tr("Advised"), tr("What you did"), tr("Grade"), tr("Cost")],
            (1, 2),
            (1, 2, 3),
        )
        explain(self.mistakes, {3: tr(grading.FAULTS)})
        self.mistakes.setMinimumHeight(90)
        self.mistakes.picked.connect(self._show_mistake)
        self.others = label(role="muted", wrap=True)
        self.summary = label(role="accent", wrap=True)
        self.summary.setToolTip(tr(grading.ACCURACY))
        self._lay_out()
        self._make_keys()
        self.menu = PositionMenu(
            self,
            {
                self: lambda _: self._offer(),
                **{row: partial(self._offer_turn, row) for row in (*self.rows, self.own_row)},
            },
        )

    def show_fight(self, fight: KeptFight, at: int = 0, *, under_way: bool = False) -> None:
        """Shows a fight at one of its own actions; `under_way` for the one being watched."""
        self.fight = fight
        found = departures(fight.moments)
        self._departures = [one for one in found if one.cost is None or one.cost >= _HARMLESS]
        self.others.setText(_of_others(len(found) - len(self._departures), len(self._departures)))
        self.mistakes.show_rows([departure_row(moment) for moment in self._departures])
        self.mistakes.setVisible(bool(self._departures))
        self.others.setVisible(bool(self.others.text()))
        self.learn.setVisible(any(moment.grade is not None for moment in found))
        self.summary.setText(grading.at_the_end(fight, under_way=under_way))
        course_lines(self.plot, fight.moments, fight.summary.result)
        self.slider.blockSignals(True)
        self.slider.setRange(0, len(fight.moments) - 1)
        self.slider.blockSignals(False)
        self.at = -1
        self.go(at)

    @property
    def moment(self) -> OwnAction | None:
        return self.fight.moments[self.at] if self.fight is not None else None

    def _offer(self, *entries: Entry) -> Offer | None:
        return None if self.moment is None else Offer(self.moment.state, entries)

    def _offer_turn(self, row: TurnRow, _: QPoint | None) -> Offer | None:
        moment, line = self.moment, self._line_of(row)
        if moment is None or line is None or not moment.lines:
            return self._offer()
        best = moment.lines[0]
        why = None if line is best else partial(self.compared.emit, moment.state, best, line)
        show = partial(self._choose, row)
        return self._offer((tr("Show it on the board"), show), (tr("Why not this?"), why))

    def heightForWidth(self, width: int) -> int:
        """Needs no more height in one width than in another: the board takes what there is."""
        return self.minimumSizeHint().height()

    @Slot(int)
    def go(self, at: int) -> None:
        """Goes to an own action; beyond the ends it stays at them."""
        if self.fight is None:
            return
        at = max(0, min(at, len(self.fight.moments) - 1))
        if at == self.at:
            return
        self.at = at
        self.slider.setValue(at)
        self._show()

    def _show(self) -> None:
        assert self.fight is not None
        moment, count = self.fight.moments[self.at], len(self.fight.moments)
        self.headline.setText(texts.where(self.fight.moments, self.at))
        self.advised.setText(texts.advised(moment))
        text, role = texts.done(moment)
        self.done.setText(text)
        set_role(self.done, role)
        self.here.setValue(self.at + 1)
        for step, each in self.steps.items():
            each.setEnabled(self.at > 0 if step in ("first", "left") else self.at < count - 1)
        lines = moment.lines[:_LINES]
        for index, row in enumerate(self.rows):
            row.setVisible(index < len(lines))
            if index < len(lines):
                row.show_line(lines[index], moment.state, lines[0])
        own = texts.done_line(moment) if moment.departed else None
        self.own_row.setVisible(own is not None)
        if own is not None:
            self.own_row.show_line(own, moment.state, lines[0] if lines else own)
            self.own_row.cost.setText(tr("you"))
        line_up((*self.rows[: len(lines)], self.own_row))
        self._choose(self.rows[0])
        known = self._departures.index(moment) if moment in self._departures else -1
        self.mistakes.select(known)

    def _choose(self, row: TurnRow, _: bool = True) -> None:
        assert self.fight is not None
        moment = self.fight.moments[self.at]
        for other in (*self.rows, self.own_row):
            other.setChecked(other is row)
        self.board.show_turn(moment.state, self._line_of(row))

    def _line_of(self, row: TurnRow) -> TurnLine | None:
        moment = self.moment
        if moment is None:
            return None
        if row is self.own_row:
            return texts.done_line(moment)
        index = self.rows.index(row)
        return moment.lines[index] if index < len(moment.lines) else None

    @Slot(int)
    def _show_mistake(self, row: int) -> None:
        assert self.fight is not None
        self.go(self.fight.moments.index(self._departures[row]))
        if self.own_row.isVisibleTo(self):
            self._choose(self.own_row)

    @Slot()
    def _practise(self) -> None:
        if self.fight is not None:
            self.practice_asked.emit(self.fight.moments[self.at].state)

    @Slot(object)
    def _click_plot(self, event: object) -> None:
        point: QPointF = event.scenePos()  # type: ignore[attr-defined]
        self.go(round(self.plot.area.getPlotItem().vb.mapSceneToView(point).x()) - 1)

    def _step(self, step: str) -> None:
        last = len(self.fight.moments) - 1 if self.fight is not None else 0
        self.go({"first": 0, "left": self.at - 1, "right": self.at + 1, "last": last}[step])

    def _make_keys(self) -> None:
        keys = Qt.Key
        for key, step in (
            (keys.Key_Left, "left"),
            (keys.Key_Right, "right"),
            (keys.Key_Home, "first"),
            (keys.Key_End, "last"),
        ):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self._step, step))
        practise = QShortcut(QKeySequence(keys.Key_P), self)
        practise.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        practise.activated.connect(self._practise)

    def _lay_out(self) -> None:
        row_of(
            (self._lay_out_board(), 8), (self._lay_out_side(), 5), into=self, margins=(0, 0, 0, 0), spacing=14
        )

    def _lay_out_board(self) -> QVBoxLayout:
        transport = QHBoxLayout()
        transport.setSpacing(4)
        for step, title in (
            ("first", tr("First own action (Home)")),
            ("left", tr("Own action before (left arrow)")),
            ("right", tr("Next own action (right arrow)")),
            ("last", tr("Last own action (End)")),
        ):
            self.steps[step] = button("", partial(self._step, step), icon=step)
            name(self.steps[step], title)
            transport.addWidget(self.steps[step])
        transport.insertWidget(2, self.slider, 1)
        ground = QFrame()
        ground.setObjectName("panel")
        column_of(self.board, into=ground, margins=(4, 4, 4, 4))
        left = QVBoxLayout()
        left.setSpacing(6)
        head = row_of((self.headline, 1), self.practise)
        left.addLayout(head)
        left.addWidget(self.advised)
        left.addWidget(self.done)
        left.addWidget(ground, 1)
        left.addLayout(transport)
        left.addWidget(self.plot)
        return left

    def _lay_out_side(self) -> QWidget:
        turns = QWidget()
        lines = column_of(label(tr("Best turns"), "caption"), into=turns, margins=(0, 0, 6, 0), spacing=6)
        for row in (*self.rows, self.own_row):
            row.setAutoDefault(False)
            row.clicked.connect(partial(self._choose, row))
            lines.addWidget(row)
        lines.addStretch()
        side = QWidget()
        side.setMinimumWidth(_SIDE[0])
        side.setMaximumWidth(_SIDE[1])
        column_of(
            self.summary,
            (scrolled(turns), 3),
            label(tr("Not as advised, the dearest first"), "caption"),
            (self.mistakes, 2),
            self.others,
            self.learn,
            into=side,
            margins=(0, 0, 0, 0),
            spacing=6,
        )
        return side


def _of_others(number: int, listed: int) -> str:
    """Returns what is said of departures that are not listed."""
    if number:
        return tr(
            counted(
                number,
                "{number} other departure was about as good as the advice.",
                "{number} other departures were about as good as the advice.",
                number=number,
            )
        )
    return "" if listed else tr("No departure from the advice was seen.")
