"""Opens a picture from a file as if it had just been captured."""

from dataclasses import replace
from pathlib import Path

from botapp.host.message import say
from vision.capture.image_file import ImageFileError, open_image
from vision.frame import Frame

IMAGE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"})


class ImageError(ValueError):
    """A file cannot be used as a picture; the text names the file and the remedy."""


def is_image(path: Path) -> bool:
    return path.suffix.lower() in IMAGE_SUFFIXES


def images_in(folder: Path) -> tuple[Path, ...]:
    """Returns the pictures of a folder, sorted by name; folders in it are left out.

    Raises:
        ImageError: the folder cannot be read, or has no picture in it.
    """
    try:
        pictures = sorted((path for path in folder.iterdir() if is_image(path)), key=lambda path: path.name)
    except OSError as error:
        raise ImageError(
            say(
                "{file} cannot be opened ({problem}). Give another folder.",
                file=folder,
                problem=error.strerror,
            )
        ) from error
    if not pictures:
        raise ImageError(
            say(
                "There is no picture in {file}. Give a folder with PNG, JPEG, BMP or WebP files.", file=folder
            )
        )
    return tuple(pictures)


def image_frame(path: Path, captured_ns: int | None = None, seq: int = 0) -> Frame:
    """Opens a picture as a captured frame.

    Args:
        captured_ns: when it was taken, in nanoseconds; now if left out.

    Raises:
        ImageError: the file is missing, no regular file, too large, no picture, or damaged.
    """
    try:
        frame = open_image(path)
    except ImageFileError as error:
        raise ImageError(error.message) from error
    taken = frame.captured_ns if captured_ns is None else captured_ns
    return replace(frame, captured_ns=taken, seq=seq)
