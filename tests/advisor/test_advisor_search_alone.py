"""The advisor without a model that the app has: which evaluation judges which fight."""

import pytest

from botapp.advisor import bare
from botapp.advisor.bare import BareAdvisor, SearchAdvisor
from botapp.arena.scenarios import team
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
