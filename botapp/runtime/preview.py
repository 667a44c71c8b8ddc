"""The picture for the Vision panel, in shared memory: two slots, written in turn by the worker process.

Each slot carries its sequence number twice, before and after the pixels. The writer clears the first,
writes the pixels, then sets both; a reader that does not find the same number twice, before and after its
copy, does not use the picture. The writer writes only while pictures are read: each reading asks for pictures
for some seconds more. The app owns the memory, so that a worker that crashed leaves none behind.
"""

import os
import re
import secrets
import struct
import sys
import time
from contextlib import suppress
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from hrm.atomic import is_running

Picture = npt.NDArray[np.uint8]

MAX_WIDTH, MAX_HEIGHT = 640, 360
ASKED_FOR_NS = 2_000_000_000  # For so long pictures are written after each reading
_ASKED = struct.Struct("=q")
_HEADER = struct.Struct("=qqii")
_PIXELS = MAX_WIDTH * MAX_HEIGHT * 4
_SLOT = _HEADER.size + _PIXELS
_UNTIL = 2 * _SLOT
"""Where the time lies until which pictures are asked for, on the clock of `time.monotonic_ns()`."""
_SCORES_UNTIL = _UNTIL + _ASKED.size  # The same for the scores of cells, which are sent with what is read
_WHOLE = _SCORES_UNTIL + _ASKED.size
_EMPTY = -1
_FILES = Path("/dev/shm")  # Where Linux shows shared memory as files
_NAME = re.compile(r"botapp-([0-9]{1,10})-[0-9a-f]{8}")


def create_preview() -> SharedMemory:
    """Makes the shared memory; its maker closes and unlinks it, the others open it by name.

    What killed processes have left of theirs is removed first.

    Raises:
        OSError: there is no room for it.
    """
    clear_left_over()
    memory = SharedMemory(f"botapp-{os.getpid()}-{secrets.token_hex(4)}", create=True, size=_WHOLE)
    try:
        _take_room(_FILES / memory.name)
    except OSError:
        memory.close()
        memory.unlink()
        raise
    for slot in range(2):
        _HEADER.pack_into(_buffer(memory), slot * _SLOT, _EMPTY, _EMPTY, 0, 0)
    for until in (_UNTIL, _SCORES_UNTIL):
        _ASKED.pack_into(_buffer(memory), until, 0)
    return memory


def clear_left_over() -> int:
    """Removes the shared memory of this user's processes that are gone; returns how much there was."""
    cleared = 0
    for path in _FILES.glob("botapp-*") if _FILES.is_dir() else ():
        named = _NAME.fullmatch(path.name)
        with suppress(OSError):
            if named and path.lstat().st_uid == os.getuid() and not is_running(int(named[1])):
                path.unlink()
                cleared += 1
    return cleared


def _take_room(path: Path) -> None:
    """Reserves the memory: otherwise writing to it ends the process where there is no room."""
    if sys.platform.startswith("linux") and path.exists():
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, _WHOLE)


class PreviewWriter:
    """The worker's end."""

    def __init__(self, name: str) -> None:
        self._memory = SharedMemory(name)
        self._next = 0

    def write(self, seq: int, pixels: Picture) -> bool:
        """Writes a picture, scaled down to fit, where one has been asked for; tells whether it was.

        Args:
            seq: the frame's sequence number, not negative.
            pixels: BGRA, uint8, shape (height, width, 4).
        """
        if not self._is_wanted(_UNTIL):
            return False
        height, width = pixels.shape[:2]
        scale = min(1.0, MAX_WIDTH / width, MAX_HEIGHT / height)
        if scale < 1:
            width, height = max(1, int(width * scale)), max(1, int(height * scale))
            pixels = np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        start = self._next * _SLOT
        self._next = 1 - self._next
        buffer = _buffer(self._memory)
        _HEADER.pack_into(buffer, start, _EMPTY, _EMPTY, 0, 0)
        _pixels(self._memory, start, height, width)[:] = pixels
        _HEADER.pack_into(buffer, start, seq, seq, width, height)
        return True

    @property
    def are_scores_wanted(self) -> bool:
        return self._is_wanted(_SCORES_UNTIL)

    def _is_wanted(self, place: int) -> bool:
        (until_ns,) = _ASKED.unpack_from(_buffer(self._memory), place)
        return time.monotonic_ns() <= int(until_ns)

    def close(self) -> None:
        self._memory.close()


class PreviewReader:
    """The app's end."""

    def __init__(self, name: str) -> None:
        self._memory = SharedMemory(name)

    def read(self, scored: bool = False) -> tuple[int, Picture] | None:
        """Asks for pictures; returns the newest whole one with its sequence number, None where there is none.

        The picture is BGRA, uint8, at most 640x360, in an array of its own.

        Args:
            scored: whether what is read is wanted with the scores of cells.
        """
        for until in (_UNTIL, _SCORES_UNTIL) if scored else (_UNTIL,):
            _ASKED.pack_into(_buffer(self._memory), until, time.monotonic_ns() + ASKED_FOR_NS)
        slots = [(self._seq(start), start) for start in (0, _SLOT)]
        for seq, start in sorted(slots, reverse=True):
            if seq == _EMPTY:
                continue
            _, _, width, height = self._header(start)
            if not (0 < width <= MAX_WIDTH and 0 < height <= MAX_HEIGHT):
                continue
            picture = _pixels(self._memory, start, height, width).copy()
            if self._header(start) == (seq, seq, width, height):
                return seq, picture
        return None

    def close(self) -> None:
        self._memory.close()

    def _header(self, start: int) -> tuple[int, int, int, int]:
        first, last, width, height = _HEADER.unpack_from(_buffer(self._memory), start)
        return first, last, width, height

    def _seq(self, start: int) -> int:
        first, last, _, _ = self._header(start)
        return first if first == last else _EMPTY


def _buffer(memory: SharedMemory) -> memoryview:
    assert memory.buf is not None
    return memory.buf


def _pixels(memory: SharedMemory, start: int, height: int, width: int) -> Picture:
    return np.ndarray((height, width, 4), np.uint8, _buffer(memory), start + _HEADER.size)
