"""A window of X11 that shows drawings in turn, as a game does: for measuring beside a client's screen.

The drawings lie with the display from the start, so that showing the next one costs this process next to
nothing.
"""

import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt
from Xlib import X, display

_LARGEST_REQUEST = 200_000  # Bytes of a picture that are sent at once; the protocol takes 256 KiB


class DrawnWindow:
    """Shows one picture after the other. For one thread only."""

    def __init__(self, title: str, pictures: Sequence[npt.NDArray[np.uint8]]) -> None:
        """Opens the window on the first picture.

        Args:
            pictures: BGRA, uint8, all of one shape (height, width, 4).
        """
        self._display = display.Display()
        screen = self._display.screen()
        height, width = pictures[0].shape[:2]
        self._window = screen.root.create_window(0, 0, width, height, 0, screen.root_depth)
        self._window.set_wm_name(title)
        self._context = self._window.create_gc(graphics_exposures=False)
        self._drawings = [self._drawing(picture, screen.root_depth) for picture in pictures]
        self._size, self._shown = (width, height), 0
        self._window.change_attributes(background_pixmap=self._drawings[0])
        self._window.map()
        self._display.sync()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._display.close()

    def move_for(self, seconds: float, a_second: float) -> None:
        """Shows the pictures in turn for so long, so many a second."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self._shown = (self._shown + 1) % len(self._drawings)
            drawing = self._drawings[self._shown]
            self._window.copy_area(self._context, drawing, 0, 0, *self._size, 0, 0)
            self._display.flush()
            time.sleep(1 / a_second)

    def _drawing(self, picture: npt.NDArray[np.uint8], depth: int) -> object:
        height, width = picture.shape[:2]
        drawing = self._window.create_pixmap(width, height, depth)
        rows = max(1, _LARGEST_REQUEST // (4 * width))
        for top in range(0, height, rows):
            part = np.ascontiguousarray(picture[top : top + rows])
            drawing.put_image(self._context, 0, top, width, len(part), X.ZPixmap, depth, 0, part.tobytes())
            self._display.flush()  # What waits to be sent is copied as a whole with every part that is added
        return drawing
