"""What botapp keeps on this computer and where: what uninstalling leaves behind. For the About page."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from botapp.content.knowledge.shelf import knowledge_dir
from botapp.fight.core.cache import base_folder
from botapp.host.logs import log_dir
from botapp.host.settings_file import config_dir
from botapp.ui import words
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.labels import button, card, label
from hrm.backends import compile_caches
from hrm.backends.errors import InferenceError
from hrm.backends.json_cache import cache_folder
from hrm.message import one_line

_MEGABYTE = 1_000_000


def folders() -> list[tuple[str, Path]]:
    """Returns what is kept, in English words for `tr`, with the folder, of those that there are.

    A folder within another of them is left out.
    """
    named = (
        (mark("Settings, names, boards, panels, kept fights"), config_dir()),
        (mark("Your characters, the game's data you brought"), knowledge_dir()),
        (mark("Log"), log_dir()),
        (mark("The search, compiled for this computer"), base_folder()),
        (mark("What was measured of this computer"), cache_folder()),
    )
    return [
        (what, folder)
        for what, folder in named
        if folder.is_dir() and not any(other in folder.parents for _, other in named)
    ]


def keeping() -> QWidget:
    """Returns a card that names each folder, with its size, and says how to leave nothing behind."""
    frame, box = card(spacing=6)
    box.addWidget(label(tr("What botapp keeps on this computer"), "caption"))
    grid = QGridLayout()
    grid.setHorizontalSpacing(14)
    grid.setColumnStretch(0, 1)
    for row, (what, folder) in enumerate(folders()):
        place = label(str(folder), "muted", wrap=True)
        place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(label(tr(what), wrap=True), 2 * row, 0)
        grid.addWidget(label(_size_text(_size(folder))), 2 * row, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(place, 2 * row + 1, 0, 1, 2)
    box.addLayout(grid)
    box.addWidget(
        label(
            tr(
                "Uninstalling takes the program and leaves these. To leave nothing behind, delete "
                "the folders."
            ),
            wrap=True,
        )
    )
    if compile_caches.places()[compile_caches.USAGE_REPORTS].is_dir():
        _offer_usage_reports(box)
    return frame


def _offer_usage_reports(box: QVBoxLayout) -> None:
    note = label(
        tr(
            "ONNX Runtime, a library in botapp, kept reports on this computer to send to its maker, until "
            "botapp switched that off: a number of this computer, processor, system and the program's path. "
            "They lie in {folder}. Other programs that use the library may write there too.",
            folder=compile_caches.places()[compile_caches.USAGE_REPORTS],
        ),
        wrap=True,
    )
    delete = button(tr("Delete these reports"))

    def deleted() -> None:
        try:
            gone = compile_caches.clear(compile_caches.USAGE_REPORTS)
        except (InferenceError, OSError) as error:
            note.setText(tr("The reports could not be deleted: {problem}", problem=one_line(error)))
            return
        note.setText(tr("Deleted: {size} kB of reports.", size=words.number(gone.size / 1000)))
        delete.hide()

    delete.clicked.connect(deleted)
    box.addWidget(note)
    box.addWidget(delete, 0, Qt.AlignmentFlag.AlignLeft)


def _size_text(size: int) -> str:
    if size < _MEGABYTE / 10:
        return tr("{size} kB", size=words.number(size / 1000))
    return tr("{size} MB", size=words.number(size / _MEGABYTE, 1))


def _size(folder: Path) -> int:
    """Returns how many bytes the files of a folder take, what vanishes meanwhile left out."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total
