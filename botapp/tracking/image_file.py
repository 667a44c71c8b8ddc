"""Opens a picture from a file as if it had just been captured.

Next hop: `botapp.tracking.state_tracker` reads it.
"""

import time
from pathlib import Path

import cv2
import numpy as np

from botapp.host.message import say
from vision.frame import Frame, Rect

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})


class ImageError(ValueError):
    """A file cannot be used as a picture; the text names the file and the remedy."""


def is_image(path: Path) -> bool:
    """Tells by its name whether a file is a picture."""
    return path.suffix.lower() in IMAGE_SUFFIXES


def images_in(folder: Path) -> tuple[Path, ...]:
    """Returns the pictures of a folder, sorted by name; folders in it are left out.

    Raises:
        ImageError: the folder cannot be read, or has no picture in it.
    """
    try:
        found = sorted((path for path in folder.iterdir() if is_image(path)), key=lambda path: path.name)
    except OSError as error:
        raise ImageError(
            say(
                "{file} cannot be opened ({problem}). Give another folder.",
                file=folder,
                problem=error.strerror,
            )
        ) from error
    if not found:
        raise ImageError(
            say(
                "There is no picture in {file}. Give a folder with PNG, JPEG, BMP or WebP files.", file=folder
            )
        )
    return tuple(found)


def image_frame(path: Path, captured_ns: int | None = None, seq: int = 0) -> Frame:
    """Opens a picture as a captured frame.

    Args:
        path: the file.
        captured_ns: when it was taken, in nanoseconds; now if left out.
        seq: its number among the frames.

    Raises:
        ImageError: the file is missing or no picture.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise ImageError(
            say(
                "{file} cannot be opened ({problem}). Give the path of a picture.",
                file=path,
                problem=error.strerror,
            )
        ) from error
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise ImageError(
            say("{file} is not a picture that can be read. Give a PNG, JPEG, BMP or WebP file.", file=path)
        )
    pixels = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)
    height, width = pixels.shape[:2]
    taken = time.monotonic_ns() if captured_ns is None else captured_ns
    return Frame(pixels, Rect(0, 0, width, height), taken, seq)
