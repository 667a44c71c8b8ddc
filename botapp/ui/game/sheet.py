"""The figures of a character's sheet as a grid of fields: level, HP, AP, MP, stats and resistances.

They are the fields of a class in a content file.
"""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QGridLayout, QSpinBox, QWidget

from botapp.content.words import ELEMENTS, STATS
from botapp.fight.spells import Element
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.labels import label

_MAIN = {
    "level": (mark("Level"), 1, 200),
    "hp": (mark("HP"), 1, 99_999),
    "ap": (mark("AP"), 1, 20),
    "mp": (mark("MP"), 0, 20),
}
_STATS = (
    "strength",
    "intelligence",
    "chance",
    "agility",
    "power",
    "damage",
    "heals",
    "crit",
    "range",
    "wisdom",
    "lock",
    "flee",
    "push_damage",
    "initiative",
)
_COLUMNS = 4


class SheetFields(QWidget):
    """Signals: `edited` when a person changed a figure."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, QSpinBox] = {}
        self._filled_in: dict[str, Any] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(6)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(2 * column, 1)
        for key, (title, low, high) in _MAIN.items():
            self._add(key, title, low, high)
        for key in _STATS:
            self._add(key, STATS[key], -9_999, 99_999)
        for key in ELEMENTS:
            self._add(f"resistance {key}", STATS[f"{key}_resistance"], -100, 100)

    def show_table(self, table: Mapping[str, Any]) -> None:
        stats = table.get("stats", {})
        resistance = stats.get("resistance", [0] * len(Element))
        for key, field in self.fields.items():
            if key in _MAIN:
                value = table.get(key, 0)
            elif key in _STATS:
                value = stats.get(key, 0)
            else:
                value = resistance[list(ELEMENTS).index(key.split()[1])]
            with QSignalBlocker(field):
                field.setValue(int(value))

    def fill_in(self, table: Mapping[str, Any]) -> None:
        """Shows figures that a person may change; `edited_since` tells whether they were."""
        self.show_table(table)
        self._filled_in = self._figures()

    @property
    def edited_since(self) -> bool:
        return self._figures() != self._filled_in

    def _figures(self) -> dict[str, Any]:
        return {name: value for name, value in self.table({}).items() if name != "level"}

    def set_editable(self, editable: bool) -> None:
        """Lets the figures be changed, or only read: those of the app's classes stay legible."""
        for field in self.fields.values():
            field.setReadOnly(not editable)

    def table(self, before: Mapping[str, Any]) -> dict[str, Any]:
        """Returns a class's table with these figures in place of those it had."""
        main = {key: self.fields[key].value() for key in _MAIN}
        stats = dict(before.get("stats", {}))
        stats |= {key: self.fields[key].value() for key in _STATS if self.fields[key].value() or key in stats}
        stats["resistance"] = [self.fields[f"resistance {name}"].value() for name in ELEMENTS]
        return {**before, **main, "stats": stats}

    def _add(self, key: str, title: str, low: int, high: int) -> None:
        field = QSpinBox()
        field.setRange(low, high)
        field.setKeyboardTracking(False)
        field.setFixedWidth(84)
        field.lineEdit().setTextMargins(7, 0, 0, 0)
        field.setAccessibleName(tr(title))
        field.valueChanged.connect(self.edited)
        row, column = divmod(len(self.fields), _COLUMNS)
        self._grid.addWidget(label(tr(title), "muted"), row, 2 * column)
        self._grid.addWidget(field, row, 2 * column + 1)
        self.fields[key] = field
