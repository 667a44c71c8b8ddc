"""A table whose rows can be picked by mouse and keyboard."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QBrush, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidgetItem

from botapp.ui import theme
from botapp.ui.widgets.table import Cell, TextTable

_ROW = 28


class PickTable(TextTable):
    """Rows of cells; the `wide` columns share the room that is left, by the length of their words.

    Where that is less than they need, the table scrolls sideways: no word is cut.

    Signals:
        picked: the row that was selected, by a click or by the arrows.
        opened: the row that was double-clicked, or on which Enter was pressed.
    """

    picked = Signal(int)
    opened = Signal(int)

    def __init__(self, title: str, headers: Sequence[str], wide: Sequence[int], words: Sequence[int]) -> None:
        super().__init__(title, headers, words)
        self._wide = tuple(wide)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().setDefaultSectionSize(_ROW)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        modes = QHeaderView.ResizeMode
        header.setSectionResizeMode(modes.ResizeToContents)
        for column in wide:
            header.setSectionResizeMode(column, modes.Fixed)
        self.itemSelectionChanged.connect(self._tell)
        self.itemActivated.connect(lambda item: self.opened.emit(item.row()))

    def show_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        self.blockSignals(True)
        self.clearSelection()
        self.setRowCount(len(rows))
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                item = QTableWidgetItem(cell.text)
                item.setFont(theme.font(1.0, mono=c not in self._words, bold=cell.bold))
                item.setForeground(QBrush(theme.colour(cell.shade)))
                item.setTextAlignment(self.side(c))
                item.setToolTip(cell.tip)
                self.setItem(r, c, item)
        self.blockSignals(False)
        self._share_room()

    def select(self, row: int) -> None:
        """Selects a row without telling so; a row that is not there selects none."""
        self.blockSignals(True)
        if 0 <= row < self.rowCount():
            self.selectRow(row)
        else:
            self.clearSelection()
        self.blockSignals(False)

    def chosen(self) -> int:
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def texts(self) -> list[list[str]]:
        cells = [[self.item(r, c) for c in range(self.columnCount())] for r in range(self.rowCount())]
        return [[cell.text() if cell is not None else "" for cell in row] for row in cells]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        header = self.horizontalHeader()
        wished = [
            max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
            for column in range(self.columnCount())
        ]
        shared = sum(wished[column] for column in self._wide)
        room = max(0, self.viewport().width() - sum(wished) + shared)
        for column in self._wide:
            header.resizeSection(column, max(wished[column], room * wished[column] // shared))

    def _tell(self) -> None:
        if self.chosen() >= 0:
            self.picked.emit(self.chosen())
