"""The windows that a person can pick, the games' first, with what their titles tell and a small picture each.

They are listed and pictured again and again on a thread of its own.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from threading import Event

import cv2
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtGui import QImage

from botapp.host.clients import CLIENTS
from botapp.host.message import error_text, mark
from botapp.ui.translation import tr
from vision import profiles
from vision.capture import Capture, CaptureError, open_capture
from vision.window import UnsupportedSession, WindowInfo, WindowSystem, connect, list_windows
from vision.window.titles import game_of


@dataclass(frozen=True, slots=True)
class WindowOffer:
    """One window."""

    window: WindowInfo
    client: str = ""  # Whose its title is, a name of `vision.profiles`; "" for no game's
    character: str = ""  # The character's name in the title, "" where it has none
    game_class: str = ""  # Its class's name in the title, "" where it has none

    @property
    def heading(self) -> str:
        """Returns what tells the window from others: its character, else its client or its title."""
        return self.character or tr(CLIENTS.get(self.client, "")) or self.window.title

    @property
    def kind(self) -> str:
        """Returns what it is: the client and the class, or the program of another window."""
        if not self.client:
            return self.window.process or tr("Another program")
        parts = (tr(CLIENTS[self.client]) if self.character else "", self.game_class)
        return "  ·  ".join(filter(None, parts))


def offers(windows: WindowSystem | None = None) -> tuple[WindowOffer, ...]:
    """Returns the windows there are, the games' first, the topmost first among each.

    Raises:
        vision.window.UnsupportedSession: this desktop session cannot be watched.
    """
    clients = profiles.titles()
    windows_offered = []
    for info in list_windows(windows=windows):
        game = game_of(info, clients)
        if game is None:
            windows_offered.append(WindowOffer(info))
        else:
            windows_offered.append(WindowOffer(info, game.client, game.character, game.game_class))
    return tuple(sorted(windows_offered, key=lambda offer: not offer.client))


def fits(profile: profiles.Profile, title: str, process: str) -> bool:
    parts = ((profile.title, title), (profile.process, process))
    return any(part and part.lower() in whole.lower() for part, whole in parts)


EVERY_S = 0.7
MOST = 20  # So many windows are pictured; more are listed without
BOX = (352, 198)  # The largest picture, in pixels; twice what is shown, for screens of twice the pixels
WHY = {
    "minimised": mark("Minimised"),
    "too-small": mark("Too small"),
    "off-screen": mark("Off the screen"),
}


class WindowLook(QThread):
    """Looks until it is closed.

    Signals:
        found: the windows, as a tuple of `WindowOffer`.
        pictured: a window's handle and a `QImage` of it.
        hidden: a window's handle and why there is no picture of it, in English words.
        failed: windows cannot be listed; carries why.
    """

    found = Signal(object)
    pictured = Signal(object, QImage)
    hidden = Signal(object, str)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._over = Event()
        self._captures: dict[int, Capture] = {}

    def close(self) -> None:
        self._over.set()
        self.wait()

    def run(self) -> None:
        """Lists and pictures in turn; a desktop that cannot be listed now is asked again."""
        try:
            while True:
                try:
                    self._look_around(connect())
                except UnsupportedSession as error:
                    self.failed.emit(error_text(error))
                self._drop(())
                if self._over.wait(EVERY_S):
                    return
        finally:
            self._drop(())

    def _look_around(self, windows: WindowSystem) -> None:
        while not self._over.is_set():
            offered = offers(windows)
            self.found.emit(offered)
            self._drop([offer.window.handle for offer in offered])
            for offer in offered[:MOST]:
                if self._over.is_set():
                    return
                self._picture(offer, windows)
            self._over.wait(EVERY_S)

    def _picture(self, offer: WindowOffer, windows: WindowSystem) -> None:
        handle = offer.window.handle
        if handle not in self._captures:
            self._captures[handle] = open_capture(handle, (os.getpid(),), windows)
        try:
            pixels = self._captures[handle].grab().pixels
        except CaptureError as error:
            self.hidden.emit(handle, WHY.get(error.status, mark("No picture")))
        else:
            self.pictured.emit(handle, small(pixels))

    def _drop(self, handles: Iterable[int]) -> None:
        for handle in set(self._captures) - set(handles):
            self._captures.pop(handle).close()


def small(pixels: npt.NDArray[np.uint8]) -> QImage:
    """Returns a window's picture, BGRA, uint8, shape (height, width, 4), made to fit `BOX`."""
    height, width = pixels.shape[:2]
    share = min(BOX[0] / width, BOX[1] / height, 1.0)
    size = max(1, round(width * share)), max(1, round(height * share))
    shrunk = np.ascontiguousarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))
    image = QImage(shrunk.data, size[0], size[1], shrunk.strides[0], QImage.Format.Format_RGB32)
    return image.copy()
