"""Opens a screenshot as a `Frame`, within bounds of time and memory.

The file's kind, its length and the size in its header are checked before it is decoded.
"""

import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.capture.image_header import (
    BadHeader,
    UnknownFormat,
    first_picture,
    image_size,
    recognised,
)
from vision.frame import Frame, bgra
from vision.message import Message, say

MAX_BYTES: Final = 64 * 2**20  # The longest file that is read

MAX_PIXELS: Final = 36_000_000
"""The largest picture that is decoded: 8K is 33 million pixels, and takes some 250 MB while it is opened."""

MAX_SIDE: Final = 16_384  # The largest width or height in pixels

_HEAD_BYTES = 16
_MAX_SCANS = 200
"""A progressive JPEG has some ten scans; each takes as long to decode as the whole picture, however short."""

_NOT_BLOCKING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_stderr_lock = threading.Lock()


class ImageFileError(ValueError):
    """A file cannot be opened as a picture.

    Attributes:
        message: which file, why not, and what to do, for a person.
    """

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


def open_image(path: Path) -> Frame:
    """Opens a picture as if it had just been captured, its upper left corner at (0, 0) of the screen.

    Of an animation or a file of many pages it is the first picture.

    Raises:
        ImageFileError: the file is missing, no regular file, too large, no picture, or damaged.
    """
    return Frame.still(decode_image(_read(path), str(path)), time.monotonic_ns())


def decode_image(data: bytes, name: str) -> npt.NDArray[np.uint8]:
    """Returns the first picture of a file's bytes in BGRA, opaque, uint8, shape (height, width, 4).

    While it is decoded this process's standard error goes nowhere, for the libraries' own lines on damage.

    Raises:
        ImageFileError: it is too large, no picture, or damaged.
    """
    try:
        width, height = image_size(data)
    except UnknownFormat as error:
        raise _no_picture(name) from error
    except BadHeader as error:
        raise _damaged(name) from error
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise ImageFileError(
            say(
                "{file} is too large: {size} pixels. At most {megapixels} million pixels and {side} a side "
                "are read. Scale it down, or crop it to the game's window.",
                file=name,
                size=f"{width}x{height}",
                megapixels=MAX_PIXELS // 1_000_000,
                side=MAX_SIDE,
            )
        )
    if data[:2] == b"\xff\xd8" and data.count(b"\xff\xda") > _MAX_SCANS:
        raise _damaged(name)
    with _quiet_stderr():
        try:
            picture = cv2.imdecode(np.frombuffer(first_picture(data), np.uint8), cv2.IMREAD_COLOR)
        except (cv2.error, MemoryError) as error:
            raise _damaged(name) from error
    if picture is None:
        raise _damaged(name)
    return bgra(np.asarray(picture, np.uint8))


def _read(path: Path) -> bytes:
    """Returns the bytes of a regular file that starts like a picture and is not too long.

    The kind is looked up before the file is opened, as opening a device may already do something; and again
    once it is open, as another file may have taken its place.
    """
    try:
        _check_kind(path, path.stat())
        with os.fdopen(os.open(path, os.O_RDONLY | _NOT_BLOCKING), "rb") as file:
            _check_kind(path, os.fstat(file.fileno()))
            head = file.read(_HEAD_BYTES)
            if not head:
                raise ImageFileError(say("{file} is empty. Save the screenshot again.", file=str(path)))
            if not recognised(head):
                raise _no_picture(str(path))
            data = head + file.read(MAX_BYTES + 1 - len(head))
    except ImageFileError:
        raise
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise ImageFileError(
            say(
                "{file} cannot be opened ({problem}). Give the path of a picture.",
                file=str(path),
                problem=problem,
            )
        ) from error
    if len(data) > MAX_BYTES:
        raise _too_long(path)
    return data


def _check_kind(path: Path, status: os.stat_result) -> None:
    """Raises for what is no regular file, and for one that is too long."""
    if stat.S_ISDIR(status.st_mode):
        raise ImageFileError(
            say("{file} is a folder. Give the path of a picture.", file=str(path)),
        )
    if not stat.S_ISREG(status.st_mode):
        raise ImageFileError(
            say("{file} is a device or a pipe, not a file. Give the path of a picture.", file=str(path))
        )
    if status.st_size > MAX_BYTES:
        raise _too_long(path)


def _too_long(path: Path) -> ImageFileError:
    return ImageFileError(
        say(
            "{file} is too large a file: at most {most} MB are read. Save the screenshot as PNG or JPEG.",
            file=str(path),
            most=MAX_BYTES // 2**20,
        )
    )


def _no_picture(name: str) -> ImageFileError:
    return ImageFileError(
        say(
            "{file} is not a picture that can be read. Give a PNG, JPEG, BMP, GIF, TIFF or WebP file.",
            file=name,
        )
    )


def _damaged(name: str) -> ImageFileError:
    return ImageFileError(say("{file} is damaged or cut off. Save the screenshot again, as PNG.", file=name))


@contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Points standard error to nowhere: OpenCV, libpng and libtiff write to it past Python and each other."""
    with _stderr_lock:
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.flush()
        try:
            stderr_copy = os.dup(2)
        except OSError:
            yield
            return
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)
            yield
        finally:
            os.dup2(stderr_copy, 2)
            os.close(stderr_copy)
