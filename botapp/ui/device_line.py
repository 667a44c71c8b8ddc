"""The device line, always in view: which card advises and how, its memory, what a decision takes, its warmth.

What is not known of a device is left out, never shown as 0.
"""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from botapp.advisor.decision import Decision
from botapp.runtime.messages import MemoryStatus, Snapshot
from botapp.ui import words
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import row_of
from botapp.ui.widgets.labels import label, name

_DOT = "  ·  "
_SIDE, _BELOW = 10, 3  # Room on both sides and below, in logical pixels


class DeviceLine(QWidget):
    """A line along the window's lower edge, or as many as its words need where the window is slim."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts, self._most = ["…"], 1
        self.text = label(role="muted")
        self.text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        name(self, tr("Where the advice is worked out"))
        row_of(self.text, into=self, margins=(_SIDE, 0, _SIDE, _BELOW))
        self._decision: Decision | None = None
        self._fill()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Takes in the newest snapshot; the time of the last decision stays until there is another."""
        if snapshot.device is None:
            return
        self._decision = snapshot.decision or self._decision
        self._parts = parts(snapshot, self._decision)
        texts = (tr(snapshot.device.reason), tr(snapshot.device.room))
        self.text.setToolTip("\n".join(filter(None, (self.whole_text(), *texts))))
        self._fill()

    def whole_text(self) -> str:
        return _DOT.join(self._parts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._most = 1
        self._fill()

    def _fill(self) -> None:
        """Writes the parts into as few lines as have room for them, none of them broken.

        Lines that were needed once stay, so that what stands above does not jump.
        """
        letters, room = self.text.fontMetrics(), self.width() - 2 * _SIDE
        lines = _lines(self._parts, lambda text: letters.horizontalAdvance(text) <= room)
        self._most = max(self._most, len(lines))
        text = "\n".join([*lines, *[""] * (self._most - len(lines))])
        if text != self.text.text():
            self.text.setText(text)
            self.updateGeometry()


def _lines(said: Sequence[str], fits: Callable[[str], bool]) -> list[str]:
    lines: list[str] = []
    for part in said:
        if lines and fits(lines[-1] + _DOT + part):
            lines[-1] += _DOT + part
        else:
            lines.append(part)
    return lines


def parts(snapshot: Snapshot, decision: Decision | None) -> list[str]:
    """Returns what is known of where the advice is worked out, each figure with its unit."""
    device = snapshot.device
    assert device is not None
    texts = [words.device(device)]
    on_card = snapshot.memory is not None and snapshot.memory.device_total is not None
    if device.fits is not None and (
        on_card or not device.fits
    ):  # in the computer's memory it nearly always does
        texts.append(tr("the model fits") if device.fits else tr("the model does not fit"))
    if device.model:
        texts.append(device.precision)
        if device.backend == "cpu":
            texts.append(tr("no card in use"))
    if snapshot.memory is not None:
        texts += _memory(snapshot.memory)
    if decision is not None:
        texts.append(tr("last decision {time}", time=words.took(decision.effort.first_ms)))
    warm = snapshot.memory.device_temperature_c if snapshot.memory is not None else None
    if warm is not None:
        texts.append(f"{words.number(warm)}\u00a0°C")
    return texts


def _memory(memory: MemoryStatus) -> list[str]:
    total, used = memory.device_total, memory.device_used
    if total is None or used is None:
        return [tr("engine {memory}", memory=words.mebibytes(memory.process_rss))]
    text = tr("VRAM {used} used, {free} free", used=words.mebibytes(used), free=words.mebibytes(total - used))
    return [text]
