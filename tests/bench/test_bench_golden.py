"""Decisions, readings and fights are those recorded, on any processor but for what rounding explains."""

import copy
import gzip
import json
import random
from pathlib import Path

import pytest
import typer

from botapp.bench import golden
from botapp.bench.golden import PARTS, compare, judged
from botapp.fight.rules import apply

RECORDING = Path(__file__).with_name("golden.json.gz")


@pytest.fixture(scope="module")
def recorded():
    return json.loads(gzip.decompress(RECORDING.read_bytes()))


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_everything_is_as_recorded_but_for_rounding() -> None:
    assert compare(RECORDING, lambda _: None, PARTS).faults == []


@pytest.mark.long
def test_wrong_damage_is_found(monkeypatch) -> None:
    """Blows take a tenth more off: most states of the recording cannot come about."""

    def harder(state, action, rng):
        after = apply(state, action, rng)
        for fighter in state.fighters:
            hurt = after.fighter(fighter.id)
            more = (fighter.hp - hurt.hp) // 10
            if 0 < more < hurt.hp:
                struck = hurt.changed(hp=hurt.hp - more)
                after = after.changed(fighters=tuple(struck if f is hurt else f for f in after.fighters))
        return after

    monkeypatch.setattr(golden, "apply", harder)
    faults = compare(RECORDING, lambda _: None, ["decisions"], 10).faults
    assert any("states that are others" in fault for fault in faults), faults


def test_rounding_is_no_fault(recorded) -> None:
    """As on another processor: values a little apart, one choice in twenty, one fight in three."""
    dice = random.Random(1)
    decisions = copy.deepcopy(recorded["decisions"])
    for number, entry in enumerate(decisions):
        entry["value"] += dice.gauss(0, 0.002)
        if number % 20 == 0:
            entry["actions"] = entry["actions"][::-1]
            entry["value"] += dice.choice((-0.03, 0.03))
    assert judged("decisions", recorded["decisions"], decisions) == []
    fights = copy.deepcopy(recorded["tournament"])
    for entry in fights[::3]:
        entry["turns"] += dice.choice((-2, -1, 1, 2))
    fights[0]["winner"] = 1 - fights[0]["winner"]
    assert judged("tournament", recorded["tournament"], fights) == []
    pictures = [entry | {"picture": "", "reading": ""} for entry in recorded["readings"]]
    assert judged("readings", recorded["readings"], pictures) == []


def _other_rules(part):
    return [entry | {"state": "0"} for entry in part]


def _worse_choices(part):
    return [entry | {"actions": entry["actions"][::-1]} for entry in part]


def _higher_values(part):
    return [entry | {"value": entry["value"] + 0.03} for entry in part]


def _a_digit_misread(part):
    return [entry | {"hp": (entry["hp"] or 0) + 10 * (number % 10 == 0)} for number, entry in enumerate(part)]


def _longer_fights(part):
    return [entry | {"turns": round(entry["turns"] * 1.4)} for entry in part]


def _a_third_lost(part):
    return [entry | {"winner": entry["winner"] ^ (number % 3 == 0)} for number, entry in enumerate(part)]


@pytest.mark.parametrize(
    ("part", "change", "what"),
    [
        ("decisions", _other_rules, "states that are others"),
        ("decisions", _worse_choices, "other first choices"),
        ("decisions", _higher_values, "mean of the value's difference"),
        ("readings", _a_digit_misread, "readings with another hp"),
        ("tournament", _longer_fights, "turns of a fight"),
        ("tournament", _a_third_lost, "share of the points"),
        ("readings", lambda part: part[1:], "were recorded"),
    ],
)
def test_a_fault_is_none_of_rounding(recorded, part, change, what) -> None:
    assert [fault for fault in judged(part, recorded[part], change(recorded[part])) if what in fault]


@pytest.mark.parametrize(("what", "code"), [("compare", 0), ("exactly", 1)])
def test_only_the_exact_comparison_fails_on_rounding(monkeypatch, recorded, capsys, what, code) -> None:
    rounded = [entry | {"value": entry["value"] + 1e-4} for entry in recorded["decisions"]]
    monkeypatch.setattr(golden, "made", lambda part, progress, limit: rounded)
    with pytest.raises(typer.Exit) as ended:
        golden.main(what, RECORDING, ["decisions"])
    assert ended.value.exit_code == code
    assert "value was" in capsys.readouterr().out


def test_parts_that_are_not_recorded_anew_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "made", lambda part, progress, limit: [part, limit])
    file = tmp_path / "golden.json.gz"
    golden.record(file, lambda _: None)
    golden.record(file, lambda _: None, ["readings"], 1)
    kept = json.loads(gzip.decompress(file.read_bytes()))
    assert {part: kept[part][1] for part in PARTS} == {"decisions": None, "readings": 1, "tournament": None}
