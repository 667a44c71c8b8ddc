"""The page of kept fights: the list, then one fight to step through, to practise from and to export."""

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QStackedWidget,
    QWidget,
)

from botapp.content.errors import FieldError
from botapp.host.files import write_whole
from botapp.host.message import error_text
from botapp.host.settings import Settings
from botapp.review.form import SUFFIX, read_fight, to_bytes
from botapp.review.kept_fight import KeptFight, nameless
from botapp.review.shelf import FightShelf
from botapp.ui import positions, theme
from botapp.ui.review import film, texts
from botapp.ui.review.fights import FightList
from botapp.ui.review.lesson import Lesson
from botapp.ui.review.progress import Progress
from botapp.ui.review.viewer import FightViewer
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of, flow_of, row_of
from botapp.ui.widgets.labels import Note, button, fitting, label, put_page, scrolled, set_role
from botapp.ui.widgets.position_menu import PositionMenu


class ReviewPage(QDialog):
    """Kept fights.

    Signals:
        changed: the new `Settings`.
        practice_asked: the `FightState` to be played from.
        paste_asked: the position on the clipboard is to be played.
        asked: a question to the worker, about a moment that is being learnt from.
        compared: a `FightState`, the advised `TurnLine` and another one, to be put beside each other.
    """

    changed = Signal(object)
    practice_asked = Signal(object)
    paste_asked = Signal()
    asked = Signal(object)
    compared = Signal(object, object, object)

    def __init__(
        self,
        settings: Callable[[], Settings],
        shelf: FightShelf,
        parent: QWidget | None = None,
        under_way: Callable[[], Path | None] = lambda: None,
    ) -> None:
        """Makes the page; `under_way` returns the file of the fight that is watched, None for none."""
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - Fights"))
        self.shelf = shelf
        self._stem = "fight"
        self._under_way, self._watched = under_way, False
        self.fights = FightList(settings, shelf, under_way)
        self.fights.opened.connect(self.open_file)
        self.fights.changed.connect(self.changed)
        self.lesson = Lesson()
        self.lesson.asked.connect(self.asked)
        self.lesson.practice_asked.connect(self.practice_asked)
        self._follow(self.lesson.menu)
        self.fights.progress_asked.connect(self.show_progress)
        self.title = label(wrap=True)
        self.title.setFont(theme.font(1.05, bold=True))
        self.back = button(tr("All fights"), self._go_back, icon="left")
        self.save_picture = button(tr("Save as animated picture…"), self._save_picture)
        self.save_file = button(tr("Save as file…"), self._save_file)
        self.copy_position = button(
            tr("Copy position"),
            self._copy_position,
            tip=tr("Puts the position on the clipboard as a line of text that can be pasted (Ctrl+Shift+C)."),
        )
        self.with_names = QCheckBox(tr("with the names of people"))
        self.with_names.setToolTip(
            tr("Names that people gave to fighters are left out unless you ask for them.")
        )
        self.note = Note("good")
        self.stack = QStackedWidget(self)
        self._lay_out()
        for keys, do in (("Ctrl+Shift+C", self._copy_position), ("Ctrl+Shift+V", self.paste_asked)):
            QShortcut(QKeySequence(keys), self).activated.connect(do)
        self.show_list()

    @cached_property
    def viewer(self) -> FightViewer:
        """One fight, step by step; made when the first is opened, as the list alone opens sooner."""
        made = FightViewer()
        made.practice_asked.connect(self.practice_asked)
        made.compared.connect(self.compared)
        self._follow(made.menu)
        made.lesson_asked.connect(self.show_lesson)
        self._put(1, made)
        return made

    @cached_property
    def progress(self) -> Progress:
        """How the person plays over the weeks, made when it is first wanted."""
        made = Progress()
        self._put(3, made)
        return made

    def show_list(self) -> None:
        self.note.setText("")
        self.fights.refresh()
        self._turn_to(0)
        self.fights.table.setFocus()

    @Slot(object)
    def open_file(self, path: Path) -> None:
        """Opens a kept fight; one that cannot be read is said."""
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            fight = read_fight(path)
        except (OSError, FieldError) as error:
            self.tell(
                tr("{file} cannot be read: {problem}.", file=path.name, problem=tr(error_text(error))), "bad"
            )
            return
        finally:
            QGuiApplication.restoreOverrideCursor()
        self.show_fight(fight, stem=path.stem, under_way=path == self._under_way())

    def show_fight(
        self, fight: KeptFight, at: int = 0, stem: str = "fight", *, under_way: bool = False
    ) -> None:
        self._stem, self._watched = stem, under_way
        self.note.setText("")
        self.viewer.show_fight(fight, at, under_way=under_way)
        self._turn_to(1)
        self.viewer.transport.slider.setFocus()

    @Slot()
    def show_lesson(self) -> None:
        if self.viewer.fight is None:
            return
        self.note.setText("")
        self.lesson.show_fight(self.viewer.fight)
        self._turn_to(2)
        self.lesson.board.setFocus()

    @Slot()
    def show_progress(self) -> None:
        self.note.setText("")
        self.progress.show_fights(self.fights.summaries)
        self._turn_to(3)
        (self.progress.client if self.progress.client.count() else self.back).setFocus()

    @Slot()
    def _go_back(self) -> None:
        if self.stack.currentIndex() == 2:
            self._turn_to(1)
        else:
            self.show_list()

    def _follow(self, menu: PositionMenu) -> None:
        menu.copied.connect(partial(self.tell, role="good"))
        menu.arena_asked.connect(self.practice_asked)
        menu.paste_asked.connect(self.paste_asked)

    @Slot()
    def _copy_position(self) -> None:
        moment = self.viewer.moment
        if moment is not None:
            self.tell(positions.copy(moment.state, names=self.with_names.isChecked()), "good")

    @Slot()
    def _save_picture(self) -> None:
        path = self._ask(tr("Save as animated picture"), ".gif", tr("Animated pictures (*.gif *.webp)"))
        if path is not None:
            self._save(path, film.save)

    @Slot()
    def _save_file(self) -> None:
        path = self._ask(tr("Save as file"), SUFFIX, tr("Fights (*{suffix})", suffix=SUFFIX))
        if path is not None:
            self._save(path, lambda fight, to: write_whole(to, to_bytes(fight)))

    def _save(self, path: Path, write: Callable[[KeptFight, Path], None]) -> None:
        fight = self.viewer.fight
        assert fight is not None
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            write(fight if self.with_names.isChecked() else nameless(fight), path)
        except (OSError, film.FilmError) as error:
            self.tell(
                tr("{file} could not be saved: {problem}", file=path.name, problem=tr(error_text(error))),
                "bad",
            )
        else:
            self.tell(tr("Saved as {file}.", file=str(path)), "good")
        finally:
            QGuiApplication.restoreOverrideCursor()

    def _ask(self, title: str, suffix: str, kinds: str) -> Path | None:
        """Asks where to save; a name without an ending gets the usual one."""
        proposed = str(Path.home() / f"{self._stem}{suffix}")
        chosen = QFileDialog.getSaveFileName(self, title, proposed, kinds)[0]
        if not chosen:
            return None
        return Path(chosen) if Path(chosen).suffix else Path(chosen + suffix)

    def _turn_to(self, view: int) -> None:
        """Shows the list (0), a fight (1), what is learnt from it (2) or how it goes over the weeks (3)."""
        self.stack.setCurrentIndex(view)
        for part in (self.back, self.title):
            part.setVisible(view > 0)
        self.back.setText(tr("This fight") if view == 2 else tr("All fights"))
        if view == 3:
            self.title.setText(tr("Over the weeks"))
        elif view > 0 and self.viewer.fight is not None:
            self.title.setText(texts.title(self.viewer.fight.summary, under_way=self._watched))
        for tool in (self.with_names, self.copy_position, self.save_picture, self.save_file):
            tool.setVisible(view == 1)

    def _put(self, view: int, made: QWidget) -> None:
        room = scrolled(made)
        room.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        put_page(self.stack, view, room)

    def tell(self, text: str, role: str) -> None:
        self.note.setText(text)
        set_role(self.note, role)

    def _lay_out(self) -> None:
        head = row_of(self.back, 8, (self.title, 1))
        self.stack.addWidget(self.fights)
        for _ in range(3):
            self.stack.addWidget(QWidget())
        self._put(2, self.lesson)
        close = button(tr("Close"), self.close)
        tools = self.copy_position, self.save_picture, self.save_file
        bottom = flow_of(self.with_names, *tools, close, right=True)
        column_of(head, (self.stack, 1), self.note, bottom, into=self, margins=(14, 14, 14, 12), spacing=10)
        self.resize(fitting(1240, 800))
