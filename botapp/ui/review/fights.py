"""The list of kept fights: open one, delete one or all, keep none any more."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from botapp.host.settings import Settings
from botapp.review.kept_fight import Summary
from botapp.review.shelf import FightShelf, ShelvedFight
from botapp.ui import grading, theme, words
from botapp.ui.names import kind_named, named
from botapp.ui.review import texts
from botapp.ui.review.pick_table import PickTable
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of, flow_of, row_of
from botapp.ui.widgets.labels import Empty, Note, button, label
from botapp.ui.widgets.table import Cell, explain


class FightList(QWidget):
    """The fights of a shelf, the newest first.

    Signals:
        opened: the path of the fight to open.
        changed: the new `Settings`.
        progress_asked: the person wants to see how they have played over the weeks.
    """

    opened = Signal(object)
    changed = Signal(object)
    progress_asked = Signal()

    def __init__(
        self,
        settings: Callable[[], Settings],
        shelf: FightShelf,
        under_way: Callable[[], Path | None] = lambda: None,
    ) -> None:
        """Makes the list; `under_way` returns the file of the fight that is watched, None for none."""
        super().__init__()
        self._under_way = under_way
        self.shelf = shelf
        self._settings = settings
        self._readable: list[ShelvedFight] = []
        self.table = PickTable(
            tr("Kept fights"),
            [
                tr("Date"),
                tr("Class"),
                tr("Opponents"),
                tr("Result"),
                tr("Rounds"),
                tr("Accuracy"),
                tr("Blunders, mistakes, inaccuracies"),
                tr("Points given away"),
            ],
            (2,),
            (0, 1, 2, 3),
        )
        self.table.opened.connect(self._open)
        self.table.picked.connect(self._show_buttons)
        seen = tr("Worked out from what was seen last.")
        explain(self.table, {3: seen, 5: tr(grading.ACCURACY), 6: tr(grading.FAULTS)})
        self.empty = Empty(
            "history",
            tr("No fight is kept yet. Each fight that the app watches appears here once it has begun."),
        )
        self.trouble = Note("warn")
        self.room = label("", "muted", wrap=True)
        self.keep = QCheckBox(tr("Keep fights"))
        self.keep.setChecked(settings().review.keep)
        self.keep.toggled.connect(self._keep)
        self.open = button(tr("Open"), lambda: self._open(self.table.chosen()))
        self.progress = button(
            tr("Over the weeks"),
            self.progress_asked,
            tip=tr("Your accuracy, faults and wins week by week."),
        )
        self.delete = button(tr("Delete"), self._delete)
        self.delete_all = button(tr("Delete all…"), self._delete_all)
        self.delete_all.setIcon(theme.icon("trash", "bad"))
        self._lay_out()
        self.refresh()

    def refresh(self) -> None:
        entries = self.shelf.entries()
        self.keep.setChecked(self._settings().review.keep)
        self._readable = [entry for entry in entries if entry.summary is not None]
        watched = self._under_way()
        self.table.show_rows(
            [
                _row(entry.summary, under_way=entry.path == watched)
                for entry in self._readable
                if entry.summary is not None
            ]
        )
        self.table.setVisible(bool(self._readable))
        self.empty.setVisible(not entries)
        broken = [f"{entry.path.name}: {tr(entry.problem)}" for entry in entries if entry.summary is None]
        text = tr("These files cannot be read and are left as they are: {files}", files="; ".join(broken))
        self.trouble.setText(text if broken else "")
        taken = sum(entry.size for entry in entries) / (1 << 20)
        self.room.setText(
            tr(
                "Fights: {number}  ·  {taken} of {most} MB, on this computer only; the oldest go first",
                number=len(entries),
                taken=words.number(taken, 1),
                most=self._settings().review.limit_mb,
            )
        )
        self.delete_all.setEnabled(bool(entries))
        self.progress.setEnabled(bool(self._readable))
        self.table.select(0)
        self._show_buttons()

    @property
    def summaries(self) -> list[Summary]:
        """What is said of each fight that can be read and is over, the newest first."""
        watched = self._under_way()
        return [
            entry.summary for entry in self._readable if entry.summary is not None and entry.path != watched
        ]

    @Slot()
    def _show_buttons(self) -> None:
        for control in (self.open, self.delete):
            control.setEnabled(self.table.chosen() >= 0)

    @Slot(int)
    def _open(self, row: int) -> None:
        if 0 <= row < len(self._readable):
            self.opened.emit(self._readable[row].path)

    @Slot(bool)
    def _keep(self, on: bool) -> None:
        if on != self._settings().review.keep:
            self.changed.emit(self._settings().changed("review.keep", on))

    @Slot()
    def _delete(self) -> None:
        row = self.table.chosen()
        entry = self._readable[row]
        assert entry.summary is not None
        text = tr("The fight of {date} is deleted for good.", date=texts.date(entry.summary.begun))
        if _agreed(self, tr("Delete this fight?"), text, tr("Delete")):
            self.shelf.remove(entry.path)
            self.refresh()
            self.table.select(min(row, len(self._readable) - 1))
            self._show_buttons()

    @Slot()
    def _delete_all(self) -> None:
        text = tr(
            "All {number} kept fights are deleted for good, with their pictures. What you exported stays.",
            number=len(self.shelf.paths()),
        )
        if _agreed(self, tr("Delete all kept fights?"), text, tr("Delete all")):
            self.shelf.clear()
            self.refresh()

    def _lay_out(self) -> None:
        row = row_of(self.keep, (self.room, 1))
        bottom = flow_of(self.progress, self.delete_all, self.delete, self.open, right=True)
        parts = (self.empty, 1), (self.table, 1), self.trouble, row, bottom
        column_of(*parts, into=self, margins=(0, 0, 0, 0), spacing=8)


def _row(summary: Summary, *, under_way: bool = False) -> tuple[Cell, ...]:
    faults, opponents = summary.mistakes, summary.against(tr, named)
    lost = round(100 * summary.lost)
    worst = next((grade for grade, number in summary.grades.items() if number), None)
    shade = grading.GRADE_SHADES[worst] if worst is not None else "bad" if faults else "muted"
    counts = " · ".join(map(str, summary.grades.values())) if summary.grades else str(faults)
    return (
        Cell(texts.date(summary.begun)),
        Cell(kind_named(summary.own)),
        Cell(opponents, tip=opponents),
        Cell(
            grading.result(summary, under_way=under_way),
            "info" if under_way else grading.RESULT_SHADES[summary.result],
            bold=True,
        ),
        Cell(str(summary.rounds)),
        Cell(texts.accuracy(summary), tip=grading.unmeasured(summary)),
        Cell(counts, shade, tip=grading.grades(summary.grades)),
        Cell(words.number(lost) if lost else "–", shade if lost else "muted"),
    )


def _agreed(parent: QWidget, title: str, text: str, yes: str) -> bool:
    """Asks whether to delete; nothing is deleted but by a click on the button that says so."""
    question = QMessageBox(QMessageBox.Icon.Warning, title, text, parent=parent)
    question.setInformativeText(tr("This cannot be undone."))
    agree = question.addButton(yes, QMessageBox.ButtonRole.DestructiveRole)
    cancel = question.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    question.setDefaultButton(cancel)
    question.setEscapeButton(cancel)
    question.exec()
    return question.clickedButton() is agree
