"""What works on this computer, one check at a time, and how fast: two buttons and a table in the settings.

Both are commands run in a child process, which keeps what it found for the engine.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from botapp.host.message import unpack
from botapp.ui import words
from botapp.ui.settings.child import Child
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import button, card_of, label
from botapp.ui.widgets.table import TextTable
from hrm.backends.json_cache import cache_folder

PROBE = (
    "-c",
    "import json, sys; from botapp.host.message import pack;"
    "from hrm.backends.probing.probe import probe_all;"
    "report = probe_all(force=True, progress=lambda line: print(line, file=sys.stderr, flush=True));"
    "print(json.dumps(pack(report.to_json())))",
)
BENCH = ("-m", "botapp", "bench", "engines", "--models", "advisor-lite", "--rounds", "4", "--json")
_CHECKS = {
    "system": mark("System and drivers"),
    "import": mark("Loading torch"),
    "enumerate": mark("Looking for devices"),
    "allocate": mark("Allocating memory"),
    "matmul": mark("Matrix product"),
    "attention": mark("Attention"),
    "conv2d": mark("Convolution"),
    "step": mark("A reasoning step"),
    "speed": mark("Speed"),
}
_PROBED = (mark("What"), mark("Where"), mark("Result"))
_SAME = ("agreement", "own_agreement")
_MEASURED = (mark("Engine"), mark("Step, ms"), mark("Faster"), mark("Same, a step"), mark("Same, all steps"))
ROW_HEIGHT = 26


Read = tuple[Sequence[str], list[tuple[str, ...]], str]
"""An answer as it is shown: titles, rows, and what it comes to in words."""


class Trials(QWidget):
    """Probe again, benchmark here, and what came of the last of them.

    Signals:
        found: something was found out that the engine goes by when it starts.
    """

    found = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.probe = button(tr("Test again"), self._probe)
        self.bench = button(tr("Benchmark here"), self._bench)
        self.stop = button(tr("Stop"), self._stop)
        self.note = label(
            tr("The test tries each device in a separate process; a benchmark takes half a minute or more."),
            "muted",
            wrap=True,
        )
        self.table = TextTable(tr("What works here, and how fast"), ())
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.hide()
        self.child = Child(self)
        self.child.progressed.connect(self._progressed)
        self.child.failed.connect(self._failed)
        self.child.answered.connect(self._answered)
        self._lay_out()
        self._show_busy(False)

    def close_child(self) -> None:
        self.child.close()

    @Slot()
    def _probe(self) -> None:
        self._ask(PROBE)

    @Slot()
    def _bench(self) -> None:
        self._ask((*BENCH, "--plot", str(cache_folder() / "engines.svg")))

    @Slot()
    def _stop(self) -> None:
        self.child.close()
        self.note.setText(tr("Stopped."))
        self._show_busy(False)

    def _ask(self, arguments: Sequence[str]) -> None:
        self.note.setText(tr("Running…"))
        self._show_busy(True)
        self.child.ask(*arguments)

    @Slot(str)
    def _progressed(self, line: str) -> None:
        self.note.setText(tr("Running: {what}", what=line))

    @Slot(str)
    def _failed(self, why: str) -> None:
        self.note.setText(tr(why))
        self._show_busy(False)

    @Slot(object)
    def _answered(self, answer: Mapping[str, Any]) -> None:
        try:
            titles, rows, best = measured(answer) if "results" in answer else probed(answer)
        except (KeyError, TypeError, IndexError, ValueError):
            self._failed(mark("This could not be determined. Run `botapp doctor` for more."))
            return
        fill(self.table, [tr(title) for title in titles], rows)
        self.table.show()
        self.note.setText(best)
        self._show_busy(False)
        self.found.emit()

    def _show_busy(self, busy: bool) -> None:
        self.probe.setEnabled(not busy)
        self.bench.setEnabled(not busy)
        self.stop.setVisible(busy)

    def _lay_out(self) -> None:
        title = label(tr("What works here, and how fast"), "caption")
        line = row_of(title, None, self.probe, self.bench, self.stop)
        column_of(card_of(line, self.note, self.table, spacing=8), into=self, margins=(0, 0, 0, 0))


def probed(answer: Mapping[str, Any]) -> Read:
    """Reads a probe's answer.

    Raises:
        KeyError, TypeError: it is no such answer.
    """
    rows: list[tuple[str, ...]] = []
    for check in unpack(answer["checks"]):
        where = " ".join(part for part in (check["engine"], check["device"], check["precision"]) if part)
        speed = check["answer"].get("p50_ms") if check["ok"] else None
        reason = check["reason"]
        result = tr("works") if check["ok"] else tr(reason)
        if speed is not None:
            result += f", {words.milliseconds(float(speed))}"
        rows.append((tr(_CHECKS.get(check["name"], check["name"])), where, result))
    proved = ", ".join(f"{device}: {precision}" for device, precision in answer["proved"].items())
    return _PROBED, rows, tr("Fastest with correct results: {found}", found=proved or "–")


def measured(answer: Mapping[str, Any]) -> Read:
    """Reads a benchmark's answer.

    Raises:
        KeyError, TypeError, IndexError: it is no such answer.
    """
    result = answer["results"][0]
    rows: list[tuple[str, ...]] = []
    for row in result["rows"]:
        if row["trouble"]:
            rows.append((row["name"], "–", "–", "–", str(row["trouble"])))
            continue
        rows.append(
            (
                row["name"],
                words.number(row["p50_ms"], 1),
                f"{words.number(row['faster'], 2)}×",
                *("–" if row[name] is None else words.percent(row[name], 1) for name in _SAME),
            )
        )
    best = tr(
        "The fastest here: {name}. Faster: than plain torch with the threads that suit it best.",
        name=result["best"],
    )
    return _MEASURED, rows, best


def fill(table: QTableWidget, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table.setColumnCount(len(titles))
    table.setHorizontalHeaderLabels(list(titles))
    table.setRowCount(len(rows))
    for number, row in enumerate(rows):
        table.setRowHeight(number, ROW_HEIGHT)
        for column, text in enumerate(row):
            item = QTableWidgetItem(text)
            item.setToolTip(text)
            table.setItem(number, column, item)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(len(titles) - 1, QHeaderView.ResizeMode.Stretch)
    table.setFixedHeight(header.sizeHint().height() + ROW_HEIGHT * len(rows) + 6)
