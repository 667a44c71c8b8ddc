"""How many desks searches make for themselves."""

import gc

import pytest

from botapp.search import desk


@pytest.fixture
def desks_made(monkeypatch):
    """Returns the sizes of the desks made during the test, without the garbage collector's help."""
    made = []
    anew = desk.SearchDesk.__init__

    def counted(self, nodes):
        made.append(nodes)
        anew(self, nodes)

    monkeypatch.setattr(desk, "spare", {size: [] for size in desk.SIZES})
    monkeypatch.setattr(desk.SearchDesk, "__init__", counted)
    gc.collect()
    gc.disable()
    yield made
    gc.enable()
