"""Measures whether texts are whole where they stand: labels, buttons, choices, headers, tabs, cells."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QListWidget,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QTableWidget,
)

from botapp.ui.widgets.labels import Chip, Elided, Headline
from botapp.ui.widgets.table import FigureTable, fitting


def cut(window):
    """Yields each text in sight that is not whole."""
    for one in window.findChildren(QLabel):
        if not one.isVisible() or one.visibleRegion().isEmpty() or not one.text():
            continue
        if isinstance(one, Elided):
            if one.text() != one.whole_text():
                yield one.whole_text()
        elif isinstance(one, Headline | Chip) or one.wordWrap():
            need = one.heightForWidth(one.width()) if one.hasHeightForWidth() else one.sizeHint().height()
            if need > one.height() + 1:
                yield one.text()
        elif one.pixmap().isNull() and one.sizeHint().width() > one.width() + 1:
            yield one.text()


def cut_cells(window):
    """Yields each text in sight of a table that is wider than its column, a tooltip or not."""
    for table in window.findChildren(QTableWidget):
        if not table.isVisible() or table.visibleRegion().isEmpty():
            continue
        for row in range(table.rowCount()):
            for column in range(table.columnCount()):
                item = table.item(row, column)
                if item is None or not table.visualItemRect(item).isValid():
                    continue
                width = table.room(column) if isinstance(table, FigureTable) else table.columnWidth(column)
                shown = fitting(item.font(), item.text(), width)
                if QFontMetrics(shown).horizontalAdvance(item.text()) > width:
                    yield item.text()


def cut_fields(window):
    """Yields each text in sight of a button, choice, header, tab or list that is wider than its place."""
    for one in window.findChildren(QAbstractButton):
        if _seen(one) and one.text() and one.width() < _needed(one):
            yield one.text()
    for one in window.findChildren(QComboBox):
        if _seen(one) and QFontMetrics(one.font()).horizontalAdvance(one.currentText()) > _room(one) + 1:
            yield one.currentText()
    for one in window.findChildren(QHeaderView):
        if not _seen(one) or one.orientation() is not Qt.Orientation.Horizontal:
            continue
        for section in range(one.count()):
            if not one.isSectionHidden(section) and one.sectionSize(section) < one.sectionSizeHint(section):
                yield str(one.model().headerData(section, Qt.Orientation.Horizontal))
    for one in window.findChildren(QTabBar):
        if _seen(one) and one.elideMode() is not Qt.TextElideMode.ElideNone:
            yield from (
                one.tabText(tab)
                for tab in range(one.count())
                if QFontMetrics(one.font()).horizontalAdvance(one.tabText(tab)) > one.tabRect(tab).width()
            )
    for one in window.findChildren(QListWidget):
        if _seen(one):
            items = (one.item(row) for row in range(one.count()))
            yield from (
                item.text()
                for item in items
                if QFontMetrics(one.font()).horizontalAdvance(item.text()) > one.viewport().width() - 8
            )


def _seen(widget):
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def _needed(button):
    """Returns the width that a button's words need, its sign and frame included."""
    words = max(QFontMetrics(button.font()).horizontalAdvance(line) for line in button.text().splitlines())
    if isinstance(button, QCheckBox):
        style = button.style()
        words += style.pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, button)
        words += style.pixelMetric(QStyle.PixelMetric.PM_CheckBoxLabelSpacing, None, button)
    return words + (button.iconSize().width() if not button.icon().isNull() else 0)


def _room(combo):
    option = QStyleOptionComboBox()
    combo.initStyleOption(option)
    edit = QStyle.SubControl.SC_ComboBoxEditField
    return QApplication.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, edit, combo).width()


def whole(qtbot, dialog, size, name):
    """Returns what is cut in a dialog on a screen with so much room, also of what is scrolled to.

    Args:
        qtbot: waits for layouts.
        dialog: as it is shown on that screen.
        size: the screen's room, in logical pixels.
        name: of the page, for what is found.
    """
    dialog.show()
    found = []
    room = QSize(*size)
    for shown in (dialog.size().boundedTo(room), QSize(min(dialog.width(), size[0]), 4000)):
        dialog.resize(shown)
        qtbot.wait(30)
        if dialog.width() > size[0]:
            found.append(f"{name}: {dialog.width()} wide")
        if shown.height() <= size[1] < dialog.height():
            found.append(f"{name}: {dialog.height()} high")
        texts = (*cut(dialog), *cut_fields(dialog), *cut_cells(dialog))
        found += [f"{name}: {text}" for text in dict.fromkeys(texts)]
    return list(dict.fromkeys(found))
