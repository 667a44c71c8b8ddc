"""Shows what `botapp doctor` finds: each fault with its evidence, its remedy and where more is said.

The doctor runs in a child process.
"""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from botapp.ui.settings.child import Child
from botapp.ui.settings.editors import CHOICES
from botapp.ui.translation import language, mark, tr
from botapp.ui.widgets.boxes import column_of, flow_of
from botapp.ui.widgets.labels import button, card_of, label

ASK = ("-m", "botapp", "doctor", "--json")
REPORT = ("-m", "botapp", "doctor", "--report")
_SHADES = {"error": "bad", "warning": "warn", "note": "muted"}
_WARNING = mark("Warning")
_WORDS = {"error": mark("Error"), "warning": _WARNING, "note": mark("Note")}


class HealthPage(QWidget):
    """Examines the computer when asked, and shows what was found."""

    def __init__(self) -> None:
        super().__init__()
        self.examine = button(tr("Examine this computer"), self._examine)
        self.copy = button(tr("Copy a report without names (English)"), self._copy)
        self.note = label(
            tr(
                "The doctor checks drivers, graphics cards and software, and tests the card in a "
                "separate process."
            ),
            "muted",
            wrap=True,
        )
        self.findings: list[QWidget] = []
        self.child = Child(self)
        self.child.answered.connect(self._answered)
        self.child.failed.connect(self._failed)
        self._lay_out()

    def close_child(self) -> None:
        self.child.close()
        self._show_busy(False)

    @Slot()
    def _examine(self) -> None:
        self._show_busy(True)
        self.child.ask(*ASK, "--language", language())

    @Slot()
    def _copy(self) -> None:
        self._show_busy(True)
        self.child.ask(*REPORT, plain=True)

    @Slot(object)
    def _answered(self, answer: Mapping[str, Any] | str) -> None:
        self._show_busy(False)
        if isinstance(answer, str):
            QGuiApplication.clipboard().setText(answer)
            self.note.setText(tr("The report is on the clipboard. It is in English and contains no names."))
            return
        try:
            self.show_found(answer)
        except (KeyError, TypeError):
            self._failed(mark("This could not be determined. Run `botapp doctor` for more."))

    @Slot(str)
    def _failed(self, why: str) -> None:
        self._show_busy(False)
        self.note.setText(tr(why))

    def show_found(self, report: Mapping[str, Any]) -> None:
        """Shows an answer of `botapp doctor --json`, whose texts are in the app's language.

        Raises:
            KeyError, TypeError: it is not such an answer.
        """
        cards = [_finding(finding) for finding in report["findings"]]
        cards += [
            card_of(label(tr(_WARNING), "warn"), label(text, wrap=True, copied=True), spacing=6)
            for text in report["problems"]
        ]
        cards.append(_checked(report))
        for old in self.findings:
            old.deleteLater()
        self.findings = cards
        for place, made in enumerate(cards):
            self._box.insertWidget(place, made)
        count = len(report["findings"]) + len(report["problems"])
        self.note.setText(tr("No problems found.") if not count else tr("Found: {count}", count=count))

    def _show_busy(self, busy: bool) -> None:
        self.examine.setEnabled(not busy)
        self.copy.setEnabled(not busy)
        if busy:
            self.note.setText(tr("Running…"))

    def _lay_out(self) -> None:
        inner = QWidget()
        self._box = column_of(None, into=inner, margins=(0, 0, 12, 4), spacing=10)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inner)
        line = flow_of(self.examine, self.copy)
        column_of(line, self.note, (scroll, 1), into=self, margins=(4, 0, 0, 0), spacing=10)


def _finding(finding: Mapping[str, Any]) -> QWidget:
    severity = finding["severity"]
    return card_of(
        label(tr(_WORDS[severity]), _SHADES[severity]),
        label(finding["title"], "accent", wrap=True),
        label(tr("Seen"), "caption"),
        label("\n".join(finding["evidence"]), wrap=True, copied=True),
        label(tr("To do"), "caption"),
        label("\n".join(finding["fix"]), wrap=True, copied=True),
        label(tr("More: {page}", page=finding["page"]), "muted"),
        spacing=6,
    )


def _checked(report: Mapping[str, Any]) -> QWidget:
    cards = ", ".join(entry["name"] for entry in report.get("cards", ()))
    backends = (entry for entry in report.get("backends", ()) if entry["usable"] and entry["name"] != "auto")
    usable = ", ".join(tr(CHOICES.get(entry["name"], entry["name"])) for entry in backends)
    lines = [
        tr("Graphics cards: {cards}", cards=cards or tr("none found")),
        tr("Works here: {backends}", backends=usable or "–"),
    ]
    for part, text in (
        ("capture", mark("Capture: {text}")),
        ("weights", mark("The model's weights: {text}")),
    ):
        if part in report:
            lines.append(tr(text, text=report[part]["text"]))
    if "search" in report:
        lines.append(report["search"]["text"] or tr("The search is ready for this computer."))
    text_of_report = label("\n".join(lines), wrap=True, copied=True)
    return card_of(label(tr("What was checked"), "caption"), text_of_report, spacing=6)
