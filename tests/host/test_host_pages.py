"""An array's memory goes back to the system, and the array is as new."""

import numpy as np
import psutil

from botapp.host import pages


def resident():
    return psutil.Process().memory_info().rss


def test_what_was_written_is_given_back_and_reads_as_zeros():
    array = np.zeros(20 << 20, np.int32)
    array[:] = 7
    before = resident()
    left = pages.emptied(array)
    assert before - resident() > 70 << 20
    assert not left.any() and left.shape == array.shape
    left[3] = 1
    assert left.sum() == 1


def test_the_ends_between_pages_are_zeros_too():
    for size in (1, 5, 3000):
        part = np.full(size + 20_000, 7, np.int32)[11:-7]
        assert not pages.emptied(part).any()


def test_where_the_system_cannot_it_is_another_array(monkeypatch):
    monkeypatch.setattr(pages, "_madvise", lambda: None)
    array = np.full(1000, 7, np.int32)
    left = pages.emptied(array)
    assert left is not array and not left.any() and left.dtype == array.dtype
