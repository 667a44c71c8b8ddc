"""The spells of a class as a table in the order of the spell bar."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QTableWidgetItem,
    QWidget,
)

from botapp.content.game.report_words import VERDICTS
from botapp.content.game.spells import NOT
from botapp.content.knowledge.entry import Entry
from botapp.content.words import EFFECTS, STATES, STATS
from botapp.fight.spells import Effect, Shape, Spell, name_of_state
from botapp.ui.game.effects import SHAPES, WITH_ELEMENT
from botapp.ui.translation import language, mark, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import button, name
from botapp.ui.widgets.table import TextTable

_COLUMNS = (mark("Slot"), mark("Spell"), mark("AP"), mark("Range"), mark("Effects"), mark("Limits"))
_LEAST_HEIGHT = 120


class SpellList(QWidget):
    """Signals: `edit_asked` carries a spell's key, "" for a new one; `moved` the keys in their new order."""

    edit_asked = Signal(str)
    moved = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[str] = []
        self.table = TextTable(tr("Spells"), [tr(title) for title in _COLUMNS])
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setMinimumHeight(_LEAST_HEIGHT)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)  # it scrolls sideways where effects have no room
        self.table.doubleClicked.connect(self._double_clicked)
        self.table.itemSelectionChanged.connect(self._enable)
        self.add = button(tr("Add a spell"), lambda: self.edit_asked.emit(""))
        self.edit = button(tr("Edit"), self._edit)
        self.up = button("", lambda: self._move(-1), icon="up")
        name(self.up, tr("One slot earlier"))
        self.down = button("", lambda: self._move(1), icon="down")
        name(self.down, tr("One slot later"))
        self.remove = button(tr("Remove from the bar"), self._remove)
        line = row_of(self.add, self.edit, self.up, self.down, None, self.remove)
        column_of((self.table, 1), line, into=self, margins=(0, 0, 0, 0))
        self._own = False

    def show_spells(self, spells: Sequence[Entry], *, own: bool) -> None:
        """Shows the spells of a class; those of the app's classes can only be looked at."""
        row = self.table.currentRow()
        self._own = own
        self.keys = [entry.key for entry in spells]
        self.table.setRowCount(len(spells))
        for index, entry in enumerate(spells):
            assert isinstance(entry.value, Spell)
            name = entry.called(language())
            texts = (str(index + 1), name, str(entry.value.ap), *described(entry.value))
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.table.setItem(index, column, item)
        self.table.selectRow(min(max(row, 0), len(spells) - 1))
        self._enable()

    @Slot()
    def _enable(self) -> None:
        row, own = self.table.currentRow(), self._own
        self.add.setEnabled(own)
        self.edit.setEnabled(own and row >= 0)
        self.up.setEnabled(own and row > 0)
        self.down.setEnabled(own and 0 <= row < len(self.keys) - 1)
        self.remove.setEnabled(own and row >= 0 and len(self.keys) > 1)

    @Slot(QModelIndex)
    def _double_clicked(self, index: QModelIndex) -> None:
        if self._own:
            self.edit_asked.emit(self.keys[index.row()])

    @Slot()
    def _edit(self) -> None:
        self.edit_asked.emit(self.keys[self.table.currentRow()])

    def _move(self, by: int) -> None:
        row, keys = self.table.currentRow(), list(self.keys)
        keys.insert(row + by, keys.pop(row))
        self.table.setCurrentCell(row + by, 0)
        self.moved.emit(keys)

    @Slot()
    def _remove(self) -> None:
        row = self.table.currentRow()
        self.moved.emit(self.keys[:row] + self.keys[row + 1 :])


def described(spell: Spell) -> tuple[str, str, str]:
    reach = (
        str(spell.min_range) if spell.min_range == spell.max_range else f"{spell.min_range}–{spell.max_range}"
    )
    conditions = (
        (spell.in_line, tr("in line")),
        (spell.on_diagonal, tr("on diagonals")),
        (not spell.needs_sight, tr("no sight needed")),
    )
    reach = ", ".join([reach, *(words for holds, words in conditions if holds)])
    limits = (
        (spell.cooldown, tr("every {n} turns", n=spell.cooldown)),
        (spell.casts_per_turn, tr("{n} per turn", n=spell.casts_per_turn)),
        (spell.casts_per_target, tr("{n} per target", n=spell.casts_per_target)),
    )
    effects = ", ".join(_effect(effect) for effect in spell.effects) or tr(VERDICTS[NOT])
    return reach, effects, ", ".join(words for value, words in limits if value)


def _effect(effect: Effect) -> str:
    words = tr(EFFECTS[effect.kind.value][0])
    if effect.low or effect.high:
        words += f" {effect.low}" if effect.low == effect.high else f" {effect.low}–{effect.high}"
    if effect.kind.value in WITH_ELEMENT:
        words += f" {tr(effect.element.value)}"
    if effect.stat:
        words += f" ({tr(STATS.get(effect.stat, effect.stat))})"
    if effect.state is not None:
        words += f" ({tr(STATES.get(word := name_of_state(effect.state), word))})"
    if effect.shape is not Shape.POINT:
        words += f" [{tr(SHAPES.get(effect.shape.value, effect.shape.value))} {effect.radius}]"
    return words
