"""When the overlay shows what: a state machine without Qt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.ui.overlay.visibility import (
    BLANK,
    FADE_MS,
    HIDDEN,
    REASON_AFTER_MS,
    OverlayLook,
    Visibility,
    WindowFacts,
)

MS = 1_000_000
HIDING = ["no-window", "minimised", "covered", "off-screen", "too-small", "no-fight", "paused", "unsupported"]


def fresh(at_ms=0, **changes):
    return WindowFacts(**{"capture": "watching", "advice": "fresh", "captured_ns": at_ms * MS, **changes})


@pytest.mark.parametrize("capture", HIDING)
def test_it_hides_with_the_game_and_comes_back(capture):
    visibility = Visibility(1500)
    visibility.feed(fresh(0))
    visibility.feed(fresh(100, capture=capture, reason="because"))
    assert visibility.look(100 * MS) == HIDDEN
    assert visibility.look(2000 * MS) == HIDDEN
    visibility.feed(fresh(2100))
    assert visibility.look(2100 * MS).mode == "advice"


def test_advice_fades_after_its_time_and_then_is_gone():
    visibility = Visibility(1000)
    visibility.feed(fresh(0))
    assert visibility.look(1000 * MS).opacity == 1.0
    assert visibility.look((1000 + FADE_MS // 2) * MS).opacity == pytest.approx(0.5)
    assert visibility.look((1000 + FADE_MS) * MS) == HIDDEN


def test_advice_seen_again_does_not_fade():
    visibility = Visibility(1000)
    for at in range(0, 5000, 500):
        visibility.feed(fresh(at))
    assert visibility.look(5000 * MS).opacity == 1.0


def test_the_other_sides_turn_shows_nothing():
    visibility = Visibility()
    visibility.feed(fresh(advice="not-my-turn", reason="Waiting."))
    assert visibility.look(1000 * MS) == BLANK
    assert visibility.look(10_000 * MS) == HIDDEN


def test_withheld_advice_shows_its_reason_once_it_lasts():
    visibility = Visibility(1500)
    visibility.feed(fresh(0, advice="withheld", reason="Your AP cannot be read."))
    assert visibility.look(100 * MS) == BLANK
    visibility.feed(fresh(REASON_AFTER_MS, advice="withheld", reason="Your AP cannot be read."))
    shown = visibility.look((REASON_AFTER_MS + 10) * MS)
    assert (shown.mode, shown.reason) == ("reason", "Your AP cannot be read.")


def test_an_older_snapshot_changes_nothing():
    visibility = Visibility()
    visibility.feed(fresh(500))
    visibility.feed(fresh(400, capture="minimised"))
    assert visibility.look(500 * MS).mode == "advice"


def test_nothing_is_shown_before_the_first_snapshot_nor_once_it_is_cleared():
    visibility = Visibility()
    assert visibility.look(0) == HIDDEN
    visibility.feed(fresh())
    assert visibility.look(100 * MS) == OverlayLook("advice", 1.0)
    visibility.clear()
    assert visibility.look(0) == HIDDEN


@given(
    st.sampled_from(["watching", *HIDING]),
    st.sampled_from(["fresh", "thinking", "not-my-turn", "withheld", "none"]),
    st.integers(0, 10_000),
    st.booleans(),
)
def test_advice_is_only_ever_shown_for_a_fresh_decision_on_a_visible_game(capture, advice, age, enabled):
    visibility = Visibility(1500, enabled=enabled)
    visibility.feed(WindowFacts(capture, advice, 0, "why"))
    look = visibility.look(age * MS)
    assert 0.0 <= look.opacity <= 1.0
    assert (look.opacity > 0) == (look.mode in ("advice", "reason"))
    assert enabled or look == HIDDEN
    if look.mode == "advice":
        assert (capture, advice, enabled) == ("watching", "fresh", True)
        assert age < 1500 + FADE_MS
