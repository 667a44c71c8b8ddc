"""The picture for the Vision panel: whole or not at all, the newest first, never larger than its slot."""

import multiprocessing
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.runtime import preview as module
from botapp.runtime.preview import PreviewReader, PreviewWriter, create_preview


@pytest.fixture
def name() -> Iterator[str]:
    memory = create_preview()
    yield memory.name
    memory.close()
    memory.unlink()


def _flat(value: int, height: int = 20, width: int = 30) -> np.ndarray:
    return np.full((height, width, 4), value, np.uint8)


def test_nothing_is_read_before_anything_was_written(name: str) -> None:
    assert PreviewReader(name).read() is None


def test_the_newest_picture_is_read_unchanged(name: str) -> None:
    writer, reader = PreviewWriter(name), PreviewReader(name)
    assert reader.read() is None
    for seq in range(5):
        picture = np.random.default_rng(seq).integers(0, 255, (20, 30, 4), np.uint8)
        writer.write(seq, picture)
        found = reader.read()
        assert found is not None
        assert found[0] == seq
        np.testing.assert_array_equal(found[1], picture)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(1, 3000), st.integers(1, 2000))
def test_every_size_fits(width: int, height: int) -> None:
    memory = create_preview()
    try:
        reader = PreviewReader(memory.name)
        reader.read()
        PreviewWriter(memory.name).write(1, np.zeros((height, width, 4), np.uint8))
        found = reader.read()
        assert found is not None
        shown = found[1].shape
        assert shown[0] <= 360
        assert shown[1] <= 640
        assert width > 640 or height > 360 or shown[:2] == (height, width)
    finally:
        memory.close()
        memory.unlink()


def test_pictures_are_written_only_while_somebody_reads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    writer, reader = PreviewWriter(name), PreviewReader(name)
    assert not writer.write(1, _flat(1))
    assert reader.read() is None
    assert writer.write(2, _flat(2))
    now = time.monotonic_ns()
    monkeypatch.setattr(module.time, "monotonic_ns", lambda: now + module.ASKED_FOR_NS + 10**9)
    assert not writer.write(3, _flat(3))
    found = reader.read()
    assert found is not None and found[0] == 2
    assert writer.write(4, _flat(4))


def test_scores_are_wanted_only_while_the_app_asks_for_them(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, reader = PreviewWriter(name), PreviewReader(name)
    reader.read()
    assert not writer.are_scores_wanted
    reader.read(scored=True)
    assert writer.are_scores_wanted
    now = time.monotonic_ns()
    monkeypatch.setattr(module.time, "monotonic_ns", lambda: now + module.ASKED_FOR_NS + 10**9)
    assert not writer.are_scores_wanted


@pytest.mark.parametrize(("written", "read"), [((3,), 2), ((3, 4), None)])
def test_a_picture_that_is_being_overwritten_is_not_used(
    name: str, monkeypatch: pytest.MonkeyPatch, written: tuple[int, ...], read: int | None
) -> None:
    """The writer goes on in the middle of the reader's copy; after two pictures both slots are others."""
    writer, reader = PreviewWriter(name), PreviewReader(name)
    reader.read()
    writer.write(1, _flat(1))
    writer.write(2, _flat(2))
    pixels = module._pixels
    laps = iter(written)

    def lapped(*place: object) -> np.ndarray:
        picture = pixels(*place)
        for seq in laps:
            monkeypatch.setattr(module, "_pixels", pixels)
            writer.write(seq, _flat(seq))
        return picture

    monkeypatch.setattr(module, "_pixels", lapped)
    found = reader.read()
    assert (None if found is None else found[0]) == read
    assert found is None or (found[1] == read).all()
    found = reader.read()
    assert found is not None and found[0] == written[-1]


def _write_many(name: str, count: int) -> None:
    writer = PreviewWriter(name)
    for seq in range(count):
        writer.write(seq, _flat(seq % 251, 300, 600))
    writer.close()


@pytest.mark.long
def test_a_reader_beside_a_hurrying_writer_never_sees_a_torn_picture(name: str) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_write_many, args=(name, 3000))
    reader = PreviewReader(name)
    reader.read()
    process.start()
    seen = set()
    while process.is_alive():
        found = reader.read()
        if found is not None:
            seq, picture = found
            assert (picture == seq % 251).all()
            seen.add(seq)
    process.join()
    reader.close()
    assert len(seen) > 1


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no shared memory as files")
def test_what_a_killed_app_left_is_removed_and_what_is_in_use_is_not():
    left = Path("/dev/shm/botapp-999999999-0123abcd")
    left.write_bytes(b"x")
    ours = create_preview()
    assert not left.exists() and Path("/dev/shm", ours.name).exists()
    again = create_preview()
    for memory in (ours, again):
        memory.close()
        memory.unlink()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the memory is a file on Linux")
def test_no_room_for_the_picture_is_an_error_at_once_and_leaves_nothing(monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = {path.name for path in Path("/dev/shm").glob("botapp-*")}
    monkeypatch.setattr("botapp.runtime.preview.os.posix_fallocate", full)
    with pytest.raises(OSError, match="No space"):
        create_preview()
    assert {path.name for path in Path("/dev/shm").glob("botapp-*")} == before
