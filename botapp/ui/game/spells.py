"""The person's spells: a list of classes, and the sheet and spells of the one that is picked.

What the app ships is never changed: a copy is made and belongs to the person. Every change is checked and
kept at once by the knowledge base.
"""

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import Entry, EntryKind, KnowledgeError
from botapp.host.message import error_text
from botapp.ui.game.character import free_key
from botapp.ui.game.sheet import SheetFields
from botapp.ui.game.spellform import SpellDialog
from botapp.ui.game.spelllist import SpellList
from botapp.ui.translation import language, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Note, button, card_of, kept, label, scrolled
from botapp.ui.widgets.undo import UndoLine

_KEY = Qt.ItemDataRole.UserRole
_FILES = "TOML (*.toml)"
NEW_SPELL: dict[str, Any] = {
    "name": "",
    "ap": 3,
    "range": [1, 6],
    "effects": [{"kind": "damage", "element": "neutral", "low": 10, "high": 15}],
}


class SpellsTab(QWidget):
    """Signals: `chosen` carries the key of the class to play, `learnt` says that something was changed."""

    chosen = Signal(str)
    learnt = Signal()

    def __init__(self, base: KnowledgeBase, playing: str) -> None:
        super().__init__()
        self.base, self.playing = base, playing
        self.classes = QListWidget()
        self.classes.setAccessibleName(tr("Class"))
        self.classes.setFixedWidth(210)
        self.classes.currentItemChanged.connect(self._show)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name"))
        self.name.editingFinished.connect(self._keep_sheet)
        self.use = button(tr("Use this class"), self._choose, role="primary")
        self.sheet = SheetFields()
        self.sheet.edited.connect(self._keep_sheet)
        self.spells = SpellList()
        self.spells.edit_asked.connect(self._edit)
        self.spells.moved.connect(self._reorder)
        self.hint = label("", "muted", wrap=True)
        self.undo = UndoLine()
        self.trouble = Note("bad")
        self.copy = button(tr("Duplicate"), self._copy)
        self.delete = button(tr("Delete"), self._delete)
        self._lay_out()
        self.refresh(playing)

    def showEvent(self, event: QShowEvent) -> None:
        """Gives the classes the room that the theme wants: they were listed before it was known."""
        super().showEvent(event)
        self.classes.doItemsLayout()

    def refresh(self, key: str = "") -> None:
        key = key or self.key
        self.classes.blockSignals(True)
        self.classes.clear()
        for entry in sorted(
            self.base.entries(EntryKind.CLASS), key=lambda e: (not e.own, e.called(language()).lower())
        ):
            marks = ("  ✓" if entry.key == self.playing else "") + ("  ★" if entry.own else "")
            item = QListWidgetItem(entry.called(language()) + marks)
            item.setData(_KEY, entry.key)
            if entry.own:
                item.setToolTip(tr("Your own"))
            self.classes.addItem(item)
            if entry.key == key:
                self.classes.setCurrentItem(item)
        self.classes.blockSignals(False)
        if self.classes.currentItem() is None:
            self.classes.setCurrentRow(0)
        self._show()

    @property
    def key(self) -> str:
        item = self.classes.currentItem()
        return str(item.data(_KEY)) if item is not None else ""

    @property
    def entry(self) -> Entry:
        return self.base.get(EntryKind.CLASS, self.key)

    @Slot()
    def _show(self) -> None:
        if not self.key:
            return
        entry = self.entry
        own = entry.own
        self.name.setText(entry.called(language()))
        self.sheet.show_table(entry.table)
        self.spells.show_spells(
            [self.base.get(EntryKind.SPELL, key) for key in entry.table["spells"]], own=own
        )
        self.hint.setText(
            tr("Put the spells in the order of your spell bar. Changes are saved at once.")
            if own
            else tr("This class comes with the app. Duplicate it to change it: your own survives updates.")
        )
        self.name.setReadOnly(not own)
        self.sheet.set_editable(own)
        self.delete.setEnabled(own)
        self.use.setEnabled(entry.key != self.playing)
        self.use.setText(tr("Use this class") if entry.key != self.playing else tr("In use"))

    @Slot()
    def _choose(self) -> None:
        self.playing = self.key
        self.chosen.emit(self.key)
        self.refresh()

    @Slot()
    def _copy(self) -> None:
        name = tr("My {name}", name=self.entry.called(language()))
        table = {**self.entry.table, "name": name, "name_fr": name}
        table.pop("unseen", None)
        key = self._free_key(EntryKind.CLASS, name)
        if self._kept(lambda: self.base.save(self.base.draft(EntryKind.CLASS, key, table))):
            self.refresh(key)

    @Slot()
    def _delete(self) -> None:
        entry, playing = self.entry, self.playing
        if not self._kept(lambda: self.base.forget(EntryKind.CLASS, entry.key)):
            return
        if entry.key == playing:
            self.playing = ""
            self.chosen.emit("")
        self.refresh(self.playing)

        def back() -> None:
            if self._kept(lambda: self.base.save(entry)):
                if entry.key == playing:
                    self.playing = playing
                    self.chosen.emit(playing)
                self.refresh(entry.key)

        self.undo.offer(tr("{name} was deleted.", name=entry.called(language())), back)

    @Slot()
    def _keep_sheet(self) -> None:
        entry, name = self.entry, self.name.text().strip()
        table = self.sheet.table(entry.table)
        if name and name != entry.called(language()):
            table |= {"name": name, "name_fr": name}
        if entry.own and table != entry.table and self._save_class(table):
            self.refresh()

    @Slot(list)
    def _reorder(self, keys: list[str]) -> None:
        entry = self.entry
        if not self._save_class({**entry.table, "spells": keys}):
            return
        self._show()
        if gone := [key for key in entry.table["spells"] if key not in keys]:

            def back() -> None:
                if self._kept(lambda: self.base.save(entry)):
                    self.refresh(entry.key)

            name = self.base.get(EntryKind.SPELL, gone[0]).called(language())
            self.undo.offer(tr("{name} was removed from the bar.", name=name), back)

    @Slot(str)
    def _edit(self, key: str) -> None:
        table = dict(self.base.get(EntryKind.SPELL, key).table) if key else dict(NEW_SPELL)
        if language() == "fr" and table.get("name_fr"):
            table["name"] = table["name_fr"]
        SpellDialog(table, lambda said: self.keep_spell(key, said), self).exec()
        self._show()

    def keep_spell(self, key: str, table: dict[str, Any]) -> str:
        """Keeps a spell as the person's own; returns what is wrong with it, "" when it is kept."""
        if not table["name"]:
            return tr("The spell needs a name.")
        table["name_fr"] = table["name"]
        own = bool(key) and self.base.get(EntryKind.SPELL, key).own
        kept_as = key if own else self._free_key(EntryKind.SPELL, table["name"])
        try:
            self.base.save(self.base.draft(EntryKind.SPELL, kept_as, table))
            if not own:
                spells = list(self.entry.table["spells"])
                if key:
                    spells[spells.index(key)] = kept_as
                else:
                    spells.append(kept_as)
                self.base.save(
                    self.base.draft(EntryKind.CLASS, self.key, {**self.entry.table, "spells": spells})
                )
        except KnowledgeError as error:
            return tr(error_text(error))
        self.learnt.emit()
        return ""

    @Slot()
    def import_spells(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("Import spells and classes"), "", _FILES)
        if path and self._kept(lambda: self.base.import_(Path(path))):
            self.refresh()

    @Slot()
    def export_spells(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Export this class"), f"{self.key}.toml", _FILES)
        if path:
            names = [
                (EntryKind.CLASS, self.key),
                *((EntryKind.SPELL, key) for key in self.entry.table["spells"]),
            ]
            self._kept(lambda: self.base.export(names, Path(path)), changes=False)

    def _save_class(self, table: dict[str, Any]) -> bool:
        return self._kept(lambda: self.base.save(self.base.draft(EntryKind.CLASS, self.key, table)))

    def _kept(self, keep: Callable[[], object], *, changes: bool = True) -> bool:
        done = kept(keep, self.trouble)
        if done and changes:
            self.learnt.emit()
        return done

    def _free_key(self, kind: EntryKind, name: str) -> str:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        stem = re.sub(r"[^a-z0-9]+", "_", plain).strip("_") or kind.value
        stem = stem if stem[0].isalpha() else f"{kind.value}_{stem}"
        return free_key(self.base, kind, stem, "_")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.addWidget(self.copy, 0, 0)
        grid.addWidget(self.delete, 0, 1)
        grid.addWidget(button(tr("Import…"), self.import_spells), 1, 0)
        grid.addWidget(button(tr("Export…"), self.export_spells), 1, 1)
        side = column_of((self.classes, 1), grid)
        heading = row_of((self.name, 1), self.use)
        whole = QWidget()
        parts = heading, self.hint, card_of(self.sheet), (self.spells, 1), self.undo, self.trouble
        column_of(*parts, into=whole, margins=(0, 0, 0, 0), spacing=10)
        room = scrolled(whole)
        room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        row_of(side, (room, 1), into=self, margins=(12, 12, 12, 8), spacing=14)
