"""The effects of a spell as rows of fields: kind, amount, element, area, how long, on whom."""

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from botapp.content.words import EFFECTS, ELEMENTS, STATES, STATS
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import button, label, name

SHAPES = {
    "point": mark("one cell"),
    "circle": mark("circle"),
    "cross": mark("cross"),
    "line": mark("line"),
    "t": mark("T"),
    "square": mark("square"),
    "ring": mark("ring"),
    "cone": mark("cone"),
    "diagonal": mark("diagonal cross"),
    "star": mark("star"),
    "line_from_caster": mark("line from the caster"),
    "line_to_target": mark("line up to the target"),
    "across_diagonal": mark("diagonal T"),
    "half_circle": mark("arc"),
    "everywhere": mark("everywhere"),
}
_AFFECTS = {
    "default": mark("as usual"),
    "enemies": mark("enemies"),
    "allies": mark("allies"),
    "team": mark("own side"),
    "others": mark("all others"),
    "all": mark("everyone"),
    "caster": mark("the caster"),
    "cause": mark("who triggered it"),
}
WITH_ELEMENT = ("damage", "steal")
_AMOUNT = ("low", "high")
_FIELDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(WITH_ELEMENT, (*_AMOUNT, "element")),
    **dict.fromkeys(
        ("heal", "shield", "remove_ap", "remove_mp", "steal_ap", "steal_mp", "push", "pull"), _AMOUNT
    ),
    "teleport": (),
    "buff": (*_AMOUNT, "stat", "turns"),
    "state": ("state", "turns"),
}
"""The effects that the form knows, with the fields that each has besides its area and whom it affects.

The others are written in a file and imported; the form keeps them as they are.
"""
KINDS = {kind: EFFECTS[kind][0] for kind in _FIELDS}
WRITTEN = {kind: name for kind, (name, _) in EFFECTS.items() if kind not in _FIELDS}
_SHOWN = ("kind", "low", "high", "element", "stat", "state", "turns", "shape", "radius", "affects")
"""Fields that a row shows, where its kind has them."""


class EffectRow(QFrame):
    """One effect; fields that its kind has no use for are hidden."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        super().__init__()
        self.setObjectName("card")
        self._before = dict(table)
        low = int(table.get("low", 0))
        self.kind = _choice(tr("Kind of effect"), KINDS, str(table.get("kind", "damage")))
        self.fields: dict[str, QComboBox | QSpinBox] = {
            "low": spin(tr("Minimum amount"), low),
            "high": spin(tr("Maximum amount"), int(table.get("high", low))),
            "element": _choice(tr("Element"), ELEMENTS, str(table.get("element", "neutral"))),
            "stat": _choice(tr("Stat"), STATS, str(table.get("stat", "power"))),
            "state": _choice(tr("State of the fighter"), STATES, str(table.get("state", "rooted"))),
            "turns": spin(tr("How many turns it lasts"), int(table.get("turns", 1)), 0, 20),
        }
        self.shape = _choice(tr("Area"), SHAPES, str(table.get("shape", "point")))
        self.radius = spin(tr("Size of the area, cells"), int(table.get("radius", 0)), 0, 20)
        self.affects = _choice(tr("On whom"), _AFFECTS, str(table.get("affects", "default")))
        self.to, self.lasting, self.area, self.affects_label = (
            label(text, "muted") for text in ("–", tr("turns"), tr("Area"), tr("On whom"))
        )
        self.kept = label(tr("Defined in a file, left unchanged."), "muted")
        self.remove = button("", icon="trash", role="flat")
        name(self.remove, tr("Remove this effect"))
        least, *others = self.fields.values()
        parts = self.kind, self.kept, least, self.to, *others, self.lasting, None, self.remove
        area = self.area, self.shape, self.radius, self.affects_label, self.affects, None
        lines = row_of(*parts, spacing=6), row_of(*area, spacing=6)
        column_of(*lines, into=self, margins=(10, 8, 10, 8), spacing=6)
        self.kind.currentIndexChanged.connect(self._fit)
        self.shape.currentIndexChanged.connect(self._fit)
        self._fit()

    def table(self) -> dict[str, Any]:
        """Returns the effect's table; what the row does not show stays as it was."""
        kind = self.kind.currentData()
        if kind not in KINDS:
            return dict(self._before)
        entered: dict[str, Any] = {"kind": kind, **{key: _entered(self.fields[key]) for key in _FIELDS[kind]}}
        if self.shape.currentData() != "point":
            entered |= {"shape": self.shape.currentData(), "radius": self.radius.value()}
        if self.affects.currentData() != "default":
            entered["affects"] = self.affects.currentData()
        not_shown = {key: value for key, value in self._before.items() if key not in _SHOWN}
        return entered | (not_shown if kind == self._before.get("kind") else {})

    @Slot()
    def _fit(self) -> None:
        kind = self.kind.currentData()
        known, used = kind in KINDS, _FIELDS.get(kind, ())
        for key, field in self.fields.items():
            field.setVisible(key in used)
        self.to.setVisible("high" in used)
        self.lasting.setVisible("turns" in used)
        for widget in (self.area, self.shape, self.affects_label, self.affects):
            widget.setVisible(known)
        self.radius.setVisible(known and self.shape.currentData() != "point")
        self.kept.setVisible(not known)


class EffectRows(QScrollArea):
    """The rows of a spell's effects."""

    def __init__(self, tables: Iterable[Mapping[str, Any]]) -> None:
        super().__init__()
        self.rows: list[EffectRow] = []
        inner = QWidget()
        self._box = column_of(None, into=inner, margins=(0, 0, 8, 0), spacing=6)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setWidget(inner)
        for table in tables:
            self._insert(table)

    def tables(self) -> list[dict[str, Any]]:
        return [row.table() for row in self.rows]

    @Slot()
    def add(self) -> None:
        self._insert({"kind": "damage", "low": 10, "high": 15})

    def _insert(self, table: Mapping[str, Any]) -> None:
        row = EffectRow(table)
        row.remove.clicked.connect(lambda: self._drop(row))
        self.rows.append(row)
        self._box.insertWidget(self._box.count() - 1, row)

    def _drop(self, row: EffectRow) -> None:
        self.rows.remove(row)
        row.deleteLater()


def _choice(title: str, options: Mapping[str, str], value: str) -> QComboBox:
    made = QComboBox()
    name(made, title)
    for key, words in options.items():
        made.addItem(tr(words), key)
    if made.findData(value) < 0:
        made.addItem(tr(WRITTEN.get(value, value)), value)
    made.setCurrentIndex(made.findData(value))
    return made


def _entered(field: QComboBox | QSpinBox) -> object:
    return field.value() if isinstance(field, QSpinBox) else field.currentData()


def spin(title: str, value: int, low: int = -9_999, high: int = 9_999, width: int = 74) -> QSpinBox:
    """Returns a field for a whole number, its width in pixels; `title` is said by screen readers."""
    made = QSpinBox()
    if title:
        name(made, title)
    made.setRange(low, high)
    made.setValue(value)
    made.setFixedWidth(width)
    made.lineEdit().setTextMargins(7, 0, 0, 0)
    return made
