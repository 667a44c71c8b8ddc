"""A read-only table of texts whose figures stand in columns of one width."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
)

from botapp.ui import theme


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its text, a colour of the theme, whether it is slanted, and a tooltip."""

    text: str
    shade: str = "text"
    italic: bool = False
    tip: str = ""
    bold: bool = False


def explain(table: QTableWidget, tips: Mapping[int, str]) -> None:
    for column, tip in tips.items():
        table.model().setHeaderData(column, Qt.Orientation.Horizontal, tip, Qt.ItemDataRole.ToolTipRole)


_SHARES = (1.0, 0.92, 0.85, 0.78)
"""Sizes that the text of a cell takes rather than be cut; smaller is hard to read."""
_TWO_LINES = 1.6  # Of a line's width, what two lines hold at least: the first one may end in the middle of it
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_PADDING = 8  # What Qt leaves free beside a cell's text, both sides together


def fitting(font: QFont, text: str, width: int) -> QFont:
    """Returns the font in the largest size in which a text is whole in a cell, else in the smallest one."""
    made = QFont(font)
    for share in _SHARES:
        made.setPointSizeF(font.pointSizeF() * share)
        if QFontMetrics(made).horizontalAdvance(text) + _PADDING <= width:
            break
    return made


class TextTable(QTableWidget):
    """Texts that are only read, without a grid and names of the rows.

    Args:
        words: the columns that stand on the left; figures stand on the right. None for all.
    """

    def __init__(self, title: str, headers: Sequence[str], words: Collection[int] | None = None) -> None:
        super().__init__(0, len(headers))
        self._words = frozenset(range(len(headers)) if words is None else words)
        self.setAccessibleName(title)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.horizontalHeader().setDefaultAlignment(_LEFT)
        for column, text in enumerate(headers):
            head = QTableWidgetItem(text)
            head.setTextAlignment(self.side(column))
            self.setHorizontalHeaderItem(column, head)

    def side(self, column: int) -> Qt.AlignmentFlag:
        return _LEFT if column in self._words else _RIGHT


class _Whole(QStyledItemDelegate):
    """Draws a cell's text smaller rather than cut."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Takes the size in which the text is whole; of a table that wraps words, in two lines."""
        super().initStyleOption(option, index)
        drawn: Any = option  # its fields are not in the stubs
        table = drawn.widget
        if isinstance(table, FigureTable):
            drawn.font = fitting(drawn.font, drawn.text, table.room(index.column()))


class FigureTable(TextTable):
    """Rows of cells; only what changed is touched. The `wide` column takes the room that is left."""

    def __init__(
        self,
        title: str,
        headers: Sequence[str],
        *,
        wide: int = 0,
        text_columns: Sequence[int] = (0,),
    ) -> None:
        super().__init__(title, headers, text_columns)
        self._shown: list[tuple[Cell, ...]] = []
        self.setItemDelegate(_Whole(self))
        self.verticalHeader().setDefaultSectionSize(20)
        self.verticalHeader().setMinimumSectionSize(18)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(wide, QHeaderView.ResizeMode.Stretch)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWordWrap(False)
        self.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMinimumHeight(60)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        new = [tuple(row) for row in rows]
        if new == self._shown:
            return
        self.setUpdatesEnabled(False)
        self.setRowCount(len(new))
        for r, row in enumerate(new):
            old = self._shown[r] if r < len(self._shown) else ()
            for c, cell in enumerate(row):
                if c >= len(old) or old[c] != cell:
                    self._put(r, c, cell)
        resized = len(self._shown) != len(new)
        self._shown = new
        self.setUpdatesEnabled(True)
        if resized:
            self.updateGeometry()

    def show_whole(self) -> None:
        """Takes the height of all rows from now on, so that what stands around it scrolls instead."""
        header = self.horizontalHeader()
        height = max(header.height(), header.sizeHint().height()) + self.verticalHeader().length()
        self.setMinimumHeight(height + 2 * self.frameWidth())

    def wrap(self) -> None:
        self.setWordWrap(True)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def room(self, column: int) -> int:
        """Returns how wide a text may be that is drawn whole in a column."""
        width = self.columnWidth(column)
        return round(width * _TWO_LINES) if self.wordWrap() and column in self._words else width

    def explain(self, tips: Mapping[int, str]) -> None:
        explain(self, tips)

    def texts(self) -> list[list[str]]:
        return [[cell.text for cell in row] for row in self._shown]

    def _put(self, row: int, column: int, cell: Cell) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            self.setItem(row, column, item)
        words = column in self._words
        font = theme.font(1.0, mono=not words, bold=cell.bold)
        font.setItalic(cell.italic)
        item.setText(cell.text)
        item.setFont(font)
        item.setForeground(QBrush(theme.colour(cell.shade)))
        item.setTextAlignment(self.side(column))
        item.setToolTip(cell.tip)
