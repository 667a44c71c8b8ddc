"""What these tests export is kept apart: the cache keeps twelve, and the shipped model's are wanted again."""

import pytest


@pytest.fixture(scope="session")
def _exports(tmp_path_factory):
    return tmp_path_factory.mktemp("exports")


@pytest.fixture(autouse=True)
def _own_exports(_exports, monkeypatch):
    monkeypatch.setenv("HRM_CACHE_DIR", str(_exports))
