"""The benchmark of the rules measures every kind of fight, and says so as text and as JSON."""

import json

import pytest

from botapp.bench import rules
from botapp.bench.rules import measure_rules, rules_text
from botapp.commands.cli import main

GROUPS = ["1v1", "2v2", "3v3", "4v4", "adventure", "all"]


@pytest.fixture(autouse=True)
def short_fights(monkeypatch):
    monkeypatch.setattr(rules, "ACTIONS", 20)


def test_every_figure_is_there_and_counts_something():
    found = measure_rules(seconds=0.001)
    assert list(found["playouts_per_s"]) == GROUPS
    assert all(rate > 0 for rate in found["playouts_per_s"].values())
    assert min(found["expansions_per_s"], found["legal"]) > 0
    text = rules_text(found)
    assert all(word in text for word in (*GROUPS, "expansion"))


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_prints_it(capsys, as_json):
    assert main(["bench", "rules", "--seconds", "0.01", *(["--json"] if as_json else [])]) == 0
    out = capsys.readouterr().out
    if as_json:
        assert list(json.loads(out)["playouts_per_s"]) == GROUPS
    else:
        assert "actions a second" in out
