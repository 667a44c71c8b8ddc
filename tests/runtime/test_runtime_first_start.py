"""The worker inherits whether the rules run compiled: not before they have been compiled."""

import os

import pytest

from botapp.fight.core.cache import INTERPRETED_VARIABLE, MEANWHILE
from botapp.runtime import first_start


@pytest.fixture
def ready(monkeypatch, tmp_path):
    monkeypatch.setenv(INTERPRETED_VARIABLE, "")
    monkeypatch.delenv(INTERPRETED_VARIABLE)

    def settle(is_ready):
        monkeypatch.setattr(first_start, "folder", lambda: tmp_path)
        monkeypatch.setattr(first_start, "is_ready", lambda folder: is_ready)

    return settle


def test_as_long_as_nothing_is_compiled_the_worker_runs_interpreted(ready):
    ready(False)
    first_start.begin()
    assert first_start.pending()
    assert os.environ[INTERPRETED_VARIABLE] == MEANWHILE
    first_start.end()
    assert INTERPRETED_VARIABLE not in os.environ and not first_start.pending()


def test_a_window_that_asks_the_rules_itself_does_not_compile_them_either(ready):
    ready(True)
    first_start.settle()
    assert INTERPRETED_VARIABLE not in os.environ
    ready(False)
    first_start.settle()
    assert os.environ[INTERPRETED_VARIABLE] == MEANWHILE


def test_where_all_is_compiled_the_worker_runs_it(ready):
    ready(True)
    first_start.begin()
    assert INTERPRETED_VARIABLE not in os.environ


@pytest.mark.parametrize("error", [ImportError("no numba"), OSError("no home")])
def test_where_nothing_can_be_said_it_is_still_to_be_done(ready, monkeypatch, error):
    ready(False)

    def fail():
        raise error

    monkeypatch.setattr(first_start, "folder", fail)
    first_start.begin()
    assert first_start.pending()


def test_what_the_person_wants_holds(ready, monkeypatch):
    ready(False)
    monkeypatch.setenv(INTERPRETED_VARIABLE, "1")
    first_start.begin()
    first_start.end()
    assert os.environ[INTERPRETED_VARIABLE] == "1" and not first_start.pending()
