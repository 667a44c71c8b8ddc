"""The device that the model runs on: what works here, what is in use and why, what would be better.

It is asked of a child process: a driver's fault, and torch's weight, stay outside.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from botapp.host.message import unpack
from botapp.runtime.messages import DeviceStatus
from botapp.ui.settings.child import Child
from botapp.ui.settings.editors import CHOICES
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of, row_of
from botapp.ui.widgets.labels import Note, button, card_of, label, set_role

_ASK = (
    "import json; from dataclasses import asdict; from botapp.host.message import pack;"
    "from botapp.doctor.install import with_ways; from botapp.doctor.snapshot import look;"
    "from hrm.backends import backends_and_proof, working;"
    "found = [asdict(info) for info in working(*backends_and_proof())];"
    "print(json.dumps(pack(with_ways(found, look()))))"
)


@dataclass(frozen=True, slots=True)
class ProbedBackend:
    """One backend as `hrm.backends.working` tells it; `devices` are (name, title)."""

    name: str
    usable: bool
    reason: str
    devices: tuple[tuple[str, str], ...] = ()


class BackendProbe(QObject):
    """Runs the question once; `ask` again asks anew.

    Signals:
        answered: a tuple of `ProbedBackend`, empty when the question could not be answered.
        failed: why, in English words.
    """

    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, command: tuple[str, ...] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._command = command or (sys.executable, "-c", _ASK)
        self._child = Child(self)
        self._child.answered.connect(self._read)
        self._child.failed.connect(self._fail)

    def ask(self) -> None:
        program, *arguments = self._command
        self._child.ask(*arguments, program=program, plain=True)

    def close(self) -> None:
        self._child.close()

    @Slot(object)
    def _read(self, text: str) -> None:
        try:
            self.answered.emit(parse(text))
        except (ValueError, KeyError, TypeError):
            self._fail()

    @Slot()
    def _fail(self) -> None:
        self.failed.emit(mark("What works here could not be checked. Run `botapp doctor` for more."))


def parse(text: str) -> tuple[ProbedBackend, ...]:
    """Reads the child's answer, its last line.

    Raises:
        ValueError, KeyError, TypeError: it is no such answer.
    """
    return tuple(
        ProbedBackend(
            entry["name"],
            bool(entry["usable"]),
            entry["reason"],
            tuple((device["name"], device["title"]) for device in entry["devices"]),
        )
        for entry in unpack(json.loads(text.strip().splitlines()[-1] if text.strip() else ""))
    )


_ASK_CARDS = (
    "import json; from dataclasses import asdict; from botapp.host.message import pack;"
    "from botapp.doctor.install import advice; from botapp.doctor.snapshot import look;"
    "print(json.dumps(pack([asdict(one) for one in advice(look())])))"
)


class GraphicsCards(QWidget):
    """Asks a child process once, and shows what would be better for the best of the cards."""

    def __init__(self, command: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._command = command or (sys.executable, "-c", _ASK_CARDS)
        self._child = Child(self)
        self._child.answered.connect(self._answered)
        self._child.failed.connect(self._failed)
        self.name = label(tr("Looking for a graphics card…"), wrap=True)
        self.words = Note("muted")
        self.line = Note(copied=True)
        self.copy = button(tr("Copy the line"), self._copy)
        self.copy.hide()
        title = label(tr("Graphics card"), "caption")
        frame = card_of(title, self.name, self.words, self.line, row_of(self.copy, None), spacing=6)
        column_of(frame, into=self, margins=(0, 0, 0, 0))
        self._asked = False

    def ask(self) -> None:
        if not self._asked:
            self._asked = True
            program, *arguments = self._command
            self._child.ask(*arguments, program=program)

    def close_child(self) -> None:
        self._child.close()

    @Slot(object)
    def _answered(self, answer: Sequence[Mapping[str, Any]]) -> None:
        try:
            cards = unpack(answer)
            best = next((card for card in cards if card["command"]), cards[0] if cards else None)
            if best is None:
                self._show(tr("None was found."), tr("The processor does it all."), "")
            else:
                words = best["words"]
                self._show(" · ".join(card["card"] for card in cards), tr(words), best["command"])
        except (KeyError, TypeError, ValueError):
            self._failed("")

    @Slot(str)
    def _failed(self, _why: str) -> None:
        self._show(tr("It could not be looked for."), tr("Run `botapp doctor` for more."), "")

    def _show(self, name: str, words: str, line: str) -> None:
        self.name.setText(name)
        self.words.setText(words)
        self.line.setText(line)
        self.copy.setVisible(bool(line))
        self.copy.setText(tr("Copy the line"))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.line.text())
        self.copy.setText(tr("Copied"))


_DOT = "  ·  "
_ENGINES = {"torch": "torch", "onnx": "ONNX Runtime", "search": mark("no model")}


class DeviceCard(QWidget):
    """Shows a `DeviceStatus`.

    Signals:
        check_asked: the person wants the backends checked again.
    """

    check_asked = Signal()

    def __init__(self, *, can_check: bool = True) -> None:
        super().__init__()
        self.asked, self.in_use, self.why, self.applied, self.room = (Note() for _ in range(5))
        self.left_out = Note("muted")
        rows = (
            (tr("Requested"), self.asked),
            (tr("In use"), self.in_use),
            (tr("Why"), self.why),
            (tr("Memory"), self.room),
            (tr("For speed"), self.applied),
            (tr("Left out"), self.left_out),
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        self._rows = [(label(title, "caption"), value) for title, value in rows]
        for row, (caption, value) in enumerate(self._rows):
            grid.addWidget(caption, row, 0, top)
            grid.addWidget(value, row, 1, top)
        check = button(tr("Check again"), self.check_asked, role="flat")
        check.setVisible(can_check)
        grid.addWidget(check, 0, 2, len(rows), 1, top)
        column_of(card_of(grid, spacing=6), into=self, margins=(0, 0, 0, 0))
        self.show_device(None)

    def show_device(self, device: DeviceStatus | None) -> None:
        """Shows where the advisor runs; None before the engine has said so."""
        set_role(self.in_use, "muted" if device is None else "good")
        if device is None:
            self.in_use.setText(tr("The engine has not reported it yet."))
        else:
            self._say(device)
        for caption, value in self._rows:
            caption.setVisible(bool(value.text()))

    def _say(self, device: DeviceStatus) -> None:
        engine = _ENGINES[device.engine]
        if device.model and device.title:  # "cuda:0", as torch calls an AMD card too, would only puzzle
            parts: tuple[str, ...] = (device.title, device.precision)
        else:
            number = "" if device.device == "cpu" else device.device  # the backend's name says that already
            parts = (number, device.precision, engine) if device.model else (tr(engine),)
        asked = dict.fromkeys(device.asked.split())  # automatic in everything is said once
        self.asked.setText(_DOT.join(_named(part) for part in asked))
        self.in_use.setText(_DOT.join(filter(None, (_named(device.backend), *parts))))
        self.why.setText(tr(device.reason))
        self.room.setText(tr(device.room))
        set_role(self.room, "warn" if device.fits is False else "")
        self.applied.setText(_DOT.join(filter(None, (_named(device.level), *map(tr, device.measures)))))
        self.left_out.setText("\n".join(map(tr, device.left_out)))


def _named(value: str) -> str:
    return tr(CHOICES.get(value, value))
