"""How many cores the search and the model take by themselves."""

import os

import psutil
import pytest

from botapp.host.cores import usual_threads


@pytest.mark.parametrize(
    ("physical", "allowed", "wanted"),
    [(1, 2, 1), (2, 4, 1), (4, 8, 2), (16, 32, 2), (16, 3, 1), (None, 8, 2)],
)
def test_two_cores_are_taken_where_two_more_are_left_free(monkeypatch, physical, allowed, wanted):
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: physical)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(allowed)), raising=False)
    assert usual_threads() == wanted
