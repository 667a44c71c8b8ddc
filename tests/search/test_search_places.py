"""The advice on places: start cells only, the same by the same seed, within its number of turns."""

import random

import pytest

from botapp.arena.scenarios import adventure, team
from botapp.bench.places import advised, fought, scattered
from botapp.fight.placement import placing, start_cells
from botapp.search import places
from botapp.search.places import PlaceAdvice, StartPlace, advise_place
from botapp.search.policy_fight import PolicyFight


@pytest.mark.parametrize("state", [team(3, 2), adventure(5)], ids=["team", "adventure"])
def test_the_places_are_the_own_cell_and_all_free_start_cells_the_best_first(state):
    state = placing(state)
    advice = advise_place(state, turns=60)
    assert {place.cell for place in advice.places} == {state.actor.cell, *start_cells(state)}
    chances = [place.chance for place in advice.places]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= chance <= 1 for chance in chances)
    assert advice.here.cell == state.actor.cell
    assert advice.best in advice.places


def test_the_same_seed_gives_the_same_advice_and_another_one_other_dice():
    state = placing(adventure(2))
    assert advise_place(state, turns=200, seed=4) == advise_place(state, turns=200, seed=4)
    assert advise_place(state, turns=200, seed=4) != advise_place(state, turns=200, seed=5)


@pytest.mark.parametrize("turns", [0, 300, 1000])
def test_it_plays_no_more_turns_than_it_may(turns, monkeypatch):
    state, played = placing(team(1, 2)), []
    count = PolicyFight.play_turn
    monkeypatch.setattr(PolicyFight, "play_turn", lambda *asked: played.append(1) or count(*asked))
    advice = advise_place(state, turns)
    first = places.FIRST_DICE * len(state.order) * len(advice.places)
    assert len(played) <= advice.turns <= max(turns, first)


def test_the_own_cell_is_kept_where_none_is_clearly_better():
    here, better, best = StartPlace(1, 0.500), StartPlace(2, 0.505), StartPlace(3, 0.6)
    assert PlaceAdvice(0, (better, here), here, 0).best == here
    advice = PlaceAdvice(0, (best, better, here), here, 0)
    assert advice.best == best
    assert advice.alike == (best,)


@pytest.mark.slow
def test_the_bench_moves_one_side_only_and_onto_its_own_cells():
    state = scattered(team(4, 2), random.Random(4))
    moved = advised(state, 1)
    assert not moved.placing
    for before, after in zip(state.fighters, moved.fighters, strict=True):
        starts = state.map.blue_starts if after.team else state.map.red_starts
        assert after.cell in starts
        assert after.team or after.cell == before.cell
    assert fought(4) == fought(4)
    assert fought(4) in (0.0, 0.25, 0.5, 0.75, 1.0)
