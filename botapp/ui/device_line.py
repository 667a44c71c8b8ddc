"""The device line, always in view: which card advises and how, its memory, what a step takes, how warm it is.

Before it: the newest snapshot. What is not known of a device is left out, never shown as 0.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from botapp.advisor.decision import Decision
from botapp.runtime.messages import MemoryStatus, Snapshot
from botapp.ui import words
from botapp.ui.translation import tr
from botapp.ui.widgets.labels import Elided, name

_DOT = "  ·  "


class DeviceLine(QWidget):
    """One line along the window's lower edge."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = Elided(tr("The engine is starting."), "muted")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        name(self, tr("Where the advice is worked out"))
        line = QHBoxLayout(self)
        line.setContentsMargins(10, 0, 10, 3)
        line.addWidget(self.text, 1, Qt.AlignmentFlag.AlignVCenter)
        self._decision: Decision | None = None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Takes in the newest snapshot; the time of the last decision stays until there is another."""
        if snapshot.device is None:
            return
        self._decision = snapshot.decision or self._decision
        self.text.set_text(_DOT.join(parts(snapshot, self._decision)))
        told = (tr(snapshot.device.reason), tr(snapshot.device.room))
        self.text.setToolTip("\n".join(filter(None, (self.text.whole_text(), *told))))


def parts(snapshot: Snapshot, decision: Decision | None) -> list[str]:
    """Returns what is known of where the advice is worked out, each figure with its unit."""
    device = snapshot.device
    assert device is not None
    found = [words.device(device)]
    if device.fits is not None:
        found.append(tr("the model fits") if device.fits else tr("the model does not fit"))
    if device.model:
        found.append(device.precision)
        if device.backend == "cpu":
            found.append(tr("no card in use"))
    if snapshot.memory is not None:
        found += _memory(snapshot.memory)
    if decision is not None:
        found.append(_time(decision))
    warm = snapshot.memory.device_temperature_c if snapshot.memory is not None else None
    if warm is not None:
        found.append(f"{words.number(warm)}\u00a0°C")
    return found


def _memory(memory: MemoryStatus) -> list[str]:
    """Returns the card's memory, or that of the engine where there is no card."""
    total, used = memory.device_total, memory.device_used
    if total is None or used is None:
        return [tr("engine {memory}", memory=words.mebibytes(memory.process_rss))]
    text = tr("VRAM {used} used, {free} free", used=words.mebibytes(used), free=words.mebibytes(total - used))
    return [text]


def _time(decision: Decision) -> str:
    """Returns what a step of the model took, or the whole decision of the search alone."""
    timings = dict(decision.timings_ms)
    if decision.adviser == "model" and decision.trace and "think" in timings:
        return tr("{time} a step", time=words.milliseconds(timings["think"] / len(decision.trace)))
    return tr("{time} a decision", time=words.milliseconds(sum(timings.values())))
