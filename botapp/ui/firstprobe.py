"""A card that nothing is known of is tried once, in processes of its own, while the engine runs as it can.

What is found is kept, so that it is not tried again.
"""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from botapp.runtime.messages import DeviceStatus
from botapp.ui.settings.child import Child
from botapp.ui.translation import tr

PROBE = ("-m", "hrm.backends", "probe", "--json")


class FirstProbe(QObject):
    """Tries the card at most once a run.

    Signals:
        told: what happens, in the person's language.
        found: the engine should be started again.
    """

    told = Signal(str)
    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tried = False
        self._child = Child(self)
        self._child.answered.connect(self._answered)

    def offer(self, device: DeviceStatus | None) -> None:
        """Notes the engine's device; starts a probe if nothing is known of it."""
        if device is None or device.probed or self._tried:
            return
        self._tried = True
        self.told.emit(tr("This card is being tested, once only. The engine restarts when that is done."))
        self._child.ask(*PROBE)

    def close(self) -> None:
        """Ends what is running."""
        self._child.close()

    @Slot(object)
    def _answered(self, answer: Mapping[str, Any]) -> None:
        proved = answer.get("proved", {}) if isinstance(answer, dict) else {}
        cards = ", ".join(f"{device}: {best}" for device, best in proved.items() if device != "cpu")
        self.told.emit(tr("The card was tested: {found}. The engine restarts with it.", found=cards or "–"))
        self.found.emit()
