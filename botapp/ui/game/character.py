"""Who the person plays, of the game's own classes: class, level, spells in the bar's order, and the sheet.

What is put together here is kept as a class of the person's, a profile; a click on one plays it.
"""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from botapp.content.game.data import GameClass, SpellOfClass
from botapp.content.game.names import key_of, plain
from botapp.content.game.report_words import VERDICTS
from botapp.content.game.spells import WHOLLY, parsed_key
from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import Entry, EntryKind
from botapp.host.message import listed
from botapp.tracking.levels import LevelGuess
from botapp.tracking.spellbook import class_called
from botapp.ui.game.bringing import GameDataCard
from botapp.ui.game.sheet import SheetFields
from botapp.ui.translation import language, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Empty, Note, button, card_of, kept, label, scrolled

_KEY = Qt.ItemDataRole.UserRole
_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked
_HIGHEST = 200


class Finder(QWidget):
    """The person's characters and the game's classes, by what is searched for.

    Signals:
        profile_picked: the key of a character.
        class_picked: another class, that of `game_class`.
    """

    profile_picked = Signal(str)
    class_picked = Signal()

    def __init__(self, base: KnowledgeBase) -> None:
        super().__init__()
        self._base = base
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Class or spell…"))
        self.search.setAccessibleName(tr("Search for a class or a spell"))
        self.profiles, self.classes = QListWidget(), QListWidget()
        self.profiles.setAccessibleName(tr("Your characters"))
        self.classes.setAccessibleName(tr("Classes of the game"))
        self._profiles_title = label(tr("Your characters"), "muted")
        self.profiles.itemClicked.connect(lambda item: self.profile_picked.emit(item.data(_KEY)))
        self.classes.currentItemChanged.connect(self.class_picked)
        self.setFixedWidth(230)
        column_of(
            self.search,
            self._profiles_title,
            (self.profiles, 1),
            label(tr("Classes of the game"), "muted"),
            (self.classes, 2),
            into=self,
            margins=(0, 0, 0, 0),
        )

    @property
    def game_class(self) -> GameClass | None:
        item, game = self.classes.currentItem(), self._base.game
        return game.class_called(item.data(_KEY)) if item is not None and game is not None else None

    def show_found(self, playing: str, chosen: str) -> None:
        """Lists what fits the search; marked are the character that is played and the class that is shown."""
        wanted = plain(self.search.text())
        game = self._base.game
        own = (entry for entry in self._base.entries(EntryKind.CLASS) if entry.own)
        profiles = [entry for entry in own if any(map(parsed_key, entry.table["spells"]))]
        rows = [(entry.key, entry.called(language()), (entry.name, entry.name_fr)) for entry in profiles]
        _show(self.profiles, [row for row in rows if _fits(wanted, row[2])], playing)
        for widget in (self.profiles, self._profiles_title):
            widget.setVisible(self.profiles.count() > 0)
        classes = game.classes if game is not None else ()
        rows = [
            (
                game_class.key,
                game_class.names.called(language()),
                (game_class.names.name, game_class.names.name_fr),
            )
            for game_class in classes
        ]
        by_spell = game.classes_with_spell(wanted) if game is not None else {}
        shown = [row for row in rows if _fits(wanted, row[2])]
        shown += [
            (key, f"{name} · {by_spell[key].called(language())}", names)
            for key, name, names in rows
            if key in by_spell and not _fits(wanted, names)
        ]
        shown.sort(key=lambda row: plain(row[1]))
        _show(self.classes, shown, chosen)


class SpellOrder(QListWidget):
    """The spells of a class: those on the bar ticked and in its order; of a pair one at most.

    Attributes:
        of_class: None before one is chosen.
        known: all spells of the class.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Spells, in the order of the spell bar"))
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setMinimumHeight(220)
        self.of_class: GameClass | None = None
        self.known: tuple[SpellOfClass, ...] = ()
        self.itemChanged.connect(self._checked)

    def show_bar(self, on_bar: Sequence[int], level: int) -> None:
        """Lists the spells of a level, ticked those `on_bar`, which are numbers of the game."""
        known = {spell.names.number: spell for spell in self.known if spell.from_level <= level}
        bar = [number for number in on_bar if number in known]
        with QSignalBlocker(self):
            self.clear()
            for number in (*bar, *(number for number in known if number not in bar)):
                item = QListWidgetItem(_words(known[number]))
                item.setData(_KEY, number)
                item.setCheckState(_CHECKED if number in bar else _UNCHECKED)
                item.setToolTip(item.text())
                self.addItem(item)

    def bar(self) -> list[int]:
        items = [self.item(row) for row in range(self.count())]
        return [item.data(_KEY) for item in items if item.checkState() == _CHECKED]

    def change_level(self, level: int, usual: Sequence[int]) -> None:
        """Lists the spells of another level; those that were on the bar stay on it where they are known."""
        before = self.bar()
        staying = [
            spell for spell in self.known if spell.names.number in before and spell.from_level <= level
        ]
        pairs = {spell.pair for spell in staying}
        of = {spell.names.number: spell.pair for spell in self.known}
        self.show_bar([*before, *(number for number in usual if of[number] not in pairs)], level)

    @Slot(QListWidgetItem)
    def _checked(self, item: QListWidgetItem) -> None:
        if item.checkState() != _CHECKED:
            return
        pair = next((spell.pair for spell in self.known if spell.names.number == item.data(_KEY)), -1)
        others = {spell.names.number for spell in self.known if spell.pair == pair}
        for row in range(self.count()):
            other = self.item(row)
            if other is not item and other.data(_KEY) in others:
                other.setCheckState(_UNCHECKED)


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
        self.finder = Finder(base)
        self.finder.search.textChanged.connect(self._list)
        self.finder.profile_picked.connect(self._play_profile)
        self.finder.class_picked.connect(self._pick_class)
        self.name = QLineEdit()
        self.name.setAccessibleName(tr("Name of the character"))
        self.play = button(tr("Play this character"), self._keep, role="primary")
        self.spells = SpellOrder()
        self.sheet = SheetFields()
        self.sheet.fields["level"].valueChanged.connect(self._change_level)
        self.usual = button(tr("Usual figures for this level"), self._fill_in)
        self.trouble = Note("bad")
        self._suggested, self._of_profile = _HIGHEST, False
        self._lay_out()
        self.refresh()

    def refresh(self) -> None:
        self.data.refresh()
        self._list()
        classes = self.finder.classes
        if classes.currentItem() is None and classes.count():
            self.show_class(class_called(self._game_class))
        if classes.currentItem() is None and classes.count():
            classes.setCurrentRow(0)
        self.right.setVisible(self.spells.of_class is not None)
        self.finder.setVisible(self.base.game is not None)
        self.empty.setVisible(self.base.game is None)

    def show_class(self, key: str) -> None:
        """Shows a class of the game, to make a character of it."""
        self.finder.search.clear()
        classes = self.finder.classes
        for row in range(classes.count()):
            if classes.item(row).data(_KEY) == key:
                classes.setCurrentRow(row)

    def suggest(self, guess: LevelGuess) -> None:
        """Starts a new character at the level read off the screen, unless something was entered."""
        field = self.sheet.fields["level"]
        entered = self.spells.of_class is not None and self.sheet.edited_since
        if guess.source == "none" or self._of_profile or entered or field.value() != self._suggested:
            return
        self._suggested = guess.level
        field.setValue(guess.level)

    @Slot()
    def _brought(self) -> None:
        self.spells.of_class = None
        self.refresh()
        self.learnt.emit()

    @Slot()
    def _list(self) -> None:
        self.finder.show_found(
            self.playing, self.spells.of_class.key if self.spells.of_class is not None else ""
        )

    @Slot(str)
    def _play_profile(self, key: str) -> None:
        entry = self.base.get(EntryKind.CLASS, key)
        self._use(entry.key)
        self._show_profile(entry)

    @Slot()
    def _pick_class(self) -> None:
        game_class = self.finder.game_class
        if game_class is None or game_class == self.spells.of_class:
            return
        self._open(game_class)
        self._of_profile = False
        self.name.setText(game_class.names.called(language()))
        self.spells.show_bar(self._usual_spells(), self.level)
        self._fill_in()

    def _open(self, game_class: GameClass) -> None:
        assert self.base.game is not None
        self.spells.of_class = game_class
        self.spells.known = self.base.game.spells_of(game_class)
        self.right.show()

    def _show_profile(self, entry: Entry) -> None:
        numbers = [parsed[0] for key in entry.table["spells"] if (parsed := parsed_key(key))]
        classes = self.base.game.classes if self.base.game is not None else ()
        game_class = next(
            (game_class for game_class in classes if any(numbers[0] in pair for pair in game_class.pairs)),
            None,
        )
        if game_class is None:
            return
        self._open(game_class)
        self._of_profile = True
        self._list()
        self.name.setText(entry.called(language()))
        self.sheet.show_table(entry.table)
        self.spells.show_bar(numbers, self.level)

    @property
    def level(self) -> int:
        return self.sheet.fields["level"].value()

    @Slot()
    def _change_level(self) -> None:
        if self.spells.of_class is not None:
            self.spells.change_level(self.level, self._usual_spells())
            if not self.sheet.edited_since:
                self._fill_in()

    def _usual_spells(self) -> Sequence[int]:
        assert self.base.game is not None and self.spells.of_class is not None
        return self.base.game.usual_spells(self.spells.of_class, self.level)

    @Slot()
    def _fill_in(self) -> None:
        if self.spells.of_class is None or self.base.game is None:
            return
        self.sheet.fill_in(
            self.base.game.usual_character(self.spells.of_class, self.level, self.spells.bar())
        )

    @Slot()
    def _keep(self) -> None:
        game, game_class = self.base.game, self.spells.of_class
        if game is None or game_class is None:
            return
        name = self.name.text().strip() or game_class.names.called(language())
        before = {"stats": {}, "name": name, "name_fr": name}
        table: dict[str, Any] = self.sheet.table(before)
        usual = game.usual_character(game_class, self.level, self.spells.bar())
        table["spells"] = usual["spells"]
        table["stats"] = {**{k: v for k, v in usual["stats"].items() if k not in _SHOWN}, **table["stats"]}
        key = profile_key(self.base, name)
        if kept(lambda: self.base.save(self.base.draft(EntryKind.CLASS, key, table)), self.trouble):
            self._use(key)

    def _use(self, key: str) -> None:
        self.playing = key
        self.chosen.emit(key)
        self.learnt.emit()
        self._list()

    def _lay_out(self) -> None:
        frame = card_of(label(tr("The game's data"), "title"), self.data)
        profile = QWidget()
        column_of(
            row_of((self.name, 1), self.usual, self.play),
            card_of(self.sheet),
            label(tr("Tick the spells on your bar and drag them into its order."), "muted", wrap=True),
            (self.spells, 1),
            self.trouble,
            into=profile,
            margins=(0, 0, 0, 0),
        )
        self.right = scrolled(profile)
        self.empty = Empty(
            "book",
            tr(
                "With the data the app knows the spells of every class and what monsters can do. Then you "
                "choose your class, your level and the spells on your bar here."
            ),
        )
        body = row_of(self.finder, (self.right, 1), (self.empty, 1), spacing=14)
        inner = QWidget()
        column_of(frame, (body, 1), into=inner, margins=(12, 12, 12, 8), spacing=10)
        column_of(scrolled(inner), into=self, margins=(0, 0, 0, 0))
        self.sheet.fields["level"].setValue(_HIGHEST)
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
    return same or free_key(base, EntryKind.CLASS, key_of(f"my-{name}", "my-character"), "-")


def free_key(base: KnowledgeBase, kind: EntryKind, stem: str, between: str) -> str:
    """Returns a key that nothing of a kind has yet: the stem, else the stem and a number from 2 on."""
    taken = {entry.key for entry in base.entries(kind)}
    numbered = (stem, *(f"{stem}{between}{number}" for number in range(2, len(taken) + 2)))
    return next(key for key in numbered if key not in taken)


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
