"""What the search says of its chances is held against how the fights end."""

import pytest

from botapp.bench.chances import chances_and_results


@pytest.mark.long
def test_each_sides_chances_are_told_with_how_the_fight_ended_and_the_same_seed_tells_the_same():
    found = chances_and_results(1, 2, "adventure")
    assert {won for _, won in found} <= {True, False} and len(found) > 4
    assert all(0 <= chance <= 1 for chance, _ in found)
    assert found == chances_and_results(1, 2, "adventure")
    assert found != chances_and_results(1, 2, "adventure", bare=True)
