"""Brings the game's data in, from files or from the public database; what it does runs in a thread."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFileDialog, QMessageBox, QProgressBar, QWidget

from botapp.content.game.comparing import PoorerImportError
from botapp.content.game.fetching import ADDRESS, DownloadPlan, Fetcher, FetchStopped, Site, plan_lines
from botapp.content.game.importing import ImportProgress, Report, import_game
from botapp.content.game.pictures import fetch_pictures, wanted_of
from botapp.content.game.report_words import lines_of
from botapp.content.game.store import GameStore, current
from botapp.content.knowledge.base import KnowledgeBase
from botapp.host.message import error_text, say
from botapp.tracking.game_pictures import brought_line, index_pictures
from botapp.ui.translation import tr, tr_counted
from botapp.ui.widgets.boxes import column_of, flow_of
from botapp.ui.widgets.labels import Note, button, label, scrolled

_REPORT_HEIGHT = 84
_FILES = "JSON, ZIP (*.json *.zip);;*"


class Bringer(QObject):
    """Brings the game's data, and their pictures, in a thread; the signals come from it.

    Nothing is asked of any address before `plan`, and nothing is downloaded before `fetch`.

    Signals:
        progressed: how far it has come, 0..1, and with what, in English words.
        planned: a `DownloadPlan`.
        poorer: the data that were read hold less than those in use: what, in English words.
        ended: a `Report` with what is said of its pictures; or None with why there is none, "" where the
            person has stopped it.

    Attributes:
        pictures: whether a download brings the pictures too.
    """

    progressed = Signal(float, str)
    planned = Signal(object)
    poorer = Signal(str)
    ended = Signal(object, str)

    def __init__(self, base: KnowledgeBase, address: str) -> None:
        super().__init__()
        self._base, self._address = base, address
        self._stopping = threading.Event()
        self._fetcher: Fetcher | None = None
        self._paths: list[Path] = []
        self.pictures = False

    def read(self, paths: Sequence[Path]) -> None:
        self._paths, self._fetcher = list(paths), None
        self._begin(self._read)

    def read_poorer(self) -> None:
        """Reads once more what has less than the data in use, to take it all the same."""
        self._begin(lambda: self._read(replace=True))

    def plan(self) -> None:
        """Asks the public database what a download takes."""
        fetcher = Fetcher(self._base.fetched_folder, self._address, self._tell, self._stopping.is_set)
        self._fetcher = fetcher
        self._begin(lambda: self.planned.emit(fetcher.plan()))

    def fetch(self) -> None:
        """Downloads what was planned, and reads it."""
        self._begin(self._fetch)

    def stop(self) -> None:
        self._stopping.set()

    def _begin(self, work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except FetchStopped:
                self.ended.emit(None, "")
            except PoorerImportError as error:
                self.poorer.emit(error.poorer)
            except (ValueError, OSError) as error:
                self.ended.emit(None, error_text(error))

        self._stopping.clear()
        threading.Thread(target=run, daemon=True).start()

    def _fetch(self) -> None:
        assert self._fetcher is not None
        self._paths = [self._fetcher.fetch()]
        self._read()

    def _read(self, *, replace: bool = False) -> None:
        report = import_game(self._paths, self._base.game_folder, self._tell, replace=replace)
        pictures = ""
        if self._fetcher is not None:
            self._fetcher.clear()
            pictures = self._bring_pictures() if self.pictures else ""
        self.ended.emit(report, pictures)

    def _bring_pictures(self) -> str:
        path = current(self._base.game_folder)
        assert path is not None
        store, folder = GameStore(path), self._base.pictures_folder
        try:
            site = Site(self._address, self._stopping.is_set)
            report = fetch_pictures(site, wanted_of(store), folder, self._tell)
            return brought_line(report, index_pictures(folder, store))
        except FetchStopped:
            index_pictures(folder, store)
            return say("The pictures that have come are used; the next download brings the others.")
        except (ValueError, OSError) as error:
            return error_text(error)
        finally:
            store.close()

    def _tell(self, progress: ImportProgress) -> None:
        self.progressed.emit(progress.share, progress.doing)


class GameDataCard(QWidget):
    """Tells which data are in place and offers the ways to others; a download once it is said what it takes.

    Signals:
        brought: new data are in place.
    """

    brought = Signal()

    def __init__(self, base: KnowledgeBase, address: str = ADDRESS) -> None:
        super().__init__()
        self.base = base
        self.bringer = Bringer(base, address)
        self.standing = label("", wrap=True)
        self.report = label("", "muted", wrap=True)
        self.trouble = Note("bad")
        self.folder = button(tr("From a folder…"), self._ask_folder)
        self.files = button(tr("From files…"), self._ask_files)
        self.download = button(tr("Download…"), self._ask_download)
        self.with_pictures = QCheckBox(tr("With pictures"))
        self.with_pictures.setToolTip(
            tr("Spells' icons and monsters' portraits, by which the app knows them on screen: some 25 min.")
        )
        self.stop = button(tr("Stop"), self._stop)
        self.back = button(tr("Bring the former back"), self._bring_back)
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setAccessibleName(tr("How far the reading is"))
        self.found = scrolled(self.report, by_keys=True)
        self.found.setMaximumHeight(_REPORT_HEIGHT)
        line = flow_of(self.folder, self.files, self.download, self.with_pictures, self.stop, self.back)
        parts = self.standing, line, self.bar, self.found, self.trouble
        column_of(*parts, into=self, margins=(0, 0, 0, 0))
        for widget in (self.bar, self.found, self.stop):
            widget.hide()
        self.bringer.planned.connect(self._confirm)
        self.bringer.progressed.connect(self._show_progress)
        self.bringer.ended.connect(self._end)
        self.bringer.poorer.connect(self._ask_replace)
        self.refresh()

    def refresh(self) -> None:
        game = self.base.game
        self.back.setVisible(self.base.has_former)
        if game is None:
            self.standing.setText(
                tr(
                    "The app comes without the game's data. Bring them once after each update of the game: "
                    "download them from the players' public database, or choose its answers saved as JSON."
                )
            )
        else:
            classes, monsters = len(game.classes), len(game.monsters)
            day = QDate.fromString(game.store.meta.get("imported", "")[:10], Qt.DateFormat.ISODate)
            self.standing.setText(
                tr(
                    "Of the game: {classes} and {monsters}, brought in on {day}.",
                    classes=tr_counted(classes, "{number} class", "{number} classes", number=classes),
                    monsters=tr_counted(monsters, "{number} monster", "{number} monsters", number=monsters),
                    day=QLocale().toString(day, QLocale.FormatType.ShortFormat),
                )
            )

    def bring(self, paths: Sequence[Path]) -> None:
        self._show_begun()
        self.bringer.read(paths)

    def _show_begun(self) -> None:
        self._set_busy(True)
        self.found.hide()
        self.trouble.setText("")

    @Slot(str)
    def _ask_replace(self, poorer: str) -> None:
        self._set_busy(False)
        text = tr(
            "These data hold less than those in use ({poorer}). Take them all the same?", poorer=tr(poorer)
        )
        if self._agrees(tr("Less than before"), text):
            self._show_begun()
            self.bringer.read_poorer()

    def _agrees(self, title: str, text: str) -> bool:
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(self, title, text, buttons.Yes | buttons.No, buttons.No)
        return answer == buttons.Yes

    @Slot()
    def _bring_back(self) -> None:
        try:
            self.base.bring_back()
        except ValueError as error:
            self._end(None, error_text(error))
            return
        self.found.hide()
        self.trouble.setText("")
        self.refresh()
        self.brought.emit()

    @Slot()
    def _ask_download(self) -> None:
        self._show_begun()
        self.bringer.plan()
        self.stop.show()

    @Slot(object)
    def _confirm(self, plan: DownloadPlan) -> None:
        self._set_busy(False)
        self.bringer.pictures = self.with_pictures.isChecked()
        lines = [tr(line) for line in plan_lines(plan)]
        if self.bringer.pictures:
            lines.append(
                tr(
                    "Then the pictures of the classes' spells and of all monsters, one after the other: they "
                    "are kept on this computer only, and you can stop at any time."
                )
            )
        if self._agrees(tr("Download the game's data?"), "\n\n".join(lines)):
            self._show_begun()
            self.bringer.fetch()
            self.stop.show()

    @Slot()
    def _stop(self) -> None:
        self.bringer.stop()
        self.stop.setEnabled(False)

    @Slot(float, str)
    def _show_progress(self, share: float, doing: str) -> None:
        self.bar.setValue(round(100 * share))
        self.bar.setFormat(f"{tr(doing)} %p%")

    @Slot(object, str)
    def _end(self, report: Report | None, trouble: str) -> None:
        self._set_busy(False)
        if report is None:
            self.trouble.setText(tr(trouble))
            return
        self.base.reload()
        lines = [trouble] if trouble else []
        self.report.setText("\n".join(tr(line) for line in (*lines, *lines_of(report))))
        self.found.show()
        self.refresh()
        self.brought.emit()

    def _set_busy(self, busy: bool) -> None:
        self.bar.setValue(0)
        self.bar.setVisible(busy)
        for each in (self.folder, self.files, self.download, self.with_pictures, self.back):
            each.setEnabled(not busy)
        self.stop.setEnabled(True)
        self.stop.hide()

    @Slot()
    def _ask_folder(self) -> None:
        path = QFileDialog.getExistingDirectory(self, tr("The folder of the game's data"))
        if path:
            self.bring([Path(path)])

    @Slot()
    def _ask_files(self) -> None:
        paths, _ = QFileDialog.getOpenFileNames(self, tr("Files of the game's data"), "", _FILES)
        if paths:
            self.bring([Path(path) for path in paths])
