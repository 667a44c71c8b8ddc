"""After a run that was cut short: a report that can be read and given away, and a start in safe mode.

Names, home folders and paths are left out of it.
"""

import platform
import re
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QPlainTextEdit,
    QWidget,
)

from botapp.doctor.privacy import Identity, scrub, without_folders
from botapp.host.files import write_whole
from botapp.host.logs import log_dir, log_file
from botapp.host.message import unwritten
from botapp.host.versions import versions
from botapp.runtime.start import ENGINE_STARTS, fault_file
from botapp.ui import theme
from botapp.ui.session import app_fault_file
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Note, button, fitting, label

_LOG_LINES, _FAULT_LINES = 80, 40
_NOTHING = "Nothing was noted before the end: it was ended from outside, or the computer went off."


def report(identity: Identity | None = None) -> str:
    """Returns what is known of the last run, in English and without names or paths."""
    now = datetime.now(UTC)
    parts = [
        f"botapp report, {now:%Y-%m-%d %H:%M} UTC",
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        ", ".join(f"{name} {version}" for name, version in versions().items()),
    ]
    known = (
        ("The app was ended here", _tail(app_fault_file(), _FAULT_LINES)),
        ("The engine was ended here", _tail(fault_file(), _FAULT_LINES, without=ENGINE_STARTS)),
        ("The end of the log", _tail(log_file(), _LOG_LINES)),
    )
    if not any(text for _, text in known):
        parts.append(f"\n{_NOTHING}")
    parts += [f"\n{title}:\n{text}" for title, text in known if text]
    return without_folders(scrub("\n".join(parts), identity or Identity.here()))


def _tail(path: Path, lines: int, without: str = "") -> str:
    """Returns the last lines of a file; "" where there is none, or no line but those that fit `without`."""
    try:
        lines_read = path.read_text("utf-8", errors="replace").splitlines()[-lines:]
    except OSError:
        return ""
    if without and all(re.search(without, line) for line in lines_read):
        return ""
    return "\n".join(lines_read)


class CrashDialog(QDialog):
    """Says that the last run was cut short.

    Signals:
        chosen: the person goes on; True in safe mode.
    """

    chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("botapp - The last run"))
        self.text = QPlainTextEdit(report())
        self.text.setReadOnly(True)
        self.text.setFont(theme.font(0.9, mono=True))
        self.text.setAccessibleName(tr("Report"))
        self.trouble = Note("bad")
        self.copy = button(tr("Copy"), self._copy)
        self.save = button(tr("Save…"), self._save)
        self.folder = button(tr("Open the log folder"), self._open_folder)
        self.safe = button(tr("Start in safe mode"), self._go_safely)
        self.safe.setToolTip(tr("On the processor, without the overlay, for this run only."))
        self.go_on = button(tr("Start as usual"), self.close)
        self.go_on.setObjectName("primary")
        self.go_on.setDefault(True)
        self._safely = False
        self.finished.connect(self._tell)
        self._lay_out()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())

    @Slot()
    def _save(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save the report"), "botapp-report.txt", "*.txt")
        if not path:
            return
        try:
            write_whole(Path(path), self.text.toPlainText() + "\n")
        except OSError as error:
            self.trouble.setText(tr("This could not be saved: {error}.", error=unwritten(error)))
        else:
            self.trouble.setText("")

    @Slot()
    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_dir())))

    @Slot()
    def _go_safely(self) -> None:
        self._safely = True
        self.close()

    @Slot()
    def _tell(self) -> None:
        self.chosen.emit(self._safely)

    def _lay_out(self) -> None:
        about = tr(
            "This is what botapp noted before it ended. Names and paths are left out: it can be sent to "
            "those who make botapp. If it keeps happening, start in safe mode."
        )
        column_of(
            label(tr("botapp did not close properly last time"), "accent", scale=1.3, wrap=True),
            label(about, wrap=True),
            (self.text, 1),
            self.trouble,
            row_of(self.copy, self.save, self.folder, None),
            row_of(None, self.safe, self.go_on),
            into=self,
            margins=(20, 18, 20, 14),
            spacing=12,
        )
        self.resize(fitting(720, 520))
        self.go_on.setFocus(Qt.FocusReason.OtherFocusReason)
