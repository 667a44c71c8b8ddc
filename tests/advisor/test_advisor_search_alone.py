"""The advisor without a model that the app has: which evaluation judges which fight."""

import pytest

from botapp.advisor import bare
from botapp.advisor.bare import BareAdvisor, SearchAdvisor
from botapp.arena.scenarios import team
from botapp.fight.rules import legal_actions
from botapp.fight.state import CellFlag
from botapp.search.learned import load


@pytest.fixture
def searched(monkeypatch):
    """What judged each search, in their order."""
    found = []
    ask = bare.TurnAdvisor._search

    def listen(self, state, begun, planned):
        found.append(self.options.learned)
        assert self.timed_options.learned is self.options.learned
        return ask(self, state, begun, planned)

    monkeypatch.setattr(bare.TurnAdvisor, "_search", listen)
    return found


def test_the_learned_evaluation_judges_whoever_fights(searched):
    advisor = SearchAdvisor()
    for state in (team(1, 2), team(1, 2, pool="unseen")):
        advisor.decide(state)
    assert searched == [load(), load()]


def test_bare_takes_the_evaluation_that_it_is_given_and_no_other(searched):
    BareAdvisor().decide(team(1, 2))
    BareAdvisor(learned=load()).decide(team(1, 2, pool="unseen"))
    assert searched == [None, load()]


def test_without_weights_the_search_advises_all_the_same(monkeypatch, searched, caplog):
    def refuse():
        raise ValueError("evaluation.safetensors is damaged")

    monkeypatch.setattr(bare, "load", refuse)
    assert SearchAdvisor().decide(team(1, 2)).action == BareAdvisor().decide(team(1, 2)).action
    assert searched == [None, None]
    assert "evaluation.safetensors" in caplog.text


def crowd(count):
    """Returns a fight of so many fighters: copies of its first eight on other cells."""
    state = team(1, 4)
    taken = {one.cell for one in state.fighters}
    walkable = [cell for cell, flag in enumerate(state.map.cells) if flag & CellFlag.WALKABLE]
    free = [cell for cell in walkable if cell not in taken]
    copies = [
        state.fighters[number % 8].changed(id=100 + number, cell=free[3 * number])
        for number in range(count - 8)
    ]
    order = (*state.order, *(one.id for one in copies))
    return state.changed(fighters=(*state.fighters, *copies), order=order)


@pytest.mark.slow
@pytest.mark.parametrize("count", [17, pytest.param(33, marks=pytest.mark.long), 60])
def test_a_crowd_is_thought_about_too(make_advisor, count):
    state = crowd(count)
    for advisor in (BareAdvisor(), make_advisor()):
        assert advisor.decide(state).action in legal_actions(state)
