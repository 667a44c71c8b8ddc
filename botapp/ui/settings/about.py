"""The About page: which version this is, how strong it is, how to report a fault, whose work it stands on."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from botapp.arena.measured import Measured, measured
from botapp.host.licences import Dependency, dependencies
from botapp.host.versions import versions
from botapp.ui import theme, words
from botapp.ui.settings.keeping import keeping
from botapp.ui.settings.newer import NewerCard
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import button, card, label, scrolled

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
        inner = QWidget()
        column_of(scrolled(inner, by_keys=True), into=self, margins=(0, 0, 0, 0))
        box = column_of(into=inner, margins=(4, 0, 12, 4), spacing=10)
        strength, kept, licences = _strength(measured()), keeping(), _licences(dependencies())
        for part in (_head(), self.newer, strength, self._reporting(), kept, licences):
            box.addWidget(part)
        box.addStretch()

    def _reporting(self) -> QWidget:
        frame, box = card(spacing=6)
        box.addWidget(label(tr("Report a fault"), "caption"))
        box.addWidget(
            label(
                tr(
                    "Diagnosis copies a report without names, in English. Read it, then paste it into a new "
                    "issue where you got botapp, with what you did and what you expected. Nothing is ever "
                    "sent by itself."
                ),
                wrap=True,
            )
        )
        box.addWidget(self.report, 0, Qt.AlignmentFlag.AlignLeft)
        return frame


def _head() -> QWidget:
    frame, box = card(spacing=6)
    line = QHBoxLayout()
    picture = QLabel()
    picture.setPixmap(QGuiApplication.windowIcon().pixmap(_ICON, _ICON))
    line.addWidget(picture)
    names = column_of(
        label(tr("botapp {version}", version=versions()["botapp"]), "accent", scale=1.4),
        label(tr("Live advice for fights in DOFUS. You play; botapp advises."), wrap=True),
    )
    line.addSpacing(8)
    line.addLayout(names, 1)
    box.addLayout(line)
    box.addWidget(
        label(
            tr("MIT licence. The game's name belongs to its owners; nothing of the game is in here."),
            "muted",
            wrap=True,
        )
    )
    return frame


def _strength(tournaments: Iterable[Measured]) -> QWidget:
    frame, box = card(spacing=6)
    box.addWidget(label(tr("How strong it is"), "caption"))
    rows = QGridLayout()
    rows.setHorizontalSpacing(14)
    rows.setVerticalSpacing(8)
    rows.setColumnStretch(1, 1)
    for row, fought in enumerate(one for one in tournaments if one.about):
        elo = label(_elo(fought), "accent")
        elo.setFont(theme.font(1.0, bold=True, mono=True))
        rows.addWidget(elo, row, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        rows.addWidget(_selectable(strength_text(fought)), row, 1)
    box.addLayout(rows)
    box.addWidget(
        label(
            tr(
                "In the practice arena, teams of 1 to 4, each fight twice with the sides swapped; the "
                "brackets hold the true figure {share} of the time. How to measure it again stands in "
                "docs/measurements.md.",
                share=words.percent(0.95),
            ),
            "muted",
            wrap=True,
        )
    )
    return frame


def _elo(fought: Measured) -> str:
    """Returns a tournament's figure alone, such as "+143 Elo"."""
    assert fought.strength.elo is not None
    return tr("{elo:+.0f} Elo", elo=round(fought.strength.elo))


def strength_text(fought: Measured) -> str:
    found = fought.strength
    assert found.elo is not None and found.elo_low is not None and found.elo_high is not None
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
        elo=round(found.elo),
        low=round(found.elo_low),
        high=round(found.elo_high),
        share=words.percent(found.share, 1),
        share_low=words.percent(found.low, 1),
        share_high=words.percent(found.high, 1),
        fights=fought.fights,
        ms=fought.turn_ms,
    )


def _licences(packages: Iterable[Dependency]) -> QWidget:
    frame, box = card(spacing=6)
    box.addWidget(label(tr("The work of others in it"), "caption"))
    unstated = tr("not stated")
    lines = (f"{one.name} {one.version}  ·  {one.licence or unstated}" for one in packages)
    box.addWidget(_selectable("\n".join(lines)))  # one label: three for each package took 150 ms
    return frame


def _selectable(text: str) -> QLabel:
    made = label(text, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
