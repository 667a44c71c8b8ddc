"""What a search promises whoever asks: the same answer to the same question, budgets and clocks kept."""

import threading
from math import inf
from time import perf_counter, thread_time

import pytest
from policy_states import policy_state

from botapp.arena.fixtures import begin
from botapp.content.play_styles import play_style_of
from botapp.fight.actions import EndTurn
from botapp.fight.core.compiler import INTERPRETED
from botapp.search import tree
from botapp.search.desk import borrow
from botapp.search.learned import load
from botapp.search.options import SearchOptions
from botapp.search.result import search_turn
from botapp.search.tree import TurnSearch

big = begin("team", 4, (4,))


def said(result):
    about = [(result.value(c), result.chance(c), result.visits(c), result.line(c)) for c in result.candidates]
    return about, result.evaluations, result.nodes, result.rollouts, result.best().action


def searched(number, actions=200, nodes=600):
    return said(
        search_turn(policy_state(number), 60, SearchOptions(actions, nodes), play_style=play_style_of)
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 3, 4, 8])
def test_the_same_question_has_the_same_answer_whatever_was_asked_between(number):
    first = searched(number)
    for other in (number + 1, number + 9):
        searched(other)
    assert searched(number) == first


@pytest.mark.parametrize("number", [0, 3, 8])
def test_what_is_read_of_all_candidates_together_is_what_is_read_of_each(number):
    found = search_turn(policy_state(number), 60, SearchOptions(200, 600))
    assert found.values().tolist() == [found.value(one) for one in found.candidates]
    assert found.chances() == [found.chance(one) for one in found.candidates]
    assert found.ends().tolist() == [found.end(one).index for one in found.candidates]


@pytest.mark.parametrize("learned", [None, load()])
def test_a_chance_of_winning_stands_for_one_value(learned):
    found = search_turn(policy_state(3), 60, SearchOptions(200, 600, learned=learned))
    for value in (-300.0, -2.5, 0.0, 40.0, 900.0):
        assert found.value_of(found.chance_of(value)) == pytest.approx(value)
    assert found.value_of(-0.01) == -inf


@pytest.mark.parametrize("number", [0, 3, 8])
def test_a_principal_variation_leads_to_its_end(number):
    state = policy_state(number)
    found = search_turn(state, 60, SearchOptions(200, 600))
    for one in found.candidates[:-1]:
        node = one.node
        for action in found.line(one)[1:]:
            if not isinstance(action, EndTurn):
                step = node.pv_step
                assert step is not None and step[0] == action
                node = step[1]
        assert node is found.end(one) and node.pv_step is None
        assert isinstance(found.line(one)[-1], EndTurn) != node.ends_turn
    assert found.line(found.candidates[-1]) == (EndTurn(),)


def test_nodes_and_rollout_actions_are_kept_to():
    for nodes in (0, 200, 1000, 4000):
        search = TurnSearch(big)
        at_first = search.nodes
        search.grow(nodes)
        assert search.nodes <= at_first + nodes + 800, "one expansion may go beyond"
        assert nodes == 0 or search.nodes > at_first
    assert search_turn(big, 60).rollouts == 0
    counts = [search_turn(big, 60, SearchOptions(actions)).rollouts for actions in (50, 400, 3200)]
    assert counts == sorted(set(counts))


def test_growing_in_slices_finds_what_growing_at_once_finds():
    once, sliced = TurnSearch(big), TurnSearch(big)
    once.grow(900)
    for looks in range(100, 901, 100):
        sliced.grow(looks)
    once.play_on(200, turns=4)
    for actions in (40, 90, 200):
        sliced.play_on(actions, turns=4)
    assert (once.nodes, once.rollouts, once.root.value) == (sliced.nodes, sliced.rollouts, sliced.root.value)
    assert [a for a, _ in once.root.children] == [a for a, _ in sliced.root.children]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, 27, 4))
def test_looking_at_more_never_lowers_the_best_value_before_rollouts(number):
    values = []
    for looks in (0, 100, 200, 400, 800, 1600):
        search = TurnSearch(policy_state(number))
        search.grow(looks)
        values.append(search.root.value)
    assert values == sorted(values)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, 27, 4))
def test_what_is_chosen_is_never_worse_than_the_default_policys_turn_or_ending_it(number):
    for actions in (0, 100, 400):
        found = search_turn(policy_state(number), 60, SearchOptions(actions), play_style=play_style_of)
        best = found.value(found.best())
        assert best == max(found.value(one) for one in found.candidates) >= found.value(found.candidates[-1])
        default = found.tree.default_action
        if default is not None:
            assert best >= found.tree.after(found.tree.root, default).value - 1e-9


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="a slice of an interpreted search takes as long as a whole deadline")
@pytest.mark.parametrize("milliseconds", [5, 20, 60])
def test_a_deadline_is_kept(milliseconds):
    over = []
    for _ in range(5):
        own, begun = thread_time(), perf_counter()
        search_turn(big, 60, SearchOptions(1e9, 10**5), begun + milliseconds / 1000)
        over.append(min(thread_time() - own, perf_counter() - begun) * 1000 - milliseconds)
    assert min(over) < 10, "more than the first actions and one slice too long"


def test_a_clock_too_coarse_to_see_a_slice_ends_no_search(monkeypatch):
    monkeypatch.setattr(tree, "perf_counter", lambda: 5.0)
    search = search_turn(big, 60, SearchOptions(24), deadline=5.02)
    assert search.nodes > TurnSearch(big).nodes
    assert search.rollouts > 0


def test_no_search_is_larger_than_there_is_room_for():
    with pytest.raises(ValueError, match="at most 65536 nodes"):
        borrow(65537, object())


@pytest.mark.slow
def test_two_threads_find_what_each_finds_alone():
    numbers = [(0, 4, 8, 13), (3, 5, 7, 8)]
    alone = [[searched(number) for number in some] for some in numbers]
    found = [None, None]

    def work(which):
        found[which] = [searched(number) for number in numbers[which]]

    for _ in range(3):
        threads = [threading.Thread(target=work, args=(which,)) for which in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == alone


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="interpreted code holds the interpreter's lock")
def test_python_goes_on_while_a_search_runs():
    search = TurnSearch(big)
    search.grow(4000)
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(perf_counter())

    counting = threading.Thread(target=count)
    counting.start()
    begun = perf_counter()
    search.play_on(20_000, turns=99)
    ended = perf_counter()
    done.set()
    counting.join()
    during = sum(begun < tick < ended for tick in ticks)
    assert during > 1000, f"{during} steps of the other thread in {ended - begun:.2f} s"
