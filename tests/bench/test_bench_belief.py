"""The state tracker is timed over the very same views in two programs."""

from pathlib import Path

import pytest

import botapp
from botapp.bench.belief import measure, recorded


def test_fights_are_seen_the_same_each_time_and_half_of_them_have_a_log():
    views = recorded(1, 8)
    assert len(views) >= 2 and views[-1].log is not None
    assert [view.hp for view in views] == [view.hp for view in recorded(1, 8)]
    assert recorded(2, 8)[-1].log is None


@pytest.mark.slow
def test_two_programs_follow_the_same_views_and_believe_the_same():
    found = measure(fights=2, actions=6, passes=1, against=Path(botapp.__file__).parents[1])
    views = sum(len(recorded(number, 6)) for number in range(2))
    assert found["this"]["update_ms"]["count"] == found["other"]["update_ms"]["count"] == views
    assert found["beliefs"] == {"views": views, "equal": views}
    assert found["this"]["follow_ms"]["p95"] > 0
