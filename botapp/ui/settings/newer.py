"""The card on the About page that looks for a newer version: only when its button is pressed, in a thread."""

import threading
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from botapp.host.message import error_text
from botapp.host.newer import NewerError, Release, is_newer, newest, published_address
from botapp.host.versions import versions
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import button, card, label, set_role


class NewerCard(QWidget):
    """Signals: `answered`, from the thread: the newest `Release`, or why it could not be found out."""

    answered = Signal(object)

    def __init__(self, own_address: Callable[[], str], version: str = "") -> None:
        """Asks nothing.

        Args:
            own_address: returns the address of the settings, "" for the one this copy was published with.
            version: that of this copy, what is installed if left out.
        """
        super().__init__()
        self._own_address, self._version = own_address, version or versions()["botapp"]
        self.about = label("", "muted", wrap=True)
        self.look = button(tr("Look for a newer version"), self._ask)
        self.found = label("", wrap=True)
        self.found.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.found.hide()
        self.answered.connect(self._show)
        frame, box = card(spacing=6)
        box.addWidget(label(tr("Newer versions"), "caption"))
        box.addWidget(self.about)
        box.addWidget(self.look, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(self.found)
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
