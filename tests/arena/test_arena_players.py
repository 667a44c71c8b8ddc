"""The players: random is fair, greedy is sensible, search scores everything and is better."""

import random
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest
from desk import Desk
from inner import call

from botapp.arena.match import play
from botapp.arena.player_spec import make_player
from botapp.arena.players.advised import AdvisorPlayer
from botapp.arena.players.base import PLAYERS
from botapp.arena.players.search import SearchPlayer
from botapp.arena.players.simple import GreedyPlayer, RandomPlayer
from botapp.arena.scenarios import adventure, duel
from botapp.content.library import classes, monsters
from botapp.content.play_styles import play_style_of
from botapp.fight.actions import EndTurn, Move
from botapp.fight.board import distance, neighbours
from botapp.fight.core.spellbook import Book
from botapp.fight.rules import apply, legal_actions
from botapp.search.core.policy import distance_wanted
from botapp.search.core.styles import STYLE, Style
from botapp.search.core.work import Work, work_array
from botapp.search.play_style import blow_range

dice = random.Random(0)


def changed(state, fighter_id, **changes):
    fighters = tuple(replace(f, **changes) if f.id == fighter_id else f for f in state.fighters)
    return replace(state, fighters=fighters)


def facing(kind, other="warden"):
    """A duel in which `kind` begins and stands next to its enemy."""
    state = duel(5, kind, other)
    near = next(
        c
        for c in neighbours(state.fighters[1].cell)
        if state.map.cells[c] & 1 and c != state.fighters[1].cell
    )
    return replace(changed(state, 0, cell=near), current=state.order.index(0))


def positions(count):
    rng, player, found = random.Random(9), GreedyPlayer(), []
    for seed in range(count):
        state = adventure(seed, ("warden", "ranger", "ember", "leech")[seed % 4])
        for _ in range(rng.randint(0, 12)):
            if legal_actions(state):
                state = apply(state, player.choose(state, rng), rng)
        if legal_actions(state):
            found.append(state)
    return found


def test_random_takes_every_legal_action_alike():
    state, rng = facing("warden"), random.Random(2)
    legal = legal_actions(state)
    taken = Counter(RandomPlayer().choose(state, rng) for _ in range(100 * len(legal)))
    assert set(taken) == set(legal)
    assert EndTurn() in taken
    assert max(taken.values()) < 2 * min(taken.values())


def test_greedy_takes_the_kill():
    state = changed(facing("leech"), 1, hp=5)
    after = apply(state, GreedyPlayer().choose(state, dice), dice)
    assert after.fighter(1).hp == 0


def test_greedy_walks_to_where_it_can_hit_and_ends_when_spent():
    state = duel(5, "warden", "ember")
    state = replace(
        changed(state, 0, cooldowns=(("bulwark", 2), ("second_wind", 2))), current=state.order.index(0)
    )
    player = GreedyPlayer()
    gap = distance(state.fighters[0].cell, state.fighters[1].cell)
    for _ in range(20):
        action = player.choose(state, dice)
        if isinstance(action, EndTurn):
            break
        state = apply(state, action, dice)
    assert isinstance(action, EndTurn)
    assert distance(state.fighters[0].cell, state.fighters[1].cell) < gap
    spent = changed(state, 0, ap=0, mp=0)
    assert player.choose(spent, dice) == EndTurn()


@pytest.mark.slow
def test_greedy_never_walks_to_and_fro_without_end():
    for state in positions(12):
        here, player, rng = state, GreedyPlayer(), random.Random(1)
        for _ in range(30):
            action = player.choose(here, rng)
            if isinstance(action, EndTurn):
                break
            here = apply(here, action, rng)
            if not legal_actions(here):
                break
        else:
            pytest.fail("the turn never ended")


def _wish(fighter):
    state = duel(1)
    first = replace(fighter, id=state.fighters[0].id, cell=state.fighters[0].cell)
    desk = Desk(replace(state, fighters=(first, state.fighters[1])), play_style=play_style_of)
    fighter = desk.desk.fight.fighters[0]
    work, style = Work(work_array()), Style(desk.styles, int(fighter.number) * STYLE)
    return call(distance_wanted, Book(desk.packed.book.b), work, style, fighter)


@pytest.mark.slow
def test_classes_know_whether_they_like_it_near_or_far():
    assert _wish(duel(1, "warden").fighters[0]) == 1
    assert _wish(duel(1, "ranger").fighters[0]) > 3
    assert play_style_of(duel(1, "ranger").fighters[0]).name == "ranged"


@pytest.mark.slow
def test_monsters_fight_as_content_says_they_do():
    def monster(kind):
        return monsters()[kind].fighter(0, 0, 1)

    told = {
        kind: play_style_of(monster(kind)).name
        for kind, template in monsters().items()
        if template.play_style
    }
    assert told == {kind: monsters()[kind].play_style for kind in told}
    assert {"melee", "ranged", "healer", "summoner", "pusher", "coward"} == set(told.values())
    assert _wish(monster("boar")) < _wish(monster("imp"))


def test_play_styles_are_told_by_spells_where_nobody_says():
    def stranger(kind, of):
        return replace(of[kind].fighter(0, 0, 1), kind="stranger")

    assert play_style_of(stranger("brood", monsters())).name == "summoner"
    assert play_style_of(stranger("toad", monsters())).name == "healer"
    assert play_style_of(stranger("ram", monsters())).name == "pusher"
    assert play_style_of(stranger("warden", classes())).name == "melee"
    assert blow_range(replace(duel(1).fighters[0], spells=())) == 6


def test_a_coward_keeps_out_of_reach_and_a_brawler_closes_in():
    state = duel(5, "warden", "warden")
    here = state.order.index(0)
    gaps = {}
    for kind in ("magpie", "boar"):
        there = monsters()[kind].fighter(0, 0, state.fighters[0].cell)
        near = facing("warden").fighters[0].cell
        alone = replace(
            state,
            fighters=(replace(there, cell=near, ap=0), state.fighters[1]),
            current=here,
        )
        action = GreedyPlayer().choose(alone, dice)
        cell = action.target if isinstance(action, Move) else near
        gaps[kind] = distance(cell, state.fighters[1].cell)
    assert gaps["magpie"] > gaps["boar"]


def test_full_says_where_its_weights_belong(tmp_path, monkeypatch):
    monkeypatch.setattr("botapp.arena.players.advised.files", lambda package: tmp_path)
    with pytest.raises(ValueError, match=r"advisor-full\*\.safetensors\)\. Play another"):
        make_player("full")


def answer(*line):
    """Returns what a player needs of a decision for the first action of a line."""
    return SimpleNamespace(best=SimpleNamespace(action=line[0], line=line))


def test_what_was_planned_for_the_rest_of_a_turn_is_looked_at_again():
    class Planner:
        budget_ms = 0.0

        def decide(self, state, planned):
            asked.append(planned)
            return answer(Move((1,)), Move((2,)), EndTurn())

    asked = []
    player, state = AdvisorPlayer(Planner()), duel(1)
    for now in (state, state, replace(state, turn=2)):
        assert player.choose(now, dice) == Move((1,))
    assert asked == [(), (Move((2,)), EndTurn()), ()]


def test_a_turns_time_is_shared_out_among_the_models_decisions():
    class Clock:
        budget_ms = 0.0

        def decide(self, state, planned):
            given.append(self.budget_ms)
            return answer(EndTurn())

    given = []
    player = AdvisorPlayer(Clock(), ms=80)
    state = duel(1)
    for _ in range(2):
        player.choose(state, dice)
    player.choose(replace(state, turn=2), dice)
    assert given[0] == given[2] == 0.4 * 80
    assert 0.1 * 80 <= given[1] < given[0]
    player._left = 0.05 * 80
    player.choose(replace(state, turn=2), dice)
    assert given[3] == 0.05 * 80


def test_players_have_names():
    assert isinstance(make_player("greedy"), GreedyPlayer)
    assert isinstance(make_player("search:states=10"), SearchPlayer)
    with pytest.raises(ValueError, match=f"no player 'clever'; there are {', '.join(PLAYERS.all())}"):
        make_player("clever")


def test_the_model_plays_through_create_advisor(monkeypatch):
    class Yes:
        def decide(self, state, planned):
            return answer(EndTurn())

    asked = []
    monkeypatch.setattr("botapp.advisor.advisor.create_advisor", lambda **o: asked.append(o) or Yes())
    player = make_player("hrm:steps=2")
    assert player.choose(duel(1), dice) == EndTurn()
    assert [options["thinking"].max_steps for options in asked] == [2]


@pytest.mark.slow
def test_greedy_beats_random():
    wins = 0
    for seed in range(6):
        for side in (0, 1):
            players = {side: GreedyPlayer(), 1 - side: RandomPlayer()}
            wins += play(duel(seed), players, random.Random(seed)).winner == side
    assert wins >= 11


@pytest.mark.long
def test_search_beats_greedy():
    wins = 0
    for seed in range(3000, 3020):
        for side in (0, 1):
            players = {side: SearchPlayer(), 1 - side: GreedyPlayer()}
            wins += play(duel(seed), players, random.Random(seed)).winner == side
    assert wins >= 32


@pytest.mark.slow
def test_search_scores_every_legal_action_in_order():
    for state in positions(6):
        scored = SearchPlayer(60).evaluate_candidates(state)
        assert tuple(action for action, _ in scored) == legal_actions(state)
        assert all(isinstance(score, float) for _, score in scored)


def test_search_takes_the_kill_and_values_it_above_all_else():
    state = changed(facing("leech"), 1, hp=5)
    player = SearchPlayer(100)
    best = max(player.evaluate_candidates(state), key=lambda scored: scored[1])[0]
    assert player.choose(state, dice) == best
    assert apply(state, best, dice).fighter(1).hp == 0
    scores = [score for _, score in player.evaluate_candidates(state)]
    assert max(scores) > 0.95


def test_search_is_repeatable_and_leaves_the_state_alone():
    state = adventure(4, "ember")
    assert SearchPlayer(80).evaluate_candidates(state) == SearchPlayer(80).evaluate_candidates(state)
    assert state == adventure(4, "ember")
