"""Garbage with Qt objects in it is collected on the GUI thread only, whichever thread allocates."""

import gc
import threading

import pytest
from PySide6.QtCore import QObject

from botapp.ui.session import Collector


class Noted(QObject):
    """Notes the thread on which it is destroyed."""

    died: list[int]

    def __del__(self):
        self.died.append(threading.get_ident())


@pytest.mark.slow
def test_garbage_made_and_allocated_over_on_another_thread_dies_on_this_one(qapp, monkeypatch):
    died = []
    monkeypatch.setattr(Noted, "died", died, raising=False)
    before = gc.get_threshold()
    gc.set_threshold(500, 5, 5)
    collector = Collector()
    collector.start()
    try:
        one = Noted()
        one.itself = one
        del one
        busy = threading.Thread(target=lambda: [[] for _ in range(50_000)])
        busy.start()
        busy.join()
        assert died == []
        kept = [[] for _ in range(3 * 500)]
        for _ in range(40):
            collector.look()
            kept += [[] for _ in range(600)]
        assert died == [threading.get_ident()]
    finally:
        collector.stop()
        gc.set_threshold(*before)
    assert gc.isenabled()


@pytest.mark.slow
def test_the_app_takes_it_over_and_gives_it_back(start):
    app, _ = start()
    assert not gc.isenabled()
    app.stop()
    assert gc.isenabled()
