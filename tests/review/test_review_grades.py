"""Faults have a grade by what they cost as the curve is drawn; accuracy and weeks are made of them."""

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_fights import fight

from botapp.review.grades import LEAST, accuracy, grade_of
from botapp.review.kept_fight import summed_up
from botapp.review.progress import weeks

MONDAY = dt.datetime(2026, 11, 23, 20, 0)


@pytest.mark.parametrize(
    ("points", "grade"),
    [
        (0, None),
        (1, None),
        (2, "inaccuracy"),
        (4, "inaccuracy"),
        (5, "mistake"),
        (9, "mistake"),
        (10, "blunder"),
    ],
)
def test_a_grade_goes_by_the_points_of_the_curve(points, grade):
    assert grade_of(points) == grade
    departed = replace(fight().moments[1], chance=0.6, cost=points / 100)
    assert (departed.points_lost, departed.grade) == (points, grade)


def test_as_advised_is_no_fault_and_what_was_not_seen_has_no_grade():
    first, departed, _ = fight().moments
    assert (first.points_lost, first.grade) == (0, None)
    unknown = replace(departed, cost=None)
    assert (unknown.points_lost, unknown.grade) == (None, None)


@given(st.lists(st.integers(0, 100), min_size=1))
def test_accuracy_is_a_share_that_a_further_fault_never_lifts(points):
    share = accuracy(points)
    assert 0 <= share <= 1
    assert accuracy([*points, LEAST["blunder"]]) <= share <= accuracy([*points, 0])


def test_an_accuracy_of_nothing_is_unknown():
    assert accuracy([]) is None
    unseen = [replace(one, done=None, cost=None) for one in fight().moments]
    assert summed_up(unseen, 0, "", "arena").accuracy is None


@given(st.lists(st.floats(0, 0.4), min_size=1, max_size=8))
def test_a_summary_agrees_with_its_moments(costs):
    departed = replace(fight().moments[1], chance=0.7)
    moments = [replace(departed, cost=cost) for cost in costs]
    summary = summed_up(moments, 0, "", "arena")
    assert summary.grades == {grade: sum(one.grade == grade for one in moments) for grade in LEAST}
    assert round(100 * summary.lost) == sum(one.points_lost for one in moments)
    assert summary.mistakes == sum(summary.grades.values())


def played(days, **changes):
    begun = (MONDAY + dt.timedelta(days=days)).timestamp()
    return replace(fight().summary, begun=begun, **changes)


def test_weeks_weigh_fights_by_their_actions():
    found = weeks(
        [
            played(8, accuracy=0.9, actions=10, result="lost", blunders=1, mistakes=3, inaccuracies=1),
            played(0, accuracy=0.5, actions=30, result="won"),
            played(6, accuracy=0.9, actions=10, result="unfinished"),
        ]
    )
    assert [(week.monday, week.fights, week.won, week.lost) for week in found] == [
        (MONDAY.date(), 2, 1, 0),
        (MONDAY.date() + dt.timedelta(days=7), 1, 0, 1),
    ]
    assert found[0].accuracy == pytest.approx(0.6)
    assert found[1].grades == {"blunder": 1, "mistake": 1, "inaccuracy": 1}


def test_what_the_app_played_and_what_is_not_known_counts_for_nothing():
    (week,) = weeks([played(0, accuracy=1.0, autoplayed=True), played(1, accuracy=None, blunders=None)])
    assert (week.fights, week.accuracy, week.graded, week.actions) == (1, None, 0, 0)
