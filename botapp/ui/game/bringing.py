"""Brings the game's data in, from files or from the public database; what it does runs in a thread."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QDate, QLocale, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QMessageBox,
    QProgressBar,
    QWidget,
)

from botapp.content.game.comparing import PoorerImportError
from botapp.content.game.fetching import ADDRESS, DownloadPlan, Fetcher, FetchStopped, Site, plan_lines
from botapp.content.game.importing import ImportProgress, Report, import_game
from botapp.content.game.pictures import fetch_pictures, wanted_of
from botapp.content.game.report_words import lines_of
from botapp.content.game.store import GameStore, current
from botapp.content.knowledge.base import KnowledgeBase
from botapp.host.message import error_text, say
from botapp.tracking.game_pictures import brought_line, index_pictures
from botapp.ui.translation import counted, tr
from botapp.ui.widgets.boxes import column_of, flow_of
from botapp.ui.widgets.labels import button, label, scrolled

_REPORT_HEIGHT = 84
_FILES = "JSON, ZIP (*.json *.zip);;*"


class GameDataCard(QWidget):
    """Signals: `brought` when new data are in place; the others come from the thread that reads.

    Nothing is asked of any address before the person has pressed the button, and nothing is downloaded
    before they have been told what it takes and have agreed.
    """

    brought = Signal()
    progressed = Signal(float, str)
    ended = Signal(object, str)
    planned = Signal(object)
    poorer = Signal(str)

    def __init__(self, base: KnowledgeBase, address: str = ADDRESS) -> None:
        super().__init__()
        self.base, self.address = base, address
        self._stopping = threading.Event()
        self._fetcher: Fetcher | None = None
        self._paths: list[Path] = []
        self._pictures = False
        self.standing = label("", wrap=True)
        self.report = label("", "muted", wrap=True)
        self.trouble = label("", "bad", wrap=True)
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
        line = flow_of(self.folder, self.files, self.download, self.with_pictures, self.stop, self.back)
        box = column_of(self.standing, line, self.bar, into=self, margins=(0, 0, 0, 0))
        self.found = scrolled(self.report, by_keys=True)
        self.found.setMaximumHeight(_REPORT_HEIGHT)
        box.addWidget(self.found)
        box.addWidget(self.trouble)
        for widget in (self.bar, self.found, self.trouble, self.stop):
            widget.hide()
        self.planned.connect(self._confirm)
        self.progressed.connect(self._show_progress)
        self.ended.connect(self._end)
        self.poorer.connect(self._ask_replace)
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
            self.standing.setText(
                tr(
                    "Of the game: {classes} and {monsters}, brought in on {day}.",
                    classes=tr(counted(classes, "{number} class", "{number} classes", number=classes)),
                    monsters=tr(counted(monsters, "{number} monster", "{number} monsters", number=monsters)),
                    day=_day(game.store.meta.get("imported", "")),
                )
            )

    def bring(self, paths: Sequence[Path]) -> None:
        self._paths, self._fetcher = list(paths), None
        self._begin(self._read)

    def _begin(self, work: Callable[[], None]) -> None:
        """Runs work in a thread; errors are shown."""

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
        self._set_busy(True)
        self.found.hide()
        self.trouble.hide()
        threading.Thread(target=run, daemon=True).start()

    def _read(self, *, replace: bool = False) -> None:
        report = import_game(self._paths, self.base.game_folder, self._tell, replace=replace)
        pictures = ""
        if self._fetcher is not None:
            self._fetcher.clear()
            pictures = self._bring_pictures() if self._pictures else ""
        self.ended.emit(report, pictures)

    def _bring_pictures(self) -> str:
        """Brings the pictures of the data that have come; returns a line about them, for a person."""
        path = current(self.base.game_folder)
        assert path is not None
        store, folder = GameStore(path), self.base.pictures_folder
        try:
            site = Site(self.address, self._stopping.is_set)
            report = fetch_pictures(site, wanted_of(store), folder, self._tell)
            return brought_line(report, index_pictures(folder, store))
        except FetchStopped:
            index_pictures(folder, store)
            return say("The pictures that have come are used; the next download brings the others.")
        except (ValueError, OSError) as error:
            return error_text(error)
        finally:
            store.close()

    @Slot(str)
    def _ask_replace(self, poorer: str) -> None:
        self._set_busy(False)
        text = tr(
            "These data hold less than those in use ({poorer}). Take them all the same?", poorer=tr(poorer)
        )
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self, tr("Less than before"), text, buttons.Yes | buttons.No, buttons.No
        )
        if answer == buttons.Yes:
            self._begin(lambda: self._read(replace=True))

    @Slot()
    def _bring_back(self) -> None:
        try:
            self.base.bring_back()
        except ValueError as error:
            self._end(None, error_text(error))
            return
        self.found.hide()
        self.trouble.hide()
        self.refresh()
        self.brought.emit()

    def _tell(self, found: ImportProgress) -> None:
        self.progressed.emit(found.share, found.doing)

    @Slot()
    def _ask_download(self) -> None:
        """Asks the public database what a download takes; the answer comes by `planned`."""
        fetcher = Fetcher(self.base.fetched_folder, self.address, self._tell, self._stopping.is_set)
        self._fetcher = fetcher
        self._begin(lambda: self.planned.emit(fetcher.plan()))
        self.stop.show()

    @Slot(object)
    def _confirm(self, plan: DownloadPlan) -> None:
        self._set_busy(False)
        self._pictures = self.with_pictures.isChecked()
        lines = [tr(line) for line in plan_lines(plan)]
        if self._pictures:
            lines.append(
                tr(
                    "Then the pictures of the classes' spells and of all monsters, one after the other: they "
                    "are kept on this computer only, and you can stop at any time."
                )
            )
        text = "\n\n".join(lines)
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self, tr("Download the game's data?"), text, buttons.Yes | buttons.No, buttons.No
        )
        if answer == buttons.Yes:
            self._begin(self._fetch)
            self.stop.show()

    def _fetch(self) -> None:
        assert self._fetcher is not None
        self._paths = [self._fetcher.fetch()]
        self._read()

    @Slot()
    def _stop(self) -> None:
        self._stopping.set()
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
            self.trouble.setVisible(bool(trouble))
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


def _day(stamp: str) -> str:
    return QLocale().toString(
        QDate.fromString(stamp[:10], Qt.DateFormat.ISODate), QLocale.FormatType.ShortFormat
    )
