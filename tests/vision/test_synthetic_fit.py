"""Confidences become probabilities by curves that rise and are never quite certain."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import reliability
from vision.reliability import calibrated, parse, probability
from vision.synthetic import fitting
from vision.synthetic.__main__ import main
from vision.synthetic.scoring import FieldTally
from vision.view import FighterSeen, FightView, Phase, Seen, SpellSlot

SAID = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=fitting.LEAST, max_size=200)


@pytest.mark.slow
@given(SAID)
def test_a_curve_rises_and_is_never_certain(said):
    curve = fitting.isotonic(fitting.grouped(said))
    assert all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(curve))
    assert all(0 < right < 1 for _, right in curve)


@pytest.mark.slow
@given(SAID)
def test_groups_hold_every_reading_once(said):
    groups = fitting.grouped(said)
    assert sum(weight for _, _, weight in groups) == len(said)
    assert sum(right * weight for _, right, weight in groups) == pytest.approx(
        sum(right for _, right in said)
    )


@pytest.mark.slow
@settings(max_examples=60)
@given(SAID, st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_a_higher_confidence_is_never_less_probable(said, asked):
    curve = fitting.isotonic(fitting.grouped(said))
    told = [probability(curve, value) for value in sorted(asked)]
    assert told == sorted(told)


def test_overconfidence_is_taken_back():
    said = [(0.99, index % 2 == 0) for index in range(100)] + [(0.6, False)] * 50
    curve = fitting.isotonic(fitting.grouped(said))
    assert probability(curve, 0.99) == pytest.approx(0.5, abs=0.05)
    assert probability(curve, 0.6) < 0.1
    assert probability(None, 0.77) == 0.77


def test_a_view_keeps_its_values_and_changes_its_confidences():
    half = ((0.0, 0.0), (1.0, 0.5))
    names = (
        "hp",
        "turn",
        "phase",
        "no fight",
        "player",
        "enemies",
        "cells",
        "spell usable",
        "spell cooldown",
    )
    curves = dict.fromkeys(names, half)
    view = FightView(
        phase=Seen(Phase.FIGHT, 0.9),
        turn=Seen("mine", 0.8),
        hp=Seen(30, 0.6),
        ap=Seen(4, 0.6),
        cell_confidence=0.4,
        player=FighterSeen((1.0, 2.0), 3, "own", confidence=0.8),
        enemies=(FighterSeen((1.0, 2.0), 3, "enemy", confidence=0.6),),
        spells=(SpellSlot(0, Seen(True, 0.8), Seen()),),
    )
    told = calibrated(view, curves)
    assert (told.phase, told.turn, told.hp, told.ap) == (
        Seen(Phase.FIGHT, 0.45),
        Seen("mine", 0.4),
        Seen(30, 0.3),
        Seen(4, 0.6),
    )
    assert told.cell_confidence == pytest.approx(0.2)
    assert (told.player.confidence, told.enemies[0].confidence) == (0.4, 0.3)
    assert told.spells[0] == SpellSlot(0, Seen(True, 0.4), Seen())
    assert calibrated(view, {}) is view
    unknown = FightView()
    assert calibrated(unknown, curves).phase == unknown.phase


def test_what_is_written_is_read_back_and_nonsense_is_refused():
    curves = {"dofus-unity": {"hp": ((0.5, 0.4), (0.9, 0.95))}}
    text = fitting.to_text(curves, {"count": 3})
    assert parse(text) == curves
    more = fitting.to_text({"dofus-unity": {"ap": ((0.9, 0.99),)}}, {"count": 4}, text)
    assert parse(more)["dofus-unity"] == {**curves["dofus-unity"], "ap": ((0.9, 0.99),)}
    assert json.loads(more)["about"] == [{"count": 3}, {"count": 4}]
    for points in ([], [[0.5, 0.9], [0.6, 0.1]], [[0.5, 1.4]], [[0.5, 0.1], [0.5, 0.2]]):
        with pytest.raises(ValueError, match="hp must rise"):
            parse(json.dumps({"clients": {"dofus-unity": {"hp": points}}}))


def test_a_field_of_which_little_was_read_has_no_curve():
    tally = FieldTally()
    tally.reported["dofus-2", "fight_turn"] = [(0.9, True)] * fitting.LEAST
    tally.reported["dofus-2", "hp"] = [(0.9, True)]
    tally.cell_shares["dofus-2"] = [(0.9, 0.8)] * fitting.LEAST
    assert set(fitting.curves(tally)["dofus-2"]) == {"turn_number", "cells"}


def test_a_client_of_which_little_was_read_has_the_curve_of_all():
    tally = FieldTally()
    tally.reported["dofus-2", "no fight"] = [(0.9, True)] * 100
    tally.reported["dofus-retro", "no fight"] = [(0.9, True)]
    found = fitting.curves(tally)
    assert [curve[0][1] for curve in (found["dofus-retro"]["no fight"], found["dofus-2"]["no fight"])] == (
        pytest.approx([1, 1], abs=0.01)
    )


def test_the_curves_that_ship_are_sound():
    for client in ("dofus-unity", "dofus-2", "dofus-retro", "arena"):
        for curve in reliability.load(client).values():
            assert curve


@pytest.mark.long
def test_the_command_writes_curves(tmp_path, capsys):
    assert main(["fit", "--count", "2", "--seed", "60", "--out", str(tmp_path / "curves.json")]) == 0
    parse((tmp_path / "curves.json").read_text())
