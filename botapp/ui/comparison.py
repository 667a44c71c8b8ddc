"""Why this and not that: two turns of one moment side by side, with what each of them leads to.

The enemy's reply to each is worked out by the worker: `botapp.ui.pages` carries the questions to it.
"""

from itertools import count

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QWidget,
)

from botapp.advisor.grounds import may_tell_chance
from botapp.advisor.wording import AS_LIKELY, less, more
from botapp.fight.state import FightState
from botapp.host.message import join
from botapp.runtime.messages import AskReply
from botapp.runtime.turns import Reply, Threat, TurnLine
from botapp.ui import outcomes, theme, words
from botapp.ui.names import named
from botapp.ui.translation import tr
from botapp.ui.widgets.board import BoardView
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import close_button, fitting, label, on_ground, scrolled
from botapp.ui.widgets.position_menu import Offer, PositionMenu

_NUMBERS = count(1)
_BOARD, _LOW_BOARD, _ROOMY = 220, 168, 700
"""Least height of a board, that on a low screen, and from which height of the page on it is the first."""


class Comparison(QDialog):
    """The advised turn and another one.

    Signals:
        asked: an `AskReply`, one for each of the two.
    """

    asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - Why this and not that"))
        self.state: FightState | None = None
        self.lines: tuple[TurnLine, ...] = ()
        self.boards = (BoardView(), BoardView())
        self.titles = (label(), label())
        self.turns = (label(wrap=True), label(wrap=True))
        self.sum = label(role="accent", wrap=True)
        self.facts = QGridLayout()
        self._questions: list[int] = []
        self._replies: dict[int, Reply] = {}
        self._lay_out()
        self.menu = PositionMenu(self, {self: lambda _: None if self.state is None else Offer(self.state)})

    def compare(
        self, state: FightState, best: TurnLine, other: TurnLine, threat: Threat | None = None
    ) -> None:
        """Shows two turns of a state, the advised one first.

        Args:
            state: before the turns.
            threat: what the next enemy is expected to reply to the advised one, where that is known already
                and said elsewhere; None to ask for it too.
        """
        self.state, self.lines = state, (best, other)
        self._replies = {}
        self._questions = [next(_NUMBERS) for _ in self.lines]
        for index, (board, title, turn, line) in enumerate(
            zip(self.boards, self.titles, self.turns, self.lines, strict=True)
        ):
            name = tr("Advised") if not index else tr("Instead")
            title.setText(f"{name}  ·  {words.to_win(line.chance, state)}")
            title.setFont(theme.font(1.15, bold=True))
            board.show_turn(state, line)
            turn.setText("\n".join(_step_lines(line, state)))
        self.sum.setText(_summed(best, other, state))
        if threat is not None and threat.at is not None:
            self._replies[0] = Reply(self._questions[0], threat.at, threat)
        self._show_facts()
        for index, (number, line) in enumerate(zip(self._questions, self.lines, strict=True)):
            if index not in self._replies:
                self.asked.emit(AskReply(number, state, tuple(step.action for step in line.steps)))

    @Slot(object)
    def show_reply(self, reply: Reply) -> None:
        if reply.number in self._questions:
            self._replies[self._questions.index(reply.number)] = reply
            self._show_facts()

    def texts(self) -> list[list[str]]:
        """Returns what is said of the two, row by row: the figure, then each turn's."""
        rows = range(self.facts.rowCount())
        cells = [[self.facts.itemAtPosition(row, column) for column in range(3)] for row in rows]
        return [[cell.widget().text() for cell in row] for row in cells if all(row)]  # type: ignore[union-attr]

    def _show_facts(self) -> None:
        while (item := self.facts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        rows = [(name, [value or "–" for value in values]) for name, values in self._rows() if any(values)]
        for place, (name, values) in enumerate(rows):
            self.facts.addWidget(label(name, "caption", wrap=True), place, 0, Qt.AlignmentFlag.AlignTop)
            differs = values[0] != values[1]
            for column, value in enumerate(values, 1):
                cell = label(value, "" if differs else "muted", wrap=True)
                self.facts.addWidget(cell, place, column, Qt.AlignmentFlag.AlignTop)

    def _rows(self) -> list[tuple[str, list[str]]]:
        assert self.state is not None
        rows = [
            (tr("Chance of winning"), [self._told_chance(line.chance) for line in self.lines]),
            (
                tr("If the dice fall badly (worst tenth)"),
                [self._told_chance(line.worst) for line in self.lines],
            ),
            (tr("Kills"), [_kills(line, self.state) for line in self.lines]),
            (tr("Damage to enemies"), [_damage(line) for line in self.lines]),
        ]
        left = [line.choice.prospect for line in self.lines]
        if all(left):
            rows += [
                (
                    tr("Own turns until the win, about"),
                    [_turns(outcome.turns) for outcome in left if outcome],
                ),
                (tr("AP left over"), [str(outcome.ap) for outcome in left if outcome]),
                (tr("Turns of cooldown spent"), [str(outcome.cooldown) for outcome in left if outcome]),
                (
                    tr("Ahead after the replies, in HP"),
                    [words.number(outcome.lead, sign=True) for outcome in left if outcome],
                ),
            ]
        replies = [self._replies.get(index) for index in range(len(self.lines))]
        return [
            *rows,
            (tr("Your HP after it"), [self._own_hp(reply) for reply in replies]),
            (tr("Then expected of the enemy"), [_reply(reply, self.state.actor.id) for reply in replies]),
            (tr("That would take"), [self._harm(reply) for reply in replies]),
        ]

    def _told_chance(self, share: float | None) -> str:
        return "" if share is None or not may_tell_chance(self.state) else words.percent(share)

    def _own_hp(self, reply: Reply | None) -> str:
        assert self.state is not None
        if reply is None:
            return "…"
        own = next((fighter for fighter in reply.after.fighters if fighter.id == self.state.actor.id), None)
        return "–" if own is None else words.number(own.hp)

    def _harm(self, reply: Reply | None) -> str:
        assert self.state is not None
        if reply is None:
            return "…"
        if reply.threat is None:
            return "–"
        own = next(
            (fighter.cell for fighter in reply.after.fighters if fighter.id == self.state.actor.id), None
        )
        return outcomes.harm(reply.threat, reply.after, own)

    def _lay_out(self) -> None:
        inner, size = QWidget(), fitting(1000, 720)
        pair = QGridLayout()
        pair.setHorizontalSpacing(14)
        pair.setRowStretch(1, 1)
        for column, (board, title, turn) in enumerate(zip(self.boards, self.titles, self.turns, strict=True)):
            board.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            board.setMinimumHeight(_BOARD if size.height() >= _ROOMY else _LOW_BOARD)
            for row, part in enumerate((title, on_ground(board), turn)):
                pair.addWidget(part, row, column)
            pair.setAlignment(turn, Qt.AlignmentFlag.AlignTop)
            pair.setColumnStretch(column, 1)
        self.facts.setHorizontalSpacing(14)
        self.facts.setVerticalSpacing(6)
        for column, share in enumerate((3, 4, 4)):
            self.facts.setColumnStretch(column, share)
        title = label(tr("What they lead to"), "accent")
        parts = self.sum, (pair, 1), title, self.facts
        column_of(*parts, into=inner, margins=(4, 0, 12, 4), spacing=10)
        close = close_button(self), Qt.AlignmentFlag.AlignRight
        column_of((scrolled(inner, by_keys=True), 1), close, into=self, margins=(14, 14, 14, 12))
        self.resize(size)


def _step_lines(line: TurnLine, state: FightState) -> list[str]:
    lines = []
    for number, step in enumerate(line.steps, 1):
        alone = TurnLine(line.choice, (step,), line.chance)
        action = words.turn(alone, state)[0].split(" ", 1)[1]
        effect = tr(join(outcomes.expectations(step.expected).split("\n")))
        lines.append(f"{number}. {action}" + (f"  ({effect})" if effect else ""))
    return lines


def _summed(best: TurnLine, other: TurnLine, state: FightState) -> str:
    points = words.points(best.chance, other.chance, state)
    parts = outcomes.differences(best.choice, other.choice)
    if points:
        parts.insert(0, tr(less(points) if points > 0 else more(-points)))
    elif not parts:
        parts = [tr(AS_LIKELY)] if may_tell_chance(state) else [words.untold(state)]
    return tr("Instead of what is advised: {facts}", facts=", ".join(parts))


def _turns(turns: int | None) -> str:
    return "" if turns is None else str(turns)


def _kills(line: TurnLine, state: FightState) -> str:
    known = {fighter.id: fighter.name for fighter in state.fighters}
    return ", ".join(
        tr("{who} with {share}", who=named(known.get(key, "")), share=words.percent(share))
        for key, share in line.kills
    )


def _damage(line: TurnLine) -> str:
    hurt: dict[str, float] = {}
    for expected in (expected for step in line.steps for expected in step.expected if expected.enemy):
        hurt[expected.name] = hurt.get(expected.name, 0.0) + expected.damage
    return ", ".join(
        tr("{who}: {facts}", who=named(name), facts=words.number(amount))
        for name, amount in hurt.items()
        if round(amount)
    )


def _reply(reply: Reply | None, you: int) -> str:
    if reply is None:
        return "…"
    if reply.threat is None:
        return tr("No enemy plays next.")
    turn = words.in_line(reply.threat.line, reply.after, you)
    return tr("{who}: {facts}", who=named(reply.threat.name), facts=turn)
