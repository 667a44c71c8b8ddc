"""The About page: which version this is, how strong it is, how to report a fault, whose work it stands on.

Also what botapp keeps on this computer and where, and whether there is a newer version: looked for when its
button is pressed, in a thread.
"""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QLayout, QWidget

from botapp.arena.measured import Measured, measured
from botapp.content.knowledge.shelf import knowledge_dir
from botapp.fight.core.cache import base_folder
from botapp.host.licences import Dependency, dependencies
from botapp.host.logs import log_dir
from botapp.host.message import error_text
from botapp.host.newer import NewerError, Release, is_newer, newest, published_address
from botapp.host.settings_file import config_dir
from botapp.host.versions import versions
from botapp.ui import theme, words
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import LEFT, column_of, flow_of, row_of
from botapp.ui.widgets.labels import button, card_of, label, scrolled, set_role
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
    grid = QGridLayout()
    grid.setHorizontalSpacing(14)
    grid.setColumnStretch(0, 1)
    for row, (what, folder) in enumerate(folders()):
        grid.addWidget(label(tr(what), wrap=True), 2 * row, 0)
        grid.addWidget(label(_size_text(_size(folder))), 2 * row, 1, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(label(str(folder), "muted", wrap=True, copied=True), 2 * row + 1, 0, 1, 2)
    text = tr("Uninstalling takes the program and leaves these. To leave nothing behind, delete the folders.")
    parts: list[QWidget | QLayout] = [
        label(tr("What botapp keeps on this computer"), "caption"),
        grid,
        label(text, wrap=True),
    ]
    if compile_caches.places()[compile_caches.USAGE_REPORTS].is_dir():
        parts += _usage_reports()
    return card_of(*parts, spacing=6)


def _usage_reports() -> list[QWidget]:
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
    return [note, flow_of(delete)]


def _size_text(size: int) -> str:
    if size < _MEGABYTE / 10:
        return tr("{size} kB", size=words.number(size / 1000))
    return tr("{size} MB", size=words.number(size / _MEGABYTE, 1))


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # it vanished meanwhile
            total += path.lstat().st_size if path.is_file() else 0
    return total


class NewerCard(QWidget):
    """Signals: `answered`, from the thread: the newest `Release`, or why it could not be found out."""

    answered = Signal(object)

    def __init__(self, own_address: Callable[[], str], version: str = "") -> None:
        """Asks nothing; `own_address` returns that of the settings, "" for the one this copy came with."""
        super().__init__()
        self._own_address, self._version = own_address, version or versions()["botapp"]
        self.about = label("", "muted", wrap=True)
        self.look = button(tr("Look for a newer version"), self._ask)
        self.found = label("", wrap=True, copied=True)
        self.found.hide()
        self.answered.connect(self._show)
        title = label(tr("Newer versions"), "caption")
        frame = card_of(title, self.about, (self.look, LEFT), self.found, spacing=6)
        column_of(frame, into=self, margins=(0, 0, 0, 0))
        self._tell()

    @property
    def address(self) -> str:
        """What is asked, "" where there is no address."""
        return self._own_address() or published_address()

    def showEvent(self, event: QShowEvent) -> None:
        """Says what would be asked: the setting may be another by now."""
        super().showEvent(event)
        self._tell()

    def _tell(self) -> None:
        address = self.address
        self.look.setEnabled(bool(address))
        self.about.setText(
            tr(
                "The button asks {address} once what was published last. Only the request is sent, with this "
                "version's number; nothing is downloaded or installed, and botapp never asks by itself.",
                address=address,
            )
            if address
            else tr(
                "This copy came without an address to ask. If the place where you got botapp has one, enter "
                "it in Appearance, Advanced settings. botapp never asks by itself."
            )
        )

    @Slot()
    def _ask(self) -> None:
        address = self.address

        def run() -> None:
            try:
                answer: Release | str = newest(address)
            except NewerError as error:
                answer = error_text(error)
            with suppress(RuntimeError):  # the page was closed meanwhile
                self.answered.emit(answer)

        self.look.setEnabled(False)
        self._say(tr("Asking…"), "muted")
        threading.Thread(target=run, name="newer", daemon=True).start()

    @Slot(object)
    def _show(self, answer: Release | str) -> None:
        self.look.setEnabled(True)
        if not isinstance(answer, Release):
            self._say(tr("It could not be found out: {problem}.", problem=tr(answer)), "bad")
        elif is_newer(answer.version, self._version):
            text = tr("Version {version} is out; you have {own}.", version=answer.version, own=self._version)
            self._say(" ".join(filter(None, (text, answer.page))), "good")
        else:
            self._say(tr("You have the newest version, {own}.", own=self._version), "good")

    def _say(self, text: str, role: str) -> None:
        set_role(self.found, role)
        self.found.setText(text)
        self.found.show()


_PLAYERS = {
    "bare:evaluation=learned,ms=150": mark("The search as the app uses it, with its learned evaluation"),
    "bare:ms=150": mark("the search with a hand-made evaluation"),
    "lite:device=cpu,ms=150": mark("the model for processors, with the search"),
    "lite:device=cpu,beside=on,ms=150": mark(
        "the model for processors, thinking beside one thread of search"
    ),
    "bare:evaluation=learned,threads=2,ms=150": mark("the search as the app uses it, in two threads"),
    "greedy": mark("simple players"),
}
_ICON = 56


class AboutPage(QWidget):
    """Signals: `report_asked`, the person wants to go where a report is made."""

    report_asked = Signal()

    def __init__(self, releases: Callable[[], str] = str) -> None:
        """Makes the page; `releases` returns the address of newer versions in the settings, "" for none."""
        super().__init__()
        self.newer = NewerCard(releases)
        self.report = button(tr("Go to Diagnosis"), self.report_asked)
        text = tr(
            "Diagnosis copies a report without names, in English. Read it, then paste it into a new issue "
            "where you got botapp, with what you did and what you expected. Nothing is ever sent by itself."
        )
        title = label(tr("Report a fault"), "caption")
        reporting = card_of(title, label(text, wrap=True), (self.report, LEFT), spacing=6)
        inner = QWidget()
        strength, kept_data, licences = _strength(measured()), keeping(), _licences(dependencies())
        parts = _head(), self.newer, strength, reporting, kept_data, licences
        column_of(*parts, None, into=inner, margins=(4, 0, 12, 4), spacing=10)
        column_of(scrolled(inner, by_keys=True), into=self, margins=(0, 0, 0, 0))


def _head() -> QWidget:
    picture = QLabel()
    picture.setPixmap(QGuiApplication.windowIcon().pixmap(_ICON, _ICON))
    names = column_of(
        label(tr("botapp {version}", version=versions()["botapp"]), "accent", scale=1.4),
        label(tr("Live advice for fights in DOFUS. You play; botapp advises."), wrap=True),
    )
    text = tr("MIT licence. The game's name belongs to its owners; nothing of the game is in here.")
    return card_of(row_of(picture, 8, (names, 1)), label(text, "muted", wrap=True), spacing=6)


def _strength(tournaments: Iterable[Measured]) -> QWidget:
    rows = QGridLayout()
    rows.setHorizontalSpacing(14)
    rows.setVerticalSpacing(8)
    rows.setColumnStretch(1, 1)
    for row, fought in enumerate(tournament for tournament in tournaments if tournament.about):
        elo = label(_elo(fought), "accent")
        elo.setFont(theme.font(1.0, bold=True, mono=True))
        rows.addWidget(elo, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        rows.addWidget(label(strength_text(fought), wrap=True, copied=True), row, 1)
    text = tr(
        "In the practice arena, teams of 1 to 4, each fight twice with the sides swapped; the brackets hold "
        "the true figure {share} of the time. How to measure it again stands in docs/measurements.md.",
        share=words.percent(0.95),
    )
    return card_of(label(tr("How strong it is"), "caption"), rows, label(text, "muted", wrap=True), spacing=6)


def _elo(fought: Measured) -> str:
    assert fought.strength.elo is not None
    return tr("{elo:+.0f} Elo", elo=round(fought.strength.elo))


def strength_text(fought: Measured) -> str:
    points = fought.strength
    assert points.elo is not None and points.elo_low is not None and points.elo_high is not None
    player = tr(_PLAYERS[fought.player])
    text = mark(
        "{player}, against {opponent}: {elo:+.0f} Elo ({low:+.0f} to {high:+.0f}), {share} of the points "
        "({share_low} to {share_high}) in {fights} fights, {ms} ms a turn."
    )
    if fought.pool in ("unseen", "hour-veil"):
        text = mark(
            "{player}, against {opponent}, with classes and maps that nothing was learnt from: "
            "{elo:+.0f} Elo ({low:+.0f} to {high:+.0f}), {share} of the points ({share_low} to {share_high}) "
            "in {fights} fights, {ms} ms a turn."
        )
    elif fought.pool == "drawn":
        text = mark(
            "{player}, against {opponent}, between fighters drawn at random: "
            "{elo:+.0f} Elo ({low:+.0f} to {high:+.0f}), {share} of the points ({share_low} to {share_high}) "
            "in {fights} fights, {ms} ms a turn."
        )
    return tr(
        text,
        player=player[:1].upper() + player[1:],
        opponent=tr(_PLAYERS[fought.opponent]),
        elo=round(points.elo),
        low=round(points.elo_low),
        high=round(points.elo_high),
        share=words.percent(points.share, 1),
        share_low=words.percent(points.low, 1),
        share_high=words.percent(points.high, 1),
        fights=fought.fights,
        ms=fought.turn_ms,
    )


def _licences(packages: Iterable[Dependency]) -> QWidget:
    unstated = tr("not stated")
    lines = (f"{package.name} {package.version}  ·  {package.licence or unstated}" for package in packages)
    text = label("\n".join(lines), wrap=True, copied=True)  # one label: three for each package took 150 ms
    return card_of(label(tr("The work of others in it"), "caption"), text, spacing=6)
