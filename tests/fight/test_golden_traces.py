"""The rules are those of the recorded fights: states, dice, legal actions, refusals and expectations."""

import random
from types import SimpleNamespace

import pytest
from golden_coverage import CONDITIONS, EVENTS, Coverage
from golden_traces import FIXTURE, Traces, replay, steps

from botapp.fight import rules
from botapp.fight.actions import EndTurn
from botapp.fight.rules import Outcome


@pytest.fixture(scope="module")
def traces():
    return Traces()


@pytest.mark.slow
def test_some_of_the_fights_of_every_kind_go_as_recorded(traces):
    for number in range(0, len(traces), 17):
        replay(traces.fight(number), rules)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_all_fights_go_as_recorded_and_hold_what_the_table_says(traces):
    coverage = Coverage()
    for number in range(len(traces)):
        fight = traces.fight(number)
        coverage.begin(fight.first)
        after = fight.first
        for step in steps(fight, rules):
            coverage.add(step, rules)
            after = step.after
        coverage.end(after)
        for refused in fight.refused.values():
            coverage.refused(condition for _, condition in refused)
    assert coverage.table == traces.coverage


@pytest.mark.slow
def test_the_recording_holds_everything_there_was(traces):
    assert len(traces) >= 1200
    assert FIXTURE.stat().st_size <= 750_000
    kinds = [name.split(" ")[0] for name in traces.coverage]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "affects": 7,
        "class": 8,
        "effect": 16,
        "element": 5,
        "event": len(EVENTS),
        "map": 52,
        "mark": 2,
        "monster": 20,
        "refused": len(CONDITIONS),
        "shape": 8,
        "state": 7,
    }
    assert all(count >= 5 for count in traces.coverage.values())


def wrong(**changed):
    names = ("apply", "apply_expected", "legal_actions", "expected")
    return SimpleNamespace(**{name: getattr(rules, name) for name in names} | changed)


def one_more_die(state, action, rng):
    rng.random()
    return rules.apply(state, action, rng)


def other_turn(state, action, rng):
    after = rules.apply(state, action, rng)
    return after.changed(turn=after.turn + 1)


def lenient(state, action, rng):
    try:
        return rules.apply(state, action, rng)
    except rules.IllegalAction:
        return state


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "what"),
    [
        (wrong(apply=one_more_die), "other number of dice"),
        (wrong(apply=other_turn), "another state"),
        (wrong(apply=lenient), "refused for ''"),
        (wrong(legal_actions=lambda state: rules.legal_actions(state)[::-1]), "other legal actions"),
        (
            wrong(apply_expected=lambda state, action: rules.apply(state, EndTurn(), random.Random(0))),
            "apply_expected",
        ),
        (wrong(expected=lambda state, action: {99: Outcome(damage=1.0)}), "expected {99:"),
    ],
)
def test_an_engine_that_differs_is_found_out(traces, engine, what):
    with pytest.raises(AssertionError, match=what):
        for number in range(0, 40, 10):
            replay(traces.fight(number), engine)
