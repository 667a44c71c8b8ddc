"""The Turns panel: the best whole turns with what they are worth, a drawn board, and "what if".

A turn that is pointed at or chosen is drawn on the board and over the game. A spell and a cell ask the
worker what comes of them.
"""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea

from botapp.advisor.groups import grouped
from botapp.fight.actions import Action, Cast, Move
from botapp.fight.state import FightState
from botapp.runtime.messages import AskWhatIf, Snapshot
from botapp.runtime.turns import END, WALK, TurnLine, TurnOutlook, WhatIf
from botapp.ui import words
from botapp.ui.heat import heat_of
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import History
from botapp.ui.timers import timer
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.board import BOARD_LEAST, BoardView
from botapp.ui.widgets.boxes import Column, row_of
from botapp.ui.widgets.labels import button, label, scrolled, set_role
from botapp.ui.widgets.position_menu import Entry, Offer, PositionMenu
from botapp.ui.widgets.spell_choice import SpellChoice
from botapp.ui.widgets.turn_row import TurnRow, line_up

_BOARD_LEAST = 84
"""Height of the board where the best turn alone leaves it less than it wants, before the panel scrolls."""


@panel
class TurnsPanel(Panel):
    """The best turns, the board, and the outcome of an action that the person tries.

    Signals:
        looked_at: the `TurnLine` that the person looks at, None for the advised one.
        asked: an `AskWhatIf`.
        compared: the snapshot and the `TurnLine` that the person wants to see beside the advised one.
    """

    looked_at = Signal(object)
    asked = Signal(object)
    compared = Signal(object, object)

    key = "turns"
    title = mark("Turns")
    order = 20
    place = "upper"
    layouts = ("player", "reasoning", "engineer")
    sentences = (
        (
            mark("Percentage of a turn"),
            mark("How likely your side is to win after the whole turn, action by action as listed."),
        ),
        (
            mark("What if?"),
            mark("The chance of winning after an action of your own choice, worked out when you ask."),
        ),
        (
            mark("Every cell"),
            mark(
                "On each cell the chance of winning after the best action aimed at it, below it how often "
                "the fight was played on from there; a cell with an edge alone was seen, not played on."
            ),
        ),
    )
    of_decision = True

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.rows = tuple(TurnRow() for _ in range(3))
        self.answer = TurnRow()
        self.board = BoardView()
        self.board.picked.connect(self._ask)
        self.hint = label(role="muted", wrap=True)
        self._snapshot: Snapshot | None = None
        self._number = 0
        self._chosen: TurnLine | None = None
        self._fresh = self._compares = False
        self._fitting = timer(self, self._fit, once=True)
        for row in (*self.rows, self.answer):
            row.clicked.connect(partial(self._choose, row))
            row.installEventFilter(self)
            row.hide()
        self._tools = SpellChoice()
        self._tools.changed.connect(self._pick_spell)
        self.heat = button(
            tr("Every cell"),
            role="spell",
            checkable=True,
            tip=tr(
                "Shows on the board what the search found of each cell: the chance of winning, the rollouts."
            ),
        )
        self.heat.toggled.connect(self._show_heat)
        self.why = button(
            tr("Why not the other?"),
            self._compare,
            role="spell",
            tip=tr(
                "Puts the turn chosen, or the second best, beside the advised one, with what both lead to."
            ),
        )
        self._scroll = self._lay_out()
        self.menu = PositionMenu(
            self,
            {
                self: lambda _: self._offer(()),
                self.board: self._offer_cell,
                **{row: partial(self._offer_turn, row) for row in (*self.rows, self.answer)},
            },
        )
        self._say("")

    def try_out(self, action: Action) -> None:
        """Shows the turn that begins with an action; one that is not among the best is asked about."""
        self._compares = False
        shown = (row for row in self.rows if not row.isHidden() and row.line is not None)
        row = next((row for row in shown if row.line and row.line.choice.action == action), None)
        if row is not None:
            self._choose(row)
        else:
            self._look_into(*_aim(action))

    def explain(self, action: Action) -> None:
        """Puts the turn that begins with an action beside the advised one, as soon as it is known."""
        line = next(
            (line_of_turn for line_of_turn in self.outlook.lines if line_of_turn.choice.action == action),
            None,
        )
        if line is not None and self._snapshot is not None:
            self.compared.emit(self._snapshot, line)
        else:
            self._compares = self._look_into(*_aim(action))

    def _offer(self, entries: tuple[Entry, ...]) -> Offer | None:
        snapshot = self._snapshot
        return None if snapshot is None or snapshot.state is None else Offer(snapshot.state, entries)

    def _offer_turn(self, row: TurnRow, _: QPoint | None) -> Offer | None:
        line, lines = row.line, self.outlook.lines
        if line is None or self._snapshot is None:
            return self._offer(())
        other = bool(lines) and line != lines[0]
        why = partial(self.compared.emit, self._snapshot, line) if other else None
        show = partial(self._choose, row)
        return self._offer(((tr("Show it on the board"), show), (tr("Why not this?"), why)))

    def _offer_cell(self, at: QPoint | None) -> Offer | None:
        cell = self.board.cell_at(at)
        ways = [self._spell] if self._spell is not None else list(self.spells)
        possible = [key for key in ways if self._fresh and cell in self.outlook.cells(key)]
        entries = tuple(
            (
                tr("What if: {spell} here", spell=self.spells[key].text()),
                partial(self._look_into, key, cell),
            )
            for key in possible
        )
        return self._offer(entries)

    @property
    def outlook(self) -> TurnOutlook:
        return (self._snapshot.turn if self._snapshot is not None else None) or TurnOutlook()

    def render_snapshot(self, snapshot: Snapshot) -> None:
        """Shows the turns of the newest advice; without any the last ones stay, dimmed."""
        fresh = snapshot.advice == "fresh" and snapshot.turn is not None
        for part in (*self.rows, self.answer, self._tools):
            part.setEnabled(fresh)
        self._fresh = fresh
        if snapshot.advice == "fresh" and snapshot.state is not None and snapshot.state.placing:
            self._show_places(snapshot, snapshot.state)
        if not fresh or snapshot.turn is None:
            self._say("")
            return
        before = self._snapshot
        self._snapshot = snapshot
        if before is not None and (before.turn, before.state) == (snapshot.turn, snapshot.state):
            self._say("")
            return
        self._chosen = None
        lines, decision = snapshot.turn.lines, snapshot.decision
        names = words.names_of(decision, snapshot.state) if decision is not None else None
        for row, line in zip(self.rows, lines, strict=False):
            row.show_line(line, snapshot.state, lines[0], names)
        line_up(self.rows[: len(lines)])
        for index, row in enumerate(self.rows):
            row.setChecked(index == 0)
        self.answer.put_away()
        self._tools.offer(snapshot.state, snapshot.turn.aims)
        self._say("")
        self._make_room()
        self._fitting.start()
        self._draw(None)
        self._show_heat()
        self.why.setEnabled(len(lines) > 1)

    @Slot()
    def _show_heat(self) -> None:
        snapshot = self._snapshot
        decision = snapshot.decision if snapshot is not None else None
        placing = snapshot is None or snapshot.state is None or snapshot.state.placing
        shown = self.heat.isChecked() and decision is not None and not placing
        self.board.show_heat(heat_of(decision, self._spell) if shown and decision is not None else ())

    @Slot()
    def _compare(self) -> None:
        lines = self.outlook.lines
        other = self._chosen or (lines[1] if len(lines) > 1 else None)
        if self._snapshot is not None and other is not None and lines and other != lines[0]:
            self.compared.emit(self._snapshot, other)

    def _show_places(self, snapshot: Snapshot, state: FightState) -> None:
        self._snapshot, self._chosen = snapshot, None
        for part in (*self.rows, self.answer, self._tools, self.heat, self.why):
            part.hide()
        self.board.show_heat(())
        best = grouped(snapshot.decision, state)[:1] if snapshot.decision is not None else ()
        self.board.show_turn(state, None, frozenset(cell for group in best for cell in group.cells))

    def _make_room(self) -> None:
        """Shows the turns, as many as leave the board its room: the best one, and those after it that fit.

        While an action is tried it is the best turn alone, or that action's outcome.
        """
        for part in (self._tools, self.heat, self.why):
            part.show()
        self.board.setMinimumHeight(BOARD_LEAST)
        shown = 1 if self._spell is not None else len(self.outlook.lines)
        for index, row in enumerate(self.rows):
            row.setVisible(index < shown)
        inner, room = self._scroll.widget(), self._scroll.viewport().size()
        assert isinstance(inner, Column)
        least = int(self.answer.isHidden())
        line_up([row for row in (*self.rows[:shown], self.answer) if not row.isHidden()])
        while shown > least and inner.heightForWidth(room.width()) > room.height():
            shown -= 1
            self.rows[shown].hide()
            line_up([row for row in (*self.rows[:shown], self.answer) if not row.isHidden()])
        over = inner.heightForWidth(room.width()) - room.height()
        self.board.setMinimumHeight(max(_BOARD_LEAST, BOARD_LEAST - max(0, over)))
        inner.box.invalidate()  # else Qt keeps the places of before for what is left
        inner.box.activate()
        QApplication.sendEvent(self._scroll, QEvent(QEvent.Type.LayoutRequest))

    @Slot(object)
    def show_answer(self, answer: WhatIf) -> None:
        snapshot = self._snapshot
        if answer.number != self._number or snapshot is None:
            return
        if answer.line is None:
            self.answer.line = None
            self._say(tr("That cannot be done."), "warn")
            return
        self._say("")
        line = self._on_one_scale(answer.line, answer.cost)
        self.answer.show_line(line, snapshot.state, self.outlook.lines[0] if self.outlook.lines else line)
        line_up((*self.rows[: len(self.outlook.lines)], self.answer))
        self.answer.show()
        self._make_room()
        self._choose(self.answer)
        self.why.setEnabled(True)
        if self._compares:
            self._compares = False
            self.compared.emit(snapshot, line)

    def _on_one_scale(self, line: TurnLine, cost: float) -> TurnLine:
        """Returns what was looked into longer on the scale of the decision, so that figures can be compared.

        An action that the decision knows has the chance that is said of it already; another one has that of
        the best less what it was found to cost beside the best, both looked into as long.
        """
        decision = self._snapshot.decision if self._snapshot is not None else None
        if decision is None:
            return line
        known = next(
            (candidate for candidate in decision.candidates if candidate.action == line.choice.action), None
        )
        if known is not None and known.visits:
            return replace(line, choice=replace(line.choice, prospect=known.prospect), chance=known.chance)
        chance = min(1.0, max(0.0, decision.chance - cost))
        return replace(line, choice=replace(line.choice, prospect=None), chance=chance)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows more turns where there is more room, fewer where there is less."""
        super().resizeEvent(event)
        self._fitting.start()

    @Slot()
    def _fit(self) -> None:
        if self.outlook.lines:
            self._make_room()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draws a turn while the mouse or the focus is on it."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn) and isinstance(watched, TurnRow):
            if watched.isEnabled():
                self._draw(watched.line)
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.FocusOut):
            self._draw(self._chosen)
        return super().eventFilter(watched, event)

    def _choose(self, row: TurnRow, _: bool = True) -> None:
        """Keeps a turn on the board and over the game; the advised one is what is there anyway."""
        self._chosen = None if row.line in self.outlook.lines[:1] else row.line
        for other in (*self.rows, self.answer):
            other.setChecked(other is row)
        self._draw(self._chosen)

    def _draw(self, line: TurnLine | None) -> None:
        lines = self.outlook.lines
        state = self._snapshot.state if self._snapshot is not None else None
        aims = self.outlook.cells(self._spell) if self._spell is not None else ()
        self.board.show_turn(state, line or (lines[0] if lines else None), frozenset(aims))
        self.looked_at.emit(None if line in lines[:1] else line)

    @property
    def _spell(self) -> str | None:
        return self._tools.chosen

    @property
    def spells(self) -> dict[str, QPushButton]:
        return self._tools.buttons

    @Slot()
    def _pick_spell(self) -> None:
        self._make_room()
        self._say("")
        self._draw(self._chosen)
        self._show_heat()

    @Slot(int)
    def _ask(self, cell: int) -> None:
        spell = self._spell
        if spell is None:
            spell = WALK if cell in self.outlook.cells(WALK) else None
        if self._fresh and (spell is None or cell not in self.outlook.cells(spell)):
            self._say(tr("Choose a spell, then one of the lit cells."), "warn")
        elif spell is not None:
            self._compares = False
            self._look_into(spell, cell)

    def _look_into(self, spell: str, cell: int) -> bool:
        """Asks the worker about a spell and a cell; tells whether there is advice to ask about."""
        snapshot = self._snapshot
        if snapshot is None or snapshot.state is None or snapshot.decision is None or not self._fresh:
            return False
        self._number += 1
        self._say(tr("Looking into it…"))
        self.asked.emit(AskWhatIf(self._number, snapshot.state, snapshot.decision.action, spell, cell))
        return True

    def _say(self, text: str, role: str = "muted") -> None:
        self.hint.setText(text or self._guidance())
        set_role(self.hint, role)

    def _guidance(self) -> str:
        snapshot = self._snapshot
        if snapshot is None:
            return tr("The best turns appear here when it is your turn.")
        if snapshot.state is not None and snapshot.state.placing:
            return tr("The best place is lit. Turns appear here once the fight has begun.")
        if not self._fresh:
            return tr("From the last advice. You can try out actions again when there is new advice.")
        if self._spell is None:
            return tr("What if? Choose a spell, then a cell.")
        return tr("What if? Click one of the lit cells, or go there by the arrows and press Enter.")

    def _lay_out(self) -> QScrollArea:
        for part in (self.heat, self.why):
            part.hide()
        top = Qt.AlignmentFlag.AlignTop
        tools = row_of((self.hint, 1), (self.heat, top), (self.why, top))
        inner = Column(spacing=6)
        for row in self.rows:
            inner.box.addWidget(row)
        inner.box.addSpacing(4)
        inner.box.addLayout(tools)
        inner.box.addWidget(self._tools)
        inner.box.addWidget(self.answer)
        inner.box.addWidget(self.board, 1)
        self.box.setContentsMargins(0, 0, 0, 0)
        scroll = scrolled(inner)
        self.box.addWidget(scroll)
        return scroll


def _aim(action: Action) -> tuple[str, int]:
    """Returns an action as it is asked about: its spell, or what stands for none, and its cell."""
    if isinstance(action, Cast):
        return action.spell, action.target
    return (WALK, action.target) if isinstance(action, Move) else (END, -1)
