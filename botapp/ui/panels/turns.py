"""The Turns panel: the best whole turns with what they are worth, a drawn board, and "what if".

A turn that is pointed at or chosen is drawn on the board and over the game. A spell and a cell ask the
worker what comes of them.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from botapp.advisor.grounds import may_tell_chance
from botapp.advisor.groups import grouped
from botapp.advisor.wording import ONLY_ESTIMATED
from botapp.fight.actions import Action, Cast, Move
from botapp.fight.state import FightState
from botapp.runtime.messages import AskWhatIf, Snapshot
from botapp.runtime.turns import END, WALK, TurnLine, TurnOutlook, WhatIf
from botapp.ui import outcomes, theme, words
from botapp.ui.heat import heat_of
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import History
from botapp.ui.translation import counted, mark, tr
from botapp.ui.widgets.board import BOARD_LEAST, BoardView
from botapp.ui.widgets.boxes import Column, column_of
from botapp.ui.widgets.labels import button, label, scrolled, set_role
from botapp.ui.widgets.position_menu import Entry, Offer, PositionMenu
from botapp.ui.widgets.spell_choice import SpellChoice

_BOARD_LEAST = 84
"""Height of the board where the best turn alone leaves it less than it wants, before the panel scrolls."""


_ACTION_LEAST = 100
"""Width of a turn's actions at least, in logical pixels; below, a row has not got its place yet."""
_ROW_SIDES = 32  # What of a row's width is neither figures nor actions


class TurnRow(QPushButton):
    """One turn: its chance of winning, what it costs against the best, and its actions."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("turn")
        self.setCheckable(True)
        room = self.sizePolicy()
        room.setHorizontalPolicy(QSizePolicy.Policy.Preferred)  # a button's own is at least its hint
        self.setSizePolicy(room)
        self.setAccessibleName(tr("Turn"))
        self.chance = label(scale=1.15)
        self.chance.setFont(theme.font(1.15, bold=True, mono=True))
        self.cost = label(role="muted", scale=0.9)
        self.steps = label(wrap=True)
        self.steps.setMinimumWidth(_ACTION_LEAST)
        self.step_texts: tuple[str, ...] = ()
        figures = column_of(self.chance, self.cost, None, spacing=0)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 10, 6)
        row.setSpacing(_ROW_SIDES - 20)
        row.addLayout(figures)
        row.addWidget(self.steps, 1)
        for part in (self.chance, self.cost, self.steps):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        line_up((self,))

    def show_line(
        self,
        line: TurnLine,
        state: FightState | None,
        best: TurnLine,
        names: words.Names | None = None,
    ) -> None:
        """Shows a turn, with what it costs against the best one, or what else tells the two apart.

        `names` are those of the decision: its first action is called by them.
        """
        guess = outcomes.guessed(best.choice, line.choice)
        self.chance.setText(words.chance(None if guess else line.chance, state))
        points = words.points(best.chance, line.chance, state)
        differences = outcomes.differences(best.choice, line.choice)
        if line is best:
            text, differences = tr("best"), []
        elif guess:
            text, differences = tr(ONLY_ESTIMATED), []
        elif points:
            text = tr(_cost(points))
        else:
            alike = tr("as good") if may_tell_chance(state) else ""
            text = (differences or [outcomes.beside(best.choice, line.choice, None)])[0] or alike
        if line.worst is not None and line.worst < line.chance and may_tell_chance(state):
            differences.append(
                tr("{share} to win if the dice fall badly (worst tenth)", share=words.percent(line.worst))
            )
        self.cost.setText(text)
        self.setToolTip("\n".join(differences))
        set_role(self.cost, "good" if line is best or points < 0 else "muted")
        self.step_texts = tuple(words.turn(line, state, names=names))
        self.fit()
        self.setAccessibleName(f"{self.chance.text()}, {text}: {'   '.join(self.step_texts)}")
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Writes the actions, each in one piece unless it is longer than a line has room."""
        letters, room = self.steps.fontMetrics(), self.width() - _ROW_SIDES
        room -= max(self.figures_width, self.cost.minimumWidth())
        parts = [
            part if _ACTION_LEAST <= room < letters.horizontalAdvance(part) else _whole(part)
            for part in self.step_texts
        ]
        text = "   ".join(parts)
        if text != self.steps.text():
            self.steps.setText(text)
            self.updateGeometry()

    @property
    def figures_width(self) -> int:
        """How wide its figures are, or would be with points of two digits."""
        usual = self.cost.fontMetrics().horizontalAdvance(tr(_cost(88)))
        return max(self.cost.sizeHint().width(), self.chance.sizeHint().width(), usual + 4)

    def sizeHint(self) -> QSize:
        return self._row.totalSizeHint()

    def minimumSizeHint(self) -> QSize:
        """Narrower than its words, which are broken then."""
        return self._row.totalMinimumSize()

    def hasHeightForWidth(self) -> bool:
        """Its words may need several lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        return max(self._row.totalHeightForWidth(width), 44)


def _whole(part: str) -> str:
    """Returns words that are not broken over two lines."""
    return part.replace(" ", "\u00a0").replace("-", "\u2011")


def line_up(rows: Sequence[TurnRow]) -> None:
    width = max((row.figures_width for row in rows), default=0)
    for row in rows:
        row.cost.setMinimumWidth(width)
        row.fit()


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

    def __init__(self, history: History, parent: QWidget | None = None) -> None:
        super().__init__(history, parent)
        self.rows = tuple(TurnRow() for _ in range(3))
        self.answer = TurnRow()
        self.board = BoardView()
        self.board.picked.connect(self._ask)
        self.hint = label(role="muted", wrap=True)
        self._snapshot: Snapshot | None = None
        self._what_if: WhatIf | None = None
        self._number = 0
        self._chosen: TurnLine | None = None
        self._fresh = self._compares = False
        self._fitting = QTimer(self, singleShot=True, interval=0)
        self._fitting.timeout.connect(self._fit)
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
        self._lay_out()
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
        row = next((one for one in self.rows if not one.isHidden() and self._begins(one, action)), None)
        if row is not None:
            self._choose(row)
        else:
            self._look_into(*_aim(action))

    def explain(self, action: Action) -> None:
        """Puts the turn that begins with an action beside the advised one, as soon as it is known."""
        line = next((one for one in self.outlook.lines if one.choice.action == action), None)
        if line is not None and self._snapshot is not None:
            self.compared.emit(self._snapshot, line)
        else:
            self._compares = self._look_into(*_aim(action))

    def _begins(self, row: TurnRow, action: Action) -> bool:
        line = self._line_of(row)
        return line is not None and line.choice.action == action

    def _offer(self, entries: tuple[Entry, ...]) -> Offer | None:
        snapshot = self._snapshot
        return None if snapshot is None or snapshot.state is None else Offer(snapshot.state, entries)

    def _offer_turn(self, row: TurnRow, _: QPoint | None) -> Offer | None:
        line, lines = self._line_of(row), self.outlook.lines
        if line is None or self._snapshot is None:
            return self._offer(())
        advised = bool(lines) and line is lines[0]
        why = None if advised or not lines else partial(self.compared.emit, self._snapshot, line)
        show = partial(self._choose, row)
        return self._offer(((tr("Show it on the board"), show), (tr("Why not this?"), why)))

    def _offer_cell(self, at: QPoint | None) -> Offer | None:
        """Offers to try out what can be done at a cell: the spell chosen, else all ways to act there."""
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
        self._what_if, self._chosen = None, None
        lines, decision = snapshot.turn.lines, snapshot.decision
        names = words.names_of(decision, snapshot.state) if decision is not None else None
        for row, line in zip(self.rows, lines, strict=False):
            row.show_line(line, snapshot.state, lines[0], names)
        line_up(self.rows[: len(lines)])
        for index, row in enumerate(self.rows):
            row.setChecked(index == 0)
        self.answer.hide()
        self._offer_spells()
        self._make_room()
        self._fitting.start()
        self._draw(None)
        self._show_heat()
        self.why.setEnabled(len(lines) > 1)

    @Slot()
    def _show_heat(self) -> None:
        """Shows what the search found of each cell, of the spell chosen or of all actions; or hides it."""
        snapshot = self._snapshot
        decision = snapshot.decision if snapshot is not None else None
        placing = snapshot is None or snapshot.state is None or snapshot.state.placing
        shown = self.heat.isChecked() and decision is not None and not placing
        self.board.show_heat(heat_of(decision, self._spell) if shown and decision is not None else ())

    @Slot()
    def _compare(self) -> None:
        """Asks for the turn chosen, or the second best, beside the advised one."""
        lines = self.outlook.lines
        other = self._chosen or (lines[1] if len(lines) > 1 else None)
        if self._snapshot is not None and other is not None and lines and other is not lines[0]:
            self.compared.emit(self._snapshot, other)

    def _show_places(self, snapshot: Snapshot, state: FightState) -> None:
        self._snapshot, self._what_if, self._chosen = snapshot, None, None
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
        room, least = self._scroll.viewport().size(), int(self.answer.isHidden())
        line_up([row for row in (*self.rows[:shown], self.answer) if not row.isHidden()])
        while shown > least and self._inner.heightForWidth(room.width()) > room.height():
            shown -= 1
            self.rows[shown].hide()
            line_up([row for row in (*self.rows[:shown], self.answer) if not row.isHidden()])
        over = self._inner.heightForWidth(room.width()) - room.height()
        self.board.setMinimumHeight(max(_BOARD_LEAST, BOARD_LEAST - max(0, over)))
        self._inner.box.invalidate()  # else Qt keeps the places of before for what is left
        self._inner.box.activate()
        QApplication.sendEvent(self._scroll, QEvent(QEvent.Type.LayoutRequest))

    @Slot(object)
    def show_answer(self, found: WhatIf) -> None:
        snapshot = self._snapshot
        if found.number != self._number or snapshot is None:
            return
        self._what_if = found
        if found.line is None:
            self._say(tr("That cannot be done."), "warn")
            return
        self._say("")
        line = self._on_one_scale(found.line, found.cost)
        self._what_if = replace(found, line=line)
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
        known = next((one for one in decision.candidates if one.action == line.choice.action), None)
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
                self._draw(self._line_of(watched))
        elif event.type() in (QEvent.Type.Leave, QEvent.Type.FocusOut):
            self._draw(self._chosen)
        return super().eventFilter(watched, event)

    def _line_of(self, row: TurnRow) -> TurnLine | None:
        if row is self.answer:
            return self._what_if.line if self._what_if is not None else None
        index = self.rows.index(row)
        return self.outlook.lines[index] if index < len(self.outlook.lines) else None

    def _choose(self, row: TurnRow, _: bool = True) -> None:
        """Keeps a turn on the board and over the game; the advised one is what is there anyway."""
        line = self._line_of(row)
        self._chosen = None if self.outlook.lines and line is self.outlook.lines[0] else line
        for other in (*self.rows, self.answer):
            other.setChecked(other is row)
        self._draw(self._chosen)

    def _draw(self, line: TurnLine | None) -> None:
        lines = self.outlook.lines
        state = self._snapshot.state if self._snapshot is not None else None
        aims = self.outlook.cells(self._spell) if self._spell is not None else ()
        self.board.show_turn(state, line or (lines[0] if lines else None), frozenset(aims))
        advised = line is None or (bool(lines) and line is lines[0])
        self.looked_at.emit(None if advised else line)

    @property
    def _spell(self) -> str | None:
        return self._tools.chosen

    @property
    def spells(self) -> dict[str, QPushButton]:
        return self._tools.buttons

    def _offer_spells(self) -> None:
        self._tools.offer(self._snapshot.state if self._snapshot is not None else None, self.outlook.aims)
        self._say("")

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

    def _lay_out(self) -> None:
        self._inner = Column(spacing=6)
        box = self._inner.box
        for row in self.rows:
            box.addWidget(row)
        box.addSpacing(4)
        tools = QHBoxLayout()
        tools.addWidget(self.hint, 1)
        tools.addWidget(self.heat, 0, Qt.AlignmentFlag.AlignTop)
        tools.addWidget(self.why, 0, Qt.AlignmentFlag.AlignTop)
        for part in (self.heat, self.why):
            part.hide()
        box.addLayout(tools)
        box.addWidget(self._tools)
        box.addWidget(self.answer)
        box.addWidget(self.board, 1)
        self.box.setContentsMargins(0, 0, 0, 0)
        self._scroll = scrolled(self._inner)
        self.box.addWidget(self._scroll)


def _aim(action: Action) -> tuple[str, int]:
    """Returns an action as it is asked about: its spell, or what stands for none, and its cell."""
    if isinstance(action, Cast):
        return action.spell, action.target
    return (WALK, action.target) if isinstance(action, Move) else (END, -1)


def _cost(points: int) -> str:
    """Returns what a turn costs against the best, in points; less than 0 where it is better."""
    if points > 0:
        return counted(points, "{number} point less", "{number} points less", number=points)
    return counted(-points, "{number} point more", "{number} points more", number=-points)
