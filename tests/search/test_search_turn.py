"""The search: its budget, its plan, its scores, and what it expects."""

import random

import pytest
from arena_fights import JAB, SHOT, at, fight, fighter, hit, spell, walled

from botapp.arena import search_player as module
from botapp.arena.fixtures import begin
from botapp.arena.players import GreedyPlayer
from botapp.arena.search_player import SearchPlayer
from botapp.fight.actions import Cast, EndTurn, Move, Ready
from botapp.fight.paths import walking_distances
from botapp.fight.rules import apply, legal_actions
from botapp.fight.sight import BITS, cells_of, sees, terrain
from botapp.fight.state import Buff, Effect, EffectKind, State
from botapp.search import rollouts, tree
from botapp.search.generation import spread
from botapp.search.heuristic import HeuristicEvaluation, estimate
from botapp.search.result import search_turn
from botapp.search.rollouts import Rollout
from botapp.search.static_evaluation import volley
from botapp.search.turn import Budget, evaluate_candidates

dice = random.Random(0)
duel = fight(fighter(0, 0, at(), JAB, SHOT), fighter(1, 1, at(4), JAB, SHOT))


@pytest.mark.parametrize("arguments", [{}, {"states": 5, "seconds": 1.0}, {"states": -1}, {"seconds": -0.1}])
def test_a_budget_is_one_of_both_and_never_negative(arguments):
    with pytest.raises(ValueError, match="budget is a number of states or a time"):
        Budget(**arguments)


def test_no_time_at_all_is_refused():
    with pytest.raises(ValueError, match="more than 0 ms"):
        SearchPlayer(ms=0)


def test_scores_are_shares_of_winning_and_grow_with_the_evaluation():
    for hp in (20, 100, 200):
        state = fight(duel.fighters[0], duel.fighters[1].changed(hp=hp))
        scores = [score for _, score in evaluate_candidates(state, Budget(states=60))]
        assert len(scores) == len(legal_actions(state))
        assert all(0 <= score <= 1 for score in scores)
        if hp == 200:
            assert max(scores) < 0.9
        if hp == 20:
            assert max(scores) > 0.99
            assert min(scores) < max(scores) - 0.01


def test_an_action_that_gives_the_win_away_costs_regret():
    state = fight(fighter(0, 0, at(), JAB, hp=15), fighter(1, 1, at(1), JAB, hp=15))
    scores = dict(evaluate_candidates(state, Budget(states=100)))
    assert scores[Cast("jab", at(1))] == max(scores.values()) > 0.95
    assert scores[EndTurn()] < 0.7


def test_the_same_state_and_number_of_states_give_the_same_scores():
    state = begin("team", 4, (2,))
    assert evaluate_candidates(state, Budget(states=150)) == evaluate_candidates(state, Budget(states=150))


def test_more_budget_plays_more_rollouts(monkeypatch):
    counts = []

    class Counting(Rollout):
        def value(self, *arguments):
            counts[-1] += 1
            return super().value(*arguments)

    monkeypatch.setattr(tree, "Rollout", Counting)
    state = begin("team", 4, (2,))
    for states in (0, 200, 2000):
        counts.append(0)
        evaluate_candidates(state, Budget(states=states))
    assert counts[0] < counts[1] < counts[2]


def test_the_plan_is_gone_on_with_while_nothing_else_happened(monkeypatch):
    searches = []
    original = module.TurnSearch

    def counted(*arguments):
        searches.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(module, "TurnSearch", counted)
    certain = spell("certain", hit(20), max_range=1)
    state = fight(fighter(0, 0, at(), certain, mp=4), fighter(1, 1, at(3)))
    player, actions = SearchPlayer(100), []
    while state.actor.id == 0:
        actions.append(player.choose(state, dice))
        state = apply(state, actions[-1], random.Random(1))
    assert isinstance(actions[0], Move) and isinstance(actions[-1], EndTurn)
    assert actions.count(Cast("certain", at(3))) == 2
    assert len(searches) == 1


def test_other_dice_than_expected_make_it_search_again(monkeypatch):
    searches = []
    original = module.TurnSearch
    monkeypatch.setattr(module, "TurnSearch", lambda *a: searches.append(a) or original(*a))
    wild = spell("wild", Effect(EffectKind.DAMAGE, 1, 99), max_range=8)
    state = fight(fighter(0, 0, at(), wild, mp=0), fighter(1, 1, at(3)))
    player = SearchPlayer(50)
    state = apply(state, player.choose(state, dice), random.Random(1))
    player.choose(state, dice)
    assert len(searches) == 2


def test_a_turn_without_time_left_is_still_played_sensibly():
    player = SearchPlayer(ms=0.001)
    state = fight(fighter(0, 0, at(), SHOT, mp=0), fighter(1, 1, at(3)))
    rng = random.Random(2)
    first = player.choose(state, dice)
    state = apply(state, first, rng)
    assert isinstance(first, Cast)
    while state.actor.id == 0:
        state = apply(state, player.choose(state, dice), rng)
    assert state.fighters[1].hp == 160


def test_time_gives_legal_actions_in_fights_of_all_sizes():
    for size in (1, 3):
        state, player, rng = begin("team", 6, (size,)), SearchPlayer(ms=20), random.Random(1)
        for _ in range(6):
            action = player.choose(state, rng)
            assert action in legal_actions(state)
            state = apply(state, action, rng)


def test_before_the_fight_everyone_is_ready_where_they_stand():
    state = duel.changed(placing=True)
    assert SearchPlayer(10).choose(state, dice) == Ready() == GreedyPlayer().choose(state, dice)
    assert {score for _, score in evaluate_candidates(state, Budget(states=10))} == {0.5}


def heuristic_value(heuristic, state):
    return estimate(heuristic.terms(state))


def test_the_heuristic_evaluation_counts_who_can_strike_and_what_can_be_struck():
    safe = fight(duel.fighters[0], duel.fighters[1].changed(ap=0))
    peaceful = duel.fighters[1].changed(buffs=(Buff(0, 2, state=State.PACIFIED),))
    guarded = duel.fighters[0].changed(buffs=(Buff(0, 2, state=State.INVULNERABLE),))
    fear = HeuristicEvaluation(duel)
    assert heuristic_value(HeuristicEvaluation(safe), safe) > heuristic_value(fear, duel)
    for better in (fight(duel.fighters[0], peaceful), fight(guarded, duel.fighters[1])):
        assert heuristic_value(HeuristicEvaluation(better), better) > heuristic_value(fear, duel)
    assert fear.potential(duel) > 0
    assert fear.potential(fight(duel.fighters[0].changed(ap=0), duel.fighters[1])) == 0
    lost = fight(duel.fighters[0].changed(hp=0), duel.fighters[1])
    assert heuristic_value(fear, lost) < -1000


def test_of_those_whose_turns_are_not_played_the_blows_are_estimated():
    state = begin("team", 4, (2,))
    whole, first, none = (Rollout(state, HeuristicEvaluation(state)) for _ in range(3))
    values = [rollout.value(state, turns) for rollout, turns in ((whole, 99), (first, 1), (none, 0))]
    assert whole.steps > first.steps > none.steps == 0
    foes = [f for f in state.fighters if f.team != state.actor.team]
    own = [f for f in state.fighters if f.team == state.actor.team]
    heuristic = HeuristicEvaluation(state)
    score, outlook = heuristic.static.score(none._ended(state)), heuristic.outlook(state.actor, foes)
    assert values[2] == pytest.approx(score - 0.5 * heuristic.threat(own, foes) + 0.7 * outlook)


def test_rollouts_play_fewer_turns_the_fewer_actions_there_are(monkeypatch):
    asked = []

    class Watching(Rollout):
        def value(self, state, turns, rng=None):
            asked.append(turns)
            return super().value(state, turns, rng)

    monkeypatch.setattr(tree, "Rollout", Watching)
    for actions, turns in ((15, set()), (24, {2}), (48, {3}), (128, {8})):
        asked.clear()
        search_turn(begin("team", 4, (3,)), 60, actions)
        assert set(asked) == turns


def test_a_clock_too_coarse_to_see_an_expansion_ends_no_search(monkeypatch):
    for timed in (tree, rollouts):
        monkeypatch.setattr(timed, "perf_counter", lambda: 5.0)
    search = search_turn(begin("team", 4, (2,)), 60).tree
    search.run_rollouts(24, deadline=5.02)
    assert any(search.rollouts_from(child.pv_end or child)[1] for _, child in search.root.children)


def test_playing_on_ends_with_the_actors_next_turn_or_the_fight():
    rollout = Rollout(duel, HeuristicEvaluation(duel))
    near = fight(fighter(0, 0, at(), JAB, hp=30), fighter(1, 1, at(1), JAB))
    far = fight(fighter(0, 0, at(), JAB, hp=30), fighter(1, 1, at(10, -3), JAB))
    assert Rollout(near, HeuristicEvaluation(near)).value(near, 1) < Rollout(
        far, HeuristicEvaluation(far)
    ).value(far, 1)
    assert rollout.value(duel, 1, random.Random(1)) == rollout.value(duel, 1, random.Random(1))
    assert rollout.steps > 0
    won = fight(duel.fighters[0], duel.fighters[1].changed(hp=0))
    assert Rollout(duel, HeuristicEvaluation(duel)).value(won, 1) > 1000


def test_steps_spread_as_walking_does_and_views_are_the_rules():
    cells = walled(at(1), at(0, 1), at(1, 1), at(-2, 2))
    ground = terrain(cells)
    levels = spread(BITS[at()], ground.walkable)
    away = walking_distances(ground, at())
    for steps, level in enumerate(levels):
        assert {cell for cell, far in enumerate(away) if far <= steps} == set(cells_of(level))
    assert len(spread(BITS[at()], ground.walkable, 3)) == 4
    seen = ground.view(at(-4), BITS[at(-3)])
    for cell in (at(-3), at(-2), at(3), at(-4, 3)):
        assert bool(seen & BITS[cell]) == sees(cells, [at(-3)], at(-4), cell)


def test_a_volley_is_the_best_that_the_ap_buy():
    assert volley(((10.0, 3, 2), (14.0, 4, 1)), 7) == 24.0
    assert volley(((10.0, 3, 2),), 9) == 20.0
    assert volley((), 6) == 0.0
