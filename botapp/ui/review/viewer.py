"""One kept fight, step by step: the board, the graph, the best turns and the mistakes."""

from functools import partial

from PySide6.QtCore import QPoint, QPointF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QSlider, QWidget

from botapp.review.course import OwnAction, departures
from botapp.review.kept_fight import KeptFight
from botapp.ui import grading, theme
from botapp.ui.panels.course import course_lines, departure_row, shares_axis
from botapp.ui.review import texts
from botapp.ui.review.pick_table import PickTable
from botapp.ui.translation import tr, tr_counted
from botapp.ui.widgets.board import BoardView
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Note, button, label, name, on_ground, on_key, scrolled, set_role
from botapp.ui.widgets.plot import Plot
from botapp.ui.widgets.position_menu import Entry, Offer, PositionMenu
from botapp.ui.widgets.table import explain
from botapp.ui.widgets.turn_row import TurnRow, line_up

_LINES = 3
_HARMLESS = 0.005  # A departure that costs less, as a chance of winning, is not listed
_SIDE = (396, 560)  # The least and the most width of what stands beside the board


class Transport(QWidget):
    """Goes from one own action to another: a slider, buttons, and their keys in all of `owner`.

    Signals:
        gone: to which own action, from 0.
    """

    gone = Signal(int)

    def __init__(self, owner: QWidget) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Own action"))
        self.slider.valueChanged.connect(self.gone)
        self.steps: dict[str, QPushButton] = {}
        keys = Qt.Key
        for step, key, title in (
            ("first", keys.Key_Home, tr("First own action (Home)")),
            ("left", keys.Key_Left, tr("Own action before (left arrow)")),
            ("right", keys.Key_Right, tr("Next own action (right arrow)")),
            ("last", keys.Key_End, tr("Last own action (End)")),
        ):
            go = partial(self._step, step)
            self.steps[step] = button("", go, icon=step)
            name(self.steps[step], title)
            on_key(owner, key, go)
        first, left, right, last = self.steps.values()
        row_of(first, left, (self.slider, 1), right, last, into=self, margins=(0, 0, 0, 0), spacing=4)

    def set_count(self, count: int) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, count - 1)

    def show_at(self, at: int) -> None:
        self.slider.setValue(at)
        for step, each in self.steps.items():
            each.setEnabled(at > 0 if step in ("first", "left") else at < self.slider.maximum())

    def _step(self, step: str) -> None:
        at = self.slider.value()
        to = {"first": 0, "left": at - 1, "right": at + 1, "last": self.slider.maximum()}
        self.gone.emit(to[step])


class Mistakes(QWidget):
    """How a fight went, its departures from the advice, and the way to learn from them.

    Signals:
        picked: the `OwnAction` that was chosen.
        lesson_asked: the person wants to learn from the faults of the fight.
    """

    picked = Signal(object)
    lesson_asked = Signal()

    def __init__(self, turns: QWidget) -> None:
        """Lays itself out, with the best turns below the summary."""
        super().__init__()
        self._listed: list[OwnAction] = []
        self.summary = label(role="accent", wrap=True)
        self.summary.setToolTip(tr(grading.ACCURACY))
        self.table = PickTable(
            tr("Mistakes"),
            [tr("Round"), tr("Advised"), tr("What you did"), tr("Grade"), tr("Cost")],
            (1, 2),
            (1, 2, 3),
        )
        explain(self.table, {3: tr(grading.FAULTS)})
        self.table.setMinimumHeight(90)
        self.table.picked.connect(lambda row: self.picked.emit(self._listed[row]))
        self.others = Note("muted")
        self.learn = button(tr("Learn from your mistakes"), self.lesson_asked)
        self.learn.setToolTip(tr("Shows the moments of your faults one by one: find what was better."))
        self.setMinimumWidth(_SIDE[0])
        self.setMaximumWidth(_SIDE[1])
        column_of(
            self.summary,
            (scrolled(turns), 3),
            label(tr("Not as advised, the dearest first"), "caption"),
            (self.table, 2),
            self.others,
            self.learn,
            into=self,
            margins=(0, 0, 0, 0),
            spacing=6,
        )

    def show_fight(self, fight: KeptFight, *, under_way: bool) -> None:
        mistakes = departures(fight.moments)
        self._listed = [
            departure for departure in mistakes if departure.cost is None or departure.cost >= _HARMLESS
        ]
        self.others.setText(_of_others(len(mistakes) - len(self._listed), len(self._listed)))
        self.table.show_rows([departure_row(moment) for moment in self._listed])
        self.table.setVisible(bool(self._listed))
        self.learn.setVisible(any(moment.grade is not None for moment in mistakes))
        self.summary.setText(grading.at_the_end(fight, under_way=under_way))

    def mark(self, moment: OwnAction) -> None:
        self.table.select(self._listed.index(moment) if moment in self._listed else -1)


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
        self.headline = label()
        self.headline.setFont(theme.font(1.2, bold=True))
        self.advised = label(wrap=True)
        self.done = label(wrap=True)
        self.board = BoardView()
        self.board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.transport = Transport(self)
        self.transport.gone.connect(self.go)
        self.plot = Plot(tr("chance of winning, by own action"), shares_axis)
        self.plot.setMinimumHeight(96)
        self.plot.setMaximumHeight(132)
        self.here = self.plot.mark()
        self.plot.area.scene().sigMouseClicked.connect(self._click_plot)
        self.rows = tuple(TurnRow() for _ in range(_LINES))
        self.own_row = TurnRow()
        for row in (*self.rows, self.own_row):
            row.setAutoDefault(False)
            row.clicked.connect(partial(self._choose, row))
        turns = QWidget()
        title = label(tr("Best turns"), "caption")
        column_of(title, *self.rows, self.own_row, None, into=turns, margins=(0, 0, 6, 0), spacing=6)
        self.practise = button(tr("Play this moment again"), self._practise, icon="play")
        self.practise.setToolTip(tr("Opens the practice arena at exactly this position (P)."))
        on_key(self, Qt.Key.Key_P, self._practise)
        self.mistakes = Mistakes(turns)
        self.mistakes.picked.connect(self._show_mistake)
        self.mistakes.lesson_asked.connect(self.lesson_asked)
        ground = on_ground(self.board)
        head = row_of((self.headline, 1), self.practise)
        parts = head, self.advised, self.done, (ground, 1), self.transport, self.plot
        board = column_of(*parts, spacing=6)
        row_of((board, 8), (self.mistakes, 5), into=self, margins=(0, 0, 0, 0), spacing=14)
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
        self.mistakes.show_fight(fight, under_way=under_way)
        course_lines(self.plot, fight.moments, fight.summary.result)
        self.transport.set_count(len(fight.moments))
        self.at = -1
        self.go(at)

    @property
    def moment(self) -> OwnAction | None:
        return self.fight.moments[self.at] if self.fight is not None else None

    def _offer(self, *entries: Entry) -> Offer | None:
        return None if self.moment is None else Offer(self.moment.state, entries)

    def _offer_turn(self, row: TurnRow, _: QPoint | None) -> Offer | None:
        moment, line = self.moment, row.line
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
        self._show()

    def _show(self) -> None:
        assert self.fight is not None
        moment = self.fight.moments[self.at]
        self.headline.setText(texts.where(self.fight.moments, self.at))
        self.advised.setText(texts.advised(moment))
        text, role = texts.done(moment)
        self.done.setText(text)
        set_role(self.done, role)
        self.here.setValue(self.at + 1)
        self.transport.show_at(self.at)
        lines = moment.lines[:_LINES]
        for index, row in enumerate(self.rows):
            row.put_away()
            if index < len(lines):
                row.show_line(lines[index], moment.state, lines[0])
                row.show()
        self.own_row.put_away()
        if moment.departed and (own := texts.done_line(moment)) is not None:
            self.own_row.show_line(own, moment.state, lines[0] if lines else own)
            self.own_row.show()
            self.own_row.cost.setText(tr("you"))
        line_up((*self.rows[: len(lines)], self.own_row))
        self._choose(self.rows[0])
        self.mistakes.mark(moment)

    def _choose(self, row: TurnRow, _: bool = True) -> None:
        assert self.fight is not None
        moment = self.fight.moments[self.at]
        for other in (*self.rows, self.own_row):
            other.setChecked(other is row)
        self.board.show_turn(moment.state, row.line)

    @Slot(object)
    def _show_mistake(self, moment: OwnAction) -> None:
        assert self.fight is not None
        self.go(self.fight.moments.index(moment))
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


def _of_others(number: int, listed: int) -> str:
    if number:
        return tr_counted(
            number,
            "{number} other departure was about as good as the advice.",
            "{number} other departures were about as good as the advice.",
            number=number,
        )
    return "" if listed else tr("No departure from the advice was seen.")
