"""Reads pixels of an X11 drawable, whatever the depth of its screen.

Where pixels are 32 bits of blue, green and red, mss transfers them through shared memory. Screens of 30, 16
or 8 bits, which mss refuses, and windows larger than their screen are asked for with GetImage and converted.
"""

import os
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from mss.exception import ScreenShotError
from mss.linux import xcb, xcbgen
from mss.linux.xcbgen import Drawable, Visualid, Window
from mss.linux.xshmgetimage import MSSImplXShmGetImage

from vision.capture.model import GrabError, Image
from vision.message import say
from vision.window.model import PixelForm
from vision.window.x11 import X11System

_ALL_PLANES = 0xFFFFFFFF
_Whole = npt.NDArray[np.unsignedinteger]


class X11Pixels:
    """The pixels of a window, or of the screen. For one thread only."""

    def __init__(self, windows: X11System, handle: int = 0) -> None:
        """Connects to the display.

        Args:
            handle: the window, 0 for the whole screen.

        Raises:
            GrabError: the window is gone, or its pixels cannot be understood; nothing is left open.
        """
        form, of_screen = windows.pixel_form(handle), windows.pixel_form(0)
        if form is None or of_screen is None:
            raise GrabError(say("the window is gone"))
        self._convert = _Converter(form)
        self._handle = handle or windows.root
        screen = windows.screen()
        self._room = screen.width * screen.height
        self._shared: _Shared | None = None
        self._plain: _Plain | None = None
        self._is_shared = form.is_plain and of_screen.is_plain

    def grab(self, x: int, y: int, width: int, height: int) -> Image:
        """Returns a part of the drawable, BGRA.

        Raises:
            GrabError: the server refused.
        """
        try:
            if self._is_shared and width * height <= self._room:
                data: bytes | bytearray = self._of_shared(x, y, width, height)
                return np.frombuffer(data, np.uint8).reshape(height, width, 4)
            if self._plain is None:
                self._plain = _Plain(self._handle)
            data = self._plain.grab(x, y, width, height)
        except ScreenShotError as error:
            raise GrabError(str(error)) from error
        return self._convert(data, width, height)

    def _of_shared(self, x: int, y: int, width: int, height: int) -> bytearray:
        if self._shared is None:
            self._shared = _Shared(self._handle, self._convert.form)
        return self._shared.grab({"left": x, "top": y, "width": width, "height": height})

    def close(self) -> None:
        for segment in (self._shared, self._plain):
            if segment is not None:
                with suppress(ScreenShotError):
                    segment.close()
        self._shared = self._plain = None


class _Shared(MSSImplXShmGetImage):
    """mss' grab through shared memory, of one drawable."""

    def __init__(self, handle: int, form: PixelForm) -> None:
        self.conn = None
        try:
            super().__init__(display=os.environ.get("DISPLAY"))
        except BaseException:
            if self.conn is not None:  # mss leaves its connection open where it refuses the screen
                with suppress(ScreenShotError):
                    xcb.disconnect(self.conn)
            raise
        self.drawable = Window(handle)
        self.drawable_depth, self.drawable_visual_id = form.depth, Visualid(form.visual)


class _Plain:
    """GetImage over a connection of its own."""

    def __init__(self, handle: int) -> None:
        self._drawable = Drawable(handle)
        self._connection = xcb.connect(os.environ.get("DISPLAY"))[0]

    def grab(self, x: int, y: int, width: int, height: int) -> bytes:
        area = (x, y, width, height)
        reply = xcbgen.get_image(
            self._connection, xcbgen.ImageFormat.ZPixmap, self._drawable, *area, _ALL_PLANES
        )
        return bytes(xcbgen.get_image_data(reply))

    def close(self) -> None:
        xcb.disconnect(self._connection)


class _Channel(NamedTuple):
    shift: int
    largest: int
    shown: npt.NDArray[np.uint8] | None
    """By its value, 0 to 255; None where the 8 bits from `shift` on are just that."""

    def of(self, pixels: _Whole) -> npt.NDArray[np.uint8]:
        """Returns one colour of pixels, 0 to 255."""
        part = pixels >> self.shift
        return part.astype(np.uint8) if self.shown is None else self.shown[part & self.largest]


class _Converter:
    """Makes BGRA of the pixels of a drawable.

    Raises:
        GrabError: they are of a form that is not known.
    """

    def __init__(self, form: PixelForm) -> None:
        self.form = form
        if form.bits not in (8, 16, 24, 32):
            raise GrabError(say("pixels of {bits} bits are not understood", bits=form.bits))
        self._palette = np.array(form.palette, np.uint8) if form.palette else None
        if self._palette is None and not all(form.masks):
            raise GrabError(say("pixels of a screen of {depth} bits are not understood", depth=form.depth))
        self._channels = [_channel(mask) for mask in form.masks] if self._palette is None else []

    def __call__(self, data: bytes, width: int, height: int) -> Image:
        pixels = self._pixels(np.frombuffer(data, np.uint8), width, height)
        picture = np.full((height, width, 4), 255, np.uint8)
        if self._palette is not None:
            picture[..., :3] = self._palette[np.minimum(pixels, len(self._palette) - 1)]
            return picture
        for place, channel in enumerate(self._channels):
            picture[..., 2 - place] = channel.of(pixels)
        return picture

    def _pixels(self, data: npt.NDArray[np.uint8], width: int, height: int) -> _Whole:
        """Returns the pixels as whole numbers; rows are filled up to the server's unit."""
        form = self.form
        row = -(-width * form.bits // form.pad) * form.pad // 8
        if len(data) < row * height:
            raise GrabError(say("the X11 server sent less of the window than was asked for"))
        size = form.bits // 8
        rows = data[: row * height].reshape(height, row)[:, : width * size]
        if size != 3:
            order = "<" if form.little_endian else ">"
            return np.ascontiguousarray(rows).view(f"{order}u{size}")
        rows = rows.reshape(height, width, size)
        places = range(size) if form.little_endian else range(size - 1, -1, -1)
        whole = np.zeros((height, width), np.uint32)
        for shift, place in enumerate(places):
            whole |= rows[..., place].astype(np.uint32) << np.uint32(8 * shift)
        return whole


def _channel(mask: int) -> _Channel:
    shift = (mask & -mask).bit_length() - 1
    largest = mask >> shift
    if largest > 255:  # of 10 bits the upper 8
        return _Channel(shift + largest.bit_length() - 8, 255, None)
    shown = (np.arange(largest + 1) * 255 + largest // 2) // largest
    return _Channel(shift, largest, shown.astype(np.uint8))
