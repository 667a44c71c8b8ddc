"""The interface of the capture backends, and the errors they raise."""

from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from vision.window.model import WindowState, WindowStatus

Image = npt.NDArray[np.uint8]
Trouble = WindowStatus | Literal["failed"]


class CaptureError(Exception):
    """The window cannot be captured now; a later call may succeed.

    Attributes:
        status: what prevents it; `failed` when the window is visible but every backend fails.
    """

    def __init__(self, status: Trouble, message: str, state: WindowState) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.state = state


class GrabError(Exception):
    """This backend could not grab the window."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class CaptureBackend(Protocol):
    """One way of grabbing a window's client area."""

    name: str
    sees_through: bool  # Whether it captures the window unaffected by covering windows and the screen's edge

    def usable(self) -> bool:
        """Returns whether the backend can work at the moment."""
        ...

    def grab(self, state: WindowState) -> Image:
        """Returns the client area in BGRA, uint8, shape (height, width, 4), in an array of its own.

        Raises:
            GrabError: there was no picture.
        """
        ...

    def close(self) -> None:
        """Frees what the backend holds."""
        ...
