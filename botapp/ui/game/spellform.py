"""The form of one spell: its cost, range, conditions and effects, in the terms of a content file."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from botapp.ui.game.effects import EffectRows, spin
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, flow_of, row_of
from botapp.ui.widgets.labels import Note, button, fitting, label, scrolled

_NUMBERS = {
    "casts_per_turn": mark("Casts per turn (0: no limit)"),
    "casts_per_target": mark("Casts per target (0: no limit)"),
    "cooldown": mark("Every … turns (0: each turn)"),
    "initial_cooldown": mark("First cast after … turns"),
    "crit": mark("Critical hit, %"),
    "crit_bonus": mark("Critical bonus"),
}
_WIDTH = 90
_FLAGS = {
    "in_line": mark("In line only"),
    "on_diagonal": mark("On diagonals"),
    "boostable_range": mark("Range can be boosted"),
    "needs_free_cell": mark("Needs a free cell"),
    "needs_taken_cell": mark("Needs a target"),
}


class SpellDialog(QDialog):
    """Edits one spell's table; it closes only once `check` has no objection."""

    def __init__(
        self, table: Mapping[str, Any], check: Callable[[dict[str, Any]], str], parent: QWidget | None = None
    ) -> None:
        """Shows a spell's fields, as in a content file; `check` keeps others, or returns what is wrong."""
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - Spell"))
        self._before = dict(table)
        self._check = check
        self.name = QLineEdit(str(table.get("name", "")))
        low, high = table.get("range", [1, 1])
        self.ap = spin("", int(table.get("ap", 3)), 0, 20, _WIDTH)
        self.low = spin(tr("Nearest cell"), int(low), 0, 63, _WIDTH)
        self.high = spin(tr("Farthest cell"), int(high), 0, 63, _WIDTH)
        self.sight = QCheckBox(tr("Needs line of sight"))
        self.sight.setChecked(bool(table.get("needs_sight", True)))
        self.flags = {key: QCheckBox(tr(title)) for key, title in _FLAGS.items()}
        for key, box in self.flags.items():
            box.setChecked(bool(table.get(key, False)))
        self.numbers = {key: spin("", int(table.get(key, 0)), 0, 100, _WIDTH) for key in _NUMBERS}
        self.effects = EffectRows(table.get("effects", ()))
        self.trouble = Note("bad")
        self._lay_out()

    def table(self) -> dict[str, Any]:
        """Returns the spell's table as the form says it; fields that it does not show stay as they were."""
        numbers = {key: spin.value() for key, spin in self.numbers.items()}
        flags = {key: box.isChecked() for key, box in self.flags.items()}
        entered = {
            "name": self.name.text().strip(),
            "ap": self.ap.value(),
            "range": [self.low.value(), self.high.value()],
            "effects": self.effects.tables(),
            **{key: value for key, value in (numbers | flags).items() if value or key in self._before},
        }
        if not self.sight.isChecked() or "needs_sight" in self._before:
            entered["needs_sight"] = self.sight.isChecked()
        return {**self._before, **entered}

    @Slot()
    def accept(self) -> None:
        """Closes once the spell is kept; else says what is wrong with it."""
        problem = self._check(self.table())
        self.trouble.setText(problem)
        if not problem:
            super().accept()

    def _lay_out(self) -> None:
        reach = row_of(self.low, label(tr("to"), "muted"), self.high, None, spacing=8)
        left = QFormLayout()
        left.setVerticalSpacing(8)
        left.addRow(tr("Name"), self.name)
        left.addRow(tr("Cost, AP"), self.ap)
        left.addRow(tr("Range, cells"), reach)
        right = QFormLayout()
        right.setVerticalSpacing(8)
        for key, title in _NUMBERS.items():
            right.addRow(tr(title), self.numbers[key])
        side = column_of(left, 8, flow_of(self.sight, *self.flags.values()), None)
        fields = QWidget()
        row_of((side, 1), (right, 1), into=fields, margins=(0, 0, 0, 0), spacing=28)
        top = scrolled(fields)
        top.setMaximumHeight(fields.sizeHint().height())
        add = button(tr("Add an effect"), self.effects.add)
        heading = row_of(label(tr("Effects"), "caption"), None, add)
        buttons = QDialogButtonBox()
        keep = buttons.addButton(tr("Save"), QDialogButtonBox.ButtonRole.AcceptRole)
        keep.setObjectName("primary")
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        parts = (top, 2), heading, (self.effects, 1), self.trouble, buttons
        column_of(*parts, into=self, margins=(16, 16, 16, 12), spacing=12)
        self.resize(fitting(860, 640))
