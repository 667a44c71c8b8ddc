"""The cards of the questions before the first advice: who is played, and what is not sure."""

from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFrame, QSpinBox, QVBoxLayout, QWidget

from botapp.content.game.data import GameClass
from botapp.content.knowledge.base import KnowledgeBase
from botapp.tracking.first_fight import Doubt
from botapp.tracking.spellbook import class_called
from botapp.ui.translation import language, tr
from botapp.ui.widgets.boxes import LEFT, column_of, row_of, settle
from botapp.ui.widgets.labels import Note, button, label

_HIGHEST = 200


@dataclass(frozen=True, slots=True)
class Title:
    """What the window's title tells: the character's name and its class, "" where it does not."""

    character: str = ""
    game_class: str = ""


class WhoCard(QFrame):
    """Which class is played, at which level, and what that makes of the spells.

    Signals:
        edited: the player has chosen another class or level.
        agreed: the player says that it is so.
        own_asked: the player wants to enter figures other than the usual ones.

    Attributes:
        entered: whether the class or the level was chosen by the player and not confirmed yet.
    """

    edited = Signal()
    agreed = Signal()
    own_asked = Signal()

    def __init__(self, base: KnowledgeBase, title: Title) -> None:
        super().__init__()
        self.setObjectName("card")
        self._base, self._title = base, title
        self.entered = False
        self.classes = QComboBox()
        self.classes.setAccessibleName(tr("Class"))
        self.classes.activated.connect(self._change)
        self.level = QSpinBox()
        self.level.setRange(1, _HIGHEST)
        self.level.setValue(_HIGHEST)
        self.level.setAccessibleName(tr("Level"))
        self.level.valueChanged.connect(self._change)
        self.source, self.spells = Note("muted"), label("", "muted", wrap=True)
        self.yes = button("", self.agreed, role="primary")
        self.trouble = Note("bad")
        column_of(
            label(title.character or tr("You play"), "title", wrap=True),
            row_of((self.classes, 1), label(tr("Level")), self.level),
            self.source,
            self.spells,
            label(tr("Figures: the usual ones for this level."), "muted", wrap=True),
            self.yes,
            (button(tr("Enter my own figures"), self.own_asked), LEFT),
            self.trouble,
            into=self,
            margins=(12, 10, 12, 10),
            spacing=8,
        )

    @property
    def game_class(self) -> GameClass | None:
        key, game = self.classes.currentData(), self._base.game
        return game.class_called(key) if key and game is not None else None

    def enter(self, key: str, level: int) -> None:
        self.classes.setCurrentIndex(self.classes.findData(key))
        self.level.setValue(level)
        self._change()

    def show_level(self, level: int, source: str) -> None:
        """Shows a level that the player has not entered here, and where it is from, in words."""
        with QSignalBlocker(self.level):
            self.level.setValue(level)
        self.source.setText(source)

    def show_known(self, spells: str, *, settled: bool) -> None:
        level = self.level.value()
        self.yes.setEnabled(self.game_class is not None and not settled)
        self.yes.setText(
            tr("Level {level} is confirmed", level=level)
            if settled
            else tr("Yes, my level is {level}", level=level)
        )
        self.spells.setText(spells)

    def confirm(self) -> None:
        self.entered = False
        self.source.setText("")
        self.trouble.setText("")

    @Slot()
    def _change(self) -> None:
        self.entered = True
        self.source.setText("")
        self.edited.emit()

    def list_classes(self, key: str) -> None:
        """Lists the game's classes, at first the one of the title, else that of a profile."""
        game = self._base.game
        for game_class in game.classes if game is not None else ():
            self.classes.addItem(game_class.names.called(language()), game_class.key)
        playing = self._base.fighter(key) if key else None
        number = game.class_of(playing) if game is not None and playing is not None else 0
        own = (
            next((game_class.key for game_class in game.classes if game_class.names.number == number), "")
            if game
            else ""
        )
        wanted = self._key_in_title() or own or key
        self.classes.setCurrentIndex(self.classes.findData(wanted))

    def _key_in_title(self) -> str:
        key, game = class_called(self._title.game_class), self._base.game
        template = self._base.fighter(key) if key else None
        if game is None or template is None or game.class_called(key) is not None:
            return key
        number = game.class_of(template)
        return next((game_class.key for game_class in game.classes if game_class.names.number == number), "")


class DoubtsCard(QFrame):
    """What is not sure, each with what it costs and where it is put right.

    Signals:
        place_asked: the part of My game where a doubt can be put right.
    """

    place_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.doubts: list[Doubt] = []
        self._none = label("", "muted", wrap=True)
        self._rows = QVBoxLayout()
        parts = label(tr("Not sure, and what it costs"), "title"), self._none, self._rows
        column_of(*parts, into=self, margins=(12, 10, 12, 10), spacing=4)

    def show_doubts(self, doubts: list[Doubt], *, in_fight: bool) -> None:
        if doubts == self.doubts and self._none.text() and in_fight:
            return
        self.doubts = doubts
        while self._rows.count():
            item = self._rows.takeAt(0)
            if item is not None and (row := item.widget()) is not None:
                row.hide()
                row.deleteLater()
        for doubt in doubts:
            self._rows.addWidget(self._row(doubt))
        self._none.setText(
            tr("Everything that is needed is known.") if in_fight else tr("Seen once a fight is on screen.")
        )
        self._none.setVisible(not doubts)
        settle()

    def _row(self, doubt: Doubt) -> QWidget:
        made = QWidget()
        what, cost = label(tr(doubt.what), wrap=True), label(tr(doubt.cost), "muted", wrap=True)
        line = column_of(what, cost, into=made, margins=(0, 2, 0, 6), spacing=6)
        if doubt.place:
            right = button(tr("Put right"), lambda: self.place_asked.emit(doubt.place))
            right.setAccessibleName(f"{tr('Put right')}: {tr(doubt.what)}")
            line.addWidget(right, 0, LEFT)
        return made
