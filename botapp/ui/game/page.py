"""The page of the person's game: where the board lies, who the portraits are, what the spell bar holds.

It works on one picture that stands still until Refresh.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QTabWidget, QWidget

from botapp.content.game.grammar import monster_kind
from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import EntryKind, KnowledgeError
from botapp.host.message import unwritten
from botapp.host.settings import Settings
from botapp.runtime.messages import FrameSeen
from botapp.tracking import learnt_names, names
from botapp.tracking.game_pictures import known_pictures
from botapp.ui import words
from botapp.ui.game.board import BoardTab
from botapp.ui.game.character import CharacterTab
from botapp.ui.game.pictures import PictureItem, Pictures
from botapp.ui.game.questions import Title
from botapp.ui.game.reading import ReadingTab
from botapp.ui.game.spells import SpellsTab
from botapp.ui.game.start import StartTab
from botapp.ui.timers import timer
from botapp.ui.translation import language, mark, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Note, button, close_button, fitting, label
from vision.view import FightView

IN_ARENA = mark("In the practice arena every fighter and spell is known: there is nothing to name.")
_LOOK_MS = 1500  # How often a new picture is asked for while the page of the first advice is open
_SIDES = {"ally": mark("Ally"), "enemy": mark("Enemy")}


class GamePage(QDialog):
    """What a screen cannot tell, said once by the person.

    Signals:
        frame_asked: a new picture is wanted.
        learnt: something was said that the worker has to read anew.
        changed: the new `Settings`.
        pick_asked: the person wants to pick the window that is watched.
    """

    frame_asked = Signal()
    pick_asked = Signal()
    learnt = Signal()
    changed = Signal(object)

    def __init__(
        self,
        settings: Settings,
        base: KnowledgeBase,
        parent: QWidget | None = None,
        title: Title | None = None,
    ) -> None:
        super().__init__(parent)
        title = title or Title()
        self.setWindowTitle(tr("botapp - My game"))
        self.settings, self.base = settings, base
        recalled = names.load()
        self.names = recalled.value
        self._seen = FrameSeen(None, None, "")
        self.character = CharacterTab(base, settings.advisor.player_class, title.game_class)
        self.character.chosen.connect(self._play_character)
        self.character.learnt.connect(self._learnt)
        self.portraits = Pictures(
            "portraits",
            tr(
                "The screen does not show what an enemy can do. Name a portrait once, and it is "
                "recognised from then on."
            ),
            mark("No portraits were found in this picture. Open a fight, then press Refresh the picture."),
        )
        self.icons = Pictures(
            "icons",
            tr("Choose the spell of each icon of the spell bar once, and it is recognised from then on."),
            mark("No spell icons were found in this picture. Open a fight, then press Refresh the picture."),
        )
        for pictures in (self.portraits, self.icons):
            pictures.named.connect(self._name)
        self.board = BoardTab(settings.capture.target)
        self.board.learnt.connect(self.learnt)
        self.start = StartTab(base, self.board, settings.advisor.player_class, title)
        self.start.chosen.connect(self._play_character)
        self.start.learnt.connect(self.learnt)
        self.start.place_asked.connect(self._open_place)
        self.board.learnt.connect(self.start.refresh)
        self._looking = timer(self, self._look_again, _LOOK_MS)
        self.tabs = QTabWidget(self)
        self.tabs.addTab(self.start, tr("First advice"))
        self.tabs.addTab(self.character, tr("My character"))
        if settings.capture.target == "arena":
            self.tabs.setCurrentWidget(self.character)
        self._spells_at = self.tabs.addTab(QWidget(), tr("My spells"))
        self.tabs.addTab(self.icons, tr("Spell bar"))
        self.tabs.addTab(self.portraits, tr("Fighters"))
        self.tabs.addTab(self.board, tr("Board"))
        self.reading = ReadingTab(settings.capture.target)
        self.tabs.addTab(self.reading, tr("What is read"))
        self.trouble = Note("bad")
        self.tabs.currentChanged.connect(self._turn_to)
        self._lay_out()
        self.trouble.setText("\n".join(tr(message) for message in recalled.messages))

    @cached_property
    def spells(self) -> SpellsTab:
        """The tab of the person's spells, made when it is first turned to: the page opens sooner so."""
        made = SpellsTab(self.base, self.settings.advisor.player_class)
        made.chosen.connect(self._play)
        made.learnt.connect(self._learnt)
        at, empty = self._spells_at, self.tabs.widget(self._spells_at)
        current = self.tabs.currentIndex()
        with QSignalBlocker(self.tabs):
            self.tabs.insertTab(at, made, self.tabs.tabText(at))
            self.tabs.removeTab(at + 1)
            self.tabs.setCurrentIndex(current)
        if empty is not None:
            empty.deleteLater()
        return made

    @Slot(int)
    def _turn_to(self, tab: int) -> None:
        if tab == self._spells_at:
            self.spells.show()

    @Slot(object)
    def show_frame(self, seen: FrameSeen) -> None:
        self._seen = seen
        view = seen.view or FightView()
        known = self._known_names()
        nothing = IN_ARENA if self.settings.capture.target == "arena" else ""
        self.portraits.show_pictures(
            seen.pixels, _portraits(view), known, self._fighters(), self._grades, nothing
        )
        self.icons.show_pictures(seen.pixels, _icons(view), known, self._spells(), nothing=nothing)
        self.board.show_frame(seen)
        self.start.show_frame(seen, known)
        self.character.suggest(seen.guess)
        self.reading.show_frame(seen)
        self.note.setText(words.reason(seen.reason or view.reason))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._looking.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._looking.stop()

    def show_settings(self, settings: Settings) -> None:
        before, self.settings = self.settings, settings
        playing = settings.advisor.player_class
        if before.advisor.player_class != playing:
            self.character.playing = playing
            self.character.refresh()
            self._show_played(playing)
            self.start.refresh(playing)
            self.show_frame(self._seen)

    @Slot()
    def _look_again(self) -> None:
        """Asks for a new picture while it is waited for one of a fight, or for what is still unknown."""
        if self.tabs.currentWidget() is self.start:
            self.frame_asked.emit()

    @Slot(str)
    def _open_place(self, place: str) -> None:
        self.tabs.setCurrentWidget(getattr(self, place))

    def _known_names(self) -> names.Names:
        pictures = known_pictures(self.base.pictures_folder)
        return replace(self.names, pictures=pictures).over(learnt_names.load().value.names)

    @Slot(str, str)
    def _name(self, signature: str, key: str) -> None:
        pictures = self.sender()
        if not isinstance(pictures, Pictures):
            return
        named = self.names.with_name(pictures.kind, signature, key)
        if self._try(lambda: names.save(named)):
            self.names = named
            self.learnt.emit()
            if self._grades(key):
                self.show_frame(self._seen)

    @Slot(str)
    def _play(self, key: str) -> None:
        self.settings = self.settings.changed("advisor.player_class", key)
        self.changed.emit(self.settings)
        self.show_frame(self._seen)

    @Slot(str)
    def _play_character(self, key: str) -> None:
        self._show_played(key)
        self._play(key)

    def _show_played(self, key: str) -> None:
        if "spells" in vars(self):
            self.spells.playing = key
            self.spells.refresh(key)

    @Slot()
    def _learnt(self) -> None:
        self.learnt.emit()
        self.show_frame(self._seen)

    def _try(self, keep: Callable[[], None]) -> bool:
        try:
            keep()
        except OSError as error:
            self.trouble.setText(tr("This could not be saved: {error}.", error=unwritten(error)))
            return False
        self.trouble.setText("")
        return True

    def _fighters(self) -> list[tuple[str, str]]:
        choices: list[tuple[str, str]] = []
        for kind in (EntryKind.MONSTER, EntryKind.CLASS):
            choices += sorted(
                ((e.key, e.called(language())) for e in self.base.entries(kind)), key=lambda pair: pair[1]
            )
        game = self.base.game
        if game is not None:
            named = [(monster_kind(monster.number), monster.called(language())) for monster in game.monsters]
            choices += sorted(named, key=lambda pair: pair[1])
        return choices

    def _grades(self, key: str) -> list[tuple[str, str]]:
        game = self.base.game
        named = game.monster_of_key(key) if game is not None else None
        if game is None or named is None:
            return []
        kind = monster_kind(named[0])
        grades = [
            (f"{kind}-{grade.grade}", tr("Level {level}, {hp} HP", level=grade.level, hp=grade.hp))
            for grade in game.grades(named[0])
        ]
        return [(kind, tr("Near my level")), *grades]

    def _spells(self) -> list[tuple[str, str]]:
        playing = self.settings.advisor.player_class
        try:
            keys = self.base.get(EntryKind.CLASS, playing).table["spells"]
        except KnowledgeError:
            return []
        return [(key, self.base.get(EntryKind.SPELL, key).called(language())) for key in keys]

    def _lay_out(self) -> None:
        refresh = button(tr("Refresh the picture"), self.frame_asked)
        pick = button(tr("Pick the game's window"), self.pick_asked)
        self.note = label("", "muted", wrap=True)
        bottom = row_of(refresh, pick, (self.note, 1), close_button(self))
        column_of((self.tabs, 1), self.trouble, bottom, into=self, margins=(14, 14, 14, 12), spacing=10)
        self.resize(fitting(1120, 780))


def _portraits(view: FightView) -> list[PictureItem]:
    items = [
        PictureItem(card.portrait, card.box, tr(_SIDES[card.team]))
        for card in view.timeline
        if card.team is not None and card.team != "own"
    ]
    for fighter in view.others:
        if fighter.name_box is not None:
            items.append(PictureItem(fighter.name, fighter.name_box, tr(_SIDES[fighter.team])))
    return items


def _icons(view: FightView) -> list[PictureItem]:
    return [
        PictureItem(slot.icon, slot.box, tr("Slot {number}", number=slot.index + 1))
        for slot in view.spells
        if slot.box is not None and slot.icon
    ]
