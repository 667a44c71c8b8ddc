"""The benchmark of the rules measures every kind of fight, and says so as text and as JSON."""

import json

import pytest

from botapp.bench import rules
from botapp.bench.speed import Scale, measure_interpreted, measure_speed
from botapp.commands.cli import main

TEAMS = ["1v1", "2v2", "3v3", "4v4"]
GROUPS = [*TEAMS, "adventure", "all"]
FIGURES = [
    "actions_per_s",
    "rollout_action_us",
    "states_per_s",
    "judgements_per_s",
    "bare_96_p50_ms",
    "bare_96_p95_ms",
]
SMALL = Scale(seconds=0.001, fights=1, decisions=2, judged=24)


@pytest.fixture(autouse=True)
def short_fights(monkeypatch):
    monkeypatch.setattr(rules, "ACTIONS", 20)


@pytest.mark.slow
@pytest.mark.parametrize(
    "measured", [lambda: measure_speed(SMALL), pytest.param(measure_interpreted, marks=pytest.mark.long)]
)
def test_every_figure_is_there_and_counts_something(measured):
    found = measured()
    assert list(found) == FIGURES
    assert list(found["actions_per_s"]) == TEAMS
    assert min(found["actions_per_s"].values()) > 0
    assert min(found[name] for name in FIGURES[1:]) > 0


@pytest.mark.long  # tests/commands prints it too, in both languages
@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_prints_it(capsys, monkeypatch, as_json):
    small = measure_speed(SMALL)
    monkeypatch.setattr(rules, "measure_speed", lambda *_: small)
    monkeypatch.setattr(rules, "measure_interpreted", lambda **_: small)
    assert main(["bench", "rules", "--seconds", "0.01", *(["--json"] if as_json else [])]) == 0
    out = capsys.readouterr().out
    if as_json:
        found = json.loads(out)
        assert {name: found[name] for name in FIGURES} == found["interpreted"] == small
        assert list(found["playouts_per_s"]) == GROUPS
        assert all(rate > 0 for rate in found["playouts_per_s"].values())
        assert min(found["expansions_per_s"], found["legal"]) > 0
    else:
        words = (*GROUPS, "expansion", "rollouts", "judging", "bare 96", "interpreted", "actions a second")
        assert all(word in out for word in words)
