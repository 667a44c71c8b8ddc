"""Picture sizes out of the headers of image files, so that a file can be refused before it is decoded.

Knows PNG, JPEG, BMP, GIF, TIFF and WebP.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Final

Size = tuple[int, int]  # Width and height in pixels

_ANIMATION_CHUNKS = frozenset((b"acTL", b"fcTL", b"fdAT"))
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_WITHOUT_LENGTH = frozenset((0x01, *range(0xD0, 0xD9)))

_WIDTH, _HEIGHT, _BITS, _ROWS_PER_STRIP, _TILE_WIDTH, _TILE_HEIGHT = 256, 257, 258, 278, 322, 323
_WHOLE_IMAGE = 2**32 - 1  # TIFF's default of rows in a strip

_MAX_BITS = 16
_MAX_PARTS = 20_000  # The most chunks, segments or fields that are walked through

_TIFF_TYPES = {1: "B", 3: "H", 4: "I", 16: "Q"}


class UnknownFormat(ValueError):
    """The data is of none of the formats known here."""


class BadHeader(ValueError):
    """The data is of a known format, but its header is damaged, cut off or of a rare kind."""


def recognised(data: bytes) -> bool:
    """Returns whether data starts like a file of one of the known formats."""
    return _parser(data) is not None


def image_size(data: bytes) -> Size:
    """Returns the size that a file's header states; of many pictures, that of the first.

    For a TIFF it is the larger of the picture and its tiles, as a decoder allocates whole tiles.

    Raises:
        UnknownFormat: it is no picture of a known format.
        BadHeader: the header cannot be read, or states an empty picture.
    """
    parse = _parser(data)
    if parse is None:
        raise UnknownFormat("neither PNG, JPEG, BMP, GIF, TIFF nor WebP")
    try:
        width, height = parse(data)
    except (struct.error, IndexError) as error:
        raise BadHeader("the header is cut off") from error
    if width < 1 or height < 1:
        raise BadHeader("the picture is empty")
    return width, height


def first_picture(data: bytes) -> bytes:
    """Returns a file without its further pictures, as far as that can be done without decoding: for PNG.

    OpenCV 5.0.0 crashes on some damaged animated PNGs; without the chunks of the animation such a file is a
    PNG of the first picture.

    Args:
        data: a whole file of which `image_size` gave the size.
    """
    if _parser(data) is not _png:
        return data
    chunks = [data[start:end] for start, end in _png_chunks(data)]
    still = [chunk for chunk in chunks if chunk[4:8] not in _ANIMATION_CHUNKS]
    return data if len(still) == len(chunks) else data[:8] + b"".join(still)


def _parser(data: bytes) -> Callable[[bytes], Size] | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp
    return next((parse for start, parse in _PARSERS.items() if data.startswith(start)), None)


def _png(data: bytes) -> Size:
    """Reads the first chunk; all must lie in the file, as a decoder allocates the lengths they state."""
    if data[12:16] != b"IHDR":
        raise BadHeader("a PNG must begin with IHDR")
    if sum(data[start + 4 : start + 8] == b"IHDR" for start, _ in _png_chunks(data)) > 1:
        raise BadHeader("a PNG must have one IHDR")
    return _pair(">II", data, 16)


def _png_chunks(data: bytes) -> Iterator[tuple[int, int]]:
    end, kind = 8, b""
    for _ in range(_MAX_PARTS):
        if kind == b"IEND":
            return
        start = end
        length, kind = struct.unpack_from(">I4s", data, start)
        end = start + 12 + length
        if end > len(data):
            raise BadHeader("a chunk of the PNG is cut off")
        yield start, end
    raise BadHeader("a PNG of too many chunks")


def _jpeg(data: bytes) -> Size:
    place = 2
    for _ in range(_MAX_PARTS):
        if data[place] != 0xFF:
            raise BadHeader("a JPEG marker is missing")
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
        elif marker in _START_OF_FRAME:
            height, width = _pair(">HH", data, place + 5)
            return width, height
        elif marker in _WITHOUT_LENGTH:
            place += 2
        else:
            place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    raise BadHeader("a JPEG of too many segments")


def _bmp(data: bytes) -> Size:
    """Reads a header of 12 bytes (OS/2) or more; a negative height means rows from the top."""
    (header,) = struct.unpack_from("<I", data, 14)
    if header == 12:
        return _pair("<HH", data, 18)
    width, height = _pair("<ii", data, 18)
    return width, abs(height)


def _gif(data: bytes) -> Size:
    return _pair("<HH", data, 6)


def _webp(data: bytes) -> Size:
    """Reads the first chunk: lossy, lossless, or extended (with the canvas of an animation)."""
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = _pair("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X":
        low_w, high_w, low_h, high_h = struct.unpack_from("<HBHB", data, 24)
        return (high_w << 16 | low_w) + 1, (high_h << 16 | low_h) + 1
    raise BadHeader("a WebP must begin with a picture")


def _tiff(data: bytes) -> Size:
    """Reads the first directory of a TIFF or a BigTIFF, in either byte order."""
    order = "<" if data[:2] == b"II" else ">"
    big = data[2:4] in (b"\x2b\x00", b"\x00\x2b")
    (place,) = struct.unpack_from(order + ("Q" if big else "I"), data, 8 if big else 4)
    (count,) = struct.unpack_from(order + ("Q" if big else "H"), data, place)
    if count > _MAX_PARTS:
        raise BadHeader("a TIFF of too many fields")
    first, length = place + (8 if big else 2), 20 if big else 12
    tags: dict[int, int] = {}
    for entry in range(first, min(first + count * length, len(data)), length):
        tag, kind = _pair(order + "HH", data, entry)
        if tag in (_WIDTH, _HEIGHT, _BITS, _ROWS_PER_STRIP, _TILE_WIDTH, _TILE_HEIGHT):
            tags[tag] = max(tags.get(tag, 0), _tiff_value(data, entry, order, kind, big))
    if tags.get(_BITS, 1) > _MAX_BITS:
        raise BadHeader(f"a TIFF may have {_MAX_BITS} bits a channel")
    rows = tags.get(_ROWS_PER_STRIP, _WHOLE_IMAGE)
    tile_height = max(tags.get(_TILE_HEIGHT, 0), 0 if rows == _WHOLE_IMAGE else rows)
    width, height = tags.get(_WIDTH, 0), tags.get(_HEIGHT, 0)
    if not width or not height:
        raise BadHeader("a TIFF must state its size")
    return max(width, tags.get(_TILE_WIDTH, 0)), max(height, tile_height)


def _tiff_value(data: bytes, entry: int, order: str, kind: int, big: bool) -> int:
    """Returns the largest value of a directory's entry, which holds their place where they do not fit in."""
    (count,) = struct.unpack_from(order + ("Q" if big else "I"), data, entry + 4)
    code = _TIFF_TYPES.get(kind)
    if code is None or not 1 <= count <= _MAX_BITS:
        raise BadHeader("a TIFF's field is not a whole number")
    room, place = (8, entry + 12) if big else (4, entry + 8)
    values = f"{order}{count}{code}"
    if struct.calcsize(values) > room:
        (place,) = struct.unpack_from(order + ("Q" if big else "I"), data, place)
    return int(max(struct.unpack_from(values, data, place)))


def _pair(form: str, data: bytes, place: int) -> Size:
    first, second = struct.unpack_from(form, data, place)
    return first, second


_PARSERS: Final[Mapping[bytes, Callable[[bytes], Size]]] = {
    b"\x89PNG\r\n\x1a\n": _png,
    b"\xff\xd8\xff": _jpeg,
    b"BM": _bmp,
    b"GIF87a": _gif,
    b"GIF89a": _gif,
    b"II\x2a\x00": _tiff,
    b"MM\x00\x2a": _tiff,
    b"II\x2b\x00": _tiff,
    b"MM\x00\x2b": _tiff,
}
