"""Thinking goes on after the first answer: deeper each time, on the same scale, and never past its time."""

from dataclasses import replace
from time import perf_counter

import pytest

from botapp.advisor.bare import BareAdvisor, by_value
from botapp.advisor.search_stage import search_state
from botapp.advisor.thinking_on import DEPTHS, ThinkingOn
from botapp.arena.scenarios import duel
from botapp.fight.rules import observation
from botapp.search.options import SearchOptions

OPTIONS = SearchOptions(nodes=60, rollout_actions=10**9, replies=4)
STATE = duel(3)


@pytest.fixture(scope="module")
def first():
    return BareAdvisor(rollout_actions=8, nodes=40).decide(STATE)


def all_of(thinking, state, first, slice_s=0.05, most_s=60.0):
    found, shown, end = [], first, perf_counter() + most_s
    while not thinking.done and perf_counter() < end:
        deeper = thinking.think(state, shown, perf_counter() + slice_s)
        if deeper is not None:
            found.append(deeper)
            shown = deeper
    return found


@pytest.mark.slow
def test_each_answer_is_deeper_and_says_so(first):
    found = all_of(ThinkingOn(OPTIONS), STATE, first)
    assert [one.depth for one in found] == list(range(2, len(DEPTHS) + 2))
    assert all(one.timings_ms == first.timings_ms for one in found)
    assert sorted(one.thought_s for one in found) == [one.thought_s for one in found]
    assert all(one.rollouts >= 1 and one.candidates[0].visits for one in found)


def test_another_state_begins_anew(first):
    thinking = ThinkingOn(OPTIONS)
    thinking._state, thinking._depth = duel(4), len(DEPTHS)
    assert thinking.done
    thinking.think(STATE, first, perf_counter())
    assert not thinking.done


def test_a_slice_ends_about_when_it_should(first):
    thinking = ThinkingOn(replace(OPTIONS, nodes=100_000, replies=400))
    thinking.think(STATE, first, perf_counter() + 0.05)
    begun = perf_counter()
    assert thinking.think(STATE, first, begun) is None
    assert not thinking.done


def test_the_advice_changes_only_for_a_better_one():
    search = search_state(observation(STATE, STATE.actor.team), replace(OPTIONS, rollout_actions=40))
    plain = by_value(STATE, search)
    for one in plain.candidates:
        preferred = by_value(STATE, search, prefer=one.action)
        keeps = plain.chance - one.chance < 0.005
        assert (preferred.action == one.action) is (keeps or one.action == plain.action)
        assert preferred.chance == preferred.best.chance == pytest.approx(preferred.choices[0].chance)
        assert len(preferred.candidates) == len(plain.candidates)
