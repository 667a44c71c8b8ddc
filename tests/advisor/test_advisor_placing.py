"""The advice on the place before the fight: the own cell is kept where none is clearly better."""

import pytest

from botapp.advisor import placing
from botapp.arena.scenarios import duel
from botapp.fight.actions import Place, Ready
from botapp.fight.placement import placing as choosing
from botapp.fight.placement import start_cells
from botapp.search.places import PlaceAdvice, StartPlace


@pytest.mark.parametrize(("lead", "best"), [(0.008, Ready), (0.05, Place)])
def test_no_other_place_is_said_to_win_more_than_the_one_advised(monkeypatch, lead, best):
    state = choosing(duel(3))
    here = StartPlace(state.actor.cell, 0.79)
    first, second = (cell for cell in start_cells(state)[:2])
    places = (StartPlace(first, 0.79 + lead), here, StartPlace(second, 0.6))
    monkeypatch.setattr(placing, "advise_place", lambda _: PlaceAdvice(0, places, here, 0))
    decision = placing.decide_place(state)
    assert isinstance(decision.action, best)
    assert max(one.chance for one in decision.candidates) == decision.chance
    assert decision.alternative.chance_lost >= 0
    assert [one.value for one in decision.candidates] == [one.chance for one in decision.candidates]
