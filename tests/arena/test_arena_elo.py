"""Ratings: Elo's curve, intervals that hold what they promise, round robins that keep the order."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.arena.elo import difference, ratings, strength

quarters = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), min_size=1, max_size=60)


def test_the_curve_has_elos_known_points():
    assert difference(0.5) == 0
    assert difference(10 / 11) == pytest.approx(400)
    assert difference(0.64) == pytest.approx(99.95, abs=0.1)
    assert difference(1.0) is None
    assert difference(0.0) is None


@pytest.mark.slow
@given(quarters)
def test_an_interval_holds_the_share_and_never_leaves_its_bounds(seeds):
    found = strength(seeds)
    assert 0 <= found.low <= found.share <= found.high <= 1
    assert found.low < found.high
    other = strength([1 - points for points in seeds])
    assert other.low == pytest.approx(1 - found.high)


def test_winning_everything_has_no_upper_end_but_a_lower_one():
    found = strength([1.0] * 50)
    assert found.elo is None and found.elo_high is None
    assert found.elo_low == pytest.approx(difference(50 / (50 + 1.96**2)), abs=0.1)


def test_seeds_settled_by_the_side_say_less_than_fights_that_hang_on_nothing():
    split = strength([0.5] * 100)
    clear = strength([0.0, 1.0] * 50)
    assert split.high - split.low < clear.high - clear.low


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    rng, held, runs = random.Random(3), 0, 600
    for _ in range(runs):
        seeds = [sum(rng.random() < 0.85 for _ in range(2)) / 2 for _ in range(50)]
        found = strength(seeds)
        held += found.low <= 0.85 <= found.high
    assert 0.92 <= held / runs <= 0.99


def test_nothing_played_is_nothing_to_rate():
    with pytest.raises(ValueError, match="no fights"):
        strength([])


def test_a_round_robin_ranks_by_strength_and_is_centred():
    found = ratings({("a", "b"): (75.0, 100), ("b", "c"): (75.0, 100), ("a", "c"): (90.0, 100)})
    assert found["a"] > found["b"] > found["c"]
    assert sum(found.values()) == pytest.approx(0, abs=1e-6)
    assert found["a"] - found["b"] == pytest.approx(difference(0.75), abs=8)


def test_a_round_robin_rates_whoever_lost_everything():
    found = ratings({("a", "b"): (20.0, 20)})
    assert math.isfinite(found["b"]) and found["b"] < found["a"]
