"""The search of a turn: its budgets, its plan, its scores, and what it expects."""

import random

import pytest
from arena_fights import JAB, SHOT, at, fight, fighter, hit, spell
from policy_states import policy_state

from botapp.advisor.bare import BareAdvisor
from botapp.arena.fixtures import begin
from botapp.arena.players import search as module
from botapp.arena.players.search import SearchPlayer
from botapp.arena.players.simple import GreedyPlayer
from botapp.fight.actions import Cast, EndTurn, Move, Ready
from botapp.fight.rules import apply, apply_expected, legal_actions
from botapp.fight.spells import Buff, Effect, EffectKind, State
from botapp.search.candidates import candidates
from botapp.search.options import SearchOptions
from botapp.search.result import search_turn
from botapp.search.tree import TurnSearch
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


@pytest.mark.slow
@pytest.mark.parametrize("number", range(9))
def test_the_first_actions_are_legal_and_lead_to_what_the_rules_expect_of_them(number):
    state = policy_state(number)
    search = TurnSearch(state)
    search.grow(120)
    legal = set(legal_actions(state))
    found = candidates(search, 60)
    assert found[-1].action == EndTurn()
    for candidate in found[:-1]:
        assert candidate.action in legal
        assert candidate.node.state == apply_expected(state, candidate.action)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, 36, 4))
def test_what_hurts_an_enemy_is_known_wherever_it_is_cast_from(number):
    """Only some walks are tried, but every blow that any of them opens up is open after one of those."""
    state = policy_state(number)
    foes = {f.cell for f in state.fighters if f.hp > 0 and f.team != state.actor.team}

    def blows(there):
        if there.actor.id != state.actor.id or not (legal := legal_actions(there)):
            return set()
        hurting = {s.key for s in there.actor.spells if any(e.kind is EffectKind.DAMAGE for e in s.effects)}
        return {a for a in legal if isinstance(a, Cast) and a.spell in hurting and a.target in foes}

    walks = [action for action in legal_actions(state) if isinstance(action, Move)]
    wanted = set().union(*(blows(apply_expected(state, walk)) for walk in walks))
    kept = [node.state for action, node in TurnSearch(state).root.children if isinstance(action, Move)]
    assert set().union(*map(blows, kept)) == wanted


def test_a_state_that_is_reached_in_two_ways_is_one_node():
    one, other = spell("one", hit(5), ap=2), spell("other", hit(7), ap=2)
    state = fight(fighter(0, 0, at(), one, other, ap=4, mp=0), fighter(1, 1, at(2)))
    search = TurnSearch(state)
    first, second = Cast("one", at(2)), Cast("other", at(2))
    assert search.after(search.after(search.root, first), second) is search.after(
        search.after(search.root, second), first
    )


def test_more_budget_looks_at_more_and_plays_more_rollouts():
    state, found = begin("team", 4, (2,)), []
    for states in (0, 200, 2000):
        search = TurnSearch(state)
        search.run(Budget(states=states))
        found.append((search.nodes, search.rollouts))
    assert found == sorted(set(found))
    assert found[0][1] == 0 < found[1][1] < found[2][1]


def test_the_plan_is_gone_on_with_while_nothing_else_happened(monkeypatch):
    searches = []
    original = module.TurnSearch

    def counted(*arguments, **options):
        searches.append(arguments)
        return original(*arguments, **options)

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
    monkeypatch.setattr(module, "TurnSearch", lambda *a, **b: searches.append(a) or original(*a, **b))
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


def heuristic_value(state):
    return TurnSearch(state, 0).root.heuristic_value


def test_the_heuristic_evaluation_counts_who_can_strike_and_what_can_be_struck():
    safe = fight(duel.fighters[0], duel.fighters[1].changed(ap=0))
    peaceful = duel.fighters[1].changed(buffs=(Buff(0, 2, state=State.PACIFIED),))
    guarded = duel.fighters[0].changed(buffs=(Buff(0, 2, state=State.INVULNERABLE),))
    for better in (safe, fight(duel.fighters[0], peaceful), fight(guarded, duel.fighters[1])):
        assert heuristic_value(better) > heuristic_value(duel)
    search = TurnSearch(duel, 0)
    assert search.potential(search.root) > 0
    tired = TurnSearch(fight(duel.fighters[0].changed(ap=0), duel.fighters[1]), 0)
    assert tired.potential(tired.root) == 0


def played_on(state, turns):
    """The value of ending the turn at once by rollouts of so many turns of the others."""
    tired = state.actor.changed(ap=0, mp=0)
    search = TurnSearch(state.changed(fighters=(tired, *state.fighters[1:])), 0)
    search.play_on(1, turns=turns)
    value, visits = search.root.rollouts
    assert visits == 1
    return value


def test_playing_on_ends_with_the_actors_next_turn_and_sees_what_is_done_until_then():
    jab = spell("jab", hit(60), max_range=1)
    near = fight(fighter(0, 0, at(), jab, hp=100), fighter(1, 1, at(1), jab))
    far = fight(fighter(0, 0, at(), jab, hp=100), fighter(1, 1, at(10, -3), jab))
    assert played_on(near, 1) < played_on(far, 1)
    assert played_on(near, 1) == played_on(near, 99)


def test_rollouts_play_fewer_turns_the_fewer_actions_there_are():
    state = begin("team", 4, (3,))
    assert search_turn(state, 60, SearchOptions(15)).rollouts == 0
    actions_a_rollout = []
    for actions in (24, 48, 128):
        found = search_turn(state, 60, SearchOptions(actions))
        assert found.rollouts > 0
        actions_a_rollout.append(actions / found.rollouts)
    assert actions_a_rollout == sorted(actions_a_rollout)
    assert actions_a_rollout[0] < actions_a_rollout[-1]


@pytest.mark.slow
def test_a_search_gives_its_room_back_as_soon_as_nobody_holds_it(desks_made):
    advisor = BareAdvisor(nodes=240, rollout_actions=32)
    for number in range(6):
        state = policy_state(number)
        decision = advisor.decide(state)
        advisor.plan(state, decision)
    assert len(desks_made) <= 2, "searches wait for the collector of circles"
