"""Who the person plays, of the game's own classes: class, level, spells in the bar's order, and the sheet.

What is put together here is kept as a class of the person's, a profile; a click on one plays it.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from botapp.content.game.data import GameClass, SpellOfClass
from botapp.content.game.names import key_of, plain
from botapp.content.game.report_words import VERDICTS
from botapp.content.game.spells import WHOLLY, parsed_key
from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import Entry, EntryKind, KnowledgeError
from botapp.host.message import error_text, listed
from botapp.tracking.levels import LevelGuess
from botapp.tracking.spellbook import class_called
from botapp.ui.game.bringing import GameDataCard
from botapp.ui.game.sheet import SheetFields
from botapp.ui.translation import language, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Empty, button, card, label, scrolled

_KEY = Qt.ItemDataRole.UserRole
_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_HIGHEST = 200


class CharacterTab(QWidget):
    """Signals: `chosen` carries the key of the class to play, `learnt` says that something was changed."""

    chosen = Signal(str)
    learnt = Signal()

    def __init__(self, base: KnowledgeBase, playing: str, game_class: str = "") -> None:
        super().__init__()
        self.base, self.playing = base, playing
        self._game_class = game_class
        self.data = GameDataCard(base)
        self.data.brought.connect(self._brought)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Class or spell…"))
        self.search.setAccessibleName(tr("Search for a class or a spell"))
        self.search.textChanged.connect(self._list)
        self.profiles_title = label(tr("Your characters"), "muted")
        self.profiles = self._named_list(tr("Your characters"))
        self.profiles.itemClicked.connect(self._play_profile)
        self.classes = self._named_list(tr("Classes of the game"))
        self.classes.currentItemChanged.connect(self._pick_class)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name of the character"))
        self.play = button(tr("Play this character"), self._keep, role="primary")
        self.spells = self._named_list(tr("Spells, in the order of the spell bar"))
        self.spells.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.spells.itemChanged.connect(self._checked)
        self.sheet = SheetFields()
        self.sheet.fields["level"].valueChanged.connect(self._change_level)
        self.usual = button(tr("Usual figures for this level"), self._fill_in)
        self.trouble = label("", "bad", wrap=True)
        self.trouble.hide()
        self._class: GameClass | None = None
        self._known: tuple[SpellOfClass, ...] = ()
        self._filled: dict[str, Any] = {}
        self._suggested, self._of_profile = _HIGHEST, False
        self._lay_out()
        self.refresh()

    def refresh(self) -> None:
        self.data.refresh()
        self._list()
        if self.classes.currentItem() is None and self.classes.count():
            self.show_class(class_called(self._game_class))
        if self.classes.currentItem() is None and self.classes.count():
            self.classes.setCurrentRow(0)
        self.right.setVisible(self._class is not None)
        self.left.setVisible(self.base.game is not None)
        self.empty.setVisible(self.base.game is None)

    def show_class(self, key: str) -> None:
        """Shows a class of the game, to make a character of it."""
        self.search.clear()
        for row in range(self.classes.count()):
            if self.classes.item(row).data(_KEY) == key:
                self.classes.setCurrentRow(row)

    def suggest(self, guess: LevelGuess) -> None:
        """Starts a new character at the level read off the screen, unless something was entered."""
        field = self.sheet.fields["level"]
        entered = self._class is not None and self._figures() != self._filled
        if guess.source == "none" or self._of_profile or entered or field.value() != self._suggested:
            return
        self._suggested = guess.level
        field.setValue(guess.level)

    @Slot()
    def _brought(self) -> None:
        self._class = None
        self.refresh()
        self.learnt.emit()

    @Slot()
    def _list(self) -> None:
        wanted = plain(self.search.text())
        game = self.base.game
        profiles = [
            entry for entry in self.base.entries(EntryKind.CLASS) if entry.own and _of_the_game(entry)
        ]
        rows = [(entry.key, entry.called(language()), (entry.name, entry.name_fr)) for entry in profiles]
        _show(self.profiles, [row for row in rows if _fits(wanted, row[2])], self.playing)
        for widget in (self.profiles, self.profiles_title):
            widget.setVisible(self.profiles.count() > 0)
        found = game.classes if game is not None else ()
        rows = [(one.key, one.names.called(language()), (one.names.name, one.names.name_fr)) for one in found]
        by_spell = game.classes_with_spell(wanted) if game is not None else {}
        shown = [row for row in rows if _fits(wanted, row[2])]
        shown += [
            (key, f"{name} · {by_spell[key].called(language())}", names)
            for key, name, names in rows
            if key in by_spell and not _fits(wanted, names)
        ]
        shown.sort(key=lambda row: plain(row[1]))
        _show(self.classes, shown, self._class.key if self._class is not None else "")

    @Slot(QListWidgetItem)
    def _play_profile(self, item: QListWidgetItem) -> None:
        entry = self.base.get(EntryKind.CLASS, item.data(_KEY))
        self._use(entry.key)
        self._show_profile(entry)

    @Slot()
    def _pick_class(self) -> None:
        item, game = self.classes.currentItem(), self.base.game
        one = game.class_called(item.data(_KEY)) if item is not None and game is not None else None
        if one is None or one == self._class:
            return
        self._open(one)
        self._of_profile = False
        self.name.setText(one.names.called(language()))
        self._list_spells(self._usual_spells())
        self._fill_in()

    def _open(self, one: GameClass) -> None:
        assert self.base.game is not None
        self._class = one
        self._known = self.base.game.spells_of(one)
        self.right.show()

    def _show_profile(self, entry: Entry) -> None:
        numbers = [found[0] for key in entry.table["spells"] if (found := parsed_key(key))]
        classes = self.base.game.classes if self.base.game is not None else ()
        one = next((one for one in classes if any(numbers[0] in pair for pair in one.pairs)), None)
        if one is None:
            return
        self._open(one)
        self._of_profile = True
        self._list()
        self.name.setText(entry.called(language()))
        self.sheet.show_table(entry.table)
        self._list_spells(numbers)

    @property
    def level(self) -> int:
        return self.sheet.fields["level"].value()

    def _usual_spells(self) -> list[int]:
        assert self.base.game is not None and self._class is not None
        return list(self.base.game.usual_spells(self._class, self.level))

    def _list_spells(self, on_bar: list[int]) -> None:
        known = {spell.names.number: spell for spell in self._known if spell.from_level <= self.level}
        bar = [number for number in on_bar if number in known]
        self.spells.blockSignals(True)
        self.spells.clear()
        for number in (*bar, *(number for number in known if number not in bar)):
            spell = known[number]
            item = QListWidgetItem(_words(spell))
            item.setData(_KEY, number)
            item.setCheckState(_CHECKED if number in bar else _UNCHECKED)
            item.setToolTip(item.text())
            self.spells.addItem(item)
        self.spells.blockSignals(False)

    def _bar(self) -> list[int]:
        items = [self.spells.item(row) for row in range(self.spells.count())]
        return [item.data(_KEY) for item in items if item.checkState() == _CHECKED]

    @Slot(QListWidgetItem)
    def _checked(self, item: QListWidgetItem) -> None:
        if item.checkState() != _CHECKED:
            return
        pair = next((spell.pair for spell in self._known if spell.names.number == item.data(_KEY)), -1)
        others = {spell.names.number for spell in self._known if spell.pair == pair}
        for row in range(self.spells.count()):
            other = self.spells.item(row)
            if other is not item and other.data(_KEY) in others:
                other.setCheckState(_UNCHECKED)

    @Slot()
    def _change_level(self) -> None:
        """Lists the spells of another level; those that were on the bar stay on it where they are known."""
        if self._class is None:
            return
        before = self._bar()
        pairs = {
            spell.pair
            for spell in self._known
            if spell.names.number in before and spell.from_level <= self.level
        }
        of = {spell.names.number: spell.pair for spell in self._known}
        self._list_spells([*before, *(one for one in self._usual_spells() if of[one] not in pairs)])
        if self._figures() == self._filled:
            self._fill_in()

    def _figures(self) -> dict[str, Any]:
        table = self.sheet.table({})
        return {name: value for name, value in table.items() if name != "level"}

    @Slot()
    def _fill_in(self) -> None:
        if self._class is None or self.base.game is None:
            return
        table = self.base.game.usual_character(self._class, self.level, self._bar())
        field = self.sheet.fields["level"]
        field.blockSignals(True)
        self.sheet.show_table(table)
        field.blockSignals(False)
        self._filled = self._figures()

    @Slot()
    def _keep(self) -> None:
        game, one = self.base.game, self._class
        if game is None or one is None:
            return
        name = self.name.text().strip() or one.names.called(language())
        before = {"stats": {}, "name": name, "name_fr": name}
        table: dict[str, Any] = self.sheet.table(before)
        usual = game.usual_character(one, self.level, self._bar())
        table["spells"] = usual["spells"]
        table["stats"] = {**{k: v for k, v in usual["stats"].items() if k not in _SHOWN}, **table["stats"]}
        key = profile_key(self.base, name)
        if self._try(lambda: self.base.save(self.base.draft(EntryKind.CLASS, key, table))):
            self._use(key)

    def _use(self, key: str) -> None:
        self.playing = key
        self.chosen.emit(key)
        self.learnt.emit()
        self._list()

    def _try(self, keep: Callable[[], object]) -> bool:
        try:
            keep()
        except (KnowledgeError, OSError) as error:
            self.trouble.setText(tr(error_text(error)))
            self.trouble.show()
            return False
        self.trouble.hide()
        return True

    def _named_list(self, title: str) -> QListWidget:
        made = QListWidget()
        made.setAccessibleName(title)
        return made

    def _lay_out(self) -> None:
        frame, top = card()
        top.addWidget(label(tr("The game's data"), "title"))
        top.addWidget(self.data)
        side = column_of(
            self.search,
            self.profiles_title,
            (self.profiles, 1),
            label(tr("Classes of the game"), "muted"),
            (self.classes, 2),
        )
        self.left = QWidget()
        self.left.setFixedWidth(230)
        self.left.setLayout(side)
        side.setContentsMargins(0, 0, 0, 0)
        profile = QWidget()
        main = QVBoxLayout(profile)
        main.setContentsMargins(0, 0, 0, 0)
        heading = row_of((self.name, 1), self.usual, self.play)
        main.addLayout(heading)
        sheet, place = card()
        place.addWidget(self.sheet)
        main.addWidget(sheet)
        main.addWidget(
            label(tr("Tick the spells on your bar and drag them into its order."), "muted", wrap=True)
        )
        self.spells.setMinimumHeight(220)
        main.addWidget(self.spells, 1)
        main.addWidget(self.trouble)
        body = row_of(self.left, spacing=14)
        self.right = scrolled(profile)
        body.addWidget(self.right, 1)
        inner = QWidget()
        column_of(frame, (body, 1), into=inner, margins=(12, 12, 12, 8), spacing=10)
        column_of(scrolled(inner), into=self, margins=(0, 0, 0, 0))
        self.empty = Empty(
            "book",
            tr(
                "With the data the app knows the spells of every class and what monsters can do. Then you "
                "choose your class, your level and the spells on your bar here."
            ),
        )
        body.addWidget(self.empty, 1)
        field = self.sheet.fields["level"]
        field.blockSignals(True)
        field.setValue(_HIGHEST)
        field.blockSignals(False)
        self.right.hide()


_SHOWN = frozenset(
    ("strength", "intelligence", "chance", "agility", "power", "damage", "heals", "crit", "range", "wisdom",
     "lock", "flee", "push_damage", "initiative", "resistance")
)  # fmt: skip
"""Stats that the sheet shows: what it says of them counts."""


def profile_key(base: KnowledgeBase, name: str) -> str:
    """Returns the key of a profile with a name: that of the person's that is called so, else a free one."""
    entries = base.entries(EntryKind.CLASS)
    same = next((e.key for e in entries if e.own and name in (e.name, e.name_fr)), "")
    stem = key_of(f"my-{name}", "my-character")
    taken = {entry.key for entry in entries}
    number, key = 1, stem
    while key in taken:
        number += 1
        key = f"{stem}-{number}"
    return same or key


def _of_the_game(entry: Entry) -> bool:
    return any(parsed_key(key) for key in entry.table["spells"])


def _fits(wanted: str, names: tuple[str, str]) -> bool:
    return not wanted or any(wanted in plain(name) for name in names)


def _show(shown: QListWidget, rows: list[tuple[str, str, tuple[str, str]]], current: str) -> None:
    shown.blockSignals(True)
    shown.clear()
    for key, name, _ in rows:
        item = QListWidgetItem(name)
        item.setData(_KEY, key)
        shown.addItem(item)
        if key == current:
            shown.setCurrentItem(item)
    shown.blockSignals(False)


def _words(spell: SpellOfClass) -> str:
    """Returns a spell's line: its name, from which level on, and how far it is judged where not wholly."""
    name = spell.names.called(language())
    if spell.verdict == WHOLLY:
        return tr("{name}  ·  level {level}", name=name, level=spell.from_level)
    return tr(
        "{name}  ·  level {level}  ·  {verdict}; left out: {what}",
        name=name,
        level=spell.from_level,
        verdict=tr(VERDICTS[spell.verdict]),
        what=tr(listed(spell.left_out)),
    )
