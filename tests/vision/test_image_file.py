"""Pictures are opened as frames; what is no picture, or too large, is refused by name, soon and cheaply."""

import os
import struct
import subprocess
import sys
import time
import zlib
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture.image_file import MAX_BYTES, ImageFileError, open_image
from vision.frame import Rect

SUFFIXES = (".png", ".jpg", ".bmp", ".webp", ".tiff")
ANIMATED = (".png", ".webp", ".gif")
MOST_MB = 200

MEASURED = """
import sys
from pathlib import Path
from vision.capture.image_file import ImageFileError, open_image
for path in map(Path, sys.argv[1:]):
    try:
        open_image(path)
    except ImageFileError as error:
        print(error.message)
status = Path("/proc/self/status").read_text().split()
print(int(status[status.index("VmHWM:") + 1]) // 1024)
"""


def picture() -> np.ndarray:
    """Returns a picture that every format keeps nearly as it is: 90 wide, 60 high, each corner of its own."""
    image = np.full((60, 90, 3), (200, 120, 40), np.uint8)
    image[:30, :45] = (10, 220, 90)
    image[30:, 45:] = (90, 30, 230)
    return image


def encoded(suffix: str) -> bytes:
    return bytes(cv2.imencode(suffix, picture())[1])


def moving(suffix: str) -> bytes:
    """Returns an animation of the picture and of its negative."""
    animation = cv2.Animation()
    animation.frames, animation.durations = [picture(), 255 - picture()], [100, 100]
    return bytes(cv2.imencodeanimation(suffix, animation)[1])


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(width: int, height: int) -> bytes:
    """Returns a whole, valid PNG of one colour and that size, of one bit a pixel."""
    rows = zlib.compressobj(1)
    row = bytes(1 + (width + 7) // 8)
    pixels = b"".join(rows.compress(row) for _ in range(height)) + rows.flush()
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def patched(data: bytes, place: int, value: bytes) -> bytes:
    return data[:place] + value + data[place + len(value) :]


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(ImageFileError) as error:
        open_image(path)
    message = error.value.message
    assert message.values["file"] == str(path) and message.count(str(path)) == 1
    return str(message)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_picture_is_a_frame_at_the_origin_opaque_and_in_bgra(suffix, tmp_path):
    frame = open_image(written(tmp_path, f"good{suffix}", encoded(suffix)))
    assert frame.rect == Rect(0, 0, 90, 60) and frame.seq == 0
    assert abs(frame.captured_ns - time.monotonic_ns()) < 10e9
    assert frame.pixels.dtype == np.uint8 and frame.pixels.shape == (60, 90, 4)
    assert (frame.pixels[..., 3] == 255).all()
    assert np.abs(frame.pixels[..., :3].astype(int) - picture()).mean() < 3


def test_the_suffix_does_not_matter(tmp_path):
    assert open_image(written(tmp_path, "shot.txt", encoded(".webp"))).rect == Rect(0, 0, 90, 60)


@pytest.mark.parametrize("suffix", ANIMATED)
def test_the_first_picture_of_an_animation_is_opened(suffix, tmp_path):
    path = written(tmp_path, f"moving{suffix}", moving(suffix))
    assert np.median(np.abs(open_image(path).pixels[..., :3].astype(int) - picture())) < 30


def test_the_first_page_is_opened(tmp_path):
    path = tmp_path / "pages.tiff"
    cv2.imwritemulti(str(path), [picture(), 255 - picture()])
    assert (open_image(path).pixels[..., :3] == picture()).all()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("share", [0.02, 0.5, 0.95])
def test_a_cut_off_file_is_refused_and_nothing_is_printed(suffix, share, tmp_path, capfd):
    data = encoded(suffix)
    message = refusal(written(tmp_path, f"cut{suffix}", data[: max(20, int(share * len(data)))]))
    assert "damaged or cut off" in message and "Save the screenshot again" in message
    assert capfd.readouterr() == ("", "")


def test_standard_error_is_there_again_afterwards(tmp_path, capfd):
    refusal(written(tmp_path, "cut.png", encoded(".png")[:60]))
    os.write(2, b"heard")
    assert capfd.readouterr().err == "heard"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs are POSIX's")
def test_what_is_no_file_is_refused_at_once(tmp_path):
    fifo = tmp_path / "pipe.png"
    os.mkfifo(fifo)
    started = time.monotonic()
    for path in (fifo, Path("/dev/zero"), Path("/dev/null")):
        assert "a device or a pipe" in refusal(path)
    (tmp_path / "link.png").symlink_to("/dev/zero")
    assert "a device or a pipe" in refusal(tmp_path / "link.png")
    assert "is a folder" in refusal(tmp_path)
    assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"a text\n" * 100, "not a picture"),
        (b'{"cells": []}', "not a picture"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (b"\xff\xd8\xff" + b"\xff" * 50, "damaged"),
        (b"RIFF\x00\x00\x00\x00WEBPJUNK" + bytes(40), "damaged"),
        (b"II\x2a\x00\xff\xff\xff\xff", "damaged"),
    ],
)
def test_other_files_are_refused_by_what_they_hold(content, why, tmp_path):
    assert why in refusal(written(tmp_path, "odd.png", content))


def test_a_missing_file_and_an_impossible_name_are_refused(tmp_path):
    assert "No such file" in refusal(tmp_path / "gone.png")
    assert "cannot be opened" in refusal(Path("null\0byte.png"))


def test_a_long_file_is_refused_unread(tmp_path):
    path = written(tmp_path, "long.png", encoded(".png"))
    os.truncate(path, 100 * MAX_BYTES)
    assert "too large a file" in refusal(path)


@cache
def claims() -> dict[str, bytes]:
    """Returns files of each format whose headers claim 16,000 x 16,000 pixels or more."""
    tiff = encoded(".tiff")
    directory = struct.unpack_from("<I", tiff, 4)[0]
    for entry in range(directory + 2, directory + 2 + 12 * tiff[directory], 12):
        tag = struct.unpack_from("<H", tiff, entry)[0]
        if tag in (256, 257):
            tiff = patched(tiff, entry + 2, struct.pack("<HII", 4, 1, 16000))
        elif tag == 278:
            rows = entry
    jpeg = encoded(".jpg")
    frame = jpeg.index(b"\xff\xc0") + 5
    webp = encoded(".webp")
    side = struct.pack("<H", 16000)
    lossless = bytes(cv2.imencode(".webp", picture(), [cv2.IMWRITE_WEBP_QUALITY, 101])[1])
    lossy = bytes(cv2.imencode(".webp", picture(), [cv2.IMWRITE_WEBP_QUALITY, 80])[1])
    assert webp[12:16] == lossless[12:16] == b"VP8L" and lossy[12:16] == b"VP8 "
    small_tiff = encoded(".tiff")
    return {
        "png": patched(encoded(".png"), 16, struct.pack(">II", 32767, 32767)),
        "valid png": png_of(32767, 32767),
        "jpeg": patched(jpeg, frame, struct.pack(">HH", 65000, 65000)),
        "bmp": patched(encoded(".bmp"), 18, struct.pack("<ii", 30000, -30000)),
        "gif": b"GIF89a" + struct.pack("<HH", 65535, 65535) + bytes(50),
        "lossy webp": patched(lossy, 26, side + side),
        "lossless webp": patched(lossless, 21, struct.pack("<I", 15999 << 14 | 15999)),
        "extended webp": b"RIFF\x20\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00" + b"\xff" * 6,
        "tiff": tiff,
        "tiff's strips": patched(small_tiff, rows + 2, struct.pack("<HII", 4, 1, 5_000_000)),
        "line": png_of(20000, 1),
    }


@pytest.mark.slow
def test_a_header_that_claims_too_much_is_refused_before_it_is_decoded(tmp_path):
    started = time.monotonic()
    for name, data in claims().items():
        message = refusal(written(tmp_path, "vast.png", data))
        assert "too large" in message and "Scale it down" in message, name
    assert time.monotonic() - started < 30


def test_a_progressive_picture_of_thousands_of_scans_is_refused(tmp_path):
    data = bytes(cv2.imencode(".jpg", picture(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1])
    assert open_image(written(tmp_path, "few.jpg", data)).rect == Rect(0, 0, 90, 60)
    last = data.rindex(b"\xff\xda")
    path = written(tmp_path, "many.jpg", data[:last] + data[last:-2] * 1000 + data[-2:])
    assert "damaged" in refusal(path)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the peak as Linux tells it")
def test_refusing_costs_little_memory(tmp_path):
    vast = claims()
    paths = [Path("/dev/zero"), written(tmp_path, "empty.png", b"")]
    paths += [written(tmp_path, f"{name}.png", vast[name]) for name in ("valid png", "jpeg", "tiff")]
    long = written(tmp_path, "long.txt", b"a text")
    os.truncate(long, MAX_BYTES - 1)
    command = [sys.executable, "-c", MEASURED, *map(str, [*paths, long])]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    *messages, peak = lines.stdout.splitlines()
    for path, message in zip([*paths, long], messages, strict=True):
        assert str(path) in message
    assert lines.stderr == "" and int(peak) < MOST_MB, peak


def test_a_damaged_animation_does_not_hurt_its_first_picture(tmp_path):
    data = moving(".png")
    at = data.index(b"fdAT")
    path = written(tmp_path, "moving.png", patched(data, at + 8, bytes(range(40))))
    assert (open_image(path).pixels[..., :3] == picture()).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "part"),
    [
        (b"\xff\xd8", b"\xff"),
        (png_of(9, 9)[:33], chunk(b"teXt", b"")),
        (b"II\x2b\x00\x08\0\0\0\x10\0\0\0\0\0\0\0", b"\xff"),
    ],
    ids=["jpeg", "png", "tiff"],
)
def test_a_header_of_millions_of_parts_is_refused_soon(start, part, tmp_path):
    path = written(tmp_path, "parts.png", start + part * (20_000_000 // len(part)))
    started = time.monotonic()
    assert "damaged" in refusal(path)
    assert time.monotonic() - started < 30


DAMAGED = """
import sys
import numpy as np
from pathlib import Path
from vision.capture.image_file import ImageFileError, decode_image
dice = np.random.default_rng(5)
opened = 0
for path in sorted(Path(sys.argv[1]).iterdir()):
    for _ in range(60):
        data = bytearray(path.read_bytes())
        for place in dice.integers(0, len(data), 4):
            data[place] = dice.integers(256)
        try:
            opened += decode_image(bytes(data), "damaged").ndim == 3
        except ImageFileError:
            pass
print(opened)
"""


@pytest.mark.slow
def test_damaged_files_are_opened_or_refused_and_nothing_else(tmp_path):
    for suffix in SUFFIXES:
        written(tmp_path, f"one{suffix}", encoded(suffix))
    for suffix in ANIMATED:
        written(tmp_path, f"moving{suffix}", moving(suffix))
    command = [sys.executable, "-c", DAMAGED, str(tmp_path)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert lines.stderr == "" and 0 < int(lines.stdout) < 60 * (len(SUFFIXES) + len(ANIMATED))
