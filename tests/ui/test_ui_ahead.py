"""What the pages need is read before they are opened; what cannot be read is left to the page."""

import sys

from botapp.content.knowledge import base
from botapp.host import licences
from botapp.host.settings import Settings
from botapp.ui import preparation
from vision import profiles


def test_the_pages_find_read_what_they_need(monkeypatch, tmp_path):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    for kept in (base._base, profiles.load, licences.dependencies):
        kept.cache_clear()
    monkeypatch.delitem(sys.modules, "botapp.ui.widgets.plot_area", raising=False)
    preparation.read_ahead(Settings()).join(60)
    assert "botapp.ui.widgets.plot_area" in sys.modules, "what draws plots"
    found = base.knowledge()
    assert base._base.cache_info().misses == 1 and found is base.knowledge()
    assert profiles.load.cache_info().misses == 1 and licences.dependencies.cache_info().misses == 1


def test_what_cannot_be_read_does_not_keep_the_rest_from_being_read(monkeypatch):
    def broken():
        raise OSError

    licences.dependencies.cache_clear()
    monkeypatch.setattr(preparation, "knowledge", broken)
    preparation.read_ahead(Settings()).join(60)
    assert licences.dependencies.cache_info().currsize == 1
