"""The report on made-up logs: which readings are judged, against what, and how fights are counted."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.demo.report import CALM_NS, Accuracy, busy_share, fights, log_lines, matched
from botapp.host.statistics import percentiles
from botapp.host.versions import versions
from vision.view import FighterSeen, FightView, Phase, Seen

MS = 1_000_000


def shown(t_ms: int, **changes: Any) -> dict[str, Any]:
    return {
        "t_ns": t_ms * MS,
        "event": "shown",
        "fight": 0,
        "seed": 1,
        "phase": "fight",
        "turn": "mine",
        "hp": 250,
        "max_hp": 300,
        "ap": 6,
        "mp": 3,
        "timer_s": 20,
        "turn_number": 1,
        "player": {"cell": 100, "px": [1, 2], "hp_fraction": 0.83, "kind": "ember"},
        "enemies": [],
        "allies": [],
        "cells": [2] * 560,
        "highlights": {},
        "spells": [],
        **changes,
    }


def view(t_ms: int, **changes: Any) -> FightView:
    values: dict[str, Any] = {
        "phase": Seen(Phase.FIGHT, 1.0),
        "turn": Seen("mine", 1.0),
        "hp": Seen(250, 1.0),
        "max_hp": Seen(300, 1.0),
        "ap": Seen(6, 1.0),
        "mp": Seen(3, 1.0),
        "timer_s": Seen(20, 1.0),
        "turn_number": Seen(1, 1.0),
        "player": FighterSeen((1, 2), 100, "own", Seen(0.83, 1.0), Seen("ember", 1.0)),
        "cells": np.full(560, 2, np.uint8),
        "captured_ns": t_ms * MS,
    }
    return FightView(**values | changes)


def test_a_reading_is_held_against_the_last_thing_shown_before_it() -> None:
    lines = [shown(0, hp=1), shown(1000, hp=2), {"event": "action", "t_ns": 1500 * MS}, shown(2000, hp=3)]
    pairs = list(matched([view(500), view(1500), view(5000)], lines))
    assert [truth["hp"] for _, truth in pairs] == [1, 2, 3]


@pytest.mark.parametrize("t_ms", [0, 79, 921, 999, 1000, 1079])
def test_a_reading_close_to_a_change_is_left_out(t_ms: int) -> None:
    assert list(matched([view(t_ms)], [shown(0), shown(1000)])) == []


def test_a_reading_from_before_the_first_picture_is_left_out() -> None:
    assert list(matched([view(50)], [shown(1000)])) == []
    assert list(matched([view(50)], [])) == []


@given(st.lists(st.integers(0, 10_000), unique=True), st.lists(st.integers(0, 10_000)))
def test_nothing_shown_changes_within_the_calm_around_a_judged_reading(
    paints: list[int], captures: list[int]
) -> None:
    lines = [shown(t) for t in sorted(paints)]
    for reading, truth in matched([view(t) for t in captures], lines):
        assert truth["t_ns"] <= reading.captured_ns - CALM_NS
        between = [line for line in lines if truth["t_ns"] < line["t_ns"] < reading.captured_ns + CALM_NS]
        assert between == []


def test_accuracy_counts_right_wrong_and_withheld_by_field() -> None:
    accuracy = Accuracy()
    accuracy.add(view(0), shown(0))
    accuracy.add(view(0, ap=Seen(None, 0.2), hp=Seen(999, 1.0), seq=7), shown(0))
    found = accuracy.to_json()
    assert found["readings"] == 2
    assert found["by_field"]["hp"]["wrong"] == 1
    assert found["by_field"]["ap"]["withheld"] == 1
    assert found["by_field"]["mp"] == {
        "total": 2,
        "right": 2,
        "wrong": 0,
        "withheld": 0,
        "right_share": 1.0,
        "wrong_share": 0.0,
    }
    assert found["by_field"]["player hp"]["total"] == 2
    assert found["cells"]["right_share"] == 1.0
    assert [(e["seq"], e["field"]) for e in found["wrong_examples"]] == [(7, "hp")]


def test_without_readings_the_shares_are_zero() -> None:
    assert Accuracy().to_json()["fields"]["right_share"] == 0.0


def test_fights_are_won_lost_drawn_or_unfinished() -> None:
    lines = [
        shown(0, fight=0, seed=5),
        {"event": "fight-end", "fight": 0, "seed": 5, "winner": 0, "player_team": 0, "turns": 4},
        {"event": "fight-end", "fight": 1, "seed": 6, "winner": 1, "player_team": 0, "turns": 9},
        {"event": "fight-end", "fight": 2, "seed": 7, "winner": -1, "player_team": 0, "turns": 50},
        shown(9, fight=2, seed=7),
        shown(9, fight=3, seed=8),
    ]
    found = fights(lines)
    assert {name: found[name] for name in ("won", "lost", "draw", "unfinished")} == {
        "won": 1,
        "lost": 1,
        "draw": 1,
        "unfinished": 1,
    }
    assert [entry["seed"] for entry in found["each"]] == [5, 6, 7, 8]
    assert found["each"][0] == {"seed": 5, "result": "won", "turns": 4}


def test_a_log_is_read_up_to_its_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    assert log_lines(path) == []
    path.write_text(json.dumps(shown(1)) + "\n" + '{"t_ns": 5, "eve')
    assert [line["t_ns"] for line in log_lines(path)] == [MS]


def test_percentiles_of_nothing_are_nothing() -> None:
    assert percentiles([]) is None
    assert percentiles(list(range(101))) == {"count": 101, "p50": 50.0, "p95": 95.0, "p99": 99.0}


def test_versions_name_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("botapp.host.versions.PACKAGES", ("numpy", "no-such-package"))
    assert versions() == {"numpy": np.__version__, "no-such-package": "missing"}


def test_the_share_of_a_core_counts_from_when_all_is_loaded_and_over_restarts() -> None:
    points = [(0.0, 0.0), (5.0, 4.0), (10.0, 4.5), (15.0, 0.5), (20.0, 1.5)]
    assert busy_share(points, 5.0) == pytest.approx((0.5 + 0.0 + 1.0) / 15, abs=1e-4)
    assert busy_share(points, 18.0) is None
