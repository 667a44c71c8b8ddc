"""`botapp compile` prepares the search, and says how far it has come or what keeps it from that."""

import json
import os

import pytest

from botapp.fight.core import compiler
from botapp.fight.core.cache import INTERPRETED_VARIABLE, MEANWHILE
from botapp.search import preparing
from botapp.search.preparing import Headway


@pytest.fixture
def quick(monkeypatch):
    """Has the preparing take no time."""

    def prepare(tell):
        for share, left in ((0.01, None), (0.05, 40.0), (0.5, 20.4), (1.0, 0.0)):
            tell(Headway(share, left))

    monkeypatch.setattr(compiler, "FAULT", "")
    monkeypatch.setattr(preparing, "prepare", prepare)
    monkeypatch.setattr(preparing, "prepared", lambda: False)


def test_it_tells_now_and_then_how_far_it_has_come(run, quick):
    code, out, err = run("compile")
    assert code == 0 and out == "The search is ready for this computer.\n"
    assert err.splitlines() == [
        "Preparing the search for this computer, once: 1 %",
        "Preparing the search for this computer, once: 50 %, about 20 s left",
        "Preparing the search for this computer, once: 100 %, about 0 s left",
    ]


def test_another_program_reads_it_line_by_line(run, quick):
    code, out, err = run("compile", "--json")
    assert code == 0 and json.loads(out)["ready"] is True
    assert [json.loads(line) for line in err.splitlines()][1:3] == [
        {"share": 0.05, "seconds_left": 40},
        {"share": 0.5, "seconds_left": 20},
    ]


def test_it_compiles_though_the_app_runs_interpreted_meanwhile(run, quick, monkeypatch):
    monkeypatch.setenv(INTERPRETED_VARIABLE, MEANWHILE)
    assert run("compile")[0] == 0
    assert INTERPRETED_VARIABLE not in os.environ


@pytest.mark.slow
def test_a_command_that_needs_the_search_says_that_it_is_prepared_first(run, quick):
    code, _, err = run("arena", "tournament", "--a", "random", "--b", "random", "--fights", "1", "--json")
    assert code == 0 and "Preparing the search for this computer, once: 50 %, about 20 s left" in err


def test_an_obstacle_is_said_with_its_remedy(run, monkeypatch):
    monkeypatch.setattr(compiler, "FAULT", "numba")
    code, out, err = run("compile")
    assert code == 1 and out == "" and "pip install" in err
    code, out, _ = run("compile", "--json")
    assert code == 1 and "pip install" in json.loads(out)["why"]


def test_code_that_was_damaged_is_said_to_be_made_again(run, quick, monkeypatch):
    monkeypatch.setattr(preparing, "damaged", lambda: True)
    code, _, err = run("compile")
    assert code == 0
    assert err.splitlines()[0].endswith("is damaged; it is thrown away and made again.")
    code, _, err = run("compile", "--json")
    assert all(json.loads(line) for line in err.splitlines())
