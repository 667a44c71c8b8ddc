"""Shows the mistakes of a fight one by one, so that the player can look for a better action.

The worker values what is tried; `botapp.ui.pages` passes the questions on to it.
"""

from functools import partial
from itertools import count

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QWidget

from botapp.review.course import OwnAction
from botapp.review.grades import grade_of
from botapp.review.kept_fight import KeptFight
from botapp.runtime.messages import AskPossible, AskWhatIf
from botapp.runtime.turns import END, WALK, Possible, TurnLine, WhatIf, is_asked
from botapp.ui import grading, theme, words
from botapp.ui.review import texts
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.board import BoardView
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import button, label, on_ground, on_key, set_role
from botapp.ui.widgets.position_menu import Offer, PositionMenu
from botapp.ui.widgets.spell_choice import SpellChoice
from botapp.ui.widgets.turn_row import TurnRow

_NUMBERS = count(-1, -1)
"""Numbers of questions to the worker; below 0, so that they differ from the Turns panel's."""
_LOOKING = mark("Looking into it…")
_SIDE = (380, 480)


class Score(QLabel):
    """How many of the faults were found without help.

    Attributes:
        found: those, by their place among the faults.
        over: all whose better action is known by now.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "muted")
        self.setWordWrap(True)
        self.found: set[int] = set()
        self.over: set[int] = set()

    def begin(self) -> None:
        self.found, self.over = set(), set()

    def end(self, fault: int, *, alone: bool) -> None:
        if alone and fault not in self.over:
            self.found.add(fault)
        self.over.add(fault)

    def show_of(self, count: int) -> None:
        self.setText(tr("Found by yourself: {found} of {count}", found=len(self.found), count=count))


class Lesson(QWidget):
    """The faults of a fight, one by one, in the order in which they were made.

    Signals:
        asked: an `AskWhatIf` or an `AskPossible`.
        practice_asked: the `FightState` that the person wants to play from.
    """

    asked = Signal(object)
    practice_asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.faults: tuple[OwnAction, ...] = ()
        self.at = 0
        self._number = 0
        self._tried: tuple[str, int] | None = None
        self.title = label(scale=1.2)
        self.title.setFont(theme.font(1.2, bold=True))
        self.was = label(wrap=True)
        self.choice = SpellChoice(with_end=True)
        self.choice.changed.connect(self._aim)
        self.verdict = label(wrap=True)
        self.row = TurnRow()
        self.row.setCheckable(False)
        self.score = Score()
        self.board = BoardView()
        self.board.picked.connect(self._try)
        self.show_me = button(tr("Show what was better"), self._solve)
        self.before = button(tr("Back"), partial(self._step, -1), icon="left")
        self.next = button(tr("Next"), partial(self._step, 1), icon="right")
        on_key(self, Qt.Key.Key_P, self._practise)
        self._lay_out()
        self.menu = PositionMenu(self, {self: lambda _: Offer(self._moment.state) if self.faults else None})

    def show_fight(self, fight: KeptFight) -> None:
        self.faults = tuple(moment for moment in fight.moments if moment.grade is not None)
        self.score.begin()
        self.at = -1
        self._go(0)

    @Slot(object)
    def show_possible(self, possible: Possible) -> None:
        if possible.number == self._number and self.faults:
            self.choice.offer(self._moment.state, possible.aims)
            if self._tried is None and self.verdict.text() == tr(_LOOKING):
                self._say("")

    @Slot(object)
    def show_answer(self, answer: WhatIf) -> None:
        if answer.number != self._number or self._tried is None or not self.faults:
            return
        if answer.line is None:
            self._say(tr("That cannot be done."), "warn")
            return
        lost = max(0, round(100 * answer.cost))
        moment = self._moment
        chance = max(0.0, moment.chance - lost / 100)
        self._judge(TurnLine(answer.line.choice, answer.line.steps, chance), lost)

    @property
    def _moment(self) -> OwnAction:
        return self.faults[self.at]

    def _go(self, at: int) -> None:
        if not 0 <= at < len(self.faults) or at == self.at:
            return
        self.at = at
        moment, grade = self._moment, self._moment.grade
        assert moment.done is not None and grade is not None
        self.title.setText(
            tr(
                "{grade} {number} of {count}, round {round}",
                grade=tr(grading.GRADES[grade]),
                number=at + 1,
                count=len(self.faults),
                round=moment.turn,
            )
        )
        self.was.setText(
            tr(
                "You: {action}. Before it {chance} to win; {points}.",
                action=words.headline(moment.done, moment.state),
                chance=words.chance(moment.chance, moment.state),
                points=words.given_away(moment.points_lost or 0),
            )
        )
        self._tried = None
        self.choice.release()
        self.choice.offer(moment.state, ())
        self.row.hide()
        self._say("")
        self.board.show_turn(moment.state, None)
        self.before.setEnabled(at > 0)
        self.next.setEnabled(at < len(self.faults) - 1)
        self.score.show_of(len(self.faults))
        if at in self.score.over:
            self._solve()
        self._number = next(_NUMBERS)
        if at not in self.score.over:
            self._say(tr(_LOOKING))
        self.asked.emit(AskPossible(self._number, moment.state))

    @Slot()
    def _aim(self) -> None:
        """Highlights the target cells of the chosen spell; ending the turn is tried at once."""
        if self.choice.chosen == END:
            self.choice.release()
            self._try_action(END, -1)
            return
        self.board.show_turn(self._moment.state, None, frozenset(self.choice.cells(self.choice.chosen)))
        self.row.hide()
        self._say("")

    @Slot(int)
    def _try(self, cell: int) -> None:
        spell = self.choice.chosen
        if spell is None:
            spell = WALK if cell in self.choice.cells(WALK) else None
        if spell is None or cell not in self.choice.cells(spell):
            self._say(tr("Choose a spell, then one of the lit cells."), "warn")
            return
        self._try_action(spell, cell)

    def _try_action(self, spell: str, cell: int) -> None:
        """Grades an action by the advice of that moment, or asks the worker if it was not among it."""
        if not self.faults:
            return
        moment = self._moment
        self._tried = spell, cell
        known = next((line for line in moment.lines if is_asked(line.choice.action, spell, cell)), None)
        if is_asked(moment.advised.action, spell, cell):
            self._judge(self._best(), 0)
        elif known is not None:
            self._judge(known, words.points(moment.chance, known.chance))
        elif moment.done is not None and is_asked(moment.done.action, spell, cell):
            self._judge(texts.done_line(moment), moment.points_lost or 0)
        else:
            self._say(tr(_LOOKING))
            self._number = next(_NUMBERS)
            self.asked.emit(AskWhatIf(self._number, moment.state, moment.advised.action, spell, cell))

    def _judge(self, line: TurnLine | None, lost: int) -> None:
        moment, grade = self._moment, grade_of(lost)
        assert self._tried is not None
        if line is not None:
            self.row.show_line(line, moment.state, self._best())
            self.row.show()
            self.board.show_turn(moment.state, line)
        if is_asked(moment.advised.action, *self._tried):
            self._say(tr("That is what was advised."), "good")
        elif grade is None:
            self._say(tr("That is about as good as what was advised."), "good")
        else:
            text = tr(
                "{grade}: {points}. Try something else.",
                grade=tr(grading.GRADES[grade]),
                points=words.given_away(lost),
            )
            self._say(text, grading.GRADE_SHADES[grade])
            return
        self._end(alone=True)

    def _best(self) -> TurnLine:
        moment = self._moment
        return moment.lines[0] if moment.lines else TurnLine(moment.advised, (), moment.chance)

    @Slot()
    def _solve(self) -> None:
        if not self.faults:
            return
        moment, line = self._moment, self._best()
        self.choice.release()
        self.row.show_line(line, moment.state, line)
        self.row.show()
        self.board.show_turn(moment.state, line)
        self._say(texts.advised(moment), "good")
        self._end(alone=False)

    @Slot()
    def _practise(self) -> None:
        if self.faults:
            self.practice_asked.emit(self._moment.state)

    def _step(self, by: int, _: bool = True) -> None:
        self._go(self.at + by)

    def _end(self, *, alone: bool) -> None:
        self.score.end(self.at, alone=alone)
        self.score.show_of(len(self.faults))

    def _say(self, text: str, role: str = "muted") -> None:
        self.verdict.setText(text)
        set_role(self.verdict, role)

    def _lay_out(self) -> None:
        again = button(tr("Play this moment again"), self._practise, icon="play")
        again.setToolTip(tr("Opens the practice arena at exactly this position (P)."))
        side = QWidget()
        side.setMinimumWidth(_SIDE[0])
        side.setMaximumWidth(_SIDE[1])
        column_of(
            self.title,
            self.was,
            label(tr("What would you do instead? Choose a spell, then a cell."), "accent", wrap=True),
            self.choice,
            self.verdict,
            self.row,
            None,
            self.score,
            row_of(self.show_me, again),
            row_of(self.before, self.next),
            into=side,
            margins=(0, 0, 0, 0),
            spacing=8,
        )
        right, none = Qt.AlignmentFlag.AlignRight, (0, 0, 0, 0)
        row_of((on_ground(self.board), 1), (side, right), into=self, margins=none, spacing=14)
