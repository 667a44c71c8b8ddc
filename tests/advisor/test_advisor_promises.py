"""Who follows the advice sees the chance of winning change by what the dice and the others do, and by better
turns that are found: what is said of a turn before its first action holds after it, dice at their means."""

import random

import pytest

from botapp.bench.curve import KINDS, Patient, advisor_of, played, summary

NEAR = 0.002
"""How far off a promise may be: each action costs a little by itself."""


def held(adviser: str, kind: str, seeds: range, think_on_s: float = 0.0) -> None:
    advisor = advisor_of(adviser, 0.0, think_on_s)
    fights = [played(advisor, KINDS[kind](seed), random.Random(seed)) for seed in seeds]
    assert summary(fights).actions > len(fights)
    for seed, fight in zip(seeds, fights, strict=True):
        for one in fight:
            assert one.promised == pytest.approx(one.chance), (seed, one)
            assert one.above == 0, (seed, one)
            if one.expected is not None:
                assert one.again == pytest.approx(one.promised, abs=NEAR), (seed, one)
                assert one.open, (seed, one)
                assert one.expected >= one.promised - NEAR, (seed, one)
                if not think_on_s:
                    assert not one.kept or one.expected <= one.promised + NEAR, (seed, one)
    if isinstance(advisor, Patient):
        assert max(advisor.falls, default=0.0) <= NEAR


@pytest.mark.slow
@pytest.mark.parametrize("adviser", ["model", pytest.param("search", marks=pytest.mark.long)])
def test_a_promise_is_kept_over_a_fight_of_each_kind(adviser):
    held(adviser, "adventure", range(1, 2))
    held(adviser, "duel", range(1, 2))


@pytest.mark.long
@pytest.mark.parametrize("adviser", ["model", "search"])
def test_a_promise_is_kept_by_an_advisor_that_thinks_on(adviser):
    held(adviser, "adventure", range(201, 202), think_on_s=0.3)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["adventure", "duel"])
def test_a_promise_is_kept_over_two_hundred_fights(kind):
    held("model", kind, range(100, 200))
