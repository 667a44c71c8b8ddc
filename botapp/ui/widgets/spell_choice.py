"""Buttons for walking and the spells of the fighter at turn: which one an action of one's own begins with."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from botapp.fight.state import FightState
from botapp.runtime.turns import END, WALK, Aims
from botapp.ui.names import named
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import FlowLayout
from botapp.ui.widgets.labels import button


class SpellChoice(QWidget):
    """One button for each way to act; one at most is pressed.

    Signals:
        changed: another one is pressed, or none.

    Attributes:
        buttons: by the spell's key, `WALK` for walking, `END` for ending the turn where that is offered.
    """

    changed = Signal()

    def __init__(self, *, with_end: bool = False) -> None:
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        self._with_end = with_end
        self._aims: dict[str, tuple[int, ...]] = {}
        self._flow = FlowLayout(self)
        self._flow.setContentsMargins(0, 0, 0, 0)

    @property
    def chosen(self) -> str | None:
        """The spell whose button is pressed, None for none."""
        return next((key for key, choice in self.buttons.items() if choice.isChecked()), None)

    def cells(self, spell: str | None) -> tuple[int, ...]:
        """Returns the cells at which a spell can be cast, or walked to; none for None."""
        return self._aims.get(spell, ()) if spell is not None else ()

    def offer(self, state: FightState | None, aims: Aims) -> None:
        """Offers what the actor of a state can do; `aims` are the cells at which each spell can be cast."""
        self._aims = dict(aims)
        spells: Sequence[tuple[str, str]] = ()
        if state is not None:
            spells = [(spell.key, named(spell.name, spell.key)) for spell in state.actor.spells]
        wanted = {WALK: tr("Walk"), **dict(spells)}
        if self._with_end:
            wanted[END] = tr("End the turn")
        if list(wanted) != list(self.buttons):
            self._make(wanted)
        for key, choice in self.buttons.items():
            possible = key == END or bool(self.cells(key))
            choice.setEnabled(possible)
            choice.setChecked(choice.isChecked() and possible)
            choice.setToolTip("" if possible else tr("Not possible now."))

    def release(self) -> None:
        for choice in self.buttons.values():
            choice.setChecked(False)

    def _make(self, wanted: dict[str, str]) -> None:
        for choice in self.buttons.values():
            self._flow.removeWidget(choice)
            choice.deleteLater()
        self.buttons = {}
        for key, text in wanted.items():
            made = self.buttons[key] = button(text, partial(self._press, key), role="spell", checkable=True)
            self._flow.addWidget(made)

    def _press(self, key: str, _: bool = True) -> None:
        checked = self.buttons[key].isChecked()
        for other, choice in self.buttons.items():
            choice.setChecked(other == key and checked)
        self.changed.emit()
