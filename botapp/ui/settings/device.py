"""Where the advisor runs: what was asked for, what is in use, why, and what is done there for speed."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from botapp.runtime.messages import DeviceStatus
from botapp.ui.settings.editors import CHOICES
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.buttons import button
from botapp.ui.widgets.labels import card, label, set_role

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
        self.asked, self.in_use, self.why, self.applied = (label(wrap=True) for _ in range(4))
        self.left_out = label("", "muted", wrap=True)
        self.room = label(wrap=True)
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
        frame, inner = card(spacing=6)
        inner.addLayout(grid)
        column_of(frame, into=self, margins=(0, 0, 0, 0))
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
            value.setVisible(bool(value.text()))

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
