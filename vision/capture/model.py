"""What a way of grabbing a window must offer, and what is raised when there is nothing to grab."""

from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from vision.window.model import WindowState, WindowStatus

Image = npt.NDArray[np.uint8]
Trouble = WindowStatus | Literal["failed"]


class CaptureError(Exception):
    """No picture of the window can be had now; it may come back, so the capture stays usable.

    Attributes:
        message: why, as a sentence for a person.
        status: what is in the way; `failed` when the window looks fine but no backend gives a picture.
        state: the window as it was found.
    """

    def __init__(self, status: Trouble, message: str, state: WindowState) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.state = state


class GrabError(Exception):
    """This backend could not grab the window.

    Attributes:
        message: why, as a part of a sentence.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class CaptureBackend(Protocol):
    """One way of grabbing a window's client area."""

    name: str
    sees_through: bool
    """True when covering windows and the screen's edge do not matter to it."""

    def usable(self) -> bool:
        """Tells whether the backend can work at the moment."""
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
