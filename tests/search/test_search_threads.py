"""Several threads run rollouts as one does, only faster: without a clock the result is the same."""

import threading
from concurrent.futures import ThreadPoolExecutor
from math import inf
from time import perf_counter, sleep

import pytest
from advisor_cases import state_after

from botapp.fight.core.compiler import INTERPRETED
from botapp.search import desk
from botapp.search.desk import SearchDesk
from botapp.search.options import SearchOptions
from botapp.search.result import search_turn
from botapp.search.rollout_pass import RolloutPass

pytestmark = pytest.mark.skipif(INTERPRETED, reason="threads are for compiled code")

PATIENCE_S = 60
"""How long one thread waits for another, in seconds; only a fault takes as long."""


def found(state, threads, replies):
    options = SearchOptions(rollout_actions=300, nodes=600, replies=replies, threads=threads)
    result = search_turn(state, 40, options)
    return result.rollouts, [result.value(one) for one in result.candidates]


@pytest.mark.slow
@pytest.mark.parametrize("replies", [0, 15])
@pytest.mark.parametrize("seed", range(4))
def test_the_number_of_threads_changes_nothing_without_a_clock(seed, replies):
    state = state_after(seed, 5 * seed)
    assert found(state, 1, replies) == found(state, 2, replies) == found(state, 5, replies)


def test_a_search_can_be_stopped_from_another_thread(monkeypatch):
    """Rollouts wait until the other thread has stopped the search, so each of the two runs one at most."""
    tree = search_turn(state_after(1, 0), 40, SearchOptions(nodes=20_000, replies=15, threads=2)).tree
    before, begun, stopped = tree.rollouts, threading.Event(), threading.Event()

    def roll_out_from(one, *given, roll=SearchDesk.roll_out_from):
        begun.set()
        assert stopped.wait(PATIENCE_S), "the search was not stopped"
        return roll(one, *given)

    def stop():
        assert begun.wait(PATIENCE_S), "no rollout was begun"
        tree.stopping = True
        stopped.set()

    monkeypatch.setattr(SearchDesk, "roll_out_from", roll_out_from)
    with ThreadPoolExecutor(1) as threads:
        stopping = threads.submit(stop)
        tree.play_on(10**9, inf)
        stopping.result()
    assert before < tree.rollouts <= before + 2


def test_another_thread_can_assist_and_changes_nothing(monkeypatch):
    """A search's own rollouts wait until the other thread has begun one, so the two do run at once."""
    options, rolls = SearchOptions(nodes=600, replies=15), SearchDesk.roll_out_from
    for seed in (0, 1, 4, 5):
        state, helped = state_after(seed, 10), 0
        alone, assisted = search_turn(state, 40, options), search_turn(state, 40, options)
        assisted.tree.assisted, assisting = True, threading.Event()

        def roll_out_from(one, *given, own=assisted.tree.desk, assisting=assisting):
            if one is own:
                assert assisting.wait(PATIENCE_S), "no other thread assists"
            else:
                assisting.set()
            return rolls(one, *given)

        monkeypatch.setattr(SearchDesk, "roll_out_from", roll_out_from)
        with ThreadPoolExecutor(1) as threads:
            playing = threads.submit(assisted.tree.play_on, 600)
            while not playing.done():
                helped += assisted.tree.assist()
            playing.result()
        alone.tree.play_on(600)
        assert helped and assisted.tree.assist() == 0 and assisted.rollouts == alone.rollouts
        values = [[found.value(one) for one in found.candidates] for found in (alone, assisted)]
        assert values[0] == values[1]


def test_the_end_of_a_pass_waits_for_a_rollout_of_a_thread_that_joined():
    """The guest's rollout ends only after the pass was closed."""
    joined, own, guest = threading.Event(), object(), object()

    def roll(one, place):
        if one is guest:
            joined.set()
            until = perf_counter() + PATIENCE_S
            while not rollouts._closed and perf_counter() < until:
                sleep(0.01)
            sleep(0.05)
        return float(place), 1

    rollouts = RolloutPass(0, 3, inf, lambda: True, roll)
    with ThreadPoolExecutor(1) as threads:
        helped = threads.submit(rollouts.join, guest)
        assert joined.wait(PATIENCE_S)
        assert rollouts.work(own) == 2
        assert rollouts.close() == [(0.0, 1), (1.0, 1), (2.0, 1)]
        assert helped.result() == 1 and rollouts.join(guest) == 0


def test_room_that_a_large_search_has_filled_is_given_back(monkeypatch):
    options = SearchOptions(rollout_actions=100, nodes=600, replies=15, threads=3)
    monkeypatch.setattr(desk, "spare", {size: [] for size in desk.SIZES})

    def searches(count):
        return [search_turn(state_after(1, 0), 40, options) for _ in range(count)]

    def filled(ended):
        desks = [search.tree.desk for search in ended]
        while ended:
            del ended[0]
        return [bool(one.room.arrays[1].any()) for one in desks]

    assert filled(searches(2)) == [False, True], "only the room taken next is left as it is"
    monkeypatch.setattr(desk, "KEPT_WORDS", 1000)
    assert filled(searches(1)) == [False], "a large one is not"
    assert found(state_after(1, 0), 3, 15) == found(state_after(1, 0), 1, 15)


@pytest.mark.slow
def test_searches_with_a_helper_use_the_same_room_again(desks_made):
    def searched(seed):
        search = search_turn(state_after(seed, 10), 40, SearchOptions(nodes=600, replies=15, threads=2))
        search.tree.assisted = True
        for actions in (100, 300):
            search.tree.play_on(actions)

    for seed in range(4):
        searched(seed)
    assert len(desks_made) == 1 + 2, "a desk for the search, one for its second thread and one for the helper"
