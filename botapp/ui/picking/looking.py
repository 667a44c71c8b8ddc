"""Lists the windows there are and takes small pictures of them, again and again, on a thread of its own."""

import os
from collections.abc import Iterable
from threading import Event

import cv2
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtGui import QImage

from botapp.host.message import error_text, mark
from botapp.ui.picking.offers import WindowOffer, offers
from vision.capture import Capture, CaptureError, open_capture
from vision.window import UnsupportedSession, WindowSystem, connect

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
            found = offers(windows)
            self.found.emit(found)
            self._drop([offer.window.handle for offer in found])
            for offer in found[:MOST]:
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

    def _drop(self, kept: Iterable[int]) -> None:
        """Lets go of the windows that are not kept."""
        for handle in set(self._captures) - set(kept):
            self._captures.pop(handle).close()


def small(pixels: npt.NDArray[np.uint8]) -> QImage:
    """Returns a window's picture, BGRA, uint8, shape (height, width, 4), made to fit `BOX`."""
    height, width = pixels.shape[:2]
    share = min(BOX[0] / width, BOX[1] / height, 1.0)
    size = max(1, round(width * share)), max(1, round(height * share))
    shrunk = np.ascontiguousarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))
    image = QImage(shrunk.data, size[0], size[1], shrunk.strides[0], QImage.Format.Format_RGB32)
    return image.copy()
