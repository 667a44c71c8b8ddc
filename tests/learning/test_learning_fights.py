"""Fights to learn from: reproducible, of every kind, and judged against all that is legal."""

import random
from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from advisor_cases import tokens_of

from botapp.advisor.features import CANDIDATE
from botapp.arena.scenarios import duel, team
from botapp.content.library import classes, maps
from botapp.fight.actions import EndTurn
from botapp.fight.rules import legal_actions, observation
from botapp.learning import fights, student
from botapp.learning.fights import KINDS, Curriculum, Habit, begin, samples
from botapp.learning.labels import label
from botapp.search.turn import Budget, evaluate_candidates

HASTY = Curriculum(search_states=0)
SEEDS = range(1852, 1856)
"""Short fights between greedy players."""


@pytest.fixture(scope="module")
def found():
    return [sample for fight in SEEDS for sample in samples(HASTY, fight)]


@pytest.mark.slow
def test_the_same_seed_gives_the_same_states_with_the_same_judgement():
    first, second = samples(HASTY, SEEDS[0]), samples(HASTY, SEEDS[0])
    assert first
    for one, other in zip(first, second, strict=True):
        assert (one.fight, one.kind, one.sizes, one.outcome) == (
            other.fight,
            other.kind,
            other.sizes,
            other.outcome,
        )
        np.testing.assert_array_equal(one.label.encoded.options, other.label.encoded.options)
        np.testing.assert_array_equal(one.label.regrets, other.label.regrets)


@pytest.mark.slow
def test_each_state_has_a_choice_and_tells_of_its_fight(found):
    assert {sample.fight for sample in found} == set(SEEDS)
    for sample in found:
        assert sample.label.scored.sum() > 1
        assert (sample.label.regrets >= 0).all()
        assert sample.outcome in {-1, 0, 1}
        assert min(sample.sizes) >= 1
        assert max(sample.sizes) <= 4
    assert np.median([sample.label.regrets.min() for sample in found]) == 0


@pytest.mark.slow
def test_a_long_fight_gives_no_more_states_than_the_most(found, monkeypatch):
    monkeypatch.setattr(fights, "_JUDGED", (1.0, 5))
    longest = Counter(sample.fight for sample in found).most_common(1)[0]
    assert longest[1] > 2 * 5
    assert len(samples(HASTY, longest[0])) == 2 * 5


@pytest.mark.slow
def test_a_judged_state_is_shown_with_few_rollouts_and_with_many(found):
    for few, many in zip(found[::2], found[1::2], strict=True):
        assert few.fight == many.fight
        np.testing.assert_array_equal(few.label.regrets, many.label.regrets)
    rollouts_from = CANDIDATE.index("visits")
    little, much = (
        [one.label.encoded.options[:, rollouts_from].sum() for one in found[n::2]] for n in (0, 1)
    )
    assert np.mean(much) > np.mean(little)


@pytest.mark.slow
def test_rollouts_of_a_set_number_show_each_state_once():
    once = samples(replace(HASTY, rollout_actions=8), SEEDS[0])
    assert 2 * len(once) == len(samples(HASTY, SEEDS[0]))


def test_a_fight_without_an_end_is_a_draw(monkeypatch):
    monkeypatch.setattr(fights, "_ROUNDS", 1)
    drawn = samples(HASTY, SEEDS[0])
    assert {sample.outcome for sample in drawn} == {0}


@pytest.mark.slow
def test_all_kinds_and_sizes_are_met_and_some_maps_have_no_name():
    kinds, sizes, nameless = Counter(), set(), 0
    known = {template.board for template in maps().values()}
    for seed in range(80):
        kind, state = begin(seed, "seen")
        kinds[KINDS[kind]] += 1
        if KINDS[kind] == "team":
            sizes.add(len(state.fighters) // 2)
        nameless += state.map not in known
    assert set(kinds) == set(KINDS)
    assert sizes == {2, 3, 4}
    assert 10 < nameless < 40


@pytest.mark.parametrize("pool", ["seen", "unseen"])
def test_nothing_unseen_is_trained_on_and_only_it_is_tested(pool):
    unseen = {key for key, template in classes().items() if template.unseen}
    boards = {template.board for template in maps().values() if template.unseen}
    for seed in range(60):
        _, state = begin(seed, pool)
        met = {f.kind for f in state.fighters if f.kind in classes()}
        assert (met <= unseen) if pool == "unseen" else not (met & unseen)
        assert (state.map in boards) == (pool == "unseen")


def test_regrets_are_percent_points_against_the_best_of_all_that_is_legal():
    state = duel(7)
    encoded = tokens_of(state)
    rest = [a for a in legal_actions(state) if not isinstance(a, EndTurn)]
    judged = label(encoded, [(EndTurn(), 0.25), *((action, 0.5) for action in rest[:-1]), (rest[-1], 0.75)])
    assert judged is not None
    end = next(i for i, c in enumerate(encoded.candidates) if isinstance(c.action, EndTurn))
    assert judged.regrets[end] == 50
    assert set(np.delete(judged.regrets, end)) <= {25.0, 0.0}


def test_a_candidate_without_a_score_is_left_out_and_one_alone_teaches_nothing():
    state = duel(7)
    encoded = tokens_of(state)
    first, second, *_ = (candidate.action for candidate in encoded.candidates)
    judged = label(encoded, [(first, 0.5), (second, 0.4)])
    assert judged is not None
    assert judged.scored.tolist() == [True, True] + [False] * (len(encoded.candidates) - 2)
    assert label(encoded, [(first, 0.5)]) is None


def test_the_search_scores_every_candidate_of_a_state_it_can_see():
    state = observation(team(3, 2), 0)
    judged = label(tokens_of(state), evaluate_candidates(state, Budget(states=0)))
    assert judged is not None
    assert judged.scored.all()


def test_slips_are_legal_and_of_every_kind():
    state, rng = duel(11), random.Random(1)
    habit = Habit(player=None, slip=1.0)
    slips = [habit.choose(state, rng) for _ in range(60)]
    assert set(slips) <= set(legal_actions(state))
    assert len({type(action) for action in slips}) >= 2
    assert any(isinstance(action, EndTurn) for action in slips)


def test_only_the_students_own_states_are_judged_where_another_plays(monkeypatch):
    class First:
        asked = 0

        def choose(self, state, rng):
            First.asked += 1
            return legal_actions(state)[-1]

    monkeypatch.setattr(student, "student", lambda weights: First())
    monkeypatch.setattr(fights, "_OTHER_STUDENT", 0.0)
    seeds = islice((s for s in range(100, 200) if KINDS[begin(s, "seen")[0]] == "duel"), 2)
    for seed in seeds:
        teams = []
        monkeypatch.setattr(fights, "_judged", lambda s, *_, teams=teams: teams.append(s.actor.team) or [])
        assert samples(Curriculum(0, "seen", b"weights"), seed) == []
        assert len(set(teams)) == 1
    assert First.asked
