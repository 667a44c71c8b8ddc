"""What contrasts promise: a turn's ends with the search's odds, and a network that learns which is best."""

import math

import numpy as np
import pytest
import torch

from botapp.arena.scenarios import team
from botapp.fight.rules import observation
from botapp.learning.contrasts import MOST_ENDS, Contrast, contrast
from botapp.learning.evaluation_network import EvaluationNetwork
from botapp.learning.outcomes import PlaySettings, play
from botapp.learning.rows import MOST_ROWS
from botapp.learning.turn_ends import TurnEnds
from botapp.search.core.evaluation import INPUT, INPUT_NAMES, PAIR
from botapp.search.options import SearchOptions
from botapp.search.result import search_turn


def searched(seed, size, actions=800, replies=0):
    state = team(seed, size)
    known = observation(state, state.actor.team)
    return state, search_turn(known, 40, SearchOptions(actions, 120, replies=replies))


def test_a_contrast_has_the_ends_that_were_played_on_from_most_and_their_odds():
    state, result = searched(5, 2)
    found = contrast(result, state.actor.team)
    count = int((found.weights > 0).sum())
    assert 3 <= count <= MOST_ENDS and (found.weights[:count] > 0).all()
    assert (np.diff(found.weights[:count]) <= 0).all() and (found.weights < 1).all()
    assert (found.rows[count:, :, 0] == -1).all() and (found.rows[:count, :4, 0] >= 0).all()
    best = max(
        result.tree.node(node).rollouts for node in range(1, 60) if result.tree.node(node).rollouts[1] > 2
    )
    chance = result.chance_of(best[0])
    own = found.odds[:count].max() if state.actor.team == 0 else -found.odds[:count].min()
    assert own == pytest.approx(math.log(chance / (1 - chance)), abs=0.4)


def test_where_others_reply_one_rollout_from_an_end_is_enough():
    state, result = searched(5, 2, replies=15)
    assert contrast(result, state.actor.team) is None
    found = contrast(result, state.actor.team, thrown=False)
    assert (found.weights > 0).sum() >= 3


def test_the_ends_of_a_contrast_are_states_after_the_turn():
    state, result = searched(8, 2)
    found = contrast(result, state.actor.team)
    now = 1 + INPUT_NAMES.index("acts_now")
    acting = [(rows[rows[:, 0] >= 0][:, [0, now]]) for rows in found.rows[found.weights > 0]]
    for rows in acting:
        assert rows[:, 1].sum() == 1 and rows[rows[:, 1] == 1][0, 0] == 1 - state.actor.team


@pytest.mark.slow
def test_the_sides_of_a_contrast_are_team_0s():
    odds = {}
    for seed in range(3, 30):
        state, result = searched(seed, 1, 300)
        found = contrast(result, state.actor.team)
        if found is not None:
            odds.setdefault(state.actor.team, []).append(found.odds[found.weights > 0].mean())
    assert set(odds) == {0, 1} and np.mean(odds[0]) > np.mean(odds[1])  # whose turn it is has the better odds


def test_too_few_ends_are_no_contrast():
    state, result = searched(5, 2, 0)
    assert contrast(result, state.actor.team) is None


@pytest.mark.long
def test_a_fight_compares_the_share_of_its_turns_that_is_asked_for():
    settings = PlaySettings(rollout_actions=0, nodes=30)
    assert play(settings, 11).contrasts == ()
    some = play(PlaySettings(rollout_actions=0, nodes=30, contrasted=1.0), 11)
    assert 0 < len(some.contrasts) <= len(some.rows) + 1


def made_up(turns, seed):
    """Returns turns whose better ends are those in which team 0 has more HP."""
    rng = np.random.default_rng(seed)
    hp = 1 + INPUT_NAMES.index("hp")
    found = []
    for _ in range(turns):
        rows = np.full((MOST_ENDS, MOST_ROWS, INPUT), -1, np.float16)
        rows[:, :2] = 0
        rows[:, 1, 0] = 1
        rows[:, 0, hp] = rng.random(MOST_ENDS)
        odds = 2 * rows[:, 0, hp].astype(np.float32) + rng.normal()  # the turn's own odds say nothing
        pairs = np.zeros((MOST_ENDS, MOST_ROWS, MOST_ROWS, PAIR), np.float16)
        weights = np.ones(MOST_ENDS, np.float32)
        weights[7:], rows[7:, :, 0] = 0, -1
        found.append(Contrast(rows, pairs, odds, weights))
    return found


@pytest.mark.long
def test_a_network_learns_which_end_is_better():
    torch.manual_seed(0)
    cpu = torch.device("cpu")
    ends, unseen = TurnEnds.of(made_up(64, 1), cpu), TurnEnds.of(made_up(32, 2), cpu)
    net = EvaluationNetwork()
    before = unseen.figures(net)["better_named"]
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    for _ in range(40):
        optimizer.zero_grad()
        ends.loss(net).backward()
        optimizer.step()
    after = unseen.figures(net)
    assert after["better_named"] > 0.95 > before and after["correlation"] > 0.95
    assert TurnEnds.of([], cpu) is None
